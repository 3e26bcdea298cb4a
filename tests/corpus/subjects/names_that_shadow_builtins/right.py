"""A small vocabulary for pipelines; the names are those that analysts know."""

from collections.abc import Callable


def filter(list: list[int], min: int | None = None, max: int | None = None) -> list[int]:
    """Return the numbers from min to max, both included; a bound that is None does not count.

    >>> filter([5, 1, 9, 3], min=3)
    [5, 9, 3]
    >>> filter([5, 1, 9, 3], max=5)
    [5, 1, 3]
    >>> filter([5, 1, 9, 3], 2, 4)
    [3]
    >>> filter([-1, 0, 1], min=0)
    [0, 1]
    >>> filter([-1, 0, 1], max=0)
    [-1, 0]
    >>> filter([], 1, 2)
    []
    """
    kept = []
    for number in list:
        if (min is None or number >= min) and (max is None or number <= max):
            kept.append(number)
    return kept


def sum(list: list[int], key: Callable[[int], int] = abs) -> int:
    """Return the sum of the keys of the numbers; without a key, of their sizes without sign.

    >>> sum([1, -2, 3])
    6
    >>> sum([2, -4], key=int)
    -2
    >>> sum([])
    0
    """
    total = 0
    for number in list:
        total += key(number)
    return total
