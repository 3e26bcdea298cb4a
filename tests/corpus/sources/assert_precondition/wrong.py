"""Grades from points."""


def grade(points: int, maximum: int) -> float:
    """Return the grade for points in an exam: 1.0 is best, 5.0 is failed.

    Half of the points pass with 4.0; from there on it is linear, in steps of a tenth.
    The result is between 1 and 5.

    >>> grade(100, 100)
    1.0
    >>> grade(50, 100)
    4.0
    >>> grade(49, 100)
    5.0
    >>> grade(75, 100)
    2.5
    >>> grade(30, 40)
    2.5
    >>> grade(33, 50)
    3.0
    >>> grade(0, 10)
    5.0
    """
    assert maximum > 0
    assert 0 <= points <= maximum
    share = points / maximum
    return round(4.0 - (share - 0.5) * 6, 1)
