"""Closed comparisons of rational numbers: ``0.1 + 0.2 = 0.3``, ``1/3 < 0.34 <= 2/5``, ``$5.20 * 3 = $15.60``.

Decimals mean what is written. ``a ~= b`` says that the left side, rounded as far as the right side is written, is the
right side. The certificate names the value of each side; it is checked by residues modulo one prime that is larger
than any difference the sides could have.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor
from operator import eq, ge, gt, le, lt, ne
from typing import Final

from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, Ruling, proved, refuted
from probatum.exact.expressions import Node, Number, Prefixed, Relations
from probatum.exact.rational import Amount, evaluate
from probatum.exact.real_roots import read_number_text, written_number
from probatum.exact.residues import value_holds

HOLDS: Final = "math.holds"
FAILS: Final = "math.fails"
_TESTS: Final = {"=": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def decide_closed(comparison: Relations) -> Ruling:
    """Return whether a chain of closed sides holds; raises as `rational.evaluate` does."""
    amounts = [evaluate(each) for each in comparison.operands]
    sides = [written_amount(each) for each in amounts]
    broken = _first_broken(comparison, amounts)
    if broken is None:
        return proved(HOLDS, {"form": "arithmetic", "values": sides})
    left, right = sides[broken : broken + 2]
    told = {"values": sides, "relation": comparison.relations[broken], "left": left, "right": right}
    detail = f"The left side of {comparison.relations[broken]!r} is {left[:80]}, the right side {right[:80]}."
    return refuted(FAILS, detail, told)


def check_closed(comparison: Relations, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate of `decide_closed` establishes; raises ValueError where it is wrong."""
    written = Shape(certificate, "certificate").exactly("form", "values").texts("values")
    if len(written) != len(comparison.operands):
        raise ValueError("there is one value for each side")
    amounts = [read_amount(each) for each in written]
    for node, amount in zip(comparison.operands, amounts, strict=True):
        if not value_holds(node, amount.value):
            raise ValueError("a side has another value")
        if amount.unit != evaluate(node).unit:
            raise ValueError("a side has another currency")
    if _first_broken(comparison, amounts) is not None:
        raise ValueError("the values do not stand in the claimed relation")
    return HOLDS


def _first_broken(comparison: Relations, amounts: list[Amount]) -> int | None:
    for place, relation in enumerate(comparison.relations):
        left, right = amounts[place], amounts[place + 1]
        if left.unit != right.unit:
            raise CannotDecideError("math.currency_mixed", "The sides are amounts of unlike currencies, or of none.")
        if relation == "~=":
            if not rounds_to(left.value, comparison.operands[place + 1], right.value):
                return place
        elif not _TESTS[relation](left.value, right.value):
            return place
    return None


def rounds_to(value: Fraction, written: Node, claimed: Fraction) -> bool:
    """Return whether a value, rounded as far as a number is written, is that number.

    Raises CannotDecideError for a tie that rounding modes decide differently, and for a right side that is no number.
    """
    while isinstance(written, Prefixed):
        written = written.operand
    if not isinstance(written, Number):
        raise CannotDecideError("math.rounding_unclear", "'~=' needs a plain number on its right side.")
    scale = int(f"1{'0' * written.places}")
    scaled = value * scale
    if scaled - floor(scaled) == Fraction(1, 2):
        detail = "The value lies halfway between two numbers of these places, and rounding modes differ there."
        raise CannotDecideError("math.rounding_unclear", detail)
    return floor(scaled + Fraction(1, 2)) == claimed * scale


def written_amount(amount: Amount) -> str:
    """Return an amount as text: the number in lowest terms, then the currency with its power."""
    currency, power = amount.unit
    number = written_number(amount.value)
    return f"{number} {currency}^{power}" if power else number


def read_amount(text: str) -> Amount:
    """Read what `written_amount` wrote; raises ValueError for anything else."""
    number, _, unit = text.partition(" ")
    currency, _, power = unit.partition("^")
    amount = Amount(read_number_text(number), currency, int(power) if unit else 0)
    if written_amount(amount) != text:
        raise ValueError(f"{text[:40]!r} is not an amount in its one spelling")
    return amount
