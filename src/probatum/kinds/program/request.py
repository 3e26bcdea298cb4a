"""A question about one program, as a plain frozen value.

Refuses a bar outside 0 to 1 and a level that does not exist.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from probatum.core.choice import chosen
from probatum.core.command import Given
from probatum.core.errors import UsageError
from probatum.core.outside import shell_command
from probatum.programs.decide import DEFAULT_MIN_STRENGTH, EvidencePolicy, Level
from probatum.readings.acceptances import SELF, NotCounted
from probatum.readings.policies import ACCEPTED, require_policy
from probatum.readings.values import ReadingRecord

# The verifier that stands for deep verification of programs inside other kinds.
VERIFIER_ID = "program.deep"


def require_strength(share: float) -> None:
    """Raise UsageError for a share of planted faults that is none."""
    if not 0 <= share <= 1:
        raise UsageError("strength.out_of_range", f"--min-strength takes 0 to 1, got {share!r}.")


def level_of(given: Given) -> Level:
    """Return the level that was given, the standard one where none was; raises as `parse_level`."""
    named = given.text("level")
    return Level.STANDARD if named is None else parse_level(named)


def parse_level(name: str) -> Level:
    """Return the level of this name; raises UsageError for an unknown one."""
    return chosen(name, Level, "level")


def evidence_of(given: Given) -> EvidencePolicy:
    """Return the evidence policy that was given, the default one where none was; raises UsageError for another."""
    named = given.text("evidence")
    return EvidencePolicy.SHARED if named is None else chosen(named, EvidencePolicy, "evidence")


def readings_policy_of(given: Given) -> str:
    """Return the policy of readings that was given, the default one where none was; raises UsageError for another."""
    named = given.text("readings-policy")
    return ACCEPTED if named is None else require_policy(named)


@dataclass(frozen=True, slots=True)
class ProgramRequest:
    """One program to verify."""

    content: bytes
    # What to call the file in reports and in the command that repeats the run.
    name: str
    # Only this qualified name; None for every public function that the file defines.
    function: str | None = None
    contract: str | None = None
    tests: bytes | None = None
    against: bytes | None = None
    level: Level = Level.STANDARD
    min_strength: float = DEFAULT_MIN_STRENGTH
    # Whether checks count that have to share a process with the program.
    evidence: EvidencePolicy = EvidencePolicy.SHARED
    # Whether nothing may change that the earlier version answers.
    refactor: bool = False
    # What readers wrote about its documentation.
    readings: tuple[ReadingRecord, ...] = ()
    # Which of them count, see `readings.policies`.
    readings_policy: str = ACCEPTED
    # By whose acceptance some of them are accepted, see `readings.acceptances`; it is decided before.
    acceptance: str = SELF
    # Acceptances that do not count under it.
    not_counted: tuple[NotCounted, ...] = ()
    # Whether statements of the documentation that nothing checks are tolerated.
    allow_unchecked: bool = False
    # Modules of the file's project, by dotted name, that it may import.
    siblings: tuple[tuple[str, bytes], ...] = ()
    # Data files of their packages, by path from the project's root.
    files: tuple[tuple[str, bytes], ...] = ()
    # What of these was left out, each with its reason.
    left_out: tuple[str, ...] = ()
    # The folder of installed packages in which the file lies, empty where it lies in none.
    installed_in: str = ""
    # Dotted name of the file as a module, ending in ``.__init__`` for a package; without one, the stem of its name.
    module: str = ""
    # Further words of the command that repeats the run.
    repeated_with: tuple[str, ...] = ()
    # Whether to look for examples that would notice what no check notices yet.
    suggest: bool = False
    # Definitions of the file that are left out, by the names that its own start with.
    without: frozenset[str] = frozenset()
    # The paths of all files that were read for it, each with the digest of what it held; empty where there was none.
    read_from: tuple[tuple[str, str], ...] = field(default=(), compare=False, repr=False)
    # The syntax of the source, where it was parsed already.
    tree: ast.Module | None = field(default=None, compare=False, repr=False)
    # Where the checks that were run are saved as a pytest file; None for nowhere.
    save_to: Path | None = None

    def __post_init__(self) -> None:
        require_strength(self.min_strength)
        if self.refactor and self.against is None:
            sentence = "A refactoring is compared with an earlier version, and none was given."
            raise UsageError("refactor.nothing", sentence, "Name it with --against OLD, such as --against git:HEAD.")

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: the file's name, with the function's where it is about one alone."""
        return f"{self.name}::{self.function}" if self.function else self.name


def repeat_command(
    request: ProgramRequest, qualname: str | None = None, level: Level | None = None, further: Sequence[str] = ()
) -> str:
    """Return the command that repeats a run, at another level or with further words where these are given."""
    name = qualname or request.function
    words = ["probatum", "verify", f"{request.name}::{name}" if name else request.name]
    if level is not None or request.level is not Level.STANDARD:
        words += ["--level", (level or request.level).value]
    return shell_command([*words, *request.repeated_with, *further])
