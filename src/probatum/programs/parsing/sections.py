"""The parts of a documentation text: parameters, exceptions, demands, and the running text between them.

Sections as Google, NumPy, Sphinx (reST fields), Epydoc and plain headings write them are read in one pass, linear in
the text. Every part is a range of it; what a part says is read by others. Names that are not parameters, and exceptions
not written as types, have no note; nor do sessions (``>>>``) and what is said of the result. Headings and entries of
every kind are noted apart from that.
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

PARAMETERS, RAISES, REQUIRES, RESULT, OTHER = "parameters", "raises", "requires", "result", "other"
KINDS = {
    **dict.fromkeys(
        ("args", "arguments", "parameters", "params", "keyword args", "keyword arguments", "other parameters"),
        PARAMETERS,
    ),
    **dict.fromkeys(("returns", "return", "return value", "result", "yields", "yield"), RESULT),
    **dict.fromkeys(("raises", "raise", "exceptions", "throws", "except"), RAISES),
    **dict.fromkeys(
        ("constraints", "constraint", "preconditions", "precondition", "requires", "assumptions", "require"), REQUIRES
    ),
    **dict.fromkeys(("example", "examples", "usage", "see also", "references", "methods"), OTHER),
}
_HEADING = re.compile(r"[*#_ ]{0,4}([A-Za-z]{3,14}(?: [A-Za-z]{3,10})?)[*_]{0,2}[ \t]*:[*_]{0,2}[ \t]*")
_UNDERLINE = re.compile(r"[-=~]{3,}[ \t]*")
FIELD = re.compile(r"[:@](?P<field>[a-z]{2,20})\b(?P<about>[^:\n]{0,200}):(?=\s|$)")
FIELDS = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "keyword", "key", "kwarg", "type"), PARAMETERS),
    **dict.fromkeys(("raise", "raises", "except", "exception", "throws"), RAISES),
    **dict.fromkeys(("return", "returns", "rtype", "yield", "yields"), RESULT),
}
_TYPE_FIELDS = {"type", "rtype"}
_NAME = re.compile(r"[*`\\]{0,4}([^\W\d]\w{0,80})[*`]{0,4}")
_EXCEPTION = re.compile(r"(?::\w{1,12}:)?`{0,2}[~!]?(?:[^\W\d]\w{0,80}\.){0,5}([A-Z]\w{0,80})`{0,2}")
_JOINT = re.compile(r"[ \t]*(?:,|/|\bor\b|\band\b)[ \t]*")
_AFTER_NAME = re.compile(r"[ \t]*(?::(?=\s|$)|--?(?=[ \t])|–|—|$)")
_AFTER_EXCEPTION = re.compile(
    _AFTER_NAME.pattern + r"|[ \t]+(?=(?:if|when|whenever|unless|on|in case|for)\b)", re.IGNORECASE
)
_TYPE_BEFORE = re.compile(r"([^\W\d][\w.]{0,60}(?:\[[^:\n]{0,100}\])?(?: \| [\w.]{1,40}){0,4})[ \t]*:(?=\s)")
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
class SectionEntry:
    """One entry of a section or one field, whatever it is about; what a reader of whole documents needs."""

    kind: str
    """`PARAMETERS`, `RAISES`, `REQUIRES`, `RESULT` or `OTHER`."""
    names: tuple[str, ...]
    """The parameters or exceptions that it is about, as far as it names them."""
    begin: int
    types: TextRange
    """The type that it states; may be empty."""
    text: TextRange
    """What it says; may be empty. From ``begin`` to here are names and signs."""


@dataclass(frozen=True, slots=True)
class SectionHeading:
    """A heading with its underline or colon, and where the section ends."""

    title: str
    place: TextRange
    end: int


@dataclass(frozen=True, slots=True)
class Sections:
    """The parts of one document, each in order of appearance."""

    parameters: list[ParameterNote] = field(default_factory=list)
    raises: list[RaiseNote] = field(default_factory=list)
    requires: list[TextRange] = field(default_factory=list)
    """Lines below a heading such as ``Constraints:``, each a demand of its own."""
    running: list[TextRange] = field(default_factory=list)
    """Paragraphs and list items outside of these sections; sessions and their output left out."""
    entries: list[SectionEntry] = field(default_factory=list)
    """All entries, those without a note and those about the result included."""
    headings: list[SectionHeading] = field(default_factory=list)


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
        mark = FIELD.match(self._text, line.begin, line.end)
        if mark is None:
            return -1
        after = at + 1
        while after < len(self._lines) and self._carries_on(self._lines[after], line.indent):
            after += 1
        part = trimmed(self._text, mark.end(), self._lines[after - 1].end)
        kind = FIELDS.get(mark["field"], OTHER)
        words = mark["about"].split()
        names = tuple(word.strip("*`\\") for word in words[-1:])
        types = trimmed(self._text, mark.start("about"), mark.end("about") - len("".join(words[-1:])))
        if kind == RAISES:
            names, types = tuple(_EXCEPTION.findall(mark["about"])), TextRange(part.begin, part.begin)
            whole = TextRange(line.begin, part.end)
            self._found.raises.extend(RaiseNote(name, part, whole) for name in names)
        elif mark["field"] in _TYPE_FIELDS:
            types, part = part, TextRange(part.end, part.end)
        elif kind == PARAMETERS and self._names.issuperset(names):
            self._found.parameters.extend(ParameterNote(name, part) for name in names)
        elif kind == OTHER:
            self._found.running.append(part)
        self._found.entries.append(SectionEntry(kind, names, line.begin, types, part))
        return after

    def _carries_on(self, line: TextLine, indent: int) -> bool:
        if line.is_blank or self._text.startswith(_PROMPT, line.begin):
            return False
        return line.indent > indent or not FIELD.match(self._text, line.begin, line.end)

    def _underlined(self, at: int) -> int:
        """Read a NumPy section: a heading, its underline, and entries at the heading's indentation."""
        kind = self._underlined_kind(at)
        if kind is None:
            return -1
        after = at + 2
        while kind and after < len(self._lines) and not self._ends_underlined(kind, after, self._lines[at].indent):
            after += 1
        self._headline(self._lines[at].begin, self._lines[at + 1].end, self._lines[after - 1].end)
        self._entries(kind, self._lines[at + 2 : after], numpy=True)
        return after

    def _headline(self, begin: int, end: int, section_end: int) -> None:
        title = self._text[begin:end].partition("\n")[0].strip("*#_ \t:").lower()
        self._found.headings.append(SectionHeading(title, trimmed(self._text, begin, end), section_end))

    def _ends_underlined(self, kind: str, at: int, indent: int) -> bool:
        line = self._lines[at]
        if line.is_blank:
            return False
        if line.indent < indent or self._begins_part(at):
            return True
        is_below = self._lines[at - 1].is_blank and line.indent == indent
        return is_below and kind == RAISES and not self._raised(line, line.end)

    def _underlined_kind(self, at: int) -> str | None:
        """Return the kind of the section whose underlined heading is at a line, "" for one of running text."""
        if at + 1 >= len(self._lines) or self._lines[at].is_blank:
            return None
        line, below = self._lines[at], self._lines[at + 1]
        if below.is_blank or not _UNDERLINE.fullmatch(self._text, below.begin, below.end):
            return None
        title = self._text[line.begin : line.end].strip(" \t:").lower()
        return KINDS.get(title, "") if len(title) <= 40 else None

    def _headed(self, at: int) -> int:
        """Read a Google or plain section: ``Args:`` and the indented lines below, or text on the same line."""
        line = self._lines[at]
        heading = self._heading(line)
        if heading is None:
            return -1
        kind = KINDS[heading[1].lower()]
        after = self._block_end(at)
        block = self._lines[at + 1 : after]
        inline = TextLine(heading.end(), line.end, line.indent)
        if not inline.is_blank:
            if kind == OTHER or (kind == RAISES and not self._raised(inline, line.end)):
                return -1
            head = inline if kind == REQUIRES else TextLine(inline.begin, line.end, -1)
            self._headline(line.begin, heading.end(), heading.end())
            self._entries(kind, [head, *block])
            return after
        if not block:
            after = self._flat_end(after)
            block = self._lines[at + 1 : after]
            if kind == OTHER or not (kind in {REQUIRES, RESULT} or all(self._noted(kind, each) for each in block)):
                self._headline(line.begin, line.end, line.end)
                return at + 1
        self._headline(line.begin, line.end, self._lines[after - 1].end)
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
        if kind == REQUIRES:
            self._found.requires.extend(TextRange(line.begin, line.end) for line in lines if not line.is_blank)
        if kind == RESULT and not numpy and lines:
            self._found.entries.append(self._resulting(lines[0], lines[-1].end))
        elif kind in {PARAMETERS, RAISES, REQUIRES, RESULT}:
            for head, end in items_of(lines):
                if not self._text.startswith(_SESSION, head.begin):
                    self._found.entries.append(self._entry(kind, head, end, numpy=numpy))

    def _entry(self, kind: str, head: TextLine, end: int, *, numpy: bool) -> SectionEntry:
        found: SectionEntry | None = None
        if kind == PARAMETERS:
            found = self._described(head, end, numpy=numpy)
            if found is not None and self._names.issuperset(found.names):
                self._found.parameters.extend(ParameterNote(name, found.text) for name in found.names)
        elif kind == RAISES:
            found = self._raised(head, end)
            whole = trimmed(self._text, head.begin, end)
            if found is None:
                self._found.running.append(whole)
            else:
                self._found.raises.extend(RaiseNote(name, found.text, whole) for name in found.names)
        elif kind == RESULT and end > head.end:
            at = self._scanner.skip_spaces(head.begin)
            found = SectionEntry(kind, (), at, TextRange(at, head.end), trimmed(self._text, head.end, end))
        nothing = TextRange(head.begin, head.begin)
        return found or SectionEntry(kind, (), head.begin, nothing, trimmed(self._text, head.begin, end))

    def _resulting(self, head: TextLine, end: int) -> SectionEntry:
        """Read ``type: description`` of a result, or its description alone."""
        mark = _TYPE_BEFORE.match(self._text, head.begin, head.end)
        types = TextRange(head.begin, mark.end(1) if mark else head.begin)
        return SectionEntry(RESULT, (), head.begin, types, trimmed(self._text, mark.end() if mark else head.begin, end))

    def _noted(self, kind: str, line: TextLine) -> bool:
        entry = self._described(line, line.end) if kind == PARAMETERS else self._raised(line, line.end)
        return entry is not None and (kind != PARAMETERS or self._names.issuperset(entry.names))

    def _described(self, head: TextLine, end: int, *, numpy: bool = False) -> SectionEntry | None:
        """Read ``name (type): description``, ``a, b: description``; ``name : type`` in the way of NumPy."""
        text = self._text
        names, at = self._listed(_NAME, head)
        if not names:
            return None
        types = TextRange(at, at)
        at = self._scanner.skip_spaces(at)
        if at < head.end and text[at] in "([":
            close = self._scanner.bracket_end(at)
            if not 0 < close <= end:
                return None
            types = trimmed(text, at + 1, close - 1)
            at = close
        elif numpy and text[at : at + 1] == ":" and text[at + 1 : at + 2] != ":":
            types = trimmed(text, at + 1, head.end)
            at = head.end
        mark = _AFTER_NAME.match(text, at, head.end)
        return SectionEntry(PARAMETERS, names, head.begin, types, trimmed(text, mark.end(), end)) if mark else None

    def _raised(self, head: TextLine, end: int) -> SectionEntry | None:
        """Read ``ValueError: if …``, ``ValueError, TypeError: …``, ``ValueError if …``."""
        names, at = self._listed(_EXCEPTION, head)
        mark = _AFTER_EXCEPTION.match(self._text, at, head.end)
        if mark is None or not names:
            return None
        return SectionEntry(RAISES, names, head.begin, TextRange(at, at), trimmed(self._text, mark.end(), end))

    def _listed(self, word: re.Pattern[str], head: TextLine) -> tuple[tuple[str, ...], int]:
        """Return the words that begin an entry, parted by commas and the like, and the place after them."""
        bullet = BULLET.match(self._text, head.begin, head.end)
        at = bullet.end() if bullet is not None else head.begin
        names: list[str] = []
        while match := word.match(self._text, at, head.end):
            names.append(match[1])
            joint = _JOINT.match(self._text, match.end(), head.end)
            if joint is None:
                return tuple(names), match.end()
            at = joint.end()
        return (), at

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
        if text.startswith(_PROMPT, line.begin) or FIELD.match(text, line.begin, line.end):
            return True
        return self._heading(line) is not None or self._underlined_kind(at) is not None

    def _heading(self, line: TextLine) -> re.Match[str] | None:
        """Return ``Args:`` and its like; a parameter that is called so has an entry, not a section."""
        heading = _HEADING.match(self._text, line.begin, line.end)
        is_one = heading is not None and heading[1].lower() in KINDS and heading[1] not in self._names
        return heading if is_one else None
