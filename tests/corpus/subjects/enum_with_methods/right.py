"""Days of the week for opening hours."""

from enum import Enum


class Day(Enum):
    """A day of the week, Monday first."""

    MONDAY = 1
    TUESDAY = 2
    WEDNESDAY = 3
    THURSDAY = 4
    FRIDAY = 5
    SATURDAY = 6
    SUNDAY = 7

    @classmethod
    def parse(cls, text: str) -> "Day":
        """Return the day whose English name begins with the text; case does not matter.

        Raises:
            ValueError: no day or more than one begins so.

        >>> Day.parse("wed").name
        'WEDNESDAY'
        >>> Day.parse("Sunday").name
        'SUNDAY'
        >>> Day.parse("t")
        Traceback (most recent call last):
            ...
        ValueError: 't' is no day
        >>> Day.parse("noon")
        Traceback (most recent call last):
            ...
        ValueError: 'noon' is no day
        """
        found = [day for day in cls if day.name.startswith(text.upper())]
        if len(found) != 1:
            raise ValueError(f"{text!r} is no day")
        return found[0]

    @property
    def is_weekend(self) -> bool:
        """True for Saturday and Sunday.

        >>> Day.FRIDAY.is_weekend
        False
        >>> Day.SATURDAY.is_weekend
        True
        >>> Day.SUNDAY.is_weekend
        True
        """
        return self in (Day.SATURDAY, Day.SUNDAY)

    def after(self, days: int) -> "Day":
        """Return the day so many days later, or earlier for a negative number.

        >>> Day.MONDAY.after(1).name
        'TUESDAY'
        >>> Day.SATURDAY.after(1).name
        'SUNDAY'
        >>> Day.SUNDAY.after(9).name
        'TUESDAY'
        >>> Day.MONDAY.after(-1).name
        'SUNDAY'
        >>> Day.FRIDAY.after(0).name
        'FRIDAY'
        """
        return Day((self.value - 1 + days) % 7 + 1)
