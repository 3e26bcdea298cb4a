"""The values that a text states, of all kinds at once, and whether two of them are the same.

What readers cannot read for sure, such as 03/04/2026, CVE-2021-44228 or 12 in brackets, is kept as digits and compared
as written: no digit of a text is left out. A month beside digits belongs to them, and numbers joined by a sign, as in
24 - 7, are one. Numbers in words are words. Refuses to convert: 5 km and 5000 m are not the same here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from difflib import get_close_matches
from typing import Final

from probatum.readers.conventions import ReadValue
from probatum.readers.moments import is_part_of_date
from probatum.readers.values import every_value

NEAR: Final = 80
"""Characters around a stretch that decide how its values are read."""
DIGITS: Final = "digits"
_MOST_COMPARED: Final = 2_000
_WRITTEN: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
Span = tuple[int, int]
_NUMERIC: Final = r"\d²³¹¼-¾⁰-₉⅐-↋①-⓿❶-➓"
_PART: Final = f"[A-Za-z{_NUMERIC}]"
_TOKEN: Final = re.compile(
    rf"(?<!{_PART})(?:(?<![\w)\]])[-−+])?[$€£¥]?(?:[A-Z][A-Za-z0-9]*+-(?:[A-Za-z0-9]++-){{0,8}})?[A-Za-z]*+"
    rf"[{_NUMERIC}]{_PART}*+(?:(?:[.:/'’^+\-–−]|,(?=\d)){_PART}++)*+[%‰°]?"
)
_JOINED: Final = re.compile(r"(?<![\w.,:/+\-–−])\d[\d.,]*(?:[ \u00a0][-–—−:/×x][ \u00a0]\d[\d.,]*)+(?<![.,])(?!\w)")
_DASHES: Final = str.maketrans("–—−", "---")
_DATED: Final = re.compile(r"(?:\d{1,2}[./-]){2}(\d{4})|(\d{4})(?:[./-]\d{1,2}){2}|(\d{4})-(\d{4})")
_YEAR: Final = re.compile(r"\d{4}")


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

    A year is the same as a date that is in it, and so is a part of a date: April 1866 is in 14 April 1866.
    """
    is_year = _YEAR.fullmatch(one.text) is not None
    if is_year and other.kind == DIGITS and (dated := _DATED.fullmatch(_as_written(other))):
        return one.text in dated.groups()
    if other.kind == "timestamp" and (is_year or one.kind == "timestamp"):
        first = f"{one.text}///" if is_year else str(one.value)
        last = first if one.high is None else str(one.high)
        theirs = str(other.value)
        return is_part_of_date(first, theirs) and is_part_of_date(last, str(other.high or theirs))
    if DIGITS in {one.kind, other.kind}:
        return _as_written(one) == _as_written(other)
    return (one.kind, one.value, one.unit, one.high) == (other.kind, other.value, other.unit, other.high)


def _as_written(value: StatedValue) -> str:
    return "".join(value.text.translate(_DASHES).split())


def written_numbers(value: StatedValue) -> tuple[Decimal, ...]:
    """Return the numbers that a value is written with, without sign, scale and unit."""
    return tuple(Decimal(each.replace(",", "")) for each in _WRITTEN.findall(value.text))


def measure_of(value: StatedValue) -> str:
    """Return the scale and the unit of a value, as they are written; numbers joined by a sign have none."""
    return "" if _JOINED.fullmatch(value.text) else " ".join(_WRITTEN.sub("", value.text).split())


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
    every = every_value(text)
    firm = [(each.start, each.end) for each in every if each.kind != "quotation" and not _is_bare(text, each)]
    joined = _outside(_JOINED.finditer(text), firm)
    bare = _outside((each for each in every if _is_bare(text, each)), [*joined])
    digits = [*joined, *_outside(_TOKEN.finditer(text), sorted((*firm, *bare, *joined)))]
    found = [
        StatedValue(text[each.start : each.end], each.start, each.end, each.kind, each.value, each.unit, each.high)
        for each in every
        if not _is_bare(text, each) or (each.start, each.end) in bare
    ]
    found += [StatedValue(text[start:end], start, end, DIGITS, text[start:end]) for start, end in digits]
    moved = (
        StatedValue(each.text, each.start + first, each.end + first, each.kind, each.value, each.unit, each.high)
        for each in found
    )
    return tuple(sorted(moved, key=lambda each: (each.start, -each.end)))


def _is_bare(text: str, value: ReadValue) -> bool:
    return value.kind == "number" and _WRITTEN.fullmatch(text, value.start, value.end) is not None


def _outside(found: Iterable[ReadValue | re.Match[str]], taken: Sequence[Span]) -> dict[Span, None]:
    """Return the places, in order, that share no character with those taken."""
    index, kept = 0, dict[Span, None]()
    for each in found:
        start, end = each.span() if isinstance(each, re.Match) else (each.start, each.end)
        while index < len(taken) and taken[index][1] <= start:
            index += 1
        if index == len(taken) or taken[index][0] >= end:
            kept[start, end] = None
    return kept
