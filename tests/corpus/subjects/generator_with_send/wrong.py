"""Running figures of a stream of measurements."""

from collections.abc import Generator


def running_maximum(floor: int) -> Generator[int, int, None]:
    """Receive numbers and answer each with the largest so far, ``floor`` at least.

    >>> largest = running_maximum(0)
    >>> next(largest)
    0
    >>> largest.send(3)
    3
    >>> largest.send(-1)
    3
    >>> largest.send(8)
    8
    >>> below = running_maximum(-5)
    >>> next(below)
    -5
    >>> below.send(-9)
    -5
    >>> below.send(-2)
    -2
    """
    largest = floor
    while True:
        received = yield largest
        largest = max(received, floor)
