"""Cuts a text into words with offsets, and says by which keys a word is met again in another text.

A key is a stem, a number, or what a word shares with words that are meant alike. Refuses to be a grammar: a word is a
name where it is written as one, and nothing here knows what a verb is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache
from typing import Final

from probatum.judge.facts.lexicon import (
    ALIKE,
    FUNCTION,
    IRREGULAR,
    KINDS_OF,
    LANDS,
    LIGHT,
    NUMBERS,
    OPPOSITES,
    ORDINALS,
    SCALES,
    SUFFIXES,
)

Keys = tuple[tuple[str, float], ...]

LETTERS: Final = 60
"""Of a longer word only the beginning is compared."""
NAME: Final = 1.3
NUMBER: Final = 1.5
_IN: Final = "\u00ad\u0300-\u036f\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff"
_WORD: Final = re.compile(
    r"(?:[A-Z]\.){2,8}|(?<![\w.])\.[0-9]++|[0-9]++(?:,[0-9]{3})*+(?:\.[0-9]++)?+"
    rf"|[^\W\d_](?:[^\W\d_]|[{_IN}])*+(?:['’][^\W\d_](?:[^\W\d_]|[{_IN}])*+)*+|[^\W_]"
)
_ALIKENESS: Final = 0.87
"""How well a word meets one that is meant alike is this squared."""
_DIGITS: Final = re.compile(r"(?=.)[0-9]{0,40}(?:\.[0-9]{1,20})?")
_UNSEEN: Final = re.compile(f"[{_IN}]")
_YEAR: Final = re.compile("[12][0-9]{3}")
_HEDGE: Final = re.compile(
    r"(?:about|around|nearly|almost|approximately|roughly|some|over|than|~|circa)\s*[£$€]?$", re.IGNORECASE
)
_SHORT: Final = re.compile("(?:n't|'(?:ve|re|ll|d|m|s))$")
_MONTHS: Final = "|".join(f"{month[:3]}[a-z]*" for month in KINDS_OF[0])
_MONTH_BEFORE: Final = re.compile(rf"\b(?:{_MONTHS})\.? $", re.IGNORECASE)
_MONTH_AFTER: Final = re.compile(rf"(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})\b", re.IGNORECASE)
_EXACT: Final = Context(prec=100)
_HUGE: Final = Decimal(10) ** 40


@dataclass(frozen=True, slots=True)
class Word:
    """One word: where it stands, its stem, what it weighs, and its keys, each with its worth.

    ``keys`` are those under which it is found, ``asks`` those by which it looks for others: a year is found by its
    decade, and another year of this decade is not.
    """

    text: str
    start: int
    end: int
    stem: str
    weight: float
    keys: Keys
    asks: Keys
    is_name: bool = False
    number: Decimal | None = None
    sort: str = ""
    """Of a number: year, decade, day, ordinal or count."""
    is_loose: bool = False
    """Whether a number is said to be near, or is written rounded."""


@lru_cache(maxsize=50_000)
def folded(text: str) -> str:
    """Return a word without case, accents and characters that are not seen."""
    plain = unicodedata.normalize("NFKD", text[:LETTERS]).casefold()
    return _UNSEEN.sub("", plain).replace("’", "'") or text[:1]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return what the forms of a folded English word have in common."""
    word = word.removesuffix("'s")
    if word in FUNCTION:
        return word
    if len(word) < 4 or word in IRREGULAR:
        return _bare(IRREGULAR.get(word, word))
    if word[-1] == "s" and word[-2] not in "sui":
        word = word[:-3] + "y" if word.endswith("ies") else word[:-1]
    return _bare(IRREGULAR.get(word, word))


def _bare(word: str) -> str:
    for _ in range(2):
        for ending, instead in SUFFIXES:
            kept = word[: -len(ending)]
            if word.endswith(ending) and len(kept) >= 3 and not set("aeiouy").isdisjoint(kept):
                word = kept + instead
                break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiousl":
        word = word[:-1]
    if len(word) > 3 and word[-1] in "ey":
        word = word[:-1] + ("i" if word[-1] == "y" else "")
    return word


def _singular(word: str) -> str:
    word = word.removesuffix("'s")
    return word[:-1] if len(word) > 3 and word[-1] == "s" and word[-2] not in "sui" else word


def _numbered(groups: Sequence[Sequence[str]], form: Callable[[str], str]) -> dict[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(groups):
        for word in group:
            found[form(word)] = (*found.get(form(word), ()), number)
    return found


_ALIKE: Final = _numbered(ALIKE, stem)
_KINDS: Final = _numbered(KINDS_OF, _singular)
_OPPOSED: Final = frozenset(frozenset(map(stem, pair)) for pair in OPPOSITES)
_LIGHT: Final = frozenset(map(stem, LIGHT))
_NEGATIVE: Final = {"un": 3, "non": 3, "in": 6}
"""Beginnings that negate, and how long what follows must be: to inform is not the opposite of a form."""


def opposed(one: str, other: str) -> bool:
    """Tell whether two stems say the opposite of each other."""
    if len(one) < len(other):
        one, other = other, one
    least = _NEGATIVE.get(one[: -len(other)], 0) if one.endswith(other) else 0
    return frozenset((one, other)) in _OPPOSED or 0 < least <= len(other)


def are_of_a_kind(one: str, other: str) -> bool:
    """Tell whether two words are members of a kind of which one excludes the others."""
    one, other = _singular(folded(one)), _singular(folded(other))
    return one != other and not set(_KINDS.get(one, ())).isdisjoint(_KINDS.get(other, ()))


def land_of(word: str) -> frozenset[int]:
    """Return whether a word ends the name of a continent, a country or a state, each as a number."""
    return LANDS.intersection(_KINDS.get(_singular(folded(word)), ()))


def rounds_to(one: Word, other: Word) -> bool:
    """Tell whether one number can stand for the other, since the one is rounded."""
    if one.number is None or other.number is None or not one.is_loose or one.sort != other.sort:
        return False
    digit = Decimal((0, (1,), int(one.number.as_tuple().exponent)))
    return abs(other.number) < _HUGE and other.number.quantize(digit, ROUND_HALF_UP, _EXACT) == one.number


def words_of(text: str, names: Collection[str] = ()) -> tuple[Word, ...]:
    """Return the words of a text in order.

    ``names`` are stems that are names elsewhere: at the beginning of a sentence every word is written large.
    """
    matches = list(_WORD.finditer(text))
    lowers = [folded(match.group()) for match in matches]
    found: list[Word] = []
    place = 0
    while place < len(matches):
        number, used = _number_at(matches, lowers, place)
        if number is not None:
            found.append(_number(text, matches[place].start(), matches[place + used - 1].end(), number, lowers[place]))
        else:
            is_large = place + 1 < len(matches) and matches[place + 1].group()[0].isupper()
            found.append(_word(text, matches[place], lowers[place], names, is_large))
        place += used
    return _with_initials(found)


def _word(text: str, match: re.Match[str], lower: str, names: Collection[str], is_large: bool) -> Word:
    said, start = match.group(), match.start()
    is_capital, is_short = said[0].isupper(), said.isupper() and len(said) > 1
    before = text[max(0, start - 3) : start].rstrip(" \"'“‘(`")
    begins = not before or before[-1] in ".!?:\n;"
    if _SHORT.sub("", lower) in FUNCTION and not (is_short or (lower == "may" and is_capital and not begins)):
        keys: Keys = ((f"={lower}", 1.0),)
        return Word(said, start, match.end(), lower, 0.0, keys, keys)
    base = lower.replace(".", "") if is_short else stem(lower)
    is_name = is_capital and (not begins or is_short or is_large or base in names)
    many = [(f"={base}", 1.0), *((f"~{number}", _ALIKENESS) for number in _ALIKE.get(base, ()))]
    if is_capital and base.endswith("i"):
        many.append((f"={base[:-1]}", 0.9))
    if len(base) >= 5:
        many.append((f"^{base[:5]}", 0.3 if is_name else 0.6))
    is_age = lower == "old" and text[max(0, start - 5) : start - 1].endswith(("year", "ears"))
    weight = NAME if is_name else 0.0 if is_age else 0.5 if base in _LIGHT else 1.0
    keys = tuple(many)
    return Word(said, start, match.end(), base, weight, keys, keys, is_name)


def _number(text: str, start: int, end: int, value: Decimal, first: str) -> Word:
    said, after = text[start:end], folded(text[end : end + 3]).lstrip("'")
    own = (f"#{value}", 1.0)
    keys, asks, sort = [own], [own], "count"
    if _YEAR.fullmatch(said) and after[:1] == "s" and said[-1] == "0":
        sort, keys = "decade", [(f"decade {said[:3]}", 1.0)]
        asks = [*keys, (f"in decade {said[:3]}", 0.9)]
        if said[-2:] == "00":
            asks.append((f"in century {int(said) // 100 + 1}", 0.9))
    elif _YEAR.fullmatch(said):
        century = (int(said) + 99) // 100
        sort, keys = "year", [own, (f"in decade {said[:3]}", 1.0), (f"in century {century}", 1.0)]
        asks = [own, (f"decade {said[:3]}", 0.9), (f"century {century}", 0.9)]
    elif value < 32 and (_MONTH_BEFORE.search(text, max(0, start - 12), start) or _MONTH_AFTER.match(text, end)):
        sort = "day"
    elif after[:2] in {"st", "nd", "rd", "th"} or first in ORDINALS:
        sort, keys, asks = "ordinal", [own, (f"century {value}", 1.0)], [own, (f"in century {value}", 0.9)]
    is_loose = not said.replace(",", "").isdigit() or _HEDGE.search(text, max(0, start - 16), start) is not None
    weight = 0.4 if first in {"one", "first"} else NUMBER
    return Word(said, start, end, first, weight, tuple(keys), tuple(asks), number=value, sort=sort, is_loose=is_loose)


def _number_at(matches: Sequence[re.Match[str]], lowers: Sequence[str], place: int) -> tuple[Decimal | None, int]:
    """Return the number that begins at a word, and of how many words it is made."""
    lower, used = lowers[place], 1
    digits = lower.replace(",", "")
    if _DIGITS.fullmatch(digits):
        value = Decimal(digits)
    elif lower in NUMBERS:
        value = Decimal(NUMBERS[lower])
        ones = NUMBERS.get(lowers[place + 1], 10) if place + 1 < len(lowers) else 10
        if value >= 20 and ones < 10:
            value, used = value + ones, 2
    elif lower in ORDINALS:
        return Decimal(ORDINALS[lower]), 1
    else:
        return None, 1
    while used < 4 and place + used < len(lowers) and lowers[place + used] in SCALES:
        if matches[place + used].start() - matches[place + used - 1].end() > 1:
            break
        value, used = value.scaleb(SCALES[lowers[place + used]]), used + 1
    return value.normalize(_EXACT), used


def _with_initials(words: list[Word]) -> tuple[Word, ...]:
    """Return the words with the initials of each run of names as one more key of its words."""
    for start, end in runs(words):
        if end - start >= 2:
            # United States Armed Forces is met by USAF and by US.
            shorts = {"".join(word.text[0] for word in words[start:stop]).casefold() for stop in (start + 2, end)}
            initials = tuple((f"={short}", 0.85) for short in sorted(shorts))
            initials += tuple(
                (f"~{number}", _ALIKENESS) for short in sorted(shorts) for number in _ALIKE.get(short, ())
            )
            for index in range(start, end):
                word = words[index]
                words[index] = replace(word, keys=word.keys + initials, asks=word.asks + initials)
    return tuple(words)


def runs(words: Sequence[Word], *, capitals: bool = False) -> Iterator[tuple[int, int]]:
    """Yield where names begin and end; the words of one name stand next to each other.

    With ``capitals`` every word that is written large is a name, the first one of a sentence too.
    """
    is_name = [word.is_name or (capitals and word.weight > 0 and word.text[0].isupper()) for word in words]
    start = 0
    while start < len(words):
        end = start
        while end < len(words) and is_name[end] and (end == start or words[end].start - words[end - 1].end <= 2):
            end += 1
        if end > start:
            yield start, end
        start = max(end, start + 1)
