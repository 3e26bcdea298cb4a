"""Decides a statement from a table: what stands in a row, what is most, how many there are, what is more than what.

Refuses to guess: a statement is decided only where each of its words has a meaning in the table or in a form, and where
all the ways to read it that are equally near come out alike. Ties, names of several rows, and numbers that are only
near are left undecided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Final

from probatum.core.validation import ClaimStatus
from probatum.judge.facts.table_words import Lexicon, Link, readings
from probatum.judge.facts.tables import SourceTable, TableCell

Rows = frozenset[int]


@dataclass(frozen=True, slots=True)
class TableRuling:
    """How a statement comes out, the cells that decide it, and why, in one sentence."""

    status: ClaimStatus
    cells: tuple[TableCell, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Told:
    """A truth, and the cells (row, column) that it rests on."""

    truth: bool
    cells: tuple[tuple[int, int], ...]
    form: str = ""


class _Doubt(Exception):
    """It cannot be told."""


@dataclass(frozen=True, slots=True)
class _Bag:
    """What a part of a statement asks of a row: per column the rows that answer; and columns that it only names."""

    needs: tuple[tuple[int, Rows], ...]
    named: tuple[int, ...] = ()
    cost: int = 0

    def rows(self, all_rows: tuple[int, ...]) -> Rows:
        found = frozenset(all_rows)
        for _, rows in self.needs:
            found &= rows
        return found


Links = tuple[Link, ...]


def table_ruling(statement: str, table: SourceTable) -> TableRuling | None:
    """Return what a table says of a statement, or None where it does not decide it."""
    lexicon = Lexicon(table)
    return ruling(statement, lexicon)


def ruling(statement: str, lexicon: Lexicon) -> TableRuling | None:
    """Decide a statement from a table whose words are known."""
    found = lexicon.links(statement) if len(statement) <= 2_000 else None
    if not found:
        return None
    told: dict[bool, _Told] = {}
    for reading in readings(found):
        try:
            one = _Reader(lexicon).told(reading)
        except _Doubt:
            continue
        if one is not None:
            told.setdefault(one.truth, one)
    if len(told) != 1:
        return None
    (one,) = told.values()
    status = ClaimStatus.SUPPORTED if one.truth else ClaimStatus.CONTRADICTED
    table = lexicon.table
    cells = tuple(table.rows[row][column] for row, column in one.cells[:20])
    names = ", ".join(f"row {row + 1} has {table.header[column].text!r} {table.rows[row][column].text!r}" for row, column in one.cells[:3])
    return TableRuling(status, cells, f"{one.form}: {names or 'no row is so'}.")


class _Reader:
    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.all = lexicon.rows

    # ------------------------------------------------------------------ parts

    def number_rows(self, column: int, number: Fraction, compare: str = "==") -> Rows:
        found = set()
        for row in self.all:
            value = self.lexicon.amount(row, column)
            text = self.lexicon.cells[row, column]
            if value is None:
                if not text or self.lexicon.table.rows[row][column].text.strip() in "-–—":
                    continue
                if compare != "==" or (number.denominator == 1 and str(number) in text):
                    raise _Doubt
                continue
            if _COMPARE[compare](value, number):
                found.add(row)
        return frozenset(found)

    def bags(self, links: Links) -> Iterator[_Bag]:
        """Yield the nearest ways to read a part: each column belongs to what stands next to it, or is only named."""
        links = tuple(link for link in links if link.sign not in "&")
        if any(link.sign not in "ECNrT" for link in links):
            return
        links = tuple(link for link in links if link.sign in "ECN")
        at_columns = [at for at, link in enumerate(links) if link.sign == "C"]
        if len(at_columns) > 5:
            return
        best: list[_Bag] = []
        for steps in product((-1, 1, 0), repeat=len(at_columns)):
            bag = self._bag(links, dict(zip(at_columns, steps, strict=True)))
            if bag is None:
                continue
            if not best or bag.cost < best[0].cost:
                best = []
            if not best or bag.cost == best[0].cost:
                best.append(bag)
        yield from best

    def _bag(self, links: Links, steps: Mapping[int, int]) -> _Bag | None:
        column_of: dict[int, int] = {}
        named, cost = [], 0
        for at, step in steps.items():
            if step == 0:
                named.append(links[at].column)
                cost += 1
                continue
            to = at + step
            if not 0 <= to < len(links) or links[to].sign == "C" or to in column_of:
                return None
            column_of[to] = links[at].column
        needs: list[tuple[int, Rows]] = []
        for at, link in enumerate(links):
            if link.sign == "C":
                continue
            column = column_of.get(at)
            if link.sign == "N":
                if column is None:
                    return None
                needs.append((column, self.number_rows(column, link.number)))
            else:
                of = dict(link.cells)
                if column is None and len(of) == 1:
                    (column,) = of
                elif column is None:
                    return None
                if column not in of:
                    return None
                needs.append((column, of[column]))
        return _Bag(tuple(needs), tuple(named), cost)

    def one_bag(self, links: Links) -> _Bag:
        found = [*self.bags(links)]
        if len({frozenset(bag.needs) for bag in found}) != 1:
            raise _Doubt
        return found[0]

    def one_row(self, links: Links) -> int:
        rows = self.one_bag(links).rows(self.all)
        if len(rows) != 1:
            raise _Doubt
        return min(rows)

    def amount(self, row: int, column: int) -> Fraction:
        value = self.lexicon.amount(row, column)
        if value is None:
            raise _Doubt
        return value

    # ------------------------------------------------------------------ forms

    def told(self, links: Links) -> _Told | None:
        while links and links[0].sign == "&":
            links = links[1:]
        signs = "".join(link.sign for link in links)
        for form, pattern, handler in _FORMS:
            match = pattern.fullmatch(signs)
            if match is not None:
                parts = {name: links[match.start(name) : match.end(name)] for name in match.groupdict() if match.start(name) >= 0}
                result = handler(self, parts)
                if result is not None:
                    return _Told(result.truth, result.cells, form)
        return None

    def lookup(self, parts: Mapping[str, Links]) -> _Told | None:
        bag = self.one_bag(parts["all"])
        columns = [column for column, _ in bag.needs]
        if len(columns) < 2 or len(set(columns)) != len(columns):
            return None
        rows = bag.rows(self.all)
        if rows:
            return _Told(True, tuple((min(rows), column) for column in columns))
        return _Told(False, tuple((min(of), column) for column, of in bag.needs if of))

    def superlative(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        if _is_rank(self.lexicon.names[column]):
            raise _Doubt
        values = {row: self.amount(row, column) for row in self.all if self.lexicon.cells[row, column]}
        if len(values) < 2:
            raise _Doubt
        best = (max if parts["super"][0].sign == "H" else min)(values.values())
        winners = frozenset(row for row in values if values[row] == best)
        rest = parts["one"] + parts["two"]
        if parts["two"] and parts["two"][0].sign == "N":
            if parts["two"][0].number != best:
                return _Told(False, ((min(winners), column),))
            rest = parts["one"] + parts["two"][1:]
            if not rest:
                return _Told(True, ((min(winners), column),))
        bag = self.one_bag(rest)
        rows = bag.rows(self.all)
        if not rows or not bag.needs:
            raise _Doubt
        cells = ((min(winners), column), (min(rows), column))
        if not winners & rows:
            return _Told(False, cells)
        if len(winners) > 1:
            raise _Doubt
        return _Told(True, cells)

    def comparison(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        if _is_rank(self.lexicon.names[column]):
            raise _Doubt
        one, two = self.one_row(parts["one"]), self.one_row(parts["two"])
        difference = self.amount(one, column) - self.amount(two, column)
        if parts["more"][0].sign == "F":
            difference = -difference
        by = parts.get("by")
        truth = difference == by[0].number if by else difference > 0
        return _Told(truth, ((one, column), (two, column)))

    def same(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        one, two = self.one_row(parts["one"]), self.one_row(parts["two"])
        truth = self.lexicon.cells[one, column] == self.lexicon.cells[two, column]
        return _Told(truth, ((one, column), (two, column)))

    def count(self, parts: Mapping[str, Links]) -> _Told | None:
        bag = self.one_bag(parts["one"] + parts["two"])
        columns = [column for column, _ in bag.needs]
        if not columns or len(set(columns)) != len(columns):
            return None
        rows = bag.rows(self.all)
        counts = {len(rows)}
        for noun in parts["noun"]:
            if noun.sign == "C":
                counts.add(len({self.lexicon.cells[row, noun.column] for row in rows}))
        if len(counts) != 1:
            raise _Doubt
        (number,) = counts
        compare = {"G": ">", "F": "<"}.get(parts["more"][0].sign if parts.get("more") else "", "==")
        truth = _COMPARE[compare](Fraction(number), parts["number"][0].number)
        return _Told(truth, tuple((row, column) for row in sorted(rows) for column in columns))

    def only(self, parts: Mapping[str, Links]) -> _Told | None:
        one, two = self.one_bag(parts["one"]), self.one_bag(parts["two"])
        if not one.needs or not two.needs:
            return None
        subject, so = one.rows(self.all), two.rows(self.all)
        if not subject or not so:
            raise _Doubt
        cells = tuple((row, two.needs[0][0]) for row in sorted(so))
        if so <= subject:
            if len(so) > 1:
                raise _Doubt
            return _Told(True, cells)
        return _Told(False, cells)

    def every(self, parts: Mapping[str, Links]) -> _Told | None:
        bag = self.one_bag(parts["two"])
        if len(bag.needs) != 1:
            raise _Doubt
        rows = bag.rows(self.all)
        column = bag.needs[0][0]
        return _Told(len(rows) == len(self.all), tuple((row, column) for row in self.all))

    def none(self, parts: Mapping[str, Links]) -> _Told | None:
        bag = self.one_bag(parts["two"])
        if not bag.needs:
            raise _Doubt
        rows = bag.rows(self.all)
        return _Told(not rows, tuple((row, column) for row in sorted(rows) for column, _ in bag.needs))

    def order(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        one, two = self.one_row(parts["one"]), self.one_row(parts["two"])
        difference = self.amount(one, column) - self.amount(two, column)
        return _Told(difference < 0 if parts["more"][0].sign == "b" else difference > 0, ((one, column), (two, column)))

    def total(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        rows = [self.one_row((link,)) for link in parts["one"] if link.sign == "E"] if parts.get("one") else self.all
        value = sum((self.amount(row, column) for row in rows), Fraction(0))
        return _Told(value == parts["number"][0].number, tuple((row, column) for row in rows))


def _is_rank(name: tuple[str, ...]) -> bool:
    return bool({"rank", "place", "position", "pos", "pick", "finish", "grid", "draw", "seed", "round", "plac"} & set(name))


_COMPARE: Final[Mapping[str, Callable[[Fraction, Fraction], bool]]] = {
    "==": lambda one, other: one == other,
    ">": lambda one, other: one > other,
    "<": lambda one, other: one < other,
}
_B: Final = "[ECN]"
_FORMS: Final = tuple(
    (form, re.compile(pattern), handler)
    for form, pattern, handler in (
        ("difference", r"(?P<one>[ECN]+?)(?P<by>N)(?:(?P<more>[GF])(?P<column>C)|(?P<column2>C)(?P<more2>[GF]))t(?P<two>[ECN]+)", _Reader.comparison),
        ("comparison", r"(?P<one>[ECN]+)(?P<more>[GF])(?P<column>C)t(?P<two>[ECN]+)", _Reader.comparison),
        ("comparison", r"(?P<one>[ECN]+?)(?P<column>C)(?P<more>[GF])t(?P<two>[ECN]+)", _Reader.comparison),
        ("equality", r"(?P<one>[ECN]+)=(?P<column>C)(?P<two>[ECN]+)", _Reader.same),
        ("equality", r"(?P<one>[ECN]+)&(?P<two>[ECN]+)=(?P<column>C)", _Reader.same),
        ("order", r"(?P<one>[ECN]+)(?P<column>C)(?P<more>[bf])(?P<two>[ECN]+)", _Reader.order),
        ("superlative", r"(?P<one>[ECNr&]*)(?P<super>[HL])(?P<column>C)(?P<two>[ECNr&]*)", _Reader.superlative),
        ("sum", r"(?P<one>E(?:&E)+)s(?P<number>N)(?P<column>C)", _Reader.total),
        ("count", r"T(?P<one>)(?:(?P<more>[GF])t)?(?P<number>N)(?P<noun>[rC])(?P<two>[ECNr]+)", _Reader.count),
        ("count", r"(?P<one>E?)(?P<number>N)(?P<noun>r)(?P<two>[ECN]+)", _Reader.count),
        ("count", r"(?P<one>[ECN]+)(?P<number>N)(?P<noun>r)(?P<two>[ECN]*)", _Reader.count),
        ("only", r"(?P<one>[ECN]+)O(?P<noun>[rC1]?)(?P<two>[ECN]+)", _Reader.only),
        ("all", r"(?:Ar|AC)(?P<two>[ECN]+)", _Reader.every),
        ("none", r"T?X[rC](?P<two>[ECN]+)", _Reader.none),
        ("lookup", r"(?P<all>[ECNr&]+)", _Reader.lookup),
    )
)
