"""What of a documentation text is code or the syntax of its format, as ranges of it.

Examples that are checks, without their comments; names of parameters and exceptions, types and defaults where a
section's syntax puts them and the signature confirms them; the keywords of sections and fields. Refuses every other
word, whatever it seems to say.
"""

from __future__ import annotations

import doctest
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from probatum.programs.parsing.literals import read_value
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.section_parts import TextRange
from probatum.programs.parsing.sections import FIELD, FIELDS, KINDS, PARAMETERS, RAISES, RESULT, SectionEntry, Sections
from probatum.programs.requirements.constraints import BUILTIN_EXCEPTIONS
from probatum.programs.specification import Expectation, Parameter, RaisesError, ValueIs
from probatum.programs.statements.declared import confirmed_default, confirmed_result, python_type, unconfirmed
from probatum.readings.syntax import NotReadableError

_PROMPTS = (">>>", "...")
_DIRECTIVE = re.compile(r"#[ \t]*doctest:(?:[ \t,]*[+-][A-Z_][A-Z0-9_]*)+[ \t]*")
_OPTION = re.compile(r"[+-]([A-Z_0-9]+)")
_COMMENTED_VALUE = re.compile(r"#[ \t]*(?:[=-]{1,2}>|→|==?)[ \t]*(?P<value>.+)")
_TRACEBACK = re.compile(r"Traceback \((?:most recent call last|innermost last)\):[ \t]*")
_EXCEPTION = re.compile(r"(?::\w{1,12}:)?`{0,2}[~!]?(?P<name>(?:[^\W\d]\w{0,80}\.){0,5}[A-Z]\w{0,80})`{0,2}")
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

Range = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Surface:
    """What a caller sees of a function, to hold what is documented against."""

    parameters: tuple[Parameter, ...]
    returns: str | None = None
    known: frozenset[str] = frozenset()
    """The names that mean something in its module."""


def code_of_example(text: str, begin: int, end: int, expected: Expectation | None = None) -> Iterator[Range]:
    """Yield the parts of an example that are code: comments and the messages of exceptions are words."""
    if (keyword := _ASSERT.search(text, max(0, begin - _LONGEST_FIELD), begin)) is not None:
        begin = keyword.start()
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
            words += _comments(text, lines[prompts:])
    for first, last in sorted([*words, *_comments(text, written)]):
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


def _comments(text: str, lines: Sequence[Range]) -> Iterator[Range]:
    """Yield the comments in code, but for directives and a value that is expected."""
    margin = min((len(text[a:b]) - len(text[a:b].lstrip()) for a, b in lines if text[a:b].strip()), default=0)
    source = "\n".join(text[min(a + margin, b) : b] for a, b in lines)
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT and not _is_code(token.string):
                row, column = token.start
                place = lines[row - 1][0] + margin + column
                yield place, place + len(token.string)
    except (tokenize.TokenError, SyntaxError):
        # Where it is no Python after all, every sign of a comment counts as one.
        yield from ((a + text[a:b].index("#"), b) for a, b in lines if "#" in text[a:b])


def _is_code(comment: str) -> bool:
    if _DIRECTIVE.fullmatch(comment):
        return all(name in doctest.OPTIONFLAGS_BY_NAME for name in _OPTION.findall(comment))
    value = _COMMENTED_VALUE.fullmatch(comment.rstrip(". "))
    if value is None:
        return False
    try:
        read_value(value["value"].strip("` "))
    except NotReadableError:
        return False
    return True


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


def field_of_condition(text: str, begin: int) -> Iterator[Range]:
    """Yield the keyword of the field that a condition stands in, where one stands before it."""
    first = max(0, begin - _LONGEST_FIELD)
    if (field := _FIELD_OF_CONDITION.search(text, first, begin)) is not None:
        yield field.start(), field.end()


def heads(text: str, sections: Sections, signature: Surface) -> Iterator[Range]:
    """Yield the keywords, names and types that entries begin with, as far as the signature confirms them."""
    result = declared_result(text, sections, signature)
    if result is not None:
        yield result[0].begin, result[0].end
    for entry in sections.entries:
        end = entry.text.begin if entry.text.begin < entry.text.end else max(entry.text.end, entry.types.end)
        field = FIELD.match(text, entry.begin, end)
        begin = entry.begin
        if field is not None and field["field"] in FIELDS:
            yield begin, field.end("field")
            begin = field.end("field")
        if entry.kind == PARAMETERS:
            yield from _parameters(text, entry, begin, end, signature)
        elif entry.kind == RAISES:
            yield from _exceptions(text, begin, end, signature.known)


def declared_result(text: str, sections: Sections, signature: Surface) -> tuple[TextRange, str] | None:
    """Return where a document declares the type of the result, and the type as an annotation.

    None where it declares none, several, one that is not understood, or another one than the signature.
    """
    found = [each for each in sections.entries if each.kind == RESULT and not _is_yielded(text, each, sections)]
    places = [place for each in found if (place := _type_place(text, each)) is not None]
    understood = [
        (place, type_) for place in places if (type_ := python_type(place.of(text), signature.known)) is not None
    ]
    if len(understood) != 1:
        return None
    [(place, type_)] = understood
    if signature.returns is not None and not confirmed_result(place.of(text), signature.returns):
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


def _parameters(text: str, entry: SectionEntry, begin: int, end: int, signature: Surface) -> Iterator[Range]:
    described = [each for each in signature.parameters if each.name in entry.names]
    for each in described:
        for found in re.finditer(rf"(?<!\w){re.escape(each.name)}(?!\w)", text[begin:end]):
            place = begin + found.start(), begin + found.end()
            if not (entry.types.begin <= place[0] < entry.types.end):
                yield place
                break
    types = entry.types.of(text)
    if types and described and len(described) == len(entry.names):
        at = entry.types.begin
        for first, last in unconfirmed(types, described, signature.known):
            if at < entry.types.begin + first:
                yield at, entry.types.begin + first
            at = entry.types.begin + last
        if at < entry.types.end:
            yield at, entry.types.end


def _exceptions(text: str, begin: int, end: int, known: frozenset[str]) -> Iterator[Range]:
    for found in _EXCEPTION.finditer(text, begin, end):
        first, _, _ = found["name"].partition(".")
        if found["name"].rpartition(".")[2] in BUILTIN_EXCEPTIONS or first in known:
            yield found.start(), found.end()


def is_default(sentence: str, about: Iterable[Parameter]) -> bool:
    """True for "Defaults to 3." in an entry, where the signature says so."""
    described = list(about)
    return len(described) == 1 and confirmed_default(sentence, described[0])


def joined(ranges: Sequence[Range]) -> list[Range]:
    """Return ranges in order, those that overlap or touch as one."""
    found: list[Range] = []
    for begin, end in sorted(each for each in ranges if each[0] < each[1]):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((begin, end))
    return found
