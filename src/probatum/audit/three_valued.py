"""What an event predicate is worth: true, false, or unknown with the reasons why, in Kleene's three values.

Whatever is missing, of another kind, in another unit or only known within a range that leaves both answers open is
unknown, never false. More that becomes known never turns true into false or back. A condition that says nothing about
the evidence is called vacuous, so that no verdict rests on it; none is called so for being large.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise, product
from math import prod
from typing import Final, Protocol

from probatum.audit.canonical import instant_text
from probatum.audit.claims import BOOLEAN, DURATION, NUMERIC, TEXT, TIMESTAMP, VERSION
from probatum.audit.event_terms import (
    Atom,
    Compared,
    Condition,
    EventPredicate,
    FieldRef,
    Junction,
    Operand,
    SourceQuorum,
    SpecName,
    Value,
    atoms_of,
    operand_text,
    operands_of,
)
from probatum.audit.measures import normalised, span_of
from probatum.core.outside import SHOWN, visible
from probatum.readers.values import whole_value

MOST_REASONS: Final = 8
SIDES: Final[Mapping[str, Set[int]]] = {"<": {-1}, "<=": {-1, 0}, ">": {1}, ">=": {0, 1}, "==": {0}, "!=": {-1, 1}}
"""By operator: where the left operand stands if it holds, below (-1), at (0) or above (1) the right one."""

_MOST_WORK: Final = 20_000
"""Comparisons that are looked at before a condition is left open."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_TURNED: Final = str.maketrans("<>", "><")
_Place = tuple[Fraction, str, int]
"""Of a number or time, or else of a text; and whether below (-1), at (0) or above (1) it."""
_RELEASE: Final = re.compile(r"([0-9]+(?:\.[0-9]+)*?)(?:\.0)*(|\.?[^0-9.].*)")


class EvidenceValues(Protocol):
    """What is known about the names of a predicate."""

    def value(self, field: FieldRef) -> Value | None:
        """Return the value that all sources agree on, None where there is none."""

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        """Return each source's own value; None for a source that counts although its value is not known."""

    def bound(self, name: str) -> Value | None:
        """Return what the specification binds to one of `SPEC_NAMES`, None where it binds nothing."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The worth of a predicate: true, false, or None for unknown, and why, in at most `MOST_REASONS` sentences."""

    value: bool | None
    reasons: tuple[str, ...] = ()


Quorums = dict[SourceQuorum, Evaluation]


def evaluate(predicate: EventPredicate, environment: EvidenceValues, quorums: Quorums | None = None) -> Evaluation:
    """Return what a predicate is worth where the environment tells what is known; raises nothing for any value.

    ``quorums`` keeps what quorums are worth, for environments that differ only in what all sources agree on.
    """
    return _worth(predicate.condition, environment, environment.value, {} if quorums is None else quorums)


def _worth(
    condition: Condition,
    environment: EvidenceValues,
    value: Callable[[FieldRef], Value | None],
    quorums: Quorums,
) -> Evaluation:
    def known(operand: Operand) -> Value | None:
        if isinstance(operand, FieldRef):
            return value(operand)
        return environment.bound(operand.name) if isinstance(operand, SpecName) else operand

    def judged(atom: Atom) -> Evaluation:
        if isinstance(atom, SourceQuorum):
            if atom not in quorums:
                quorums[atom] = _by_sources(atom, environment)
            return quorums[atom]
        return _compared(atom, known(atom.left), known(atom.right))

    return combined(condition, judged)


def combined(condition: Condition, judged: Callable[[Atom], Evaluation]) -> Evaluation:
    """Return what a condition is worth, given what its comparisons and quorums are worth."""
    if not isinstance(condition, Junction):
        return judged(condition)
    results = [combined(each, judged) for each in condition.conditions]
    values = {each.value for each in results}
    if condition.word == "not":
        return results[0] if None in values else Evaluation(False in values)
    decisive = condition.word == "or"
    if decisive in values or None not in values:
        return Evaluation(decisive is (decisive in values))
    return _unknown(reason for each in results for reason in each.reasons)


def _unknown(reasons: Iterable[str]) -> Evaluation:
    return Evaluation(None, tuple(dict.fromkeys(reasons))[:MOST_REASONS])


def _shown(operand: Operand) -> str:
    return visible(operand_text(operand), SHOWN)


def _by_sources(quorum: SourceQuorum, environment: EvidenceValues) -> Evaluation:
    fields = {each for each in operands_of(quorum.condition) if isinstance(each, FieldRef)}
    told = {field: environment.by_source(field) for field in fields}
    sources = sorted({source for values in told.values() for source in values})
    results = [
        _worth(quorum.condition, environment, {field: values.get(source) for field, values in told.items()}.get, {})
        for source in sources
    ]
    holding = sum(each.value is True for each in results)
    unknown = sum(each.value is None for each in results)
    if holding >= quorum.count:
        return Evaluation(True)
    # A source that has not answered may still hold: fewer sources than wanted refute nothing.
    if len(sources) >= quorum.count > holding + unknown:
        return Evaluation(False)
    counted = f"{visible(quorum.text, SHOWN)}: {holding} of {len(sources)} sources hold it, {unknown} unknown"
    return _unknown([counted, *(reason for each in results for reason in each.reasons)])


def _compared(atom: Compared, left: Value | None, right: Value | None) -> Evaluation:
    if left is None or right is None:
        missing = [operand for operand, value in ((atom.left, left), (atom.right, right)) if value is None]
        return _unknown(f"{_shown(each)} has no known value" for each in missing)
    sides, wanted = _sides(left, right), SIDES[atom.operator]
    if sides and (sides <= wanted or not sides & wanted):
        return Evaluation(sides <= wanted)
    told = "what is known leaves both answers open" if sides else f"{_shown(left)} and {_shown(right)} do not compare"
    return _unknown([f"{_shown(atom.left)} {atom.operator} {_shown(atom.right)}: {told}"])


def _sides(left: Value, right: Value) -> set[int]:
    """Return where the left value may stand, below (-1), at (0) or above (1) the right one; nothing if that is none."""
    kinds = {left.kind, right.kind}
    if kinds in ({BOOLEAN}, {TEXT}):
        return {0} if normalised(str(left.value)) == normalised(str(right.value)) else {-1, 1}
    if VERSION in kinds and kinds <= {VERSION, TEXT}:
        one, other = _release(left), _release(right)
        if one is None or other is None:
            return set()
        # How two releases with the same numbers are ordered is not known.
        is_open = one[0] == other[0] and one[1] != other[1]
        return {-1, 0, 1} if is_open else {(one > other) - (one < other)}
    # A length of time and a bare number do not compare: who knows what is counted.
    is_counted = kinds <= {NUMERIC, DURATION} and left.unit and right.unit
    if kinds not in ({TIMESTAMP}, {NUMERIC}) and not is_counted:
        return set()
    ends = [(each.value, each.value if each.high is None else each.high) for each in (left, right)]
    if kinds == {TIMESTAMP} and {len(str(end)) for pair in ends for end in pair} in ({7}, {10}):
        # Between days, a day counts as one point, and a month between months.
        ends = [(f"{f'{low}-01'[:10]}T00:00:00Z", f"{f'{high}-01'[:10]}T00:00:00Z") for low, high in ends]
    unit = left.unit or right.unit
    spans = [span_of(each.kind, pair, each.unit, unit) for each, pair in zip((left, right), ends, strict=True)]
    if spans[0] is None or spans[1] is None:
        return set()
    (low, high), (other_low, other_high) = spans[0], spans[1]
    may_be = {-1: low < other_high, 0: low <= other_high and other_low <= high, 1: high > other_low}
    return {side for side, is_possible in may_be.items() if is_possible}


def _release(value: Value) -> tuple[list[int], str] | None:
    """Return the numbers of a version, without zeros at the end, and what follows them."""
    read = whole_value(str(value.value), "version")
    found = _RELEASE.fullmatch(str(read.value)) if read else None
    return ([int(number) for number in found[1].split(".")], found[2]) if found else None


def is_vacuous(condition: Condition) -> bool:
    """Return whether a condition has one answer wherever its fields stand, or compares what no evidence changes."""
    atoms = [*atoms_of(condition)]
    inner = [each for atom in atoms if isinstance(atom, SourceQuorum) for each in atoms_of(atom.condition)]
    if any(isinstance(each, Compared) and _is_settled(each) for each in (*atoms, *inner)):
        return True
    if 3 * len(atoms) ** 2 > _MOST_WORK:
        return False
    questions = [*_questions(atoms)]
    if prod(map(len, questions)) * len(atoms) > _MOST_WORK:
        return False
    return len({_answer(condition, ChainMap(*answers)) for answers in product(*questions)}) == 1


def has_one_answer(predicate: EventPredicate, bound: Mapping[str, Value]) -> bool:
    """Return whether a predicate of one field is true, or is false, wherever that field stands; not if it is large."""
    operands = [
        bound.get(each.name) if isinstance(each, SpecName) else each for each in operands_of(predicate.condition)
    ]
    samples = dict.fromkeys(_samples([*dict.fromkeys(each for each in operands if isinstance(each, Value))]))
    if len(predicate.fields) != 1 or len(samples) * len(operands) > 2 * _MOST_WORK:
        return False

    def worth(sample: Value) -> bool | None:
        def known(operand: Operand) -> Value | None:
            if isinstance(operand, FieldRef):
                return sample
            return bound.get(operand.name) if isinstance(operand, SpecName) else operand

        def judged(atom: Atom) -> Evaluation:
            # Whatever number of sources is asked for, all may say the same.
            if isinstance(atom, SourceQuorum):
                return combined(atom.condition, judged)
            return _compared(atom, known(atom.left), known(atom.right))

        return combined(predicate.condition, judged).value

    return {worth(each) for each in samples} in ({True}, {False})


def _samples(marks: list[Value]) -> Iterator[Value]:
    """Yield values at, beside and between these, where a condition that has them may change its answer."""
    yield from marks
    for kind, unit in dict.fromkeys((each.kind, each.unit) for each in marks):
        alike = [each for each in marks if each.kind == kind or {each.kind, kind} == {NUMERIC, DURATION}]
        if kind == BOOLEAN:
            yield from (Value(BOOLEAN, True), Value(BOOLEAN, False))
        elif kind == VERSION:
            releases = [".".join(map(str, found[0])) for each in alike if (found := _release(each)) is not None]
            yield from (Value(VERSION, text) for each in ("0.0", *releases) for text in (each, f"{each}.0.0.1"))
        elif kind == TEXT:
            yield Value(TEXT, " ".join(["none of", *(str(each.value) for each in alike)]))
        else:
            spans = [span_of(each.kind, [each.value] * 2, each.unit, unit) for each in alike]
            ends = sorted({end for span in spans if span is not None for end in span})
            step = 86_400 if kind == TIMESTAMP else 1
            beside = [end + each for end in (*ends[:1], *ends[-1:]) for each in (-step, step)]
            between = [low + (high - low) / 4 for low, high in pairwise(ends)]
            yield from (_at(kind, unit, each) for each in (*ends, *beside, *between))


def _at(kind: str, unit: str, place: Fraction) -> Value:
    if kind == TIMESTAMP:
        return Value(TIMESTAMP, instant_text(_EPOCH + timedelta(microseconds=int(place * 1_000_000))))
    is_whole = place.denominator == 1 or abs(place) > 2**53
    return Value(kind, int(place) if is_whole else float(place), None, unit)


def _is_settled(atom: Compared) -> bool:
    return atom.left == atom.right or not any(isinstance(each, FieldRef) for each in (atom.left, atom.right))


def _answer(condition: Condition, told: Mapping[Atom, bool]) -> bool | None:
    return combined(condition, lambda atom: Evaluation(told[atom])).value


def _questions(atoms: list[Atom]) -> Iterator[list[dict[Atom, bool]]]:
    """Yield all answers to the atoms that are about the same, for each thing that they are about."""
    about: dict[tuple[object, ...], list[tuple[Atom, str, _Place]]] = {}
    for atom in dict.fromkeys(atoms):
        if isinstance(atom, SourceQuorum):
            yield [{atom: False}, {atom: True}]
        else:
            turned = _field_first(atom)
            about.setdefault(_about(turned), []).append((atom, turned.operator, _place(turned.right)))
    for key, members in about.items():
        marks = dict.fromkeys(mark for _, _, mark in members)
        # A truth value is one of both; anything else may also stand just below or just above.
        beside = (0,) if key[1] == BOOLEAN and len(marks) == 2 else (-1, 0, 1)
        places = [(number, text, each) for number, text, _ in marks for each in beside]
        yield [{atom: (at > mark) - (at < mark) in SIDES[word] for atom, word, mark in members} for at in places]


def _field_first(atom: Compared) -> Compared:
    """Return a comparison with a field on the left, of two the first by name."""
    first = min(atom.left, atom.right, key=lambda each: (not isinstance(each, FieldRef), operand_text(each)))
    return atom if first == atom.left else Compared(atom.right, atom.operator.translate(_TURNED), atom.left)


def _about(atom: Compared) -> tuple[object, ...]:
    """Return what two comparisons share if one field decides both of them."""
    match atom.right:
        case Value(kind, _, _, unit) if kind != VERSION and (kind != TEXT or atom.operator in {"==", "!="}):
            return atom.left, kind, unit
    return atom.left, atom.right


def _place(operand: Operand) -> _Place:
    if not isinstance(operand, Value):
        return Fraction(), "", 0
    span = span_of(operand.kind, [operand.value] * 2, operand.unit, operand.unit)
    return (span[0], "", 0) if span else (Fraction(), normalised(str(operand.value)), 0)
