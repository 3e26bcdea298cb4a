"""Asks Z3 for a model of a condition, within a budget that is counted, not timed.

A model is read as exact numbers and is worth nothing until it is evaluated. Refuses a model with a number that is not
rational, and says so where the budget ends before an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, Final

from probatum.exact.logic.terms import BOOL, INT, REAL, Term, Value, variables

WORK: Final = 500_000
"""Steps of Z3, as it counts them."""


class NoAnswerError(Exception):
    """Z3 gives no answer in its budget, or one that is not rational."""


def solve(condition: Term) -> Mapping[str, Value] | None:
    """Return a model of a condition, None where Z3 finds that there is none.

    Raises NoAnswerError where it finds neither.
    """
    import z3  # type: ignore[import-untyped]  # it has no types

    context = z3.Context()
    translation = _Translation(z3, context)
    solver = z3.Solver(ctx=context)
    try:
        solver.set("rlimit", WORK)
        solver.add(translation.of(condition))
        answer = solver.check()
        if answer == z3.unsat:
            return None
        if answer != z3.sat:
            raise NoAnswerError
        model = solver.model()
        names = variables(condition)
        return {name: _value(z3, model.eval(translation.variable(name, names[name]), True)) for name in names}
    except z3.Z3Exception as error:
        raise NoAnswerError from error


def _value(z3: Any, value: Any) -> Value:
    if z3.is_true(value) or z3.is_false(value):
        return bool(z3.is_true(value))
    if z3.is_int_value(value):
        return Fraction(value.as_long())
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    raise NoAnswerError


class _Translation:
    """Terms in the terms of Z3, each made once."""

    def __init__(self, z3: Any, context: Any) -> None:
        self._z3, self._context = z3, context
        self._made: dict[int, tuple[Term, Any]] = {}

    def of(self, whole: Term) -> Any:
        """Return the term of Z3 with the same meaning, wherever nothing is divided by zero."""
        if id(whole) not in self._made:
            self._made[id(whole)] = (whole, self._translated(whole))
        return self._made[id(whole)][1]

    def variable(self, name: str, sort: str) -> Any:
        z3, context = self._z3, self._context
        return {BOOL: z3.Bool, INT: z3.Int, REAL: z3.Real}[sort](name, context)

    def _translated(self, whole: Term) -> Any:
        z3, context, op = self._z3, self._context, whole.op
        if op == "var":
            return self.variable(str(whole.value), whole.sort)
        if op == "const":
            if whole.sort == BOOL:
                return z3.BoolVal(whole.value, context)
            number = Fraction(whole.value)
            return z3.IntVal(int(number), context) if whole.sort == INT else z3.RealVal(str(number), context)
        args = [self.of(each) for each in whole.args]
        if op in ("and", "or", "not"):
            return {"and": z3.And, "or": z3.Or, "not": z3.Not}[op](*args)
        is_real = whole.sort == REAL or REAL in {each.sort for each in whole.args}
        if is_real:
            args = [z3.ToReal(arg) if each.sort == INT else arg for arg, each in zip(args, whole.args, strict=True)]
        if op == "if":
            return z3.If(*args)
        return _operations(z3)[op](*args)


def _operations(z3: Any) -> Mapping[str, Callable[..., Any]]:
    def rounded_down(a: Any, b: Any) -> Any:
        # Z3 leaves a remainder from 0 on; ours has the sign of the divisor.
        return z3.If(b > 0, a / b, -a / -b)

    return {
        "=": lambda a, b: a == b,
        "<": lambda a, b: a < b,
        "<=": lambda a, b: a <= b,
        "+": lambda *summands: sum(summands[1:], summands[0]),
        "*": lambda a, b: a * b,
        "/": lambda a, b: a / b,
        "div": rounded_down,
        "mod": lambda a, b: a - b * rounded_down(a, b),
    }
