"""Finds what a sentence says otherwise than a claim at the same place: numbers, dates, names, opposites, negations.

A difference counts where the words around it are the same. Refuses to call a missing word a contradiction: something
else of its sort must stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from probatum.judge.facts.lexicon import EXCLUSIVE
from probatum.judge.facts.passages import Passage
from probatum.judge.facts.words import Word, are_of_a_kind, folded, opposed
from probatum.readers.passages import negated_spans

_REACH: Final = 5
"""So many words around a place are the words around it."""
GENDERS: Final = (frozenset({"he", "him", "his", "himself"}), frozenset({"she", "her", "hers", "herself"}))
_MORE: Final = re.compile(
    r"\b(?:(?:more|greater|higher|larger|longer|older|later) than|over|above|exceed(?:s|ed|ing)?|at least|after|since"
    r"|beyond|no (?:fewer|less) than)\s*$",
    re.IGNORECASE,
)
_LESS: Final = re.compile(
    r"\b(?:(?:less|fewer|lower|smaller|shorter|younger|earlier) than|under|below|at most|before|until|prior to|up to"
    r"|no (?:more|later) than)\s*$",
    re.IGNORECASE,
)
_DENIES: Final = re.compile(
    r"\b(?:incapable of|other than|yet to|barely|turned down|refus\w+|reject\w+|avoid\w+|instead of|rather than|far from"
    r"|anything but|no longer|stopped|against|despite)\b",
    re.IGNORECASE,
)


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
    """One difference: of what sort, what the claim says and what the source has instead, and how sure the place is."""

    conflict: Conflict
    said: str
    instead: str
    strength: float


def oppositions(
    claim: Sequence[Word], content: Sequence[int], passage: Passage, met: Mapping[int, int]
) -> list[Opposition]:
    """Return what stands in a passage in the place of words of a claim that are not met there."""
    used = frozenset(met.values())
    free = [
        (position, word) for position, word in enumerate(passage.words) if word.weight and position not in used
    ]
    found = []
    for order, index in enumerate(content):
        if index in met:
            continue
        left = [met[other] for other in content[max(0, order - 3) : order] if other in met]
        right = [met[other] for other in content[order + 1 : order + 4] if other in met]
        best: Opposition | None = None
        for position, word in free:
            conflict = differ(claim[index], word)
            if conflict is None:
                continue
            strength = _nearness(position, left, right)
            if conflict in _SURE:
                strength = (1 + strength) / 2
            if strength and (best is None or strength > best.strength):
                best = Opposition(conflict, claim[index].text, word.text, strength)
        if best is not None:
            found.append(best)
    return found


_SURE: Final = frozenset({Conflict.OPPOSITE, Conflict.DATE})
"""Differences that tell something wherever they stand in the sentence."""


def _nearness(position: int, left: Sequence[int], right: Sequence[int]) -> float:
    """Return how near a place is to what stands on both sides of a word, from 0 to 1."""
    before = max((1 - (position - other - 1) / _REACH for other in left if 0 < position - other <= _REACH), default=0.0)
    after = max((1 - (other - position - 1) / _REACH for other in right if 0 < other - position <= _REACH), default=0.0)
    return (before + after) / 2 if left and right else max(before, after) * 0.75


def differ(one: Word, other: Word) -> Conflict | None:
    """Return in what two words exclude each other, or None where both can be so."""
    if one.number is not None or other.number is not None:
        if one.number is None or other.number is None or one.number == other.number or one.is_year != other.is_year:
            return None
        return Conflict.DATE if one.is_year else Conflict.NUMBER
    if opposed(one.stem, other.stem):
        return Conflict.OPPOSITE
    if are_of_a_kind(one.stem, other.stem):
        return Conflict.KIND
    return Conflict.NAME if one.is_name and other.text[0].isupper() else None


def keeps_bound(text: str, word: Word, others: Sequence[Word]) -> bool | None:
    """Tell whether a passage keeps the bound that a claim puts with a number: "more than 40"; None where there is none."""
    start = max(0, word.start - 24)
    more = _MORE.search(text, start, word.start) is not None
    if word.number is None or not (more or _LESS.search(text, start, word.start)):
        return None
    alike = [other.number for other in others if other.number is not None and other.is_year == word.is_year]
    if not alike:
        return None
    return any(number >= word.number if more else number <= word.number for number in alike)


def exclusives(words: Sequence[Word]) -> frozenset[str]:
    """Return the words that leave nothing else: only, all, never."""
    return EXCLUSIVE.intersection(folded(word.text) for word in words)


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return what is negated in a text, in plain words or by a verb such as refuse."""
    more = ((match.start(), len(text)) for match in _DENIES.finditer(text))
    return (*negated_spans(text), *more)
