"""The real line, cut at the roots of some polynomials: between two cuts none of them changes its sign.

So what is claimed of their signs holds everywhere if it holds at one point of each part and at each cut. Roots that are
rational are found as such. Refuses polynomials that are too costly, and signs of one that made no cuts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import ceil, floor, gcd, lcm
from typing import Final, TypeVar

from probatum.core.errors import BudgetError
from probatum.exact.numbers.polynomials import (
    Coefficients,
    counted_positive_roots,
    is_costly,
    narrowed,
    positive_roots,
    sign_at,
    without_repeated_roots,
)

Number = TypeVar("Number", int, Fraction)
_MOST_CUTS: Final = 200


@dataclass(frozen=True, slots=True)
class LinePlace:
    """A cut, or a part between two of them: a rational point of it, or two that lie around an irrational cut."""

    low: Fraction
    high: Fraction
    is_part: bool = False

    @property
    def point(self) -> Fraction | None:
        """The rational point, where it is known by one."""
        return self.low if self.low == self.high else None


class UncutError(Exception):
    """The sign of a polynomial is asked that made no cuts."""

    def __init__(self, polynomial: Coefficients) -> None:
        super().__init__("a polynomial made no cuts")
        self.polynomial = polynomial


def whole_coefficients(polynomial: Sequence[Fraction]) -> Coefficients:
    """Return the positive multiple with coprime whole coefficients, without leading zeros."""
    scale = lcm(*(each.denominator for each in polynomial))
    whole = [int(each * scale) for each in polynomial]
    while whole and not whole[0]:
        del whole[0]
    content = gcd(*whole) or 1
    return tuple(each // content for each in whole)


class RealLine:
    """The line, cut at the roots of polynomials."""

    def __init__(self, polynomials: Iterable[Coefficients]) -> None:
        self._single = {each: without_repeated_roots(each) for each in polynomials if len(each) > 1}
        whole: Coefficients = reduce(multiplied, self._single, (1,))
        if is_costly(whole):
            raise BudgetError("engine.out_of_budget", "The polynomials are too large to find where their signs change.")
        self.polynomial = without_repeated_roots(whole) if len(whole) > 1 else whole
        self.cuts = tuple(_roots(self.polynomial))
        if len(self.cuts) > _MOST_CUTS:
            raise BudgetError("engine.out_of_budget", "The signs change too often.")

    def places(self) -> Iterator[LinePlace]:
        """Yield cuts and parts from left to right."""
        if not self.cuts:
            yield LinePlace(Fraction(0), Fraction(0), True)
            return
        first = min(Fraction(0), Fraction(floor(self.cuts[0].low) - 1))
        yield LinePlace(first, first, True)
        for index, cut in enumerate(self.cuts):
            yield cut
            after = self.cuts[index + 1].low if index + 1 < len(self.cuts) else None
            point = _between(cut.high, after)
            yield LinePlace(point, point, True)

    def sign(self, polynomial: Coefficients, place: LinePlace) -> int:
        """Return the sign of one of the polynomials at a place."""
        if len(polynomial) <= 1:
            return (polynomial > (0,)) - (polynomial < (0,)) if polynomial else 0
        if polynomial not in self._single:
            raise UncutError(polynomial)
        if place.point is not None:
            return sign_at(polynomial, place.point)
        single = self._single[polynomial]
        changes = sign_at(single, place.low) != sign_at(single, place.high)
        return 0 if changes else sign_at(polynomial, place.low)

    def require_all_roots(self) -> None:
        """Raise ValueError unless another rule counts as many roots as there are cuts, and each cut has one."""
        count = 0 if self.polynomial[-1] else 1
        bare = self.polynomial[:-1] if count else self.polynomial
        if len(bare) > 1:
            count += counted_positive_roots(bare) + counted_positive_roots(_reflected(bare))
        for cut in self.cuts:
            ends = (sign_at(self.polynomial, cut.low), sign_at(self.polynomial, cut.high))
            if ends != (0, 0) and (cut.low == cut.high or ends[0] * ends[1] >= 0):
                raise ValueError("a cut has no root")
        if count != len(self.cuts) or any(a.high > b.low for a, b in zip(self.cuts, self.cuts[1:], strict=False)):
            raise ValueError("there are not as many cuts as roots")


def multiplied(left: Sequence[Number], right: Sequence[Number]) -> tuple[Number, ...]:
    """Return the coefficients of a product."""
    made = [left[0] * 0] * (len(left) + len(right) - 1)
    for i, one in enumerate(left):
        for j, other in enumerate(right):
            made[i + j] += one * other
    return tuple(made)


def _reflected(polynomial: Coefficients) -> Coefficients:
    """Return p(-x)."""
    return tuple(each if (len(polynomial) - index) % 2 else -each for index, each in enumerate(polynomial))


def _roots(polynomial: Coefficients) -> list[LinePlace]:
    found = []
    bare = polynomial if polynomial[-1] else polynomial[:-1]
    if len(bare) < len(polynomial):
        found.append(LinePlace(Fraction(0), Fraction(0)))
    for sign in (1, -1) if len(bare) > 1 else ():
        single, parts = positive_roots(bare if sign == 1 else _reflected(bare))
        for part in parts:
            low, high = sorted(sign * each for each in _isolated(single, part))
            found.append(LinePlace(low, high))
    return sorted(found, key=lambda each: each.low)


def _isolated(polynomial: Coefficients, part: tuple[Fraction, Fraction]) -> tuple[Fraction, Fraction]:
    """Return a rational root as itself, another one between two numbers that are no roots."""
    lead = abs(polynomial[0])
    if not sign_at(polynomial, part[1]):
        return part[1], part[1]
    # A rational root is a multiple of 1/lead, and there is at most one such in the part after this.
    part = narrowed(polynomial, part, max(8, int((part[1] - part[0]) * 4 * lead).bit_length()))
    near = Fraction(round((part[0] + part[1]) / 2 * lead), lead)
    if part[0] != part[1] and not sign_at(polynomial, near) and part[0] < near <= part[1]:
        return near, near
    # So that no integer, and no other root, lies on an end or beside the root.
    while part[0] != part[1] and (
        not sign_at(polynomial, part[0]) or part[0] == floor(part[0]) or ceil(part[1]) != floor(part[0]) + 1
    ):
        part = narrowed(polynomial, part, 1)
    return part


def _between(low: Fraction, high: Fraction | None) -> Fraction:
    """Return a simple number between two cuts."""
    if high is None:
        return Fraction(floor(low) + 1) if low >= 0 else Fraction(max(0, ceil(low)))
    if low < 0 < high:
        return Fraction(0)
    for scale in (1, 2, 10):
        near = Fraction(floor(low * scale) + 1, scale)
        if near < high:
            return near
    return (low + high) / 2
