"""Money that is not mixed up with other numbers."""

from typing import NewType

Cents = NewType("Cents", int)
Percent = NewType("Percent", int)


def with_tax(net: Cents, tax: Percent) -> Cents:
    """Add a tax to a net amount; half a cent is rounded up.

    >>> with_tax(Cents(1000), Percent(19))
    1190
    >>> with_tax(Cents(99), Percent(7))
    106
    >>> with_tax(Cents(50), Percent(1))
    51
    >>> with_tax(Cents(49), Percent(1))
    49
    >>> with_tax(Cents(0), Percent(50))
    0
    """
    return Cents(net + (net * tax + 50) // 100)
