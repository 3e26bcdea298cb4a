"""Law 5. Digest and decision are derived again offline, in numbered steps; any altered byte fails with its number."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.kinds.program.rechecking import program_rechecker
from probatum.programs.running.execute import Benches
from probatum.proof.recheck import TITLES, recheck
from probatum.proof.steps import StepReport
from probatum.proof.stores import DirectoryStore, MemoryStore
from probatum.sandbox import own_environment
from tests.laws.programs import SOUND, request
from tests.services import Service


def no_sandbox() -> Benches:
    raise AssertionError("a re-check without replay runs nothing")


STRANGER = {"program": program_rechecker(no_sandbox, own_environment(), lambda _artifact, _subject: ())}


@pytest.fixture(scope="module")
def proof() -> tuple[str, bytes]:
    store = MemoryStore()
    with Service(store) as service:
        verdict = service.verify_program(request()).verdict
    return verdict.proof_ref, store.fetch(verdict.proof_ref)


def failing_step(report: StepReport) -> int | None:
    return report.failure.number if report.failure else None


def test_a_stranger_with_the_bytes_alone_re_checks_offline(proof: tuple[str, bytes]):
    ref, content = proof
    store = MemoryStore()
    assert store.retain(content) == ref
    report = recheck(ref, store, STRANGER)
    assert report.holds, report.failure
    assert [step.number for step in report.steps] == list(range(1, len(TITLES)))


def test_any_altered_byte_fails_with_the_number_of_its_step(proof: tuple[str, bytes], tmp_path: Path):
    ref, content = proof
    store = DirectoryStore(tmp_path)
    store.retain(content)
    [file] = [path for path in tmp_path.rglob("*") if path.is_file()]
    for position in range(0, len(content), 5):
        file.write_bytes(content[:position] + bytes([content[position] ^ 0x20]) + content[position + 1 :])
        assert failing_step(recheck(ref, store, STRANGER)) == 3, position


def forged(content: bytes, change: Callable[[dict[str, object]], None]) -> tuple[str, MemoryStore]:
    document = json.loads(content)
    change(document)
    store = MemoryStore()
    store.retain(SOUND)
    return store.retain(canonical_bytes(document)), store


def set_policy(document: dict[str, object]) -> None:
    content = {**document["policy"]["content"], "min_strength": 0.1}
    document["policy"] = {**document["policy"], "content": content, "digest": digest_of(canonical_bytes(content))}


FORGERIES: dict[str, tuple[Callable[[dict[str, object]], None], int]] = {
    "a check that failed": (lambda d: d["observations"][0]["checks"][0].update(state="fails"), 8),
    "no check at all": (lambda d: d["observations"][0].update(checks=[]), 8),
    "no planted fault": (lambda d: d["observations"][0].update(mutants=[]), 8),
    "another function": (lambda d: d["observations"][0].update(qualname="other"), 8),
    "a second, unproved function": (lambda d: d["observations"].append({"qualname": "g", "line": 1}), 8),
    "an observation that is no record": (lambda d: d["observations"].append({"trust": "me"}), 8),
    "a softer policy under its own digest": (set_policy, 8),
    "a better strength": (lambda d: d["decision"]["developer_fields"].update(planted_faults=1), 8),
    "proved instead of tested": (
        lambda d: (
            d["decision"].update(outcome="proved"),
            d["decision"]["developer_fields"].update(outcome="proved"),
        ),
        8,
    ),
    "the media type of an output": (lambda d: d["subject"].update(media_type="application/json"), 8),
    "nothing assumed": (lambda d: d.update(assumptions=[]), 8),
    "more assumed": (lambda d: d["assumptions"].append("a person has read it"), 8),
    "a verifier left out": (lambda d: d["verifiers"].pop(), 8),
    "a verifier that does not exist": (lambda d: d["verifiers"].append({"id": "auditor", "version": "9"}), 8),
    "a contract in words that are not there": (lambda d: d["contract"].update(kind="documentation and text"), 8),
    "a larger claim": (lambda d: d.update(claim="clamp is correct."), 9),
    "an observation contradicts its expectation": (
        lambda d: d["observations"][0]["checks"][0]["observed"].update(value=99),
        8,
    ),
    "an expectation contradicts its observation": (
        lambda d: d["observations"][0]["checks"][0]["expected"].update(value=99),
        8,
    ),
    "a lost answer that holds": (lambda d: d["observations"][0]["checks"][0].update(observed={"lost": "cpu"}), 8),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_under_its_own_digest_fails_at_its_step(name: str, proof: tuple[str, bytes]):
    change, step = FORGERIES[name]
    ref, store = forged(proof[1], change)
    assert failing_step(recheck(ref, store, STRANGER)) == step


def test_a_proof_moved_to_another_subject_does_not_survive_a_replay(proof: tuple[str, bytes]):
    other = SOUND.replace(b"return high", b"return low")

    def move(document: dict[str, object]) -> None:
        document["subject"]["digest"] = digest_of(other)

    ref, store = forged(proof[1], move)
    store.retain(other)
    with Service(store) as service:
        report = recheck(ref, store, service.recheckers(), replay=True)
    assert failing_step(report) == 10
    assert "today the verdict is refuted: clamp does not do what its documentation says" in report.failure.detail


def test_a_replay_of_a_sound_proof_holds(proof: tuple[str, bytes]):
    ref, store = forged(proof[1], lambda _document: None)
    assert ref == proof[0]
    with Service(store) as service:
        report = recheck(ref, store, service.recheckers(), replay=True)
    assert report.holds, report.failure
    assert report.steps[-1].detail == "the same versions"


def test_an_invented_observation_does_not_survive_a_replay(proof: tuple[str, bytes]):
    def invent(document: dict[str, object]) -> None:
        check = document["observations"][0]["checks"][0]
        check["inputs"]["args"] = [10**6, 1, 9]

    ref, store = forged(proof[1], invent)
    with Service(store) as service:
        report = recheck(ref, store, service.recheckers(), replay=True)
    assert failing_step(report) in {8, 10}


def test_a_sandbox_that_is_missing_fails_the_replay_and_nothing_before(proof: tuple[str, bytes]):
    ref, store = forged(proof[1], lambda _document: None)
    report = recheck(ref, store, STRANGER, replay=True)
    assert failing_step(report) == 10
