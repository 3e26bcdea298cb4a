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
    RANKS,
    Meanings,
    PartInDoubtError,
    PartNeed,
    PartReading,
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
    form: str = ""


_Parts = Mapping[str, Meanings]


def table_ruling(statement: str, table: SourceTable) -> TableRuling | None:
    """Return what a table says of a statement, or None where it does not decide it."""
    known = _known(table)
    forms = _TableForms(known)
    found = known.meanings(statement) if len(statement) <= _LONGEST else None
    truths: dict[bool, _TableTruth] = {}
    try:
        for reading in _readings(found or []):
            for meanings in dict.fromkeys((reading, tuple(map(_loosened, reading)))):
                truth = forms.truth(_compared(meanings))
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
    return TableRuling(status, cells, f"{truth.form}: {', '.join(told) or 'no other row answers'}.")


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


def _loosened(meaning: WordMeaning) -> WordMeaning:
    """Let a name stand also for longer ones of its column: Boston is also in "Boston, MA"."""
    loose = dict(meaning.loose)
    return replace(meaning, cells=tuple((column, loose[column]) for column, _ in meaning.cells)) if loose else meaning


def _compared(meanings: Meanings) -> Meanings:
    """Join a number with what it is compared by, and two mentions of a column: Bob sold more than 95 units."""
    if any(each.sign in "CN" or each.word[:1].isdigit() for each in meanings):
        meanings = tuple(each for each in meanings if each.sign != "u")
    signs, at = _signs(meanings), 0
    found: list[WordMeaning] = []
    while at < len(meanings):
        limit = _LIMIT.match(signs, at)
        end = limit.end() if limit else at + 1
        numbers = [each for each in meanings[at:end] if each.sign == "N"]
        one = meanings[at]
        if limit is not None:
            one = replace(numbers[0], compare=limit[0][0], most=numbers[-1].number)
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
    return wrong or _TableTruth(True, tuple(cell for each in found for cell in each.cells), found[0].form)


class _TableForms:
    """The forms of statements, each read by its own method, against one table."""

    def __init__(self, known: TableWords) -> None:
        self.known = known
        self.rows = TableRows(known)

    def truth(self, meanings: Meanings) -> _TableTruth | None:
        """Return what the first form that fits tells; else what the parts tell that are joined by "and"."""
        while meanings and meanings[0].sign == "&":
            meanings = meanings[1:]
        signs = _signs(meanings)
        if signs.count("&") > _MOST_JOINED or len(signs) > _MOST_SIGNS:
            return None
        for form, pattern, decide in _FORMS:
            match = pattern.fullmatch(signs)
            if match is None:
                continue
            spans = {name: match.span(name) for name, part in match.groupdict().items() if part is not None}
            try:
                found = decide(self, {name: meanings[start:end] for name, (start, end) in spans.items()})
            except PartUnreadError:
                continue
            if found is not None:
                return replace(found, form=form)
        empty = {
            at
            for match in _EMPTY.finditer(signs)
            for at in [match.start()]
            if signs[at] != "w" or not (at + 1 < len(signs) and meanings[at + 1].word.isdigit())
        }
        if empty:
            return self.truth(tuple(each for at, each in enumerate(meanings) if at not in empty))
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
        truths = [self.truth((*start, each, *rest)) for each in several]
        found = _all_of(truths) if all(each is not None and each.form == "lookup" for each in truths) else None
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
        part, is_denied = parts["one"] + parts.get("two", ()), "no" in parts
        found = self.rows.reading(part)
        columns = [each.column for each in found.needs]
        if len(set(columns)) != len(columns):
            return None
        rows, empty = found.rows, [each for each in found.needs if not each.rows]
        is_sure = all(each.meaning.exact or " " in each.meaning.word for each in found.needs)
        # What the first words tell of may be nothing that the table holds.
        if len(columns) < 2 or (not rows and (not is_sure or len(empty) > 1 or empty == [found.needs[0]])):
            raise PartInDoubtError
        if any(self._is_doubtful(found, need, is_denied=is_denied) for need in found.needs if need.meaning.sign == "N"):
            raise PartInDoubtError
        if rows:
            return _TableTruth(not is_denied, tuple((min(rows), column) for column in columns))
        return _TableTruth(is_denied, tuple((min(each.rows), each.column) for each in found.needs if each.rows))

    def _is_doubtful(self, found: PartReading, need: PartNeed, *, is_denied: bool) -> bool:
        """Return whether a number may be rounded, a sum, how many there are, or meant of all rows or of some."""
        others, number = found.without(need), need.meaning.number
        if need.meaning.compare != "==":
            return bool(found.rows) and bool(found.needs[0].rows - found.needs[-1].rows)
        near = replace(need.meaning, compare="~", most=need.meaning.step)
        if not found.rows and others & (self.rows.numbered(need.column, near) or frozenset()):
            return True
        values = [self.known.number(row, need.column) for row in others]
        is_sum = len(values) > 1 and None not in values and sum(filter(None, values), Fraction(0)) == number
        may_count = need.counts and self.rows.are_names(need.column)
        return (is_sum and not is_denied) or (may_count and (len(others) == number) is not bool(found.rows))

    def superlative(self, parts: _Parts) -> _TableTruth | None:
        """X has the most Y; the most Y is 5, at X."""
        column, most = parts["column"][0].column, parts["most"][0]
        if not _UNRANKED.isdisjoint(self.known.names[column]):
            raise PartInDoubtError
        filled = (row for row in self.known.rows if self.known.cells[row, column])
        values = {row: self.rows.number(row, column, is_day=most.word in _MOMENTS) for row in filled}
        if len(values) < 2:
            raise PartInDoubtError
        pick = max if most.sign == "H" else min
        best = pick(values.values())
        winners = frozenset(row for row in values if values[row] == best)
        cells, number = ((min(winners), column),), parts.get("number")
        is_best = number is not None and number[0].number in self.rows.means(best, column)
        rest = (*parts.get("one", ()), *parts.get("two", ()))
        if not rest:
            return _TableTruth(is_best, cells) if number else None
        rows, needs = self.rows.some(rest), self.rows.reading(rest).needs
        if any(each.column == column for each in needs):
            raise PartUnreadError
        is_winner = bool(winners & rows)
        both = (*cells, (min(rows), column))
        if number:
            inside = {values[row] for row in rows if row in values}
            is_inside = bool(inside) and number[0].number in self.rows.means(pick(inside), column)
            if is_inside is not (is_best and is_winner):
                raise PartInDoubtError
            return _TableTruth(is_inside, both)
        # It may be the most among the rows of one of its words alone.
        pools = [each.rows & values.keys() for each in needs] if len(needs) > 1 else []
        bests = [pick(values[row] for row in pool) for pool in pools if len(pool) > 1]
        scopes = {any(values.get(row) == each for row in rows) for each in bests}
        if (len(rows) > 1 and len(needs) == 1) or (len(winners) > 1 and is_winner) or scopes - {is_winner}:
            raise PartInDoubtError
        return _TableTruth(is_winner, both)

    def comparison(self, parts: _Parts) -> _TableTruth | None:
        """X has more Y than Z; 5 more; X came before Z."""
        column, more, by = parts["column"][0].column, parts["more"][0].sign, parts.get("by")
        if (more in "GF" and not _UNRANKED.isdisjoint(self.known.names[column])) or (
            by and any(each.column == column for each in parts["two"])
        ):
            raise PartInDoubtError
        one, two = self.rows.one(parts["one"]), self.rows.one(parts["two"])
        value, other = (self.rows.number(row, column, is_day=more in "bf") for row in (one, two))
        difference = other - value if more in "Fb" else value - other
        is_so = by[0].number in self.rows.means(difference, column) if by else difference > 0
        return _TableTruth(is_so, ((one, column), (two, column)))

    def equality(self, parts: _Parts) -> _TableTruth | None:
        """X and Z have the same Y."""
        column = parts["column"][0].column
        one, two = self.rows.one(parts["one"]), self.rows.one(parts["two"])
        is_so = self.known.cells[one, column] == self.known.cells[two, column]
        return _TableTruth(is_so, ((one, column), (two, column)))

    def count(self, parts: _Parts) -> _TableTruth | None:
        """There are 5 rows with X; X has 5 of a column that tells rows apart."""
        found = self.rows.reading(parts.get("one", ()) + parts.get("two", ()))
        columns = [each.column for each in found.needs]
        number, (noun,), rows = parts["number"][0], parts["noun"], found.rows
        if len(set(columns)) != len(columns) or (noun.sign == "C" and not self.rows.are_names(noun.column)):
            return None
        counts = {len(rows)}
        if noun.sign in "pC":
            column = noun.column if noun.sign == "C" else self._names_at()
            if noun.sign == "C" and any(_LIST.search(self.known.table.rows[row][column].text) for row in rows):
                raise PartInDoubtError
            distinct = len({self.known.cells[row, column] for row in rows})
            is_distinct = noun.sign == "C" and (noun.exact or "other" in parts)
            counts = {distinct} if is_distinct else {*counts, distinct}
        is_whole = "whole" not in parts or parts["whole"][0].number == len(self.rows.all)
        if len(counts) != 1 or number.word.endswith("%") or not is_whole:
            raise PartInDoubtError
        is_so = COMPARE[number.compare](Fraction(*counts), number.number, number.most)
        return _TableTruth(is_so, tuple((row, column) for row in sorted(rows) for column in columns))

    def _names_at(self) -> int:
        """Return the first column with words, which names what the rows are."""
        texts = (at for (_, at), said in self.known.cells.items() if said and not said[0][0].isdigit())
        return min(texts, default=0)

    def only(self, parts: _Parts) -> _TableTruth | None:
        """X is the only one with Y."""
        one, two = self.rows.some(parts["one"]), self.rows.some(parts["two"])
        if two <= one and len(two) > 1:
            raise PartInDoubtError
        return _TableTruth(two <= one, tuple((row, 0) for row in sorted(two)))

    def every(self, parts: _Parts) -> _TableTruth | None:
        """Every row has X; no row has X."""
        found = self.rows.reading(parts.get("one", ()) + parts["two"])
        if len(found.needs) != 1 and "no" not in parts:
            raise PartInDoubtError
        against = found.rows if "no" in parts else self.rows.all - found.rows
        return _TableTruth(not against, tuple((row, each.column) for row in sorted(against) for each in found.needs))

    def total(self, parts: _Parts) -> _TableTruth | None:
        """The total Y is 5; the average Y is 5."""
        (named,), (number,) = parts["column"], parts["number"]
        rows = self.known.rows
        value = sum((self.rows.number(row, named.column) for row in rows), Fraction(0))
        value /= len(rows) if "mean" in parts and rows else 1
        values = self.rows.means(value, named.column)
        if any(0 < abs(each - number.number) <= max(number.step, Fraction("mean" in parts)) for each in values):
            raise PartInDoubtError
        return _TableTruth(number.number in values, tuple((row, named.column) for row in rows))


_LONGEST: Final = 600
_MOST_SIGNS: Final = 60
_MOST_JOINED: Final = 5
_MOST_READINGS: Final = 16
_MOST_CELLS: Final = 20
_MOST_TOLD: Final = 3
_UNRANKED: Final = RANKS | set(map(root, ("pick", "grid", "draw", "seed", "round", "par")))
_MOMENTS: Final = frozenset(map(root, ("earliest", "latest", "oldest", "newest")))
_LIMIT: Final = re.compile("[GF]t?N|[UM]N|wN&N")
_EMPTY: Final = re.compile("s|w(?!N)|v(?=[NH]C)")
_AGAIN: Final = re.compile("(?=(C[HLGFUM=tNXs&]*C))C")
_SEVERAL: Final = re.compile("E(?:&E)+")
_LIST: Final = re.compile(r"[,/&;]| and | or ")
_PARTS: Final = {
    "one": "(?P<one>[ECNI]+?)",
    "two": "(?P<two>[ECNI]+)",
    "any_one": "(?P<one>[ECNIrp&]*)",
    "any_two": "(?P<two>[ECNIrp&]*)",
    "column": "(?P<column>C)",
    "more": "(?P<more>[GF])",
    "when": "(?P<more>[GFbf])",
    "most": "(?P<most>[HL])",
    "by": "(?P<by>N)",
    "number": "(?P<number>N)",
    "count": "O?(?P<number>N)(?P<other>d)?",
    "no": "(?P<no>X)",
}
_Decide = Callable[[_TableForms, _Parts], _TableTruth | None]
_PATTERNS: Final[Mapping[str, tuple[_Decide, str]]] = {
    "comparison": (
        _TableForms.comparison,
        "{one}{by}?{more}{column}t{two} {one}{by}?{column}{when}t?{two} {one}{column}{by}{when}t?{two}"
        " {column}{one}{by}?{more}tC?{two} {column}{more}{one}t{two}",
    ),
    "equality": (_TableForms.equality, "{column}={one}&{two} {one}={column}{two} {one}&{two}={column}"),
    "superlative": (
        _TableForms.superlative,
        "{most}{column}(?P<one>[ECrp]*?){number}{any_two} {number}C?{most}{column}{any_two}"
        " {any_one}{most}{column}{any_two} {column}{most}[rp]?{two} {two}{column}{most}",
    ),
    "total": (_TableForms.total, "s{column}{number}"),
    "average": (_TableForms.total, "(?P<mean>a){column}{number}"),
    "count": (
        _TableForms.count,
        "[Ts]+{count}(?P<noun>[rpkC])(?P<two>[ECNI&]*) {count}(?P<noun>[rpC]){two} {one}{count}(?P<noun>C)"
        " {one}{count}(?P<whole>N)?(?P<noun>[rk])(?P<two>[ECNI]*)",
    ),
    "only": (_TableForms.only, "O(?P<one>E){two} {one}O[rpC]?{two}"),
    "all": (_TableForms.every, "A[rpC]{two}"),
    "none": (_TableForms.every, "T?{no}[rpC]{two} (?P<one>C){no}(?P<two>N)"),
    "denial": (_TableForms.lookup, "{one}{no}{two}"),
    "lookup": (_TableForms.lookup, "T?(?P<one>[ECNIrp&]+)"),
}
"""By form: what decides it, and the patterns of signs that it has."""
_FORMS: Final = tuple(
    (form, re.compile(pattern.format_map(_PARTS)), decide)
    for form, (decide, patterns) in _PATTERNS.items()
    for pattern in patterns.split()
)
