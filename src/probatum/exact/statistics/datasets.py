"""Reads the data of a claim exactly as they are written: a list as JSON, numbers between commas, or a column of CSV.

Numbers become whole numbers over one power of ten, so that a million of them can be computed with. Refuses, with the
place: truth values, texts among numbers, missing cells, rows of another length, a column that is not there or there
twice, and what could be read in two ways, such as ``1,000`` or ``1,5`` over several lines.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, nearest
from probatum.core.json_text import JsonTextError, read_json
from probatum.core.limits import ExtentError
from probatum.core.shape import shown
from probatum.exact.claim import ExactClaim

MAX_VALUES: Final = 500_000
MAX_CHARACTERS: Final = 16 * 1024 * 1024
MAX_DIGITS_IN_ALL: Final = 30_000_000
_MAX_NUMBER: Final = 2_000
_MAX_EXPONENT: Final = 5_000
UNREADABLE: Final = "engine.data_unreadable"
MIXED: Final = "engine.data_mixed_types"
MISSING: Final = "engine.data_missing"
AMBIGUOUS: Final = "engine.data_ambiguous"
NON_FINITE: Final = "engine.non_finite"
EMPTY: Final = "engine.data_empty"
COLUMN: Final = "engine.data_column"
_NUMBER: Final = re.compile(
    r"(?P<sign>[+-]?)(?P<whole>0|[1-9][0-9]*+)?(?:\.(?P<fraction>[0-9]*+))?(?:[eE](?P<power>[+-]?[0-9]++))?(?P<per>%?)"
)
_LEADING_ZERO: Final = re.compile(r"[+-]?0[0-9]+(?:\.[0-9]*)?")
_GROUPED: Final = re.compile(r"(?<!\S)[+-]?[0-9]{1,3}(?:,[0-9]{3})++(?:\.[0-9]++)?,?(?!\S)")
_NON_FINITE: Final = frozenset({"nan", "inf", "infinity"})
_NOT_THERE: Final = frozenset({"", "na", "n/a", "null", "none", "-", "?"})
_Number = tuple[int, int]
"""Digits and places: the number is the one divided by ten to the power of the other."""


@dataclass(frozen=True, slots=True)
class Dataset:
    """Values in their order: numbers, texts, or texts that are numbers all of them."""

    scaled: tuple[int, ...]
    """Each number times ten to the power of ``places``; empty where the data are texts alone."""
    places: int = 0
    texts: tuple[str, ...] = ()
    """The values where they are given as texts; else empty."""

    def __len__(self) -> int:
        return len(self.texts or self.scaled)

    @property
    def scale(self) -> int:
        """Return what each number was multiplied with."""
        return int(10**self.places)

    def fractions(self) -> Iterator[Fraction]:
        """Yield the numbers."""
        scale = self.scale
        return (Fraction(each, scale) for each in self.scaled)


def read_dataset(claim: ExactClaim, name: str, column: str | None = None) -> Dataset:
    """Return the values of an input, or of a column of it.

    Raises NotAttemptedError with the place for what cannot be read or is empty, BudgetError for what is too large.
    """
    given = claim.given.get(name)
    if isinstance(given, str) and len(given) > MAX_CHARACTERS:
        raise BudgetError("engine.too_large", f"{name} has more than {MAX_CHARACTERS:,} characters.")
    if column is not None:
        if not isinstance(given, str):
            raise NotAttemptedError(COLUMN, f"A column is named, but {name} is no CSV text.")
        values = _read_cells(_column_cells(given, name, column))
    elif isinstance(given, str):
        values = _read_text(given.removeprefix("\ufeff").strip().replace("−", "-"), name)
    elif isinstance(given, list):
        values = _read_items(given, name)
    else:
        raise NotAttemptedError(UNREADABLE, f"{name} has to be a list of values, got {shown(given)}.")
    if not values:
        raise NotAttemptedError(EMPTY, f"{name} holds no value.")
    if len(values) > MAX_VALUES:
        raise BudgetError("engine.too_large", f"{name} has more than {MAX_VALUES:,} values.")
    return _dataset(values, name, column)


def read_number(text: str) -> _Number | None:
    """Return a number as digits and places; None where the text is none. Raises BudgetError for one too long."""
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, whole, fraction, power, per = match.groups()
    if not whole and not fraction:
        return None
    if len(text) > _MAX_NUMBER or (power and (len(power) > 6 or abs(int(power)) > _MAX_EXPONENT)):
        raise BudgetError("engine.out_of_budget", "A value is too long to compute with.")
    digits = int(f"{sign}{whole or ''}{fraction or ''}")
    return digits, len(fraction or "") - int(power or 0) + (2 if per else 0)


def _read_text(text: str, name: str) -> list[_Number | str]:
    if text.startswith("["):
        if not text.endswith("]"):
            raise NotAttemptedError(UNREADABLE, f"{name} begins as a list with '[' and does not end with ']'.")
        if '"' in text:
            return _read_items(_json_items(text, name), name)
        return _read_words(text[1:-1].split(",") if text[1:-1].strip() else [], name)
    if not text:
        return []
    grouped = _GROUPED.search(text)
    if grouped is not None:
        sentence = f"{name}: {shown(grouped.group())} can be one number or several."
        raise NotAttemptedError(AMBIGUOUS, sentence, "Write a space after each comma between values, or a JSON list.")
    if "," not in text:
        return _read_words(text.splitlines(), name)
    for line in re.split(r",[ \t]*\r?\n|\r?\n[ \t]*,", text):
        if "\n" in line:
            sentence = f"{name} has commas and line breaks between its values, so it is not clear what is one value."
            raise NotAttemptedError(AMBIGUOUS, sentence, "Write a JSON list, or name the column of CSV.")
    return _read_words(text.split(","), name)


def _json_items(text: str, name: str) -> list[object]:
    try:
        # As a tuple, a number can be told from a text, and keeps its digits.
        items = read_json(text, depth=2, whole=lambda digits: (digits,), fraction=lambda digits: (digits,))
    except (JsonTextError, ExtentError) as error:
        if str(error).endswith("is not a JSON number"):
            raise NotAttemptedError(NON_FINITE, f"{name}: {error}.") from error
        raise NotAttemptedError(UNREADABLE, f"{name} is not a JSON list: {error}.") from error
    assert isinstance(items, list)
    return items


def _read_items(items: Sequence[object], name: str) -> list[_Number | str]:
    values: list[_Number | str] = []
    for index, item in enumerate(items):
        if type(item) is str:
            values.append(item)
        elif type(item) is int and item.bit_length() < 3 * _MAX_NUMBER:
            values.append((item, 0))
        elif type(item) in (int, float, tuple):
            words = item[0] if type(item) is tuple else repr(item) if type(item) is float else "9" * 2 * _MAX_NUMBER
            values += _read_words([words], name, index)
        elif item is None:
            raise NotAttemptedError(MISSING, f"{name}[{index}] is missing.")
        else:
            raise NotAttemptedError(MIXED, f"{name}[{index}] is {shown(item)}, neither a number nor a text.")
    return values


def _read_words(words: Iterable[str], name: str, first: int = 0) -> list[_Number | str]:
    values: list[_Number | str] = []
    for index, word in enumerate(words, start=first):
        number = read_number(word.strip())
        if number is None:
            raise _not_a_number(word.strip(), f"{name}[{index}]", is_quoted=False)
        values.append(number)
    return values


def _column_cells(text: str, name: str, column: str) -> Iterator[str]:
    try:
        rows = list(csv.reader(StringIO(text.removeprefix("\ufeff").strip("\r\n"), newline=""), strict=True))
    except csv.Error as error:
        raise NotAttemptedError(UNREADABLE, f"{name} is not CSV: {error}.") from error
    header = [each.strip() for each in rows[0]] if rows else []
    if header.count(column.strip()) != 1:
        found = "is there twice" if column.strip() in header else "is not in its header"
        raise NotAttemptedError(COLUMN, f"The column {shown(column)} of {name} {found}.", nearest(column, header))
    at = header.index(column.strip())
    for number, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            sentence = f"Row {number} of {name} has {len(row)} cells, its header {len(header)}."
            raise NotAttemptedError("engine.data_ragged", sentence)
        if not row[at].strip():
            raise NotAttemptedError(MISSING, f"Row {number} of {name} has nothing in the column {shown(column)}.")
        yield row[at].strip()


def _read_cells(cells: Iterable[str]) -> list[_Number | str]:
    return [each if (number := read_number(each)) is None else number for each in cells]


def _dataset(values: list[_Number | str], name: str, column: str | None) -> Dataset:
    texts = tuple(each for each in values if type(each) is str)
    if texts and len(texts) < len(values):
        index = next(index for index, each in enumerate(values) if type(each) is str)
        place = f"{name}[{index}]" if column is None else f"row {index + 2} of the column {shown(column)}"
        raise _not_a_number(str(values[index]), place, is_quoted=True)
    numbers = [read_number(each) for each in texts] if texts else values
    if None in numbers:
        return Dataset((), 0, texts)
    pairs: list[_Number] = numbers  # type: ignore[assignment]  # no text and no None is left
    places = max(0, *(each for _, each in pairs))
    longest = max(abs(digits).bit_length() * 0.302 + places - each for digits, each in pairs)
    if longest * len(pairs) > MAX_DIGITS_IN_ALL:
        raise BudgetError("engine.out_of_budget", f"{name} has too many digits to compute with.")
    raised = {each: 10 ** (places - each) for each in {each for _, each in pairs}}
    return Dataset(tuple(digits * raised[each] for digits, each in pairs), places, texts)


def _not_a_number(word: str, place: str, *, is_quoted: bool) -> NotAttemptedError:
    folded = word.lower().lstrip("+-")
    if folded in _NON_FINITE:
        return NotAttemptedError(NON_FINITE, f"{place} is {shown(word)}, which is not a finite number.")
    if word.lower() in _NOT_THERE:
        return NotAttemptedError(MISSING, f"{place} is missing: {shown(word)} stands there.")
    if _LEADING_ZERO.fullmatch(word) or re.fullmatch(r"[+-]?[0-9]+(?:,[0-9]+)+", word):
        sentence = f"{place} is {shown(word)}, which can be read in more than one way."
        return NotAttemptedError(AMBIGUOUS, sentence, "Write numbers without grouping commas and leading zeros.")
    if is_quoted or folded in {"true", "false"}:
        return NotAttemptedError(MIXED, f"{place} is {shown(word)}, but other values are numbers.")
    hint = 'Write numbers such as -1.5, or texts as a JSON list: ["a", "b"].'
    return NotAttemptedError(UNREADABLE, f"{place} is {shown(word)}, which is not a number.", hint)
