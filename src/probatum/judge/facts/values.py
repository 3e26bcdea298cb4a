"""Which values of two texts are equal: amounts are compared in base units, so that 5 km are 5,000 m.

Refuses to round, and to compare amounts of different units.
"""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache
from typing import Final

from probatum.core.errors import ProbatumError
from probatum.exact.units.quantities import resolved, scale_of
from probatum.exact.units.table import meanings_of
from probatum.readings.stated import DIGITS, StatedValue, stated_values

_PLAIN: Final = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,12}|[0-9]{1,40})(?:\.[0-9]{1,40})?")
_DIGITS: Final = re.compile(r"\d+")
_ZEROS: Final = re.compile(r"(?:\.0)+(?=$|[^\d.])")
_PER_CENT: Final = {"%": Fraction(1), "bp": Fraction(1, 100)}
QUOTATION: Final = "quotation"


def outer_values(text: str) -> tuple[StatedValue, ...]:
    """Return the values of a text in order, none inside another; a line that begins with ">" is not a quotation.

    Of a date without its year or its day, the numbers alone: the rest are words.
    Raises BudgetError where the text is longer than readers read.
    """
    found, end = list[StatedValue](), 0
    for each in stated_values(text):
        if each.start < end or (each.kind == QUOTATION and each.text.startswith(">")):
            continue
        end = each.end
        if each.kind == "timestamp" and "/" in str(each.value):
            numbers = _DIGITS.finditer(text, each.start, each.end)
            found += [StatedValue(n[0], n.start(), n.end(), DIGITS, n[0]) for n in numbers]
        else:
            found.append(each)
    return tuple(found)


def words_of_value(value: StatedValue) -> str:
    """Return a value as it is written, without quotation marks."""
    return str(value.value) if value.kind == QUOTATION else value.text


def key_of(value: StatedValue) -> tuple[object, ...]:
    """Return what equal values share: kind, value in base units, base unit, and the upper end of a range."""
    if value.kind == DIGITS and _PLAIN.fullmatch(value.text):
        return "amount", Fraction(value.text.replace(",", "")), "", ""
    if isinstance(value.value, str):
        return value.kind, _ZEROS.sub("", value.value.casefold()), value.unit, str(value.high or "")
    factor, base = _base(value.unit)
    high = "" if value.high is None else Fraction(str(value.high)) * factor
    return "amount", Fraction(str(value.value)) * factor, base, high


@lru_cache(maxsize=512)
def _base(unit: str) -> tuple[Fraction, str]:
    """Return the factor to base units; a unit that has several meanings, and a scale, stay as they are written."""
    name = unit.replace(" ", "_")
    if unit in _PER_CENT:
        return _PER_CENT[unit], "%"
    if not unit or len(meanings_of(name)) > 1 or (len(unit) == 3 and unit.isupper()) or scale_of(name):
        return Fraction(1), unit
    try:
        found = resolved(name)
    except (ProbatumError, ArithmeticError, LookupError, ValueError):
        return Fraction(1), unit
    return found.value, "*".join(f"{each}^{power}" for each, power in found.dimensions) or unit
