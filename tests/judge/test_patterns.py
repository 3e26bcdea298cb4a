"""What callers do with a result: bands, the six sentences, the report, the retry, the usual questions."""

from __future__ import annotations

import asyncio
from math import inf, nan
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import BudgetError
from probatum.core.finding import Severity
from probatum.core.validation import ValidationIssue, ValidationResult
from probatum.judge.patterns import (
    IssueCount,
    confidence_level,
    generate_validation_report,
    get_blocking_issues,
    has_security_issues,
    interpret_validation_result,
    needs_manual_review,
    quality_grade,
    top_issues,
    validate_with_retry,
)
from tests.judge.strategies import results
from tests.judge.test_result import WHOLE

ERROR = ValidationIssue(Severity.ERROR, "hallucination", "a message of some length")
WARNING = ValidationIssue(Severity.WARNING, "security_issue", "a message of some length")
INFO = ValidationIssue(Severity.INFO, "style_issue", "a message of some length")


def result_of(*issues: ValidationIssue, confidence: float = 1, quality: float = 1) -> ValidationResult:
    return ValidationResult(ERROR not in issues, confidence, issues, quality)


BANDS = [
    (1.0, "Very High", "Excellent"),
    (0.9, "Very High", "Excellent"),
    (0.8999, "High", "Good"),
    (0.895, "High", "Good"),
    (0.7, "High", "Good"),
    (0.6999, "Medium", "Fair"),
    (0.5, "Medium", "Fair"),
    (0.4999, "Low", "Poor"),
    (0.3, "Low", "Poor"),
    (0.2999, "Very Low", "Very Poor"),
    (0, "Very Low", "Very Poor"),
]


@pytest.mark.parametrize(("score", "level", "grade"), BANDS)
def test_a_band_begins_at_its_cut(score: float, level: str, grade: str) -> None:
    assert (confidence_level(score), quality_grade(score)) == (level, grade)


@pytest.mark.parametrize("score", [nan, inf, -0.01, 1.01, True])
def test_what_is_no_score_is_in_no_band(score: float) -> None:
    for band in (confidence_level, quality_grade):
        with pytest.raises(ValueError):
            band(score)


MEANINGS = [
    (result_of(quality=0.8, confidence=0.1), "✅ Output is excellent and ready to use"),
    (result_of(quality=0.799), "⚠️ Output is acceptable but could be improved"),
    (result_of(WARNING, quality=0.6), "⚠️ Output is acceptable but could be improved"),
    (result_of(quality=0.599), "⚠️ Output is valid but quality is below threshold"),
    (result_of(ERROR, confidence=0.81), "❌ Output is invalid (high confidence)"),
    (result_of(ERROR, confidence=0.8), "❌ Output is invalid"),
    (result_of(ERROR, confidence=0.5), "❌ Output is invalid"),
    (result_of(ERROR, confidence=0.49), "❓ Output may be invalid (low confidence, manual review needed)"),
]


@pytest.mark.parametrize(("result", "sentence"), MEANINGS)
def test_a_result_means_one_of_six_sentences(result: ValidationResult, sentence: str) -> None:
    assert interpret_validation_result(result) == sentence


def test_errors_alone_block_and_security_is_told_by_its_type() -> None:
    assert get_blocking_issues(result_of(WARNING, ERROR, INFO)) == [ERROR]
    assert get_blocking_issues(result_of(WARNING, INFO)) == []
    assert has_security_issues(result_of(WARNING))
    assert not has_security_issues(result_of(ERROR, INFO))


@pytest.mark.parametrize(("confidence", "expected"), [(0.59, True), (0.6, False), (1, False), (0, True)])
def test_low_confidence_is_for_a_person(confidence: float, *, expected: bool) -> None:
    assert needs_manual_review(result_of(confidence=confidence)) is expected


def test_the_most_frequent_issues_come_first_and_ties_have_one_order() -> None:
    softer = ValidationIssue(Severity.INFO, "security_issue", "another message of some length")
    some = [result_of(ERROR, WARNING, WARNING, softer), result_of(WARNING), result_of(INFO, softer), result_of()]
    expected = (
        IssueCount("security_issue", Severity.WARNING, 3),
        IssueCount("security_issue", Severity.INFO, 2),
        IssueCount("hallucination", Severity.ERROR, 1),
        IssueCount("style_issue", Severity.INFO, 1),
    )
    assert top_issues(some) == top_issues(reversed(some)) == expected
    assert top_issues(some, limit=1) == expected[:1]
    assert top_issues(some, limit=0) == top_issues([]) == ()


REPORT = """Validation Result: ❌ FAIL
Confidence: 0.95
Quality Score: 0.55

🔴 ERRORS (1)
  • [missing_field] Missing required field 'tests'
    → Add a 'tests' field containing unit tests for the code

🟡 WARNINGS (1)
  • [style_issue] Function lacks docstring

✅ PASSED CRITERIA (1)
  • Code implements sorting functionality

❌ FAILED CRITERIA (1)
  • Tests are included
"""


def test_the_report_has_the_lines_of_the_document() -> None:
    assert generate_validation_report(ValidationResult.from_dict(WHOLE)) == REPORT


def test_a_report_of_infos_alone_has_no_section() -> None:
    expected = "Validation Result: ✅ PASS\nConfidence: 1.00\nQuality Score: 1.00\n"
    assert generate_validation_report(result_of(INFO)) == expected


def test_nobody_writes_lines_of_the_report_but_the_report() -> None:
    forged = ValidationResult(True, 1, (), 1, passed_criteria=("x\n\n❌ FAILED CRITERIA (1)\r\x1b[2J\u202e",))
    assert generate_validation_report(forged).splitlines()[4:] == [
        "✅ PASSED CRITERIA (1)",
        "  • x\\n\\n❌ FAILED CRITERIA (1)\\r\\x1b[2J\\u202e",
    ]


@given(results())
def test_every_result_has_a_report_and_a_meaning(result: ValidationResult) -> None:
    shown = generate_validation_report(result).split("\n")
    assert shown[0].endswith("PASS") is result.valid
    errors = get_blocking_issues(result)
    assert (f"🔴 ERRORS ({len(errors)})" in shown) is bool(errors)
    assert interpret_validation_result(result)


class Recorded:
    """Gives one quality after another, and counts the attempts."""

    def __init__(self, *qualities: float, valid: bool = True) -> None:
        self.qualities = qualities
        self.valid = valid
        self.asked: list[dict[str, Any]] = []

    def validate(self, output: object, **request: object) -> ValidationResult:
        quality = self.qualities[min(len(self.asked), len(self.qualities) - 1)]
        self.asked.append({"output": output, **request})
        return result_of(*(() if self.valid else (ERROR,)), quality=quality)


RETRIES = [
    ((0.8,), {}, 1),
    ((0.7,), {}, 2),
    ((0.6,), {}, 3),
    ((0.5,), {"max_retries": 4}, 4),
    ((0.5,), {"max_retries": 9}, 4),
    ((0.1, 0.1, 0.9), {}, 3),
    ((0.9,), {"min_quality_score": 1.0}, 2),
    ((0.6,), {"min_quality_score": 0.9, "max_retries": 4}, 4),
    ((0.4,), {"min_quality_score": 0.4}, 1),
]


@pytest.mark.parametrize(("qualities", "options", "attempts"), RETRIES)
def test_each_attempt_asks_for_a_tenth_less(qualities: Any, options: Any, attempts: int) -> None:
    validator = Recorded(*qualities)
    result = asyncio.run(validate_with_retry(validator, "text", **options))
    assert result.quality_score == qualities[-1]
    assert len(validator.asked) == attempts


FAILURES = [
    (Recorded(0.55), {}, 3),
    (Recorded(0.4999), {"max_retries": 6}, 6),
    (Recorded(1, valid=False), {}, 3),
    (Recorded(0.79), {"max_retries": 1}, 1),
    (Recorded(0.39), {"min_quality_score": 0.4}, 3),
]


@pytest.mark.parametrize(("validator", "options", "attempts"), FAILURES)
def test_after_the_last_attempt_it_fails_by_name(validator: Recorded, options: Any, attempts: int) -> None:
    with pytest.raises(BudgetError) as caught:
        asyncio.run(validate_with_retry(validator, "text", **options))
    assert caught.value.code == "judge.retries_used_up"
    assert caught.value.sentence == "Validation failed after maximum retries"
    assert len(validator.asked) == attempts


def test_a_function_or_a_coroutine_validates_as_well() -> None:
    validator = Recorded(0.9)

    async def awaited(output: object, **request: object) -> ValidationResult:
        return validator.validate(output, **request)

    for validate in (validator.validate, awaited):
        asyncio.run(validate_with_retry(validate, {"a": 1}, validation_types=["quality"]))
    assert validator.asked == [{"output": {"a": 1}, "validation_types": ["quality"]}] * 2


@pytest.mark.parametrize("options", [{"max_retries": 0}, {"min_quality_score": nan}, {"min_quality_score": 1.5}])
def test_a_retry_that_makes_no_sense_is_refused(options: Any) -> None:
    with pytest.raises(ValueError):
        asyncio.run(validate_with_retry(Recorded(1), "text", **options))


@given(st.integers(0, 1000), st.integers(1, 12))
def test_every_quality_in_thousandths_passes_as_soon_as_it_is_enough(thousandths: int, attempts: int) -> None:
    enough = next((index for index in range(attempts) if thousandths >= max(500, 800 - 100 * index)), None)
    validator = Recorded(thousandths / 1000)
    try:
        asyncio.run(validate_with_retry(validator, "text", max_retries=attempts))
    except BudgetError:
        assert enough is None
    else:
        assert enough is not None
        assert len(validator.asked) == enough + 1
