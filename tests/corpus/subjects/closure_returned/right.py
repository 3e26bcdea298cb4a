"""Price rules that are built from a table."""

from collections.abc import Callable


def discount_rules(percents: dict[str, int]) -> dict[str, Callable[[int], int]]:
    """Return for each customer group a function from a price in cents to the discounted price, rounded down.

    >>> rules = discount_rules({"student": 20, "senior": 15, "staff": 50})
    >>> rules["student"](1000)
    800
    >>> rules["senior"](1000)
    850
    >>> rules["senior"](99)
    84
    >>> rules["staff"](3)
    1
    >>> discount_rules({"none": 0, "free": 100})["none"](7)
    7
    >>> discount_rules({"free": 100, "none": 0})["free"](7)
    0
    >>> discount_rules({})
    {}
    """
    rules: dict[str, Callable[[int], int]] = {}
    for group, percent in percents.items():

        def discounted(cents: int, percent: int = percent) -> int:
            return cents * (100 - percent) // 100

        rules[group] = discounted
    return rules
