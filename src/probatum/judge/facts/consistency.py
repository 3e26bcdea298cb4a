"""Finds where an output contradicts itself: two counts of one thing, or two values in otherwise equal sentences.

Refuses what can be two things: counts of different things, at different times or places, and parts beside their whole.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.judge.facts.agreement import agrees, bounds_of
from probatum.judge.facts.comparison import MOST_DETAILS, required_stems
from probatum.judge.facts.details import Detail, DetailKind
from probatum.judge.facts.output_claims import OutputClaim
from probatum.judge.facts.texts import STOP_WORDS, stem, words_in
from probatum.readers.vocabulary import words_of

_TOTAL: Final = re.compile(
    r"(?:\b(?:is|are|was|were|has|have|had|contains?|contained|includes?|found|finds?|identified|identifies|detected"
    r"|detects?|lists?|listed|reports?|reported|discovered|revealed|shows?|total(?:s|ing)?(?: of)?|with|all|the|these"
    r"|those|both|of (?:the|these|all)|all of the|count:?|number:?)|[:=]|^)\s*(?:exactly |a total of |in total )?$",
    re.IGNORECASE,
)
_DEFINITE: Final = re.compile(r"\b(?:all|the|these|those|total of|in total|all of the)\s*$", re.IGNORECASE)
_PART: Final = words_of(
    "other others another more additional remaining rest further extra new per each every respectively of which"
)
_MOST_OF_A_NOUN: Final = 50


@dataclass(frozen=True, slots=True)
class Inconsistency:
    """Two places of an output of which at most one can be right."""

    first: OutputClaim
    first_detail: Detail
    second: OutputClaim
    second_detail: Detail


@dataclass(frozen=True, slots=True)
class _Count:
    claim: OutputClaim
    detail: Detail
    noun: str
    is_definite: bool
    names: frozenset[object]
    """The other details and names of its sentence: what it is the count of, and when."""


def inconsistencies(claims: Sequence[OutputClaim]) -> Iterator[Inconsistency]:
    """Yield the places where an output contradicts itself, each value with the first that differs."""
    told: set[tuple[int, int]] = set()
    for found in (*_of_counts(claims), *_of_twins(claims)):
        key = (id(found.second), found.second_detail.start)
        if key not in told:
            told.add(key)
            yield found


def _of_counts(claims: Sequence[OutputClaim]) -> Iterator[Inconsistency]:
    by_noun: defaultdict[str, list[_Count]] = defaultdict(list)
    for claim in claims:
        for count in _counts(claim):
            earlier = by_noun[count.noun]
            other = next((each for each in earlier if _is_contradicted(each, count)), None)
            if other is not None:
                yield Inconsistency(other.claim, other.detail, claim, count.detail)
            if len(earlier) < _MOST_OF_A_NOUN:
                earlier.append(count)


def _counts(claim: OutputClaim) -> Iterator[_Count]:
    statement = claim.statement
    numbers = [each for each in statement.details if each.measure is not None and not each.measure.unit]
    if len(statement.details) > MOST_DETAILS or not _PART.isdisjoint(words_in(statement.text)):
        return
    for each in numbers:
        names = frozenset(
            other.value for other in statement.details if other is not each and other.kind is not DetailKind.QUOTATION
        )
        before, after = statement.text[: each.start], statement.text[each.end :]
        if not claim.of.is_string:
            noun = "".join(sorted(required_stems(statement.key))) if len(required_stems(statement.key)) == 1 else ""
            is_total = not any(isinstance(step, int) for step in claim.of.steps)
            is_definite = True
        else:
            word = re.match(r"\s+([^\W\d_]+)(?=[\s.,;:!?)]|$)", after)
            noun = stem(word[1]) if word and word[1].casefold() not in STOP_WORDS and word[1].endswith("s") else ""
            is_total, is_definite = _TOTAL.search(before) is not None, _DEFINITE.search(before) is not None
        if noun and is_total:
            yield _Count(claim, each, noun, is_definite, names)


def _is_contradicted(one: _Count, other: _Count) -> bool:
    if one.claim is other.claim or agrees(one.detail, other.detail, bounds_of(one.claim.statement.text, one.detail)):
        return False
    if one.names != other.names and not (other.is_definite and not other.names):
        return False
    return (
        other.is_definite
        or one.is_definite
        or _rest(one.claim, one.detail) & _rest(other.claim, other.detail) != frozenset()
    )


def _rest(claim: OutputClaim, detail: Detail) -> frozenset[str]:
    text = claim.statement.text
    kept = f"{text[: detail.start]} {text[detail.end :]}"
    return frozenset(stem(word) for word in words_in(kept) if word not in STOP_WORDS)


def _of_twins(claims: Sequence[OutputClaim]) -> Iterator[Inconsistency]:
    """Yield claims that are equal but for one value."""
    seen: dict[tuple[str, ...], tuple[OutputClaim, Detail]] = {}
    for claim in claims:
        statement = claim.statement
        for detail in statement.details:
            if (
                detail.kind not in (DetailKind.NUMBER, DetailKind.DATE, DetailKind.VERSION)
                or len(statement.details) > MOST_DETAILS
            ):
                continue
            rest = [
                *statement.key,
                *words_in(statement.text[: detail.start]),
                detail.kind,
                *words_in(statement.text[detail.end :]),
            ]
            meaning = [word for word in rest if word not in STOP_WORDS]
            if len(meaning) < 3 or (statement.key and any(isinstance(step, int) for step in claim.of.steps)):
                continue
            first = seen.setdefault(tuple(rest), (claim, detail))
            if first[0] is not claim and not agrees(first[1], detail, bounds_of(first[0].statement.text, first[1])):
                yield Inconsistency(*first, claim, detail)
