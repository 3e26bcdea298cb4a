"""Decides claims about money: ``payment($1000, 1%, 12) ~= $88.85``, ``irr = 10%``, ``change(80, 100) = 25%``.

Everything is exact and nothing is rounded unless ``round(…)`` says how; ``~=`` compares as far as the right side is
written. Amounts of unlike currencies are never mixed. Refuses a rate of return that is not the only one, unknown
figures, and more than one rate of return in a claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from math import prod
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, nearest
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted, unreadable
from probatum.exact.finance.money import (
    AMOUNTS,
    FORMULAS,
    MAX_PERIODS,
    UNDEFINED,
    WHEN,
    WHOLE,
    Computation,
    Definition,
    size_of,
)
from probatum.exact.finance.returns import FAILS, check_rate, decide_rate
from probatum.exact.numbers.arithmetic import first_broken_amount, written_amount
from probatum.exact.numbers.expressions import (
    Chain,
    FunctionCall,
    Name,
    Node,
    Number,
    Power,
    Prefixed,
    Relations,
    Suffixed,
    read_expression,
)
from probatum.exact.numbers.rational import FUNCTIONS, MAX_BITS, Amount, NotRationalError, evaluate
from probatum.exact.numbers.real_roots import read_number_text, written_number, written_unit
from probatum.exact.numbers.residues import value_holds
from probatum.exact.numbers.writing import statement_text
from probatum.exact.statistics.datasets import Dataset, read_dataset

HOLDS: Final = "finance.holds"
SYNTAX: Final = "finance.syntax"
_HINT: Final = "Write a figure and its value, such as: change(80, 100) = 25%."
_SHARE_OF: Final = re.compile(r"\s*[0-9][0-9.,]*\s?%\s+(of)\s+[^\s+*/^(),=<>!~-]+(?:\s+[A-Z]{3})?\s*(?:[=<>!~≈≠≤≥])")
MAX_WORK: Final = 2 * MAX_BITS
"""Periods times bits of a rate, in all figures of a claim."""
_Value = Callable[[Computation, list[Fraction], str], Fraction]
"""How the value of a computed figure becomes known: by computing it, or from a certificate."""
_Rate = tuple[tuple[int, ...], str, Fraction, Fraction]
"""The flows, the relation, the claimed rate and its unit."""


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement about money holds; raises as `EngineModule.decide`."""
    comparison = _comparison(claim.statement)
    calls: list[Fraction] = []

    def compute(how: Computation, numbers: list[Fraction], word: str) -> Fraction:
        calls.append(how.compute(numbers, word))
        return calls[-1]

    figures = _FigureReader(claim, compute)
    rate = figures.rate_of_return(comparison)
    if rate is not None:
        return decide_rate(*rate)
    sides = [figures.amount(each) for each in comparison.operands]
    broken = first_broken_amount(comparison, sides)
    written = [written_amount(each) for each in sides]
    if broken is None:
        try:
            figures.require_checked()
        except ValueError as error:
            raise BudgetError("engine.out_of_budget", "The sides are too large to be checked.") from error
        return proved(HOLDS, {"form": "figures", "calls": [written_number(each) for each in calls], "sides": written})
    left, right = written[broken : broken + 2]
    told = {"calculated_value": left, "claimed_value": right, "relation": comparison.relations[broken]}
    return refuted(FAILS, f"The left side is {left[:80]}, the right side {right[:80]}.", {**told, "sides": written})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    comparison = _comparison(claim.statement)
    rate = _FigureReader(claim, lambda how, numbers, word: how.compute(numbers, word)).rate_of_return(comparison)
    if rate is not None:
        return check_rate(*rate, certificate)
    shape = Shape(certificate, "certificate").exactly("form", "calls", "sides")
    told = [read_number_text(each) for each in shape.texts("calls")][::-1]

    def confirm(how: Computation, numbers: list[Fraction], word: str) -> Fraction:
        if not told or not how.confirm(numbers, word, told[-1]):
            raise ValueError("a figure has another value")
        return told.pop()

    figures = _FigureReader(claim, confirm)
    sides = [figures.amount(each) for each in comparison.operands]
    if (
        told
        or shape.text("form") != "figures"
        or [written_amount(each) for each in sides] != list(shape.texts("sides"))
    ):
        raise ValueError("there are other figures or sides")
    figures.require_checked()
    if first_broken_amount(comparison, sides) is not None:
        raise ValueError("the values do not stand in the claimed relation")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return a statement as it is read; raises as `decide` for what cannot be read."""
    return statement_text(_comparison(claim.statement))


def _comparison(statement: str) -> Relations:
    if not statement.strip():
        raise NotAttemptedError(SYNTAX, "The statement is empty.", _HINT)
    share = _SHARE_OF.match(statement)
    # '15% of 20 = 3' is a product; the sign is as long as the word, so that positions stay.
    text = f"{statement[: share.start(1)]}* {statement[share.end(1) :]}" if share else statement
    node = read_expression(text, SYNTAX)
    if not isinstance(node, Relations):
        raise NotAttemptedError(SYNTAX, "The statement has no relation such as '=', so it claims nothing.", _HINT)
    return node


class _FigureReader:
    """Reads the figures of one claim, and keeps what is to be checked and how much work they are."""

    def __init__(self, claim: ExactClaim, value: _Value) -> None:
        self._claim = claim
        self._value = value
        self._work = 0
        self._read: Dataset | None = None
        self._amounts: list[tuple[Node, Fraction]] = []

    def amount(self, node: Node) -> Amount:
        """Return the value of an expression of figures."""
        plain = _mapped(node, self._resolved)
        try:
            found = evaluate(plain)
        except NotRationalError as error:
            raise CannotDecideError("finance.beyond", f"{error} is beyond rational arithmetic.") from error
        self._amounts.append((plain, found.value))
        return found

    def require_checked(self) -> None:
        """Raise ValueError where residues do not establish every value so far."""
        if not all(value_holds(node, value) for node, value in self._amounts):
            raise ValueError("an expression has another value")

    def rate_of_return(self, comparison: Relations) -> _Rate | None:
        """Return what is claimed of a rate of return; None where the claim is about something else."""
        left = comparison.operands[0]
        if isinstance(left, Name | FunctionCall) and left.name == "irr":
            if _without_flows(left):
                raise self._problem(left, "irr takes the flows alone")
            flows = self._flows().scaled
        elif isinstance(left, FunctionCall) and left.name == "cagr":
            flows = self._growth_flows(left)
        else:
            return None
        if len(comparison.relations) != 1:
            raise self._problem(left, "A rate of return stands in one relation at a time")
        right, relation = comparison.operands[1], comparison.relations[0]
        unit = written_unit(right) if relation == "~=" else Fraction(0)
        return flows, relation, _number("x", self.amount(right)).value, unit

    def _resolved(self, node: Name | FunctionCall) -> Node:
        if node.name in FORMULAS:
            return self._figure(node)
        if isinstance(node, FunctionCall) and node.name in FUNCTIONS:
            return replace(node, arguments=tuple(_mapped(each, self._resolved) for each in node.arguments))
        near = nearest(node.name, (*FORMULAS, "irr", "cagr")) or _HINT
        said = "stands alone on the left side" if node.name in ("irr", "cagr") else "is no figure that is known"
        raise self._problem(node, f"{node.name[:40]} {said}", near)

    def _figure(self, node: FunctionCall | Name) -> Node:
        formula = FORMULAS[node.name]
        has_flows = isinstance(formula.how, Computation) and formula.how.has_flows
        arguments = _without_flows(node) if has_flows else getattr(node, "arguments", ())
        word, last = WHEN[0] if formula.words == WHEN else "", arguments[-1] if arguments else None
        if formula.words and isinstance(last, Name):
            word, arguments = last.name, arguments[:-1]
        if formula.words and word not in formula.words:
            sentence = f"{node.name} needs one of these words as its last argument: {', '.join(formula.words)}."
            raise NotAttemptedError("finance.kind_missing", sentence)
        needed, _, may = formula.takes.partition("?")
        if not len(needed) <= len(arguments) <= len(needed + may):
            raise self._problem(node, f"{node.name} takes {len(needed)}{' or more' if may else ''} numbers")
        letters: dict[str, Number] = dict.fromkeys(may, Number(Fraction(1), node.start))
        letters |= {
            each: _number(each, self.amount(argument)) for each, argument in zip(needed + may, arguments, strict=False)
        }
        flows = list(self._flows().fractions()) if has_flows else []
        self._charge(letters, len(flows))
        if isinstance(formula.how, Definition):
            letters["b"] = Number(Fraction(word == "begin"), node.start)
            return _defined(formula.how, letters)
        value = self._value(formula.how, [*(each.value for each in letters.values()), *flows], word)
        return Number(value, node.start, letters["p"].currency if "p" in letters else "")

    def _charge(self, letters: Mapping[str, Number], flows: int) -> None:
        bits = max((size_of(number.value) for letter, number in letters.items() if letter in "rx"), default=1)
        self._work += bits * (flows + prod(int(each.value) for letter, each in letters.items() if letter in "nk"))
        if self._work > MAX_WORK:
            raise BudgetError("engine.out_of_budget", "The figures have too many periods, or rates that are too long.")

    def _flows(self) -> Dataset:
        if "flows" not in self._claim.given:
            raise NotAttemptedError("finance.flows_missing", "This figure is of cash flows, and none are given.")
        if self._read is None:
            self._read = read_dataset(self._claim, "flows")
        if len(self._read) > MAX_PERIODS:
            raise BudgetError("engine.out_of_budget", f"Up to {MAX_PERIODS:,} flows are computed with.")
        if not self._read.scaled:
            raise NotAttemptedError("engine.data_mixed_types", "The flows are texts, not numbers.")
        return self._read

    def _growth_flows(self, node: FunctionCall) -> tuple[int, ...]:
        if len(node.arguments) != 3:
            raise self._problem(node, "cagr takes a first amount, a last one and the periods")
        amounts = [self.amount(each) for each in node.arguments]
        first, last, periods = (_number(letter, each) for letter, each in zip("pqn", amounts, strict=True))
        if first.currency != last.currency:
            raise CannotDecideError("math.currency_mixed", "The amounts are of unlike currencies.")
        if first.value <= 0 or last.value <= 0 or not periods.value:
            raise CannotDecideError(UNDEFINED, "Growth is of positive amounts, over one period or more.")
        ratio = last.value / first.value
        return (-ratio.denominator, *[0] * (int(periods.value) - 1), ratio.numerator)

    def _problem(self, node: Name | FunctionCall, problem: str, hint: str = "") -> NotAttemptedError:
        return unreadable(SYNTAX, self._claim.statement, node.start, problem, hint)


def _mapped(node: Node, named: Callable[[Name | FunctionCall], Node]) -> Node:
    """Return a tree with other nodes in place of its names and calls."""
    match node:
        case Name() | FunctionCall():
            return named(node)
        case Chain():
            return replace(node, operands=tuple(_mapped(each, named) for each in node.operands))
        case Prefixed() | Suffixed():
            return replace(node, operand=_mapped(node.operand, named))
        case Power():
            return replace(node, base=_mapped(node.base, named), exponent=_mapped(node.exponent, named))
        case _:
            return node


def _defined(definition: Definition, letters: Mapping[str, Number]) -> Node:
    """Return the expression that a figure is, with its arguments in place of the letters."""

    def put(text: str) -> Node:
        return _mapped(read_expression(text, SYNTAX), lambda name: letters[name.name])

    if any(evaluate(put(each)).value <= 0 for each in definition.positive):
        raise CannotDecideError(
            UNDEFINED, f"Undefined where one of these is not positive: {', '.join(definition.positive)}."
        )
    is_other = definition.at_zero and not letters["r"].value
    return put(definition.at_zero if is_other else definition.text)


def _without_flows(node: Name | FunctionCall) -> tuple[Node, ...]:
    """Return what stands in the brackets besides the word 'flows', which may stand there once."""
    arguments = list(node.arguments) if isinstance(node, FunctionCall) else []
    at = next((at for at, each in enumerate(arguments) if isinstance(each, Name) and each.name == "flows"), None)
    return tuple(each for place, each in enumerate(arguments) if place != at)


def _number(letter: str, amount: Amount) -> Number:
    """Return an argument as it may stand for a letter."""
    currency, power = amount.unit
    if power != 0 and (power != 1 or letter not in AMOUNTS):
        raise CannotDecideError("math.currency_mixed", "An amount of money, or a product of some, is not due there.")
    if letter in WHOLE and (amount.value.denominator != 1 or amount.value < 0):
        raise CannotDecideError(UNDEFINED, "Periods and places are whole numbers from 0 on.")
    if letter in WHOLE and amount.value > MAX_PERIODS:
        raise BudgetError("engine.out_of_budget", f"Up to {MAX_PERIODS:,} periods or places are computed.")
    return Number(amount.value, 0, currency)
