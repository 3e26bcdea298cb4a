"""Runs of equal items."""

from collections.abc import Iterator


def runs(text: str) -> Iterator[tuple[str, int]]:
    """Yield each character of a text with how often it stands in a row there.

    >>> list(runs("aab"))
    [('a', 2), ('b', 1)]
    """
    for position, character in enumerate(text):
        if text.find(character) == position:
            yield character, text.count(character)
