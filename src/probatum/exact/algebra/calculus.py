"""Derivatives, integrals, limits and sums within a statement: each becomes an expression that is equal to it.

An antiderivative is found by a library and proved by differentiating it; a sum up to a name is proved by induction; a
limit is one of a rational function. Refuses integrands for which nothing is found, integrals across a point without a
value, and sums without end.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import islice
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.algebra.antiderivatives import antiderivative
from probatum.exact.algebra.definedness import Requirement, require_defined, requirements_of
from probatum.exact.algebra.derivatives import derivative
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.limits import INFINITE, limit_at
from probatum.exact.algebra.signs import OF_RELATION
from probatum.exact.algebra.trees import (
    has_call,
    minus,
    names_of,
    number,
    plain,
    plus,
    substituted,
    times,
    walked,
    written,
)
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import FunctionCall, Name, Node, Number
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate

_BEYOND: Final = "math.beyond"
_FORM: Final = "math.form"
_MOST_TERMS: Final = 1_000
_MOST_PARTS: Final = 100
_MOST_NODES: Final = 1_500
_MOST_DERIVED: Final = 4
_ALIASES: Final = {
    "diff": ("diff", "derivative"),
    "integral": ("integral", "integrate", "int"),
    "limit": ("limit", "lim"),
    "sum": ("sum",),
    "product": ("product", "prod"),
}
_COUNTS: Final = {"diff": (2, 3), "integral": (2, 4), "limit": (3, 4), "sum": (4,), "product": (4,)}
_HINT: Final = "Write diff(x^2, x), integral(x^2, x, 0, 1), limit(1/x, x, 0, right) or sum(k, k, 1, 10)."
HEADS: Final = {alias: head for head, aliases in _ALIASES.items() for alias in aliases}
"""By how it is written: which operation with a variable of its own a call is."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation with a variable of its own, and what it is equal to."""

    head: str
    inner: Node
    name: str
    bounds: tuple[Node, ...]
    value: Node
    way: int = 1
    """Of a limit: -1 where it is from the left alone."""

    @property
    def text(self) -> str:
        """The operation as a certificate tells it."""
        return f"{self.head}({', '.join((written(self.inner), self.name, *map(written, self.bounds)))})"


class Calculus:
    """Reads the expressions of one statement."""

    def __init__(self, domain: Domain, *bound: str) -> None:
        self.domain = domain
        self.extra: list[Requirement] = []
        """What has to hold for the operations to have values."""
        self.operations: list[Operation] = []
        self._bound = list(bound)
        self._heads = dict.fromkeys(HEADS, self._called)

    def plain(self, node: Node) -> Node:
        """Return a plain expression without such operations; raises CannotDecideError where one is not found."""
        found = plain(node, frozenset((*self.domain.kinds, *self._bound)), self._heads)
        return next((each for each in INFINITE if written(each) == written(found)), found)

    def _called(self, node: FunctionCall) -> Node:
        head = HEADS[node.name.lower()]
        if len(node.arguments) not in _COUNTS[head] or not isinstance(node.arguments[1], Name):
            sentence = (
                f"{node.name} takes an expression, a name, and what belongs to it; found at position {node.start}."
            )
            raise NotAttemptedError(_FORM, sentence, _HINT)
        name = node.arguments[1].name
        self._bound.append(name)
        inner = self.plain(node.arguments[0])
        self._bound.pop()
        rest = node.arguments[2:]
        if head == "diff":
            return self.derived(inner, name, rest[0].value if rest and isinstance(rest[0], Number) else len(rest) + 1)
        side = rest[1].name if head == "limit" and len(rest) == 2 and isinstance(rest[1], Name) else ""
        if (head == "limit" and len(rest) == 2 and side not in ("left", "right")) or (head == "integral" and not rest):
            raise NotAttemptedError(_FORM, f"This form of {node.name} is not read.", _HINT)
        bounds = tuple(map(self.plain, rest[:1] if head == "limit" else rest))
        if len(bounds) == 1:
            found = limit_at(inner, name, bounds[0], side)
        else:
            found = (self._integrated if head == "integral" else self.summed)(head, inner, name, bounds)
        self.operations.append(Operation(head, inner, name, bounds, found, -1 if side == "left" else 1))
        return found

    def derived(self, inner: Node, name: str, count: Fraction | int = 1) -> Node:
        """Return a derivative, and note what it needs; raises CannotDecideError where no rule is known."""
        if count not in range(1, _MOST_DERIVED + 1):
            raise CannotDecideError(_BEYOND, f"Derivatives are taken up to {_MOST_DERIVED} times.")
        slope = inner
        for _ in range(int(count)):
            for each in requirements_of(slope):
                self.extra.append(Requirement(each.node, ">") if each.relation == ">=" else each)
            before, slope = slope, derivative(slope, name)
            if sum(1 for _ in islice(walked(slope), _MOST_NODES)) == _MOST_NODES:
                raise BudgetError("engine.out_of_budget", "A derivative grows too large.")
            self.operations.append(Operation("diff", before, name, (), slope))
        return slope

    # Integrals.

    def _inside(self, name: str, low: Node, high: Node) -> Domain:
        """Return the domain of a variable between two bounds."""
        kinds = {**{each: kind for each, kind in self.domain.kinds.items() if each != name}, name: "real"}
        outer = tuple(each for each in self.domain.conditions if name not in names_of(each[0]))
        domain = Domain(kinds, outer)
        for bound, relation in ((low, ">="), (high, "<=")):
            domain = domain if bound in INFINITE else domain.with_condition(minus(Name(name, 0), bound), relation)
        return domain

    def _is_not_below(self, high: Node, low: Node) -> bool:
        """Return whether one bound is shown to be at least the other on the whole domain."""
        if not names_of(low, high) <= self.domain.kinds.keys():
            return False
        forms = Rewriter(self.domain, is_real=True)
        return forms.signs_of(forms.difference(high, low)) <= OF_RELATION[">="]

    def _integrated(self, head: str, inner: Node, name: str, bounds: tuple[Node, ...]) -> Node:
        low, high = bounds
        if name in names_of(low, high) or low == INFINITE[0] or high == INFINITE[1]:
            raise CannotDecideError(_BEYOND, "The bounds of an integral are not read.")
        is_infinite = low in INFINITE or high in INFINITE
        if not is_infinite and not names_of(low, high):
            is_reversed = sign_at(minus(high, low), "<")
            if is_reversed is None:
                raise CannotDecideError(_BEYOND, "It is not known which bound of an integral is the lower one.")
            if is_reversed:
                return times(number(-1), self._integrated(head, inner, name, (high, low)))
        # Bounds with names may stand in either order, so nothing is assumed of what lies between them.
        is_ordered = is_infinite or not names_of(low, high) or self._is_not_below(high, low)
        domain = self._inside(name, *((low, high) if is_ordered else (INFINITE[1], INFINITE[0])))
        forms = Rewriter(domain, is_real=not has_call(inner, "i"))
        needed = requirements_of(inner)
        if needed and not is_ordered:
            raise CannotDecideError(_BEYOND, "An integral up to a name needs an integrand with values everywhere.")
        require_defined(needed, forms)
        whole = antiderivative(inner, name, forms)
        require_defined(requirements_of(whole), forms)
        ends = []
        for bound in (high, low):
            ends.append(limit_at(whole, name, bound, "") if bound in INFINITE else substituted(whole, {name: bound}))
        if any(each in INFINITE for each in ends):
            raise CannotDecideError(UNDEFINED, "An integral has no finite value.")
        return minus(*ends)

    # Sums and products.

    def summed(self, head: str, inner: Node, name: str, bounds: tuple[Node, ...]) -> Node:
        """Return a sum or a product; raises CannotDecideError where it has no value that is found."""
        try:
            low, high = (evaluate(each).value for each in bounds)
        except NotRationalError:
            detail = "A sum up to a name stands alone on its side of an equation; one without end is not added up."
            raise CannotDecideError(_BEYOND, detail) from None
        if low.denominator != 1 or high.denominator != 1 or high < low - 1:
            raise CannotDecideError(UNDEFINED, "The bounds of a sum are whole numbers, the lower one first.")
        if high - low > _MOST_TERMS:
            raise BudgetError("engine.out_of_budget", f"Sums are added up to {_MOST_TERMS:,} terms.")
        total = number(0 if head == "sum" else 1)
        parts = [substituted(inner, {name: number(low + step)}) for step in range(int(high - low) + 1)]
        try:
            for each in parts:
                value, more = evaluate(total).value, evaluate(each).value
                total = number(value + more if head == "sum" else value * more)
            return total
        except NotRationalError:
            if len(parts) > _MOST_PARTS:
                raise BudgetError(
                    "engine.out_of_budget", f"Up to {_MOST_PARTS} irrational terms are added up."
                ) from None
            return reduce(plus if head == "sum" else times, parts, number(0 if head == "sum" else 1))
