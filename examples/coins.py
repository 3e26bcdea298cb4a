"""The coins of a till."""

from __future__ import annotations

_COINS = (50, 20, 10, 5, 2, 1)


def coins(cents: int) -> list[int]:
    """
    pre: 0 <= cents <= 10_000
    post: sum(__return__) == cents

    >>> coins(0)
    []
    >>> coins(41)
    [20, 20, 1]
    >>> coins(188)
    [50, 50, 50, 20, 10, 5, 2, 1]
    """
    given: list[int] = []
    for coin in _COINS:
        count, cents = divmod(cents, coin)
        given += [coin] * count
    return given
