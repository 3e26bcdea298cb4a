"""The event of a question as a predicate, with what its names stand for.

It is ``extra["predicate"]`` of the prompt, else the event definition. Refuses to guess: prose is a problem, and so is a
threshold that cannot be read or that the predicate contradicts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from probatum.audit.canonical import instant_text
from probatum.audit.claims import DURATION, NUMERIC, TIMESTAMP
from probatum.audit.declarations import declared_for
from probatum.audit.event_terms import (
    Compared,
    Condition,
    EventPredicate,
    Junction,
    Operand,
    SourceQuorum,
    Value,
)
from probatum.audit.json_paths import without_indices
from probatum.audit.predicates import PredicateError, parse_predicate, value_in
from probatum.audit.schemas import PromptSpec
from probatum.audit.three_valued import has_one_answer
from probatum.audit.units import exact

_HINT: Final = "Write one as event_definition or extra.predicate, such as price > 100000: docs/reference/audit.md."


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
        return MarketEvent(None, (f"The event is not a predicate: {error}. {_HINT}",), bound, ids)
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
    owned = [each.name for each in predicate.fields if event.owner_of(each.name)]
    if owned:
        declared = [field for each in spec.data_requirements for field in declared_for(spec, each).reads]
        twofold = {without_indices(each.name) for each in declared}
        for name in owned:
            if without_indices(name) in twofold:
                yield f"{name[:60]!r} may be a field, or a field of the requirement {event.owner_of(name)[:60]!r}."


def _predicate(spec: PromptSpec) -> EventPredicate:
    stated = spec.extra.get("predicate")
    if stated is not None:
        return parse_predicate(stated if isinstance(stated, str) else repr(stated))
    return parse_predicate(spec.market.event_definition)


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
