"""Documentation cut into pieces: every character of it that is not white space or markup stands in exactly one.

Cutting only splits. A piece is code (an example, a keyword, a name or a type that the signature confirms), a condition
in code, or words: a sentence, or less where a line, a list, a table or code ends it. Markup is punctuation and the
signs of lists and tables; no letter, digit or sign of any language is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.section_parts import TextRange, sentence_ranges, trimmed
from probatum.programs.parsing.sections import PARAMETERS, RAISES, RESULT, SectionEntry, Sections, read_sections
from probatum.programs.specification import Parameter, Statement, StatementKind
from probatum.programs.statements.marks import (
    Range,
    Surface,
    field_of_condition,
    heads,
    is_default,
    joined,
    keywords,
)
from probatum.readings.markup import says_something

_KIND_OF = {
    PARAMETERS: StatementKind.PARAMETER,
    RAISES: StatementKind.RAISES,
    RESULT: StatementKind.RESULT,
}
_BREAKS = re.compile(r"\n(?=[ \t]*(?:\n|[-*+•·|#]|\(?[0-9]{1,3}[.)][ \t]|>>>|`{3}|~{3}|\.\. ))|(?<=\|)[ \t]*\n")
"""The ends of lines that end a piece: before blank lines, items, rows, headings, sessions and fences."""
_RULE = re.compile(r"^[^\w\n]++$", re.MULTILINE)
_ITEM = re.compile(r"^[ \t]*(?:[-*+•·][ \t]+)?\(?(?P<number>[0-9]{1,3})[.)][ \t]+", re.MULTILINE)

_LEADS = re.compile(r"(?:\s|[:,;]|[-*+•·.)](?=\s))*")
"""The signs that no piece begins with."""


@dataclass(frozen=True, slots=True)
class _Piece:
    begin: int
    end: int
    kind: StatementKind = StatementKind.SENTENCE
    about: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """Where a document has code."""

    shown: Sequence[Range] = ()
    """Examples that are checks, and the steps that they depend on."""
    conditions: Sequence[Range] = field(default=())
    """Conditions written in Python."""


def statements_of(
    document: Document, signature: Surface, code: Code = Code(), source: str = "docstring"
) -> tuple[Statement, ...]:
    """Return the pieces of one document, in order and numbered: words and conditions from ``s1``, code from ``c1``."""
    text = document.text
    statements = []
    is_first = source != "comment"
    for piece in _pieces(document, signature, code):
        span, _ = document.place(piece.begin, piece.end)
        kind = piece.kind
        if kind is not StatementKind.CODE:
            kind = StatementKind.SUMMARY if is_first and kind is StatementKind.SENTENCE else kind
            is_first = False
        words = " ".join(text[piece.begin : piece.end].split())
        statements.append(Statement("", words, kind, span, source, piece.about))
    return numbered(statements)


def numbered(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return statements of several documents of one function with ids in their order."""
    found = []
    counts = {"c": 0, "s": 0}
    for each in statements:
        letter = "c" if each.kind is StatementKind.CODE else "s"
        counts[letter] += 1
        found.append(replace(each, id=f"{letter}{counts[letter]}"))
    return tuple(found)


def _pieces(document: Document, signature: Surface, code: Code) -> Iterator[_Piece]:
    text = document.text
    sections = read_sections(document, [each.name for each in signature.parameters])
    fields = [each for begin, _ in code.conditions for each in field_of_condition(text, begin)]
    marks = joined([
        *code.shown, *keywords(text, sections), *heads(text, sections, signature), *_numbers(text), *fields
    ])  # fmt: skip
    entries = sorted(sections.entries, key=lambda each: each.begin)
    cuts = _cuts(text, sections, code)
    at = mark = 0
    for begin, end in pairwise(cuts):
        part = trimmed(text, begin, end)
        while at < len(entries) and max(entries[at].text.end, entries[at].types.end) <= begin:
            at += 1
        entry = entries[at] if at < len(entries) and entries[at].begin <= part.begin else None
        plain = _placed(entry, signature)
        is_condition = any(first <= part.begin and part.end <= last for first, last in code.conditions)
        for sentence in (part,) if is_condition else tuple(sentence_ranges(text, part)):
            while mark < len(marks) and marks[mark][1] <= sentence.begin:
                mark += 1
            if is_condition:
                kind = replace(plain, kind=StatementKind.CONDITION)
                yield from _worded(text, sentence.begin, sentence.end, kind)
            else:
                yield from _parted(text, sentence, (marks, mark), plain, signature.parameters)


def _numbers(text: str) -> Iterator[Range]:
    """Yield the numbers that items of a list begin with, as far as they count up from one."""
    last = 0
    for item in _ITEM.finditer(text):
        number = int(item["number"])
        last = last + 1 if number == last + 1 else 1 if number == 1 else 0
        if last:
            yield item.start("number"), item.end("number")


def _cuts(text: str, sections: Sections, code: Code) -> list[int]:
    """Return where pieces end at the latest, in order."""
    cuts = {0, len(text)}
    cuts.update(each.end() for each in _BREAKS.finditer(text))
    for rule in _RULE.finditer(text):
        cuts.update(rule.span())
    for heading in sections.headings:
        cuts.update((heading.place.begin, heading.place.end))
    for entry in sections.entries:
        types = (entry.types.begin, entry.types.end) if entry.types.begin < entry.types.end else ()
        cuts.update((entry.begin, *types, entry.text.begin, max(entry.text.end, entry.types.end)))
    for begin, end in code.conditions:
        cuts.update((begin, end))
    for begin, end in code.shown:
        # What stands in a line of words stays with them.
        if text.startswith(">>>", begin) or "\n" in text[begin:end]:
            cuts.update((begin, end))
    return sorted(cuts)


def _placed(entry: SectionEntry | None, signature: Surface) -> _Piece:
    """Return what kind the words of an entry are, and what they are about."""
    if entry is None:
        return _Piece(0, 0)
    taken = {each.name for each in signature.parameters}
    if entry.kind == PARAMETERS and not taken.issuperset(entry.names):
        return _Piece(0, 0)
    return _Piece(0, 0, _KIND_OF.get(entry.kind, StatementKind.SENTENCE), ", ".join(entry.names))


def _parted(
    text: str, sentence: TextRange, code: tuple[Sequence[Range], int], plain: _Piece, parameters: Sequence[Parameter]
) -> Iterator[_Piece]:
    """Part a sentence at the code in it, which is that of a sequence from an index on."""
    described = [each for each in parameters if each.name == plain.about]
    if plain.kind is StatementKind.PARAMETER and is_default(sentence.of(text), described):
        yield replace(plain, begin=sentence.begin, end=sentence.end, kind=StatementKind.CODE)
        return
    at = sentence.begin
    marks, index = code
    while index < len(marks) and marks[index][0] < sentence.end:
        begin, end = marks[index]
        index += 1
        yield from _worded(text, at, max(at, begin), plain)
        first, at = max(begin, sentence.begin, at), max(at, min(end, sentence.end))
        yield from _worded(text, first, at, replace(plain, kind=StatementKind.CODE))
    yield from _worded(text, at, sentence.end, plain)


def _worded(text: str, begin: int, end: int, plain: _Piece) -> Iterator[_Piece]:
    led = _LEADS.match(text, begin, end)
    part = trimmed(text, led.end() if led is not None else begin, end)
    if says_something(part.of(text)):
        yield replace(plain, begin=part.begin, end=part.end)
