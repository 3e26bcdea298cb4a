"""Decides whether an algebraic number is zero, by how small one that is not zero can be.

A polynomial in radicals and roots of unity, times a whole number, is an algebraic integer. The product of all its
conjugates is a whole number, so one that is not zero is not smaller than a bound that follows from the sizes of the
conjugates and from their number. An enclosure below the bound is zero (Burnikel,
Fleischer, Mehlhorn and Schirra, A Strong and Easily Computable Separation Bound, Algorithmica 27, 2000). Refuses bounds
that are too small to reach.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, lcm, log2, prod
from typing import Final

from probatum.exact.algebra.signs import SignedForms
from probatum.exact.algebra.terms import Monomial, Poly, constant, total
from probatum.exact.algebra.values import OutsideError, fraction_of, interval_of
from probatum.exact.claim import CannotDecideError

_MAX_BITS: Final = 6_000


@dataclass(frozen=True, slots=True)
class _Extent:
    """A whole number that clears denominators, and a bound of all conjugates after that, both as logarithms."""

    cleared: float
    size: float


class AlgebraicForms(SignedForms):
    """Forms whose coefficients can be told from zero."""

    def vanishes(self, polynomial: Poly) -> bool:
        """True where a polynomial is zero for certain."""
        if not polynomial:
            return True
        groups: dict[Monomial, Poly] = {}
        for monomial, coefficient in polynomial.items():
            inner = tuple(each for each in monomial if self._is_algebraic(each[0]))
            outer = tuple(each for each in monomial if not self._is_algebraic(each[0]))
            groups[outer] = total(groups.get(outer, {}), {inner: coefficient})
        return all(self._is_zero(each) for each in groups.values())

    def _is_algebraic(self, place: int) -> bool:
        generator = self.generators[place]
        if generator.sort in ("prime", "turn"):
            return True
        inner = dict(generator.inner)
        return generator.sort == "root" and all(self._is_algebraic(g) for monomial in inner for g, _ in monomial)

    def _is_zero(self, polynomial: Poly) -> bool:
        if len(polynomial) <= 1:
            return not polynomial
        degrees: dict[object, int] = {}
        extent = self._extent(polynomial, degrees)
        needed = ceil((prod(degrees.values()) - 1) * max(extent.size, 1) + extent.cleared) + 8
        if needed > _MAX_BITS:
            return False
        try:
            parts = [interval_of(self.node_of((polynomial, constant(1)), each), needed + 64) for each in ("cos", "sin")]
            return all(
                abs(fraction_of(end)) * 2 < Fraction(1, 1 << needed) for part in parts for end in (part.a, part.b)
            )
        except (OutsideError, CannotDecideError):
            return False

    def _extent(self, polynomial: Poly, degrees: dict[object, int]) -> _Extent:
        """Return the extent of a polynomial; the degree of each radical is noted, with the common turn as one."""
        parts = []
        for monomial, coefficient in polynomial.items():
            cleared, size = log2(coefficient.denominator), log2(abs(coefficient.numerator))
            for place, exponent in monomial:
                one = self._generator_extent(place, Fraction(exponent), degrees)
                cleared, size = cleared + one.cleared, size + one.size
            parts.append(_Extent(cleared, size))
        # All the denominators together clear each of them.
        cleared = sum(each.cleared for each in parts)
        return _Extent(cleared, max(each.size - each.cleared for each in parts) + cleared + log2(len(parts)) + 0.01)

    def _generator_extent(self, place: int, exponent: Fraction, degrees: dict[object, int]) -> _Extent:
        generator = self.generators[place]
        if generator.sort == "turn":
            degrees["turn"] = lcm(degrees.get("turn", 1), 2 * exponent.denominator)
            return _Extent(0, 0)
        degrees[place] = lcm(degrees.get(place, 1), exponent.denominator)
        if generator.sort == "prime":
            return _Extent(0, float(exponent) * log2(int(generator.label)) + 0.01)
        inner = self._extent(dict(generator.inner), degrees)
        root = (max(inner.size, 0) + inner.cleared * (exponent.denominator - 1)) / exponent.denominator
        return _Extent(inner.cleared * exponent.numerator, root * exponent.numerator + 0.01)
