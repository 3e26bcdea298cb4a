"""Closed intervals of whole numbers."""

from typing import NamedTuple


class Interval(NamedTuple):
    """The whole numbers from ``low`` to ``high``, both included."""

    low: int
    high: int

    def size(self) -> int:
        """Return how many numbers there are.

        >>> Interval(3, 7).size()
        5
        >>> Interval(3, 3).size()
        1
        >>> Interval(4, 3).size()
        0
        >>> Interval(9, 3).size()
        0
        """
        return max(0, self.high - self.low + 1)

    def common(self, other: "Interval") -> "Interval | None":
        """Return the numbers that both have, or None if there are none.

        >>> Interval(1, 5).common(Interval(4, 9))
        Interval(low=4, high=5)
        >>> Interval(1, 5).common(Interval(5, 9))
        Interval(low=5, high=5)
        >>> Interval(1, 9).common(Interval(3, 4))
        Interval(low=3, high=4)
        >>> Interval(1, 2).common(Interval(3, 4)) is None
        True
        >>> Interval(6, 9).common(Interval(2, 3)) is None
        True
        """
        low = max(self.low, other.low)
        high = min(self.high, other.high)
        return Interval(low, high) if low <= high else None
