"""Makes up schemas, queries, flawed queries and pairs of queries, the same ones for a seed every time."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from random import Random

_TYPES = {"number": ("INTEGER", "REAL"), "text": ("TEXT", "VARCHAR(20)")}
_COLUMNS = {"id": "number", "age": "number", "total": "number", "name": "text", "city": "text", "note": "text"}
_TABLES = ("users", "orders", "items")
FLAWS = (
    "column",
    "table",
    "function",
    "ambiguous",
    "aggregate",
    "columns",
    "write",
    "several",
    "sleep",
    "cross",
    "always",
)


@dataclass(frozen=True)
class Source:
    """Something that a query reads from, as it is called there, with the kinds of its columns."""

    text: str
    name: str
    columns: dict[str, str]


class Maker:
    """Makes up everything for one seed; two makers of a seed and unlike styles write one query in two ways."""

    def __init__(self, seed: int, style: int = 0) -> None:
        self.random = Random(seed)
        self.style = Random(seed + 7_919 * style) if style else None
        self.tables = {table: {c: k for c, k in _COLUMNS.items() if c == "id" or self.chance(0.6)} for table in _TABLES}

    def chance(self, part: float) -> bool:
        """Return whether something happens that does so this often."""
        return self.random.random() < part

    def turned(self) -> bool:
        """Return whether this style writes the next thing in the other way."""
        return self.style is not None and self.style.random() < 0.5

    @property
    def schema(self) -> str:
        """Return the tables as statements."""
        kinds = {kind: self.random.choice(types) for kind, types in _TYPES.items()}
        told = []
        for table, columns in self.tables.items():
            typed = [f"{c} {kinds[k]}" if c != "id" else "id INTEGER PRIMARY KEY" for c, k in columns.items()]
            told.append(f"CREATE TABLE {table} ({', '.join(typed)})")
        return ";\n".join(told)

    def source(self, number: int, depth: int) -> Source:
        """Return a table or a derived table."""
        table = self.random.choice(_TABLES)
        name = f"{'x' if self.style else 't'}{depth}{number}"
        columns = self.tables[table]
        if depth < 2 and self.chance(0.15):
            kept = [c for c in columns if c == "id" or self.chance(0.7)]
            where = f" WHERE {self.condition([Source(table, table, columns)], 9)}" if self.chance(0.5) else ""
            return Source(f"(SELECT {', '.join(kept)} FROM {table}{where}) {name}", name, {c: columns[c] for c in kept})
        return Source(f"{table} AS {name}" if self.turned() else f"{table} {name}", name, columns)

    def column(self, sources: list[Source], kind: str = "") -> str:
        """Return a column of the sources."""
        found = [f"{s.name}.{c}" for s in sources for c, k in s.columns.items() if kind in ("", k)]
        return self.random.choice(found) if found else {"number": "3", "text": "'b'"}[kind]

    def value(self, sources: list[Source], kind: str) -> str:
        """Return an expression of a kind."""
        if self.chance(0.6):
            return self.column(sources, kind)
        if kind == "text":
            return self.random.choice(["'a'", "'b'", f"UPPER({self.column(sources, 'text')})"])
        left, right = self.column(sources, "number"), self.random.choice("1234")
        return self.random.choice(
            [right, f"{right} + {left}" if self.turned() else f"{left} + {right}", f"ABS({left})"]
        )

    def condition(self, sources: list[Source], depth: int) -> str:
        """Return a condition."""
        pick = self.random.random()
        if depth < 3 and pick < 0.3:
            word = self.random.choice([" AND ", " OR "])
            sides = [f"({self.condition(sources, depth + 1)})", f"({self.condition(sources, depth + 1)})"]
            return word.join(reversed(sides) if self.turned() else sides)
        kind = self.random.choice(["number", "text"])
        left = self.column(sources, kind)
        constants = ["'a'", "'b'", "'c'"] if kind == "text" else ["1", "2", "3"]
        if pick < 0.4:
            low, high = constants[0], constants[2]
            return f"{left} >= {low} AND {left} <= {high}" if self.turned() else f"{left} BETWEEN {low} AND {high}"
        if pick < 0.5:
            some = [constants[0], constants[1]]
            return f"({left} = {some[1]} OR {left} = {some[0]})" if self.turned() else f"{left} IN ({', '.join(some)})"
        if pick < 0.58:
            return f"{left} IS NOT NULL" if self.chance(0.5) else f"{left} IS NULL"
        if depth < 2 and pick < 0.7:
            inner = self.source(0, depth + 5)
            outer, mine = self.column(sources, "number"), self.column([inner], "number")
            more = f" AND {self.condition([inner], 9)}" if self.chance(0.5) else ""
            if self.chance(0.5):
                return f"EXISTS (SELECT {'*' if self.turned() else '1'} FROM {inner.text} WHERE {mine} = {outer}{more})"
            where = f" WHERE {self.condition([inner], 9)}" if more else ""
            return f"{outer} IN (SELECT {mine} FROM {inner.text}{where})"
        if pick < 0.78:
            test = f"{left} = {constants[1]}"
            return f"{left} <> {constants[1]}" if self.turned() else f"NOT ({test})"
        sign = self.random.choice(["=", "<", ">", "<=", ">=", "<>"])
        right = self.random.choice([*constants, self.value(sources, kind)])
        if self.turned():
            return f"{right} {sign.translate(str.maketrans('<>', '><')) if sign != '<>' else sign} {left}"
        return f"{left} {sign} {right}"

    def query(self, width: int = 0) -> str:
        """Return a query that has no flaw; with a width, one of so many columns that are numbers."""
        sources = [self.source(0, 0)]
        text = sources[0].text
        joined = ""
        if self.chance(0.5):
            sources.append(self.source(1, 0))
            tie = [self.column([each], "number") for each in sources]
            side = "LEFT JOIN" if self.chance(0.3) else "JOIN"
            if side == "JOIN" and self.turned():
                text, joined = f"{sources[1].text}, {text}", " = ".join(reversed(tie))
            else:
                text = f"{text} {side} {sources[1].text} ON {' = '.join(tie)}"
        where = [joined] if joined else []
        if self.chance(0.7):
            where.insert(0, f"({self.condition(sources, 0)})")
        clause = f" WHERE {' AND '.join(where)}" if where else ""
        if self.chance(0.3):
            key = self.column(sources)
            sums = [f"COUNT({'1' if self.turned() else '*'})", f"SUM({self.column(sources, 'number')})", f"MIN({key})"]
            items = [key, *sums[: self.random.randrange(1, 3)]] if not width else [sums[0]] * width
            having = f" HAVING COUNT(*) > {self.random.choice('12')}" if self.chance(0.4) else ""
            return f"SELECT {', '.join(items)} FROM {text}{clause} GROUP BY {key}{having}"
        kinds = [self.random.choice(["number", "text"]) for _ in range(self.random.randrange(1, 4))]
        items = [self.value(sources, kind) for kind in (["number"] * width or kinds)]
        distinct = "DISTINCT " if self.chance(0.2) else ""
        return f"SELECT {distinct}{', '.join(items)} FROM {text}{clause}"

    def whole(self) -> str:
        """Return a query that has no flaw, of any kind."""
        pick = self.random.random()
        if pick < 0.1:
            word = self.random.choice(["UNION", "UNION ALL", "INTERSECT", "EXCEPT"])
            return f"{self.query(2)} {word} {self.query(2)}"
        if pick < 0.2:
            name = self.random.choice("pqr")
            return f"WITH {name} (one, two) AS ({self.query(2)}) SELECT two, {name}.one FROM {name} WHERE one > 1"
        return self.query()

    def flawed(self, flaw: str) -> str:
        """Return a query with one flaw."""
        query = self.query()
        table = self.random.choice(_TABLES)
        column = self.random.choice(list(self.tables[table]))
        number = self.random.randrange(2, 9)
        return {
            "column": self.random.choice(
                [
                    f"SELECT nosuch{number} FROM {table}",
                    f"SELECT * FROM {table} t WHERE t.nosuch > {number}",
                    f"SELECT {column} FROM {table} ORDER BY nosuch",
                    f"SELECT COUNT(*) FROM {table} GROUP BY nosuch",
                    f"SELECT {column} FROM {table} WHERE id IN (SELECT nosuch FROM users)",
                    f"SELECT 1 FROM {table} t WHERE EXISTS (SELECT 1 FROM items i WHERE i.id = t.nosuch)",
                    f"WITH c AS (SELECT id FROM {table}) SELECT nosuch FROM c",
                    f"SELECT d.nosuch FROM (SELECT id AS a FROM {table}) d",
                    f"SELECT t.id FROM {table} t JOIN items i ON i.nosuch = t.id",
                    f"SELECT SUM(id) OVER (PARTITION BY nosuch) FROM {table}",
                    f"SELECT id FROM {table} JOIN items USING (nosuch)",
                ]
            ),
            "table": self.random.choice(
                [f"SELECT * FROM nosuch{number}", f"SELECT z.id FROM {table} t", f"SELECT z.* FROM {table}"]
            ),
            "function": f"SELECT no_such_{number}({column}) FROM {table}",
            "ambiguous": f"SELECT id FROM {table} a JOIN {self.random.choice(_TABLES)} b ON a.id = b.id",
            "aggregate": f"SELECT id FROM {table} WHERE {self.random.choice(['COUNT(*)', 'SUM(id)'])} > {number}",
            "columns": self.random.choice(
                [f"{self.query(2)} UNION {self.query(3)}", f"SELECT 1 FROM {table} WHERE id IN ({self.query(2)})"]
            ),
            "write": self.random.choice(
                [
                    f"DELETE FROM {table}",
                    f"UPDATE {table} SET id = 1",
                    f"DROP TABLE {table}",
                    f"INSERT INTO {table} {query}",
                ]
            ),
            "several": f"{query}; {self.random.choice([query, f'DROP TABLE {table}'])}",
            "sleep": self.random.choice(
                [
                    f"SELECT pg_sleep({number}) FROM {table}",
                    f"SELECT zeroblob({number}00000000)",
                    f"SELECT SLEEP({number})",
                ]
            ),
            "cross": f"SELECT COUNT(*) FROM {', '.join(f'{table} c{n}' for n in range(3 + number % 3))}",
            "always": f"SELECT id FROM {table} WHERE id = {number} OR "
            + self.random.choice(
                [
                    f"{number} = {number}",
                    f"{column} = {column}",
                    f"id >= {number} OR id < {number}",
                    "'x' LIKE 'x'",
                    f"{number} IN ({number}, 1)",
                    "EXISTS (SELECT 1)",
                    "NULL IS NULL",
                    f"LENGTH('abc') = {3}",
                    f"NOT (id > {number} AND id < {number})",
                    f"{column} IS NULL OR {column} IS NOT NULL",
                ]
            ),
        }[flaw]


def is_prepared(schema: str, query: str) -> bool:
    """Return whether SQLite itself takes a query."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(schema)
        try:
            database.execute(f"EXPLAIN {query}")
        except (sqlite3.Error, sqlite3.Warning):
            return False
    return True


def differ(schema: str, tables: dict[str, dict[str, str]], one: str, other: str, seed: int) -> bool:
    """Return whether two queries give unlike rows, as bags, on some of forty databases."""
    random = Random(seed)
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(schema)
        for _ in range(40):
            for table, columns in tables.items():
                database.execute(f"DELETE FROM {table}")
                for number in range(random.randrange(5)):
                    row = [number if c == "id" else _cell(random, kind) for c, kind in columns.items()]
                    database.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)
            if Counter(database.execute(one)) != Counter(database.execute(other)):
                return True
    return False


def _cell(random: Random, kind: str) -> object:
    if random.random() < 0.25:
        return None
    return random.choice(["a", "b", "c", "A"] if kind == "text" else [0, 1, 2, 3, 4, -1])
