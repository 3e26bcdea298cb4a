"""The parts of a documentation text: parameters, exceptions, demands, and the running text between them.

Sections as Google, NumPy, Sphinx (reST fields), Epydoc and plain headings write them are read in one pass, linear in
the text. Every part is a range of it; what a part says is read by others. Names that are not parameters, and exceptions
not written as types, have no part; nor do sessions (``>>>``) and what is said of the result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.scanning import TextScanner
from probatum.programs.parsing.section_parts import (
    BULLET,
    TextLine,
    TextRange,
    items_of,
    lines_of,
    sentence_ranges,
    trimmed,
)

_PARAMETERS, _RAISES, _REQUIRES, _RESULT, _OTHER = "parameters", "raises", "requires", "result", "other"
_KINDS = {
    **dict.fromkeys(
        ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters"),
        _PARAMETERS,
    ),
    **dict.fromkeys(("returns", "return", "return value", "result", "yields", "yield"), _RESULT),
    **dict.fromkeys(("raises", "raise", "exceptions", "throws", "except"), _RAISES),
    **dict.fromkeys(
        ("constraints", "constraint", "preconditions", "precondition", "requires", "assumptions", "require"), _REQUIRES
    ),
    **dict.fromkeys(("example", "examples", "usage", "see also", "references", "methods"), _OTHER),
}
_HEADING = re.compile(r"[*#_ ]{0,4}([A-Za-z]{3,14}(?: [A-Za-z]{3,10})?)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*")
_UNDERLINE = re.compile(r"[-=~]{3,}[ \t]*")
_FIELD = re.compile(
    r"[:@](?:(?P<parameter>param|parameter|arg|argument|keyword|key|kwarg)|type"
    r"|(?P<raises>raises?|except|exception|throws)|returns?|rtype|yields?)\b(?P<about>[^:\n]{0,200}):(?=\s|$)"
)
_ANY_FIELD = re.compile(r"[:@][a-z]{2,20}\b[^:\n]{0,200}:(?=\s|$)")
_NAME = re.compile(r"[*`\\]{0,4}([^\W\d]\w{0,80})[*`]{0,4}")
_EXCEPTION = re.compile(r"(?::\w{1,12}:)?`{0,2}[~!]?(?:[^\W\d]\w{0,80}\.){0,5}([A-Z]\w{0,80})`{0,2}")
_JOINT = re.compile(r"[ \t]*(?:,|/|\bor\b|\band\b)[ \t]*")
_AFTER_NAME = re.compile(r"[ \t]*(?::(?=\s|$)|--?(?=[ \t])|–|—|$)")
_AFTER_EXCEPTION = re.compile(
    _AFTER_NAME.pattern + r"|[ \t]+(?=(?:if|when|whenever|unless|on|in case|for)\b)", re.IGNORECASE
)
_PROMPT, _SESSION = ">>>", (">>>", "...")
_LONGEST_FLAT_SECTION = 60
"""How many lines a section may have that is not indented below its heading."""


@dataclass(frozen=True, slots=True)
class ParameterNote:
    """What a section says of one parameter."""

    name: str
    text: TextRange
    """The description; may be empty."""


@dataclass(frozen=True, slots=True)
class RaiseNote:
    """What a section says of one exception: its type, and the words about it (often "if …"; may be empty)."""

    type_name: str
    text: TextRange
    whole: TextRange
    """The type's name included."""


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of one document, each in order of appearance."""

    parameters: list[ParameterNote] = field(default_factory=list)
    raises: list[RaiseNote] = field(default_factory=list)
    requires: list[TextRange] = field(default_factory=list)
    """Lines below a heading such as ``Constraints:``, each a demand of its own."""
    running: list[TextRange] = field(default_factory=list)
    """Paragraphs and list items outside of these sections; sessions and their output left out."""


def read_sections(document: Document, parameters: Iterable[str]) -> Sections:
    """Return the parts of a document; ``parameters`` are the names that a parameter section may describe."""
    return _SectionReader(document.text, frozenset(parameters)).read()


def running_sentences(text: str, sections: Sections, most: int, longest: int) -> Iterator[TextRange]:
    """Yield the first ``most`` sentences outside of sections, those longer than ``longest`` characters left out."""
    every = (sentence for part in sections.running for sentence in sentence_ranges(text, part))
    return (each for each in islice(every, most) if each.end - each.begin <= longest)


class _SectionReader:
    """One pass over the lines of one document."""

    def __init__(self, text: str, parameters: frozenset[str]) -> None:
        self._text = text
        self._names = parameters
        self._scanner = TextScanner(text)
        self._lines = lines_of(text)
        self._found = Sections()

    def read(self) -> Sections:
        at = 0
        while at < len(self._lines):
            after = self._field(at)
            after = self._underlined(at) if after < 0 else after
            after = self._headed(at) if after < 0 else after
            at = self._paragraph(at) if after < 0 else after
        return self._found

    # Sections --------------------------------------------------------------------------------------------------

    def _field(self, at: int) -> int:
        """Read ``:param int n: the count`` and the lines that carry it on; the index after it, or -1."""
        line = self._lines[at]
        mark = _FIELD.match(self._text, line.begin, line.end)
        if mark is None:
            return -1
        after = at + 1
        while after < len(self._lines) and self._carries_on(self._lines[after], line.indent):
            after += 1
        part = trimmed(self._text, mark.end(), self._lines[after - 1].end)
        if mark["raises"]:
            whole = TextRange(line.begin, part.end)
            self._found.raises.extend(RaiseNote(name, part, whole) for name in _EXCEPTION.findall(mark["about"]))
        elif mark["parameter"]:
            words = mark["about"].rstrip()
            name = words.split()[-1].strip("*`\\") if words else ""
            if name in self._names:
                self._found.parameters.append(ParameterNote(name, part))
        return after

    def _carries_on(self, line: TextLine, indent: int) -> bool:
        if line.is_blank or self._text.startswith(_PROMPT, line.begin):
            return False
        return line.indent > indent or not _ANY_FIELD.match(self._text, line.begin, line.end)

    def _underlined(self, at: int) -> int:
        """Read a NumPy section: a heading, its underline, and entries at the heading's indentation."""
        kind = self._underlined_kind(at)
        if kind is None:
            return -1
        after = at + 2
        while kind and after < len(self._lines) and not self._ends_underlined(kind, after, self._lines[at].indent):
            after += 1
        self._entries(kind, self._lines[at + 2 : after], numpy=True)
        return after

    def _ends_underlined(self, kind: str, at: int, indent: int) -> bool:
        line = self._lines[at]
        if line.is_blank:
            return False
        if line.indent < indent or self._begins_part(at):
            return True
        is_below = self._lines[at - 1].is_blank and line.indent == indent
        return is_below and kind == _RAISES and not self._raised(line, line.end)

    def _underlined_kind(self, at: int) -> str | None:
        """Return the kind of the section whose underlined heading is at a line, "" for one of running text."""
        if at + 1 >= len(self._lines) or self._lines[at].is_blank:
            return None
        line, below = self._lines[at], self._lines[at + 1]
        if below.is_blank or not _UNDERLINE.fullmatch(self._text, below.begin, below.end):
            return None
        title = self._text[line.begin : line.end].strip(" \t:").lower()
        return _KINDS.get(title, "") if len(title) <= 40 else None

    def _headed(self, at: int) -> int:
        """Read a Google or plain section: ``Args:`` and the indented lines below, or text on the same line."""
        line = self._lines[at]
        heading = self._heading(line)
        if heading is None:
            return -1
        kind = _KINDS[heading[1].lower()]
        after = self._block_end(at)
        block = self._lines[at + 1 : after]
        inline = TextLine(heading.end(), line.end, line.indent)
        if not inline.is_blank:
            if kind == _OTHER or (kind == _RAISES and not self._raised(inline, line.end)):
                return -1
            head = inline if kind == _REQUIRES else TextLine(inline.begin, line.end, -1)
            self._entries(kind, [head, *block])
            return after
        if not block:
            after = self._flat_end(after)
            block = self._lines[at + 1 : after]
            if kind == _OTHER or not (kind in {_REQUIRES, _RESULT} or all(self._noted(kind, each) for each in block)):
                return at + 1
        self._entries(kind, block)
        return after

    def _flat_end(self, at: int) -> int:
        last = min(len(self._lines), at + _LONGEST_FLAT_SECTION - 1)
        return next((after for after in range(at, last) if self._lines[after].is_blank), last)

    def _block_end(self, at: int) -> int:
        """Return the index after the lines that are indented more deeply than line ``at``."""
        end = at + 1
        for after in range(at + 1, len(self._lines)):
            if not self._lines[after].is_blank:
                if self._lines[after].indent <= self._lines[at].indent:
                    break
                end = after + 1
        return end

    # Entries ---------------------------------------------------------------------------------------------------

    def _entries(self, kind: str, lines: Sequence[TextLine], *, numpy: bool = False) -> None:
        if kind == _REQUIRES:
            self._found.requires.extend(TextRange(line.begin, line.end) for line in lines if not line.is_blank)
        if kind not in {_PARAMETERS, _RAISES}:
            return
        for head, end in items_of(lines):
            if self._text.startswith(_SESSION, head.begin):
                continue
            if kind == _PARAMETERS:
                self._found.parameters.extend(self._described(head, end, numpy=numpy))
            elif raised := self._raised(head, end):
                self._found.raises.extend(raised)
            else:
                self._found.running.append(trimmed(self._text, head.begin, end))

    def _noted(self, kind: str, line: TextLine) -> bool:
        return bool(self._described(line, line.end) if kind == _PARAMETERS else self._raised(line, line.end))

    def _described(self, head: TextLine, end: int, *, numpy: bool = False) -> list[ParameterNote]:
        """Read ``name (type): description``, ``a, b: description``; ``name : type`` in the way of NumPy."""
        text = self._text
        names, at = self._listed(_NAME, head)
        if not names or not self._names.issuperset(names):
            return []
        at = self._scanner.skip_spaces(at)
        if at < head.end and text[at] in "([":
            close = self._scanner.bracket_end(at)
            if not 0 < close <= end:
                return []
            at = close
        elif numpy and text[at : at + 1] == ":":
            at = head.end
        mark = _AFTER_NAME.match(text, at, head.end)
        if mark is None:
            return []
        part = trimmed(text, mark.end(), end)
        return [ParameterNote(name, part) for name in names]

    def _raised(self, head: TextLine, end: int) -> list[RaiseNote]:
        """Read ``ValueError: if …``, ``ValueError, TypeError: …``, ``ValueError if …``."""
        names, at = self._listed(_EXCEPTION, head)
        mark = _AFTER_EXCEPTION.match(self._text, at, head.end)
        if mark is None:
            return []
        part = trimmed(self._text, mark.end(), end)
        return [RaiseNote(name, part, trimmed(self._text, head.begin, end)) for name in names]

    def _listed(self, word: re.Pattern[str], head: TextLine) -> tuple[list[str], int]:
        """Return the words that begin an entry, parted by commas and the like, and the place after them."""
        bullet = BULLET.match(self._text, head.begin, head.end)
        at = bullet.end() if bullet is not None else head.begin
        names: list[str] = []
        while match := word.match(self._text, at, head.end):
            names.append(match[1])
            joint = _JOINT.match(self._text, match.end(), head.end)
            if joint is None:
                return names, match.end()
            at = joint.end()
        return [], at

    # Running text ----------------------------------------------------------------------------------------------

    def _paragraph(self, at: int) -> int:
        """Note the paragraph or list item that begins at a line; return the index after it."""
        first = self._lines[at]
        if first.is_blank:
            return at + 1
        is_session = self._text.startswith(_PROMPT, first.begin)
        after = at + 1
        while after < len(self._lines) and not self._lines[after].is_blank:
            line = self._lines[after]
            if not is_session and (self._begins_part(after) or BULLET.match(self._text, line.begin, line.end)):
                break
            after += 1
        if not is_session:
            self._found.running.append(trimmed(self._text, first.begin, self._lines[after - 1].end))
        return after

    def _begins_part(self, at: int) -> bool:
        line, text = self._lines[at], self._text
        if text.startswith(_PROMPT, line.begin) or _FIELD.match(text, line.begin, line.end):
            return True
        return self._heading(line) is not None or self._underlined_kind(at) is not None

    def _heading(self, line: TextLine) -> re.Match[str] | None:
        """Return ``Args:`` and its like; a parameter that is called so has an entry, not a section."""
        heading = _HEADING.match(self._text, line.begin, line.end)
        is_one = heading is not None and heading[1].lower() in _KINDS and heading[1] not in self._names
        return heading if is_one else None
