"""The rules by which functions and powers become forms; each holds wherever its signs are known on the domain.

Sines and cosines become exponentials of multiples of i; roots, logarithms and absolute values take products apart
where the factors have the signs for it. Refuses roots and logarithms of names that may not be real.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from probatum.exact.algebra.algebraic import AlgebraicForms
from probatum.exact.algebra.forms import UNIT, Quotient
from probatum.exact.algebra.signs import NOT_NEGATIVE, OF_RELATION, POSITIVE
from probatum.exact.algebra.squares import square_root
from probatum.exact.algebra.terms import (
    ONE,
    Exponent,
    Monomial,
    Poly,
    constant,
    is_constant,
    leading,
    merged,
    plain_exponent,
    primitive,
    scaled,
    shared_monomial,
    shifted,
    total,
)
from probatum.exact.algebra.trees import call, divided, minus, number, plus, times
from probatum.exact.algebra.values import OutsideError, fraction_of, interval_of
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import FunctionCall, Node
from probatum.exact.numbers.rational import UNDEFINED

_HALF: Final = Fraction(1, 2)
_TRIED: Final = 2_000
"""Numbers that are tried as prime factors."""
_ANGLES: Final = 24
"""The largest denominator of an angle, as a multiple of pi, that an inverse function is recognised to have."""
_INVERSES: Final = {"sin": "asin", "cos": "acos", "tan": "atan"}
_WAVES: Final = ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh")


class Rewriter(AlgebraicForms):
    """Forms, with the rules for functions."""

    def power_form(self, base: Quotient, exponent: Quotient) -> Quotient:
        """Return the form of a power."""
        if is_constant(exponent[0]) and is_constant(exponent[1]):
            value = exponent[0].get(ONE, Fraction(0))
            return self.raised(base, value.numerator) if value.denominator == 1 else self.root(base, value)
        powers = self.as_poly(exponent)
        if self._is_e(base) or self.signs_of(base) == POSITIVE:
            return self.exponential(self.product(powers, self.as_poly(self.logarithm(base))))
        raise CannotDecideError("math.beyond", "A power is taken whose base may not be positive.")

    def _is_e(self, base: Quotient) -> bool:
        return base == (self.single("exp", "", constant(1)), constant(1))

    def function_form(self, node: FunctionCall) -> Quotient:
        """Return the form of a function or a constant."""
        if not node.arguments:
            return self._constant(node.name)
        first = node.arguments[0]
        if node.name in ("max", "min") and len(node.arguments) > 1:
            left = call(node.name, *node.arguments[:-1]) if len(node.arguments) > 2 else first
            both, size = plus(left, node.arguments[-1]), call("abs", minus(left, node.arguments[-1]))
            return self.form(divided(plus(both, size) if node.name == "max" else minus(both, size), number(2)))
        if isinstance(first, FunctionCall) and first.name == _INVERSES.get(node.name, ""):
            return self.form(first.arguments[0])
        value = self.form(first)
        if node.name in _WAVES:
            return self._wave(node.name, self.as_poly(value))
        if node.name == "exp":
            return self.exponential(self.as_poly(value))
        match node.name:
            case "log":
                return self.logarithm(value)
            case "sqrt":
                return self.root(value, _HALF)
            case "abs":
                return self.absolute(value)
            case "cbrt" if self.signs_of(value) <= NOT_NEGATIVE:
                return self.root(value, Fraction(1, 3))
            case "asin" | "acos" | "atan":
                return self._angle(node, value)
            case "floor" | "ceil" | "trunc" if is_constant(value[1]) and self.is_whole(value[0]):
                return value
            case _:
                return self.opaque(node)

    def _require_real(self) -> None:
        if not self.is_real:
            raise CannotDecideError("math.beyond", "A function is taken of what may not be real.")

    def _constant(self, name: str) -> Quotient:
        match name:
            case "pi":
                return self.single("pi"), constant(1)
            case "e":
                return self.single("exp", "", constant(1)), constant(1)
            case "i":
                return self.single("turn", exponent=_HALF), constant(1)
            case _:
                raise CannotDecideError(UNDEFINED, "Infinity stands where a number is due.")

    # Exponentials.

    def exponential(self, exponent: Poly) -> Quotient:
        """Return e to a power."""
        result: Quotient = UNIT
        for monomial, coefficient in exponent.items():
            result = self.times(result, self._exponential_term(monomial, coefficient))
        return result

    def _exponential_term(self, monomial: Monomial, coefficient: Fraction) -> Quotient:
        if len(monomial) == 1 and monomial[0][1] == 1 and self.generators[monomial[0][0]].sort == "log":
            inner: Quotient = (dict(self.generators[monomial[0][0]].inner), constant(1))
            return (
                self.raised(inner, int(coefficient)) if coefficient.denominator == 1 else self.root(inner, coefficient)
            )
        circle = merged(next(iter(self._constant("pi")[0])), next(iter(self._constant("i")[0])))
        if monomial == circle:
            return self.single("turn", exponent=coefficient), constant(1)
        is_periodic = set(circle) <= set(monomial) and self.is_whole({merged(monomial, circle, -1): Fraction(1)})
        sort = "periodic" if is_periodic else "exp"
        return self.single(sort, "", {monomial: Fraction(1)}, coefficient), constant(1)

    def _wave(self, name: str, angle: Poly) -> Quotient:
        turned = angle if name.endswith("h") else self.product(angle, self._constant("i")[0])
        up, down = self.exponential(turned), self.exponential(scaled(turned, -1))
        half: Quotient = (constant(_HALF), constant(1))
        cosine, sine = self.times(half, self.sum_of(up, down)), self.times(half, self.sum_of(up, down, -1))
        if not name.endswith("h"):
            sine = self.times(sine, (scaled(self._constant("i")[0], -1), constant(1)))
        match name.removesuffix("h"):
            case "sin":
                return sine
            case "cos":
                return cosine
            case "tan":
                return self.times(sine, self.reciprocal(cosine))
            case "cot":
                return self.times(cosine, self.reciprocal(sine))
            case _:
                return self.reciprocal(cosine if name == "sec" else sine)

    def is_whole(self, polynomial: Poly) -> bool:
        """True where a polynomial is an integer for certain."""
        names = {self.generators[place].label for monomial in polynomial for place, _ in monomial}
        return all(
            coefficient.denominator == 1
            and all(self.generators[g].sort == "name" and type(e) is int and e > 0 for g, e in monomial)
            for monomial, coefficient in polynomial.items()
        ) and all(self.domain.kind_of(each) == "integer" for each in names)

    # Roots and absolute values.

    def _taken_apart(self, value: Poly) -> tuple[Fraction, list[tuple[Poly, Exponent]]]:
        """Return a positive factor, and further ones with their exponents, all of them real."""
        factor, rest = primitive(value)
        shared = tuple(each for each in shared_monomial(rest) if not self.is_wave(self.generators[each[0]]))
        bare = shifted(scaled(rest, -1) if factor < 0 else rest, shared, -1)
        parts: list[tuple[Poly, Exponent]] = [({((place, 1),): Fraction(1)}, power) for place, power in shared]
        return abs(factor), [*parts, *([] if bare == constant(1) else [(bare, 1)])]

    def root(self, value: Quotient, exponent: Fraction) -> Quotient:
        """Return a power whose exponent is a fraction; what it is taken of is not negative, or it has no value."""
        self._require_real()
        if exponent < 0:
            return self.reciprocal(self.root(value, -exponent))
        above, below = value
        if not above:
            return value
        if not is_constant(below):
            signs = self.signs(below) - {0}
            if len(signs) != 1:
                return self._plain_root(self.as_poly(value), exponent)
            parts = [self.root((scaled(each, min(signs)), constant(1)), exponent) for each in value]
            return self.times(parts[0], self.reciprocal(parts[1]))
        factor, parts_with_powers = self._taken_apart(above)
        result: Quotient = (self._number_power(factor, exponent), constant(1))
        under = constant(1)
        for part, power in parts_with_powers:
            if self.signs(part) <= NOT_NEGATIVE:
                result = self.times(result, self._positive_power(part, power * exponent))
                continue
            even = power - power % 2 if type(power) is int else 0
            if even:
                size = self.absolute((part, constant(1)))
                result = self.times(
                    result,
                    self.root(size, even * exponent)
                    if even * exponent % 1
                    else (self.raised(size, int(even * exponent))),
                )
            under = self.product(under, self._positive_power(part, Fraction(power - even))[0] if power != 1 else part)
        return result if under == constant(1) else self.times(result, self._plain_root(under, exponent))

    def _positive_power(self, part: Poly, power: Fraction) -> Quotient:
        """Return a power of a factor that is not negative, or a whole one."""
        if len(part) == 1 and part[leading(part)] == 1:
            monomial = tuple((g, plain_exponent(e * power)) for g, e in leading(part) if power)
            return self.product({monomial: Fraction(1)}, constant(1)), constant(1)
        return self._plain_root(part, power) if power.denominator != 1 else self.raised((part, constant(1)), int(power))

    def _plain_root(self, rest: Poly, exponent: Fraction) -> Quotient:
        """Return a power of what is not taken apart: by the root of a square, or a generator."""
        square = square_root(rest, self.product) if exponent.denominator == 2 else None
        if square is not None:
            return self.raised(self.absolute((square, constant(1))), exponent.numerator)
        return self.single("root", "", rest, exponent), constant(1)

    def _number_power(self, value: Fraction, exponent: Fraction) -> Poly:
        result = constant(1)
        for prime, power in _factors(value):
            result = self.product(result, self.single("prime", str(prime), None, exponent * power))
        return result

    def absolute(self, value: Quotient) -> Quotient:
        """Return an absolute value."""
        self._require_real()
        above, below = value
        if not is_constant(below):
            parts = [self.absolute((each, constant(1))) for each in value]
            return self.times(parts[0], self.reciprocal(parts[1]))
        if not above:
            return value
        factor, parts_with_powers = self._taken_apart(above)
        made: Quotient = (constant(factor), constant(1))
        for part, power in parts_with_powers:
            signs = self.signs(part)
            size = scaled(part, -1) if signs <= OF_RELATION["<="] else part
            if not (signs <= NOT_NEGATIVE or signs <= OF_RELATION["<="]):
                size = self.single("abs", "", primitive(part)[1])
            made = self.times(made, self._positive_power(size, Fraction(power)))
        return made

    # Logarithms and angles.

    def logarithm(self, value: Quotient) -> Quotient:
        """Return the real logarithm; its argument is positive, or it has no value."""
        above, below = value
        if not above:
            raise CannotDecideError(UNDEFINED, "The logarithm of zero is taken.")
        if self._is_e(value):
            return UNIT
        if is_constant(above) and is_constant(below) and above[ONE] > 0:
            return self._number_logarithm(above[ONE]), constant(1)
        self._require_real()
        if not is_constant(below):
            signs = self.signs(below) - {0}
            if len(signs) != 1:
                return self.single("log", "", self.as_poly(value)), constant(1)
            parts = [self.logarithm((scaled(each, min(signs)), constant(1))) for each in (above, below)]
            return self.sum_of(parts[0], parts[1], -1)
        factor, parts_with_powers = self._taken_apart(above)
        made, left = self._number_logarithm(factor), constant(1)
        for part, power in parts_with_powers:
            if self.signs(part) <= NOT_NEGATIVE:
                made = total(made, self._simple_logarithm(part), power)
            elif type(power) is int and power % 2 == 0:
                size = self.as_poly(self.absolute((part, constant(1))))
                made = total(made, self.single("log", "", size), power)
            else:
                left = self.product(left, self.raised((part, constant(1)), int(power))[0])
        return (made if left == constant(1) else total(made, self.single("log", "", left))), constant(1)

    def _number_logarithm(self, value: Fraction) -> Poly:
        made: Poly = {}
        for prime, power in _factors(value):
            made = total(made, self.single("log", "", constant(prime)), power)
        return made

    def _simple_logarithm(self, part: Poly) -> Poly:
        """Return the logarithm of a factor that is not negative."""
        top = leading(part)
        generator = self.generators[top[0][0]] if len(part) == 1 and top and top[0][1] == 1 else None
        match generator.sort if generator is not None else "":
            case "exp":
                return dict(generator.inner)  # type: ignore[union-attr]  # there is one
            case "root":
                return self.as_poly(self.logarithm((dict(generator.inner), constant(1))))  # type: ignore[union-attr]  # likewise
            case "prime":
                return self.single("log", "", constant(int(generator.label)))  # type: ignore[union-attr]  # likewise
            case _:
                return self.single("log", "", part)

    def _angle(self, node: FunctionCall, value: Quotient) -> Quotient:
        """Return an inverse function, as a multiple of pi where its value is known to be one."""
        if value[0] and node.name != "acos" and is_constant(value[1]) and primitive(value[0])[0] < 0:
            argument = self.node_of((scaled(value[0], -1), value[1]))
            above, below = self.form(call(node.name, argument))
            return scaled(above, -1), below
        known = self._known_angle(node)
        return self.opaque(node) if known is None else self.form(known)

    def _known_angle(self, node: FunctionCall) -> Node | None:
        """Return a closed inverse function as a multiple of pi, after its function gives the argument back."""
        try:
            near = fraction_of(interval_of(divided(node, call("pi")), 64).a).limit_denominator(_ANGLES)
            angle = times(number(near), call("pi"))
            above, _ = self.difference(call(node.name[1:], angle), node.arguments[0])
        except (OutsideError, CannotDecideError):
            return None
        is_principal = (0 <= near <= 1) if node.name == "acos" else abs(near) <= _HALF
        return angle if is_principal and self.vanishes(above) else None


def _factors(value: Fraction) -> list[tuple[int, int]]:
    """Return numbers and powers whose product a positive number is: primes, as far as they are small."""
    found: dict[int, int] = {}
    for whole, sign in ((value.numerator, 1), (value.denominator, -1)):
        left, divisor = whole, 2
        while left > 1 and divisor <= _TRIED and divisor * divisor <= left:
            while left % divisor == 0:
                found[divisor] = found.get(divisor, 0) + sign
                left //= divisor
            divisor += 1
        if left > 1:
            found[left] = found.get(left, 0) + sign
    return sorted((each, power) for each, power in found.items() if power)
