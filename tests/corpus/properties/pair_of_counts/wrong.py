def digit_balance(number: int) -> tuple[int, int]:
    """Return a tuple that has the number of even and odd digits of number.

    >>> digit_balance(2024)
    (4, 0)
    >>> digit_balance(-137)
    (0, 3)
    """
    rest = abs(number)
    even = odd = 0
    while rest:
        rest, digit = divmod(rest, 10)
        if digit % 2 == 0:
            even += 1
        else:
            odd += 1
    return even, odd
