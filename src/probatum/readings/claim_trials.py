"""Tries one reading mechanically: quotes are where they are said to be, values are the same, what is formal holds.

Refuses with a code and the values that are concerned. What passes is grounded: whether the words that are cited mean
the passage is nothing that a machine decides here, so that stays the reader's word.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final
from unicodedata import name

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError, ProbatumError, nearest
from probatum.core.frozen import thaw
from probatum.core.shape import Shape, shown
from probatum.readings.claims import ClaimReading, Steps, cited_from
from probatum.readings.formal import (
    PROVED,
    REFUTED,
    UNDECIDED,
    ClaimProof,
    Prove,
    numbers_of,
    unbroken,
    used,
    used_otherwise,
)
from probatum.readings.paths import CitableSource, NoSuchPathError, node_at, value_at, words_of_path
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

    def __init__(self, output: str, sources: Sequence[CitableSource], prove: Prove, of: str = "output") -> None:
        """Keep the text that passages are of, and what it is called."""
        self._output = SearchedText(output)
        self._of = of
        self._sources = {each.id: each for each in sources}
        self._texts: dict[str, SearchedText] = {}
        self._prove = prove

    def tried(self, claim: ClaimReading, occurrence: int = 0) -> TriedClaim | ClaimRefusal:
        """Return what came of a claim; ``occurrence`` says which of several places its passage is at, from 0."""
        if any(map(hides_something, (claim.passage, claim.quote, claim.statement, claim.criterion))):
            detail = "The reading holds invisible signs beside a digit, or signs that reorder it."
            return ClaimRefusal("hidden_characters", detail)
        places = self._output.places(claim.passage, occurrence + 1)
        if not places:
            departs = _departs(self._output, claim.passage)
            return ClaimRefusal(f"passage_not_in_{self._of}", f"The {self._of} does not have the passage{departs}.")
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
        if claim.criterion:
            return self._criterion(claim, place)
        source = self._source(claim.source) if claim.source else None
        if isinstance(source, ClaimRefusal):
            return source
        if source is not None and claim.path is not None:
            return _at_path(claim, source, place, values)
        cited = self._cited(claim.quote, source) if source is not None else None
        if isinstance(cited, ClaimRefusal):
            return cited
        given = cited.values if cited is not None else ()
        if claim.engine:
            return self._formal(claim, place, values, cited, given)
        compared, missing = _compared(values, given, claim.quote)
        return _missing("quote does", missing, given) if missing else TriedClaim(place, cited, compared)

    def _source(self, id_: str) -> CitableSource | ClaimRefusal:
        if found := self._sources.get(id_):
            return found
        return ClaimRefusal("no_such_source", f"There is no source {shown(id_)}. {nearest(id_, self._sources)}".strip())

    def _criterion(self, claim: ClaimReading, place: QuotePlace) -> TriedClaim | ClaimRefusal:
        formal, numbers = claim.criterion, numbers_of(claim.criterion)
        uses = {each: used(each, formal, numbers, place.values) for each in place.values}
        if missing := [each for each, found in uses.items() if found is None]:
            return _missing("criterion does", missing, ())
        proof = self._proved(claim.check, formal, {"passage": claim.passage})
        if isinstance(proof, ClaimRefusal):
            return proof
        if proof.outcome == UNDECIDED:
            return ClaimRefusal("criterion_undecided", proof.detail)
        if proof.altered is not None and proof.outcome == PROVED:
            if REFUTED not in proof.altered:
                return ClaimRefusal("criterion_says_nothing", "No altered output fails the criterion.")
            if PROVED not in proof.altered:
                return ClaimRefusal("criterion_repeats_output", "It holds for this output alone.")
        own = {number for found in uses.values() for number in found or ()}
        added = tuple(dict.fromkeys(formal[each.start : each.end] for each in numbers if each not in own))
        return TriedClaim(place, None, tuple((each.text, formal) for each in uses), added, proof)

    def _inputs(self, claim: ClaimReading) -> dict[str, JsonValue] | ClaimRefusal:
        """Return what the engine of a claim is given, from where it is cited."""
        found: dict[str, JsonValue] = {}
        for key, value in Shape(thaw(claim.given)).raw_object().items():
            given = list[JsonValue]()
            for each in value if isinstance(value, list) else [value]:
                made = each if isinstance(each, str) else self._input(*cited_from(Shape(each, key)))
                if isinstance(made, ClaimRefusal):
                    return made
                given.append(made)
            found[key] = given if isinstance(value, list) else given[0]
        return found

    def _input(self, id_: str, quote: str, path: Steps | None) -> JsonValue | ClaimRefusal:
        source = self._source(id_)
        if isinstance(source, ClaimRefusal):
            return source
        if path is not None:
            try:
                return node_at(source, path)
            except NoSuchPathError as error:
                return ClaimRefusal("no_such_path", str(error))
        cited = self._cited(quote, source) if quote else None
        if cited is None or isinstance(cited, ClaimRefusal):
            return source.text if cited is None else cited
        return source.text[cited.start : cited.end]

    def _cited(self, quote: str, source: CitableSource) -> CitedWords | ClaimRefusal:
        if source.id not in self._texts:
            self._texts[source.id] = SearchedText(source.text, source.cells)
        text = self._texts[source.id]
        places = text.places(quote)
        if not places:
            detail = f"The source {shown(source.id)} does not have the quote{_departs(text, quote)}."
            return ClaimRefusal("quote_not_in_source", detail)
        place = places[0]
        if place.cuts:
            return ClaimRefusal("quote_cuts_value", f"The quote cuts {shown(place.cuts)}.", (place.cuts,))
        if not _is_long_enough(quote) and not place.values:
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
        inputs = self._inputs(claim)
        if isinstance(inputs, ClaimRefusal):
            return inputs
        proof = self._proved(claim.engine, statement, inputs)
        if isinstance(proof, ClaimRefusal):
            return proof
        if proof.outcome != PROVED:
            return ClaimRefusal("claim_refuted" if proof.outcome == REFUTED else "claim_undecided", proof.detail)

        def again(altered: str) -> ClaimProof:
            told = self._proved(claim.engine, altered, inputs)
            return ClaimProof(UNDECIDED, told.detail) if isinstance(told, ClaimRefusal) else told

        groups = [(value, found) for value, found in uses.items() if found]
        if idle := tuple(each.text for each in unbroken(statement, groups, again)):
            return ClaimRefusal("claim_says_nothing", f"The statement holds with any value for {_listed(idle)}.", idle)
        compared = (*((each.text, statement) for each, found in uses.items() if found is not None), *quoted)
        if cited is None and (otherwise := tuple(map(str, used_otherwise(numbers, uses)))):
            detail = f"The statement uses {_listed(otherwise)} more or less often than the passage."
            return ClaimRefusal("claim_adds_values", detail, otherwise)
        return TriedClaim(place, cited, compared, added, proof)

    def _proved(self, engine: str, statement: str, given: Mapping[str, JsonValue]) -> ClaimProof | ClaimRefusal:
        try:
            return self._prove(engine, statement, given)
        except ProbatumError as error:
            code = "claim_undecided" if isinstance(error, BudgetError) else "claim_not_read"
            return ClaimRefusal(code, f"{error.sentence} {error.hint}".strip())


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
