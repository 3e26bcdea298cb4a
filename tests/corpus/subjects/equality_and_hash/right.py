"""Header names of a protocol, in which case does not matter."""


class HeaderName:
    """A name that keeps how it was written and is compared without regard to case.

    >>> HeaderName("Content-Type") == HeaderName("content-type")
    True
    >>> HeaderName("Accept") == HeaderName("Host")
    False
    >>> HeaderName("Accept") == "accept"
    False
    >>> {HeaderName("Host"): 1}[HeaderName("HOST")]
    1
    >>> len({HeaderName("ETag"), HeaderName("Etag"), HeaderName("Age")})
    2
    >>> HeaderName("ETag")
    HeaderName('ETag')
    >>> HeaderName(" ")
    Traceback (most recent call last):
        ...
    ValueError: a header name has letters
    """

    def __init__(self, text: str) -> None:
        if not text.strip():
            raise ValueError("a header name has letters")
        self._text = text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, HeaderName):
            return NotImplemented
        return self._text.lower() == other._text.lower()

    def __hash__(self) -> int:
        return hash(self._text.lower())

    def __repr__(self) -> str:
        return f"HeaderName({self._text!r})"
