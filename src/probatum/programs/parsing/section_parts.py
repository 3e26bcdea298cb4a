"""The parts that a documentation text has: ranges of its text, its lines, its sentences.

Values and small pure readers that every reader of sections shares. Refuses to know what a section is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

BULLET = re.compile(r"(?:[-*+•·]|\(?[0-9]{1,3}[.)])[ \t]+")
_SENTENCE_END = re.compile(
    r"(?P<quoted>(?P<mark>`{1,3})(?!`)(?:[^`\n]|\n(?![ \t]*\n)){1,300}(?P=mark)(?!`)"
    r"|(?<!\w)\"[^\"\n]{1,200}[^\".!?\n]\"(?!\w))"
    r"|(?P<sign>[.!?]+)[\"')\]`*]{0,3}(?=\s|$)|\n[ \t]*\n"
)
_ABBREVIATED = re.compile(
    r"(?:^|[\s(\[\"'])(?:e\.?g|i\.?e|etc|vs|resp|cf|approx|no|incl|excl|esp|eq|fig|ca|viz|w\.r\.t|a\.k\.a)$",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"\W*(?:[0-9]{1,3}|\.\.)")


@dataclass(frozen=True, slots=True)
class TextRange:
    """``text[begin:end]`` of a document, without white space around it; empty when ``begin == end``."""

    begin: int
    end: int

    def of(self, text: str) -> str:
        """Return the characters of the range."""
        return text[self.begin : self.end]


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line: where its first character that is not a space stands, its end, and how far it is indented."""

    begin: int
    end: int
    indent: int

    @property
    def is_blank(self) -> bool:
        """True when there is nothing but white space."""
        return self.begin >= self.end


def trimmed(text: str, begin: int, end: int) -> TextRange:
    """Return a range without the white space at its ends."""
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    return TextRange(begin, end)


def sentence_ranges(text: str, part: TextRange) -> Iterator[TextRange]:
    """Yield the sentences of a part; an abbreviation, or what stands in backticks or quotes, ends none."""
    begin = part.begin
    for match in _SENTENCE_END.finditer(text, part.begin, part.end):
        if match["quoted"] or (match["sign"] and _goes_on(text, begin, match)):
            continue
        sentence = trimmed(text, begin, match.end())
        begin = match.end()
        if sentence.begin < sentence.end:
            yield sentence
    last = trimmed(text, begin, part.end)
    if last.begin < last.end:
        yield last


def _goes_on(text: str, begin: int, match: re.Match[str]) -> bool:
    if match["sign"] == ".":
        if _ABBREVIATED.search(text[max(begin, match.start() - 8) : match.start()]):
            return True
        return match.start() - begin < 8 and _NUMBERED.fullmatch(text, begin, match.start()) is not None
    after = text[match.end() : match.end() + 40].lstrip()
    return match["sign"].startswith("..") and after[:1].islower()


def lines_of(text: str) -> list[TextLine]:
    """Return the lines; the first one of a docstring counts as indented like the others."""
    lines: list[TextLine] = []
    begin = 0
    for written in text.split("\n"):
        indent = len(written) - len(written.lstrip())
        lines.append(TextLine(begin + indent, begin + len(written), indent))
        begin += len(written) + 1
    others = [line.indent for line in lines[1:] if not line.is_blank]
    if others and not lines[0].is_blank:
        lines[0] = TextLine(lines[0].begin, lines[0].end, min(others))
    return lines


def items_of(lines: Sequence[TextLine]) -> list[tuple[TextLine, int]]:
    """Part the lines of a section into entries, by the indentation of the first: the first line and the end of each."""
    found: list[tuple[TextLine, int]] = []
    margin = next((line.indent for line in lines if not line.is_blank), 0)
    for line in lines:
        if line.is_blank:
            continue
        if line.indent <= margin or not found:
            found.append((line, line.end))
        else:
            found[-1] = (found[-1][0], line.end)
    return found
