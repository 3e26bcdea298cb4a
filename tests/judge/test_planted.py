"""False details that a generator plants are found, and true answers are left alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from probatum.core.finding import Finding, Severity
from probatum.judge.facts.layers import facts_reports
from probatum.judge.request import TrustedSource, ValidationRequest, ValidationType
from tests.judge.planted import Planted, planted

_FOUND = {"fact_mismatch", "hallucination", "unsupported_claim"}


def _errors(sources: Sequence[str], answer: str) -> list[Finding]:
    given = tuple(TrustedSource(f"source {number}", text) for number, text in enumerate(sources))
    layers = (ValidationType.FACTS, ValidationType.HALLUCINATION)
    reports = facts_reports(ValidationRequest(answer, layers, trusted_sources=given))
    return [each for report in reports.values() for each in report.issues if each.severity is Severity.ERROR]


def _span(finding: Finding) -> tuple[int, int]:
    start, end = finding.evidence["start"], finding.evidence["end"]
    assert isinstance(start, int)
    assert isinstance(end, int)
    return start, end


def _covers(finding: Finding, case: Planted) -> bool:
    start, end = _span(finding)
    return finding.kind in _FOUND and start < case.end and case.start < end


@pytest.mark.parametrize("seed", [2])
def test_planted_details_are_found_and_true_answers_are_left_alone(seed: int) -> None:
    cases = planted(500, seed)
    missed = [case for case in cases if not any(_covers(each, case) for each in _errors(case.sources, case.answer))]
    blamed = [case.twin for case in cases if _errors(case.sources, case.twin)]
    assert len(missed) <= 10, [(case.answer[case.start : case.end], case.answer) for case in missed]
    assert len(blamed) <= 5, blamed


def test_the_generator_is_the_same_every_time_and_plants_every_kind() -> None:
    cases = planted(100, 3)
    assert cases == planted(100, 3)
    assert {case.kind for case in cases} == {"number", "date", "version", "name", "quotation"}
    assert all(case.answer[case.start : case.end] not in case.twin for case in cases if case.kind == "quotation")
