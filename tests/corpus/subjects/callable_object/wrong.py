"""Smoothing of measurements."""

from collections import deque


class MovingAverage:
    """The mean of the last ``width`` numbers.

    >>> average = MovingAverage(3)
    >>> average(3.0)
    3.0
    >>> average(6.0)
    4.5
    >>> average(9.0)
    6.0
    >>> average(12.0)
    9.0
    >>> average(0.0)
    7.0
    >>> single = MovingAverage(1)
    >>> single(5.0), single(8.0)
    (5.0, 8.0)
    >>> MovingAverage(0)
    Traceback (most recent call last):
        ...
    ValueError: width must be positive
    """

    def __init__(self, width: int) -> None:
        if width < 1:
            raise ValueError("width must be positive")
        self._width = width
        self._recent: deque[float] = deque()

    def __call__(self, number: float) -> float:
        self._recent.append(number)
        if len(self._recent) > self._width:
            self._recent.popleft()
        return sum(self._recent) / self._width
