"""Values of structured sources by their paths: steps into JSON, and cells of tables by the names of row and column.

Whoever has the source parses it. Refuses, as `NoSuchPathError`, a path that leads nowhere, and a row that two have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probatum.core.canonical import JsonValue
from probatum.core.errors import nearest
from probatum.core.messages import counted
from probatum.core.shape import shown
from probatum.readings.claims import Steps, TablePath
from probatum.readings.verbatim import composed


class NoSuchPathError(ValueError):
    """A path leads nowhere; the text says where it ends."""


@dataclass(frozen=True, slots=True)
class CitableTable:
    """A table as texts: names of columns, and rows of as many cells."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class CitableSource:
    """What an output can rest on: its text, and what was parsed of it."""

    id: str
    text: str
    data: JsonValue = None
    """Of JSON."""
    tables: tuple[CitableTable, ...] = ()
    cells: str = ""
    """The text with its cells parted by line ends, of the same length; empty where they are parted already."""


def value_at(source: CitableSource, path: Steps | TablePath) -> JsonValue:
    """Return the value at a path; raises NoSuchPathError."""
    return _cell(source, path) if isinstance(path, TablePath) else _leaf(source, path)


def words_of_path(path: Steps | TablePath) -> str:
    """Return the words of a path, of which a passage may state values, such as a year."""
    if not isinstance(path, TablePath):
        return "\n".join(each for each in path if isinstance(each, str))
    return "\n".join([path.column, *(text for pair in path.row for text in pair)])


def node_at(source: CitableSource, path: Steps) -> JsonValue:
    """Return the JSON at a path, a single value or not; raises NoSuchPathError."""
    value = source.data
    for place, step in enumerate(path):
        match value, step:
            case dict(), str() if step in value:
                value = value[step]
            case list(), int() if step < len(value):
                value = value[step]
            case _:
                hint = nearest(str(step), value) if isinstance(value, dict) else ""
                raise NoSuchPathError(f"{_written(path[:place])} has no {shown(step)}. {hint}".strip())
    return value


def _leaf(source: CitableSource, path: Steps) -> JsonValue:
    value = node_at(source, path)
    if isinstance(value, dict | list):
        raise NoSuchPathError(f"{_written(path)} is {shown(value)}, expected a single value.")
    return value


def _written(path: Sequence[str | int]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".") or "the source"


def _cell(source: CitableSource, path: TablePath) -> str:
    if path.table >= len(source.tables):
        raise NoSuchPathError(f"The source has {counted(len(source.tables), 'table')}.")
    table = source.tables[path.table]
    column, wanted = _column(table, path.column), [(_column(table, name), text) for name, text in path.row]
    rows = [row for row in table.rows if all(_words(row[at]) == _words(text) for at, text in wanted)]
    if len(rows) != 1:
        texts = ", ".join(shown(text) for _, text in path.row)
        hint = nearest(path.row[0][1], (row[wanted[0][0]] for row in table.rows[:1_000])) if not rows else ""
        hint = hint or "Name further columns of the row." * bool(rows)
        raise NoSuchPathError(f"{counted(len(rows), 'row')} of the table with {texts}, expected one. {hint}".strip())
    return rows[0][column]


def _column(table: CitableTable, name: str) -> int:
    if not name:
        return 0
    names, wanted = [_words(each) for each in table.header], _words(name)
    if names.count(wanted) != 1:
        hint = nearest(name, table.header)
        raise NoSuchPathError(f"The table has no single column {shown(name)}. {hint}".strip())
    return names.index(wanted)


def _words(text: str) -> list[str]:
    return composed(text).split()
