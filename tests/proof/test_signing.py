"""Signing verdicts: what is bound, what the signer refuses, and what a signature of another verdict is worth."""

from __future__ import annotations

import dataclasses
import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult, DiagnosticStatus
from probatum.core.errors import IntegrityError, ProbatumError, UsageError
from probatum.core.subject import Subject
from probatum.proof.artifact import parse_artifact
from probatum.proof.envelope import Envelope, signed_envelope
from probatum.proof.keys import KeyFolder, PrivateKey
from probatum.proof.signing import Signed, Signer, checked_signature
from probatum.proof.statement import SUMMARY, VERDICT
from probatum.proof.stores import MemoryStore
from tests.proof.sample import SUBJECT, sample_artifact, verdict_of

MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    return KeyFolder(tmp_path).generate("release")


@pytest.fixture
def store() -> MemoryStore:
    kept = MemoryStore()
    kept.retain(canonical_bytes(sample_artifact()))
    return kept


@pytest.fixture
def verdict() -> DiagnosticResult:
    return verdict_of(sample_artifact())


@pytest.fixture
def signer(store: MemoryStore, key: PrivateKey) -> Signer:
    return Signer(store, key, lambda: MOMENT)


def checked(envelope: Envelope, key: PrivateKey, verdict: DiagnosticResult, artifact: dict[str, object]) -> Signed:
    content = canonical_bytes(artifact)
    return checked_signature(envelope, [key.public], verdict, parse_artifact(content), content)


def test_a_signed_verdict_is_that_of_its_signer(signer: Signer, key: PrivateKey, verdict: DiagnosticResult) -> None:
    envelope = signer.attest(verdict).verdict
    assert checked(envelope, key, verdict, sample_artifact()) == Signed(key.public, VERDICT, MOMENT)


def test_the_statement_names_subject_contract_and_evidence_by_digest(signer: Signer, verdict: DiagnosticResult) -> None:
    statement = json.loads(signer.attest(verdict).verdict.unverified_payload)
    artifact = sample_artifact()
    assert statement["_type"] == "https://in-toto.io/Statement/v1"
    assert statement["subject"] == [{"name": SUBJECT.name, "digest": {"sha256": SUBJECT.digest[7:]}}]
    predicate = statement["predicate"]
    assert predicate["evidence"]["digest"] == {"sha256": verdict.proof_ref[7:]}
    assert predicate["contract"]["digest"] == {"sha256": artifact["contract"]["digest"][7:]}
    assert predicate["verdict"] == artifact["decision"]
    assert predicate["claim"] == artifact["claim"]


def test_the_summary_follows_the_public_predicate(signer: Signer, verdict: DiagnosticResult) -> None:
    statement = json.loads(signer.attest(verdict).summary.unverified_payload)
    assert statement["predicateType"] == "https://in-toto.io/attestation/svr/v0.1"
    assert statement["predicate"]["timeCreated"] == "2024-05-06T07:08:09Z"
    assert statement["predicate"]["properties"] == ["PROBATUM_PROGRAM_TESTED"]
    assert statement["predicate"]["verifier"]["id"]


@pytest.mark.parametrize("made", [DiagnosticResult.unverifiable, DiagnosticResult.blocked])
def test_only_verified_is_signed(made: object, signer: Signer) -> None:
    with pytest.raises(UsageError, match="Only a VERIFIED verdict"):
        signer.attest(made("no", {}))


def test_a_verdict_bent_in_memory_is_not_signed(signer: Signer, store: MemoryStore) -> None:
    """A store may hold the proof of a refutation, and an object may be bent until it fits; it is not VERIFIED."""
    refuted = decide(Outcome.REFUTED, "program.counterexample", {"name": "add"}, {"a": 1, "b": 2})
    reference = store.retain(canonical_bytes(sample_artifact(decision=refuted, claim="add is wrong.")))
    bent = DiagnosticResult.unverifiable(refuted.agent_message, refuted.developer_fields())
    object.__setattr__(bent, "proof_ref", reference)
    with pytest.raises(UsageError, match="Only a VERIFIED verdict"):
        signer.attest(bent)


def test_a_made_up_reference_is_not_signed(signer: Signer, verdict: DiagnosticResult) -> None:
    """Attack 31: the reference of nothing, for whatever claim."""
    nothing = DiagnosticResult(DiagnosticStatus.VERIFIED, "2+2=5", {}, "sha256:" + "0" * 64)
    with pytest.raises(IntegrityError, match="not in the store"):
        signer.attest(nothing)


def test_a_stored_text_that_is_no_artifact_is_not_signed(signer: Signer, store: MemoryStore) -> None:
    """Attack 21: evidence of the caller's own making."""
    evidence = {"calculated": 1, "claimed": 1}
    store.retain(canonical_bytes(evidence))
    with pytest.raises(IntegrityError, match="not of version 1"):
        signer.attest(DiagnosticResult.verified("A claim.", {}, evidence))


@pytest.mark.parametrize(
    "change",
    [
        {"agent_message": "Another sentence."},
        {"developer_fields": {}},
        {"developer_fields": {"outcome": "proved", "constraint_id": "program.tested", "executed_checks": 2}},
    ],
)
def test_a_swapped_layer_is_not_signed(change: dict[str, object], signer: Signer, verdict: DiagnosticResult) -> None:
    """Attacks 10, 14 and 32, at the signer."""
    with pytest.raises(IntegrityError, match="not the one that its evidence gives"):
        signer.attest(dataclasses.replace(verdict, **change))


def test_a_swapped_layer_fails_under_a_valid_signature(
    signer: Signer, key: PrivateKey, verdict: DiagnosticResult
) -> None:
    """Attack 32, at the reader."""
    envelope = signer.attest(verdict).verdict
    other = dataclasses.replace(verdict, agent_message="Another sentence.")
    with pytest.raises(IntegrityError, match="not the one that its evidence gives"):
        checked(envelope, key, other, sample_artifact())


def test_advice_may_differ_and_decides_nothing(signer: Signer, key: PrivateKey, verdict: DiagnosticResult) -> None:
    advice = {"advisory_checks": [{"name": "reviewer", "advisory_only": True, "details": {"says": "bad"}}]}
    advised = dataclasses.replace(verdict, developer_fields={**verdict.developer_fields, **advice})
    assert checked(signer.attest(verdict).verdict, key, advised, sample_artifact()).key == key.public


@pytest.mark.parametrize(
    "other",
    [
        {"subject": Subject(b"def sub(a, b):\n    return a - b\n", "text/x-python", "add.py::add")},
        {"claim": "Another claim."},
        {"seed": 1},
    ],
)
def test_a_signature_is_worth_nothing_for_another_artifact(
    other: dict[str, object], signer: Signer, key: PrivateKey, verdict: DiagnosticResult
) -> None:
    """Attacks 36 and 37: subject, claim and run are bound."""
    artifact = sample_artifact(**other)
    assert verdict_of(artifact).proof_ref != verdict.proof_ref
    with pytest.raises(IntegrityError, match="states another verdict"):
        checked(signer.attest(verdict).verdict, key, verdict_of(artifact), artifact)


def test_the_summary_is_told_from_the_statement(signer: Signer, key: PrivateKey, verdict: DiagnosticResult) -> None:
    assert checked(signer.attest(verdict).summary, key, verdict, sample_artifact()) == Signed(
        key.public, SUMMARY, MOMENT
    )


@pytest.mark.parametrize("payload", [b"", b"text", b"[]", b"{}", b'{"predicate":{}}', b'{"predicate":{"signedAt":1}}'])
def test_signed_nonsense_is_no_statement(payload: bytes, key: PrivateKey, verdict: DiagnosticResult) -> None:
    with pytest.raises(IntegrityError, match="not a statement about a verdict"):
        checked(signed_envelope("application/vnd.in-toto+json", payload, key), key, verdict, sample_artifact())


def test_another_kind_of_payload_is_refused(signer: Signer, key: PrivateKey, verdict: DiagnosticResult) -> None:
    payload = signer.attest(verdict).verdict.unverified_payload
    with pytest.raises(IntegrityError, match="not a statement"):
        checked(signed_envelope("text/plain", payload, key), key, verdict, sample_artifact())


def test_a_time_without_zone_is_refused(store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult) -> None:
    signer = Signer(store, key, lambda: MOMENT.replace(tzinfo=None))
    with pytest.raises(ProbatumError, match="time zone"):
        signer.attest(verdict)
