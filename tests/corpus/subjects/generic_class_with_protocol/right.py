"""The best few of a stream."""

from typing import Generic, Protocol, TypeVar


class Comparable(Protocol):
    """Something that can be compared."""

    def __lt__(self, other: "Comparable") -> bool: ...


T = TypeVar("T", bound=Comparable)


class Best(Generic[T]):
    """Keeps the ``size`` largest items, the largest first; of equal items the one that came first stands first.

    >>> best = Best[int](3)
    >>> for number in [4, 9, 1, 7, 5]:
    ...     best.offer(number)
    >>> best.items
    [9, 7, 5]
    >>> words = Best[str](2)
    >>> words.offer("b")
    >>> words.items
    ['b']
    >>> words.offer("a")
    >>> words.offer("c")
    >>> words.items
    ['c', 'b']
    >>> pairs = Best(2)
    >>> for number in [1, 1.0, True, 0]:
    ...     pairs.offer(number)
    >>> pairs.items
    [1, 1.0]
    >>> nothing = Best[int](0)
    >>> nothing.offer(3)
    >>> nothing.items
    []
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self.items: list[T] = []

    def offer(self, item: T) -> None:
        """Keep the item if it is among the largest."""
        position = len(self.items)
        while position > 0 and self.items[position - 1] < item:
            position -= 1
        self.items.insert(position, item)
        del self.items[self._size :]
