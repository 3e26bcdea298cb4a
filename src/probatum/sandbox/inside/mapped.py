"""Tells which tables a program maps with SQLAlchemy: their columns, keys and types, as plain data.

Runs inside the sandbox, beside the program, standard library only; SQLAlchemy is the program's own. Tells what tables
look like and makes no row. What it says is the program's word.
"""

from __future__ import annotations

import importlib
from typing import Any

_MOST_TABLES, _MOST_COLUMNS = 200, 200


def facts(names: dict[str, Any]) -> list[list[Any]]:
    """Return every table of the metadata that mapped classes and tables among these names belong to.

    A table is the name of its class or of a table beside it, whether it is its own, its key in the metadata, whether
    it has conditions of its own, how many columns it has, and these, see `_column`; of more than 200 none is told.
    """
    sql: Any = importlib.import_module("sqlalchemy")
    orm: Any = importlib.import_module("sqlalchemy.orm")
    dialect: Any = importlib.import_module("sqlalchemy.dialects.sqlite").dialect()
    orm.configure_mappers()
    mappers: dict[str, Any] = {}
    for name, value in names.items():
        if isinstance(value, type) and name.isidentifier():
            mapper = sql.inspect(value, raiseerr=False)
            if isinstance(mapper, orm.Mapper) and isinstance(mapper.local_table, sql.Table):
                mappers[name] = mapper
    found: dict[Any, tuple[str, bool]] = {}
    for name, mapper in sorted(mappers.items(), key=lambda row: (_depth(row[1]), row[0])):
        found.setdefault(mapper.local_table, (name, True))
    for name in sorted(each for each, value in names.items() if isinstance(value, sql.Table)):
        found.setdefault(names[name], (name, True))
    for table, (owner, _) in tuple(found.items()):
        for key in sorted(table.metadata.tables):
            found.setdefault(table.metadata.tables[key], (owner, False))
    places = {table: place for place, table in enumerate(found)}
    kinds = {each.polymorphic_on: each for each in mappers.values() if each.polymorphic_on is not None}
    return [_table(sql, dialect, table, found[table], places, kinds) for table in [*found][:_MOST_TABLES]]


def _depth(mapper: Any) -> int:
    return 0 if mapper.inherits is None else 1 + _depth(mapper.inherits)


def _table(
    sql: Any, dialect: Any, table: Any, owner: tuple[str, bool], places: dict[Any, int], kinds: dict[Any, Any]
) -> list[Any]:
    has_checks = any(isinstance(each, sql.CheckConstraint) for each in table.constraints)
    about = [*owner, str(table.key), has_checks, len(table.columns)]
    if len(table.columns) > _MOST_COLUMNS:
        return [*about, []]
    distinct = {column.key for column in table.primary_key.columns}
    for each in (*table.constraints, *table.indexes):
        if isinstance(each, sql.UniqueConstraint) or (isinstance(each, sql.Index) and each.unique):
            distinct |= {column.key for column in each.columns}
    foreign: dict[str, list[Any]] = {}
    constraints = sorted(table.foreign_key_constraints, key=lambda each: [str(key) for key in each.column_keys])
    for group, constraint in enumerate(constraints):
        for element in constraint.elements:
            target = element.column
            foreign.setdefault(element.parent.key, [group, places.get(target.table, -1), str(target.key)])
    columns = [_column(dialect, each, distinct, foreign, kinds.get(each)) for each in table.columns]
    return [*about, columns]


def _column(dialect: Any, column: Any, distinct: set[str], foreign: dict[str, list[Any]], kind: Any) -> list[Any]:
    """Return what one column is.

    Its key, the names of its type and of those above it, the longest text or None, all the values that it may have or
    None, whether it may be empty, has distinct values, is filled by the database or the model, and what it refers to.
    """
    types = [each.__name__ for each in type(column.type).__mro__]
    length = getattr(column.type, "length", None)
    choices = getattr(column.type, "enums", None) if "Enum" in types else None
    if kind is not None:
        choices = sorted(each for each in kind.polymorphic_map if type(each) is str)
    try:
        column.type.compile(dialect=dialect)
    except Exception:  # noqa: BLE001  whatever a type raises, SQLite has no column for it
        types = []
    return [
        str(column.key),
        types,
        length if type(length) is int else None,
        None if choices is None else [str(each) for each in choices],
        bool(column.nullable),
        bool(column.unique) or column.key in distinct,
        column.computed is not None or column.identity is not None,
        column.server_default is not None or column.default is not None,
        foreign.get(column.key),
    ]
