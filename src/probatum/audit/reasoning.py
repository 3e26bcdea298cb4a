"""What an audit gives: the trace with its steps and policy, the checks, and what a dispute points at.

They hold what somebody says and judge nothing: `probatum.audit.tracepolicy` judges a trace. Refuses unknown keys, and a
step of a type that the document does not have.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from pydantic import Field

from probatum.audit.errors import CournotError
from probatum.audit.schemas import Listed, Members, Name, Sentence, Told, Wire

StepType = Literal["search", "extract", "check", "deduce", "aggregate", "map"]


class TracePolicy(Wire):
    """What holds for a trace; ``extra`` records what its maker decided, such as tolerances and the evidence's root."""

    schema_version: str = "v1"
    decoding_policy: str = "strict"
    allow_external_sources: bool = False
    max_steps: int = Field(default=200, ge=1)
    extra: Members = {}


class ReasoningStep(Wire):
    """One step: what was done, on which evidence, after which steps, and what came out."""

    step_id: Name
    type: StepType
    inputs: Told = {}
    action: Sentence
    output: Told = {}
    evidence_ids: Listed[str] = []
    prior_step_ids: Listed[str] = []
    hash_commitment: str | None = None


class ReasoningTrace(Wire):
    """All steps, in order."""

    schema_version: str = "v1"
    trace_id: Name
    policy: TracePolicy = TracePolicy()
    steps: Listed[ReasoningStep] = []
    evidence_refs: Listed[str] = []


class CheckResult(Wire):
    """What one check found; a conflict is a warning that holds."""

    check_id: Name
    ok: bool
    severity: Literal["info", "warn", "error"]
    message: Sentence
    details: Told = {}

    @classmethod
    def passed(cls, check_id: str, message: str, details: Mapping[str, object] | None = None) -> CheckResult:
        """Return a check that holds."""
        return cls(check_id=check_id, ok=True, severity="info", message=message, details=dict(details or {}))

    @classmethod
    def warning(cls, check_id: str, message: str, details: Mapping[str, object] | None = None) -> CheckResult:
        """Return a check that holds, and that a reader should look at."""
        return cls(check_id=check_id, ok=True, severity="warn", message=message, details=dict(details or {}))

    @classmethod
    def failed(cls, check_id: str, message: str, details: Mapping[str, object] | None = None) -> CheckResult:
        """Return a check that does not hold."""
        return cls(check_id=check_id, ok=False, severity="error", message=message, details=dict(details or {}))

    @property
    def is_error(self) -> bool:
        """Whether it does not hold, and that is an error."""
        return not self.ok and self.severity == "error"


class ChallengeRef(Wire):
    """What a dispute points at: a leaf of the evidence or of the reasoning."""

    kind: Literal["evidence_leaf", "reasoning_leaf", "verdict_hash", "por_bundle", "provenance_tier"]
    leaf_index: int | None = None
    evidence_id: str | None = None
    step_id: str | None = None
    reason: Sentence | None = None


class AuditVerification(Wire):
    """All checks; ``ok`` only where each of them holds, and never where there is none."""

    ok: bool
    checks: Listed[CheckResult] = []
    challenge: ChallengeRef | None = None
    error: CournotError | None = None

    @classmethod
    def of(cls, checks: Iterable[CheckResult], challenge: ChallengeRef | None = None) -> AuditVerification:
        """Return what these checks say together: nothing is not success."""
        found = list(checks)
        failed = next((check for check in found if not check.ok), None)
        return cls(ok=bool(found) and failed is None, checks=found, challenge=challenge, error=_error_of(failed))

    def merge(self, other: AuditVerification) -> AuditVerification:
        """Return both together."""
        return self.of((*self.checks, *other.checks), self.challenge or other.challenge)


_CODES: Mapping[str, str] = {
    "trace": "TRACE_POLICY_VIOLATION",
    "contradiction": "REASONING_CONTRADICTION",
    "reference": "EVIDENCE_REFERENCE_INVALID",
    "prior": "STEP_DEPENDENCY_MISSING",
    "time": "TIME_WINDOW_VIOLATION",
    "window": "TIME_WINDOW_VIOLATION",
    "coverage": "EVIDENCE_NOT_FOUND",
    "bundle": "EVIDENCE_NOT_FOUND",
    "confidence": "CONFIDENCE_OUT_OF_BOUNDS",
}


def _error_of(failed: CheckResult | None) -> CournotError | None:
    if failed is None:
        return None
    code = _CODES.get(failed.check_id.partition(".")[0], "AUDIT_CHECK_FAILED")
    return CournotError(code=code, message=failed.message, details={"check_id": failed.check_id})
