"""The gate: what it admits, and every attack on the verdict contract that must fail there."""

from __future__ import annotations

import copy
import dataclasses
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult, DiagnosticStatus
from probatum.core.digest import digest_of
from probatum.core.events import Event
from probatum.core.subject import Subject
from probatum.proof.artifact import Described
from probatum.proof.envelope import Envelope
from probatum.proof.gate import Admission, Gate, GatePolicy, release_gate
from probatum.proof.inclusion import IS_INCLUDED, IS_RECORDED, SearchedLedger
from probatum.proof.keys import KeyFolder, PrivateKey
from probatum.proof.ledger import Ledger
from probatum.proof.ledger_entry import entry_of
from probatum.proof.signing import Signer
from probatum.proof.stores import MemoryStore
from tests.proof.sample import RECHECKERS, SUBJECT, SumsRechecker, observed, sample_artifact, verdict_of

MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
MADE_UP = "sha256:" + "ab" * 32


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    return KeyFolder(tmp_path).generate("release")


@pytest.fixture
def signed(store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult) -> Envelope:
    return Signer(store, key, lambda: MOMENT).attest(verdict).verdict


def gate(store: MemoryStore, policy: GatePolicy | None = None, at: datetime = MOMENT, **further: object) -> Gate:
    return Gate(store, policy or GatePolicy(), lambda: at, RECHECKERS, **further)


def refusing_step(admission: Admission) -> str:
    assert not admission.is_admitted
    assert admission.report.failure is not None
    return admission.report.failure.title


def test_a_sound_verdict_is_admitted(store: MemoryStore, verdict: DiagnosticResult) -> None:
    admission = gate(store).admit(verdict, SUBJECT.content)
    assert admission.is_admitted, admission.report.failure
    assert len(admission.report.steps) == 6


def test_re_check_and_replay_add_their_steps(store: MemoryStore, verdict: DiagnosticResult) -> None:
    assert gate(store).admit(verdict, SUBJECT.content, recheck=True).is_admitted
    assert gate(store).admit(verdict, SUBJECT.content, replay=True).is_admitted
    broken = Gate(store, GatePolicy(), lambda: MOMENT, {"program": SumsRechecker(offset=1)})
    title = refusing_step(broken.admit(verdict, SUBJECT.content, replay=True))
    assert title == "verified again from the seed, the subject gives the same artifact"


def forged_in_memory(verdict: DiagnosticResult) -> DiagnosticResult:
    bent = DiagnosticResult.unverifiable("no", {"outcome": "refuted"})
    object.__setattr__(bent, "status", DiagnosticStatus.VERIFIED)
    object.__setattr__(bent, "proof_ref", verdict.proof_ref)
    return bent


def made_without_checks(verdict: DiagnosticResult) -> DiagnosticResult:
    bent = DiagnosticResult.__new__(DiagnosticResult)
    for name in ("agent_message", "developer_fields", "proof_ref"):
        object.__setattr__(bent, name, getattr(verdict, name))
    object.__setattr__(bent, "status", "VERIFIED")
    return bent


class Duck:
    status = DiagnosticStatus.VERIFIED
    is_verified = is_authoritative = True
    agent_message = "ok"
    constraint_id = "program.tested"
    developer_fields: ClassVar[dict[str, object]] = {}
    proof_ref = MADE_UP

    def to_dict(self) -> dict[str, object]:
        return {"status": "VERIFIED"}


ATTACKS: dict[str, tuple[Callable[[DiagnosticResult], object], str]] = {
    "08 a bent object": (forged_in_memory, "it is a VERIFIED verdict"),
    "09 replace of an unverifiable one": (
        lambda verdict: dataclasses.replace(
            DiagnosticResult.unverifiable("no", {}), status=DiagnosticStatus.VERIFIED, proof_ref=MADE_UP
        ),
        "the proof is kept and has its digest",
    ),
    "10 other fields under the old proof": (
        lambda verdict: dataclasses.replace(verdict, developer_fields={"outcome": "proved"}),
        "the proof gives this very verdict",
    ),
    "11 made without the constructor": (made_without_checks, "it is a VERIFIED verdict"),
    "13 a made-up proof": (
        lambda verdict: DiagnosticResult.from_dict({**verdict.to_dict(), "proof_ref": MADE_UP}),
        "the proof is kept and has its digest",
    ),
    "14 tampered fields with the true proof": (
        lambda verdict: DiagnosticResult.from_dict({**verdict.to_dict(), "developer_fields": {"executed_checks": 99}}),
        "the proof gives this very verdict",
    ),
    "21 evidence of the caller's own": (
        lambda verdict: DiagnosticResult.verified("2 + 2 = 5.", {}, {"claimed": 5, "calculated": 5}),
        "the proof is kept and has its digest",
    ),
    "30 a duck": (lambda verdict: Duck(), "it is a VERIFIED verdict"),
    "30 a mapping": (lambda verdict: verdict.to_dict(), "it is a VERIFIED verdict"),
    "31 the reference of nothing": (
        lambda verdict: DiagnosticResult(DiagnosticStatus.VERIFIED, "2 + 2 = 5.", {}, "sha256:" + "0" * 64),
        "the proof is kept and has its digest",
    ),
    "32 another sentence": (
        lambda verdict: dataclasses.replace(verdict, agent_message="All is well."),
        "the proof gives this very verdict",
    ),
    "an unverifiable one": (lambda verdict: DiagnosticResult.unverifiable("no", {}), "it is a VERIFIED verdict"),
    "a blocked one": (lambda verdict: DiagnosticResult.blocked("no", {}), "it is a VERIFIED verdict"),
    "nothing": (lambda verdict: None, "it is a VERIFIED verdict"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails_at_the_gate(name: str, store: MemoryStore, verdict: DiagnosticResult) -> None:
    attack, step = ATTACKS[name]
    forged = attack(verdict)
    assert refusing_step(gate(store).admit(forged, SUBJECT.content)) == step


def test_evidence_of_the_callers_own_fails_even_where_it_is_kept(store: MemoryStore) -> None:
    evidence = {"claimed": 5, "calculated": 5}
    store.retain(canonical_bytes(evidence))
    forged = DiagnosticResult.verified("2 + 2 = 5.", {}, evidence)
    assert refusing_step(gate(store).admit(forged, SUBJECT.content)) == "the proof gives this very verdict"


def test_a_verdict_on_another_subject_is_refused(store: MemoryStore, verdict: DiagnosticResult) -> None:
    title = refusing_step(gate(store).admit(verdict, SUBJECT.content + b"\n"))
    assert title == "the subject is the one that was judged"


def test_altered_content_of_the_store_is_refused(store: MemoryStore, verdict: DiagnosticResult) -> None:
    store._contents[str(verdict.proof_ref)] += b" "
    assert refusing_step(gate(store).admit(verdict, SUBJECT.content)) == "the proof is kept and has its digest"


def test_advice_that_travels_along_changes_nothing(store: MemoryStore, verdict: DiagnosticResult) -> None:
    advice = {"advisory_checks": [{"name": "reviewer", "advisory_only": True}]}
    advised = dataclasses.replace(verdict, developer_fields={**verdict.developer_fields, **advice})
    assert gate(store).admit(advised, SUBJECT.content).is_admitted


def test_a_higher_assurance_can_be_required(store: MemoryStore, verdict: DiagnosticResult) -> None:
    strict = gate(store, GatePolicy(least=Outcome.PROVED))
    assert refusing_step(strict.admit(verdict, SUBJECT.content)) == "the assurance is the required one"


POLICY_STEP = "what was judged, and by what, is what is required"


@pytest.mark.parametrize(
    ("demanded", "floor", "is_admitted"), [(0.0, 0.7, False), (0.5, 0.5, True), (0.7, 0.7, True), (0.7, 0.9, False)]
)
def test_a_policy_that_demands_too_little_is_refused(
    demanded: float, floor: float, is_admitted: bool, store: MemoryStore
) -> None:
    artifact = sample_artifact(policy=Described("sums/standard", {"min_strength": demanded}))
    store.retain(canonical_bytes(artifact))
    asking = Gate(store, GatePolicy(), lambda: MOMENT, {"program": SumsRechecker(floor=floor)})
    admission = asking.admit(verdict_of(artifact), SUBJECT.content)
    assert admission.is_admitted is is_admitted
    if not is_admitted:
        assert refusing_step(admission) == POLICY_STEP
        assert f"min_strength is {demanded:g}; {floor} is required" in str(admission.report.failure)


class Silent(SumsRechecker):
    def shortfalls(self, artifact: object, _subject: bytes) -> tuple[str, ...]:
        return None  # type: ignore[return-value]  # a judge that is broken


@pytest.mark.parametrize(
    ("policy", "recheckers"),
    [
        ({"min_strength": 0.7}, {}),
        ({"min_strength": 0.7}, {"output": SumsRechecker()}),
        ({"min_strength": 0.7}, {"program": Silent()}),
        ({"min_strength": "0.7"}, RECHECKERS),
        ({}, RECHECKERS),
        ([], RECHECKERS),
        (None, RECHECKERS),
    ],
)
def test_a_policy_that_cannot_be_judged_is_refused(
    policy: object, recheckers: dict[str, SumsRechecker], store: MemoryStore
) -> None:
    artifact = sample_artifact(policy=Described("sums/standard", policy))
    store.retain(canonical_bytes(artifact))
    admission = Gate(store, GatePolicy(), lambda: MOMENT, recheckers).admit(verdict_of(artifact), SUBJECT.content)
    assert refusing_step(admission) == POLICY_STEP


def test_a_policy_that_is_not_the_one_of_its_digest_is_refused(store: MemoryStore) -> None:
    artifact = sample_artifact(policy=Described("sums/standard", {"min_strength": 0.0}))
    artifact["policy"]["content"] = {"min_strength": 0.7}
    store.retain(canonical_bytes(artifact))
    assert refusing_step(gate(store).admit(verdict_of(artifact), SUBJECT.content)) == POLICY_STEP


def test_a_verdict_that_must_be_recorded_is(store: MemoryStore, verdict: DiagnosticResult, tmp_path: Path) -> None:
    asking, ledger = gate(store, GatePolicy(recorded=True)), Ledger(tmp_path / "log.sqlite")
    heard: list[Event] = []
    asking._listener = heard.append
    assert refusing_step(asking.admit(verdict, SUBJECT.content)) == IS_RECORDED
    assert refusing_step(asking.admit(verdict, SUBJECT.content, record=SearchedLedger(ledger))) == IS_RECORDED
    assert [event.data["constraint_id"] for event in heard] == ["program.tested", "program.tested"]
    ledger.append([entry_of("add.py", SUBJECT.content, verdict, MOMENT)])
    admission = asking.admit(verdict, SUBJECT.content, record=SearchedLedger(ledger), recheck=True)
    assert admission.is_admitted, admission.report.failure
    assert [step.title for step in admission.report.steps[6:8]] == [IS_RECORDED, IS_INCLUDED]


def test_a_required_signature_must_be_there_and_trusted(
    store: MemoryStore, verdict: DiagnosticResult, key: PrivateKey, signed: Envelope, tmp_path: Path
) -> None:
    asking = gate(store, GatePolicy(trusted=(key.public,)))
    assert asking.admit(verdict, SUBJECT.content, attestations=[signed]).is_admitted
    assert refusing_step(asking.admit(verdict, SUBJECT.content)) == "a trusted key signed it"
    stranger = KeyFolder(tmp_path).generate("stranger")
    foreign = Signer(store, stranger, lambda: MOMENT).attest(verdict)
    for attestations in ([foreign.verdict], [Signer(store, key, lambda: MOMENT).attest(verdict).summary]):
        assert refusing_step(asking.admit(verdict, SUBJECT.content, attestations=attestations)) == (
            "a trusted key signed it"
        )
    assert asking.admit(verdict, SUBJECT.content, attestations=[foreign.verdict, signed]).is_admitted


def test_the_signature_of_another_verdict_is_none(
    store: MemoryStore, key: PrivateKey, verdict: DiagnosticResult, signed: Envelope
) -> None:
    artifact = sample_artifact(subject=Subject(b"another", "text/plain", "other"))
    store.retain(canonical_bytes(artifact))
    asking = gate(store, GatePolicy(trusted=(key.public,)))
    admission = asking.admit(verdict_of(artifact), b"another", attestations=[signed])
    assert refusing_step(admission) == "a trusted key signed it"


@pytest.mark.parametrize(
    ("later", "is_admitted"),
    [
        (timedelta(), True),
        (timedelta(hours=1), True),
        (timedelta(hours=1, seconds=1), False),
        (-timedelta(minutes=5), True),
        (-timedelta(minutes=6), False),
    ],
)
def test_an_age_is_asked_of_the_signature(
    later: timedelta,
    is_admitted: bool,
    store: MemoryStore,
    key: PrivateKey,
    verdict: DiagnosticResult,
    signed: Envelope,
) -> None:
    policy = GatePolicy(trusted=(key.public,), max_age=timedelta(hours=1))
    admission = gate(store, policy, MOMENT + later).admit(verdict, SUBJECT.content, attestations=[signed])
    assert admission.is_admitted is is_admitted
    if not is_admitted:
        assert refusing_step(admission) == "it was signed recently enough"


@pytest.mark.parametrize(
    "policy",
    [
        lambda key: GatePolicy(max_age=timedelta(hours=1)),
        lambda key: GatePolicy(trusted=(key.public,), max_age=timedelta()),
        lambda key: GatePolicy(least=Outcome.UNDECIDED),
    ],
)
def test_a_policy_that_cannot_be_kept_is_refused(policy: Callable[[PrivateKey], object], key: PrivateKey) -> None:
    with pytest.raises(ValueError, match=r"gate requires|trusted key"):
        policy(key)


def test_a_decision_that_does_not_follow_is_found_by_the_re_check(store: MemoryStore) -> None:
    decision = decide(Outcome.TESTED, "program.tested", {"name": "add", "checks": 1, "noticed": 3, "planted": 4}, {})
    forged = sample_artifact(observations=observed((1, 2, 4)), decision=decision, claim=decision.agent_message)
    store.retain(canonical_bytes(forged))
    verdict = verdict_of(forged)
    assert gate(store).admit(verdict, SUBJECT.content).is_admitted
    title = refusing_step(gate(store).admit(verdict, SUBJECT.content, recheck=True))
    assert title == "the decision follows from the observations"


def test_every_refusal_is_told(store: MemoryStore, verdict: DiagnosticResult, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Event] = []
    refused = DiagnosticResult.unverifiable("f does something else.", {"constraint_id": "program.counterexample"})
    with caplog.at_level(logging.WARNING, logger="probatum.gate"):
        gate(store, listener=heard.append).admit(refused, SUBJECT.content)
        gate(store, listener=heard.append).admit(verdict, SUBJECT.content)
    [event] = heard
    assert event.data["constraint_id"] == "program.counterexample"
    assert event.data["agent_message"] == "f does something else."
    assert "program.counterexample" in caplog.text


def test_the_documents_gate_asks_for_a_reference_alone(
    verdict: DiagnosticResult, caplog: pytest.LogCaptureFixture
) -> None:
    assert release_gate(verdict)
    assert release_gate(copy.copy(verdict))
    with caplog.at_level(logging.WARNING, logger="probatum.gate"):
        assert not release_gate(DiagnosticResult.unverifiable("no", {"constraint_id": "a.b"}))
        assert not release_gate(Duck())
        assert not release_gate(None)
    assert "a.b" in caplog.text


def test_a_proof_reference_is_a_digest_of_the_kept_bytes(store: MemoryStore, verdict: DiagnosticResult) -> None:
    assert digest_of(store.fetch(str(verdict.proof_ref))) == verdict.proof_ref
