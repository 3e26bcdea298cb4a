"""Documentation text with the exact place of every character in the file that holds it.

A docstring's value is not its source: escapes, prefixes, concatenation and line ends differ. A `Document` keeps both;
where they cannot be brought together, the place is the first line of the literal. In a literal over several lines an
escaped control character (``\\n`` inside quotes) is content, so it is read as the two characters that the file shows.
"""

from __future__ import annotations

import ast
import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass

from probatum.programs.specification import Span

_ESCAPE = re.compile(r"\\(?:[\\'\"abfnrtv]|[0-7]{1,3}|x.{2}|u.{4}|U.{8}|N\{[^}]*\})")
_LINE_END = re.compile(r"\r\n|\r|\n")
_PREFIX_LETTERS = "rRuU"


class SourceText:
    """A text and its lines as Python counts them: ``\\n``, ``\\r\\n`` and ``\\r`` end a line, nothing else does."""

    __slots__ = ("_starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and the 0-based column, in characters, of an offset."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1]

    def offset(self, line: int, byte_column: int) -> int:
        """Return the offset of a place given as the syntax tree gives it: 1-based line, column in UTF-8 bytes."""
        start = self._starts[min(line, len(self._starts)) - 1]
        text = self.line(line)
        if text.isascii():
            return start + min(byte_column, len(text))
        return start + len(text.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "ignore"))

    def line(self, line: int) -> str:
        """Return a line without its end."""
        index = min(line, len(self._starts)) - 1
        end = self._starts[index + 1] if index + 1 < len(self._starts) else len(self.text)
        return self.text[self._starts[index] : end].rstrip("\r\n")

    def span(self, begin: int, end: int) -> Span:
        """Return the place from one offset to another, the end exclusive."""
        return Span(*self.position(begin), *self.position(end))

    def node_range(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        """Return the begin and end offsets of a node of the syntax tree."""
        begin = self.offset(node.lineno, node.col_offset)
        end = self.offset(node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)
        return begin, max(begin, end)


@dataclass(frozen=True, slots=True)
class Document:
    """A documentation text (``\\n`` between lines) that knows where each of its characters stands in the file."""

    text: str
    source: SourceText
    fallback: tuple[int, int]
    """Offsets of what is shown when single characters cannot be located."""
    begins: array[int] | None = None
    ends: array[int] | None = None

    def place(self, begin: int, end: int) -> tuple[Span, str]:
        """Return the place in the file of ``text[begin:end]`` and how the file writes it."""
        if self.begins is None or self.ends is None or not 0 <= begin < end <= len(self.begins):
            first, last = self.fallback
        else:
            first, last = self.begins[begin], self.ends[end - 1]
        return self.source.span(first, last), self.source.text[first:last]

    def line_of(self, begin: int) -> int:
        """Return the 1-based line in the file of one character of the text."""
        return self.place(begin, begin + 1)[0].line


def plain_document(text: str) -> Document:
    """Return a text that is its own source, such as a contract that a person wrote."""
    reader = _LiteralReader(text, keep_controls=False)
    reader.copy(0, len(text))
    return Document(reader.text(), SourceText(text), (0, 0), reader.begins, reader.ends)


def docstring_of(source: SourceText, node: ast.expr, value: str) -> Document:
    """Return the document of a string literal: ``node`` is the literal and ``value`` what it evaluates to."""
    begin, end = source.node_range(node)
    reader = _LiteralReader(source.text, keep_controls=node.end_lineno != node.lineno)
    if reader.read_literals(begin, end) and reader.value() == value:
        return Document(reader.text(), source, (begin, begin), reader.begins, reader.ends)
    first_line = source.text[begin:end].partition("\n")[0].rstrip()
    return Document(value, source, (begin, begin + len(first_line)))


class _LiteralReader:
    """Reads string literals character by character and notes from where to where each value character came."""

    def __init__(self, source: str, *, keep_controls: bool) -> None:
        self._source = source
        self._keep_controls = keep_controls
        self._text: list[str] = []
        self._value: list[str] = []
        self.begins: array[int] = array("q")
        self.ends: array[int] = array("q")

    def value(self) -> str:
        """Return what Python makes of the literals."""
        return "".join(self._value)

    def text(self) -> str:
        """Return what is read: the value, but escaped control characters as they are written."""
        return "".join(self._text)

    def read_literals(self, at: int, end: int) -> bool:
        """Read one literal or several that stand side by side; False when something else is between them."""
        source = self._source
        while at < end:
            if source[at] in " \t\f\r\n\\()":
                at += 1
            elif source[at] == "#":
                line_end = _LINE_END.search(source, at)
                if line_end is None:
                    return False
                at = line_end.start()
            else:
                at = self._read_literal(at, end)
                if at < 0:
                    return False
        return True

    def _read_literal(self, at: int, end: int) -> int:
        source = self._source
        raw = False
        while at < end and source[at] in _PREFIX_LETTERS:
            raw = raw or source[at] in "rR"
            at += 1
        if at >= end or source[at] not in "'\"":
            return -1
        quote = source[at] * 3 if source.startswith(source[at] * 3, at) else source[at]
        at += len(quote)
        close = -1
        while True:
            # Not looked for again behind every backslash.
            close = source.find(quote, at, end) if close < at else close
            if close < 0:
                return -1
            backslash = source.find("\\", at, close)
            if backslash < 0:
                self.copy(at, close)
                return close + len(quote)
            self.copy(at, backslash)
            at = self._copy_pair(backslash) if raw else self._read_escape(backslash, end)

    def copy(self, begin: int, end: int) -> None:
        """Take characters as they are, line ends apart."""
        source = self._source
        while begin < end:
            carriage = source.find("\r", begin, end)
            stop = end if carriage < 0 else carriage
            self._text.append(source[begin:stop])
            self._value.append(source[begin:stop])
            self.begins.extend(range(begin, stop))
            self.ends.extend(range(begin + 1, stop + 1))
            begin = stop
            if carriage >= 0:
                begin += 2 if source.startswith("\r\n", stop) else 1
                self._note("\n", stop, begin)

    def _note(self, character: str, begin: int, end: int) -> None:
        self._value.append(character)
        if self._keep_controls and character < " " and self._source[begin] == "\\":
            self._text.append(self._source[begin:end])
            self.begins.extend(range(begin, end))
            self.ends.extend(range(begin + 1, end + 1))
        else:
            self._text.append(character)
            self.begins.append(begin)
            self.ends.append(end)

    def _copy_pair(self, at: int) -> int:
        end = at + 3 if self._source.startswith("\r\n", at + 1) else at + 2
        self.copy(at, end)
        return end

    def _read_escape(self, at: int, end: int) -> int:
        """Read the escape whose backslash is at ``at``; return the offset after it."""
        if self._source[at + 1] in "\r\n":
            return at + 3 if self._source.startswith("\r\n", at + 1) else at + 2
        escape = _ESCAPE.match(self._source, at, end)
        if escape is None:
            # Python keeps the backslash of an escape that it does not know.
            self.copy(at, at + 1)
            return at + 1
        quote = '"' if escape.group() == "\\'" else "'"
        self._note(ast.literal_eval(f"{quote}{escape.group()}{quote}"), at, escape.end())
        return escape.end()
