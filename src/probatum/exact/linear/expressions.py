"""The sides of a relation about matrices: expressions of A, B, the vector b, the identity I, and rows that are written.

A value is a number or a matrix; a list of numbers is a column. Products, inverses, determinants and ranks rest on facts
of a certificate. Refuses shapes that do not fit, and names without a meaning; what has no value is told apart.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import CannotDecideError
from probatum.exact.linear.facts import MatrixFacts
from probatum.exact.linear.matrices import (
    SYNTAX,
    Matrix,
    added,
    beside,
    identity,
    matrix_of,
    require_square,
    scaled,
    transposed,
)
from probatum.exact.linear.surds import BEYOND, rational_of
from probatum.exact.numbers.expressions import Chain, Collection, FunctionCall, Name, Node, Number, Power, Prefixed
from probatum.exact.numbers.rational import bounded

Value = Fraction | Matrix
_MOST_POWER: Final = 64


class HasNoValueError(Exception):
    """A side has no value, such as the inverse of a singular matrix: the constraint and a sentence."""

    def __init__(self, constraint: str, detail: str) -> None:
        super().__init__(detail)
        self.constraint = constraint


@dataclass(frozen=True, slots=True)
class GivenMatrices:
    """What is given with a claim."""

    rows: Matrix
    other: Matrix | None
    vector: Matrix | None

    def named(self, name: str) -> Matrix:
        """Return what a name stands for; raises NotAttemptedError where it is not given."""
        if name == "I":
            return identity(len(require_square(self.rows)))
        found = {"A": self.rows, "B": self.other, "b": self.vector}.get(name)
        if found is None:
            code, lacking = _LACKING.get(name, (SYNTAX, f"{name[:40]!r} has no meaning here; A, B, I and b have one."))
            raise NotAttemptedError(code, lacking)
        return found


_LACKING: Final = {
    "B": ("linear.other", "The statement is about a second matrix, which is given as other."),
    "b": ("linear.vector", "The statement is about a vector, which is given as vector."),
}


def value_of_side(node: Node, given: GivenMatrices, facts: MatrixFacts) -> Value:
    """Return the value of an expression; raises HasNoValueError, and as `rational.evaluate`."""

    def of(inner: Node) -> Value:
        return value_of_side(inner, given, facts)

    match node:
        case Name(name=name) if name not in ("pi", "e", "i"):
            return given.named(name)
        case Collection(bracket="["):
            return matrix_of([[of(each) for each in row] for row in written_rows(node)], "list")
        case Prefixed(sign="+" | "-"):
            return _product(Fraction(-1 if node.sign == "-" else 1), of(node.operand), facts)
        case Chain(operators=operators) if set(operators) <= {"+", "-"}:
            total = of(node.operands[0])
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                total = _sum(total, of(operand), Fraction(1 if sign == "+" else -1), facts)
            return total
        case Chain(operators=operators) if set(operators) <= {"*", "/"}:
            total = of(node.operands[0])
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                other = of(operand)
                total = _product(total, other if sign == "*" else _reciprocal(other), facts)
            return total
        case Power():
            return _power(of(node.base), node, facts)
        case FunctionCall(name=name, arguments=(argument,)) if name.lower() in _FUNCTIONS:
            value = of(argument)
            if isinstance(value, Fraction):
                raise NotAttemptedError(SYNTAX, f"{name} is of a matrix, not of a number.")
            return _FUNCTIONS[name.lower()](value, facts)
        case _:
            return rational_of(node)


def written_rows(node: Collection) -> list[tuple[Node, ...]]:
    """Return the rows of a list as they are written; a number is a row by itself."""
    return [each.items if isinstance(each, Collection) and each.bracket == "[" else (each,) for each in node.items]


def _sum(one: Value, two: Value, factor: Fraction, facts: MatrixFacts) -> Value:
    if isinstance(one, Fraction) and isinstance(two, Fraction):
        return bounded(one + factor * two)
    if isinstance(one, Fraction) or isinstance(two, Fraction):
        raise NotAttemptedError("linear.shapes", "A number is added to a matrix.", "Write for example 2*I.")
    if (len(one), len(one[0])) != (len(two), len(two[0])):
        raise _unfit(one, two)
    facts.spend(one, two)
    return added(one, two, factor)


def _product(one: Value, two: Value, facts: MatrixFacts) -> Value:
    if isinstance(one, Fraction):
        if isinstance(two, Fraction):
            return bounded(one * two)
        one, two = two, one
    if isinstance(two, Fraction):
        facts.spend(one, ((two,),))
        return scaled(one, two)
    if len(one[0]) != len(two):
        raise _unfit(one, two)
    return facts.product(one, two)


def _unfit(one: Matrix, two: Matrix) -> NotAttemptedError:
    shapes = (f"{len(each)} by {len(each[0])}" for each in (one, two))
    return NotAttemptedError("linear.shapes", f"A matrix of {' and one of '.join(shapes)} do not fit.")


def _reciprocal(value: Value) -> Fraction:
    if not isinstance(value, Fraction):
        raise NotAttemptedError("linear.shapes", "Nothing is divided by a matrix.", "Write for example A^-1.")
    if not value:
        raise CannotDecideError("math.undefined", "Something is divided by zero.")
    return 1 / value


def _power(base: Value, node: Power, facts: MatrixFacts) -> Value:
    if isinstance(base, Fraction):
        return rational_of(Power(Number(base, node.start), node.exponent, node.start))
    if node.exponent == Name("T", node.exponent.start):
        return transposed(base)
    exponent = rational_of(node.exponent)
    if exponent.denominator != 1 or not 0 < abs(exponent) <= _MOST_POWER:
        raise CannotDecideError(BEYOND, f"A matrix is raised to whole powers up to {_MOST_POWER}, but not to 0.")
    base = total = require_square(base) if exponent > 0 else _inverse(base, facts)
    for _ in range(abs(exponent.numerator) - 1):
        total = facts.product(total, base)
    return total


def _inverse(rows: Matrix, facts: MatrixFacts) -> Matrix:
    """The reduced kernel of [A | -I] holds the columns of the inverse, where there is one."""
    size = len(require_square(rows))
    kernel = facts.kernel(beside(rows, identity(size)))
    if any(not any(vector[size:]) for vector in kernel):
        raise HasNoValueError("linear.singular", "The matrix is singular, so it has no inverse.")
    return transposed(tuple(vector[:size] for vector in kernel))


def _determinant(rows: Matrix, facts: MatrixFacts) -> Fraction:
    last = facts.characteristic(require_square(rows))[-1]
    return -last if len(rows) % 2 else last


def _trace(rows: Matrix, _: MatrixFacts) -> Fraction:
    return sum((row[at] for at, row in enumerate(require_square(rows))), Fraction(0))


_FUNCTIONS: Final[Mapping[str, Callable[[Matrix, MatrixFacts], Value]]] = {
    **dict.fromkeys(("det", "determinant"), _determinant),
    **dict.fromkeys(("tr", "trace"), _trace),
    "rank": lambda rows, facts: Fraction(len(rows[0]) - len(facts.kernel(rows))),
    "nullity": lambda rows, facts: Fraction(len(facts.kernel(rows))),
    **dict.fromkeys(("inverse", "inv"), _inverse),
    "transpose": lambda rows, _: transposed(rows),
}
