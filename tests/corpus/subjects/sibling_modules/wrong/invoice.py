"""Totals of invoices."""

from taxes import tax_of


def invoice_total(lines: list[tuple[int, int, str]]) -> tuple[int, int]:
    """Return the net amount and the tax of lines of (quantity, price in cents, rate).

    The tax is computed for each line and rounded once per line.

    >>> invoice_total([(1, 1000, "other")])
    (1000, 190)
    >>> invoice_total([(3, 105, "books"), (2, 999, "food")])
    (2313, 162)
    >>> invoice_total([(10, 5, "other")])
    (50, 10)
    >>> invoice_total([(1, 50, "books"), (1, 50, "books")])
    (100, 8)
    >>> invoice_total([])
    (0, 0)
    >>> invoice_total([(1, 1000, "unknown")])
    Traceback (most recent call last):
        ...
    KeyError: 'unknown'
    """
    net = 0
    tax = 0
    for quantity, price, rate in lines:
        net += quantity * price
        tax += quantity * tax_of(price, rate)
    return net, tax
