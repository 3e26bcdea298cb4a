"""Encloses the values of closed real expressions in intervals, with as many bits as are asked for.

This is what refutes: two sides whose intervals do not meet are unequal. It never proves that two are equal. Refuses
functions at points where they jump or have no value, and whatever the precision cannot tell from such a point.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

from probatum.core.errors import BudgetError
from probatum.exact.algebra.trees import call, divided, minus, number, plus, raised, times
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import TESTS, Chain, FunctionCall, Node, Number, Power, Prefixed
from probatum.exact.numbers.rational import NotRationalError, evaluate
from probatum.exact.numbers.real_roots import written_number

PRECISIONS: Final = (80, 240, 800)
_PLACES: Final = 12
_LARGEST: Final = 1 << 16
"""Beyond it no exponential and no sine is computed."""
_MOST: Final = 100_000
"""The largest power that is computed."""


class OutsideError(Exception):
    """An argument lies outside of a function's domain, or this precision cannot tell that it does not."""


@lru_cache(maxsize=32)
def _intervals(bits: int) -> Any:
    from mpmath.ctx_iv import MPIntervalContext  # type: ignore[import-untyped]  # it has no types

    context = MPIntervalContext()
    context.prec = bits
    return context


def interval_of(node: Node, bits: int) -> Any:
    """Return an interval, of another library, around the value of a closed, plain expression.

    Raises OutsideError where it may have no value or this precision cannot tell, CannotDecideError where it has none.
    """
    iv = _intervals(bits)
    match node:
        case Number():
            return _exactly(iv, node.value)
        case Prefixed():
            return -interval_of(node.operand, bits)
        case Chain(operators=operators) if "mod" not in operators:
            value = interval_of(node.operands[0], bits)
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                other = interval_of(operand, bits)
                if sign == "/":
                    other = 1 / _apart(other)
                value = value * other if sign in "*/" else value + other if sign == "+" else value - other
            return value
        case Power():
            return _power(node, bits)
        case FunctionCall(name="pi" | "e", arguments=()):
            return _loose(+iv.pi if node.name == "pi" else iv.exp(1), bits)
        case FunctionCall(arguments=(argument, *_)):
            return _function(node, [interval_of(each, bits) for each in node.arguments], argument, bits)
        case _:
            try:
                return _exactly(iv, evaluate(node).value)
            except NotRationalError as error:
                raise OutsideError(str(error)) from error


def _exactly(iv: Any, value: Fraction) -> Any:
    return iv.mpf(value.numerator) / iv.mpf(value.denominator)


def _loose(value: Any, bits: int) -> Any:
    """Return a function's value, wider than its library rounds it."""
    slack, iv = Fraction(1, 1 << (bits - 8)), _intervals(bits)
    return value * iv.mpf([_exactly(iv, 1 - slack).a, _exactly(iv, 1 + slack).b])


def _apart(value: Any) -> Any:
    if not (value > 0 or value < 0):
        raise OutsideError("a divisor may be zero")
    return value


def _power(node: Power, bits: int) -> Any:
    try:
        exponent = evaluate(node.exponent).value
    except NotRationalError:
        return interval_of(call("exp", times(node.exponent, call("log", node.base))), bits)
    if exponent.denominator == 2:
        return interval_of(Power(call("sqrt", node.base), number(exponent.numerator), 0), bits)
    if exponent.denominator != 1:
        return interval_of(call("exp", times(number(exponent), call("log", node.base))), bits)
    if abs(exponent) > _MOST:
        raise OutsideError("a power is too large to compute with")
    base = interval_of(node.base, bits)
    return base**exponent.numerator if exponent > 0 else (1 / _apart(base)) ** -exponent.numerator


def _function(node: FunctionCall, values: list[Any], argument: Node, bits: int) -> Any:
    iv, value = _intervals(bits), values[0]
    match node.name:
        case "exp" | "sin" | "cos" if -_LARGEST < value < _LARGEST:
            return _loose(getattr(iv, node.name)(value), bits)
        case "log" if value > 0:
            return _loose(iv.log(value), bits)
        case "sqrt" if value >= 0:
            return iv.sqrt(value)
        case "abs":
            return abs(value)
        case "max" | "min":
            choose = max if node.name == "max" else min
            return iv.mpf([choose(each.a for each in values), choose(each.b for each in values)])
        case "floor" | "ceil" | "trunc":
            ends = {evaluate(call(node.name, number(fraction_of(end)))).value for end in (value.a, value.b)}
            if len(ends) == 1:
                return _exactly(iv, ends.pop())
        case "atan":
            return _arc_tangent(value, bits)
        case "cbrt":
            size = _loose(iv.exp(_loose(iv.log(abs(_apart(value))), bits) / 3), bits)
            return size if value > 0 else -size
        case _ if node.name in _BY_OTHERS:
            return interval_of(_BY_OTHERS[node.name](argument), bits)
    raise OutsideError(node.name)


def fraction_of(end: Any) -> Fraction:
    """Return an end of an interval exactly."""
    sign, mantissa, exponent, _ = end._mpi_[0] if hasattr(end, "_mpi_") else end._mpf_
    return Fraction(-int(mantissa) if sign else int(mantissa)) * Fraction(2) ** int(exponent)


def _arc_tangent(value: Any, bits: int) -> Any:
    """Return the arc tangent, whose slope is at most 1: of the middle, as wide as the argument and some more."""
    import mpmath  # type: ignore[import-untyped]  # it has no types

    low, high = fraction_of(value.a), fraction_of(value.b)
    middle, reach = (low + high) / 2, (high - low) / 2 + Fraction(1, 1 << (bits - 8))
    with mpmath.workprec(bits + 32):
        found = fraction_of(mpmath.atan(mpmath.mpf(middle.numerator) / middle.denominator))
    iv = _intervals(bits)
    return iv.mpf([_exactly(iv, found - reach).a, _exactly(iv, found + reach).b])


def _arc_sine(argument: Node) -> Node:
    # Twice the angle of the half: defined at 1 as well.
    root = call("sqrt", minus(number(1), raised(argument, 2)))
    return times(number(2), call("atan", divided(argument, plus(number(1), root))))


def _exponentials(argument: Node, sign: str) -> Node:
    return Chain((call("exp", argument), call("exp", Prefixed("-", argument, 0))), (sign,), 0)


_BY_OTHERS: Final[Mapping[str, Callable[[Node], Node]]] = {
    "tan": lambda u: divided(call("sin", u), call("cos", u)),
    "cot": lambda u: divided(call("cos", u), call("sin", u)),
    "sec": lambda u: divided(number(1), call("cos", u)),
    "csc": lambda u: divided(number(1), call("sin", u)),
    "sinh": lambda u: divided(_exponentials(u, "-"), number(2)),
    "cosh": lambda u: divided(_exponentials(u, "+"), number(2)),
    "tanh": lambda u: divided(_exponentials(u, "-"), _exponentials(u, "+")),
    "asin": _arc_sine,
    "acos": lambda u: minus(divided(call("pi"), number(2)), _arc_sine(u)),
}
"""Functions by what they are in terms of others."""


def sign_at(node: Node, relation: str) -> bool | None:
    """Return whether a closed expression stands in a relation to zero; None where that is not known."""
    try:
        return bool(TESTS[relation](evaluate(node).value, 0))
    except NotRationalError:
        pass
    except (CannotDecideError, BudgetError):
        return None
    for bits in PRECISIONS:
        try:
            value = interval_of(node, bits)
        except OutsideError:
            continue
        except (CannotDecideError, BudgetError):
            return None
        if value > 0 or value < 0:
            return bool(TESTS[relation](1 if value > 0 else -1, 0))
    return None


def value_text(node: Node) -> str:
    """Return the value of a closed expression: exactly where it is rational, else to some places."""
    try:
        return written_number(evaluate(node).value)
    except NotRationalError:
        pass
    for bits in PRECISIONS:
        try:
            value = interval_of(node, bits)
        except OutsideError:
            continue
        low, high = (round(fraction_of(end) * 10**_PLACES) for end in (value.a, value.b))
        if low == high and abs(low) < 10**40:
            digits = str(abs(low)).rjust(_PLACES + 1, "0")
            return f"{'-' if low < 0 else ''}{digits[:-_PLACES]}.{digits[-_PLACES:]}"
    return "a number that is large or not real"
