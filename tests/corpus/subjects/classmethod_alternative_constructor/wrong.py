"""Release numbers."""

from __future__ import annotations


class Version:
    """A release number of three parts.

    >>> Version(1, 2, 3).text()
    '1.2.3'
    """

    def __init__(self, major: int, minor: int = 0, patch: int = 0) -> None:
        self.major = major
        self.minor = minor
        self.patch = patch

    @classmethod
    def parse(cls, text: str) -> Version:
        """Read a release number; parts that are left out are 0, and a leading "v" is passed over.

        >>> Version.parse("2.10.7").text()
        '2.10.7'
        >>> Version.parse("v3.1").text()
        '3.1.0'
        >>> Version.parse("4").text()
        '4.0.0'
        >>> Version.parse("1.2.3.4")
        Traceback (most recent call last):
            ...
        ValueError: too many parts in '1.2.3.4'
        >>> Version.parse("")
        Traceback (most recent call last):
            ...
        ValueError: invalid literal for int() with base 10: ''
        """
        parts = [int(part) for part in text.lstrip("v").split(".")[:3]]
        return cls(*parts)

    def bumped(self) -> Version:
        """Return the next minor release; the patch number starts again.

        >>> Version(1, 9, 4).bumped().text()
        '1.10.0'
        """
        return type(self)(self.major, self.minor + 1)

    def text(self) -> str:
        """Return it in the usual notation.

        >>> Version(7).text()
        '7.0.0'
        """
        return f"{self.major}.{self.minor}.{self.patch}"
