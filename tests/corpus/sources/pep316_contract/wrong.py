"""Codes for lockers."""


def check_digit(number):
    """Return the digit that makes the weighted sum of all digits divisible by 11, or 10.

    pre:
        number > 0
        number < 10000000
    post:
        0 <= __return__ <= 10
        isinstance(__return__, int)

    >>> check_digit(1)
    9
    >>> check_digit(23)
    10
    >>> check_digit(9)
    4
    >>> check_digit(1234)
    3
    """
    total, weight = 0, 2
    while number:
        number, digit = divmod(number, 10)
        total += digit * weight
        weight += 1
    return 11 - total % 11
