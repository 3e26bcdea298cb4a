"""Numbers that are rational once raised to a whole power, such as a standard deviation, compared without rounding.

Of ``sign * radicand^(1/degree)`` only powers are compared, so nothing is ever approximated. Also reads the sides of a
comparison as such numbers. Refuses sums of irrational numbers, and powers that are too large to compute.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import (
    TESTS,
    Chain,
    FunctionCall,
    Name,
    Node,
    Number,
    Power,
    Prefixed,
    Relations,
    Suffixed,
)
from probatum.exact.numbers.rational import MAX_BITS, NotRationalError, bounded, evaluate

_DECIMAL_BITS: Final = 14_000
"""Python writes whole numbers of up to 4,300 decimal digits."""
_WRITTEN: Final = re.compile("(?P<above>-?(?:0x)?[0-9a-f]{1,50000})(?:/(?P<below>(?:0x)?[0-9a-f]{1,50000}))?")


@dataclass(frozen=True, slots=True)
class RealRoot:
    """A real number: a sign, and what its absolute value gives when it is raised to the degree."""

    sign: int
    radicand: Fraction
    degree: int = 1

    def __str__(self) -> str:
        if self.degree == 1:
            return written_number(self.sign * self.radicand)
        return f"{'-' if self.sign < 0 else ''}root({written_number(self.radicand)}, {self.degree})"

    @property
    def rational(self) -> Fraction:
        """Return the number; raises NotRationalError where it is kept as a root."""
        if self.degree > 1:
            raise NotRationalError(str(self)[:60])
        return self.sign * self.radicand


def real(value: Fraction) -> RealRoot:
    """Return a rational number as a root of degree 1."""
    return RealRoot((value > 0) - (value < 0), abs(value))


def root_of(value: Fraction, degree: int, sign: int = 1) -> RealRoot:
    """Return a root of a number that is not negative; as a rational number where it is one."""
    if value < 0:
        raise CannotDecideError("math.undefined", "A root is taken of a negative number.")
    above, below = (_whole_root(bounded(value).numerator, degree), _whole_root(value.denominator, degree))
    if above is not None and below is not None:
        return real(sign * Fraction(above, below))
    return RealRoot(sign, value, degree)


def written_number(value: Fraction) -> str:
    """Return a fraction in its one spelling: in lowest terms, and with hexadecimal digits where there are many."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) <= _DECIMAL_BITS:
        return str(value)
    return f"{bounded(value).numerator:#x}/{value.denominator:#x}"


def read_number_text(text: str) -> Fraction:
    """Read what `written_number` wrote; raises ValueError for anything else."""
    match = _WRITTEN.fullmatch(text)
    below = int(match["below"] or "1", 0) if match else 0
    if match is None or not below or written_number(Fraction(int(match["above"], 0), below)) != text:
        raise ValueError(f"{text[:40]!r} is not a number in its one spelling")
    return Fraction(int(match["above"], 0), below)


def _whole_root(number: int, degree: int) -> int | None:
    if degree == 1:
        return number
    if degree == 2:
        root = isqrt(number)
        return root if root * root == number else None
    low, high = 0, 1 << (number.bit_length() // degree + 1)
    if high.bit_length() > degree:
        # Newton's steps from above: fewer than halving where the degree is small.
        while (nearer := ((degree - 1) * high + number // high ** (degree - 1)) // degree) < high:
            high = nearer
        return high if high**degree == number else None
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
    return low if low**degree == number else None


def compare(left: RealRoot, right: RealRoot) -> int:
    """Return -1, 0 or 1 as left is smaller than, equal to or larger than right."""
    if left.sign != right.sign or not left.sign:
        return (left.sign > right.sign) - (left.sign < right.sign)
    degree = lcm(left.degree, right.degree)
    first, second = _power(left, degree), _power(right, degree)
    return left.sign * ((first > second) - (first < second))


def _power(root: RealRoot, degree: int) -> Fraction:
    exponent = degree // root.degree
    bits = max(root.radicand.numerator.bit_length(), root.radicand.denominator.bit_length())
    if exponent > 1 and exponent * bits > MAX_BITS:
        raise BudgetError("engine.out_of_budget", f"A comparison needs a power of more than {MAX_BITS:,} bits.")
    return root.radicand**exponent


def _product(left: RealRoot, right: RealRoot) -> RealRoot:
    degree = lcm(left.degree, right.degree)
    return root_of(_power(left, degree) * _power(right, degree), degree, left.sign * right.sign)


def _inverse(root: RealRoot) -> RealRoot:
    if not root.sign:
        raise CannotDecideError("math.undefined", "Something is divided by zero.")
    return RealRoot(root.sign, 1 / root.radicand, root.degree)


def value_of(node: Node, known: Callable[[Name | FunctionCall], RealRoot | None]) -> RealRoot:
    """Return the value of an expression.

    Args:
        node: the expression.
        known: gives the values of names and calls; None for those of arithmetic.

    Raises as `rational.evaluate` does.
    """
    if isinstance(node, Name | FunctionCall) and (found := known(node)) is not None:
        return found
    match node:
        case Prefixed(sign="+" | "-"):
            inner = value_of(node.operand, known)
            return RealRoot(-inner.sign, inner.radicand, inner.degree) if node.sign == "-" else inner
        case Suffixed(sign="%"):
            return _product(value_of(node.operand, known), real(Fraction(1, 100)))
        case Chain(operators=operators) if operators[0] in ("*", "/"):
            product, *others = [value_of(each, known) for each in node.operands]
            for sign, other in zip(operators, others, strict=True):
                product = _product(product, other if sign == "*" else _inverse(other))
            return product
        case Chain(operators=operators) if operators[0] in ("+", "-"):
            total, *terms = [value_of(each, known).rational for each in node.operands]
            for sign, term in zip(operators, terms, strict=True):
                total = bounded(total + term if sign == "+" else total - term)
            return real(total)
        case FunctionCall(name="sqrt", arguments=(inner_node,)):
            return root_of(value_of(inner_node, known).rational, 2)
        case FunctionCall(name="abs", arguments=(inner_node,)):
            inner = value_of(inner_node, known)
            return RealRoot(abs(inner.sign), inner.radicand, inner.degree)
        case Power(exponent=Number(value=exponent)) if exponent == 2:
            inner = value_of(node.base, known)
            return _product(inner, inner)
        case _:
            amount = evaluate(node)
            if amount.power:
                raise CannotDecideError("math.currency_mixed", "An amount of money stands where a number is due.")
            return real(amount.value)


def first_broken(comparison: Relations, sides: Sequence[RealRoot]) -> int | None:
    """Return the place of the first relation that does not hold between its two sides; None where all hold.

    Raises CannotDecideError for ``~=`` where rounding modes differ, and where its right side is no plain number.
    """
    for place, relation in enumerate(comparison.relations):
        left, right = sides[place], sides[place + 1]
        if relation == "~=":
            unit = written_unit(comparison.operands[place + 1])
            holds = relation_holds(relation, right.rational, unit, lambda bound, left=left: compare(left, real(bound)))  # type: ignore[misc]  # bound now
        else:
            holds = TESTS[relation](compare(left, right), 0)
        if not holds:
            return place
    return None


def relation_holds(relation: str, claimed: Fraction, unit: Fraction, compared_to: Callable[[Fraction], int]) -> bool:
    """Return whether a number, which is known by how it compares, stands in a relation to a claimed one.

    Raises CannotDecideError for ``~=`` where the number lies halfway between two of the unit.
    """
    if relation != "~=":
        return bool(TESTS[relation](compared_to(claimed), 0))
    below, above = compared_to(claimed - unit / 2), compared_to(claimed + unit / 2)
    if not below or not above:
        detail = "The value lies halfway between two numbers of these places, and rounding modes differ there."
        raise CannotDecideError("math.rounding_unclear", detail)
    return below > 0 > above


def written_unit(node: Node) -> Fraction:
    """Return the value of the last digit that is written of a plain number; raises CannotDecideError for another."""
    unit = Fraction(1)
    while isinstance(node, Prefixed | Suffixed) and node.sign in ("+", "-", "%"):
        unit /= 100 if node.sign == "%" else 1
        node = node.operand
    if not isinstance(node, Number):
        raise CannotDecideError("math.rounding_unclear", "'~=' needs a plain number on its right side.")
    return unit / Fraction(10) ** node.places
