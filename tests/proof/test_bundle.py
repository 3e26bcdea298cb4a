"""Bundles: whole, in one spelling, and worth nothing as soon as one byte is another."""

from __future__ import annotations

import base64
import dataclasses
import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError
from probatum.proof.artifact import part
from probatum.proof.bundle import bundle_of, is_bundle, parse_bundle
from probatum.proof.bundle_check import LEDGER_TITLES, TITLES, check_bundle
from probatum.proof.checkpoint import read_checkpoint, signed_checkpoint
from probatum.proof.inclusion import inclusion_about
from probatum.proof.keys import KeyFolder, PrivateKey
from probatum.proof.ledger import Ledger
from probatum.proof.ledger_entry import entry_of, tag_of
from probatum.proof.recheck import TITLES as RECHECK_TITLES
from probatum.proof.signing import Signer
from probatum.proof.stores import MemoryStore
from tests.proof.sample import RECHECKERS, SUBJECT, SumsRechecker, decision_on, observed, sample_artifact, sample_bytes

MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
PARTS = (b"a large observation", b"another one")


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    return KeyFolder(tmp_path).generate("release")


@pytest.fixture
def store() -> MemoryStore:
    kept = MemoryStore()
    for content in (SUBJECT.content, *PARTS):
        kept.retain(content)
    return kept


@pytest.fixture
def reference(store: MemoryStore) -> str:
    rows = observed((1, 2, 3), (4, 5, 9))
    rows[0]["log"] = part(digest_of(PARTS[0]))
    rows[1]["log"] = part(digest_of(PARTS[1]))
    return store.retain(sample_bytes(observations=rows, decision=decision_on(rows)))


@pytest.fixture
def plain(store: MemoryStore, reference: str) -> bytes:
    return bundle_of(reference, store)


@pytest.fixture
def signed(store: MemoryStore, reference: str, plain: bytes, key: PrivateKey) -> bytes:
    attested = Signer(store, key, lambda: MOMENT).attest(parse_bundle(plain).verdict)
    return bundle_of(reference, store, [attested.verdict, attested.summary], [key.public])


@pytest.fixture
def recorded(store: MemoryStore, reference: str, signed: bytes, key: PrivateKey, tmp_path: Path) -> bytes:
    """Signed, and with its entry in a ledger of three."""
    bundle, ledger = parse_bundle(signed), Ledger(tmp_path / "log.sqlite")
    for verdict in (DiagnosticResult.blocked("no.", {}), bundle.verdict, DiagnosticResult.blocked("no.", {})):
        ledger.append([entry_of("add.py", SUBJECT.content, verdict, MOMENT)], [tag_of(verdict)])
    inclusion = inclusion_about(ledger, bundle.verdict, SUBJECT.digest, "example.com/log", [key])
    return bundle_of(reference, store, bundle.attestations, bundle.keys, inclusion)


def test_a_bundle_may_carry_its_entry_in_a_ledger(recorded: bytes, key: PrivateKey) -> None:
    for trusted, own in (([], TITLES[:-1] + LEDGER_TITLES[:-1]), ([key.public], TITLES + LEDGER_TITLES)):
        report = check_bundle(recorded, RECHECKERS, trusted=trusted)
        assert report.holds, report.failure
        assert [step.title for step in report.steps] == [*own, *RECHECK_TITLES[:-1]]


def with_ledger(**changes: object) -> Callable[[dict[str, object]], dict[str, object]]:
    return lambda entry: {**entry, **changes}


def without_last_line(note: str) -> str:
    return note.rpartition("\n\u2014")[0] + "\n"


@pytest.mark.parametrize(
    ("change", "title"),
    [
        (lambda entry: None, TITLES[0]),
        (lambda entry: {}, TITLES[0]),
        (with_ledger(more=1), TITLES[0]),
        (with_ledger(position=-1), TITLES[0]),
        (with_ledger(position=1.5), TITLES[0]),
        (with_ledger(entry="e30="), LEDGER_TITLES[0]),
        (with_ledger(position=0), LEDGER_TITLES[1]),
        (with_ledger(path=[]), LEDGER_TITLES[1]),
        (with_ledger(checkpoint="example.com/log\n3\n"), LEDGER_TITLES[1]),
        (lambda entry: {**entry, "checkpoint": without_last_line(entry["checkpoint"])}, LEDGER_TITLES[1]),
        (lambda entry: {**entry, "checkpoint": entry["checkpoint"].replace(".com", ".org")}, LEDGER_TITLES[2]),
        (
            lambda entry: {**entry, "checkpoint": entry["checkpoint"] + entry["checkpoint"].splitlines()[-1] + "\n"},
            LEDGER_TITLES[2],
        ),
    ],
)
def test_a_forged_entry_fails_at(change: Callable[[object], object], title: str, recorded: bytes) -> None:
    failure = check_bundle(bent(recorded, ledger=change), RECHECKERS).failure
    assert failure is not None
    assert failure.title == title


def test_an_entry_cannot_be_moved_to_another_proof(recorded: bytes, store: MemoryStore, key: PrivateKey) -> None:
    rows = observed((2, 2, 4))
    other = store.retain(sample_bytes(observations=rows, decision=decision_on(rows)))
    own = bundle_of(other, store)
    attested = Signer(store, key, lambda: MOMENT).attest(parse_bundle(own).verdict)
    signed_other = bundle_of(other, store, [attested.verdict], [key.public], parse_bundle(recorded).inclusion)
    failure = check_bundle(signed_other, RECHECKERS).failure
    assert failure is not None
    assert failure.title == LEDGER_TITLES[0]


def test_the_key_of_the_head_is_one_that_signed_the_verdict(
    recorded: bytes, store: MemoryStore, reference: str, key: PrivateKey, tmp_path: Path
) -> None:
    """Whoever opens the bundle trusts that key, and no second one slips in."""
    bundle, stranger = parse_bundle(recorded), KeyFolder(tmp_path).generate("stranger")
    assert bundle.inclusion is not None
    head = read_checkpoint(bundle.inclusion.checkpoint)
    for keys, title in (([stranger], LEDGER_TITLES[2]), ([key, stranger], LEDGER_TITLES[2])):
        note = signed_checkpoint(head, *keys).encode()
        forged = dataclasses.replace(bundle.inclusion, checkpoint=note)
        content = bundle_of(reference, store, bundle.attestations, bundle.keys, forged)
        failure = check_bundle(content, RECHECKERS, trusted=[key.public]).failure
        assert failure is not None
        assert failure.title == title


def test_a_trusted_key_signed_the_head_too(
    recorded: bytes, store: MemoryStore, reference: str, key: PrivateKey, tmp_path: Path
) -> None:
    bundle, second = parse_bundle(recorded), KeyFolder(tmp_path).generate("second")
    assert bundle.inclusion is not None
    attested = Signer(store, second, lambda: MOMENT).attest(bundle.verdict)
    note = signed_checkpoint(read_checkpoint(bundle.inclusion.checkpoint), second).encode()
    content = bundle_of(
        reference,
        store,
        [*bundle.attestations, attested.verdict],
        [*bundle.keys, second.public],
        dataclasses.replace(bundle.inclusion, checkpoint=note),
    )
    assert check_bundle(content, RECHECKERS, trusted=[second.public]).holds
    failure = check_bundle(content, RECHECKERS, trusted=[key.public]).failure
    assert failure is not None
    assert failure.title == LEDGER_TITLES[3]


def test_a_whole_bundle_holds_without_any_store(plain: bytes) -> None:
    report = check_bundle(plain, RECHECKERS)
    assert report.holds, report.failure
    assert [step.title for step in report.steps] == [*TITLES[:-1], *RECHECK_TITLES[:-1]]
    assert check_bundle(plain, RECHECKERS, replay=True).holds


def test_a_signed_bundle_tells_who_signed(signed: bytes, key: PrivateKey) -> None:
    report = check_bundle(signed, RECHECKERS, trusted=[key.public])
    assert report.holds, report.failure
    assert key.public.id[:16] in report.steps[3].detail
    assert report.steps[4].title == "a trusted key signed it"


def test_a_key_in_a_bundle_is_not_a_trusted_one(signed: bytes, plain: bytes, tmp_path: Path) -> None:
    stranger = KeyFolder(tmp_path).generate("stranger").public
    for content in (signed, plain):
        report = check_bundle(content, RECHECKERS, trusted=[stranger])
        assert report.failure is not None
        assert report.failure.number == 5


@pytest.mark.parametrize("kind", ["plain", "recorded"])
def test_every_changed_byte_fails_at_a_named_step(kind: str, request: pytest.FixtureRequest) -> None:
    content: bytes = request.getfixturevalue(kind)
    assert check_bundle(content, RECHECKERS).holds
    for position in range(len(content)):
        bent = bytearray(content)
        bent[position] ^= 1 if content[position] != 0x31 else 2
        report = check_bundle(bytes(bent), RECHECKERS)
        assert report.failure is not None, (position, content[position - 20 : position + 20])
        assert report.failure.title


@pytest.mark.parametrize("cut", [0, 1, 7, 100, -1])
def test_a_cut_bundle_is_none(cut: int, plain: bytes) -> None:
    report = check_bundle(plain[:cut], RECHECKERS)
    assert report.failure is not None
    assert report.failure.number == 1


def bent(content: bytes, **changes: object) -> bytes:
    document = json.loads(content)
    for name, change in changes.items():
        document[name] = change(document[name]) if callable(change) else change
    return canonical_bytes(document)


def without(entries: Mapping[str, object], digest: str) -> dict[str, object]:
    return {name: entry for name, entry in entries.items() if name != digest}


@pytest.mark.parametrize(
    ("changes", "number", "words"),
    [
        ({"format": "probatum/bundle/v2"}, 1, "expected 'probatum/bundle/v1'"),
        ({"more": 1}, 1, "unknown key 'more'"),
        ({"contents": []}, 1, "an object"),
        ({"contents": lambda entries: {**entries, "../x": ""}}, 1, "not a reference"),
        ({"contents": lambda entries: {**entries, digest_of(b"x"): "eA"}}, 1, "base64"),
        ({"contents": lambda entries: {**entries, digest_of(b"x"): "eA=="}}, 2, "Nothing refers"),
        ({"contents": lambda entries: {**entries, digest_of(b"x"): "eQ=="}}, 2, "named"),
        ({"contents": lambda entries: without(entries, digest_of(PARTS[1]))}, 2, "lacks"),
        ({"contents": {}}, 2, "lacks the proof"),
        ({"verdict": lambda told: {**told, "agent_message": "Another sentence."}}, 3, "something else"),
        ({"verdict": lambda told: {**told, "developer_fields": {}}}, 3, "something else"),
        ({"verdict": lambda told: {**told, "more": 1}}, 1, "unknown key"),
        ({"keys": ["text"]}, 1, "not an Ed25519"),
        ({"attestations": [{}]}, 1, "not a signed envelope"),
    ],
)
def test_a_forger_who_keeps_the_form_fails_at(
    changes: dict[str, object], number: int, words: str, plain: bytes
) -> None:
    failure = check_bundle(bent(plain, **changes), RECHECKERS).failure
    assert failure is not None
    assert failure.number == number
    assert words in failure.detail


def test_a_signed_statement_about_another_proof_fails(signed: bytes, store: MemoryStore) -> None:
    rows = observed((2, 2, 4))
    other = store.retain(sample_bytes(observations=rows, decision=decision_on(rows)))
    document = json.loads(signed)
    own = json.loads(bundle_of(other, store))
    moved = canonical_bytes({**own, "attestations": document["attestations"], "keys": document["keys"]})
    failure = check_bundle(moved, RECHECKERS).failure
    assert failure is not None
    assert failure.number == 4


@pytest.mark.parametrize("kept", [[0], [1]], ids=["the statement", "the summary"])
def test_no_statement_can_be_moved_to_another_artifact_about_the_subject(
    kept: list[int], signed: bytes, store: MemoryStore, key: PrivateKey
) -> None:
    """The summary says little of a verdict; it still belongs to one artifact."""
    other = store.retain(sample_bytes(assumptions=["none at all"]))
    document = json.loads(signed)
    own = json.loads(bundle_of(other, store))
    moved = [document["attestations"][index] for index in kept]
    forged = canonical_bytes({**own, "attestations": moved, "keys": document["keys"]})
    failure = check_bundle(forged, RECHECKERS, trusted=[key.public]).failure
    assert failure is not None
    assert failure.number == 4


def test_a_summary_alone_is_no_signature_of_the_verdict(signed: bytes, key: PrivateKey) -> None:
    document = json.loads(signed)
    alone = canonical_bytes({**document, "attestations": document["attestations"][1:]})
    assert not check_bundle(alone, RECHECKERS, trusted=[key.public]).holds


def test_nothing_is_there_twice(signed: bytes) -> None:
    for name in ("keys", "attestations"):
        doubled = bent(signed, **{name: lambda entries: [*entries, entries[0]]})
        failure = check_bundle(doubled, RECHECKERS).failure
        assert failure is not None
        assert "twice" in failure.detail


def test_a_key_that_signed_nothing_is_refused(plain: bytes, key: PrivateKey) -> None:
    failure = check_bundle(bent(plain, keys=[key.public.pem]), RECHECKERS).failure
    assert failure is not None
    assert "signed no verdict" in failure.detail


def test_a_decision_that_does_not_follow_fails_in_the_re_check(store: MemoryStore) -> None:
    forged = sample_artifact(observations=observed((1, 2, 4)), decision=decision_on(observed((1, 2, 3))))
    reference = store.retain(canonical_bytes(forged))
    failure = check_bundle(bundle_of(reference, store), RECHECKERS).failure
    assert failure is not None
    assert failure.title == "the decision follows from the observations"


def test_a_replay_that_differs_fails(plain: bytes) -> None:
    failure = check_bundle(plain, {"program": SumsRechecker(offset=1)}, replay=True).failure
    assert failure is not None
    assert failure.title == RECHECK_TITLES[-1]


def test_a_proof_that_is_not_whole_is_not_exported(reference: str, store: MemoryStore) -> None:
    other = MemoryStore()
    other.retain(store.fetch(reference))
    with pytest.raises(IntegrityError, match="not in the store"):
        bundle_of(reference, other)
    with pytest.raises(IntegrityError, match="not in the store"):
        bundle_of(digest_of(b"x"), store)


def test_an_altered_proof_is_not_exported(reference: str, store: MemoryStore) -> None:
    store._contents[digest_of(PARTS[0])] = b"altered"
    with pytest.raises(IntegrityError, match="another digest"):
        bundle_of(reference, store)


def test_a_subject_that_is_not_kept_may_be_missing(reference: str, store: MemoryStore) -> None:
    del store._contents[SUBJECT.digest]
    assert check_bundle(bundle_of(reference, store), RECHECKERS).holds


def test_a_bundle_is_read_alone(plain: bytes) -> None:
    store = parse_bundle(plain).store
    assert store.fetch(SUBJECT.digest) == SUBJECT.content
    with pytest.raises(NotAttemptedError, match="open for reading alone"):
        store.retain(b"x")
    with pytest.raises(IntegrityError, match="not in the store in the bundle"):
        store.fetch(digest_of(b"x"))


def test_a_bundle_is_known_by_its_form(plain: bytes) -> None:
    assert is_bundle(plain)
    assert is_bundle(plain[:-1])
    assert not is_bundle(b"sha256:" + b"0" * 64)
    assert not is_bundle(base64.b64encode(plain))
