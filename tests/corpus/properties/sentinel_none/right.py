"""Prices at different shops."""


def cheapest(offers: dict[str, int], budget: int) -> str | None:
    """Return the shop with the lowest price that the budget allows; the first one of several.

    Returns None if offers is empty.

    >>> cheapest({"north": 30, "south": 20}, 50)
    'south'
    >>> cheapest({"north": 20, "south": 20}, 20)
    'north'
    >>> cheapest({"north": 30, "south": 45}, 40)
    'north'
    >>> cheapest({"north": 30}, 20) is None
    True
    """
    allowed = {shop: price for shop, price in offers.items() if price <= budget}
    if not allowed:
        return None
    return min(allowed, key=lambda shop: allowed[shop])
