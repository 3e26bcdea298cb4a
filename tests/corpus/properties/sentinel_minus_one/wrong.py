"""Search in sorted tables."""


def find(keys: list[int], wanted: int) -> int:
    """Return the position of a key in a table, by halving.

    Returns -1 if wanted is not in keys.

    Args:
        keys: The keys, sorted, each only once.
        wanted: The key to look for.

    >>> find([1, 3, 5, 7], 1)
    0
    >>> find([1, 3, 5, 7], 7)
    3
    >>> find([1, 3, 5], 3)
    1
    >>> find([4], 4)
    0
    """
    low, high = 0, len(keys)
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return low if low < len(keys) else -1
