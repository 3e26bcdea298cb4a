"""Decides a statement from a table: what stands in a row, what is most, how many there are, what is more than what.

Refuses to guess: a statement is decided only where each of its words has a meaning in the table or in a form, and where
all the ways to read it come out alike. Ties, names of several rows, sums that may be meant, numbers that are only near
and things that the table does not hold are left undecided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final

from probatum.core.validation import ClaimStatus
from probatum.judge.facts.table_rows import (
    COMPARE,
    Meanings,
    PartInDoubtError,
    PartNeed,
    PartUnreadError,
    TableRows,
)
from probatum.judge.facts.table_words import TableWords, WordMeaning, root
from probatum.judge.facts.tables import SourceTable, TableCell


@dataclass(frozen=True, slots=True)
class TableRuling:
    """How a statement comes out, the cells that decide it, and why, in one sentence."""

    status: ClaimStatus
    cells: tuple[TableCell, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _TableTruth:
    """Whether it is so, and the cells, by row and column, that it rests on."""

    is_so: bool
    cells: tuple[tuple[int, int], ...]


_Parts = Mapping[str, Meanings]


def table_ruling(statement: str, table: SourceTable) -> TableRuling | None:
    """Return what a table says of a statement, or None where it does not decide it."""
    known = _known(table)
    forms = _TableForms(known)
    found = known.meanings(statement) if len(statement) <= _LONGEST else None
    truths: dict[bool, _TableTruth] = {}
    try:
        for reading in _readings(found or []):
            truth = forms.truth(_compared(reading))
            if truth is not None:
                truths.setdefault(truth.is_so, truth)
    except PartInDoubtError:
        return None
    if len(truths) != 1:
        return None
    (truth,) = truths.values()
    told = [
        f"row {row + 1} has {table.header[column].text!r} {table.rows[row][column].text!r}"
        for row, column in truth.cells[:_MOST_TOLD]
    ]
    status = ClaimStatus.SUPPORTED if truth.is_so else ClaimStatus.CONTRADICTED
    cells = tuple(table.rows[row][column] for row, column in truth.cells[:_MOST_CELLS])
    return TableRuling(status, cells, f"{', '.join(told) or 'no row answers'}.")


@lru_cache(maxsize=2)
def _known(table: SourceTable) -> TableWords:
    return TableWords(table)


def _readings(found: list[list[WordMeaning]]) -> list[Meanings]:
    """Return every way to read the stretches of a statement; none where there are too many ways."""
    ways: list[Meanings] = [()] if found else []
    for meanings in found:
        ways = [(*way, each) for way in ways for each in meanings]
        if len(ways) > _MOST_READINGS:
            return []
    return ways


def _compared(meanings: Meanings) -> Meanings:
    """Join a number with what it is compared by, and two mentions of a column: Bob sold more than 95 units."""
    signs, at = _signs(meanings), 0
    found: list[WordMeaning] = []
    while at < len(meanings):
        limit = _LIMIT.match(signs, at)
        end = limit.end() if limit else at + 1
        one = meanings[at] if limit is None else replace(meanings[end - 1], compare=signs[at])
        if not (found and one.sign == found[-1].sign == "&"):
            found.append(one)
        at = end
    signs = _signs(found)
    again = set()
    for match in _AGAIN.finditer(signs):
        one, other = found[match.start()], found[match.end(1) - 1]
        if one.column == other.column and not (one.exact and other.exact):
            again.add(match.start())
    return tuple(each for at, each in enumerate(found) if at not in again)


def _signs(meanings: Iterable[WordMeaning]) -> str:
    return "".join(each.sign for each in meanings)


def _all_of(truths: list[_TableTruth | None]) -> _TableTruth | None:
    """Return what parts tell together, where each is decided: a statement is false if one of its parts is."""
    found = [each for each in truths if each is not None]
    if len(found) != len(truths):
        return None
    wrong = next((each for each in found if not each.is_so), None)
    return wrong or _TableTruth(True, tuple(cell for each in found for cell in each.cells))


class _TableForms:
    """The forms of statements, each read by its own method, against one table."""

    def __init__(self, known: TableWords) -> None:
        self.known = known
        self.rows = TableRows(known)

    def truth(self, meanings: Meanings, forms: _Forms | None = None) -> _TableTruth | None:
        """Return what the first form that fits tells; else what the parts tell that are joined by "and"."""
        forms = _FORMS if forms is None else forms
        while meanings and meanings[0].sign == "&":
            meanings = meanings[1:]
        signs = _signs(meanings)
        if signs.count("&") > _MOST_JOINED or len(signs) > _MOST_SIGNS:
            return None
        for pattern, decide in forms:
            match = pattern.fullmatch(signs)
            if match is None:
                continue
            spans = {name: match.span(name) for name, part in match.groupdict().items() if part is not None}
            try:
                found = decide(self, {name: meanings[start:end] for name, (start, end) in spans.items()})
            except PartUnreadError:
                continue
            if found is not None:
                return found
        return self._each(meanings, signs) or self._joined(meanings, signs)

    def _each(self, meanings: Meanings, signs: str) -> _TableTruth | None:
        """Decide a statement of several rows for each of them: A and B have 5."""
        match = _SEVERAL.search(signs)
        if match is None:
            return None
        several = [each for each in meanings[match.start() : match.end()] if each.sign == "E"]
        if len({tuple(column for column, _ in each.cells) for each in several}) != 1:
            return None
        start = tuple(each for each in meanings[: match.start()] if each.sign != "A")
        rest = tuple(each for each in meanings[match.end() :] if each.sign != "A")
        found = _all_of([self.truth((*start, each, *rest), _LOOKUP) for each in several])
        # Together they may have what none of them has.
        is_each = "A" in signs or "N" not in signs
        return found if found is not None and (found.is_so or is_each) else None

    def _joined(self, meanings: Meanings, signs: str) -> _TableTruth | None:
        for at in (at for at, sign in enumerate(signs) if sign == "&" and 2 <= at < len(signs) - 2):
            found = _all_of([self.truth(meanings[:at]), self.truth(meanings[at + 1 :])])
            if found is not None:
                return found
        return None

    def lookup(self, parts: _Parts) -> _TableTruth | None:
        """X has 5 of Y; X has not."""
        needs, is_denied = self.rows.reading(parts["one"] + parts.get("two", ())), "no" in parts
        columns = {each.column for each in needs}
        if len(columns) != len(needs):
            return None
        rows, empty = self.rows.of(needs), [each for each in needs if not each.rows]
        is_sure = all(each.meaning.exact or " " in each.meaning.word for each in needs)
        # What the first words tell of may be nothing that the table holds.
        if len(needs) < 2 or (not rows and (not is_sure or len(empty) > 1 or empty == [needs[0]])):
            raise PartInDoubtError
        if any(self._is_doubtful(needs, each, is_denied=is_denied) for each in needs if each.meaning.sign == "N"):
            raise PartInDoubtError
        cells = [(min(rows or each.rows), each.column) for each in needs if each.rows]
        return _TableTruth(bool(rows) is not is_denied, tuple(cells))

    def _is_doubtful(self, needs: tuple[PartNeed, ...], need: PartNeed, *, is_denied: bool) -> bool:
        """Return whether a number may be rounded, a sum, or meant of all rows or of some."""
        rows, others = self.rows.of(needs), self.rows.of(each for each in needs if each is not need)
        if need.meaning.compare != "=":
            return bool(rows) and bool(needs[0].rows - needs[-1].rows)
        near = replace(need.meaning, compare="~")
        if not rows and others & (self.rows.numbered(need.column, near) or frozenset()):
            return True
        numbers = self.known.column(need.column).numbers
        values = [numbers[row] for row in others if row in numbers]
        is_sum = len(others) == len(values) > 1 and sum(values) == self.rows.told(need.meaning, need.column).number
        return is_sum and not is_denied

    def superlative(self, parts: _Parts) -> _TableTruth | None:
        """X has the most Y."""
        column = parts["column"][0].column
        if not _UNRANKED.isdisjoint(self.known.names[column]):
            raise PartInDoubtError
        values = {row: self.rows.number(row, column) for row in self.known.rows if self.known.cells[row, column]}
        needs = self.rows.reading(parts.get("one", ()) + parts.get("two", ()))
        rows = self.rows.of(needs)
        if len(needs) != 1 or needs[0].column == column or not rows:
            raise PartUnreadError
        best = (max if parts["most"][0].sign == "H" else min)(values.values(), default=Fraction(0))
        winners = frozenset(row for row in values if values[row] == best)
        is_winner = bool(winners & rows)
        # One of several may be meant, and one of several that are equal.
        if len(values) < 2 or len(rows) > 1 or (len(winners) > 1 and is_winner):
            raise PartInDoubtError
        return _TableTruth(is_winner, ((min(winners), column), (min(rows), column)))

    def comparison(self, parts: _Parts) -> _TableTruth | None:
        """X has more Y than Z; 5 more; X came before Z."""
        column, more, by = parts["column"][0].column, parts["more"][0].sign, parts.get("by")
        if (more in "GF" and not _UNRANKED.isdisjoint(self.known.names[column])) or (
            by and any(each.column == column for each in parts["two"])
        ):
            raise PartInDoubtError
        one, two = self.rows.one(parts["one"]), self.rows.one(parts["two"])
        value, other = (self.rows.number(row, column) for row in (one, two))
        difference = other - value if more in "Fb" else value - other
        is_so = self.rows.told(by[0], column).number == difference if by else difference > 0
        return _TableTruth(is_so, ((one, column), (two, column)))

    def count(self, parts: _Parts) -> _TableTruth | None:
        """There are 5 rows with X; X has 5 of a column that tells rows apart."""
        needs = self.rows.reading(parts.get("one", ()) + parts.get("two", ()))
        (number,), (noun,), rows = parts["number"], parts["noun"], self.rows.of(needs)
        columns = {each.column for each in needs}
        if len(columns) != len(needs):
            return None
        if noun.sign == "C":
            known = self.known.column(noun.column)
            if len(known.numbers) == len(self.rows.all) and not known.counts_up:
                return None
            # Several may stand in a cell, and one in several cells.
            if any(_LIST.search(self.known.table.rows[row][noun.column].text) for row in rows) or len(
                {self.known.cells[row, noun.column] for row in rows}
            ) < len(rows):
                raise PartInDoubtError
        if number.word.endswith("%"):
            raise PartInDoubtError
        is_so = COMPARE[number.compare](Fraction(len(rows)), number)
        return _TableTruth(is_so, tuple((row, each.column) for row in sorted(rows) for each in needs))


_LONGEST: Final = 600
_MOST_SIGNS: Final = 60
_MOST_JOINED: Final = 5
_MOST_READINGS: Final = 16
_MOST_CELLS: Final = 20
_MOST_TOLD: Final = 3
_UNRANKED: Final = set(
    map(root, ("rank", "place", "position", "pos", "finish", "pick", "grid", "draw", "seed", "round", "par"))
)
_LIMIT: Final = re.compile("[GF]t?N")
_AGAIN: Final = re.compile("(?=(C[HLGFtNX&]*C))C")
_SEVERAL: Final = re.compile("E(?:&E)+")
_LIST: Final = re.compile(r"[,/&;]| and | or ")
_PARTS: Final = {
    "one": "(?P<one>[ECN]+?)",
    "two": "(?P<two>[ECN]+)",
    "any_one": "(?P<one>[ECNrp&]*)",
    "any_two": "(?P<two>[ECNrp&]*)",
    "column": "(?P<column>C)",
    "more": "(?P<more>[GF])",
    "when": "(?P<more>[GFbf])",
    "most": "(?P<most>[HL])",
    "by": "(?P<by>N)?",
    "number": "O?(?P<number>N)",
    "no": "(?P<no>X)",
}
_Decide = Callable[[_TableForms, _Parts], _TableTruth | None]
_Forms = tuple[tuple[re.Pattern[str], _Decide], ...]


def _forms(decide: _Decide, *patterns: str) -> _Forms:
    """Return what decides statements of these patterns of signs."""
    return tuple((re.compile(pattern.format_map(_PARTS)), decide) for pattern in patterns)


_LOOKUP: Final = _forms(_TableForms.lookup, "{one}{no}{two}", "T?(?P<one>[ECNrp&]+)")
_FORMS: Final = (
    *_forms(
        _TableForms.comparison,
        "{one}{by}{more}{column}t{two}",
        "{one}{by}{column}{when}t?{two}",
        "{one}{column}{by}{when}t?{two}",
        "{column}{one}{by}{more}tC?{two}",
        "{column}{more}{one}t{two}",
    ),
    *_forms(_TableForms.superlative, "{any_one}{most}{column}{any_two}", "{column}{most}[rp]?{two}"),
    *_forms(
        _TableForms.count,
        "T{number}(?P<noun>[rpkC])(?P<two>[ECN&]*)",
        "{number}(?P<noun>[rpC]){two}",
        "{one}{number}(?P<noun>C)",
        "{one}{number}(?P<noun>[rk])(?P<two>[ECN]*)",
    ),
    *_LOOKUP,
)
