"""Settles whether a condition can hold: by a model, which is evaluated, or by a refutation, which is checked.

First by cases and linear constraints, without any package. What is left goes to Z3 for a model; where it finds none,
all values of the variables are tried, if they are few. Leaves undecided what none of these settles: that Z3 finds no
model is no refutation, since nobody could check it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor, lcm
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError
from probatum.exact.logic.refutations import CandidateFoundError, GaveUpError, check_refutation, find_refutation
from probatum.exact.logic.solver import NoAnswerError, solve
from probatum.exact.logic.terms import BOOL, INT, REAL, Term, Value, value_of, variables

BEYOND: Final = "logic.beyond"
MAX_TRIED: Final = 100_000
"""Parts of terms that are evaluated to try all values."""
Model = Mapping[str, Value]
Refutation = Mapping[str, object]


def settle(condition: Term) -> tuple[Model | None, Refutation]:
    """Return a model of a condition, or None and a refutation; raises CannotDecideError where neither is found."""
    try:
        return None, {"method": "cases", "steps": find_refutation(condition)}
    except CandidateFoundError as found:
        sorts = variables(condition)
        blank: dict[str, Value] = {name: False if sort == BOOL else Fraction(0) for name, sort in sorts.items()}
        model = {**blank, **{name: value for name, value in found.candidate.items() if name in sorts}}
        if value_of(condition, model):
            return model, {}
    except GaveUpError:
        pass
    try:
        found_model = solve(condition)
    except NoAnswerError:
        found_model = None
    if found_model is None:
        values = _values_to_try(condition)
        if values is None:
            raise CannotDecideError(BEYOND, "Neither a model nor a refutation that can be checked is found.")
        found_model = _tried(condition, values)
    if found_model is None:
        return None, {"method": "values"}
    if value_of(condition, found_model) is not True:
        raise CannotDecideError(BEYOND, "A model is found that does not evaluate to what it should.")
    return found_model, {}


def check_refuted(condition: Term, refutation: Shape) -> None:
    """Raise ValueError unless a refutation of `settle` shows that a condition cannot hold.

    By the steps of `refutations`, whose docstring names their theorems; or by every value that can make a difference:
    those between stated bounds, or one of each residue class where a number stands only modulo constants.
    """
    method = refutation.exactly("method", may=("steps",)).text("method")
    if (method == "cases") is not refutation.has("steps"):
        raise ValueError("a refutation by cases has steps, and no other one")
    if method == "cases":
        check_refutation(condition, refutation.texts("steps"))
    elif method == "values":
        values = _values_to_try(condition)
        if values is None or _tried(condition, values) is not None:
            raise ValueError("not all values can be tried, or one is a model")
    else:
        raise ValueError("the method of a refutation is cases or values")


def _values_to_try(condition: Term) -> Mapping[str, range] | None:
    """Return the values of each variable that can make a difference; None where there are too many to try them."""
    work, values = condition.size, {}
    for name, sort in variables(condition).items():
        bounds: tuple[int, int] | None = (0, 1)
        if sort == INT:
            bounds = _bounds(condition, name) or _period(condition, name)
        if bounds is None or sort == REAL:
            return None
        values[name] = range(bounds[0], bounds[1] + 1)
        work *= max(1, bounds[1] - bounds[0] + 1)
        if work > MAX_TRIED:
            return None
    return values


def _bounds(condition: Term, name: str) -> tuple[int, int] | None:
    """Return the bounds of a whole number that the condition states as such."""
    low: list[int] = []
    high: list[int] = []
    waiting = [condition]
    while waiting:
        part = waiting.pop()
        waiting += part.args if part.op == "and" else ()
        if part.op not in ("<", "<=", "=") or {each.op for each in part.args} != {"var", "const"}:
            continue
        left, right = part.args
        bound, place = (right, high) if left.op == "var" else (left, low)
        if name not in (left.value, right.value):
            continue
        value = Fraction(bound.value)
        for side in (low, high) if part.op == "=" else (place,):
            side.append(ceil(value) if side is low else floor(value))
    return (max(low), min(high)) if low and high else None


def _period(condition: Term, name: str) -> tuple[int, int] | None:
    """Return the residues of a whole number that stands nowhere but in sums and products modulo constants."""
    period, waiting = 1, [(condition, 0)]
    while waiting:
        part, modulus = waiting.pop()
        if part.op == "var" and part.value == name:
            if not modulus:
                return None
            period = lcm(period, modulus)
        if part.op == "mod" and part.args[1].op == "const":
            waiting.append((part.args[0], abs(int(Fraction(part.args[1].value)))))
        else:
            waiting += [(each, modulus if part.op in "+*" else 0) for each in part.args]
    return 0, period - 1


def _tried(condition: Term, values: Mapping[str, range]) -> Model | None:
    sorts = variables(condition)
    for chosen in product(*values.values()):
        model: dict[str, Value] = {
            name: bool(value) if sorts[name] == BOOL else Fraction(value)
            for name, value in zip(values, chosen, strict=True)
        }
        try:
            if value_of(condition, model):
                return model
        except BudgetError as error:
            raise CannotDecideError(BEYOND, error.sentence) from error
    return None
