"""The words of the validation cascade: gates, what came of their steps, and goals that may be approved.

| the document says  | here             | because another value has the name   |
|--------------------|------------------|--------------------------------------|
| `Artifact`         | `GateArtifact`   | `probatum.proof.artifact.Artifact`   |
| `ValidationResult` | `CascadeResult`  | `probatum.core.validation`           |

Refuses to let a step pass that did not run: where a tool is not installed the step is skipped, and says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from pathlib import Path
from typing import Protocol

from probatum.core.approval import APPROVE_AT, Approval, approval
from probatum.core.decision import Decision, DiagnosticStatus, Outcome


class GateType(Enum):
    """The gates, in the order in which they depend on each other."""

    SYNTAX = "syntax"
    LINT = "lint"
    TYPE = "type"
    IMPORT = "import"
    SEMANTIC = "semantic"


class StepState(StrEnum):
    """What came of one step of a gate."""

    PASSED = "passed"
    FAILED = "failed"
    # Not enough is known to say.
    UNDECIDED = "undecided"
    # A fault of the environment: it says nothing about the artifact.
    BLOCKED = "blocked"
    # Its tool is not installed.
    SKIPPED = "skipped"


STATE_OF = {
    Outcome.REFUTED: StepState.FAILED,
    Outcome.NOT_ATTEMPTED: StepState.BLOCKED,
    Outcome.UNDECIDED: StepState.UNDECIDED,
    Outcome.TESTED: StepState.PASSED,
    Outcome.PROVED: StepState.PASSED,
}


@dataclass(frozen=True, slots=True)
class GateArtifact:
    """A file that was generated: where it belongs, whether it is there or not, and its text."""

    path: Path
    content: str | bytes


@dataclass(frozen=True, slots=True)
class ValidationGate:
    """One gate."""

    gate_type: GateType
    id: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.gate_type, GateType):
            raise TypeError(f"a gate has a GateType, got {self.gate_type!r}")
        object.__setattr__(self, "id", self.id or self.gate_type.value)


@dataclass(frozen=True, slots=True)
class ValidationError:
    """One thing that is wrong; lines and columns count from 1."""

    error_type: str
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON."""
        places = {"file": self.file, "line": self.line, "column": self.column}
        return {"error_type": self.error_type, "message": self.message, **places}


@dataclass(frozen=True, slots=True)
class GateStepResult:
    """What came of one gate about one artifact."""

    step: str
    state: StepState
    message: str = ""
    errors: tuple[ValidationError, ...] = ()
    duration_ms: int = field(default=0, compare=False)

    @property
    def passed(self) -> bool:
        """Whether it ran and found nothing; a skipped one did not run."""
        return self.state is StepState.PASSED

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON."""
        errors = [each.to_dict() for each in self.errors]
        return {"gate": self.step, "state": self.state.value, "message": self.message, "errors": errors}


@dataclass(frozen=True, slots=True)
class GateResult:
    """What came of one gate about all artifacts."""

    gate: ValidationGate
    steps: tuple[GateStepResult, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether every step passed, and there was one."""
        return bool(self.steps) and all(step.passed for step in self.steps)

    @property
    def may_go_on(self) -> bool:
        """Whether the next gate may run: every step passed or was skipped."""
        return bool(self.steps) and all(each.state in {StepState.PASSED, StepState.SKIPPED} for each in self.steps)

    @property
    def errors(self) -> tuple[ValidationError, ...]:
        """What is wrong, of every step; one that fails without saying where is an error itself."""
        return tuple(error for step in self.steps for error in _errors_of(step))

    @property
    def duration_ms(self) -> int:
        """How long its steps took."""
        return sum(step.duration_ms for step in self.steps)


def _errors_of(step: GateStepResult) -> Iterator[ValidationError]:
    if step.state not in {StepState.PASSED, StepState.SKIPPED}:
        yield from step.errors or (ValidationError(step.step, step.message),)


class Verification(Protocol):
    """What deep verification answers: a `DeepVerificationResult`, or whatever has these."""

    @property
    def passed(self) -> bool:
        """Whether it is VERIFIED, and meets whatever else was asked for."""

    @property
    def confidence(self) -> float:
        """What the evidence is worth, from 0 to 1."""

    @property
    def issues(self) -> Sequence[object]:
        """What is wrong with it."""

    @property
    def decision(self) -> Decision | None:
        """What follows from the evidence; None where nothing was decided."""


Verify = Callable[[str], Verification | Awaitable[Verification]]
"""Verifies a source."""


@dataclass(frozen=True, slots=True)
class CascadeResult:
    """What came of a whole cascade: every gate that ran, the last one the one that ended it."""

    source: str
    gate_results: tuple[GateResult, ...]
    asked: tuple[GateType, ...]
    verification: Verification | None = None
    repairs: int = 0
    # Why repairing ended before something passed; empty where it did not.
    repair_ended: str = ""

    @property
    def passed(self) -> bool:
        """Whether every gate that was asked for passed or was skipped, and at least one passed."""
        ran = self.gate_results
        return len(ran) == len(self.asked) and all(e.may_go_on for e in ran) and any(e.passed for e in ran)

    @property
    def errors(self) -> tuple[ValidationError, ...]:
        """What is wrong; empty where it passed."""
        return tuple(error for each in self.gate_results for error in each.errors)

    @property
    def skipped(self) -> tuple[str, ...]:
        """The gates that did not run because their tool is not installed."""
        steps = (step for each in self.gate_results for step in each.steps)
        return tuple(step.step for step in steps if step.state is StepState.SKIPPED)

    @property
    def state(self) -> StepState:
        """What came of it: what ended it; undecided where no gate ran."""
        states = [step.state for each in self.gate_results for step in each.steps]
        ended = next((each for each in states if each not in {StepState.PASSED, StepState.SKIPPED}), None)
        return ended or (StepState.PASSED if self.passed else StepState.UNDECIDED)

    @property
    def duration_ms(self) -> int:
        """How long its gates took."""
        return sum(each.duration_ms for each in self.gate_results)

    def approval(self, at: float = APPROVE_AT) -> Approval:
        """Return whether it may be acted on without a person; raises UsageError as `core.approval.require_bar`."""
        return approval_of_verification(self.verification, at, "" if self.passed else self._why_not)

    @property
    def _why_not(self) -> str:
        ended = next((each.gate.id for each in self.gate_results if not each.may_go_on), None)
        return f"the {ended} gate did not pass" if ended else "no gate ran"


def approval_of_verification(found: Verification | None, at: float = APPROVE_AT, against: str = "") -> Approval:
    """Return whether a verification lets its subject be acted on without a person; nothing verified lets nothing."""
    if found is None or found.decision is None:
        return approval(DiagnosticStatus.UNVERIFIABLE, 0.0, at, against or "nothing was verified")
    status = found.decision.status
    contradicts = status is DiagnosticStatus.VERIFIED and found.passed is not True
    return approval(status, found.confidence, at, against or ("it did not pass" if contradicts else ""))


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
    verification: Verification | None = None
    failure_reason: str = ""


def approval_of(goal: Goal, verification: Verification | None, approve_at: float = APPROVE_AT) -> GoalResult:
    """Approve what was verified for a goal, or hand it to a person; raises UsageError as `core.approval.require_bar`.

    It takes all of these: the goal is ``auto_approvable``, the decision VERIFIED, the result passed, and the confidence
    at least ``approve_at``.
    """
    against = "" if goal.auto_approvable is True else "the goal is not auto-approvable"
    found = approval_of_verification(verification, approve_at, against)
    if found.approved:
        return GoalResult(success=True, auto_approved=True, verification=verification)
    return GoalResult(success=False, needs_review=True, verification=verification, failure_reason=found.reason)
