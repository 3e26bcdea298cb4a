"""Currency conversion for a price list."""


def convert(prices: list[float], rate: float) -> list[float]:
    """Convert prices into another currency.

    Every price of the result is rounded to two decimals.

    Args:
        prices: The prices, not negative.
        rate: What one unit is worth. Positive.

    >>> convert([10.0, 2.5], 2.0)
    [20.0, 5.0]
    >>> convert([1.5], 0.5)
    [0.75]
    >>> convert([], 1.1)
    []
    >>> convert([100.0], 0.25)
    [25.0]
    """
    return [round(price * rate, 2) for price in prices]
