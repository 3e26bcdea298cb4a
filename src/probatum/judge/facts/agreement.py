"""Says whether one value bears out another: rounded, in other units, in part, or within what its words allow.

A claim may say less than a source, never more. Refuses to call two values different that can both be so.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from probatum.judge.facts.details import Detail, DetailKind
from probatum.judge.facts.library import Bounds, measure_in

_HEDGES: Final = re.compile(
    r"(?:about|approximately|around|roughly|some|nearly|almost|circa|ca\.?|c\.|~|≈|close to|estimated)[ ]?[$€£]?$",
    re.I,
)
_MORE: Final = re.compile(
    r"(?:\b(?:(?:more|greater|higher|larger|longer|older|later) than|over|above|exceed(?:s|ed|ing)?|at least|after"
    r"|beyond|topp(?:ed|ing)|tops|surpass(?:es|ed|ing)|upwards of|no (?:fewer|less) than)|>|≥)\s*[$€£]?$",
    re.IGNORECASE,
)
_LESS: Final = re.compile(
    r"(?:\b(?:(?:less|fewer|lower|smaller|shorter|younger|earlier) than|under|below|at most|before|prior to|up to"
    r"|within|no (?:more|later) than)|<|≤)\s*[$€£]?$",
    re.IGNORECASE,
)
_SCALED: Final = re.compile(r"(?<![0-9.,])[0-9][ ]?(?:million|billion|trillion|bn)\b", re.I)


def is_of_kind(one: Detail, other: Detail) -> bool:
    """Return whether two details are of one class, and numbers of one unit."""
    return one.kind is other.kind and (one.measure is None or is_like(one, other))


def is_like(one: Detail, other: Detail) -> bool:
    """Return whether two details say something of one kind that cannot both be so."""
    if one.kind is not other.kind or one.kind is DetailKind.REFERENCE:
        return False
    if one.measure is not None and other.measure is not None:
        return one.measure.unit == other.measure.unit
    if one.days and other.days:
        # One that only says less does not differ.
        both = list(zip(one.days[0], other.days[0], strict=True))
        return any(a and b and a != b for a, b in both)
    if one.kind is DetailKind.IDENTIFIER:
        return re.split("[0-9]", str(one.value))[0] == re.split("[0-9]", str(other.value))[0]
    return one.kind is DetailKind.VERSION or (
        one.kind is DetailKind.SIGNS and ":" in str(one.value) and ":" in str(other.value)
    )


def agrees(claimed: Detail, stated: Detail, bounds: Bounds) -> bool:
    """Return whether what is stated bears out what is claimed, which may say less but not more."""
    one, other = measure_in(claimed), measure_in(stated)
    if one is not None and other is not None and bounds is not None:
        (low, high), written = bounds
        high_end = other.high if other.high is not None else other.value
        if one.unit == other.unit:
            return other.value <= high and low <= high_end
        return "" in (one.unit, other.unit) and written[0] <= other.written <= written[1]
    if claimed.days and stated.days:
        return any(
            all(said in (0, known) for said, known in zip(day, other_day, strict=True))
            for day in claimed.days
            for other_day in stated.days
        )
    is_same = claimed.kind is stated.kind and claimed.value == stated.value
    return is_same and (not (claimed.bound and stated.bound) or claimed.bound == stated.bound)


def bounds_of(text: str, detail: Detail) -> Bounds:
    """Return between which values a number is borne out: as far as it is rounded, or as its words allow."""
    measure = measure_in(detail)
    if measure is None:
        return None
    before = text[max(0, detail.start - 24) : detail.start]
    below = above = measure.half if _is_rounded(detail) else Fraction(0)
    if _HEDGES.search(before):
        below = above = max(below, abs(measure.value) / 20)
    if _MORE.search(before):
        above = max(above, abs(measure.value) / 4)
    if _LESS.search(before):
        below = max(below, abs(measure.value) / 4)
    if _SCALED.search(detail.text):
        # Six billion is often said of 6.7 billion, and never of seven.
        above = max(above, measure.half * Fraction(9, 5))
    low, high = measure.value - below, (measure.high or measure.value) + above
    ratio = measure.written / measure.value if measure.value else Fraction(1)
    written = sorted((measure.written - below * abs(ratio), measure.written + above * abs(ratio)))
    return (low, high), (written[0], written[1])


def _is_rounded(detail: Detail) -> bool:
    """Return whether a number has two digits or more, so that the last one may be rounded."""
    return detail.kind is DetailKind.NUMBER and sum(sign.isdigit() for sign in detail.text) > 1


def is_of_other_unit(one: Detail, other: Detail) -> bool:
    """Return whether two numbers have other units, or one has none."""
    return one.measure is not None and other.measure is not None and one.measure.unit != other.measure.unit


def is_more_than(text: str, start: int) -> bool | None:
    """Return whether the words before a value put a lower bound, False where they put an upper one, None for none."""
    before = text[max(0, start - 24) : start]
    return True if _MORE.search(before) else False if _LESS.search(before) else None


def is_within(text: str, claimed: Detail, stated: Detail) -> bool:
    """Return whether a value is beyond a bound that a claim puts, on the side that it allows."""
    is_more = is_more_than(text, claimed.start)
    one, other = measure_in(claimed), measure_in(stated)
    if is_more is None:
        return False
    if one is not None and other is not None:
        return one.unit == other.unit and (other.value > one.value) is is_more
    return bool(claimed.days and stated.days) and (stated.days[0] > claimed.days[0]) is is_more
