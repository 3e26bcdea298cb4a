"""Runs of equal items."""

from collections.abc import Iterator


def runs(text: str) -> Iterator[tuple[str, int]]:
    """Yield each character of a text with how often it stands in a row there.

    >>> list(runs("aab"))
    [('a', 2), ('b', 1)]
    """
    start = 0
    for position in range(1, len(text) + 1):
        if position == len(text) or text[position] != text[start]:
            yield text[start], position - start
            start = position
