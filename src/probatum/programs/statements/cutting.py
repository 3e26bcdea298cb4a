"""Documentation cut into statements: every word of it stands in exactly one.

Left out are headings, the names of entries, types that the signature confirms, sessions and other examples. What no
section claims is running text. Refuses to leave out anything else, whatever it seems to say.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from probatum.programs.parsing.documents import Document
from probatum.programs.parsing.section_parts import TextRange, sentence_ranges, trimmed
from probatum.programs.parsing.sections import KINDS, OTHER, PARAMETERS, RAISES, RESULT, SectionEntry, read_sections
from probatum.programs.specification import Parameter, Statement, StatementKind
from probatum.programs.statements.blocks import Block, BlockForm, BlockReader
from probatum.programs.statements.declared import confirmed_result, looks_like_type, unconfirmed

_KIND_OF = {
    PARAMETERS: StatementKind.PARAMETER,
    RAISES: StatementKind.RAISES,
    RESULT: StatementKind.RESULT,
}


@dataclass(frozen=True, slots=True)
class Surface:
    """What a caller sees of a function, to hold documented types against."""

    parameters: tuple[Parameter, ...]
    returns: str | None = None


@dataclass(frozen=True, slots=True)
class _Region:
    """A part of the text that is cut by itself."""

    begin: int
    end: int
    kind: StatementKind = StatementKind.SENTENCE
    about: str = ""
    title: str = ""


def statements_of(
    document: Document,
    signature: Surface,
    examples: Sequence[tuple[int, int]] = (),
    unread: Sequence[tuple[int, int]] = (),
    source: str = "docstring",
) -> tuple[Statement, ...]:
    """Return the statements of one document, in order and numbered from ``s1``.

    ``examples`` are the ranges of its text that are read as examples; ``unread`` those of sessions that are not.
    """
    text = document.text
    found = sorted(_cut(document, signature, examples, source), key=lambda each: each[0].begin)
    covered = [(part.begin, part.end) for part, *_ in found]
    for begin, end in unread:
        if not any(first < end and begin < last for first, last in covered):
            found.append((trimmed(text, begin, end), StatementKind.CODE, ""))
    statements = []
    for part, kind, about in sorted(found, key=lambda each: each[0].begin):
        span, _ = document.place(part.begin, part.end)
        words = " ".join(part.of(text).split())
        statements.append(Statement("", words, kind, span, source, about))
    return numbered(statements)


def numbered(statements: Iterable[Statement]) -> tuple[Statement, ...]:
    """Return statements of several documents of one function with ids in their order."""
    return tuple(replace(each, id=f"s{number}") for number, each in enumerate(statements, 1))


_Cut = tuple[TextRange, StatementKind, str]


def _cut(document: Document, signature: Surface, examples: Sequence[tuple[int, int]], source: str) -> Iterator[_Cut]:
    text = document.text
    reader = BlockReader(text, examples)
    names = tuple(each.name for each in signature.parameters)
    is_first = source != "comment"
    for region in _regions(document, signature):
        for block in reader.read(region.begin, region.end, region.title):
            place = _placed(text, block, region, names)
            part, kind, about = place
            sentences = [part] if block.form is BlockForm.CODE else sentence_ranges(text, part)
            for sentence in sentences:
                if reader.only_introduces(sentence.begin, sentence.end):
                    continue
                is_summary = is_first and kind is StatementKind.SENTENCE and not block.title
                is_first = False
                yield sentence, StatementKind.SUMMARY if is_summary else kind, about


def _placed(text: str, block: Block, region: _Region, names: Sequence[str]) -> _Cut:
    """Return what is to be cut of a block, and as what."""
    if region.kind is not StatementKind.SENTENCE:
        return block.part, region.kind, region.about
    if block.form is BlockForm.CODE:
        return block.part, StatementKind.CODE, block.title
    plain = StatementKind.SENTENCE if block.form is BlockForm.PROSE else StatementKind.ROW
    section = KINDS.get(block.title, "")
    part, about = block.part, block.about or region.about
    if not about and section in {PARAMETERS, RAISES, ""}:
        part, about = _named(text, part, names, is_raises=section == RAISES)
    if about and set(_listed(about)) <= set(names):
        return part, StatementKind.PARAMETER, ", ".join(_listed(about))
    if section == PARAMETERS and not about:
        return part, plain, ""
    return part, _KIND_OF.get(section, plain), about or (block.title if section in {OTHER, ""} else "")


def _listed(names: str) -> list[str]:
    return [each.strip(" `*") for each in names.replace("/", ",").split(",")]


def _named(text: str, part: TextRange, names: Sequence[str], *, is_raises: bool) -> tuple[TextRange, str]:
    """Read ``name: description`` where the name is a parameter, ``SomeError: when`` among exceptions."""
    head, colon, _ = text[part.begin : min(part.end, part.begin + 200)].partition(":")
    words = head.partition(" (")[0].strip(" `*")
    is_name = set(_listed(words)) <= set(names) if not is_raises else words.isidentifier() and words[:1].isupper()
    if not colon or not words or not is_name:
        return part, ""
    rest = trimmed(text, part.begin + len(head) + 1, part.end)
    return (rest, words) if rest.begin < rest.end else (part, "")


def _regions(document: Document, signature: Surface) -> Iterator[_Region]:
    """Part a text into what entries say and what stands between; headings and the names of entries are left out."""
    sections = read_sections(document, [each.name for each in signature.parameters])
    claimed: list[tuple[int, int, Sequence[_Region]]] = [
        (each.place.begin, each.place.end, ()) for each in sections.headings
    ]
    for entry in sections.entries:
        end = max(entry.text.end, entry.types.end)
        claimed.append((entry.begin, end, tuple(_said(document.text, entry, signature))))
    titled = [(each.place.end, each.end, each.title) for each in sections.headings]
    at = 0
    for begin, end, regions in sorted(claimed, key=lambda each: each[:2]):
        yield from _between(at, begin, titled)
        yield from regions if begin >= at else [_Region(at, max(at, end))]
        at = max(at, end)
    yield from _between(at, len(document.text), titled)


def _between(begin: int, end: int, titled: list[tuple[int, int, str]]) -> Iterator[_Region]:
    """Yield running text, first what belongs to the heading before it; headings that are passed are used up."""
    title = ""
    while titled and titled[0][0] <= begin:
        first, last, title = titled.pop(0)
        if last < end:
            yield _Region(begin, max(begin, last), title=title)
            begin, title = max(begin, last), ""
        else:
            titled.insert(0, (first, last, title))
            break
    if begin < end:
        yield _Region(begin, end, title=title)


def _said(text: str, entry: SectionEntry, signature: Surface) -> Iterator[_Region]:
    """Yield what an entry says: its type, where the signature does not say it too, and its words."""
    kind, about = _KIND_OF.get(entry.kind, StatementKind.SENTENCE), ", ".join(entry.names)
    types, words = entry.types, entry.text
    if entry.kind == RESULT:
        name, _, named = types.of(text).rpartition(" : ")
        if name and looks_like_type(named):
            types = TextRange(types.end - len(named), types.end)
        elif types.begin < types.end and not looks_like_type(types.of(text)):
            types, words = TextRange(types.begin, types.begin), trimmed(text, types.begin, words.end)
        if types.begin == types.end and looks_like_type(words.of(text)):
            types, words = words, TextRange(words.end, words.end)
    taken = {each.name for each in signature.parameters}
    if words.begin == words.end and not taken.issuperset(entry.names):
        types = trimmed(text, entry.begin, types.end)
    if entry.kind == RESULT and not confirmed_result(types.of(text), signature.returns):
        yield _Region(types.begin, types.end, kind, about)
    elif entry.kind != RESULT and types.begin < types.end:
        described = [each for each in signature.parameters if each.name in entry.names]
        for begin, end in unconfirmed(types.of(text), described if len(described) == len(entry.names) else ()):
            yield _Region(types.begin + begin, types.begin + end, kind, about)
    yield _Region(words.begin, words.end, kind, about)
