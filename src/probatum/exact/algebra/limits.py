"""Limits of elementary expressions as one positive variable tends to zero from above.

Sums, products and functions of limits, and quotients by l'Hopital's rule, after what cancels is cancelled. Refuses what
oscillates, and what does not come to an end within a budget.
"""

from __future__ import annotations

from fractions import Fraction
from functools import reduce
from typing import Final, NoReturn

from probatum.core.errors import BudgetError
from probatum.exact.algebra.definedness import Requirement, requirements_of
from probatum.exact.algebra.derivatives import derivative
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.signs import OF_RELATION
from probatum.exact.algebra.terms import constant, is_constant, plain_exponent, shifted
from probatum.exact.algebra.trees import (
    call,
    divided,
    has_call,
    names_of,
    number,
    plus,
    raised,
    substituted,
    times,
    walked,
)
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Name, Node, Power, Prefixed
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate

INFINITE: Final = (call("oo"), Prefixed("-", call("oo"), 0))
"""Plus and minus infinity."""
_MOST_STEPS: Final = 500
_MOST_RULES: Final = 30
_MOST_NODES: Final = 400
_TO_INFINITY: Final = {
    ("exp", 1): INFINITE[0],
    ("exp", -1): number(0),
    ("log", 1): INFINITE[0],
    ("sqrt", 1): INFINITE[0],
    ("cbrt", 1): INFINITE[0],
    ("cbrt", -1): INFINITE[1],
    ("abs", 1): INFINITE[0],
    ("abs", -1): INFINITE[0],
    ("atan", 1): divided(call("pi"), number(2)),
    ("atan", -1): divided(call("pi"), number(-2)),
    ("tanh", 1): number(1),
    ("tanh", -1): number(-1),
    ("cosh", 1): INFINITE[0],
    ("cosh", -1): INFINITE[0],
    ("sinh", 1): INFINITE[0],
    ("sinh", -1): INFINITE[1],
}
"""By name and sign: the limit of a function as its argument grows beyond all bounds."""


_STEPPED: Final = ("floor", "ceil", "trunc", "factorial", "binomial", "gcd", "lcm")
_BOUNDED: Final = ("sin", "cos", "atan", "tanh")


class Approach:
    """Finds limits as one variable tends to zero from above, with a budget of steps."""

    def __init__(self, name: str) -> None:
        self.name = name
        domain = Domain({name: "real"}).with_condition(Name(name, 0), ">")
        self.forms = Rewriter(domain, is_real=True)
        self._place = self.forms.generator("name", name)
        self._steps = 0

    def limit(self, node: Node, rules: int = 0, *, is_tidy: bool = False) -> Node:
        """Return a limit, closed or infinite; raises CannotDecideError where none is found.

        ``rules`` is how often l'Hopital's rule was used before; a part of what is tidy is tidy.
        """
        self._steps += 1
        if self._steps > _MOST_STEPS or rules > _MOST_RULES or sum(1 for _ in walked(node)) > _MOST_NODES:
            raise BudgetError("engine.out_of_budget", "A limit takes too many steps.")
        if self.name not in names_of(node):
            return node
        if has_call(node, *_STEPPED) or any(
            isinstance(each, Chain) and "mod" in each.operators for each in walked(node)
        ):
            self._refuse("The limit of a function with steps is not looked for.")
        at_zero = {self.name: number(0)}
        if all(each.holds_at(at_zero) is True for each in requirements_of(node)):
            return substituted(node, at_zero)
        if isinstance(node, Chain) and node.operators[0] in "+-" and not is_tidy:
            try:
                return self._sum(node, rules, is_tidy=False)
            except CannotDecideError:
                pass
        above, below = (node, number(1)) if is_tidy else self._tidy(node)
        if below != number(1):
            return self._ratio(above, below, rules)
        match above:
            case Chain(operators=operators) if operators[0] in "+-":
                return self._sum(above, rules)
            case Chain():
                return self._product(_factors_of(above), rules)
            case Power():
                return self._power(above, rules)
            case FunctionCall(arguments=(argument,)):
                return self._function(above.name, argument, rules)
            case _:
                return self.limit(above, rules + 1)

    def _tidy(self, node: Node) -> tuple[Node, Node]:
        """Return numerator and denominator without what cancels, and without negative powers of the variable."""
        above, below = self.forms.form(node)
        lowest = min((Fraction(dict(each).get(self._place, 0)) for each in above), default=Fraction(0))
        under: Node = number(1)
        if lowest < 0:
            above = shifted(above, ((self._place, plain_exponent(lowest)),), -1)
            under = raised(Name(self.name, 0), -lowest)
        if not is_constant(below):
            under = times(under, self.forms.node_of((below, constant(1))))
        return self.forms.node_of((above, constant(1))), under

    def _is_zero(self, node: Node) -> bool:
        return node not in INFINITE and self.forms.vanishes(self.forms.form(node)[0])

    def _sign(self, node: Node) -> int:
        """Return the sign of a limit; raises CannotDecideError where it is not known."""
        if node in INFINITE:
            return 1 if node == INFINITE[0] else -1
        found = 0 if self._is_zero(node) else 1 if sign_at(node, ">") else -1 if sign_at(node, "<") else None
        if found is None:
            self._refuse("The sign of a limit is not known.")
        return found

    def sign_near(self, node: Node, rules: int = 0) -> int:
        """Return the sign of an expression just above zero: its own, or that of its slope."""
        found = self.forms.signs_of(self.forms.form(node))
        if len(found) == 1:
            return min(found)
        sign = self._sign(self.limit(node, rules + 1))
        return sign or self.sign_near(derivative(node, self.name), rules + 1)

    def _sum(self, node: Chain, rules: int, *, is_tidy: bool = True) -> Node:
        parts = [node.operands[0]]
        for sign, each in zip(node.operators, node.operands[1:], strict=True):
            parts.append(each if sign == "+" else Prefixed("-", each, 0))
        limits = [self.limit(each, rules, is_tidy=is_tidy) for each in parts]
        infinite = {each for each in limits if each in INFINITE}
        if len(infinite) > 1:
            return self._difference(parts, limits, rules) if is_tidy else self._refuse("Terms grow against each other.")
        return infinite.pop() if infinite else reduce(plus, limits)

    def _difference(self, parts: list[Node], limits: list[Node], rules: int) -> Node:
        """Return the limit of a sum whose terms grow against each other, by the first of them."""
        first = next(part for part, found in zip(parts, limits, strict=True) if found in INFINITE)
        rest = reduce(plus, [divided(each, first) for each in parts if each is not first])
        share = self.limit(plus(number(1), rest), rules + 1)
        if self._is_zero(share):
            self._refuse("Terms grow against each other.")
        return self._infinite(self._sign(share) * self._sign(self.limit(first, rules)))

    def _refuse(self, detail: str) -> NoReturn:
        raise CannotDecideError("math.beyond", detail)

    def _infinite(self, sign: int) -> Node:
        return INFINITE[0] if sign > 0 else INFINITE[1]

    def _product(self, parts: list[Node], rules: int) -> Node:
        bounded = [each for each in parts if isinstance(each, FunctionCall) and each.name in _BOUNDED]
        others = [each for each in parts if each not in bounded]
        limits = [self.limit(each, rules, is_tidy=True) for each in others]
        small = [part for part, found in zip(others, limits, strict=True) if self._is_zero(found)]
        large = [part for part, found in zip(others, limits, strict=True) if found in INFINITE]
        if small and not large:
            return number(0)
        limits += [self.limit(each, rules, is_tidy=True) for each in bounded]
        if small:
            rest = reduce(times, [each for each in parts if each not in small], number(1))
            return self._ratio(rest, self._inverted(reduce(times, small)), rules)
        sign = 1
        for each in limits if large else ():
            sign *= self._sign(each)
        return self._infinite(sign) if large else reduce(times, limits)

    def _inverted(self, node: Node) -> Node:
        return self.forms.node_of(self.forms.reciprocal(self.forms.form(node)))

    def _ratio(self, above: Node, below: Node, rules: int) -> Node:
        ends = self.limit(above, rules + 1), self.limit(below, rules + 1)
        if all(map(self._is_zero, ends)) or all(each in INFINITE for each in ends):
            exponentials = [each for each in _factors_of(above) if has_call(each, "exp")]
            if any(isinstance(each, FunctionCall) and self._is_zero(self.limit(each)) for each in exponentials):
                above, below = self._inverted(below), self._inverted(above)
            waves = [each for each in (*walked(above), *walked(below)) if isinstance(each, FunctionCall)]
            if any(each.name in ("sin", "cos") and self.limit(each.arguments[0]) in INFINITE for each in waves):
                self._refuse("A part oscillates.")
            return self.limit(divided(derivative(above, self.name), derivative(below, self.name)), rules + 1)
        if ends[1] in INFINITE:
            return number(0)
        if self._is_zero(ends[1]):
            return self._infinite(self._sign(ends[0]) * self.sign_near(below, rules))
        return self._infinite(self._sign(ends[0]) * self._sign(ends[1])) if ends[0] in INFINITE else divided(*ends)

    def _power(self, node: Power, rules: int) -> Node:
        try:
            exponent = evaluate(node.exponent).value
        except NotRationalError:
            return self.limit(call("exp", times(node.exponent, call("log", node.base))), rules + 1)
        base = self.limit(node.base, rules + 1)
        if base in INFINITE:
            sign = self._sign(base) if exponent.denominator == 1 and exponent % 2 else 1
            return number(0) if exponent < 0 else self._infinite(sign)
        if not self._is_zero(base):
            return raised(base, exponent)
        if exponent > 0:
            return number(0)
        sign = self.sign_near(node.base, rules)
        return self._infinite(sign if exponent % 2 else 1)

    def _function(self, name: str, argument: Node, rules: int) -> Node:
        inner = self.limit(argument, rules + 1)
        if name == "log" and self._is_zero(inner) and self.sign_near(argument, rules) > 0:
            return INFINITE[1]
        found = call(name, inner)
        if inner in INFINITE:
            known = _TO_INFINITY.get((name, self._sign(inner)))
            if known is None:
                self._refuse("A part oscillates.")
            return known
        if not all(each.holds_at({}) is True for each in requirements_of(found)):
            self._refuse("No limit is found.")
        return found


def _factors_of(node: Node) -> list[Node]:
    """Return the factors of a product."""
    if isinstance(node, Chain) and set(node.operators) == {"*"}:
        return [factor for each in node.operands for factor in _factors_of(each)]
    return [Prefixed("-", node.operand, 0)] if isinstance(node, Prefixed) else [node]


def limit_at(node: Node, name: str, point: Node, side: str) -> Node:
    """Return the limit of an expression as a name tends to a point, or to an infinity.

    From the sides named: left, right, or both where the expression has values there.
    """
    found: list[Node] = []
    ways = {"right": (1,), "left": (-1,)}.get(side, (1, -1))
    for way in ways[:1] if point in INFINITE else ways:
        approach = Approach(name)
        near = plus(point, times(number(way), Name(name, 0)))
        if point in INFINITE:
            near = divided(number(1 if point == INFINITE[0] else -1), Name(name, 0))
        here = substituted(node, {name: near})
        needed = [_holds_near(approach, each) for each in requirements_of(here)]
        if all(needed):
            found.append(approach.limit(here))
    if not found:
        raise CannotDecideError(UNDEFINED, "An expression has no values near the point of its limit.")
    if len(found) == 2 and found[0] != found[1]:
        forms = Approach(name).forms
        if INFINITE[0] in found or INFINITE[1] in found or not forms.vanishes(forms.difference(*found)[0]):
            raise CannotDecideError(UNDEFINED, "The limits from the left and from the right are not shown to be equal.")
    return found[0]


def _holds_near(approach: Approach, requirement: Requirement) -> bool:
    """Return whether a requirement holds just above zero; raises CannotDecideError where that is not known."""
    node, relation = requirement.node, requirement.relation
    if relation not in OF_RELATION:
        if requirement.holds(approach.forms):
            return True
        node, relation = (node.base, ">") if isinstance(node, Power) else (node, relation)
        if relation not in OF_RELATION or approach.sign_near(node) == 0:
            raise CannotDecideError("math.beyond", "A power may have no value near the point of a limit.")
    return approach.sign_near(node) in OF_RELATION[relation]
