"""Values that a text states, each with its place, and whether another text has them.

Read are numbers with units, dates, times, lengths of time, versions and quotations; what has a digit and no reader
understands is compared as it is written. Refuses to round, and to compare amounts of different units.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from functools import lru_cache
from typing import Final

from probatum.core.errors import ProbatumError
from probatum.exact.units.quantities import resolved, scale_of
from probatum.exact.units.table import meanings_of
from probatum.readers.conventions import PLAIN
from probatum.readers.moments import read_lengths, read_moments
from probatum.readers.passages import quoted_spans
from probatum.readers.quantities import read_quantities
from probatum.readers.versions import read_versions

_DIGITS: Final = re.compile(r"(?<!\w)(?=[^\W\d]*+[0-9])\w++(?:[.,:/'’-](?=[^\W\d]*+[0-9])\w++){0,40}")
_PLAIN: Final = re.compile(r"(?:[0-9]{1,3}(?:,[0-9]{3}){1,12}|[0-9]{1,40})(?:\.[0-9]{1,40})?")
_IDENTIFIER: Final = re.compile(r"(?<![\w-])[A-Za-z][A-Za-z0-9]*-(?:[A-Za-z0-9]+-)*[0-9][A-Za-z0-9]*(?![\w-])")
_MOST_COMPARED: Final = 2_000


@dataclass(frozen=True, slots=True)
class ClaimedValue:
    """A value that stands in a text: ``value`` and ``unit`` are what equal values share."""

    text: str
    start: int
    end: int
    kind: str
    value: object
    unit: str = ""

    @property
    def key(self) -> tuple[object, ...]:
        """What equal values share."""
        return self.kind, self.value, self.unit


def stated_values(text: str) -> tuple[ClaimedValue, ...]:
    """Return every value that a text states, in order, none inside another; raises BudgetError for a longer text."""
    found: list[ClaimedValue] = []
    rest = text
    for reader in (_quotations, _identifiers, _moments, _versions, _amounts, _signs):
        taken = [each for each in reader(rest) if "\x00" not in each.text]
        found += taken
        rest = _without(rest, taken)
    return tuple(sorted(found, key=lambda each: each.start))


def missing_values(claimed: Iterable[ClaimedValue], given: Iterable[ClaimedValue]) -> tuple[ClaimedValue, ...]:
    """Return the values of one text that another does not state."""
    known = {each.key for each in given}
    return tuple(each for each in claimed if each.key not in known)


def nearest_value(wanted: ClaimedValue, given: Sequence[ClaimedValue]) -> ClaimedValue | None:
    """Return the value of the same kind and unit that is nearest to one."""
    alike = [each for each in given if (each.kind, each.unit) == (wanted.kind, wanted.unit)]
    if isinstance(wanted.value, Fraction):
        value = wanted.value
        return min(alike, key=lambda each: abs(each.value - value), default=None)  # type: ignore[operator]  # numbers
    close = get_close_matches(wanted.text, [each.text for each in alike[:_MOST_COMPARED]], 1)
    return next((each for each in alike if each.text in close), None)


def _without(text: str, taken: Iterable[ClaimedValue]) -> str:
    parts, place = list[str](), 0
    for each in sorted(taken, key=lambda each: each.start):
        if each.start >= place:
            parts += [text[place : each.start], "\x00" * (each.end - each.start)]
            place = each.end
    return "".join([*parts, text[place:]])


def _quotations(text: str) -> Iterator[ClaimedValue]:
    for start, end in quoted_spans(text):
        if text[start] != ">":
            said = text[start + 1 : end - 1]
            yield ClaimedValue(said, start, end, "quotation", said)


def _identifiers(text: str) -> Iterator[ClaimedValue]:
    for match in _IDENTIFIER.finditer(text):
        yield ClaimedValue(match[0], *match.span(), "digits", match[0].casefold())


def _moments(text: str) -> Iterator[ClaimedValue]:
    for each in read_moments(text, PLAIN):
        yield ClaimedValue(
            text[each.start : each.end], each.start, each.end, "date", (str(each.value), str(each.high or ""))
        )


def _versions(text: str) -> Iterator[ClaimedValue]:
    for each in read_versions(text):
        value = re.sub(r"(?:\.0)+(?=$|[^\d.])", "", str(each.value).casefold())
        yield ClaimedValue(text[each.start : each.end], each.start, each.end, "version", value)


def _amounts(text: str) -> Iterator[ClaimedValue]:
    place = 0
    for each in sorted([*read_lengths(text), *read_quantities(text, PLAIN)], key=lambda each: each.start):
        if each.start >= place:
            place = each.end
            value, unit = in_base_units(Fraction(str(each.value)), each.unit)
            kind = "amount" if each.high is None else f"amount to {each.high}"
            yield ClaimedValue(text[each.start : each.end], each.start, each.end, kind, value, unit)


def _signs(text: str) -> Iterator[ClaimedValue]:
    for match in _DIGITS.finditer(text):
        if _PLAIN.fullmatch(match[0]):
            yield ClaimedValue(match[0], *match.span(), "amount", Fraction(match[0].replace(",", "")))
        else:
            yield ClaimedValue(match[0], *match.span(), "digits", match[0].casefold())


def in_base_units(value: Fraction, unit: str) -> tuple[Fraction, str]:
    """Return an amount in base units; of a unit that has several meanings, or that is a scale, as it is written."""
    factor, base = _base(unit)
    return value * factor, base


@lru_cache(maxsize=512)
def _base(unit: str) -> tuple[Fraction, str]:
    name = unit.replace(" ", "_")
    if unit in {"%", "bp"}:
        return Fraction(1, 100 if unit == "%" else 10_000), "%"
    if not unit or len(meanings_of(name)) > 1 or (len(unit) == 3 and unit.isupper()) or scale_of(name):
        return Fraction(1), unit
    try:
        found = resolved(name)
    except (ProbatumError, ArithmeticError, LookupError, ValueError):
        return Fraction(1), unit
    return found.value, "*".join(f"{each}^{power}" for each, power in found.dimensions) or unit
