"""What names can mean at a place of a query: sources, the scopes that hold them, and how a name is looked up.

Refuses a name that means nothing or more than one thing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from probatum.core.errors import nearest
from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.reading import RefutedError

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

    from probatum.exact.sql.schema import DeclaredTable


class Column(NamedTuple):
    """A column that a query or a source gives; a name is '' where it has none that could be used."""

    name: str
    kind: str
    origin: str = ""
    """Where it comes from, as table.column, for a column of a table."""


@dataclass(frozen=True, slots=True)
class Result:
    """What a query gives."""

    columns: tuple[Column, ...]
    weight: int
    """How many tables it multiplies without a condition between them."""
    tables: int = 0
    """How many tables it is made of, each counted as often as it is read."""
    is_correlated: bool = False
    body: Expr | None = None
    """The query that WITH names so."""


@dataclass(frozen=True, slots=True)
class QuerySource:
    """One thing that a query reads from."""

    name: str
    columns: tuple[Column, ...]
    weight: int
    tables: int = 1
    table: DeclaredTable | None = None


class QueryScope:
    """The sources of one SELECT, as they are met."""

    def __init__(self, parent: QueryScope | None) -> None:
        self.parent = parent
        self.sources: list[QuerySource] = []
        self.first_visible = 0
        """The first source that a condition of a join may name."""
        self.merged: dict[str, int] = {}
        """Columns that USING or NATURAL made one, with the source whose column stands for them."""
        self.absorbed = set[tuple[str, int]]()
        """Columns that were merged into those of another source."""
        self.links: list[frozenset[int]] = []
        """Sets of sources that an equality ties together; -1 stands for the queries outside."""
        self.inner_weight = 0
        self.is_correlated = False
        self.has_outer = False
        """Whether a join keeps rows of one side that have none on the other."""

    def holders(self, name: str, source: str = "") -> list[tuple[int, Column]]:
        """Return each visible source that has a column of this name, with the column."""
        found = list[tuple[int, Column]]()
        for place, each in enumerate(self.sources[self.first_visible :], self.first_visible):
            if not source or each.name == source:
                found += [(place, column) for column in each.columns if column.name == name]
        if not source and name in self.merged:
            owner = self.merged[name]
            merged = [item for item in found if item[0] == owner]
            # The sources after the owner that were merged into it no longer have the column for themselves.
            found = merged + [item for item in found if (name, item[0]) not in self.absorbed and item[0] != owner]
        return found

    @property
    def is_vague(self) -> bool:
        """Whether a source has a column whose name depends on the database."""
        return any(not column.name for source in self.sources for column in source.columns)

    def components(self) -> int:
        """Return how many tables are multiplied without a condition between them."""
        group = list(range(len(self.sources)))
        anchored = set[int]()
        for link in self.links:
            inside = {group[each] for each in link if each >= 0}
            if -1 in link:
                anchored |= {each for each in link if each >= 0}
            group = [min(inside) if each in inside else each for each in group]
        total = 0
        for each in set(group):
            members = [place for place, of in enumerate(group) if of == each]
            total += 0 if anchored.intersection(members) else max(self.sources[place].weight for place in members)
        return total


class Bound(NamedTuple):
    """What a column of the text means."""

    scope: QueryScope
    source: int
    column: Column


@dataclass(frozen=True, slots=True)
class QueryPlace:
    """Where an expression stands, and what it may hold there."""

    scope: QueryScope
    queries: Mapping[str, Result]
    """What WITH names."""
    aliases: Mapping[str, tuple[Expr, str]] = field(default_factory=dict)
    """Names of the SELECT's own columns that may be used here, with the expression and its kind."""
    may_aggregate: bool = False
    may_window: bool = False


def find(name: str, source: str, place: QueryPlace) -> Bound | tuple[Expr, str]:
    """Return what a column's name means: a column, or the expression that an alias stands for."""
    scope: QueryScope | None = place.scope
    while scope is not None:
        found = scope.holders(name, source)
        if len(found) > 1:
            told = sorted(f"{scope.sources[where].name}.{name}" for where, _ in found)
            raise RefutedError("sql.ambiguous_column", f"{name!r} can mean {' or '.join(told)}.", name=name, means=told)
        if found:
            return Bound(scope, *found[0])
        if scope is place.scope and not source and name in place.aliases:
            return place.aliases[name]
        if any(not source or each.name == source for each in scope.sources) and scope.is_vague:
            raise CannotDecideError("sql.beyond", f"Whether a column is called {name[:40]!r} depends on the database.")
        scope.is_correlated = True
        scope = scope.parent
    raise _unknown(name, source, place.scope)


def _unknown(name: str, source: str, innermost: QueryScope) -> RefutedError:
    scope: QueryScope | None = innermost
    names, known = set[str](), set[str]()
    while scope is not None:
        names |= {each.name for each in scope.sources}
        known |= {column.name for each in scope.sources if not source or each.name == source for column in each.columns}
        scope = scope.parent
    if source and source not in names:
        told = f"Nothing in scope is called {source[:60]!r}. {nearest(source, sorted(names))}".strip()
        return RefutedError("sql.unknown_table", told, name=source)
    written = f"{source}.{name}" if source else name
    told = f"There is no column {written[:80]!r} in scope. {nearest(name, sorted(known))}".strip()
    return RefutedError("sql.unknown_column", told, name=written)
