"""The parts of a documentation text: parameters, result, exceptions, and the running text between them.

Sections as Google, NumPy, Sphinx (reST fields), Epydoc and plain headings write them are read in one pass over the
lines, linear in the text. Every part is a range of the document's text, so that `Document.place` shows it exactly.
Refuses to interpret: what a part says is read by others. Sessions (``>>>``) belong to no part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from probatum.programs.reading.documents import Document
from probatum.programs.reading.section_entries import EntryReader
from probatum.programs.reading.section_parts import (
    BULLET,
    Line,
    ParameterNote,
    RaiseNote,
    ReturnNote,
    Sections,
    TextRange,
    items_of,
    lines_of,
    sentence_ranges,
    spoken,
    trimmed,
)

__all__ = [
    "ParameterNote",
    "RaiseNote",
    "ReturnNote",
    "Sections",
    "TextRange",
    "read_sections",
    "sentence_ranges",
    "spoken",
]

_KINDS = {
    **dict.fromkeys(
        ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters"),
        "parameters",
    ),
    **dict.fromkeys(("returns", "return", "return value", "result"), "returns"),
    **dict.fromkeys(("yields", "yield"), "yields"),
    **dict.fromkeys(("raises", "raise", "exceptions", "throws", "except"), "raises"),
    **dict.fromkeys(
        ("constraints", "constraint", "preconditions", "precondition", "requires", "assumptions", "require"), "requires"
    ),
    **dict.fromkeys(("example", "examples", "usage", "see also", "references", "methods"), "other"),
}
_HEADING = re.compile(r"[*#_ ]{0,4}([A-Za-z]{3,14}(?: [A-Za-z]{3,10})?)[*_]{0,2}[ \t]*(:?)[*_]{0,2}[ \t]*")
_UNDERLINE = re.compile(r"[-=~]{3,}[ \t]*")
_FIELD = re.compile(r"[:@](param|parameter|arg|argument|keyword|key|kwarg|type|returns?|rtype|yields?|raises?|except|"
                    r"exception|throws)\b([^:\n]{0,200}):(?=\s|$)")  # fmt: skip
_ANY_FIELD = re.compile(r"[:@][a-z]{2,20}\b[^:\n]{0,200}:(?=\s|$)")
_SESSION = (">>>", "...")
_LONGEST_FLAT_SECTION = 60
"""How many lines a section may have that is not indented below its heading."""


def read_sections(document: Document, parameters: Iterable[str]) -> Sections:
    """Return the parts of a document; ``parameters`` are the names that a parameter section may describe."""
    return _Reader(document.text, frozenset(parameters)).read()


class _Reader:
    """One pass over the lines of one document."""

    def __init__(self, text: str, parameters: frozenset[str]) -> None:
        self._text = text
        self._entry = EntryReader(text, parameters)
        self._lines = lines_of(text)
        self._requires: list[TextRange] = []
        self._running: list[TextRange] = []

    def read(self) -> Sections:
        at = 0
        while at < len(self._lines):
            after = self._field(at)
            after = self._underlined(at) if after < 0 else after
            after = self._headed(at) if after < 0 else after
            at = self._paragraph(at) if after < 0 else after
        entry = self._entry
        return Sections(
            tuple(entry.parameters),
            tuple(entry.returns),
            tuple(entry.raises),
            tuple(self._requires),
            tuple(self._running),
        )

    # Sphinx and Epydoc fields ----------------------------------------------------------------------------------

    def _field(self, at: int) -> int:
        """Read ``:param int n: the count`` and the lines that carry it on; the index after it, or -1."""
        line = self._lines[at]
        field = _FIELD.match(self._text, line.begin, line.end)
        if field is None:
            return -1
        after = at + 1
        while after < len(self._lines) and self._carries_on(self._lines[after], line.indent):
            after += 1
        part = trimmed(self._text, field.end(), self._lines[after - 1].end)
        self._entry.note_field(field.group(1), field.group(2), field.start(2), part, line.begin)
        return after

    def _carries_on(self, line: Line, indent: int) -> bool:
        if line.is_blank or self._text.startswith(_SESSION[0], line.begin):
            return False
        return line.indent > indent or not _ANY_FIELD.match(self._text, line.begin, line.end)

    # Headings --------------------------------------------------------------------------------------------------

    def _underlined(self, at: int) -> int:
        """Read a NumPy section: a heading, its underline, and entries at the heading's indentation."""
        kind = self._underlined_kind(at)
        if kind is None:
            return -1
        after = at + 2
        while after < len(self._lines) and not self._ends_underlined(kind, after, self._lines[at].indent):
            after += 1
        if kind == "running":
            return at + 2
        self._entries(kind, at + 2, after, numpy=True)
        return after

    def _ends_underlined(self, kind: str, at: int, indent: int) -> bool:
        line = self._lines[at]
        if line.is_blank:
            return False
        if line.indent < indent or self._begins_part(at):
            return True
        if not self._lines[at - 1].is_blank or line.indent > indent:
            return False
        if kind == "raises":
            return not self._entry.exceptions(line.begin, line.end)
        return kind == "parameters" and not self._entry.begins_with_name(line)

    def _underlined_kind(self, at: int) -> str | None:
        if at + 1 >= len(self._lines) or self._lines[at].is_blank:
            return None
        line, below = self._lines[at], self._lines[at + 1]
        if below.is_blank or not _UNDERLINE.fullmatch(self._text, below.begin, below.end):
            return None
        title = self._text[line.begin : line.end].strip(" \t:").lower()
        return _KINDS.get(title, "running") if len(title) <= 40 else None

    def _headed(self, at: int) -> int:
        """Read a Google or plain section: ``Args:`` and the indented lines below, or text on the same line."""
        line = self._lines[at]
        heading = _HEADING.match(self._text, line.begin, line.end)
        if heading is None or not heading.group(2):
            return -1
        kind = _KINDS.get(heading.group(1).lower())
        if kind is None:
            return -1
        after = self._block_end(at)
        inline = trimmed(self._text, heading.end(), line.end)
        if inline.begin < inline.end:
            return self._inline(kind, at, inline, after)
        if after > at + 1:
            self._entries(kind, at + 1, after, numpy=False)
            return after
        while after < min(len(self._lines), at + _LONGEST_FLAT_SECTION) and not self._lines[after].is_blank:
            after += 1
        if kind == "requires":
            self._entries(kind, at + 1, after, numpy=False)
            return after
        if kind in {"parameters", "raises"} and self._all_entries(kind, at + 1, after):
            self._entries(kind, at + 1, after, numpy=False)
            return after
        if kind in {"returns", "yields"}:
            self._entries(kind, at + 1, after, numpy=False)
            return after
        return at + 1

    def _inline(self, kind: str, at: int, inline: TextRange, after: int) -> int:
        if kind in {"returns", "yields"}:
            self._entry.note_result(inline.begin, self._lines[after - 1].end, kind)
            return after
        if kind == "raises" and self._entry.exceptions(inline.begin, inline.end):
            self._entry.note_raise(inline.begin, self._lines[after - 1].end)
            return after
        if kind == "parameters":
            self._entry.note_parameter(inline.begin, inline.end, self._lines[after - 1].end)
            return after
        if kind == "requires":
            self._requires.append(inline)
            if after > at + 1:
                self._entries(kind, at + 1, after, numpy=False)
            return after
        return -1

    def _block_end(self, at: int) -> int:
        """Return the index after the lines that are indented more deeply than line ``at``."""
        after = end = at + 1
        while after < len(self._lines):
            line = self._lines[after]
            if not line.is_blank:
                if line.indent <= self._lines[at].indent:
                    break
                end = after + 1
            after += 1
        return end

    def _all_entries(self, kind: str, first: int, after: int) -> bool:
        for line in self._lines[first:after]:
            named = self._entry.names_at(line) if kind == "parameters" else self._entry.exceptions(line.begin, line.end)
            if not named:
                return False
        return first < after

    # Entries ---------------------------------------------------------------------------------------------------

    def _entries(self, kind: str, first: int, after: int, *, numpy: bool) -> None:
        lines = self._lines[first:after]
        if kind == "other":
            return
        if kind == "requires":
            self._requires.extend(TextRange(line.begin, line.end) for line in lines if not line.is_blank)
            return
        for item in items_of(lines):
            head = item.head
            if self._text.startswith(_SESSION, head.begin):
                continue
            if kind == "parameters":
                self._entry.note_parameter(head.begin, head.end, item.end, typed=numpy)
            elif kind == "raises":
                if not self._entry.note_raise(head.begin, item.end):
                    self._running.append(trimmed(self._text, head.begin, item.end))
            elif numpy:
                self._entry.note_numpy_result(item, kind)
        if kind in {"returns", "yields"} and not numpy and lines:
            self._entry.note_result(lines[0].begin, self._before_session(lines), kind)

    def _before_session(self, lines: Sequence[Line]) -> int:
        end = lines[0].begin
        for line in lines:
            if self._text.startswith(_SESSION[0], line.begin):
                break
            end = max(end, line.end)
        return end

    # Running text ----------------------------------------------------------------------------------------------

    def _paragraph(self, at: int) -> int:
        """Note the paragraph or list item that begins at a line; return the index after it."""
        first = self._lines[at]
        if first.is_blank:
            return at + 1
        if self._text.startswith(_SESSION[0], first.begin):
            return self._after_session(at)
        after = at + 1
        while after < len(self._lines):
            line = self._lines[after]
            if line.is_blank or self._begins_part(after) or BULLET.match(self._text, line.begin, line.end):
                break
            after += 1
        self._running.append(trimmed(self._text, first.begin, self._lines[after - 1].end))
        return after

    def _after_session(self, at: int) -> int:
        while at < len(self._lines) and not self._lines[at].is_blank:
            at += 1
        return at

    def _begins_part(self, at: int) -> bool:
        line, text = self._lines[at], self._text
        if text.startswith(_SESSION[0], line.begin) or _FIELD.match(text, line.begin, line.end):
            return True
        heading = _HEADING.match(text, line.begin, line.end)
        if heading is not None and heading.group(2) and heading.group(1).lower() in _KINDS:
            return True
        return self._underlined_kind(at) is not None
