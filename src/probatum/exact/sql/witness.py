"""Looks for a small database on which two queries give different rows, by running both with SQLite.

Databases are made up, the same ones every time, from the constants of the queries, and keep what the tables declare.
A query of another dialect is run where SQLite computes all of it alike. Refuses tables that SQLite does not take.
"""

from __future__ import annotations

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from random import Random
from typing import Final

from probatum.core.errors import BudgetError
from probatum.exact.sql.binding import Binder
from probatum.exact.sql.database import Cell, RefusedError, opened, rows_of
from probatum.exact.sql.functions import words
from probatum.exact.sql.kinds import date_of
from probatum.exact.sql.reading import Query, written
from probatum.exact.sql.schema import DeclaredTable, quoted

Rows = list[tuple[Cell, ...]]
Database = dict[str, Rows]
"""The rows of each table."""
_ALIKE: Final = words("""
    select from where group having order ordered join table tablealias alias column identifier star literal boolean
    null paren and or not eq neq lt lte gt gte is in between exists subquery cte with union intersect except distinct
    case if coalesce nullif add sub mul neg count sum min max limit offset tuple window rank denserank abs
""")
"""What SQLite computes as the other dialects do."""
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LIKE_WORDS: Final = re.compile(r"[A-Za-z0-9]+([-. ][A-Za-z0-9]+)*")
"""Texts that collations order as their characters do, as long as it does not turn on capital letters."""
_SHOWN: Final = 20


class QueryTrial:
    """Two queries that are run side by side."""

    def __init__(
        self,
        queries: tuple[Query, Query],
        binders: Sequence[Binder],
        tables: Mapping[str, DeclaredTable],
        *,
        is_ordered: bool,
    ) -> None:
        self.queries = queries
        self.tables = tables
        self.is_ordered = is_ordered
        """Whether the rows of both come in one order, so that it counts."""
        self.is_loose = queries[0].dialect == "sqlite"
        """Whether a column takes every value."""
        literals = [each for query in queries for each in query.tree.walk() if each.key == "literal"]
        texts = {each.name[:60].replace("%", "").replace("_", "x"): None for each in literals if each.is_string}
        whole = [
            int(each.name) for each in literals if not each.is_string and each.name.isdigit() and len(each.name) < 9
        ]
        wild = {each.name[:60].replace("%", "~") for each in literals if each.is_string and "%" in each.name}
        more = "AB" if any(each[:1].isupper() for each in texts) else "ab"
        self.texts: list[str] = [*list(texts)[:12], *sorted(wild)[:4], *more]
        self.numbers: list[int] = [*dict.fromkeys(n + step for n in whole[:12] for step in (0, 1, -1)), 0, 1, 2, 3]
        self.can_run = all(table.definition for table in tables.values()) and (
            self.is_loose or all(map(self._is_alike, queries, binders))
        )

    def difference(self, first_seed: int, count: int) -> dict[str, object] | None:
        """Return a database on which the queries differ, and what they give; None where none was found."""
        if not self.can_run:
            return None
        try:
            with closing(opened(table.definition for table in self.tables.values())) as database:
                database.execute("PRAGMA foreign_keys = ON")
                for seed in range(first_seed, first_seed + count):
                    rows = self._fill(database, self._made_up(seed))
                    if self._differ(database) is not None:
                        return self._told(database, self._shrunk(database, rows))
        except (RefusedError, BudgetError, sqlite3.Error):
            return None
        return None

    def _is_alike(self, query: Query, binder: Binder) -> bool:
        """Return whether SQLite computes all of a query of another dialect as that dialect does."""
        read = [each.partition(".") for each in binder.columns_read]
        nodes = [query.tree, *(check for table in self.tables.values() for check in table.checks)]
        is_known = all(self.tables[table].columns[column] for table, _, column in read)
        is_known = is_known and all(_DATE.fullmatch(each) and date_of(each) for each in binder.converted)
        # To MySQL texts may be alike in capital letters, and other characters.
        folded = [each.casefold() for each in sorted(self.texts)]
        is_told = query.dialect != "mysql" or (
            all(map(_LIKE_WORDS.fullmatch, folded)) and folded == sorted(set(folded))
        )
        is_told = is_told and all(each == each.rstrip() for each in self.texts)
        # SQLite leaves a joined column in its place among those that a star gives.
        is_told = is_told and not any(scope.merged for scope in binder.scopes.values())
        return is_known and is_told and all(each.key in _ALIKE for node in nodes for each in node.walk())

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
        kind = table.columns[column]
        # SQLite's LIKE takes capital letters for small ones.
        texts, numbers, most = (
            [*self.texts, *(each.swapcase() for each in self.texts[:2])],
            self.numbers,
            table.most[column],
        )
        dates = [*self.texts[:-2], "2024-01-15"]
        if not self.is_loose:
            texts = [each for each in self.texts if len(each) <= most and each == each.rstrip()]
            dates = [each for each in dates if _DATE.fullmatch(each)]
            least = 0 if table.special[column] == "unsigned" else -most
            numbers = [each for each in numbers if least <= each <= most]
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
        one, other = (rows_of(database, _runnable(query)) for query in self.queries)
        return None if one == other or (not self.is_ordered and Counter(one) == Counter(other)) else (one, other)

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


def _runnable(query: Query) -> str:
    return query.text if query.dialect == "sqlite" else written(query.tree, "sqlite")


def _literal(cell: Cell) -> str:
    doubled = str(cell).replace("'", "''")
    return "NULL" if cell is None else f"'{doubled}'" if isinstance(cell, str) else doubled
