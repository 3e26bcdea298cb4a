"""Seating."""


def alternate(guests: list[int]) -> list[int]:
    """Seat guests so that large and small numbers alternate, beginning with the smallest.

    The result is a permutation of guests.

    >>> alternate([1, 2, 3, 4])
    [1, 4, 2, 3]
    >>> alternate([9, 7])
    [7, 9]
    >>> alternate([5])
    [5]
    >>> alternate([])
    []
    >>> alternate([4, 3, 2, 1, 6])
    [1, 6, 2, 4, 3]
    """
    waiting = sorted(guests)
    seated = []
    while waiting:
        seated.append(waiting.pop(0))
        if waiting:
            seated.append(waiting.pop())
    return seated
