"""How hard prose is to read: LIX, the words of a sentence plus the share of long words in percent.

C. H. Björnsson, Läsbarhet, 1968. It counts letters and needs no dictionary, so that it fits every language that puts
spaces between its words. Refuses to measure fewer than `LEAST_WORDS` words.
"""

from __future__ import annotations

import re
from typing import Final

LEAST_WORDS: Final = 100
VERY_HARD: Final = 60
"""Björnsson's bound of texts that are very difficult, such as those of laws."""
_WORD: Final = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_END: Final = re.compile(r"[.!?:;…]+(?=\s|$)|\n")
_LONG: Final = 6


def lix(text: str) -> int | None:
    """Return how hard a text is to read: below 30 easy, above 60 very hard; None where it is too short."""
    words = _WORD.findall(text)
    if len(words) < LEAST_WORDS:
        return None
    sentences = sum(1 for each in _END.split(text) if _WORD.search(each))
    return round(len(words) / sentences + 100 * sum(len(word) > _LONG for word in words) / len(words))
