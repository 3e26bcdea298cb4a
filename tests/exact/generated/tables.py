"""Claims about queries: what SQLite binds and runs says whether a query is sound and two queries are the same."""

from __future__ import annotations

import sqlite3
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families

Table = tuple[str, dict[str, str]]
"""The name of a table, and its columns: the first is the key, others are numbers or texts, some never null."""
_TABLES: Final = ("users", "orders", "items", "shops", "visits")
_COLUMNS: Final = ("name", "age", "total", "city", "price", "status", "rank_no", "code")
_DATABASES: Final = 60


def _schema(random: Random) -> list[Table]:
    tables = []
    for name in random.sample(_TABLES, random.randint(2, 3)):
        columns = {"id": "INTEGER PRIMARY KEY"}
        for column in random.sample(_COLUMNS, random.randint(2, 4)):
            kind = "TEXT" if column in {"name", "city", "status", "code"} else "INTEGER"
            columns[column] = kind + random.choice([" NOT NULL", "", ""])
        columns["owner_id"] = "INTEGER"
        tables.append((name, columns))
    return tables


def _declared(tables: list[Table]) -> str:
    return " ".join(f"CREATE TABLE {name} ({', '.join(f'{c} {t}' for c, t in cs.items())});" for name, cs in tables)


def _literal(random: Random, kind: str) -> str:
    return str(random.randint(0, 5)) if kind.startswith("INTEGER") else random.choice(["'a'", "'b'", "'it''s'"])


def _test(random: Random, table: Table, prefix: str = "") -> str:
    column, kind = random.choice(list(table[1].items()))
    name = prefix + column
    pick = random.randrange(4)
    if pick == 0 and column != "id" and "NULL" not in kind:
        return f"{name} IS {random.choice(['', 'NOT '])}NULL"
    if pick == 1:
        return f"{name} IN ({_literal(random, kind)}, {_literal(random, kind)})"
    return f"{name} {random.choice(['=', '<>', '<', '>', '<=', '>='])} {_literal(random, kind)}"


def _query(random: Random, tables: list[Table]) -> str:
    (one, columns), (two, others) = tables[0], tables[1]
    column, other = random.choice(list(columns)), random.choice(list(others))
    test, joined = _test(random, tables[0]), _test(random, tables[0], "a.")
    return random.choice(
        [
            f"SELECT {column} FROM {one} WHERE {test}",
            f"SELECT {column}, count(*) FROM {one} GROUP BY {column}",
            f"SELECT a.{column}, b.{other} FROM {one} a JOIN {two} b ON a.id = b.owner_id WHERE {joined}",
            f"SELECT {column} FROM {one} WHERE id IN (SELECT owner_id FROM {two} WHERE {_test(random, tables[1])})",
            f"SELECT x.{column} FROM (SELECT {column} FROM {one} WHERE {test}) x ORDER BY x.{column}",
            f"SELECT max(id) FROM {one} WHERE {test}",
            f"SELECT {column} FROM {one} WHERE EXISTS (SELECT 1 FROM {two} WHERE {two}.owner_id = {one}.id)",
        ]
    )


def _binds(schema: str, query: str) -> bool:
    with sqlite3.connect(":memory:") as connection:
        connection.executescript(schema)
        try:
            connection.execute(f"EXPLAIN {query}")
        except sqlite3.Error:
            return False
        return True


def _names_that_are_bound(random: Random, truth: bool) -> Made:
    """A name of the query is changed by a letter, so that SQLite does not know it, or knows it twice."""
    while True:
        tables = _schema(random)
        schema, query = _declared(tables), _query(random, tables)
        if not truth:
            words = [*tables[0][1], *tables[1][1], tables[0][0], tables[1][0], "count", "max"]
            word = random.choice([each for each in words if each in query])
            query = query.replace(word, random.choice([word + "s", word[:-1], word + "_"]), 1)
            if random.random() < 0.3:
                query = f"SELECT id FROM {tables[0][0]} JOIN {tables[1][0]} ON {tables[0][0]}.id = owner_id"
        if _binds(schema, query) is truth:
            return query, {"schema": schema}


def _only_read(random: Random, truth: bool) -> Made:
    tables = _schema(random)
    (name, columns), column = tables[0], random.choice(list(tables[0][1]))
    query = _query(random, tables)
    if not truth:
        query = random.choice(
            [
                f"DELETE FROM {name} WHERE {_test(random, tables[0])}",
                f"UPDATE {name} SET {column} = {_literal(random, columns[column])}",
                f"DROP TABLE {name}",
                f"INSERT INTO {name} (id) VALUES (1)",
                f"{query}; DELETE FROM {name}",
                f"CREATE TABLE copy AS {query}",
            ]
        )
    return query, {"schema": _declared(tables)}


def _conditions_that_always_hold(random: Random, truth: bool) -> Made:
    """A condition that always holds lets every row pass."""
    tables = _schema(random)
    name, columns = tables[0]
    test, column = _test(random, tables[0]), random.choice(list(columns))
    query = f"SELECT {column} FROM {name} WHERE {test}"
    if not truth:
        always = ["1 = 1", "id = id", "1 IN (1, 2)", "'x' LIKE 'x'", "NULL IS NULL", "2 > 1", "id >= 0 OR id < 0"]
        query += f" OR {random.choice(always)}"
    return query, {"schema": _declared(tables)}


def _filled(random: Random, tables: list[Table]) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(_declared(tables))
    for name, columns in tables:
        for key in random.sample(range(-1, 8), random.randint(0, 5)):
            row: list[object] = [key]
            for kind in list(columns.values())[1:]:
                value = random.randint(-1, 6) if kind.startswith("INTEGER") else random.choice(["a", "b", "it's", ""])
                row.append(None if "NULL" not in kind and random.random() < 0.25 else value)
            connection.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
    return connection


def _differ(random: Random, tables: list[Table], one: str, two: str) -> bool:
    for _ in range(_DATABASES):
        connection = _filled(random, tables)
        rows = [sorted(connection.execute(query).fetchall(), key=repr) for query in (one, two)]
        connection.close()
        if rows[0] != rows[1]:
            return True
    return False


def _pairs(random: Random, tables: list[Table]) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Return pairs of conditions that are the same on every row, and pairs that are nearly so."""
    column = random.choice([each for each, kind in tables[0][1].items() if kind.startswith("INTEGER")])
    low, high = sorted(random.sample(range(6), 2))
    test, other = _test(random, tables[0]), _test(random, tables[0])
    same = [
        (f"{column} > {low}", f"{low} < {column}"),
        (f"NOT ({column} > {low})", f"{column} <= {low}"),
        (f"{column} IN ({low}, {high})", f"{column} = {low} OR {column} = {high}"),
        (f"{column} BETWEEN {low} AND {high}", f"{column} >= {low} AND {column} <= {high}"),
        (f"{test} AND {other}", f"{other} AND {test}"),
        (f"NOT ({test} OR {other})", f"NOT ({test}) AND NOT ({other})"),
        (f"{column} <> {low}", f"{column} < {low} OR {column} > {low}"),
        (f"{test} AND {test}", test),
        (f"{column} > {low} AND {column} > {high}", f"{column} > {high}"),
    ]
    unlike = [
        (f"{column} > {low}", f"{column} >= {low}"),
        (f"{column} > {low}", f"{column} > {low + 1}"),
        (f"NOT ({column} > {low})", f"{column} < {low}"),
        (f"{column} BETWEEN {low} AND {high}", f"{column} > {low} AND {column} <= {high}"),
        (f"{test} AND {other}", f"{test} OR {other}"),
        (f"NOT ({test} OR {other})", f"NOT ({test}) OR NOT ({other})"),
        (f"{column} <> {low}", f"{column} <> {low} OR {column} IS NULL"),
        (f"{column} IN ({low}, {high})", f"{column} BETWEEN {low} AND {high}"),
        (test, other),
    ]
    return same, unlike


def _same_as_another(random: Random, truth: bool) -> Made:
    while True:
        tables = _schema(random)
        name, columns = tables[0]
        shown = random.choice(list(columns))
        same, unlike = _pairs(random, tables)
        first, second = random.choice(same if truth else unlike)
        one, two = f"SELECT {shown} FROM {name} WHERE {first}", f"SELECT {shown} FROM {name} WHERE {second}"
        if not truth and random.random() < 0.4:
            one, two = random.choice(
                [
                    (f"SELECT DISTINCT {shown} FROM {name}", f"SELECT {shown} FROM {name}"),
                    (f"SELECT count({shown}) FROM {name}", f"SELECT count(*) FROM {name}"),
                    (f"SELECT {shown} FROM {name} UNION SELECT {shown} FROM {name}", f"SELECT {shown} FROM {name}"),
                    (f"SELECT min({shown}) FROM {name}", f"SELECT max({shown}) FROM {name}"),
                ]
            )
        if one != two and _differ(random, tables, one, two) is not truth:
            return one, {"schema": _declared(tables), "same-as": two}


FAMILIES: Final = (
    *families("sql", _names_that_are_bound, _only_read, _same_as_another),
    *families("sql", _conditions_that_always_hold, is_false_open=True),
)
