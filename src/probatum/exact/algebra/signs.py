"""Finds which signs a form can have on a domain: never too few of them.

By the signs of terms, on the real line cut at roots, and by squares. Refuses to say
anything of what may not be real.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product, zip_longest
from math import lcm
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.domains import Domain
from probatum.exact.algebra.forms import Forms, Generator, Quotient
from probatum.exact.algebra.real_line import LinePlace, RealLine, UncutError, multiplied, whole_coefficients
from probatum.exact.algebra.squares import square_root, squares_of
from probatum.exact.algebra.terms import (
    ONE,
    Monomial,
    Poly,
    constant,
    divided_exactly,
    generators_of,
    is_constant,
    scaled,
    shared_monomial,
    shifted,
    total,
)
from probatum.exact.algebra.trees import names_of
from probatum.exact.algebra.values import sign_at
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.polynomials import Coefficients

Signs = frozenset[int]
ANY: Final[Signs] = frozenset({-1, 0, 1})
POSITIVE: Final[Signs] = frozenset({1})
NOT_NEGATIVE: Final[Signs] = frozenset({0, 1})
OF_RELATION: Final[dict[str, Signs]] = {
    ">": POSITIVE,
    ">=": NOT_NEGATIVE,
    "<": frozenset({-1}),
    "<=": frozenset({-1, 0}),
    "=": frozenset({0}),
    "!=": frozenset({-1, 1}),
}
_HIGHEST: Final = 60
"""The highest degree that is looked at."""
_ROUNDS: Final = 12
"""How often absolute values within absolute values make further cuts."""


class SignedForms(Forms):
    """Forms, with the signs that they can have."""

    def __init__(self, domain: Domain, *, is_real: bool) -> None:
        super().__init__(domain, is_real=is_real)
        self._conditions: list[tuple[Poly, str]] | None = None
        self._known_signs: dict[int, Signs] = {}
        self.lines: list[RealLine] = []
        """Those that were cut, in the order in which they were."""

    def conditions(self) -> list[tuple[Poly, str]]:
        """Return the conditions of the domain, each as a polynomial and its relation to zero."""
        if self._conditions is None:
            # Each is read with those before it.
            self._conditions = []
            for node, relation in self.domain.conditions:
                try:
                    above, below = self.form(node)
                except (CannotDecideError, BudgetError):
                    continue
                if above and (is_constant(below) or relation in ("=", "!=")):
                    self._conditions.append((above, relation))
                    self._known.clear()
                    self._known_signs.clear()
        return self._conditions

    def signs_of(self, value: Quotient) -> Signs:
        """Return the signs that a quotient can have where it is defined."""
        return _products(self.signs(value[0]), self.signs(value[1]) - {0})

    def cleared(self, polynomial: Poly) -> Poly:
        """Return a polynomial without negative powers, and of the same sign wherever those have a value."""
        by = []
        for place, exponent in shared_monomial(polynomial):
            if exponent < 0 and not self.is_wave(self.generators[place]):
                is_even = type(exponent) is int and exponent % 2 and not self._generator_signs(place) <= NOT_NEGATIVE
                by.append((place, exponent - 1 if is_even else exponent))
        return shifted(polynomial, tuple(by), -1) if by else polynomial

    def signs(self, polynomial: Poly) -> Signs:
        """Return the signs that a polynomial can have where it is defined; all of them where it may not be real."""
        if is_constant(polynomial):
            value = polynomial.get(ONE, Fraction(0))
            return frozenset({(value > 0) - (value < 0)})
        if not self.is_real:
            return ANY
        if self._has_wave(polynomial):
            return self._by_value(polynomial)
        polynomial = self.cleared(polynomial)
        on_line = self._by_line(polynomial)
        if on_line is not None:
            return on_line
        rules = [self._by_terms, self._by_value, self._by_squares]
        found = ANY
        for rule in rules:
            found &= rule(polynomial)
            if len(found) == 1:
                break
        return found

    def is_nonzero(self, value: Poly) -> bool:
        """True where a polynomial has no zero on the domain, for certain."""
        if not value:
            return False
        shared = shared_monomial(value)
        rest = shifted(value, shared, -1)
        if not all(exponent < 0 or self._is_nonzero_generator(each) for each, exponent in shared):
            return False
        for condition, relation in self.conditions():
            if relation in ("!=", "<", ">"):
                bare = shifted(condition, shared_monomial(condition), -1)
                while not is_constant(bare) and (quotient := divided_exactly(rest, bare)) is not None:
                    rest = quotient
        if is_constant(rest):
            return bool(rest)
        if not self._names_in(rest):
            return any(sign_at(self.node_of((rest, constant(1)), wave), "!=") for wave in ("cos", "sin"))
        return 0 not in self.signs(rest)

    def _is_nonzero_generator(self, place: int) -> bool:
        generator = self.generators[place]
        match generator.sort:
            case "pi" | "prime" | "turn" | "exp" | "periodic" | "inverse":
                return True
            case "name":
                own = {((place, 1),): Fraction(1)}
                if any(relation in ("!=", "<", ">") and set(each) == set(own) for each, relation in self.conditions()):
                    return True
                return 0 not in self._generator_signs(place)
            case _:
                return 0 not in self._generator_signs(place)

    def _names_in(self, polynomial: Poly) -> set[str]:
        """Return the names on which a polynomial depends."""
        found: set[str] = set()
        for each in generators_of([polynomial]):
            generator = self.generators[each]
            found |= {generator.label} if generator.sort == "name" else self._names_in(dict(generator.inner))
            found |= names_of(generator.node) if generator.node is not None else frozenset()
        return found

    # Signs of generators, and of sums of terms.

    def _generator_signs(self, place: int) -> Signs:
        if place not in self._known_signs:
            self._known_signs[place] = self._signs_of_generator(place, self.generators[place])
        return self._known_signs[place]

    def _signs_of_generator(self, place: int, generator: Generator) -> Signs:
        inner = dict(generator.inner)
        match generator.sort:
            case "name" if self.is_real:
                return self._by_line({((place, 1),): Fraction(1)}) or ANY
            case "pi" | "prime":
                return POSITIVE
            case "exp" if self.is_real and not self.is_wave(generator):
                return POSITIVE
            case "abs" | "root":
                return POSITIVE if self.is_nonzero(inner) else NOT_NEGATIVE
            case "log":
                return self.signs(total(inner, constant(1), -1))
            case "inverse":
                return self.signs(inner) - {0}
            case _:
                return ANY

    def _term_signs(self, monomial: Monomial, coefficient: Fraction) -> Signs:
        found: Signs = POSITIVE if coefficient > 0 else OF_RELATION["<"]
        for place, exponent in monomial:
            signs = self._generator_signs(place)
            if exponent < 0:
                signs -= {0}
            if type(exponent) is int and exponent % 2 == 0:
                signs = frozenset({abs(each) for each in signs})
            found = _products(found, signs)
        return found

    def _by_terms(self, polynomial: Poly) -> Signs:
        return _summed(self._term_signs(monomial, coefficient) for monomial, coefficient in polynomial.items())

    def _by_value(self, polynomial: Poly) -> Signs:
        if self._names_in(polynomial):
            return ANY
        node = self.node_of((polynomial, constant(1)))
        return next((OF_RELATION[each] for each in (">", "<") if sign_at(node, each) is True), ANY)

    # One variable: the real line.

    def places_of(self, polynomial: Poly) -> Iterator[tuple[LinePlace, int, str, int]]:
        """Yield the places of the line that lie in the domain, with the polynomial's sign there.

        Also yields the name of the variable, if it is one, and the power of which the line is cut. Raises
        CannotDecideError unless the polynomial has one variable, which is real.
        """
        variables = self._variables(polynomial)
        if len(variables) != 1 or self.is_wave(self.generators[min(variables)]) or not self.is_real:
            raise CannotDecideError("math.beyond", "There is not one real variable.")
        (variable,) = variables
        generator = self.generators[variable]
        step = lcm(*(Fraction(dict(each).get(variable, 0)).denominator for each in polynomial))
        checks = [(each, relation) for each, relation in self.conditions() if self._variables(each) == variables]
        if step > 1:
            checks.append(({((variable, 1),): Fraction(1)}, ">="))
        if generator.sort != "name" and -1 not in self._generator_signs(variable):
            checks.append(({((variable, 1),): Fraction(1)}, ">=" if 0 in self._generator_signs(variable) else ">"))
        whole = LinePlace(Fraction(0), Fraction(0), True)
        cuts: set[Coefficients] = {
            whole_coefficients(self._dense(RealLine(()), whole, each, variable, step)[::-1])
            for each in (polynomial, *(condition for condition, _ in checks))
            if generators_of([each]) == variables
        }
        for _ in range(_ROUNDS):
            line = RealLine(cuts)
            try:
                found = []
                for place in line.places():
                    is_in = all(
                        self._sign_on(line, place, each, variable, step) in OF_RELATION[sign] for each, sign in checks
                    )
                    if is_in and self._has_point(place, generator, step):
                        found.append((place, self._sign_on(line, place, polynomial, variable, step)))
            except UncutError as error:
                cuts.add(error.polynomial)
                continue
            self.lines.append(line)
            name = generator.label if generator.sort == "name" else ""
            yield from ((place, sign, name, step) for place, sign in found)
            return
        raise BudgetError("engine.out_of_budget", "Absolute values are nested too deep.")

    def _variables(self, polynomial: Poly) -> set[int]:
        found: set[int] = set()
        for each in generators_of([polynomial]):
            generator = self.generators[each]
            found |= self._variables(dict(generator.inner)) if generator.sort == "abs" else {each}
        return found

    def _has_point(self, place: LinePlace, generator: Generator, step: int) -> bool:
        """Return whether a number of the variable's kind lies at a place."""
        kind = self.domain.kind_of(generator.label) if generator.sort == "name" else "real"
        if place.point is None:
            return kind == "real"
        # The point that a part is known by is an integer, if there is one in it.
        is_open = kind != "integer" or (place.is_part and step > 1)
        return is_open or (place.point**step).denominator == 1

    def _sign_on(self, line: RealLine, place: LinePlace, polynomial: Poly, variable: int, step: int) -> int:
        dense = self._dense(line, place, polynomial, variable, step)
        return line.sign(whole_coefficients(dense[::-1]), place)

    def _dense(self, line: RealLine, place: LinePlace, polynomial: Poly, variable: int, step: int) -> list[Fraction]:
        """Return coefficients, the constant one first, with each absolute value as what it is at a place."""
        result = [Fraction(0)]
        for monomial, coefficient in polynomial.items():
            term: Sequence[Fraction] = [coefficient]
            for each, exponent in monomial:
                if each == variable:
                    power = exponent * step
                    if power != int(power) or not 0 <= power <= _HIGHEST:
                        raise CannotDecideError("math.beyond", "A power is beyond what the line is cut for.")
                    term = [Fraction(0)] * int(power) + [*term]
                    continue
                if exponent != 1:
                    raise CannotDecideError("math.beyond", "A root of an absolute value is beyond the line.")
                inner = self._dense(line, place, dict(self.generators[each].inner), variable, step)
                size = line.sign(whole_coefficients(inner[::-1]), place)
                term = multiplied(term, [size * value for value in inner])
            result = [a + b for a, b in zip_longest(result, term, fillvalue=Fraction(0))]
        return result

    def _by_line(self, polynomial: Poly) -> Signs | None:
        """Return exactly the signs of a polynomial in one variable; None of another one."""
        try:
            return frozenset(sign for _, sign, _, _ in self.places_of(polynomial)) or ANY
        except (CannotDecideError, BudgetError):
            return None

    # Several variables.

    def _by_squares(self, polynomial: Poly) -> Signs:
        """Decide a quadratic form by completing squares, and a square as such."""
        for sign in (1, -1):
            one = scaled(polynomial, sign)
            squares = squares_of(one)
            if squares is None and square_root(one, self.product) is None:
                continue
            is_strict = squares is not None and any(set(form) == {ONE} for _, form in squares)
            signs = POSITIVE if is_strict else NOT_NEGATIVE
            return signs if sign == 1 else frozenset({-each for each in signs})
        return ANY

    def _has_wave(self, polynomial: Poly) -> bool:
        return any(self.is_wave(self.generators[each]) for each in generators_of([polynomial]))


def _products(left: Signs, right: Signs) -> Signs:
    return frozenset({one * other for one, other in product(left, right)})


def _sums(left: Signs, right: Signs) -> Signs:
    found: set[int] = set()
    for one, other in product(left, right):
        found |= {one or other} if one * other >= 0 else ANY
    return frozenset(found)


def _summed(parts: Iterator[Signs]) -> Signs:
    found: Signs = frozenset({0})
    for part in parts:
        found = _sums(found, part)
        if found == ANY:
            break
    return found
