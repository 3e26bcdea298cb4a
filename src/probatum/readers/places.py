"""Tells where the values of JSON and CSV stand in their text.

The JSON is one that `probatum.core.json_text` has read, so its grammar is not judged again here. A table must be one: a
quote that never ends, text after a closing quote and a row of another length are a ValueError that names the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import loads
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.json_text import MAX_DEPTH
from probatum.readers.conventions import require_length

MAX_CELLS: Final = 2_000_000

_TOKEN: Final = re.compile(r'[ \t\n\r]*(?:(?P<sign>[\[\]{},:])|(?P<string>"(?:[^"\\]++|\\.)*+")|(?P<word>[-+.\w]+))')


@dataclass(frozen=True, slots=True)
class JsonScalar:
    """One string, number, true, false or null, and where it stands; a string with its quotes."""

    steps: tuple[str | int, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class CsvCell:
    """One cell: what it says, and where it stands, quotes included."""

    text: str
    start: int
    end: int


def json_scalars(text: str) -> Iterator[JsonScalar]:
    """Yield every scalar of a JSON text in order, with the keys and positions that lead to it.

    Raises ValueError at the first thing that is not JSON, and BudgetError where the text is too long.
    """
    require_length(text, "JSON")
    # The keys and positions that lead to where the reader is; a position is counted up by each comma of its list.
    steps: list[str | int] = []
    key, place = False, 0
    while (token := _TOKEN.match(text, place)) is not None:
        start, place = token.start(token.lastgroup or 0), token.end()
        sign = token["sign"]
        if len(steps) > MAX_DEPTH:
            raise BudgetError("reader.too_large", f"The JSON is nested deeper than {MAX_DEPTH} levels.")
        if sign and sign in "]},:" and not steps:
            raise ValueError(f"not JSON at character {start}")
        if sign in {"{", "["}:
            steps.append("" if sign == "{" else 0)
            key = sign == "{"
        elif sign in {"}", "]"}:
            steps.pop()
        elif sign == ",":
            last = steps[-1]
            key = isinstance(last, str)
            steps[-1] = "" if isinstance(last, str) else last + 1
        elif key and token["string"]:
            steps[-1], key = str(loads(token["string"])), False
        elif not sign:
            yield JsonScalar(tuple(steps), start, place)
    if text[place:].strip(" \t\n\r"):
        raise ValueError(f"not JSON at character {place}")


def csv_table(text: str, delimiter: str = ",", quote: str = '"') -> tuple[tuple[CsvCell, ...], ...]:
    """Return the rows of a table by RFC 4180 or with other signs, the header first; blank lines are none.

    Raises ValueError where it is not a table, naming the line, and BudgetError where it is too large.
    """
    require_length(text, "table")
    if text.count(delimiter) + text.count("\n") > MAX_CELLS:
        raise BudgetError("reader.too_large", f"The table has more than {MAX_CELLS:,} cells.")
    mark = re.escape(quote)
    ending = rf"(?P<after>{re.escape(delimiter)}|\r?\n|\r|\Z)"
    cell = re.compile(
        rf"(?:{mark}(?P<quoted>(?:[^{mark}]++|{mark}{mark})*+){mark}|(?P<bare>[^{mark}\r\n{re.escape(delimiter)}]*+)){ending}"
    )
    rows: list[tuple[CsvCell, ...]] = []
    row: list[CsvCell] = []
    place = 1 if text.startswith("\ufeff") else 0
    while place < len(text) or row:
        match = cell.match(text, place)
        if match is None:
            raise ValueError(f"line {_line(text, place)} of the table has a quote that does not fit")
        said = match["bare"] if match["quoted"] is None else match["quoted"].replace(quote * 2, quote)
        row.append(CsvCell(said, place, match.start("after")))
        if match["after"] != delimiter:
            is_blank = len(row) == 1 and row[0].start == row[0].end
            if rows and not is_blank and len(row) != len(rows[0]):
                raise ValueError(f"line {_line(text, place)} of the table has {len(row)} cells, not {len(rows[0])}")
            if not is_blank:
                rows.append(tuple(row))
            row = []
        place = match.end()
    return tuple(rows)


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1
