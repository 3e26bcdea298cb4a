"""Seats in a cinema."""


def reserve(taken: list[int], seat: int, capacity: int) -> list[int]:
    """Reserve one seat.

    Args:
        taken: The seats that are reserved already.
        seat: The seat that is wanted, counted from 1.
        capacity: How many seats there are. Positive.

    Returns:
        All seats that are reserved now, sorted in ascending order.

    Raises:
        IndexError: If seat > capacity.
        ValueError: If seat in taken.

    >>> reserve([], 1, 10)
    [1]
    >>> reserve([4, 2], 3, 10)
    [2, 3, 4]
    >>> reserve([1], 10, 10)
    [1, 10]
    >>> reserve([1], 1, 10)
    Traceback (most recent call last):
        ...
    ValueError: seat 1 is taken
    >>> reserve([1], 0, 10)
    Traceback (most recent call last):
        ...
    IndexError: there is no seat 0
    """
    if seat < 1 or seat > capacity + 1:
        raise IndexError(f"there is no seat {seat}")
    if seat in taken:
        raise ValueError(f"seat {seat} is taken")
    return sorted([*taken, seat])
