"""Finds what a sentence and a claim say differently at the same place: numbers, names, opposites, negations, roles.

A difference counts where the words around it are the same. Refuses to call a missing word a contradiction: something
else must stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from probatum.judge.facts.lexicon import EXCLUSIVE
from probatum.judge.facts.passages import Passage
from probatum.judge.facts.words import Word, folded, kinds_of, opposed

_REACH: Final = 4
"""So many words around a place are the words around it."""
_MORE: Final = re.compile(r"(?:more|greater|higher|larger|longer|older) than|over|above|exceed(?:s|ed|ing)?|at least|after|since|beyond|no (?:fewer|less) than|north of")
_LESS: Final = re.compile(r"(?:less|fewer|lower|smaller|shorter|younger) than|under|below|at most|before|until|prior to|up to|no (?:more|later) than")


class Conflict(StrEnum):
    """By what a claim is contradicted."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    KIND = "kind"
    QUANTIFIER = "quantifier"
    ROLE = "role"


@dataclass(frozen=True, slots=True)
class Opposition:
    """One difference: of what sort, the word of the claim, what the source has instead, and how sure the place is."""

    conflict: Conflict
    said: str
    instead: str
    strength: float


def substitutions(
    claim: Sequence[Word], passage: Passage, met: Mapping[int, int], used: frozenset[int]
) -> list[Opposition]:
    """Return the words of a claim that are not met in a passage and have another one of their sort in their place."""
    found = []
    content = [index for index, word in enumerate(claim) if word.is_content]
    for order, index in enumerate(content):
        if index in met:
            continue
        word = claim[index]
        left = [met[other] for other in content[max(0, order - 2) : order] if other in met]
        right = [met[other] for other in content[order + 1 : order + 3] if other in met]
        best: Opposition | None = None
        for position, other in enumerate(passage.words):
            if position in used or not other.is_content:
                continue
            conflict = differ(word, other)
            if conflict is None:
                continue
            nearness = _near(position, left, right)
            if conflict is not Conflict.OPPOSITE and not nearness:
                continue
            strength = nearness if conflict is not Conflict.OPPOSITE else 0.5 + nearness / 2
            if best is None or strength > best.strength:
                best = Opposition(conflict, word.text, other.text, strength)
        if best is not None:
            found.append(best)
    return found


def _near(position: int, left: Sequence[int], right: Sequence[int]) -> float:
    before = max((1 - (position - other - 1) / _REACH for other in left if 0 < position - other <= _REACH), default=0.0)
    after = max((1 - (other - position - 1) / _REACH for other in right if 0 < other - position <= _REACH), default=0.0)
    return (before + after) / 2


def differ(one: Word, other: Word) -> Conflict | None:
    """Return in what two words exclude each other, or None where both can be so."""
    if one.number is not None or other.number is not None:
        if one.number is None or other.number is None or one.number == other.number:
            return None
        years = is_year(one), is_year(other)
        if years[0] != years[1]:
            return None
        return Conflict.DATE if years[0] else Conflict.NUMBER
    if opposed(one.stem, other.stem):
        return Conflict.OPPOSITE
    if set(kinds_of(one.stem)) & set(kinds_of(other.stem)):
        return Conflict.KIND
    if one.is_name and other.is_name and one.weight > 1 and other.weight >= 1:
        return Conflict.NAME
    return None


def is_year(word: Word) -> bool:
    """Tell whether a number looks like a year."""
    return word.number is not None and len(word.text) == 4 and word.text.isdigit() and 1000 <= word.number <= 2100


def is_within_bound(text: str, word: Word, others: Sequence[Word]) -> bool | None:
    """Tell whether a number of a passage keeps the bound that a claim puts: "more than 40"; None where there is none."""
    before = text[max(0, word.start - 24) : word.start].rstrip().casefold()
    more, less = _ends(_MORE, before), _ends(_LESS, before)
    if not (more or less):
        return None
    alike = [other.number for other in others if other.number is not None and is_year(other) is is_year(word)]
    limit = word.number or Decimal(0)
    if not alike:
        return None
    return any(number >= limit if more else number <= limit for number in alike)


def _ends(pattern: re.Pattern[str], text: str) -> bool:
    return any(match.end() == len(text) for match in pattern.finditer(text))


def exclusives(words: Sequence[Word]) -> frozenset[str]:
    """Return the words that leave nothing else: only, all, never."""
    return frozenset(folded(word.text) for word in words) & EXCLUSIVE


def is_negated(spans: Sequence[tuple[int, int]], words: Sequence[Word]) -> bool:
    """Tell whether most of these words stand in what is negated."""
    inside = sum(any(start <= word.start < end for start, end in spans) for word in words)
    return bool(words) and inside * 2 > len(words)
