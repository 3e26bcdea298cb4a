"""Rewrites expressions into quotients of polynomials in generators, by rules that hold on a whole domain.

A generator is a name, a constant, or what a function gives: ``exp`` of a monomial, a root, a logarithm, an absolute
value. Sines and cosines become exponentials, so equal sums of products have equal forms. Each rule is applied only
where the signs that it needs are known. Refuses nothing; what no rule rewrites is a generator of its own.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.terms import (
    MAX_STEPS,
    MAX_TERMS,
    ONE,
    Exponent,
    Monomial,
    Poly,
    constant,
    divided_exactly,
    is_constant,
    leading,
    merged,
    plain_exponent,
    scaled,
    total,
)
from probatum.exact.algebra.trees import call, divided, number, parts_of, plus, raised, times, written
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Name, Node, Number, Power, Prefixed
from probatum.exact.numbers.rational import UNDEFINED, NotRationalError, evaluate


@dataclass(frozen=True, slots=True)
class Generator:
    """What polynomials are made of: its sort, and the name, number, polynomial or expression that it belongs to."""

    sort: str
    """name, pi, prime, turn (exp(i pi)), exp, periodic, abs, root, log, inverse or function."""
    label: str = ""
    inner: tuple[tuple[Monomial, Fraction], ...] = ()
    node: Node | None = None
    """Of a function that no rule rewrites: the call."""


Quotient = tuple[Poly, Poly]
MAX_BITS: Final = 8_000
"""Of a coefficient within a function."""
UNIT: Quotient = (constant(1), constant(1))
_REDUCED = frozenset({"prime", "turn", "abs", "root", "periodic"})


class Forms:
    """The forms of one claim's expressions, over the same generators."""

    def __init__(self, domain: Domain, *, is_real: bool) -> None:
        self.domain = domain
        self.is_real = is_real
        """Whether every part of the claim is real where it has a value."""
        self.generators: list[Generator] = []
        self._numbers: dict[object, int] = {}
        self._special: set[int] = set()
        self._known: dict[Node, Quotient] = {}

    def generator(self, sort: str, label: str = "", inner: Poly | None = None, node: Node | None = None) -> int:
        """Return the number of a generator."""
        _require_short(inner.values() if inner is not None else ())
        terms = tuple(sorted(inner.items(), key=repr)) if inner is not None else ()
        key = (sort, label, terms)
        if key not in self._numbers:
            self.generators.append(Generator(sort, label, terms, node))
            self._numbers[key] = len(self.generators) - 1
            if sort in _REDUCED:
                self._special.add(len(self.generators) - 1)
        return self._numbers[key]

    def single(self, sort: str, label: str = "", inner: Poly | None = None, exponent: Exponent = 1) -> Poly:
        """Return a power of one generator."""
        _require_short((Fraction(exponent),))
        monomial = ((self.generator(sort, label, inner), plain_exponent(exponent)),)
        return self.product({monomial: Fraction(1)}, constant(1))

    # Products, in which powers of generators fall together.

    def product(self, left: Poly, right: Poly) -> Poly:
        """Return a product, with what the generators make of their powers."""
        if len(left) * len(right) > MAX_STEPS:
            raise BudgetError("engine.out_of_budget", "A product has too many terms.")
        made: Poly = {}
        for one, factor in left.items():
            for other, coefficient in right.items():
                monomial = merged(one, other)
                value = factor * coefficient
                if self._special and any(each in self._special for each, _ in monomial):
                    made = total(made, self._reduced(monomial), value)
                elif monomial in made:
                    made[monomial] += value
                    if not made[monomial]:
                        del made[monomial]
                else:
                    made[monomial] = value
            if len(made) > MAX_TERMS:
                raise BudgetError("engine.out_of_budget", f"An expression has more than {MAX_TERMS:,} terms.")
        return made

    def power(self, base: Poly, exponent: int) -> Poly:
        """Return a whole power that is not negative."""
        if exponent > 5_000:
            raise BudgetError("engine.out_of_budget", "A power is too large to compute with.")
        result, square = constant(1), base
        while exponent:
            if exponent & 1:
                result = self.product(result, square)
            exponent >>= 1
            if exponent:
                square = self.product(square, square)
        return result

    def _reduced(self, monomial: Monomial) -> Poly:
        """Return a monomial with the exponents of special generators brought into their ranges."""
        factor, kept, others = Fraction(1), [], list[tuple[Poly, int]]()
        for each, exponent in monomial:
            generator, left = self.generators[each], exponent
            match generator.sort:
                case "prime":
                    left = exponent - floor(exponent)
                    factor *= Fraction(int(generator.label)) ** floor(exponent)
                case "turn":
                    left = exponent % 2
                    if left >= 1:
                        left, factor = left - 1, -factor
                case "periodic":
                    left = exponent % 2
                case "abs":
                    left = exponent % 2
                    others.append((dict(generator.inner), floor(exponent - left)))
                case "root":
                    left = exponent - floor(exponent)
                    others.append((dict(generator.inner), floor(exponent)))
            if left:
                kept.append((each, plain_exponent(left)))
        result = {tuple(kept): factor}
        for polynomial, times_taken in others:
            if times_taken < 0:
                polynomial = self.single("inverse", "", polynomial)  # noqa: PLW2901  # the reciprocal is meant
            result = self.product(result, self.power(polynomial, abs(times_taken))) if times_taken else result
        return result

    # Quotients.

    def sum_of(self, left: Quotient, right: Quotient, sign: Fraction | int = 1) -> Quotient:
        """Return left + sign * right."""
        if left[1] == right[1]:
            return self._tidy(total(left[0], right[0], sign), left[1])
        above = total(self.product(left[0], right[1]), self.product(right[0], left[1]), sign)
        return self._tidy(above, self.product(left[1], right[1]))

    def times(self, left: Quotient, right: Quotient) -> Quotient:
        """Return a product."""
        return self._tidy(self.product(left[0], right[0]), self.product(left[1], right[1]))

    def reciprocal(self, value: Quotient) -> Quotient:
        """Return a reciprocal; raises CannotDecideError where it is one of zero."""
        above, below = value
        if not above:
            raise CannotDecideError(UNDEFINED, "Something is divided by zero.")
        return self._tidy(below, above)

    def raised(self, value: Quotient, exponent: int) -> Quotient:
        """Return a whole power."""
        above, below = value if exponent >= 0 else self.reciprocal(value)
        return self._tidy(self.power(above, abs(exponent)), self.power(below, abs(exponent)))

    def _tidy(self, above: Poly, below: Poly) -> Quotient:
        if is_constant(below):
            return scaled(above, 1 / below[ONE]), constant(1)
        if len(below) == 1:
            (monomial, coefficient), *_ = below.items()
            free: list[tuple[int, Exponent]] = []
            under = constant(coefficient)
            for each, exponent in monomial:
                generator = self.generators[each]
                if generator.sort not in ("abs", "root"):
                    free.append((each, -exponent))
                    continue
                # 1/|u| = |u|/u^2, and 1/u^q = u^(1-q)/u.
                whole = 2 if generator.sort == "abs" else 1
                above = self.product(above, {((each, plain_exponent(whole - exponent)),): Fraction(1)})
                under = self.product(under, self.power(dict(generator.inner), whole))
            return self._tidy(self.product(above, {tuple(free): Fraction(1)}), under)
        quotient = divided_exactly(above, below)
        if quotient is not None:
            return quotient, constant(1)
        first = below[leading(below)]
        return scaled(above, 1 / first), scaled(below, 1 / first)

    def as_poly(self, value: Quotient) -> Poly:
        """Return a quotient as a polynomial, by a generator for what it is divided by."""
        above, below = value
        return above if is_constant(below) else self.product(above, self.single("inverse", "", below))

    # Expressions.

    def form(self, node: Node) -> Quotient:
        """Return the form of a plain expression; raises BudgetError where it grows too large."""
        if node not in self._known:
            self._known[node] = self._form(node)
        return self._known[node]

    def _form(self, node: Node) -> Quotient:
        match node:
            case Number():
                return constant(node.value), constant(1)
            case Name():
                return self.single("name", node.name), constant(1)
            case Prefixed():
                above, below = self.form(node.operand)
                return scaled(above, -1), below
            case Chain(operators=operators) if operators[0] in "+-":
                value = self.form(node.operands[0])
                for sign, operand in zip(operators, node.operands[1:], strict=True):
                    value = self.sum_of(value, self.form(operand), 1 if sign == "+" else -1)
                return value
            case Chain(operators=operators) if "mod" not in operators:
                value = self.form(node.operands[0])
                for sign, operand in zip(operators, node.operands[1:], strict=True):
                    other = self.form(operand)
                    value = self.times(value, other if sign == "*" else self.reciprocal(other))
                return value
            case Power():
                return self.power_form(self.form(node.base), self.form(node.exponent))
            case FunctionCall():
                return self.function_form(node)
            case _:
                return self.opaque(node)

    def power_form(self, base: Quotient, exponent: Quotient) -> Quotient:
        """Return the form of a power."""
        raise NotImplementedError

    def function_form(self, node: FunctionCall) -> Quotient:
        """Return the form of a function."""
        raise NotImplementedError

    def opaque(self, node: Node) -> Quotient:
        """Return what no rule rewrites: its value where it is rational, else a generator."""
        try:
            return constant(evaluate(node).value), constant(1)
        except NotRationalError:
            pass
        if not self.is_real:
            raise CannotDecideError("math.beyond", "A function is taken of what may not be real.")
        label = node.name if isinstance(node, FunctionCall) else " ".join(getattr(node, "operators", ()))
        parts = tuple(self.node_of(self.form(part)) for part in parts_of(node))
        text = f"{label}({', '.join(map(written, parts))})"
        return {((self.generator("function", text, None, node), 1),): Fraction(1)}, constant(1)

    def difference(self, left: Node, right: Node) -> Quotient:
        """Return the form of a difference."""
        return self.sum_of(self.form(left), self.form(right), -1)

    def node_of(self, value: Quotient, wave: str = "cos") -> Node:
        """Return a form as a real expression: its real part, or with ``sin`` its imaginary part.

        The divisor is real.
        """
        node: Node = number(0)
        for monomial, coefficient in sorted(value[0].items(), key=lambda term: self._text_of(term[0])):
            term, angle = number(coefficient), number(0)
            for place, exponent in sorted(monomial, key=lambda each: self._text_of((each,))):
                generator = self.generators[place]
                turned = self._angle_node(generator)
                if turned is None:
                    term = times(term, self._power_node(generator, exponent))
                else:
                    angle = plus(angle, times(turned, number(exponent)))
            if wave == "sin" or angle != number(0):
                term = times(term, call(wave, angle))
            node = plus(node, term)
        return node if is_constant(value[1]) else divided(node, self.node_of((value[1], constant(1))))

    def _angle_node(self, generator: Generator) -> Node | None:
        """Return u of what is exp(i u); None of what is real."""
        if generator.sort == "turn":
            return call("pi")
        if not self.is_wave(generator):
            return None
        ((monomial, _),) = generator.inner
        bare = tuple(each for each in monomial if not self.is_wave(self.generators[each[0]]))
        if [self.generators[g].sort for g, _ in set(monomial) - set(bare)] != ["turn"]:
            raise CannotDecideError("math.beyond", "A function is taken of what is not real.")
        return self.node_of(({bare: Fraction(1)}, constant(1)))

    def is_wave(self, generator: Generator) -> bool:
        """True of what is not real by itself: exp(i u)."""
        if generator.sort not in ("exp", "periodic"):
            return generator.sort == "turn"
        return any(self.is_wave(self.generators[g]) for monomial, _ in generator.inner for g, _ in monomial)

    def _text_of(self, monomial: Monomial) -> str:
        return " ".join(sorted(f"{self.generators[place]}^{exponent}" for place, exponent in monomial))

    def _power_node(self, generator: Generator, exponent: Exponent) -> Node:
        def inner() -> Node:
            return self.node_of((dict(generator.inner), constant(1)))

        match generator.sort:
            case "name":
                return raised(Name(generator.label, 0), exponent)
            case "pi":
                return raised(call("pi"), exponent)
            case "prime":
                return raised(number(int(generator.label)), exponent)
            case "exp":
                return call("exp", times(inner(), number(exponent)))
            case "root":
                return raised(inner(), exponent)
            case "inverse":
                return raised(inner(), -exponent)
            case "abs" | "log":
                return raised(call(generator.sort, inner()), exponent)
            case _:
                return raised(_known(generator), exponent)


def _require_short(values: Iterable[Fraction]) -> None:
    if any(max(each.numerator.bit_length(), each.denominator.bit_length()) > MAX_BITS for each in values):
        raise BudgetError("engine.out_of_budget", f"A number within a function has more than {MAX_BITS:,} bits.")


def _known(generator: Generator) -> Node:
    assert generator.node is not None
    return generator.node
