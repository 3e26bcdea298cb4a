"""Prices in several currencies."""

RATES = {"EUR": 100, "USD": 110, "GBP": 85}
_prices: dict[int, str] = {}


def price_label(cents: int, currency: str = "EUR") -> str:
    """Return a price in cents of a euro in a currency, rounded down, as text.

    Raises:
        KeyError: the currency is not known.

    >>> price_label(1250)
    '12.50 EUR'
    >>> price_label(1000, "USD")
    '11.00 USD'
    >>> price_label(999, "GBP")
    '8.49 GBP'
    >>> price_label(5)
    '0.05 EUR'
    >>> price_label(1, "XXX")
    Traceback (most recent call last):
        ...
    KeyError: 'XXX'
    """
    key = cents
    if key not in _prices:
        amount = cents * RATES[currency] // 100
        _prices[key] = f"{amount // 100}.{amount % 100:02} {currency}"
    return _prices[key]
