"""Everything that counts as true, read once: sentences, the details in each, and where words and values stand.

Answers which sentences speak of a claim and where a value stands. Refuses to be read without bounds: what is beyond the
budget of characters is named as left out.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from probatum.judge.facts.claims import ClaimSpan, spans_of
from probatum.judge.facts.context import Material
from probatum.judge.facts.details import Day, Detail, Magnitude, measure_of, read_details
from probatum.judge.facts.texts import STOP_WORDS, plain, stem, words_in, words_of_key
from probatum.judge.facts.voice import Voice, against, voices

MOST_CHARACTERS: Final = 4_000_000
"""Of all materials together."""
_POSTINGS: Final = 300
"""A word that stands in more sentences tells too little of any of them."""
_RELATED: Final = 6
_HITS: Final = 60
_SAME_SENTENCES: Final = 20
_WRITTEN: Final = "#"
Range = tuple[Fraction, Fraction]
Bounds = tuple[Range, Range] | None
"""In base units, and as it is written."""


@dataclass(frozen=True, slots=True)
class SourceSentence:
    """One sentence of a material, and which details stand in it."""

    material: int
    start: int
    end: int
    first: int
    """The place of its first detail among all."""
    last: int
    stems: frozenset[str]
    voice: Voice


@dataclass(frozen=True, slots=True)
class Related:
    """A sentence that speaks of a claim, and the share of the claim's weight that it shares."""

    number: int
    share: float


@dataclass(frozen=True, slots=True)
class Hit:
    """A detail in a sentence, and its place among all."""

    sentence: int
    detail: Detail
    place: int


@dataclass(frozen=True, slots=True)
class Library:
    """The materials of one request; made by `library_of`."""

    materials: tuple[Material, ...]
    sentences: tuple[SourceSentence, ...]
    hits: tuple[Hit, ...]
    left_out: tuple[str, ...]
    words: frozenset[str]
    initials: str
    postings: dict[str, list[int]] = field(repr=False)
    exact: dict[object, list[int]] = field(repr=False)
    verbatim: dict[str, list[int]] = field(repr=False)
    """By what a text says: the first sentences of texts that say it."""
    keyed: dict[frozenset[str], list[int]] = field(repr=False)
    """By the stems of a key: the sentences that are its values."""
    measures: dict[str, tuple[list[Fraction], list[int]]] = field(repr=False)
    """By unit: the values in order, and the details that they are of; by "#" all of them as they are written."""

    def said(self, sentence: int, before: int = 0, after: int = 0) -> str:
        """Return the text of a sentence as it is compared, with so many characters around it."""
        place = self.sentences[sentence]
        return self.materials[place.material].folded.text[max(0, place.start - before) : place.end + after]

    def material(self, sentence: int) -> Material:
        """Return the material that a sentence stands in."""
        return self.materials[self.sentences[sentence].material]

    def related(self, stems: Sequence[str]) -> list[Related]:
        """Return the sentences that share most with a claim, the best first; a fact where its key is in the claim."""
        asked = sorted(set(stems))
        found: defaultdict[int, float] = defaultdict(float)
        weights: dict[str, float] = {}
        for each in asked:
            places = self.postings.get(each, ())
            # A word that no source has tells little of which sentence is meant.
            known = len(places) + 1 if places else max(2.0, (len(self.sentences) + 2) ** 0.5)
            weights[each] = math.log((len(self.sentences) + 2) / known)
            if len(places) <= _POSTINGS:
                for place in places:
                    found[place] += weights[each]
        total = sum(weights.values()) or 1.0
        best = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))[: 4 * _RELATED]
        return [Related(number, shared / total) for number, shared in best]

    def same(self, detail: Detail, bounds: Bounds) -> Iterator[Hit]:
        """Yield the details that say the same as one; of a number those within its bounds, in its unit or in none."""
        measure = measure_in(detail)
        for key in keys_of(detail):
            yield from (self.hits[place] for place in self.exact.get(key, ())[:_HITS])
        if measure is None or bounds is None:
            return
        (low, high), written = bounds
        if measure.unit:
            yield from self._between(measure.unit, low, high)
            # A column or a key may name the unit.
            yield from self._between("", *written)
        else:
            yield from self._between(_WRITTEN, *written)
        if measure.unit in {"", "%"}:
            yield from self._between("" if measure.unit else "%", low, high)

    def _between(self, unit: str, low: Fraction, high: Fraction) -> Iterator[Hit]:
        values, places = self.measures.get(unit, ([], []))
        for place in range(bisect_left(values, low), min(bisect_right(values, high), bisect_left(values, low) + _HITS)):
            yield self.hits[places[place]]


def measure_in(detail: Detail) -> Magnitude | None:
    """Return the number that a detail is; what looks like a year can be one."""
    if detail.measure is not None:
        return detail.measure
    if [day[1:] for day in detail.days] == [(0, 0)]:
        return measure_of(Fraction(detail.days[0][0]), "", Fraction(1, 2))
    return None


def keys_of(detail: Detail) -> list[object]:
    """Return by which keys a detail that is no number is found."""
    if detail.measure is not None:
        return []
    return [("day", *day) for day in detail.days] or [(detail.kind, detail.value)]


def _agreeing_days(day: Day) -> list[Day]:
    """Return what can be said of a day without saying more than it does."""
    year, month, date = day
    return list(dict.fromkeys([day, (year, month, 0), (year, 0, 0), (0, month, date), (0, month, 0)]))


def library_of(materials: Iterable[Material]) -> Library:
    """Return what the materials say, in order, as far as the budget reaches."""
    kept, left_out, characters = list[Material](), list[str](), 0
    for each in materials:
        characters += len(each.folded.text)
        if characters > MOST_CHARACTERS:
            left_out.append(each.name)
        else:
            kept.append(each)
    sentences, hits, words, initials = list[SourceSentence](), list[Hit](), set[str](), list[str]()
    postings: defaultdict[str, list[int]] = defaultdict(list)
    for number, material in enumerate(kept):
        _read(number, material, sentences, hits, words, initials)
    keyed: defaultdict[frozenset[str], list[int]] = defaultdict(list)
    for place, sentence in enumerate(sentences):
        if kept[sentence.material].key:
            keyed[frozenset(kept[sentence.material].key)].append(place)
        for word in sentence.stems:
            postings[word].append(place)
    return Library(
        tuple(kept),
        tuple(sentences),
        tuple(hits),
        tuple(dict.fromkeys(left_out)),
        frozenset(words),
        "".join(initials),
        dict(postings),
        _exact(hits),
        _verbatim(kept, sentences),
        dict(keyed),
        _measures(hits),
    )


def _read(
    number: int,
    material: Material,
    sentences: list[SourceSentence],
    hits: list[Hit],
    words: set[str],
    initials: list[str],
) -> None:
    """Add what one material says to what was read."""
    text = material.folded.text
    details, place = read_details(text), 0
    words.update(words_in(material.label.replace("_", " ")))
    spans = [ClaimSpan(0, len(text))] if material.key else [*spans_of(text, with_code=True)]
    told = against([word for step in material.steps if isinstance(step, str) for word in words_of_key(step)])
    for span, voice in zip(spans, [Voice.OWN] if material.key else voices(text, spans), strict=True):
        first = len(hits)
        while place < len(details) and details[place].start < span.end:
            hits.append(Hit(len(sentences), details[place], len(hits)))
            place += 1
        said = list(words_in(text[span.start : span.end]))
        words.update(said)
        initials.extend(word[0] for word in said)
        stems = frozenset(stem(word) for word in said if word not in STOP_WORDS)
        place_in_text = number, span.start, span.end
        sentences.append(SourceSentence(*place_in_text, first, len(hits), stems.union(material.key), max(told, voice)))


def _verbatim(kept: Sequence[Material], sentences: Sequence[SourceSentence]) -> dict[str, list[int]]:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, each in enumerate(sentences):
        if not kept[each.material].key:
            places = found[plain(kept[each.material].folded.text[each.start : each.end])]
            if len(places) < _SAME_SENTENCES:
                places.append(place)
    return dict(found)


def _exact(hits: Sequence[Hit]) -> dict[object, list[int]]:
    found: defaultdict[object, list[int]] = defaultdict(list)
    for place, hit in enumerate(hits):
        for day in hit.detail.days:
            for shorter in _agreeing_days(day):
                found["day", *shorter].append(place)
        if not hit.detail.days:
            for key in keys_of(hit.detail):
                found[key].append(place)
    return dict(found)


def _measures(hits: Sequence[Hit]) -> dict[str, tuple[list[Fraction], list[int]]]:
    found: defaultdict[str, list[tuple[Fraction, int]]] = defaultdict(list)
    for place, hit in enumerate(hits):
        measure = measure_in(hit.detail)
        if measure is None:
            continue
        found[measure.unit].append((measure.value, place))
        found[_WRITTEN].append((measure.written, place))
        if measure.high is not None:
            found[measure.unit].append((measure.high, place))
    ordered = {unit: sorted(pairs) for unit, pairs in found.items()}
    return {unit: ([each[0] for each in pairs], [each[1] for each in pairs]) for unit, pairs in ordered.items()}
