"""Access to time series by position in the year."""


def week_slice(days: list[int], week: int) -> list[int]:
    """Return the values of one week of a year.

    :param days: one value for every day of the year
    :param week: which week, counted from 0
    :raises IndexError: if week < 0
    :return: the seven values, or fewer for the last week

    >>> week_slice([1, 2, 3, 4, 5, 6, 7, 8, 9], 0)
    [1, 2, 3, 4, 5, 6, 7]
    >>> week_slice([1, 2, 3, 4, 5, 6, 7, 8, 9], 1)
    [8, 9]
    >>> week_slice([], 0)
    []
    >>> week_slice([1, 2, 3], 3)
    []
    """
    if week < 0:
        raise IndexError(f"there is no week {week}")
    start = week * 7
    return days[start : start + 7]
