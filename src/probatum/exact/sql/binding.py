"""Binds the names of a query to declared tables: sqlglot's optimizer qualifies it, and its scopes are read here.

Every column is named with its source, stars and USING are written out, and names that stand for expressions are
replaced. SQLite binds the query for itself, so that neither reader is trusted alone. Refuses, as undecided, tables that
are multiplied without a condition between them, and columns that are neither grouped nor in an aggregate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.functions import AGGREGATES
from probatum.exact.sql.reading import Query, part, parts
from probatum.exact.sql.schema import DeclaredTable

if TYPE_CHECKING:
    from sqlglot.expressions import Expr, Table
    from sqlglot.optimizer.scope import Scope
    from sqlglot.schema import Schema

_MOST_UNTIED: Final = 2
_MOST_TABLES: Final = 40
_TYPES: Final = {"number": "DOUBLE", "text": "TEXT", "date": "DATE", "bool": "BOOLEAN"}
_NO_ALIASES: Final = ("postgres", "mysql")


class UnboundError(Exception):
    """The optimizer finds a name that means nothing, or more than one thing; the message is its own."""


@dataclass(frozen=True, slots=True)
class BoundQuery:
    """A query that was qualified, with the scopes of its SELECTs."""

    tree: Expr
    dialect: str
    tables: Mapping[str, DeclaredTable]
    scopes: tuple[Scope, ...]
    by_select: Mapping[int, Scope] = field(default_factory=dict)
    """The scope of each SELECT, by node."""

    def home(self, column: Expr) -> Scope | None:
        """Return the scope in which the source of a column stands; None for a name of the query's own column."""
        scope = self.by_select.get(id(select_of(column)))
        while scope is not None and column.args.get("table") and column.text("table") not in scope.selected_sources:
            scope = scope.parent
        return scope if column.args.get("table") else None

    def table(self, column: Expr) -> DeclaredTable | None:
        """Return the declared table of a column; None where it comes from a query."""
        home = self.home(column)
        source = home.selected_sources[column.text("table")][1] if home is not None else None
        return self.tables.get(name_of(source))

    @property
    def tables_read(self) -> frozenset[str]:
        """The declared tables that it reads; raises UnboundError for another one."""
        read = {name_of(source) for scope in self.scopes for _, source in scope.selected_sources.values()} - {""}
        for name in sorted(read - self.tables.keys()):
            raise UnboundError(f"There is no table {name[:60]!r}")
        return frozenset(read)

    @property
    def columns_read(self) -> frozenset[str]:
        """The columns of declared tables that it reads, as table.column."""
        found = ((self.table(each), each.name) for each in self.tree.walk() if each.key == "column")
        return frozenset(f"{table.name}.{name}" for table, name in found if table is not None)

    def conditions(self) -> Iterator[tuple[Expr, Scope]]:
        """Yield each condition on rows or groups, with its scope."""
        for scope in self.by_select.values():
            for node in conditions_of(scope.expression):
                yield node, scope


def bind(query: Query, tables: Mapping[str, DeclaredTable]) -> BoundQuery:
    """Return a query with each of its names bound; raises UnboundError."""
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.qualify import qualify
    from sqlglot.optimizer.scope import traverse_scope

    _require_no_alias(query, tables)
    try:
        tree = qualify(
            query.tree.copy(), dialect=query.dialect, schema=types_of(tables), identify=False, quote_identifiers=False
        )
        scopes = tuple(traverse_scope(tree))
    except SqlglotError as error:
        raise UnboundError(str(error).partition(". Line")[0][:160]) from error
    for each in tree.walk():
        if each.key == "column" and not each.args.get("table") and not _is_output(each):
            raise UnboundError(f"There is no column {each.name[:60]!r}")
    by_select = {id(each.expression): each for each in scopes if each.expression.key == "select"}
    return BoundQuery(tree, query.dialect, tables, scopes, by_select)


def require_bounded(binding: BoundQuery) -> None:
    """Raise CannotDecideError where tables are multiplied without a condition, or a column is not grouped."""
    weights: dict[int, _Weight] = {}
    for scope in binding.scopes:
        _weight(scope, binding, weights)
    for scope in binding.by_select.values():
        _require_grouped(scope, binding)


def types_of(tables: Mapping[str, DeclaredTable]) -> Schema:
    """Return the declared tables as sqlglot's optimizer reads them."""
    from sqlglot.schema import MappingSchema

    columns = {
        name: {column: _TYPES.get(kind, "UNKNOWN") for column, kind in table.columns.items()}
        for name, table in tables.items()
    }
    return MappingSchema(columns, normalize=False)  # type: ignore[arg-type]  # a mapping of mappings


def _require_no_alias(query: Query, tables: Mapping[str, DeclaredTable]) -> None:
    """Refuse a name of the query's own column in WHERE, which SQLite and the optimizer take and others do not."""
    declared = {column for table in tables.values() for column in table.columns}
    for select in query.tree.walk() if query.dialect in _NO_ALIASES else ():
        where = part(select, "where") if select.key == "select" else None
        own = {each.alias.lower() for each in select.expressions if each.key == "alias"} - declared
        for each in where.walk() if where is not None else ():
            if each.key == "column" and each.name.lower() in own:
                raise CannotDecideError("sql.beyond", f"{each.name[:60]!r} in WHERE names a column of the result.")


def _is_output(column: Expr) -> bool:
    """Return whether a name without a source is one of the query's own columns, in its ORDER BY."""
    node = column
    while node.parent is not None and node.key != "order":
        node = node.parent
    return node.key == "order" and column.name in getattr(node.parent, "named_selects", ())


def name_of(source: Table | Scope | None) -> str:
    """Return the name of the table that a source is; '' for a query."""
    return str(getattr(source, "name", ""))


def select_of(node: Expr) -> Expr | None:
    """Return the SELECT that a node belongs to."""
    while node.parent is not None:
        node = node.parent
        if node.key == "select":
            return node
    return None


def is_aggregate(node: Expr) -> bool:
    """Return whether a node is an aggregate of its SELECT: not of a window, and not MAX or MIN of several values."""
    name = str(node.this).lower() if node.key == "anonymous" else node.key
    around = node.parent.parent if node.parent is not None and node.parent.key == "filter" else node.parent
    is_window = around is not None and around.key == "window"
    return name in AGGREGATES and not is_window and not (name in ("max", "min") and node.expressions)


def aggregates_in(select: Expr) -> bool:
    """Return whether a SELECT has an aggregate of its own, so that it gives one row for each group."""
    return any(is_aggregate(each) and select_of(each) is select for each in select.walk())


def conditions_of(select: Expr) -> list[Expr]:
    """Return the conditions of a SELECT: of its joins, WHERE and HAVING."""
    held = [part(select, "where"), part(select, "having")]
    joined = [each.args["on"] for each in parts(select, "joins") if each.args.get("on") is not None]
    return [*joined, *(each.this for each in held if each is not None)]


@dataclass(frozen=True, slots=True)
class _Weight:
    """Of a query: how many tables it multiplies without a condition between them, and how many it reads."""

    tables: int
    multiplied: int
    is_one_row: bool = False


def _weight(scope: Scope, binding: BoundQuery, known: dict[int, _Weight]) -> _Weight:
    from sqlglot.optimizer import scope as scopes

    if id(scope) in known:
        return known[id(scope)]
    known[id(scope)] = _Weight(1, 1)
    if scope.expression.key != "select":
        sides = [_weight(each, binding, known) for each in scope.set_operation_scopes]
        multiplied = max((each.multiplied for each in sides if not each.is_one_row), default=0)
        known[id(scope)] = _Weight(sum(each.tables for each in sides), multiplied)
        return known[id(scope)]
    sources = {
        name: _weight(source, binding, known) if isinstance(source, scopes.Scope) else _Weight(1, 1)
        for name, (_, source) in scope.selected_sources.items()
    }
    groups, anchored = _ties(scope, binding)
    multiplied = sum(
        max(0 if sources[name].is_one_row else sources[name].multiplied for name, of in groups.items() if of == group)
        for group in set(groups.values()) - anchored
    )
    # What is correlated runs for every row of the query around it, however few rows it gives.
    inner = [_weight(each, binding, known).multiplied for each in scope.subquery_scopes if each.external_columns]
    multiplied += max(inner, default=0)
    tables = sum(each.tables for each in sources.values())
    if multiplied > _MOST_UNTIED or tables > _MOST_TABLES:
        told = f"{tables} tables are joined, {multiplied} of them without a condition that ties them."
        raise CannotDecideError("sql.runaway", told, {"tables": tables})
    is_one_row = aggregates_in(scope.expression) and part(scope.expression, "group") is None
    known[id(scope)] = _Weight(tables, multiplied, is_one_row)
    return known[id(scope)]


def _ties(scope: Scope, binding: BoundQuery) -> tuple[dict[str, str], set[str]]:
    """Return the sources with the group that equalities tie them to, and the groups that a query outside ties."""
    groups, anchored = {name: name for name in scope.selected_sources}, set[str]()
    for node in conditions_of(scope.expression):
        for each in flat(node, "and"):
            if each.key not in ("eq", "nullsafeeq", "in"):
                continue
            columns = [inner for inner in each.walk() if inner.key == "column"]
            tied = {inner.text("table") if binding.home(inner) is scope else "" for inner in columns}
            if len(tied) != 2:
                continue
            inside = sorted(groups[name] for name in tied if name in groups)
            if "" in tied:
                anchored |= set(inside)
            groups = {name: inside[0] if group in inside else group for name, group in groups.items()}
            anchored |= {inside[0]} if anchored & set(inside) else set()
    return groups, anchored


def _require_grouped(scope: Scope, binding: BoundQuery) -> None:
    """Refuse, in a grouped query, a column that is neither grouped nor in an aggregate."""
    select = scope.expression
    group, having, order = (part(select, name) for name in ("group", "having", "order"))
    if group is None and having is None and not aggregates_in(select):
        return
    keys = [_written_out(each, select) for each in (group.expressions if group is not None else ())]
    held = {each.sql() for each in keys}
    waiting = [*select.expressions, *(each for each in (having, order) if each is not None)]
    while waiting:
        node = waiting.pop()
        if is_aggregate(node) or node.sql() in held:
            continue
        if node.key == "column" and binding.home(node) is scope:
            table = binding.table(node)
            primary = {f"{node.text('table')}.{name}" for name in (table.primary if table is not None else ())}
            if not primary or not primary <= held:
                told = "A grouped query uses a column that is neither grouped nor in an aggregate."
                raise CannotDecideError("sql.not_grouped", told, {"column": node.name})
        waiting += node.iter_expressions()


def _written_out(key: Expr, select: Expr) -> Expr:
    """Return what a group is by, where it is given as the position of a column."""
    if key.key == "literal" and key.name.isdigit() and 0 < int(key.name) <= len(select.expressions):
        chosen: Expr = select.expressions[int(key.name) - 1]
        return chosen.this if chosen.key == "alias" else chosen
    return key


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
