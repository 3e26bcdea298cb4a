"""Release numbers with pre-releases."""

from functools import total_ordering


@total_ordering
class Release:
    """A release such as "1.4" or "1.4rc2"; a pre-release comes before its release.

    >>> Release("1.4rc2") < Release("1.4")
    True
    >>> Release("1.4") < Release("1.4rc2")
    False
    >>> Release("1.4rc2") < Release("1.4rc10")
    True
    >>> Release("1.10") > Release("1.9")
    True
    >>> Release("1.4") >= Release("1.4")
    True
    >>> Release("1.4") == Release("1.4rc1")
    False
    >>> Release("2.0rc1") > Release("1.9")
    True
    >>> Release("1.4") < Release("1.4")
    False
    >>> Release("1.4") == "1.4"
    False
    >>> max(Release("0.9"), Release("1.0rc1"), Release("1.0rc3")).text
    '1.0rc3'
    >>> len({Release("1.4"), Release("1.4")})
    1
    """

    def __init__(self, text: str) -> None:
        self.text = text
        number, _, candidate = text.partition("rc")
        self._numbers = tuple(int(part) for part in number.split("."))
        self._candidate = int(candidate) if candidate else None

    def _key(self) -> tuple[tuple[int, ...], bool, int]:
        return self._numbers, self._candidate is None, self._candidate or 0

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Release):
            return NotImplemented
        return self._key() == other._key()

    def __lt__(self, other: "Release") -> bool:
        return self._key() < other._key()

    def __hash__(self) -> int:
        return hash(self._key())
