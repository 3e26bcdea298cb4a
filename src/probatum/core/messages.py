"""The closed catalogue of sentences that an agent may see, by constraint: each kind brings its own in a file.

A package's sentences are its ``sentences.json``. A sentence may name things of the subject (a function, a parameter, a
key) and count what was done; it never contains a rule, a pattern, a matched text or a hidden check. Named slots take an
identifier path of at most 64 characters, count slots (``{n:count}``) a whole number, and
``{n:count|one thing|# things}`` the form that fits it. Parts in brackets are there with and without: the first of a
constraint goes with the first of its sentence, and so on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

NAME_PATTERN = r"[A-Za-z_][\w.\[\]]{0,63}"
COUNT_PATTERN = r"[0-9]{1,9}"
SENTENCES_FILE = "sentences.json"

_PART = re.compile(r"\[([^\]]*)\]")


@cache
def sentences_of(package: str) -> Mapping[str, str]:
    """Return the sentences that a package brings, by constraint."""
    # Not at the top: it takes longer to import than all of this module.
    from importlib.resources import files

    return dict(_read(files(package)))


@cache
def built_in_sentences() -> Mapping[str, str]:
    """Return the sentences of `core` and of every built-in kind."""
    from importlib.resources import files

    ours = files("probatum")
    folders = (ours / "core", *(ours / "kinds").iterdir())
    return dict(row for folder in folders if (folder / SENTENCES_FILE).is_file() for row in _read(folder))


def _read(folder: Traversable) -> Iterator[tuple[str, str]]:
    rows: dict[str, str] = json.loads((folder / SENTENCES_FILE).read_text(encoding="utf-8"))
    for constraint, sentence in rows.items():
        for chosen in product((False, True), repeat=len(_PART.findall(constraint))):
            yield _with_parts(constraint, chosen), _with_parts(sentence, chosen)


def _with_parts(text: str, chosen: Sequence[bool]) -> str:
    each = iter(chosen)
    return _PART.sub(lambda part: part[1] if next(each) else "", text)


_SLOT = re.compile(r"\{(\w+)(:count)?(?:\|([^|}]*)\|([^|}]*))?\}")


def agent_message(
    constraint_id: str, slots: Mapping[str, str | int], catalogue: Mapping[str, str] | None = None
) -> str:
    """Return the sentence for a constraint with its slots filled: of the catalogue, or of those that a kind brings.

    A name that does not fit its slot (too long, or with characters that could carry text) becomes ``it``.
    Raises ValueError if the constraint is unknown, or a slot is missing or not a whole number where one is due.
    """
    template = (built_in_sentences() if catalogue is None else catalogue).get(constraint_id)
    if template is None:
        raise ValueError(f"constraint {constraint_id!r} is not in the catalogue of agent sentences")

    def fill(match: re.Match[str]) -> str:
        name, is_count, one, several = match.groups()
        value = slots.get(name)
        if is_count:
            if type(value) is not int or not 0 <= value < 10**9:
                raise ValueError(f"slot {name!r} of {constraint_id!r} takes a whole number, got {value!r}")
            form = "#" if one is None else one if value == 1 else several
            return form.replace("#", str(value))
        if type(value) is not str:
            raise ValueError(f"slot {name!r} of {constraint_id!r} takes a name, got {value!r}")
        return value if re.fullmatch(NAME_PATTERN, value, re.ASCII) else "it"

    sentence = _SLOT.sub(fill, template)
    return sentence[0].upper() + sentence[1:] if sentence.startswith("it ") else sentence


@cache
def _sentence_pattern(constraint_id: str) -> re.Pattern[str] | None:
    template = built_in_sentences().get(constraint_id)
    if template is None:
        return None
    # Split by four groups: text, name, ":count" or None, the form of one, the form of several, text, and so on.
    text, *rest = _SLOT.split(template)
    pattern = re.escape(text)
    for is_count, one, several, following in zip(rest[1::5], rest[2::5], rest[3::5], rest[4::5], strict=True):
        filled = _counted(one, several) if is_count else f"(?:It|{NAME_PATTERN})"
        pattern += filled + re.escape(following)
    return re.compile(pattern, re.ASCII)


def _counted(one: str | None, several: str | None) -> str:
    if one is None or several is None:
        return COUNT_PATTERN
    return f"(?:{re.escape(one.replace('#', '1'))}|{COUNT_PATTERN.join(map(re.escape, several.split('#')))})"


def is_catalogued(constraint_id: str, message: str) -> bool:
    """True when ``message`` is the catalogue's sentence for this constraint, with slots that fit."""
    pattern = _sentence_pattern(constraint_id)
    return pattern is not None and pattern.fullmatch(message) is not None


def counted(count: int, one: str, several: str = "") -> str:
    """Return a number with the form of its noun that fits: ``1 check``, ``4 checks``."""
    return f"{count:,} {one if count == 1 else several or f'{one}s'}"


def listed(items: Sequence[str], most: int) -> str:
    """Return the first of some items as a list for a sentence, and how many more there are."""
    return ", ".join(items[:most]) + (f" and {len(items) - most} more" if len(items) > most else "")


def writable(text: str) -> str:
    """Return text that can be written as UTF-8: lone surrogates become escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
