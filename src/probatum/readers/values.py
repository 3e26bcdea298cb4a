"""Reads values in text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

KINDS: Final = ("number", "percentage", "money", "duration", "timestamp", "version", "quotation", "boolean")


@dataclass(frozen=True, slots=True)
class Conventions:
    """What a text cannot say itself."""

    number_format: str = "1,234.5"
    date_order: str = ""
    timezone: str = "UTC"


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A value that stands in a text."""

    kind: str
    value: int | float | str | bool
    start: int
    end: int
    unit: str = ""
    high: int | float | str | None = None


def read_values(text: str, kind: str, conventions: Conventions = Conventions()) -> tuple[ReadValue, ...]:
    """Return every value of a kind, in order, none inside another."""
    raise NotImplementedError


def whole_value(text: str, kind: str, conventions: Conventions = Conventions()) -> ReadValue | None:
    """Return the value that the trimmed text is, or None."""
    raise NotImplementedError


def negated_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the scopes of negations."""
    raise NotImplementedError


def quoted_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return the quotations."""
    raise NotImplementedError
