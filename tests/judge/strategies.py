"""Validation results of every kind, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from probatum.core.finding import Severity
from probatum.core.frozen import frozen_dict
from probatum.core.validation import (
    LEAST_TEXT,
    MOST_TEXT,
    ClaimReport,
    ClaimStatus,
    IssueType,
    ValidationIssue,
    ValidationMetadata,
    ValidationResult,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
SENTENCES = st.text(st.characters(exclude_categories=["Cs"]), min_size=LEAST_TEXT, max_size=MOST_TEXT)
SCORES = st.floats(0, 1) | st.sampled_from([0, 1])
ISSUES = st.builds(
    ValidationIssue,
    severity=st.sampled_from(Severity),
    type=st.sampled_from(IssueType) | TEXT,
    message=SENTENCES,
    location=TEXT,
    suggestion=st.just("") | SENTENCES,
)
CLAIMS = st.builds(
    ClaimReport,
    text=TEXT,
    place=TEXT,
    start=st.integers(0, 99),
    end=st.integers(0, 99),
    status=st.sampled_from(ClaimStatus),
    reason=TEXT,
    source=st.just("source.txt"),
    source_start=st.integers(0, 99),
    source_end=st.integers(0, 99),
)


@st.composite
def results(draw: st.DrawFn) -> ValidationResult:
    """Draw a result, with or without what is optional."""
    issues = tuple(draw(st.lists(ISSUES, max_size=4)))
    texts = st.lists(TEXT, max_size=3).map(tuple)
    metadata = None
    if draw(st.booleans()):
        duration = draw(st.floats(0, 1e9) | st.integers(0, 10**9))
        metadata = ValidationMetadata.of(draw(texts), issues, duration, draw(TEXT))
    return ValidationResult(
        valid=all(each.severity is not Severity.ERROR for each in issues),
        confidence=draw(SCORES),
        issues=issues,
        quality_score=draw(SCORES),
        passed_criteria=draw(texts),
        failed_criteria=draw(texts),
        metadata=metadata,
        claims=tuple(draw(st.lists(CLAIMS, max_size=2))),
        verdict=frozen_dict(draw(st.dictionaries(TEXT, TEXT, max_size=2))),
    )
