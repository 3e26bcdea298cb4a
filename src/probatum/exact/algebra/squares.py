"""Polynomials as sums of squares, and as squares: what tells their signs at once.

A quadratic form is completed to squares one variable after the other (Lagrange; Gantmacher, The Theory of Matrices,
chapter X). Refuses polynomials of a higher degree that are no squares.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt, lcm
from typing import Final

from probatum.exact.algebra.terms import ONE, Poly, generators_of, is_ordinary, leading, merged, total

_MOST_TERMS: Final = 40


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
