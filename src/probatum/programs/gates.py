"""The words of the validation cascade: gates, what came of their steps, and goals that may be approved.

| the document says  | here             | because another value has the name   |
|--------------------|------------------|--------------------------------------|
| `Artifact`         | `GateArtifact`   | `probatum.proof.artifact.Artifact`   |
| `ValidationResult` | `CascadeResult`  | `probatum.core.validation`           |

Refuses to let a step pass that did not run: where a tool is not installed the step is skipped, and says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from probatum.core.approval import APPROVE_AT, approval
from probatum.core.decision import DiagnosticStatus
from probatum.core.errors import UsageError, nearest
from probatum.programs.deep.types import DeepVerificationResult
from probatum.verification.files import GateStepResult, ValidationError


class GateType(Enum):
    """The gates, in the order in which they depend on each other."""

    SYNTAX = "syntax"
    LINT = "lint"
    TYPE = "type"
    IMPORT = "import"
    SEMANTIC = "semantic"


def gates_named(names: Iterable[GateType | str]) -> tuple[GateType, ...]:
    """Return the gates that are named, in their own order; raises UsageError for none, and for an unknown one."""
    known = [each.value for each in GateType]
    named = [each.value if isinstance(each, GateType) else str(each) for each in names]
    unknown = next((each for each in named if each not in known), None)
    if unknown is not None or not named:
        sentence = "No gate is named." if unknown is None else f"There is no gate {unknown[:40]!r}."
        raise UsageError("gate.unknown", sentence, nearest(unknown or "", known) or f"There are {', '.join(known)}.")
    return tuple(each for each in GateType if each.value in named)


@dataclass(frozen=True, slots=True)
class GateArtifact:
    """A file that was generated: where it belongs, whether it is there or not, and its text."""

    path: Path
    content: str | bytes


@dataclass(frozen=True, slots=True)
class ValidationGate:
    """One gate."""

    gate_type: GateType


@dataclass(frozen=True, slots=True)
class GateResult:
    """What came of one gate about all artifacts."""

    gate: ValidationGate
    steps: tuple[GateStepResult, ...]

    @property
    def passed(self) -> bool:
        """Whether every step passed, and there was one."""
        return bool(self.steps) and all(step.passed for step in self.steps)

    @property
    def errors(self) -> tuple[ValidationError, ...]:
        """What is wrong, of every step."""
        return tuple(error for step in self.steps for error in step.errors)


Verify = Callable[[str], DeepVerificationResult | Awaitable[DeepVerificationResult]]
"""Verifies a source; whatever has `passed`, `confidence`, `issues` and `decision` will do for a result."""


@dataclass(frozen=True, slots=True)
class CascadeResult:
    """What came of a whole cascade: a step for every gate that ran, the last one the one that ended it."""

    source: str
    steps: tuple[GateStepResult, ...]
    verification: DeepVerificationResult | None = None
    repairs: int = 0
    # Why repairing ended before something passed; empty where it did not.
    repair_ended: str = ""

    @property
    def passed(self) -> bool:
        """Whether every gate passed or was skipped, and at least one passed."""
        return all(step.may_go_on for step in self.steps) and any(step.passed for step in self.steps)

    @property
    def errors(self) -> tuple[ValidationError, ...]:
        """What is wrong; empty where it passed."""
        return tuple(error for step in self.steps for error in step.errors)


@dataclass(frozen=True, slots=True)
class Goal:
    """What an autonomous loop works on; only one that is ``auto_approvable`` is ever approved without a person."""

    id: str
    title: str
    description: str
    auto_approvable: bool = False


@dataclass(frozen=True, slots=True)
class GoalResult:
    """What came of a goal: approved, or to be reviewed by a person, who gets the verification."""

    success: bool
    auto_approved: bool = False
    needs_review: bool = False
    verification: DeepVerificationResult | None = None
    failure_reason: str = ""


def approval_of(goal: Goal, verification: DeepVerificationResult | None, approve_at: float = APPROVE_AT) -> GoalResult:
    """Approve what was verified for a goal, or hand it to a person; raises UsageError as `core.approval.require_bar`.

    It takes all of these: the goal is ``auto_approvable``, the decision VERIFIED, the result passed, and the confidence
    at least ``approve_at``.
    """
    against = "" if goal.auto_approvable is True else "the goal is not auto-approvable"
    if verification is None or verification.decision is None:
        found = approval(DiagnosticStatus.UNVERIFIABLE, 0.0, approve_at, against or "nothing was verified")
    else:
        status = verification.decision.status
        contradicts = status is DiagnosticStatus.VERIFIED and verification.passed is not True
        against = against or ("it did not pass" if contradicts else "")
        found = approval(status, verification.confidence, approve_at, against)
    reason = "" if found.approved else found.reason
    return GoalResult(found.approved, found.approved, not found.approved, verification, reason)
