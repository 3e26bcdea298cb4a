"""A sheet: what a person should read about one verdict: marked lines, moments in time, a diagram; without any layout.

A page is what is left of it for one reader. Renderers write pages and never decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass, field
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
    # Says more than the mark, such as VERIFIED or BLOCKED.
    word: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A titled group of lines."""

    title: str
    entries: tuple[Entry, ...]
    # A short page leaves none of them out.
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Moment:
    """Something at one time: a date, or date and time, in ISO 8601; whatever else stands there is no known time."""

    time: str
    title: str
    detail: str = ""
    mark: Mark = Mark.NOTE
    # What it belongs to, such as a source.
    lane: str = ""


@dataclass(frozen=True, slots=True)
class Vertex:
    """One thing of a diagram, under an id of its own; ``group`` says what it is, such as a claim."""

    id: str
    title: str
    group: str = ""
    mark: Mark = Mark.NOTE


@dataclass(frozen=True, slots=True)
class Edge:
    """What leads from one vertex to another, by their ids.

    One that fails between two of a group is a conflict of peers, and does not say which of them comes first.
    """

    source: str
    target: str
    label: str = ""
    mark: Mark = Mark.NOTE


@dataclass(frozen=True, slots=True)
class Diagram:
    """What follows from what; nothing to draw without a vertex."""

    vertices: tuple[Vertex, ...] = ()
    edges: tuple[Edge, ...] = ()
    title: str = "How it follows"


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything to be read about one verdict, most important first."""

    subject: str
    verdict: DiagnosticResult
    headline: str
    sections: tuple[Section, ...] = ()
    # The command that repeats this run.
    repeat: str = ""
    # One sentence: what to do now; below a command, what that does or what has to be done before it.
    next_step: str = ""
    # For formats that can draw; the plain page leaves them out, so nothing may stand there alone.
    timeline: tuple[Moment, ...] = ()
    diagram: Diagram = field(default_factory=Diagram)
    # The command that gets an undecided subject decided; without one, the command that repeats the run.
    next_command: str = ""
    # Lines of its short page, from the verdict to the end.
    most_lines: int = 60


@dataclass(frozen=True, slots=True)
class Page:
    """What a person reads, in this order."""

    # One word that says how it stands: VERIFIED, REFUTED, UNDECIDED, BLOCKED, or HOLDS and FAILS of a re-check.
    word: str
    mark: Mark
    subject: str
    sentences: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    # Label and value of the last lines.
    closing: tuple[tuple[str, str], ...] = ()
    timeline: tuple[Moment, ...] = ()
    diagram: Diagram = field(default_factory=Diagram)
