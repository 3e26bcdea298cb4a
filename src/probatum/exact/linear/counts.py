"""How many real eigenvalues lie between two numbers: exactly, in two ways.

Roots of p between a and b are the positive roots of p(x + a) without those of p(x + b). They are found by Sturm's
theorem, and counted again by Descartes' rule of signs on ever smaller parts (Vincent, Collins and Akritas; see Basu,
Pollack and Roy, Algorithms in Real Algebraic Geometry, chapters 2 and 10). Repeated roots are told apart first.
Refuses, as undecided, a root at one of the two numbers, and polynomials that are too long.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.polynomials import (
    MAX_CHAIN,
    Coefficients,
    counted_positive_roots,
    divided,
    positive_roots,
    without_repeated_roots,
)

Bounds = tuple[Fraction, Fraction]
ROUNDING: Final = "math.rounding_unclear"


def count_between(polynomial: tuple[Fraction, ...], bounds: Bounds) -> list[int]:
    """Return how many roots lie between two numbers: of those that occur once or more, twice or more, and so on.

    By Sturm's theorem; raises CannotDecideError where one lies at a bound, BudgetError.
    """
    return [_between(each, bounds, lambda moved: len(positive_roots(moved)[1])) for each in _layers(polynomial)]


def counted_between(polynomial: tuple[Fraction, ...], bounds: Bounds) -> list[int]:
    """Return the same by Descartes' rule of signs; raises ValueError where that takes too long."""
    return [_between(each, bounds, counted_positive_roots) for each in _layers(polynomial)]


def _between(polynomial: Coefficients, bounds: Bounds, count: Callable[[Coefficients], int]) -> int:
    above, beyond = (count(_moved(polynomial, each)) for each in bounds)
    return above - beyond


@lru_cache(maxsize=16)
def _layers(polynomial: tuple[Fraction, ...]) -> tuple[Coefficients, ...]:
    """Return polynomials without repeated roots: their product has the roots of this one."""
    rest, found = _affordable(list(polynomial)), list[Coefficients]()
    while len(rest) > 1:
        found.append(without_repeated_roots(rest))
        rest = divided(rest, found[-1])
    return tuple(found)


def _moved(polynomial: Coefficients, by: Fraction) -> Coefficients:
    """Return a positive multiple of p(x + by), by Horner's scheme; raises CannotDecideError where ``by`` is a root."""
    moved = [Fraction(each) for each in polynomial]
    for end in range(len(moved), 1, -1):
        for index in range(1, end):
            moved[index] += moved[index - 1] * by
    if not moved[-1]:
        detail = "An eigenvalue lies halfway between two numbers of these places, and rounding modes differ there."
        raise CannotDecideError(ROUNDING, detail)
    return _affordable(moved)


def _affordable(polynomial: list[Fraction]) -> Coefficients:
    """Return coprime whole coefficients; raises BudgetError where counting roots takes too long."""
    common = lcm(*(each.denominator for each in polynomial))
    found = [int(each * common) for each in polynomial]
    whole = tuple(each // gcd(*found) for each in found)
    if len(whole) ** 2 * max(each.bit_length() for each in whole) > MAX_CHAIN:
        raise BudgetError("engine.out_of_budget", "The characteristic polynomial is too long to count its roots.")
    return whole
