"""Receipts for the counter."""


def print_receipt(items: list[tuple[str, int]], paid: int) -> None:
    """Print a receipt of 20 columns: the articles with their prices in cents, the sum, and the change.

    Where the money does not suffice, what is missing is printed instead of the change.

    >>> print_receipt([("Tea", 250), ("Cake", 1075)], 2000)
    Tea             2.50
    Cake           10.75
    --------------------
    Sum            13.25
    Change          6.75
    >>> print_receipt([("Water", 5)], 5)
    Water           0.05
    --------------------
    Sum             0.05
    Change          0.00
    >>> print_receipt([("Soup", 480)], 401)
    Soup            4.80
    --------------------
    Sum             4.80
    Missing         0.79
    >>> print_receipt([], 0)
    --------------------
    Sum             0.00
    Change          0.00
    """
    for name, cents in items:
        _print_line(name, cents)
    total = sum(cents for _, cents in items)
    print("-" * 20)
    _print_line("Sum", total)
    _print_line("Change" if paid >= total else "Missing", abs(paid - total))


def _print_line(label: str, cents: int) -> None:
    print(f"{label:<10}{cents // 100:>7}.{cents % 100:02}")
