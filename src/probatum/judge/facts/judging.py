"""Cuts an output into claims and rules each of them once against what counts as true.

`judged` is the one way in: the layers of facts and of hallucination share its work. Every claim is supported,
contradicted or unsupported; what no rule settles is unsupported, and never supported by silence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from probatum.core.validation import ClaimReport, ClaimStatus
from probatum.judge.facts.alignment import aligned
from probatum.judge.facts.comparison import (
    ComparedDetail,
    DetailAgreement,
    beside,
    compared,
    required_stems,
)
from probatum.judge.facts.context import Material, asked_text, materials_of_context, materials_of_source
from probatum.judge.facts.details import Detail, DetailKind
from probatum.judge.facts.library import Library, library_of
from probatum.judge.facts.names import names_in
from probatum.judge.facts.opposition import Conflict
from probatum.judge.facts.output_claims import PLAIN_KEYS, OutputClaim, claims_of
from probatum.judge.facts.passages import Passages
from probatum.judge.facts.table_statements import table_ruling
from probatum.judge.facts.tables import SourceTable, TableCell, tables_in
from probatum.judge.facts.texts import (
    OutputText,
    exactly,
    fold,
    plain,
    stems_in,
    texts_of,
    words_in,
    words_of_key,
)
from probatum.judge.facts.voice import Voice, is_ended, is_turned, leans
from probatum.judge.layers import Basis
from probatum.judge.request import TrustedSource, ValidationRequest
from probatum.readers.vocabulary import words_of

_DENIED: Final = "the source denies what it says here"
_MOST_TABLES: Final = 20
_MOST_FACTS: Final = 50
_OPENING: Final = 3
_OF_DETAILS: Final = (Conflict.NUMBER, Conflict.DATE)
_NEARLY_THE_SAME: Final = 82
_PRONOUNS: Final = words_of("he she it they his her its their")


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
    claims, left_out, no_claims = claims_of(texts, {source.name for source in request.trusted_sources}, both.library)
    if not is_whole:
        left_out.append("parts of the output are nested too deep")
    by_all = tuple(_ruled(claim, both, asked) for claim in claims)
    elsewhere = library_of([query, *given])
    by_sources = tuple(_ruled(claim, sources, elsewhere) for claim in claims) if given else by_all
    left_out += [f"{name} is beyond the characters that are read" for name in both.library.left_out]
    return Judgement(tuple(claims), tuple(texts), by_sources, by_all, empty, tuple(left_out), tuple(no_claims))


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
    return tuple(each for each in ways if isinstance(each, int) or not PLAIN_KEYS.issuperset(each))


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
