"""Calls that raise where the words of the specification give the result: "return the running maximum", and an error.

A sentence that gives the result outright says also that there is one. A call that raises instead breaks it where
everything else is settled: the words speak of its arguments, these meet every requirement, and what the words give can
be computed for them. Refuses calls whose exception the document mentions, exceptions that the program raises on
purpose, budgets of the interpreter (recursion, memory), arguments that the words do not speak of, and fixed results for
texts whose format the words leave open.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence

from probatum.programs.judging.claims import Stated, StatedProperty, judged_where_due, planned_property
from probatum.programs.reading.annotations import accepts
from probatum.programs.reading.literals import NotReadableError, read_value
from probatum.programs.results.stated import SENTINEL
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck
from probatum.programs.running.predicates import Predicates, bound_values
from probatum.programs.specification import Parameter
from probatum.sandbox import Raised, Reply

__all__ = ["OWED", "deliberate_exceptions", "is_owed", "owed_checks"]

OWED = ".owed"
"""Ends the id of such a check."""
_CRASHES = frozenset({
    "AttributeError", "IndexError", "KeyError", "NameError", "StopIteration", "TypeError", "UnboundLocalError",
    "ValueError", "ZeroDivisionError",
})  # fmt: skip
ANYTHING = "*"


def deliberate_exceptions(tree: ast.Module) -> frozenset[str]:
    """Return the names of the exceptions that a program raises by a statement; `ANYTHING` where one has no name."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            found.add("AssertionError")
        elif isinstance(node, ast.Raise):
            made = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
            found.add(made.id if isinstance(made, ast.Name) else ANYTHING)
    return frozenset(found)


def owed_checks(
    stated: Stated, answered: Sequence[tuple[Action, Reply]], deliberate: frozenset[str], predicates: Predicates
) -> tuple[PlannedCheck, ...]:
    """Plan a check of each property that a call breaks by raising, on the first such call."""
    raising = [
        (action, reply) for action, reply in answered if isinstance(action, DirectCall) and isinstance(reply, Raised)
    ]
    checks: list[PlannedCheck] = []
    for clause in (each for each in stated.properties if each.has_value is not None):
        found = _first_owed(clause, stated, raising, deliberate, predicates)
        checks.extend(found)
    return tuple(checks)


def _first_owed(
    clause: StatedProperty,
    stated: Stated,
    raising: Iterable[tuple[DirectCall, Raised]],
    deliberate: frozenset[str],
    predicates: Predicates,
) -> Iterator[PlannedCheck]:
    for call, reply in raising:
        action = judged_where_due(clause, stated, call, predicates)
        if action is not None and is_owed(clause, stated, call, reply, deliberate, predicates):
            yield planned_property(clause.clause, f"{clause.clause.id}{OWED}", action)
            return


def is_owed(
    clause: StatedProperty,
    stated: Stated,
    call: DirectCall,
    reply: Reply,
    deliberate: frozenset[str],
    predicates: Predicates,
) -> bool:
    """True where the call that gave this reply raised, and the words give the result that it should have had."""
    if not isinstance(reply, Raised) or not _is_crash(reply, stated, deliberate):
        return False
    values = bound_values(stated.parameters, call)
    if values is None or clause.has_value is None or predicates.truth(clause.has_value, values) is not True:
        return False
    return _is_about_all(clause, stated, values) and not (
        clause.clause.form == SENTINEL and _has_open_text(clause, values)
    )


def _is_about_all(clause: StatedProperty, stated: Stated, values: Mapping[str, object]) -> bool:
    """True when no argument that the words do not speak of may be what the call fails of.

    A fixed result is due whatever the other arguments are, as long as they are of the annotated kind.
    """
    spoken = clause.applies.parameters | (clause.has_value.parameters if clause.has_value is not None else frozenset())
    others = [each for each in stated.parameters if each.name in values.keys() - spoken]
    is_fixed = clause.clause.form == SENTINEL
    return all(
        _is_left_out(each, values[each.name])
        or (is_fixed and each.annotation is not None and accepts(each.annotation, values[each.name]) is True)
        for each in others
    )


def _is_left_out(parameter: Parameter, value: object) -> bool:
    if parameter.kind.startswith("var_"):
        return not value
    try:
        return parameter.default is not None and bool(read_value(parameter.default) == value)
    except NotReadableError:
        return False


def _is_crash(reply: Raised, stated: Stated, deliberate: frozenset[str]) -> bool:
    names = {name.rsplit(".", 1)[-1] for name in (reply.type_name, *reply.bases)}
    mentioned = {each.clause.type_name.rsplit(".", 1)[-1] for each in stated.raises}
    return reply.type_name in _CRASHES and not names & mentioned and not deliberate & {*names, ANYTHING}


def _has_open_text(clause: StatedProperty, values: Mapping[str, object]) -> bool:
    """True for an argument with a text that the condition does not require to be empty: its format may be agreed on."""
    return any(
        _holds_text(value) and f"len({name}) == 0" not in clause.clause.condition for name, value in values.items()
    )


def _holds_text(value: object) -> bool:
    if isinstance(value, dict):
        return any(_holds_text(each) for each in (*value, *value.values()))
    if isinstance(value, list | tuple | set | frozenset):
        return any(_holds_text(each) for each in value)
    return isinstance(value, str | bytes)
