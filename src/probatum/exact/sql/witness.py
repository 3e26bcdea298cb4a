"""Looks for a small database on which two queries give different rows, by running both with SQLite.

Databases are made up, the same ones every time, from the constants of the queries, and keep what the tables declare.
Refuses queries of other dialects, tables that SQLite does not take, and queries that may give other rows each time.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from random import Random
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import BoundQuery, aggregates_in
from probatum.exact.sql.database import Cell, RefusedError, opened, rows_of
from probatum.exact.sql.functions import UNREPEATABLE
from probatum.exact.sql.reading import Query, part
from probatum.exact.sql.schema import DeclaredTable, quoted

OPEN: Final = "sql.equivalence_open"
Rows = list[tuple[Cell, ...]]
Database = dict[str, Rows]
"""The rows of each table."""
_CHANGING: Final = UNREPEATABLE | {"placeholder", "parameter", "windowspec", "collate", "limit", "offset", "fetch"}
_AROUND: Final = ("from", "join", "in", "exists", "subquery", "cte", "union", "intersect", "except")
_SHOWN: Final = 20


def require_determined(binding: BoundQuery) -> None:
    """Raise CannotDecideError where a query may give other rows on the same database, or is not one of SQLite."""
    if binding.dialect != "sqlite":
        raise CannotDecideError(OPEN, "Only queries of SQLite are run, and so compared.")
    for node in binding.tree.walk():
        name = str(node.this).lower() if node.key == "anonymous" else node.key
        if name in _CHANGING:
            raise CannotDecideError(OPEN, f"A query uses {name.upper()[:30]}, which may give other rows each time.")
        inner = node.walk() if name == "cte" else ()
        if any(each.key == "table" and each.name == node.alias for each in inner):
            raise CannotDecideError(OPEN, "A query that reads itself is not compared.")
        is_value = name == "subquery" and node.parent is not None and node.parent.key not in _AROUND
        if is_value and (part(node.this, "group") is not None or not aggregates_in(node.this)):
            raise CannotDecideError(OPEN, "Which row of a query stands for its value is left open.")


class QueryTrial:
    """Two queries that are run side by side; the order of their rows does not count."""

    def __init__(
        self, queries: tuple[Query, Query], tables: Mapping[str, DeclaredTable], dialect: str = "sqlite"
    ) -> None:
        self.queries = queries
        self.tables = tables
        self._dialect = dialect
        literals = [each for query in queries for each in query.tree.walk() if each.key == "literal"]
        texts = {each.name[:60].replace("%", "").replace("_", "x"): None for each in literals if each.is_string}
        whole = [
            -int(each.name) if each.parent and each.parent.key == "neg" else int(each.name)
            for each in literals
            if not each.is_string and each.name.isdigit() and len(each.name) < 9
        ]
        self.decimals = [float(each.name) for each in literals if not each.is_string and "." in each.name][:12]
        wild = {each.name[:60].replace("%", "~") for each in literals if each.is_string and "%" in each.name}
        more = "AB" if any(each[:1].isupper() for each in texts) else "ab"
        above = [f"{each}~" for each in list(texts)[:4]]
        self.texts: list[str] = [*list(texts)[:12], *sorted(wild)[:4], *above, *more]
        near = dict.fromkeys(n + step for n in whole[:12] for step in (0, 1, -1))
        self.numbers: list[int] = [*near, 0, 1, 2, 3]

    def difference(self, first_seed: int, count: int) -> dict[str, object] | None:
        """Return a database on which the queries differ, and what they give; None where none was found."""
        if not all(table.definition for table in self.tables.values()):
            return None
        try:
            with closing(opened(map(self._definition, self.tables.values()))) as database:
                database.execute("PRAGMA foreign_keys = ON")
                database.execute(f"PRAGMA case_sensitive_like = {int(self._dialect == 'postgres')}")
                for seed in range(first_seed, first_seed + count):
                    rows = self._fill(database, self._made_up(seed))
                    if self._differ(database) is not None:
                        return self._told(database, self._shrunk(database, rows))
        except (RefusedError, BudgetError, sqlite3.Error):
            return None
        return None

    def _definition(self, table: DeclaredTable) -> str:
        # To MySQL, capital letters are the same as small ones.
        return (
            re.sub(r"\b(TEXT)\b", r"\1 COLLATE NOCASE", table.definition)
            if self._dialect == "mysql"
            else table.definition
        )

    def _made_up(self, seed: int) -> Database:
        random = Random(seed)  # noqa: S311  it stands in for chance, it keeps no secret
        most = 1 + seed % 6
        made: Database = {}
        for name, table in self.tables.items():
            pools = [self._pool(column, table) for column in table.columns]
            # Only random() itself gives the same numbers with every version of Python.
            count = int(random.random() * (most + 1))
            made[name] = [tuple(pool[int(random.random() * len(pool))] for pool in pools) for _ in range(count)]
        return made

    def _pool(self, column: str, table: DeclaredTable) -> list[Cell]:
        kind, special = table.columns[column], table.special.get(column, "")
        numbers: list[Cell] = [each for each in self.numbers if special != "unsigned" or each >= 0]
        numbers += self.decimals if not special or special == "float" else []
        # SQLite's LIKE takes capital letters for small ones.
        texts = [*self.texts, *(each.swapcase() for each in self.texts[:2])]
        dates = [*self.texts[:-2], "2024-01-15"]
        pools: dict[str, list[Cell]] = {"number": [*numbers], "bool": [0, 1], "text": [*texts], "date": [*dates]}
        return [*pools.get(kind, [*numbers, *texts]), *([] if column in table.required else [None])]

    def _fill(self, database: sqlite3.Connection, made: Database) -> Database:
        """Put rows into the tables, as far as these take them, and return those that are there."""
        for name in reversed(made):
            database.execute(f"DELETE FROM {quoted(name)}")  # noqa: S608  a declared name
        for name, rows in made.items():
            places = ", ".join("?" * len(self.tables[name].columns))
            put = f"INSERT OR IGNORE INTO {quoted(name)} VALUES ({places})"  # noqa: S608  a declared name
            for row in rows:
                # A row that a foreign key does not let in is left out, too.
                with suppress(sqlite3.IntegrityError):
                    database.execute(put, row)
        return {name: database.execute(f"SELECT * FROM {quoted(name)}").fetchall() for name in made}  # noqa: S608  too

    def _differ(self, database: sqlite3.Connection) -> tuple[Rows, Rows] | None:
        one, other = (rows_of(database, query.text) for query in self.queries)
        return None if Counter(one) == Counter(other) else (one, other)

    def _shrunk(self, database: sqlite3.Connection, rows: Database) -> Database:
        for fewer in list(_with_less(rows)):
            kept = {name: [row for row in rows[name] if row not in fewer.get(name, [])] for name in rows}
            kept = self._fill(database, kept)
            if self._differ(database) is not None:
                rows = kept
        return rows

    def _told(self, database: sqlite3.Connection, rows: Database) -> dict[str, object]:
        self._fill(database, rows)
        found = self._differ(database)
        if found is None:
            raise RefusedError("a difference does not come back")
        database_told = {
            name: {"columns": list(self.tables[name].columns), "rows": [list(map(_literal, row)) for row in held]}
            for name, held in rows.items()
        }
        one, other = ([list(map(_literal, row)) for row in rows[:_SHOWN]] for rows in found)
        return {"database": database_told, "gives": one, "other_gives": other}


def _with_less(rows: Database) -> Iterator[Database]:
    for name in reversed(rows):
        for row in rows[name]:
            yield {name: [row]}


def _literal(cell: Cell) -> str:
    doubled = str(cell).replace("'", "''")
    return "NULL" if cell is None else f"'{doubled}'" if isinstance(cell, str) else doubled
