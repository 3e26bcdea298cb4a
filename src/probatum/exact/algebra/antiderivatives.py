"""Antiderivatives: another library finds one, and it counts only if its derivative is shown to be the integrand.

That is the fundamental theorem of calculus (Rudin, Principles of Mathematical Analysis, theorem 6.21); the derivative
is taken by our own rules. Trees are handed over node by node, never as text, which that library would evaluate.
Refuses expressions with a name that may not be real, and what is not found.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce
from typing import Any, Final

from probatum.exact.algebra.derivatives import derivative
from probatum.exact.algebra.functions import Rewriter
from probatum.exact.algebra.trees import call, divided, number, plus, raised, times
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.expressions import Chain, FunctionCall, Name, Node, Number, Power, Prefixed

_BEYOND: Final = "math.beyond"
_FUNCTIONS: Final = {
    **{name: name for name in ("exp", "log", "sqrt", "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh")},
    **{"asin": "asin", "acos": "acos", "atan": "atan", "abs": "Abs"},
}
"""Our functions by the name that the other library has for them."""
_OURS: Final = {other: name for name, other in _FUNCTIONS.items()}


def antiderivative(node: Node, name: str, forms: Rewriter) -> Node:
    """Return an expression whose derivative this one is, on the domain of the forms.

    Raises CannotDecideError where none is found, or where the one that is found is not shown to be one.
    """
    import sympy  # type: ignore[import-untyped]  # it has no types
    from sympy.integrals.manualintegrate import manualintegrate  # type: ignore[import-untyped]  # likewise

    integrand = _handed_over(node, sympy)
    whole = _taken_back(manualintegrate(integrand, sympy.Symbol(name, real=True)), sympy)
    if not forms.vanishes(forms.difference(derivative(whole, name), node)[0]):
        raise CannotDecideError(_BEYOND, "No antiderivative is found.")
    return whole


def _handed_over(node: Node, sympy: Any) -> Any:
    """Return an expression of the other library."""

    def of(inner: Node) -> Any:
        return _handed_over(inner, sympy)

    match node:
        case Number():
            return sympy.Rational(node.value.numerator, node.value.denominator)
        case Name():
            return sympy.Symbol(node.name, real=True)
        case Prefixed():
            return -of(node.operand)
        case Chain(operators=operators) if "mod" not in operators:
            total = of(node.operands[0])
            for sign, operand in zip(operators, map(of, node.operands[1:]), strict=True):
                total = _OPERATIONS[sign](total, operand)
            return total
        case Power():
            return of(node.base) ** of(node.exponent)
        case FunctionCall(name="pi", arguments=()):
            return sympy.pi
        case FunctionCall(name="e", arguments=()):
            return sympy.E
        case FunctionCall(arguments=(argument,)) if node.name in _FUNCTIONS:
            return getattr(sympy, _FUNCTIONS[node.name])(of(argument))
        case _:
            raise CannotDecideError(_BEYOND, "A part of an integrand is not integrated.")


_OPERATIONS: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "/": lambda one, other: one / other,
}


def _taken_back(found: Any, sympy: Any) -> Node:
    """Return our tree of an expression of the other library; raises CannotDecideError for what we do not have."""
    if found.is_Rational:
        return number(Fraction(int(found.p), int(found.q)))
    if found.is_Symbol:
        return Name(str(found), 0)
    if found in (sympy.pi, sympy.E):
        return call("pi" if found == sympy.pi else "e")
    arguments = [_taken_back(each, sympy) for each in found.args]
    if found.is_Add or found.is_Mul:
        return reduce(plus if found.is_Add else times, arguments)
    if isinstance(found, sympy.exp):
        return call("exp", *arguments)
    if found.is_Pow:
        is_under = isinstance(arguments[1], Number) and arguments[1].value < 0
        under = arguments[1].value if is_under else Fraction(0)  # type: ignore[union-attr]  # a number
        return divided(number(1), raised(arguments[0], -under)) if is_under else raised(*arguments)
    if isinstance(found, sympy.log):
        # Of both logarithms with this derivative, the one that has values on either side of zero.
        return call("log", call("abs", *arguments))
    if found.func.__name__ in _OURS and len(arguments) == 1:
        return call(_OURS[found.func.__name__], *arguments)
    raise CannotDecideError(_BEYOND, "No antiderivative is found.")
