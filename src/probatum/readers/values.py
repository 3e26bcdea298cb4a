"""Reads values in text: what stands there, where, and in which unit.

Refuses to guess: what can be read in two ways is not read, and a text that is too long raises BudgetError
(`reader.too_large`). The time grows with the length of the text and no faster.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Final

from probatum.readers.conventions import KINDS, PLAIN, Conventions, ReadValue, require_length
from probatum.readers.moments import read_epoch, read_lengths, read_moments, read_month, read_parts_of_dates
from probatum.readers.passages import quoted_spans
from probatum.readers.quantities import read_quantities
from probatum.readers.versions import read_versions, whole_version

__all__ = [
    "KINDS",
    "Conventions",
    "ReadValue",
    "every_value",
    "read_values",
    "whole_value",
]

_TRUTHS: Final = {"true": True, "false": False, "yes": True, "no": False}
_LONGEST_WHOLE: Final = 1_000
"""No value has more characters."""


def read_values(text: str, kind: str, conventions: Conventions = PLAIN) -> tuple[ReadValue, ...]:
    """Return every value of a kind that stands in a text, in order, none inside another.

    A boolean is never read out of a text: see `whole_value`. Raises ValueError for an unknown kind or time zone, and
    BudgetError where the text is too long.
    """
    _require_kind(kind)
    require_length(text, "text")
    return tuple(_values(text, kind, conventions, ""))


def every_value(text: str, conventions: Conventions = PLAIN) -> tuple[ReadValue, ...]:
    """Return the values of all kinds but booleans, in order; none is inside another, quotations apart.

    Raises BudgetError where the text is too long.
    """
    require_length(text, "text")
    found = tuple(read_moments(text, conventions))
    for more in (
        read_parts_of_dates(text),
        read_lengths(text),
        read_quantities(text, conventions, ""),
        read_versions(text),
    ):
        found = tuple(sorted((*found, *_outside(more, found)), key=_start))
    return tuple(sorted((*found, *_quotations(text)), key=_start))


def whole_value(text: str, kind: str, conventions: Conventions = PLAIN) -> ReadValue | None:
    """Return the value that a text is, white space around it apart, or None where it is not exactly one.

    Here the declared kind settles what a sentence leaves open: "5m" as a duration is five minutes, 1769860800 as a
    timestamp counts seconds (13 digits: milliseconds) since 1970, 2026-02 is a month, and yes, no, true and false are
    booleans. Raises as `read_values` does.
    """
    _require_kind(kind)
    require_length(text, "text")
    trimmed = text.strip()
    begin = len(text) - len(text.lstrip())
    if not trimmed or len(trimmed) > _LONGEST_WHOLE:
        return None
    found = _whole(trimmed, kind, conventions)
    return replace(found, start=begin, end=begin + len(trimmed)) if found else None


def _require_kind(kind: str) -> None:
    if kind not in KINDS:
        raise ValueError(f"a kind of value is one of {', '.join(KINDS)}, not {kind!r}")


def _whole(text: str, kind: str, conventions: Conventions) -> ReadValue | None:
    if kind == "boolean":
        truth = _TRUTHS.get(text.lower())
        return None if truth is None else ReadValue(kind, truth, 0, len(text))
    if kind == "version":
        return whole_version(text)
    counted = (read_epoch(text) or read_month(text)) if kind == "timestamp" else None
    found = [counted] if counted else [*_values(text, kind, conventions, kind)]
    return found[0] if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)) else None


def _values(text: str, kind: str, conventions: Conventions, whole: str) -> Iterator[ReadValue]:
    if kind == "version":
        yield from read_versions(text)
        return
    if kind == "boolean":
        return
    moments = tuple(read_moments(text, conventions))
    if kind == "timestamp":
        yield from moments
        return
    lengths = _outside(read_lengths(text), moments)
    quantities = _outside(read_quantities(text, conventions, whole), tuple(sorted(chain(moments, lengths), key=_start)))
    chosen = (value for value in quantities if value.kind == kind)
    yield from sorted(chain(chosen, lengths), key=_start) if kind == "duration" else chosen


def _quotations(text: str) -> Iterator[ReadValue]:
    for start, end in quoted_spans(text):
        # A quotation in the manner of mail has a mark at its beginning alone.
        inner = text[start + 1 : end] if text[start] == ">" else text[start + 1 : end - 1]
        yield ReadValue("quotation", inner, start, end)


def _start(value: ReadValue) -> int:
    return value.start


def _outside(values: Iterator[ReadValue], taken: tuple[ReadValue, ...]) -> tuple[ReadValue, ...]:
    """Return the values that share no character with any of those taken; both in order."""
    kept, place = [], 0
    for value in values:
        while place < len(taken) and taken[place].end <= value.start:
            place += 1
        if place == len(taken) or taken[place].start >= value.end:
            kept.append(value)
    return tuple(kept)
