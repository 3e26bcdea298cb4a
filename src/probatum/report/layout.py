"""Lays a page out as lines of pieces, each piece with its role; renderers give the roles their looks.

Refuses to let the text of a subject steer the reader's terminal: control characters, escape sequences, and characters
that reverse or hide text are written as visible escapes.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from probatum.core.sheet import Entry, Mark, Section
from probatum.report.page import NEXT, Page


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


ROLE_OF = {
    Mark.HOLDS: Role.HOLDS,
    Mark.FAILS: Role.FAILS,
    Mark.UNDECIDED: Role.UNDECIDED,
    Mark.NOTE: Role.NOTE,
}
_UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


@dataclass(frozen=True, slots=True)
class Piece:
    """Text with one role."""

    text: str
    role: Role


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a report; ``hang`` is where its continuation starts when a terminal must wrap it."""

    pieces: tuple[Piece, ...] = ()
    hang: int = 0
    copyable: bool = False
    """To be pasted elsewhere: no renderer may break it."""

    @property
    def text(self) -> str:
        """The line without roles."""
        return "".join(piece.text for piece in self.pieces).rstrip()


def visible(text: str) -> str:
    """Return ``text`` with every character that is not plainly visible written as an escape."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        _escaped(character) if unicodedata.category(character) in _UNSAFE else character for character in text
    )


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


def lay_out(page: Page, marks: Mapping[Mark, str]) -> tuple[Line, ...]:
    """Return the lines of a page, with these texts for its marks."""
    head = (
        Piece(page.word, ROLE_OF[page.mark]),
        Piece("  ", Role.TEXT),
        Piece(visible(page.subject), Role.SUBJECT),
    )
    lines = [Line(head, 2)]
    lines.extend(Line((Piece(visible(sentence), Role.SENTENCE),)) for sentence in page.sentences)
    for section in page.sections:
        lines.append(Line())
        lines.extend(_section_lines(section, marks))
    if page.closing:
        lines.append(Line())
    width = max((len(label) for label, _ in page.closing), default=0)
    for label, value in page.closing:
        lines.append(
            Line((Piece(f"{label:<{width}}  ", Role.LABEL), Piece(visible(value), Role.TEXT)), width + 2, label != NEXT)
        )
    return tuple(lines)


def _section_lines(section: Section, marks: Mapping[Mark, str]) -> list[Line]:
    lines = [Line((Piece(visible(section.title), Role.TITLE),))]
    mark_width = max(len(text) for text in marks.values())
    places = [_place(entry) for entry in section.entries]
    place_width = max((len(place) for place in places), default=0)
    for entry, place in zip(section.entries, places, strict=True):
        lines.extend(
            _entry_lines(entry, f"  {marks[entry.mark]:<{mark_width}}  ", f"{place:<{place_width}}", place_width)
        )
    return lines


def _entry_lines(entry: Entry, mark: str, place: str, place_width: int) -> list[Line]:
    gap = "  " if place_width else ""
    start = len(mark) + place_width + len(gap)
    first, *rest = entry.text.splitlines() or [""]
    pieces = (
        Piece(mark, ROLE_OF[entry.mark]),
        Piece(place + gap, Role.PLACE),
        Piece(visible(first), Role.TEXT),
    )
    margin = Piece(" " * start, Role.TEXT)
    # A failing line is a call to be tried, so it must survive being copied.
    copyable = entry.mark is Mark.FAILS
    lines = [Line(pieces, start, copyable)]
    lines.extend(Line((margin, Piece(visible(text), Role.TEXT)), start, copyable) for text in rest)
    for detail in entry.detail:
        lines.extend(
            Line((margin, Piece(visible(text), Role.DETAIL)), start, copyable=True) for text in detail.splitlines()
        )
    return lines


def _place(entry: Entry) -> str:
    return f"line {entry.line}" if entry.line else ""
