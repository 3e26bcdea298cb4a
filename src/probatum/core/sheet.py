"""A sheet: what a person should read about one verdict, as sections of marked lines, without any layout.

Renderers turn a sheet into a page or plain text and never decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from probatum.core.diagnostics import DiagnosticResult


class Mark(StrEnum):
    """The state of a line."""

    HOLDS = "holds"
    FAILS = "fails"
    UNDECIDED = "undecided"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: what it says, where in the subject, and lines of detail below it."""

    mark: Mark
    text: str
    line: int | None = None
    detail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A titled group of lines."""

    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything to be read about one verdict, most important first."""

    subject: str
    verdict: DiagnosticResult
    headline: str
    sections: tuple[Section, ...] = ()
    # The command that repeats this run.
    repeat: str = ""
    # One sentence: what to do now.
    next_step: str = ""
