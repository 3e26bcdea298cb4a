"""Requests to judge: every way in which one makes no sense is refused by name, and no layer is skipped in silence."""

from __future__ import annotations

import pytest

from probatum.core.errors import BudgetError, UsageError
from probatum.judge.request import (
    MAX_CRITERIA,
    TrustedSource,
    ValidationRequest,
    ValidationType,
    validation_request,
    with_sources,
)

SCHEMA = {"type": "object"}


def asked(**fields: object) -> ValidationRequest:
    return validation_request({"output": {"a": 1}, "validation_types": ["quality"], **fields})


@pytest.mark.parametrize(
    ("types", "fields", "missing"),
    [
        (["schema"], {}, "expected_schema"),
        (["schema"], {"expected_schema": None}, "expected_schema"),
        (["criteria"], {}, "acceptance_criteria"),
        (["criteria"], {"acceptance_criteria": []}, "acceptance_criteria"),
        (["facts"], {}, "trusted_sources"),
        (["facts"], {"trusted_sources": []}, "trusted_sources"),
        (["quality", "facts"], {"context": {"facts": {"a": 1}}}, "trusted_sources"),
        (["schema", "criteria"], {"expected_schema": SCHEMA}, "acceptance_criteria"),
    ],
)
def test_a_layer_without_what_it_needs_is_refused(types: list[str], fields: dict[str, object], missing: str) -> None:
    with pytest.raises(UsageError) as refused:
        asked(validation_types=types, **fields)
    assert refused.value.code == "ValidationError"
    layer = {"expected_schema": "schema", "acceptance_criteria": "criteria", "trusted_sources": "facts"}[missing]
    assert refused.value.sentence == f"{missing} required when validation_types includes '{layer}'"
    assert refused.value.details["missing_field"] == missing
    assert sorted(refused.value.details["validation_types"]) == sorted(types)  # type: ignore[call-overload]  # a list of texts


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"validation_types": []}, "validation_types"),
        ({"validation_types": None}, "validation_types"),
        ({"validation_types": "schema"}, "validation_types"),
        ({"validation_types": ["style"]}, "validation_types"),
        ({"validation_types": ["Schema"]}, "validation_types"),
        ({"validation_types": [1]}, "validation_types"),
        ({"acceptance_criteria": "one"}, "acceptance_criteria"),
        ({"acceptance_criteria": [1]}, "acceptance_criteria"),
        ({"acceptance_criteria": ["x"] * (MAX_CRITERIA + 1)}, "acceptance_criteria"),
        ({"expected_schema": []}, "expected_schema"),
        ({"expected_schema": "object"}, "expected_schema"),
        ({"trusted_sources": "text"}, "trusted_sources"),
        ({"trusted_sources": [1]}, "trusted_sources"),
        ({"trusted_sources": [{"name": "a"}]}, "trusted_sources"),
        ({"trusted_sources": [{"name": " ", "text": "b"}]}, "trusted_sources"),
        ({"trusted_sources": [{"name": "a", "text": "b", "path": "/etc/passwd"}]}, "trusted_sources"),
        ({"context": []}, "context"),
        ({"output": float("nan")}, "output"),
        ({"output": {1: 2}}, "output"),
        ({"output": "\ud800"}, "output"),
        ({"criteria": []}, "criteria"),
    ],
)
def test_a_wrong_field_is_named(fields: dict[str, object], named: str) -> None:
    with pytest.raises(UsageError) as refused:
        asked(**fields)
    assert (refused.value.code, refused.value.details["field"]) == ("ValidationError", named)


def test_an_output_that_is_missing_is_refused_and_null_is_one() -> None:
    with pytest.raises(UsageError):
        validation_request({"validation_types": ["quality"]})
    assert asked(output=None).output is None


def test_layers_run_once_each_in_their_order() -> None:
    request = asked(
        validation_types=["quality", "schema", "hallucination", "schema", "criteria", "facts"],
        expected_schema=SCHEMA,
        acceptance_criteria=["It is JSON"],
        trusted_sources=["The sky is blue."],
    )
    assert request.validation_types == tuple(ValidationType)
    assert [each.value for each in ValidationType] == ["schema", "facts", "criteria", "hallucination", "quality"]


def test_a_source_is_text_unless_it_is_an_address() -> None:
    request = asked(
        trusted_sources=["https://example.org/a", "file:/etc/passwd", "See https://example.org", "/etc/passwd"]
    )
    assert request.unread_sources == ("https://example.org/a", "file:/etc/passwd")
    assert [each.text for each in request.trusted_sources] == ["See https://example.org", "/etc/passwd"]


def test_an_address_that_cannot_be_read_stays_named() -> None:
    def read(address: str) -> TrustedSource:
        if address.endswith("a"):
            return TrustedSource(address, "What it says.")
        raise LookupError

    request = asked(trusted_sources=["https://example.org/a", "https://example.org/b"])
    found = with_sources(request, read)
    assert [each.name for each in found.trusted_sources] == ["https://example.org/a"]
    assert found.unread_sources == ("https://example.org/b",)


def test_a_request_that_is_too_large_is_undecided() -> None:
    with pytest.raises(BudgetError):
        asked(output="a" * (17 * 1024 * 1024))


def test_a_request_that_is_nested_too_deep_is_named() -> None:
    deep: object = 1
    for _ in range(5_000):
        deep = [deep]
    with pytest.raises((UsageError, BudgetError)):
        asked(output=deep)
