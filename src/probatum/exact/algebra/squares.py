"""Polynomials as sums of squares, as squares, and as products of factors: what tells their signs at once.

Factors are found by another library, and whoever uses them multiplies them out again. Refuses to look for factors of
polynomials that would take long: of them there is one factor, itself.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt, lcm
from typing import Final

from probatum.exact.algebra.terms import ONE, Poly, generators_of, is_ordinary, leading, merged, total

_MOST_TERMS: Final = 40
_MOST_DEGREE: Final = 12
_MOST_NAMES: Final = 5


def squares_of(polynomial: Poly) -> list[tuple[Fraction, Poly]] | None:
    """Return an ordinary polynomial of degree 2 or less as a sum of positive multiples of squares, where it is one."""
    # A generator with exponents that are fractions is not negative, so it is a power of another real number.
    steps = {
        g: lcm(*(Fraction(dict(each).get(g, 0)).denominator for each in polynomial))
        for g in generators_of([polynomial])
    }
    rest: Poly = {tuple((g, int(e * steps[g])) for g, e in each): value for each, value in polynomial.items()}
    squares: list[tuple[Fraction, Poly]] = []
    if not is_ordinary(rest) or any(sum(int(e) for _, e in monomial) > 2 for monomial in rest):
        return None
    for place in sorted(generators_of([rest])):
        square = rest.get(((place, 2),), Fraction(0))
        if square <= 0:
            if place in generators_of([rest]):
                return None
            continue
        form = {
            tuple(each for each in monomial if each[0] != place): value / (2 * square)
            for monomial, value in rest.items()
            if dict(monomial).get(place) == 1
        }
        form[(place, 1),] = Fraction(1)
        squares.append((square, form))
        for one, factor in form.items():
            rest = total(rest, {merged(one, other): value * factor for other, value in form.items()}, -square)
    left = rest.pop(ONE, Fraction(0))
    return None if rest or left < 0 else [*squares, (left, {ONE: Fraction(1)})] if left else squares


def square_root(polynomial: Poly, product: Callable[[Poly, Poly], Poly]) -> Poly | None:
    """Return a polynomial whose square this one is, where there is one."""
    rest, root = dict(polynomial), Poly()
    order = sorted(generators_of([polynomial]))
    for _ in range(min(len(polynomial), _MOST_TERMS)):
        top = leading(rest, order)
        if root:
            first = leading(root, order)
            step = {merged(top, first, -1): rest[top] / (2 * root[first])}
        else:
            above, below = isqrt(max(rest[top].numerator, 0)), isqrt(rest[top].denominator)
            if Fraction(above, below) ** 2 != rest[top] or any(Fraction(e, 2).denominator != 1 for _, e in top):
                return None
            step = {tuple((g, int(e / 2)) for g, e in top): Fraction(above, below)}
        root = total(root, step)
        rest = total(polynomial, product(root, root), -1)
        if not rest:
            return root
    return None


def factors_of(polynomial: Poly) -> list[tuple[Poly, int]]:
    """Return factors with their exponents, constants included."""
    places = sorted(generators_of([polynomial]))
    degree = max((sum(Fraction(e) for _, e in each) for each in polynomial), default=Fraction(0))
    if (
        not is_ordinary(polynomial)
        or len(polynomial) > _MOST_TERMS
        or not 2 <= degree <= _MOST_DEGREE
        or len(places) > 5
    ):
        return [(polynomial, 1)]
    from sympy import QQ  # type: ignore[import-untyped]  # it has no types
    from sympy.polys.rings import ring  # type: ignore[import-untyped]  # likewise

    field, *_ = ring([f"g{each}" for each in places], QQ)
    terms = {
        tuple(int(dict(each).get(g, 0)) for g in places): QQ(value.numerator, value.denominator)
        for each, value in polynomial.items()
    }

    def fraction(value: object) -> Fraction:
        return Fraction(int(value.numerator), int(value.denominator))  # type: ignore[attr-defined]  # of that library

    factor, found = field.from_dict(terms).factor_list()
    made: list[tuple[Poly, int]] = [({ONE: fraction(factor)}, 1)]
    for each, power in found:
        poly: Poly = {
            tuple((g, int(e)) for g, e in zip(places, exponents, strict=True) if e): fraction(value)
            for exponents, value in each.terms()
        }
        made.append((poly, int(power)))
    return made
