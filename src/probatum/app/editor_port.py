"""What an editor asks for and is told: the values between the command line, the process that verifies and the server.

Refuses nothing by itself: whoever reads a report back from another process reads it by these fields.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from probatum.core.command import NOTHING, Given
from probatum.core.finding import Finding
from probatum.core.shape import RARE


@dataclass(frozen=True, slots=True)
class EditorRequest:
    """Where proofs are kept, and the options that verifications have."""

    store: Path
    given: Given = NOTHING


EditorRunner = Callable[[EditorRequest], int]
"""Serves until the editor goes, and returns the exit code."""


@dataclass(frozen=True, slots=True)
class EditedFile:
    """A file as it stands in an editor, saved or not."""

    path: str
    content: bytes
    folders: tuple[str, ...]
    """The folders that may be read: the one that the file lies in comes first."""


@dataclass(frozen=True, slots=True)
class JudgedFunction:
    """The verdict about one function, or about the whole file where it has no name; lines count from 1."""

    name: str
    outcome: str
    constraint: str
    message: str
    line: int = 0
    """Where the reason stands; 0 where the verdict names no line."""
    next_step: str = field(default="", metadata=RARE)
    findings: tuple[Finding, ...] = field(default=(), metadata=RARE)
    examples: tuple[str, ...] = field(default=(), metadata=RARE)
    """Examples to add to the documentation, their results left open."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reading that nobody has accepted so far."""

    id: str
    function: str
    text: str
    clause: str
    flag: str = field(default="", metadata=RARE)
    """Why it may say less than its words."""


@dataclass(frozen=True, slots=True)
class FileReport:
    """What is told of a file: the verdict of each function, and what is wrong with the whole of it."""

    judged: tuple[JudgedFunction, ...]
    readings_file: str = field(default="", metadata=RARE)
    """Where its readings are kept, whether the file exists or not; empty where that is not known."""
    proposals: tuple[Proposal, ...] = field(default=(), metadata=RARE)
