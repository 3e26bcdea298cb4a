"""What a specification states about all calls, made into checks: preconditions, properties, documented exceptions.

Each reading is first held against the documented examples: one that an example contradicts was misread, is reported
as such and decides nothing. What remains is checked on documented and generated inputs that meet the preconditions.
Refuses to judge by an input outside of the preconditions, by a call that gives no result, and by a condition without a
truth value: none of these is a fault of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from probatum.programs.record import CheckKind
from probatum.programs.running.checks import Action, DirectCall, Judged, PlannedCheck, pasteable
from probatum.programs.running.predicates import RESULT, Predicate, Predicates, bound_values, judged, predicate_of
from probatum.programs.specification import (
    Example,
    Expectation,
    FunctionSpec,
    ModuleSpec,
    Origin,
    Parameter,
    Precondition,
    Property,
    RaisesClaim,
    RaisesError,
    Unread,
    ValueIs,
)
from probatum.sandbox import Reply, Returned

MOST_MISREAD = 5
MORE_BY_CODE = 2


@dataclass(frozen=True, slots=True)
class Documented:
    """A documented call with plain arguments and what the document shows of its result."""

    call: DirectCall
    expectation: Expectation
    line: int


@dataclass(frozen=True, slots=True)
class StatedProperty:
    """A property with the predicates that it is evaluated by."""

    clause: Property
    holds: Predicate
    applies: Predicate


@dataclass(frozen=True, slots=True)
class StatedException:
    """A documented exception; without a predicate where its condition could not be read."""

    clause: RaisesClaim
    applies: Predicate | None


@dataclass(frozen=True, slots=True)
class Stated:
    """The readings that count, and sentences about those that do not."""

    parameters: tuple[Parameter, ...] = ()
    preconditions: tuple[Predicate, ...] = ()
    properties: tuple[StatedProperty, ...] = ()
    raises: tuple[StatedException, ...] = ()
    misread: tuple[str, ...] = ()
    requirements_are_read: bool = True
    """False where a requirement was misread, or two of them contradict each other."""

    @property
    def clauses(self) -> tuple[Property | RaisesClaim, ...]:
        """The clauses that can be checked or that say which exceptions are documented."""
        return (*(each.clause for each in self.properties), *(each.clause for each in self.raises))


def documented_calls(function: FunctionSpec, planned: Sequence[PlannedCheck]) -> tuple[Documented, ...]:
    """Return the documented calls of the function with plain arguments."""
    return tuple(
        Documented(check.action, check.example.expectation, check.example.span.line)
        for check in planned
        if check.kind is CheckKind.EXAMPLE and isinstance(check.action, DirectCall)
        if check.action.target == function.qualname and check.action.is_plain
    )


def read_stated(
    function: FunctionSpec, module: ModuleSpec, documented: Sequence[Documented], predicates: Predicates
) -> Stated:
    """Return what the function's specification states, without what the documented examples contradict."""
    parameters = tuple(each for each in function.parameters if each.name not in {"self", "cls"})
    names = [each.name for each in parameters]
    functions = frozenset(spec.qualname for spec in module.functions if spec.kind == "function")
    misread: list[str] = []
    requires: list[Predicate] = []
    for clause in function.preconditions:
        predicate = predicate_of(clause.expression, names, functions, function.definitions)
        reason = _why_not_required(predicate, documented, parameters, predicates)
        if predicate is None or reason:
            misread.append(_misread(clause, reason))
        else:
            requires.append(predicate)
    are_read = not misread and not any(each.why is Unread.CONTRADICTED for each in function.unreadable)
    properties: list[StatedProperty] = []
    for stated in function.properties:
        holds = predicate_of(stated.expression, names, functions, function.definitions)
        applies = predicate_of(stated.condition, names, functions, function.definitions)
        if holds is None or applies is None:
            misread.append(_misread(stated, "it cannot be evaluated"))
            continue
        candidate = StatedProperty(stated, holds, applies)
        if reason := _why_not_stated(candidate, documented, parameters, predicates):
            misread.append(_misread(stated, reason))
        else:
            properties.append(candidate)
    raises = tuple(_exception(claim, names, functions, documented, parameters, predicates) for claim in function.raises)
    return Stated(parameters, tuple(requires), tuple(properties), raises, tuple(misread[:MOST_MISREAD]), are_read)


def _misread(clause: Precondition | Property, reason: str) -> str:
    return f"line {clause.span.line}: {clause.text} (read as {clause.expression}; {reason or 'it cannot be evaluated'})"


def _why_not_required(
    predicate: Predicate | None,
    documented: Iterable[Documented],
    parameters: Sequence[Parameter],
    predicates: Predicates,
) -> str:
    if predicate is None:
        return "it cannot be evaluated"
    for each in documented:
        values = bound_values(parameters, each.call)
        if values is None or isinstance(each.expectation, RaisesError):
            continue
        if predicates.truth(predicate, values) is False:
            return f"the example on line {each.line} does not meet it"
    return ""


def _why_not_stated(
    candidate: StatedProperty,
    documented: Iterable[Documented],
    parameters: Sequence[Parameter],
    predicates: Predicates,
) -> str:
    if candidate.holds.functions or candidate.applies.functions:
        return ""
    for each in documented:
        values = bound_values(parameters, each.call)
        if values is None or not isinstance(each.expectation, ValueIs):
            continue
        if predicates.truth(candidate.applies, values) is not True:
            continue
        if predicates.truth(candidate.holds, {**values, RESULT: each.expectation.value}) is False:
            return f"the example on line {each.line} does not meet it"
    return ""


def _exception(
    claim: RaisesClaim,
    names: Sequence[str],
    functions: frozenset[str],
    documented: Iterable[Documented],
    parameters: Sequence[Parameter],
    predicates: Predicates,
) -> StatedException:
    """Read one documented exception; a condition that a documented result contradicts does not count as read."""
    applies = None if claim.condition is None else predicate_of(claim.condition, names, functions)
    if applies is None:
        return StatedException(claim, None)
    for each in documented:
        values = bound_values(parameters, each.call)
        if values is None or predicates.truth(applies, values) is not True:
            continue
        if not isinstance(each.expectation, RaisesError):
            return StatedException(claim, None)
    return StatedException(claim, applies)


def meets(stated: Stated, call: DirectCall, predicates: Predicates) -> bool:
    """True when a call is known to meet every precondition whose values it gives."""
    if not stated.preconditions:
        return True
    values = bound_values(stated.parameters, call)
    return values is not None and all(predicates.truth(each, values) is True for each in stated.preconditions)


def property_checks(
    stated: Stated,
    answered: Sequence[tuple[Action, Reply]],
    predicates: Predicates,
    *,
    most: int,
) -> tuple[PlannedCheck, ...]:
    """Plan checks of every stated property on at most ``most`` calls, each of which gave a result.

    The calls are taken from all over those that are given, so that large ones are among them as well as small ones.
    A condition that the author wrote in Python is held against more of them: nothing of it can be misread.
    """
    checks: list[PlannedCheck] = []
    given = _with_result(answered)
    stride = max(1, len(given) // max(1, most))
    calls = [call for first in range(stride) for call in given[first::stride]]
    for each in stated.properties:
        limit = most * MORE_BY_CODE if each.clause.origin is Origin.GROUND_TRUTH else most
        drawn = islice(_judged_calls(each, stated, calls, predicates), limit)
        checks += [
            planned_property(each.clause, f"{each.clause.id}.{number}", action)
            for number, action in enumerate(drawn, 1)
        ]
    return tuple(checks)


def _with_result(answered: Sequence[tuple[Action, Reply]]) -> list[DirectCall]:
    return [action for action, reply in answered if isinstance(action, DirectCall) and isinstance(reply, Returned)]


def _judged_calls(
    clause: StatedProperty, stated: Stated, calls: Sequence[DirectCall], predicates: Predicates
) -> Iterator[Judged]:
    """Yield the calls that a property speaks of, held against it."""
    for call in calls:
        action = judged(clause.holds, stated.parameters, call)
        values = bound_values(stated.parameters, call)
        if action is None or values is None or not _applies(clause, values, predicates):
            continue
        yield action


def _applies(stated: StatedProperty, values: Mapping[str, object], predicates: Predicates) -> bool:
    return stated.clause.condition == "True" or predicates.truth(stated.applies, values) is True


def judged_where_due(clause: StatedProperty, stated: Stated, call: DirectCall, predicates: Predicates) -> Judged | None:
    """Return the call held against a property, None where the property does not speak of the call."""
    values = bound_values(stated.parameters, call)
    if values is None or not meets(stated, call, predicates):
        return None
    return judged(clause.holds, stated.parameters, call) if _applies(clause, values, predicates) else None


def planned_property(clause: Property, check_id: str, action: Judged) -> PlannedCheck:
    """Return the check of a property by one call that is held against it."""
    example = Example(
        id=check_id,
        expression=pasteable(action),
        expectation=ValueIs(True, "True"),
        span=clause.span,
        text=clause.text,
        notation=clause.form,
        source=clause.source,
        origin=clause.origin,
        confidence=clause.confidence,
    )
    return PlannedCheck(example, action, kind=CheckKind.PROPERTY)
