"""A shopping basket."""


class Basket:
    """What a customer wants to buy."""

    def __init__(self, prices: dict[str, int]) -> None:
        self._prices = dict(prices)
        self._counts: dict[str, int] = {}

    def add(self, item: str, count: int = 1) -> None:
        if item not in self._prices:
            raise KeyError(item)
        self._counts[item] = self._counts.get(item, 0) + count

    def remove(self, item: str, count: int = 1) -> None:
        left = self._counts.get(item, 0) - count
        if left > 0:
            self._counts[item] = left
        else:
            self._counts.pop(item, None)

    def items(self) -> list[tuple[str, int]]:
        return sorted(self._counts.items())

    def total(self) -> int:
        """Return the price of everything; every third piece of an item is free."""
        return sum(self._prices[item] * (count - count // 3) for item, count in self._counts.items())
