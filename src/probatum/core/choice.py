"""Turns a word that a user wrote into the value that it names, or an error that lists the known words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from probatum.core.errors import UsageError, nearest

Chosen = TypeVar("Chosen", bound=str)


def chosen(word: str, among: Iterable[Chosen], what: str) -> Chosen:
    """Return the value that a word names; raises UsageError with the code ``<what>.unknown`` if it names none."""
    known = {str(value): value for value in among}
    if word not in known:
        sentence = f"unknown {what} {word!r}; expected one of {', '.join(known)}."
        raise UsageError(f"{what}.unknown", sentence, nearest(word, known))
    return known[word]
