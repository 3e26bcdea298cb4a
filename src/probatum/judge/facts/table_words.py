"""Finds what the words of a statement mean in a table: cells, columns, numbers, its title, words of a form.

Refuses to guess: a word that is none of these is unknown, and no statement with an unknown word is decided. Rows that
repeat the header, name a section or hold totals are no rows of their own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from probatum.judge.facts.lexicon import NUMBERS, ORDINALS
from probatum.judge.facts.tables import SourceTable
from probatum.judge.facts.texts import fold, plain
from probatum.judge.facts.words import folded, stem
from probatum.readers.values import whole_value
from probatum.readers.vocabulary import CURRENCY_SIGNS, MONTHS, SCALES, words_of

_WORD: Final = re.compile(
    r"(?:(?<![\w)])[-−](?=[0-9]))?[0-9]++(?:,[0-9]{3})*+(?:\.[0-9]++)?+[^\W\d_]*+|[^\W_]++|[%&,;]"
)
_NUMBER: Final = re.compile(r"-?[0-9]++(?:\.[0-9]++)?+")
_TOTAL: Final = re.compile(r"(?:grand )?totals?\b(?! [^(])|overall$|average$|sum$")
_DAY: Final = re.compile(r"([1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?")

_FORMS: Final[Mapping[str, str]] = {
    "H": "highest most largest greatest biggest maximum tallest longest heaviest latest newest",
    "L": "lowest least fewest smallest minimum shortest lightest earliest oldest",
    "G": "more higher greater larger bigger taller longer heavier above exceed over",
    "F": "fewer less lower smaller shorter lighter below under",
    "t": "than",
    "O": "only",
    "A": "all every each both",
    "X": "not no never none",
    "T": "there",
    "r": "game match row race entry event",
    "p": "player team driver nation country person people man woman item episode song city",
    "k": "time occasion",
    "b": "before earlier",
    "f": "after later",
    "&": "and , & ; while but whereas",
    "": """an of in at on for with by from to as is be are was were been being has have had having do does did that
        which who whom whose where when it its he his she her hers they them their theirs this these those during into
        within also i total get got gain achieve receive take make call earn own attain register collect serve act meet
        use include play against vs versus record post number amount value hold place happen occur come per name locate
        quantity show list then finish belong medal just exactly ever year represent feature appear compete
        participate""",
}
"""By the sign of a form: its words; those of no sign say nothing of their own."""
_MONTH_BY_NUMBER: Final = {number: word.lower() for word, number in reversed([*MONTHS.items()])}
_MONTHS: Final = {word.lower(): _MONTH_BY_NUMBER[number] for word, number in MONTHS.items()}
_KEPT: Final[Mapping[str, str]] = {
    **{word: word for sign in "GFbf" for word in _FORMS[sign].split()},
    **{word + end: word for word in SCALES if len(word) > 2 for end in ("", "s")},
    **{word: str(number) for word, number in NUMBERS.items()},
    **{word: f"{number}{('st', 'nd', 'rd')[number - 1] if number < 4 else 'th'}" for word, number in ORDINALS.items()},
    **_MONTHS,
    "percent": "%",
    "pct": "%",
}
"""Words that are no forms of others: what is higher is not only high."""
_ARTICLES: Final = words_of("the a an s")
_MARKS: Final = words_of(", & ;")
_CURRENCIES: Final = frozenset(sign for sign in CURRENCY_SIGNS if len(sign) == 1)

Cells = tuple[tuple[int, frozenset[int]], ...]
"""Rows by column."""


@dataclass(frozen=True, slots=True)
class WordMeaning:
    """A stretch of a statement and one meaning of it: E a cell, C a column, N a number, or a form's sign.

    Attributes:
        cells: where it stands as a whole cell, or else in cells.
        step: half of the step of a number's last digit.
        scaled: whether a word such as million follows.
        compare: the sign of the form that the number is compared by.
        exact: whether it is a whole cell, or the whole name of a column.
    """

    sign: str
    word: str = ""
    cells: Cells = ()
    column: int = -1
    number: Fraction = Fraction(0)
    step: Fraction = Fraction(0)
    scaled: bool = False
    compare: str = "="
    exact: bool = True


@dataclass(frozen=True, slots=True)
class TableColumn:
    """What a column holds: its texts, and by row the numbers of its one unit, or its days, counted."""

    texts: frozenset[tuple[str, ...]]
    numbers: Mapping[int, Fraction]
    counts_up: bool
    """Whether it numbers the rows."""


def seen(text: str) -> str:
    """Return a text as it is compared, with a contracted "not" written out."""
    return plain(fold(text).text).replace("n't", " not")


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """Return what the forms of a word have in common: scores, scored and scoring are one."""
    if word[0].isdigit() or word[0] == "-":
        return word.replace(",", "")
    return _KEPT.get(word) or stem(folded(word))


def words(text: str, left_out: frozenset[str] = _MARKS | _ARTICLES) -> tuple[str, ...]:
    """Return the roots of the words of a text without articles and commas; in a date the month comes first."""
    found = [root(match.group()) for match in _WORD.finditer(seen(text)) if match.group() not in left_out]
    for at in range(len(found) - 1):
        day = _DAY.fullmatch(found[at])
        if day is not None and found[at + 1] in _MONTHS:
            found[at], found[at + 1] = found[at + 1], day[1]
    return tuple(found)


def amount(text: str) -> tuple[Fraction, str] | None:
    """Return the number that a cell is with its unit, or the day that it is, counted, or None where it is neither."""
    said = seen(text)
    if len(said) > _LONGEST_NUMBER:
        return None
    if _NUMBER.fullmatch(said):
        return Fraction(said), ""
    for kind in ("number", "money", "percentage", "timestamp"):
        value = whole_value(said, kind)
        if value is None or value.high is not None:
            continue
        if kind != "timestamp":
            return Fraction(str(value.value)), value.unit
        if len(str(value.value)) == len("2000-01-01"):
            return Fraction(date.fromisoformat(str(value.value)).toordinal()), "day"
    return None


class TableWords:
    """The words of one table: what its columns are called, and where each word stands."""

    def __init__(self, table: SourceTable) -> None:
        self.table = table
        header = [seen(cell.text) for cell in table.header]
        self.rows = tuple(at for at, row in enumerate(table.rows) if _is_row([seen(cell.text) for cell in row], header))
        self.cells: dict[tuple[int, int], tuple[str, ...]] = {}
        self.places: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
        for row in self.rows:
            for column, cell in enumerate(table.rows[row]):
                found = words(cell.text)
                self.cells[row, column] = found
                for at, word in enumerate(found):
                    self.places[word].append((row, column, at))
        self.title = words(table.title)
        self.names = tuple(words(name) for name in header)
        self.scales = tuple(max([0, *(SCALES.get(word, 0) for word in name if len(word) > 1)]) for name in self.names)
        cells = chain.from_iterable((table.header, *table.rows))
        self.currencies = {sign for cell in cells for sign in _currencies(cell.text)}
        self._columns_read: dict[int, TableColumn] = {}

    def column(self, at: int) -> TableColumn:
        """Return what a column holds; it is read where it is asked for, and kept."""
        if at not in self._columns_read:
            found = {row: amount(self.table.rows[row][at].text) for row in self.rows}
            units = {each[1] for each in found.values() if each is not None}
            numbers = {row: each[0] for row, each in found.items() if each is not None and len(units) == 1}
            counts_up = len(numbers) == len(found) and all(b - a == 1 for a, b in pairwise(numbers.values()))
            texts = frozenset(self.cells[row, at] for row in self.rows)
            self._columns_read[at] = TableColumn(texts, numbers, counts_up)
        return self._columns_read[at]

    def meanings(self, statement: str) -> list[list[WordMeaning]] | None:
        """Return for each stretch of a statement what it can mean, or None where a word is unknown.

        Nothing is known of a question, and of money in a currency that the table does not name.
        """
        if "?" in statement or (self.currencies and not _currencies(statement) <= self.currencies):
            return None
        said = words(statement, _ARTICLES)
        found, at = [], 0
        while at < len(said):
            length, meanings = self._meaning(said, at)
            if not length:
                return None
            at += length
            if meanings:
                found.append(meanings)
        return found

    def _meaning(self, said: tuple[str, ...], at: int) -> tuple[int, list[WordMeaning]]:
        """Return how many words belong together here, none where they are unknown, and what they can mean."""
        word = said[at]
        columns, wide = self._columns(said, at)
        cells, long, is_whole = self._cells(said, at)
        title = self._title(said, at)
        best = max(wide, long, title, 1)
        found: list[WordMeaning] = []
        if wide == best:
            found += [WordMeaning("C", word, column=each, exact=len(self.names[each]) == wide) for each in columns]
        if long == best and (long > 1 or is_whole or word not in _SIGNS):
            found.append(WordMeaning("E", " ".join(said[at : at + long]), cells, exact=is_whole))
        number = self._number(said, at) if _NUMBER.fullmatch(word) else None
        if number is not None and number[0] >= best:
            return number[0], [number[1], *found]
        if best > 1 and found:
            return best, found
        if title == best > 1:
            return best, []
        if found:
            return 1, found
        if word in _SIGNS:
            return 1, [WordMeaning(_SIGNS[word], word)] if _SIGNS[word] else []
        return title, []

    def _number(self, said: tuple[str, ...], at: int) -> tuple[int, WordMeaning]:
        follows = [*said[at + 1 : at + 2], ""]
        scale = SCALES.get(follows[0], 0) if len(follows[0]) > 1 else 0
        is_percent = follows[0] == "%"
        length = 1 + (bool(scale) or is_percent)
        number = Fraction(said[at]) * 10**scale
        step = Fraction(10**scale, 2 * 10 ** len(said[at].partition(".")[2]))
        word = said[at] + "%" * is_percent
        return length, WordMeaning("N", word, number=number, step=step, scaled=bool(scale))

    def _columns(self, said: tuple[str, ...], at: int) -> tuple[list[int], int]:
        """Return the columns that are named here with most words, whole names first, and how many words these are."""
        found: dict[tuple[int, bool], list[int]] = defaultdict(list)
        for column, name in enumerate(self.names):
            for start in range(len(name)):
                end = at
                for place, word in enumerate(name[start:], start):
                    if said[end : end + 1] != (word,):
                        break
                    end += 1
                    found[end - at, start == 0 and place == len(name) - 1].append(column)
        if not found:
            return [], 0
        most = max(found)
        return sorted(set(found[most])), most[0]

    def _cells(self, said: tuple[str, ...], at: int) -> tuple[Cells, int, bool]:
        """Return where the longest stretch from here is a cell, or else in one, its length, and if it is a cell."""
        places, length, deep = self.places.get(said[at], []), 1, 1
        while places and at + length < len(said):
            step = 1 + (said[at + length] in _MARKS and at + length + 1 < len(said))
            word = said[at + length + step - 1]
            longer = [each for each in places if self.cells[each[:2]][each[2] + deep : each[2] + deep + 1] == (word,)]
            if not longer:
                break
            places, length, deep = longer, length + step, deep + 1
        whole = [each for each in places if each[2] == 0 and len(self.cells[each[:2]]) == deep]
        return _by_column(whole or places), length if places else 0, bool(whole)

    def _title(self, said: tuple[str, ...], at: int) -> int:
        """Return how many words from here stand in the title."""
        best = 0
        for start in range(len(self.title)):
            length = 0
            while said[at + length : at + length + 1] == self.title[start + length : start + length + 1] != ():
                length += 1
            best = max(best, length)
        return best


def _is_row(said: list[str], header: list[str]) -> bool:
    """Return whether a row is one of its own: not the header again, a section's name or a total."""
    is_section = len(set(said)) == 1 and len(said) > 2
    return not (is_section or said == header or any(_TOTAL.match(each) for each in said[:3]))


def _currencies(text: str) -> set[str]:
    return {sign for sign in text if sign in _CURRENCIES}


def _by_column(places: Iterable[tuple[int, int, int]]) -> Cells:
    rows: dict[int, set[int]] = defaultdict(set)
    for row, column, _ in places:
        rows[column].add(row)
    return tuple((column, frozenset(each)) for column, each in sorted(rows.items()))


_LONGEST_NUMBER: Final = 60
_SIGNS: Final[Mapping[str, str]] = {root(word): sign for sign, line in _FORMS.items() for word in line.split()}
