"""Captions for a table on a narrow screen."""


def shorten_all(captions: list[str], width: int) -> list[str]:
    """Shorten captions that are too wide.

    The result has the same length as captions.

    Args:
        captions: The captions, in the order of the columns.
        width: How many signs fit. At least 1.

    >>> shorten_all(["name", "quantity"], 5)
    ['name', 'quan.']
    >>> shorten_all(["abc", "abcd"], 3)
    ['abc', 'ab.']
    >>> shorten_all(["x"], 1)
    ['x']
    >>> shorten_all(["xy"], 1)
    ['.']
    >>> shorten_all([], 9)
    []
    """
    return [caption if len(caption) <= width else caption[: width - 1] + "." for caption in captions if caption]
