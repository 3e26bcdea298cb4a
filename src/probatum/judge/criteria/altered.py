"""Outputs like a given one, for trying whether a formal criterion can fail and can hold: data without meaning.

Refuses to alter more places than a few; what a criterion demands of the others is not tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Final

from probatum.core.frozen import thaw

_MOST: Final = 45
_MOST_PLACES: Final = 12
_MOST_CHARACTERS: Final = 100_000
_MOST_EXACT: Final = 10**15
_OTHERS: Final[tuple[object, ...]] = ("", {}, [], None, 0)
_WORD: Final = re.compile(r"[^\W\d]\w*")


def altered(output: object, words: str) -> tuple[object, ...]:
    """Return other outputs, the outermost places first; some have the words, which a criterion may forbid."""
    plain = thaw(output)
    found = (each for each in _altered(plain, words, _MOST_PLACES) if each != plain or type(each) is not type(plain))
    return (*islice(found, _MOST), *_OTHERS)


def _altered(value: object, words: str, places: int) -> Iterator[object]:
    match value:
        case bool():
            yield from (not value, int(value))
        case int() | float():
            yield from (value + 1, -value - 1, value * 1000 + 7, 0)
            if abs(value) < _MOST_EXACT:
                yield from (float(value), value + 1e-9)
        case str():
            yield from _texts(value[:_MOST_CHARACTERS], words)
        case list():
            yield from ([], [*value, *value[-1:]], value[1:], [*value, words], (value or [None])[:places] * 20)
            for at, item in enumerate(value[:places]):
                yield from ([*value[:at], each, *value[at + 1 :]] for each in _altered(item, words, places // 3))
        case dict():
            yield from ({}, value | dict.fromkeys(_WORD.findall(words)))
            for key, item in list(value.items())[:places]:
                yield {name: each for name, each in value.items() if name != key}
                yield from ({**value, key: each} for each in _altered(item, words, places // 3))


def _texts(text: str, words: str) -> Iterator[str]:
    yield from ("", f"{text}\n{words}", f"{text} {text}", text[: len(text) // 2])
    yield from (_WORD.sub("x", text), re.sub(r"\d", lambda digit: str((int(digit[0]) + 1) % 10), text))
    yield from (text.upper(), "\n".join(text.splitlines()[:-1]), f"x {text}", "x " * 2_000)
