"""Rational matrices: read as rows of exact numbers, added, multiplied and turned.

What is long is done with whole numbers, the entries times one common denominator. Refuses what is ragged, empty, or no
number, and what is too large for its budget.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from operator import mul
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.numbers.expressions import Collection, Name, Node, read_expression
from probatum.exact.numbers.rational import NotRationalError, evaluate

MAX_SIDE: Final = 40
SYNTAX: Final = "linear.syntax"
_NOT_FINITE: Final = frozenset({"nan", "inf", "infinity", "oo"})
_HINT: Final = "Write [[1, 2], [3, 4]]."
Matrix = tuple[tuple[Fraction, ...], ...]
Whole = list[list[int]]


def read_matrix(value: object, place: str, *, is_column: bool = False) -> Matrix:
    """Return the rows of a matrix, or a list of numbers as a column, from JSON or text.

    Raises NotAttemptedError for what is none, BudgetError for what is too large.
    """
    given = _items(read_expression(value, SYNTAX), place) if isinstance(value, str) else value
    if not isinstance(given, list):
        raise NotAttemptedError(SYNTAX, f"The {place} is a list.", _HINT)
    rows = matrix_of([row if isinstance(row, list) else [row] if is_column else None for row in given], place)
    if is_column and len(rows[0]) != 1:
        raise NotAttemptedError(SYNTAX, f"The {place} is a list of numbers.", "Write [1, 2].")
    return rows


def matrix_of(given: list[list[object] | None], place: str) -> Matrix:
    """Return rows of numbers as a matrix; raises as `read_matrix`."""
    if not given or any(row == [] for row in given):
        raise NotAttemptedError("linear.empty", f"The {place} is empty.")
    if max(len(given), *(len(row or ()) for row in given)) > MAX_SIDE:
        raise BudgetError("engine.too_large", f"The {place} has at most {MAX_SIDE} rows and columns.")
    rows = tuple(tuple(_entry(each, place) for each in row or ()) for row in given)
    if not all(rows):
        raise NotAttemptedError(SYNTAX, f"Each row of the {place} is a list.", _HINT)
    if len({len(row) for row in rows}) > 1:
        raise NotAttemptedError("linear.ragged", f"The rows of the {place} have unlike lengths.")
    return rows


def _items(node: Node, place: str) -> object:
    """Return nested lists of exact numbers."""
    if isinstance(node, Collection) and node.bracket == "[":
        return [_items(each, place) for each in node.items]
    if isinstance(node, Name) and node.name.lower() in _NOT_FINITE:
        raise NotAttemptedError("engine.non_finite", f"The {place} holds {node.name!r}, which is no number.")
    try:
        amount = evaluate(node)
    except NotRationalError as error:
        sentence = f"The {place} holds {str(error)[:40]!r} at position {node.start}, which is no rational number."
        raise NotAttemptedError("linear.not_rational", sentence) from error
    if amount.power:
        raise NotAttemptedError("linear.not_rational", f"The {place} holds an amount of {amount.currency}.")
    return amount.value


def _entry(value: object, place: str) -> Fraction:
    if isinstance(value, str):
        value = _items(read_expression(value, SYNTAX), place)
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        kind = "a list" if isinstance(value, list) else type(value).__name__
        raise NotAttemptedError("linear.not_rational", f"The {place} holds {kind} where a number is due.")
    return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)


def bits_of(rows: Matrix) -> int:
    """Return about how many bits an entry has over the common denominator; raises BudgetError for too many of that."""
    common = 1
    for row in rows:
        for each in row:
            common = lcm(common, each.denominator)
            if common.bit_length() > 20_000:
                raise BudgetError("engine.out_of_budget", "The entries have no common denominator of a bearable size.")
    return 4 + common.bit_length() + max(each.numerator.bit_length() for row in rows for each in row)


def require_square(rows: Matrix) -> Matrix:
    """Return a matrix that is square; raises NotAttemptedError for another."""
    if len(rows) != len(rows[0]):
        raise NotAttemptedError("linear.not_square", f"The matrix has {len(rows)} rows and {len(rows[0])} columns.")
    return rows


def whole(rows: Matrix) -> tuple[Whole, int]:
    """Return the rows times their common denominator, and that."""
    common = lcm(*(each.denominator for row in rows for each in row))
    return [[each.numerator * (common // each.denominator) for each in row] for row in rows], common


def identity(size: int) -> Matrix:
    """Return the identity."""
    return tuple(tuple(Fraction(row == at) for at in range(size)) for row in range(size))


def transposed(rows: Matrix) -> Matrix:
    """Return the columns as rows."""
    return tuple(zip(*rows, strict=True))


def beside(left: Matrix, right: Matrix) -> Matrix:
    """Return the rows of two matrices, those of the second negated behind those of the first."""
    return tuple((*row, *(-each for each in more)) for row, more in zip(left, right, strict=True))


def added(left: Matrix, right: Matrix, factor: Fraction) -> Matrix:
    """Return the first of two matrices of one shape with a multiple of the second added."""
    lines = (zip(row, more, strict=True) for row, more in zip(left, right, strict=True))
    return tuple(tuple(one + factor * two for one, two in line) for line in lines)


def scaled(rows: Matrix, factor: Fraction) -> Matrix:
    """Return a multiple of a matrix."""
    return tuple(tuple(factor * each for each in row) for row in rows)


def product(left: Matrix, right: Matrix) -> Matrix:
    """Return a product of matrices that fit."""
    (above, under), (other, below) = whole(left), whole(right)
    return tuple(tuple(Fraction(each, under * below) for each in row) for row in times(above, other))


def times(left: Whole, right: Whole) -> Whole:
    """Return a product of matrices of whole numbers."""
    columns = list(zip(*right, strict=True))
    return [[sum(map(mul, row, column)) for column in columns] for row in left]
