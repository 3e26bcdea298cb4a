"""The event of a question as a predicate, with what its names stand for.

It is ``extra["predicate"]`` of the prompt, else the event definition, else an operator word of the prediction
semantics with their threshold (``price above``, ``100k``). Refuses to guess: prose is a problem that is told, and so is
a threshold that cannot be read or that the predicate contradicts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Final

from probatum.audit.canonical import instant_text
from probatum.audit.claims import DURATION, NUMERIC, TIMESTAMP, exact
from probatum.audit.declarations import declared_for
from probatum.audit.event_terms import EventPredicate, Value
from probatum.audit.predicates import PredicateError, parse_predicate, value_in
from probatum.audit.schemas import PromptSpec

_OPERATORS: Final[Mapping[str, str]] = {
    **dict.fromkeys((">", "above", "over", "exceeds", "exceed", "greater than", "more than"), ">"),
    **dict.fromkeys((">=", "at least"), ">="),
    **dict.fromkeys(("<", "below", "under", "less than"), "<"),
    **dict.fromkeys(("<=", "at most"), "<="),
    **dict.fromkeys(("==", "=", "equals", "equal to"), "=="),
}
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
    problems = list(_problems(predicate, semantics.threshold, threshold))
    return MarketEvent(predicate, tuple(problems), bound, ids)


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
        worded = _WORDED.fullmatch(spec.prediction_semantics.predicate.strip())
        field = (worded and worded["field"]) or _only_field(spec)
        if worded is None or not field or spec.prediction_semantics.threshold is None:
            raise
        operator = _OPERATORS[re.sub(r"[\s_]+", " ", worded["operator"].lower())]
        return parse_predicate(f"{field} {operator} threshold")


def _only_field(spec: PromptSpec) -> str:
    """Return the one field that is declared, where there is one."""
    declared = [declared_for(spec, each) for each in spec.data_requirements]
    names = {field.name for each in declared if not each.are_common for field in each.fields}
    return names.pop() if len(names) == 1 else ""


def _problems(predicate: EventPredicate, stated: str | None, threshold: Value | None) -> list[str]:
    if predicate.is_vacuous:
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

    return one.kind == other.kind and amount(one.value) == amount(other.value)
