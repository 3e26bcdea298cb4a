"""Questions that the application is asked and the answers it gives: plain frozen values, the same for every interface.

Refuses a bar outside 0 to 1 and a level that does not exist.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum

from probatum.core.canonical import JsonValue
from probatum.core.choice import chosen
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import UsageError
from probatum.core.sheet import Sheet

DEFAULT_MIN_STRENGTH = 0.7


class Level(StrEnum):
    """How much work a verification does; work is counted, not timed."""

    QUICK = "quick"
    STANDARD = "standard"
    THOROUGH = "thorough"


def require_strength(share: float) -> None:
    """Raise UsageError for a share of planted faults that is none."""
    if not 0 <= share <= 1:
        raise UsageError("strength.out_of_range", f"--min-strength takes 0 to 1, got {share!r}.")


def parse_level(name: str) -> Level:
    """Return the level of this name; raises UsageError for an unknown one."""
    return chosen(name, Level, "level")


@dataclass(frozen=True, slots=True)
class ProgramRequest:
    """One program to verify."""

    source: bytes
    name: str
    """What to call the file in reports and in the command that repeats the run."""
    function: str | None = None
    """Only this qualified name; None for every public function that the file defines."""
    contract: str | None = None
    tests: bytes | None = None
    against: bytes | None = None
    level: Level = Level.STANDARD
    min_strength: float = DEFAULT_MIN_STRENGTH
    siblings: tuple[tuple[str, bytes], ...] = ()
    """Modules of the file's project, by dotted name, that it may import."""
    module: str = ""
    """Dotted name of the file as a module, ending in ``.__init__`` for a package; without one, the stem of its name."""
    repeated_with: tuple[str, ...] = ()
    """Further words of the command that repeats the run."""
    suggest: bool = False
    """Whether to look for examples that would notice what no check notices yet."""

    tree: ast.Module | None = None
    """The syntax of the source, where it was parsed already."""

    def __post_init__(self) -> None:
        require_strength(self.min_strength)


@dataclass(frozen=True, slots=True)
class FunctionAnswer:
    """The answer for one function."""

    qualname: str
    verdict: DiagnosticResult
    exit_code: int
    result: dict[str, JsonValue]
    specification: list[JsonValue]
    sheet: Sheet


@dataclass(frozen=True, slots=True)
class ProgramAnswer:
    """The answer for a whole file: its own verdict is the weakest of its functions'."""

    verdict: DiagnosticResult
    exit_code: int
    functions: tuple[FunctionAnswer, ...]
    sheet: Sheet
    saved_tests: str = ""
    """Source of a pytest file with the checks that were run."""
