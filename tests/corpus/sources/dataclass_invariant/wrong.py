"""Periods on a calendar, in days counted from the start of the year."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Period:
    """A run of days; both ends belong to it. ``first`` is never after ``last``.

    >>> Period(2, 2)
    Period(first=2, last=2)
    >>> Period(3, 2)
    Traceback (most recent call last):
        ...
    ValueError: a period cannot end before it begins
    """

    first: int
    last: int

    def __post_init__(self) -> None:
        if self.first > self.last:
            raise ValueError("a period cannot end before it begins")

    def days(self) -> int:
        """Return how many days there are.

        >>> Period(3, 5).days()
        3
        >>> Period(7, 7).days()
        1
        """
        return self.last - self.first + 1

    def overlap(self, other: Period) -> Period | None:
        """Return the days that both have, or None if there are none.

        >>> Period(1, 10).overlap(Period(5, 20))
        Period(first=5, last=10)
        >>> Period(5, 20).overlap(Period(1, 10))
        Period(first=5, last=10)
        >>> Period(1, 5).overlap(Period(5, 6))
        Period(first=5, last=5)
        >>> Period(1, 4).overlap(Period(5, 6)) is None
        True
        >>> Period(1, 20).overlap(Period(5, 6))
        Period(first=5, last=6)
        """
        first, last = max(self.first, other.first), min(self.last, other.last)
        return Period(first, last) if first < last else None
