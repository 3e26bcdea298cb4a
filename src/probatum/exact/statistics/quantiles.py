"""The nine sample quantiles of Hyndman and Fan (1996), each by its number or by the name that numpy gives it.

Every one is a mixture of two neighbours in order: which two, and how much of the second one, is computed exactly.
Refuses an unknown name; which one is meant is never guessed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Final

METHODS: Final = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen"),
    *("weibull", "linear", "median_unbiased", "normal_unbiased"),
)
"""By number, from 1 on."""
_AS_WELL: Final = {"exclusive": "weibull", "inclusive": "linear"}


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Two places in order, counted from 1, and the share of the second one in the quantile."""

    low: int
    high: int
    share: Fraction


def method_number(name: str) -> int | None:
    """Return the number of a method by its name or number; None for an unknown one."""
    if name.isascii() and name.isdecimal() and len(name) == 1 and name != "0":
        return int(name)
    name = _AS_WELL.get(name, name)
    return METHODS.index(name) + 1 if name in METHODS else None


def neighbours(count: int, probability: Fraction, method: int) -> Neighbours:
    """Return which values make the quantile of so many values."""
    shifts = {3: Fraction(-1, 2), 5: Fraction(1, 2), 6: probability, 7: 1 - probability}
    shifts |= {8: (probability + 1) / 3, 9: probability / 4 + Fraction(3, 8)}
    place = count * probability + shifts.get(method, Fraction(0))
    below = floor(place)
    share = place - below
    if method <= 3:
        at_value = {1: Fraction(0), 2: Fraction(1, 2), 3: Fraction(below % 2)}[method]
        share = Fraction(1) if share else at_value
    low, high = (min(max(each, 1), count) for each in (below, below + 1))
    return Neighbours(low, high, share if low != high else Fraction(0))
