"""The texts of an output, one for each string or number in it, and text as it is compared.

Compared text has no invisible signs, digits of every script as 0 to 9, and wide letters as plain ones; each character
knows where it stood. Refuses nothing: what cannot be folded stays as it is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from probatum.core.outside import is_seen
from probatum.readers.vocabulary import words_of

MOST_DEPTH: Final = 200
"""Levels of an output that are read; what is deeper is reported as left out."""
WORD: Final = re.compile(r"[^\W_]++(?:['’][^\W_]++)*+")
_PARTS: Final = re.compile(r"[^\W\d_a-z]++(?![a-z])|[^\W\d_]?[^\W\d_A-Z]++|[0-9]++")
_ALIKE: Final = str.maketrans(
    {**dict.fromkeys("“”„«»", '"'), **dict.fromkeys("‘’", "'"), **dict.fromkeys("‐‑–—−", "-")}
)
_FORMS: Final = ("<wide>", "<narrow>", "<font>")
_ENDINGS: Final = re.compile(r"(?:['’]s|ies|ing|ed|er|ers|es|s|e|y)$")
_DENYING: Final = words_of("not no nor without before after over under on off")
STOP_WORDS: Final = words_of(
    """
    a an the this that these those it its he his him she her they their them we our us you your i my me who whom
    whose which what and or but nor so if then than as at by for from in into of off on onto out over to up with
    within without about above after again against all also any are be because been before being below between both
    can could did do does doing during each few had has have having here how is just may might more most no not now
    only other own same should some such there through too under until very was were when where while why will would
    prior according
    """
)


@dataclass(frozen=True, slots=True)
class FoldedText:
    """Text as it is compared; ``places`` tells for each character where it stood, empty where nothing moved."""

    text: str
    places: tuple[int, ...] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return a span in the text as it was written."""
        if not self.places or start >= end:
            return start, end
        return self.places[start], self.places[end - 1] + 1


@dataclass(frozen=True, slots=True)
class OutputText:
    """One text of an output: its path, the keys that lead to it, and whether it is a string."""

    place: str
    steps: tuple[str | int, ...]
    folded: FoldedText
    is_string: bool = True
    value: object = None

    @property
    def key(self) -> str:
        """The last key on the way to it."""
        return next((step for step in reversed(self.steps) if isinstance(step, str)), "")

    @property
    def location(self) -> str:
        """Where it stands as an issue names it: a value by its key under what holds it."""
        if self.is_keyed_value and len(self.steps) > 1 and isinstance(self.steps[-1], str):
            return f"{path_of(self.steps[:-1])}:{self.steps[-1]}"
        return self.place or "root"

    @property
    def is_keyed_value(self) -> bool:
        """Whether its key is what it is about: a number, or a few words."""
        text = self.folded.text.rstrip()
        is_short = len(text) < 120 and len(text.split()) < 9 and not text.endswith((".", "!", "?"))
        return bool(self.key) and (not self.is_string or is_short)


Steps = tuple[str | int, ...]


def texts_of(output: object) -> tuple[list[OutputText], tuple[Steps, ...], bool]:
    """Return the texts of an output, where a list of it is empty, and whether nothing was too deep to be read."""
    found, empty, is_whole = list[OutputText](), list[Steps](), True
    waiting: list[tuple[tuple[str | int, ...], object]] = [((), output)]
    while waiting:
        steps, value = waiting.pop()
        if isinstance(value, dict | list):
            if value == []:
                empty.append(steps)
            members = value.items() if isinstance(value, dict) else enumerate(value)
            if len(steps) >= MOST_DEPTH:
                is_whole = is_whole and not value
                continue
            waiting.extend(reversed([((*steps, step), member) for step, member in members]))
        elif isinstance(value, str):
            found.append(OutputText(path_of(steps), steps, fold(value), value=value))
        elif value is not None:
            told = json.dumps(value)
            found.append(OutputText(path_of(steps), steps, FoldedText(told), is_string=False, value=value))
    return found, tuple(empty), is_whole


def path_of(steps: tuple[str | int, ...]) -> str:
    """Return a path such as ``summary.items[2].text``."""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).removeprefix(".")


def fold(text: str) -> FoldedText:
    """Return a text as it is compared."""
    if text.isascii():
        return FoldedText(text)
    table = {sign: _folded(sign) for sign in set(text)}
    changed = {ord(sign): new for sign, new in table.items() if new != sign}
    if all(len(new) == 1 for new in changed.values()):
        return FoldedText(text.translate(changed))
    kept = tuple(place for place, sign in enumerate(text) for _ in table[sign])
    return FoldedText(text.translate(changed), kept)


def _folded(sign: str) -> str:
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    if unicodedata.category(sign) == "Zs":
        return " "
    if unicodedata.decomposition(sign).startswith(_FORMS):
        return unicodedata.normalize("NFKC", sign)
    # Surrogates, controls and marks of direction say nothing; a line break does.
    return sign if sign in "\n\t\r" or is_seen(sign) else ""


def words_in(text: str) -> Iterator[str]:
    """Yield the words of a text as they are compared."""
    for match in WORD.finditer(text):
        yield normal_word(match[0])


@lru_cache(maxsize=1 << 16)
def normal_word(word: str) -> str:
    """Return a word without case, and composed."""
    folded = word.casefold().replace("’", "'")
    return folded if folded.isascii() else unicodedata.normalize("NFKC", folded)


@lru_cache(maxsize=1 << 16)
def stem(word: str) -> str:
    """Return what a word shares with its other forms: discovery, discovered and discoverer are one."""
    found = normal_word(word)
    return found if len(found) < 4 or found[0].isdigit() else (_ENDINGS.sub("", found) or found)[:6]


def stems_in(text: str) -> list[str]:
    """Return the stems of the words of a text that mean something, in order."""
    return [stem(word) for word in words_in(text) if word not in STOP_WORDS]


def words_of_key(key: str) -> tuple[str, ...]:
    """Return the words that a key such as ``cvss_score`` or ``maxValue`` is made of."""
    return tuple(map(normal_word, _PARTS.findall(key) if key.isascii() else WORD.findall(key.replace("_", " "))))


def stems_of_key(key: str) -> tuple[str, ...]:
    """Return the stems of the words of a key that mean something; there the small words that deny do."""
    return tuple(stem(part) for part in words_of_key(key) if part not in STOP_WORDS or part in _DENYING)


def exactly(text: str) -> str:
    """Return a text with one form of quotation marks, dashes and white space, and with its case but for the first."""
    line = " ".join(text.translate(_ALIKE).split()).rstrip(".!;,")
    return line if line[1:2].isupper() else line[:1].casefold() + line[1:]


def plain(text: str) -> str:
    """Return a text without case, and with one form of quotation marks, dashes and white space."""
    return exactly(text).casefold()
