"""Canonical forms of queries: two queries of one form give the same rows, as bags, on every database.

What is rewritten keeps bags and NULLs as they are: names, the order of inner joins and of AND, OR and =, BETWEEN, lists
of constants, NOT, plain derived tables, IN as EXISTS where only truth counts, DISTINCT as grouping. Refuses what may
give something else each time, and rows that a LIMIT picks where their order leaves the choice open.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product
from math import factorial, prod
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import SET_OPERATIONS, Binder, flat
from probatum.exact.sql.chains import TRUE, Form, form_chain, form_pair, form_set
from probatum.exact.sql.functions import UNREPEATABLE, words
from probatum.exact.sql.reading import part, parts
from probatum.exact.sql.scopes import Bound, QueryScope

if TYPE_CHECKING:
    from sqlglot.expressions import Expr

OPEN: Final = "sql.equivalence_open"
Item = tuple[QueryScope, int, int]
"""A column of a source: its scope, the source and the column, by their places."""
_TURNED: Final = {"eq": "neq", "neq": "eq", "lt": "gte", "gte": "lt", "gt": "lte", "lte": "gt"}
_SWAPPED: Final = {"gt": "lt", "gte": "lte"}
_LOGIC: Final = ("and", "or", "not", "in", "between", "exists", "boolean", *_TURNED)
_MOST_ORDERS: Final = 24
_AROUND: Final = ("from", "join", "in", "exists", "subquery", "cte", *SET_OPERATIONS)


class NotComparedError(Exception):
    """A query has no form."""


def require_determined(tree: Expr, binder: Binder) -> None:
    """Raise CannotDecideError where a query that was bound may give other rows on the same database."""
    for node in tree.walk():
        name = str(node.this).lower() if node.key == "anonymous" else node.key
        if name in UNREPEATABLE or name in ("placeholder", "parameter", "windowspec", "collate"):
            raise CannotDecideError(OPEN, "A query uses what may be something else each time.")
        if name == "fetch" or (name in ("limit", "offset") and not is_total(node.parent, binder)):
            raise CannotDecideError(OPEN, "Which rows a LIMIT picks is left open.")
        if name == "subquery" and node.parent is not None and node.parent.key not in _AROUND:
            scope = binder.scopes.get(id(node.this))
            is_one_row = scope is not None and binder.aggregates_in(scope) and part(node.this, "group") is None
            if not is_one_row and not is_total(node.this, binder) and not binder.is_strict:
                raise CannotDecideError(OPEN, "Which row of a query stands for its value is left open.")


def is_total(node: Expr | None, binder: Binder) -> bool:
    """Return whether the order of a query leaves nothing open: it names a key of its one table, or every group."""
    order = part(node, "order") if node is not None else None
    if node is None or order is None or node.key != "select":
        return False
    scope, group = binder.scopes[id(node)], part(node, "group")
    targets = [binder.aliased.get(id(each.this), each.this) for each in order.expressions]
    for place, each in enumerate(targets):
        if each.key == "literal" and not each.is_string:
            chosen = node.expressions[int(each.name) - 1]
            targets[place] = chosen.this if chosen.key == "alias" else chosen
    if group is not None:
        told = {binder.spelled(each) for each in targets}
        return all(each.key == "column" and binder.spelled(each) in told for each in group.expressions)
    if len(scope.sources) != 1 or scope.sources[0].table is None or binder.aggregates_in(scope):
        return False
    bound = [binder.bound.get(id(each)) for each in targets]
    names = {each.column.name for each in bound if each is not None and each.scope is scope}
    return part(node, "distinct") is None and any(key <= names for key in scope.sources[0].table.keys)


class Former:
    """Makes the form of one query that was bound and that is determined."""

    def __init__(self, binder: Binder) -> None:
        self.binder = binder
        self.homes: dict[tuple[int, int], tuple[str, str] | list[Expr | Item]] = {}
        """What a source is, by scope and place: depth and number, or the items of a derived table that was merged."""
        self.depth = 0
        """How many queries are around the one whose form is made, where it is read and not where it is written."""

    def query(self, node: Expr) -> Form:
        """Return the form of a query; raises NotComparedError."""
        while node.key == "subquery":
            node = node.this
        if node.key == "select":
            return self._select(node)
        kind = f"{node.key} {'distinct' if node.args.get('distinct') else 'all'}"
        sides = [self.query(node.this), self.query(node.args["expression"])]
        if node.key == "union":
            sides = [each for side in sides for each in (side[1:] if side[0] in (kind, "union all") else [side])]
        return (kind, *(sides if node.key == "except" else sorted(sides, key=repr)))

    def _inside(self, node: Expr) -> Form:
        """Return the form of a query inside of another one: no source of it may look like one of those around it."""
        self.depth += 1
        form = self.query(node)
        self.depth -= 1
        return form

    def order(self, node: Expr) -> Form:
        """Return the form of the order of a query's rows, once the query has its form; raises NotComparedError."""
        order, found = part(node, "order"), list[Form]()
        outputs = self._outputs(node) if node.key == "select" else []
        for each in order.expressions if order is not None else []:
            if each.this.key == "literal" and not each.this.is_string:
                key = self._item(outputs[int(each.this.name) - 1]) if outputs else str(each.this.name)
            elif node.key != "select":
                raise NotComparedError
            else:
                key = self.value(each.this)
            found.append((key, str(bool(each.args.get("desc"))), str(each.args.get("nulls_first"))))
        return tuple(found)

    def _select(self, node: Expr) -> Form:
        scope = self.binder.scopes[id(node)]
        leaves: list[tuple[QueryScope, int, Form]] = []
        conditions: list[Expr] = []
        pairs: list[tuple[Item, Item]] = []
        if scope.has_outer and scope.absorbed:
            raise NotComparedError
        self._gather(node, leaves, conditions, pairs, merges=not scope.has_outer)
        kinds = sorted({leaf[2] for leaf in leaves}, key=repr)
        groups = [[place for place, leaf in enumerate(leaves) if leaf[2] == kind] for kind in kinds]
        if prod(factorial(len(group)) for group in groups) > _MOST_ORDERS:
            raise NotComparedError
        # The sources of an outer join stay in their order; of others, each order of those that are alike is tried.
        choices = [[range(len(leaves))]] if scope.has_outer else [permutations(group) for group in groups]
        forms: list[Form] = []
        for chosen in product(*choices):
            order = [place for group in chosen for place in group]
            for number, place in enumerate(order):
                self.homes[id(leaves[place][0]), leaves[place][1]] = (str(self.depth), str(number))
            sources: Form = tuple(leaves[place][2] for place in order)
            if scope.has_outer:
                joins = parts(node, "joins")
                sources = (sources, *((str(each.args.get("side")), self._all([each.args.get("on")])) for each in joins))
            equal = [form_pair("eq", self._item(one), self._item(other)) for one, other in pairs]
            forms.append(self._finished(node, sources, self._all(conditions, equal)))
        return min(forms, key=repr)

    def _gather(
        self,
        node: Expr,
        leaves: list[tuple[QueryScope, int, Form]],
        conditions: list[Expr],
        pairs: list[tuple[Item, Item]],
        *,
        merges: bool,
    ) -> None:
        """Add the sources of a query, and its conditions on single rows."""
        scope = self.binder.scopes[id(node)]
        for place, source in enumerate(_sources(node)):
            inner, table = self._inner(source), scope.sources[place].table
            if inner is not None and merges and self._is_plain(inner):
                self._gather(inner, leaves, conditions, pairs, merges=True)
                self.homes[id(scope), place] = self._outputs(inner)
            else:
                form = self._inside(inner) if inner is not None else ("table", table.name if table else "")
                leaves.append((scope, place, form))
        for name, right in sorted(scope.absorbed):
            owner = scope.merged[name]
            pairs.append(((scope, owner, _place(scope, owner, name)), (scope, right, _place(scope, right, name))))
        if merges:
            conditions += [join.args["on"] for join in parts(node, "joins") if join.args.get("on") is not None]
        where = part(node, "where")
        conditions += [where.this] if where is not None else []

    def _inner(self, source: Expr) -> Expr | None:
        """Return the query that a source stands for; None for a table."""
        if source.key == "table" and id(source) not in self.binder.bodies:
            return None
        body = self.binder.bodies[id(source)] if source.key == "table" else source
        while body is not None and body.key == "subquery":
            body = body.this
        if body is None:
            raise NotComparedError
        return body

    def _is_plain(self, node: Expr) -> bool:
        """Return whether a derived table can be merged into the query around it."""
        if node.key != "select" or any(
            part(node, n) is not None for n in words("group having limit offset distinct with")
        ):
            return False
        scope = self.binder.scopes[id(node)]
        # A query that WITH names may be read at more than one place, where its columns mean different rows.
        is_once = sum(body is node for body in self.binder.bodies.values()) < 2
        is_rowwise = not _has_window(node) and not self.binder.aggregates_in(scope)
        return is_once and is_rowwise and not scope.has_outer and part(node, "from") is not None

    def _outputs(self, node: Expr) -> list[Expr | Item]:
        """Return what a SELECT gives, column by column, with stars written out."""
        scope = self.binder.scopes[id(node)]
        found: list[Expr | Item] = []
        for item in node.expressions:
            if item.key == "star" or (item.key == "column" and item.this.key == "star"):
                found += [(scope, *each) for each in self.binder.starred(item, scope)]
            else:
                found.append(item.this if item.key == "alias" else item)
        return found

    def _finished(self, node: Expr, sources: Form, where: Form) -> Form:
        scope = self.binder.scopes[id(node)]
        given = tuple(map(self._item, self._outputs(node)))
        group, having, is_distinct = part(node, "group"), part(node, "having"), part(node, "distinct") is not None
        keys = form_set(self._key(each, node) for each in group.expressions) if group is not None else ()
        is_summed = self.binder.aggregates_in(scope) or having is not None
        if is_distinct and not keys and not is_summed and not _has_window(node):
            keys, is_distinct = form_set(given), False
        elif is_distinct and keys and all(key in given for key in keys):
            is_distinct = False
        told = self._all([having.this]) if having is not None else ()
        limits = [part(node, name) for name in ("limit", "offset")]
        counts = tuple(each.args["expression"].name if each is not None else "" for each in limits)
        counts = (counts[0], "" if counts[1] == "0" else counts[1])
        flags = ("distinct" if is_distinct else "", "grouped" if keys or is_summed else "")
        return ("select", flags, given, sources, where, keys, told, counts, self.order(node) if any(counts) else ())

    def _key(self, node: Expr, select: Expr) -> Form:
        if node.key == "literal" and not node.is_string and node.name.isdigit():
            return self._item(self._outputs(select)[int(node.name) - 1])
        return self.value(node)

    def _item(self, item: Expr | Item) -> Form:
        if not isinstance(item, tuple):
            return self.value(item)
        scope, place, number = item
        home = self.homes.get((id(scope), place))
        if home is None:
            raise NotComparedError
        if isinstance(home, list):
            return self._item(home[number])
        source = scope.sources[place]
        return ("column", *home, source.columns[number].name if source.table is not None else str(number))

    def _all(self, conditions: Sequence[Expr | None], more: Sequence[Form] = ()) -> Form:
        told = [self.truth(each, is_filter=True) for each in conditions if each is not None]
        return form_chain("and", [*told, *more])

    def truth(self, node: Expr, *, turned: bool = False, is_filter: bool = False) -> Form:
        """Return the form of a condition, or of its opposite; a filter asks only whether it is true."""
        key = node.key
        if id(node) in self.binder.aliased:
            return self.truth(self.binder.aliased[id(node)], turned=turned, is_filter=is_filter)
        if key == "paren":
            return self.truth(node.this, turned=turned, is_filter=is_filter)
        if key == "not":
            return self.truth(node.this, turned=not turned)
        if key in ("and", "or"):
            told = [self.truth(each, turned=turned, is_filter=is_filter and not turned) for each in flat(node, key)]
            return form_chain("and" if (key == "and") != turned else "or", told)
        if key == "boolean":
            return TRUE if bool(node.this) != turned else ("false",)
        if key in _TURNED:
            return self._comparison(_TURNED[key] if turned else key, node.this, node.args["expression"])
        if key == "between":
            low, high = ("lt", "gt") if turned else ("gte", "lte")
            told = [
                self._comparison(low, node.this, node.args["low"]),
                self._comparison(high, node.this, node.args["high"]),
            ]
            return form_chain("or" if turned else "and", told)
        if key == "in" and node.args.get("query") is None:
            told = [self._comparison("neq" if turned else "eq", node.this, each) for each in node.expressions]
            return form_chain("and" if turned else "or", told)
        form = self._lookup(node, is_filter=is_filter and not turned) if key in ("in", "exists") else self.value(node)
        opposite: Form = {TRUE: ("false",), ("false",): TRUE}.get(form, ("not", form))
        return opposite if turned else form

    def _lookup(self, node: Expr, *, is_filter: bool) -> Form:
        query = node.this if node.key == "exists" else node.args["query"]
        while query.key == "subquery":
            query = query.this
        form = self._inside(query)
        is_rows = query.key == "select" and not any(
            part(query, name) is not None for name in words("group having limit offset")
        )
        is_rows = is_rows and not self.binder.aggregates_in(self.binder.scopes[id(query)])
        if node.key == "exists":
            return ("exists", (form[3], form[4]) if is_rows else form)
        left = node.this.expressions if node.this.key == "tuple" else [node.this]
        # Which is which of two sources that are alike depends on all of the conditions.
        is_apart = len(set(form[3])) == len(form[3])
        if is_rows and is_filter and is_apart and len(left) == 1:
            equal = form_pair("eq", form[2][0], self.value(left[0]))
            return ("exists", (form[3], form_chain("and", [form[4], equal])))
        return ("in", *map(self.value, left), form)

    def _comparison(self, kind: str, left: Expr, right: Expr) -> Form:
        one, other = self.value(left), self.value(right)
        if kind in _SWAPPED:
            kind, one, other = _SWAPPED[kind], other, one
        if one[0] == other[0] == "number":
            a, b = int(str(one[1])), int(str(other[1]))
            return TRUE if {"eq": a == b, "neq": a != b, "lt": a < b, "lte": a <= b}[kind] else ("false",)
        if kind in ("eq", "neq"):
            return form_pair(kind, one, other)
        # Numbers of a column have one order, which texts that look like numbers have not.
        return (kind, one, other, *(["numbers"] if self._is_number(left) or self._is_number(right) else []))

    def _is_number(self, item: Expr | Item) -> bool:
        """Return whether a value is a column of numbers of a table, also through queries that were merged."""
        if not isinstance(item, tuple):
            bound, inner = self.binder.bound.get(id(item)), self.binder.aliased.get(id(item))
            if item.key == "paren" or inner is not None:
                return self._is_number(inner if inner is not None else item.this)
            if bound is None:
                return False
            item = (bound.scope, bound.source, _place(bound.scope, bound.source, bound.column.name))
        scope, place, number = item
        home, source = self.homes.get((id(scope), place)), scope.sources[place]
        if isinstance(home, list):
            return self._is_number(home[number])
        return source.table is not None and source.columns[number].kind in ("number", "float")

    def value(self, node: Expr) -> Form:
        """Return the form of an expression."""
        key = node.key
        if id(node) in self.binder.aliased:
            return self.value(self.binder.aliased[id(node)])
        bound = self.binder.bound.get(id(node))
        if isinstance(bound, Bound):
            return self._item((bound.scope, bound.source, _place(bound.scope, bound.source, bound.column.name)))
        if key == "paren":
            return self.value(node.this)
        if key == "literal":
            is_whole = not node.is_string and node.name.isdigit() and len(node.name) <= 15
            return ("number", str(int(node.name))) if is_whole else ("text" if node.is_string else "decimal", node.name)
        if key in _LOGIC:
            # AND and NOT make a truth of a number, even where one member is left.
            return ("truth", self.truth(node)) if key in ("and", "or", "not") else self.truth(node)
        if key == "is" and node.args["expression"].key == "null" and self._is_required(node.this):
            return ("false",)
        if key == "subquery":
            return ("scalar", self._inside(node))
        counted = node.this if key == "count" else None
        if counted is not None and (counted.key in ("star", "literal") or self._is_required(counted)):
            return ("count", "*")
        name = str(node.this).lower() if key == "anonymous" else key
        if key in ("add", "mul"):
            return form_pair(key, self.value(node.this), self.value(node.args["expression"]))
        return (name, *self._members(node))

    def _is_required(self, node: Expr) -> bool:
        bound = self.binder.bound.get(id(node))
        table = bound.scope.sources[bound.source].table if bound is not None else None
        return (
            bound is not None and table is not None and not bound.scope.has_outer and bound.column.name in table.certain
        )

    def _members(self, node: Expr) -> list[Form]:
        told: list[Form] = []
        for name, value in sorted(node.args.items()):
            if value is None or value is False or value == [] or (node.key == "anonymous" and name == "this"):
                continue
            items = value if isinstance(value, list) else [value]
            told.append(
                (name, *(self.value(each) if hasattr(each, "iter_expressions") else str(each) for each in items))
            )
        return told


def _sources(node: Expr) -> list[Expr]:
    first = part(node, "from")
    return [first.this, *(join.this for join in parts(node, "joins"))] if first is not None else []


def _place(scope: QueryScope, source: int, name: str) -> int:
    return next(number for number, column in enumerate(scope.sources[source].columns) if column.name == name)


def _has_window(node: Expr) -> bool:
    return any(each.key == "window" for item in node.expressions for each in item.walk())
