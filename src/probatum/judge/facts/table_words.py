"""Finds what the words of a statement mean in a table: cells, columns, numbers, its title, words of a form.

Refuses to guess: a word that is none of these is unknown, and no statement with an unknown word is decided.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from functools import cache
from typing import Final
from unicodedata import category, normalize

from probatum.judge.facts.tables import SourceTable
from probatum.readers.values import whole_value
from probatum.readers.vocabulary import CURRENCY_SIGNS, MONTHS, SCALES, words_of

_WORD: Final = re.compile(
    r"(?:(?<![\w)])[-−](?=[0-9]))?[0-9]++(?:,[0-9]{3})*+(?:\.[0-9]++)?+[^\W\d_]*+|[^\W_]++|[%&,;]"
)
_NUMBER: Final = re.compile(r"-?[0-9]++(?:\.[0-9]++)?+")
_TOTAL: Final = re.compile(r"(?:grand )?totals?\b(?! [^(])|overall$|average$|sum$")
_GROUPED: Final = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_TIME: Final = re.compile(r"(?:([0-9]{1,3}):)?([0-9]{1,3}):([0-9]{2}(?:\.[0-9]{1,6})?)")
_ISO_DATE: Final = re.compile(r"\b([12][0-9]{3}) ?- ?(0[1-9]|1[0-2]) ?- ?([0-2][0-9]|3[01])\b")
_DATE: Final = re.compile(r"[a-z]++ [0-9]{1,2} [12][0-9]{3}\b")
_PARENTHESES: Final = re.compile(r"\([^()]*\)")
_ORDINAL: Final = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)")
_DAY: Final = re.compile(r"([1-9]|[12][0-9]|3[01])(?:st|nd|rd|th)?")
_SPACED_SIGN: Final = re.compile(r"^([-+−]) (?=[0-9])")

FILLERS: Final = words_of(
    """an of in at on for with by from to as is be are was were been being has have had having do does did that which
    who whose whom where when it its he his she her they their them this these those during into within also i
    record post get got gain achieve receive number amount value held hold take took taken place happen occur come came
    make made per call name locate quantity show listed list then earn own attain register
    collect finish belong serve act play against vs versus meet met medal just exactly ever year use represent
    include feature appear compete participate"""
)
_FORMS: Final[Mapping[str, str]] = {
    word: sign
    for sign, words in {
        "H": "highest most largest greatest biggest maximum tallest longest heaviest latest newest",
        "L": "lowest least fewest smallest minimum shortest lightest earliest oldest",
        "G": "more higher greater larger bigger taller longer heavier above exceed over",
        "F": "fewer less lower smaller shorter lighter below under",
        "U": "at_least no_less_than no_fewer_than minimum_of",
        "M": "at_most no_more_than up_to maximum_of",
        "t": "than",
        "=": "same equal",
        "O": "only",
        "A": "all every each both",
        "X": "not no never none",
        "T": "there",
        "r": "game match row race entry event",
        "k": "time occasion",
        "p": "player team driver nation country person item episode song city",
        "S": "sum combined combine",
        "s": "total",
        "a": "average mean",
        "b": "before earlier",
        "f": "after later",
        "d": "different distinct",
        "w": "between",
        "v": "win",
        "&": "and , & ; while but whereas",
    }.items()
    for word in words.split()
}
_IRREGULAR: Final = {
    form: line.split()[0]
    for line in """win won winning wins
        lose lost losing loss losses
        draw drew drawn drawing draws
        sell sold sale sales selling
        found founded founding
        attend attendance attendee attendees
        person persons people men man women woman
        0 zero
        1 one
        2 two
        3 three
        4 four
        5 five
        6 six
        7 seven
        8 eight
        9 nine
        10 ten
        11 eleven
        12 twelve
        1st first
        2nd second
        3rd third
        4th fourth
        5th fifth
        6th sixth""".splitlines()
    for form in line.split()
}
_RESULTS: Final = {"w": "win", "l": "lose", "d": "draw", "t": "tie"}
_ARTICLES: Final = words_of("the a an s")
_MARKS: Final = words_of(", & ;")
_MONTH_BY_NUMBER: Final = {number: word.lower() for word, number in reversed(MONTHS.items())}
_MONTH_WORDS: Final = {word.lower(): _MONTH_BY_NUMBER[number] for word, number in MONTHS.items()}


def plain(text: str) -> str:
    """Return a text in lower case, without marks that are not seen."""
    folded = normalize("NFKC", text).casefold().replace("’", "'").replace("n't", " not")
    return "".join(sign for sign in folded if category(sign) != "Cf")


@cache
def root(word: str) -> str:
    """Return what forms of a word have in common: `scores`, `scored` and `scoring` are one."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word in _MONTH_WORDS:
        return _MONTH_WORDS[word]
    if word[0].isdigit() or word[0] in "-−":
        return word.replace("−", "-").replace(",", "") if _GROUPED.fullmatch(word.replace("−", "-")) else word
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
    """Return the roots of the words of a text, articles, the mark of the genitive and commas apart."""
    written = _ISO_DATE.sub(lambda date: f"{_MONTH_BY_NUMBER[int(date[2])]} {int(date[3])} {date[1]}", plain(text))
    found = [root(match.group()) for match in _WORD.finditer(written) if match.group() not in left_out]
    for at in range(len(found) - 1):
        day = _DAY.fullmatch(found[at])
        if day is not None and found[at + 1] in _MONTH_WORDS:
            found[at], found[at + 1] = found[at + 1], day[1]
    return tuple(found)


def amount(text: str) -> Fraction | None:
    """Return the number that a cell is, or None where it is not exactly one."""
    said = _SPACED_SIGN.sub(r"\1", plain(text).strip()).lstrip("+").replace("−", "-")
    clock = _TIME.fullmatch(said)
    if clock is not None:
        return Fraction(clock[1] or 0) * 3600 + Fraction(clock[2]) * 60 + Fraction(clock[3])
    if _NUMBER.fullmatch(said) and len(said) < 300:
        return Fraction(said)
    for kind in ("number", "money", "percentage"):
        value = whole_value(said.replace(" %", "%"), kind) if len(said) < 300 else None
        if value is not None and not isinstance(value.value, str):
            return Fraction(str(value.value))
    return None


Cells = tuple[tuple[int, frozenset[int]], ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A stretch of a statement and one meaning of it: a sign, and the rows by column, the column or the number."""

    sign: str
    word: str = ""
    cells: Cells = ()
    column: int = -1
    number: Fraction = Fraction(0)
    compare: str = "=="
    most: Fraction = Fraction(0)
    loose: Cells = ()
    unit: str = ""
    scaled: bool = False
    exact: bool = True


class Lexicon:
    """The words of one table: where each stands."""

    def __init__(self, table: SourceTable) -> None:
        self.table = table
        self.names = tuple(self._name(cell.text) for cell in table.header)
        self.rows = tuple(at for at, row in enumerate(table.rows) if self._is_row(at))
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
        self.signs = {sign for row in (table.header, *table.rows) for cell in row for sign in _currencies(cell.text)}
        self.units = {word for cell in table.header for part in _PARENTHESES.findall(cell.text) for word in words(part)}
        wordy = [at for at in range(len(table.header)) if any(not (self.cells[row, at] or ("1",))[0][0].isdigit() for row in self.rows)]
        self.names_at = min(wordy, default=0)
        self.scales = tuple(self._scale(cell.text) for cell in table.header)
        self._amounts: dict[tuple[int, int], Fraction | None] = {}

    @staticmethod
    def _name(text: str) -> tuple[str, ...]:
        short = _PARENTHESES.sub(" ", text)
        found = words(short) or words(text)
        kept = tuple(word for word in found if word not in _FILLER_ROOTS)
        return kept or found

    @staticmethod
    def _scale(name: str) -> int:
        """Return the power of ten that the name of a column tells: Revenue (thousands)."""
        said = [word.removesuffix("s") for word in re.findall(r"[a-z']+|000", plain(name))]
        return max((SCALES.get(word, 0) for word in said if len(word) > 1), default=0) or 3 * ("000" in said)

    def _is_row(self, at: int) -> bool:
        """Return whether this is a row of its own: no header again, no title of a section, no total."""
        said = [plain(cell.text).strip() for cell in self.table.rows[at]]
        header = [plain(cell.text).strip() for cell in self.table.header]
        same = len(set(said)) == 1 and len(said) > 2
        return not (said == header or same or any(_TOTAL.match(each) for each in said[:3]))

    def key(self, row: int, column: int) -> Fraction | None:
        """Return the number in a cell, or the day that it names, for what is earlier and what is later."""
        said = self.table.rows[row][column].text.replace(" ,", ",")
        value = whole_value(said, "timestamp") if len(said) < 40 else None
        if value is not None and isinstance(value.value, str) and len(value.value) == 10:
            return Fraction(date.fromisoformat(value.value).toordinal())
        return self.amount(row, column)

    def amount(self, row: int, column: int) -> Fraction | None:
        """Return the number in a cell."""
        if (row, column) not in self._amounts:
            self._amounts[row, column] = amount(self.table.rows[row][column].text)
        return self._amounts[row, column]

    def links(self, statement: str) -> list[list[Link]] | None:
        """Return for each stretch of a statement what it can mean, or None where a word is unknown."""
        if "?" in statement or not _currencies(statement) <= (self.signs or set(_CURRENCIES)):
            return None
        said = words(statement, _ARTICLES)
        found, at = [], 0
        while at < len(said):
            length, meanings = self._link(said, at)
            if not length:
                return None
            if meanings:
                found.append(meanings)
            at += length
        return found

    def _link(self, said: tuple[str, ...], at: int) -> tuple[int, list[Link]]:
        word = said[at]
        columns, wide = self._columns(said, at)
        cells, loose, long, whole = self._cells(said, at)
        title = self._title(said, at)
        best = max(wide, long, title, 1)
        found: list[Link] = []
        if wide == best:
            found += [Link("C", word, column=column, exact=len(self.names[column]) == wide) for column in columns]
        if long == best and (long > 1 or whole or not (word in FILLERS or word in _ROOTS)):
            found.append(Link("E", " ".join(said[at : at + long]), cells, loose=loose, exact=whole))
        day = _DATE.match(" ".join(word for word in said[at : at + 4] if word not in _MARKS))
        if best > 1 and found:
            return best, found
        if day is not None and word in _MONTH_WORDS:
            moment = whole_value(day[0], "timestamp")
            length = 3 + (said[at + 2] in _MARKS)
            number = Fraction(date.fromisoformat(str(moment.value)).toordinal()) if moment else Fraction(0)
            return (length, [Link("N", "date", number=number)]) if moment else (0, [])
        if title == best > 1:
            return best, []
        if _NUMBER.fullmatch(word):
            scale = SCALES.get(said[at + 1], 0) if at + 1 < len(said) else 0
            number = Fraction(word) * 10**scale
            step = Fraction(10**scale, 10 ** len(word.partition(".")[2]))
            percent = said[at + 1 : at + 2] in {("%",), ("percent",)}
            length = 1 + (bool(scale) or percent)
            unit = said[at + length] if said[at + length : at + length + 1] and said[at + length] in self.units else ""
            link = Link("N", word + "%" * percent, number=number, most=step / 2, unit=unit, scaled=bool(scale))
            return length + bool(unit), [link, *found]
        ordinal = _ORDINAL.fullmatch(word)
        if ordinal is not None:
            found.append(Link("I", word, number=Fraction(ordinal[1])))
        if found:
            return best, found
        for length in (3, 2, 1):
            sign = _ROOTS.get(" ".join(said[at : at + length]))
            if sign:
                return length, [Link(sign, word)]
        return 1 if word in _FILLER_ROOTS or title else 0, []

    def _columns(self, said: tuple[str, ...], at: int) -> tuple[list[int], int]:
        """Return the columns that are named here with most words, and how many words that takes."""
        full: dict[int, list[int]] = defaultdict(list)
        part: dict[int, list[int]] = defaultdict(list)
        for column, name in enumerate(self.names):
            for start in range(len(name)):
                end = at
                for word in name[start:]:
                    while end < len(said) and end > at and said[end] != word and said[end] in {"of", "in", "by", "for"}:
                        end += 1
                    if end == len(said) or said[end] != word:
                        break
                    end += 1
                    done = name.index(word, start) + 1
                    (full if start == 0 and done == len(name) else part)[end - at].append(column)
        for found in (full, part):
            if found:
                most = max(found)
                if found is full and part and max(part) > most:
                    continue
                return sorted(set(found[most])), most
        return [], 0

    def _cells(self, said: tuple[str, ...], at: int) -> tuple[Cells, Cells, int, bool]:
        """Return the rows by column whose cells are the longest stretch from here, else have it, and those that have."""
        places, length, deep = self.places.get(said[at], []), 1, 1
        while places and at + length < len(said):
            step = 1 + (said[at + length] in _MARKS and at + length + 1 < len(said))
            word = said[at + length + step - 1]
            longer = [p for p in places if self.cells[p[0], p[1]][p[2] + deep : p[2] + deep + 1] == (word,)]
            if not longer:
                break
            places, length, deep = longer, length + step, deep + 1
        exact = [p for p in places if p[2] == 0 and len(self.cells[p[0], p[1]]) == deep]
        return _by_column(exact or places), _by_column(places), length if places else 0, bool(exact)

    def _title(self, said: tuple[str, ...], at: int) -> int:
        best = 0
        for start, word in enumerate(self.title):
            length = 0
            while said[at + length : at + length + 1] == self.title[start + length : start + length + 1] != ():
                length += 1
            best = max(best, length)
        return best


def _currencies(text: str) -> set[str]:
    return {sign for sign in _CURRENCIES if sign in text}


def _by_column(places: list[tuple[int, int, int]]) -> Cells:
    rows: dict[int, set[int]] = defaultdict(set)
    for row, column, _ in places:
        rows[column].add(row)
    return tuple((column, frozenset(each)) for column, each in sorted(rows.items()))


_CURRENCIES: Final = tuple(sign for sign in CURRENCY_SIGNS if len(sign) == 1)
_ROOTS: Final = {" ".join(map(root, word.split("_"))): sign for word, sign in _FORMS.items()}
_FILLER_ROOTS: Final = frozenset(root(word) for word in FILLERS)


def readings(found: list[list[Link]], most: int = 16) -> Iterator[tuple[Link, ...]]:
    """Yield every way to read the stretches; none where there are too many ways."""
    ways: list[tuple[Link, ...]] = [()]
    for meanings in found:
        ways = [(*way, link) for way in ways for link in meanings]
        if len(ways) > most:
            return
    yield from ways
