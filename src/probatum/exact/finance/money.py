"""Figures of finance as data: most are expressions of their arguments, three are computed and confirmed otherwise.

A rate is that of one period, or of a year that is divided into ``k`` periods, and nothing is rounded. Refuses rates of
-100 % and less, and what would take too many periods.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil, floor
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.numbers.rational import MAX_BITS

UNDEFINED: Final = "finance.undefined"
MAX_PERIODS: Final = 20_000
AMOUNTS: Final = "pq"
WHOLE: Final = "nkt"
WHEN: Final = ("end", "begin")
_Numbers = Sequence[Fraction]


@dataclass(frozen=True, slots=True)
class Definition:
    """A figure that is an expression of the letters that it takes."""

    text: str
    positive: tuple[str, ...] = ()
    """Expressions that have to be positive where it is defined."""
    at_zero: str = ""
    """The expression where the rate ``r`` is zero, if it is another one."""


@dataclass(frozen=True, slots=True)
class Computation:
    """A figure that is computed in one way and confirmed in another one."""

    compute: Callable[[_Numbers, str], Fraction]
    confirm: Callable[[_Numbers, str, Fraction], bool]
    has_flows: bool = True
    """Whether the cash flows that are given follow the arguments."""


@dataclass(frozen=True, slots=True)
class Formula:
    """One named figure."""

    takes: str
    """A letter for each argument: amounts of money, whole numbers, or other numbers; after ``?`` 1 without it."""
    how: Definition | Computation
    words: tuple[str, ...] = ()
    """What a last argument may say; the first of `WHEN` where it says nothing, else it has to be said."""


def size_of(value: Fraction) -> int:
    """Return the bits of the longer part of a fraction."""
    return max(value.numerator.bit_length(), value.denominator.bit_length())


def _factor(rate: Fraction, periods: Fraction) -> tuple[Fraction, int]:
    factor, count = 1 + rate, int(periods)
    if factor <= 0:
        raise CannotDecideError(UNDEFINED, "A rate is larger than -100 %.")
    if count > MAX_PERIODS or count * size_of(factor) > MAX_BITS:
        raise BudgetError("engine.out_of_budget", f"Up to {MAX_PERIODS:,} periods are computed, of short rates.")
    return factor, count


def _npv(numbers: _Numbers, _: str) -> Fraction:
    """Discount from the last flow back to the first, in whole powers over one denominator."""
    rate, *flows = numbers
    factor, count = _factor(rate, Fraction(len(flows) - 1))
    total, power = flows[-1], 1
    for flow in flows[-2::-1]:
        power *= factor.numerator
        total = total * factor.denominator + flow * power
    return total / int(factor.numerator**count)


def _is_npv(numbers: _Numbers, _: str, value: Fraction) -> bool:
    """Let each balance grow until the next flow, from the first one on: what it ends in is the value, grown."""
    rate, *flows = numbers
    factor, _count = _factor(rate, Fraction(len(flows) - 1))
    above, below, total = 1, 1, flows[0]
    for flow in flows[1:]:
        above, below = above * factor.numerator, below * factor.denominator
        total = total * factor.numerator + flow * below
    return total == value * above


def _payback(flows: _Numbers, how: str) -> Fraction:
    sums = list(accumulate(flows))
    paid = next((time for time, total in enumerate(sums) if total >= 0), None)
    if not paid or min(sums[paid:]) < 0:
        raise CannotDecideError(UNDEFINED, "The flows are not paid back once and for all after an outlay.")
    return Fraction(paid) if how == "whole" else paid - sums[paid] / flows[paid]


def _is_payback(flows: _Numbers, how: str, value: Fraction) -> bool:
    at = ceil(value)
    if not 0 < at < len(flows) or (how == "whole" and at != value):
        return False
    sums = list(accumulate(flows))
    is_there = max(sums[:at]) < 0 <= min(sums[at:])
    return is_there and (how == "whole" or sums[at - 1] + (value - at + 1) * flows[at] == 0)


def _rounded(numbers: _Numbers, mode: str) -> Fraction:
    value, places = numbers
    scale = Fraction(10) ** int(places)
    scaled = value * scale
    size, sign, half = abs(scaled), 1 if value >= 0 else -1, Fraction(1, 2)
    found = {
        "half_even": round(scaled),
        "half_up": sign * floor(size + half),
        "half_down": sign * ceil(size - half),
        "up": sign * ceil(size),
        "down": sign * floor(size),
        "ceiling": ceil(scaled),
        "floor": floor(scaled),
    }
    return found[mode] / scale


def _is_rounded(numbers: _Numbers, mode: str, value: Fraction) -> bool:
    """By what rounding means: how far off the result may be, and on which side."""
    given, places = numbers
    scale = Fraction(10) ** int(places)
    away = (value - given) * scale
    outward = away if given >= 0 else -away
    if (value * scale).denominator != 1:
        return False
    if mode in ("ceiling", "up"):
        return 0 <= (away if mode == "ceiling" else outward) < 1
    if mode in ("floor", "down"):
        return -1 < (away if mode == "floor" else outward) <= 0
    if abs(away) != Fraction(1, 2):
        return abs(away) < Fraction(1, 2)
    return int(value * scale) % 2 == 0 if mode == "half_even" else (outward > 0) == (mode == "half_up")


ROUNDING: Final = ("half_even", "half_up", "half_down", "up", "down", "ceiling", "floor")
_COMPOUND: Final = ("k", "1 + r / k")
_LOAN: Final = ("n", "1 + r")
FORMULAS: Final[Mapping[str, Formula]] = {
    "future_value": Formula("prn?k", Definition("p * (1 + r / k)^(n * k)", _COMPOUND)),
    "present_value": Formula("prn?k", Definition("p / (1 + r / k)^(n * k)", _COMPOUND)),
    "compound_interest": Formula("prn?k", Definition("p * (1 + r / k)^(n * k) - p", _COMPOUND)),
    "effective_rate": Formula("rk", Definition("(1 + r / k)^k - 1", _COMPOUND)),
    "simple_interest": Formula("prx", Definition("p * r * x")),
    "payment": Formula("prn", Definition("p * r / (1 - (1 + r)^(-n)) / (1 + r)^b", _LOAN, "p / n"), WHEN),
    "total_interest": Formula("prn", Definition("n * p * r / (1 - (1 + r)^(-n)) - p", _LOAN, "0 * p")),
    "balance": Formula(
        "prnt",
        Definition("p * ((1 + r)^n - (1 + r)^t) / ((1 + r)^n - 1)", (*_LOAN, "n - t + 1"), "p * (n - t) / n"),
    ),
    "annuity_future": Formula("prn", Definition("p * ((1 + r)^n - 1) / r * (1 + r)^b", ("1 + r",), "p * n"), WHEN),
    "annuity_present": Formula("prn", Definition("p * (1 - (1 + r)^(-n)) / r * (1 + r)^b", ("1 + r",), "p * n"), WHEN),
    "change": Formula("pq", Definition("(q - p) / p", ("p",))),
    "markup": Formula("pq", Definition("(q - p) / p", ("p",))),
    "margin": Formula("pq", Definition("(q - p) / q", ("q",))),
    "share": Formula("pq", Definition("p / q", ("q",))),
    "discounted": Formula("px", Definition("p * (1 - x)")),
    "with_tax": Formula("px", Definition("p * (1 + x)")),
    "without_tax": Formula("px", Definition("p / (1 + x)", ("1 + x",))),
    "straight_line": Formula("pqn", Definition("(p - q) / n", ("n",))),
    "npv": Formula("r", Computation(_npv, _is_npv)),
    "payback": Formula("", Computation(_payback, _is_payback), ("whole", "interpolated")),
    "round": Formula("pt", Computation(_rounded, _is_rounded, has_flows=False), ROUNDING),
}
"""Letters: ``p`` and ``q`` amounts, ``r`` a rate, ``x`` a number, ``n`` periods, ``k`` periods a year, ``t`` periods
that passed, or places, ``b`` 1 for payments at the beginning of a period and 0 for those at its end.
"""
