"""The numbered re-check: what holds, which step fails for which damage, and that nothing after a failure holds."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.errors import NotAttemptedError
from probatum.proof import recheck as module
from probatum.proof.artifact import Described, VerifierVersion, parse_artifact, part
from probatum.proof.recheck import TITLES, recheck
from probatum.proof.steps import StepReport
from probatum.proof.stores import DirectoryStore, MemoryStore
from tests.proof.sample import RECHECKERS, SUBJECT, SumsRechecker, decision_on, observed, sample_artifact, sample_bytes


def kept(*contents: bytes) -> tuple[MemoryStore, str]:
    store = MemoryStore()
    return store, [store.retain(content) for content in contents][-1]


def failing_step(report: StepReport) -> int:
    assert not report.holds
    failed = [step.number for step in report.steps if step.holds is False]
    assert len(failed) == 1
    assert all(step.holds is True for step in report.steps[: failed[0] - 1])
    assert all(step.holds is None for step in report.steps[failed[0] :])
    return failed[0]


def test_a_sound_proof_holds_in_nine_steps():
    store, ref = kept(sample_bytes())
    report = recheck(ref, store, RECHECKERS)
    assert report.holds
    assert report.failure is None
    assert [step.number for step in report.steps] == list(range(1, 10))


def test_a_sound_proof_holds_with_replay_in_ten_steps():
    store, ref = kept(SUBJECT.content, sample_bytes())
    report = recheck(ref, store, RECHECKERS, replay=True)
    assert report.holds
    assert report.steps[-1].detail == "the same versions"


def test_the_module_lists_the_steps_that_it_takes():
    listed = [line for line in module.__doc__.splitlines() if line.strip()[:2].rstrip(".").isdigit()]
    assert len(listed) == len(TITLES)


def edited(**changes: object) -> bytes:
    """A sample with entries of the document itself replaced: what a forger who can write JSON makes."""
    return canonical_bytes({**sample_artifact(), **changes})


def with_decision(**changes: object) -> bytes:
    document = sample_artifact()
    return canonical_bytes({**document, "decision": {**document["decision"], **changes}})


REFUTED = decision_on(observed((1, 1, 3)))

FORGERIES = {
    "not json": (b"proof", 4),
    "json with spaces": (sample_bytes() + b"\n", 4),
    "another format": (edited(format="probatum/proof-artifact/v2"), 4),
    "unknown key": (edited(note="trust me"), 4),
    "policy softened under the old digest": (
        edited(policy={**sample_artifact()["policy"], "content": {"min_strength": 0}}),
        5,
    ),
    "contract replaced under the old digest": (edited(contract={**sample_artifact()["contract"], "content": []}), 5),
    "a part that nobody keeps": (sample_bytes(observations=[*observed((1, 2, 3)), part("sha256:" + "0" * 64)]), 6),
    "a kind without re-checker": (sample_bytes(kind="audit"), 7),
    "an observation changed": (edited(observations=observed((1, 2, 4), (4, 5, 9))), 8),
    "an observation dropped": (edited(observations=observed((1, 2, 3))), 8),
    "an observation that cannot be read": (edited(observations=[{"a": "1"}]), 8),
    "a softer sentence": (with_decision(agent_message="Add is correct."), 8),
    "a field added": (
        with_decision(developer_fields={**sample_artifact()["decision"]["developer_fields"], "bonus": True}),
        8,
    ),
    "a proof of a refutation": (
        sample_bytes(decision=REFUTED, claim=REFUTED.agent_message, observations=observed((1, 1, 3))),
        9,
    ),
    "a larger claim": (sample_bytes(claim="add is correct for all numbers."), 9),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forgery_under_its_own_digest_fails_at(name: str):
    content, step = FORGERIES[name]
    store, ref = kept(content)
    assert failing_step(recheck(ref, store, RECHECKERS)) == step


REFERENCES = {
    "empty": ("", 1),
    "made up": ("sha256:fake", 1),
    "upper case": ("sha256:" + "A" * 64, 1),
    "a path": ("sha256:../../../../etc/passwd", 1),
    "not text": (5, 1),
    "unknown": ("sha256:" + "0" * 64, 2),
}


@pytest.mark.parametrize("name", REFERENCES)
def test_a_reference_fails_at(name: str):
    ref, step = REFERENCES[name]
    store, _ = kept(sample_bytes())
    assert failing_step(recheck(ref, store, RECHECKERS)) == step


class LyingStore(MemoryStore):
    def __init__(self, answer: object) -> None:
        super().__init__()
        self._answer = answer

    def fetch(self, digest: str) -> bytes:
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


STORE_FAULTS = {
    "other bytes": (sample_bytes(seed=1), 3),
    "text": ("proof", 2),
    "nothing": (None, 2),
    "raises a named error": (NotAttemptedError("store.full", "No room."), 2),
    "raises anything": (RuntimeError("broken"), 2),
    "runs out of memory": (MemoryError(), 2),
}


@pytest.mark.parametrize("name", STORE_FAULTS)
def test_a_broken_store_fails_at(name: str):
    answer, step = STORE_FAULTS[name]
    _, ref = kept(sample_bytes())
    assert failing_step(recheck(ref, LyingStore(answer), RECHECKERS)) == step


class Broken(SumsRechecker):
    def __init__(self, **answers: object) -> None:
        super().__init__()
        for name, answer in answers.items():
            setattr(self, name, self._answering(answer))

    @staticmethod
    def _answering(answer: object):
        def act(*_arguments: object) -> object:
            if isinstance(answer, Exception):
                raise answer
            return answer

        return act


RECHECKER_FAULTS = {
    "decides nothing": (Broken(decision_of=None), 8),
    "raises": (Broken(decision_of=ZeroDivisionError()), 8),
    "recursion": (Broken(decision_of=RecursionError()), 8),
    "another decision": (Broken(decision_of=decide(Outcome.UNDECIDED, "program.flaky", {"name": "add"})), 8),
    "claims nothing": (Broken(claim_of=None), 9),
    "cannot claim": (Broken(claim_of=ValueError("no claim")), 9),
    "versions unknown": (Broken(versions=None), 10),
    "replay says nothing": (Broken(replay=None), 10),
    "replay raises": (Broken(replay=NotAttemptedError("sandbox.unavailable", "No isolation.")), 10),
    "replay differs": (SumsRechecker(offset=1), 10),
}


@pytest.mark.parametrize("name", RECHECKER_FAULTS)
def test_a_broken_rechecker_fails_at(name: str):
    rechecker, step = RECHECKER_FAULTS[name]
    store, ref = kept(SUBJECT.content, sample_bytes())
    assert failing_step(recheck(ref, store, {"program": rechecker}, replay=True)) == step


def test_what_a_rechecker_refuses_is_told_in_its_own_words():
    said = "the seed of the artifact: recorded 1, due 0"
    store = MemoryStore()
    ref = store.retain(sample_bytes())
    report = recheck(ref, store, {"program": Broken(decision_of=ValueError(said))})
    assert report.failure is not None
    assert report.failure.detail == said


def test_a_replay_without_the_subject_fails_at_its_step():
    store, ref = kept(sample_bytes())
    report = recheck(ref, store, RECHECKERS, replay=True)
    assert failing_step(report) == 10
    assert SUBJECT.digest in report.failure.detail


def test_differing_versions_are_listed_and_are_no_failure():
    store, ref = kept(
        SUBJECT.content, sample_bytes(verifiers=[VerifierVersion("sums", "0"), VerifierVersion("old", "3")])
    )
    report = recheck(ref, store, RECHECKERS, replay=True)
    assert report.holds
    assert report.steps[-1].detail == "versions that differ: sums 0 then, 1 now; old 3 then, missing now"


def test_differences_of_a_replay_are_listed():
    store, ref = kept(SUBJECT.content, sample_bytes())
    report = recheck(ref, store, {"program": SumsRechecker(offset=1)}, replay=True)
    assert report.failure.detail == "add(1, 2) gave 3 then, 4 now; add(4, 5) gave 9 then, 10 now (the same versions)"


def test_the_differing_field_is_named_with_both_values():
    store, ref = kept(with_decision(agent_message="Add is correct."))
    detail = recheck(ref, store, RECHECKERS).failure.detail
    assert detail.startswith("decision.agent_message: recorded 'Add is correct.', derived 'add passes")


def test_a_part_is_handed_to_the_rechecker_after_its_digest_was_compared():
    seen: list[dict[str, bytes]] = []

    class Noting(SumsRechecker):
        def decision_of(self, artifact, parts):
            seen.append(dict(parts))
            return decision_on(artifact["observations"][:1])

    store = MemoryStore()
    digest = store.retain(b"large")
    observations = [*observed((1, 2, 3)), {"log": part(digest)}]
    ref = store.retain(
        sample_bytes(
            decision=decision_on(observations[:1]),
            observations=observations,
            claim=decision_on(observations[:1]).agent_message,
        )
    )
    assert recheck(ref, store, {"program": Noting()}).holds
    assert seen == [{digest: b"large"}]


def test_a_part_of_the_contract_is_compared_too():
    store = MemoryStore()
    digest = store.retain(b"def helper(): ...\n")
    ref = store.retain(sample_bytes(contract=Described("docstring", {"modules": {"helper": part(digest)}})))
    assert recheck(ref, store, RECHECKERS).holds
    store._contents[digest] = b"def helper(): raise SystemExit\n"
    report = recheck(ref, store, RECHECKERS)
    assert failing_step(report) == 6
    assert report.failure.detail.startswith("part 1 of 1: these bytes are sha256:")


@settings(max_examples=25, deadline=None)
@given(st.binary(max_size=2000))
def test_any_bytes_give_a_report_and_never_an_exception(content: bytes):
    store, ref = kept(content)
    assert failing_step(recheck(ref, store, RECHECKERS, replay=True)) == 4


def stored_file(store_path: Path, ref: str) -> Path:
    digits = ref.removeprefix("sha256:")
    return store_path / "sha256" / digits[:2] / digits[2:]


def test_every_single_altered_byte_fails_with_the_number_of_the_step(tmp_path: Path):
    store = DirectoryStore(tmp_path)
    content = sample_bytes()
    ref = store.retain(content)
    file = stored_file(tmp_path, ref)
    for position, byte in enumerate(content):
        file.write_bytes(content[:position] + bytes([byte ^ 1]) + content[position + 1 :])
        assert failing_step(recheck(ref, store, RECHECKERS)) == 3, position
    file.write_bytes(content)
    assert recheck(ref, store, RECHECKERS).holds


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_every_altered_byte_rehashed_by_a_forger_never_gives_another_holding_verdict(data: st.DataObject):
    """A forger who also renames the file to the new digest: what still holds says the same decision and claim."""
    content = sample_bytes()
    position = data.draw(st.integers(0, len(content) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != content[position]))
    altered = content[:position] + bytes([byte]) + content[position + 1 :]
    store, ref = kept(altered)
    report = recheck(ref, store, RECHECKERS)
    if report.holds:
        original, forged = (parse_artifact(each) for each in (content, altered))
        assert (forged.claim, forged.decision) == (original.claim, original.decision)
    assert ref not in {kept(content)[1]}


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damage_of_any_kind_to_a_stored_proof_is_noticed(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject):
    content = sample_bytes()
    cut = data.draw(st.integers(0, len(content)))
    inserted = data.draw(st.binary(max_size=8))
    dropped = data.draw(st.integers(0, 8))
    damaged = content[:cut] + inserted + content[cut + dropped :]
    path = tmp_path_factory.mktemp("store")
    store = DirectoryStore(path)
    ref = store.retain(content)
    stored_file(path, ref).write_bytes(damaged)
    report = recheck(ref, store, RECHECKERS)
    if damaged == content:
        assert report.holds
    else:
        assert failing_step(report) == 3


def test_a_subject_altered_in_the_store_fails_at_the_parts():
    store, ref = kept(SUBJECT.content, sample_bytes())
    store._contents[SUBJECT.digest] += b"#"
    assert failing_step(recheck(ref, store, RECHECKERS)) == 6


def test_the_policy_is_compared_by_its_content():
    softened = Described("sums/standard", {"min_strength": 0})
    store, ref = kept(sample_bytes(policy=softened))
    report = recheck(ref, store, RECHECKERS)
    assert report.holds
    assert ref != kept(sample_bytes())[1]


def test_an_artifact_of_a_later_version_asks_for_a_newer_reader():
    later = canonical_bytes({**sample_artifact(), "format": "probatum/proof-artifact/v2"})
    store, ref = kept(later)
    report = recheck(ref, store, RECHECKERS)
    assert failing_step(report) == 4
    assert "Install a newer probatum" in report.failure.detail
