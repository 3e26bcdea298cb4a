"""The last few lines of a log."""

from collections.abc import Iterator


class Tail:
    """Keeps the last ``size`` lines; index 0 is the oldest of them.

    >>> tail = Tail(3)
    >>> len(tail)
    0
    >>> for line in ["a", "b", "c", "d", "e"]:
    ...     tail.append(line)
    >>> len(tail), list(tail)
    (3, ['c', 'd', 'e'])
    >>> tail[0], tail[2], tail[-1]
    ('c', 'e', 'e')
    >>> "b" in tail, "d" in tail
    (False, True)
    >>> tail[3]
    Traceback (most recent call last):
        ...
    IndexError: no line 3
    >>> tail[-4]
    Traceback (most recent call last):
        ...
    IndexError: no line -4
    >>> tail[-3]
    'c'
    >>> short = Tail(4)
    >>> short.append("x")
    >>> short.append("y")
    >>> list(short), short[1]
    (['x', 'y'], 'y')
    >>> "z" in short, len(short)
    (False, 2)
    """

    def __init__(self, size: int) -> None:
        self._lines: list[str] = [""] * size
        self._seen = 0

    def append(self, line: str) -> None:
        """Add a line; when there is no room, the oldest line goes."""
        self._lines[self._seen % len(self._lines)] = line
        self._seen += 1

    def __len__(self) -> int:
        return min(self._seen, len(self._lines))

    def __getitem__(self, index: int) -> str:
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(f"no line {index}")
        return self._lines[(self._seen - len(self) + position) % len(self._lines)]

    def __iter__(self) -> Iterator[str]:
        return (self[index] for index in range(len(self)))

    def __contains__(self, line: object) -> bool:
        return any(line == kept for kept in self)
