"""Summary figures of a series of measurements."""

from functools import cached_property


class Series:
    """Measurements in the order in which they were taken.

    >>> Series([3.0, 1.0, 2.0]).median
    2.0
    >>> Series([4.0, 1.0, 2.0, 10.0]).median
    3.0
    >>> Series([7.5]).median
    7.5
    >>> Series([5.0, 2.0, 9.0]).spread
    7.0
    >>> series = Series([3.0, 1.0, 2.0])
    >>> series.median, series.spread
    (2.0, 2.0)
    >>> series.first
    3.0
    >>> series.ordered
    [1.0, 2.0, 3.0]
    >>> Series([])
    Traceback (most recent call last):
        ...
    ValueError: a series needs a value
    """

    def __init__(self, values: list[float]) -> None:
        if not values:
            raise ValueError("a series needs a value")
        self._values = list(values)

    @property
    def first(self) -> float:
        """The value that was measured first."""
        return self._values[0]

    @cached_property
    def ordered(self) -> list[float]:
        """The values from the smallest to the largest."""
        self._values.sort()
        return self._values

    @cached_property
    def median(self) -> float:
        """The middle value, or the mean of the two middle values."""
        middle = len(self.ordered) // 2
        if len(self.ordered) % 2:
            return self.ordered[middle]
        return (self.ordered[middle] + self.ordered[middle + 1]) / 2

    @cached_property
    def spread(self) -> float:
        """The distance between the smallest and the largest value."""
        return self.ordered[-1] - self.ordered[0]
