"""Lays a page out as lines of pieces, each piece with its role; renderers give the roles their looks.

The text of a subject cannot steer the terminal: it is made visible first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from probatum.core.outside import lines_of, visible
from probatum.core.sheet import Entry, Mark, Page, Section
from probatum.report.page import NEXT, SENTENCES


class Role(StrEnum):
    """What a piece of text is; its looks are the renderer's."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    NOTE = "note"
    SUBJECT = "subject"
    SENTENCE = "sentence"
    TITLE = "title"
    PLACE = "place"
    TEXT = "text"
    DETAIL = "detail"
    LABEL = "label"


SYMBOL_MARKS = {Mark.HOLDS: "✓", Mark.FAILS: "✗", Mark.UNDECIDED: "?", Mark.NOTE: "·"}
# The longest word of a verdict, so that lists that come one after the other are aligned.
_WORD_WIDTH = 9
ROLE_OF = {mark: Role(mark.value) for mark in Mark}


@dataclass(frozen=True, slots=True)
class StyledText:
    """Text with one role."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class PageLine:
    """One line of a report; ``hang`` is where its continuation starts when a terminal must wrap it."""

    pieces: tuple[StyledText, ...] = ()
    hang: int = 0
    # To be pasted elsewhere: no renderer may break it.
    copyable: bool = False

    @property
    def text(self) -> str:
        """The line without roles."""
        return "".join(piece.text for piece in self.pieces).rstrip()


def lay_out(page: Page, marks: Mapping[Mark, str]) -> tuple[PageLine, ...]:
    """Return the lines of a page, with these texts for its marks."""
    word, gap = StyledText(page.word, ROLE_OF[page.mark]), StyledText("  ", Role.TEXT)
    lines = [PageLine((word, gap, StyledText(visible(page.subject), Role.SUBJECT)), 2)]
    lines.extend(PageLine((StyledText(visible(sentence), Role.SENTENCE),)) for sentence in page.sentences)
    for section in page.sections:
        lines.append(PageLine())
        lines.extend(_section_lines(section, marks))
    if page.closing:
        lines.append(PageLine())
    width = max((len(label) for label, _ in page.closing), default=0)
    for label, value in page.closing:
        pieces = (StyledText(f"{label:<{width}}  ", Role.LABEL), StyledText(visible(value), Role.TEXT))
        lines.append(PageLine(pieces, width + 2, copyable=label not in SENTENCES))
    return tuple(lines)


def listed(entries: Sequence[Entry]) -> tuple[PageLine, ...]:
    """Return entries as a list without a page: one line each, which begins with its word, and its detail below."""
    width = max(_WORD_WIDTH, *(len(each.word) for each in entries)) + 2
    lines = []
    for each in entries:
        word = StyledText(f"{each.word:<{width}}", ROLE_OF[each.mark])
        lines.append(PageLine((word, StyledText(visible(each.text), Role.TEXT)), width))
        details = (text for detail in each.detail for text in lines_of(detail))
        margin = StyledText(" " * width, Role.TEXT)
        lines += [PageLine((margin, StyledText(visible(text), Role.DETAIL)), width, copyable=True) for text in details]
    return tuple(lines)


def is_code(entry: Entry) -> bool:
    """Return whether an entry is code: a session, or several lines, whose columns mean something."""
    return entry.text.startswith(">>> ") or len(lines_of(entry.text)) > 1


def _section_lines(section: Section, marks: Mapping[Mark, str]) -> list[PageLine]:
    lines = [PageLine((StyledText(visible(section.title), Role.TITLE),))]
    mark_width = max(len(text) for text in marks.values())
    places = [f"line {entry.line}" if entry.line else "" for entry in section.entries]
    place_width = max((len(place) for place in places), default=0)
    has_words = any(entry.word for entry in section.entries)
    for entry, place in zip(section.entries, places, strict=True):
        mark = f"  {marks[entry.mark]:<{mark_width}}  "
        said = replace(entry, text=f"{entry.word or '-':<9}  {entry.text}") if has_words else entry
        # A failing line is a call to be tried, and what is next a command, so they must survive being copied.
        copyable = entry.mark is Mark.FAILS or section.title == NEXT
        lines.extend(_entry_lines(said, mark, f"{place:<{place_width}}  " if place_width else "", copyable=copyable))
    return lines


def _entry_lines(entry: Entry, mark: str, place: str, *, copyable: bool) -> list[PageLine]:
    start = len(mark) + len(place)
    first, *rest = lines_of(entry.text) or [""]
    text = StyledText(visible(first), Role.TEXT)
    pieces = (StyledText(mark, ROLE_OF[entry.mark]), StyledText(place, Role.PLACE), text)
    margin = StyledText(" " * start, Role.TEXT)
    lines = [PageLine(pieces, start, copyable)]
    lines.extend(PageLine((margin, StyledText(visible(each), Role.TEXT)), start, copyable) for each in rest)
    details = (text for detail in entry.detail for text in lines_of(detail))
    lines.extend(PageLine((margin, StyledText(visible(each), Role.DETAIL)), start, copyable=True) for each in details)
    return lines
