"""Kinds whose subjects are files that people edit: which files, from what they were read, what of them stayed the same.

The application keeps answers by these values. Refuses nothing itself: whatever a kind cannot tell apart, it tells as
changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeVar

from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.core.ports import SourceReader
from probatum.verification.observed import Refusal

RequestT = TypeVar("RequestT")
RequestT_contra = TypeVar("RequestT_contra", contravariant=True)
_STATE: Final[Mapping[Outcome | None, str]] = {
    None: "skipped",
    **dict.fromkeys((Outcome.TESTED, Outcome.PROVED), "passed"),
    Outcome.REFUTED: "failed",
    Outcome.UNDECIDED: "undecided",
    Outcome.NOT_ATTEMPTED: "blocked",
}


@dataclass(frozen=True, slots=True)
class FilePath:
    """One file that is asked about; ``name`` is the one part of it that is, empty for all of it."""

    path: str
    name: str = ""
    # The folder in which it was found; empty where it was named itself.
    root: str = ""

    @property
    def is_found(self) -> bool:
        """Whether it was found in a folder: there, a file without anything to verify is skipped."""
        return bool(self.root)

    @property
    def subject(self) -> str:
        """What a command line calls it."""
        return f"{self.path}::{self.name}" if self.name else self.path


@dataclass(frozen=True, slots=True)
class Slice:
    """One definition of a file, with a digest of everything that the verdicts about it depend on."""

    # How the names of its parts begin, up to the first dot; empty for parts that no definition makes.
    name: str
    digest: str
    # The same of its own text and readings alone.
    own: str
    # First line and number of lines of each piece of the file in it.
    lines: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Ignored:
    """A definition that its author asks to leave out, and why."""

    name: str
    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class Changed:
    """The names of the definitions of a file that are not as they were, and of those that what changed may reach."""

    edited: frozenset[str]
    reached: frozenset[str]


@dataclass(frozen=True, slots=True)
class ValidationError:
    """One thing that is wrong; lines and columns count from 1."""

    error_type: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class GateStepResult:
    """What came of one gate about one artifact; one that ends the cascade says why in ``errors``."""

    step: str
    # None where its tool is not installed.
    outcome: Outcome | None
    message: str
    errors: tuple[ValidationError, ...] = ()

    @property
    def state(self) -> str:
        """One of passed, failed, undecided, blocked and skipped."""
        return _STATE[self.outcome]

    @property
    def passed(self) -> bool:
        """Whether it ran and found nothing; a skipped one did not run."""
        return self.outcome in {Outcome.TESTED, Outcome.PROVED}

    @property
    def may_go_on(self) -> bool:
        """Whether the next gate may run."""
        return self.passed or self.outcome is None


@dataclass(frozen=True, slots=True)
class Gated:
    """What the gates before the verdict say of one file."""

    path: FilePath
    steps: tuple[GateStepResult, ...]

    @property
    def ended(self) -> Outcome | None:
        """What ended them, so that there is no verdict; None where nothing did."""
        return next((step.outcome for step in self.steps if not step.may_go_on), None)


class ChangesSince(Protocol[RequestT_contra]):
    """Compares files with what they were at a revision."""

    def of(self, request: RequestT_contra) -> Changed | None:
        """Return which definitions are not as they were; None for everything in the file.

        Raises UsageError where there is no such revision.
        """


class Files(Protocol[RequestT]):
    """What a kind tells of its files."""

    nothing: str
    """The constraint of a file of which nothing is left to judge."""
    elsewhere: frozenset[str]
    """Options whose meaning lies outside of the files, such as what a revision holds."""
    passing: frozenset[str]
    """Constraints of answers that may be others when they are asked for again."""

    def paths(self, given: Given) -> Sequence[FilePath]:
        """Return the files that are asked for, in order; raises UsageError for one that is none of this kind."""

    def about(self, given: Given) -> bytes | None:
        """Return what all verdicts depend on beside the files: versions and the interpreter.

        None where answers must not be kept, such as with options that name further files.
        """

    def quickly(self, given: Given) -> Given:
        """Return the question that asks for the least work; what it refutes, this one refutes as well."""

    def request(self, path: FilePath, given: Given, sources: SourceReader) -> RequestT | Refusal:
        """Return what is asked about one file; raises UsageError where that makes no sense.

        A file that was found in a folder never does that: it is refused, and the others are judged.
        """

    def read_from(self, request: RequestT) -> Mapping[str, str]:
        """Return the digest of every file that was read for a request, by path, in hexadecimal SHA-256.

        That of a file that was looked for, and is not there, is empty.
        """

    def slices(self, request: RequestT, about: bytes) -> Sequence[Slice]:
        """Return a slice for each definition; none where the file cannot be read as one of this kind."""

    def changes(self, revision: str, about: bytes) -> ChangesSince[RequestT]:
        """Return what compares requests with a revision, such as ``HEAD``."""

    def ignored(self, request: RequestT) -> Sequence[Ignored]:
        """Return the definitions to be left out."""

    def without(self, request: RequestT, names: frozenset[str]) -> RequestT:
        """Return a request that leaves these definitions out."""

    def gated(self, path: FilePath, given: Given, sources: SourceReader, open_bench: Callable[[], Any]) -> Gated:
        """Return what the gates say that were asked for; raises UsageError for an unknown one, and as `request`.

        ``open_bench`` returns the workbench of the kind.
        """

    def has_nothing(self, request: RequestT) -> bool:
        """Return whether a file defines nothing that could be judged."""
