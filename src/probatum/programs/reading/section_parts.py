"""The parts that a documentation text has: ranges of its text, its lines, its sentences.

Values and small pure readers that every reader of sections shares. Refuses to know what a section is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = [
    "BULLET",
    "Item",
    "Line",
    "ParameterNote",
    "RaiseNote",
    "ReturnNote",
    "Sections",
    "TextRange",
    "items_of",
    "lines_of",
    "sentence_ranges",
    "spoken",
    "trimmed",
]

BULLET = re.compile(r"(?:[-*+•·]|\(?[0-9]{1,3}[.)])[ \t]+")
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|\n[ \t]*\n")
_ABBREVIATED = ("e.g", "i.e", "etc", "vs", "resp", "cf", "approx", "no")


@dataclass(frozen=True, slots=True)
class TextRange:
    """``text[begin:end]`` of a document, without white space around it; empty when ``begin == end``."""

    begin: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters of the range."""
        return text[self.begin : self.end]


@dataclass(frozen=True, slots=True)
class ParameterNote:
    """What a section says of one parameter. A parameter may have several (``:param x:`` and ``:type x:``)."""

    name: str
    type: TextRange | None
    """What stands where the type is written: ``int, optional``, ``positive int``, ``{'a', 'b'}``."""
    text: TextRange
    """The description; may be empty."""


@dataclass(frozen=True, slots=True)
class ReturnNote:
    """What a section says of the result (or of what is yielded)."""

    type: TextRange | None
    text: TextRange
    yields: bool = False


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

    parameters: tuple[ParameterNote, ...] = ()
    returns: tuple[ReturnNote, ...] = ()
    raises: tuple[RaiseNote, ...] = ()
    requires: tuple[TextRange, ...] = ()
    """Lines and items below a heading such as ``Constraints:``, each a demand of its own."""
    running: tuple[TextRange, ...] = ()
    """Paragraphs and list items outside of these sections; sessions and their output left out."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line: where its first character that is no space stands, its end, and how far it is indented."""

    begin: int
    end: int
    indent: int

    @property
    def is_blank(self) -> bool:
        """True when there is nothing but white space."""
        return self.begin >= self.end


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a section: its first line, and the end of the more deeply indented lines after it."""

    head: Line
    end: int


def spoken(text: str, part: TextRange) -> str:
    """Return the words of a part on one line."""
    return " ".join(part.of(text).split())


def trimmed(text: str, begin: int, end: int) -> TextRange:
    """Return a range without the white space at its ends."""
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return TextRange(begin, end)


def sentence_ranges(text: str, part: TextRange) -> Iterator[TextRange]:
    """Yield the sentences of a part; an abbreviation or a blank inside backticks ends none."""
    begin = part.begin
    for match in _SENTENCE_END.finditer(text, part.begin, part.end):
        before = text[max(begin, match.start() - 8) : match.start()].lower()
        if match.group() == "." and before.rpartition(" ")[2].lstrip("(").endswith(_ABBREVIATED):
            continue
        sentence = trimmed(text, begin, match.end())
        begin = match.end()
        if sentence.begin < sentence.end:
            yield sentence
    last = trimmed(text, begin, part.end)
    if last.begin < last.end:
        yield last


def lines_of(text: str) -> list[Line]:
    """Return the lines; the first one of a docstring counts as indented like the others."""
    lines: list[Line] = []
    begin = 0
    while begin <= len(text):
        stop = text.find("\n", begin)
        stop = len(text) if stop < 0 else stop
        first = begin
        while first < stop and text[first].isspace():
            first += 1
        lines.append(Line(first, stop, first - begin))
        begin = stop + 1
    others = [line.indent for line in lines[1:] if not line.is_blank]
    if others and not lines[0].is_blank:
        lines[0] = Line(lines[0].begin, lines[0].end, min(others))
    return lines


def items_of(lines: Sequence[Line]) -> list[Item]:
    """Part the lines of a section into entries by the indentation of the first."""
    found: list[Item] = []
    margin = next((line.indent for line in lines if not line.is_blank), 0)
    for line in lines:
        if line.is_blank:
            continue
        if line.indent <= margin or not found:
            found.append(Item(line, line.end))
        else:
            found[-1] = Item(found[-1].head, line.end)
    return found
