"""Values as documents write them: Python literals, a few constructors and small constant arithmetic.

A small evaluator with a budget reads them from the syntax tree; nothing is imported or looked up. Refuses, with a
reason for people: names, attributes, comprehensions, ``...``, results that are too large and nesting that is too deep.
"""

from __future__ import annotations

import ast
import datetime
import operator
import re
from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from fractions import Fraction

from probatum.readings.syntax import NotReadableError, parse_expression

_MAX_WEIGHT = 100_000
# 9 ** 9 ** 9 is a short text: results are refused by their size before they are computed.
_MAX_BITS = 8_192

_FOREIGN_WORDS: dict[str, object] = {
    **dict.fromkeys(("true", "TRUE"), True),
    **dict.fromkeys(("false", "FALSE"), False),
    **dict.fromkeys(("null", "NULL", "nil", "none", "NONE", "undefined")),
    **{"Infinity": float("inf"), "-Infinity": float("-inf"), "NaN": float("nan")},
}
_NUMBER_NAMES = {"inf": float("inf"), "nan": float("nan")}
# float("1" * 10 ** 6) and Fraction("1e999999") would take seconds, so the texts that they read are bounded.
_FLOAT_WORD = re.compile(r"[+-]?(?:inf|infinity|nan|[0-9]{1,40}(?:\.[0-9]{0,40})?(?:e[+-]?[0-9]{1,4})?)", re.ASCII)
_FRACTION_WORD = re.compile(r"[+-]?[0-9]{1,40}(?:/[0-9]{1,40}|\.[0-9]{1,40})?", re.ASCII)


def executing(statements: str) -> str:
    """Return the expression that executes statements: they have no value, but they print and raise."""
    return f"exec({statements.strip()!r})"


def executed_by(expression: str) -> str | None:
    """Return the statements that an expression made by `executing` executes, None for any other expression."""
    if not expression.startswith("exec("):
        return None
    match ast.parse(expression, mode="eval").body:
        case ast.Call(func=ast.Name(id="exec"), args=[ast.Constant(value=str() as statements)]):
            return statements
        case _:
            return None


def read_value(text: str, shadowed: frozenset[str] = frozenset()) -> object:
    """Return the value that ``text`` writes, whole: ``true`` and ``null`` in other languages' spelling included.

    ``shadowed`` are constructors' names that mean something else where the text stands. Raises `NotReadableError`
    when the text is not a value.
    """
    written = text.strip()
    if written in _FOREIGN_WORDS:
        return _FOREIGN_WORDS[written]
    return value_of(parse_expression(written), shadowed)


def value_of(node: ast.expr, shadowed: frozenset[str] = frozenset()) -> object:
    """Return the value of an expression made of constants; raises `NotReadableError` for anything else."""
    try:
        return _Evaluator(shadowed).read(node)
    except (TypeError, ValueError, ArithmeticError, InvalidOperation) as error:
        raise NotReadableError(f"it has no value: {error}") from error


_NUMERIC = (int, float, complex, Decimal, Fraction)
_BRACKETS: dict[type[ast.expr], Callable[..., object]] = {ast.List: list, ast.Tuple: tuple, ast.Set: set}
_ARITHMETIC: dict[type[ast.operator], Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}


class _Evaluator:
    """Evaluates constants and counts what the result would weigh, so that a short text cannot make a large value."""

    def __init__(self, shadowed: frozenset[str]) -> None:
        self._shadowed = shadowed

    def read(self, node: ast.expr) -> object:
        return self._value(node)[0]

    def _value(self, node: ast.expr) -> tuple[object, int]:
        """Return a value and its weight: how many elements and characters it holds when written out."""
        match node:
            case ast.Constant(value=value):
                return _constant(value)
            case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
                values, weight = self._items(items)
                return _BRACKETS[type(node)](values), weight
            case ast.Dict(keys=keys, values=items):
                return self._mapping(keys, items)
            case ast.UnaryOp(op=ast.UAdd() | ast.USub() as sign, operand=operand):
                number, weight = self._value(operand)
                if isinstance(number, _NUMERIC):
                    return (-number if isinstance(sign, ast.USub) else number), weight
                raise NotReadableError("a sign before something that is not a number")
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, *self._value(left), *self._value(right))
            case ast.Call():
                return self._construct(node)
            case ast.Name(id=name) if name in _NUMBER_NAMES:
                return _NUMBER_NAMES[name], 1
            case ast.Name(id=name):
                raise NotReadableError(f"{name!r} is not a value; are quotes missing?")
            case _:
                raise NotReadableError("it is not a plain value")

    def _items(self, items: list[ast.expr]) -> tuple[list[object], int]:
        weight = 1
        values = []
        for item in items:
            value, item_weight = self._value(item)
            values.append(value)
            weight += item_weight
        return values, _bounded(weight)

    def _mapping(self, keys: list[ast.expr | None], items: list[ast.expr]) -> tuple[object, int]:
        present = [key for key in keys if key is not None]
        if len(present) != len(items):
            raise NotReadableError("it is not a plain value")
        names, name_weight = self._items(present)
        values, value_weight = self._items(items)
        return dict(zip(names, values, strict=True)), _bounded(name_weight + value_weight)

    def _binary(
        self, op: ast.operator, left: object, left_weight: int, right: object, right_weight: int
    ) -> tuple[object, int]:
        if isinstance(op, ast.Pow):
            return _power(left, right), 1
        if type(op) not in _ARITHMETIC:
            raise NotReadableError("it uses an operator that is not read")
        compute = _ARITHMETIC[type(op)]
        if isinstance(left, _NUMERIC) and isinstance(right, _NUMERIC):
            if _bits(left) + _bits(right) > _MAX_BITS:
                raise NotReadableError("its result is too large")
            return compute(left, right), 1
        if isinstance(op, ast.Mult):
            return _repeat(left, left_weight, right, right_weight)
        if isinstance(op, ast.Add) and type(left) is type(right) and isinstance(left, str | bytes | list | tuple):
            return compute(left, right), _bounded(left_weight + right_weight)
        raise NotReadableError("it calculates with values that are not numbers")

    def _construct(self, node: ast.Call) -> tuple[object, int]:
        name = _dotted(node.func)
        build = _CONSTRUCTORS.get(name)
        if (
            build is None
            or name.partition(".")[0] in self._shadowed
            or (node.keywords and not name.endswith("timedelta"))
        ):
            raise NotReadableError(f"{name or 'a call'}(…) is not a plain value")
        values, weight = self._items(node.args)
        if any(keyword.arg is None for keyword in node.keywords):
            raise NotReadableError("it is not a plain value")
        named = {keyword.arg or "": self._value(keyword.value)[0] for keyword in node.keywords}
        return build(*values, **named), weight


def _constant(value: object) -> tuple[object, int]:
    if value is Ellipsis:
        raise NotReadableError("it is abbreviated with '...'")
    if isinstance(value, str | bytes):
        return value, 1 + len(value)
    if _bits(value) > _MAX_BITS:
        raise NotReadableError("its result is too large")
    return value, 1


def _bounded(weight: int) -> int:
    if weight > _MAX_WEIGHT:
        raise NotReadableError("its result is too large")
    return weight


def _bits(value: object) -> int:
    if isinstance(value, Fraction):
        return value.numerator.bit_length() + value.denominator.bit_length()
    return value.bit_length() if isinstance(value, int) else 0


def _power(base: object, exponent: object) -> object:
    if not isinstance(base, int | float) or not isinstance(exponent, int | float):
        raise NotReadableError("it calculates with values that are not numbers")
    if isinstance(base, int) and isinstance(exponent, int) and max(1, base.bit_length()) * abs(exponent) > _MAX_BITS:
        raise NotReadableError("its result is too large")
    return base**exponent


def _repeat(left: object, left_weight: int, right: object, right_weight: int) -> tuple[object, int]:
    if isinstance(left, int):
        left, left_weight, right, right_weight = right, right_weight, left, left_weight
    if not isinstance(left, str | bytes | list | tuple) or not isinstance(right, int):
        raise NotReadableError("it calculates with values that are not numbers")
    weight = _bounded(left_weight * max(1, right))
    return left * right, weight


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id=owner), attr=name):
            return f"{owner}.{name}"
        case _:
            return ""


def _float(text: object = 0.0) -> float:
    if isinstance(text, str) and not _FLOAT_WORD.fullmatch(text.strip().lower()):
        raise NotReadableError("float(…) of a text that is not a number")
    if not isinstance(text, str | int | float):
        raise NotReadableError("float(…) of something that is not a number")
    return float(text)


def _sized(build: Callable[..., object], *accepted: type) -> Callable[..., object]:
    """Allow a constructor only for arguments of these types: a number must never become a size."""

    def construct(*values: object) -> object:
        if not all(isinstance(value, accepted) for value in values):
            raise NotReadableError("it is not a plain value")
        return build(*values)

    return construct


def _fraction(*values: object) -> Fraction:
    match values:
        case (int() as numerator,):
            return Fraction(numerator)
        case (int() as numerator, int() as denominator):
            return Fraction(numerator, denominator)
        case (str() as text,) if _FRACTION_WORD.fullmatch(text.strip()):
            return Fraction(text)
        case _:
            raise NotReadableError("Fraction(…) of something that is not a number")


def _decimal(value: object = "0") -> Decimal:
    if not isinstance(value, str | int | float):
        raise NotReadableError("Decimal(…) of something that is not a number")
    return Decimal(value)


_CONTAINERS = (list, tuple, set, frozenset, dict, str)
_NUMBERS = (int, float)
_CONSTRUCTORS: dict[str, Callable[..., object]] = {
    "set": _sized(set, *_CONTAINERS),
    "frozenset": _sized(frozenset, *_CONTAINERS),
    "list": _sized(list, *_CONTAINERS),
    "tuple": _sized(tuple, *_CONTAINERS),
    "dict": _sized(dict, list, tuple, dict),
    "complex": _sized(complex, *_NUMBERS),
    "bytes": _sized(bytes, list, tuple),
    "bytearray": _sized(bytearray, bytes, list, tuple),
    "float": _float,
    **dict.fromkeys(("Decimal", "decimal.Decimal"), _decimal),
    **dict.fromkeys(("Fraction", "fractions.Fraction"), _fraction),
    **dict.fromkeys(("date", "datetime.date"), _sized(datetime.date, int)),
    "datetime.datetime": _sized(datetime.datetime, int),
    **dict.fromkeys(("time", "datetime.time"), _sized(datetime.time, int)),
    **dict.fromkeys(("timedelta", "datetime.timedelta"), datetime.timedelta),
}
