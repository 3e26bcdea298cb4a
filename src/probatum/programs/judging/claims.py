"""What a specification states in code about all calls, made into checks: preconditions and properties.

A reading that a documented example contradicts was misread: it is reported and decides nothing. Refuses to judge by an
illegal input, by a call that gives no result, and by a condition without a truth value.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from probatum.programs.record import CheckKind
from probatum.programs.running.binding import bound_values
from probatum.programs.running.checks import Action, DirectCall, JudgedCall, PlannedCheck, pasteable
from probatum.programs.running.predicates import RESULT, Predicate, Predicates, judged, predicate_of
from probatum.programs.specification import (
    Example,
    Expectation,
    FunctionSpec,
    ModuleSpec,
    Origin,
    Parameter,
    Precondition,
    Property,
    RaisesError,
    Unread,
    ValueIs,
)
from probatum.sandbox import Reply, Returned

MOST_MISREAD = 5
MORE_BY_CODE = 2
_NO_VALUE = "it cannot be evaluated"


@dataclass(frozen=True, slots=True)
class Documented:
    """A documented call with plain arguments and what the document shows of its result."""

    call: DirectCall
    expectation: Expectation
    line: int


@dataclass(frozen=True, slots=True)
class StatedProperty:
    """A property with the predicate that it is evaluated by."""

    clause: Property
    holds: Predicate


@dataclass(frozen=True, slots=True)
class StatedClauses:
    """The readings that count, what evaluates them, and sentences about those that do not count."""

    predicates: Predicates
    parameters: tuple[Parameter, ...] = ()
    preconditions: tuple[Predicate, ...] = ()
    properties: tuple[StatedProperty, ...] = ()
    misread: tuple[str, ...] = ()
    not_met: tuple[str, ...] = ()
    """Ids of the preconditions that examples contradict, or that cannot be evaluated."""
    requirements_are_read: bool = True
    """False where a requirement was misread, or two of them contradict each other."""

    def values(self, call: DirectCall) -> Mapping[str, object] | None:
        """Return the value of every parameter in a call, None where the call does not fit."""
        return bound_values(self.parameters, call)

    def meets(self, call: DirectCall) -> bool:
        """True when a call is known to meet every precondition whose values it gives."""
        if not self.preconditions:
            return True
        values = self.values(call)
        return values is not None and all(self.predicates.truth(each, values) is True for each in self.preconditions)

    def legal(self, calls: Sequence[DirectCall]) -> list[DirectCall]:
        """Return the calls that meet every precondition."""
        return [call for call in calls if self.meets(call)]

    def held_against(self, stated: StatedProperty, call: DirectCall) -> JudgedCall | None:
        """Return the call held against a property, None where it cannot be."""
        return judged(stated.holds, self.parameters, call)

    def judged_where_due(self, stated: StatedProperty, call: DirectCall) -> JudgedCall | None:
        """Return the call held against a property, None where the call is illegal."""
        return self.held_against(stated, call) if self.meets(call) else None


def documented_calls(function: FunctionSpec, planned: Sequence[PlannedCheck]) -> tuple[Documented, ...]:
    """Return the documented calls of the function with plain arguments."""
    return tuple(
        Documented(check.action, check.example.expectation, check.example.span.line)
        for check in planned
        if check.kind is CheckKind.EXAMPLE and isinstance(check.action, DirectCall)
        if check.action.target == function.qualname and check.action.is_plain
    )


# Documented calls with the values of their parameters.
_Shown = Sequence[tuple[Documented, Mapping[str, object]]]


def read_stated(
    function: FunctionSpec, module: ModuleSpec, planned: Sequence[PlannedCheck], predicates: Predicates
) -> StatedClauses:
    """Return what the function's specification states, without what the documented examples contradict."""
    parameters = function.taken
    names = [each.name for each in parameters]
    functions = frozenset(spec.qualname for spec in module.functions if spec.kind == "function")
    bound = [(each, bound_values(parameters, each.call)) for each in documented_calls(function, planned)]
    shown = [(each, values) for each, values in bound if values is not None]
    misread: list[str] = []
    not_met: list[str] = []
    requires: list[Predicate] = []
    for clause in function.preconditions:
        predicate = predicate_of(clause.expression, names, functions, function.definitions)
        reason = _NO_VALUE if predicate is None else _why_not_required(predicate, shown, predicates)
        if predicate is None or reason:
            misread.append(_misread(clause, reason))
            not_met.append(clause.id)
        else:
            requires.append(predicate)
    are_read = not misread and not any(each.why is Unread.CONTRADICTED for each in function.unreadable)
    properties: list[StatedProperty] = []
    for stated in function.properties:
        holds = predicate_of(stated.expression, names, functions, function.definitions)
        reason = _NO_VALUE if holds is None else _why_not_stated(holds, shown, predicates)
        if holds is None or reason:
            misread.append(_misread(stated, reason))
        else:
            properties.append(StatedProperty(stated, holds))
    return StatedClauses(
        predicates,
        parameters,
        tuple(requires),
        tuple(properties),
        tuple(misread[:MOST_MISREAD]),
        tuple(not_met),
        are_read,
    )


def _misread(clause: Precondition | Property, reason: str) -> str:
    return f"line {clause.span.line}: {clause.text} (read as {clause.expression}; {reason})"


def _why_not_required(predicate: Predicate, shown: _Shown, predicates: Predicates) -> str:
    for each, values in shown:
        if not isinstance(each.expectation, RaisesError) and predicates.truth(predicate, values) is False:
            return f"the example on line {each.line} does not meet it"
    return ""


def _why_not_stated(holds: Predicate, shown: _Shown, predicates: Predicates) -> str:
    # What calls the program says what the program does; an example cannot contradict that.
    for each, values in () if holds.functions else shown:
        if not isinstance(each.expectation, ValueIs):
            continue
        if predicates.truth(holds, {**values, RESULT: each.expectation.value}) is False:
            return f"the example on line {each.line} does not meet it"
    return ""


def property_checks(
    stated: StatedClauses,
    answered: Sequence[tuple[Action, Reply]],
    *,
    most: int,
    foremost: Collection[str] = (),
) -> tuple[PlannedCheck, ...]:
    """Plan checks of every stated property on at most ``most`` calls, each of which gave a result.

    Small and large calls are among them, and all ``foremost`` ones, given as Python. A condition written in Python is
    held against more: it cannot be misread.
    """
    checks: list[PlannedCheck] = []
    given = [each for each, reply in answered if isinstance(each, DirectCall) and isinstance(reply, Returned)]
    sure = {text: call for call in given if (text := pasteable(call)) in foremost} if foremost else {}
    given = [call for call in given if pasteable(call) not in sure] if sure else given
    stride = max(1, len(given) // max(1, most))
    calls = [*sure.values(), *(call for first in range(stride) for call in given[first::stride])]
    most = max(most, len(sure))
    for each in stated.properties:
        limit = most * MORE_BY_CODE if each.clause.origin is Origin.GROUND_TRUTH else most
        due = (action for call in calls if (action := stated.held_against(each, call)) is not None)
        checks += [
            planned_claim(each.clause, str(number), action) for number, action in enumerate(islice(due, limit), 1)
        ]
    return tuple(checks)


def planned_claim(clause: Property, number: str, action: JudgedCall) -> PlannedCheck:
    """Return the check of a property by one call that is held against it."""
    example = Example(
        id=f"{clause.id}.{number}",
        expression=pasteable(action),
        expectation=ValueIs(True, "True"),
        span=clause.span,
        text=clause.text,
        notation=CheckKind.PROPERTY.value,
        source=clause.source,
        origin=clause.origin,
        confidence=clause.confidence,
    )
    return PlannedCheck(example, action, kind=CheckKind.PROPERTY)
