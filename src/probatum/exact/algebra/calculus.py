"""Derivatives, integrals, limits and sums within a statement: each becomes an expression that is equal to it.

An antiderivative is put together from candidates and proved by differentiating it; a sum up to a name is proved by
induction. Refuses integrands and summands for which nothing fits, and integrals across a point without a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import islice
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.algebra.definedness import Requirement, require_defined, requirements_of
from probatum.exact.algebra.derivatives import derivative
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.limits import INFINITE, limit_at
from probatum.exact.algebra.signs import OF_RELATION
from probatum.exact.algebra.terms import Monomial, Poly, constant, is_constant
from probatum.exact.algebra.trees import (
    call,
    divided,
    has_call,
    minus,
    names_of,
    number,
    plain,
    plus,
    raised,
    substituted,
    times,
    walked,
    written,
)
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.logic.linear_systems import LinearRow, TooManyRowsError, eliminate, solution
from probatum.exact.numbers.expressions import FunctionCall, Name, Node, Number
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate

_BEYOND: Final = "math.beyond"
_FORM: Final = "math.form"
_MOST_TERMS: Final = 1_000
_MOST_PARTS: Final = 100
_MOST_NODES: Final = 1_500
_MOST_CANDIDATES: Final = 24
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
            return self._series(head, inner, name, bounds)
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

    def _series(self, head: str, inner: Node, name: str, bounds: tuple[Node, ...]) -> Node:
        """Return the value of a geometric series without end."""
        low, high = bounds
        if head != "sum" or high != INFINITE[0] or not isinstance(low, Number) or low.value.denominator != 1:
            raise CannotDecideError(_BEYOND, "A sum up to a name stands alone on its side of an equation.")
        domain = Domain({**self.domain.kinds, name: "integer"}).with_condition(minus(Name(name, 0), low), ">=")
        forms = Rewriter(domain, is_real=True)
        after = substituted(inner, {name: plus(Name(name, 0), number(1))})
        ratio = forms.node_of(forms.times(forms.form(after), forms.reciprocal(forms.form(inner))))
        require_defined(requirements_of(inner), forms)
        if names_of(ratio) or sign_at(minus(number(1), raised(ratio, 2)), ">") is not True:
            raise CannotDecideError(_BEYOND, "No value is found for a sum without end.")
        return divided(substituted(inner, {name: low}), minus(number(1), ratio))


def antiderivative(node: Node, name: str, forms: Rewriter) -> Node:
    """Return an expression whose derivative this one is, on the domain of the forms.

    Raises CannotDecideError where none is put together from the candidates.
    """
    above, below = forms.form(node)
    candidates, columns = [], list[Poly]()
    for each in _candidates(above, below, name, forms):
        made, under = forms.times(forms.form(derivative(each, name)), (below, constant(1)))
        if is_constant(under):
            candidates.append(each)
            columns.append(made)
        if len(candidates) == _MOST_CANDIDATES:
            break
    rows = []
    for place, monomial in enumerate({monomial: None for each in (above, *columns) for monomial in each}):
        sums: dict[tuple[str, ...], Fraction] = {
            (f"c{index:02}",): each[monomial] for index, each in enumerate(columns) if monomial in each
        }
        rows.append(LinearRow(sums, -above.get(monomial, Fraction(0)), "=", {place: Fraction(1)}))
    try:
        elimination = eliminate(rows)
    except TooManyRowsError as error:
        raise BudgetError("engine.out_of_budget", "An integrand has too many terms.") from error
    if elimination.multipliers is not None:
        raise CannotDecideError(_BEYOND, "No antiderivative is found.")
    values, _ = solution(elimination, lambda _: False)
    whole = number(0)
    for index, each in enumerate(candidates):
        whole = plus(whole, times(number(values.get((f"c{index:02}",), Fraction(0))), each))
    if not forms.vanishes(forms.difference(derivative(whole, name), node)[0]):
        raise CannotDecideError(_BEYOND, "No antiderivative is found.")
    return whole


def _candidates(above: Poly, below: Poly, name: str, forms: Rewriter) -> Iterator[Node]:
    """Yield expressions of which multiples may add up to an antiderivative."""
    variable = Name(name, 0)
    if not is_constant(below):
        yield call("log", call("abs", forms.node_of((below, constant(1)))))
        yield from _arc_tangents(below, name, forms)
    waiting = [_without_turns(each, forms) for each in above]
    seen: dict[Monomial, None] = {}
    yield call("log", call("abs", variable))
    while waiting and len(seen) < _MOST_CANDIDATES:
        monomial = waiting.pop(0)
        if monomial in seen:
            continue
        seen[monomial] = None
        has_wave = any(forms.is_wave(forms.generators[place]) for place, _ in monomial)
        for wave in ("cos", "sin") if has_wave else ("cos",):
            part = forms.node_of(({monomial: Fraction(1)}, constant(1)), wave)
            yield from (times(part, variable), part)
            slope = derivative(part, name)
            found = {**forms.form(slope)[0], **(forms.form(times(variable, slope))[0] if has_call(part, "log") else {})}
            waiting += [_without_turns(each, forms) for each in found]


def _without_turns(monomial: Monomial, forms: Rewriter) -> Monomial:
    return tuple(each for each in monomial if forms.generators[each[0]].sort != "turn")


def _arc_tangents(below: Poly, name: str, forms: Rewriter) -> Iterator[Node]:
    """Yield the arc tangent that belongs to a quadratic divisor without real roots."""
    place = forms.generator("name", name)
    a, b, c = (below.get(((place, power),) if power else (), Fraction(0)) for power in (2, 1, 0))
    if len(below) == sum(map(bool, (a, b, c))) and 4 * a * c - b * b > 0:
        root = raised(number(4 * a * c - b * b), Fraction(1, 2))
        slope = plus(times(number(2 * a), Name(name, 0)), number(b))
        yield divided(call("atan", divided(slope, root)), root)
