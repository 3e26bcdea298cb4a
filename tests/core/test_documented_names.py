"""Every name of the verdict's reference, and each of its examples: the same calls, in words of our own."""

from __future__ import annotations

import inspect
import json
import logging
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields
from typing import get_type_hints

import pytest

import probatum
from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, DiagnosticStatus, compute_proof_ref
from probatum.core.digest import is_digest
from probatum.proof.gate import release_gate

STATUSES = {"VERIFIED": "VERIFIED", "UNVERIFIABLE": "UNVERIFIABLE", "BLOCKED": "BLOCKED"}
FIELDS = {
    DiagnosticResult: {
        "status": DiagnosticStatus,
        "agent_message": str,
        "developer_fields": dict,
        "proof_ref": str | None,
    },
    AdvisoryCheck: {"name": str, "advisory_only": bool, "constraint_id": str | None, "details": dict},
}
PROPERTIES = {
    "is_verified": bool,
    "is_authoritative": bool,
    "is_fail_closed": bool,
    "constraint_id": str | None,
    "advisory_checks": list[AdvisoryCheck],
}
CALLS: dict[str, tuple[Callable[..., object], list[str]]] = {
    "to_dict": (DiagnosticResult.to_dict, ["self"]),
    "from_dict": (DiagnosticResult.from_dict, ["data"]),
    "verified": (DiagnosticResult.verified, ["agent_message", "developer_fields", "evidence"]),
    "unverifiable": (DiagnosticResult.unverifiable, ["agent_message", "developer_fields"]),
    "blocked": (DiagnosticResult.blocked, ["agent_message", "developer_fields"]),
    "from_legacy_dict": (DiagnosticResult.from_legacy_dict, ["data", "engine"]),
    "compute_proof_ref": (compute_proof_ref, ["evidence"]),
    "release_gate": (release_gate, ["result"]),
}


def test_the_statuses_are_text_with_these_values() -> None:
    assert {name: status.value for name, status in DiagnosticStatus.__members__.items()} == STATUSES
    assert issubclass(DiagnosticStatus, str)


@pytest.mark.parametrize("described", FIELDS, ids=lambda cls: cls.__name__)
def test_the_fields_are_these_in_this_order_and_of_these_types(described: type) -> None:
    hints = get_type_hints(described)
    assert [field.name for field in fields(described)] == list(FIELDS[described])
    for name, expected in FIELDS[described].items():
        found = hints[name]
        assert found == expected or (expected is dict and issubclass(found, dict)), name


@pytest.mark.parametrize("name", PROPERTIES)
def test_the_properties_have_these_types(name: str) -> None:
    described = inspect.getattr_static(DiagnosticResult, name)
    assert isinstance(described, property)
    assert get_type_hints(described.fget)["return"] == PROPERTIES[name]


@pytest.mark.parametrize("name", CALLS)
def test_the_calls_take_these_arguments(name: str) -> None:
    called, parameters = CALLS[name]
    assert list(inspect.signature(called).parameters) == parameters


@pytest.mark.parametrize("name", ["DiagnosticResult", "DiagnosticStatus", "AdvisoryCheck", "compute_proof_ref"])
def test_the_public_door_opens_on_the_same(name: str) -> None:
    assert getattr(probatum, name) is globals()[name]
    assert probatum.release_gate is release_gate


def test_layer_2_is_kept_as_it_was_given() -> None:
    developer_fields = {
        "constraint_id": "math_verifier.irr_non_convergent",
        "iterations": 100,
        "final_npv": "0.7",
        "converged": False,
        "advisory_checks": [
            {
                "name": "llm_fallback",
                "advisory_only": True,
                "constraint_id": "fact_verifier.llm_advisory_only",
                "details": {"llm_verdict": "SUPPORTED", "llm_confidence": 0.65},
            },
        ],
    }
    result = DiagnosticResult.unverifiable("Not decided by any deterministic check", developer_fields)
    assert result.to_dict()["developer_fields"] == developer_fields
    assert isinstance(result.developer_fields, dict)
    [check] = result.advisory_checks
    assert (check.name, check.advisory_only) == ("llm_fallback", True)
    assert (check.constraint_id, check.details["llm_confidence"]) == ("fact_verifier.llm_advisory_only", 0.65)


ALLOWED = (
    "A required field is missing: customer_id",
    "It failed — nothing supports the claim",
    "Not decided by any deterministic check",
)


@pytest.mark.parametrize("message", ALLOWED)
def test_the_allowed_sentences_are_allowed(message: str) -> None:
    assert DiagnosticResult.unverifiable(message, {"constraint_id": "a.b"}).agent_message == message


def test_verified_without_proof_cannot_be_built() -> None:
    with pytest.raises(ValueError, match="proof_ref"):
        DiagnosticResult(
            status=DiagnosticStatus.VERIFIED,
            agent_message="ok",
            developer_fields={},
            proof_ref=None,
        )


@pytest.mark.parametrize("status", [DiagnosticStatus.UNVERIFIABLE, DiagnosticStatus.BLOCKED])
def test_the_others_with_a_proof_cannot_be_built(status: DiagnosticStatus) -> None:
    with pytest.raises(ValueError, match="carries no proof"):
        DiagnosticResult(status=status, agent_message="no", developer_fields={}, proof_ref="sha256:" + "0" * 64)


def test_a_result_is_frozen() -> None:
    r = DiagnosticResult.unverifiable("no", {})
    with pytest.raises(FrozenInstanceError):
        r.proof_ref = "sha256:fake"
    with pytest.raises(FrozenInstanceError):
        AdvisoryCheck("llm_fallback").advisory_only = False


def test_verified_with_proof() -> None:
    result = DiagnosticResult.verified(
        agent_message="The claim holds — one mode, and it is the claimed one",
        developer_fields={
            "statistic": "mode",
            "calculated_value": 1,
            "claimed_value": 1,
            "modes": [1],
            "modes_count": 1,
            "constraint_id": "math_verifier.mode_unique_match",
        },
        evidence={"calculated": 1, "claimed": 1, "modes": [1]},
    )
    assert is_digest(result.proof_ref)
    assert result.proof_ref == compute_proof_ref({"modes": [1], "claimed": 1, "calculated": 1})
    assert (result.is_verified, result.is_authoritative, result.is_fail_closed) == (True, True, False)
    assert result.constraint_id == "math_verifier.mode_unique_match"
    shown = result.to_dict()
    assert list(shown) == ["status", "agent_message", "developer_fields", "proof_ref", "is_authoritative"]
    assert (shown["status"], shown["is_authoritative"]) == ("VERIFIED", True)
    assert DiagnosticResult.from_dict(json.loads(json.dumps(shown))) == result


def test_unverifiable() -> None:
    result = DiagnosticResult.unverifiable(
        agent_message="Inconclusive — the data has more than one mode",
        developer_fields={
            "modes": [1, 2],
            "modes_count": 2,
            "tie_detected": True,
            "constraint_id": "math_verifier.mode_ambiguous_tie",
        },
    )
    assert (result.status, result.proof_ref) == (DiagnosticStatus.UNVERIFIABLE, None)
    assert (result.is_verified, result.is_authoritative, result.is_fail_closed) == (False, False, True)


def test_blocked() -> None:
    result = DiagnosticResult.blocked(
        agent_message="Blocked — some variables are not declared",
        developer_fields={
            "missing_declarations": ["x"],
            "constraint_id": "logic_verifier.explicit_declarations_required",
        },
    )
    assert (result.status, result.proof_ref, result.is_fail_closed) == (DiagnosticStatus.BLOCKED, None, True)


def test_advice_as_objects() -> None:
    check = AdvisoryCheck(
        name="llm_fallback",
        advisory_only=True,
        constraint_id="fact_verifier.llm_advisory_only",
        details={"llm_verdict": "SUPPORTED", "llm_confidence": 0.65},
    )
    result = DiagnosticResult.unverifiable(
        agent_message="No deterministic check decides the claim",
        developer_fields={"deterministic_verdict": "INSUFFICIENT_EVIDENCE", "advisory_checks": [check]},
    )
    assert result.advisory_checks == [check]
    assert result.to_dict()["developer_fields"]["advisory_checks"] == [check.to_dict()]
    assert (result.status, result.proof_ref) == (DiagnosticStatus.UNVERIFIABLE, None)


def test_the_downstream_gate(caplog: pytest.LogCaptureFixture) -> None:
    assert release_gate(DiagnosticResult.verified("Claim verified", {}, {"claimed": 1})) is True
    refused = DiagnosticResult.blocked("It was not attempted.", {"constraint_id": "logic_verifier.declarations"})
    with caplog.at_level(logging.WARNING):
        assert release_gate(refused) is False
    assert "logic_verifier.declarations" in caplog.text
    assert "It was not attempted." in caplog.text


def test_migrating_a_legacy_engine() -> None:
    legacy = {"is_correct": False, "status": "CORRECTION_NEEDED", "calculated_value": 3}
    result = DiagnosticResult.from_legacy_dict(legacy, engine="math")
    assert (result.status, result.proof_ref) == (DiagnosticStatus.UNVERIFIABLE, None)
    with pytest.raises(ValueError, match="no evidence"):
        DiagnosticResult.from_legacy_dict({"status": "VERIFIED", "is_correct": True}, engine="math")


@pytest.mark.parametrize("value", [object(), {1, 2}, b"x", lambda: 1], ids=["object", "set", "bytes", "function"])
def test_evidence_that_cannot_be_written_fails_closed(value: object) -> None:
    for evidence in ({"a": value}, {"deep": [{"er": value}]}):
        with pytest.raises(ValueError, match="not a JSON value"):
            compute_proof_ref(evidence)
