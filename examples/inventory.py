"""What is in stock."""

from __future__ import annotations


class Inventory:
    """
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
    ValueError: ...
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
        self._counts[name] = self.count(name) + count
        return self._counts[name]

    def take(self, name: str, count: int) -> int:
        available = self.count(name)
        if count > available:
            raise ValueError(f"only {available} of {name!r} in stock")
        self._counts[name] = available - count
        return self._counts[name]

    def count(self, name: str) -> int:
        return self._counts.get(name, 0)

    def names(self) -> list[str]:
        return sorted(name for name, count in self._counts.items() if count)
