"""Cleaning of measurements."""


def drop_outliers(values: list[int], limit: int, in_place: bool = False) -> list[int]:
    """Drop all values whose size is greater than ``limit``.

    ``values`` is not modified unless ``in_place`` is true; then the same list is returned.

    >>> drop_outliers([1, 50, -60, 2], 10)
    [1, 2]
    >>> data = [1, 50]
    >>> drop_outliers(data, 10)
    [1]
    >>> data
    [1, 50]
    >>> drop_outliers(data, 10, in_place=True) is data
    True
    >>> data
    [1]
    >>> drop_outliers([10, -10, 11, -11], 10)
    [10, -10]
    """
    for place in reversed(range(len(values))):
        if abs(values[place]) > limit:
            del values[place]
    return values if in_place else list(values)
