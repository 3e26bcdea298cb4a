"""Branches that a single input can be the only one to reach: the empty, the missing, the smallest.

That no generated input reaches ``if not items`` is not a sign of looking examples up. Natural limits are empty
collections and texts, None, truth values and -1 to 2, as values of a parameter that is never bound anew: any other name
could hide a table of examples.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

import libcst

from probatum.programs.faults.syntax import call_name, descendants

Names = frozenset[str]
_LIMITS = frozenset({"-1", "0", "1", "2"})
_LARGEST = 2
_EMPTY_CALLS = frozenset({"list", "tuple", "dict", "set", "str", "frozenset"})
_MIRRORED: dict[type[libcst.CSTNode], type[libcst.CSTNode]] = {
    libcst.LessThan: libcst.GreaterThan,
    libcst.LessThanEqual: libcst.GreaterThanEqual,
    libcst.GreaterThan: libcst.LessThan,
    libcst.GreaterThanEqual: libcst.LessThanEqual,
}


def limit_names(function: libcst.FunctionDef) -> Names:
    """Return the parameters that keep the caller's value throughout the function."""
    params = function.params
    names = {each.name.value for each in (*params.posonly_params, *params.params, *params.kwonly_params)}
    for node in descendants(function.body):
        for bound in _binding_parts(node):
            names -= {inner.value for inner in descendants(bound) if isinstance(inner, libcst.Name)}
    return frozenset(names)


def selects_boundary(test: libcst.BaseExpression, names: Names) -> bool:
    """Tell whether a condition is true for a natural limit only."""
    if isinstance(test, libcst.UnaryOperation) and isinstance(test.operator, libcst.Not):
        return excludes_boundary(test.expression, names)
    if isinstance(test, libcst.BooleanOperation):
        return _joined(test, libcst.And, selects_boundary, names)
    return _compares(test, names, equal=(libcst.Equal, libcst.Is), below=(libcst.LessThan, libcst.LessThanEqual))


def excludes_boundary(test: libcst.BaseExpression, names: Names) -> bool:
    """Tell whether a condition is false for a natural limit only."""
    if _is_parameter(test, names) or _measures(test, names):
        return True
    if isinstance(test, libcst.UnaryOperation) and isinstance(test.operator, libcst.Not):
        return selects_boundary(test.expression, names)
    if isinstance(test, libcst.BooleanOperation):
        return _joined(test, libcst.Or, excludes_boundary, names)
    return _compares(
        test, names, equal=(libcst.NotEqual, libcst.IsNot), below=(libcst.GreaterThan, libcst.GreaterThanEqual)
    )


def _joined(
    test: libcst.BooleanOperation,
    one_suffices: type[libcst.BaseBooleanOp],
    is_limit: Callable[[libcst.BaseExpression, Names], bool],
    names: Names,
) -> bool:
    """Tell whether two conditions together are for a limit; one of them is not enough beside a documented constant."""
    sides = (test.left, test.right)
    limits = [is_limit(side, names) for side in sides]
    if not isinstance(test.operator, one_suffices):
        return all(limits)
    return any(limits) and all(limit or not _names_a_constant(side) for side, limit in zip(sides, limits, strict=True))


def _names_a_constant(node: libcst.BaseExpression) -> bool:
    held = (each for each in descendants(node) if isinstance(each, libcst.BaseNumber | libcst.BaseString))
    return any(not _is_limit(each) and not _is_empty(each) for each in held)


def serves_boundary(node: libcst.CSTNode, ancestors: tuple[libcst.CSTNode, ...], names: Names) -> bool:
    """Tell whether a node lies in the condition or in the body of a branch for a natural limit."""
    inner = node
    for around in reversed(ancestors):
        if isinstance(around, libcst.If | libcst.IfExp):
            if selects_boundary(around.test, names) and inner in (around.test, around.body):
                return True
            if excludes_boundary(around.test, names) and inner is around.orelse:
                return True
        elif isinstance(around, libcst.BooleanOperation) and inner is around.right and not reaches_right(around, names):
            return True
        inner = around
    return False


def reaches_right(node: libcst.BooleanOperation, names: Names) -> bool:
    """Tell whether inputs other than a natural limit evaluate the right side."""
    is_limit = selects_boundary if isinstance(node.operator, libcst.And) else excludes_boundary
    return not is_limit(node.left, names)


def _compares(
    test: libcst.BaseExpression,
    names: Names,
    *,
    equal: tuple[type[libcst.CSTNode], ...],
    below: tuple[type[libcst.CSTNode], ...],
) -> bool:
    if not isinstance(test, libcst.Comparison) or len(test.comparisons) != 1:
        return False
    operator: type[libcst.CSTNode] = type(test.comparisons[0].operator)
    left, right = test.left, test.comparisons[0].comparator
    if not _is_limit(right) and not _is_empty(right):
        left, right = right, left
        operator = _MIRRORED.get(operator, operator)
    if operator in equal:
        if _measures(left, names):
            return _text(right) == "0"
        return _is_parameter(left, names) and (_is_limit(right) or _is_empty(right))
    if operator not in below or not _is_limit(right):
        return False
    strictly = libcst.LessThan if libcst.LessThan in below else libcst.GreaterThanEqual
    first_beyond = int(_text(right)) + (operator is not strictly)
    if _measures(left, names):
        return first_beyond <= 1
    return _is_parameter(left, names) and first_beyond <= _LARGEST


def _binding_parts(node: libcst.CSTNode) -> tuple[libcst.CSTNode, ...]:
    if isinstance(node, libcst.AssignTarget | libcst.AnnAssign | libcst.AugAssign | libcst.NamedExpr | libcst.Del):
        return (node.target,)
    if isinstance(node, libcst.For | libcst.CompFor):
        return (node.target,)
    if isinstance(node, libcst.AsName):
        return (node.name,)
    if isinstance(node, libcst.FunctionDef | libcst.Lambda):
        parameters = node.params
        return tuple(each.name for each in (*parameters.posonly_params, *parameters.params, *parameters.kwonly_params))
    return (node,) if isinstance(node, libcst.MatchAs | libcst.Nonlocal) else ()


def _is_parameter(node: libcst.BaseExpression, names: Names) -> bool:
    return isinstance(node, libcst.Name) and node.value in names


def _measures(node: libcst.BaseExpression, names: Names) -> bool:
    return (
        call_name(node) == "len"
        and isinstance(node, libcst.Call)
        and all(_is_parameter(arg.value, names) for arg in node.args)
    )


def _is_limit(node: libcst.BaseExpression) -> bool:
    return _text(node) in _LIMITS


def _is_empty(node: libcst.BaseExpression) -> bool:
    if isinstance(node, libcst.Name):
        return node.value in {"None", "True", "False"}
    if isinstance(node, libcst.List | libcst.Tuple | libcst.Dict):
        return not node.elements
    if isinstance(node, libcst.SimpleString):
        return not ast.literal_eval(node.value)
    return isinstance(node, libcst.Call) and not node.args and call_name(node) in _EMPTY_CALLS


def _text(node: libcst.BaseExpression) -> str:
    if isinstance(node, libcst.Integer):
        return node.value
    if isinstance(node, libcst.UnaryOperation) and isinstance(node.operator, libcst.Minus):
        return "-" + _text(node.expression)
    return ""
