"""What a kind offers beside verdicts: commands that prepare subjects, and tools that agents call.

Both work at a desk, which the application gives them: files, a workbench, and verdicts that they cannot make
themselves. Refuses to let a tool write a file or leave the folders that it was given by any other way.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from probatum.core.command import Command, Given
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.events import Listener
from probatum.core.ports import MeteredAdvisor, Rehearsal, SourceReader
from probatum.core.sheet import Page


@dataclass(frozen=True, slots=True)
class SavedFile:
    """A file that was asked for beside the answer."""

    label: str
    path: Path
    # Empty where there is nothing to save.
    text: str
    # Why not, for a person.
    why_not: str = ""
    # What stood there when it was read, of a file that a person edits too; empty where there was none.
    replaces: bytes | None = None


class JudgedSubject(Protocol):
    """A verdict about a subject, or about one named part of it, and what it rests on."""

    @property
    def verdict(self) -> DiagnosticResult:
        """The verdict; its proof is kept."""

    @property
    def observed(self) -> object:
        """What the kind observed."""

    @property
    def parts(self) -> Sequence[JudgedSubject]:
        """Parts with verdicts of their own."""


class ToolDesk(Protocol):
    """What the application gives a tool to work with."""

    @property
    def sources(self) -> SourceReader:
        """Reads files."""

    @property
    def given(self) -> Given:
        """Options that hold for every call, such as the interpreter that programs run with."""

    @property
    def listener(self) -> Listener:
        """Hears what happens."""

    # Which workbench a kind opens only the kind knows.
    def bench(self) -> Any:
        """Return the workbench of the tool's kind; raises as `Kind.open`."""

    # Likewise for its requests.
    def judge(self, request: Any) -> JudgedSubject:
        """Return the verdict about a request of the tool's kind; raises UsageError as `Workbench.observe`."""

    def advisor(self, name: str, path: str) -> MeteredAdvisor:
        """Return the model that is configured under a name for a path; raises UsageError where none can be asked."""

    def rehearsal(self, name: str, path: str) -> Rehearsal:
        """Return what would be sent to that model; nothing is, and it needs no key. Raises likewise."""

    def place(self, path: str) -> str:
        """Return a path as it is opened; raises UsageError for one outside of the folders that are lent."""

    def save(self, file: SavedFile) -> None:
        """Write a file; raises UsageError where it cannot be, or is no longer what it was made from."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a further command answers."""

    document: Mapping[str, object]
    pages: Sequence[Page] = ()
    saved: Sequence[SavedFile] = ()
    exit_code: int = 0
    # Written as it is in place of the pages, where it is meant for another program.
    text: str = ""


def rehearsed(requests: Sequence[Mapping[str, object]]) -> Told:
    """Return the answer of a dry run: what would be sent, as JSON."""
    document = {"requests": requests}
    return Told(document, text=json.dumps(document, indent=2, ensure_ascii=False) + "\n")


class Tool(Protocol):
    """A further command of a kind, which prepares or compares subjects and gives no verdict."""

    @property
    def command(self) -> Command:
        """What it is called and takes; a subject may be followed by more, see `Given.others`."""

    def act(self, given: Given, desk: ToolDesk) -> Told:
        """Do what a command line asks for; raises UsageError where it makes no sense, NotAttemptedError as `Workbench`.

        Files are saved by whoever called, after everything else went well.
        """


@dataclass(frozen=True, slots=True)
class AgentTool:
    """What an agent can call by name: its arguments and its answer are JSON."""

    name: str
    description: str
    """What it does and takes, for a model that knows nothing else of it."""
    arguments: Mapping[str, object]
    """The JSON Schema of its arguments."""
    act: Callable[[Mapping[str, object], ToolDesk], Mapping[str, object]]
    """Does what was asked for; raises UsageError where it makes no sense, NotAttemptedError as `Workbench`."""
    writes: bool = False
    """Whether it changes files."""
    at_stop: bool = False
    """Whether it takes ``changed`` and gives by name what is refuted or open; asked so before an agent stops."""
    guide: str = ""
    """More for whoever calls it, where the description is not enough."""
