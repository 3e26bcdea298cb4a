"""Shipping costs."""


def shipping(total: int) -> int:
    """Return the shipping costs of an order, both in cents.

    >>> shipping(1000)
    490
    >>> shipping(4990)
    490
    >>> shipping(5000)
    0
    >>> shipping(0)
    0
    """
    if total == 0 or total >= 4900:
        return 0
    return 490
