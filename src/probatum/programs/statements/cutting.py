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
from probatum.programs.specification import NO_WORDS, Parameter, Statement, StatementKind
from probatum.programs.statements.code_words import Range
from probatum.programs.statements.marks import (
    CodeMark,
    Surface,
    code_of_condition,
    heads,
    is_default,
    joined,
    keyword_before,
    keywords,
    marked,
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
_ITEM = re.compile(r"^(?P<margin>[ \t]*)\(?(?P<number>[0-9]{1,3})[.)][ \t]+(?=\S)", re.MULTILINE)

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
        if kind not in NO_WORDS:
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
        letter = "c" if each.kind in NO_WORDS else "s"
        counts[letter] += 1
        found.append(replace(each, id=f"{letter}{counts[letter]}"))
    return tuple(found)


def _pieces(document: Document, signature: Surface, code: Code) -> Iterator[_Piece]:
    text = document.text
    sections = read_sections(document, [each.name for each in signature.parameters])
    stated = [part for each in code.conditions for part in code_of_condition(text, *each)]
    fields = [each for begin, _ in (*code.conditions, *code.shown) for each in keyword_before(text, begin)]
    marks = joined([
        *marked(code.shown, StatementKind.EXAMPLE), *marked(stated, StatementKind.CONDITION),
        *marked((*keywords(text, sections), *_numbers(text), *fields)), *heads(text, sections, signature),
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
            while mark < len(marks) and marks[mark].end <= sentence.begin:
                mark += 1
            yield from _parted(text, sentence, (marks, mark), plain, signature.parameters)


def _numbers(text: str) -> Iterator[Range]:
    """Yield the numbers that items of a list begin with: a list begins a paragraph, and counts up from one."""
    found: list[re.Match[str]] = []
    for item in (*_ITEM.finditer(text), None):
        if item is not None and found and item.group("margin", "number") == (found[0]["margin"], str(len(found) + 1)):
            found.append(item)
            continue
        if len(found) > 1:
            yield from (each.span("number") for each in found)
        found = [item] if item is not None and int(item["number"]) == 1 and _begins_list(text, item.start()) else []


def _begins_list(text: str, at: int) -> bool:
    before = text[text.rfind("\n", 0, max(0, at - 1)) + 1 : at].strip()
    return not before or before.endswith(":")


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
    text: str, sentence: TextRange, code: tuple[Sequence[CodeMark], int], plain: _Piece, parameters: Sequence[Parameter]
) -> Iterator[_Piece]:
    """Part a sentence at the code in it, which is that of a sequence from an index on."""
    described = [each for each in parameters if each.name == plain.about]
    if plain.kind is StatementKind.PARAMETER and is_default(sentence.of(text), described):
        yield replace(plain, begin=sentence.begin, end=sentence.end, kind=StatementKind.CODE)
        return
    at = sentence.begin
    marks, index = code
    while index < len(marks) and marks[index].begin < sentence.end:
        mark = marks[index]
        index += 1
        yield from _worded(text, at, max(at, mark.begin), plain)
        first, at = max(mark.begin, sentence.begin, at), max(at, min(mark.end, sentence.end))
        yield from _worded(text, first, at, replace(plain, kind=mark.kind))
    yield from _worded(text, at, sentence.end, plain)


def _worded(text: str, begin: int, end: int, plain: _Piece) -> Iterator[_Piece]:
    led = _LEADS.match(text, begin, end)
    part = trimmed(text, led.end() if led is not None else begin, end)
    if says_something(part.of(text)):
        yield replace(plain, begin=part.begin, end=part.end)
