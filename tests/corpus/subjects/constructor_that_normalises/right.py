"""Spans of days in a booking calendar."""

from datetime import date, timedelta


class Stay:
    """The nights between arrival and departure.

    >>> Stay(date(2024, 2, 27), date(2024, 3, 2)).nights
    4
    >>> Stay(date(2024, 3, 2), date(2024, 2, 27)).nights
    4
    >>> Stay(date(2024, 3, 2), date(2024, 3, 2))
    Traceback (most recent call last):
        ...
    ValueError: a stay has at least one night
    >>> Stay(date(2023, 12, 30), date(2024, 1, 2)).days()
    [datetime.date(2023, 12, 30), datetime.date(2023, 12, 31), datetime.date(2024, 1, 1)]
    """

    def __init__(self, arrival: date, departure: date) -> None:
        if arrival == departure:
            raise ValueError("a stay has at least one night")
        self.arrival, self.departure = sorted((arrival, departure))

    @property
    def nights(self) -> int:
        """How many nights the guest sleeps here."""
        return (self.departure - self.arrival).days

    def days(self) -> list[date]:
        """Return the day before each night.

        >>> Stay(date(2024, 5, 2), date(2024, 5, 1)).days()
        [datetime.date(2024, 5, 1)]
        """
        return [self.arrival + timedelta(days=offset) for offset in range(self.nights)]

    def overlaps(self, other: "Stay") -> bool:
        """Tell whether the two stays share a night. On the day of departure the next guest may arrive.

        >>> first = Stay(date(2024, 5, 1), date(2024, 5, 4))
        >>> first.overlaps(Stay(date(2024, 5, 4), date(2024, 5, 6)))
        False
        >>> first.overlaps(Stay(date(2024, 4, 1), date(2024, 5, 1)))
        False
        >>> first.overlaps(Stay(date(2024, 5, 3), date(2024, 5, 9)))
        True
        >>> first.overlaps(Stay(date(2024, 4, 1), date(2024, 5, 2)))
        True
        """
        return self.arrival < other.departure and other.arrival < self.departure
