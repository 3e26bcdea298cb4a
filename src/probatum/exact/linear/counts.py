"""How many eigenvalues lie in a rectangle of complex numbers: exactly, in two ways.

They are counted by how often the values of the polynomial turn around zero along the border (the argument principle,
with Sturm's chains in place of angles), and by discs around approximations that hold one root each (Smith). Repeated
roots are told apart first. Refuses, as undecided, roots on the border, and polynomials that are too long.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt, lcm
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.linear.surds import Surd, divided_by_root, rational
from probatum.exact.numbers.polynomials import (
    MAX_CHAIN,
    Coefficients,
    divided,
    remainder,
    sign_at,
    sign_changes,
    without_repeated_roots,
)

Box = tuple[Fraction, Fraction, Fraction, Fraction]
"""Of a rectangle: its least and greatest real part, its least and greatest imaginary part."""
_CORNERS: Final = ((0, 2), (1, 2), (1, 3), (0, 3))
"""Of a box, against the clock: which of its numbers are the real and the imaginary part."""
_ROUNDS: Final = 200
_BITS: Final = (64, 512)
"""Behind the point of approximations, besides those of what is claimed: the second where the first do not do."""


def count_inside(polynomial: tuple[Fraction, ...], box: Box) -> list[int]:
    """Return how many roots lie in a rectangle: of those that occur once or more, twice or more, and so on.

    By the argument principle; raises CannotDecideError where one lies on the border, BudgetError.
    """
    return [_turns(each, box) for each in _layers(polynomial)]


def counted_inside(polynomial: tuple[Fraction, ...], box: Box) -> list[int]:
    """Return the same by discs; raises BudgetError where they meet each other or the border."""
    return [_discs_inside(each, box) for each in _layers(polynomial)]


@lru_cache(maxsize=16)
def _layers(polynomial: tuple[Fraction, ...]) -> tuple[Coefficients, ...]:
    """Return polynomials without repeated roots: their product has the roots of this one."""
    rest, found = _affordable(polynomial), list[Coefficients]()
    while len(rest) > 1:
        found.append(without_repeated_roots(rest))
        rest = divided(rest, found[-1])
    return tuple(found)


def _affordable(polynomial: tuple[Fraction, ...]) -> Coefficients:
    """Return whole coefficients; raises BudgetError where chains of them take too long."""
    common = lcm(*(each.denominator for each in polynomial))
    found = tuple(int(each * common) for each in polynomial)
    if len(found) ** 2 * max(each.bit_length() for each in found) > MAX_CHAIN:
        raise BudgetError("engine.out_of_budget", "The characteristic polynomial is too long to count its roots.")
    return found


def _turns(polynomial: Coefficients, box: Box) -> int:
    corners = [rational(box[real], box[imaginary]) for real, imaginary in _CORNERS]
    edges = [_along(polynomial, one, corners[at - 3] + -one) for at, one in enumerate(corners)]
    starts = [edge[-1].parts for edge in edges]
    # Multiplied by 1 + i*turn, the values have a real part other than zero at each corner, where there is no root.
    turn = next((turn for turn in range(5) if all(real - turn * imaginary for real, imaginary in starts)), None)
    if turn is None:
        raise _on_border()
    jumps = 0
    for edge in edges:
        parts = [(each * rational(Fraction(1), Fraction(turn))).parts for each in edge]
        jumps += _jumps([real for real, _ in parts], [imaginary for _, imaginary in parts])
    return -jumps // 2


def _on_border() -> CannotDecideError:
    detail = "An eigenvalue lies halfway between two numbers of these places, and rounding modes differ there."
    return CannotDecideError("math.rounding_unclear", detail)


def _along(polynomial: Coefficients, start: Surd, step: Surd) -> list[Surd]:
    """Return p(start + t*step), a polynomial in t."""
    found = [Surd()]
    for each in polynomial:
        found = [one * step + two * start for one, two in zip([*found, Surd()], [Surd(), *found], strict=True)]
        found[-1] += rational(Fraction(each))
    return found


def _jumps(below: list[Fraction], above: list[Fraction]) -> int:
    """Return how often above/below jumps from minus to plus infinity between 0 and 1, less how often back."""
    chain, following = [_stripped(below)], _stripped(above)
    while following:
        chain.append(following)
        following = tuple(-each for each in remainder(chain[-2], chain[-1]))
    # What both have in common is zero where the polynomial is, or at a place off this edge.
    common = [Fraction(each) for each in chain[-1]]
    slope = [each * (len(common) - at) for at, each in enumerate(common[:-1], start=1)]
    if slope and _jumps(common, slope):
        raise _on_border()
    at_start, at_end = (sign_changes(sign_at(each, Fraction(place)) for each in chain) for place in (0, 1))
    return at_start - at_end


def _stripped(polynomial: list[Fraction]) -> Coefficients:
    first = next((at for at, each in enumerate(polynomial) if each), None)
    return () if first is None else _affordable(tuple(polynomial[first:]))


def _discs_inside(polynomial: Coefficients, box: Box) -> int:
    written = 2 * lcm(*(each.denominator for each in box)).bit_length()
    for bits in _BITS:
        discs = _discs(polynomial, bits + written)
        rooms = [min(real - box[0], box[1] - real, up - box[2], box[3] - up) for (real, up), _ in discs]
        if discs and all(abs(room) > radius for room, (_, radius) in zip(rooms, discs, strict=True)):
            return sum(room > 0 for room in rooms)
    raise BudgetError(
        "engine.out_of_budget", "An eigenvalue is too near to another, or to the end of what rounds alike."
    )


@lru_cache(maxsize=16)
def _discs(polynomial: Coefficients, bits: int) -> list[tuple[tuple[Fraction, Fraction], Fraction]]:
    """Return centre and radius of discs that hold one root each; an empty list where they cannot be told apart."""
    coefficients = [rational(Fraction(each, polynomial[0])) for each in polynomial]
    places = _approximations(coefficients, bits)
    found: list[tuple[Surd, Fraction]] = []
    for at, place in enumerate(places):
        # By Smith, the degree times |p(z)|, divided by the distances to the other centres, is such a radius.
        square = len(places) ** 2 * _square(divided_by_root(coefficients, place)[1])
        for other in places[:at] + places[at + 1 :]:
            square /= _square(place + -other) or Fraction(1, 4**bits)
        radius = Fraction(isqrt(int(square * 4**bits)) + 1, 2**bits)
        if any(_square(place + -other) <= (radius + more) ** 2 for other, more in found):
            return []
        found.append((place, radius))
    return [(place.parts, radius) for place, radius in found]


def _approximations(coefficients: list[Surd], bits: int) -> list[Surd]:
    """Return a place near each root, where that succeeds: what is claimed of them is proved by their discs."""
    most = max(-(-int(abs(each.parts[0])).bit_length() // at) for at, each in enumerate(coefficients[1:], start=1))
    places = [rational(Fraction(2 << most))]
    while len(places) < len(coefficients) - 1:
        places.append(_rounded(places[-1] * rational(Fraction(2, 5), Fraction(9, 10)), bits))
    for _ in range(_ROUNDS):
        # By Weierstrass: each is corrected as if the others were roots already.
        before = places[:]
        for at, place in enumerate(places):
            step = divided_by_root(coefficients, place)[1]
            for other in places[:at] + places[at + 1 :]:
                real, imaginary = (place + -other).parts
                square = real**2 + imaginary**2 or Fraction(1)
                step = _rounded(step * rational(real / square, -imaginary / square), 2 * bits)
            places[at] = _rounded(place + -step, bits)
        if places == before:
            break
    return places


def _square(place: Surd) -> Fraction:
    real, imaginary = place.parts
    return real**2 + imaginary**2


def _rounded(place: Surd, bits: int) -> Surd:
    real, imaginary = (Fraction(round(each * 2**bits), 2**bits) for each in place.parts)
    return rational(real, imaginary)
