"""The entries of sections: a parameter with its type and description, a result, an exception with its condition.

Collects notes while one document is read. Refuses names that are no parameters, and exceptions that are not written
as types are.
"""

from __future__ import annotations

import re

from probatum.programs.reading.scanning import TextScanner
from probatum.programs.reading.section_parts import (
    BULLET,
    Item,
    Line,
    ParameterNote,
    RaiseNote,
    ReturnNote,
    TextRange,
    trimmed,
)

__all__ = ["EntryReader"]

_NAME = re.compile(r"[*`]{0,4}([^\W\d]\w{0,80})[*`]{0,4}")
_EXCEPTION = re.compile(r"(?::\w{1,12}:)?`{0,2}[~!]?((?:[^\W\d]\w{0,80}\.){0,5}[A-Z]\w{0,80})`{0,2}")
_AFTER_NAME = re.compile(r"[ \t]*(?::(?=\s|$)|--?(?=[ \t])|–|—|$)")
_JOINT = re.compile(r"[ \t]*(?:,|/|\bor\b|\band\b)[ \t]*")
_TYPE = re.compile(r"[A-Za-z_][\w.\[\], |]{0,80}(?=:\s)")
_WORDS_AFTER_EXCEPTION = re.compile(r"[ \t]+(?=(?:if|when|whenever|unless|on|in case|for)\b)", re.IGNORECASE)


class EntryReader:
    """Reads entries of one document into lists, in order of appearance."""

    def __init__(self, text: str, parameters: frozenset[str]) -> None:
        self._text = text
        self._names = parameters
        self._scanner = TextScanner(text)
        self.parameters: list[ParameterNote] = []
        self.returns: list[ReturnNote] = []
        self.raises: list[RaiseNote] = []

    def note_parameter(self, begin: int, head_end: int, end: int, *, typed: bool = False) -> bool:
        """Note ``name (type): description``, ``a, b: description``; with ``typed``, ``name : type`` as in NumPy."""
        text = self._text
        bullet = BULLET.match(self._text, begin, head_end)
        begin = bullet.end() if bullet else begin
        names, at = self._listed_names(begin, head_end)
        if not names:
            return False
        at = self._scanner.skip_spaces(at)
        written: TextRange | None = None
        if at < head_end and text[at] in "([":
            close = self._scanner.bracket_end(at)
            if close < 0 or close > end:
                return False
            written, at = trimmed(self._text, at + 1, close - 1), close
        elif typed and text[at : at + 1] == ":":
            written, at = trimmed(self._text, at + 1, head_end), head_end
        mark = _AFTER_NAME.match(self._text, at, head_end)
        if mark is None:
            return False
        part = trimmed(self._text, mark.end(), end)
        self.parameters.extend(ParameterNote(name, written, part) for name in names)
        return True

    def begins_with_name(self, line: Line) -> bool:
        """True when a line begins with a word, as an entry of a parameter section does."""
        return _NAME.match(self._text, line.begin, line.end) is not None

    def names_at(self, line: Line) -> list[str]:
        """Return the parameters that a line describes, none when it is no entry."""
        bullet = BULLET.match(self._text, line.begin, line.end)
        names, at = self._listed_names(bullet.end() if bullet else line.begin, line.end)
        return names if names and self._text[at : line.end].lstrip().startswith((":", "(", "-", "–", "—")) else []

    def _listed_names(self, at: int, end: int) -> tuple[list[str], int]:
        names: list[str] = []
        while name := _NAME.match(self._text, at, end):
            if name.group(1) not in self._names:
                return [], at
            names.append(name.group(1))
            joint = _JOINT.match(self._text, name.end(), end)
            if joint is None:
                return names, name.end()
            at = joint.end()
        return [], at

    def exceptions(self, at: int, end: int) -> list[str]:
        """Return the exceptions that an entry names, none when it is no entry."""
        return self._listed_exceptions(at, end)[0]

    def _listed_exceptions(self, at: int, end: int) -> tuple[list[str], int]:
        bullet = BULLET.match(self._text, at, end)
        at = bullet.end() if bullet else at
        names: list[str] = []
        while name := _EXCEPTION.match(self._text, at, end):
            names.append(_last_name(name.group(1)))
            joint = _JOINT.match(self._text, name.end(), end)
            if joint is None:
                at = name.end()
                line_end = self._scanner.line_end(at)
                mark = _AFTER_NAME.match(self._text, at, min(end, line_end)) or _WORDS_AFTER_EXCEPTION.match(
                    self._text, at, end
                )
                return (names, mark.end()) if mark is not None else ([], at)
            at = joint.end()
        return [], at

    def note_raise(self, begin: int, end: int) -> bool:
        """Note ``ValueError: if …``, ``ValueError, TypeError: …``; False when no exception begins the entry."""
        names, at = self._listed_exceptions(begin, end)
        part = trimmed(self._text, at, end)
        self.raises.extend(RaiseNote(name, part, trimmed(self._text, begin, end)) for name in names)
        return bool(names)

    def note_result(self, begin: int, end: int, kind: str) -> None:
        """Note ``int: the count`` or a description without a type."""
        written = _TYPE.match(self._text, begin, end)
        kept = None
        if written is not None and len(written.group().split()) <= 3:
            kept, begin = trimmed(self._text, begin, written.end()), written.end() + 1
        part = trimmed(self._text, begin, end)
        if kept is not None or part.begin < part.end:
            self.returns.append(ReturnNote(kept, part, yields=kind == "yields"))

    def note_numpy_result(self, item: Item, kind: str) -> None:
        """Note ``count : int`` with a description below, or a type alone."""
        head = trimmed(self._text, item.head.begin, item.head.end)
        part = trimmed(self._text, item.head.end, item.end)
        if part.begin < part.end:
            self.returns.append(ReturnNote(head, part, yields=kind == "yields"))
        else:
            self.note_result(head.begin, head.end, kind)

    def note_field(self, tag: str, argument: str, argument_at: int, part: TextRange, begin: int) -> None:
        """Note a reST or Epydoc field."""
        words = argument.split()
        if tag.startswith(("return", "yield")):
            self.returns.append(ReturnNote(None, part, yields=tag.startswith("yield")))
        elif tag == "rtype":
            self.returns.append(ReturnNote(part, TextRange(part.end, part.end)))
        elif tag.startswith(("raise", "except", "throw")):
            for name in _EXCEPTION.findall(argument):
                self.raises.append(RaiseNote(_last_name(name), part, TextRange(begin, part.end)))
        elif words and words[-1].strip("*`") in self._names:
            name = words[-1].strip("*`")
            if tag == "type":
                self.parameters.append(ParameterNote(name, part, TextRange(part.end, part.end)))
            else:
                written = trimmed(self._text, argument_at, argument_at + argument.rindex(words[-1]))
                self.parameters.append(ParameterNote(name, written if len(words) > 1 else None, part))


def _last_name(dotted: str) -> str:
    return dotted.rpartition(".")[2]
