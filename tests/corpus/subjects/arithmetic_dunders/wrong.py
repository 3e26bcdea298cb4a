"""Amounts of money in one currency each."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    """An amount in the smallest unit of a currency.

    >>> Money(150, "EUR") + Money(250, "EUR")
    Money(cents=400, currency='EUR')
    >>> sum([Money(1, "USD"), Money(2, "USD"), Money(3, "USD")])
    Money(cents=6, currency='USD')
    >>> Money(5, "EUR") - Money(7, "EUR")
    Money(cents=-2, currency='EUR')
    >>> -Money(5, "EUR")
    Money(cents=-5, currency='EUR')
    >>> Money(5, "EUR") * 3
    Money(cents=15, currency='EUR')
    >>> 3 * Money(5, "EUR")
    Money(cents=15, currency='EUR')
    >>> Money(5, "EUR") + Money(5, "USD")
    Traceback (most recent call last):
        ...
    ValueError: EUR and USD cannot be added
    >>> Money(5, "EUR") + 5
    Traceback (most recent call last):
        ...
    TypeError: unsupported operand type(s) for +: 'Money' and 'int'
    >>> Money(5, "EUR") * 1.5
    Traceback (most recent call last):
        ...
    TypeError: can't multiply by float
    """

    cents: int
    currency: str

    def __add__(self, other: object) -> "Money":
        if not isinstance(other, Money):
            return NotImplemented
        if other.currency != self.currency:
            raise ValueError(f"{self.currency} and {other.currency} cannot be added")
        return Money(self.cents + other.cents, self.currency)

    def __radd__(self, other: object) -> "Money":
        return self + other

    def __neg__(self) -> "Money":
        return Money(-self.cents, self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return self + -other

    def __mul__(self, times: int) -> "Money":
        if not isinstance(times, int):
            return NotImplemented
        return Money(self.cents * times, self.currency)

    __rmul__ = __mul__
