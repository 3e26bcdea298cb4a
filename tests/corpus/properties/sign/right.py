"""Overtime."""


def overtime(worked: list[int], per_day: int) -> int:
    """Return the minutes of overtime of a week. Days with less work do not count against it.

    The result is never negative.

    Args:
        worked: The minutes of each day.
        per_day: How many minutes a day has by contract. Non-negative.

    >>> overtime([500, 480, 490], 480)
    30
    >>> overtime([480, 480], 480)
    0
    >>> overtime([600], 480)
    120
    >>> overtime([], 480)
    0
    >>> overtime([10, 11, 12], 0)
    33
    """
    return sum(max(0, minutes - per_day) for minutes in worked)
