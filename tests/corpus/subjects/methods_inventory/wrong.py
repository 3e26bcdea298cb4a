"""Stock keeping for a small warehouse."""


class Inventory:
    """How many pieces of each article lie on the shelves."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def receive(self, article: str, quantity: int) -> int:
        """Book a delivery and return how many pieces there are now.

        Raises:
            ValueError: the quantity is not positive.

        >>> shelf = Inventory()
        >>> shelf.receive("bolt", 1)
        1
        >>> shelf.receive("bolt", 5)
        6
        >>> shelf.receive("bolt", 0)
        Traceback (most recent call last):
            ...
        ValueError: quantity must be positive
        """
        if quantity <= 0:
            raise ValueError("quantity must be positive")
        self._counts[article] = self._counts.get(article, 0) + quantity
        return self._counts[article]

    def ship(self, article: str, quantity: int) -> int:
        """Take pieces off the shelf and return how many are left. All that are left may be shipped.

        Raises:
            LookupError: there are fewer pieces than that.

        >>> shelf = Inventory()
        >>> shelf.receive("nut", 4)
        4
        >>> shelf.ship("nut", 3)
        1
        >>> shelf.ship("nut", 1)
        0
        >>> shelf.articles()
        []
        >>> shelf.ship("nut", 1)
        Traceback (most recent call last):
            ...
        LookupError: not enough nut
        """
        left = self._counts.get(article, 0) - quantity
        if left <= 0:
            raise LookupError(f"not enough {article}")
        self._counts[article] = left
        return left

    def articles(self) -> list[str]:
        """Return the names of the articles in stock, in alphabetical order.

        >>> shelf = Inventory()
        >>> shelf.receive("washer", 2)
        2
        >>> shelf.receive("anchor", 2)
        2
        >>> shelf.articles()
        ['anchor', 'washer']
        """
        return sorted(self._counts)
