"""Rows for the tables of a program, from the types of their columns alone: the same for the same tables and seed.

Values that have to be distinct are, keys refer to rows that there are, and what may be empty is empty in one state. All
tables have the same number of rows, so that the n-th row of one can refer to the n-th of another. Refuses a column that
may not be empty and whose type it does not know, and whatever has to refer to such a table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

_VALUES: Mapping[str, Callable[[int], str]] = {
    "Boolean": lambda step: repr(step % 2 == 0),
    "DateTime": lambda step: f"datetime.datetime(2024, {step // 5 % 12 + 1}, {step % 5 * 5 + 2}, 12, 30)",
    "Date": lambda step: f"datetime.date(2024, {step // 5 % 12 + 1}, {step % 5 * 5 + 2})",
    "Time": lambda step: f"datetime.time({step % 24}, 30)",
    "Interval": lambda step: f"datetime.timedelta(hours={step + 1})",
    "Float": lambda step: repr(step + 1.5),
    "Numeric": lambda step: f"decimal.Decimal('{step + 1}.50')",
    "Integer": lambda step: repr(7 * step + 3),
    "LargeBinary": lambda step: repr(bytes([97 + step % 26])),
    "Uuid": lambda step: f"uuid.UUID(int={step + 1})",
}
"""By the name of a type, the n-th of its values as Python writes it; what stands above another comes later."""
_TEXT: Final = "String"
_LONGEST_CHAIN: Final = 30
_EMPTY: Final = "None"
MODULES: Final = ("datetime", "decimal", "uuid")
"""What values may be written with."""


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """What a column refers to: columns of one group refer to one row."""

    group: int
    table: int
    key: str


@dataclass(frozen=True, slots=True)
class MappedColumn:
    """One column of a table, see `sandbox.inside.mapped`."""

    key: str
    types: tuple[str, ...]
    length: int | None
    choices: tuple[str, ...] | None
    is_nullable: bool
    is_distinct: bool
    is_computed: bool
    has_default: bool
    foreign: ForeignKey | None

    @property
    def kind(self) -> str:
        """The type whose values it has, empty where that is not known."""
        if self.choices is not None:
            return "choice" if self.choices else ""
        return next((each for each in self.types if each in _VALUES or each == _TEXT), "")

    @property
    def is_left_out(self) -> bool:
        """Whether the database or the model fills it in: always, or as its values are not known."""
        return self.is_computed or (self.has_default and not self.kind and self.foreign is None)

    def value(self, step: int) -> str:
        """Return the n-th value of its type."""
        if self.choices:
            return repr(self.choices[step % len(self.choices)])
        if self.kind == _TEXT:
            text = f"{self.key} {step + 1}"
            is_short = self.length is None or len(text) <= self.length
            return repr(text if is_short else chr(97 + step % 26) * min(1, self.length or 0))
        return _VALUES[self.kind](step)


@dataclass(frozen=True, slots=True)
class MappedTable:
    """One table: where the program has it, and its columns."""

    owner: str
    """A name of the program: the mapped class, the table, or one of the same metadata."""
    is_own: bool
    """Whether it is that of the owner itself."""
    name: str
    """Its key in the metadata of the owner."""
    has_checks: bool
    """Whether it has conditions that its rows may break."""
    width: int
    """How many columns it has; more than are told where they are too many."""
    columns: tuple[MappedColumn, ...]

    def __post_init__(self) -> None:
        if not self.owner.isidentifier():
            raise ValueError(f"{self.owner!r} is no name")

    @property
    def is_foreign(self) -> bool:
        """Whether SQLite has no such table: a column of another kind, or a schema."""
        return "." in self.name or not all(each.types for each in self.columns)

    @property
    def expression(self) -> str:
        """The table as Python writes it."""
        return f"{self.owner}.metadata.tables[{self.name!r}]"


@dataclass(frozen=True, slots=True)
class TableState:
    """One state of all tables."""

    count: int
    has_ties: bool = False
    has_gaps: bool = False


class Rows:
    """Makes the rows of some tables; which of them have none, and why, is known before."""

    def __init__(self, tables: Sequence[MappedTable], seed: int, wanted: Collection[int] = ()) -> None:
        """``wanted`` are the tables that are tried although their rows may break conditions."""
        self._tables = tables
        self._wanted = wanted
        self._seed = seed
        self.empty: dict[int, str] = {}
        # A table stays empty that has to refer to one that does.
        while further := {place: why for place in range(len(tables)) if (why := self._why_empty(place))}:
            self.empty |= further
        limits = [len(c.choices) for t in tables for c in t.columns if c.is_distinct and c.choices and not c.foreign]
        self.most = min(limits, default=1_000)

    def _why_empty(self, place: int) -> str:
        """Return why a table has no rows; empty where it has some, or that is known already."""
        table = self._tables[place]
        if place in self.empty:
            return ""
        if len(table.columns) < table.width:
            return f"{table.name} has {table.width:,} columns"
        if table.is_foreign:
            return f"{table.name} is no table of SQLite"
        if table.has_checks and place not in self._wanted:
            return f"{table.name} has a CHECK constraint"
        for column in (each for each in table.columns if not each.is_nullable):
            if column.foreign is None and not column.kind and not column.is_left_out:
                return f"{table.name}.{column.key} is of the type {column.types[0]} and may not be empty"
            if column.foreign is not None and self._is_nowhere(column.foreign):
                there = self.empty.get(column.foreign.table, "it is not there")
                return f"{table.name} refers to a table without rows: {there}"
        return ""

    def _is_nowhere(self, foreign: ForeignKey) -> bool:
        return not 0 <= foreign.table < len(self._tables) or foreign.table in self.empty

    def of(self, place: int, state: TableState) -> list[dict[str, str]]:
        """Return the rows of one table, each value as Python writes it, by column."""
        state = replace(state, count=0 if place in self.empty else min(state.count, self.most))
        columns = [each for each in self._tables[place].columns if not each.is_left_out]
        return [{each.key: self._value(place, each, row, state) for each in columns} for row in range(state.count)]

    def _value(self, place: int, column: MappedColumn, row: int, state: TableState, depth: int = 0) -> str:
        foreign = column.foreign
        order = self._order(f"{place}.{column.key if foreign is None else foreign.group}", state.count)[row]
        # What has to be distinct has no ties: each row refers to another one.
        step = order // 2 if state.has_ties and not column.is_distinct else order
        if state.has_gaps and column.is_nullable and not column.is_distinct and order % 2 == 1:
            return _EMPTY
        if foreign is None:
            counted = repr(row + 1) if column is self._number(place) else ""
            return counted or (column.value(step) if column.kind else _EMPTY)
        at = row if column.is_distinct else step
        if foreign.table == place and not column.is_distinct:
            # A tree: the first row has nothing above it, or itself.
            at = max(row - 1, 0)
            if row == 0 and column.is_nullable:
                return _EMPTY
        if depth > _LONGEST_CHAIN or self._is_nowhere(foreign):
            return _EMPTY
        target = next((each for each in self._tables[foreign.table].columns if each.key == foreign.key), None)
        return _EMPTY if target is None else self._value(foreign.table, target, at, state, depth + 1)

    def _number(self, place: int) -> MappedColumn | None:
        """Return the column that counts the rows of a table: the first of its distinct whole numbers."""
        counting = (c for c in self._tables[place].columns if c.is_distinct and c.foreign is None)
        return next((each for each in counting if each.kind == "Integer"), None)

    def _order(self, about: str, count: int) -> list[int]:
        """Return the places 0 to ``count`` in an order of its own for each column."""
        marks = [hashlib.sha256(f"{self._seed}.{about}.{count}.{each}".encode()).digest() for each in range(count)]
        ranked = sorted(range(count), key=marks.__getitem__)
        return [ranked.index(each) for each in range(count)]
