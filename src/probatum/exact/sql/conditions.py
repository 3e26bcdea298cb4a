"""Finds conditions that hold whatever a row says, such as ``id = 5 OR 1 = 1`` or ``age >= 0 OR age < 0``.

A condition, and each alternative of an OR in it, has to matter: on some database of those that the tables allow, the
query gives other rows without it. SQLite runs both on databases that are made up from the constants of the query,
without NULL where NULL is not asked for. Refuses a condition for which no such database is found, and an alternative
that looks at no column.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import BoundQuery, flat, is_aggregate, select_of
from probatum.exact.sql.functions import UNREPEATABLE
from probatum.exact.sql.kinds import date_of
from probatum.exact.sql.reading import Query, written
from probatum.exact.sql.schema import DeclaredTable
from probatum.exact.sql.witness import QueryTrial

if TYPE_CHECKING:
    from sqlglot.expressions import Expr
    from sqlglot.optimizer.scope import Scope

ALWAYS_TRUE: Final = "sql.always_true"
_MOST_DATABASES: Final = 60
_MOST_TRIED: Final = 60
"""Conditions and alternatives of one query."""
_ASKING: Final = ("is", "nullsafeeq", "coalesce", "nullif", "case", "if")
"""What tells NULL from other values."""


def require_telling(binding: BoundQuery) -> None:
    """Raise CannotDecideError where a condition of a query that was bound holds for every row."""
    tested: dict[int, Expr] = {}
    for node, scope in binding.conditions():
        for choice in _choices(node):
            for each in flat(choice, "or"):
                _require_column(each, scope, binding)
                tested[id(each)] = each
            tested[id(choice)] = choice
        if not _ends_recursion(node):
            tested[id(node)] = node
    if len(tested) > _MOST_TRIED:
        raise CannotDecideError(ALWAYS_TRUE, f"At most {_MOST_TRIED} conditions and alternatives are tried.")
    trial = _Trial(binding)
    for each in tested.values():
        trial.require_difference(each)


def _choices(node: Expr) -> Iterator[Expr]:
    """Yield every OR in a condition, also under NOT and AND."""
    for each in node.walk(prune=lambda inner: inner.key in ("select", "union", "intersect", "except")):
        is_inner = each.parent is not None and each.parent.key == "or" and each is not node
        if each.key == "or" and not is_inner:
            yield each


def _ends_recursion(node: Expr) -> bool:
    """Return whether a condition belongs to a query of WITH that reads itself, which goes on without end without it."""
    parent = node.parent
    while parent is not None:
        if parent.key == "cte" and any(each.key == "table" and each.name == parent.alias for each in parent.walk()):
            return True
        parent = parent.parent
    return False


class _Trial:
    """Runs a query with and without its conditions."""

    def __init__(self, binding: BoundQuery) -> None:
        self._binding = binding
        self._places = {id(each): place for place, each in enumerate(binding.tree.walk())}
        asked = [each for each in binding.tree.walk() if each.key in _ASKING]
        names = {each.name for one in asked for each in one.walk() if each.key == "column"}
        self._tables: Mapping[str, DeclaredTable] = {
            name: replace(
                table,
                required=table.required | (table.columns.keys() - names),
                definition=table.definition or ("" if table.checks else table.bare),
            )
            for name, table in binding.tables.items()
        }

    def require_difference(self, node: Expr) -> None:
        """Raise CannotDecideError unless the query gives other rows on some database where a condition is left out."""
        from sqlglot import expressions as exp

        trees = self._binding.tree.copy(), self._binding.tree.copy()
        next(islice(trees[1].walk(), self._places[id(node)], None)).replace(exp.true())
        one, other = (self._query(tree) for tree in trees)
        trial = QueryTrial((one, other), self._tables, self._binding.dialect)
        if trial.difference(0, _MOST_DATABASES) is None:
            told = f"The rows are the same without it on every database that was tried: {str(node.sql())[:120]}"
            raise CannotDecideError(ALWAYS_TRUE, told)

    def _query(self, tree: Expr) -> Query:
        """Return a query for SQLite that gives the same rows each time, whatever is passed and whenever it runs."""
        from sqlglot import expressions as exp

        for each in list(tree.walk()):
            if each.key in ("select", "union", "intersect", "except"):
                for name in ("order", "limit", "offset", "fetch"):
                    each.set(name, None)
            name = str(each.this).lower() if each.key == "anonymous" else each.key
            if each.key in ("placeholder", "parameter"):
                each.replace(exp.Literal.number(1))
            elif name in UNREPEATABLE and name.startswith(("rand", "now", "current")):
                each.replace(exp.Literal.string("2024-01-15"))
            elif each.key == "literal" and each.is_string and self._binding.dialect == "postgres":
                moment = date_of(each.name)
                each.set("this", each.name if moment is None else moment.isoformat(" "))
        return Query(written(tree, "sqlite"), "sqlite", tree, (), ())


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
