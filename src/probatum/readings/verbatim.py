"""Finds words verbatim, up to white space and to how accents are composed, in texts of any length.

Refuses words that begin or end within a word or within a value: "12" is not in "312", in "12,500" or in "12 %". Each
look takes time that is linear in the length of the text.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from probatum.readings.markup import says_something
from probatum.readings.stated import NEAR, StatedValue, values_between

_BLACK: Final = re.compile(r"\S+")
_MOST_CUT: Final = 24
"""Places at which a quote cuts a value before it is given up."""
_STEPS, _STEP, _PASSES = 100_000, 64, 4
"""How often words are looked for that come again and again within longer ones, before they are given up."""
_SHOWN: Final = 3
_AFTER_WORDS: Final = ".,;:!?)]}\u3002\uff0c\u3001 "
_REORDERING: Final = re.compile("[\u202a-\u202e\u2066-\u2069]")
_INVISIBLE: Final = "[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]"
_COMPOSING: Final = (
    "\u0300-\u0345\u0653-\u0655\u093c\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0c56\u0cc2\u0cd5\u0cd6\u0d3e\u0d57"
    "\u0dca\u0dcf\u0ddf\u102e\u1161-\u1175\u11a8-\u11c2\u1b35\u3099\u309a"
)
"""Signs that NFC may join with the one before."""
_DECOMPOSED: Final = re.compile(f".[{_COMPOSING}]{{1,30}}", re.DOTALL)
_AT_DIGIT: Final = re.compile(rf"(?<=\d){_INVISIBLE}|{_INVISIBLE}(?=\d)")


@dataclass(frozen=True, slots=True)
class QuotePlace:
    """Where words are: offsets in the text, and the values that the text states there."""

    start: int
    end: int
    values: tuple[StatedValue, ...] = ()
    cuts: str = ""
    """The value that a quote of these words would cut; empty where it cuts none."""


class SearchedText:
    """A text in which many quotes are looked for; its words are located once.

    ``read`` is the text as its values are read, of the same length: cells of a table may be parted there.
    """

    def __init__(self, text: str, read: str = "") -> None:
        found, self._places = _composed(text)
        words = found.split()
        self.text = text
        self._read = read or text
        self._single = " ".join(words)
        self._starts = array("q", accumulate((len(each) + 1 for each in words[:-1]), initial=0))
        self._origins = array("q", (each.start() for each in _BLACK.finditer(found)))

    def places(self, quote: str, most: int = 1) -> list[QuotePlace]:
        """Return the first places of a quote, so many at most; where each of them cuts a value, the first of these."""
        whole, cut = list[QuotePlace](), list[QuotePlace]()
        for start, end in self._whole_words(" ".join(composed(quote).split())):
            place = QuotePlace(start, end, *values_between(self._read, start, end))
            (cut if place.cuts else whole).append(place)
            if len(whole) == most or len(cut) == _MOST_CUT:
                break
        return whole or cut[:1]

    def says(self, quote: str) -> bool:
        """Tell whether a quote is there, whole values and all."""
        found = self.places(quote)
        return bool(found) and not found[0].cuts

    def departure(self, quote: str) -> str:
        """Return the first word of a quote with which it departs from the text, and the words before it."""
        words = composed(quote).split()
        known, unknown = 0, len(words) - 1
        while known < unknown:
            middle = (known + unknown + 1) // 2
            known, unknown = (middle, unknown) if " ".join(words[:middle]) in self._single else (known, middle - 1)
        return " ".join(words[max(0, known - _SHOWN) : known + 1])

    def around(self, place: QuotePlace) -> tuple[str, str]:
        """Return some words before and after a place."""
        before, after = self.text[max(0, place.start - NEAR) : place.start], self.text[place.end : place.end + NEAR]
        if place.start > NEAR:
            before = before.partition(" ")[2]
        if place.end + NEAR < len(self.text):
            after = after.rpartition(" ")[0]
        return " ".join(before.split()), " ".join(after.split())

    def _whole_words(self, wanted: str) -> Iterator[tuple[int, int]]:
        at = self._single.find(wanted) if wanted else -1
        work = _STEPS * _STEP + _PASSES * len(self._single)
        while at >= 0 and work >= 0:
            end = at + len(wanted)
            if not (_is_within_word(self._single, at) or _is_within_word(self._single, end)):
                yield self._places[self._origin(at)], self._places[self._origin(end - 1) + 1]
            at, before = self._single.find(wanted, at + 1), at
            work -= _STEP + at - before + len(wanted)

    def _origin(self, at: int) -> int:
        index = bisect_right(self._starts, at) - 1
        return self._origins[index] + at - self._starts[index]


def composed(text: str) -> str:
    """Return a text with its accents composed: é is the same as e with an accent, and no letter of another script."""
    return _composed(text)[0]


def _composed(text: str) -> tuple[str, Sequence[int]]:
    """Return a text with its accents composed, and where each of its characters, and its end, are in the text."""
    parts, places, at = list[str](), array("q"), 0
    for each in _DECOMPOSED.finditer(text):
        part = unicodedata.normalize("NFC", each[0])
        if part != each[0]:
            parts += [text[at : each.start()], part]
            places.extend(range(at, each.start()))
            places.extend([each.start()] * len(part))
            at = each.end()
    if not parts:
        return text, range(len(text) + 1)
    places.extend(range(at, len(text) + 1))
    return "".join([*parts, text[at:]]), places


def hides_something(words: str) -> bool:
    """Tell whether a text holds signs that reorder it on a screen, or invisible ones beside a digit."""
    return bool(_REORDERING.search(words) or _AT_DIGIT.search(words))


def uncovered(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of lines that no span covers, trimmed, where they say something."""
    at = 0
    for start, end in (*sorted(spans), (len(text), len(text))):
        for line in re.finditer(r"[^\r\n]+", text[at:start]) if at < start else ():
            words = line[0].strip().lstrip(_AFTER_WORDS)
            if says_something(words):
                begin = at + line.start() + line[0].rindex(words)
                yield begin, begin + len(words)
        at = max(at, end)


def _is_within_word(text: str, at: int) -> bool:
    return 0 < at < len(text) and _continues(text[at - 1]) and _continues(text[at])


def _continues(sign: str) -> bool:
    """True for a sign of a word; wide letters, such as Chinese ones, are words by themselves."""
    if unicodedata.combining(sign):
        return True
    return (sign.isalnum() and (sign.isdigit() or unicodedata.east_asian_width(sign) not in {"W", "F"})) or sign == "_"
