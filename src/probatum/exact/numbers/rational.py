"""Evaluates closed expressions with exact rational numbers; currencies are carried along and never mixed.

Powers, factorials and binomials are weighed before they are computed, so that no input takes long. Refuses division by
zero, names without a value, sums of unlike currencies, and results that are too large; what is not rational, such as
``sqrt(2)``, is told apart from all of these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, factorial, floor, gcd, isqrt, lcm
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import (
    Chain,
    Collection,
    FunctionCall,
    Name,
    Node,
    Number,
    Power,
    Prefixed,
    Suffixed,
)

MAX_BITS: Final = 200_000
"""Bits of a numerator or denominator."""
MAX_FACTORIAL: Final = 10_000
UNDEFINED: Final = "math.undefined"


class NotRationalError(Exception):
    """The expression is beyond rational numbers: it has a name, or a function whose value is not rational here."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A rational number and its currency, with the power in which the currency stands."""

    value: Fraction
    currency: str = ""
    power: int = 0

    @property
    def unit(self) -> tuple[str, int]:
        """Return the currency and its power."""
        return (self.currency, self.power) if self.power else ("", 0)


def evaluate(node: Node, names: Mapping[str, Fraction] | None = None) -> Amount:
    """Return the value of an expression.

    Raises NotRationalError for what is beyond rational numbers, CannotDecideError where it is undefined or mixes
    currencies, BudgetError where it is too large.
    """
    match node:
        case Number():
            return Amount(node.value, node.currency, 1 if node.currency else 0)
        case Name():
            if names is None or node.name not in names:
                raise NotRationalError(f"The name {node.name[:40]!r}")
            return Amount(names[node.name])
        case Prefixed(sign="+" | "-"):
            inner = evaluate(node.operand, names)
            return Amount(-inner.value, *inner.unit) if node.sign == "-" else inner
        case Suffixed(sign="%"):
            inner = evaluate(node.operand, names)
            return Amount(inner.value / 100, *inner.unit)
        case Suffixed():
            return Amount(Fraction(_factorial(_bare(evaluate(node.operand, names)))))
        case Chain(operators=operators) if operators[0] in "+-":
            return _summed([evaluate(each, names) for each in node.operands], operators)
        case Chain(operators=operators) if operators[0] in ("*", "/", "mod"):
            return _multiplied([evaluate(each, names) for each in node.operands], operators)
        case Power():
            return _raised(evaluate(node.base, names), _bare(evaluate(node.exponent, names)))
        case FunctionCall():
            return _called(node, names)
        case _:
            raise NotRationalError("A list between brackets" if isinstance(node, Collection) else "A condition")


def bounded(value: Fraction) -> Fraction:
    """Return a number; raises BudgetError where it is too large to compute with."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise BudgetError("engine.out_of_budget", f"A value has more than {MAX_BITS:,} bits.")
    return value


def _bare(amount: Amount) -> Fraction:
    if amount.power:
        raise CannotDecideError("math.currency_mixed", f"An amount of {amount.currency} stands where a number is due.")
    return amount.value


def _summed(amounts: list[Amount], operators: tuple[str, ...]) -> Amount:
    first, *others = amounts
    total = first.value
    for sign, other in zip(operators, others, strict=True):
        if other.unit != first.unit:
            raise CannotDecideError("math.currency_mixed", "Amounts of unlike currencies, or with none, are added.")
        total = bounded(total + other.value if sign == "+" else total - other.value)
    return Amount(total, *first.unit)


def _multiplied(amounts: list[Amount], operators: tuple[str, ...]) -> Amount:
    first, *others = amounts
    value, (currency, power) = first.value, first.unit
    for sign, other in zip(operators, others, strict=True):
        if currency and other.currency and other.power and currency != other.currency:
            raise CannotDecideError("math.currency_mixed", f"{currency} and {other.currency} are multiplied.")
        currency = currency or (other.currency if other.power else "")
        if sign == "*":
            value, power = bounded(value * other.value), power + other.power
            continue
        if other.value == 0:
            raise CannotDecideError(UNDEFINED, "Something is divided by zero.")
        if sign == "/":
            value, power = bounded(value / other.value), power - other.power
        else:
            value = _bare(Amount(value, currency, power)) % _bare(other)
    return Amount(value, currency if power else "", power)


def _raised(base: Amount, exponent: Fraction) -> Amount:
    if exponent.denominator != 1:
        root = _exact_root(_bare(base), exponent.denominator)
        return _raised(Amount(root), Fraction(exponent.numerator))
    power = exponent.numerator
    if base.value == 0 and power <= 0:
        said = "0^0 has no agreed value." if power == 0 else "Zero is raised to a negative power."
        raise CannotDecideError(UNDEFINED, said)
    size = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
    if abs(base.value) != 1 and base.value and abs(power) * size > MAX_BITS:
        raise BudgetError("engine.out_of_budget", f"A power has more than {MAX_BITS:,} bits.")
    if abs(base.value) == 1:
        power %= 2
    unit = (base.currency, base.power * exponent.numerator) if base.power and exponent else ("", 0)
    return Amount(base.value**power if base.value else Fraction(0), *unit)


def _exact_root(value: Fraction, degree: int) -> Fraction:
    """Return the real root where it is rational: of a negative number there is none that all agree on."""
    if value < 0 or degree > MAX_BITS:
        raise NotRationalError("A root that is not rational")
    return Fraction(_whole_root(value.numerator, degree), _whole_root(value.denominator, degree))


def _whole_root(number: int, degree: int) -> int:
    if degree == 2:
        root = isqrt(number)
    else:
        low, high = 0, 1 << (number.bit_length() // degree + 1)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if middle**degree <= number else (low, middle - 1)
        root = low
    if root**degree != number:
        raise NotRationalError("A root that is not rational")
    return root


def _whole(value: Fraction, least: int = 0) -> int:
    if value.denominator != 1 or value < least:
        raise CannotDecideError(UNDEFINED, f"A whole number from {least} on is due, got {_told(value)}.")
    return value.numerator


def _told(value: Fraction) -> str:
    return str(value) if max(value.numerator.bit_length(), value.denominator.bit_length()) < 200 else "a long number"


def _factorial(value: Fraction) -> int:
    number = _whole(value)
    if number > MAX_FACTORIAL:
        raise BudgetError("engine.out_of_budget", f"Factorials are computed up to {MAX_FACTORIAL:,}.")
    return factorial(number)


def _binomial(above: Fraction, below: Fraction) -> Fraction:
    if _whole(above) > MAX_FACTORIAL:
        raise BudgetError("engine.out_of_budget", f"Binomials are computed up to {MAX_FACTORIAL:,}.")
    return Fraction(comb(_whole(above), _whole(below)))


def _integers(values: list[Fraction]) -> list[int]:
    return [_whole(abs(each)) for each in values]


_SAME_UNIT: Final[Mapping[str, Callable[[list[Fraction]], Fraction]]] = {
    "max": max,
    "min": min,
    "abs": lambda v: abs(v[0]),
}
_ROUNDING: Final[Mapping[str, Callable[[Fraction], int]]] = {
    "floor": floor,
    "ceil": lambda value: -floor(-value),
    "trunc": int,
}
_OF_NUMBERS: Final[Mapping[str, tuple[int, Callable[[list[Fraction]], Fraction]]]] = {
    **{name: (1, lambda v, f=each: Fraction(f(v[0]))) for name, each in _ROUNDING.items()},  # type: ignore[misc]  # the default binds
    "sqrt": (1, lambda v: _exact_root(v[0], 2)),
    "cbrt": (1, lambda v: _exact_root(v[0], 3) if v[0] >= 0 else -_exact_root(-v[0], 3)),
    "factorial": (1, lambda v: Fraction(_factorial(v[0]))),
    "binomial": (2, lambda v: _binomial(v[0], v[1])),
    "gcd": (0, lambda v: Fraction(gcd(*_integers(v)))),
    "lcm": (0, lambda v: Fraction(lcm(*_integers(v)))),
}
"""By name: how many arguments, where 0 means one or more, and what is computed."""
FUNCTIONS: Final = frozenset({*_SAME_UNIT, *_OF_NUMBERS})


def _called(node: FunctionCall, names: Mapping[str, Fraction] | None) -> Amount:
    name = node.name.lower()
    if name not in FUNCTIONS:
        raise NotRationalError(f"The function {node.name[:40]!r}")
    amounts = [evaluate(each, names) for each in node.arguments]
    due = 1 if name == "abs" else _OF_NUMBERS[name][0] if name in _OF_NUMBERS else 0
    if not amounts or (due and len(amounts) != due):
        raise CannotDecideError(UNDEFINED, f"{node.name} takes {due or 'one or more'} arguments, got {len(amounts)}.")
    if name in _SAME_UNIT:
        if len({each.unit for each in amounts}) > 1:
            raise CannotDecideError("math.currency_mixed", f"{node.name} is given unlike currencies.")
        return Amount(_SAME_UNIT[name]([each.value for each in amounts]), *amounts[0].unit)
    return Amount(bounded(_OF_NUMBERS[name][1]([_bare(each) for each in amounts])))
