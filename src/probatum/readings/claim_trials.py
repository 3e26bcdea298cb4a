"""Tries one claim reading mechanically: both quotes are where they are said to be, and the values are the same.

Refuses with a code and the values that are concerned. What passes is grounded: whether the words that are cited mean
the passage is nothing that a machine decides here, so that stays the reader's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from unicodedata import name

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError, ProbatumError, nearest
from probatum.core.shape import shown
from probatum.readings.claims import ClaimReading
from probatum.readings.formal import ClaimProof, Prove, numbers_of, unbroken, used, used_otherwise
from probatum.readings.paths import CitableSource, NoSuchPathError, value_at, words_of_path
from probatum.readings.stated import StatedValue, nearest_value, same_value, stated_values, written_numbers
from probatum.readings.verbatim import QuotePlace, SearchedText, composed, hides_something

_SHORTEST: Final = 2
"""Letters of a quote that holds no value."""
_ALIKE: Final = frozenset({"LATIN", "GREEK", "CYRILLIC"})

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ClaimRefusal:
    """Why a claim reading is refused."""

    code: str
    detail: str
    values: tuple[str, ...] = ()
    """As they are written in the passage."""


@dataclass(frozen=True, slots=True)
class CitedWords:
    """Where the quote of a source is, with the words around it: these may say that it is not so."""

    source: str
    start: int
    end: int
    before: str
    after: str
    values: tuple[StatedValue, ...] = ()


@dataclass(frozen=True, slots=True)
class TriedClaim:
    """What passed the trial."""

    place: QuotePlace
    """Of the passage in the output."""
    cited: CitedWords | None = None
    compared: tuple[Pair, ...] = ()
    """Each value of the passage with the one that it equals."""
    added: tuple[str, ...] = ()
    """Numbers of the formal claim that are not in the passage."""
    proof: ClaimProof | None = None


class ClaimTrials:
    """Tries the claim readings of one output against its sources; texts are searched many times and read once."""

    def __init__(self, output: str, sources: Sequence[CitableSource], prove: Prove) -> None:
        self._output = SearchedText(output)
        self._sources = {each.id: each for each in sources}
        self._texts: dict[str, SearchedText] = {}
        self._prove = prove

    def tried(self, claim: ClaimReading, occurrence: int = 0) -> TriedClaim | ClaimRefusal:
        """Return what came of a claim; ``occurrence`` says which of several places its passage is at, from 0."""
        if any(map(hides_something, (claim.passage, claim.quote, claim.statement))):
            detail = "The reading holds invisible signs beside a digit, or signs that reorder it."
            return ClaimRefusal("hidden_characters", detail)
        places = self._output.places(claim.passage, occurrence + 1)
        if not places:
            departs = _departs(self._output, claim.passage)
            return ClaimRefusal("passage_not_in_output", f"The output does not have the passage{departs}.")
        place = places[occurrence] if occurrence < len(places) else places[0]
        if place.cuts:
            return ClaimRefusal("passage_cuts_value", f"The passage cuts {shown(place.cuts)}.", (place.cuts,))
        values = place.values
        if not values and not _is_long_enough(claim.passage):
            return ClaimRefusal("passage_too_short", "The passage is a single letter or sign.")
        if claim.check == "narrative":
            texts = tuple(each.text for each in values)
            refusal = ClaimRefusal("narrative_has_values", f"The passage states {_listed(texts)}.", texts)
            return refusal if values else TriedClaim(place)
        source = self._sources.get(claim.source)
        if claim.source and source is None:
            hint = nearest(claim.source, self._sources)
            return ClaimRefusal("no_such_source", f"There is no source {shown(claim.source)}. {hint}".strip())
        if source is not None and claim.path is not None:
            return _at_path(claim, source, place, values)
        cited = self._cited(claim, source) if source is not None else None
        if isinstance(cited, ClaimRefusal):
            return cited
        given = cited.values if cited is not None else ()
        if claim.engine:
            return self._formal(claim, place, values, cited, given)
        compared, missing = _compared(values, given, claim.quote)
        return _missing("quote does", missing, given) if missing else TriedClaim(place, cited, compared)

    def _cited(self, claim: ClaimReading, source: CitableSource) -> CitedWords | ClaimRefusal:
        if source.id not in self._texts:
            self._texts[source.id] = SearchedText(source.text, source.cells)
        text = self._texts[source.id]
        places = text.places(claim.quote)
        if not places:
            detail = f"The source {shown(claim.source)} does not have the quote{_departs(text, claim.quote)}."
            return ClaimRefusal("quote_not_in_source", detail)
        place = places[0]
        if place.cuts:
            return ClaimRefusal("quote_cuts_value", f"The quote cuts {shown(place.cuts)}.", (place.cuts,))
        if not _is_long_enough(claim.quote) and not place.values:
            return ClaimRefusal("quote_too_short", "The quote is a single letter or sign.")
        return CitedWords(source.id, place.start, place.end, *text.around(place), place.values)

    def _formal(
        self,
        claim: ClaimReading,
        place: QuotePlace,
        values: Sequence[StatedValue],
        cited: CitedWords | None,
        given: Sequence[StatedValue],
    ) -> TriedClaim | ClaimRefusal:
        statement, numbers = claim.statement, numbers_of(claim.statement)
        uses = {each: used(each, statement, numbers, (*values, *given)) for each in values}
        quoted, missing = _compared([each for each in values if uses[each] is None], given, claim.quote)
        if missing:
            return _missing("statement and the quote do" if cited else "statement does", missing, given)
        if not any(each is not None for each in uses.values()) and not SearchedText(claim.passage).says(statement):
            return ClaimRefusal(
                "values_missing", "The statement uses no value of the passage, and is not a part of it."
            )
        own = {number for found in uses.values() for number in found or ()}
        further = {number for each in given for number in used(each, statement, numbers, (*values, *given)) or ()}
        added = tuple(dict.fromkeys(statement[each.start : each.end] for each in numbers if each not in own))
        loose = [statement[each.start : each.end] for each in numbers if each not in own | further]
        if loose and len(values) == 1:
            return ClaimRefusal("claim_adds_values", f"The passage does not state {_listed(loose)}.", tuple(loose))
        proof = self._proved(claim)
        if isinstance(proof, ClaimRefusal):
            return proof
        groups = [(value, found) for value, found in uses.items() if found]
        if idle := tuple(each.text for each in unbroken(claim.engine, statement, groups, self._prove_or_not)):
            return ClaimRefusal("claim_says_nothing", f"The statement holds with any value for {_listed(idle)}.", idle)
        compared = (*((each.text, statement) for each, found in uses.items() if found is not None), *quoted)
        if cited is None and (otherwise := tuple(map(str, used_otherwise(numbers, uses)))):
            detail = f"The statement uses {_listed(otherwise)} more or less often than the passage."
            return ClaimRefusal("claim_adds_values", detail, otherwise)
        return TriedClaim(place, cited, compared, added, proof)

    def _proved(self, claim: ClaimReading) -> ClaimProof | ClaimRefusal:
        try:
            proof = self._prove(claim.engine, claim.statement)
        except ProbatumError as error:
            code = "claim_undecided" if isinstance(error, BudgetError) else "claim_not_read"
            return ClaimRefusal(code, f"{error.sentence} {error.hint}".strip())
        if proof.outcome == "proved":
            return proof
        return ClaimRefusal("claim_refuted" if proof.outcome == "refuted" else "claim_undecided", proof.detail)

    def _prove_or_not(self, engine: str, statement: str) -> ClaimProof:
        try:
            return self._prove(engine, statement)
        except ProbatumError as error:
            return ClaimProof("undecided", error.sentence)


def _at_path(
    claim: ClaimReading, source: CitableSource, place: QuotePlace, values: Sequence[StatedValue]
) -> TriedClaim | ClaimRefusal:
    assert claim.path is not None
    try:
        found = value_at(source, claim.path)
    except NoSuchPathError as error:
        return ClaimRefusal("no_such_path", str(error))
    if not _is_same_json(claim.value, found):
        return ClaimRefusal("value_differs", f"The reading says {shown(claim.value)}, the source {shown(found)}.")
    pairs = [(each.text, _written(found)) for each in values if _equals(each, found)]
    is_text = isinstance(found, str) and SearchedText(claim.passage).says(found)
    if not pairs and not is_text and not (found is None or isinstance(found, bool)):
        texts = tuple(each.text for each in values)
        return ClaimRefusal("value_not_in_passage", f"The passage does not state {shown(found)}.", texts)
    paired = {text for text, _ in pairs}
    rest = [each for each in values if each.text not in paired]
    around = f"{words_of_path(claim.path)}\n{found if is_text else ''}"
    given = stated_values(around)
    compared, missing = _compared(rest, given, around)
    return _missing("path does", missing, given) if missing else TriedClaim(place, None, (*pairs, *compared))


def _equals(stated: StatedValue, found: JsonValue) -> bool:
    """Tell whether a value of a passage is the one at a path, which may leave its unit to the name of its column."""
    if isinstance(found, str):
        whole = stated_values(found)
        if len(whole) == 1 and whole[0].text == found.strip():
            bare = whole[0].kind == "number" and not whole[0].unit
            return same_value(stated, whole[0]) or (bare and _is_amount(stated, whole[0].value))
        return False
    return not isinstance(found, bool) and _is_amount(stated, found)


def _is_amount(stated: StatedValue, found: object) -> bool:
    if stated.high is not None or stated.kind in {"version", "timestamp", "quotation"}:
        return False
    if stated.kind == "percentage" and isinstance(found, int | float) and isinstance(stated.value, int | float):
        return found in {stated.value, stated.value / 100}
    if stated.kind == "duration" and isinstance(found, int | float):
        return written_numbers(stated) == (Decimal(str(found)),)
    return stated.text == str(found) if isinstance(stated.value, str) else stated.value == found


def _is_same_json(one: JsonValue, other: JsonValue) -> bool:
    if isinstance(one, bool) or isinstance(other, bool) or one is None or other is None:
        return one is other
    if isinstance(one, int | float) and isinstance(other, str):
        whole = stated_values(other)
        return len(whole) == 1 and whole[0].text == other.strip() and whole[0].value == one
    if isinstance(one, str) and isinstance(other, str):
        return composed(one).split() == composed(other).split()
    return type(one) in {int, float} and type(other) in {int, float} and one == other


def _compared(
    values: Iterable[StatedValue], given: Sequence[StatedValue], words: str
) -> tuple[tuple[Pair, ...], list[StatedValue]]:
    """Return the values with what they equal among those given, and those that equal none."""
    pairs, missing = list[Pair](), list[StatedValue]()
    text = SearchedText(words)
    for each in values:
        same = next((other.text for other in given if same_value(each, other)), None)
        if same is None and each.kind == "quotation" and text.says(str(each.value)):
            same = str(each.value)
        if same is None:
            missing.append(each)
        else:
            pairs.append((each.text, same))
    return tuple(pairs), missing


def _missing(what: str, missing: Sequence[StatedValue], given: Sequence[StatedValue]) -> ClaimRefusal:
    texts = tuple(each.text for each in missing)
    near = nearest_value(missing[0], given)
    hint = f"; the nearest value is {shown(near.text)}" if near is not None else ""
    return ClaimRefusal("values_missing", f"The {what} not state {_listed(texts)}{hint}.", texts)


def _departs(text: SearchedText, quote: str) -> str:
    words = text.departure(quote)
    # Letters of two scripts that look alike are told apart by their escapes.
    mixed = len(_ALIKE & {name(sign, "").partition(" ")[0] for sign in words}) > 1
    return f"; it departs at {ascii(words) if mixed else shown(words)}"


def _listed(texts: Sequence[str]) -> str:
    return ", ".join(map(shown, texts))


def _written(value: JsonValue) -> str:
    return value if isinstance(value, str) else str(value)


def _is_long_enough(words: str) -> bool:
    return sum(map(str.isalnum, words)) >= _SHORTEST
