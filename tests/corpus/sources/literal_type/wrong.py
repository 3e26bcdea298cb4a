"""Rounding of prices in shops without small coins."""

from typing import Literal

Rule = Literal["up", "down", "nearest"]


def cash_price(cents: int, rule: Rule) -> int:
    """Round a price to five cents. The result is a multiple of 5.

    >>> cash_price(102, "up")
    105
    >>> cash_price(104, "down")
    100
    >>> cash_price(102, "nearest")
    100
    >>> cash_price(103, "nearest")
    105
    >>> cash_price(105, "up")
    105
    >>> cash_price(105, "down")
    105
    """
    if rule == "up":
        return (cents + 5) // 5 * 5
    if rule == "down":
        return cents // 5 * 5
    return (cents + 2) // 5 * 5
