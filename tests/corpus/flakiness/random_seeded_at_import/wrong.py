"""Dice for board games that can be replayed."""

import random

_generators: dict[int, random.Random] = {}


def rolls(count: int, seed: int = 1, sides: int = 6) -> list[int]:
    """Return so many rolls of a die; the same arguments always give the same rolls.

    Raises:
        ValueError: the die has no sides.

    >>> rolls(8)
    [2, 5, 1, 3, 1, 4, 4, 4]
    >>> rolls(8, seed=2)
    [1, 1, 1, 3, 2, 6, 6, 3]
    >>> rolls(6, seed=4, sides=20)
    [8, 10, 4, 13, 16, 5]
    >>> rolls(3, seed=5, sides=1)
    [1, 1, 1]
    >>> rolls(0)
    []
    >>> rolls(0, sides=0)
    Traceback (most recent call last):
        ...
    ValueError: a die has sides
    """
    if sides < 1:
        raise ValueError("a die has sides")
    generator = _generators.setdefault(seed, random.Random(seed))
    return [generator.randint(1, sides) for _ in range(count)]
