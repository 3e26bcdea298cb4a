"""Limits of rational functions, at a number or at an infinity.

As t tends to zero from above, a quotient of two polynomials in t goes where the terms of their lowest powers go: the
quotient of those terms differs from the whole by a factor that tends to 1 (Rudin, Principles of Mathematical Analysis,
theorem 4.4). Refuses every expression in which the variable stands under a root or in a function.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from probatum.exact.algebra.definedness import requirements_of
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.terms import Poly, constant
from probatum.exact.algebra.trees import MANUAL, call, divided, names_of, number, plus, substituted, times, walked
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Name, Node, Power, Prefixed
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate

INFINITE: Final = (call("oo"), Prefixed("-", call("oo"), 0))
"""Plus and minus infinity."""
_BEYOND: Final = "math.beyond"


def limit_at(node: Node, name: str, point: Node, side: str) -> Node:
    """Return the limit of an expression as a name tends to a point, or to an infinity; from both sides, or one."""
    if names_of(node) > {name} or not _is_rational_in(node, name):
        raise CannotDecideError(_BEYOND, f"This is no rational function of {name[:40]!r} alone. {MANUAL}")
    ways = {"right": (1,), "left": (-1,)}.get(side, (1, -1))
    found = [_from_above(node, name, point, way) for way in (ways[:1] if point in INFINITE else ways)]
    forms = Rewriter(Domain(), is_real=True)
    if found[0] != found[-1]:
        is_infinite = any(each in INFINITE for each in found)
        if is_infinite or not forms.vanishes(forms.difference(found[0], found[-1])[0]):
            raise CannotDecideError(UNDEFINED, "The limits from the left and from the right are not equal.")
    return found[0]


def _is_rational_in(node: Node, name: str) -> bool:
    """True where a name stands under the four operations and whole powers alone, and all else has a value."""
    for each in walked(node):
        if name not in names_of(each):
            if not all(required.holds_at({}) is True for required in requirements_of(each)):
                return False
        elif isinstance(each, FunctionCall) or (isinstance(each, Chain) and "mod" in each.operators):
            return False
        elif isinstance(each, Power):
            try:
                if evaluate(each.exponent).value.denominator != 1:
                    return False
            except (NotRationalError, CannotDecideError):
                return False
    return True


def _from_above(node: Node, name: str, point: Node, way: int) -> Node:
    """Return the limit as t tends to zero, where the name is ``point + way*t``, or plus or minus 1/t."""
    near = plus(point, times(number(way), Name(name, 0)))
    if point in INFINITE:
        near = divided(number(1 if point == INFINITE[0] else -1), Name(name, 0))
    forms = Rewriter(Domain({name: "real"}).with_condition(Name(name, 0), ">"), is_real=True)
    above, below = forms.form(substituted(node, {name: near}))
    place = forms.generator("name", name)
    if not above:
        return number(0)
    (power, top), (under, bottom) = (_lowest(each, place, forms) for each in (above, below))
    share = divided(*(forms.node_of((each, constant(1))) for each in (top, bottom)))
    if power > under:
        return number(0)
    if power == under:
        return share
    return INFINITE[0] if sign_at(share, ">") else INFINITE[1]


def _lowest(polynomial: Poly, place: int, forms: Rewriter) -> tuple[Fraction, Poly]:
    """Return the lowest power of a generator, and its coefficient, which is not zero."""
    powers = {monomial: Fraction(dict(monomial).get(place, 0)) for monomial in polynomial}
    least = min(powers.values())
    coefficient = {
        tuple(each for each in monomial if each[0] != place): polynomial[monomial]
        for monomial, power in powers.items()
        if power == least
    }
    if not forms.is_nonzero(coefficient):
        raise CannotDecideError(_BEYOND, "It is not known whether a coefficient is zero.")
    return least, coefficient
