"""Arithmetic without the standard library, for a small device."""


def gcd(first: int, second: int) -> int:
    """Return the greatest common divisor of two numbers.

    >>> gcd(12, 18)
    6
    >>> gcd(7, 5)
    1
    >>> gcd(0, 4)
    4
    >>> gcd(36, 84)
    14
    >>> gcd(-4, 6)
    2
    """
    for divisor in range(min(abs(first), abs(second)), 0, -1):
        if first % divisor == 0 and second % divisor == 0:
            return divisor
    return 1
