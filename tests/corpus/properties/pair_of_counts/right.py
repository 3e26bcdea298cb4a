def digit_balance(number: int) -> tuple[int, int]:
    """Return a tuple that has the number of even and odd digits of number.

    >>> digit_balance(2024)
    (4, 0)
    >>> digit_balance(-137)
    (0, 3)
    """
    digits = [int(each) for each in str(abs(number))]
    even = sum(1 for each in digits if each % 2 == 0)
    return even, len(digits) - even
