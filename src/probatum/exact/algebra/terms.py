"""Polynomials of several generators: dictionaries from monomials to rational coefficients.

A monomial is a sorted tuple of generators, by number, with their exponents; these can be negative or fractions where
a generator allows that. Refuses to grow beyond a limit of terms.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd, lcm
from typing import Final

from probatum.core.errors import BudgetError

MAX_TERMS: Final = 2_000
MAX_STEPS: Final = 200_000
"""Products of two terms, in one product of polynomials."""
Exponent = Fraction | int
Monomial = tuple[tuple[int, Exponent], ...]
Poly = dict[Monomial, Fraction]
ONE: Final[Monomial] = ()


def constant(value: Fraction | int) -> Poly:
    """Return a constant polynomial."""
    return {ONE: Fraction(value)} if value else {}


def merged(left: Monomial, right: Monomial, power: int = 1) -> Monomial:
    """Return the product of a monomial and a whole power of another one."""
    if not right or (not left and power == 1):
        return left or right
    exponents = dict(left)
    for generator, exponent in right:
        exponents[generator] = exponents.get(generator, 0) + power * exponent
    return tuple(sorted((each, plain_exponent(e)) for each, e in exponents.items() if e))


def plain_exponent(exponent: Exponent) -> Exponent:
    """Return an exponent in its one type: a whole number where it is one."""
    return exponent if type(exponent) is int or exponent.denominator != 1 else exponent.numerator


def total(left: Poly, right: Poly, factor: Fraction | int = 1) -> Poly:
    """Return left + factor * right."""
    made = dict(left)
    for monomial, coefficient in right.items():
        value = made.get(monomial, 0) + factor * coefficient
        if value:
            made[monomial] = Fraction(value)
        else:
            made.pop(monomial, None)
    if len(made) > MAX_TERMS:
        raise BudgetError("engine.out_of_budget", f"An expression has more than {MAX_TERMS:,} terms.")
    return made


def scaled(polynomial: Poly, factor: Fraction | int) -> Poly:
    """Return a multiple."""
    return {monomial: factor * coefficient for monomial, coefficient in polynomial.items()} if factor else {}


def shifted(polynomial: Poly, by: Monomial, power: int = 1) -> Poly:
    """Return a multiple by a power of a monomial."""
    return {merged(each, by, power): value for each, value in polynomial.items()}


def is_constant(polynomial: Poly) -> bool:
    """True where it is a rational number."""
    return not polynomial or polynomial.keys() == {ONE}


def shared_monomial(polynomial: Poly) -> Monomial:
    """Return the greatest monomial that divides every term, with negative exponents where a term has them."""
    every = [dict(monomial) for monomial in polynomial]
    least = ((each, min(one.get(each, 0) for one in every)) for each in sorted(generators_of([polynomial])))
    return tuple((each, exponent) for each, exponent in least if exponent)


def primitive(polynomial: Poly) -> tuple[Fraction, Poly]:
    """Return a signed rational factor, and the rest with coprime whole coefficients, the leading one positive."""
    above, below = 0, 1
    for coefficient in polynomial.values():
        above, below = gcd(above, coefficient.numerator), lcm(below, coefficient.denominator)
    factor = Fraction(above or 1, below)
    if polynomial and polynomial[leading(polynomial)] < 0:
        factor = -factor
    return factor, scaled(polynomial, 1 / factor)


def generators_of(polynomials: Iterable[Poly]) -> set[int]:
    """Return the generators that occur."""
    return {generator for each in polynomials for monomial in each for generator, _ in monomial}


def leading(polynomial: Poly, order: Iterable[int] | None = None) -> Monomial:
    """Return the monomial that is greatest in an order that products keep."""
    places = sorted(generators_of([polynomial])) if order is None else list(order)

    def key(monomial: Monomial) -> tuple[Exponent, ...]:
        exponents = dict(monomial)
        return tuple(exponents.get(each, 0) for each in places)

    return max(polynomial, key=key)


def is_ordinary(polynomial: Poly) -> bool:
    """True where every exponent is a whole number and not negative."""
    return all(type(e) is int and e >= 0 for monomial in polynomial for _, e in monomial)


def divided_exactly(above: Poly, below: Poly) -> Poly | None:
    """Return the quotient of two ordinary polynomials where there is one without a remainder."""
    if not (is_ordinary(above) and is_ordinary(below)) or not below:
        return None
    order = sorted(generators_of([above, below]))
    top = leading(below, order)
    rest, quotient, steps = dict(above), Poly(), 0
    while rest:
        first = leading(rest, order)
        step = merged(first, top, -1)
        steps += len(below) + len(rest)
        if any(exponent < 0 for _, exponent in step) or steps > MAX_STEPS:
            return None
        quotient[step] = rest[first] / below[top]
        rest = total(rest, shifted(below, step), -quotient[step])
    return quotient
