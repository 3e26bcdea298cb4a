"""What is in stock."""

from __future__ import annotations


class Inventory:
    """Counts articles by name; never below zero.

    >>> stock = Inventory()
    >>> stock.add("bolt", 5)
    5
    >>> stock.add("bolt", 2)
    7
    >>> stock.take("bolt", 3)
    4
    >>> stock.count("bolt")
    4
    >>> stock.count("nut")
    0
    >>> stock.take("bolt", 5)
    Traceback (most recent call last):
    ValueError: only 4 of 'bolt' in stock
    >>> stock.take("bolt", 4)
    0
    >>> stock.names()
    []
    >>> stock.add("nut", 1)
    1
    >>> stock.add("axle", 1)
    1
    >>> stock.names()
    ['axle', 'nut']
    >>> stock.count("axle")
    1
    >>> stock.take("axle", 1)
    0
    >>> stock.names()
    ['nut']
    """

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, name: str, count: int) -> int:
        """Add ``count`` articles and return how many there are now."""
        self._counts[name] = self.count(name) + count
        return self._counts[name]

    def take(self, name: str, count: int) -> int:
        """Take ``count`` articles out and return how many are left; raises ValueError where there are not enough."""
        available = self.count(name)
        if count > available:
            raise ValueError(f"only {available} of {name!r} in stock")
        self._counts[name] = available - count
        return self._counts[name]

    def count(self, name: str) -> int:
        """Return how many articles of this name there are."""
        return self._counts.get(name, 0)

    def names(self) -> list[str]:
        """Return the names of the articles that are in stock, sorted."""
        return sorted(name for name, count in self._counts.items() if count)
