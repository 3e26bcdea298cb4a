"""Numbers made of rationals, square roots of whole numbers, and i: exactly, as a sum with one term for each root.

The square roots of unlike squarefree numbers are independent over the rationals, so two sums are the same number only
where their terms are the same. Refuses, as undecided, what is no such number, and sums with too many terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import gcd, isqrt
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Name, Node, Number, Power, Prefixed
from probatum.exact.numbers.rational import NotRationalError, evaluate
from probatum.exact.numbers.real_roots import written_number

BEYOND: Final = "linear.beyond"
_MOST_TERMS: Final = 64
_MOST_BITS: Final = 60_000
"""Bits of one coefficient, times terms."""
_MOST_UNDER: Final = 256
"""Bits of what stands under a root."""
_TRIED: Final = 2_000
"""Prime factors up to here are divided out of what stands under a root."""


@dataclass(frozen=True, slots=True)
class Surd:
    """A sum: rational coefficients by a squarefree number k, which stands for sqrt(k), or for i*sqrt(-k) below 0."""

    terms: tuple[tuple[int, Fraction], ...] = ()

    def __add__(self, other: Surd) -> Surd:
        found = dict(self.terms)
        for key, value in other.terms:
            found[key] = found.get(key, Fraction(0)) + value
        return _surd(found)

    def __mul__(self, other: Surd) -> Surd:
        found: dict[int, Fraction] = {}
        for one, value in self.terms:
            for two, by in other.terms:
                common = gcd(one, two)
                key = one * two // common**2
                # Of two negative keys the product is positive, as are both roots in it; but i * i is -1.
                factor = -common if one < 0 and two < 0 else common
                found[key] = found.get(key, Fraction(0)) + factor * value * by
        return _surd(found)

    def __neg__(self) -> Surd:
        return Surd(tuple((key, -value) for key, value in self.terms))

    def __str__(self) -> str:
        shown = (written_number(value) + ("" if key == 1 else f"*sqrt({key})") for key, value in self.terms)
        return " + ".join(shown) or "0"


def rational(value: Fraction) -> Surd:
    """Return a rational number."""
    return _surd({1: value})


def divided_by_root(coefficients: list[Surd], root: Surd) -> tuple[list[Surd], Surd]:
    """Return p(x) divided by x - root, and the remainder, which is p(root)."""
    quotient = coefficients[:1]
    for each in coefficients[1:]:
        quotient.append(quotient[-1] * root + each)
    return quotient[:-1], quotient[-1]


def surd_of(node: Node) -> Surd:
    """Return the number that an expression is; raises CannotDecideError for what is beyond, BudgetError."""
    match node:
        case Name(name="i" | "I"):
            return _surd({-1: Fraction(1)})
        case Prefixed(sign="-" | "+"):
            inner = surd_of(node.operand)
            return -inner if node.sign == "-" else inner
        case Chain(operators=operators) if set(operators) <= {"+", "-"}:
            total = surd_of(node.operands[0])
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                total += surd_of(operand) if sign == "+" else -surd_of(operand)
            return total
        case Chain(operators=operators) if set(operators) <= {"*", "/"}:
            total = surd_of(node.operands[0])
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                total *= surd_of(operand) if sign == "*" else _inverse(surd_of(operand))
            return total
        case FunctionCall(name="sqrt", arguments=(argument,)):
            return _root(surd_of(argument))
        case Power(exponent=Number(value=exponent)) if exponent in (2, 3):
            base = surd_of(node.base)
            return base * base if exponent == 2 else base * base * base
        case _:
            return rational(rational_of(node))


def rational_of(node: Node) -> Fraction:
    """Return the rational number that an expression is; raises CannotDecideError for another."""
    try:
        amount = evaluate(node)
    except NotRationalError as error:
        raise CannotDecideError(BEYOND, f"{str(error)[:40]!r} is beyond square roots of rational numbers.") from error
    if amount.power:
        raise CannotDecideError(BEYOND, "An amount of money stands where a number is due.")
    return amount.value


def _inverse(value: Surd) -> Surd:
    """Return what gives 1 with a number of one term."""
    if not value.terms:
        raise CannotDecideError("math.undefined", "Something is divided by zero.")
    ((key, factor), *others) = value.terms
    if others:
        raise CannotDecideError(BEYOND, "A sum with roots stands below a fraction line.")
    return _surd({key: 1 / (factor * key)})


def _root(value: Surd) -> Surd:
    if not value.terms:
        return value
    if [key for key, _ in value.terms] != [1]:
        raise CannotDecideError(BEYOND, "A root of a root is beyond these numbers.")
    number = value.terms[0][1]
    under, outside, inside = abs(number.numerator) * number.denominator, 1, 1
    if under.bit_length() > _MOST_UNDER:
        raise CannotDecideError(BEYOND, "What stands under a root is too long.")
    for factor in range(2, _TRIED):
        while under % factor**2 == 0:
            under, outside = under // factor**2, outside * factor
        if under % factor == 0:
            under, inside = under // factor, inside * factor
    whole = isqrt(under)
    if whole**2 == under:
        under, outside = 1, outside * whole
    elif under > _TRIED**3:
        raise CannotDecideError(BEYOND, "What stands under a root has too large factors.")
    return _surd({inside * under * (-1 if number < 0 else 1): Fraction(outside, number.denominator)})


def _surd(terms: dict[int, Fraction]) -> Surd:
    kept = tuple(sorted((key, value) for key, value in terms.items() if value))
    bits = max((max(abs(each.numerator), each.denominator).bit_length() for _, each in kept), default=0)
    if len(kept) > _MOST_TERMS or len(kept) * bits > _MOST_BITS:
        raise BudgetError("engine.out_of_budget", "The numbers have too many roots, or digits, to compute with.")
    return Surd(kept)
