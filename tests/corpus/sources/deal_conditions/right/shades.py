"""Colours for charts."""

import deal


@deal.pre(lambda value, lowest, highest: lowest < highest)
@deal.pre(lambda value, lowest, highest: lowest <= value)
@deal.post(lambda result: 0 <= result <= 255)
def brightness(value: int, lowest: int, highest: int) -> int:
    """Map a measurement to a shade of grey; whatever is above the highest one is white.

    >>> brightness(0, 0, 10)
    0
    >>> brightness(10, 0, 10)
    255
    >>> brightness(5, 0, 10)
    127
    >>> brightness(40, 20, 100)
    63
    >>> brightness(-5, -10, 0)
    127
    """
    share = min(value, highest) - lowest
    return share * 255 // (highest - lowest)
