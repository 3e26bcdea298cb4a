"""Claims about SQL: a query gives the same as another one on every database."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from random import Random

import pytest

from probatum.core.frozen import thaw
from probatum.exact import check, decide
from tests.exact.claims import PROVED, REFUTED, UNDECIDED, claim_of, outcome_of, require_every_digit_counts, ruled
from tests.exact.sql_made_up import Maker, differ

TABLES = """
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, email TEXT, score REAL);
CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER, total REAL, created DATE);
"""
SAME = [
    ("SELECT name FROM users WHERE age > 18", "SELECT u.name FROM users AS u WHERE 18 < u.age"),
    ("SELECT name FROM users WHERE age BETWEEN 1 AND 5", "SELECT name FROM users WHERE age <= 5 AND age >= 1"),
    ("SELECT name FROM users WHERE NOT (age > 5 OR id = 1)", "SELECT name FROM users WHERE age <= 5 AND id <> 1"),
    ("SELECT name FROM users WHERE 1 = 1", "SELECT name FROM users"),
    (
        "SELECT name FROM users WHERE age > 2 AND age > 5 AND 7 >= age AND age < 7",
        "SELECT name FROM users WHERE age > 5 AND age < 7",
    ),
    ("SELECT name FROM users WHERE age > 2 OR age >= 2 OR age < 1", "SELECT name FROM users WHERE 1 > age OR age >= 2"),
    ("SELECT name FROM users WHERE age <> 3", "SELECT name FROM users WHERE age < 3 OR age > 3"),
    ("SELECT name FROM users WHERE NOT (age > 2 OR age > 5)", "SELECT name FROM users WHERE age <= 2"),
    ("SELECT * FROM users", "SELECT id, name, age, email, score FROM users"),
    ("SELECT id FROM users WHERE name IN ('a', 'b')", "SELECT id FROM users WHERE name = 'b' OR name = 'a'"),
    ("SELECT id FROM users WHERE age NOT IN (1, 2)", "SELECT id FROM users WHERE age <> 2 AND age <> 1"),
    (
        "SELECT u.name, o.total FROM users u JOIN orders o ON o.user_id = u.id",
        "SELECT users.name, orders.total FROM orders, users WHERE users.id = orders.user_id",
    ),
    (
        "SELECT a.id FROM users a JOIN users b ON a.age = b.id",
        "SELECT y.id FROM users x JOIN users y ON y.age = x.id",
    ),
    ("SELECT DISTINCT age FROM users", "SELECT age FROM users GROUP BY age"),
    ("SELECT age, COUNT(*) FROM users GROUP BY age", "SELECT age AS a, COUNT(1) AS n FROM users GROUP BY 1"),
    ("SELECT name FROM users ORDER BY age", "SELECT name FROM users ORDER BY users.age"),
    (
        "SELECT id FROM users INTERSECT SELECT user_id FROM orders",
        "SELECT user_id FROM orders INTERSECT SELECT id FROM users",
    ),
    ("SELECT id FROM users WHERE COALESCE(age, 0) > 1", "SELECT id FROM users WHERE IFNULL(age, 0) > 1"),
    (
        "SELECT (SELECT COUNT(*) FROM orders o WHERE o.user_id = u.id) FROM users u",
        "SELECT (SELECT COUNT(*) FROM orders WHERE orders.user_id = users.id) FROM users",
    ),
    (
        "SELECT u.id FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.total > 1",
        "SELECT a.id FROM users a LEFT JOIN orders b ON 1 < b.total AND a.id = b.user_id",
    ),
]
DIFFERENT = [
    ("SELECT COUNT(age) FROM users", "SELECT COUNT(*) FROM users"),
    ("SELECT id FROM users WHERE age > 2 AND age > 5", "SELECT id FROM users WHERE age > 2"),
    ("SELECT id FROM users WHERE age < 3 OR age > 3", "SELECT id FROM users"),
    (
        "SELECT name FROM users UNION SELECT email FROM users",
        "SELECT name FROM users UNION ALL SELECT email FROM users",
    ),
    (
        "SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM orders)",
        "SELECT id FROM users u WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id)",
    ),
    (
        "SELECT u.id FROM users u LEFT JOIN orders o ON o.user_id = u.id AND o.total > 1",
        "SELECT u.id FROM users u LEFT JOIN orders o ON o.user_id = u.id WHERE o.total > 1",
    ),
    (
        "SELECT u.id FROM users u JOIN orders o ON o.user_id = u.id",
        "SELECT id FROM users WHERE id IN (SELECT user_id FROM orders)",
    ),
    ("SELECT age AND age FROM users", "SELECT age FROM users"),
    (
        "SELECT id FROM users WHERE EXISTS (SELECT DISTINCT COUNT(*) FROM orders WHERE total > 1)",
        "SELECT id FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE total > 1)",
    ),
    ("SELECT name FROM users WHERE email = NULL", "SELECT name FROM users WHERE email IS NULL"),
    ("SELECT DISTINCT age FROM users", "SELECT age FROM users"),
    ("SELECT id FROM users WHERE age > 3", "SELECT id FROM users WHERE age >= 3"),
    ("SELECT id, name FROM users", "SELECT name, id FROM users"),
    ("SELECT id FROM users", "SELECT id, name FROM users"),
    ("SELECT a.id FROM users a JOIN users b ON a.age = b.id", "SELECT x.id FROM users x JOIN users y ON y.age = x.id"),
    ("SELECT SUM(id) FROM users", "SELECT COALESCE(SUM(id), 0) FROM users"),
    ("SELECT id FROM users WHERE name = 'x'", "SELECT id FROM users WHERE name LIKE 'x'"),
    ("SELECT SUM(age) FROM users", "SELECT COALESCE(SUM(age), 0) FROM users"),
    ("SELECT id FROM users WHERE name LIKE 'a%'", "SELECT id FROM users WHERE name LIKE '%a'"),
    ("SELECT id FROM users WHERE age = age", "SELECT id FROM users"),
    ("SELECT MAX(age) FROM users", "SELECT MIN(age) FROM users"),
    ("SELECT COUNT(DISTINCT age) FROM users", "SELECT COUNT(age) FROM users"),
    (
        "SELECT id FROM users WHERE id = 1 AND age = 2 OR name = 'a'",
        "SELECT id FROM users WHERE id = 1 AND (age = 2 OR name = 'a')",
    ),
]
OPEN = [
    ("SELECT COUNT(id) FROM users", "SELECT COUNT(*) FROM users"),
    ("SELECT id FROM users WHERE name IS NOT NULL", "SELECT id FROM users"),
    ("SELECT id FROM users ORDER BY id LIMIT 5 OFFSET 0", "SELECT id FROM users ORDER BY id LIMIT 5"),
    (
        "SELECT x.n FROM (SELECT (SELECT COUNT(*) FROM orders o WHERE o.user_id = u.id) AS n FROM users u) x",
        "SELECT (SELECT COUNT(*) FROM orders o WHERE o.user_id = u.id) FROM users u",
    ),
    (
        "SELECT id FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > 5)",
        "SELECT id FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.total > 5)",
    ),
    ("WITH a AS (SELECT id, age FROM users) SELECT id FROM a WHERE age > 3", "SELECT id FROM users WHERE age > 3"),
    (
        "SELECT x.id FROM (SELECT id, age FROM users WHERE age > 1) x WHERE x.age < 9",
        "SELECT id FROM users WHERE age < 9 AND 1 < age",
    ),
    ("SELECT name FROM users ORDER BY id LIMIT 5", "SELECT u.name FROM users u ORDER BY u.id LIMIT 5"),
    ("SELECT name FROM users ORDER BY id LIMIT 5", "SELECT name FROM users ORDER BY id DESC LIMIT 5"),
    ("SELECT name FROM users ORDER BY id", "SELECT name FROM users ORDER BY id DESC"),
    (
        "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n < 3) SELECT n FROM r",
        "WITH a(n) AS (SELECT 1), r(n) AS (SELECT n FROM a UNION SELECT n + 1 FROM a WHERE n < 3) SELECT n FROM r",
    ),
    ("SELECT name FROM users LIMIT 5", "SELECT name FROM users LIMIT 5"),
    ("SELECT name FROM users ORDER BY age LIMIT 5", "SELECT name FROM users ORDER BY age LIMIT 5"),
    ("SELECT random() FROM users", "SELECT random() FROM users"),
    ("SELECT name COLLATE NOCASE FROM users", "SELECT name COLLATE NOCASE FROM users"),
    ("SELECT name FROM users WHERE id = ?", "SELECT name FROM users WHERE id = ?"),
    ("SELECT name FROM users ORDER BY id", "SELECT name FROM users"),
    ("SELECT name FROM users ORDER BY age", "SELECT name FROM users ORDER BY age DESC"),
    ("SELECT id FROM users WHERE age > 3", "SELECT id FROM users WHERE age >= 4"),
    ("SELECT id FROM users WHERE name > '2' AND name > '5'", "SELECT id FROM users WHERE name > '5'"),
    ("SELECT id FROM users WHERE age + 1 > 5", "SELECT id FROM users WHERE age > 4"),
    (
        "SELECT id FROM users WHERE age = (SELECT total FROM orders ORDER BY id)",
        "SELECT id FROM users WHERE age = (SELECT total FROM orders ORDER BY total)",
    ),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_queries_of_one_form_are_proved_the_same(one: str, other: str) -> None:
    assert outcome_of("sql", one, schema=TABLES, same_as=other) == (PROVED, "sql.equivalent")
    assert outcome_of("sql", other, schema=TABLES, same_as=one) == (PROVED, "sql.equivalent")


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_queries_are_told_apart_by_a_database(one: str, other: str) -> None:
    ruling = ruled("sql", one, schema=TABLES, same_as=other)
    assert (ruling.outcome, ruling.constraint) == (REFUTED, "sql.not_equivalent")
    rows = [_rows_in(thaw(ruling.evidence)["database"], query) for query in (one, other)]
    in_order = all("ORDER BY" in query for query in (one, other))
    assert rows[0] != rows[1] if in_order else Counter(rows[0]) != Counter(rows[1])


def _rows_in(tables: dict[str, dict[str, list[list[str]]]], query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(TABLES)
        for name, table in tables.items():
            for row in table["rows"]:
                database.execute(f"INSERT INTO {name} VALUES ({', '.join(row)})")
        return database.execute(query).fetchall()


@pytest.mark.parametrize(("one", "other"), OPEN)
def test_what_is_left_open_is_not_decided(one: str, other: str) -> None:
    assert outcome_of("sql", one, schema=TABLES, same_as=other) == (UNDECIDED, "sql.equivalence_open")


@pytest.mark.parametrize("place", [0, 1])
def test_both_queries_have_to_be_bound_and_safe(place: int) -> None:
    for flawed, flaw in (("SELECT nosuch FROM users", "unknown_column"), ("DROP TABLE users", "not_read_only")):
        both = [flawed, "SELECT id FROM users"] if place == 0 else ["SELECT id FROM users", flawed]
        assert outcome_of("sql", both[0], schema=TABLES, same_as=both[1]) == (REFUTED, f"sql.{flaw}")


@pytest.mark.parametrize("dialect", ["postgres", "mysql"])
def test_queries_of_other_dialects_are_not_compared(dialect: str) -> None:
    schema = "CREATE TABLE users (id INT PRIMARY KEY, name VARCHAR(20), age INT)"
    for one, other in (("age > 18", "18 < age"), ("age > 18", "age >= 18")):
        queries = [f"SELECT name FROM users WHERE {each}" for each in (one, other)]
        told = outcome_of("sql", queries[0], schema=schema, same_as=queries[1], dialect=dialect)
        assert told == (UNDECIDED, "sql.equivalence_open")


def test_a_table_with_collations_is_not_compared() -> None:
    schema = "CREATE TABLE a (x TEXT COLLATE NOCASE, y TEXT)"
    assert outcome_of("sql", "SELECT 1 FROM a WHERE x = y", schema=schema, same_as="SELECT 1 FROM a WHERE y = x") == (
        UNDECIDED,
        "sql.equivalence_open",
    )


def test_a_certificate_shows_the_one_form() -> None:
    claim = claim_of("sql", SAME[0][0], schema=TABLES, same_as=SAME[0][1])
    certificate = thaw(decide(claim).evidence)
    assert certificate == {
        "form": "same",
        "queries": ["SELECT name FROM users WHERE age > 18", "SELECT u.name FROM users AS u WHERE 18 < u.age"],
        "canonical": "(select ( ) ((column 1.0 name)) ((table users)) () "
        "(lt (number 18) (column 1.0 age) numbers) () () ())",
    }
    require_every_digit_counts(claim)
    with pytest.raises(ValueError):
        check(claim_of("sql", SAME[0][0], schema=TABLES, same_as=SAME[1][0]), certificate)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_made_up_pairs_are_judged_as_databases_judge_them(first: int) -> None:
    for seed in range(first, first + 10):
        makers = Maker(seed), Maker(seed, style=1)
        schema = makers[0].schema
        assert makers[1].schema == schema
        one, other = (each.whole() for each in makers)
        assert not differ(schema, makers[0].tables, one, other, seed)
        assert outcome_of("sql", one, schema=schema, same_as=other) == (PROVED, "sql.equivalent"), (one, other)
        changed = _changed(other, Random(seed))
        outcome = outcome_of("sql", one, schema=schema, same_as=changed)[0]
        assert outcome is not PROVED or not differ(schema, makers[0].tables, one, changed, seed), (one, changed)


def _changed(query: str, random: Random) -> str:
    changes = [
        (">=", ">"),
        (" > ", " >= "),
        ("DISTINCT ", ""),
        ("LEFT JOIN", "JOIN"),
        (" OR ", " AND "),
        ("= 1", "= 2"),
    ]
    old, new = random.choice([each for each in changes if each[0] in query] or [("SELECT", "SELECT DISTINCT")])
    return query.replace(old, new, 1)
