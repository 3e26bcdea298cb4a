"""What one verifier says of its slot: pass, fail, warn or skipped, with the evidence for it.

A fail says whose fault it is. Only a fault of the subject can refute it; one of the verifier or of the environment
says nothing about the subject. Refuses: a status that is none of the four, a fault without a fail, texts that are no
texts. Evidence may hold any value; it becomes JSON when it is written out, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.verification.evidence import frozen_evidence, jsonable


class VerificationStatus(str, Enum):
    """What a verifier says; the values are what is written on the wire."""

    PASS = "pass"  # noqa: S105  a status, no password
    FAIL = "fail"
    WARN = "warn"
    SKIPPED = "skipped"


class Fault(StrEnum):
    """Whose fault a fail is."""

    SUBJECT = "subject"
    """The output, or the tests given for it, are wrong."""
    VERIFIER = "verifier"
    """The verifier raised, hung, answered nonsense or is unknown."""
    ENVIRONMENT = "environment"
    """An executable, a sandbox, memory or time was missing."""


@dataclass(frozen=True, slots=True)
class VerificationResult:
    """The answer of one verifier about one input and output."""

    status: VerificationStatus
    verifier_id: str
    summary: str
    evidence: Mapping[str, object] = field(default_factory=FrozenDict)
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    elapsed_seconds: float | None = None
    fault: Fault | None = None
    """Of a fail, whose fault it is: the subject's where nothing else is said. None for everything else."""
    could_have_failed: bool = True
    """False where nothing was enforced, so that a pass establishes nothing."""
    findings: tuple[Finding, ...] = ()
    """What ``errors`` and ``warnings`` say, with places and values, where the verifier knows them."""

    def __post_init__(self) -> None:
        if type(self.status) is not VerificationStatus:
            allowed = ", ".join(status.value for status in VerificationStatus)
            raise ValueError(f"status must be a VerificationStatus ({allowed}), got {repr(self.status)[:80]}")
        if type(self.verifier_id) is not str or type(self.summary) is not str:
            raise ValueError("verifier_id and summary must be text")
        if not isinstance(self.evidence, Mapping):
            raise ValueError(f"evidence must be an object, got {type(self.evidence).__name__}")
        object.__setattr__(self, "evidence", frozen_evidence(self.evidence))
        object.__setattr__(self, "errors", _texts(self.errors, "errors"))
        object.__setattr__(self, "warnings", _texts(self.warnings, "warnings"))
        seconds = self.elapsed_seconds
        if seconds is not None and (type(seconds) not in {int, float} or not 0 <= seconds < float("inf")):
            raise ValueError(f"elapsed_seconds must be a time or None, got {repr(seconds)[:80]}")
        _check_fault(self)
        if type(self.could_have_failed) is not bool:
            raise ValueError("could_have_failed must be True or False")
        if not all(type(finding) is Finding for finding in self.findings):
            raise ValueError("findings must be Finding values")
        object.__setattr__(self, "findings", tuple(self.findings))


def _check_fault(result: VerificationResult) -> None:
    is_fail = result.status is VerificationStatus.FAIL
    if result.fault is None and is_fail:
        object.__setattr__(result, "fault", Fault.SUBJECT)
    elif result.fault is not None and (not is_fail or type(result.fault) is not Fault):
        raise ValueError(f"a fault is a Fault and belongs to a fail, got {repr(result.fault)[:80]}")


def _texts(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)) or not all(type(text) is str for text in value):
        raise ValueError(f"{name} must be a list of texts, got {repr(value)[:80]}")
    return tuple(value)


def result_from_findings(
    verifier_id: str,
    findings: Sequence[Finding],
    summary: str,
    *,
    evidence: Mapping[str, object] | None = None,
    could_have_failed: bool = True,
) -> VerificationResult:
    """Return the result that these findings give: any error fails it by the subject's fault."""
    errors = _messages(findings, Severity.ERROR)
    warnings = _messages(findings, Severity.WARNING)
    status = VerificationStatus.FAIL if errors else VerificationStatus.PASS
    return VerificationResult(
        status,
        verifier_id,
        summary,
        evidence or {},
        errors,
        warnings,
        could_have_failed=could_have_failed,
        findings=tuple(findings),
    )


def _messages(findings: Sequence[Finding], severity: Severity) -> tuple[str, ...]:
    return tuple(finding.message for finding in findings if finding.severity is severity)


_SLOTS: Final = tuple(
    (getattr(VerificationResult, name).__get__, getattr(VerificationResult, name).__set__)
    for name in VerificationResult.__slots__
)


def timed(result: VerificationResult, seconds: float) -> VerificationResult:
    """Return a result with the time that it took; what was checked when it was made is not checked again."""
    copy = object.__new__(VerificationResult)
    # The slots' own descriptors look no name up: every output of a long stream comes through here.
    for read, write in _SLOTS:
        write(copy, read(result))
    object.__setattr__(copy, "elapsed_seconds", seconds)
    return copy


def broken(verifier_id: str, summary: str, detail: str = "", fault: Fault = Fault.VERIFIER) -> VerificationResult:
    """Return the fail of a slot whose verifier could not answer."""
    return VerificationResult(VerificationStatus.FAIL, verifier_id, summary, {}, (detail or summary,), fault=fault)


_TOLD: Final = ("verifier_id", "summary", "evidence", "errors", "warnings")


def verification_result_to_dict(result: VerificationResult) -> dict[str, object]:
    """Return a result as JSON: lists for tuples, texts for what JSON does not have; a fail also says whose fault."""
    written: dict[str, object] = {"status": result.status.value}
    written |= {name: jsonable(getattr(result, name)) for name in _TOLD}
    written["elapsed_seconds"] = result.elapsed_seconds
    if result.fault is not None:
        written["fault"] = result.fault.value
    return written


def verification_results_to_jsonable(results: Iterable[VerificationResult]) -> list[dict[str, object]]:
    """Return results as a list that `json.dumps` writes."""
    return [verification_result_to_dict(result) for result in results]
