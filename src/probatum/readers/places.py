"""Tells where the values of JSON and CSV stand."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class JsonScalar:
    """One string, number, true, false or null, and where it stands."""

    steps: tuple[str | int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CsvCell:
    """One cell without its quotes, and where it stands with them."""

    text: str
    start: int
    end: int


def json_scalars(text: str) -> tuple[JsonScalar, ...]:
    """Return every scalar of a valid JSON text, in order."""
    raise NotImplementedError


def csv_table(text: str, delimiter: str = ",") -> tuple[tuple[CsvCell, ...], ...]:
    """Return the rows of a table."""
    raise NotImplementedError
