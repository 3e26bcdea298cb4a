"""The blocks of documentation text: paragraphs, items of lists, rows of tables, code; headings and rules between them.

Works on any range of a text, one pass over its lines. Sessions and lines that are an example, but for words that
introduce or explain it, belong to no block. Refuses to leave any other word out.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.section_parts import BULLET, TextLine, TextRange, lines_of, trimmed
from probatum.programs.parsing.sections import KINDS


class BlockForm(StrEnum):
    """What a block is."""

    PROSE = "prose"
    ITEM = "item"
    CELLS = "cells"
    """A row of a table, without its first cell where it has several."""
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """One block; ``title`` is the heading that it stands under, ``about`` the first cell of its row."""

    form: BlockForm
    part: TextRange
    title: str = ""
    about: str = ""


_PROMPT = ">>>"
_FENCE = re.compile(r"(`{3,}|~{3,})[^`\n]*")
_RULE = re.compile(r"[-=~#*_+^.:|<>\"'` ]{2,}|[^\w\s()\[\]{}<>=]")
_MARKDOWN_HEADING = re.compile(r"#{2,6}[ \t]+\S.*")
_MARKED = "*_# \t:"
_BARE_HEADING = re.compile(
    r"(?:for )?(?:examples?|notes?|warnings?|explanation|details|description|todo|remarks?)(?: \d{1,3})?",
    re.IGNORECASE,
)
_BOLD_BEGIN = re.compile(r"(\*\*|__)([A-Z][a-z]{2,12}(?: [a-z]{2,12})?):?\1:?[ \t]+(?=\S)")
_TITLE = re.compile(r"[A-Z][a-z]{2,20}(?: [A-Za-z]{2,20})?:")
_ENTRY = re.compile(r"[`*]{0,4}[^\W\d][\w.]{0,80}[`*]{0,4}(?: \([^()\n]{0,120}\)| ?: \S|:$| --? )")
_GAP = re.compile(r"\S(?:[^\n]*?\S)?(?=[ \t]{2,}\S)")
_DIRECTIVE = re.compile(r"\.\.[ \t]+([a-zA-Z][\w:-]{1,40})::[ \t]*")
_CODE_DIRECTIVES = {"code-block", "code", "sourcecode", "math", "parsed-literal", "ipython", "plot", "image", "figure"}
_CELLS = re.compile(r"\|.*\|")
_CELL_RULE = re.compile(r"[|+][-=:|+ \t]+[|+]")
_COLUMNS = re.compile(r"={2,}(?:[ \t]+={2,})+")
_LONGEST_LOOK = 200
_CODE_SIGNS = re.compile(r"[=()\[\]{}]|\bimport\b")

INTRODUCING = word_set(
    "for example examples e.g instance such as so thus then hence and or but the this a an function it its should"
    " must will would can shall return returns returned give gives given yield yields output outputs result results is"
    " are be equal equals call calling calls called if when with input inputs you we i case cases test tests ex"
    " eg to like in which that sample gets becomes produces prints print evaluates consider usage expected answer of"
)
"""Words that introduce an example and say nothing without it."""
_WORD = re.compile(r"[^\W\d_][\w.']*\w|[^\W_]")
_NUMBERED = re.compile(r"\b(?:examples?|cases?|tests?|inputs?|outputs?|samples?)[ \t]*#?\d{1,3}\b", re.IGNORECASE)
_EXPLANATION = re.compile(r"explanation\b", re.IGNORECASE)
_EXPLAINING = re.compile(r"[\s.,;:)`'\"]*(?:#|//|\(|--|—|–|(?:because|since|as|explanation|note)\b)", re.IGNORECASE)


def introduces(words: str) -> bool:
    """True for words that only introduce an example: "For instance", "should return", "Example 2:"."""
    return all(word.lower() in INTRODUCING for word in _WORD.findall(_NUMBERED.sub("", words)))


class BlockReader:
    """Reads blocks of one text; ``examples`` are the ranges of it that are examples, in order."""

    def __init__(self, text: str, examples: Sequence[tuple[int, int]]) -> None:
        self._text = text
        self._lines = lines_of(text)
        self._ends = [line.end for line in self._lines]
        self._examples = merged(examples)
        self._starts = [begin for begin, _ in self._examples]
        self._found: list[Block] = []
        self._open: tuple[BlockForm, int, int] | None = None
        self._title = ""
        self._indent = self._title_indent = -1
        self._opens_code = self._is_entry = self._after_example = self._explains = False

    def only_introduces(self, begin: int, end: int) -> bool:
        """True for a sentence that is an example, or leads to one, and says nothing besides."""
        leads = self._text[begin:end].endswith(":") or bool(self._examples_in(begin, end))
        return leads and introduces(self._without_examples(begin, end))

    def _without_examples(self, begin: int, end: int) -> str:
        kept = []
        for first, last in self._examples_in(begin, end):
            kept.append(self._text[begin : max(begin, first)])
            begin = max(begin, last)
        return " ".join((*kept, self._text[begin:end]))

    def read(self, begin: int, end: int, title: str = "") -> list[Block]:
        """Return the blocks of ``text[begin:end]``, in order."""
        self._found, self._open, self._title, self._title_indent = [], None, title, -1
        self._opens_code = self._is_entry = self._after_example = self._explains = False
        at = bisect_left(self._ends, begin)
        lines = []
        while at < len(self._lines) and self._lines[at].begin < end:
            line = self._lines[at]
            lines.append(TextLine(max(line.begin, begin), min(line.end, end), line.indent))
            at += 1
        at = 0
        while at < len(lines):
            at = self._line(lines, at)
        self._close()
        return self._found

    def _line(self, lines: Sequence[TextLine], at: int) -> int:
        """Read one line, or the whole block that begins with it; return the index after it."""
        line = lines[at]
        words = self._text[line.begin : line.end].rstrip()
        if not words.strip():
            self._close()
            self._after_example = self._explains = False
            return at + 1
        if words.startswith(_PROMPT):
            self._close()
            return self._session_end(lines, at)
        if self._opens_code and self._open is None and line.indent > self._indent:
            return self._code(lines, at)
        if (fence := _FENCE.fullmatch(words)) is not None:
            self._close()
            return self._fenced(lines, at + 1, fence[1])
        if _CELLS.fullmatch(words) or _COLUMNS.fullmatch(words):
            self._close()
            return self._table(lines, at)
        if _RULE.fullmatch(words):
            self._close()
            return at + 1
        if line.indent <= self._title_indent:
            self._close()
            self._title, self._title_indent = "", -1
        if self._heading(lines, at, words):
            return at + 1
        self._opens_code = False
        if (directive := _DIRECTIVE.match(words)) is not None:
            return self._directive(lines, at, directive)
        if not self._example_line(line):
            is_item = BULLET.match(words) is not None
            is_entry = line.indent == self._indent and self._is_entry and _ENTRY.match(words) is not None
            if is_item or is_entry or self._open is None:
                self._close()
                self._open = BlockForm.ITEM if is_item else BlockForm.PROSE, line.begin, line.end
                self._indent = line.indent
                self._is_entry = _ENTRY.match(words) is not None
            else:
                self._open = self._open[0], self._open[1], line.end
            self._after_example = False
        return at + 1

    def _close(self) -> None:
        if self._open is not None:
            form, begin, end = self._open
            self._note(form, begin, end)
            written = self._text[begin:end].rstrip()
            self._opens_code = written.endswith(":")
        self._open = None

    def _note(self, form: BlockForm, begin: int, end: int, about: str = "") -> None:
        if form is BlockForm.ITEM and (bullet := BULLET.match(self._text, begin, end)):
            begin = bullet.end()
        bold = _BOLD_BEGIN.match(self._text, begin, end)
        if bold is not None and bold[2].lower() in KINDS:
            self._title = bold[2].lower()
            begin = bold.end()
        part = trimmed(self._text, begin, end)
        if part.begin < part.end:
            self._found.append(Block(form, part, self._title, about))

    # Examples --------------------------------------------------------------------------------------------------

    def _examples_in(self, begin: int, end: int) -> list[tuple[int, int]]:
        at = max(0, bisect_right(self._starts, begin) - 1)
        found = []
        while at < len(self._examples) and self._examples[at][0] < end:
            if self._examples[at][1] > begin:
                found.append(self._examples[at])
            at += 1
        return found

    def _example_line(self, line: TextLine) -> bool:
        """Pass over a line that begins with an example; what stands behind it begins a block of its own."""
        inside = self._examples_in(line.begin, line.end)
        if not inside:
            return self._comments_on_example(line)
        if not introduces(self._text[line.begin : max(line.begin, inside[0][0])]):
            return False
        self._close()
        self._after_example, self._explains = True, False
        if introduces(self._without_examples(line.begin, line.end)):
            return True
        behind = min(inside[-1][1], line.end)
        between = self._without_examples(line.begin, behind)
        begin = behind if introduces(between) else line.begin
        if begin == line.begin or not _EXPLAINING.match(self._text, behind, line.end):
            self._open = BlockForm.PROSE, begin, line.end
            self._indent = line.indent
        return True

    def _comments_on_example(self, line: TextLine) -> bool:
        # "# it is not balanced" below an example explains it, and so does a paragraph that says so.
        explains = _EXPLANATION.match(self._text, line.begin, line.end)
        self._explains = self._explains or (self._after_example and explains is not None)
        return self._explains or (self._after_example and self._text.startswith("#", line.begin))

    def _session_end(self, lines: Sequence[TextLine], at: int) -> int:
        while at < len(lines) and not lines[at].is_blank and not self._text.startswith("```", lines[at].begin):
            at += 1
        return at

    # Code, tables, headings ------------------------------------------------------------------------------------

    def _fenced(self, lines: Sequence[TextLine], at: int, fence: str) -> int:
        after = at
        while after < len(lines) and not self._text.startswith(fence[:3], lines[after].begin):
            after += 1
        self._program(lines[at:after])
        return after + 1

    def _code(self, lines: Sequence[TextLine], at: int) -> int:
        begin = lines[at].begin
        self._opens_code = False
        # Not the whole block: it would be searched again from every line that is none.
        if BULLET.match(self._text, begin) or not _CODE_SIGNS.search(self._text, begin, begin + _LONGEST_LOOK):
            return self._line(lines, at)
        after = at
        while after < len(lines) and (lines[after].is_blank or lines[after].indent > self._indent):
            after += 1
        self._program(lines[at:after])
        return after

    def _program(self, lines: Sequence[TextLine]) -> None:
        """Note a block of code; sessions and examples in it are not part of it."""
        begin = -1
        at = 0
        while at < len(lines):
            is_prompt = self._text.startswith(_PROMPT, lines[at].begin)
            if is_prompt or self._is_example(lines[at]):
                if begin >= 0:
                    self._note(BlockForm.CODE, begin, lines[at].begin)
                begin = -1
                at = self._session_end(lines, at) if is_prompt else at + 1
                continue
            if begin < 0 and not lines[at].is_blank:
                begin = lines[at].begin
            at += 1
        if begin >= 0:
            self._note(BlockForm.CODE, begin, lines[-1].end)

    def _is_example(self, line: TextLine) -> bool:
        inside = self._examples_in(line.begin, line.end)
        return bool(inside) and introduces(self._without_examples(line.begin, line.end))

    def _heading(self, lines: Sequence[TextLine], at: int, words: str) -> bool:
        title = words.strip(_MARKED).lower()
        is_known = title in KINDS or _BARE_HEADING.fullmatch(title) is not None
        ends = self._open is None or self._text[self._open[2] - 1 : self._open[2]] in {".", ":", "!", "?"}
        is_marked = (
            words.startswith(("#", "*", "_"))
            or words.endswith(":")
            or (words[:1].isupper() and (ends or title.startswith("example")))
        )
        if not (is_known and is_marked) and _MARKDOWN_HEADING.fullmatch(words) is None:
            below = lines[at + 1] if at + 1 < len(lines) else lines[at]
            if not _TITLE.fullmatch(words) or below.is_blank or below.indent <= lines[at].indent:
                return False
        is_indented = at + 1 < len(lines) and lines[at + 1].indent > lines[at].indent
        self._close()
        self._title, self._opens_code = title, False
        self._title_indent = lines[at].indent if is_indented else -1
        return True

    def _directive(self, lines: Sequence[TextLine], at: int, directive: re.Match[str]) -> int:
        """Read ``.. name:: words`` and what is indented below it; the name is a heading."""
        self._close()
        line, title = lines[at], self._title
        after = at + 1
        while after < len(lines) and (lines[after].is_blank or lines[after].indent > line.indent):
            after += 1
        self._title = directive[1].lower()
        begin = line.begin + directive.end()
        if self._title in _CODE_DIRECTIVES:
            self._program([TextLine(begin, line.end, line.indent), *lines[at + 1 : after]])
        else:
            inside = [TextLine(begin, line.end, line.indent + 1), *lines[at + 1 : after]]
            below = 0
            while below < len(inside):
                below = self._line(inside, below)
            self._close()
        self._title = title
        return after

    def _table(self, lines: Sequence[TextLine], at: int) -> int:
        after = at
        rules = []
        while after < len(lines) and not lines[after].is_blank:
            if self._is_rule(lines[after]):
                rules.append(after)
            after += 1
        # The rows above the first rule inside of a table are its header.
        inside = [rule for rule in rules if at < rule < after - 1 and self._parts_header(lines[rule])]
        for line in lines[inside[0] if inside else at : after]:
            if not self._is_rule(line):
                self._row(line)
        return after

    def _parts_header(self, line: TextLine) -> bool:
        return not self._text.startswith("+", line.begin) or "=" in self._text[line.begin : line.end]

    def _is_rule(self, line: TextLine) -> bool:
        words = self._text[line.begin : line.end].rstrip()
        return bool(_CELL_RULE.fullmatch(words) or _COLUMNS.fullmatch(words) or _RULE.fullmatch(words))

    def _row(self, line: TextLine) -> None:
        begin, end = line.begin, line.end
        if self._text.startswith("|", begin):
            end = begin + len(self._text[begin:end].rstrip().rstrip("|"))
            first = self._text.find("|", begin + 1, end)
            begin, after = begin + 1, first + 1
        else:
            gap = _GAP.match(self._text, begin, end)
            first = after = gap.end() if gap is not None else -1
        about = self._text[begin:first].strip(" \t`*") if first >= 0 else ""
        self._note(BlockForm.CELLS, after if about else begin, end, about)


def merged(ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges in order, those that overlap as one."""
    found: list[tuple[int, int]] = []
    for begin, end in sorted(ranges):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found
