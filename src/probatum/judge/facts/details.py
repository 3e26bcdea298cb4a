"""Reads what can be checked exactly in a text: numbers with units, dates, versions, identifiers, addresses, tokens.

Every run of signs with a digit in it belongs to one detail, so that nothing with a digit goes unchecked: what no reader
understands is a token, compared as it is written. Two details are never read at the same place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from typing import Final

from probatum.core.errors import ProbatumError
from probatum.exact.units.quantities import resolved, scale_of
from probatum.exact.units.table import OFFSETS, meanings_of
from probatum.judge.facts.lexicon import NUMBERS
from probatum.readers.conventions import PLAIN, ReadValue
from probatum.readers.moments import read_lengths, read_moments
from probatum.readers.quantities import read_quantities
from probatum.readers.versions import read_versions
from probatum.readers.vocabulary import MONTHS, one_of


class DetailKind(StrEnum):
    """A class of details that are compared exactly."""

    NUMBER = "number"
    DATE = "date"
    VERSION = "version"
    IDENTIFIER = "identifier"
    ADDRESS = "address"
    SIGNS = "signs"
    NAME = "name"
    QUOTATION = "quotation"
    REFERENCE = "reference"


Day = tuple[int, int, int]
"""Year, month and day; 0 where it is not said."""


@dataclass(frozen=True, slots=True)
class Magnitude:
    """A number: exact in base units, as it is written, and how far it may be rounded."""

    value: Fraction
    unit: str
    written: Fraction
    half: Fraction
    """Half of the last digit that is written, in base units."""
    high: Fraction | None = None


@dataclass(frozen=True, slots=True)
class Detail:
    """One thing that can be checked, and where it stands in the compared text.

    ``value`` is what equal details share; of a date every day that it can mean. ``bound`` is <, <=, > or >= of a
    version that limits a range, and of a name how it begins its sentence.
    """

    kind: DetailKind
    text: str
    start: int
    end: int
    value: object
    bound: str = ""

    @property
    def measure(self) -> Magnitude | None:
        """The number that it is."""
        return self.value if isinstance(self.value, Magnitude) else None

    @property
    def days(self) -> tuple[Day, ...]:
        """The days that it can mean."""
        return self.value if self.kind is DetailKind.DATE and isinstance(self.value, tuple) else ()


_TAKEN: Final = "\x00"
_URL: Final = re.compile(
    r"(?:https?://|(?<!\w)www\.)[^\s<>\"'\])}|]++|(?<!\w)10\.[0-9]{4,9}/[^\s\"<>\])|]++"
    r"|(?<![\w.+-])[\w.+-]{1,64}+@[\w-]{1,64}+(?:\.[\w-]{1,64}+){1,8}+"
)
_IDENTIFIER: Final = re.compile(
    r"(?<![\w.-])(?:CVE-[0-9]{4}-[0-9]{3,9}|GHSA(?:-[0-9a-z]{4}){3}|arXiv:[0-9]{4}\.[0-9]{4,5}"
    r"|(?:RFC|PEP|ISO|IEC|ISO/IEC|IEEE|DIN|EN|BCP|CWE|SOC)[ -]?[0-9]{1,6}(?:[-.:][0-9]{1,5}){0,2}"
    r"|ISBN(?:-1[03])?:?[ ]?(?:97[89][- ]?)?(?:[0-9][- ]?){9}[0-9Xx]|[A-Z][A-Z0-9]{0,9}-[0-9]{1,9}[A-Z]?"
    r"|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|(?=[a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{7,128}|#[0-9]{1,9})"
    r"(?![\w-])"
)
_MARK: Final = re.compile(r"(?<![\w\]])?\[[0-9]{1,4}(?:[,–-][ ]?[0-9]{1,4}){0,20}\]")
_PARTIAL: Final = re.compile(
    r"(?<![\w.])(?:(?P<lead>(?:[Ii]n|[Ss]ince|[Uu]ntil|[Bb]y|[Dd]uring|[Ee]arly|[Ll]ate|[Mm]id|[Oo]f|[Ff]rom)[ -])|"
    rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?[ ](?:of[ ])?)?(?P<month>{one_of(MONTHS)})(?!\w)\.?"
    r"(?:[ ](?P<after>[0-9]{1,2})(?:st|nd|rd|th)?(?![\w:]|[.,][0-9]))?(?:,?[ ](?:of[ ])?(?P<year>[12][0-9]{3}))?(?!\w)"
)
_NUMERIC: Final = re.compile(
    r"(?<![\w./-])(?:(?P<a>[0-9]{1,2})(?P<sign>[./-])(?P<b>[0-9]{1,2})(?P=sign)(?P<year>[12][0-9]{3})"
    r"|(?P<y>[12][0-9]{3})[-/](?P<m>0[1-9]|1[0-2])(?:/(?P<d>[0-3]?[0-9]))?)(?![\w/-])"
)
_CLOCK: Final = re.compile(
    r"(?<![\w:.])(?P<h>[01]?[0-9]|2[0-3])(?::(?P<m>[0-5][0-9]))?(?:[ ]?(?P<half>[ap])\.?m\b\.?)?(?![\w:]|\.[0-9])", re.I
)
_YEAR: Final = re.compile(r"(?:1[5-9]|20|21)[0-9]{2}")
_ANY: Final = re.compile(r"(?<!\w)(?=[^\W\d]*+[0-9])\w++(?:[.,:/'’](?=[^\W\d]*+[0-9])\w++){0,40}")
_SMALL: Final = {"zero": 0, **NUMBERS}
_POWERS: Final = {"hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SPELLED: Final = re.compile(
    rf"(?<![\w-])(?:{one_of([*_SMALL, 'dozen'])})"
    rf"(?:[ -](?:and[ ])?(?:{one_of([*_SMALL, *_POWERS, 'dozen'])})){{0,12}}+"
    r"(?:[ ](?P<percent>percent|per[ ]cent))?(?!\w)",
    re.IGNORECASE,
)
_BOUNDS: Final = (
    (
        re.compile(
            r"(?:prior to|before|(?:earlier|older|less) than|below|up to but not including|<)[ ](?:version[ ])?$|<$",
            re.I,
        ),
        "<",
    ),
    (re.compile(r"(?:up to(?: and including)?|through|until|no later than|<=|≤)[ ]?(?:version[ ])?$", re.I), "<="),
    (re.compile(r"(?:later than|newer than|after|above|>)[ ](?:version[ ])?$|>$", re.I), ">"),
    (re.compile(r"(?:since|from|starting (?:with|from|in)|at least|>=|≥)[ ]?(?:version[ ])?$", re.I), ">="),
)
_BOUNDS_AFTER: Final = (
    (re.compile(r"[ ](?:and|or)[ ](?:earlier|older|below|lower|prior)", re.I), "<="),
    (re.compile(r"[ ](?:and|or)[ ](?:later|newer|above|higher|up)|\+", re.I), ">="),
)


def read_details(text: str) -> list[Detail]:
    """Return every detail of a folded text in order; names and quotations are read elsewhere."""
    found: list[Detail] = []
    rest = text
    for reader in _READERS:
        taken = sorted(reader(rest), key=lambda detail: detail.start)
        if taken:
            found.extend(taken)
            rest = _without(rest, taken)
    found.sort(key=lambda detail: detail.start)
    return found


def without_details(text: str, details: Iterable[Detail]) -> str:
    """Return a text in which every detail is blank, so that what is left can be read by itself."""
    return _without(text, details)


def _without(text: str, taken: Iterable[Detail]) -> str:
    parts, place = [], 0
    for each in taken:
        if each.start < place:
            continue
        parts += [text[place : each.start], _TAKEN * (each.end - each.start)]
        place = each.end
    return "".join([*parts, text[place:]])


def _addresses(text: str) -> Iterator[Detail]:
    for match in _URL.finditer(text):
        said = match[0].rstrip(".,;:!?*_")
        bare = (
            re.sub(r"^(?:https?://)?(?:(?:dx\.)?doi\.org/|www\.)?", "", said.casefold()).partition("#")[0].rstrip("/")
        )
        yield Detail(DetailKind.ADDRESS, said, match.start(), match.start() + len(said), bare)


def _identifiers(text: str) -> Iterator[Detail]:
    for match in _IDENTIFIER.finditer(text):
        value = "".join(sign for sign in match[0].casefold() if sign.isalnum())
        yield Detail(DetailKind.IDENTIFIER, match[0], match.start(), match.end(), value)
    for match in _MARK.finditer(text):
        yield Detail(DetailKind.REFERENCE, match[0], match.start(), match.end(), match[0])


def _moments(text: str) -> Iterator[Detail]:
    for read in read_moments(text, PLAIN):
        days = [tuple(int(part) for part in str(each)[:10].split("-")) for each in (read.value, read.high) if each]
        yield Detail(DetailKind.DATE, text[read.start : read.end], read.start, read.end, tuple(days))


def _partial_dates(text: str) -> Iterator[Detail]:
    for match in _PARTIAL.finditer(text):
        day = match["day"] or match["after"]
        if not (day or match["year"] or match["lead"]):
            continue
        start = match.end("lead") if match["lead"] else match.start()
        value = (int(match["year"] or 0), MONTHS[match["month"]], int(day or 0))
        yield Detail(DetailKind.DATE, text[start : match.end()].rstrip("."), start, match.end(), (value,))
    for match in _NUMERIC.finditer(text):
        if match["y"]:
            orders = [(match["y"], match["m"], match["d"] or "0")]
        else:
            orders = [(match["year"], match["b"], match["a"]), (match["year"], match["a"], match["b"])]
        days = tuple(dict.fromkeys(day for day in (tuple(map(int, each)) for each in orders) if _is_day(*day)))
        if days:
            yield Detail(DetailKind.DATE, match[0], match.start(), match.end(), days)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return bool(date(year, month, day or 1))
    except ValueError:
        return False


def _clocks(text: str) -> Iterator[Detail]:
    for match in _CLOCK.finditer(text):
        if match["m"] or match["half"]:
            hour = int(match["h"])
            if match["half"] and 1 <= hour <= 12:
                hour = hour % 12 + (12 if match["half"] in "pP" else 0)
            value = f"{hour:02}:{match['m'] or '00'}"
            yield Detail(DetailKind.SIGNS, match[0], match.start(), match.end(), value)


def _versions(text: str) -> Iterator[Detail]:
    for read in read_versions(text):
        said = str(read.value).casefold()
        digits = re.match(r"[0-9.]+", said)
        parts = [int(part) for part in digits[0].split(".") if part] if digits else []
        while len(parts) > 2 and parts[-1] == 0:
            parts.pop()
        value = (*parts, said[digits.end() :] if digits else said)
        before, after = text[max(0, read.start - 32) : read.start], text[read.end : read.end + 16]
        bound = next((sign for form, sign in _BOUNDS if form.search(before)), "")
        bound = bound or next((sign for form, sign in _BOUNDS_AFTER if form.match(after)), "")
        yield Detail(DetailKind.VERSION, text[read.start : read.end], read.start, read.end, value, bound)


def _quantities(text: str) -> Iterator[Detail]:
    yield from (_measured(text, read) for read in read_lengths(text))
    for read in read_quantities(text, PLAIN):
        said = text[read.start : read.end]
        if read.unit == "" and read.high is None and _YEAR.fullmatch(said):
            yield _year(said, read.start)
        else:
            yield _measured(text, read)


def _year(said: str, start: int) -> Detail:
    return Detail(DetailKind.DATE, said, start, start + len(said), ((int(said), 0, 0),))


def _measured(text: str, read: ReadValue) -> Detail:
    said = text[read.start : read.end]
    value = Fraction(str(read.value))
    digits = re.search(r"[0-9][0-9,]*+(?:\.([0-9]++))?", said)
    plain = Fraction(digits[0].replace(",", "")) if digits else value
    scale = abs(value) / plain if plain else Fraction(1)
    half = scale / 2 / 10 ** len(digits[1] or "" if digits else "")
    high = Fraction(str(read.high)) if read.high is not None else None
    return Detail(DetailKind.NUMBER, said, read.start, read.end, measure_of(value, read.unit, half, high))


def measure_of(value: Fraction, unit: str, half: Fraction, high: Fraction | None = None) -> Magnitude:
    """Return a number with its unit as it is compared."""
    factor, offset, base = _base(unit)
    upper = None if high is None else (high + offset) * factor
    return Magnitude((value + offset) * factor, base, value, half * factor, upper)


@lru_cache(maxsize=512)
def _base(unit: str) -> tuple[Fraction, Fraction, str]:
    """Return factor, offset and name of the base of a unit; a unit that has several meanings is its own base."""
    if unit in {"%", "bp"}:
        return Fraction(1, 100 if unit == "%" else 10_000), Fraction(0), "%"
    name = unit.replace(" ", "_")
    if not unit or len(meanings_of(name)) > 1 or (len(unit) == 3 and unit.isupper()):
        return Fraction(1), Fraction(0), unit
    try:
        found = resolved(name)
    except (ProbatumError, ArithmeticError, LookupError, ValueError):
        return Fraction(1), Fraction(0), unit
    scale = scale_of(name)
    base = "*".join(f"{each}^{power}" for each, power in found.dimensions) or unit
    return found.value, Fraction(OFFSETS[scale]) if scale else Fraction(0), base


def _spelled(text: str) -> Iterator[Detail]:
    for match in _SPELLED.finditer(text):
        words = re.findall(r"[a-z]+", match[0].casefold())
        total, part = 0, 0
        for word in words:
            if word in _POWERS:
                part = max(part, 1) * _POWERS[word]
                total, part = (total + part, 0) if word != "hundred" else (total, part)
            else:
                part += _SMALL.get(word, 0)
                part = part * 12 if word == "dozen" and part else part or 12 * (word == "dozen")
        # "One" is as often a pronoun as a number.
        if words != ["one"]:
            unit = "%" if match["percent"] else ""
            yield Detail(
                DetailKind.NUMBER,
                match[0],
                match.start(),
                match.end(),
                measure_of(Fraction(total + part), unit, Fraction(0)),
            )


def _tokens(text: str) -> Iterator[Detail]:
    for match in _ANY.finditer(text):
        said = match[0]
        plain = said.replace(",", "")
        if _YEAR.fullmatch(said):
            yield _year(said, match.start())
        elif re.fullmatch(r"[0-9]{1,40}(?:\.[0-9]{1,40})?", plain):
            places = len(plain.partition(".")[2])
            number = measure_of(Fraction(plain), "", Fraction(1, 2 * 10**places))
            yield Detail(DetailKind.NUMBER, said, match.start(), match.end(), number)
        else:
            yield Detail(DetailKind.SIGNS, said, match.start(), match.end(), said.casefold())


_READERS: Final[tuple[Callable[[str], Iterator[Detail]], ...]] = (
    *(_addresses, _identifiers, _moments, _partial_dates, _clocks, _versions, _quantities, _spelled, _tokens),
)
