"""SQLite in memory as a second reader of a query: does it take it, which columns does it read, what does it give?

A database that is asked holds declared tables and nothing else, and may do nothing but read them. Refuses more work
than the budget, and results that are too large.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Final

from probatum.core.errors import BudgetError
from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.functions import AGGREGATES
from probatum.exact.sql.reading import Query, written
from probatum.exact.sql.schema import DeclaredTable, comparable, folded, folded_table

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

Cell = int | float | str | None
_READING: Final = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_FUNCTION, 33})
"""What a query may do; 33 is SQLITE_RECURSIVE."""
_PLAIN: Final = re.compile("[a-z_][a-z0-9_]*")
_STEPS: Final = 200_000
_EVERY: Final = 1_000
_LIMITS: Final = {
    sqlite3.SQLITE_LIMIT_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 500,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 100,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
}
_MOST_ROWS: Final = 2_000


class RefusedError(Exception):
    """SQLite does not take a query; the message is SQLite's own."""


def opened(definitions: Iterable[str]) -> sqlite3.Connection:
    """Return a database with these tables; raises RefusedError where SQLite does not take a definition."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    for limit, most in _LIMITS.items():
        database.setlimit(limit, most)
    try:
        for each in definitions:
            database.execute(each)
    except (sqlite3.Error, sqlite3.Warning, ValueError, UnicodeError) as error:
        database.close()
        raise RefusedError(str(error)) from error
    return database


def columns_read(query: Query, tables: Mapping[str, DeclaredTable]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the tables and the columns, as table.column, that SQLite reads; raises RefusedError.

    A query of SQLite is asked as it is written; another one as its skeleton, in which every function is a made-up one.
    """
    seen = set[tuple[str, str]]()

    def allow(action: int, first: str | None, second: str | None, _database: str | None, _source: str | None) -> int:
        if action == sqlite3.SQLITE_READ:
            seen.add(((first or "").lower(), (second or "").lower()))
        return sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY

    text = query.text if query.dialect == "sqlite" else _skeleton(query)
    with closing(opened(table.bare for table in tables.values())) as database:
        database.create_function("value_of", -1, lambda *_values: None)
        database.set_authorizer(allow)
        try:
            database.execute(f"EXPLAIN {text}")
        except sqlite3.ProgrammingError as error:
            # Values for placeholders are asked for when a query is compiled already.
            if not str(error).startswith("Incorrect number of bindings"):
                raise RefusedError(str(error)) from error
        except (sqlite3.Error, sqlite3.Warning, ValueError, UnicodeError) as error:
            raise RefusedError(str(error)) from error
    names = {comparable(table.name): table for table in tables.values()}
    read, columns = set[str](), set[str]()
    for table, column in seen:
        if table not in names or not (meant := _column_of(names[table], column)):
            raise CannotDecideError("sql.beyond", "The query reads what is not declared.")
        read.add(names[table].name)
        columns |= {f"{names[table].name}.{name}" for name in meant if name}
    return frozenset(read), frozenset(columns)


def _column_of(table: DeclaredTable, column: str) -> list[str]:
    """Return the one column that SQLite names; a list with '' where it counts rows alone."""
    return [name for name in table.columns if comparable(name) == column] if column else [""]


def _skeleton(query: Query) -> str:
    """Return the query for SQLite with all of its names, and with a made-up function for those that SQLite has not."""
    from sqlglot.dialects.sqlite import SQLite

    tree, dialect = query.tree.copy(), query.dialect
    words = SQLite.Tokenizer.KEYWORDS
    # From the innermost outwards: what is put in place of a node holds what was put in place of its members.
    for node in reversed(list(tree.walk())):
        if node.key == "identifier":
            parent = node.parent
            is_table = parent is not None and (
                parent.key in ("table", "tablealias") or parent.args.get("table") is node
            )
            is_table = is_table and node.arg_key != "columns"
            name = comparable(folded_table(node, dialect) if is_table else folded(node, dialect))
            node.set("this", name)
            # SQLite takes a quoted name for text where it has no such column, so only what needs quotes has them.
            node.set("quoted", not _PLAIN.fullmatch(name) or name.upper() in words)
        else:
            other = _plain(node)
            if other is not node:
                if node is tree:
                    return written(other, "sqlite")
                node.replace(other)
    return written(tree, "sqlite")


def _plain(node: Expr) -> Expr:
    from sqlglot import expressions as exp

    if isinstance(node, exp.Interval | exp.Parameter | exp.Placeholder):
        return exp.Literal.string("x")
    if isinstance(node, exp.ILike):
        return exp.Like(this=node.this, expression=node.args["expression"])
    if isinstance(node, exp.Cast):
        return exp.Paren(this=node.this)
    if not isinstance(node, exp.Func) or isinstance(node, exp.Connector | exp.Case | exp.Exists):
        return node
    if node.key in ("count", "sum", "min", "max", "avg") or isinstance(node.parent, exp.Case | exp.Window):
        return node
    name = node.name.lower() if isinstance(node, exp.Anonymous) else node.key
    inside = list(_values_in(node))
    value = exp.Anonymous(this="value_of", expressions=inside)
    return exp.Max(this=value) if name in AGGREGATES and inside else value


def _values_in(node: Expr) -> Iterator[Expr]:
    """Yield the arguments of a function, also those that it is ordered by."""
    for each in node.iter_expressions():
        if each.key in ("order", "ordered", "distinct"):
            yield from _values_in(each)
        elif each.key not in ("var", "datatype"):
            yield each


def rows_of(database: sqlite3.Connection, text: str) -> list[tuple[Cell, ...]]:
    """Return the rows that a query gives; raises RefusedError, and BudgetError where it takes too much."""
    left = [_STEPS // _EVERY]

    def spent() -> int:
        left[0] -= 1
        return int(left[0] < 0)

    database.set_authorizer(lambda action, *_rest: sqlite3.SQLITE_OK if action in _READING else sqlite3.SQLITE_DENY)
    database.set_progress_handler(spent, _EVERY)
    try:
        rows = database.execute(text).fetchmany(_MOST_ROWS + 1)
    except (sqlite3.Error, sqlite3.Warning, ValueError, UnicodeError, OverflowError) as error:
        if left[0] < 0:
            raise BudgetError("engine.out_of_budget", "A query takes too many steps on a small database.") from error
        raise RefusedError(str(error)) from error
    finally:
        database.set_progress_handler(None, 0)
        database.set_authorizer(None)
    if len(rows) > _MOST_ROWS:
        raise BudgetError("engine.out_of_budget", "A query gives too many rows on a small database.")
    return rows
