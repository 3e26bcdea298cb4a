"""Runs of equal items."""

from collections.abc import Iterator
from itertools import groupby


def runs(text: str) -> Iterator[tuple[str, int]]:
    """Yield each character of a text with how often it stands in a row there."""
    for character, group in groupby(text):
        yield character, len(list(group))
