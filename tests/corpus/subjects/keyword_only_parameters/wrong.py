"""Text for narrow columns."""


def shorten(text: str, *, width: int, ending: str = "...") -> str:
    """Return the text, cut so that it has at most ``width`` characters, the ending included.

    A text that fits is not changed. Where not even the ending fits, only its first characters are returned.

    >>> shorten("documentation", width=8)
    'docum...'
    >>> shorten("documentation", width=13)
    'documentation'
    >>> shorten("documentation", width=12)
    'documenta...'
    >>> shorten("documentation", width=5, ending="~")
    'docu~'
    >>> shorten("documentation", width=2)
    '..'
    >>> shorten("documentation", width=0)
    ''
    >>> shorten("", width=4)
    ''
    >>> shorten("documentation", 8)
    Traceback (most recent call last):
        ...
    TypeError: shorten() takes 1 positional argument but 2 were given
    """
    if len(text) <= width:
        return text
    return text[:width] + ending
