"""The verdict's own behaviours: construction, round trips, equality, digests."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult, DiagnosticStatus, compute_proof_ref
from probatum.core.digest import is_digest
from tests.core.strategies import ADVICE, JSON, JSON_OBJECTS, verdicts


def test_there_are_exactly_three_statuses_and_they_are_text():
    assert [status.value for status in DiagnosticStatus] == ["VERIFIED", "UNVERIFIABLE", "BLOCKED"]
    assert DiagnosticStatus.VERIFIED == "VERIFIED"


def test_verified_carries_the_digest_of_its_evidence():
    result = DiagnosticResult.verified(
        "Claim verified — unique mode match", {"statistic": "mode", "modes": [1]}, {"calculated": 1, "claimed": 1}
    )
    assert result.proof_ref == compute_proof_ref({"claimed": 1, "calculated": 1})
    assert result.is_verified
    assert result.is_authoritative
    assert not result.is_fail_closed


@given(verdicts(), JSON_OBJECTS.filter(bool))
def test_the_same_statement_on_another_proof_is_the_verdict_that_would_be_built(
    result: DiagnosticResult, evidence: dict[str, object]
):
    reference = compute_proof_ref(evidence)
    if not result.is_verified:
        with pytest.raises(ValueError, match="carries no proof"):
            result.resting_on(reference)
        return
    built = DiagnosticResult(result.status, result.agent_message, result.developer_fields, reference)
    assert result.resting_on(reference) == built
    with pytest.raises(ValueError, match="must be 'sha256:'"):
        result.resting_on("sha256:0")


@pytest.mark.parametrize("make", [DiagnosticResult.unverifiable, DiagnosticResult.blocked])
def test_the_other_two_carry_none(make):
    result = make("Claim could not be deterministically verified", {"constraint_id": "maths.mode_tie"})
    assert result.proof_ref is None
    assert not result.is_verified
    assert not result.is_authoritative
    assert result.is_fail_closed
    assert result.constraint_id == "maths.mode_tie"
    assert result.advisory_checks == []


def test_absent_fields_are_none():
    result = DiagnosticResult.blocked("Not attempted.", {})
    assert (result.constraint_id, result.outcome) == (None, None)


OUTCOMES = {
    DiagnosticStatus.VERIFIED: {"proved", "tested"},
    DiagnosticStatus.UNVERIFIABLE: {"refuted", "undecided"},
    DiagnosticStatus.BLOCKED: {"not_attempted"},
}


@pytest.mark.parametrize("status", DiagnosticStatus)
@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_goes_with_one_status_only(status: DiagnosticStatus, outcome: Outcome):
    proof = compute_proof_ref({"a": 1}) if status is DiagnosticStatus.VERIFIED else None
    if outcome.value in OUTCOMES[status]:
        assert DiagnosticResult(status, "Said.", {"outcome": outcome.value}, proof).outcome == outcome.value
    else:
        with pytest.raises(ValueError, match="does not go with"):
            DiagnosticResult(status, "Said.", {"outcome": outcome.value}, proof)


NO_FIELDS = {
    "None": None,
    "a list": [],
    "text": "fields",
    "a number": 5,
    "outcome is a list": {"outcome": []},
    "outcome is an enum": {"outcome": Outcome.REFUTED},
    "outcome is unknown": {"outcome": "probably"},
    "constraint is a number": {"constraint_id": 5},
    "not JSON": {"when": object()},
    "advice is text": {"advisory_checks": "none"},
    "advice is null": {"advisory_checks": None},
}


@pytest.mark.parametrize("name", NO_FIELDS)
@pytest.mark.parametrize("make", [DiagnosticResult.unverifiable, DiagnosticResult.blocked])
def test_wrong_fields_are_refused_with_ValueError(name: str, make):
    with pytest.raises(ValueError):
        make("Said.", NO_FIELDS[name])


@given(verdicts())
def test_round_trip_through_a_dictionary(result: DiagnosticResult):
    again = DiagnosticResult.from_dict(result.to_dict())
    assert again == result
    assert hash(again) == hash(result)
    assert again.to_dict() == result.to_dict()


@given(verdicts())
def test_round_trip_through_json_bytes_and_pickle(result: DiagnosticResult):
    assert canonical_bytes(result.to_dict())
    assert pickle.loads(pickle.dumps(result)) == result
    assert copy.copy(result) == copy.deepcopy(result) == result


@given(verdicts(), verdicts())
def test_equal_exactly_when_their_json_is(left: DiagnosticResult, right: DiagnosticResult):
    assert (left == right) == (canonical_bytes(left.to_dict()) == canonical_bytes(right.to_dict()))
    if left == right:
        assert hash(left) == hash(right)


def test_true_is_not_one():
    assert DiagnosticResult.blocked("Said.", {"a": True}) != DiagnosticResult.blocked("Said.", {"a": 1})
    assert AdvisoryCheck("x", details={"a": True}) != AdvisoryCheck("x", details={"a": 1})
    assert DiagnosticResult.blocked("Said.", {}) != "Said."
    assert AdvisoryCheck("x") != "x"


@given(JSON_OBJECTS.filter(bool))
def test_a_proof_reference_is_a_digest(evidence: dict[str, object]):
    assert is_digest(compute_proof_ref(evidence))
    assert compute_proof_ref(dict(reversed(evidence.items()))) == compute_proof_ref(evidence)


@given(JSON_OBJECTS.filter(bool), JSON_OBJECTS.filter(bool))
def test_other_evidence_has_another_proof_reference(left: dict[str, object], right: dict[str, object]):
    same = canonical_bytes(left) == canonical_bytes(right)
    assert (compute_proof_ref(left) == compute_proof_ref(right)) == same


@given(ADVICE, ADVICE)
def test_advice_changes_neither_status_nor_proof(first: list[AdvisoryCheck], second: list[AdvisoryCheck]):
    made = [
        DiagnosticResult.verified("Established.", {"line": 3, "advisory_checks": advice}, {"seen": 3})
        for advice in (first, second)
    ]
    assert made[0].status is made[1].status
    assert made[0].proof_ref == made[1].proof_ref
    assert made[0].advisory_checks == first


@given(st.text(max_size=20), JSON)
def test_any_wording_of_advice_leaves_the_verdict_constructible(words: str, details: object):
    said = words.encode("utf-8", "replace").decode()
    advice = [AdvisoryCheck("reader", details={"says": said, "more": [said, "Not established."]})]
    assert DiagnosticResult.unverifiable("Not established.", {"advisory_checks": advice}).advisory_checks == advice


def test_a_decision_becomes_a_verdict_with_the_same_words():
    decision = decide(Outcome.REFUTED, "program.counterexample", {"name": "newest_first"}, {"line": 3})
    result = DiagnosticResult.unverifiable(decision.agent_message, decision.developer_fields())
    assert (result.status, result.outcome, result.constraint_id) == (
        decision.status,
        "refuted",
        "program.counterexample",
    )


FROM_DICT = {
    "a list": ([], "expected an object, got a list of 0 items"),
    "None": (None, "expected an object, got null"),
    "empty": ({}, "^the key 'status' is missing"),
    "misspelt key": ({"statsu": "BLOCKED"}, r"unknown key 'statsu'.*Did you mean 'status'\?"),
    "unknown status": (
        {"status": "HEURISTIC", "agent_message": "m", "developer_fields": {}},
        "^status: expected one of VERIFIED, UNVERIFIABLE, BLOCKED, got 'HEURISTIC'",
    ),
    "a status as long as a book": (
        {"status": "x" * 10**6, "agent_message": "m", "developer_fields": {}},
        "^status: expected one of",
    ),
    "a key as long as a book": ({"x" * 10**6: 1}, "unknown key"),
    "a key that is no text": ({1: 1}, "unknown key '1'"),
}


@pytest.mark.parametrize("name", FROM_DICT)
def test_from_dict_refuses_with_a_sentence_that_lists_what_is_allowed(name: str):
    data, sentence = FROM_DICT[name]
    with pytest.raises(ValueError, match=sentence) as caught:
        DiagnosticResult.from_dict(data)
    assert len(str(caught.value)) < 500


@given(JSON)
def test_from_dict_of_any_json_gives_a_verdict_or_ValueError(data: object):
    with pytest.raises(ValueError):
        DiagnosticResult.from_dict(data)


MUTATIONS = {
    "status": ("VERIFIED", "UNKNOWN", None, 1, [], {}),
    "agent_message": ("", " ", None, 1, [], "a\\b", "\ud800"),
    "developer_fields": (None, [], "x", {"advisory_checks": [1]}, {"outcome": "proved"}),
    "proof_ref": ("", "sha256:", True, 1, [0], "sha256:" + "0" * 64),
    "is_authoritative": (True, 1, None, "no"),
}


@pytest.mark.parametrize(("key", "value"), [(key, value) for key, values in MUTATIONS.items() for value in values])
def test_from_dict_refuses_a_verdict_with_one_wrong_entry(key: str, value: object):
    sound = DiagnosticResult.unverifiable("Not established.", {"line": 3}).to_dict()
    with pytest.raises(ValueError):
        DiagnosticResult.from_dict({**sound, key: value})
