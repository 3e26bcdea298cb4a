"""From checks to scores: how certain a judgement is, and how it comes to a result.

Confidence is certainty in ``valid``, never the share of checks that passed. It follows from what decided the checks:
one certain error makes an invalid output certain, and a valid one is as certain as its least certain check.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from probatum.core.finding import Finding, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.shape import Shape
from probatum.core.validation import ValidationIssue, ValidationMetadata, ValidationResult
from probatum.judge.layers import CERTAINTY, NOWHERE, Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.request import ValidationType

CONFIDENCE: Final = {
    Basis.EXACT: 99,
    Basis.EXECUTED: 95,
    Basis.STRUCTURE: 95,
    Basis.ALIGNED: 75,
    Basis.HEURISTIC: 70,
    Basis.NOTHING: 45,
}
"""In whole percent, by what decided a check: those of exact evidence leave room for a fault of ours."""
_UNCHECKED: Final = 45


def confidence_of(reports: Iterable[LayerReport], *, is_valid: bool) -> float:
    """Return how certain it is that an output is valid, or that it is not, in [0, 1]."""
    checks = [check for report in reports for check in report.checks]
    if is_valid:
        return min((certainty_of(check) for check in checks), default=_UNCHECKED) / 100
    failed = [certainty_of(check) for check in checks if check.state is CheckOutcome.FAILED]
    return max(failed, default=CONFIDENCE[Basis.HEURISTIC]) / 100


def certainty_of(check: LayerCheck) -> int:
    """Return how certain one check is, in whole percent."""
    if CERTAINTY in check.evidence:
        return Shape(check.evidence).whole(CERTAINTY, 0, 100)
    return CONFIDENCE[check.basis]


def result_of(
    reports: Sequence[LayerReport],
    quality_score: float,
    duration_ms: float,
    verdict: FrozenDict = FrozenDict(),  # noqa: B008  # cannot change
    model: str = "",
) -> ValidationResult:
    """Return the result that the reports of all layers come to."""
    issues = tuple(_issue(each) for report in reports for each in report.issues)
    is_valid = all(each.severity is not Severity.ERROR for each in issues)
    criteria = [check for report in reports if report.layer is ValidationType.CRITERIA for check in report.checks]
    passed, failed = (
        tuple(check.about for check in criteria if check.state is state)
        for state in (CheckOutcome.PASSED, CheckOutcome.FAILED)
    )
    return ValidationResult(
        valid=is_valid,
        confidence=confidence_of(reports, is_valid=is_valid),
        issues=issues,
        quality_score=quality_score,
        passed_criteria=passed,
        failed_criteria=failed,
        metadata=ValidationMetadata.of([each.layer.value for each in reports], issues, round(duration_ms, 3), model),
        claims=tuple(dict.fromkeys(claim for report in reports for claim in report.claims)),
        verdict=verdict,
    )


def _issue(finding: Finding) -> ValidationIssue:
    place = finding.location.name if finding.location is not None else NOWHERE
    return ValidationIssue(finding.severity, finding.kind, finding.message, place, finding.suggestion)
