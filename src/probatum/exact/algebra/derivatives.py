"""Derivatives of plain expressions, by the rules of calculus.

Refuses functions that are not differentiable piece by piece, such as ``floor``. Where the expression has a value and
its derivative too, and its roots are not taken of zero, the derivative is the one of the expression.
"""

from __future__ import annotations

from typing import Final

from probatum.exact.algebra.trees import call, divided, minus, names_of, number, plus, raised, times
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Name, Node, Number, Power, Prefixed

_OF_FUNCTIONS: Final = {
    "exp": lambda u: call("exp", u),
    "log": lambda u: divided(number(1), u),
    "sqrt": lambda u: divided(number(1), times(number(2), call("sqrt", u))),
    "cbrt": lambda u: divided(number(1), times(number(3), raised(call("cbrt", u), 2))),
    "abs": lambda u: divided(u, call("abs", u)),
    "sin": lambda u: call("cos", u),
    "cos": lambda u: _opposite(call("sin", u)),
    "tan": lambda u: raised(call("sec", u), 2),
    "cot": lambda u: _opposite(raised(call("csc", u), 2)),
    "sec": lambda u: times(call("sec", u), call("tan", u)),
    "csc": lambda u: _opposite(times(call("csc", u), call("cot", u))),
    "sinh": lambda u: call("cosh", u),
    "cosh": lambda u: call("sinh", u),
    "tanh": lambda u: minus(number(1), raised(call("tanh", u), 2)),
    "asin": lambda u: divided(number(1), call("sqrt", minus(number(1), raised(u, 2)))),
    "acos": lambda u: _opposite(divided(number(1), call("sqrt", minus(number(1), raised(u, 2))))),
    "atan": lambda u: divided(number(1), plus(number(1), raised(u, 2))),
}
"""By name: the derivative at an argument."""


def _opposite(node: Node) -> Node:
    return times(number(-1), node)


def derivative(node: Node, name: str) -> Node:
    """Return the derivative of a plain expression by a name; raises CannotDecideError where no rule is known."""
    if name not in names_of(node):
        return number(0)
    match node:
        case Name():
            return number(1)
        case Prefixed():
            return _opposite(derivative(node.operand, name))
        case Chain(operators=operators) if operators[0] in "+-":
            total = derivative(node.operands[0], name)
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                slope = derivative(operand, name)
                total = plus(total, slope if sign == "+" else _opposite(slope))
            return total
        case Chain(operators=operators) if "mod" not in operators:
            value, slope = node.operands[0], derivative(node.operands[0], name)
            for sign, operand in zip(operators, node.operands[1:], strict=True):
                other = derivative(operand, name)
                if sign == "*":
                    value, slope = times(value, operand), plus(times(slope, operand), times(value, other))
                else:
                    above = minus(times(slope, operand), times(value, other))
                    value = divided(value, operand)
                    slope = divided(slope, operand) if other == number(0) else divided(above, raised(operand, 2))
            return slope
        case Power() if name not in names_of(node.exponent):
            lower = minus(node.exponent, number(1))
            if isinstance(node.exponent, Number):
                lower = number(node.exponent.value - 1)
            power = number(1) if lower == number(0) else raised(node.base, lower)
            return times(times(node.exponent, power), derivative(node.base, name))
        case Power():
            if node.base == FunctionCall("e", (), getattr(node.base, "start", 0)):
                return times(node, derivative(node.exponent, name))
            return times(node, derivative(times(node.exponent, call("log", node.base)), name))
        case FunctionCall(arguments=(argument,)) if node.name in _OF_FUNCTIONS:
            return times(_OF_FUNCTIONS[node.name](argument), derivative(argument, name))
        case _:
            raise CannotDecideError("math.beyond", "A part of the statement is not differentiated.")
