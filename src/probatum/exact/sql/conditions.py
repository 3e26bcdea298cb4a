"""Finds conditions that hold whatever a row says, such as ``id = 5 OR 1 = 1`` or ``age >= 0 OR age < 0``.

A condition, and each alternative of an OR in it, has to fail on some row that the tables allow. SQLite evaluates it on
rows of values near the constants that it names, without NULL where NULL is not asked for. What SQLite does not compute
alike, such as a query inside of a condition or the year of a date, stands for any value of its kind, and is the same
value wherever it means the same. A condition with a query inside has to matter besides: on some database, the whole
query gives other rows without it. Refuses a condition for which no such row or database is found, and an alternative
that looks at no column.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from itertools import islice, product
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import BoundQuery, flat, is_aggregate, select_of
from probatum.exact.sql.database import Cell, RefusedError, opened, rows_of
from probatum.exact.sql.functions import NOT_NEGATIVE, words
from probatum.exact.sql.kinds import date_of
from probatum.exact.sql.reading import Query, parts, written
from probatum.exact.sql.schema import kind_of_type
from probatum.exact.sql.witness import QueryTrial

if TYPE_CHECKING:
    from sqlglot.expressions import Expr
    from sqlglot.optimizer.scope import Scope

ALWAYS_TRUE: Final = "sql.always_true"
_TRUTHS: Final = words("""
    and or not exists in between like ilike eq neq lt lte gt gte is nullsafeeq nullsafeneq
""")
_COMPUTED: Final = _TRUTHS | words("""
    paren literal boolean null neg add sub mul div mod dpipe case if coalesce nullif length upper lower trim abs
    substring escape select subquery alias round replace strposition greatest least concat bitwiseand bitwiseor
    cast datatype datatypeparam
""")
"""What SQLite computes as every dialect does, except of what a query reads."""
_COMPUTED_BY_SQLITE: Final = words("max min typeof hex unicode json_valid likely unlikely collate var")
"""What it computes for its own dialect besides; it gives a value for every value."""
_TYPES: Final = {"text": "TEXT", "date": "TEXT", "": "BLOB"}
_MOST_ROWS: Final = 400
_MOST_DATABASES: Final = 60
_MOST_CONSTANTS: Final = 24
_STEPS: Final = (1, 7, 3, 11, 5, 13)


def require_telling(binding: BoundQuery) -> None:
    """Raise CannotDecideError where a condition of a query that was bound holds for every row."""
    for node, scope in binding.conditions():
        tested = [node]
        for choice in _choices(node):
            for each in flat(choice, "or"):
                _require_column(each, scope, binding)
                tested.append(each)
            tested.append(choice)
        _require_failing(node, tested, binding)
        for each in tested:
            if each.find(*_queries()) is not None:
                _require_difference(each, binding)


def _queries() -> tuple[type[Expr], ...]:
    from sqlglot import expressions as exp

    return exp.Select, exp.SetOperation


def _require_difference(node: Expr, binding: BoundQuery) -> None:
    """Raise CannotDecideError unless a query gives other rows on some database where a condition is left out."""
    from sqlglot import expressions as exp

    place = next(at for at, each in enumerate(binding.tree.walk()) if each is node)
    trees = binding.tree.copy(), binding.tree.copy()
    next(islice(trees[1].walk(), place, None)).replace(exp.true())
    for tree in trees:
        for each in list(tree.find_all(exp.Placeholder, exp.Parameter)):
            each.replace(exp.Literal.number(1))
    one, other = (Query(written(tree, "sqlite"), "sqlite", tree, (), ()) for tree in trees)
    if QueryTrial((one, other), binding.tables).difference(0, _MOST_DATABASES) is None:
        told = f"Without a condition the rows are the same on every database that was tried: {str(node.sql())[:120]}"
        raise CannotDecideError(ALWAYS_TRUE, told)


def _choices(node: Expr) -> Iterator[Expr]:
    """Yield every OR in a condition, also under NOT and AND."""
    for each in node.walk(prune=lambda inner: inner.key in ("select", "union", "intersect", "except")):
        is_inner = each.parent is not None and each.parent.key == "or" and each is not node
        if each.key == "or" and not is_inner:
            yield each


def _require_failing(whole: Expr, tested: list[Expr], binding: BoundQuery) -> None:
    rewriter = _Rewriter(binding)
    texts = [f"({written(rewriter.rewritten(each), 'sqlite')}) IS NOT TRUE" for each in tested]
    checks = [f"({written(each, 'sqlite')}) IS NOT FALSE" for each in rewriter.checks()]
    names = [f"c{number}" for number in range(len(rewriter.kinds))] or ["c0"]
    collation = " COLLATE NOCASE" if binding.dialect == "mysql" else ""
    columns = [
        f"{n} {_TYPES.get(k, 'NUMERIC')}{collation}" for n, k in zip(names, rewriter.kinds.values(), strict=False)
    ]
    with closing(opened([f"CREATE TABLE made ({', '.join(columns) or 'c0'})"])) as database:
        database.execute(f"PRAGMA case_sensitive_like = {int(binding.dialect == 'postgres')}")
        rows = rewriter.rows()
        tests = ", ".join(f"max({each})" for each in texts)
        wanted = f"SELECT {tests} FROM made WHERE {' AND '.join(checks) or 1}"  # noqa: S608  in memory, only to be asked
        put = f"INSERT INTO made VALUES ({', '.join('?' * len(names))})"  # noqa: S608  question marks
        for size in (8, _MOST_ROWS):
            some = list(islice(rows, size))
            try:
                database.executemany(put, some)
                found = rows_of(database, wanted)[0]
            except (RefusedError, sqlite3.Error, OverflowError) as error:
                raise CannotDecideError(ALWAYS_TRUE, f"A condition cannot be tried on rows: {error}"[:160]) from error
            if all(found):
                return
    held = next(each for each, fails in zip(tested, found, strict=True) if not fails)
    what = "The condition" if held is whole else "A part of a condition"
    raise CannotDecideError(ALWAYS_TRUE, f"{what} holds for every row that was tried: {str(held.sql())[:120]}")


class _Rewriter:
    """Writes conditions over the columns of one table of made-up rows."""

    def __init__(self, binding: BoundQuery) -> None:
        self.binding = binding
        self.kinds: dict[str, str] = {}
        """What stands for any value: by its meaning, the kind of value."""
        self.nullable = set[str]()
        """What may be NULL, and is asked whether it is."""
        self.sources = dict[tuple[str, str], None]()
        """The sources that were met, by the name that they have and that of their table."""
        self.numbers: dict[Fraction, None] = {}
        self.texts: dict[str, None] = {}

    def rewritten(self, node: Expr) -> Expr:
        """Return a condition over made-up columns."""
        from sqlglot import expressions as exp

        if not self._is_computed(node):
            return self._any(node)
        if node.key == "is" and node.args["expression"].key == "null":
            self.nullable |= {each.sql() for each in node.this.walk() if self._may_be_null(each)}
        if node.key == "literal":
            return self._constant(node)
        members: dict[str, object] = {}
        for name, value in node.args.items():
            items = value if isinstance(value, list) else [value]
            told = [self.rewritten(each) if isinstance(each, exp.Expression) else each for each in items]
            members[name] = told if isinstance(value, list) else told[0]
        return type(node)(**members)

    def _is_computed(self, node: Expr) -> bool:
        if node.key in ("select", "subquery", "exists") or (node.key == "in" and node.args.get("query") is not None):
            return all(each.key != "select" or _is_one_row(each) for each in node.walk())
        is_own = self.binding.dialect == "sqlite" and not is_aggregate(node)
        name = str(node.this).lower() if node.key == "anonymous" else node.key
        is_known = name in _COMPUTED or (is_own and name in _COMPUTED_BY_SQLITE)
        is_known = is_known and (name != "cast" or kind_of_type(node.args["to"]) in ("number", "text"))
        return is_known and not (name == "trim" and len(list(node.iter_expressions())) > 1)

    def _constant(self, node: Expr) -> Expr:
        from sqlglot.expressions import Literal

        text = node.name
        if not node.is_string:
            if len(text) < 20 and "e" not in text.lower():
                is_negative = node.parent is not None and node.parent.key == "neg"
                self.numbers[-Fraction(text) if is_negative else Fraction(text)] = None
            return Literal.number(text)
        if self.binding.dialect == "postgres" and (moment := date_of(text)) is not None:
            text = moment.isoformat(" ")
        for each in (text[:60].replace("%", "").replace("_", "x"), text[:60]):
            self.texts[each] = None
        return Literal.string(text)

    def _any(self, node: Expr) -> Expr:
        from sqlglot.expressions import column

        name = node.sql()
        if name not in self.kinds:
            self.kinds[name] = self._kind(node)
        return column(f"c{list(self.kinds).index(name)}")

    def _kind(self, node: Expr) -> str:
        if node.key == "column":
            table = self.binding.table(node)
            if table is None:
                return kind_of_type(node.type)
            self.sources[node.text("table"), table.name] = None
            return table.special.get(node.name) or table.columns[node.name]
        if node.key == "subquery" and node.this.key == "select" and len(node.this.expressions) == 1:
            node = node.this.expressions[0]
            node = node.this if node.key == "alias" else node
        called = str(node.this).lower() if node.key == "anonymous" else node.key
        return "unsigned" if called in NOT_NEGATIVE else "bool" if node.key in _TRUTHS else ""

    def checks(self) -> list[Expr]:
        """Return what the tables say of the columns that were met, over made-up columns."""
        from sqlglot.expressions import Column, column

        found: list[Expr] = []
        for source, name_of_table in list(self.sources):
            table = self.binding.tables[name_of_table]
            for check in table.checks:
                copy = check.copy()
                for held in [*copy.find_all(Column)]:
                    name = f"{source}.{held.name.lower()}"
                    self.kinds.setdefault(name, table.columns.get(held.name.lower(), ""))
                    held.replace(column(f"c{list(self.kinds).index(name)}"))
                for each in copy.walk():
                    if each.key == "literal":
                        self._constant(each)
                found.append(copy)
        return found

    def _may_be_null(self, node: Expr) -> bool:
        if node.key != "column":
            return node.key == "subquery"
        table, home = self.binding.table(node), self.binding.home(node)
        has_outer = home is not None and any(each.args.get("side") for each in parts(home.expression, "joins"))
        return has_outer or table is None or node.name not in table.required

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Yield rows that give every made-up column values near the constants."""
        pools = [[*self._pool(kind), *([None] if name in self.nullable else [])] for name, kind in self.kinds.items()]
        if not pools:
            pools = [[None]]
        size = 1
        for pool in pools:
            size *= len(pool)
        if size <= _MOST_ROWS // 2:
            yield from product(*pools)
            return
        for number in range(max(len(pool) for pool in pools)):
            yield tuple(pool[number % len(pool)] for pool in pools)
        for number in range(_MOST_ROWS):
            yield tuple(p[(number * _STEPS[at % 6] + number // (at + 2) + at) % len(p)] for at, p in enumerate(pools))

    def _pool(self, kind: str) -> list[Cell]:
        if kind == "bool":
            return [1, 0]
        texts = list(self.texts)[:_MOST_CONSTANTS]
        numbers = [each + step for each in list(self.numbers)[:_MOST_CONSTANTS] for step in (0, 1, -1)]
        worded: list[Cell] = [*texts, *(f"{each}~" for each in texts[:8]), "", "a", "B", "zz~", "0"]
        if kind in ("text", "date"):
            return list(dict.fromkeys(worded))
        more = [Fraction(each) for each in (0, 1, -1, 10**6, -(10**6))]
        wanted = [each for each in [*numbers, *more] if kind in ("number", "float", "") or each.denominator == 1]
        told: list[Cell] = [
            each.numerator if each.denominator == 1 else float(each)
            for each in dict.fromkeys(wanted)
            if kind != "unsigned" or each >= 0
        ]
        return [*told, *(dict.fromkeys(worded) if kind == "" else ())]


def _is_one_row(node: Expr) -> bool:
    return not any(value for name, value in node.args.items() if name not in ("expressions", "distinct"))


def _require_column(node: Expr, scope: Scope, binding: BoundQuery) -> None:
    around = {id(each) for each in _around(scope)}
    is_outer = any(id(binding.home(each)) in around for each in node.walk() if each.key == "column")
    is_counted = any(is_aggregate(each) and select_of(each) is scope.expression for each in node.walk())
    if not is_outer and not is_counted:
        is_parameter = any(each.key in ("placeholder", "parameter") for each in node.walk())
        why = "an input" if is_parameter else "no column"
        raise CannotDecideError(
            ALWAYS_TRUE, f"An alternative of a condition looks at {why} alone: {str(node.sql())[:120]}"
        )


def _around(scope: Scope | None) -> Iterator[Scope]:
    while scope is not None:
        yield scope
        scope = scope.parent
