"""Writes expressions in one spelling, as people see what was proved: the signs of the grammar, no bracket too many.

What is written reads as the same tree. Refuses nothing.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from probatum.exact.numbers.expressions import (
    Chain,
    Collection,
    Conditional,
    FunctionCall,
    Name,
    Node,
    Number,
    Power,
    Prefixed,
    Relations,
)

_LEVELS: Final = {"or": 2, "and": 3, "+": 6, "-": 6, "*": 7, "/": 7, "mod": 7}
_CLOSING: Final = {"(": ")", "[": "]", "{": "}"}


def statement_text(node: Node) -> str:
    """Return an expression as text, from loose to tight: conditionals, logic, relations, sums, products, powers."""
    return _written(node)[0]


def _within(node: Node, level: int) -> str:
    text, own = _written(node)
    return text if own >= level else f"({text})"


def _written(node: Node) -> tuple[str, int]:
    """Return the text, and how tightly it binds."""
    match node:
        case Number():
            return _number(node)
        case Name():
            return node.name, 12
        case FunctionCall():
            return f"{node.name}({', '.join(map(statement_text, node.arguments))})", 12
        case Collection():
            return f"{node.bracket}{', '.join(map(statement_text, node.items))}{_CLOSING[node.bracket]}", 12
        case Conditional():
            return f"{_within(node.left, 2)} {node.arrow} {_within(node.right, 1)}", 0 if node.arrow == "<->" else 1
        case Relations():
            return _joined(node.operands, node.relations, 6, 6), 5
        case Chain():
            level = _LEVELS[node.operators[0]]
            return _joined(node.operands, node.operators, level, level + 1), level
        case Power():
            return f"{_within(node.base, 10)}^{_within(node.exponent, 8)}", 9
        case Prefixed(sign="not"):
            return f"not {_within(node.operand, 5)}", 4
        case Prefixed():
            return f"{node.sign}{_within(node.operand, 9)}", 8
        case _:
            return f"{_within(node.operand, 12)}{node.sign}", 10


def _joined(operands: tuple[Node, ...], signs: tuple[str, ...], first: int, others: int) -> str:
    rest = "".join(f" {sign} {_within(each, others)}" for sign, each in zip(signs, operands[1:], strict=True))
    return f"{_within(operands[0], first)}{rest}"


def _number(node: Number) -> tuple[str, int]:
    """Return a number with as many places as it was written with, which is what rounding goes by, or as a fraction."""
    places = node.places
    scaled = node.value * Fraction(10) ** places
    sign = "-" if scaled < 0 else ""
    if abs(places) > 100 or scaled.denominator != 1 or scaled.numerator.bit_length() > 1_000:
        return (str(node.value), 7) if node.value.numerator.bit_length() < 10_000 else ("…", 12)
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    if places < 0:
        return f"{sign}{digits}e{-places}", 8 if sign else 12
    text = f"{digits[: len(digits) - places]}.{digits[len(digits) - places :]}" if places else digits
    return f"{sign}{text}{f' {node.currency}' if node.currency else ''}", 8 if sign else 12
