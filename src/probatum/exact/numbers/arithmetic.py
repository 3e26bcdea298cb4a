"""Closed comparisons of rational numbers: ``0.1 + 0.2 = 0.3``, ``1/3 < 0.34 <= 2/5``, ``$5.20 * 3 = $15.60``.

Decimals mean what is written. ``a ~= b`` says that the left side, rounded as far as the right side is written, is the
right side. The certificate names the value of each side; it is checked by residues modulo one prime that is larger
than any difference the sides could have.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, Ruling, proved, refuted
from probatum.exact.numbers.expressions import Relations
from probatum.exact.numbers.rational import Amount, evaluate
from probatum.exact.numbers.real_roots import first_broken, read_number_text, real, written_number
from probatum.exact.numbers.residues import value_holds

HOLDS: Final = "math.holds"
FAILS: Final = "math.fails"


def decide_closed(comparison: Relations) -> Ruling:
    """Return whether a chain of closed sides holds; raises as `rational.evaluate` does."""
    amounts = [evaluate(each) for each in comparison.operands]
    sides = [written_amount(each) for each in amounts]
    broken = first_broken_amount(comparison, amounts)
    if broken is None:
        return proved(HOLDS, {"form": "arithmetic", "values": sides})
    left, right = sides[broken : broken + 2]
    told = {"values": sides, "relation": comparison.relations[broken], "left": left, "right": right}
    detail = f"The left side of {comparison.relations[broken]!r} is {left[:80]}, the right side {right[:80]}."
    return refuted(FAILS, detail, told)


def check_closed(comparison: Relations, certificate: Mapping[str, object]) -> str:
    """Return the constraint that a certificate of `decide_closed` establishes; raises ValueError where it is wrong."""
    shape = Shape(certificate, "certificate").exactly("form", "values")
    written = shape.texts("values")
    if shape.raw("form") != "arithmetic" or len(written) != len(comparison.operands):
        raise ValueError("there is one value for each side")
    amounts = [read_amount(each) for each in written]
    for node, amount in zip(comparison.operands, amounts, strict=True):
        if not value_holds(node, amount.value):
            raise ValueError("a side has another value")
        if amount.unit != evaluate(node).unit:
            raise ValueError("a side has another currency")
    if first_broken_amount(comparison, amounts) is not None:
        raise ValueError("the values do not stand in the claimed relation")
    return HOLDS


def first_broken_amount(comparison: Relations, sides: Sequence[Amount]) -> int | None:
    """Return the place of the first relation that does not hold; raises CannotDecideError for unlike currencies."""
    if len({each.unit for each in sides}) > 1:
        raise CannotDecideError("math.currency_mixed", "The sides are amounts of unlike currencies, or of none.")
    return first_broken(comparison, [real(each.value) for each in sides])


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
