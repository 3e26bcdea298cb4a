"""Decides a statement from a table: what stands in a row, what is most, how many there are, what is more than what.

Refuses to guess: a statement is decided only where each of its words has a meaning in the table or in a form, and where
all the ways to read it that are equally near come out alike. Ties, names of several rows, and numbers that are only
near are left undecided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product
from typing import Final

from probatum.core.validation import ClaimStatus
from probatum.judge.facts.table_words import Lexicon, Link, readings, root, words
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
    """It can be read, and cannot be told: other readings tell nothing then."""


class _Unread(Exception):
    """It cannot be read so."""


@dataclass(frozen=True, slots=True)
class _Bag:
    """What a part of a statement asks of a row: per column the rows that answer; and columns that it only names."""

    needs: tuple[tuple[int, Rows], ...]
    named: tuple[int, ...] = ()
    cost: int = 0
    sure: bool = True

    def rows(self, all_rows: tuple[int, ...]) -> Rows:
        found = frozenset(all_rows)
        for _, rows in self.needs:
            found &= rows
        return found


Links = tuple[Link, ...]


def table_ruling(statement: str, table: SourceTable) -> TableRuling | None:
    """Return what a table says of a statement, or None where it does not decide it."""
    lexicon = _lexicon(table)
    found = lexicon.links(statement) if len(statement) <= _LONGEST else None
    if not found:
        return None
    told: dict[bool, _Told] = {}
    try:
        for reading in readings(found):
            for links in dict.fromkeys((reading, tuple(map(_loosened, reading)))):
                one = _Reader(lexicon).told(_compared(links))
                if one is not None:
                    told.setdefault(one.truth, one)
    except _Doubt:
        return None
    if len(told) != 1:
        return None
    (one,) = told.values()
    status = ClaimStatus.SUPPORTED if one.truth else ClaimStatus.CONTRADICTED
    cells = one.cells[:_MOST_CELLS]
    rests = [f"row {row + 1} has {table.header[at].text!r} {table.rows[row][at].text!r}" for row, at in cells[:3]]
    reason = f"{one.form}: {', '.join(rests) or 'no row is so'}."
    return TableRuling(status, tuple(table.rows[row][at] for row, at in cells), reason)


@lru_cache(maxsize=2)
def _lexicon(table: SourceTable) -> Lexicon:
    return Lexicon(table)


def _compared(links: Links) -> Links:
    """Join each number with what it is compared by: more than 5, between 5 and 7."""
    found: list[Link] = []
    at = 0
    signs = "".join(link.sign for link in links)
    while at < len(links):
        match = _LIMIT.match(signs, at)
        if match is None:
            found.append(links[at])
            at += 1
            continue
        numbers = [link.number for link in links[at : match.end()] if link.sign == "N"]
        found.append(Link("N", "", number=numbers[0], compare=match[0][0], most=numbers[-1]))
        at = match.end()
    # The second mention of a column tells it: Bob sold 95 units.
    signs = "".join(link.sign for link in found)
    said_again = {match.start() for match in _AGAIN.finditer(signs) if _same_column(found, match)}
    return tuple(link for at, link in enumerate(found) if at not in said_again)


def _loosened(link: Link) -> Link:
    """Let a name stand also for longer ones of its column: Boston is also in "Boston, MA"."""
    loose = dict(link.loose)
    return replace(link, cells=tuple((column, loose[column]) for column, _ in link.cells)) if link.cells else link


def _same_column(links: list[Link], match: re.Match[str]) -> bool:
    one, other = links[match.start()], links[match.end(1) - 1]
    return one.column == other.column and not (one.exact and other.exact)


class _Reader:
    """Reads the links of one statement against the forms."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.all = lexicon.rows

    def told(self, links: Links) -> _Told | None:
        """Return what the first form that fits and is decided tells; else of parts that are all decided."""
        while links and links[0].sign == "&":
            links = links[1:]
        signs = "".join(link.sign for link in links)
        for form, pattern, decide in _FORMS:
            match = pattern.fullmatch(signs)
            if match is None:
                continue
            spans = {name.rstrip("2"): match.span(name) for name in match.groupdict() if match[name] is not None}
            try:
                found = decide(self, {name: links[start:end] for name, (start, end) in spans.items()})
            except _Unread:
                continue
            if found is not None:
                return _Told(found.truth, found.cells, form)
        if _EMPTY.search(signs):
            left = _EMPTY.sub(lambda match: "-" * len(match[0]), signs)
            return self.told(tuple(link for link, sign in zip(links, left, strict=True) if sign != "-"))
        return self._each(links, signs) or self._parts(links, signs)

    def _each(self, links: Links, signs: str) -> _Told | None:
        """Decide a statement of several rows for each of them: A and B have 5."""
        match = _SEVERAL.search(signs)
        if match is None:
            return None
        several = [at for at in range(*match.span()) if signs[at] == "E"]
        columns = {tuple(column for column, _ in links[at].cells) for at in several}
        if len(columns) != 1:
            return None
        start, rest = (
            [link for link in part if link.sign != "A"] for part in (links[: match.start()], links[match.end() :])
        )
        told = [self.told((*start, links[at], *rest)) for at in several]
        found = _all_told(told) if all(each is not None and each.form == "lookup" for each in told) else None
        # Together they may have what none of them has.
        is_each = "A" in signs or "N" not in signs
        return found if found is not None and (found.truth or is_each) else None

    def _parts(self, links: Links, signs: str) -> _Told | None:
        for at, sign in enumerate(signs):
            if sign == "&" and 2 <= at < len(signs) - 2:
                found = _all_told([self.told(links[:at]), self.told(links[at + 1 :])])
                if found is not None:
                    return found
        return None

    def number_rows(self, column: int, link: Link) -> Rows:
        """Return the rows whose number answers; in doubt where a cell is no number but may mean it."""
        found, unread = set(), 0
        for row in self.all:
            read = self.lexicon.key if link.word == "date" else self.lexicon.amount
            value, text = read(row, column), self.lexicon.cells[row, column]
            if value is not None:
                values = {each for each in self.values(value, column) if not link.scaled or each != value} or {value}
                told = {_COMPARE[link.compare](each, link.number, link.most) for each in values}
                name = self.told_of(row, column)
                is_other = (link.word.endswith("%") and "%" not in name) or link.unit not in words(name) + ("",)
                if (len(told) > 1 and link.compare not in "==~") or is_other:
                    raise _Doubt
                if True in told:
                    found.add(row)
            elif text:
                unread += 1
                if link.compare != "==" or link.word in text:
                    raise _Doubt
        if 2 * unread > len(self.all):
            raise _Doubt
        return frozenset(found)

    def values(self, value: Fraction, column: int) -> set[Fraction]:
        """Return what a number of a column may be: one as written, or one in the scale that the column tells."""
        return {value, value * 10 ** self.lexicon.scales[column]}

    def told_of(self, row: int, column: int) -> str:
        """Return a cell with the name of its column, in which percent is a sign."""
        table = self.lexicon.table
        return _PERCENT.sub("%", f"{table.header[column].text} {table.rows[row][column].text}".lower())

    def bags(self, links: Links) -> list[_Bag]:
        """Return the nearest ways to read a part: each column belongs to what stands next to it, or is only named."""
        if any(link.sign not in "ECNIrp&T" for link in links):
            return []
        links = tuple(link for link in links if link.sign in "ECNI")
        at_columns = [at for at, link in enumerate(links) if link.sign == "C"]
        best: list[_Bag] = []
        for steps in product((-1, 1, 0), repeat=len(at_columns)) if len(at_columns) <= _MOST_COLUMNS else ():
            bag = self._bag(links, dict(zip(at_columns, steps, strict=True)))
            if bag is None or (best and bag.cost > best[0].cost):
                continue
            best = [*best, bag] if best and bag.cost == best[0].cost else [bag]
        return best

    def _bag(self, links: Links, steps: Mapping[int, int]) -> _Bag | None:
        column_of: dict[int, int] = {}
        named, cost, sure = [], 0, True
        for at, step in steps.items():
            column, to = links[at].column, at + step
            is_first = not at or at - 1 in column_of
            while step == 1 and is_first and to < len(links) and links[to].sign == "E" and column not in dict(links[to].cells):
                to, cost = to + step, cost + 1
            if step == 0 and (not at or self.counts_up(column)):
                named.append(column)
                cost += 10
            elif step == 0 or not 0 <= to < len(links) or links[to].sign == "C" or to in column_of:
                return None
            elif links[to].sign == "E" and column not in dict(links[to].cells):
                if not (links[at].exact and links[to].exact and self.alike(column, links[to])):
                    return None
                column_of[to], cost = column, cost + 15
            else:
                column_of[to] = column
        needs: list[tuple[int, Rows]] = []
        for at, link in enumerate(links):
            if link.sign == "C":
                continue
            held, of = column_of.get(at), dict(link.cells)
            if link.sign in "NI":
                if held is None or (link.sign == "I" and not _PLACES & {*self.lexicon.names[held]}):
                    return None
                needs.append((held, self.number_rows(held, link)))
                continue
            if held is None and len(of) == 1 and (len(link.word) >= 4 or not link.word.isdigit()):
                (held,) = of
            if held is None or any(name in of and name != held for name in named):
                return None
            sure = sure and (link.exact or " " in link.word)
            needs.append((held, of.get(held, frozenset())))
        return _Bag(tuple(needs), tuple(named), cost, sure)

    def alike(self, column: int, link: Link) -> bool:
        """Return whether a column holds what the one that has this text holds too: home and away teams."""
        own = {self.lexicon.cells[row, column] for row in self.all}
        other = {self.lexicon.cells[row, at] for at, _ in link.cells for row in self.all}
        return len(own & other) > 1 and any(not word[0].isdigit() for word in link.word.split())

    def one_bag(self, links: Links) -> _Bag:
        """Return the only nearest way to read a part."""
        found = self.bags(links)
        if not found:
            raise _Unread
        if len({frozenset(bag.needs) for bag in found}) != 1:
            raise _Doubt
        return found[0]

    def some(self, links: Links) -> Rows:
        """Return the rows that a part tells of, which must be some."""
        bag = self.one_bag(links)
        rows = bag.rows(self.all)
        if not rows or not bag.needs:
            raise _Unread
        return rows

    def one_row(self, links: Links) -> int:
        """Return the row that a part tells of, which must be one."""
        rows = self.some(links)
        if len(rows) != 1:
            raise _Doubt
        return min(rows)

    def amount(self, row: int, column: int) -> Fraction:
        """Return the number in a cell, which must be one."""
        value = self.lexicon.amount(row, column)
        if value is None:
            raise _Doubt
        return value

    def key(self, row: int, column: int) -> Fraction:
        """Return the number or day in a cell, which must be one."""
        value = self.lexicon.key(row, column)
        if value is None:
            raise _Doubt
        return value

    def lookup(self, parts: Mapping[str, Links]) -> _Told | None:
        links = parts["one"] + parts.get("two", ())
        bag = self.one_bag(links)
        columns = [column for column, _ in bag.needs]
        if len(set(columns)) != len(columns):
            return None
        if len(columns) < 2:
            raise _Doubt
        rows, denied = bag.rows(self.all), "not" in parts
        if self.may_count(links, bool(rows)):
            raise _Doubt
        empty = [at for at, (_, of) in enumerate(bag.needs) if not of]
        if not rows and (not bag.sure or len(empty) > 1 or 0 in empty):
            # It may tell of what the table does not hold.
            raise _Doubt
        near = tuple(
            replace(link, compare="~") if link.sign == "N" and link.compare == "==" else link for link in links
        )
        if not rows and any(each.rows(self.all) for each in self.bags(near)):
            raise _Doubt
        if not denied and self.may_add_up(links):
            raise _Doubt
        if rows and any(link.compare not in "==~" for link in links) and bag.needs[0][1] - bag.needs[-1][1]:
            # Of several rows some may be meant, or all.
            raise _Doubt
        if rows:
            return _Told(not denied, tuple((min(rows), column) for column in columns))
        return _Told(denied, tuple((min(of), column) for column, of in bag.needs if of))

    def may_add_up(self, links: Links) -> bool:
        """Return whether a number may be the sum of the rows that the rest of the statement tells of."""
        for at, link in enumerate(links):
            if link.sign != "N" or link.compare != "==":
                continue
            for near in (at - 1, at + 1):
                if not 0 <= near < len(links) or links[near].sign != "C":
                    continue
                column = links[near].column
                rest = [each for place, each in enumerate(links) if place not in (at, near)]
                rows = [bag.rows(self.all) for bag in self.bags(tuple(rest)) if bag.needs]
                values = [self.lexicon.amount(row, column) for row in rows[0]] if rows else []
                if len(values) > 1 and None not in values and sum(filter(None, values), Fraction(0)) == link.number:
                    return True
        return False

    def counts_up(self, column: int) -> bool:
        """Return whether a column numbers the rows."""
        values = [value for row in self.all if (value := self.lexicon.amount(row, column)) is not None]
        return len(values) == len(self.all) and all(two - one == 1 for one, two in pairwise(values))

    def are_names(self, column: int) -> bool:
        """Return whether a column tells rows apart: it holds no numbers, or numbers the rows."""
        return any(self.lexicon.amount(row, column) is None for row in self.all) or self.counts_up(column)

    def may_count(self, links: Links, truth: bool) -> bool:
        """Return whether a number before a column may be how many there are, which is another truth."""
        for at, link in enumerate(links[:-1]):
            if link.sign != "N" or links[at + 1].sign != "C" or (at and links[at - 1].sign == "C"):
                continue
            found = self.bags(links[:at] + links[at + 2 :])
            counts = {len(bag.rows(self.all)) for bag in found if bag.needs}
            if (not at and not counts) or (self.are_names(links[at + 1].column) and (link.number in counts) is not truth):
                return True
        return False

    def superlative(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        if _RANKS & {*self.lexicon.names[column]}:
            raise _Doubt
        key = self.key if parts["most"][0].word in _MOMENTS else self.amount
        values = {row: key(row, column) for row in self.all if self.lexicon.cells[row, column]}
        if len(values) < 2:
            raise _Doubt
        pick = max if parts["most"][0].sign == "H" else min
        best = pick(values.values())
        winners = frozenset(row for row in values if values[row] == best)
        cells = ((min(winners), column),)
        number = parts.get("number", ())
        rest = (*parts.get("one", ()), *parts.get("two", ()))
        if not rest:
            return _Told(number[0].number in self.values(best, column), cells) if number else None
        rows = self.some(rest)
        if not number:
            pools = [of & values.keys() for _, of in self.one_bag(rest).needs]
            bests = [pick(values[row] for row in pool) for pool in pools if len(pool) > 1 and len(pools) > 1]
            scopes = {any(values.get(row) == each for row in rows) for each in bests}
            if len(rows) > 1 and len(pools) == 1:
                raise _Doubt
            if (len(winners) > 1 and winners & rows) or scopes - {bool(winners & rows)}:
                raise _Doubt
            return _Told(bool(winners & rows), (*cells, (min(rows), column)))
        inside = {values[row] for row in rows if row in values}
        scoped = bool(inside) and number[0].number in self.values(pick(inside), column)
        if scoped is not (number[0].number in self.values(best, column) and bool(winners & rows)):
            raise _Doubt
        return _Told(scoped, (*cells, (min(rows), column)))

    def comparison(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        if _RANKS & {*self.lexicon.names[column]} and parts["more"][0].sign in "GF":
            raise _Doubt
        one, two = self.one_row(parts["one"]), self.one_row(parts["two"])
        key = self.key if parts["more"][0].sign in "bf" else self.amount
        difference = key(one, column) - key(two, column)
        if parts["more"][0].sign in "Fb":
            difference = -difference
        by = parts.get("by")
        if by and any(link.sign == "C" and link.column == column for link in parts["two"]):
            raise _Doubt
        return _Told(by[0].number in self.values(difference, column) if by else difference > 0, ((one, column), (two, column)))

    def same(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        one, two = self.one_row(parts["one"]), self.one_row(parts["two"])
        return _Told(self.lexicon.cells[one, column] == self.lexicon.cells[two, column], ((one, column), (two, column)))

    def count(self, parts: Mapping[str, Links]) -> _Told | None:
        rest = parts.get("one", ()) + parts.get("two", ())
        bag = self.one_bag(rest)
        columns = [column for column, _ in bag.needs]
        if len(set(columns)) != len(columns):
            return None
        if "whole" in parts and parts["whole"][0].number != len(self.all):
            raise _Doubt
        rows = bag.rows(self.all)
        counts = {len(rows)}
        if parts["noun"][0].sign == "p":
            counts.add(len({self.lexicon.cells[row, self.lexicon.names_at] for row in rows}))
        for noun in parts["noun"]:
            if noun.sign == "C":
                if "plain" in parts and not self.are_names(noun.column):
                    return None
                if any(_LIST.search(self.lexicon.table.rows[row][noun.column].text) for row in rows):
                    raise _Doubt
                distinct = len({self.lexicon.cells[row, noun.column] for row in rows})
                counts = {distinct} if "other" in parts else {*counts, distinct} if not noun.exact else {distinct}
        if len(counts) != 1:
            raise _Doubt
        number = parts["number"][0]
        if number.word.endswith("%"):
            raise _Doubt
        truth = _COMPARE[number.compare](Fraction(*counts), number.number, number.most)
        return _Told(truth, tuple((row, column) for row in sorted(rows) for column in columns))

    def only(self, parts: Mapping[str, Links]) -> _Told | None:
        subject, so = self.some(parts["one"]), self.some(parts["two"])
        if so <= subject and len(so) > 1:
            raise _Doubt
        return _Told(so <= subject, tuple((row, 0) for row in sorted(so)))

    def every(self, parts: Mapping[str, Links]) -> _Told | None:
        bag = self.one_bag(parts["two"])
        if len(bag.needs) != 1:
            raise _Doubt
        ((column, rows),) = bag.needs
        return _Told(len(rows) == len(self.all), tuple((row, column) for row in self.all if row not in rows))

    def none(self, parts: Mapping[str, Links]) -> _Told | None:
        bag = self.one_bag(parts.get("one", ()) + parts["two"])
        if not bag.needs:
            raise _Doubt
        rows = bag.rows(self.all)
        return _Told(not rows, tuple((row, column) for row in sorted(rows) for column, _ in bag.needs))

    def total(self, parts: Mapping[str, Links]) -> _Told | None:
        column = parts["column"][0].column
        rows = [self.one_row((link,)) for link in parts["one"] if link.sign == "E"] if "one" in parts else [*self.all]
        value = sum((self.amount(row, column) for row in rows), Fraction(0))
        if "mean" in parts:
            value /= len(rows)
            number = parts["number"][0]
            if any(0 < abs(each - number.number) <= max(number.most, 1) for each in self.values(value, column)):
                raise _Doubt
        return _Told(parts["number"][0].number in self.values(value, column), tuple((row, column) for row in rows))


def _all_told(found: list[_Told | None]) -> _Told | None:
    """Return what parts tell together, where each is decided: a statement is false if one of its parts is."""
    told = [each for each in found if each is not None]
    if len(told) != len(found):
        return None
    wrong = [each for each in told if not each.truth]
    if wrong:
        return wrong[0]
    return _Told(True, tuple(cell for each in told for cell in each.cells), told[0].form)


_LONGEST: Final = 600
_MOST_CELLS: Final = 20
_MOST_COLUMNS: Final = 4
_RANKS: Final = frozenset(map(root, ["rank", "place", "position", "pos", "pick", "finish", "grid", "draw", "seed", "round", "par"]))
_LIMIT: Final = re.compile("[GF]t?N|[UM]N|wN&N")
_LIST: Final = re.compile(r"[,/&;]| and | or ")
_SEVERAL: Final = re.compile("E(?:&+E)+")
_COMPARE: Final[Mapping[str, Callable[[Fraction, Fraction, Fraction], bool]]] = {
    "==": lambda one, other, _: one == other,
    "~": lambda one, other, most: abs(one - other) <= most,
    "G": lambda one, other, _: one > other,
    "F": lambda one, other, _: one < other,
    "U": lambda one, other, _: one >= other,
    "M": lambda one, other, _: one <= other,
    "w": lambda one, other, most: other <= one <= most,
}
_Decide = Callable[[_Reader, Mapping[str, Links]], _Told | None]
_ONE: Final = "(?P<one>[ECNI]+?)"
_TWO: Final = "(?P<two>[ECNI]+)"
_FORMS: Final[tuple[tuple[str, re.Pattern[str], _Decide], ...]] = tuple(
    (form, re.compile(pattern), decide)
    for form, pattern, decide in (
        ("difference", f"{_ONE}(?P<by>N)(?P<more>[GF])(?P<column>C)t{_TWO}", _Reader.comparison),
        ("difference", f"{_ONE}(?P<by>N)(?P<column>C)(?P<more>[GFbf])t?{_TWO}", _Reader.comparison),
        ("difference", f"{_ONE}(?P<column>C)(?P<by>N)(?P<more>[GFbf])t?{_TWO}", _Reader.comparison),
        ("comparison", f"{_ONE}(?P<more>[GF])(?P<column>C)t{_TWO}", _Reader.comparison),
        ("comparison", f"{_ONE}(?P<column>C)(?P<more>[GFbf])t?{_TWO}", _Reader.comparison),
        ("comparison", f"(?P<column>C){_ONE}(?P<more>[GF])tC?{_TWO}", _Reader.comparison),
        ("comparison", f"(?P<column>C)(?P<more>[GF]){_ONE}t{_TWO}", _Reader.comparison),
        ("difference", f"(?P<column>C){_ONE}(?P<by>N)(?P<more>[GF])tC?{_TWO}", _Reader.comparison),
        ("equality", f"(?P<column>C)={_ONE}&{_TWO}", _Reader.same),
        ("equality", f"{_ONE}=(?P<column>C){_TWO}", _Reader.same),
        ("equality", f"{_ONE}&{_TWO}=(?P<column>C)", _Reader.same),
        (
            "superlative",
            r"(?P<most>[HL])(?P<column>C)(?P<one>[ECrp]*?)(?P<number>N)(?P<two>[ECNIrp&]*)",
            _Reader.superlative,
        ),
        ("superlative", r"(?P<number>N)C?(?P<most>[HL])(?P<column>C)(?P<two>[ECNIrp&]*)", _Reader.superlative),
        ("superlative", r"(?P<one>[ECNIrp&]*)(?P<most>[HL])(?P<column>C)(?P<two>[ECNIrp&]*)", _Reader.superlative),
        ("superlative", r"(?P<column>C)(?P<most>[HL])[rp]?(?P<two>[ECNI]+)", _Reader.superlative),
        ("superlative", "(?P<two>[ECNI]+)(?P<column>C)(?P<most>[HL])", _Reader.superlative),
        ("sum", "(?P<one>E(?:&E)+)[sS](?P<number>N)(?P<column>C)", _Reader.total),
        ("sum", "[sS](?P<column>C)(?P<number>N)", _Reader.total),
        ("average", "(?P<mean>a)(?P<column>C)(?P<number>N)", _Reader.total),
        ("count", "[Ts]+O?(?P<number>N)(?P<other>d)?(?P<noun>[rpkC])(?P<two>[ECNI&]*)", _Reader.count),
        ("count", f"O?(?P<number>N)(?P<other>d)?(?P<noun>[rp]){_TWO}", _Reader.count),
        ("count", "(?P<one>[ECNI]+)O?(?P<number>N)(?P<whole>N)?(?P<noun>[rk])(?P<two>[ECNI]*)", _Reader.count),
        ("count", f"O?(?P<plain>)(?P<number>N)(?P<other>d)?(?P<noun>C){_TWO}", _Reader.count),
        ("count", "(?P<one>[ECNI]+)O?(?P<plain>)(?P<number>N)(?P<noun>C)", _Reader.count),
        ("only", f"O(?P<one>E){_TWO}", _Reader.only),
        ("only", f"{_ONE}O[rpC]?{_TWO}", _Reader.only),
        ("all", f"A[rpC]{_TWO}", _Reader.every),
        ("none", f"T?X[rpC]{_TWO}", _Reader.none),
        ("none", "(?P<one>C)X(?P<two>N)", _Reader.none),
        ("denial", f"{_ONE}(?P<not>X){_TWO}", _Reader.lookup),
        ("lookup", "(?P<one>[ECNIrp&]+)", _Reader.lookup),
    )
)
