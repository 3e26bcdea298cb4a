"""The event of a question as a predicate, with what its names stand for.

It is ``extra["predicate"]`` of the prompt, else the event definition, else an operator word of the prediction
semantics with their threshold (``price above``, ``100k``). Refuses to guess: prose is a problem that is told, and so is
a threshold that cannot be read or that the predicate contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from probatum.audit.canonical import instant_text
from probatum.audit.claims import DURATION, NUMERIC, TIMESTAMP, exact
from probatum.audit.declarations import declared_for
from probatum.audit.event_terms import (
    Compared,
    Condition,
    EventPredicate,
    FieldRef,
    Junction,
    Operand,
    SourceQuorum,
    Value,
)
from probatum.audit.json_paths import without_indices
from probatum.audit.predicates import PredicateError, parse_predicate, value_in
from probatum.audit.schemas import PromptSpec
from probatum.audit.three_valued import has_one_answer

_OPERATORS: Final[Mapping[str, str]] = {
    **dict.fromkeys((">", "above", "over", "exceeds", "exceed", "greater than", "more than"), ">"),
    **dict.fromkeys((">=", "at least"), ">="),
    **dict.fromkeys(("<", "below", "under", "less than"), "<"),
    **dict.fromkeys(("<=", "at most"), "<="),
    **dict.fromkeys(("==", "=", "equals", "equal to"), "=="),
}
_TURNED: Final = str.maketrans("<>", "><")
_OF_LANGUAGE: Final = re.compile(r"[<>=]")
_WORDS: Final = "|".join(re.escape(word).replace(r"\ ", r"[\s_]") for word in sorted(_OPERATORS, key=len, reverse=True))
_WORDED: Final = re.compile(rf"(?:(?P<field>[A-Za-z_][\w.]*)[\s_]+(?:is[\s_]+)?)?(?P<operator>{_WORDS})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class MarketEvent:
    """What has to be established."""

    predicate: EventPredicate | None
    problems: tuple[str, ...]
    """Why it cannot be established, one sentence each."""
    bound: Mapping[str, Value]
    """What names of the language stand for here."""
    requirement_ids: Set[str]

    def local_name(self, name: str) -> str:
        """Return the name of a field without the requirement that it may begin with."""
        owner = self.owner_of(name)
        return name[len(owner) + 1 :] if owner else name

    def owner_of(self, name: str) -> str:
        """Return the id of the requirement that a name begins with, if any."""
        begun = (name[:at] for at, sign in enumerate(name) if sign == ".")
        return next((each for each in begun if each in self.requirement_ids), "")


def event_of(spec: PromptSpec) -> MarketEvent:
    """Return the event that a question is about."""
    market, semantics = spec.market, spec.prediction_semantics
    bound = {
        "window.start": Value(TIMESTAMP, instant_text(market.resolution_window.start)),
        "window.end": Value(TIMESTAMP, instant_text(market.resolution_window.end)),
        "deadline": Value(TIMESTAMP, instant_text(market.resolution_deadline)),
    }
    threshold = None if semantics.threshold is None else value_in(semantics.threshold)
    if threshold is not None:
        bound["threshold"] = threshold
    ids = frozenset(each.requirement_id for each in spec.data_requirements)
    try:
        predicate = _predicate(spec)
    except PredicateError as error:
        return MarketEvent(None, (f"The event is no predicate: {error}",), bound, ids)
    if threshold is not None and threshold.unit:
        predicate = replace(predicate, condition=_counted(predicate.condition, threshold))
    event = MarketEvent(predicate, (), bound, ids)
    problems = [*_problems(predicate, semantics.threshold, threshold, bound), *_contradictions(spec, event, predicate)]
    return replace(event, problems=tuple(problems))


def _counted(condition: Condition, threshold: Value) -> Condition:
    """Return a condition in which numbers that are the threshold are counted in its unit."""
    match condition:
        case Junction(word, parts):
            return Junction(word, tuple(_counted(each, threshold) for each in parts))
        case SourceQuorum():
            return replace(condition, condition=_counted(condition.condition, threshold))  # type: ignore[arg-type]  # no quorum in it

    def counted(operand: Operand) -> Operand:
        is_it = isinstance(operand, Value) and not operand.unit and _is_same(operand, threshold)
        return threshold if is_it else operand

    return Compared(counted(condition.left), condition.operator, counted(condition.right))


def _contradictions(spec: PromptSpec, event: MarketEvent, predicate: EventPredicate) -> Iterator[str]:
    """Yield what the question says in two ways, or in a way that can be understood in two."""
    if spec.extra.get("predicate") is not None:
        with suppress(PredicateError):
            if parse_predicate(spec.market.event_definition).text != predicate.text:
                yield "The predicate and the event definition say different things."
    worded = _worded(spec)
    meant = _OPERATORS[_plain(worded["operator"])][0] if worded is not None else ""
    directions = {*_directions(predicate.condition)}
    if len(directions) == 1 and directions == {meant.translate(_TURNED)} - {meant}:
        yield "The event compares in the opposite direction of the prediction semantics."
    owned = [each.name for each in predicate.fields if event.owner_of(each.name)]
    if owned:
        declared = [field for each in spec.data_requirements for field in declared_for(spec, each).fields]
        twofold = {without_indices(each.name) for each in declared}
        for name in owned:
            if without_indices(name) in twofold:
                yield f"{name[:60]!r} may be a field, or a field of the requirement {event.owner_of(name)[:60]!r}."


def _directions(condition: Condition, *, turned: bool = False) -> Iterator[str]:
    """Yield for each order that a condition asks of a field whether it is above, ``>``, or below, ``<``."""
    if isinstance(condition, Junction):
        for each in condition.conditions:
            yield from _directions(each, turned=turned is not (condition.word == "not"))
    elif isinstance(condition, SourceQuorum):
        yield from _directions(condition.condition, turned=turned)
    elif condition.operator[0] in "<>":
        sign = condition.operator[0]
        yield sign if turned is not isinstance(condition.left, FieldRef) else sign.translate(_TURNED)


def _predicate(spec: PromptSpec) -> EventPredicate:
    stated = spec.extra.get("predicate")
    if stated is not None:
        return parse_predicate(stated if isinstance(stated, str) else repr(stated))
    try:
        return parse_predicate(spec.market.event_definition)
    except PredicateError:
        if _OF_LANGUAGE.search(spec.market.event_definition):
            # No prose: a fault in one half of it must not leave the other half alone.
            raise
        worded = _worded(spec)
        field = (worded and worded["field"]) or _only_field(spec)
        if worded is None or not field or spec.prediction_semantics.threshold is None:
            raise
        return parse_predicate(f"{field} {_OPERATORS[_plain(worded['operator'])]} threshold")


def _worded(spec: PromptSpec) -> re.Match[str] | None:
    return _WORDED.fullmatch(spec.prediction_semantics.predicate.strip())


def _plain(operator: str) -> str:
    return re.sub(r"[\s_]+", " ", operator.lower())


def _only_field(spec: PromptSpec) -> str:
    """Return the one field that is declared, where there is one."""
    declared = [declared_for(spec, each) for each in spec.data_requirements]
    names = {field.name for each in declared if not each.are_common for field in each.fields}
    return names.pop() if len(names) == 1 else ""


def _problems(
    predicate: EventPredicate, stated: str | None, threshold: Value | None, bound: Mapping[str, Value]
) -> list[str]:
    if predicate.is_vacuous or has_one_answer(predicate, bound):
        return ["The event, or a part of it, does not depend on evidence: it holds, or fails, whatever is found."]
    measured = [
        each for each in predicate.literals if isinstance(each, Value) and each.kind in {NUMERIC, TIMESTAMP, DURATION}
    ]
    uses_threshold = predicate.uses("threshold")
    if stated is None:
        return ["The event compares with a threshold, and none is given."] if uses_threshold else []
    if threshold is None:
        return [f"The threshold {stated[:60]!r} cannot be read."] if measured or uses_threshold else []
    if measured and not uses_threshold and not any(_is_same(each, threshold) for each in measured):
        return [f"The threshold {stated[:60]!r} is none of the values that the event compares with."]
    return []


def _is_same(one: Value, other: Value) -> bool:
    def amount(value: object) -> object:
        return exact(value) if isinstance(value, int | float) else str(value)

    is_one_unit = one.unit == other.unit or not (one.unit and other.unit)
    return is_one_unit and one.kind == other.kind and amount(one.value) == amount(other.value)
