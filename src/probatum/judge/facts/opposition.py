"""Finds what a sentence says otherwise than a claim at the same place: numbers, names, opposites, negations, roles.

A difference counts where the words around it are the same. Refuses to call a missing word a contradiction: something
else of its sort must stand in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, islice, pairwise
from typing import Final

from probatum.judge.facts.agreement import is_more_than
from probatum.judge.facts.lexicon import FUNCTION, GENDERS, KINDS_OF, OPPOSITES, SYMMETRIC, UNITS_OF_TIME
from probatum.judge.facts.passages import Passage, Passages
from probatum.judge.facts.words import Word, are_of_a_kind, land_of, opposed, runs, stem
from probatum.readers.passages import negated_spans

SURE: Final = 0.5
"""From here on it is sure that something else stands in the place of what a claim says."""
_REACH: Final = 5
"""So many words on each side of a place are the words around it."""
_FEWEST: Final = 2
"""So many words besides a name are in common where another name is its rival."""
_OFTEN: Final = 5
_MOST: Final = 20
"""So many differences of one word or name in one passage are weighed."""
_DENIES: Final = re.compile(
    r"\b(?:incapable of|other than|yet to|barely|turned down|far from|anything but|no longer)\b", re.IGNORECASE
)
_CALENDAR: Final = frozenset(map(stem, (*KINDS_OF[0], *KINDS_OF[1])))
_SYMMETRIC: Final = frozenset(map(stem, SYMMETRIC))
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
    ROLE = "role"


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
    sureness: float


def oppositions(claim: Sequence[Word], meetings: Sequence[Meeting], stems: Mapping[str, int]) -> list[Opposition]:
    """Return what stands in passages in the place of words of a claim, the best passage first.

    Where the claim's word is met nowhere, another one of its sort near the place is enough; where another passage has
    it, the words around must be the same.
    """
    known = frozenset(index for each in meetings for index in each.met)
    found = _swapped(claim, meetings[0])
    for number, meeting in enumerate(meetings):
        used = frozenset(meeting.met.values())
        words = enumerate(meeting.passage.words)
        places = [(place, word) for place, word in words if _tells(word) and place not in used]
        for index, word in enumerate(claim):
            if _tells(word) and index not in meeting.met and _fits(claim, (index, index + 1), meeting, meetings):
                is_lost = bool(word.weight) and not number and index not in known
                found += islice(_others(claim, index, meeting, places, is_lost=is_lost), _MOST)
        found += [
            each
            for run in runs(claim)
            if _fits(claim, run, meeting, meetings)
            for each in _other_names(claim, run, meeting, known, stems)
        ]
    return found


def _tells(word: Word) -> bool:
    return word.weight > 0 or word.stem in _TELLING


def _others(
    claim: Sequence[Word], index: int, meeting: Meeting, places: Sequence[tuple[int, Word]], *, is_lost: bool
) -> Iterator[Opposition]:
    """Yield the words of a passage that exclude one of a claim."""
    for place, other in places:
        conflict = differ(claim[index], other)
        if conflict is not None:
            frame = _frame(claim, (index, index + 1), meeting.passage, (place, place + 1))
            sureness = frame + (0.1 if conflict is Conflict.GENDER else -0.05 if claim[index].weight else -0.2)
            if is_lost:
                sureness = max(sureness, _nearness(conflict, claim, index, meeting, place))
            yield Opposition(conflict, claim[index].text, other.text, sureness)


def _nearness(conflict: Conflict, claim: Sequence[Word], index: int, meeting: Meeting, place: int) -> float:
    """Return how sure a difference is by how near its place is to what is met on both sides of a word."""
    before = [other for other in range(max(0, index - 12), index) if claim[other].weight][-3:]
    after = [other for other in range(index + 1, min(len(claim), index + 13)) if claim[other].weight][:3]
    sides = []
    for others, sign in ((before, 1), (after, -1)):
        steps = [(place - meeting.met[other]) * sign for other in others if other in meeting.met]
        if steps:
            sides.append(max((1 - (step - 1) / _REACH for step in steps if 0 < step <= _REACH), default=0.0))
    near = sum(sides) / 2 if len(sides) == 2 else 0.75 * sum(sides)
    if conflict is Conflict.NUMBER:
        # They count the same where one of the two words after both is the same.
        counts = any(
            0 < meeting.met[other] - place <= other - index + 1
            for other in after[:2]
            if other in meeting.met and claim[other].stem not in UNITS_OF_TIME
        )
        return near + 0.1 if counts else near / 2
    return near if conflict is Conflict.KIND else (0.5 if conflict is Conflict.DATE else 0.4) + near / 2


def _fits(claim: Sequence[Word], part: tuple[int, int], meeting: Meeting, meetings: Sequence[Meeting]) -> bool:
    """Tell whether a passage says the rest of a claim better than every other one that has the part itself."""
    inside = range(*part)

    def rest(each: Meeting) -> float:
        return sum(claim[index].weight * value for index, value in each.quality.items() if index not in inside)

    own = rest(meeting)
    return all(own > rest(each) for each in meetings if each is not meeting and not each.met.keys().isdisjoint(inside))


def _other_names(
    claim: Sequence[Word], run: tuple[int, int], meeting: Meeting, known: frozenset[int], stems: Mapping[str, int]
) -> Iterator[Opposition]:
    """Yield the names that stand in the place of one of a claim: after the same word, among the same words."""
    own, words, used = claim[slice(*run)], meeting.passage.words, frozenset(meeting.met.values())
    beginnings = {word.stem[:4] for word in words if word.is_name}
    # Constance in "Council of Constance" is no name of its own.
    is_part = run[0] > 1 and claim[run[0] - 2].is_name and not claim[run[0] - 1].weight
    is_met = not meeting.met.keys().isdisjoint(range(*run)) or any(word.stem[:4] in beginnings for word in own)
    # Of fewer words in common many sentences are made, about whoever else the sources speak of.
    is_thin = len(meeting.met) < _FEWEST and all(stems[word.stem] for word in own)
    if is_part or is_met or is_thin or own[0].stem in _CALENDAR:
        return
    others = [part for part in runs(words) if used.isdisjoint(range(*part)) and words[part[0]].stem not in _CALENDAR]
    slot = _slot(claim, run[0]) if known.isdisjoint(range(*run)) else ""
    for other in others[:_MOST]:
        # A country and a city can both be true.
        if land_of(own[-1].text) == land_of(words[other[1] - 1].text):
            frame = _frame(claim, run, meeting.passage, other)
            in_slot = 0.4 + 0.6 * frame if slot and slot == _slot(words, other[0]) else 0.0
            said, instead = (" ".join(word.text for word in part) for part in (own, words[slice(*other)]))
            yield Opposition(Conflict.NAME, said, instead, max(frame - 0.05, in_slot))


def _slot(words: Sequence[Word], start: int) -> str:
    """Return the preposition or the like before a name, articles apart."""
    before = [word for word in words[max(0, start - 2) : start] if word.stem not in {"the", "a", "an"}]
    return before[-1].stem if before and not before[-1].weight else ""


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


def _swapped(claim: Sequence[Word], meeting: Meeting) -> list[Opposition]:
    """Return two names of a claim that a passage has the other way round, with the very same words between them."""
    words, found = meeting.passage.words, list[Opposition]()
    theirs = {
        tuple(word.stem for word in words[one[0] : other[1]]): words[one[0]].text
        for one, other in pairwise(runs(words, capitals=True))
    }
    for one, other in pairwise(runs(claim, capitals=True)):
        first, between, second = (
            tuple(word.stem for word in claim[slice(*part)]) for part in (one, (one[1], other[0]), other)
        )
        instead = theirs.get((*second, *between, *first), "")
        if first != second and instead and _SYMMETRIC.isdisjoint(between):
            found.append(Opposition(Conflict.ROLE, claim[one[0]].text, instead, 1.0))
    return found


def other_genders(claim: Sequence[Word], passages: Passages) -> Iterator[Opposition]:
    """Yield a pronoun of a claim where the sources speak of the other gender alone, and often."""
    for own, other in (GENDERS, GENDERS[::-1]):
        said = next((word.text for word in claim if word.stem in own), "")
        instead = max(sorted(other), key=lambda word: passages.stems[word])
        is_often = sum(passages.stems[word] for word in other) >= _OFTEN
        if said and is_often and not any(passages.stems[word] for word in own):
            yield Opposition(Conflict.GENDER, said, instead, 0.6)


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
    """Tell whether a passage keeps the bound that a claim puts: "more than 40"; None where there is none."""
    more = is_more_than(text, word.start)
    if word.number is None or more is None:
        return None
    alike = [other.number for other in others if other.number is not None and other.sort == word.sort]
    if not alike:
        return None
    return any(number >= word.number if more else number <= word.number for number in alike)


def denials(text: str) -> tuple[tuple[int, int], ...]:
    """Return what is negated in a text, in plain words or by others that amount to it."""
    more = ((match.start(), len(text)) for match in _DENIES.finditer(text))
    return (*negated_spans(text), *more)
