"""Tells which rows of a table a part of a statement speaks of: Alice in the North, attendance above 500.

Refuses to guess: where a column may belong to two things, a number of another unit or scale is meant, or a cell that is
no number may hold one, the part is in doubt, and with it the statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from itertools import product
from typing import Final

from probatum.judge.facts.table_words import TableWords, WordMeaning, root, words

Meanings = tuple[WordMeaning, ...]
Rows = frozenset[int]
RANKS: Final = frozenset(map(root, ("rank", "place", "position", "pos", "finish")))
"""Words for columns in which the first is the best."""
COMPARE: Final[Mapping[str, Callable[[Fraction, Fraction, Fraction], bool]]] = {
    "==": lambda one, other, _: one == other,
    "~": lambda one, other, most: abs(one - other) <= most,
    "G": lambda one, other, _: one > other,
    "F": lambda one, other, _: one < other,
    "U": lambda one, other, _: one >= other,
    "M": lambda one, other, _: one <= other,
    "w": lambda one, other, most: other <= one <= most,
}

_MOST_COLUMNS: Final = 4
_ONLY_NAMED: Final = 10
_TIMES: Final = frozenset(map(root, ("year", "season", "date", "period", "time")))
_YEAR: Final = re.compile("1[5-9][0-9]{2}|20[0-9]{2}")
_PERCENT: Final = re.compile("per ?cent|pct")


class PartInDoubtError(Exception):
    """A part can be read and cannot be told, so the statement is not decided."""


class PartUnreadError(Exception):
    """A part cannot be read so."""


@dataclass(frozen=True, slots=True)
class PartNeed:
    """What one thing asks of a row: the column, the rows that answer, and the words."""

    column: int
    rows: Rows
    meaning: WordMeaning
    counts: bool = False
    """Whether it is a number before its column, which may be how many there are."""


@dataclass(frozen=True, slots=True)
class PartReading:
    """One way to read a part; the nearer, the less it costs."""

    needs: tuple[PartNeed, ...]
    cost: int
    all_rows: Rows

    @property
    def rows(self) -> Rows:
        """The rows that answer everything."""
        return self.without(None)

    def without(self, left_out: PartNeed | None) -> Rows:
        """Return the rows that answer everything else."""
        return reduce(frozenset.intersection, (each.rows for each in self.needs if each is not left_out), self.all_rows)


class TableRows:
    """Reads parts of a statement against one table."""

    def __init__(self, known: TableWords) -> None:
        self.known = known
        self.all = frozenset(known.rows)
        self._found: dict[tuple[int, WordMeaning], Rows | None] = {}

    def number(self, row: int, column: int, *, is_day: bool = False) -> Fraction:
        """Return the number or day in a cell, which must be one."""
        value = self.known.number(row, column, is_day=is_day)
        if value is None:
            raise PartInDoubtError
        return value

    def means(self, value: Fraction, column: int) -> set[Fraction]:
        """Return what a number of a column may be: as it is written, or in the scale that the column tells."""
        return {value, value * 10 ** self.known.scales[column]}

    def numbered(self, column: int, meaning: WordMeaning) -> Rows | None:
        """Return the rows whose number answers, or None where the column does not hold numbers."""
        key = column, meaning
        if key not in self._found:
            self._found[key] = self._numbered(column, meaning)
        return self._found[key]

    def _numbered(self, column: int, meaning: WordMeaning) -> Rows | None:
        found, table = set(), self.known.table
        compare = COMPARE[meaning.compare]
        read = {row: self.known.number(row, column, is_day=meaning.word == "date") for row in self.known.rows}
        unread = [text for row, value in read.items() if value is None and (text := self.known.cells[row, column])]
        if 2 * len(unread) > len(read):
            return None
        if unread and (meaning.compare != "==" or any(meaning.word in text for text in unread)):
            raise PartInDoubtError
        for row, value in read.items():
            if value is None:
                continue
            values = self.means(value, column)
            if meaning.scaled and len(values) > 1:
                values.remove(value)
            told = {compare(each, meaning.number, meaning.most) for each in values}
            name = _PERCENT.sub("%", f"{table.header[column].text} {table.rows[row][column].text}".lower())
            is_other = meaning.word.endswith("%") and "%" not in name
            is_other = is_other or (meaning.unit != "" and meaning.unit not in words(name))
            if is_other or (len(told) > 1 and meaning.compare not in "==~"):
                raise PartInDoubtError
            if True in told:
                found.add(row)
        return frozenset(found)

    def readings(self, part: Meanings) -> list[PartReading]:
        """Return the nearest ways to read a part: each column belongs to what stands next to it, or is only named."""
        if any(each.sign not in "ECNIrp&T" for each in part):
            return []
        part = tuple(each for each in part if each.sign in "ECNI")
        columns = [at for at, each in enumerate(part) if each.sign == "C"]
        best: list[PartReading] = []
        for steps in product((-1, 1, 0), repeat=len(columns)) if len(columns) <= _MOST_COLUMNS else ():
            found = self._reading(part, dict(zip(columns, steps, strict=True)))
            if found is None or (best and found.cost > best[0].cost):
                continue
            best = [*best, found] if best and found.cost == best[0].cost else [found]
        return best

    def _reading(self, part: Meanings, steps: Mapping[int, int]) -> PartReading | None:
        """Return the part with each column taken by what stands a step from it, or None where that does not go."""
        taken: dict[int, int] = {}
        named, cost = [], 0
        for at, step in steps.items():
            column, to = part[at].column, at + step
            while step == 1 and (not at or at - 1 in taken) and self._is_elsewhere(part, to, column):
                to, cost = to + 1, cost + 1
            if step == 0:
                texts = (each for each in part if each.sign == "E" and column not in dict(each.cells))
                if (at and not self.known.counts_up(column)) or any(self._is_akin(column, each) for each in texts):
                    return None
                named.append(column)
                cost += _ONLY_NAMED
            elif (
                (step == -1 and at and part[to].owns) or not 0 <= to < len(part) or part[to].sign == "C" or to in taken
            ) or (
                self._is_elsewhere(part, to, column)
                and not (part[at].exact and part[to].exact and self._are_alike(column, part[to]))
            ):
                return None
            else:
                taken[to] = at
        needs, held = [], {part[at].column for at in taken.values()}
        for at, meaning in enumerate(part):
            if meaning.sign != "C":
                need = self._need(meaning, part[taken[at]].column if at in taken else None, named, held)
                if need is None:
                    return None
                needs.append(replace(need, counts=meaning.sign == "N" and taken.get(at, -1) > at))
        return PartReading(tuple(needs), cost, self.all)

    @staticmethod
    def _is_elsewhere(part: Meanings, at: int, column: int) -> bool:
        """Return whether what stands here is text of other columns."""
        return at < len(part) and part[at].sign == "E" and column not in dict(part[at].cells)

    def _are_alike(self, column: int, meaning: WordMeaning) -> bool:
        """Return whether a column holds what the one that has this text holds too, such as home and away teams."""
        own, others = self.known.texts_of(column), [self.known.texts_of(each) for each, _ in meaning.cells]
        shared = own.intersection(frozenset().union(*others))
        return len(shared) > 1 and not meaning.word.replace(" ", "").isdigit()

    def _is_akin(self, column: int, meaning: WordMeaning) -> bool:
        """Return whether a column may hold this text of others, by what it holds or is called."""
        called = {word for each, _ in meaning.cells for word in self.known.names[each]}
        return not called.isdisjoint(self.known.names[column]) or self._are_alike(column, meaning)

    def _need(self, meaning: WordMeaning, column: int | None, named: list[int], held: set[int]) -> PartNeed | None:
        if column is None and meaning.unit:
            units = [words(cell.text) for cell in self.known.table.header]
            measured = [at for at, name in enumerate(units) if meaning.unit in name]
            column = measured[0] if len(measured) == 1 else None
        if meaning.sign in "NI":
            if column is None or (meaning.sign == "I" and RANKS.isdisjoint(self.known.names[column])):
                return None
            rows = self.numbered(column, meaning)
            return None if rows is None else PartNeed(column, rows, meaning)
        of = dict(meaning.cells)
        free = [each for each in of if each not in held]
        if column is None and len(free) == 1 and not self._is_small(meaning.word, free[0]):
            column = free[0]
        if column is None or any(each in of and each != column for each in named):
            return None
        return PartNeed(column, of.get(column, frozenset()), meaning)

    def _is_small(self, word: str, column: int) -> bool:
        """Return whether a bare number is too small to stand for a cell; what may be a year stands for one alone."""
        is_year = _YEAR.fullmatch(word) is not None
        return word.isdigit() and (len(word) < 4 or (is_year and _TIMES.isdisjoint(self.known.names[column])))

    def are_names(self, column: int) -> bool:
        """Return whether a column tells rows apart: it holds text, or numbers the rows."""
        return any(self.known.number(row, column) is None for row in self.known.rows) or self.known.counts_up(column)

    def reading(self, part: Meanings) -> PartReading:
        """Return the only nearest way to read a part."""
        found = self.readings(part)
        if not found:
            raise PartUnreadError
        if len({frozenset((each.column, each.rows) for each in one.needs) for one in found}) != 1:
            raise PartInDoubtError
        return found[0]

    def some(self, part: Meanings) -> Rows:
        """Return the rows that a part tells of, which must be some."""
        found = self.reading(part)
        if not found.needs or not found.rows:
            raise PartUnreadError
        return found.rows

    def one(self, part: Meanings) -> int:
        """Return the row that a part tells of, which must be one."""
        rows = self.some(part)
        if len(rows) != 1:
            raise PartInDoubtError
        return min(rows)
