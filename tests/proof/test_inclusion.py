"""That a ledger has a verdict: what a bundle carries of it, and what a ledger at hand says."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from probatum.core.canonical import canonical_bytes
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.merkle import EMPTY_ROOT
from probatum.core.subject import Subject
from probatum.proof import sqlite_file
from probatum.proof.checkpoint import Checkpoint, signed_checkpoint
from probatum.proof.inclusion import (
    GOES_ON,
    IS_INCLUDED,
    IS_RECORDED,
    IS_TRUSTED_HEAD,
    CarriedEntry,
    Inclusion,
    LedgerEvidence,
    SearchedLedger,
    inclusion_about,
)
from probatum.proof.keys import KeyFolder, PrivateKey
from probatum.proof.ledger import Ledger
from probatum.proof.ledger_entry import entry_of, require_about, tag_of
from probatum.proof.steps import run_steps
from tests.proof.sample import SUBJECT, altered, sample_artifact, verdict_of

ORIGIN = "example.com/log"
MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
VERDICT = verdict_of(sample_artifact())
OTHER_SUBJECT = Subject(b"another", "text/plain", "other")
OTHER = verdict_of(sample_artifact(subject=OTHER_SUBJECT))


def record(ledger: Ledger, verdict: DiagnosticResult, subject: bytes = SUBJECT.content) -> int:
    [position] = ledger.append([entry_of("add.py", subject, verdict, MOMENT)], [tag_of(verdict)])
    return position


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """Six entries; the one about the verdict is the fourth."""
    opened = Ledger(tmp_path / "log.sqlite")
    for number in range(6):
        record(opened, VERDICT) if number == 3 else record(opened, DiagnosticResult.blocked(f"no {number}.", {}))
    return opened


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    return KeyFolder(tmp_path).generate("log")


@pytest.fixture
def inclusion(ledger: Ledger, key: PrivateKey) -> Inclusion:
    return inclusion_about(ledger, VERDICT, SUBJECT.digest, ORIGIN, [key])


def failing_step(evidence: LedgerEvidence, verdict: DiagnosticResult = VERDICT, subject: str = SUBJECT.digest) -> str:
    report = run_steps("ledger", evidence.titles, evidence.established(verdict, subject))
    return report.failure.title if report.failure else ""


def note(ledger: Ledger, key: PrivateKey, size: int | None = None) -> bytes:
    return signed_checkpoint(ledger.head(ORIGIN, size), key).encode()


def test_what_is_carried_holds_and_comes_back(inclusion: Inclusion, key: PrivateKey) -> None:
    assert failing_step(CarriedEntry(inclusion, (key.public,), ORIGIN)) == ""
    assert Inclusion.from_json(inclusion.to_json()) == inclusion
    assert inclusion.position == 3


def other_ledger(folder: Path, key: PrivateKey) -> Inclusion:
    forged = Ledger(folder / "forged.sqlite")
    record(forged, VERDICT)
    return inclusion_about(forged, VERDICT, SUBJECT.digest, ORIGIN, [key])


def entry_with(inclusion: Inclusion, **changes: object) -> Inclusion:
    return dataclasses.replace(inclusion, entry=canonical_bytes({**json.loads(inclusion.entry), **changes}))


Forgery = Callable[[Inclusion, Ledger, PrivateKey, Path], Inclusion]
FORGERIES: dict[str, tuple[Forgery, str]] = {
    "another time in the entry": (
        lambda own, ledger, key, folder: entry_with(own, at="2020-01-01T00:00:00Z"),
        IS_INCLUDED,
    ),
    "another name in the entry": (lambda own, ledger, key, folder: entry_with(own, name="other.py"), IS_INCLUDED),
    "another subject in the entry": (
        lambda own, ledger, key, folder: entry_with(own, subject=OTHER_SUBJECT.digest),
        IS_RECORDED,
    ),
    "another status in the entry": (lambda own, ledger, key, folder: entry_with(own, status="BLOCKED"), IS_RECORDED),
    "another reference in the entry": (
        lambda own, ledger, key, folder: entry_with(own, proof_ref=digest_of(b"x")),
        IS_RECORDED,
    ),
    "another verdict in the entry": (
        lambda own, ledger, key, folder: entry_with(own, verdict=digest_of(b"x")),
        IS_RECORDED,
    ),
    "one field more": (lambda own, ledger, key, folder: entry_with(own, more=1), IS_RECORDED),
    "another format": (lambda own, ledger, key, folder: entry_with(own, format="x"), IS_RECORDED),
    "no JSON": (lambda own, ledger, key, folder: dataclasses.replace(own, entry=b"x"), IS_RECORDED),
    "an entry about another verdict": (
        lambda own, ledger, key, folder: dataclasses.replace(
            own, entry=ledger.entry(2), position=2, path=ledger.inclusion(2)
        ),
        IS_RECORDED,
    ),
    "another position": (lambda own, ledger, key, folder: dataclasses.replace(own, position=2), IS_INCLUDED),
    "a position beyond the end": (lambda own, ledger, key, folder: dataclasses.replace(own, position=6), IS_INCLUDED),
    "the path of another entry": (
        lambda own, ledger, key, folder: dataclasses.replace(own, path=ledger.inclusion(2)),
        IS_INCLUDED,
    ),
    "a path cut off": (lambda own, ledger, key, folder: dataclasses.replace(own, path=own.path[:-1]), IS_INCLUDED),
    "a path with more": (
        lambda own, ledger, key, folder: dataclasses.replace(own, path=(*own.path, bytes(32))),
        IS_INCLUDED,
    ),
    "no path": (lambda own, ledger, key, folder: dataclasses.replace(own, path=()), IS_INCLUDED),
    "the head of a shorter ledger": (
        lambda own, ledger, key, folder: dataclasses.replace(own, checkpoint=note(ledger, key, 5)),
        IS_INCLUDED,
    ),
    "the head of another ledger": (
        lambda own, ledger, key, folder: dataclasses.replace(own, checkpoint=other_ledger(folder, key).checkpoint),
        IS_INCLUDED,
    ),
    "a head that is none": (
        lambda own, ledger, key, folder: dataclasses.replace(own, checkpoint=ledger.head(ORIGIN).text.encode()),
        IS_INCLUDED,
    ),
    "a head of another origin, signature kept": (
        lambda own, ledger, key, folder: dataclasses.replace(
            own, checkpoint=own.checkpoint.replace(b"example.com", b"example.org")
        ),
        IS_TRUSTED_HEAD,
    ),
    "a head of another origin, signed": (
        lambda own, ledger, key, folder: dataclasses.replace(
            own, checkpoint=signed_checkpoint(ledger.head("example.org/log"), key).encode()
        ),
        IS_TRUSTED_HEAD,
    ),
    "a ledger made up for it, signed by somebody else": (
        lambda own, ledger, key, folder: other_ledger(folder, KeyFolder(folder).generate("stranger")),
        IS_TRUSTED_HEAD,
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_forged_fails_at_its_step(
    name: str, inclusion: Inclusion, ledger: Ledger, key: PrivateKey, tmp_path: Path
) -> None:
    forge, step = FORGERIES[name]
    assert failing_step(CarriedEntry(forge(inclusion, ledger, key, tmp_path), (key.public,), ORIGIN)) == step


def test_the_entry_of_one_verdict_serves_no_other(inclusion: Inclusion, key: PrivateKey) -> None:
    carried = CarriedEntry(inclusion, (key.public,))
    assert failing_step(carried, OTHER, OTHER_SUBJECT.digest) == IS_RECORDED
    assert failing_step(carried, VERDICT, OTHER_SUBJECT.digest) == IS_RECORDED
    assert failing_step(carried, dataclasses.replace(VERDICT, agent_message="All is well.")) == IS_RECORDED


def test_without_an_entry_or_a_key_nothing_is_recorded(inclusion: Inclusion, key: PrivateKey) -> None:
    assert failing_step(CarriedEntry(None, (key.public,))) == IS_RECORDED
    assert failing_step(CarriedEntry(inclusion, ())) == IS_TRUSTED_HEAD


def test_advice_makes_no_other_entry() -> None:
    """Law 2: it may be replaced by any other, or taken away, between ledger and gate."""
    advice = {"advisory_checks": [{"name": "reviewer", "advisory_only": True}]}
    advised = dataclasses.replace(VERDICT, developer_fields={**VERDICT.developer_fields, **advice})
    entry = entry_of("add.py", SUBJECT.content, advised, MOMENT)
    assert entry == entry_of("add.py", SUBJECT.content, VERDICT, MOMENT)
    assert require_about(entry, VERDICT, SUBJECT.digest) == "2024-05-06T07:08:09Z"
    assert tag_of(advised) == tag_of(VERDICT)


@pytest.mark.parametrize(
    "changes",
    [
        {"position": -1},
        {"position": 2**53},
        {"position": True},
        {"position": "3"},
        {"path": "AA=="},
        {"path": ["AA=="]},
        {"path": [1]},
        {"path": ["A" * 43 + "="] * 65},
        {"entry": ""},
        {"entry": "eA"},
        {"entry": None},
        {"checkpoint": ""},
        {"checkpoint": 1},
        {"checkpoint": "x" * 16385},
        {"more": 1},
    ],
)
def test_another_form_is_none(changes: dict[str, object], inclusion: Inclusion) -> None:
    with pytest.raises(ValueError, match=r"expected|position|size|hashes"):
        Inclusion.from_json({**inclusion.to_json(), **changes})


def test_an_entry_is_found_where_it_is_and_nowhere_else(ledger: Ledger, tmp_path: Path) -> None:
    assert failing_step(SearchedLedger(ledger)) == ""
    assert failing_step(SearchedLedger(ledger), OTHER, OTHER_SUBJECT.digest) == IS_RECORDED
    assert failing_step(SearchedLedger(Ledger(tmp_path / "none.sqlite"))) == IS_RECORDED
    assert failing_step(SearchedLedger(Ledger(tmp_path))) == IS_RECORDED
    assert not (tmp_path / "none.sqlite").exists()


ENTRY_OF_ANOTHER = entry_of("add.py", OTHER_SUBJECT.content, OTHER, MOMENT)


@pytest.mark.parametrize(
    ("statement", "step"),
    [
        ("DELETE FROM lookup", ""),
        ("DROP TABLE lookup", ""),
        ("UPDATE lookup SET position = 5 - position", ""),
        ("UPDATE lookup SET position = position + 4611686018427387904", ""),
        ("UPDATE lookup SET tag = x'00'", ""),
        ("DELETE FROM entries WHERE position = 3", IS_RECORDED),
        ("DELETE FROM entries WHERE position >= 3", IS_RECORDED),
        ("UPDATE entries SET content = 7 WHERE position = 3", IS_RECORDED),
        (f"UPDATE entries SET content = x'{ENTRY_OF_ANOTHER.hex()}' WHERE position = 3", IS_RECORDED),
        ("UPDATE entries SET content = content || x'20' WHERE position = 3", IS_RECORDED),
        ("DELETE FROM entries WHERE position > 3", ""),
        ("UPDATE nodes SET hash = zeroblob(32) WHERE level = 0 AND position = 2", IS_INCLUDED),
        ("DELETE FROM nodes", IS_INCLUDED),
        ("DROP TABLE nodes", IS_RECORDED),
        ("CREATE TABLE others (a)", IS_RECORDED),
    ],
)
def test_a_ledger_at_hand_that_was_altered(statement: str, step: str, ledger: Ledger) -> None:
    """What only the index says wrong is found all the same; what is gone is gone."""
    altered(ledger, statement)
    assert failing_step(SearchedLedger(ledger)) == step


def test_an_entry_edited_into_one_about_the_verdict_is_not_included(ledger: Ledger) -> None:
    altered(ledger, f"UPDATE entries SET content = x'{ENTRY_OF_ANOTHER.hex()}' WHERE position = 1")
    assert failing_step(SearchedLedger(ledger), OTHER, OTHER_SUBJECT.digest) == IS_INCLUDED


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_ledger_refuses_at_its_step(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.sqlite").write_bytes(content)
    assert failing_step(SearchedLedger(Ledger(tmp_path / "log.sqlite"))) == IS_RECORDED


def test_a_locked_ledger_refuses_at_its_step(ledger: Ledger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_SECONDS", 0.0)
    ledger.close()
    holder = sqlite3.connect(ledger.path, isolation_level=None)
    holder.execute("PRAGMA locking_mode = EXCLUSIVE")
    holder.execute("BEGIN EXCLUSIVE")
    report = run_steps("ledger", (IS_RECORDED,), SearchedLedger(ledger).established(VERDICT, SUBJECT.digest))
    holder.close()
    assert report.failure is not None
    assert "busy" in report.failure.detail


def test_heads_that_were_kept_are_compared(ledger: Ledger, key: PrivateKey, tmp_path: Path) -> None:
    heads = [note(ledger, key, size) for size in range(7)]
    evidence = SearchedLedger(ledger, heads, (key.public,), ORIGIN)
    report = run_steps("ledger", evidence.titles, evidence.established(VERDICT, SUBJECT.digest))
    assert report.holds, report.failure
    assert [step.detail.rpartition("; ")[2] for step in report.steps[2:]] == [
        *["the entry came after them"] * 4,
        *["the entry is among them"] * 3,
    ]
    record(ledger, OTHER, OTHER_SUBJECT.content)
    assert failing_step(evidence) == ""
    stranger = KeyFolder(tmp_path).generate("stranger")
    for kept, trusted, origin in (
        (note(ledger, stranger), (key.public,), None),
        (note(ledger, key), (key.public,), "example.org/log"),
        (b"no head", (), None),
        (other_ledger(tmp_path, key).checkpoint, (key.public,), ORIGIN),
        (signed_checkpoint(Checkpoint(ORIGIN, 8, EMPTY_ROOT), key).encode(), (), None),
        (signed_checkpoint(Checkpoint(ORIGIN, 0, bytes(32)), key).encode(), (), None),
        (signed_checkpoint(Checkpoint(ORIGIN, 4, bytes(32)), key).encode(), (), None),
    ):
        assert failing_step(SearchedLedger(ledger, [kept], trusted, origin)) == GOES_ON


def test_a_ledger_whose_end_was_cut_off_and_written_again_is_found_by_a_kept_head(
    ledger: Ledger, key: PrivateKey, tmp_path: Path
) -> None:
    kept = note(ledger, key)
    forged = Ledger(tmp_path / "forged.sqlite")
    record(forged, VERDICT)
    assert failing_step(SearchedLedger(forged)) == ""
    assert failing_step(SearchedLedger(forged, [kept], (key.public,))) == GOES_ON
    for number in range(9):
        record(forged, DiagnosticResult.blocked(f"no {number}.", {}))
    assert failing_step(SearchedLedger(forged, [kept], (key.public,))) == GOES_ON


def test_what_is_not_recorded_or_not_signed_is_not_exported(ledger: Ledger, key: PrivateKey) -> None:
    with pytest.raises(IntegrityError, match="no entry about this verdict"):
        inclusion_about(ledger, OTHER, OTHER_SUBJECT.digest, ORIGIN, [key])
    with pytest.raises(UsageError, match="1 to 16 keys"):
        inclusion_about(ledger, VERDICT, SUBJECT.digest, ORIGIN, [])
    altered(ledger, "UPDATE nodes SET hash = zeroblob(32) WHERE level = 0 AND position = 3")
    assert inclusion_about(ledger, VERDICT, SUBJECT.digest, ORIGIN, [key]).position == 3
    altered(ledger, "UPDATE nodes SET hash = zeroblob(32) WHERE level = 0 AND position = 2")
    with pytest.raises(IntegrityError, match="does not lead"):
        inclusion_about(ledger, VERDICT, SUBJECT.digest, ORIGIN, [key])
