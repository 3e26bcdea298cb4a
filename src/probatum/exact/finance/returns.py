"""The internal rate of return: the rate above -100 % at which cash flows have no net present value.

The factor 1 + rate is a positive root of a polynomial with whole coefficients. How many there are is counted exactly,
so a rate is only proved where it is the only one; it is compared by signs and never approximated. Refuses flows that
are all zero; several rates, or none, leave a claim undecided.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, Ruling, proved, refuted
from probatum.exact.numbers.polynomials import (
    Coefficients,
    counted_positive_roots,
    is_costly,
    narrowed,
    positive_roots,
    sign_at,
    sign_changes,
    without_repeated_roots,
)
from probatum.exact.numbers.rational import MAX_BITS
from probatum.exact.numbers.real_roots import relation_holds, written_number

UNIQUE: Final = "finance.irr_unique_match"
FAILS: Final = "finance.fails"
_STEPS: Final = 40
_SHOWN: Final = 20


def decide_rate(flows: tuple[int, ...], relation: str, claimed: Fraction, unit: Fraction) -> Ruling:
    """Return whether the internal rate of return stands in a relation to a number.

    Args:
        flows: one a period, the first at time 0, each times the same positive number.
        relation: one of the relations of expressions.
        claimed: the number.
        unit: of ``~=``, what the last written digit of the number counts.
    """
    # Zeros at the ends change no root and no sign.
    polynomial = stripped = _polynomial(flows)
    changes = sign_changes(polynomial)
    if not changes:
        raise CannotDecideError(
            "finance.irr_no_root", "All flows have one sign, so no rate has the net present value 0."
        )
    if changes > 1:
        if is_costly(polynomial):
            known = {"converged": False, "sign_changes": changes, "flows": len(flows)}
            detail = "The rates cannot be told apart within the budget."
            raise CannotDecideError("finance.irr_non_convergent", detail, known)
        polynomial, parts = positive_roots(polynomial)
        if len(parts) != 1:
            raise _not_one(polynomial, parts)
    points = _points(relation, claimed, unit)
    if relation_holds(relation, claimed, unit, lambda bound: _compared(polynomial, bound)):
        told_points = [{"rate": written_number(each), "npv_sign": _npv_sign(stripped, each)} for each in points]
        return proved(UNIQUE, {"form": "irr", "distinct_roots": 1, "points": told_points})
    told: dict[str, object] = {"claimed_value": written_number(claimed), "relation": relation}
    told |= {
        "rate_compared_to_claim": _compared(polynomial, claimed),
        "npv_sign_at_claim": _npv_sign(stripped, claimed),
    }
    if not is_costly(polynomial):
        bits = max(abs(each) for each in polynomial).bit_length() + 1
        told["calculated_value"] = _written_part(
            narrowed(polynomial, (Fraction(0), Fraction(2) ** bits), bits + _STEPS)
        )
    return refuted(FAILS, "The only rate of return is another one.", told)


def check_rate(
    flows: tuple[int, ...], relation: str, claimed: Fraction, unit: Fraction, certificate: Mapping[str, object]
) -> str:
    """Return the constraint that a certificate of `decide_rate` establishes; raises ValueError where it is wrong."""
    shape = Shape(certificate, "certificate").exactly("form", "distinct_roots", "points")
    polynomial = stripped = _polynomial(flows)
    changes = sign_changes(polynomial)
    if changes > 1:
        if is_costly(polynomial):
            raise ValueError("the rates cannot be told apart within the budget")
        polynomial = without_repeated_roots(polynomial)
        changes = counted_positive_roots(polynomial)
    if shape.text("form") != "irr" or changes != 1 or shape.whole("distinct_roots") != 1:
        raise ValueError("there is another number of rates")
    points = _points(relation, claimed, unit)
    told = [each.exactly("rate", "npv_sign") for each in shape.items("points")]
    if [each.text("rate") for each in told] != [written_number(each) for each in points]:
        raise ValueError("the rates are other ones")
    if [each.whole("npv_sign") for each in told] != [_discounted_sign(stripped, each) for each in points]:
        raise ValueError("a net present value has another sign")
    if not relation_holds(relation, claimed, unit, lambda bound: _compared(polynomial, bound)):
        raise ValueError("the claim does not follow")
    return UNIQUE


def _points(relation: str, claimed: Fraction, unit: Fraction) -> list[Fraction]:
    return [claimed - unit / 2, claimed + unit / 2] if relation == "~=" else [claimed]


def _polynomial(flows: tuple[int, ...]) -> Coefficients:
    if len(flows) < 2 or not any(flows):
        sentence = "A rate of return is of two cash flows or more, of which one is not zero."
        raise NotAttemptedError("finance.flows_insufficient", sentence)
    places = [place for place, each in enumerate(flows) if each]
    return flows[places[0] : places[-1] + 1]


def _compared(polynomial: Coefficients, rate: Fraction) -> int:
    """Return -1, 0 or 1 as the only positive root is smaller than, equal to or larger than a rate's factor."""
    if rate <= -1:
        return 1
    if len(polynomial) * max(rate.numerator.bit_length(), rate.denominator.bit_length()) > MAX_BITS:
        raise BudgetError("engine.out_of_budget", "The rate has too many digits for so many flows.")
    # Beyond its only root the polynomial has the sign of its first coefficient.
    return -sign_at(polynomial, 1 + rate) * (1 if polynomial[0] > 0 else -1)


def _npv_sign(flows: Coefficients, rate: Fraction) -> int:
    """Return the sign of the net present value; 0 also where the rate is not above -100 %."""
    return sign_at(flows, 1 + rate) if rate > -1 else 0


def _discounted_sign(flows: Coefficients, rate: Fraction) -> int:
    """Return the same sign, computed from the last flow to the first."""
    if rate <= -1:
        return 0
    factor = 1 + rate
    total, power = 0, 1
    for flow in reversed(flows):
        total = total * factor.denominator + flow * power
        power *= factor.numerator
    return (total > 0) - (total < 0)


def _not_one(polynomial: Coefficients, parts: list[tuple[Fraction, Fraction]]) -> CannotDecideError:
    if not parts:
        return CannotDecideError("finance.irr_no_root", "No rate above -100 % has the net present value 0.")
    shown = []
    for low, high in parts[:_SHOWN]:
        steps = max(high.numerator.bit_length() - high.denominator.bit_length(), 0) + _STEPS
        shown.append(_written_part(narrowed(polynomial, (low, high), steps)))
    detail = f"{len(parts)} rates have the net present value 0."
    return CannotDecideError("finance.irr_multiple_roots", detail, {"roots_count": len(parts), "roots": shown})


def _written_part(part: tuple[Fraction, Fraction]) -> dict[str, str]:
    return {"low": written_number(part[0] - 1), "high": written_number(part[1] - 1)}
