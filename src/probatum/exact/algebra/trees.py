"""Builds, searches and writes expressions: what every form of mathematics does with trees.

The functions that are known, by name and by how many arguments they take, stand here. Refuses every other function,
and constructs that are no numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Final

from probatum.core.errors import NotAttemptedError, nearest
from probatum.exact.claim import CannotDecideError
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
    Suffixed,
)
from probatum.exact.numbers.rational import FUNCTIONS
from probatum.exact.numbers.real_roots import written_number

CONSTANTS: Final = frozenset({"pi", "e", "i", "oo"})
_ALIASES: Final = {"ln": "log", **{f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan")}}
_BASES: Final = {"log2": 2, "log10": 10}
_TRIGONOMETRIC: Final = ("sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "asin", "acos", "atan")
MANUAL: Final = "docs/reference/claims/math.md has what is read, and what to write instead of the rest."
UNARY: Final = frozenset({"abs", "sqrt", "cbrt", "exp", "log", "floor", "ceil", "trunc", "factorial", *_TRIGONOMETRIC})
Heads = Mapping[str, Callable[[FunctionCall], Node]]


def plain(node: Node, declared: frozenset[str], heads: Heads) -> Node:
    """Return an expression with the one name of each function, and its constants told apart from names.

    Args:
        node: the expression as it is read.
        declared: names of the claim, which shadow constants; a constant becomes a call without arguments.
        heads: what calls with a name of their own stand for, such as ``diff``.

    Raises NotAttemptedError for an unknown function, CannotDecideError for what is no number.
    """

    def inner(one: Node) -> Node:
        return plain(one, declared, heads)

    match node:
        case Number(currency=""):
            return node
        case Name():
            return FunctionCall(node.name, (), node.start) if node.name in CONSTANTS - declared else node
        case FunctionCall() if node.name.lower() in heads:
            return heads[node.name.lower()](node)
        case FunctionCall():
            return _plain_call(node, inner)
        case Chain(operators=operators) if operators[0] not in ("and", "or"):
            return Chain(tuple(map(inner, node.operands)), operators, node.start)
        case Power():
            return Power(inner(node.base), inner(node.exponent), node.start)
        case Prefixed(sign="+" | "-"):
            operand = inner(node.operand)
            if node.sign == "-" and isinstance(operand, Number):
                return replace(operand, value=-operand.value)
            return Prefixed("-", operand, node.start) if node.sign == "-" else operand
        case Suffixed(sign="!"):
            return FunctionCall("factorial", (inner(node.operand),), node.start)
        case Suffixed():
            return divided(inner(node.operand), number(100))
        case Number():
            raise CannotDecideError("math.beyond", "Amounts of a currency are beyond this form of statement.")
        case _:
            raise CannotDecideError("math.beyond", "A part of the statement is no number.")


def _plain_call(node: FunctionCall, inner: Callable[[Node], Node]) -> Node:
    name = _ALIASES.get(node.name.lower(), node.name.lower())
    told = f"The function {node.name[:40]!r} at position {node.start}"
    if name not in UNARY and name not in FUNCTIONS and name not in _BASES:
        near = nearest(node.name, sorted(UNARY | FUNCTIONS))
        raise NotAttemptedError("math.unknown_function", f"{told} is not known.", f"{near} {MANUAL}".strip())
    arguments = tuple(map(inner, node.arguments))
    if name in _BASES and len(arguments) == 1:
        return divided(call("log", *arguments), call("log", number(_BASES[name])))
    if not arguments or (name in UNARY and len(arguments) != 1) or (name == "binomial" and len(arguments) != 2):
        raise NotAttemptedError("math.unknown_function", f"{told} has the wrong number of arguments.")
    return FunctionCall(name, arguments, node.start)


def number(value: Fraction | int) -> Node:
    """Return the tree of a number."""
    return Number(Fraction(value), 0)


def plus(left: Node, right: Node) -> Node:
    """Return a sum."""
    if _is(left, 0):
        return right
    return left if _is(right, 0) else _appended(left, "+", right)


def minus(left: Node, right: Node) -> Node:
    """Return a difference."""
    return left if _is(right, 0) else Chain((left, right), ("-",), 0)


def times(left: Node, right: Node) -> Node:
    """Return a product."""
    if _is(left, 0) or _is(right, 0):
        return number(0)
    if _is(left, 1):
        return right
    return left if _is(right, 1) else _appended(left, "*", right)


def _appended(left: Node, sign: str, right: Node) -> Node:
    """Return a chain with one more operand; of one level, so that long sums are not nested deep."""
    if isinstance(left, Chain) and left.operators[0] in ("+-" if sign == "+" else "*/"):
        return Chain((*left.operands, right), (*left.operators, sign), left.start)
    return Chain((left, right), (sign,), 0)


def divided(above: Node, below: Node) -> Node:
    """Return a quotient."""
    return above if _is(below, 1) else Chain((above, below), ("/",), 0)


def raised(base: Node, exponent: Node | Fraction | int) -> Node:
    """Return a power."""
    power = number(exponent) if isinstance(exponent, Fraction | int) else exponent
    return base if _is(power, 1) else Power(base, power, 0)


def call(name: str, *arguments: Node) -> Node:
    """Return a function of arguments; without any, a constant."""
    return FunctionCall(name, arguments, 0)


def _is(node: Node, value: int) -> bool:
    return isinstance(node, Number) and node.value == value


def parts_of(node: Node) -> tuple[Node, ...]:
    """Return what an expression is made of."""
    match node:
        case Chain() | Relations():
            return node.operands
        case Power():
            return (node.base, node.exponent)
        case Prefixed() | Suffixed():
            return (node.operand,)
        case FunctionCall():
            return node.arguments
        case Collection():
            return node.items
        case Conditional():
            return (node.left, node.right)
        case _:
            return ()


def walked(node: Node) -> Iterator[Node]:
    """Yield an expression and everything in it."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        yield each
        waiting.extend(parts_of(each))


def names_of(*nodes: Node) -> frozenset[str]:
    """Return the names in expressions."""
    return frozenset(each.name for node in nodes for each in walked(node) if isinstance(each, Name))


def has_call(node: Node, *names: str) -> bool:
    """True where one of these functions or constants occurs."""
    return any(isinstance(each, FunctionCall) and each.name in names for each in walked(node))


def substituted(node: Node, values: Mapping[str, Node]) -> Node:
    """Return a plain expression with names replaced."""

    def inner(one: Node) -> Node:
        return substituted(one, values)

    match node:
        case Name():
            return values.get(node.name, node)
        case Chain():
            return Chain(tuple(map(inner, node.operands)), node.operators, node.start)
        case Power():
            return Power(inner(node.base), inner(node.exponent), node.start)
        case Prefixed():
            return Prefixed(node.sign, inner(node.operand), node.start)
        case FunctionCall():
            return FunctionCall(node.name, tuple(map(inner, node.arguments)), node.start)
        case _:
            return node


def written(node: Node) -> str:
    """Return a plain expression as text that reads as the same expression."""
    match node:
        case Number():
            text = written_number(node.value)
            return text if node.value.denominator == 1 and node.value >= 0 else f"({text})"
        case Name():
            return node.name
        case FunctionCall():
            inner = ", ".join(map(written, node.arguments))
            return f"{node.name}({inner})" if node.arguments else node.name
        case Chain():
            first, *others = node.operands
            rest = "".join(f" {sign} {written(each)}" for sign, each in zip(node.operators, others, strict=True))
            return f"({written(first)}{rest})"
        case Power():
            return f"({written(node.base)}^{written(node.exponent)})"
        case Prefixed():
            return f"(-{written(node.operand)})"
        case _:
            raise CannotDecideError("math.beyond", "A part of the statement is no number.")
