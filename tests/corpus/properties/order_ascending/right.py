"""Merging of logs."""


def merge_times(first: list[int], second: list[int]) -> list[int]:
    """Merge the times of two logs.

    The result is sorted in ascending order.

    Args:
        first: Times of the first log, in any order.
        second: Times of the second log, in any order.

    >>> merge_times([1, 5], [2, 9])
    [1, 2, 5, 9]
    >>> merge_times([3, 4], [])
    [3, 4]
    >>> merge_times([], [7])
    [7]
    >>> merge_times([2, 2, 8], [2])
    [2, 2, 2, 8]
    >>> merge_times([], [])
    []
    """
    merged, rest = [], sorted(second)
    for time in sorted(first):
        while rest and rest[0] < time:
            merged.append(rest.pop(0))
        merged.append(time)
    return merged + rest
