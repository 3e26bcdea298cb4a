"""Cuts an output into claims and rules each of them once against what counts as true.

`judged` is the one way in: the layers of facts and of hallucination share its work. Every claim is supported,
contradicted or unsupported; what no rule settles is unsupported, and never supported by silence.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from probatum.core.outside import shortened
from probatum.core.validation import ClaimReport, ClaimStatus
from probatum.judge.facts.alignment import aligned
from probatum.judge.facts.claims import ClaimSpan, is_claim, spans_of
from probatum.judge.facts.comparison import (
    ClaimStatement,
    ComparedDetail,
    DetailAgreement,
    beside,
    compared,
    required_stems,
)
from probatum.judge.facts.context import Material, asked_text, materials_of_context, materials_of_source
from probatum.judge.facts.details import Detail, DetailKind, read_details, without_details
from probatum.judge.facts.library import Library, library_of
from probatum.judge.facts.names import names_in, quotations_in
from probatum.judge.facts.opposition import Conflict
from probatum.judge.facts.passages import Passages
from probatum.judge.facts.table_statements import table_ruling
from probatum.judge.facts.tables import SourceTable, TableCell, tables_in
from probatum.judge.facts.texts import (
    OutputText,
    exactly,
    fold,
    plain,
    stems_in,
    stems_of_key,
    texts_of,
    words_in,
    words_of_key,
)
from probatum.judge.facts.voice import Voice, is_ended, is_turned, leans, voices
from probatum.judge.layers import Basis
from probatum.judge.request import TrustedSource, ValidationRequest
from probatum.readers.vocabulary import words_of

MOST_CLAIMS: Final = 5_000
MOST_CHARACTERS: Final = 1_000_000
"""Of all texts of an output together."""
REFERENCES: Final = words_of("citations sources references bibliography citation source reference urls url")
_ABOUT_ITSELF: Final = words_of("confidence certainty id model")
_SURENESS: Final = words_of("confidence certainty")
_PLAIN_KEYS: Final = words_of(
    """
    text content body summary answer output result results message response reply description title claim claims
    statement statements fact facts context data sentence sentences paragraph paragraphs section sections item items
    point points key finding findings detail details note notes conclusion explanation abstract introduction overview
    """
)
"""Keys that say nothing of what stands under them."""
_LONGEST_KEY: Final = 5
_SAYS: Final = re.compile(r"[^\W\d_]{2,}+|[`~]{3}")
_DENIED: Final = "the source denies what it says here"
_SHOWN: Final = 60
_MOST_TABLES: Final = 20
_MOST_FACTS: Final = 50
_OPENING: Final = 3
_OF_DETAILS: Final = (Conflict.NUMBER, Conflict.DATE, Conflict.NAME)
_NEARLY_THE_SAME: Final = 82
_PRONOUNS: Final = words_of("he she it they his her its their")


@dataclass(frozen=True, slots=True)
class OutputClaim:
    """One claim of an output; ``start`` and ``end`` count in its compared text."""

    of: OutputText
    start: int
    end: int
    statement: ClaimStatement
    before: str = ""
    """What stands right before it in its text."""
    is_own: bool = True
    """Whether the output states it by itself: it quotes and denies it not, and no key says something of it."""

    @property
    def said(self) -> str:
        """The claim as it was written."""
        start, end = self.of.folded.span(self.start, self.end)
        return self.of.value[start:end] if isinstance(self.of.value, str) else self.of.folded.text

    def place_of(self, detail: Detail | None = None) -> dict[str, object]:
        """Return where a detail of it stands, or all of it: the text, and from where to where."""
        start, end = (0, self.end - self.start) if detail is None else (detail.start, detail.end)
        begin, stop = self.of.folded.span(self.start + start, self.start + end)
        return {"text": self.of.place, "start": begin, "end": stop}


@dataclass(frozen=True, slots=True)
class ClaimRuling:
    """What one library says of a claim, what decided that, and where; ``start`` and ``end`` count in the source."""

    claim: OutputClaim
    status: ClaimStatus
    basis: Basis
    reason: str
    compared: tuple[ComparedDetail, ...] = ()
    source: str = ""
    start: int = 0
    end: int = 0
    score: int = 0
    """How likely it is that the source supports the claim, in whole percent, where sentences were compared."""

    @property
    def invented(self) -> tuple[ComparedDetail, ...]:
        """The details that stand nowhere."""
        return tuple(each for each in self.compared if each.agreement is DetailAgreement.ABSENT)

    def report(self) -> ClaimReport:
        """Return the ruling as a result tells it."""
        start, end = self.claim.of.folded.span(self.claim.start, self.claim.end)
        place, said = self.claim.of.place, self.claim.said
        return ClaimReport(said, place, start, end, self.status, self.reason, self.source, self.start, self.end)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every claim of an output, ruled by the trusted sources alone and with the context."""

    claims: tuple[OutputClaim, ...]
    texts: tuple[OutputText, ...]
    by_sources: tuple[ClaimRuling, ...]
    by_all: tuple[ClaimRuling, ...]
    empty: tuple[tuple[str | int, ...], ...]
    """Where an empty list stands in the output."""
    left_out: tuple[str, ...]
    """What was not judged since there is too much of it, in words."""
    no_claims: tuple[str, ...] = ()
    """What was not judged since it states nothing, such as a question."""


@dataclass(frozen=True, slots=True)
class _Shelf:
    """What counts as true, as each way of comparing reads it."""

    library: Library
    texts: tuple[Material, ...]
    passages: Passages
    tables: tuple[tuple[str, SourceTable], ...]

    @classmethod
    def of(cls, materials: Sequence[Material], sources: Sequence[TrustedSource]) -> _Shelf:
        library = library_of(materials)
        texts = tuple(each for each in library.materials if not each.key)
        passages = Passages([TrustedSource(each.name, each.folded.text) for each in texts])
        tables = ((source.name, table) for source in sources for table in tables_in(source))
        return cls(library, texts, passages, tuple(islice(tables, _MOST_TABLES)))

    def text_of(self, ruling: ClaimRuling) -> str:
        """Return what stands where a ruling points to."""
        return next((each.folded.text for each in self.texts if each.name == ruling.source), "")[
            ruling.start : ruling.end
        ]


def judged(request: ValidationRequest) -> Judgement:
    """Return every claim of the output of a request with its rulings."""
    texts, empty, is_whole = texts_of(request.output)
    trusted = [each for source in request.trusted_sources for each in materials_of_source(source)]
    given = [*materials_of_context(request.context)]
    names = [*(source.name for source in request.trusted_sources), *request.unread_sources]
    query = Material("request", fold("\n".join([asked_text(request.context), *names])))
    asked, sources = library_of([query]), _Shelf.of(trusted, request.trusted_sources)
    both = _Shelf.of([*trusted, *given], request.trusted_sources) if given else sources
    claims, left_out, no_claims = _claims(texts, {source.name for source in request.trusted_sources}, both.library)
    if not is_whole:
        left_out.append("parts of the output are nested too deep")
    by_all = tuple(_ruled(claim, both, asked) for claim in claims)
    elsewhere = library_of([query, *given])
    by_sources = tuple(_ruled(claim, sources, elsewhere) for claim in claims) if given else by_all
    left_out += [f"{name} is beyond the characters that are read" for name in both.library.left_out]
    return Judgement(tuple(claims), tuple(texts), by_sources, by_all, empty, tuple(left_out), tuple(no_claims))


def _claims(
    texts: Sequence[OutputText], names: Collection[str], library: Library
) -> tuple[list[OutputClaim], list[str], list[str]]:
    claims, left_out, characters = list[OutputClaim](), list[str](), 0
    long_keys = {step for text in texts for step in text.steps if isinstance(step, str) and _is_text(step)}
    no_claims = [f"the key {step!r}" for step in sorted(long_keys)]
    for text in texts:
        is_about_itself = text.key in _ABOUT_ITSELF and frozenset(stems_of_key(text.key)) not in library.keyed
        if is_about_itself or (text.key.casefold() in REFERENCES and text.is_keyed_value):
            if text.value not in names and (text.is_string or text.key not in _SURENESS):
                no_claims.append(f"what stands under {text.key!r}")
            continue
        characters += len(text.folded.text)
        if characters > MOST_CHARACTERS or len(claims) >= MOST_CLAIMS:
            left_out.append(
                f"{text.place or 'the output'} is beyond the {MOST_CHARACTERS:,} characters that are judged"
            )
            continue
        claims.extend(_claims_in(text, no_claims))
    if len(claims) > MOST_CLAIMS:
        left_out.append(f"{len(claims) - MOST_CLAIMS:,} claims are beyond the {MOST_CLAIMS:,} that are judged")
    return claims[:MOST_CLAIMS], left_out, no_claims


def _is_text(key: str) -> bool:
    return key.count(" ") > 1 or len(words_of_key(key)) > _LONGEST_KEY


def _claims_in(text: OutputText, no_claims: list[str]) -> Iterator[OutputClaim]:
    """Yield the claims of a text, and add what is none of them to what is not judged."""
    said = text.folded.text
    details, quotations = read_details(said), [*quotations_in(said)] if text.is_string else []
    is_value = text.is_keyed_value
    key = stems_of_key(text.key) if is_value else ()
    spans = [ClaimSpan(0, len(said))] if is_value else [*spans_of(said)]
    is_open = {step for each in text.steps if isinstance(each, str) for step in words_of_key(each)} <= _PLAIN_KEYS
    first = quoted = 0
    before, place = "", 0
    for span, voice in zip(spans, voices(said, spans), strict=True):
        inside, first = _inside(details, first, span)
        quotes, quoted = _inside(quotations, quoted, span)
        piece = said[span.start : span.end]
        if _SAYS.search(said, place, span.start):
            no_claims.append("what stands between the claims")
        place = span.end
        if (is_value and piece.strip()) or is_claim(piece):
            names = [*names_in(without_details(piece, inside), is_value=is_value)] if text.is_string else []
            statement = ClaimStatement.of(piece, [*inside, *quotes, *names], key)
            yield OutputClaim(text, span.start, span.end, statement, before, is_open and voice is Voice.OWN)
        elif _SAYS.search(piece):
            no_claims.append(repr(shortened(piece, _SHOWN)))
        before = piece
    if _SAYS.search(said, place):
        no_claims.append("what stands behind the claims")


def _inside(details: Sequence[Detail], first: int, span: ClaimSpan) -> tuple[list[Detail], int]:
    """Return the details that begin in a span, counted from its start, and which one comes next."""
    found = []
    while first < len(details) and details[first].start < span.end:
        each = details[first]
        first += 1
        if each.start >= span.start:
            moved = each.start - span.start, each.end - span.start
            found.append(Detail(each.kind, each.text, *moved, each.value, each.bound))
    return found, first


def _ruled(claim: OutputClaim, shelf: _Shelf, asked: Library) -> ClaimRuling:
    statement, library = claim.statement, shelf.library
    places = library.verbatim.get(plain(statement.text), ()) if not statement.key else ()
    if places:
        return _word_by_word(claim, library, places)
    keyed = _by_key(claim, library) if statement.key else None
    if keyed is not None:
        return keyed
    found = tuple(compared(statement, library, library.related(statement.stems), asked))
    different = [each for each in found if each.agreement is DetailAgreement.DIFFERENT]
    if different:
        basis = Basis.EXACT if any(each.is_exact for each in different) else Basis.ALIGNED
        reason = f"{different[0].detail.text!r} is {different[0].said!r} in the source"
        return _at(claim, ClaimStatus.CONTRADICTED, basis, reason, library, different[0].sentence, found, different[0])
    ruling = _by_words(claim, shelf, found)
    absent = [each for each in found if each.agreement is DetailAgreement.ABSENT]
    if absent and ruling.status is ClaimStatus.SUPPORTED and _is_meant(absent, ruling, shelf):
        # Whoever a source speaks of without a name may be the one.
        kept = tuple(replace(each, agreement=DetailAgreement.ELSEWHERE) if each in absent else each for each in found)
        return replace(ruling, compared=kept)
    if absent and ruling.status is not ClaimStatus.CONTRADICTED:
        reason = f"{', '.join(repr(each.detail.text) for each in absent[:5])} stands in no source"
        return ClaimRuling(claim, ClaimStatus.UNSUPPORTED, Basis.ALIGNED, reason, found)
    return ruling


def _word_by_word(claim: OutputClaim, library: Library, places: Sequence[int]) -> ClaimRuling:
    """Return the ruling of a claim that stands in texts; it proves something where both say it in the same sense."""
    voice = {place: library.sentences[place].voice for place in places}
    best = min(places, key=lambda place: (voice[place], not _says_the_same(claim, library, place)))
    if voice[best] is Voice.DENIED:
        return _at(claim, ClaimStatus.UNSUPPORTED, Basis.NOTHING, _DENIED, library, best)
    is_exact = claim.is_own and voice[best] is Voice.OWN and _says_the_same(claim, library, best)
    basis, reason = Basis.EXACT if is_exact else Basis.ALIGNED, "it stands in the source word by word"
    return _at(claim, ClaimStatus.SUPPORTED, basis, reason, library, best)


def _says_the_same(claim: OutputClaim, library: Library, place: int) -> bool:
    """Return whether a sentence of a source says what a claim in the same words says, each in its place."""
    said = claim.statement.text
    if exactly(said) != exactly(library.said(place)) or is_turned(str(claim.of.value)):
        return False
    # Whom a sentence speaks of, or what a row and an item belong to, stands before it.
    if not claim.before or (is_ended(said) and is_ended(claim.before) and not leans(said)):
        return not leans(said)
    is_first = place == 0 or library.sentences[place - 1].material != library.sentences[place].material
    return not is_first and plain(library.said(place - 1)) == plain(claim.before)


def _is_meant(absent: Sequence[ComparedDetail], ruling: ClaimRuling, shelf: _Shelf) -> bool:
    """Return whether names that stand in no source can be those of whom the sentence speaks without naming them."""
    if any(each.detail.kind is not DetailKind.NAME for each in absent):
        return False
    if ruling.score >= _NEARLY_THE_SAME:
        return True
    words = [*words_in(shelf.text_of(ruling))]
    mine = set(stems_in(ruling.claim.statement.text))
    others = [name for name in names_in(shelf.text_of(ruling)) if not mine.issuperset(stems_in(name.text))]
    is_subject = len(absent) == 1 and absent[0].detail.start < _OPENING
    return not others or (is_subject and not _PRONOUNS.isdisjoint(words[:_OPENING]))


def _by_words(claim: OutputClaim, shelf: _Shelf, found: tuple[ComparedDetail, ...]) -> ClaimRuling:
    statement, library = claim.statement, shelf.library
    for each in library.related(statement.stems)[:_OPENING]:
        key = library.material(each.number).key
        is_same = found and all(other.agreement is DetailAgreement.SAME for other in found)
        if key and is_same and required_stems(key).issubset(statement.stems):
            reason = "its values are those of the fact"
            return _at(claim, ClaimStatus.SUPPORTED, Basis.ALIGNED, reason, library, each.number, found)
    for table in shelf.tables:
        decided = table_ruling(statement.text, table[1])
        if decided is not None:
            cells = decided.cells or (TableCell(""),)
            span = min(cell.start for cell in cells), max(cell.end for cell in cells)
            return ClaimRuling(claim, decided.status, Basis.ALIGNED, decided.reason, found, table[0], *span)
    if statement.key or not shelf.texts:
        return ClaimRuling(claim, ClaimStatus.UNSUPPORTED, Basis.NOTHING, "no source speaks of it", found)
    told = aligned(statement.text, shelf.passages)
    if told.source < 0:
        return ClaimRuling(claim, ClaimStatus.UNSUPPORTED, Basis.NOTHING, told.reason, found)
    if told.conflict in _OF_DETAILS and found and all(each.agreement is DetailAgreement.SAME for each in found):
        # The values were compared exactly, with their labels: words alone do not gainsay that.
        return ClaimRuling(claim, ClaimStatus.UNSUPPORTED, Basis.NOTHING, "only its details stand in the source", found)
    material = shelf.texts[told.source]
    basis = Basis.NOTHING if told.status is ClaimStatus.UNSUPPORTED else Basis.ALIGNED
    span = material.span(told.start, told.end)
    return ClaimRuling(claim, told.status, basis, told.reason, found, material.name, *span, told.score)


def _by_key(claim: OutputClaim, library: Library) -> ClaimRuling | None:
    """Return the ruling of a value by the facts with the same key, or None where none settles it."""
    wanted, said = claim.statement.key, plain(claim.statement.text)
    facts = library.keyed.get(frozenset(wanted), [])[:_MOST_FACTS]
    mine = _way(claim.of.steps)
    ways = {place: _way(library.material(place).steps) for place in facts}
    same_way = [place for place in facts if ways[place] == mine]
    if same_way and not any(isinstance(step, int) for step in mine):
        facts = same_way
    known = same_way or (facts if len(facts) == 1 and set(mine) <= set(ways[facts[0]]) else [])
    different = [place for place in facts if plain(library.said(place)) != said]
    for place in sorted(set(facts).difference(different), key=lambda place: (place not in known, place)):
        # Another value under the same keys, or in other signs, leaves open which is meant.
        if library.sentences[place].voice is Voice.DENIED:
            return _at(claim, ClaimStatus.UNSUPPORTED, Basis.NOTHING, _DENIED, library, place)
        is_one = len({exactly(library.said(each)) for each in known}) == 1
        is_same = is_one and place in known and exactly(library.said(place)) == exactly(claim.statement.text)
        basis = Basis.EXACT if is_same and not is_turned(str(claim.of.value)) else Basis.ALIGNED
        return _at(claim, ClaimStatus.SUPPORTED, basis, "its value is that of the fact", library, place)
    values = {plain(library.said(place)) for place in different}
    has_details = any(library.sentences[place].first < library.sentences[place].last for place in different)
    if len(values) != 1 or has_details or len(values.pop().split()) > len(said.split()) + 4:
        return None
    stated = library.said(different[0])
    shared = set(stems_in(said)) & set(stems_in(stated))
    if shared and len(shared) >= min(len(set(stems_in(said))), len(set(stems_in(stated)))):
        # Alice Smith, and Smith: one says less.
        return None
    detail = claim.statement.details[0] if claim.statement.details else _whole(claim)
    is_exact = different[0] in known
    found = beside(detail, DetailAgreement.DIFFERENT, library, different[0], is_exact=is_exact)
    reason = f"{claim.statement.text!r} is {stated!r} in the source"
    basis = Basis.EXACT if is_exact else Basis.ALIGNED
    return _at(claim, ClaimStatus.CONTRADICTED, basis, reason, library, different[0], (found,), found)


def _way(steps: Sequence[str | int]) -> tuple[tuple[str, ...] | int, ...]:
    """Return the words of the keys that lead to a value, without those that say nothing."""
    ways = (step if isinstance(step, int) else words_of_key(step) for step in steps)
    return tuple(each for each in ways if isinstance(each, int) or not _PLAIN_KEYS.issuperset(each))


def _whole(claim: OutputClaim) -> Detail:
    text = claim.statement.text
    return Detail(DetailKind.SIGNS, text, 0, len(text), text)


def _at(
    claim: OutputClaim,
    status: ClaimStatus,
    basis: Basis,
    reason: str,
    library: Library,
    place: int,
    found: tuple[ComparedDetail, ...] = (),
    at: ComparedDetail | None = None,
) -> ClaimRuling:
    if at is not None:
        return ClaimRuling(claim, status, basis, reason, found, at.source, at.start, at.end)
    sentence, material = library.sentences[place], library.material(place)
    return ClaimRuling(claim, status, basis, reason, found, material.name, *material.span(sentence.start, sentence.end))
