"""Stock of a small shop."""


def withdraw(stock: dict[str, int], item: str, quantity: int) -> dict[str, int]:
    """Take items out of the stock.

    Args:
        stock: How many there are of each item.
        item: What to take.
        quantity: How many.

    Returns:
        The stock that is left; items that have run out are left out.

    Raises:
        ValueError: If quantity < 1.
        KeyError: If item is not in stock.

    Example:
        >>> withdraw({"pen": 5, "ink": 2}, "pen", 2)
        {'pen': 3, 'ink': 2}
        >>> withdraw({"pen": 5, "ink": 2}, "ink", 2)
        {'pen': 5}
        >>> withdraw({"pen": 5}, "pen", 1)
        {'pen': 4}
        >>> withdraw({"pen": 1}, "pen", 3)
        {}
    """
    if quantity < 0:
        raise ValueError("nothing to take")
    left = dict(stock)
    left[item] = stock[item] - quantity
    return {name: count for name, count in left.items() if count > 0}
