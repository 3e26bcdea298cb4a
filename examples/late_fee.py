"""What a library asks for books that come back late."""


def late_fee(price: int, days: int) -> int:
    """Return the fee for a book that comes back late, in cents.

    The first three days are free. Every further day costs 20 cents, but never more than the price of the book.

    Raises:
        ValueError: If the book comes back before it was lent.

    >>> late_fee(1500, 3)
    0
    >>> late_fee(1500, 5)
    40
    >>> late_fee(100, 30)
    100
    """
    if days < 0:
        raise ValueError("the book comes back before it was lent")
    return min(price, 20 * max(0, days - 3))
