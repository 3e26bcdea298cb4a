"""Tells which tables a program maps with SQLAlchemy: their columns, keys and types, as plain data.

Runs inside the sandbox, beside the program, standard library only; SQLAlchemy is the program's own. Tells what tables
look like and makes no row. What it says is the program's word.
"""

from __future__ import annotations

import importlib
from typing import Any

_MOST_TABLES, _MOST_COLUMNS = 200, 200


def facts(names: dict[str, Any]) -> list[dict[str, Any]]:
    """Return every table of the metadata that mapped classes and tables among these names belong to.

    Tables and columns are told as `programs.environments.rows` has them; of more than 200 columns none is.
    """
    sql: Any = importlib.import_module("sqlalchemy")
    orm: Any = importlib.import_module("sqlalchemy.orm")
    orm.configure_mappers()
    classes = {name: value for name, value in names.items() if isinstance(value, type) and name.isidentifier()}
    mappers = {name: sql.inspect(value, raiseerr=False) for name, value in classes.items()}
    mappers = {name: each for name, each in mappers.items() if isinstance(each, orm.Mapper)}
    mappers = {name: each for name, each in mappers.items() if isinstance(each.local_table, sql.Table)}
    found: dict[Any, tuple[str, bool]] = {}
    for name, mapper in sorted(mappers.items(), key=lambda row: (len([*row[1].iterate_to_root()]), row[0])):
        found.setdefault(mapper.local_table, (name, True))
    for name in sorted(each for each, value in names.items() if isinstance(value, sql.Table)):
        found.setdefault(names[name], (name, True))
    for table, (owner, _) in tuple(found.items()):
        for key in sorted(table.metadata.tables):
            found.setdefault(table.metadata.tables[key], (owner, False))
    places = {table: place for place, table in enumerate(found)}
    kinds = {each.polymorphic_on: each for each in mappers.values() if each.polymorphic_on is not None}
    return [
        {
            "owner": owner,
            "is_own": is_own,
            "name": str(table.key),
            "has_checks": any(isinstance(each, sql.CheckConstraint) for each in table.constraints),
            "width": len(table.columns),
            "columns": _columns(sql, table, places, kinds) if len(table.columns) <= _MOST_COLUMNS else [],
        }
        for table, (owner, is_own) in [*found.items()][:_MOST_TABLES]
    ]


def _columns(sql: Any, table: Any, places: dict[Any, int], kinds: dict[Any, Any]) -> list[dict[str, Any]]:
    distinct = {column.key for column in table.primary_key.columns}
    for each in (*table.constraints, *table.indexes):
        if isinstance(each, sql.UniqueConstraint) or (isinstance(each, sql.Index) and each.unique):
            distinct |= {column.key for column in each.columns}
    foreign: dict[str, dict[str, Any]] = {}
    constraints = sorted(table.foreign_key_constraints, key=lambda each: [str(key) for key in each.column_keys])
    for group, constraint in enumerate(constraints):
        for element in constraint.elements:
            target = element.column
            told = {"group": group, "table": places.get(target.table, -1), "key": str(target.key)}
            foreign.setdefault(element.parent.key, told)
    told_of = ((each, _column(each, each.key in distinct, kinds.get(each))) for each in table.columns)
    return [about | {"foreign": foreign.get(each.key)} for each, about in told_of]


def _column(column: Any, is_distinct: bool, kind: Any) -> dict[str, Any]:
    types = [each.__name__ for each in type(column.type).__mro__]
    length = getattr(column.type, "length", None)
    choices = getattr(column.type, "enums", None) if "Enum" in types else None
    if kind is not None:
        choices = sorted(each for each in kind.polymorphic_map if type(each) is str)
    try:
        column.type.compile(dialect=importlib.import_module("sqlalchemy.dialects.sqlite").dialect())
    except Exception:  # noqa: BLE001  whatever a type raises, SQLite has no column for it
        types = []
    return {
        "key": str(column.key),
        "types": types,
        "length": length if type(length) is int else None,
        "choices": None if choices is None else [str(each) for each in choices],
        "is_nullable": bool(column.nullable),
        "is_distinct": bool(column.unique) or is_distinct,
        "is_computed": column.computed is not None or column.identity is not None,
        "has_default": column.server_default is not None or column.default is not None,
    }
