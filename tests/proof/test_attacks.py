"""Attacks that a verdict alone cannot withstand, by their numbers: they fail where the evidence is looked up.

The others are in `tests/core/test_diagnostics_attacks.py`; `tests/house/test_attacks.py` has the whole list.
"""

from __future__ import annotations

import json
import pickle
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import DiagnosticStatus
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.frozen import FrozenDict
from probatum.core.subject import Subject
from probatum.proof.artifact import parse_artifact
from probatum.proof.checkpoint import signed_checkpoint
from probatum.proof.gate import Gate, GatePolicy
from probatum.proof.keys import KeyFolder, PrivateKey
from probatum.proof.ledger import Ledger
from probatum.proof.recheck import recheck
from probatum.proof.signing import Signer, checked_signature
from probatum.proof.statement import statement_of
from probatum.proof.stores import MemoryStore
from tests.proof.sample import RECHECKERS, SUBJECT, observed, sample_artifact, verdict_of

MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
VERIFIED = DiagnosticStatus.VERIFIED
MADE_UP = "sha256:" + "ab" * 32
NO_VERDICT = "it is a VERIFIED verdict"
NOT_KEPT = "the proof is kept and has its digest"
NOT_BOUND = "the proof gives this very verdict"
OTHER_SUBJECT = "the subject is the one that was judged"


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    return KeyFolder(tmp_path / "keys").generate("release")


def refusal(result: object, store: MemoryStore, subject: bytes = SUBJECT.content) -> tuple[str, str]:
    """Return title and detail of the step at which the gate refuses."""
    admission = Gate(store, GatePolicy(), lambda: MOMENT, RECHECKERS).admit(result, subject)
    assert not admission.is_admitted
    failure = admission.report.failure
    assert failure is not None
    return failure.title, failure.detail


def test_the_verdict_that_the_attacks_start_from_is_admitted(store: MemoryStore, verdict: DiagnosticResult) -> None:
    assert Gate(store, GatePolicy(), lambda: MOMENT, RECHECKERS).admit(verdict, SUBJECT.content).is_admitted


def bent(**values: object) -> DiagnosticResult:
    """Return a verdict that was sound when it was made, with values written into it past its checks."""
    result = DiagnosticResult.unverifiable("It does not hold.", {})
    for name, value in values.items():
        object.__setattr__(result, name, value)
    return result


BENT: dict[str, tuple[Callable[[str], DiagnosticResult], str]] = {
    "with a made-up proof": (lambda _: bent(status=VERIFIED, proof_ref=MADE_UP), NOT_KEPT),
    "with the proof of another verdict": (lambda ref: bent(status=VERIFIED, proof_ref=ref), NOT_BOUND),
    "with the status as text": (lambda ref: bent(status="VERIFIED", proof_ref=ref), NO_VERDICT),
    "with a proof that is no text": (lambda _: bent(status=VERIFIED, proof_ref=[0]), NO_VERDICT),
    "without proof": (lambda _: bent(status=VERIFIED), NO_VERDICT),
    "with an outcome that contradicts it": (
        lambda ref: bent(status=VERIFIED, proof_ref=ref, developer_fields=FrozenDict(outcome="refuted")),
        NO_VERDICT,
    ),
    "with fields that are none": (lambda ref: bent(status=VERIFIED, proof_ref=ref, developer_fields=None), NO_VERDICT),
}


@pytest.mark.parametrize("name", BENT)
def test_attack_8_an_object_bent_past_its_checks(name: str, store: MemoryStore, verdict: DiagnosticResult) -> None:
    make, step = BENT[name]
    assert refusal(make(str(verdict.proof_ref)), store)[0] == step


def test_attack_8_bent_and_passed_through_a_dictionary(store: MemoryStore, verdict: DiagnosticResult) -> None:
    for reference, step in ((MADE_UP, NOT_KEPT), (str(verdict.proof_ref), NOT_BOUND)):
        forged = DiagnosticResult.from_dict(bent(status=VERIFIED, proof_ref=reference).to_dict())
        assert forged.is_authoritative
        assert refusal(forged, store)[0] == step


def test_attack_8_there_is_no_dictionary_to_update(verdict: DiagnosticResult) -> None:
    with pytest.raises(AttributeError):
        verdict.__dict__.update(status=VERIFIED)


def test_attack_9_an_unverifiable_verdict_replaced_by_a_verified_one(
    store: MemoryStore, verdict: DiagnosticResult
) -> None:
    refused = DiagnosticResult.unverifiable("It does not hold.", {})
    for reference, step in ((MADE_UP, NOT_KEPT), (str(verdict.proof_ref), NOT_BOUND)):
        assert refusal(replace(refused, status=VERIFIED, proof_ref=reference), store)[0] == step


OTHER_FIELDS = {
    "none": {},
    "a higher outcome": {"outcome": "proved"},
    "another number": {"executed_checks": 99},
    "a number of another type": {"executed_checks": "2"},
    "a field more": {"reviewed": True},
    "another constraint": {"constraint_id": "program.all_tested"},
}


def with_fields(verdict: DiagnosticResult, name: str) -> dict[str, object]:
    changes = OTHER_FIELDS[name]
    return {**verdict.developer_fields, **changes} if changes else {}


@pytest.mark.parametrize("name", OTHER_FIELDS)
def test_attack_10_replaced_fields_keep_the_old_proof(name: str, store: MemoryStore, verdict: DiagnosticResult) -> None:
    forged = replace(verdict, developer_fields=with_fields(verdict, name))
    assert refusal(forged, store)[0] == NOT_BOUND


def test_attack_11_made_by_new_without_the_checks(store: MemoryStore, verdict: DiagnosticResult) -> None:
    bare = DiagnosticResult.__new__(DiagnosticResult)
    assert refusal(bare, store)[0] == NO_VERDICT
    for name in ("agent_message", "developer_fields", "proof_ref"):
        object.__setattr__(bare, name, getattr(verdict, name))
    object.__setattr__(bare, "status", "VERIFIED")
    assert refusal(bare, store)[0] == NO_VERDICT


def test_attack_11_a_pickle_with_another_proof(store: MemoryStore, verdict: DiagnosticResult) -> None:
    reference = str(verdict.proof_ref)
    forged = pickle.loads(pickle.dumps(verdict).replace(reference.encode(), MADE_UP.encode()))
    assert forged.is_authoritative
    assert refusal(forged, store)[0] == NOT_KEPT


@pytest.mark.parametrize("reference", [MADE_UP, "sha256:" + "0" * 64], ids=["made up", "nothing"])
def test_attack_13_from_a_dictionary_with_a_made_up_proof(
    reference: str, store: MemoryStore, verdict: DiagnosticResult
) -> None:
    forged = DiagnosticResult.from_dict({**verdict.to_dict(), "proof_ref": reference})
    title, detail = refusal(forged, store)
    assert (title, "not in the store" in detail) == (NOT_KEPT, True)


@pytest.mark.parametrize("name", OTHER_FIELDS)
def test_attack_14_from_a_dictionary_with_tampered_fields(
    name: str, store: MemoryStore, verdict: DiagnosticResult
) -> None:
    data = {**verdict.to_dict(), "developer_fields": with_fields(verdict, name)}
    assert refusal(DiagnosticResult.from_dict(json.loads(json.dumps(data))), store)[0] == NOT_BOUND


def test_attack_21_evidence_that_contradicts_the_message(store: MemoryStore, key: PrivateKey) -> None:
    evidence = {"claimed": 5, "calculated": 4}
    forged = DiagnosticResult.verified("2 + 2 is 5.", {}, evidence)
    assert refusal(forged, store)[0] == NOT_KEPT
    store.retain(canonical_bytes(evidence))
    title, detail = refusal(forged, store)
    assert (title, "not of version 1" in detail) == (NOT_BOUND, True)
    with pytest.raises(IntegrityError, match="not of version 1"):
        Signer(store, key, lambda: MOMENT).attest(forged)


class Duck:
    """Looks like a verdict, and says that it is one."""

    status = VERIFIED
    is_verified = is_authoritative = True
    is_fail_closed = False
    agent_message = "It holds."
    constraint_id = "program.tested"

    def __init__(self, verdict: DiagnosticResult) -> None:
        self.developer_fields = verdict.developer_fields
        self.proof_ref = verdict.proof_ref
        self.to_dict = verdict.to_dict

    @property
    def __class__(self) -> type[DiagnosticResult]:
        return DiagnosticResult


@pytest.mark.parametrize(
    "made",
    [Duck, DiagnosticResult.to_dict, lambda verdict: DiagnosticResult, lambda verdict: None],
    ids=["an object", "a dictionary", "the class", "nothing"],
)
def test_attack_30_what_only_looks_like_a_verdict(
    made: Callable[[DiagnosticResult], object], store: MemoryStore, verdict: DiagnosticResult
) -> None:
    assert refusal(made(verdict), store)[0] == NO_VERDICT


@pytest.mark.parametrize("reference", ["sha256:" + "0" * 64, MADE_UP])
def test_attack_31_a_reference_of_nothing_for_the_signer(reference: str, store: MemoryStore, key: PrivateKey) -> None:
    nothing = DiagnosticResult(VERIFIED, "2 + 2 is 5.", {}, reference)
    with pytest.raises(IntegrityError, match="not in the store"):
        Signer(store, key, lambda: MOMENT).attest(nothing)


SWAPPED = {
    "sentence": {"agent_message": "All is well."},
    "fields": {"developer_fields": {"outcome": "proved"}},
    "a number of a sentence": {"agent_message": None},
}


@pytest.mark.parametrize("name", SWAPPED)
def test_attack_32_a_layer_swapped_under_a_valid_signature(
    name: str, store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult
) -> None:
    signed = Signer(store, key, lambda: MOMENT).attest(verdict).verdict
    louder = {"agent_message": verdict.agent_message.replace("3 of 4", "4 of 4")}
    forged = replace(verdict, **(SWAPPED[name] if name != "a number of a sentence" else louder))
    content = canonical_bytes(sample_artifact())
    with pytest.raises(IntegrityError, match="not the one that its evidence gives"):
        checked_signature(signed, [key.public], forged, parse_artifact(content), content)
    asking = Gate(store, GatePolicy(trusted=(key.public,)), lambda: MOMENT, RECHECKERS)
    admission = asking.admit(forged, SUBJECT.content, attestations=[signed])
    assert admission.report.failure is not None
    assert admission.report.failure.title == NOT_BOUND


def test_attack_34_a_failed_status_is_attested_with_no_words_that_help(
    store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult
) -> None:
    signer = Signer(store, key, lambda: MOMENT)
    with pytest.raises(TypeError):
        signer.attest(verdict, status="FAILED", verified=True, confidence=99)
    for other in (DiagnosticResult.unverifiable, DiagnosticResult.blocked):
        with pytest.raises(UsageError, match="Only a VERIFIED verdict"):
            signer.attest(other("It failed.", {"verified": True, "confidence": 99}))
    for asked in ({"status": "FAILED", "verified": True, "confidence": 99}, Duck(verdict), "FAILED", None):
        with pytest.raises(UsageError, match="Only a VERIFIED verdict"):
            signer.attest(asked)


def test_attack_34_a_confidence_that_the_evidence_does_not_have(
    store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult
) -> None:
    praised = replace(verdict, developer_fields={**verdict.developer_fields, "confidence": 99})
    content = canonical_bytes(sample_artifact())
    for made in (
        lambda: Signer(store, key, lambda: MOMENT).attest(praised),
        lambda: statement_of(praised, parse_artifact(content), content, MOMENT),
    ):
        with pytest.raises(IntegrityError, match="not the one that its evidence gives"):
            made()


@pytest.mark.parametrize(
    "status", [DiagnosticStatus.BLOCKED, DiagnosticStatus.UNVERIFIABLE, "FAILED", "VERIFIED", None]
)
def test_attack_34_a_bent_status_is_not_signed(
    status: object, store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult
) -> None:
    failed = DiagnosticResult.from_dict(verdict.to_dict())
    object.__setattr__(failed, "status", status)
    with pytest.raises(UsageError, match="Only a VERIFIED verdict"):
        Signer(store, key, lambda: MOMENT).attest(failed)


CAT, DOG = (Subject(content, "image/png", "picture.png") for content in (b"a cat", b"a dog"))


def test_attack_36_two_subjects_opposite_claims_same_evidence(store: MemoryStore) -> None:
    shown = sample_artifact(subject=CAT, claim="It shows a cat.")
    hidden = sample_artifact(subject=DOG, claim="It shows no cat.")
    assert shown["observations"] == hidden["observations"]
    for artifact in (shown, hidden):
        store.retain(canonical_bytes(artifact))
    first, second = verdict_of(shown), verdict_of(hidden)
    assert first.proof_ref != second.proof_ref
    assert refusal(first, store, DOG.content)[0] == OTHER_SUBJECT
    assert refusal(second, store, CAT.content)[0] == OTHER_SUBJECT


def test_attack_36_a_claim_is_what_the_observations_establish(store: MemoryStore) -> None:
    claims = ("It shows a cat.", "It shows no cat.")
    references = [store.retain(canonical_bytes(sample_artifact(claim=claim))) for claim in claims]
    assert len(set(references)) == 2
    for reference in references:
        failure = recheck(reference, store, RECHECKERS).failure
        assert failure is not None
        assert failure.number == 9


def test_attack_37_two_runs_of_the_same_words_have_two_proofs(store: MemoryStore) -> None:
    first = sample_artifact(observations=observed((1, 2, 3), (4, 5, 9)))
    second = sample_artifact(observations=observed((2, 1, 3), (5, 4, 9)))
    swapped = sample_artifact(observations=observed((4, 5, 9), (1, 2, 3)))
    verdicts = [verdict_of(artifact) for artifact in (first, second, swapped)]
    assert len({verdict.agent_message for verdict in verdicts}) == 1
    assert len({verdict.proof_ref for verdict in verdicts}) == 3


LOSSES = {
    "the last row": "position > 1",
    "all rows": "position >= 0",
}


@pytest.mark.parametrize("name", LOSSES)
def test_attack_38_rows_are_deleted_and_another_process_audits(name: str, tmp_path: Path, key: PrivateKey) -> None:
    ledger = Ledger(tmp_path / "log.sqlite")
    ledger.append([b"first", b"second", b"third"])
    head = ledger.head("example.com/log")
    ledger.close()
    (tmp_path / "head.txt").write_text(signed_checkpoint(head, key))
    (tmp_path / "log.pem").write_text(key.public.pem)
    connection = sqlite3.connect(ledger.path)
    connection.execute(f"DELETE FROM entries WHERE {LOSSES[name]}")
    connection.execute(f"DELETE FROM nodes WHERE {LOSSES[name]} OR level > 0 AND (position + 1) << level > 2")
    connection.commit()
    connection.close()
    audit = [sys.executable, "-m", "probatum", "ledger", "audit", "--ledger", "log.sqlite"]
    alone = subprocess.run(audit, cwd=tmp_path, capture_output=True, text=True, check=False)
    against = [*audit, "--checkpoint", "head.txt", "--trust", "log.pem"]
    found = subprocess.run(against, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert alone.returncode == 0
    assert found.returncode == 1
    assert "a checkpoint has 3 entries" in found.stdout
