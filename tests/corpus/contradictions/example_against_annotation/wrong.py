"""Free places in a car park."""


def display(free: int, capacity: int) -> int:
    """Return what the sign at the entrance shows.

    >>> display(12, 100)
    12
    >>> display(0, 100)
    'FULL'
    >>> display(100, 100)
    100
    >>> display(-2, 100)
    'FULL'
    >>> display(105, 100)
    100
    """
    if free <= 0:
        return "FULL"
    return free
