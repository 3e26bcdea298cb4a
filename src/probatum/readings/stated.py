"""The values that a text states, of all kinds at once, and whether two of them are the same.

What readers cannot read for sure, such as 03/04/2026, CVE-2021-44228 or 12 in brackets, is kept as digits and compared
as written: no digit of a text is left out. Numbers in words are words. Refuses to convert: 5 km and 5000 m are
not the same here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Final

from probatum.readers.values import every_value

NEAR: Final = 80
"""Characters around a stretch that decide how its values are read."""
DIGITS: Final = "digits"
_MOST_COMPARED: Final = 2_000
_WRITTEN: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_NUMERIC: Final = r"\d²³¹¼-¾⁰-₉⅐-↋①-⓿❶-➓"
_PART: Final = f"[A-Za-z{_NUMERIC}]"
_TOKEN: Final = re.compile(
    rf"(?<!{_PART})(?:(?<![\w)\]])[-−+])?[$€£¥]?(?:[A-Z][A-Za-z0-9]*+-(?:[A-Za-z0-9]++-){{0,8}})?[A-Za-z]*+"
    rf"[{_NUMERIC}]{_PART}*+(?:[.,:/'’^+\-–−]{_PART}++)*+[%‰°]?"
)


@dataclass(frozen=True, slots=True)
class StatedValue:
    """A value that a text states; ``kind`` is one of `readers.values.KINDS`, or ``digits``."""

    text: str
    """As it is written, with its unit."""
    start: int
    end: int
    kind: str
    value: int | float | str | bool
    unit: str = ""
    high: int | float | str | None = None
    """The upper end of a range."""


def stated_values(text: str) -> tuple[StatedValue, ...]:
    """Return the values of a text, in order; a quotation may hold others.

    Raises BudgetError where the text is longer than readers read.
    """
    return _values(text, 0)


def values_between(text: str, start: int, end: int) -> tuple[tuple[StatedValue, ...], str]:
    """Return the values between two places of a text, and the text of one that either place is within, if there is one.

    They are read in their surroundings: "12" is a part of a version in "v12.0.1". Offsets are those of the whole text.
    Raises BudgetError where more is asked for than readers read.
    """
    first = max(0, start - NEAR)
    window = text[first : end + NEAR]
    found = _values(window, first)
    spans = [(each.start, each.end) for each in found if each.kind != "quotation"]
    spans += [(first + each.start(), first + each.end()) for each in _TOKEN.finditer(window)]
    cut = next((text[a:b] for a, b in spans if a < start < b or a < end < b), "")
    return tuple(each for each in found if start <= each.start and each.end <= end), cut


def same_value(one: StatedValue, other: StatedValue) -> bool:
    """Tell whether two values are equal, units and the ends of ranges too; digits are equal as they are written.

    A year is the same as a date that is in it.
    """
    if DIGITS in {one.kind, other.kind}:
        return one.text == other.text
    if one.kind == "number" and other.kind == "timestamp":
        return one.text == str(other.value)[:4]
    return (one.kind, one.value, one.unit, one.high) == (other.kind, other.value, other.unit, other.high)


def written_numbers(value: StatedValue) -> tuple[Decimal, ...]:
    """Return the numbers that a value is written with, without sign, scale and unit."""
    return tuple(Decimal(each.replace(",", "")) for each in _WRITTEN.findall(value.text))


def measure_of(value: StatedValue) -> str:
    """Return the scale and the unit of a value, as they are written."""
    return " ".join(_WRITTEN.sub("", value.text).split())


def nearest_value(wanted: StatedValue, given: Sequence[StatedValue]) -> StatedValue | None:
    """Return the value of the same kind that is nearest, None where there is none or what is written is unlike."""
    alike = [each for each in given if each.kind == wanted.kind]
    number = wanted.value
    if isinstance(number, int | float):
        numbers = [(each, each.value) for each in alike if isinstance(each.value, int | float)]
        near = min(numbers, key=lambda each: (each[0].unit != wanted.unit, abs(each[1] - number)), default=None)
        return near[0] if near else None
    close = get_close_matches(wanted.text, [each.text for each in alike[:_MOST_COMPARED]], 1)
    return next((each for each in alike if each.text in close), None)


def _values(text: str, first: int) -> tuple[StatedValue, ...]:
    read = every_value(text)
    taken = sorted((each.start, each.end) for each in read if each.kind != "quotation")
    found = [
        StatedValue(text[each.start : each.end], each.start, each.end, each.kind, each.value, each.unit, each.high)
        for each in read
    ]
    found += [StatedValue(each[0], each.start(), each.end(), DIGITS, each[0]) for each in _unread(text, taken)]
    moved = (
        StatedValue(each.text, each.start + first, each.end + first, each.kind, each.value, each.unit, each.high)
        for each in found
    )
    return tuple(sorted(moved, key=lambda each: (each.start, -each.end)))


def _unread(text: str, taken: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    """Yield the digits that share no character with what was read."""
    index = 0
    for token in _TOKEN.finditer(text):
        while index < len(taken) and taken[index][1] <= token.start():
            index += 1
        if index == len(taken) or taken[index][0] >= token.end():
            yield token
