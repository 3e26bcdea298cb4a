"""From checks to scores, and from reports to the result of the document.

Confidence is certainty in ``valid``, never the share of checks that passed. It follows from what decided the checks:
one certain error makes an invalid output certain, a valid one is as certain as its least certain check, and a layer
that decided nothing puts it into the lowest band. Refuses to call an output good that nothing looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from probatum.core.finding import Severity
from probatum.core.frozen import FrozenDict
from probatum.core.validation import ValidationIssue, ValidationMetadata, ValidationResult
from probatum.judge.advice import Advice
from probatum.judge.layers import NOWHERE, OPEN, Basis, CheckOutcome, LayerReport
from probatum.judge.request import ValidationType

CONFIDENCE: Final = {
    Basis.EXACT: 99,
    Basis.EXECUTED: 95,
    Basis.STRUCTURE: 95,
    Basis.READING: 90,
    Basis.NOTHING: 45,
}
"""In whole percent, by what decided a check: those of exact evidence leave room for a fault of ours."""
NOTHING_DECIDED: Final = 25
"""In whole percent, where a layer decided nothing: Very Low in the document's bands, so that a person looks."""
UNSEEN_QUALITY: Final = 0.5
"""The quality score where nothing looked at the quality."""
OPEN_QUALITY: Final = 0.65
"""The highest quality score where a layer left something open: acceptable, and below what is accepted unseen (0.7)."""


def confidence_of(reports: Iterable[LayerReport], *, is_valid: bool) -> float:
    """Return how certain it is that an output is valid, or that it is not, in [0, 1]."""
    layers = [each.checks for each in reports]
    if not is_valid:
        failed = [
            CONFIDENCE[check.basis] for checks in layers for check in checks if check.state is CheckOutcome.FAILED
        ]
        return max(failed, default=NOTHING_DECIDED) / 100
    if not layers or not all(any(check.basis is not Basis.NOTHING for check in checks) for checks in layers):
        return NOTHING_DECIDED / 100
    return min(CONFIDENCE[check.basis] for checks in layers for check in checks) / 100


def quality_of(reports: Sequence[LayerReport]) -> float:
    """Return how good an output is as far as something looked at it, in [0, 1]."""
    score = next((each.score for each in reports if each.score is not None), UNSEEN_QUALITY)
    is_open = any(not each.checks or any(check.basis is Basis.NOTHING for check in each.checks) for each in reports)
    return min(score, OPEN_QUALITY) if is_open else score


def result_of(
    reports: Sequence[LayerReport],
    duration_ms: float,
    verdict: FrozenDict = FrozenDict(),  # noqa: B008  # cannot change
    advice: Advice | None = None,
) -> ValidationResult:
    """Return the result that the reports of all layers come to, with what a model says where evidence is silent."""
    issues = (*_issues(reports, advice), *(advice.issues if advice else ()))
    is_sound = all(each.severity is not Severity.ERROR for report in reports for each in report.issues)
    criteria = [check for report in reports if report.layer is ValidationType.CRITERIA for check in report.checks]
    passed, failed = (
        tuple(check.about for check in criteria if check.state is state or check.about in advised)
        for state, advised in (
            (CheckOutcome.PASSED, advice.passed if advice else ()),
            (CheckOutcome.FAILED, advice.failed if advice else ()),
        )
    )
    confidence, quality = confidence_of(reports, is_valid=is_sound), quality_of(reports)
    if advice and is_sound and advice.confidence is not None:
        confidence = advice.confidence
    if advice and advice.quality is not None:
        quality = advice.quality
    run, duration, model = [each.layer.value for each in reports], round(duration_ms, 3), advice.model if advice else ""
    return ValidationResult(
        valid=all(each.severity is not Severity.ERROR for each in issues),
        confidence=confidence,
        issues=issues,
        quality_score=quality,
        passed_criteria=passed,
        failed_criteria=failed,
        metadata=ValidationMetadata.of(run, issues, duration, model),
        claims=tuple(dict.fromkeys(claim for report in reports for claim in report.claims)),
        verdict=verdict,
    )


def _issues(reports: Sequence[LayerReport], advice: Advice | None) -> Iterator[ValidationIssue]:
    """Yield the issues of evidence, but for those that only say that something is open on which a model has a word."""
    words = {*advice.passed, *advice.failed} if advice else set[object]()
    if advice and advice.quality is not None:
        words.add(ValidationType.QUALITY.value)
    for each in (found for report in reports for found in report.issues):
        if each.evidence.get(OPEN) not in words or OPEN not in each.evidence:
            place = each.location.name if each.location is not None else NOWHERE
            yield ValidationIssue(each.severity, each.kind, each.message, place, each.suggestion)
