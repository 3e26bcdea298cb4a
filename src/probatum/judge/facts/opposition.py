"""Finds what a sentence says otherwise than a claim at the same place: numbers, dates, names, opposites, negations.

A difference counts where the words around it are the same. Refuses to call a missing word a contradiction: something
else of its sort must stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain
from typing import Final

from probatum.judge.facts.lexicon import EXCLUSIVE, FUNCTION, KINDS_OF, OPPOSITES
from probatum.judge.facts.passages import Passage, Passages
from probatum.judge.facts.words import Word, are_of_a_kind, folded, land_of, opposed, stem
from probatum.readers.passages import negated_spans

_REACH: Final = 5
"""So many words around a place are the words around it."""
GENDERS: Final = (frozenset({"he", "him", "his", "himself"}), frozenset({"she", "her", "hers", "herself"}))
_OFTEN: Final = 5
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
    r"\b(?:incapable of|other than|yet to|barely|turned down|far from|anything but|no longer)\b",
    re.IGNORECASE,
)


_CALENDAR: Final = frozenset(map(stem, (*KINDS_OF[0], *KINDS_OF[1])))


_TIMES: Final = frozenset("year month week day hour minut time".split())


_TELLING: Final = GENDERS[0] | GENDERS[1] | FUNCTION.intersection(chain.from_iterable(OPPOSITES))
"""Words that weigh nothing and yet exclude others."""


class Conflict(StrEnum):
    """By what a claim is contradicted."""

    NUMBER = "number"
    DATE = "date"
    NAME = "name"
    NEGATION = "negation"
    OPPOSITE = "opposite"
    KIND = "kind"
    GENDER = "gender"


_DOUBT: Final = {Conflict.KIND: 0.05, Conflict.OPPOSITE: 0.05, Conflict.GENDER: -0.1}
"""What is taken off how alike the surroundings are; from a half on a difference counts."""


@dataclass(frozen=True, slots=True)
class Meeting:
    """A claim beside one passage: which word is met by which, how well each is, and what share of the claim that is."""

    passage: Passage
    met: Mapping[int, int]
    quality: Mapping[int, float]
    share: float


@dataclass(frozen=True, slots=True)
class Opposition:
    """One difference: of what sort, what the claim says and what the source has instead, and how sure the place is."""

    conflict: Conflict
    said: str
    instead: str
    strength: float


def oppositions(claim: Sequence[Word], meetings: Sequence[Meeting]) -> list[Opposition]:
    """Return what stands in passages in the place of words of a claim, the best passage first.

    Where the claim's word is met nowhere, another one of its sort near the place is enough; where another passage has
    it, the words around must be the same.
    """
    known = frozenset(index for each in meetings for index in each.met)
    found: list[Opposition] = []
    for number, meeting in enumerate(meetings):
        used = frozenset(meeting.met.values())
        places = [
            (place, word)
            for place, word in enumerate(meeting.passage.words)
            if (word.weight or word.stem in _TELLING) and place not in used
        ]
        for index, word in enumerate(claim):
            if not (word.weight or word.stem in _TELLING) or index in meeting.met:
                continue
            is_lost = bool(word.weight) and not number and index not in known
            for place, other in places:
                conflict = differ(word, other)
                if conflict is not None:
                    sure = _sureness(conflict, claim, index, meeting, place, is_lost=is_lost)
                    found.append(Opposition(conflict, word.text, other.text, sure))
        found += _other_names(claim, meeting, used, known)
    return found


def other_genders(claim: Sequence[Word], passages: Passages) -> Iterator[Opposition]:
    """Yield a pronoun of a claim where the sources speak of the other gender alone, and often."""
    for own, other in (GENDERS, GENDERS[::-1]):
        said = next((word.text for word in claim if word.stem in own), "")
        instead = [word for word in sorted(other) for _ in passages.keys.get(f"={word}", ())]
        if said and len(instead) >= _OFTEN and not any(f"={word}" in passages.keys for word in own):
            yield Opposition(Conflict.GENDER, said, instead[0], 0.6)


def _sureness(
    conflict: Conflict, claim: Sequence[Word], index: int, meeting: Meeting, place: int, *, is_lost: bool
) -> float:
    """Return how sure it is that a word of a passage stands in the place of one of a claim; from a half on it counts."""
    frame = _frame(claim, (index, index + 1), meeting.passage, (place, place + 1))
    sure = frame - _DOUBT.get(conflict, 0.05) - (0.0 if claim[index].weight or conflict is Conflict.GENDER else 0.15)
    if not is_lost:
        return sure
    near = _nearness(claim, index, meeting, place)
    if conflict is Conflict.NUMBER:
        near = near + 0.1 if _counts_same(claim, index, meeting, place) else near / 2
    elif conflict is not Conflict.KIND:
        near = (0.5 if conflict is Conflict.DATE else 0.4) + near / 2
    return max(sure, near)


def _nearness(claim: Sequence[Word], index: int, meeting: Meeting, place: int) -> float:
    """Return how near a place is to what is met on both sides of a word, from 0 to 1."""
    content = [other for other, word in enumerate(claim) if word.weight]
    order = content.index(index)
    sides = []
    for others, sign in ((content[max(0, order - 3) : order], 1), (content[order + 1 : order + 4], -1)):
        steps = [(place - meeting.met[other]) * sign for other in others if other in meeting.met]
        if steps:
            sides.append(max((1 - (step - 1) / _REACH for step in steps if 0 < step <= _REACH), default=0.0))
    return sum(sides) / 2 if len(sides) == 2 else 0.75 * sum(sides)


def _counts_same(claim: Sequence[Word], index: int, meeting: Meeting, place: int) -> bool:
    """Tell whether two numbers count the same: one of the two words after both is the same."""
    after = [other for other in range(index + 1, len(claim)) if claim[other].weight][:2]
    return any(
        0 < meeting.met[other] - place <= other - index + 1
        for other in after
        if other in meeting.met and claim[other].stem not in _TIMES
    )


def _other_names(
    claim: Sequence[Word], meeting: Meeting, used: frozenset[int], known: frozenset[int] | None
) -> Iterator[Opposition]:
    """Yield the names of a claim that have another name in their place: after the same word, among the same words."""
    words = meeting.passage.words
    others = [run for run in runs(words) if used.isdisjoint(range(*run)) and words[run[0]].stem not in _CALENDAR]
    for run in runs(claim):
        if (
            claim[run[0]].stem in _CALENDAR
            or _is_of_a_name(claim, run[0])
            or not meeting.met.keys().isdisjoint(range(*run))
        ):
            continue
        if not _beginnings(claim, run).isdisjoint(_beginnings(words, (0, len(words)))):
            continue
        is_lost = known is not None and known.isdisjoint(range(*run))
        for other in others:
            if _are_places_of_a_size(claim, run, words, other):
                sure = _frame(claim, run, meeting.passage, other)
                slot = _slot(claim, run[0])
                same = 0.4 if is_lost and slot and slot == _slot(words, other[0]) else 0.0
                said, instead = (
                    " ".join(word.text for word in text[slice(*at)]) for text, at in ((claim, run), (words, other))
                )
                yield Opposition(Conflict.NAME, said, instead, max(sure - 0.05, (0.6 * sure + same) if same else 0))


def _is_of_a_name(words: Sequence[Word], start: int) -> bool:
    """Tell whether a name is the end of a longer one: Constance in "Council of Constance"."""
    return start > 1 and words[start - 2].is_name and not words[start - 1].weight


def _are_places_of_a_size(
    claim: Sequence[Word], run: tuple[int, int], words: Sequence[Word], other: tuple[int, int]
) -> bool:
    """Tell whether both or neither of two names is a country, a state or a continent."""
    return land_of(claim[run[1] - 1].text) == land_of(words[other[1] - 1].text)


def _beginnings(words: Sequence[Word], run: tuple[int, int]) -> frozenset[str]:
    return frozenset(word.stem[:4] for word in words[slice(*run)] if word.is_name)


def _slot(words: Sequence[Word], start: int) -> str:
    """Return the preposition or the like before a name, articles apart."""
    before = [word for word in words[max(0, start - 2) : start] if word.stem not in {"the", "a", "an"}]
    return before[-1].stem if before and not before[-1].weight else ""


def runs(words: Sequence[Word]) -> Iterator[tuple[int, int]]:
    """Yield where names begin and end; the words of one name stand next to each other."""
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and words[end].is_name and (end == start or words[end].start - words[end - 1].end <= 2):
            end += 1
        if end > start:
            yield start, end
        start = max(end, start + 1)


def _frame(claim: Sequence[Word], own: tuple[int, int], passage: Passage, theirs: tuple[int, int]) -> float:
    """Return what share of the words around a part of a claim stands around a part of a passage, in the same order."""
    same = whole = 0.0
    for step in range(1, _REACH + 1):
        for index, place in ((own[0] - step, theirs[0] - step), (own[1] - 1 + step, theirs[1] - 1 + step)):
            if 0 <= index < len(claim):
                worth = (1.0 if claim[index].weight else 0.5) / (step + 1)
                whole += worth
                near = passage.words[max(0, place - 1) : max(0, place + 2)]
                same += worth * any(word.stem == claim[index].stem for word in near)
    return same / whole if whole else 0.0


def differ(one: Word, other: Word) -> Conflict | None:
    """Return in what two words exclude each other, or None where both can be so."""
    if one.number is not None or other.number is not None:
        if one.number is None or other.number is None or one.number == other.number or one.sort != other.sort:
            return None
        return Conflict.DATE if one.sort in {"year", "decade"} else Conflict.NUMBER
    if opposed(one.stem, other.stem):
        return Conflict.OPPOSITE
    if any(one.stem in his and other.stem in hers for his, hers in (GENDERS, GENDERS[::-1])):
        return Conflict.GENDER
    return Conflict.KIND if are_of_a_kind(one.text, other.text) else None


def keeps_bound(text: str, word: Word, others: Sequence[Word]) -> bool | None:
    """Tell whether a passage keeps the bound that a claim puts with a number: "more than 40"; None where there is none."""
    start = max(0, word.start - 24)
    more = _MORE.search(text, start, word.start) is not None
    if word.number is None or not (more or _LESS.search(text, start, word.start)):
        return None
    alike = [other.number for other in others if other.number is not None and other.sort == word.sort]
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
