"""Claims about SQL: a query is sound for the tables that are declared."""

from __future__ import annotations

import pytest

from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import thaw
from probatum.exact import check, decide
from probatum.exact.sql.reading import RefutedError, read_query
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)
from tests.exact.sql_made_up import FLAWS, Maker, is_prepared

TABLES = """
CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER, email TEXT, balance REAL,
    CHECK (balance >= 0));
CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users(id), total REAL, created DATE);
"""
SOUND = [
    "SELECT * FROM users",
    "select NAME from USERS;",
    "SELECT COUNT(*) FROM users",
    "SELECT name FROM users WHERE name LIKE '%a%' COLLATE NOCASE ORDER BY name COLLATE NOCASE",
    "SELECT name, COUNT(*) FROM users GROUP BY name",
    "SELECT x.name FROM (SELECT name FROM users) x",
    "SELECT * FROM users WHERE id IN (SELECT user_id FROM orders)",
    "SELECT (SELECT 1) = 1",
    "SELECT * FROM users WHERE age = (SELECT MAX(age) FROM users)",
    "SELECT name FROM users u WHERE age > (SELECT AVG(age) FROM users v WHERE v.name = u.name)",
    "SELECT name FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > ?)",
    "SELECT u.name, o.total FROM users u JOIN orders o ON o.user_id = u.id WHERE o.total > 9 ORDER BY 2 DESC LIMIT 5",
    "SELECT u.name, COUNT(o.id) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id GROUP BY u.id, u.name "
    "HAVING COUNT(o.id) > 2 ORDER BY n DESC",
    "SELECT id, total FROM users JOIN orders USING (id)",
    "SELECT id FROM users NATURAL JOIN orders",
    "WITH old AS (SELECT id, name FROM users WHERE age > 60) SELECT name FROM old WHERE id < 100",
    "WITH c (a, b) AS (SELECT id, age FROM users) SELECT a FROM c WHERE b > 1",
    "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 10) SELECT n FROM r",
    "SELECT name FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.user_id = u.id AND o.total > 5)",
    "SELECT name, RANK() OVER (PARTITION BY age ORDER BY id) FROM users",
    "SELECT name FROM users UNION SELECT email FROM users ORDER BY name",
    "SELECT CASE WHEN age > 18 THEN 'adult' ELSE 'minor' END AS g, COUNT(*) FROM users GROUP BY g",
    "SELECT * FROM users WHERE 1 = 1 AND age > 5",
    "SELECT * FROM users WHERE email IS NULL OR age > 5",
    "SELECT * FROM users WHERE age = 1 OR name = 'b' OR email LIKE 'c%' OR id = 7",
    "SELECT * FROM users WHERE name = ? AND age > :least",
    "SELECT name FROM users -- everybody",
    "SELECT update_count FROM (SELECT COUNT(*) AS update_count FROM orders) d",
    "SELECT 'DROP TABLE users; --' FROM users",
    "SELECT a.name FROM users a, users b WHERE a.id = b.age",
    "SELECT name FROM users WHERE (id, age) IN (SELECT user_id, total FROM orders)",
    "SELECT COALESCE(email, 'none'), IFNULL(age, 0), NULLIF(age, 1), IIF(age > 5, 'a', 'b') FROM users",
    "SELECT strftime('%Y', created), SUM(total) FROM orders GROUP BY 1",
    "SELECT name FROM users WHERE email LIKE '%@example.com' AND age BETWEEN 18 AND 65",
]
FLAWED = [
    ("SELECT nosuch FROM users", "unknown_column"),
    ("SELECT u.total FROM users u JOIN orders o ON o.user_id = u.id", "unknown_column"),
    ("SELECT * FROM users u JOIN orders o ON o.bogus = u.id", "unknown_column"),
    ("SELECT name FROM users ORDER BY bogus", "unknown_column"),
    ("SELECT name FROM users GROUP BY bogus", "unknown_column"),
    ("SELECT name FROM users GROUP BY name HAVING bogus > 1", "unknown_column"),
    ("SELECT name FROM users u WHERE EXISTS (SELECT 1 FROM orders o WHERE o.bogus = u.id)", "unknown_column"),
    ("SELECT name FROM users WHERE id IN (SELECT bogus FROM orders)", "unknown_column"),
    ("WITH c AS (SELECT bogus FROM users) SELECT * FROM c", "unknown_column"),
    ("WITH c AS (SELECT id FROM users) SELECT name FROM c", "unknown_column"),
    ("SELECT x.age FROM (SELECT name FROM users) x", "unknown_column"),
    ("SELECT SUM(age) OVER (PARTITION BY bogus) FROM users", "unknown_column"),
    ("SELECT * FROM users JOIN orders USING (nope)", "unknown_column"),
    ("SELECT * FROM nousers", "unknown_table"),
    ("SELECT x.id FROM users u", "unknown_table"),
    ("SELECT users.id FROM users u", "unknown_table"),
    ("SELECT x.* FROM users", "unknown_table"),
    ("SELECT id FROM users u JOIN orders o ON o.user_id = u.id", "ambiguous_column"),
    ("SELECT 1 FROM users a, users b WHERE name = 'x' AND a.id = b.id", "ambiguous_column"),
    ("SELECT a.id FROM users a JOIN orders a ON 1 = 1", "ambiguous_column"),
    ("WITH c AS (SELECT 1), c AS (SELECT 2) SELECT * FROM c", "ambiguous_table"),
    ("SELECT no_such_fn(name) FROM users", "unknown_function"),
    ("SELECT LENGTH(name, 1) FROM users", "wrong_arguments"),
    ("SELECT name FROM users WHERE COUNT(*) > 1", "misplaced_aggregate"),
    ("SELECT SUM(COUNT(*)) FROM users", "misplaced_aggregate"),
    ("SELECT name FROM users UNION SELECT id, total FROM orders", "column_count"),
    ("SELECT name FROM users WHERE id IN (SELECT id, total FROM orders)", "column_count"),
    ("SELECT name FROM users ORDER BY 3", "column_count"),
    ("DROP TABLE users", "not_read_only"),
    ("INSERT INTO users VALUES (1, 'a', 2, 'x', 3)", "not_read_only"),
    ("UPDATE users SET name = 'x'", "not_read_only"),
    ("WITH c AS (SELECT 1) DELETE FROM users", "not_read_only"),
    ("PRAGMA writable_schema = 1", "not_read_only"),
    ("ATTACH DATABASE '/tmp/x' AS x", "not_read_only"),
    ("EXPLAIN SELECT 1", "not_read_only"),
    ("SELECT * INTO copies FROM users", "not_read_only"),
    ("SELECT * FROM users FOR UPDATE", "not_read_only"),
    ("SELECT 1; DROP TABLE users", "several_statements"),
    ("SELECT name FROM users; SELECT 1", "several_statements"),
    ("SELECT pg_sleep(10)", "dangerous"),
    ("SELECT SLEEP(5)", "dangerous"),
    ("SELECT BENCHMARK(1000000000, MD5('a'))", "dangerous"),
    ("SELECT * FROM users /*!50000 WHERE SLEEP(5)*/", "dangerous"),
    ("SELECT query_to_xml('delete from users', true, true, '')", "dangerous"),
    ("SELECT zeroblob(2000000000)", "dangerous"),
    ("SELECT load_extension('x')", "dangerous"),
    ("SELECT readfile('/etc/passwd')", "dangerous"),
    ("SELECT * FROM generate_series(1, 1000000000)", "dangerous"),
]
ALWAYS = (
    "id = id",
    "1 IN (1, 2)",
    "'x' LIKE 'x'",
    "NULL IS NULL",
    "EXISTS (SELECT 1)",
    "EXISTS (SELECT COUNT(*) FROM orders)",
    "age >= 0 OR age < 0",
    "age < 3 OR age > 1",
    "LENGTH('a') = 1",
    "1 = 1",
    "TRUE",
    "NOT (age < 5 AND age >= 5)",
    "age * 0 = 0",
    "age IS NULL OR age IS NOT NULL",
    "COALESCE(age, 0) = COALESCE(age, 0)",
    "ABS(age) >= 0",
    "name LIKE '%'",
    "name = 'a' OR name <> 'a'",
    "name IS NOT NULL",
    "balance >= 0",
    "age <> 5.5",
    "id IN (SELECT id FROM users)",
    "EXISTS (SELECT 1 FROM users u WHERE u.id = users.id)",
    "id >= (SELECT MIN(id) FROM users)",
    "id IN (SELECT u.id FROM users u WHERE u.name = users.name)",
    "(SELECT COUNT(*) FROM users u WHERE u.id = users.id) = 1",
    "(SELECT u.name FROM users u WHERE u.id = users.id) = name",
    "id IN (WITH c AS (SELECT id FROM users) SELECT id FROM c)",
    "id IN (SELECT id FROM users UNION SELECT user_id FROM orders)",
    "NOT EXISTS (SELECT 1 FROM users u WHERE u.id = users.id AND u.name <> users.name)",
    "REPLACE(name, 'x', 'x') = name",
    "ROUND(id) = id",
    "MAX(id, 0) >= 0",
    "id & 0 = 0",
    "TYPEOF(id) = 'integer'",
    "name COLLATE NOCASE = name",
    "CAST(id AS TEXT) = CAST(id AS TEXT) || ''",
    "?",
    "(SELECT COUNT(*) FROM orders o WHERE o.user_id = users.id) >= 0",
)
LEFT_OPEN = [
    *((f"SELECT * FROM users WHERE name = 'x' OR {each}", "always_true") for each in ALWAYS),
    ("SELECT * FROM users WHERE 1 = 1", "always_true"),
    ("SELECT name FROM users GROUP BY name HAVING COUNT(*) >= 0", "always_true"),
    ("WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT n FROM r", "runaway"),
    ("WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + 1 FROM r WHERE n > 0) SELECT n FROM r", "runaway"),
    ("SELECT COUNT(*) FROM users a, users b, users c, users d", "runaway"),
    ("SELECT COUNT(*) FROM users a CROSS JOIN users b CROSS JOIN orders c", "runaway"),
    ("SELECT name FROM users WHERE name LIKE '%a%a%a%a%a%a%a%a%'", "runaway"),
    (
        "WITH a AS (SELECT x.age FROM users x JOIN users y ON x.age = y.age JOIN users z ON z.age = x.age), "
        "b AS (SELECT x.age FROM a x JOIN a y ON x.age = y.age JOIN a z ON z.age = x.age), "
        "c AS (SELECT x.age FROM b x JOIN b y ON x.age = y.age JOIN b z ON z.age = x.age) "
        "SELECT x.age FROM c x JOIN c y ON x.age = y.age",
        "runaway",
    ),
    # What runs for every row multiplies, too; an equality of three tables ties no two of them.
    ("SELECT (SELECT COUNT(*) FROM users b, users c WHERE b.id > a.id) FROM users a, users d", "runaway"),
    ("SELECT 1 FROM users a WHERE EXISTS (SELECT 1 FROM users b, users c WHERE a.id = b.id + c.id)", "runaway"),
    ("SELECT REPLACE(REPLACE(REPLACE(name, 'a', name), 'a', name), 'a', name) FROM users", "runaway"),
    (f"SELECT {' || '.join(['name'] * 40)} FROM users", "runaway"),
    ("SELECT id FROM users WHERE name LIKE '%a%' || '%b%' || '%c%' || '%d%'", "runaway"),
    ("SELECT name FROM users WHERE name = 5", "type_mismatch"),
    ("SELECT name, COUNT(*) FROM users", "not_grouped"),
    ('SELECT "nosuch" FROM users', "beyond"),
    ("SELECT 1 FROM users a JOIN orders a ON a.age > 1", "beyond"),
    ("SELECT * FROM sqlite_master", "beyond"),
    ("SELECT rowid FROM users", "beyond"),
    ("VALUES (1, 2)", "beyond"),
]
UNREADABLE = [
    ("", TABLES, "sql.syntax"),
    ("SELECT", TABLES, "sql.syntax"),
    ("SELEC * FROM users", TABLES, "sql.syntax"),
    ("SELECT name, FROM users", TABLES, "sql.syntax"),
    ("SELECT id,, name FROM users", TABLES, "sql.syntax"),
    ("SELECT , id FROM users", TABLES, "sql.syntax"),
    ("SELECT name FROM users WHERE", TABLES, "sql.syntax"),
    ("SELECT 'open FROM users", TABLES, "sql.syntax"),
    ("SELECT 1", "", "sql.schema"),
    ("SELECT 1", "DROP TABLE x", "sql.schema"),
    ("SELECT 1", "CREATE TABLE a (x INT); CREATE TABLE a (y INT)", "sql.schema"),
    ("SELECT 1", "CREATE TABLE a (x INT, X INT)", "sql.schema"),
    ("SELECT 1", "CREATE TABLE a AS SELECT 1", "sql.schema"),
]
OTHER_DIALECTS = [
    ("postgres", "SELECT name FROM users WHERE name ILIKE '%a%' AND age > 3", PROVED, "sound"),
    ("postgresql", "SELECT id FROM orders WHERE created >= '2024-01-01' AND created < '2024-02-01'", PROVED, "sound"),
    ("postgres", "SELECT name FROM users WHERE name = 'a' OR name <> 'A'", PROVED, "sound"),
    (
        "postgres",
        "SELECT u.id, u.name, COUNT(*) FROM users u JOIN orders o ON o.user_id = u.id GROUP BY u.id",
        PROVED,
        "sound",
    ),
    (
        "postgres",
        "SELECT id FROM orders WHERE created >= '2024-01-01 00:00' OR created < '2024-01-01'",
        UNDECIDED,
        "always_true",
    ),
    ("postgres", "SELECT pg_sleep(10)", REFUTED, "dangerous"),
    ("postgres", "SELECT id FROM users WHERE id >= (SELECT MIN(id) FROM users)", UNDECIDED, "always_true"),
    ("postgres", "SELECT id FROM users WHERE id IN (SELECT user_id FROM orders WHERE total > $1)", PROVED, "sound"),
    ("mysql", "SELECT id FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE user_id = users.id)", PROVED, "sound"),
    ("postgres", "SELECT COALESCE(name) FROM users", PROVED, "sound"),
    ("postgres", "SELECT SUBSTRING(name FROM 1 FOR 3), POSITION('a' IN name) FROM users", PROVED, "sound"),
    ("postgres", "SELECT STRING_AGG(name, ',' ORDER BY id) FROM users", PROVED, "sound"),
    ("postgres", "SELECT STRING_AGG(DISTINCT name, ',' ORDER BY id) FROM users", UNDECIDED, "beyond"),
    ("postgres", "SELECT name FROM users LIMIT 1 UNION SELECT name FROM users", UNDECIDED, "beyond"),
    ("mysql", "SELECT name FROM users ORDER BY id UNION SELECT name FROM users", UNDECIDED, "beyond"),
    ("mysql", "SELECT id FROM orders WHERE created > '2024-13-45'", UNDECIDED, "type_mismatch"),
    ("mysql", "SELECT id FROM orders WHERE created > '2024-12-31'", PROVED, "sound"),
    ("postgres", "SELECT id FROM users WHERE id = @id", UNDECIDED, "beyond"),
    ("postgres", "SELECT id FROM users LIMIT $1", PROVED, "sound"),
    ("postgres", "SELECT SUBSTR(name) FROM users", UNDECIDED, "wrong_arguments"),
    ("postgres", "SELECT COUNT() FROM users", UNDECIDED, "wrong_arguments"),
    ("mysql", "SELECT ROUND(1, 2, 3)", UNDECIDED, "wrong_arguments"),
    ("mysql", "SELECT REPLACE(name, 'a') FROM users", UNDECIDED, "wrong_arguments"),
    ("postgres", "SELECT id AS 'b' FROM users", UNDECIDED, "beyond"),
    ("postgres", "SELECT 'a' 'b' FROM users", UNDECIDED, "beyond"),
    ("postgres", "SELECT id FROM users WHERE id = 5 OR name::text = name", UNDECIDED, "always_true"),
    ("mysql", "SELECT REPEAT(REPEAT(REPEAT('a', 1000), 1000), 1000) FROM users", UNDECIDED, "runaway"),
    ("postgres", "SELECT name FROM users WHERE name = 5", UNDECIDED, "type_mismatch"),
    ("postgres", "SELECT name FROM users WHERE age = 'x'", UNDECIDED, "type_mismatch"),
    ("postgres", "SELECT name FROM users WHERE age", UNDECIDED, "type_mismatch"),
    ("postgres", "SELECT name, SUM(age) FROM users", UNDECIDED, "not_grouped"),
    ("postgres", "SELECT nosuch FROM users", REFUTED, "unknown_column"),
    ("postgres", 'SELECT "NAME" FROM users', REFUTED, "unknown_column"),
    ("postgres", "SELECT no_such_fn(name) FROM users", UNDECIDED, "unknown_function"),
    ("postgres", "SELECT * FROM nosuch", REFUTED, "unknown_table"),
    ("postgres", "SELECT ctid FROM users", UNDECIDED, "beyond"),
    ("postgres", "SELECT COUNT(u) FROM users u", UNDECIDED, "beyond"),
    ("postgres", "SELECT relname FROM pg_class", UNDECIDED, "beyond"),
    ("postgres", "SELECT REPEAT('a', 1000000000)", UNDECIDED, "runaway"),
    ("mysql", "SELECT `name` FROM users WHERE age > 3 LIMIT 5", PROVED, "sound"),
    ("mysql", "SELECT SLEEP(5)", REFUTED, "dangerous"),
    ("mysql", "SELECT name FROM users WHERE name = 'a' OR name <> 'A'", UNDECIDED, "always_true"),
    ("mysql", "SELECT nosuch FROM users", REFUTED, "unknown_column"),
    ("oracle", "SELECT name FROM users", BLOCKED, "dialect"),
]
LONG = [
    "SELECT * FROM users WHERE " + " OR ".join(f"age = {number}" for number in range(1_000)),
    "SELECT * FROM users WHERE " + "(" * 3_000 + "age = 1" + ")" * 3_000,
    "SELECT * FROM users WHERE " + "NOT " * 3_000 + "age = 1",
    "SELECT " + "- " * 3_000 + "age FROM users",
    "SELECT " + "+".join(["age"] * 3_000) + " FROM users",
    " UNION ".join(["SELECT age FROM users"] * 500),
    "SELECT age FROM users WHERE id IN (" * 200 + "SELECT 1" + ")" * 200,
    "SELECT " + "CASE WHEN age = 1 THEN " * 400 + "1" + " END" * 400 + " FROM users",
    "WITH c0 AS (SELECT id FROM users), "
    + ", ".join(f"c{n} AS (SELECT a.id FROM c{n - 1} a JOIN c{n - 1} b ON a.id = b.id)" for n in range(1, 60))
    + " SELECT id FROM c59",
]


@pytest.mark.parametrize("query", SOUND)
def test_a_sound_query_is_proved(query: str) -> None:
    assert outcome_of("sql", query, schema=TABLES) == (PROVED, "sql.sound")


@pytest.mark.parametrize(("query", "flaw"), FLAWED)
def test_a_flawed_query_is_refuted(query: str, flaw: str) -> None:
    assert outcome_of("sql", query, schema=TABLES) == (REFUTED, f"sql.{flaw}")


@pytest.mark.parametrize(("query", "reason"), LEFT_OPEN)
def test_what_may_be_harmful_is_not_proved(query: str, reason: str) -> None:
    assert outcome_of("sql", query, schema=TABLES) == (UNDECIDED, f"sql.{reason}")


@pytest.mark.parametrize(("query", "schema", "code"), UNREADABLE)
def test_what_cannot_be_read_is_blocked(query: str, schema: str, code: str) -> None:
    assert outcome_of("sql", query, schema=schema) == (BLOCKED, code)


@pytest.mark.parametrize(("dialect", "query", "outcome", "constraint"), OTHER_DIALECTS)
def test_a_dialect_is_read_as_it_is(dialect: str, query: str, outcome: object, constraint: str) -> None:
    schema = TABLES.replace("REAL", "DECIMAL(10, 2)")
    assert outcome_of("sql", query, schema=schema, dialect=dialect) == (outcome, f"sql.{constraint}")


@pytest.mark.parametrize("query", LONG)
def test_a_long_or_deep_query_is_not_proved(query: str) -> None:
    if len(query) > 20_000:
        query = query[:20_000]
    assert outcome_of("sql", query, schema=TABLES)[0] in (UNDECIDED, BLOCKED)


def test_other_restrictions_of_rows_leave_conditions_to_be_decided() -> None:
    for more in ("CREATE UNIQUE INDEX one_name ON users (name)", "CREATE TABLE notes (text TEXT COLLATE NOCASE)"):
        query = "SELECT id FROM users WHERE age > 3"
        schema = f"CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT, age INTEGER); {more}"
        assert outcome_of("sql", query, schema=schema) == (PROVED, "sql.sound")
        assert outcome_of("sql", f"{query} OR age <= 3", schema=schema) == (UNDECIDED, "sql.always_true")


def test_nobody_changes_the_tree_of_a_query() -> None:
    """A text that is read again is given the same tree."""
    asked = [("sqlite", query) for query in SOUND] + [(dialect, query) for dialect, query, *_ in OTHER_DIALECTS[:12]]
    for dialect, query in asked:
        try:
            tree = read_query(query, dialect).tree
        except (RefutedError, NotAttemptedError):
            continue
        before = repr(tree)
        outcome_of("sql", query, schema=TABLES, dialect=dialect)
        outcome_of("sql", query, schema=TABLES, dialect=dialect, same_as=f"{query} ")
        assert read_query(query, dialect).tree is tree
        assert repr(tree) == before, query


def test_a_certificate_names_what_is_read() -> None:
    query = "SELECT u.name, UPPER(u.email) FROM users u JOIN orders o ON o.user_id = u.id WHERE o.total > 9"
    assert thaw(ruled("sql", query, schema=TABLES).evidence) == {
        "form": "sound",
        "query": "SELECT u.name, UPPER(u.email) FROM users AS u JOIN orders AS o ON o.user_id = u.id WHERE o.total > 9",
        "tables": ["orders", "users"],
        "columns": ["orders.total", "orders.user_id", "users.email", "users.id", "users.name"],
        "functions": ["upper"],
    }
    require_every_digit_counts(claim_of("sql", query, schema=TABLES))


@pytest.mark.parametrize(
    "change",
    [
        {"form": "same"},
        {"columns": []},
        {"tables": ["users", "users"]},
        {"functions": ["upper"]},
        {"query": "SELECT age FROM users"},
        {"more": 1},
    ],
)
def test_a_changed_certificate_is_refused(change: dict[str, object]) -> None:
    claim = claim_of("sql", "SELECT name FROM users WHERE age > 18", schema=TABLES)
    certificate = thaw(decide(claim).evidence)
    with pytest.raises(ValueError):
        check(claim, {**certificate, **change})


def test_a_certificate_is_of_its_claim() -> None:
    certificate = thaw(ruled("sql", "SELECT name FROM users", schema=TABLES).evidence)
    for query in ("SELECT email FROM users", "SELECT nosuch FROM users", "DROP TABLE users"):
        with pytest.raises(ValueError):
            check(claim_of("sql", query, schema=TABLES), certificate)


@pytest.mark.parametrize("first", range(0, 220, 20))
def test_made_up_queries_are_judged_as_sqlite_judges_them(first: int) -> None:
    for seed in range(first, first + 20):
        maker = Maker(seed)
        schema, query, flaw = maker.schema, maker.whole(), FLAWS[seed % len(FLAWS)]
        assert is_prepared(schema, query)
        outcome, constraint = outcome_of("sql", query, schema=schema)
        assert outcome is PROVED or (outcome, constraint) == (UNDECIDED, "sql.always_true"), query
        flawed = maker.flawed(flaw)
        outcome = outcome_of("sql", flawed, schema=schema)[0]
        assert outcome is (UNDECIDED if flaw in ("cross", "always") else REFUTED), flawed
