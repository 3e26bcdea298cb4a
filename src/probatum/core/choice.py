"""A word that a user wrote, as one of the values that it may name.

Refuses any other word, with the known ones and the nearest.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from probatum.core.errors import UsageError, nearest

Chosen = TypeVar("Chosen", bound=StrEnum)


def chosen(word: str, among: Iterable[Chosen], what: str) -> Chosen:
    """Return the value that a word names.

    Raises:
        UsageError: it names none; the error's code is ``what`` and ``unknown``.
    """
    known = {value.value: value for value in among}
    if word not in known:
        sentence = f"unknown {what} {word!r}; expected one of {', '.join(known)}."
        raise UsageError(f"{what}.unknown", sentence, nearest(word, known))
    return known[word]
