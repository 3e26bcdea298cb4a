"""An entry in a JSON file that somebody else keeps, written into its text and taken out again: every other byte stays.

The entry goes first into its object or list, in the file's own indentation; objects and lists that are missing are
made. With the entry go those around it that are then empty: also one that stood there empty before. Comments and
trailing commas can be read as blanks. Refuses, as `EditError`: text that is not JSON, a value of another type on the
way, an edit that could not be taken back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from probatum.app.text_edits import EditError, line_end_of
from probatum.core.json_text import JsonTextError, read_json
from probatum.core.limits import ExtentError

# A string or a comment without an end is matched as far as the text goes, so that time grows with the text alone.
_COMMENT: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|//[^\r\n]*|/\*.*?(?:\*/|\Z)', re.DOTALL)
_TRAILING_COMMA: Final = re.compile(r'"(?:[^"\\]|\\.)*+"?|,(?=\s*+[}\]])', re.DOTALL)
_INDENTED: Final = re.compile(r"\n([ \t]+)[^\s]")
_BLANKS: Final = " \t\r\n"
_INDENT: Final = "  "
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class JsonEntry:
    """A value, the keys that lead to it, and what else a file of its own has."""

    keys: tuple[str, ...]
    value: object
    is_item: bool = False
    """Whether it stands in a list; the last key is then words that tell it from other items."""
    also: tuple[tuple[str, object], ...] = ()

    def below(self, depth: int) -> object:
        """Return the value in the objects, and the list, that lead to it from this depth on."""
        value: object = [self.value] if self.is_item else {self.keys[-1]: self.value}
        for key in reversed(self.keys[depth:-1]):
            value = {key: value}
        return value

    @property
    def new_file(self) -> str:
        """The text of a file of its own."""
        return json.dumps({**dict(self.also), self.keys[0]: self.below(1)}, indent=_INDENT, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class _JsonPart:
    """Where a member of an object or an item of a list is written, and where its value begins."""

    key: str
    start: int
    value: int
    end: int


class JsonText:
    """A JSON file as it is written, whose root is an object."""

    def __init__(self, text: str, *, comments: bool) -> None:
        self._text, self._reads_comments = text, comments
        self._commas = self._blank = " " + text[1:] if text.startswith("\ufeff") else text
        if comments:
            self._commas = _COMMENT.sub(_blanked, self._blank)
            self._blank = _TRAILING_COMMA.sub(_blanked, self._commas)
        try:
            value = read_json(self._blank)
        except (JsonTextError, ExtentError) as error:
            raise EditError(f"it is not valid JSON: {error}") from None
        if not isinstance(value, dict):
            raise EditError("it holds no JSON object")
        self.value: dict[str, object] = value
        start = _skip(self._blank, 0)
        self._root = _JsonPart("", start, start, len(self._blank.rstrip(_BLANKS)))

    def found(self, entry: JsonEntry) -> object:
        """Return the value that stands in the place of an entry; None where there is none."""
        way = self._way(entry)
        return _DECODER.raw_decode(self._blank, way[-1].value)[0] if len(way) > len(entry.keys) else None

    def with_entry(self, entry: JsonEntry) -> str:
        """Return the text with an entry that it lacks."""
        way = self._way(entry)
        parent, comma = way[-1], "," if any(self._parts(way[-1])) else ""
        is_empty, has_lines = self._holds_only(parent, None), "\n" in self._blank[parent.value : parent.end]
        indent = None
        if has_lines or (is_empty and "\n" in self._blank.strip()):
            indent = found[1] if (found := _INDENTED.search(self._blank)) else _INDENT
        # What stands between the brackets of the parent, of which an empty one may lack the last line break.
        added = json.dumps(entry.below(len(way) - 1), indent=indent, ensure_ascii=False)[1:-1]
        added = added if is_empty and not has_lines else added.rstrip()
        line = self._text[self._text.rfind("\n", 0, parent.value) + 1 : parent.value]
        added = added.replace("\n", line_end_of(self._text) + line[: len(line) - len(line.lstrip(" \t"))])
        changed = self._text[: parent.value + 1] + added + comma + self._text[parent.value + 1 :]
        if JsonText(changed, comments=self._reads_comments).without_entry(entry) != self.without_entry(entry):
            raise EditError("the entry could not be taken out again exactly")
        return changed

    def without_entry(self, entry: JsonEntry) -> str:
        """Return the text without an entry, and without what on the way to it is then empty."""
        way = self._way(entry)
        gone = way.pop() if len(way) > len(entry.keys) else None
        while len(way) > 1 and self._holds_only(way[-1], gone):
            gone = way.pop()
        if gone is None:
            return self._text
        before, comma = self._text[: gone.start].rstrip(_BLANKS), _skip(self._commas, gone.end)
        if self._commas[len(before) - 1] in _BLANKS:
            # A comment, which may end with its line.
            before = self._text[: gone.start]
        # The comma behind it goes, else the one before it; what is between stays, such as a comment.
        if self._commas[comma] == ",":
            return before + self._text[gone.end : comma] + self._text[comma + 1 :]
        return before.removesuffix(",") + self._text[gone.end :]

    def _way(self, entry: JsonEntry) -> list[_JsonPart]:
        """Return the root and what is there on the way to an entry, at last itself."""
        way = [self._root]
        for depth, key in enumerate(entry.keys, 1):
            is_item = entry.is_item and depth == len(entry.keys)
            if self._blank[way[-1].value] != ("[" if is_item else "{"):
                raise EditError(f"its {way[-1].key!r} is not {'a list' if is_item else 'an object'}")
            for each in self._parts(way[-1]):
                if key in self._text[each.start : each.end] if is_item else key == each.key:
                    way.append(each)
                    break
            else:
                break
        return way

    def _parts(self, parent: _JsonPart) -> Iterator[_JsonPart]:
        blank, key = self._blank, ""
        at = _skip(blank, parent.value + 1)
        while blank[at] not in "}]":
            start = at
            if blank[parent.value] == "{":
                key, at = _DECODER.raw_decode(blank, at)
                at = _skip(blank, _skip(blank, at) + 1)
            end = _DECODER.raw_decode(blank, at)[1]
            yield _JsonPart(key, start, at, end)
            at = _skip(blank, end)
            at = _skip(blank, at + 1) if blank[at] == "," else at

    def _holds_only(self, outer: _JsonPart, part: _JsonPart | None) -> bool:
        start, end = (part.start, part.end) if part else (outer.end - 1, outer.end - 1)
        return not (self._text[outer.value + 1 : start] + self._text[end : outer.end - 1]).strip(_BLANKS + ",")


def _blanked(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else re.sub(r"[^\r\n]", " ", found[0])


def _skip(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _BLANKS:
        at += 1
    return at
