"""The types of deep verification: their fields are the document's, and none of them can be changed."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import get_args, get_type_hints

import pytest

from probatum import programs
from probatum.core.errors import UsageError
from probatum.programs import (
    ArtifactSpec,
    BehavioralExecutionResult,
    DeepVerificationConfig,
    DeepVerifier,
    GenerateResult,
    ModelProtocol,
    SemanticIssue,
    VerificationEvent,
)

FIELDS = {
    "Specification": "description inputs outputs preconditions postconditions invariants edge_cases source confidence",
    "InputSpec": "name type_hint constraints examples",
    "OutputSpec": "type_hint constraints examples",
    "GeneratedTest": "id name description category code expected_outcome spec_coverage priority",
    "TestExecutionResult": "test_id passed actual_output expected_output error_message error_traceback duration_ms"
    " stdout stderr",
    "BehavioralExecutionResult": "total_tests passed failed errors test_results duration_ms",
    "PerspectiveResult": "perspective verdict confidence issues recommendations",
    "SemanticIssue": "severity category description evidence suggested_fix",
    "DeepVerificationResult": "passed confidence issues generated_tests test_results perspective_results"
    " recommendations duration_ms",
    "DeepVerificationConfig": "max_tests test_timeout_s total_timeout_s min_confidence require_test_pass perspectives",
    "VerificationEvent": "stage message data",
    "ArtifactSpec": "id description contract produces_file requires domain_type metadata",
    "GenerateOptions": "temperature max_tokens stop_sequences system_prompt tools",
    "GenerateResult": "content model tool_calls usage finish_reason",
}
OURS = {
    "DeepVerificationResult": "raw_confidence document_passed decision notes",
    "DeepVerificationConfig": "level",
}
"""What stands after them."""


@pytest.mark.parametrize("name", FIELDS)
def test_a_type_has_the_fields_of_the_document_and_is_frozen(name: str) -> None:
    kind = getattr(programs, name)
    assert is_dataclass(kind)
    assert [each.name for each in fields(kind)] == [*FIELDS[name].split(), *OURS.get(name, "").split()]
    assert kind.__dataclass_params__.frozen
    assert hasattr(kind, "__slots__")


def test_defaults_are_those_of_the_document() -> None:
    config = DeepVerificationConfig()
    numbers = (config.max_tests, config.test_timeout_s, config.total_timeout_s, config.min_confidence)
    assert numbers == (10, 10, 120, 0.7)
    assert config.require_test_pass
    assert config.perspectives == ("correctness_reviewer", "edge_case_hunter", "integration_analyst")


def test_every_category_of_an_issue_is_there() -> None:
    assert set(get_args(get_type_hints(SemanticIssue)["category"])) == {
        *("wrong_output", "missing_edge_case", "logic_error"),
        *("contract_violation", "integration_issue", "regression"),
    }


def test_the_data_of_an_event_cannot_be_changed() -> None:
    event = VerificationEvent("tests_generated", data={"count": 1, "categories": ["a"]})
    with pytest.raises(TypeError):
        event.data["count"] = 2  # type: ignore[index]  # what is tried
    with pytest.raises(TypeError):
        event.data["categories"].append("b")  # type: ignore[attr-defined]  # likewise
    with pytest.raises(FrozenInstanceError):
        event.stage = "complete"  # type: ignore[misc]  # likewise


@pytest.mark.parametrize(
    "wrong",
    [
        {"max_tests": -1},
        {"max_tests": "10"},
        {"test_timeout_s": 0},
        {"total_timeout_s": float("nan")},
        {"total_timeout_s": True},
        {"min_confidence": 1.1},
        {"perspectives": ("astrologer",)},
        {"level": "extreme"},
    ],
    ids=str,
)
def test_a_configuration_out_of_bounds_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        DeepVerificationConfig(**wrong)  # type: ignore[arg-type]  # what is tried


def test_max_tests_lessens_what_is_derived_and_never_what_is_documented() -> None:
    usual, less = (DeepVerifier(None, ".", DeepVerificationConfig(max_tests=most)).policy() for most in (10, 1))
    assert (usual.generated_inputs, usual.stated_inputs) == (100, 50)
    assert (less.generated_inputs, less.stated_inputs, less.mutants) == (10, 5, usual.mutants)


def test_an_artifact_comes_back_as_it_was() -> None:
    spec = ArtifactSpec("a", "d", "c", "a.py", frozenset({"b"}), "schema", (("lines", 3),))
    assert ArtifactSpec.from_dict(spec.to_dict()) == spec
    assert (spec.is_leaf(), spec.is_contract(), spec.get_metadata("lines"), spec.get_metadata("no", 0)) == (
        *(False, True),
        *(3, 0),
    )
    with pytest.raises(ValueError, match="contract"):
        ArtifactSpec.from_dict({"id": "a", "description": "d"})


def test_a_pass_rate_of_nothing_is_the_document_s() -> None:
    assert BehavioralExecutionResult(0, 0, 0, 0, (), 0).pass_rate == 1.0
    assert BehavioralExecutionResult(4, 3, 1, 0, (), 0).pass_rate == 0.75


def test_a_model_is_known_by_what_it_can_do() -> None:
    class Whole:
        model_id = "m"

        async def generate(self) -> None: ...
        def generate_stream(self) -> None: ...
        async def list_models(self) -> None: ...

    assert isinstance(Whole(), ModelProtocol)
    assert not isinstance(object(), ModelProtocol)
    assert GenerateResult(None, "m").text == ""
    with pytest.raises(UsageError, match="generate"):
        DeepVerifier(object())  # type: ignore[arg-type]  # what is tried
