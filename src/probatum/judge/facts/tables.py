"""Finds the tables of a source: CSV, TSV, Markdown, a JSON list of objects; each cell knows where it stands.

Refuses what is no table: rows of differing length in CSV, a column without a name of its own, JSON with values inside
values, and a table of more than 200 columns or `MAX_CELLS` cells, which is left unread.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import loads
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.json_text import read_json
from probatum.judge.request import TrustedSource
from probatum.readers.places import csv_table, json_scalars

MAX_CELLS: Final = 30_000

_CELL: Final = re.compile(r"((?:[^|\\\n]|\\.|\\$)*+)(\||$)")
_RULE: Final = re.compile(r":?-++:?")
_LONGEST_NAME: Final = 60
_MOST_COLUMNS: Final = 200
_DELIMITERS: Final = "\t,;"


@dataclass(frozen=True, slots=True)
class TableCell:
    """One cell: what it says, and where it stands in its source; a cell that stands nowhere has an empty span."""

    text: str
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class SourceTable:
    """A table: the names of its columns, its rows, each as long as the header, and its title if it has one."""

    header: tuple[TableCell, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    title: str = ""


def tables_in(source: TrustedSource) -> tuple[SourceTable, ...]:
    """Return the tables of a source in order; offsets count characters of its text."""
    text = source.text
    begin = text.lstrip("\ufeff \t\r\n")[:1]
    try:
        if begin == "[":
            found = [_json(text)]
        else:
            found = [*_markdown(text)] or [_separated(text)]
    except (ValueError, BudgetError):
        return ()
    return tuple(SourceTable(rows[0], tuple(rows[1:]), source.name) for rows in found if _is_table(rows))


def _is_table(rows: list[tuple[TableCell, ...]]) -> bool:
    """Return whether there are two columns at least, each with a name, and rows that are not too many."""
    if len(rows) < 2 or not 2 <= len(rows[0]) <= min(_MOST_COLUMNS, MAX_CELLS // len(rows)):
        return False
    return all(len(cell.text) <= _LONGEST_NAME for cell in rows[0]) and any(cell.text for cell in rows[0])


def _separated(text: str) -> list[tuple[TableCell, ...]]:
    """Read CSV with the delimiter that its first line has; a sentence with commas is none, nor is a page."""
    first = text.lstrip("\ufeff").split("\n", 1)[0]
    delimiter = next((sign for sign in _DELIMITERS if sign in first), "")
    if not delimiter or first.startswith("<") or (first.rstrip().endswith((".", "!", "?", ":")) and delimiter in ",;"):
        return []
    rows = csv_table(text, delimiter)
    return [tuple(TableCell(cell.text.strip(), cell.start, cell.end) for cell in row) for row in rows]


def _markdown(text: str) -> Iterator[list[tuple[TableCell, ...]]]:
    """Yield the pipe tables of a text: a line of names, a line of dashes as wide, and the lines that follow."""
    rows: list[tuple[TableCell, ...]] = []
    before: tuple[TableCell, ...] = ()
    place = 0
    for line in text.split("\n"):
        row = _pipes(line, place) if "|" in line else ()
        place += len(line) + 1
        if rows and row:
            filled = (*row, *[TableCell("", row[-1].end, row[-1].end)] * (len(rows[0]) - len(row)))
            rows.append(filled[: len(rows[0])])
        elif rows:
            yield rows
            rows = []
        elif row and len(row) == len(before) and all(_RULE.fullmatch(cell.text) for cell in row):
            rows = [before]
        before = row
    if rows:
        yield rows


def _pipes(line: str, place: int) -> tuple[TableCell, ...]:
    begin = len(line) - len(line.lstrip())
    begin += line.startswith("|", begin)
    body, cells, done = line.rstrip(), [], begin
    while done < len(body):
        match = _CELL.match(body, done)
        if match is None:
            break
        said = match[1].strip()
        start = place + done + len(match[1]) - len(match[1].lstrip())
        cells.append(TableCell(said.replace("\\|", "|"), start, start + len(said)))
        done = match.end()
    return tuple(cells)


def _json(text: str) -> list[tuple[TableCell, ...]]:
    """Read a list of flat objects; the names are those of the first one, where they stand there."""
    read_json(text)
    records: list[dict[str, TableCell]] = []
    for scalar in json_scalars(text):
        record, name = scalar.steps if len(scalar.steps) == 2 else ("", 0)
        if not isinstance(record, int) or not isinstance(name, str):
            return []
        said = text[scalar.start : scalar.end]
        said = str(loads(said)) if said.startswith('"') else said.replace("null", "")
        records += [{} for _ in range(record + 1 - len(records))]
        records[record][name] = TableCell(said, scalar.start, scalar.end)
    names = list(dict.fromkeys(name for record in records for name in record))
    if len(names) * len(records) > MAX_CELLS:
        return []
    rows = [tuple(record.get(name, TableCell("")) for name in names) for record in records]
    return [tuple(TableCell(name) for name in names), *rows]
