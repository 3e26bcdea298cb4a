"""The document of a judgement: what its schema asks for, what it cannot say, and that both readers agree."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from math import inf, nan
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.finding import Severity
from probatum.core.frozen import freeze, thaw
from probatum.core.validation import IssueType, ValidationIssue, ValidationMetadata, ValidationResult
from probatum.judge.schema_of_results import result_schema
from tests.judge.strategies import SENTENCES, results

SCHEMA: Any = thaw(result_schema())
BY_PEER = jsonschema.Draft7Validator(SCHEMA)
BY_ENGINE = jsonschema_rs.Draft7Validator(SCHEMA)
MISSING: dict[str, Any] = {
    "severity": "error",
    "type": "missing_field",
    "message": "Missing required field 'tests'",
    "location": "root",
    "suggestion": "Add a 'tests' field containing unit tests for the code",
}
STYLE: dict[str, Any] = {"severity": "warning", "type": "style_issue", "message": "Function lacks docstring"}
COUNTS = {"total_issues": 2, "error_count": 1, "warning_count": 1, "info_count": 0}
WHOLE: dict[str, Any] = {
    "valid": False,
    "confidence": 0.95,
    "issues": [MISSING, STYLE],
    "passed_criteria": ["Code implements sorting functionality"],
    "failed_criteria": ["Tests are included"],
    "quality_score": 0.55,
    "metadata": {"validation_types_run": ["schema", "quality"], **COUNTS, "duration_ms": 1150, "model": "m"},
}


def is_valid(told: object) -> bool:
    by_peer, by_engine = BY_PEER.is_valid(told), BY_ENGINE.is_valid(told)
    assert by_peer is by_engine
    return by_peer


def nulls(value: object) -> Iterator[None]:
    if value is None:
        yield None
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from nulls(each)


def test_the_schema_is_one_of_draft_07() -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    assert SCHEMA["required"] == ["valid", "confidence", "issues", "quality_score"]
    assert SCHEMA["definitions"]["ValidationIssue"]["required"] == ["severity", "type", "message"]


@given(results())
def test_every_result_fits_the_schema_has_no_null_and_is_read_back(result: ValidationResult) -> None:
    told = result.to_dict()
    assert is_valid(told)
    assert list(nulls(told)) == []
    canonical_bytes(told)
    assert ValidationResult.from_dict(json.loads(json.dumps(told))) == result
    assert ValidationResult.from_dict(freeze(told)) == result  # type: ignore[arg-type]  # a frozen dictionary


def test_the_example_of_the_document_is_read_and_told_again() -> None:
    assert ValidationResult.from_dict(WHOLE).to_dict() == WHOLE


REFUSED: list[tuple[str, dict[str, Any]]] = [
    ("valid beside an error", {"valid": True}),
    ("invalid without an error", {"issues": [STYLE], "metadata": {}}),
    ("a truth for a score", {"confidence": True}),
    ("NaN", {"confidence": nan}),
    ("infinity", {"quality_score": inf}),
    ("more than one", {"confidence": 1.01}),
    ("less than zero", {"quality_score": -0.01}),
    ("a score as text", {"confidence": "0.9"}),
    ("a number for a truth", {"valid": 0}),
    ("a null", {"failed_criteria": None}),
    ("a null location", {"issues": [{**MISSING, "location": None}, STYLE]}),
    ("a short message", {"issues": [{**MISSING, "message": "too few"}, STYLE]}),
    ("a long message", {"issues": [{**MISSING, "message": "m" * 501}, STYLE]}),
    ("a short suggestion", {"issues": [{**MISSING, "suggestion": "too few"}, STYLE]}),
    ("an empty suggestion", {"issues": [{**MISSING, "suggestion": ""}, STYLE]}),
    ("another severity", {"issues": [{**MISSING, "severity": "critical"}, STYLE]}),
    ("a null model", {"metadata": {"model": None}}),
    ("a wrong count", {"metadata": {"total_issues": 3}}),
    ("a count of errors that are none", {"metadata": {"error_count": 2}}),
    ("a negative duration", {"metadata": {"duration_ms": -1}}),
    ("issues that are no list", {"issues": {}}),
]


@pytest.mark.parametrize("change", [row[1] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_is_no_result_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValueError):
        ValidationResult.from_dict({**WHOLE, **change})


@pytest.mark.parametrize("key", SCHEMA["required"])
def test_what_is_required_must_be_there(key: str) -> None:
    with pytest.raises(ValueError):
        ValidationResult.from_dict({name: value for name, value in WHOLE.items() if name != key})


@pytest.mark.parametrize("told", [None, [], "valid", 1])
def test_another_document_is_refused(told: Any) -> None:
    with pytest.raises(ValueError):
        ValidationResult.from_dict(told)


def test_what_is_optional_may_be_absent_and_what_is_unknown_may_be_there() -> None:
    least = {"valid": True, "confidence": 1, "issues": [], "quality_score": 0}
    assert ValidationResult.from_dict(least) == ValidationResult(True, 1, (), 0)
    others = ValidationResult.from_dict({**WHOLE, "metadata": {"sources_checked": 3}, "request_id": "r"})
    assert others.metadata == ValidationMetadata((), 2, 1, 1, 0, 0)


JSON_SCALARS = st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | st.text(max_size=3) | SENTENCES
JSON = st.recursive(
    JSON_SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("a"), inner), max_leaves=3
)
MEMBERS = sorted({*WHOLE, *(name for name in WHOLE["metadata"]), *MISSING})


@given(st.sampled_from(MEMBERS), JSON)
def test_no_document_is_read_that_its_schema_refuses(name: str, value: object) -> None:
    told = json.loads(json.dumps(WHOLE))
    for place in (told, told["metadata"], told["issues"][0]):
        if name in place:
            place[name] = value
    try:
        result = ValidationResult.from_dict(told)
    except ValueError:
        return
    assert is_valid(told)
    assert is_valid(result.to_dict())


@pytest.mark.parametrize("score", [nan, inf, -inf, True, False, -0.1, 1.1, 10**400, "1", None])
@pytest.mark.parametrize("name", ["confidence", "quality_score"])
def test_a_score_is_a_finite_number_between_zero_and_one(name: str, score: Any) -> None:
    with pytest.raises(ValueError):
        replace(ValidationResult(True, 1, (), 1), **{name: score})


@pytest.mark.parametrize("duration", [nan, inf, -1])
def test_a_duration_is_finite_and_not_negative(duration: float) -> None:
    with pytest.raises(ValueError):
        ValidationMetadata.of(["schema"], [], duration)


@pytest.mark.parametrize("severity", Severity)
def test_an_error_alone_makes_an_output_invalid(severity: Severity) -> None:
    found = ValidationIssue(severity, IssueType.STYLE_ISSUE, "a message of some length")
    with pytest.raises(ValueError):
        ValidationResult(severity is Severity.ERROR, 1, (found,), 1)


def test_the_metadata_counts_the_issues() -> None:
    issues = (ValidationIssue(Severity.INFO, "style_issue", "a message of some length"),)
    with pytest.raises(ValueError):
        ValidationResult(True, 1, issues, 1, metadata=ValidationMetadata.of(["schema"], [], 0))
