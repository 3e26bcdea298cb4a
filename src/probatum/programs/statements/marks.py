"""What of a documentation text is code or the syntax of its format, as ranges of it.

Examples that are checks, without their comments; names of parameters and exceptions, types and defaults where a
section's syntax puts them and the signature confirms them; the keywords of sections and fields. Refuses every other
word, whatever it seems to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from probatum.programs.examples.clauses import BUILTIN_TYPES
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.section_parts import TextRange
from probatum.programs.parsing.sections import FIELD, FIELDS, KINDS, PARAMETERS, RAISES, RESULT, SectionEntry, Sections
from probatum.programs.specification import Expectation, Parameter, RaisesError, StatementKind, ValueIs
from probatum.programs.statements.code_words import Range, comments_in, words_in_code, words_in_condition
from probatum.programs.statements.declared import confirmed_default, confirmed_parts, confirmed_result, python_type

_PROMPTS = (">>>", "...")
_ROLE = r"(?::(?:py:)?(?:class|exc|obj|data|type|any):)?"
_TRACEBACK = re.compile(r"Traceback \((?:most recent call last|innermost last)\):[ \t]*")
_EXCEPTION = re.compile(rf"{_ROLE}`{{0,2}}[~!]?(?P<name>(?:[^\W\d]\w{{0,80}}\.){{0,5}}[A-Z]\w{{0,80}})`{{0,2}}")
_FIELD_OF_CONDITION = re.compile(r"(?:pre|post|inv)(?:\[[\w, ]{0,200}\])?[ \t]*:\s*\Z")
_LONGEST_FIELD = 240
_HEADING_LINE = re.compile(
    r"^[ \t]*+(?P<before>(?:#{1,6}[ \t]*+)?[*_]{0,2})(?P<title>[A-Za-z]{2,14}(?: [A-Za-z]{2,12})?)"
    r"(?P<after>[*_]{0,2}:{0,2}[*_]{0,2})[ \t]*$",
    re.MULTILINE,
)
_FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[ \t]*(?P<language>python3?|py|pycon|doctest)[ \t]*$", re.MULTILINE)
_ASSERT = re.compile(r"(?<!\w)assert[ \t]*\(?\Z")
KEYWORDS = frozenset(KINDS) | word_set(
    "attention attributes caution danger error hint important note notes tip todo warning warnings warn warns"
)
"""The headings of sections of docstring formats, those of Sphinx's napoleon extension among them."""


@dataclass(frozen=True, slots=True)
class CodeMark:
    """A part of a text that is no words, and what it is instead."""

    begin: int
    end: int
    kind: StatementKind = StatementKind.CODE


def marked(ranges: Iterable[Range], kind: StatementKind = StatementKind.CODE) -> Iterator[CodeMark]:
    """Yield ranges as marks of one kind."""
    return (CodeMark(begin, end, kind) for begin, end in ranges)


@dataclass(frozen=True, slots=True)
class Surface:
    """What a caller sees of a function, to hold what is documented against."""

    parameters: tuple[Parameter, ...]
    returns: str | None = None
    types: frozenset[str] = BUILTIN_TYPES
    """What names types in its module, dotted where that is how it is written; see `declared.type_names`."""


def code_of_example(text: str, begin: int, end: int, expected: Expectation | None = None) -> Iterator[Range]:
    """Yield the parts of an example that are run or compared.

    Comments, messages of exceptions and assertions, and texts whose value nothing takes are words.
    """
    lines = list(_lines(text, begin, end))
    is_session = text.startswith(_PROMPTS[0], begin)
    written = lines
    words: list[Range] = []
    if is_session:
        prompts = next((at for at, (first, _) in enumerate(lines) if not text.startswith(_PROMPTS, first)), len(lines))
        written = [(first + len(_PROMPTS[0]), last) for first, last in lines[:prompts]]
        if isinstance(expected, RaisesError):
            words += _told(text, lines[prompts:], expected.type_name)
        elif isinstance(expected, ValueIs):
            words += comments_in(text, lines[prompts:], expected)
    yield from _without(begin, end, [*words, *words_in_code(text, written, expected)])


def code_of_condition(text: str, begin: int, end: int) -> Iterator[Range]:
    """Yield the parts of a condition that are evaluated; a text of several words is words all the same."""
    yield from _without(begin, end, words_in_condition(text, list(_lines(text, begin, end))))


def _without(begin: int, end: int, words: Iterable[Range]) -> Iterator[Range]:
    for first, last in sorted(words):
        if begin < first:
            yield begin, first
        begin = max(begin, last)
    if begin < end:
        yield begin, end


def _lines(text: str, begin: int, end: int) -> Iterator[Range]:
    """Yield the lines of a part, without the white space that they begin with."""
    while begin < end:
        stop = text.find("\n", begin, end)
        stop = end if stop < 0 else stop
        yield begin + len(text[begin:stop]) - len(text[begin:stop].lstrip()), stop
        begin = stop + 1


def _told(text: str, output: Sequence[Range], exception: str) -> Iterator[Range]:
    """Yield what a traceback says besides its first line and the name of the exception."""
    for number, (first, last) in enumerate(output):
        named = re.match(rf"(?:[\w.]*\.)?{re.escape(exception)}(?!\w)", text[first:last])
        if named is not None:
            yield first + named.end(), last
        elif number or not _TRACEBACK.fullmatch(text, first, last):
            yield first, last


def keywords(text: str, sections: Sections) -> Iterator[Range]:
    """Yield the headings that are a docstring format's own, with their signs, and the languages of fences."""
    for each in sections.headings:
        if each.title in KEYWORDS:
            yield each.place.begin, each.place.end
    for line in _HEADING_LINE.finditer(text):
        title, signs = line["title"], line["before"] + line["after"]
        is_marked = title[:1].isupper() or signs.strip() != ""
        if is_marked and " ".join(title.lower().split()) in KEYWORDS:
            yield line.span()
    for fence in _FENCE.finditer(text):
        yield fence.span("language")


def keyword_before(text: str, begin: int) -> Iterator[Range]:
    """Yield the keyword before a condition or an example: that of its field, or ``assert``."""
    first = max(0, begin - _LONGEST_FIELD)
    if (field := _FIELD_OF_CONDITION.search(text, first, begin) or _ASSERT.search(text, first, begin)) is not None:
        yield field.start(), field.end()


def heads(text: str, sections: Sections, signature: Surface) -> Iterator[CodeMark]:
    """Yield the keywords, names and types that entries begin with, as far as the signature confirms them."""
    result = declared_result(text, sections, signature)
    if result is not None:
        yield CodeMark(result[0].begin, result[0].end)
    for entry in sections.entries:
        end = entry.text.begin if entry.text.begin < entry.text.end else max(entry.text.end, entry.types.end)
        field = FIELD.match(text, entry.begin, end)
        begin = entry.begin
        if field is not None and field["field"] in FIELDS:
            yield CodeMark(begin, field.end("field"))
            begin = field.end("field")
        if entry.kind == PARAMETERS:
            yield from _parameters(text, entry, begin, end, signature)
        elif entry.kind == RAISES:
            yield from marked(_exceptions(text, begin, end, signature.types))


def declared_result(text: str, sections: Sections, signature: Surface) -> tuple[TextRange, str] | None:
    """Return where a document declares the type of the result, and the type as an annotation.

    None where it declares none, several, one that is not understood, or another one than the signature; where that has
    none, also for a type of the program's own, which no value is held to.
    """
    known = signature.types if signature.returns is not None else frozenset()
    found = [each for each in sections.entries if each.kind == RESULT and not _is_yielded(text, each, sections)]
    places = [place for each in found if (place := _type_place(text, each)) is not None]
    understood = [(place, type_) for place in places if (type_ := python_type(place.of(text), known)) is not None]
    if len(understood) != 1:
        return None
    [(place, type_)] = understood
    if signature.returns is not None and not confirmed_result(place.of(text), signature.returns, signature.types):
        return None
    return place, type_


def _type_place(text: str, entry: SectionEntry) -> TextRange | None:
    whole = entry.types if entry.types.begin < entry.types.end else entry.text
    name, colon, named = whole.of(text).rpartition(" : ")
    place = TextRange(whole.end - len(named), whole.end) if colon and name.isidentifier() else whole
    return place if place.begin < place.end else None


def _is_yielded(text: str, entry: SectionEntry, sections: Sections) -> bool:
    field = FIELD.match(text, entry.begin)
    title = next((each.title for each in sections.headings if each.place.end <= entry.begin <= each.end), "")
    return (field["field"] if field is not None else title).startswith("yield")


def _parameters(text: str, entry: SectionEntry, begin: int, end: int, signature: Surface) -> Iterator[CodeMark]:
    described = [each for each in signature.parameters if each.name in entry.names]
    for each in described:
        for found in re.finditer(rf"(?<!\w){re.escape(each.name)}(?!\w)", text[begin:end]):
            place = begin + found.start(), begin + found.end()
            if not (entry.types.begin <= place[0] < entry.types.end):
                yield CodeMark(*place)
                break
    types, at = entry.types.of(text), entry.types.begin
    if types and described and len(described) == len(entry.names):
        for kind, first, last in confirmed_parts(types, described, signature.types):
            yield CodeMark(at + first, at + last, kind)


def _exceptions(text: str, begin: int, end: int, types: frozenset[str]) -> Iterator[Range]:
    return (found.span() for found in _EXCEPTION.finditer(text, begin, end) if found["name"] in types)


def is_default(sentence: str, about: Iterable[Parameter]) -> bool:
    """True for "Defaults to 3." in an entry, where the signature says so."""
    described = list(about)
    return len(described) == 1 and confirmed_default(sentence, described[0])


def joined(marks: Iterable[CodeMark]) -> list[CodeMark]:
    """Return marks in order: those of one kind that overlap or touch as one, none that overlap with the one before."""
    found: list[CodeMark] = []
    for each in sorted(marks, key=lambda mark: (mark.begin, mark.end)):
        last = found[-1] if found else CodeMark(0, 0)
        if each.begin <= last.end and each.kind is last.kind and found:
            found[-1] = replace(last, end=max(last.end, each.end))
        elif each.end > last.end:
            found.append(replace(each, begin=max(each.begin, last.end)))
    return found
