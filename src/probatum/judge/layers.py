"""What a layer of validation reports: every check that it made, what decided it, and the issues that follow.

Refuses a message that does not fit the schema of an issue: `issue` brings it to its bounds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.outside import visible
from probatum.core.validation import LEAST_TEXT, MOST_TEXT, ClaimReport, IssueType
from probatum.judge.request import ValidationType

ROOT: Final = "root"
NOWHERE: Final = "N/A"
OPEN: Final = "open"
"""The entry of an issue's evidence that names what is open, where the issue says nothing else."""


class CheckOutcome(StrEnum):
    """How a check came out."""

    PASSED = "passed"
    FAILED = "failed"
    UNDECIDED = "undecided"


class Basis(StrEnum):
    """What decided a check; the confidence of the result follows from it."""

    EXACT = "exact"
    """Values compared exactly: a schema, a formal criterion, the values at one path in two JSON values."""
    EXECUTED = "executed"
    """Code that ran in the sandbox."""
    STRUCTURE = "structure"
    """What a parser or a linter says."""
    READING = "reading"
    """A reading that counts under the policy, and whose checks hold."""
    NOTHING = "nothing"
    """Nothing decided it."""


@dataclass(frozen=True, slots=True)
class LayerCheck:
    """One check: its id such as ``criteria[0]``, what was checked, how it came out, and by what."""

    id: str
    about: str
    state: CheckOutcome
    basis: Basis
    evidence: FrozenDict = field(default_factory=FrozenDict)
    """What was observed, as canonical JSON without floats."""

    def __post_init__(self) -> None:
        if (self.basis is Basis.NOTHING) is not (self.state is CheckOutcome.UNDECIDED):
            raise ValueError("a check is undecided where nothing decided it, and only there")
        object.__setattr__(self, "evidence", frozen_dict(self.evidence))


@dataclass(frozen=True, slots=True)
class LayerReport:
    """Everything that one layer found."""

    layer: ValidationType
    checks: tuple[LayerCheck, ...]
    issues: tuple[Finding, ...] = ()
    claims: tuple[ClaimReport, ...] = ()
    score: float | None = None
    """How good the output is in [0, 1]; None where nothing looked at its quality."""


def issue(
    severity: Severity, kind: IssueType, message: str, location: str = NOWHERE, suggestion: str = "", **evidence: object
) -> Finding:
    """Return an issue as a finding whose texts fit the schema; ``location`` is as the schema writes it."""
    place = Location(0, 0, location)
    told = fitting(suggestion) if suggestion else ""
    return Finding(severity, kind.value, fitting(message), place, told, FrozenDict(evidence))


def fitting(text: str) -> str:
    """Return a text of a length that the schema allows, on one line; what is not visible in it is escaped."""
    line = visible(" ".join(text.split()))
    if len(line) > MOST_TEXT:
        return f"{line[: MOST_TEXT - 1]}…"
    return line if len(line) >= LEAST_TEXT else f"Issue: {line}".ljust(LEAST_TEXT, ".")
