"""Shows that a function of one variable is not negative on an interval: by where it rises, falls or bends.

It is not negative where it is not at the edge from which it rises, nor at the point at which it is level and from which
it bends upwards. Refuses domains that are no intervals, and functions without derivatives.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.definedness import first_open, requirements_of
from probatum.exact.algebra.derivatives import derivative
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.signs import NOT_NEGATIVE
from probatum.exact.algebra.trees import has_call, names_of, number, substituted, times, walked
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Node, Number, Power

_ROUNDS: Final = 3
_LEVEL: Final = (0, 1, -1)
"""Where a function is looked at for being level."""
_BENT: Final = ("abs", "max", "min", "cbrt", "sqrt", "asin", "acos")


def is_not_negative(node: Node, domain: Domain, *, is_strict: bool) -> bool:
    """True where an expression is not negative on a domain, or positive, as far as slopes tell."""
    names = names_of(node)
    name = min(names, default="")
    bounds = domain.bounds.get(name, ())
    asked = sum(name in names_of(condition) for condition, _ in domain.conditions)
    is_interval = asked == len(bounds) and all(relation in ("<", "<=", ">", ">=") for relation, _ in bounds)
    if len(names) != 1 or domain.kind_of(name) == "complex" or not is_interval:
        return False
    conditions = tuple(each for each in domain.conditions if names_of(each[0]) == names)
    try:
        return _Curve(name, Domain({name: "real"}, conditions)).is_above(node, _ROUNDS, is_strict=is_strict)
    except (CannotDecideError, BudgetError):
        return False


class _Curve:
    """Functions of one variable on one interval."""

    def __init__(self, name: str, domain: Domain) -> None:
        self._name, self._domain = name, domain
        self._forms = Rewriter(domain, is_real=True)
        self._ends = domain.bounds.get(name, ())

    def is_above(self, node: Node, rounds: int, *, is_strict: bool = False) -> bool:
        """True where a function is not negative on the interval, or positive."""
        slope = derivative(node, self._name)
        bend = derivative(slope, self._name)
        if not rounds or first_open(requirements_of(node, slope, bend), self._forms) is not None:
            return False
        for relations, way, choose in (((">", ">="), 1, max), (("<", "<="), -1, min)):
            ends = [(bound, relation) for relation, bound in self._ends if relation in relations]
            if ends:
                edge = choose(bound for bound, _ in ends)
                risen = self._sign(node, edge)
                is_open = all(relation == relations[0] for bound, relation in ends if bound == edge)
                is_enough = risen == 1 or (risen == 0 and (not is_strict or (is_open and self._is_strict(slope, way))))
                if is_enough and self._rises(times(number(way), slope), rounds):
                    return True
        for level in map(Fraction, _LEVEL):
            is_inside = self._domain.holds({self._name: number(level)})
            if (
                is_inside
                and self._sign(node, level) in ((1,) if is_strict else (0, 1))
                and self._sign(slope, level) == 0
            ):
                return self._rises(bend, rounds)
        return False

    def _rises(self, slope: Node, rounds: int) -> bool:
        return self._forms.signs_of(self._forms.form(slope)) <= NOT_NEGATIVE or self.is_above(slope, rounds - 1)

    def _is_strict(self, slope: Node, way: int) -> bool:
        """True where a slope that is not negative is zero at single points at most: it is analytic, and not zero."""
        samples = self._domain.samples(self._name)[:3]
        relation = ">" if way == 1 else "<"
        is_somewhere = any(sign_at(substituted(slope, {self._name: number(each)}), relation) for each in samples)
        return is_somewhere and not has_call(slope, *_BENT) and all(map(_is_smooth, walked(slope)))

    def _sign(self, node: Node, place: Fraction) -> int | None:
        """Return the sign at a place; None where it is not known, or the function has no value there."""
        here = {self._name: number(place)}
        if not all(each.holds_at(here) for each in requirements_of(node)):
            return None
        value = substituted(node, here)
        if self._forms.vanishes(self._forms.form(value)[0]):
            return 0
        return 1 if sign_at(value, ">") else -1 if sign_at(value, "<") else None


def _is_smooth(node: Node) -> bool:
    """True unless it is a root: a power of a name has a whole exponent."""
    is_whole = isinstance(node, Power) and isinstance(node.exponent, Number) and node.exponent.value.denominator == 1
    return not isinstance(node, Power) or is_whole or not names_of(node.base)
