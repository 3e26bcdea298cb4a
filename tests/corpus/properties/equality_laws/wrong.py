"""Names of files on a system that does not tell large from small letters."""

from __future__ import annotations


class FileName:
    """The name of a file. Two names that differ only in case are equal.

    Equal names have equal hashes.

    >>> FileName("a.txt") == FileName("a.txt")
    True
    >>> FileName("Read.Me") == FileName("read.me")
    True
    >>> FileName("a") == FileName("b")
    False
    >>> FileName("a") == "a"
    False
    >>> repr(FileName("A.b"))
    "FileName('A.b')"
    >>> hash(FileName("a")) == hash(FileName("a"))
    True
    """

    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FileName):
            return NotImplemented
        return self.text.lower() == other.text.lower()

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"FileName({self.text!r})"
