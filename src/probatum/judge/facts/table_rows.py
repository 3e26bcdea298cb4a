"""Tells which rows of a table a part of a statement speaks of: Alice in the North, attendance above 500.

Refuses to guess: where a column may belong to two things, a number of another unit or scale is meant, or a cell that is
no number may hold one, the part is in doubt, and with it the statement.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Final

from probatum.judge.facts.table_words import TableWords, WordMeaning, root

Meanings = tuple[WordMeaning, ...]
Rows = frozenset[int]
COMPARE: Final[Mapping[str, Callable[[Fraction, WordMeaning], bool]]] = {
    "=": lambda value, wanted: value == wanted.number,
    "~": lambda value, wanted: abs(value - wanted.number) <= wanted.step,
    "G": lambda value, wanted: value > wanted.number,
    "F": lambda value, wanted: value < wanted.number,
}

_MOST_COLUMNS: Final = 4
_ONLY_NAMED: Final = 10
_TIMES: Final = frozenset(map(root, ("year", "season", "date", "period", "time")))
_YEAR: Final = re.compile("1[5-9][0-9]{2}|20[0-9]{2}")


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


class TableRows:
    """Reads parts of a statement against one table."""

    def __init__(self, known: TableWords) -> None:
        self.known = known
        self.all = frozenset(known.rows)
        self._numbered: dict[tuple[int, WordMeaning], Rows | None] = {}

    def of(self, needs: Iterable[PartNeed]) -> Rows:
        """Return the rows that answer everything."""
        return self.all.intersection(*(each.rows for each in needs))

    def number(self, row: int, column: int) -> Fraction:
        """Return the number or day in a cell, which must be one."""
        value = self.known.column(column).numbers.get(row)
        if value is None:
            raise PartInDoubtError
        return value

    def told(self, meaning: WordMeaning, column: int) -> WordMeaning:
        """Return a number of a statement as a column counts it: in millions, where it does."""
        scale = self.known.scales[column]
        if scale and not meaning.scaled:
            raise PartInDoubtError
        one = Fraction(1, 10**scale)
        return replace(meaning, number=meaning.number * one, step=meaning.step * one)

    def numbered(self, column: int, meaning: WordMeaning) -> Rows | None:
        """Return the rows whose number answers, or None where the column does not hold numbers."""
        key = column, meaning
        if key not in self._numbered:
            self._numbered[key] = self._answering(column, meaning)
        return self._numbered[key]

    def _answering(self, column: int, meaning: WordMeaning) -> Rows | None:
        known, rows = self.known.column(column), self.known.rows
        unread = [text for row in rows if row not in known.numbers and (text := self.known.cells[row, column])]
        if 2 * len(unread) > len(rows):
            return None
        if unread and (meaning.compare != "=" or any(meaning.word in text for text in unread)):
            raise PartInDoubtError
        if meaning.word.endswith("%") and not any("%" in text for text in (self.known.names[column], *known.texts)):
            raise PartInDoubtError
        wanted, compare = self.told(meaning, column), COMPARE[meaning.compare]
        return frozenset(row for row, value in known.numbers.items() if compare(value, wanted))

    def reading(self, part: Meanings) -> tuple[PartNeed, ...]:
        """Return the one nearest way to read a part: a column belongs to what stands next to it, or is only named."""
        if any(each.sign not in "ECNrp&T" for each in part):
            raise PartUnreadError
        part = tuple(each for each in part if each.sign in "ECN")
        columns = [at for at, each in enumerate(part) if each.sign == "C"]
        ways = product((-1, 1, 0), repeat=len(columns)) if len(columns) <= _MOST_COLUMNS else ()
        found = [self._reading(part, dict(zip(columns, way, strict=True))) for way in ways]
        readings = [each for each in found if each is not None]
        if not readings:
            raise PartUnreadError
        nearest = min(cost for cost, _ in readings)
        best = [needs for cost, needs in readings if cost == nearest]
        if len({frozenset((each.column, each.rows) for each in needs) for needs in best}) != 1:
            raise PartInDoubtError
        return best[0]

    def _reading(self, part: Meanings, steps: Mapping[int, int]) -> tuple[int, tuple[PartNeed, ...]] | None:
        """Return how far columns are from what takes them, each a step away, and the needs, or None if that fails."""
        taken: dict[int, int] = {}
        named, cost = [], 0
        for at, step in steps.items():
            column, to = part[at].column, at + step
            while step == 1 and (not at or at - 1 in taken) and self._is_elsewhere(part, to, column):
                to, cost = to + 1, cost + 1
            if step == 0:
                if (at and not self.known.column(column).counts_up) or any(
                    self._is_akin(column, each) for each in part
                ):
                    return None
                named.append(column)
                cost += _ONLY_NAMED
            elif not 0 <= to < len(part) or part[to].sign == "C" or to in taken or self._is_elsewhere(part, to, column):
                return None
            else:
                taken[to] = at
        needs, held = [], {part[at].column for at in taken.values()}
        for at, meaning in enumerate(part):
            if meaning.sign != "C":
                need = self._need(meaning, part[taken[at]].column if at in taken else None, named, held)
                if need is None:
                    return None
                needs.append(need)
        return cost, tuple(needs)

    @staticmethod
    def _is_elsewhere(part: Meanings, at: int, column: int) -> bool:
        """Return whether what stands here is text of other columns."""
        return at < len(part) and part[at].sign == "E" and column not in dict(part[at].cells)

    def _are_alike(self, one: int, other: int) -> bool:
        """Return whether two columns hold the same things, such as home and away teams."""
        return len(self.known.column(one).texts & self.known.column(other).texts) > 1

    def _is_akin(self, column: int, meaning: WordMeaning) -> bool:
        """Return whether a column has the name of others that hold this text, and does not hold it."""
        own, others = set(self.known.names[column]), dict(meaning.cells)
        return column not in others and any(not own.isdisjoint(self.known.names[each]) for each in others)

    def _need(self, meaning: WordMeaning, column: int | None, named: list[int], held: set[int]) -> PartNeed | None:
        if meaning.sign == "N":
            rows = None if column is None else self.numbered(column, meaning)
            return None if column is None or rows is None else PartNeed(column, rows, meaning)
        of = dict(meaning.cells)
        if column is None and len(of) == 1 and not self._is_small(meaning.word, min(of)):
            column = min(of)
            # Who is whose manager is not told by who stands where.
            if any(self._are_alike(column, each) for each in held):
                return None
        if column is None or any(each in of and each != column for each in named):
            return None
        return PartNeed(column, of.get(column, frozenset()), meaning)

    def _is_small(self, word: str, column: int) -> bool:
        """Return whether a bare number is too small to stand for a cell; what may be a year stands for one alone."""
        is_year = _YEAR.fullmatch(word) is not None
        return word.isdigit() and (len(word) < 4 or (is_year and _TIMES.isdisjoint(self.known.names[column])))

    def some(self, part: Meanings) -> Rows:
        """Return the rows that a part tells of, which must be some."""
        needs = self.reading(part)
        rows = self.of(needs)
        if not needs or not rows:
            raise PartUnreadError
        return rows

    def one(self, part: Meanings) -> int:
        """Return the row that a part tells of, which must be one."""
        rows = self.some(part)
        if len(rows) != 1:
            raise PartInDoubtError
        return min(rows)
