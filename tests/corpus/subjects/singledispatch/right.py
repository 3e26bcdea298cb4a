"""Values as they appear in a query string."""

from functools import singledispatch


@singledispatch
def encoded(value: object) -> str:
    """Return a value as text: truth values as yes and no, lists joined with commas, None as nothing.

    >>> encoded("a b")
    'a b'
    >>> encoded(12)
    '12'
    >>> encoded(True), encoded(False)
    ('yes', 'no')
    >>> encoded([1, True, "x"])
    '1,yes,x'
    >>> encoded([])
    ''
    >>> encoded(None)
    ''
    >>> encoded(0)
    '0'
    >>> encoded(0.5)
    '0.5'
    """
    return str(value)


@encoded.register
def _(value: bool) -> str:
    return "yes" if value else "no"


@encoded.register
def _(value: list) -> str:
    return ",".join(encoded(each) for each in value)


@encoded.register
def _(value: None) -> str:
    return ""
