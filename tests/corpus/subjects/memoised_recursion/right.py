"""Ways to pay an amount."""

from functools import lru_cache


@lru_cache(maxsize=None)
def ways_to_pay(amount: int, coins: tuple[int, ...]) -> int:
    """Return in how many ways an amount can be paid with coins of these values, each as often as one likes.

    The order of the coins does not matter. There is one way to pay nothing, and none to pay less.

    >>> ways_to_pay(5, (1, 2, 5))
    4
    >>> ways_to_pay(10, (2, 5))
    2
    >>> ways_to_pay(3, (2,))
    0
    >>> ways_to_pay(0, (1, 2))
    1
    >>> ways_to_pay(-1, (1, 2))
    0
    >>> ways_to_pay(4, ())
    0
    >>> ways_to_pay(100, (1, 5, 10, 25, 50))
    292
    """
    if amount == 0:
        return 1
    if amount < 0 or not coins:
        return 0
    return ways_to_pay(amount - coins[0], coins) + ways_to_pay(amount, coins[1:])
