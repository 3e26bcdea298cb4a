"""Decides sets of solutions: ``solve(x^2 = 4, x) = {-2, 2}``, over the numbers that the name is declared to be.

Each claimed number has to solve the equation, and the roots on the real line have to be as many. Refuses equations
that are no polynomials in the name, and an undeclared name where it matters whether it is real.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.algebra.calculus import Calculus
from probatum.exact.algebra.definedness import requirements_of
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.real_line import LinePlace, whole_coefficients
from probatum.exact.algebra.signs import OF_RELATION
from probatum.exact.algebra.terms import is_constant
from probatum.exact.algebra.trees import minus, names_of, substituted, written
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError, Ruling, proved, refuted
from probatum.exact.numbers.arithmetic import FAILS, HOLDS
from probatum.exact.numbers.expressions import Collection, FunctionCall, Name, Node, Relations
from probatum.exact.numbers.polynomials import without_repeated_roots

SOLVE: Final = ("solve", "solutions", "roots")


@dataclass(frozen=True, slots=True)
class Equation:
    """An expression that is to be zero, its name, and the numbers that are claimed to be all of its roots."""

    node: Node
    name: str
    claimed: tuple[Node, ...]
    domain: Domain
    is_declared: bool

    def forms(self) -> Rewriter:
        """Return forms on the part of the domain where the equation has a meaning."""
        domain = self.domain
        for each in requirements_of(self.node):
            if each.relation not in OF_RELATION:
                raise CannotDecideError("math.beyond", "The equation has powers that are not solved for.")
            domain = domain.with_condition(each.node, each.relation)
        return Rewriter(domain, is_real=True)

    def roots(self, forms: Rewriter) -> list[LinePlace]:
        """Return the real roots; raises CannotDecideError where they are not found."""
        if not forms.covers(self.name):
            raise CannotDecideError("math.beyond", "The conditions on the name are not solved for.")
        found = []
        for place, sign, name, step in forms.places_of(forms.cleared(forms.form(self.node)[0])):
            if name != self.name or step != 1 or (sign == 0 and place.is_part):
                raise CannotDecideError("math.beyond", "The equation is not solved on the real line.")
            found += [place] if sign == 0 else []
        return found


def equation_of(comparison: Relations, domain: Domain) -> Equation | None:
    """Return the equation with its claimed solutions; None where a comparison is not about one."""
    left, right = comparison.operands[:2]
    if not (isinstance(left, FunctionCall) and left.name.lower() in SOLVE) or comparison.relations != ("=",):
        return None
    if len(left.arguments) != 2 or not isinstance(left.arguments[1], Name):
        raise NotAttemptedError("math.form", "An equation and a name are due.", "Write solve(x^2 = 4, x) = {-2, 2}.")
    asked, name = left.arguments[0], left.arguments[1].name
    is_declared = name in domain.kinds
    if not is_declared:
        domain = Domain({**domain.kinds, name: "real"}, domain.conditions)
    calculus = Calculus(domain)
    sides = asked.operands if isinstance(asked, Relations) and asked.relations == ("=",) else (asked,)
    node = minus(*map(calculus.plain, sides)) if len(sides) == 2 else calculus.plain(sides[0])
    claimed = right.items if isinstance(right, Collection) and right.bracket == "{" else (right,)
    items = tuple(map(calculus.plain, claimed))
    if calculus.operations or names_of(*items) or names_of(node) != {name} or domain.kinds[name] == "complex":
        raise CannotDecideError("math.beyond", "Equations are solved for their only name, among the real numbers.")
    return Equation(node, name, items, domain, is_declared)


def decide_equation(equation: Equation) -> Ruling:
    """Return whether the claimed numbers are all the solutions."""
    forms = equation.forms()
    for each in equation.claimed:
        told = _is_solution(equation, forms, each)
        if told is False:
            return refuted(FAILS, f"{written(each)} is no solution.", {"claimed": written(each)})
        if told is None:
            raise CannotDecideError("math.beyond", "Whether a claimed number is a solution is not known.")
    roots = equation.roots(forms)
    different = _different(equation)
    if len(roots) > different:
        between = [[str(each.low), str(each.high)] for each in roots]
        detail = f"There are {len(roots)} solutions, and {different} are claimed."
        return refuted(FAILS, detail, {"roots_in": between, "claimed": different})
    if len(roots) < different:
        raise CannotDecideError("math.beyond", "The claimed numbers are not told apart from the roots.")
    _require_no_other(equation, forms, different)
    return proved(HOLDS, certificate_of_equation(equation, roots))


def _at(equation: Equation, value: Node) -> Mapping[str, Node]:
    return {equation.name: value}


def _is_solution(equation: Equation, forms: Rewriter, value: Node) -> bool | None:
    """Return whether a number lies in the domain and solves the equation; None where that is not known."""
    here = _at(equation, value)
    for node, relation in forms.domain.conditions:
        if names_of(node) <= {equation.name}:
            holds = sign_at(substituted(node, here), relation)
            if holds is None and relation in (">=", "<="):
                holds = forms.vanishes(forms.form(substituted(node, here))[0]) or None
            if holds is not True:
                return holds
    kind, (above, below) = forms.domain.kind_of(equation.name), forms.form(value)
    if kind != "real" and not (is_constant(above) and is_constant(below)):
        return None
    if kind == "integer" and not forms.is_whole(above):
        return False
    gap = substituted(equation.node, here)
    return True if forms.vanishes(forms.form(gap)[0]) else False if sign_at(gap, "!=") else None


def _different(equation: Equation) -> int:
    for one, other in combinations(equation.claimed, 2):
        if sign_at(minus(one, other), "!=") is not True:
            raise CannotDecideError("math.beyond", "Two of the claimed numbers are not shown to be different.")
    return len(equation.claimed)


def _require_no_other(equation: Equation, forms: Rewriter, count: int) -> None:
    """Raise where a name is not declared to be real and the equation has roots that are not."""
    if equation.is_declared:
        return
    value = forms.form(equation.node)
    place = forms.generator("name", equation.name)
    degree = max((int(exponent) for each in value[0] for _, exponent in each), default=0)
    dense = [value[0].get(((place, power),) if power else (), Fraction(0)) for power in range(degree, -1, -1)]
    whole = whole_coefficients(dense)
    if len(without_repeated_roots(whole)) - 1 > count:
        detail = f"The equation has solutions that are not real; declare {equation.name!r}, such as 'x: real'."
        raise CannotDecideError("math.domain_needed", detail)


def certificate_of_equation(equation: Equation, roots: list[LinePlace]) -> dict[str, object]:
    """Return what a proof leaves: the equation, its claimed solutions, and where the roots lie."""
    return {
        "form": "solutions",
        "zero": written(equation.node),
        "solutions": [written(each) for each in equation.claimed],
        "roots_in": [[str(each.low), str(each.high)] for each in roots],
    }
