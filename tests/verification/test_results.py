"""What a verifier says: its wire form, its fault, its evidence of any shape."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.finding import Finding, Severity
from probatum.verification import (
    Fault,
    VerificationResult,
    VerificationStatus,
    verification_result_to_dict,
    verification_results_to_jsonable,
)
from probatum.verification.results import result_from_findings

PASS, FAIL = VerificationStatus.PASS, VerificationStatus.FAIL


def test_f4_the_wire_strings():
    assert {status.value for status in VerificationStatus} == {"pass", "fail", "warn", "skipped"}
    assert VerificationStatus("pass") is PASS
    assert PASS == "pass"
    with pytest.raises(ValueError):
        VerificationStatus("passed")


def test_f38_a_result_on_the_wire():
    result = VerificationResult(PASS, "a.b", "fine", {"n": 1}, ("e",), ("w",), 0.25)
    assert verification_result_to_dict(result) == {
        "status": "pass",
        "verifier_id": "a.b",
        "summary": "fine",
        "evidence": {"n": 1},
        "errors": ["e"],
        "warnings": ["w"],
        "elapsed_seconds": 0.25,
    }
    assert verification_result_to_dict(VerificationResult(PASS, "a", "b"))["elapsed_seconds"] is None


class Colour(Enum):
    RED = "red"


def test_f37_evidence_of_any_shape_becomes_json():
    cyclic: dict[str, object] = {}
    cyclic["self"] = cyclic
    listed: list[object] = []
    listed.append(listed)
    evidence = {
        "bytes": b"\xff\xfeok",
        "path": Path("/x/y"),
        "tuple": (1, (2,)),
        "time": datetime(2026, 1, 2, tzinfo=UTC),
        "nan": float("nan"),
        "infinite": [float("inf"), -float("inf")],
        "set": {"b", "a"},
        "decimal": Decimal("1.50"),
        "surrogate": "\ud800",
        "object": object(),
        "enum": Colour.RED,
        "cycle": cyclic,
        "cyclic list": listed,
        5: {None: 1},
    }
    [written] = verification_results_to_jsonable([VerificationResult(PASS, "a", "b", evidence)])  # type: ignore[arg-type]  # bent on purpose
    told = json.loads(json.dumps(written, allow_nan=False))["evidence"]
    assert told["tuple"] == [1, [2]]
    assert told["path"] == "/x/y"
    assert told["set"] == ["a", "b"]
    assert told["nan"] == "nan"
    assert told["time"] == "2026-01-02T00:00:00+00:00"
    assert told["object"] == "<object>"
    assert told["cycle"] == {"self": "<contains itself>"}
    assert told["5"] == {"None": 1}


NESTED = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=5) | st.binary(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(), max_size=3) | st.integers(), inner, max_size=3)
        | st.tuples(inner, inner)
    ),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(), max_size=3), NESTED, max_size=4))
def test_any_evidence_can_be_written(evidence: dict[str, object]):
    written = verification_result_to_dict(VerificationResult(FAIL, "a", "b", evidence))
    assert json.loads(json.dumps(written, allow_nan=False).encode()) == written


def test_deep_evidence_is_cut():
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    written = json.dumps(verification_result_to_dict(VerificationResult(PASS, "a", "b", {"deep": deep})))
    assert "nested too deep" in written


def test_evidence_cannot_be_changed_afterwards():
    mine = {"rows": [1, {"a": 2}]}
    result = VerificationResult(PASS, "a", "b", mine)
    mine["rows"].append(3)
    assert result.evidence == {"rows": [1, {"a": 2}]}
    with pytest.raises(TypeError):
        result.evidence["rows"] = []  # type: ignore[index]  # bent on purpose
    with pytest.raises(TypeError):
        result.evidence["rows"].append(1)  # type: ignore[attr-defined]  # bent on purpose


def test_a_fail_says_whose_fault_it_is():
    assert VerificationResult(FAIL, "a", "b").fault is Fault.SUBJECT
    assert verification_result_to_dict(VerificationResult(FAIL, "a", "b", fault=Fault.VERIFIER))["fault"] == "verifier"
    assert VerificationResult(PASS, "a", "b").fault is None
    with pytest.raises(ValueError):
        VerificationResult(PASS, "a", "b", fault=Fault.SUBJECT)


@pytest.mark.parametrize(
    "bent",
    [
        {"status": "pass"},
        {"status": True},
        {"verifier_id": None},
        {"summary": b"x"},
        {"evidence": []},
        {"errors": "text"},
        {"warnings": (1,)},
        {"elapsed_seconds": float("nan")},
        {"elapsed_seconds": -1},
        {"elapsed_seconds": True},
        {"fault": "subject", "status": FAIL},
        {"could_have_failed": 1},
        {"findings": ("x",)},
    ],
    ids=repr,
)
def test_what_is_no_result_is_refused(bent: dict[str, object]):
    fields = {"status": PASS, "verifier_id": "a", "summary": "b", **bent}
    with pytest.raises(ValueError):
        VerificationResult(**fields)  # type: ignore[arg-type]  # bent on purpose


def test_findings_become_errors_and_warnings():
    findings = [
        Finding(Severity.ERROR, "k", "wrong"),
        Finding(Severity.WARNING, "k", "odd"),
        Finding(Severity.INFO, "k", "by the way"),
    ]
    result = result_from_findings("a", findings, "two")
    assert (result.status, result.errors, result.warnings) == (FAIL, ("wrong",), ("odd",))
    assert result_from_findings("a", findings[1:], "one").status is PASS
