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
    kept = [value for value in values if abs(value) <= limit]
    if in_place:
        values[:] = kept
        return values
    return kept
