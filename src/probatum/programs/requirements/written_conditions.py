"""Conditions that a document writes in Python, or nearly (``10^9``, ``xs.length``), as Python.

Refuses what is about no parameter, and everything but parameters, names of the module and a closed list of constructs.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from probatum.programs.parsing.scanning import word_set
from probatum.readings.syntax import expression_or_none

_FUNCTIONS = word_set(
    "len sum min max abs all any sorted set list tuple dict str int float bool isinstance range zip enumerate round "
    "reversed map ord chr divmod pow type frozenset bytes complex"
)
_NODES = (
    *(ast.BoolOp, ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.IfExp, ast.Constant, ast.Attribute),
    *(ast.Subscript, ast.Slice, ast.Name, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.GeneratorExp, ast.ListComp),
    *(ast.SetComp, ast.DictComp, ast.comprehension, ast.keyword, ast.Starred, ast.expr_context, ast.boolop),
    *(ast.operator, ast.unaryop, ast.cmpop),
)
_CONDITION_CALLS = word_set("all any isinstance bool")
_CONDITION_METHODS = word_set(
    "isdigit isalpha isalnum islower isupper isspace istitle isidentifier isnumeric isdecimal isascii startswith "
    "endswith issubset issuperset isdisjoint is_integer"
)
_METHODS = _CONDITION_METHODS | word_set("lower upper strip lstrip rstrip split count index find get keys values items")
_LENGTH = re.compile(r"\b([^\W\d]\w*)\.(?:length|size|len)\b(?!\()")
_POWER = re.compile(r"(?<=\d)\^(?=\d)")
_INDEXED = re.compile(r"\b([^\W\d]\w*)\[([ij])\]")


@dataclass(frozen=True, slots=True)
class Scope:
    """What a condition in a document can refer to."""

    parameters: tuple[str, ...]
    known: frozenset[str] = frozenset()
    """Names of the module that a condition may call."""


def python_condition(text: str, scope: Scope) -> str | None:
    """Return a condition that a document writes in Python, or None; ``xs[i] > 0`` speaks of all elements."""
    written = text.strip().rstrip(".;,")
    for sign, meant in (("≤", "<="), ("≥", ">="), ("≠", "!="), ("−", "-")):
        written = written.replace(sign, meant)
    written = _POWER.sub("**", written)
    if "^" in written:
        # A power to one author, Python's own operator to another.
        return None
    written = _LENGTH.sub(r"len(\1)", written)
    elements = {(match.group(1), match.group(2)) for match in _INDEXED.finditer(written)}
    if elements and not {index for _, index in elements} & set(scope.parameters):
        return _of_elements(written, elements, scope)
    return _checked(written, scope)


def _of_elements(written: str, elements: set[tuple[str, str]], scope: Scope) -> str | None:
    """Read ``0 <= xs[i] <= 9``, which speaks of every element."""
    if len(elements) != 1:
        return None
    [(name, _)] = elements
    inner = _checked(_INDEXED.sub("each_", written), Scope((*scope.parameters, "each_"), known=scope.known))
    if inner is None or name not in scope.parameters:
        return None
    # What does not speak of an element holds for an empty list as well.
    node = ast.parse(inner, mode="eval").body
    parts = node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]
    texts = [f"({ast.unparse(part)})" for part in parts]
    return " and ".join(f"all({text[1:-1]} for each_ in {name})" if "each_" in text else text for text in texts)


def _checked(written: str, scope: Scope) -> str | None:
    node = expression_or_none(written)
    if node is None or not _is_condition(node) or not _is_understood(node, scope):
        return None
    for part in ast.walk(node):
        if isinstance(part, ast.Compare):
            part.ops = [_by_value(op, other) for op, other in zip(part.ops, part.comparators, strict=True)]
    return ast.unparse(node)


def _by_value(op: ast.cmpop, other: ast.expr) -> ast.cmpop:
    """``x is 0`` in a document means that it equals 0."""
    if isinstance(other, ast.Constant) and not isinstance(other.value, bool | None):
        return ast.Eq() if isinstance(op, ast.Is) else ast.NotEq() if isinstance(op, ast.IsNot) else op
    return op


def _is_condition(node: ast.expr) -> bool:
    match node:
        case ast.Compare(left=left, comparators=others):
            return any(not isinstance(side, ast.Constant) for side in (left, *others))
        case ast.BoolOp(values=values):
            return all(_is_condition(value) for value in values)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return _is_condition(operand) or isinstance(operand, ast.Name)
        case ast.Call(func=ast.Name(id=name)):
            return name in _CONDITION_CALLS
        case ast.Call(func=ast.Attribute(attr=name)):
            return name in _CONDITION_METHODS
        case _:
            return False


def _is_understood(node: ast.expr, scope: Scope) -> bool:
    """True when only plain constructs, parameters and known names occur, and at least one parameter."""
    used: set[str] = set()
    bound: set[str] = set()
    for part in ast.walk(node):
        if not isinstance(part, _NODES):
            return False
        if isinstance(part, ast.Name):
            (used if isinstance(part.ctx, ast.Load) else bound).add(part.id)
        if isinstance(part, ast.Attribute) and part.attr not in _METHODS:
            return False
    free = used - bound
    return bool(free & set(scope.parameters)) and free <= {*scope.parameters, *_FUNCTIONS, *scope.known}
