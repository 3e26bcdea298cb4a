"""Limits that annotations state: ``Literal["a", "b"]``, ``Annotated[int, Gt(0)]``, ``Annotated[str, Field(...)]``.

A type alias of the file is followed, a container speaks of each of its elements, ``None`` as an alternative stays
allowed. Refuses markers that it does not know; what an annotation says beyond them is left to the shapes of inputs.
"""

from __future__ import annotations

import ast

from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.literals import value_of
from probatum.programs.parsing.scanning import word_set
from probatum.programs.requirements.code_conditions import CodeFacts
from probatum.readings.syntax import NotReadableError, expression_or_none

_COMPARED = {
    **dict.fromkeys(("Gt", "gt", "exclusiveMinimum"), ">"),
    **dict.fromkeys(("Ge", "ge"), ">="),
    **dict.fromkeys(("Lt", "lt"), "<"),
    **dict.fromkeys(("Le", "le"), "<="),
}
_SIZED = {**dict.fromkeys(("MinLen", "min_length"), ">="), **dict.fromkeys(("MaxLen", "max_length"), "<=")}
_NAMED_TYPES = {
    f"{sign}{kind}": bound
    for sign, bound in (("Positive", "> 0"), ("NonNegative", ">= 0"), ("Negative", "< 0"), ("NonPositive", "<= 0"))
    for kind in ("Int", "Float")
}
_CALLED_TYPES = word_set("Field Interval Len conint confloat constr conlist conset condecimal StringConstraints")
_ELEMENTWISE = word_set("list List set Set frozenset FrozenSet Sequence Iterable Collection deque")
_METHODS = word_set("islower isupper isdigit isascii isalpha isalnum")
_DEPTH = 6


def limits_of(annotation: str, subject: str, facts: CodeFacts) -> list[str]:
    """Return the conditions that an annotation puts on a value, over the expression ``subject``."""
    return _limits(ast.Constant(annotation), subject, facts, _DEPTH + 1)


def _limits(node: ast.expr, subject: str, facts: CodeFacts, depth: int) -> list[str]:
    if depth == 0:
        return []
    match node:
        case ast.Constant(value=str() as text):
            inner = expression_or_none(text)
            return [] if inner is None else _limits(inner, subject, facts, depth - 1)
        case ast.Name(id=name) if name in facts.aliases:
            return _limits(facts.aliases[name], subject, facts, depth - 1)
        case ast.Name() | ast.Attribute() if last_name(node) in _NAMED_TYPES:
            return [f"{subject} {_NAMED_TYPES[last_name(node)]}"]
        case ast.Subscript(value=owner, slice=index):
            return _subscripted(last_name(owner), index, subject, facts, depth)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return _alternatives([left, right], subject, facts, depth)
        case _:
            return _marker(node, subject, facts)


def _subscripted(owner: str, index: ast.expr, subject: str, facts: CodeFacts, depth: int) -> list[str]:
    items = index.elts if isinstance(index, ast.Tuple) else [index]
    if owner == "Literal":
        listed = ", ".join(ast.unparse(item) for item in items)
        is_plain = all(isinstance(item, ast.Constant | ast.UnaryOp) for item in items)
        return [f"{subject} in ({listed},)"] if is_plain else []
    if owner == "Annotated" and items:
        inner = _limits(items[0], subject, facts, depth - 1)
        return inner + [limit for item in items[1:] for limit in _marker(item, subject, facts)]
    if owner == "Optional":
        return _alternatives([*items, ast.Constant(None)], subject, facts, depth)
    if owner == "Union":
        return _alternatives(items, subject, facts, depth)
    is_tuple = owner in {"tuple", "Tuple"} and len(items) == 2 and isinstance(items[1], ast.Constant)
    if is_tuple or (owner in _ELEMENTWISE and len(items) == 1):
        return [f"all({limit} for each_ in {subject})" for limit in _limits(items[0], "each_", facts, depth - 1)]
    return []


def _alternatives(items: list[ast.expr], subject: str, facts: CodeFacts, depth: int) -> list[str]:
    """Read a type that may also be None; other alternatives leave open which limits hold."""
    others = [item for item in items if not (isinstance(item, ast.Constant) and item.value is None)]
    if len(others) != 1 or len(items) != 2:
        return []
    return [f"{subject} is None or {limit}" for limit in _limits(others[0], subject, facts, depth - 1)]


def _marker(node: ast.expr, subject: str, facts: CodeFacts) -> list[str]:
    """Read one marker of ``Annotated``: ``Gt(0)``, ``Field(ge=1, le=9)``, ``MinLen(1)``, ``Predicate(str.islower)``."""
    if not isinstance(node, ast.Call):
        return []
    name = last_name(node.func)
    arguments = [_written(each, facts) for each in node.args]
    named = {each.arg or "": _written(each.value, facts) for each in node.keywords}
    if name in _COMPARED or name in _SIZED or name == "MultipleOf":
        return _one(name, next((each for each in (*arguments, *named.values()) if each), ""), subject)
    if name == "Len":
        named |= dict(zip(("min_length", "max_length"), arguments, strict=False))
    if name in _CALLED_TYPES:
        return [limit for key, value in named.items() for limit in _one(key, value, subject)]
    if name == "Predicate" and node.args and isinstance(node.args[0], ast.Attribute) and node.args[0].attr in _METHODS:
        return [f"{subject}.{node.args[0].attr}()"]
    return []


def _one(name: str, value: str, subject: str) -> list[str]:
    if not value or value == "None":
        return []
    if name in _COMPARED:
        return [f"{subject} {_COMPARED[name]} {value}"]
    if name in _SIZED:
        return [f"len({subject}) {_SIZED[name]} {value}"]
    return [f"{subject} % {value} == 0"] if name in {"MultipleOf", "multiple_of"} else []


def _written(node: ast.expr, facts: CodeFacts) -> str:
    """Return a number as text, a constant of the file included; empty for anything else."""
    try:
        value = value_of(facts.constants.get(node.id, node) if isinstance(node, ast.Name) else node)
    except NotReadableError:
        return ""
    return repr(value) if isinstance(value, int | float) or value is None else ""
