"""Comparisons that a document writes, made in the judge: the program is asked for each side and never sees the other.

Refuses to compare anything but plain data: what an object of the program is equal to, it alone can say.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from probatum.core.tagged import NotPlainDataError, tagged
from probatum.programs.parsing.literals import value_of
from probatum.programs.source import expression_of
from probatum.readings.syntax import NotReadableError
from probatum.sandbox import Declared, Derived, NotPlain, Reply, Returned, plain

_OPERATORS: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda left, right: left in right,
    ast.NotIn: lambda left, right: left not in right,
}


def is_comparison(tree: ast.expr) -> bool:
    """Tell whether an expression is a comparison, or a chain of them, that the judge can make."""
    return isinstance(tree, ast.Compare) and all(type(each) in _OPERATORS for each in tree.ops)


def compared(expression: str, evaluate: Callable[[str], Reply]) -> Reply:
    """Return whether a comparison holds, as Python would say of plain values; ``evaluate`` asks the program.

    Of what it declares, the program says it, and the fields have to agree.
    """
    tree = expression_of(expression)
    assert isinstance(tree, ast.Compare)
    sides: list[object] = []
    output = ""
    for node in (tree.left, *tree.comparators):
        reply = _side(node, evaluate)
        if not isinstance(reply, Returned):
            return reply
        sides.append(reply.value)
        output += reply.output
    if all(isinstance(side, Declared) for side in sides) and isinstance(tree.ops[0], ast.Eq | ast.NotEq):
        said = evaluate(expression)
        agrees = isinstance(said, Returned) and said.value is _OPERATORS[type(tree.ops[0])](*sides[:2])
        return said if agrees and len(sides) == 2 else Returned(NotPlain("comparison"), output=output)
    met: list[Derived] = []
    contents = plain(sides, met)
    try:
        tagged(contents)
        pairs = zip(tree.ops, contents, contents[1:], strict=False)
        holds = all(_OPERATORS[type(each)](left, right) for each, left, right in pairs)
    except (NotPlainDataError, TypeError):
        return Returned(NotPlain("comparison"), output=output)
    # Content that is equal is enough; of all else, a class with a word of its own may say otherwise.
    is_equal = len(sides) == 2 and isinstance(tree.ops[0], ast.Eq | ast.NotEq) and contents[0] == contents[1]
    is_open = any(each.reads or (each.speaks and not is_equal) for each in met)
    return Returned(NotPlain("comparison") if is_open else holds, output=output)


def _side(node: ast.expr, evaluate: Callable[[str], Reply]) -> Reply:
    try:
        return Returned(value_of(node))
    except NotReadableError:
        return evaluate(ast.unparse(node))
