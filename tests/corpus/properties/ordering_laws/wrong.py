"""Version numbers that can be compared."""

from __future__ import annotations

from functools import total_ordering


@total_ordering
class Version:
    """A version such as 1.10.2. Versions are ordered: of two, exactly one of ``<``, ``==`` and ``>`` holds.

    >>> Version("1.2") < Version("1.3")
    True
    >>> Version("1.9") < Version("1.10")
    True
    >>> Version("2.0") > Version("1.9")
    True
    >>> Version("1.0") == Version("1.0.0")
    True
    >>> Version("1.0") < Version("1.0")
    False
    >>> Version("1.0.1") <= Version("1.0")
    False
    >>> str(max(Version("1.9"), Version("1.10"), Version("1.2")))
    '1.10'
    >>> str(Version("2.0"))
    '2'
    """

    def __init__(self, text: str) -> None:
        self.parts = [int(part) for part in text.split(".")]
        while self.parts and self.parts[-1] == 0:
            del self.parts[-1]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.parts == other.parts

    def __lt__(self, other: Version) -> bool:
        return any(mine < theirs for mine, theirs in zip(self.parts, other.parts, strict=False)) or len(
            self.parts
        ) < len(other.parts)

    def __hash__(self) -> int:
        return hash(tuple(self.parts))

    def __str__(self) -> str:
        return ".".join(str(part) for part in self.parts)
