"""Finds what the words of a statement mean in a table: cells, columns, numbers, its title, words of a form.

Refuses to guess: a word that is none of these is unknown, and no statement with an unknown word is decided. Rows that
repeat the header, name a section or hold totals are no rows of their own.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from typing import Final

from probatum.judge.facts.tables import SourceTable
from probatum.judge.facts.texts import fold, plain
from probatum.readers.values import whole_value
from probatum.readers.vocabulary import CURRENCY_SIGNS, MONTHS, SCALES, words_of

_WORD: Final = re.compile(
    r"(?:(?<![\w)])[-−](?=[0-9]))?[0-9]++(?:,[0-9]{3})*+(?:\.[0-9]++)?+[^\W\d_]*+|[^\W_]++|[%&,;]"
)
_NUMBER: Final = re.compile(r"-?[0-9]++(?:\.[0-9]++)?+")
_TOTAL: Final = re.compile(r"(?:grand )?totals?\b(?! [^(])|overall$|average$|sum$")
_CLOCK: Final = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-9]{2}(?:\.[0-9]{1,6})?)")
_ISO_DATE: Final = re.compile(r"\b([12][0-9]{3}) ?- ?(0[1-9]|1[0-2]) ?- ?([0-2][0-9]|3[01])\b")
_DATE: Final = re.compile(r"[a-z]++ [0-9]{1,2} [12][0-9]{3}\b")
_DAY: Final = re.compile(r"([1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?")
_ORDINAL: Final = re.compile(r"[0-9]{1,3}(?=(?:st|nd|rd|th)$)")
_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_SPACED_SIGN: Final = re.compile(r"^([-+]) (?=[0-9])")

_FORMS: Final[Mapping[str, str]] = {
    "H": "highest most largest greatest biggest maximum tallest longest heaviest latest newest",
    "L": "lowest least fewest smallest minimum shortest lightest earliest oldest",
    "G": "more higher greater larger bigger taller longer heavier above exceed over",
    "F": "fewer less lower smaller shorter lighter below under",
    "U": "at_least no_less_than no_fewer_than",
    "M": "at_most no_more_than up_to",
    "t": "than",
    "=": "same equal",
    "O": "only",
    "A": "all every each both",
    "X": "not no never none",
    "T": "there",
    "r": "game match row race entry event",
    "p": "player team driver nation country person item episode song city",
    "k": "time occasion",
    "s": "total",
    "a": "average mean",
    "b": "before earlier",
    "f": "after later",
    "d": "different distinct",
    "w": "between",
    "v": "win",
    "&": "and , & ; while but whereas",
    "u": """get got gain achieve receive take took taken make made call earn own attain register collect serve act meet
        met use include play against vs versus""",
    "": """an of in at on for with by from to as is be are was were been being has have had having do does did that
        which who whose whom where when it its he his she her they their them this these those during into within also i
        record post number amount value held hold place happen occur come came per name locate quantity show listed list
        then finish belong medal just exactly ever year represent feature appear compete participate""",
}
"""By the sign of a form: its words; those of no sign say nothing of their own, those of u nothing of a column."""
_SAME: Final = (
    "win won winning wins",
    "lose lost losing loss losses",
    "draw drew drawn drawing draws",
    "sell sold sale sales selling",
    "found founded founding",
    "attend attendance attendee attendees",
    "person persons people men man women woman",
)
_CARDINALS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_MONTH_BY_NUMBER: Final = {number: word.lower() for word, number in reversed([*MONTHS.items()])}
_MONTHS: Final = {word.lower(): _MONTH_BY_NUMBER[number] for word, number in MONTHS.items()}
_IRREGULAR: Final[Mapping[str, str]] = {
    **{form: line.split()[0] for line in _SAME for form in line.split()},
    **{word: str(number) for number, word in enumerate(_CARDINALS)},
    **{word: f"{at}{('st', 'nd', 'rd')[at - 1] if at < 4 else 'th'}" for at, word in enumerate(_ORDINALS, start=1)},
    **_MONTHS,
}
_RESULTS: Final = {"w": "win", "l": "lose", "d": "draw", "t": "tie"}
_ARTICLES: Final = words_of("the a an s")
_MARKS: Final = words_of(", & ;")
_CURRENCIES: Final = frozenset(sign for sign in CURRENCY_SIGNS if len(sign) == 1)

Cells = tuple[tuple[int, frozenset[int]], ...]
"""Rows by column."""


@dataclass(frozen=True, slots=True)
class WordMeaning:
    """A stretch of a statement and one meaning of it: E a cell, C a column, N a number, I an ordinal, or a form's sign.

    Attributes:
        cells: where it stands as a whole cell, or else in cells; ``loose``: where cells hold it.
        step: half of the step of a number's last digit; ``most``: the upper end of a range.
        scaled: whether a word such as million follows.
        compare: the sign of the form that the number is compared by.
        exact: whether it is a whole cell, or the whole name of a column.
    """

    sign: str
    word: str = ""
    cells: Cells = ()
    loose: Cells = ()
    column: int = -1
    number: Fraction = Fraction(0)
    step: Fraction = Fraction(0)
    unit: str = ""
    scaled: bool = False
    compare: str = "=="
    most: Fraction = Fraction(0)
    exact: bool = True
    owns: bool = False
    """Whether a genitive follows: what comes next is no name of it."""


def seen(text: str) -> str:
    """Return a text as it is compared, with a contracted "not" written out."""
    return plain(fold(text).text).replace("n't", " not")


@lru_cache(maxsize=65_536)
def root(word: str) -> str:
    """Return what the forms of a word have in common: scores, scored and scoring are one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word[0].isdigit() or word[0] == "-":
        return word.replace(",", "")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for end in ("ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) > len(end) + 2 and not word.endswith(("ss", "us", "is", "eed")):
            word = word[: -len(end)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def words(text: str, left_out: frozenset[str] = _MARKS | _ARTICLES) -> tuple[str, ...]:
    """Return the roots of the words of a text without articles and commas; in a date the month comes first."""
    written = _ISO_DATE.sub(lambda date: f"{_MONTH_BY_NUMBER[int(date[2])]} {int(date[3])} {date[1]}", seen(text))
    found = [root(match.group()) for match in _WORD.finditer(written) if match.group() not in left_out]
    for at in range(len(found) - 1):
        day = _DAY.fullmatch(found[at])
        if day is not None and found[at + 1] in _MONTHS:
            found[at], found[at + 1] = found[at + 1], day[1]
    return tuple(found)


def amount(text: str) -> tuple[Fraction, str] | None:
    """Return the number that a cell is with its unit, a time of a clock in seconds, or None where it is not one."""
    said = _SPACED_SIGN.sub(r"\1", seen(text)).lstrip("+").replace(" %", "%")
    clock = _CLOCK.fullmatch(said)
    if clock is not None:
        return Fraction(clock[1] or 0) * 3600 + Fraction(clock[2]) * 60 + Fraction(clock[3]), ""
    if len(said) > _LONGEST_NUMBER:
        return None
    if _NUMBER.fullmatch(said):
        return Fraction(said), ""
    found = (whole_value(said, kind) for kind in ("number", "money", "percentage"))
    return next(((Fraction(str(each.value)), each.unit) for each in found if each and each.high is None), None)


def day_of(text: str) -> Fraction | None:
    """Return the day that a text names, counted."""
    value = whole_value(text.replace(" ,", ","), "timestamp") if len(text) <= _LONGEST_NUMBER else None
    is_day = value is not None and value.high is None and len(str(value.value)) == len("2000-01-01")
    return Fraction(date.fromisoformat(str(value.value)).toordinal()) if value is not None and is_day else None


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
                if found and found[0] in _RESULTS and all(word[0].isdigit() for word in found[1:]):
                    found = (_RESULTS[found[0]], *found[1:])
                self.cells[row, column] = found
                for at, word in enumerate(found):
                    self.places[word].append((row, column, at))
        self.title = words(table.title)
        self.names = tuple(self._name(name) for name in header)
        self.scales = tuple(self._scale(name) for name in header)
        self.units = {word for name in header for part in _PARENTHESES.findall(name) for word in words(part)}
        cells = chain.from_iterable((table.header, *table.rows))
        self.currencies = {sign for cell in cells for sign in _currencies(cell.text)}
        # What follows is found where it is asked for, and kept.
        self._texts: dict[int, frozenset[tuple[str, ...]]] = {}
        self._counting: dict[int, bool] = {}
        self._numbers: dict[int, dict[int, Fraction]] = {}

    @staticmethod
    def _name(text: str) -> tuple[str, ...]:
        found = words(_PARENTHESES.sub(" ", text)) or words(text)
        return tuple(word for word in found if _SIGNS.get(word) not in {"", "u"}) or found

    @staticmethod
    def _scale(name: str) -> int:
        """Return the power of ten that the name of a column tells: Revenue (thousands)."""
        said = [word.removesuffix("s") for word in re.findall(r"[a-z]{2,}+|000", name)]
        return max(3 if word == "000" else SCALES.get(word, 0) for word in ["", *said])

    def number(self, row: int, column: int, *, is_day: bool = False) -> Fraction | None:
        """Return the number in a cell of a column with one unit, or the day that it names where days are asked for."""
        if is_day:
            day = day_of(self.table.rows[row][column].text)
            return self.number(row, column) if day is None else day
        if column not in self._numbers:
            found = {at: amount(self.table.rows[at][column].text) for at in self.rows}
            units = {each[1] for each in found.values() if each is not None} - {""}
            self._numbers[column] = {at: each[0] for at, each in found.items() if each is not None and len(units) < 2}
        return self._numbers[column].get(row)

    def texts_of(self, column: int) -> frozenset[tuple[str, ...]]:
        """Return what a column holds."""
        if column not in self._texts:
            self._texts[column] = frozenset(self.cells[row, column] for row in self.rows)
        return self._texts[column]

    def counts_up(self, column: int) -> bool:
        """Return whether a column numbers the rows."""
        if column not in self._counting:
            values = [self.number(row, column) for row in self.rows]
            found = [value for value in values if value is not None]
            self._counting[column] = len(found) == len(values) and all(b - a == 1 for a, b in pairwise(found))
        return self._counting[column]

    def meanings(self, statement: str) -> list[list[WordMeaning]] | None:
        """Return for each stretch of a statement what it can mean, or None where a word is unknown.

        Nothing is known of a question, and of money in a currency that the table does not name.
        """
        if "?" in statement or (self.currencies and not _currencies(statement) <= self.currencies):
            return None
        read = words(statement, _ARTICLES - {"s"})
        owners = {len([each for each in read[:at] if each != "s"]) for at, word in enumerate(read) if word == "s"}
        said = tuple(word for word in read if word != "s")
        found, at = [], 0
        while at < len(said):
            length, meanings = self._meaning(said, at)
            if not length:
                return None
            at += length
            if meanings:
                found.append([replace(each, owns=at in owners) for each in meanings])
        return found

    def _meaning(self, said: tuple[str, ...], at: int) -> tuple[int, list[WordMeaning]]:
        """Return how many words belong together here, none where they are unknown, and what they can mean."""
        word = said[at]
        columns, wide = self._columns(said, at)
        cells, loose, long, is_whole = self._cells(said, at)
        title = self._title(said, at)
        best = max(wide, long, title, 1)
        found: list[WordMeaning] = []
        if wide == best:
            found += [WordMeaning("C", word, column=each, exact=len(self.names[each]) == wide) for each in columns]
        if long == best and (long > 1 or is_whole or word not in _SIGNS):
            found.append(WordMeaning("E", " ".join(said[at : at + long]), cells, loose, exact=is_whole))
        number = self._number(said, at) if _NUMBER.fullmatch(word) else None
        if number is not None and number[0] >= best:
            return number[0], [number[1], *found]
        if best > 1 and found:
            return best, found
        date = _DATE.match(" ".join(each for each in said[at : at + 4] if each not in _MARKS))
        if date is not None and word in _MONTHS:
            day = day_of(date[0])
            length = 3 + (said[at + 2] in _MARKS)
            return (0, []) if day is None else (length, [WordMeaning("N", "date", number=day)])
        if title == best > 1:
            return best, []
        ordinal = _ORDINAL.match(word)
        if ordinal is not None:
            found.append(WordMeaning("I", word, number=Fraction(ordinal[0])))
        if found:
            return 1, found
        for length in (3, 2, 1):
            sign = _SIGNS.get(" ".join(said[at : at + length]))
            if sign is not None:
                return length, [WordMeaning(sign, word)] if sign else []
        return title, []

    def _number(self, said: tuple[str, ...], at: int) -> tuple[int, WordMeaning]:
        follows = [*said[at + 1 : at + 3], "", ""]
        scale = SCALES.get(follows[0], 0) if len(follows[0]) > 1 else 0
        is_percent = follows[0] in {"%", "percent"}
        length = 1 + (bool(scale) or is_percent)
        unit = follows[length - 1] if follows[length - 1] in self.units else ""
        number = Fraction(said[at]) * 10**scale
        step = Fraction(10**scale, 2 * 10 ** len(said[at].partition(".")[2]))
        word = said[at] + "%" * is_percent
        return length + bool(unit), WordMeaning("N", word, number=number, step=step, unit=unit, scaled=bool(scale))

    def _columns(self, said: tuple[str, ...], at: int) -> tuple[list[int], int]:
        """Return the columns that are named here with most words, whole names first, and how many words these are."""
        found: dict[tuple[int, bool], list[int]] = defaultdict(list)
        for column, name in enumerate(self.names):
            for start in range(len(name)):
                end = at
                for place, word in enumerate(name[start:], start):
                    while at < end < len(said) and said[end] != word and said[end] in _LINKING:
                        end += 1
                    if said[end : end + 1] != (word,):
                        break
                    end += 1
                    found[end - at, start == 0 and place == len(name) - 1].append(column)
        if not found:
            return [], 0
        most = max(found)
        return sorted(set(found[most])), most[0]

    def _cells(self, said: tuple[str, ...], at: int) -> tuple[Cells, Cells, int, bool]:
        """Return where the longest stretch from here is a cell, where it is in one, its length, and if it is a cell."""
        places, length, deep = self.places.get(said[at], []), 1, 1
        while places and at + length < len(said):
            step = 1 + (said[at + length] in _MARKS and at + length + 1 < len(said))
            word = said[at + length + step - 1]
            longer = [each for each in places if self.cells[each[:2]][each[2] + deep : each[2] + deep + 1] == (word,)]
            if not longer:
                break
            places, length, deep = longer, length + step, deep + 1
        whole = [each for each in places if each[2] == 0 and len(self.cells[each[:2]]) == deep]
        return _by_column(whole or places), _by_column(places), length if places else 0, bool(whole)

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
_LINKING: Final = words_of("of in by for")
_SIGNS: Final[Mapping[str, str]] = {
    " ".join(map(root, word.split("_"))): sign for sign, line in _FORMS.items() for word in line.split()
}
