"""Structured texts as values with paths: JSON, CSV, Markdown and HTML tables, each read by a parser of its format.

A row of a table is named by its first columns, as many as no two rows share: ``region=North``, or by its number where
there are none; a row of a list of flat objects by its first member. Refuses a table whose rows differ in length, and a
text that holds prose beside its table.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from justhtml import JustHTML
from markdown_it import MarkdownIt

from probatum.core.errors import BudgetError
from probatum.core.json_text import JsonTextError, exact_number, read_json
from probatum.judge.outputs import Leaf, leaves_of

MOST_CHARACTERS: Final = 1_000_000
"""Of a text that is read as a table."""
_DELIMITERS: Final = "\t;,"
_PIPED: Final = re.compile(r"\s*\|[^\n]*\|?\s*\n\s*\|?\s*:?-+:?\s*\|[^\n]*(?:\n\s*\|[^\n]*)+\s*")
_HTML: Final = re.compile(r"\s*<table\b.*</table>\s*", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table: the names of its columns, and its rows, each as long as the header."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    text: str = field(default="", compare=False)
    """Of a CSV file: itself, with a line end for each mark between two cells."""


def data_of(text: str) -> object:
    """Return the object or list that a text writes in JSON, or None."""
    if text.lstrip("\ufeff \t\r\n")[:1] not in ("{", "["):
        return None
    try:
        return read_json(text.lstrip("\ufeff"), fraction=_number)
    except (JsonTextError, ValueError, RecursionError):
        return None


def _number(digits: str) -> float | int | str:
    """Return a number, or its text where no number keeps all of its digits."""
    try:
        return exact_number(digits)
    except BudgetError:
        return digits


def table_of(text: str) -> SourceTable | None:
    """Return the table that a text is from its beginning to its end, or None."""
    if len(text) > MOST_CHARACTERS:
        return None
    if _HTML.fullmatch(text):
        return _table(_html(text))
    if _PIPED.fullmatch(text):
        return _table(_html(str(MarkdownIt("commonmark").enable("table").render(text))))
    return _separated(text)


def leaves_in(value: object) -> Iterator[Leaf]:
    """Yield the scalars of a JSON value; a row of a list of flat objects is named by its first column."""
    yield from leaves_of(_by_row(value))


def cells_of(table: SourceTable) -> Iterator[Leaf]:
    """Yield the cells of a table with the row and the column that name each."""
    width = next((n for n in range(1, len(table.header)) if len({row[:n] for row in table.rows}) == len(table.rows)), 0)
    for number, row in enumerate(table.rows):
        named = ", ".join(f"{column}={cell}" for column, cell in zip(table.header[:width], row, strict=False))
        for name, cell in zip(table.header, row, strict=True):
            yield Leaf((named or number, name), cell)


def _by_row(value: object) -> object:
    if isinstance(value, dict):
        return {name: _by_row(member) for name, member in value.items()}
    if not isinstance(value, list):
        return value
    flat = [each for each in value if isinstance(each, dict) and each and _is_flat(each)]
    first = next(iter(flat[0])) if flat else ""
    names = [f"{first}={_text(each[first])}" for each in flat if first in each]
    if flat and len(set(names)) == len(value) == len(names):
        return dict(zip(names, flat, strict=True))
    return [_by_row(each) for each in value]


def _is_flat(record: dict[str, object]) -> bool:
    return not any(isinstance(each, dict | list) for each in record.values())


def _text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _table(rows: Sequence[Sequence[str]], text: str = "") -> SourceTable | None:
    """Return rows as a table where every column has a name of its own."""
    if len(rows) < 2 or len(rows[0]) < 2 or any(len(row) != len(rows[0]) for row in rows):
        return None
    header, *body = (tuple(cell.strip() for cell in row) for row in rows)
    return SourceTable(header, tuple(body), text) if all(header) and len(set(header)) == len(header) else None


def _separated(text: str) -> SourceTable | None:
    for delimiter in _DELIMITERS:
        if delimiter in text:
            lines = text.lstrip("\ufeff").splitlines(keepends=True)
            try:
                rows = [row for row in csv.reader(lines, delimiter=delimiter, strict=True) if row]
            except csv.Error:
                continue
            if table := _table(rows, _parted(text, delimiter)):
                return table
    return None


def _parted(text: str, delimiter: str) -> str:
    cell = rf'(?:^|(?<={delimiter}))"(?:[^"]|"")*+"|{delimiter}'
    return re.sub(cell, lambda each: "\n" if each[0] == delimiter else each[0], text, flags=re.MULTILINE)


def _html(text: str) -> list[list[str]]:
    page = JustHTML(text, fragment=True)
    if len(page.query("table")) != 1:
        return []
    return [[cell.to_text() for cell in row.query("th, td")] for row in page.query("tr")]
