"""Formulas: comparisons and calls in the syntax of Python expressions, joined by ``and``, ``or`` and ``not``.

Python's own parser reads them, so that there is one notation for every engine that speaks of values: ``width == 64``,
``distance('A', 'D') <= 3``, ``weekday(date(2024, 1, 31)) == 'Wednesday'``. Nothing is evaluated here but numbers and
truth. Refuses every other part of the language, numbers with more digits than Python keeps, and long or deep text.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.numbers.expressions import TESTS

MAX_TEXT: Final = 2_000
_MAX_DEPTH: Final = 60
RELATIONS: Final = {ast.Eq: "=", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
_JOINS: Final = (ast.And, ast.Or, ast.Not)
_SUMS: Final = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.USub)
_PARTS: Final = (
    *(ast.BoolOp, ast.UnaryOp, ast.BinOp, ast.Compare, ast.Call, ast.Name, ast.Constant, ast.Load),
    *(*RELATIONS, *_JOINS, *_SUMS),
)


def read_formula(text: str, code: str) -> ast.expr:
    """Return the tree of a formula.

    Args:
        text: the whole of it is one formula.
        code: the code of the error for what is none.

    Raises NotAttemptedError for what is no formula, BudgetError for one that is too long or too deep.
    """
    if len(text) > MAX_TEXT:
        raise BudgetError("engine.too_large", f"A formula has at most {MAX_TEXT:,} characters.")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError) as error:
        raise NotAttemptedError(code, "The statement is not a formula, such as Python reads.") from error
    except (RecursionError, MemoryError) as error:
        raise BudgetError("engine.too_large", "The formula is nested too deep.") from error
    level: list[ast.AST] = [tree]
    for _ in range(_MAX_DEPTH):
        for node in level:
            _require_part(node, text.strip(), code)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise BudgetError("engine.too_large", f"A formula has at most {_MAX_DEPTH} levels.")
    return tree


def _require_part(node: ast.AST, text: str, code: str) -> None:
    is_odd_call = isinstance(node, ast.Call) and (bool(node.keywords) or not isinstance(node.func, ast.Name))
    if not isinstance(node, _PARTS) or is_odd_call:
        raise NotAttemptedError(code, f"{_shown(node)} is not part of a formula.")
    if isinstance(node, ast.Constant):
        if not isinstance(node.value, (bool, int, float, str)):
            raise NotAttemptedError(code, f"{_shown(node)} is not a number or a text.")
        written = (ast.get_source_segment(text, node) or "").replace("_", "")
        if isinstance(node.value, float) and Fraction(written) != Fraction(repr(node.value)):
            raise NotAttemptedError(code, f"The number {written[:40]} has more digits than are kept.")


def _shown(node: ast.AST) -> str:
    return repr(ast.unparse(node)[:60] or type(node).__name__)


def holds(node: ast.expr, fact: Callable[[ast.expr], bool | None]) -> bool | None:
    """Return whether a formula holds; None where a fact that matters is not known (Kleene's strong logic, 1938).

    Every fact is asked for, also where another one already decides.
    """
    match node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            found = holds(operand, fact)
            return None if found is None else not found
        case ast.BoolOp(op=op, values=values):
            known = [holds(each, fact) for each in values]
            decisive = isinstance(op, ast.Or)
            return decisive if decisive in known else None if None in known else not decisive
        case _:
            return fact(node)


def compared(node: ast.Compare, value: Callable[[ast.expr], object]) -> bool | None:
    """Return whether a chain of comparisons holds of the values of its sides; None where one has none.

    Raises TypeError for values of unlike types, for an order of texts, and where nothing but constants is compared.
    """
    if all(constant(each) is not None for each in (node.left, *node.comparators)):
        raise TypeError(f"{ast.unparse(node)[:80]!r} compares constants alone")
    sides = [value(each) for each in (node.left, *node.comparators)]
    if None in sides:
        return None
    relations = [RELATIONS[type(each)] for each in node.ops]
    is_number = all(isinstance(each, Fraction) for each in sides)
    if len({type(each) for each in sides}) > 1 or not (is_number or set(relations) <= {"=", "!="}):
        raise TypeError(f"{ast.unparse(node)[:80]!r} compares what has no such relation")
    pairs = zip(relations, pairwise(sides), strict=True)
    return all(TESTS[sign](one, two) for sign, (one, two) in pairs)  # type: ignore[arg-type]  # of one type


def constant(node: ast.expr) -> Fraction | str | bool | None:
    """Return the value of a number, a quotient or a text; None for anything else."""
    match node:
        case ast.Constant(value=bool() | str() as value):
            return value
        case ast.Constant(value=int() | float() as value):
            return Fraction(repr(value))
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant() as operand):
            found = constant(operand)
            return -found if isinstance(found, Fraction) else None
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            above, below = constant(left), constant(right)
            return above / below if isinstance(above, Fraction) and isinstance(below, Fraction) and below else None
        case _:
            return None


def called(node: ast.expr) -> tuple[str, tuple[Fraction | str | bool, ...]] | None:
    """Return the name of a call of constants, or of a plain name, with its arguments; None for anything else."""
    match node:
        case ast.Name(id=name):
            return name, ()
        case ast.Call(func=ast.Name(id=name), args=args):
            found = tuple(each for each in map(constant, args) if each is not None)
            return (name, found) if len(found) == len(args) else None
        case _:
            return None
