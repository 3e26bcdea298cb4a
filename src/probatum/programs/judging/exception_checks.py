"""Documented exceptions, made into checks: which calls say whether an exception comes where it is promised.

Refuses to judge by a call that nothing settles: two exceptions are due on it, it gives another documented exception or
a documented fixed result, or an argument is of a kind that is not specified.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence

from probatum.programs.judging.claims import StatedClauses, StatedException, planned_claim
from probatum.programs.parsing.annotations import accepts, name_of, parse_annotation
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.running.checks import DirectCall, PlannedCheck
from probatum.programs.running.predicates import Predicates, predicate_of
from probatum.programs.specification import FunctionSpec, Parameter
from probatum.readings.syntax import NotReadableError
from probatum.sandbox import Raised, Reply, Returned

_NAME = re.compile(r"[A-Z]\w*")
_OF_KIND = frozenset({"isinstance", "type", "callable", "hasattr"})


def raises_checks(
    stated: StatedClauses, calls: Sequence[DirectCall], usual: Sequence[DirectCall], *, most: int
) -> tuple[PlannedCheck, ...]:
    """Plan checks of every documented exception whose condition was read, on at most ``most`` calls that meet it.

    Left out are calls that two exceptions are due on, and arguments of a kind that neither a ``usual`` call has nor the
    condition is about.
    """
    checks: list[PlannedCheck] = []
    kinds = _kinds_of(stated, usual)
    counts: dict[str, int] = {}
    readable = [each for each in stated.raises if each.applies is not None]
    for call in calls:
        values = stated.values(call)
        if values is None or not readable or not call.is_plain:
            continue
        due = [each for each in readable if each.applies and stated.predicates.truth(each.applies, values) is True]
        if len({each.clause.type_name for each in due}) != 1 or counts.get(due[0].clause.id, 0) >= most:
            continue
        if not _is_specified(due[0], stated, values, kinds):
            continue
        clause = due[0].clause
        counts[clause.id] = counts.get(clause.id, 0) + 1
        checks.append(planned_claim(clause, str(counts[clause.id]), call))
    return tuple(checks)


def _is_specified(
    due: StatedException, stated: StatedClauses, values: Mapping[str, object], kinds: Mapping[str, frozenset[str]]
) -> bool:
    for parameter in stated.parameters:
        if parameter.name not in values:
            continue
        value = values[parameter.name]
        accepted = _accepted(parameter, value)
        if accepted is not False and _kind(value) <= kinds.get(parameter.name, frozenset()):
            continue
        if due.applies is None or parameter.name not in due.applies.parameters:
            return False
        if accepted is not True and not _is_due_for_kind(due, parameter.name, values, stated.predicates):
            return False
    return True


def _accepted(parameter: Parameter, value: object) -> bool | None:
    # The default is always accepted; None where no annotation tells.
    node = None if parameter.annotation is None else parse_annotation(parameter.annotation)
    if parameter.annotation is None or node is None or name_of(node) in {"Any", "object"}:
        return None
    if _is_default(parameter, value):
        return None
    held: Iterable[object] = [value]
    if parameter.kind == "var_positional" and isinstance(value, tuple):
        held = value
    elif parameter.kind == "var_keyword" and isinstance(value, dict):
        held = value.values()
    answers = {accepts(parameter.annotation, each) for each in held}
    return False if False in answers else None if None in answers else True


def _is_default(parameter: Parameter, value: object) -> bool:
    try:
        default = None if parameter.default is None else [read_value(parameter.default)]
    except NotReadableError:
        return False
    return default is not None and type(default[0]) is type(value) and default[0] == value


def _is_due_for_kind(due: StatedException, name: str, values: Mapping[str, object], predicates: Predicates) -> bool:
    # Only what the condition says of the kind or the presence of the argument counts.
    if due.applies is None or due.clause.condition is None:
        return False
    condition = ast.parse(due.clause.condition.strip(), mode="eval").body
    parts = condition.values if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.Or) else [condition]
    alone = [ast.unparse(part) for part in parts if name in names_in(part) and name not in _valued(part)]
    kind = predicate_of(" or ".join(f"({part})" for part in alone), values, due.applies.functions) if alone else None
    return kind is not None and predicates.truth(kind, values) is True


def _valued(node: ast.AST) -> frozenset[str]:
    # A condition may need only the kind of a name, or whether it is there.
    if isinstance(node, ast.Name):
        return frozenset({node.id})
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _OF_KIND:
        return frozenset()
    if isinstance(node, ast.Compare) and all(isinstance(each, ast.Is | ast.IsNot) for each in node.ops):
        return frozenset()
    if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp):
        needed = _valued(node.elt).union(*(_valued(part) for each in node.generators for part in each.ifs))
        for each in reversed(node.generators):
            if names_in(each.target) & needed:
                needed |= _valued(each.iter)
        return needed
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return frozenset().union(*(_valued(each) for each in [*node.args, *node.keywords]))
    return frozenset().union(*(_valued(each) for each in ast.iter_child_nodes(node)))


def _kinds_of(stated: StatedClauses, calls: Sequence[DirectCall]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for call in calls:
        for name, value in (stated.values(call) or {}).items():
            found[name] = found.get(name, frozenset()) | _kind(value)
    return found


def _kind(value: object) -> frozenset[str]:
    held: Iterable[object] = ()
    if isinstance(value, list | tuple | set | frozenset):
        held = value
    elif isinstance(value, dict):
        held = (*value, *value.values())
    return frozenset({type(value).__name__, *(f"{type(value).__name__} of {type(item).__name__}" for item in held)})


def named_exceptions(function: FunctionSpec) -> frozenset[str]:
    """Return what the documentation may name exceptions by, whether or not it was read when they come."""
    announced = (each.type_name.rpartition(".")[2] for each in function.raises)
    named = frozenset(announced).union(_NAME.findall(f"{function.document}\n{function.further}"))
    # Every exception is one of these: a document that mentions them names none.
    return named - {"Exception", "BaseException"}


def is_another_exception(function: FunctionSpec, reply: Reply, due: str) -> bool:
    """True when a call raised something that is documented but not ``due``: no document says which comes first."""
    if not isinstance(reply, Raised):
        return False
    names = {name.rpartition(".")[2] for name in (reply.type_name, *reply.bases)}
    # Where "Exception" itself is raised and announced, it is one of those that are due.
    announced = {each.type_name.rpartition(".")[2] for each in function.raises} & {reply.type_name.rpartition(".")[2]}
    return bool(names & ((named_exceptions(function) | announced) - {due.rpartition(".")[2]}))


def may_be_a_fixed_result(function: FunctionSpec, reply: Reply) -> bool:
    """True when a call gave a value that the documentation gives for some calls: "…, or None if it is missing"."""
    if not isinstance(reply, Returned):
        return False
    is_empty = isinstance(reply.value, str | list | tuple | dict | set) and not reply.value
    value = rf"{re.escape(value_text(reply.value))}(?!\.?\w){'|(?:an? )?empty' if is_empty else ''}"
    words = " ".join(f"{function.document}\n{function.further}".replace("`", "").split())
    # "Returns True if …" says what is asked, not what comes instead of an answer.
    before = "or|else" if isinstance(reply.value, bool) else "or|and|returns?|gives?|else|is"
    return re.search(rf"(?:\b(?:{before})|;) (?:{value})", words, re.IGNORECASE) is not None
