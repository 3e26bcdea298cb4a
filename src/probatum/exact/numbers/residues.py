"""Checks the value of a closed expression without computing it: by residues modulo one large prime.

If an expression had another value than the one that is claimed, their difference would be a fraction whose numerator is
smaller than a bound that is read off the expression (von zur Gathen and Gerhard, Modern Computer Algebra, 5.1). A
Mersenne prime beyond that bound cannot divide it, so equal residues mean equal values. Functions that depend on order,
such as ``floor``, are computed and not reduced. Refuses to say that a value holds where the bound is beyond the largest
prime of the table.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, log2
from typing import Final

from probatum.exact.numbers.expressions import Chain, Node, Number, Power, Prefixed, Suffixed
from probatum.exact.numbers.rational import evaluate

MERSENNE_EXPONENTS: Final = (127, 521, 1279, 4423, 9689, 23209, 44497, 110503, 216091, 756839)
"""Exponents of Mersenne primes (GIMPS, https://www.mersenne.org/primes/)."""


@dataclass(frozen=True, slots=True)
class _Size:
    """Upper bounds for the bits of numerator and denominator."""

    above: float
    below: float


def value_holds(node: Node, claimed: Fraction) -> bool:
    """Return whether a closed expression has this value; raises ValueError where that is beyond the table."""
    size = _size(node)
    bits = size.above + claimed.denominator.bit_length() + size.below + claimed.numerator.bit_length() + 2
    exponent = next((each for each in MERSENNE_EXPONENTS if each > bits), None)
    if exponent is None:
        raise ValueError("the value is too large to be checked")
    prime = (1 << exponent) - 1
    above, below = _residue(node, prime)
    return bool(below % prime) and (above * claimed.denominator - claimed.numerator * below) % prime == 0


def _size(node: Node) -> _Size:
    match node:
        case Number():
            return _of(node.value)
        case Prefixed():
            return _size(node.operand)
        case Suffixed(sign="%"):
            inner = _size(node.operand)
            return _Size(inner.above, inner.below + log2(100))
        case Chain(operators=operators) if operators[0] in "+-":
            sizes = [_size(each) for each in node.operands]
            below = sum(each.below for each in sizes)
            return _Size(max(each.above for each in sizes) + below + log2(len(sizes)) + 1, below)
        case Chain(operators=operators) if "mod" not in operators:
            sizes = [_size(each) for each in node.operands]
            for place, sign in enumerate(operators, start=1):
                if sign == "/":
                    sizes[place] = _Size(sizes[place].below, sizes[place].above)
            return _Size(sum(each.above for each in sizes), sum(each.below for each in sizes))
        case Power() if (power := _whole_power(node)) is not None:
            inner = _size(node.base)
            above, below = (inner.above, inner.below) if power > 0 else (inner.below, inner.above)
            return _Size(above * abs(power), below * abs(power))
        case _:
            return _of(evaluate(node).value)


def _of(value: Fraction) -> _Size:
    return _Size(value.numerator.bit_length(), value.denominator.bit_length())


def _whole_power(node: Power) -> int | None:
    exponent = evaluate(node.exponent).value
    return exponent.numerator if exponent.denominator == 1 and exponent else None


def _residue(node: Node, prime: int) -> tuple[int, int]:
    """Return the residues of a numerator and a denominator of the value, which need not be in lowest terms."""
    match node:
        case Number():
            return node.value.numerator % prime, node.value.denominator % prime
        case Prefixed():
            above, below = _residue(node.operand, prime)
            return (-above if node.sign == "-" else above), below
        case Suffixed(sign="%"):
            above, below = _residue(node.operand, prime)
            return above, below * 100 % prime
        case Suffixed():
            above = evaluate(node.operand).value.numerator
            return factorial(above) % prime, 1
        case Chain(operators=operators) if "mod" not in operators and operators[0] in ("+", "-", "*", "/"):
            above, below = _residue(node.operands[0], prime)
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                other, under = _residue(operand, prime)
                if sign in "+-":
                    other = -other if sign == "-" else other
                    above, below = (above * under + other * below) % prime, below * under % prime
                else:
                    other, under = (other, under) if sign == "*" else (under, other)
                    above, below = above * other % prime, below * under % prime
            return above, below
        case Power() if (power := _whole_power(node)) is not None:
            above, below = _residue(node.base, prime)
            above, below = (above, below) if power > 0 else (below, above)
            return pow(above, abs(power), prime), pow(below, abs(power), prime)
        case _:
            value = evaluate(node).value
            return value.numerator % prime, value.denominator % prime
