"""What to do with a validation result: bands in words, an interpretation, a report, a retry, and the usual questions.

For people and for routing: the verdict, and nothing here, says whether an output may be acted on. Refuses a score
outside of [0, 1].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from inspect import isawaitable
from typing import Final, Protocol

from probatum.core.errors import BudgetError
from probatum.core.finding import Severity
from probatum.core.outside import visible
from probatum.core.validation import IssueType, ValidationIssue, ValidationResult

MANUAL_REVIEW_BELOW: Final = 0.6
"""A confidence below this one is for a person to look at."""
_CUTS: Final = (0.9, 0.7, 0.5, 0.3)
_CONFIDENCE_LEVELS: Final = ("Very High", "High", "Medium", "Low", "Very Low")
_QUALITY_GRADES: Final = ("Excellent", "Good", "Fair", "Poor", "Very Poor")
_LEAST_THRESHOLD: Final = Decimal("0.5")
_STEP: Final = Decimal("0.1")

Validate = Callable[..., ValidationResult | Awaitable[ValidationResult]]


class Validator(Protocol):
    """What validates outputs, here or elsewhere, at once or awaited."""

    @property
    def validate(self) -> Validate:
        """What is called with an output."""
        ...


@dataclass(frozen=True, slots=True)
class IssueCount:
    """How many issues of one type and severity there were."""

    type: str
    severity: Severity
    count: int


def confidence_level(score: float) -> str:
    """Return a confidence in words, from ``Very High`` to ``Very Low``; a band begins at its cut."""
    return _band(score, _CONFIDENCE_LEVELS)


def quality_grade(score: float) -> str:
    """Return a quality score in words, from ``Excellent`` to ``Very Poor``; a band begins at its cut."""
    return _band(score, _QUALITY_GRADES)


def _band(score: float, names: tuple[str, ...]) -> str:
    _require_score(score)
    return names[sum(score < cut for cut in _CUTS)]


def _require_score(score: float) -> None:
    if isinstance(score, bool) or not 0 <= score <= 1:
        raise ValueError(f"a score is a number in [0, 1], got {score!r}")


def interpret_validation_result(result: ValidationResult) -> str:
    """Return what a result means, in one sentence."""
    if result.valid and result.quality_score >= 0.8:
        return "✅ Output is excellent and ready to use"
    if result.valid and result.quality_score >= 0.6:
        return "⚠️ Output is acceptable but could be improved"
    if result.valid:
        return "⚠️ Output is valid but quality is below threshold"
    if result.confidence > 0.8:
        return "❌ Output is invalid (high confidence)"
    if result.confidence < 0.5:
        return "❓ Output may be invalid (low confidence, manual review needed)"
    return "❌ Output is invalid"


def get_blocking_issues(result: ValidationResult) -> list[ValidationIssue]:
    """Return the errors, which alone prevent acceptance."""
    return [issue for issue in result.issues if issue.severity is Severity.ERROR]


def has_security_issues(result: ValidationResult) -> bool:
    """True where an issue of any severity is about security."""
    return any(issue.type == IssueType.SECURITY_ISSUE for issue in result.issues)


def needs_manual_review(result: ValidationResult) -> bool:
    """True where the result is too uncertain to be acted on unseen."""
    return result.confidence < MANUAL_REVIEW_BELOW


def top_issues(results: Iterable[ValidationResult], limit: int = 10) -> tuple[IssueCount, ...]:
    """Return the most frequent kinds of issues; of equally many, by type and from error to info."""
    counts = Counter((issue.type, issue.severity) for result in results for issue in result.issues)
    severities = list(Severity)
    order = sorted(counts, key=lambda each: (-counts[each], each[0], severities.index(each[1])))
    return tuple(IssueCount(str(kind), severity, counts[kind, severity]) for kind, severity in order[: max(0, limit)])


def generate_validation_report(result: ValidationResult) -> str:
    """Return a result as text for people: errors with what resolves them, warnings, criteria."""
    lines = [
        f"Validation Result: {'✅ PASS' if result.valid else '❌ FAIL'}",
        f"Confidence: {result.confidence:.2f}",
        f"Quality Score: {result.quality_score:.2f}",
        "",
    ]
    errors, warnings = list[str](), list[str]()
    for issue in result.issues:
        told = f"[{visible(issue.type)}] {visible(issue.message)}"
        if issue.severity is Severity.ERROR:
            errors.append(told + (f"\n    → {visible(issue.suggestion)}" if issue.suggestion else ""))
        elif issue.severity is Severity.WARNING:
            warnings.append(told)
    sections = {
        "🔴 ERRORS": errors,
        "🟡 WARNINGS": warnings,
        "✅ PASSED CRITERIA": list(map(visible, result.passed_criteria)),
        "❌ FAILED CRITERIA": list(map(visible, result.failed_criteria)),
    }
    for title, entries in sections.items():
        if entries:
            lines += [f"{title} ({len(entries)})", *(f"  • {entry}" for entry in entries), ""]
    return "\n".join(lines)


async def validate_with_retry(
    validate: Validate | Validator,
    output: object,
    min_quality_score: float = 0.8,
    max_retries: int = 3,
    **request: object,
) -> ValidationResult:
    """Return the first result that is valid and good enough; each attempt asks for a tenth less, down to 0.5.

    Args:
        validate: what validates, or has a method ``validate``; its result may have to be awaited.
        output: what is validated, each time again.
        min_quality_score: what the first attempt asks for.
        max_retries: how many attempts there are in all.
        request: whatever else ``validate`` takes, such as ``validation_types``.

    Raises:
        BudgetError: no attempt was good enough (``judge.retries_used_up``).
        ValueError: there is to be no attempt, or the score is none.
    """
    _require_score(min_quality_score)
    if max_retries < 1:
        raise ValueError(f"there is at least one attempt, got {max_retries}")
    attempt: Validate = validate.validate if hasattr(validate, "validate") else validate
    # In decimals: as floats, 0.8 - 0.1 is more than 0.7.
    threshold = Decimal(str(min_quality_score))
    least = min(threshold, _LEAST_THRESHOLD)
    told = ""
    for _ in range(max_retries):
        given = attempt(output, **request)
        result = await given if isawaitable(given) else given
        if result.valid and result.quality_score >= float(threshold):
            return result
        validity = "valid" if result.valid else "not valid"
        told = f"The last result is {validity} with a quality of {result.quality_score:.2f}, of {threshold} at least."
        threshold = max(least, threshold - _STEP)
    raise BudgetError("judge.retries_used_up", "Validation failed after maximum retries", told)
