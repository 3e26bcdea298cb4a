"""An entry in a JSON file that somebody else keeps, written into its text and taken out again: every other byte stays.

The entry goes first into its object or list, in the file's own indentation. Objects and lists that are missing are made
and taken out with it: their layout tells them from those that were there. Comments and trailing commas can be read as
blanks. Refuses, as `EditError`: text that is not JSON, a value of another type on the way, an edit that could not be
taken back exactly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, cast

from probatum.app.text_edits import EditError, line_end_of
from probatum.core.json_text import JsonTextError, read_json
from probatum.core.limits import ExtentError

Keys = tuple[str | int, ...]
"""From the whole document to an entry: names in objects; a number at the end is the place in a list."""

# A string or a comment without an end is matched as far as the text goes, so that time grows with the text alone.
_COMMENT: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|//[^\r\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)
_BLANKS: Final = " \t\r\n"
_INDENT: Final = "  "
# What stands between the parts of a value in one line. In lines is the first layout, which has none of them.
_IN_LINES: Final = None
_SPACED, _DENSE, _WIDE = (", ", ": "), (",", ":"), (",", " : ")
_Layout = tuple[str, str] | None
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonPlace:
    """Where a member of an object or an item of a list is written, and where its value begins."""

    key: str | int
    start: int
    value: int
    end: int


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """A value, the keys that lead to it, and what else a file of its own has."""

    keys: Keys
    value: object
    beside: tuple[tuple[str, object], ...] = ()

    def below(self, depth: int) -> object:
        """Return the value inside of the objects and lists that lead to it from this depth on."""
        value = self.value
        for key in reversed(self.keys[depth:]):
            value = {key: value} if isinstance(key, str) else [value]
        return value

    @property
    def new_file(self) -> str:
        """The text of a file of its own."""
        inner = self.below(1)
        return _laid_out({**dict(self.beside), str(self.keys[0]): inner}, _IN_LINES, _INDENT) + "\n"


class JsonText:
    """A JSON file as it is written, whose root is an object."""

    def __init__(self, text: str, *, comments: bool) -> None:
        blank = " " + text[1:] if text.startswith("\ufeff") else text
        if comments:
            blank = _TRAILING_COMMA.sub(lambda each: " " if each[0] == "," else each[0], _COMMENT.sub(_blanked, blank))
        try:
            value = read_json(blank)
        except (JsonTextError, ExtentError) as error:
            raise EditError(f"it is not valid JSON: {error}") from None
        if not isinstance(value, dict):
            raise EditError("it holds no JSON object")
        self.value: dict[str, object] = value
        self._text, self._blank, self._comments = text, blank, comments
        start = _skip(blank, 0)
        self._root = JsonPlace("", start, start, len(blank))

    def beside(self, keys: Keys) -> dict[str, object] | list[object]:
        """Return the object or list that an entry belongs into, an empty one where there is none."""
        value: object = self.value
        for key, inner in pairwise(keys):
            value = value.get(key, {} if isinstance(inner, str) else []) if isinstance(value, dict) else None
            if not isinstance(value, dict if isinstance(inner, str) else list):
                raise EditError(f"its {key!r} is not {'an object' if isinstance(inner, str) else 'a list'}")
        return cast("dict[str, object] | list[object]", value)

    def with_entry(self, entry: JsonEntry) -> str:
        """Return the text with an entry that it lacks, in the first layout from which it can be taken out exactly."""
        for layout in (_IN_LINES, _SPACED, _DENSE, _WIDE):
            changed = self._inserted(entry, layout)
            if changed and JsonText(changed, comments=self._comments).without_entry(entry) == self._text:
                return changed
        raise EditError("the entry could not be taken out again exactly")

    def without_entry(self, entry: JsonEntry) -> str | None:
        """Return the text before the entry was added; None where a file of its own was made for it."""
        if _flat(self._text) == _flat(entry.new_file):
            return None
        parent = self._root
        for at, key in enumerate(entry.keys, 1):
            own = (each for each in self._parts(parent) if self._is(each, key, entry.value))
            if (place := next(own, None)) is None:
                break
            # Containers that were there, however empty, never get the layout of those that are made at their depth.
            made_so = (_IN_LINES, _DENSE) if self._has_lines(parent) else (_SPACED if at == 1 else _WIDE,)
            made = [_flat(_laid_out(entry.below(at), layout, _INDENT)) for layout in made_so]
            if at == len(entry.keys) or _flat(self._text[place.value : place.end]) in made:
                return self._cut(place)
            parent = place
        return self._text

    def _is(self, place: JsonPlace, key: str | int, value: object) -> bool:
        if isinstance(key, str):
            return place.key == key
        return bool(_DECODER.raw_decode(self._blank, place.value)[0] == value)

    def _inserted(self, entry: JsonEntry, layout: _Layout) -> str:
        parent, depth = self._root, 0
        while depth < len(entry.keys) - 1:
            place = next((each for each in self._parts(parent) if each.key == entry.keys[depth]), None)
            if place is None:
                break
            parent, depth = place, depth + 1
        first, gap, indent, end = next(self._parts(parent), None), "", "", line_end_of(self._text)
        if self._has_lines(parent):
            indent = self._indent_at(first.start) if first else self._indent_at(parent.value) + self._unit()
            gap = end + indent
        elif layout is _IN_LINES:
            return ""
        key = entry.keys[depth]
        name = json.dumps(key, ensure_ascii=False) + ": " if isinstance(key, str) else ""
        written = _laid_out(entry.below(depth + 1), layout, self._unit()).replace("\n", end + indent)
        behind = parent.value + 1
        return f"{self._text[:behind]}{gap}{name}{written}{',' if first else ''}{self._text[behind:]}"

    def _cut(self, place: JsonPlace) -> str:
        start, after = len(self._text[: place.start].rstrip(_BLANKS)), _skip(self._blank, place.end)
        if self._blank[after] == ",":
            return self._text[:start] + self._text[place.end : after] + self._text[after + 1 :]
        return self._text[:start].removesuffix(",") + self._text[place.end :]

    def _parts(self, parent: JsonPlace) -> Iterator[JsonPlace]:
        blank, number = self._blank, 0
        at = _skip(blank, parent.value + 1)
        while blank[at] not in "}]":
            key: str | int = number
            start = at
            if blank[parent.value] == "{":
                key, at = _DECODER.raw_decode(blank, at)
                at = _skip(blank, _skip(blank, at) + 1)
            end = _DECODER.raw_decode(blank, at)[1]
            yield JsonPlace(key, start, at, end)
            number, at = number + 1, _skip(blank, end)
            at = _skip(blank, at + 1) if blank[at] == "," else at

    def _has_lines(self, place: JsonPlace) -> bool:
        return "\n" in self._blank[place.value : place.end].rstrip()

    def _indent_at(self, at: int) -> str:
        line = self._text[self._text.rfind("\n", 0, at) + 1 : at]
        return line[: _skip(line, 0, " \t")]

    def _unit(self) -> str:
        first = next(self._parts(self._root), None)
        return (self._indent_at(first.start) if first else "") or _INDENT


def _laid_out(value: object, layout: _Layout, indent: str) -> str:
    return json.dumps(value, indent=None if layout else indent, separators=layout, ensure_ascii=False)


def _flat(text: str) -> list[str]:
    """Return the lines of a text without their indentation."""
    return [line.strip() for line in text.strip().split("\n")]


def _blanked(found: re.Match[str]) -> str:
    is_comment = found[0].startswith("//") or (found[0][:2] == "/*" and found[0][2:].endswith("*/"))
    return re.sub(r"[^\r\n]", " ", found[0]) if is_comment else found[0]


def _skip(text: str, at: int, blanks: str = _BLANKS) -> int:
    while text[at : at + 1] and text[at] in blanks:
        at += 1
    return at
