"""Binds expressions of a query and tells what kind of value each gives: number, text, date, bool or '' for unknown.

Refuses an aggregate or a window where none may stand, unlike kinds that a strict dialect does not compare, and every
node that is not known here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.functions import AGGREGATES, DATES, NUMBERS, TEXTS, WINDOW_ALONE
from probatum.exact.sql.kinds import Kinds
from probatum.exact.sql.reading import RefutedError
from probatum.exact.sql.schema import folded, folded_table, kind_of_type
from probatum.exact.sql.scopes import Bound, Column, QueryPlace, QueryScope, Result, find

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

QUERIES: Final = ("select", "union", "intersect", "except")
_COMPARISONS: Final = ("eq", "neq", "lt", "lte", "gt", "gte", "nullsafeeq", "nullsafeneq", "is")
_ARITHMETIC: Final = ("add", "sub", "mul", "div", "mod", "intdiv", "bitwiseand", "bitwiseor")
_RESULTS: Final = {"number": NUMBERS, "text": TEXTS, "date": DATES, "bool": ("logicaland", "logicalor")}
_WORDS: Final = ("jsonpath", "var", "datatype", "identifier", "datatypeparam")
_CONSTANTS: Final = {"null": "", "boolean": "bool", "placeholder": "", "parameter": "", "interval": "interval"}


class Expressions(Kinds):
    """What is bound of the expressions of one query."""

    def __init__(self, dialect: str) -> None:
        super().__init__(dialect)
        self.aliased: dict[int, Expr] = {}
        self.aggregates: dict[int, QueryScope] = {}
        """The aggregates by node, with the scope that each belongs to."""
        self.columns_read = set[str]()

    @abstractmethod
    def query(self, node: Expr, parent: QueryScope | None, queries: Mapping[str, Result]) -> Result:
        """Bind a query and return what it gives."""

    def note(self, column: Column) -> None:
        """Keep the column of a table that is read."""
        if column.origin:
            self.columns_read.add(column.origin)

    def expr(self, node: Expr, place: QueryPlace) -> str:
        """Bind an expression and return the kind of its value."""
        key = node.key
        if key in _CONSTANTS:
            return _CONSTANTS[key]
        if key == "literal":
            return "text" if node.is_string else "number"
        if key == "is" and self.dialect != "sqlite" and node.args["expression"].key not in ("null", "boolean"):
            raise CannotDecideError("sql.beyond", "IS is followed by what is not read here.")
        if key in _COMPARISONS:
            self._compared(node.this, node.args["expression"], place)
            return "bool"
        if key in _ARITHMETIC:
            return self._computed(node, place)
        reader = _READERS.get(key)
        if reader is not None:
            return reader(self, node, place)
        if _is_function(node):
            return self._function(node, place)
        raise CannotDecideError("sql.beyond", f"{key.upper()[:30]} is not read as an expression here.")

    def _column(self, node: Expr, place: QueryPlace) -> str:
        if node.this.key == "star" or node.args.get("db") is not None:
            raise CannotDecideError("sql.beyond", "A column is named in a way that is not read here.")
        if node.args.get("join_mark"):
            raise CannotDecideError("sql.beyond", "A column holds the mark of an outer join.")
        name = folded(node.this, self.dialect)
        source = folded_table(node.args["table"], self.dialect) if node.args.get("table") else ""
        try:
            found = find(name, source, place)
        except RefutedError as error:
            if (
                node.this.args.get("quoted")
                and self.dialect == "sqlite"
                and not source
                and error.constraint == "sql.unknown_column"
            ):
                detail = f"SQLite reads the quoted name {name[:40]!r} as text, since there is no such column."
                raise CannotDecideError("sql.beyond", detail) from error
            raise
        if not isinstance(found, Bound):
            return self.bound_alias(node, found, None if place.may_aggregate else place.scope)
        self.bound[id(node)] = found
        self.note(found.column)
        return found.column.kind

    def bound_alias(self, node: Expr, found: tuple[Expr, str], without: QueryScope | None) -> str:
        """Bind a name of the query's own column and return its kind; it may stand for no aggregate of one scope."""
        target, kind = found
        own = (each for each in target.walk() if each.key == "window" or self.aggregates.get(id(each)) is without)
        if without is not None and any(own):
            raise RefutedError(
                "sql.misplaced_aggregate", f"{node.name[:60]!r} stands for an aggregate where none may stand."
            )
        self.aliased[id(node)] = target
        return kind

    def _computed(self, node: Expr, place: QueryPlace) -> str:
        sides = node.this, node.args["expression"]
        left, right = (self.expr(each, place) for each in sides)
        kinds = {left, right}
        self.converted += [""] if kinds & {"text", "date"} else []
        if kinds == {"date", "interval"}:
            return "date"
        if "date" in kinds and self.is_strict and node.this.key != "currentdate":
            raise CannotDecideError("sql.type_mismatch", "It is not told what a date is added to or taken from.")
        if kinds & {"text", "bool"} and not kinds <= {"text", "bool"}:
            self.require_alike(left, right, *sides)
        if node.key.startswith("bitwise") and self.is_strict:
            raise CannotDecideError("sql.type_mismatch", "It is not told whether a number is whole, as it has to be.")
        if node.key == "mod":
            self.require_exact(node)
        return "number" if kinds == {"number"} else "interval" if "interval" in kinds else ""

    def _compared(self, left: Expr, right: Expr, place: QueryPlace) -> None:
        kinds = self.expr(left, place), self.expr(right, place)
        self.require_alike(kinds[0], kinds[1], left, right)

    def _truths(self, node: Expr, place: QueryPlace) -> str:
        for each in [node.this] if node.key == "not" else node.flatten():
            self.require_truth(self.expr(each, place), each)
        return "bool"

    def _same(self, node: Expr, place: QueryPlace) -> str:
        return self.expr(node.this, place)

    def _collate(self, node: Expr, place: QueryPlace) -> str:
        if self.dialect != "sqlite" or node.args["expression"].key != "var":
            raise CannotDecideError("sql.beyond", "A collation is named that is not known here.")
        return self.expr(node.this, place)

    def _neg(self, node: Expr, place: QueryPlace) -> str:
        self.require_alike(self.expr(node.this, place), "number")
        return "number"

    def _text(self, node: Expr, place: QueryPlace) -> str:
        for each in node.iter_expressions():
            kind = self.expr(each, place)
            if node.key != "dpipe" and self.is_strict and kind not in ("text", ""):
                raise CannotDecideError("sql.type_mismatch", f"A pattern is compared with the kind {kind}.")
        return "text" if node.key == "dpipe" else "bool"

    def _between(self, node: Expr, place: QueryPlace) -> str:
        if node.args.get("symmetric"):
            raise CannotDecideError("sql.beyond", "BETWEEN is followed by what is not read here.")
        for bound in ("low", "high"):
            self._compared(node.this, node.args[bound], place)
        return "bool"

    def _in(self, node: Expr, place: QueryPlace) -> str:
        query, items = node.args.get("query"), node.expressions
        if any(node.args.get(each) for each in ("unnest", "field", "is_global")) or (query is None and not items):
            raise CannotDecideError("sql.beyond", "IN is followed by what is not read here.")
        left = node.this.expressions if node.this.key == "tuple" else [node.this]
        kinds = [self.expr(each, place) for each in left]
        if query is None:
            if node.this.key == "tuple":
                raise CannotDecideError("sql.beyond", "IN compares rows that are written out.")
            for item in items:
                self._compared(node.this, item, place)
            return "bool"
        columns = self._inner(query, place).columns
        if len(columns) != len(kinds):
            raise RefutedError("sql.column_count", f"IN compares {len(kinds)} value with {len(columns)} columns.")
        for kind, column in zip(kinds, columns, strict=True):
            self.require_alike(kind, column.kind)
        return "bool"

    def _inner(self, node: Expr, place: QueryPlace) -> Result:
        while node.key == "subquery":
            if any(value for name, value in node.args.items() if name not in ("this", "alias")):
                raise CannotDecideError("sql.beyond", "A query in parentheses says more than is read here.")
            node = node.this
        return self.query(node, place.scope, place.queries)

    def _exists(self, node: Expr, place: QueryPlace) -> str:
        if node.this.key not in (*QUERIES, "subquery"):
            raise CannotDecideError("sql.beyond", "EXISTS is followed by what is not read here.")
        self._inner(node.this, place)
        return "bool"

    def _scalar(self, node: Expr, place: QueryPlace) -> str:
        columns = self._inner(node, place).columns
        if len(columns) != 1:
            raise RefutedError("sql.column_count", f"A query that stands for one value has {len(columns)} columns.")
        return columns[0].kind

    def _case(self, node: Expr, place: QueryPlace) -> str:
        subject = node.args.get("this")
        kinds: list[tuple[str, Expr]] = []
        for each in node.args["ifs"]:
            if subject is None:
                self.require_truth(self.expr(each.this, place), each.this)
            else:
                self._compared(subject, each.this, place)
            kinds.append((self.expr(each.args["true"], place), each.args["true"]))
        if node.args.get("default") is not None:
            kinds.append((self.expr(node.args["default"], place), node.args["default"]))
        return self.united(kinds)

    def _if(self, node: Expr, place: QueryPlace) -> str:
        self.require_truth(self.expr(node.this, place), node.this)
        branches = [node.args[name] for name in ("true", "false") if node.args.get(name) is not None]
        return self.united([(self.expr(each, place), each) for each in branches])

    def _cast(self, node: Expr, place: QueryPlace) -> str:
        self.expr(node.this, place)
        return kind_of_type(node.args["to"])

    def _coalesce(self, node: Expr, place: QueryPlace) -> str:
        return self.united([(self.expr(each, place), each) for each in (node.this, *node.expressions)])

    def _function(self, node: Expr, place: QueryPlace) -> str:
        name = node.name.lower() if node.key == "anonymous" else node.key
        is_aggregate = name in AGGREGATES and not (name in ("min", "max") and node.expressions)
        inner = place
        if is_aggregate:
            if not place.may_aggregate:
                raise RefutedError(
                    "sql.misplaced_aggregate", f"The aggregate {name.upper()} stands where none may stand."
                )
            inner = replace(place, may_aggregate=False, may_window=False)
        elif name in WINDOW_ALONE:
            raise RefutedError("sql.misplaced_aggregate", f"{name.upper()} needs OVER.")
        kinds = self._arguments(node, inner)
        if is_aggregate:
            self._require_own(node, place.scope)
            self.aggregates[id(node)] = place.scope
        self.require_kinds(name, kinds, node)
        if name in ("min", "max", "firstvalue", "lastvalue", "lag", "lead", "nullif", "likely", "unlikely", "nthvalue"):
            return kinds[0] if kinds else ""
        if name in ("greatest", "least"):
            return self.united([(kind, node) for kind in kinds])
        found = [kind for kind, names in _RESULTS.items() if name in names]
        if not found and self.is_strict:
            raise CannotDecideError(
                "sql.type_mismatch", f"It is not told what kind of value {name.upper()[:30]} gives."
            )
        return found[0] if found else ""

    def _arguments(self, node: Expr, place: QueryPlace) -> list[str]:
        kinds = list[str]()
        waiting = list(node.iter_expressions())
        for each in waiting:
            if each.key in _WORDS or (each.key == "star" and node.key == "count"):
                continue
            if each.key in ("distinct", "order", "ordered"):
                self._require_shown(each)
                waiting += each.iter_expressions()
            else:
                kinds.append(self.expr(each, place))
        return kinds

    def _require_shown(self, node: Expr) -> None:
        """Refuse an order of distinct values by something else, which a strict dialect does not take."""
        if node.key == "order" and node.this is not None and node.this.key == "distinct" and self.is_strict:
            shown = [each.sql() for each in node.this.expressions]
            if any(each.this.sql() not in shown for each in node.expressions):
                raise CannotDecideError("sql.beyond", "Distinct values are ordered by something else.")

    def _require_own(self, node: Expr, scope: QueryScope) -> None:
        used = [self.bound[id(each)].scope for each in node.walk() if id(each) in self.bound]
        if used and scope not in used:
            raise CannotDecideError("sql.beyond", "An aggregate is over columns of a query outside.")

    def _filter(self, node: Expr, place: QueryPlace) -> str:
        kind = self.expr(node.this, place)
        inner = replace(place, may_aggregate=False, may_window=False)
        self.require_truth(self.expr(node.args["expression"].this, inner), node)
        if id(node.this) not in self.aggregates:
            raise RefutedError("sql.misplaced_aggregate", "FILTER stands behind what is no aggregate.")
        self.aggregates[id(node)] = self.aggregates[id(node.this)]
        return kind

    def _window(self, node: Expr, place: QueryPlace) -> str:
        if not place.may_window:
            raise RefutedError("sql.misplaced_aggregate", "OVER stands where none may stand.")
        if node.args.get("alias") or node.args.get("first"):
            raise CannotDecideError("sql.beyond", "A window is named elsewhere.")
        function = node.this
        name = function.name.lower() if function.key == "anonymous" else function.key
        inner = replace(place, may_window=False)
        if name in WINDOW_ALONE:
            kinds = self._arguments(function, inner)
            kind = kinds[0] if kinds and name in ("lag", "lead", "firstvalue", "lastvalue", "nthvalue") else ""
            kind = "number" if name in NUMBERS else kind
        elif name in AGGREGATES:
            self._arguments(function, inner)
            kind = "number" if name in NUMBERS else ""
        else:
            raise CannotDecideError("sql.beyond", "OVER stands behind what is not read here.")
        for each in node.args.get("partition_by") or []:
            self.expr(each, inner)
        for each in node.args["order"].expressions if node.args.get("order") is not None else []:
            self.expr(each.this, inner)
        return kind

    def is_position(self, node: Expr, columns: int) -> bool:
        """Return whether a member of ORDER BY or GROUP BY is a column's number; raises where there is none of it."""
        if node.key != "literal" or node.is_string or not node.name.isdigit():
            return False
        if not 1 <= int(node.name[:9]) <= columns or len(node.name) > 9:
            raise RefutedError("sql.column_count", f"There is no column number {node.name[:20]}.", columns=columns)
        return True

    def aggregates_in(self, scope: QueryScope) -> bool:
        """Return whether a scope has an aggregate of its own."""
        return any(each is scope for each in self.aggregates.values())

    def spelled(self, node: Expr) -> object:
        """Return what an expression means as a value that is the same wherever it means the same."""
        if id(node) in self.aliased:
            return self.spelled(self.aliased[id(node)])
        if id(node) in self.bound:
            scope, source, column = self.bound[id(node)]
            return ("column", id(scope), source, column.name)
        if node.key == "paren":
            return self.spelled(node.this)
        members = []
        for name, value in node.args.items():
            if value is not None and value is not False and value != []:
                items = value if isinstance(value, list) else [value]
                members.append(
                    (name, *(self.spelled(each) if hasattr(each, "iter_expressions") else each for each in items))
                )
        return (node.key, *members)


def _is_function(node: Expr) -> bool:
    from sqlglot.expressions import Func

    return isinstance(node, Func)


_READERS: Final[Mapping[str, Callable[[Expressions, Expr, QueryPlace], str]]] = {
    "column": Expressions._column,
    "paren": Expressions._same,
    "neg": Expressions._neg,
    "collate": Expressions._collate,
    "and": Expressions._truths,
    "or": Expressions._truths,
    "not": Expressions._truths,
    "dpipe": Expressions._text,
    "like": Expressions._text,
    "ilike": Expressions._text,
    "escape": Expressions._same,
    "between": Expressions._between,
    "in": Expressions._in,
    "exists": Expressions._exists,
    "subquery": Expressions._scalar,
    "case": Expressions._case,
    "if": Expressions._if,
    "cast": Expressions._cast,
    "trycast": Expressions._cast,
    "coalesce": Expressions._coalesce,
    "filter": Expressions._filter,
    "window": Expressions._window,
}
