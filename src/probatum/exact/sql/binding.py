"""Binds every table and column of a query against the declared tables: SELECTs, joins, WITH and set operations.

What is bound is kept by node, so that conditions and groups can be compared by meaning. Refuses a name that means
nothing or two things, unlike numbers of columns, and what is no part of the grammar that is known here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from probatum.core.errors import NotAttemptedError, nearest
from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.expressions import Expressions
from probatum.exact.sql.reading import SYNTAX, RefutedError, part, parts
from probatum.exact.sql.schema import DeclaredTable, folded, folded_table
from probatum.exact.sql.scopes import Bound, Column, QueryPlace, QueryScope, QuerySource, Result

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

SET_OPERATIONS: Final = ("union", "intersect", "except")
MOST_UNTIED: Final = 2
MOST_TABLES: Final = 40
_MEMBERS: Final = {
    "select": "with expressions from joins where group having order limit offset distinct",
    "union": "with this expression distinct order limit offset",
    "intersect": "with this expression distinct order limit offset",
    "except": "with this expression distinct order limit offset",
    "subquery": "this alias",
    "table": "this db alias",
    "tablealias": "this columns",
    "join": "this on using kind side method",
    "group": "expressions",
    "cte": "this alias",
    "with": "expressions recursive",
    "distinct": "expressions",
}
_ALIAS_PLACES: Final = {"sqlite": "where group having order", "mysql": "group having order"}
"""Where else than alone in GROUP BY and ORDER BY a query may use the names of its own columns."""


def known_members(node: Expr) -> None:
    """Raise CannotDecideError where a node says more than is read of it here."""
    for name, value in node.args.items():
        if value and name.rstrip("_") not in _MEMBERS[node.key].split():
            raise CannotDecideError(
                "sql.beyond", f"The query says {name.rstrip('_').upper()[:30]}, which is not read here."
            )


class Binder(Expressions):
    """Binds one query."""

    def __init__(self, tables: Mapping[str, DeclaredTable], dialect: str) -> None:
        super().__init__(dialect)
        self.tables = tables
        self.tables_read = set[str]()
        self.joined = set[str]()
        """The columns that USING or NATURAL compares; SQLite does not tell that it reads them."""
        self.conditions: list[tuple[Expr, QueryScope]] = []
        self.bodies: dict[int, Expr | None] = {}
        """The query that a source stands for, by node, where WITH names it; None for one that reads itself."""
        self.recursions: list[tuple[str, Expr]] = []
        self.scopes: dict[int, QueryScope] = {}
        """The scope of each SELECT, by node."""

    def query(self, node: Expr, parent: QueryScope | None, queries: Mapping[str, Result]) -> Result:
        """Bind a query and return what it gives."""
        if node.key == "subquery":
            known_members(node)
            return self.query(node.this, parent, queries)
        if node.key not in ("select", *SET_OPERATIONS):
            raise CannotDecideError("sql.beyond", f"{node.key.upper()[:30]} is not read as a query here.")
        known_members(node)
        queries = self._with(part(node, "with"), parent, queries)
        return self._select(node, parent, queries) if node.key == "select" else self._set(node, parent, queries)

    def _with(
        self, node: Expr | None, parent: QueryScope | None, queries: Mapping[str, Result]
    ) -> Mapping[str, Result]:
        if node is None:
            return queries
        known_members(node)
        known, own = dict(queries), set[str]()
        for each in node.expressions:
            known_members(each)
            name = folded_table(each.args["alias"].this, self.dialect)
            if name in own:
                raise RefutedError("sql.ambiguous_table", f"WITH names {name[:60]!r} twice.", name=name)
            own.add(name)
            body, alias = each.this, each.args["alias"]
            may_recur = bool(node.args.get("recursive")) or self.dialect == "sqlite"
            if may_recur and body.key == "union" and self._reads(body.args["expression"], name):
                first = self._named(self.query(body.this, parent, known), alias)
                self.query(body, parent, {**known, name: replace(first, weight=1)})
                self.recursions.append((name, body))
                known[name] = replace(first, weight=1)
            else:
                known[name] = replace(self._named(self.query(body, parent, known), alias), body=body)
        return known

    def _reads(self, body: Expr, name: str) -> bool:
        return any(each.key == "table" and self._table_name(each) == name for each in body.walk())

    def _table_name(self, node: Expr) -> str:
        return folded_table(node.this, self.dialect) if getattr(node.this, "key", "") == "identifier" else ""

    def _named(self, result: Result, alias: Expr | None) -> Result:
        if alias is None or not parts(alias, "columns"):
            return result
        known_members(alias)
        names = [folded(each, self.dialect) for each in parts(alias, "columns")]
        if len(names) != len(result.columns):
            detail = f"{len(names)} names are given to {len(result.columns)} columns."
            raise RefutedError("sql.column_count", detail, names=len(names), columns=len(result.columns))
        columns = tuple(Column(n, c.kind, c.origin) for n, c in zip(names, result.columns, strict=True))
        return replace(result, columns=columns)

    def _set(self, node: Expr, parent: QueryScope | None, queries: Mapping[str, Result]) -> Result:
        sides = node.this, node.args["expression"]
        if any(each.args.get(name) for each in sides for name in ("order", "limit", "offset")):
            raise CannotDecideError("sql.beyond", "A part of a set operation is ordered or limited without brackets.")
        left, right = (self.query(each, parent, queries) for each in sides)
        if len(left.columns) != len(right.columns):
            told = f"One side of {node.key.upper()} has {len(left.columns)} columns, the other {len(right.columns)}."
            raise RefutedError("sql.column_count", told, left=len(left.columns), right=len(right.columns))
        for one, other in zip(left.columns, right.columns, strict=True):
            self.require_alike(one.kind, other.kind)
        names = {column.name for column in left.columns}
        for each in _ordered(node):
            is_name = each.key == "column" and not each.args.get("table") and folded(each.this, self.dialect) in names
            if not is_name and not self.is_position(each, len(left.columns)):
                raise CannotDecideError("sql.beyond", "A set operation is ordered by more than its columns.")
        self._limits(node)
        is_correlated = left.is_correlated or right.is_correlated
        return Result(left.columns, max(left.weight, right.weight), left.tables + right.tables, is_correlated)

    def _select(self, node: Expr, parent: QueryScope | None, queries: Mapping[str, Result]) -> Result:
        scope = QueryScope(parent)
        self.scopes[id(node)] = scope
        self._sources(node, scope, queries)
        select = QueryPlace(scope, queries, may_aggregate=True, may_window=True)
        columns: list[Column] = []
        aliases: dict[str, tuple[Expr, str]] = {}
        for item in node.expressions:
            columns += self._projected(item, select, aliases)
        if not columns:
            raise NotAttemptedError(SYNTAX, "A SELECT has no column.")
        group, distinct = part(node, "group"), part(node, "distinct")
        for each in (group, distinct):
            if each is not None:
                known_members(each)
        allowed = _ALIAS_PLACES.get(self.dialect, "")
        shown = {name: aliases if name in allowed.split() else {} for name in ("where", "group", "having", "order")}
        where = part(node, "where")
        if where is not None:
            self._condition(where.this, QueryPlace(scope, queries, shown["where"]))
        grouped = group.expressions if group is not None else []
        keys = [self._key(each, node, scope, queries, aliases) for each in grouped]
        having = part(node, "having")
        if having is not None:
            self._condition(having.this, QueryPlace(scope, queries, shown["having"], may_aggregate=True))
        ordered = QueryPlace(scope, queries, shown["order"], may_aggregate=True, may_window=True)
        orders = [each for each in _ordered(node) if not self._is_output(each, columns, aliases)]
        for each in orders:
            self.expr(each, ordered)
        if orders and distinct is not None and self.dialect != "sqlite":
            raise CannotDecideError("sql.beyond", "A DISTINCT query is ordered by what it does not select.")
        is_grouped = bool(keys) or having is not None or self.aggregates_in(scope)
        if is_grouped:
            tested = [each.this if each.key == "alias" else each for each in node.expressions]
            self._require_grouped([*tested, *([having.this] if having is not None else []), *orders], keys, scope)
        self._limits(node)
        weight = scope.components() + scope.inner_weight
        if weight > MOST_UNTIED:
            told = f"{weight} tables are multiplied without a condition that ties them."
            raise CannotDecideError("sql.runaway", told, {"tables": weight})
        if parent is not None and scope.is_correlated:
            # It runs for every row of the query around it, however few rows it gives.
            parent.inner_weight = max(parent.inner_weight, weight)
        tables = sum(each.tables for each in scope.sources)
        if tables > MOST_TABLES:
            raise CannotDecideError("sql.runaway", f"{tables} tables are joined.", {"tables": tables})
        return Result(tuple(columns), 0 if is_grouped and not keys else weight, tables, scope.is_correlated)

    def _sources(self, node: Expr, scope: QueryScope, queries: Mapping[str, Result]) -> None:
        first = part(node, "from")
        if first is None:
            return
        scope.sources.append(self._source(first.this, scope, queries))
        for join in parts(node, "joins"):
            known_members(join)
            self._join(join, scope, queries)
        scope.first_visible = 0

    def _join(self, join: Expr, scope: QueryScope, queries: Mapping[str, Result]) -> None:
        kind, side, method = (str(join.args.get(each) or "") for each in ("kind", "side", "method"))
        is_known = kind in ("", "INNER", "OUTER", "CROSS") and side in ("", "LEFT", "RIGHT", "FULL")
        if not is_known or method not in ("", "NATURAL"):
            raise CannotDecideError("sql.beyond", "A join is of a kind that is not read here.")
        scope.has_outer = scope.has_outer or bool(side)
        source = self._source(join.this, scope, queries)
        if any(each.name == source.name for each in scope.sources if source.name):
            raise RefutedError("sql.ambiguous_table", f"{source.name[:60]!r} names two sources.", name=source.name)
        on, using = join.args.get("on"), [folded(each, self.dialect) for each in parts(join, "using")]
        is_comma = not (kind or side or method or on is not None or using)
        scope.sources.append(source)
        if is_comma and self.dialect != "sqlite":
            scope.first_visible = len(scope.sources) - 1
        if method == "NATURAL":
            names = [column.name for column in source.columns if column.name]
            using = [n for n in names if any(c.name == n for each in scope.sources[:-1] for c in each.columns)]
        for name in using:
            self._merge(name, scope)
        if on is not None:
            self._condition(on, QueryPlace(scope, queries))

    def _merge(self, name: str, scope: QueryScope) -> None:
        last = len(scope.sources) - 1
        held = [item for item in scope.holders(name) if item[0] != last]
        if len(held) > 1:
            raise RefutedError("sql.ambiguous_column", f"{name!r} of USING can mean several columns.", name=name)
        right = [column for column in scope.sources[last].columns if column.name == name]
        if not held or len(right) != 1:
            raise RefutedError("sql.unknown_column", f"{name!r} of USING is not a column of both sides.", name=name)
        self.require_alike(held[0][1].kind, right[0].kind)
        for column in (held[0][1], right[0]):
            self.note(column)
            self.joined.add(column.origin)
        scope.merged.setdefault(name, held[0][0])
        scope.absorbed.add((name, last))
        scope.links.append(frozenset({held[0][0], last}))

    def _source(self, node: Expr, scope: QueryScope, queries: Mapping[str, Result]) -> QuerySource:
        if node.key not in ("table", "subquery"):
            raise CannotDecideError("sql.beyond", f"{node.key.upper()[:30]} is not read as a source here.")
        known_members(node)
        alias = node.args.get("alias")
        called = folded_table(alias.this, self.dialect) if alias is not None and alias.this is not None else ""
        if node.key == "subquery":
            result = self._named(self.query(node.this, scope.parent, queries), alias)
            scope.is_correlated = scope.is_correlated or result.is_correlated
            if not called and self.dialect != "sqlite":
                raise CannotDecideError("sql.beyond", "A derived table has no name.")
            return QuerySource(called, result.columns, result.weight, result.tables)
        name, home = self._table_name(node), node.args.get("db")
        if not name:
            raise CannotDecideError("sql.beyond", "A source is neither a table nor a query.")
        if home is not None and (self.dialect, str(home.this).lower()) not in {
            ("sqlite", "main"),
            ("postgres", "public"),
        }:
            raise CannotDecideError("sql.beyond", "A table is named with a schema that is not declared.")
        if home is None and name in queries:
            self.bodies[id(node)] = queries[name].body
            return self._from_with(queries[name], called or name, alias)
        table = self.tables.get(name)
        if table is None:
            near = nearest(name, sorted({*self.tables, *queries}))
            if any(each.lower() == name.lower() for each in self.tables):
                raise CannotDecideError(
                    "sql.beyond", "A table is named with other capital letters than it is declared."
                )
            raise RefutedError("sql.unknown_table", f"There is no table {name[:60]!r}. {near}".strip(), name=name)
        if alias is not None and parts(alias, "columns"):
            raise CannotDecideError("sql.beyond", "The columns of a table are renamed.")
        self.tables_read.add(name)
        columns = tuple(Column(each, kind, f"{name}.{each}") for each, kind in table.columns.items())
        return QuerySource(called or name, columns, 1, 1, table)

    def _from_with(self, result: Result, name: str, alias: Expr | None) -> QuerySource:
        result = self._named(result, alias)
        columns = tuple(each._replace(origin="") for each in result.columns)
        return QuerySource(name, columns, result.weight, result.tables)

    def _projected(self, item: Expr, place: QueryPlace, aliases: dict[str, tuple[Expr, str]]) -> list[Column]:
        scope = place.scope
        is_star = item.key == "star"
        if is_star or (item.key == "column" and item.this.key == "star"):
            if any(item.args.get(each) for each in ("except", "except_", "replace", "rename")):
                raise CannotDecideError("sql.beyond", "A star leaves out or replaces columns.")
            return [scope.sources[where].columns[number] for where, number in self.starred(item, scope)]
        inner = item.this if item.key == "alias" else item
        kind = self.expr(inner, place)
        if item.key == "alias":
            name = folded(item.args["alias"], self.dialect)
            aliases.setdefault(name, (inner, kind))
        else:
            name = folded(inner.this, self.dialect) if inner.key == "column" else ""
        found = self.bound.get(id(inner))
        return [Column(name, kind, found.column.origin if isinstance(found, Bound) else "")]

    def starred(self, item: Expr, scope: QueryScope) -> list[tuple[int, int]]:
        """Return what a star stands for, in its order: sources and columns by their places."""
        source = "" if item.key == "star" else folded_table(item.args["table"], self.dialect)
        found = list[tuple[int, int]]()
        for where, each in enumerate(scope.sources):
            if not source or each.name == source:
                kept = [n for n, c in enumerate(each.columns) if source or (c.name, where) not in scope.absorbed]
                found += [(where, number) for number in kept]
        if not found:
            told = f"There is nothing that {source + '.' if source else ''}* stands for."
            raise RefutedError("sql.unknown_table", told, name=source)
        if not source and scope.merged and self.dialect != "sqlite":
            if len(scope.merged) > 1:
                raise CannotDecideError("sql.beyond", "It is not told in which order a star gives joined columns.")
            # The others begin with the column that USING made one.
            found.sort(key=lambda item: scope.sources[item[0]].columns[item[1]].name not in scope.merged)
        for where, number in found:
            self.note(scope.sources[where].columns[number])
        return found

    def _condition(self, node: Expr, place: QueryPlace) -> None:
        self.require_truth(self.expr(node, place), node)
        self.conditions.append((node, place.scope))
        for each in flat(node, "and"):
            if each.key in ("eq", "nullsafeeq", "in"):
                bound = [self.bound.get(id(inner)) for inner in each.walk() if inner.key == "column"]
                tied = {b.source if b.scope is place.scope else -1 for b in bound if b is not None}
                if len(tied) == 2:
                    place.scope.links.append(frozenset(tied))

    def _key(
        self,
        each: Expr,
        node: Expr,
        scope: QueryScope,
        queries: Mapping[str, Result],
        aliases: Mapping[str, tuple[Expr, str]],
    ) -> object:
        if self.is_position(each, len(node.expressions)):
            chosen = node.expressions[int(each.name) - 1]
            if chosen.key == "star":
                raise CannotDecideError("sql.beyond", "A group is given by the position of a star.")
            return self.spelled(chosen.this if chosen.key == "alias" else chosen)
        is_alone = each.key == "column" and not each.args.get("table")
        may_use = is_alone or "group" in _ALIAS_PLACES.get(self.dialect, "").split()
        self.expr(each, QueryPlace(scope, queries, aliases if may_use else {}))
        return self.spelled(each)

    def _is_output(self, each: Expr, columns: list[Column], aliases: Mapping[str, tuple[Expr, str]]) -> bool:
        if each.key == "column" and not each.args.get("table"):
            name = folded(each.this, self.dialect)
            if name in aliases:
                self.bound_alias(each, aliases[name], None)
                return sum(column.name == name for column in columns) == 1 or self.dialect == "sqlite"
            return False
        return self.is_position(each, len(columns))

    def _require_grouped(self, tested: list[Expr], keys: list[object], scope: QueryScope) -> None:
        held = {key for key in keys if isinstance(key, tuple)}
        whole = set[int]()
        for where, source in enumerate(scope.sources):
            if source.table is not None and source.table.primary:
                names = {("column", id(scope), where, name) for name in source.table.primary}
                if names <= held:
                    whole.add(where)
        waiting = list(tested)
        while waiting:
            node = waiting.pop()
            if id(node) in self.aggregates or self.spelled(node) in held:
                continue
            bound = self.bound.get(id(node))
            is_star = node.key == "star" or (node.key == "column" and node.this.key == "star")
            if is_star or (isinstance(bound, Bound) and bound.scope is scope and bound.source not in whole):
                told = "A grouped query uses a column that is neither grouped nor in an aggregate."
                if self.dialect == "postgres":
                    raise RefutedError("sql.not_grouped", told, column=node.name)
                raise CannotDecideError("sql.not_grouped", told, {"column": node.name})
            waiting += node.iter_expressions()

    def _limits(self, node: Expr) -> None:
        for name in ("limit", "offset"):
            value = part(node, name)
            count = None if value is None else value.args.get("expression", value.args.get("count"))
            if count is not None and not (
                count.key in ("placeholder", "parameter") or (count.key == "literal" and count.name.isdigit())
            ):
                raise CannotDecideError("sql.beyond", f"{name.upper()} is not a number that is written out.")


def flat(node: Expr, key: str) -> Iterator[Expr]:
    """Yield the members of a chain of AND or OR, through parentheses, in their order."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if each.key == "paren":
            waiting.append(each.this)
        elif each.key == key:
            waiting += [each.args["expression"], each.this]
        else:
            yield each


def _ordered(node: Expr) -> list[Expr]:
    order = part(node, "order")
    return [each.this for each in order.expressions] if order is not None else []
