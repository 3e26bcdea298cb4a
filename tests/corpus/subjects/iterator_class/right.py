"""Reading tokens one by one."""

from collections.abc import Iterable, Iterator


class Peekable:
    """An iterator that can show the next item without taking it.

    >>> items = Peekable([1, 2, 3])
    >>> items.peek()
    1
    >>> items.peek()
    1
    >>> next(items), next(items)
    (1, 2)
    >>> items.peek(), list(items)
    (3, [3])
    >>> items.peek(), items.peek(default=-1)
    (0, -1)
    >>> next(items)
    Traceback (most recent call last):
        ...
    StopIteration
    >>> zeros = Peekable([0, 0])
    >>> zeros.peek(), list(zeros)
    (0, [0, 0])
    >>> sum(Peekable(range(5)))
    10
    """

    def __init__(self, items: Iterable[int]) -> None:
        self._items = iter(items)
        self._ahead: list[int] = []

    def __iter__(self) -> Iterator[int]:
        return self

    def __next__(self) -> int:
        if self._ahead:
            return self._ahead.pop()
        return next(self._items)

    def peek(self, default: int = 0) -> int:
        """Return the next item, which stays the next one, or the default when there is none."""
        if not self._ahead:
            try:
                self._ahead.append(next(self._items))
            except StopIteration:
                return default
        return self._ahead[0]
