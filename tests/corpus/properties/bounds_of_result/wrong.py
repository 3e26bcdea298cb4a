"""Steering of a model train."""


def next_speed(current: int, wanted: int, slowest: int, fastest: int) -> int:
    """Return the speed for the next second, at most ten steps from the current one.

    The result is between slowest and fastest, both inclusive.

    Args:
        current: The speed now.
        wanted: What the driver asks for.
        slowest: Must not be greater than fastest.
        fastest: The highest speed allowed here.

    >>> next_speed(20, 25, 0, 100)
    25
    >>> next_speed(20, 60, 0, 100)
    30
    >>> next_speed(50, 0, 0, 100)
    40
    >>> next_speed(20, 20, 0, 100)
    20
    >>> next_speed(55, 60, 0, 58)
    58
    """
    step = max(-10, min(10, wanted - current))
    return min(fastest, current + step)
