"""Canonical forms of queries: two queries of one form give the same rows, as bags, on every database.

What is rewritten keeps bags and NULLs as they are, by the laws of three-valued logic and of bags (Guagliardo and
Libkin, A Formal Semantics of SQL Queries, VLDB 2017): names, stars, the order of inner joins and of AND, OR, =, +
and *, BETWEEN, lists of constants, NOT, what EXISTS selects, and DISTINCT as grouping. Queries come here qualified.
Refuses, as not compared, a query that reads one table many times.
"""

from __future__ import annotations

from itertools import permutations, product
from math import factorial, prod
from typing import TYPE_CHECKING, Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.sql.binding import BoundQuery, aggregates_in, conditions_of, flat, name_of
from probatum.exact.sql.chains import TRUE, Form, form_chain, form_pair, form_set
from probatum.exact.sql.reading import part, parts

if TYPE_CHECKING:
    from sqlglot.expressions import Expr, Table
    from sqlglot.optimizer.scope import Scope

_TURNED: Final = {"eq": "neq", "neq": "eq", "lt": "gte", "gte": "lt", "gt": "lte", "lte": "gt"}
_SWAPPED: Final = {"gt": "lt", "gte": "lte"}
_LOGIC: Final = ("and", "or", "not", "in", "between", "boolean", *_TURNED)
_MOST_ORDERS: Final = 24
_FALSE: Final[Form] = ("false",)


def form_of(binding: BoundQuery) -> Form:
    """Return the form of a query that was bound and is determined."""
    return _Former(binding).query(binding.tree)


class _Former:
    def __init__(self, binding: BoundQuery) -> None:
        self._binding = binding
        self._numbers: dict[tuple[int, str], str] = {}
        """By scope and name: the number of a source, with how many queries are around it."""
        self._depth = 0

    def query(self, node: Expr) -> Form:
        """Return the form of a query; no source of it looks like one of those around it."""
        while node.key == "subquery":
            node = node.this
        self._depth += 1
        if node.key == "select":
            form = self._select(node)
        else:
            kind = f"{node.key} {'distinct' if node.args.get('distinct') else 'all'}"
            sides = [self.query(node.this), self.query(node.args["expression"])]
            order = part(node, "order") if self._depth == 1 else None
            told = () if order is None else (str(order.sql()),)
            form = (kind, told, *(sides if node.key == "except" else sorted(sides, key=repr)))
        self._depth -= 1
        return form

    def _select(self, node: Expr) -> Form:
        scope = self._binding.by_select[id(node)]
        sides = [str(each.args.get("side") or "") for each in parts(node, "joins")]
        sources = [(self._source(source), name) for name, (_, source) in scope.selected_sources.items()]
        # The sources of an outer join stay in their order; of others, each order of those that are alike is tried.
        kinds = [[each] for each in sources] if any(sides) else []
        if not kinds:
            forms = sorted({form for form, _ in sources}, key=repr)
            kinds = [[each for each in sources if each[0] == form] for form in forms]
        if prod(factorial(len(each)) for each in kinds) > _MOST_ORDERS:
            raise CannotDecideError("sql.equivalence_open", "A query reads one table too often to be compared.")
        found: list[Form] = []
        for chosen in product(*map(permutations, kinds)):
            ordered = [each for kind in chosen for each in kind]
            for number, (_, name) in enumerate(ordered):
                self._numbers[id(scope), name] = f"{self._depth}.{number}"
            found.append(self._finished(node, tuple(form for form, _ in ordered), sides))
        return min(found, key=repr)

    def _finished(self, node: Expr, sources: Form, sides: list[str]) -> Form:
        """Return the form of a SELECT whose sources have their numbers."""
        joined = [each.args.get("on") for each in parts(node, "joins")] if any(sides) else []
        ons = tuple((side, self.truth(on)) for side, on in zip(sides, joined, strict=False) if on is not None)
        having = part(node, "having")
        apart = {id(each) for each in joined} | ({id(having.this)} if having is not None else set())
        where = form_chain("and", [self.truth(each) for each in conditions_of(node) if id(each) not in apart])
        given = tuple(self.value(each.this if each.key == "alias" else each) for each in node.expressions)
        group, is_distinct = part(node, "group"), part(node, "distinct") is not None
        keys = form_set(map(self.value, group.expressions)) if group is not None else ()
        is_summed = aggregates_in(node) or having is not None
        if is_distinct and not keys and not is_summed and node.find(_window()) is None:
            keys, is_distinct = form_set(given), False
        told = self.truth(having.this) if having is not None else ()
        flags = ("distinct" if is_distinct else "", "grouped" if keys or is_summed else "")
        return ("select", flags, given, sources, ons, where, keys, told, self._order(node, given))

    def _order(self, node: Expr, given: tuple[Form, ...]) -> Form:
        """Return the form of the order of rows; that of a query inside of another one does not count."""
        order, told = part(node, "order") if self._depth == 1 else None, list[Form]()
        for each in order.expressions if order is not None else ():
            is_output = each.this.key == "column" and self._binding.home(each.this) is None
            key = given[_outputs(node).index(each.this.name)] if is_output else self.value(each.this)
            told.append((key, str(bool(each.args.get("desc"))), str(each.args.get("nulls_first"))))
        return tuple(told)

    def _source(self, source: Table | Scope) -> Form:
        name = name_of(source)
        return ("table", name) if name else self.query(source.expression)

    def truth(self, node: Expr, *, turned: bool = False) -> Form:
        """Return the form of a condition, or of its opposite."""
        key = node.key
        if key in ("paren", "not"):
            return self.truth(node.this, turned=turned != (key == "not"))
        if key in ("and", "or"):
            told = [self.truth(each, turned=turned) for each in flat(node, key)]
            return form_chain("and" if (key == "and") != turned else "or", told)
        if key == "boolean":
            return TRUE if bool(node.this) != turned else _FALSE
        if key in _TURNED:
            return self._comparison(_TURNED[key] if turned else key, node.this, node.args["expression"])
        if key == "between":
            low, high = ("lt", "gt") if turned else ("gte", "lte")
            bounds = [(low, node.args["low"]), (high, node.args["high"])]
            return form_chain("or" if turned else "and", [self._comparison(k, node.this, b) for k, b in bounds])
        if key == "in" and node.args.get("query") is None:
            told = [self._comparison("neq" if turned else "eq", node.this, each) for each in node.expressions]
            return form_chain("and" if turned else "or", told)
        form = self.value(node)
        return ("not", form) if turned else form

    def _comparison(self, kind: str, left: Expr, right: Expr) -> Form:
        one, other = self.value(left), self.value(right)
        if kind in _SWAPPED:
            kind, one, other, left, right = _SWAPPED[kind], other, one, right, left
        if one[0] == other[0] == "number":
            a, b = int(str(one[1])), int(str(other[1]))
            return TRUE if {"eq": a == b, "neq": a != b, "lt": a < b, "lte": a <= b}[kind] else _FALSE
        if kind in ("eq", "neq"):
            return form_pair(kind, one, other)
        # Numbers of a column have one order, which texts that look like numbers have not.
        return (kind, one, other, *(["numbers"] if self._is_number(left) or self._is_number(right) else []))

    def _is_number(self, node: Expr) -> bool:
        table = self._binding.table(node) if node.key == "column" else None
        return table is not None and table.columns[node.name] == "number"

    def value(self, node: Expr) -> Form:
        """Return the form of an expression."""
        key = node.key
        if key == "column":
            return self._column(node)
        if key == "paren":
            return self.value(node.this)
        if key == "literal":
            is_whole = not node.is_string and node.name.isdigit() and len(node.name) <= 15
            return ("number", str(int(node.name))) if is_whole else ("text" if node.is_string else "decimal", node.name)
        if key in _LOGIC and not (key == "in" and node.args.get("query") is not None):
            # AND and NOT make a truth of a number, even where one member is left.
            return ("truth", self.truth(node)) if key in ("and", "or", "not") else self.truth(node)
        if key == "exists":
            form = self.query(node.this)
            # Whether there are rows does not turn on what is selected, unless they are summed up or told apart.
            is_plain = form[0] == "select" and not any(form[1])
            return ("exists", form[3:6] if is_plain else form)
        if key in ("select", "union", "intersect", "except", "subquery"):
            return ("query", self.query(node))
        if key == "count" and node.this.key in ("star", "literal"):
            return ("count", "*")
        if key in ("add", "mul"):
            return form_pair(key, self.value(node.this), self.value(node.args["expression"]))
        name = str(node.this).lower() if key == "anonymous" else key
        return (name, *self._members(node))

    def _column(self, node: Expr) -> Form:
        home = self._binding.home(node)
        if home is None:
            return ("output", node.name)
        source = home.selected_sources[node.text("table")][1]
        place = node.name if name_of(source) else str(_outputs(source.expression).index(node.name))
        return ("column", self._numbers[id(home), node.text("table")], place)

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


def _outputs(query: Expr) -> list[str]:
    """Return the names of a query's own columns."""
    return list(getattr(query, "named_selects", ()))


def _window() -> type[Expr]:
    from sqlglot.expressions import Window

    return Window
