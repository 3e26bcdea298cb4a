"""Compares each detail of a claim with what counts as true: the same, another value for it, elsewhere, or nowhere.

A value belongs to a label: the words around it, the noun that it counts, or its key. Another value contradicts only
under the same label in a sentence that speaks of the claim; what stands in another meaning is no support.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from probatum.judge.facts.agreement import agrees, bounds_of, is_like, is_of_kind, is_of_other_unit, is_within
from probatum.judge.facts.details import Detail, DetailKind, without_details
from probatum.judge.facts.library import Bounds, Hit, Library, Related
from probatum.judge.facts.names import FEWEST_QUOTED, knows_name, names_in, quoted_in, stand_together
from probatum.judge.facts.texts import STOP_WORDS, stem, stems_in, words_in
from probatum.readers.vocabulary import words_of


class DetailAgreement(StrEnum):
    """What the sources say of one detail."""

    SAME = "same"
    DIFFERENT = "different"
    ELSEWHERE = "elsewhere"
    ABSENT = "absent"


@dataclass(frozen=True, slots=True)
class ClaimStatement:
    """A claim as it is compared: its text, what is blank where a detail stands, and what its key says."""

    text: str
    details: tuple[Detail, ...]
    stems: tuple[str, ...]
    key: tuple[str, ...] = ()
    """The stems of the key that it is the value of."""
    limits: tuple[tuple[int, int], ...] = ()
    """Where its values stand, in order: the words between two of them belong to one or the other."""

    @classmethod
    def of(cls, text: str, details: Iterable[Detail], key: tuple[str, ...]) -> ClaimStatement:
        """Return a claim as it is compared; its values are no words of it."""
        found = tuple(sorted(details, key=lambda each: each.start))
        words = stems_in(without_details(text, [each for each in found if each.kind in _LIMITING]))
        limits = tuple((each.start, each.end) for each in found if each.kind in _LIMITING)
        return cls(text, found, (*key, *words), key, limits)


@dataclass(frozen=True, slots=True)
class ComparedDetail:
    """A detail of a claim beside what was found for it."""

    detail: Detail
    agreement: DetailAgreement
    sentence: int = -1
    source: str = ""
    start: int = 0
    end: int = 0
    said: str = ""
    """What the source says instead, or as well; its offsets count in the source."""
    label: str = ""
    """The key that the source has it under."""
    is_exact: bool = False
    """Whether both stand under the same key, or in the same words."""


_OPEN: Final = DetailAgreement.ELSEWHERE
_GENERIC: Final = frozenset(
    map(
        stem,
        words_of(
            "date time year day number count total value version versions name amount id score rate size level age"
        ),
    )
)
_ENDS_LABEL: Final = re.compile(r"[,;:.()\[\]\n|]|\b(?:and|but|while)\b")
_NEAR: Final = 60
_LEAST_SHARE: Final = 0.3
_STRONG: Final = 0.5
_CLOSE: Final = 0.6
_ALMOST: Final = 0.75
_DISTINCT: Final = 3
MOST_DETAILS: Final = 24
"""A sentence with more details is a list of values, in which none can be told to stand for another."""
_LIMITING: Final = frozenset(DetailKind) - {DetailKind.NAME, DetailKind.QUOTATION, DetailKind.REFERENCE}


@dataclass(frozen=True, slots=True)
class _Label:
    """The words that a value belongs to; ``head`` is the noun that it counts."""

    words: frozenset[str]
    head: str


def compared(
    statement: ClaimStatement, library: Library, related: Sequence[Related], asked: Library
) -> list[ComparedDetail]:
    """Return every detail of a claim beside what the library says of it."""
    applicable = [each for each in related if _applies(library, each.number, statement)]
    values = [each for each in statement.details if each.kind is not DetailKind.NAME]
    found = [_compared(detail, statement, library, applicable, asked) for detail in values]
    shares = {each.number: each.share for each in applicable}
    same = [each.sentence for each in found if each.agreement is DetailAgreement.SAME]
    places = {each for each in same if shares.get(each, 0) >= _LEAST_SHARE}
    names = [each for each in statement.details if each.kind is DetailKind.NAME]
    found += [_name(detail, statement, library, sorted(places), asked) for detail in names]
    return sorted(found, key=lambda each: each.detail.start)


def required_stems(key: Sequence[str]) -> frozenset[str]:
    """Return which stems of a key a claim must have to speak of the same; a kind of value goes without saying."""
    return frozenset(key).difference(_GENERIC) or frozenset(key)


def _applies(library: Library, sentence: int, statement: ClaimStatement) -> bool:
    """Return whether a sentence can speak of a claim: a fact by its key, of a value by the same key alone."""
    key = library.material(sentence).key
    if key and statement.key:
        return required_stems(key) == required_stems(statement.key)
    return not key or required_stems(key).issubset(statement.stems)


def _compared(
    detail: Detail, statement: ClaimStatement, library: Library, related: Sequence[Related], asked: Library
) -> ComparedDetail:
    if detail.kind is DetailKind.QUOTATION:
        return _quotation(detail, library, asked)
    shares = {each.number: _share(library, each) for each in related}
    label = _label_of_claim(statement, detail)
    bounds = bounds_of(statement.text, detail)
    best, best_rank, best_alike = None, -1.0, 0.0
    for hit in library.same(detail, bounds):
        is_other_end = hit.detail.bound and detail.bound and hit.detail.bound != detail.bound
        if is_other_end or (statement.key and not _applies(library, hit.sentence, statement)):
            continue
        alike = _alike(label, _label_in(library, hit))
        if is_of_other_unit(detail, hit.detail) and alike < _STRONG and not library.material(hit.sentence).key:
            continue
        # A value of many digits is hardly the same by chance.
        alike += (
            _STRONG if not detail.days and sum(sign.isdigit() for sign in detail.text.strip("0")) > _DISTINCT else 0
        )
        rank = shares.get(hit.sentence, 0.0) + alike
        if rank > best_rank:
            best, best_rank, best_alike = hit, rank, alike
    rival, rival_alike = _rival(detail, label, statement, library, shares)
    if best is not None:
        share = shares.get(best.sentence, 0.0)
        if rival is not None and (
            (
                _is_ahead(rival, rival_alike, best, best_alike)
                and shares[rival.sentence] >= share - 0.15
                and not _is_named_in(library, statement, best.sentence, rival.sentence)
            )
            or (rival_alike >= best_alike and _is_named_in(library, statement, rival.sentence, best.sentence))
        ):
            return _found(detail, DetailAgreement.DIFFERENT, library, rival)
        if share >= _LEAST_SHARE or best_alike >= _LEAST_SHARE:
            return _found(detail, DetailAgreement.SAME, library, best)
        return _found(detail, DetailAgreement.ELSEWHERE, library, best)
    if rival is not None:
        return _found(detail, DetailAgreement.DIFFERENT, library, rival, is_exact=_is_same_label(library, rival, label))
    return _missing(detail, asked, bounds)


def _is_ahead(rival: Hit, rival_alike: float, best: Hit, best_alike: float) -> bool:
    """Return whether another value has the label much more than the same value; in one sentence that shows sooner."""
    lead = rival_alike - best_alike
    return lead >= _STRONG if rival.sentence == best.sentence else lead > _STRONG


def _missing(detail: Detail, asked: Library, bounds: Bounds) -> ComparedDetail:
    # That there are two of something is often only counted.
    is_open = detail.text.casefold() == "two" or any(True for _ in asked.same(detail, bounds))
    return ComparedDetail(detail, _OPEN if is_open else DetailAgreement.ABSENT)


def _found(
    detail: Detail, agreement: DetailAgreement, library: Library, hit: Hit, *, is_exact: bool = False
) -> ComparedDetail:
    return beside(detail, agreement, library, hit.sentence, (hit.detail.start, hit.detail.end), is_exact=is_exact)


def beside(
    detail: Detail,
    agreement: DetailAgreement,
    library: Library,
    sentence: int,
    span: tuple[int, int] | None = None,
    *,
    is_exact: bool = False,
) -> ComparedDetail:
    """Return a detail beside a span of a source, or beside a whole sentence of it."""
    place, material = library.sentences[sentence], library.material(sentence)
    start, end = span or (place.start, place.end)
    said = material.folded.text[start:end]
    return ComparedDetail(
        detail, agreement, sentence, material.name, *material.span(start, end), said, material.label, is_exact
    )


def _share(library: Library, related: Related) -> float:
    return 1.0 if library.material(related.number).key else related.share


def _rival(
    detail: Detail, label: _Label, statement: ClaimStatement, library: Library, shares: dict[int, float]
) -> tuple[Hit | None, float]:
    """Return the value that the sources give where the claim gives this one, and how far their labels are the same."""
    found, best_rank, best_alike = None, 0.0, 0.0
    if len(statement.details) > MOST_DETAILS:
        return found, best_alike
    alone = sum(is_of_kind(detail, other) for other in statement.details) == 1
    for number, share in shares.items():
        sentence = library.sentences[number]
        near = library.hits[sentence.first : min(sentence.last, sentence.first + MOST_DETAILS)]
        others = [hit for hit in near if is_like(detail, hit.detail)]
        for hit in others:
            if any(agrees(each, hit.detail, bounds_of(statement.text, each)) for each in statement.details):
                continue
            if is_within(statement.text, detail, hit.detail):
                continue
            other = _label_in(library, hit)
            alike = _alike(label, other)
            is_bare = hit.detail.measure is not None and not hit.detail.measure.unit
            if alone and len(others) == 1 and share >= _CLOSE and not (is_bare and not label.words & other.words):
                alike = max(alike, _STRONG)
            is_one_label = alike >= _ALMOST and len(label.words & other.words - _GENERIC) > 1
            if (share >= _LEAST_SHARE or is_one_label) and alike >= _STRONG and share + alike > best_rank:
                found, best_rank, best_alike = hit, share + alike, alike
    return found, best_alike


def _label_of_claim(statement: ClaimStatement, detail: Detail) -> _Label:
    limits = statement.limits
    at = bisect_left(limits, (detail.start, detail.end))
    before = limits[at - 1][1] if at else 0
    after = limits[at + 1][0] if at + 1 < len(limits) else len(statement.text)
    return _label(statement.text, detail, (detail.start, detail.end), (before, after), statement.key)


def _label_in(library: Library, hit: Hit) -> _Label:
    sentence = library.sentences[hit.sentence]
    begin, start, end = sentence.start, hit.detail.start, hit.detail.end
    before = library.hits[hit.place - 1].detail.end if hit.place > sentence.first else begin
    after = library.hits[hit.place + 1].detail.start if hit.place + 1 < sentence.last else sentence.end
    limits = max(0, before - begin), after - begin
    key = library.material(hit.sentence).key
    return _label(library.said(hit.sentence), hit.detail, (start - begin, end - begin), limits, key)


def _label(text: str, detail: Detail, span: tuple[int, int], limits: tuple[int, int], key: Sequence[str]) -> _Label:
    follows = _ENDS_LABEL.split(text[span[1] : min(limits[1], span[1] + _NEAR)], maxsplit=1)[0]
    is_counted = detail.measure is not None and not detail.measure.unit
    first = next(iter(words_in(follows)), "")
    head = stem(first) if is_counted and first and first not in STOP_WORDS else ""
    earlier = stems_in(text[max(limits[0], span[0] - _NEAR) : span[0]])[-4:]
    return _Label(frozenset([*earlier, *stems_in(follows)[:2], *key]), head)


def _alike(one: _Label, other: _Label) -> float:
    """Return how far two labels are the same, from 0 to 1."""
    if not one.words or not other.words:
        return 0.3
    alike = len(one.words & other.words) / min(len(one.words), len(other.words))
    if one.head and other.head:
        return max(alike, 0.6) if one.head == other.head else alike / 2
    return alike


def _is_same_label(library: Library, hit: Hit, label: _Label) -> bool:
    key = library.material(hit.sentence).key
    return bool(key) and required_stems(key).issubset(label.words)


def _name(
    detail: Detail, statement: ClaimStatement, library: Library, places: Collection[int], asked: Library
) -> ComparedDetail:
    words = tuple(str(word) for word in detail.value) if isinstance(detail.value, tuple) else ()
    is_known = knows_name(library, words)
    if not is_known and detail.bound and len(words) > 1 and knows_name(library, words[1:]):
        # The first word of a sentence need not belong to the name.
        return ComparedDetail(detail, _OPEN if not _has_other_first(library, words) else DetailAgreement.ABSENT)
    if is_known:
        is_mixed = len(words) == 2 and not stand_together(library, words) and _has_other_first(library, words)
        return ComparedDetail(detail, DetailAgreement.ABSENT if is_mixed else DetailAgreement.SAME)
    is_open = knows_name(asked, words) or (
        len(words) == 1 and detail.bound == "opens" and not _names_others(library, statement, words, places)
    )
    return ComparedDetail(detail, _OPEN if is_open else DetailAgreement.ABSENT)


def _names_others(library: Library, statement: ClaimStatement, words: Sequence[str], places: Collection[int]) -> bool:
    """Return whether a sentence that speaks of the claim has names, and the claim has none of them."""
    rest = [each for each in statement.stems if each != stem(words[0])]
    near = [each.number for each in library.related(rest)[:3] if each.share >= _CLOSE]
    for number in places or near:
        names = [each.value for each in names_in(library.said(number)) if isinstance(each.value, tuple)]
        others = {stem(str(word)) for name in names for word in name}
        if others and others.isdisjoint(statement.stems):
            return True
    return False


def _is_named_in(library: Library, statement: ClaimStatement, one: int, other: int) -> bool:
    """Return whether a name of the claim stands in one sentence, and none in the other nor anywhere in its source."""
    names = [each.value for each in statement.details if each.kind is DetailKind.NAME and isinstance(each.value, tuple)]
    stems = {stem(str(word)) for name in names for word in name}
    sources = {
        library.sentences[place].material for word in stems for place in library.postings.get(word, ())[:MOST_DETAILS]
    }
    return not stems.isdisjoint(library.sentences[one].stems) and library.sentences[other].material not in sources


def _has_other_first(library: Library, words: Sequence[str]) -> bool:
    """Return whether the last word of a name has other first names in the sources."""
    places = library.postings.get(stem(words[-1]), ())[:MOST_DETAILS]
    form = re.compile(rf"([^\W\d_]+)[ .]+{re.escape(words[-1])}(?!\w)", re.I)
    before = {match[1] for place in places for match in form.finditer(library.said(place))}
    return any(each[0].isupper() and each.casefold() != words[0] for each in before)


def _quotation(detail: Detail, library: Library, asked: Library) -> ComparedDetail:
    stems = stems_in(detail.text)
    length = len(detail.text) + _NEAR
    related = library.related(stems)
    for each in related:
        if quoted_in(detail, library.said(each.number, length, length)):
            return beside(detail, DetailAgreement.SAME, library, each.number, is_exact=True)
    if any(quoted_in(detail, asked.said(each.number, length, length)) for each in asked.related(stems)):
        return ComparedDetail(detail, DetailAgreement.ELSEWHERE)
    if related and related[0].share >= _ALMOST and len(detail.text.split()) > FEWEST_QUOTED + 1:
        return beside(detail, DetailAgreement.DIFFERENT, library, related[0].number)
    return ComparedDetail(detail, DetailAgreement.ABSENT)
