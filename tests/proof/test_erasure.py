"""Erasing: the bytes are really gone, the digest stays, and everything that rests on them fails closed and says so."""

from __future__ import annotations

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError
from probatum.core.ports import Store
from probatum.proof.artifact import parse_artifact, part
from probatum.proof.bundle import bundle_of, verdict_of
from probatum.proof.gate import Gate, GatePolicy
from probatum.proof.recheck import recheck
from probatum.proof.sqlite_file import SqliteFile
from probatum.proof.sqlite_store import STORE
from probatum.proof.store_errors import full
from probatum.proof.stores import DirectoryStore, MemoryStore, SqliteStore, open_store
from probatum.proof.tombstones import SIZE, tombstone_of
from tests.proof.sample import RECHECKERS, SUBJECT, decision_on, observed, sample_bytes

PLACES = {"directory": "proofs", "sqlite": "proofs.sqlite"}
KILLED_AFTER = range(1, 1 + int(os.environ.get("PROBATUM_TEST_KILLS", "30")) // 15)
NEVER_KEPT = "sha256:" + "0" * 64


@pytest.fixture(params=["memory", *PLACES])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    opened = MemoryStore() if request.param == "memory" else open_store(tmp_path / PLACES[request.param])
    yield opened
    opened.close()


def code_of(error: pytest.ExceptionInfo[IntegrityError]) -> str:
    return error.value.code


def test_erased_content_is_a_named_error(store: Store) -> None:
    digest = store.retain(b"personal")
    store.erase(digest)
    with pytest.raises(IntegrityError, match="erased") as caught:
        store.fetch(digest)
    assert code_of(caught) == "store.erased"
    assert digest in caught.value.sentence


def test_what_was_never_kept_cannot_be_erased_and_nothing_else_goes_with_it(store: Store) -> None:
    digest = store.retain(b"whole")
    with pytest.raises(IntegrityError) as caught:
        store.erase(digest, NEVER_KEPT)
    assert code_of(caught) == "store.not_found"
    assert store.fetch(digest) == b"whole"
    with pytest.raises(IntegrityError) as caught:
        store.fetch(NEVER_KEPT)
    assert code_of(caught) == "store.not_found"


def test_erasing_again_is_harmless(store: Store) -> None:
    digest = store.retain(b"personal")
    store.erase(digest, digest)
    store.erase(digest)
    assert list(store.digests()) == []


def test_kept_again_is_kept_anew(store: Store) -> None:
    digest = store.retain(b"personal")
    store.erase(digest)
    assert store.retain(b"personal") == digest
    assert store.fetch(digest) == b"personal"
    assert list(store.digests()) == [digest]


def test_content_that_looks_like_a_tombstone_is_content(store: Store) -> None:
    other = store.retain(b"other")
    looks_like_one = tombstone_of(other)
    assert len(looks_like_one) == SIZE
    digest = store.retain(looks_like_one)
    assert store.fetch(digest) == looks_like_one
    assert store.fetch(other) == b"other"
    assert list(store.digests()) == sorted([digest, other])


def test_erasing_in_a_store_that_is_not_there_makes_none(tmp_path: Path) -> None:
    for name in PLACES.values():
        with pytest.raises(IntegrityError):
            open_store(tmp_path / name).erase(NEVER_KEPT)
    assert list(tmp_path.iterdir()) == []


def traces(folder: Path, marks: list[bytes]) -> list[tuple[str, bytes]]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    assert files
    return [(each.name, mark) for each in files for mark in marks if mark in each.read_bytes()]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("seed", range(4))
def test_no_byte_of_it_is_left_in_any_file(name: str, seed: int, tmp_path: Path) -> None:
    """Contents of all sizes, kept, mended, erased and kept anew, while another process has the store open."""
    chosen = random.Random(seed)
    opened, other = (open_store(tmp_path / PLACES[name]) for _ in range(2))
    marks = {}
    for number in range(60):
        mark = b"<%d:%d>" % (seed, number) + chosen.randbytes(20)
        content = mark * chosen.choice([1, 3, 30, 300])
        marks[opened.retain(content)] = (mark, content)
    digests = chosen.sample(sorted(marks), 40)
    assert other.fetch(digests[0])
    opened.erase(*digests[:20])
    for digest in digests[:5]:
        opened.retain(marks[digest][1])
    opened.erase(*digests[:5])
    for digest in digests[20:]:
        opened.erase(digest) if chosen.random() < 0.3 else None
    gone = [mark for digest, (mark, _) in marks.items() if digest not in set(opened.digests())]
    assert len(gone) >= 20
    assert traces(tmp_path, gone) == []
    other.close()
    opened.close()
    assert traces(tmp_path, gone) == []
    for digest in opened.digests():
        assert opened.fetch(digest) == marks[digest][1]


def store_of_the_first_version(path: Path, contents: list[bytes]) -> None:
    """Write a file exactly as version 0.1.0 made it, before there was erasure."""
    with closing(sqlite3.connect(path, isolation_level=None)) as made:
        made.execute("PRAGMA secure_delete = OFF")
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("CREATE TABLE contents (digest TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL)")
        made.execute("PRAGMA application_id = 1347571522")
        for content in contents:
            made.execute("INSERT INTO contents VALUES (?, ?)", (digest_of(content), content))


def test_a_file_of_the_first_version_opens_and_erases(tmp_path: Path) -> None:
    contents = [b"<%d>" % number * 100 for number in range(200)]
    path = tmp_path / "proofs.sqlite"
    store_of_the_first_version(path, contents)
    opened = SqliteStore(path)
    assert sorted(opened.digests()) == sorted(digest_of(content) for content in contents)
    opened.erase(*(digest_of(content) for content in contents[:150]))
    assert traces(tmp_path, [content[:40] for content in contents[:150]]) == []
    assert [opened.fetch(digest_of(content)) for content in contents[150:]] == contents[150:]
    opened.close()


def test_what_the_first_version_finds_in_a_file_with_erasures(tmp_path: Path) -> None:
    """It knows the file, and bytes of another digest in the place of the erased ones: its re-check fails."""
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    digest = opened.retain(b"personal")
    opened.erase(digest)
    opened.close()
    with closing(sqlite3.connect(path)) as found:
        assert found.execute("PRAGMA application_id").fetchone() == (1347571522,)
        assert [row[0] for row in found.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")] == [
            *STORE.tables
        ]
        assert found.execute("SELECT digest, content FROM contents").fetchall() == [(digest, tombstone_of(digest))]


def test_a_reader_that_never_ends_is_a_named_error_and_erasing_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("probatum.proof.sqlite_file.BUSY_SECONDS", 0.01)
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    digest = opened.retain(b"personal data")
    with closing(sqlite3.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM contents").fetchall()
        with pytest.raises(NotAttemptedError) as caught:
            opened.erase(digest)
        reader.execute("COMMIT")
    assert caught.value.code == "store.busy"
    with pytest.raises(IntegrityError):
        opened.fetch(digest)
    opened.erase(digest)
    assert traces(tmp_path, [b"personal data"]) == []
    opened.close()


def test_a_disk_that_is_full_while_the_file_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is erased for every reader, the caller is told that remains may be there, and repeating removes them."""
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    digest = opened.retain(b"personal data")

    def no_room(_file: SqliteFile) -> None:
        raise full(path)

    with monkeypatch.context() as patched:
        patched.setattr(SqliteFile, "scrub", no_room)
        with pytest.raises(NotAttemptedError) as caught:
            opened.erase(digest)
    assert caught.value.code == "store.full"
    with pytest.raises(IntegrityError, match="erased"):
        opened.fetch(digest)
    opened.erase(digest)
    assert traces(tmp_path, [b"personal data"]) == []
    opened.close()


@pytest.mark.parametrize("name", PLACES)
def test_a_damaged_copy_is_erased_too(name: str, tmp_path: Path) -> None:
    path = tmp_path / PLACES[name]
    opened = open_store(path)
    digest = opened.retain(b"whole content")
    if path.suffix:
        with closing(sqlite3.connect(path)) as other, other:
            other.execute("UPDATE contents SET content = 'whole cont'")
    else:
        next(each for each in path.rglob("*") if each.is_file()).write_bytes(b"whole cont")
    assert list(opened.digests()) == [digest]
    opened.erase(digest)
    assert traces(tmp_path, [b"whole cont"]) == []
    opened.close()


def test_a_link_in_the_place_of_a_file_is_erased_and_not_followed(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"not of the store")
    opened = DirectoryStore(tmp_path / "proofs")
    digest = opened.retain(b"personal")
    [file] = [each for each in (tmp_path / "proofs").rglob("*") if each.is_file()]
    file.unlink()
    file.symlink_to(elsewhere)
    opened.erase(digest)
    assert elsewhere.read_bytes() == b"not of the store"
    with pytest.raises(IntegrityError, match="erased"):
        opened.fetch(digest)


RETAINER = """
import sys
from pathlib import Path
from probatum.proof.stores import open_store
store = open_store(Path(sys.argv[1]))
for number in range(60):
    content = b"content %d" % (number % 6)
    digest = store.retain(content)
    if sys.argv[2] == "erase":
        store.erase(digest)
store.close()
"""


ERASER = """
import sys
from pathlib import Path
from probatum.core.digest import digest_of
from probatum.proof.stores import open_store
store = open_store(Path(sys.argv[1]))
for number in range(60):
    digest = digest_of(b"<personal %d>" % number * 50)
    store.erase(digest)
    print(number, flush=True)
"""


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("after", KILLED_AFTER)
def test_a_killed_erasure_leaves_the_acknowledged_ones_erased_and_the_others_whole(
    name: str, after: int, tmp_path: Path
) -> None:
    path = tmp_path / PLACES[name]
    opened = open_store(path)
    contents = [b"<personal %d>" % number * 50 for number in range(60)]
    opened.retain_all(contents)
    with subprocess.Popen([sys.executable, "-c", ERASER, str(path)], stdout=subprocess.PIPE, text=True) as killed:
        acknowledged = [int(killed.stdout.readline()) for _ in range(after)][-1]
        killed.kill()
    kept = set(opened.digests())
    for number, content in enumerate(contents):
        if number <= acknowledged:
            assert digest_of(content) not in kept
        if digest_of(content) in kept:
            assert opened.fetch(digest_of(content)) == content
    marks = [b"<personal %d>" % number for number in range(acknowledged + 1)]
    assert traces(tmp_path, marks) == []
    opened.erase(*(digest_of(content) for content in contents))
    assert traces(tmp_path, [b"<personal "]) == []
    opened.close()


@pytest.mark.parametrize("name", PLACES)
def test_keeping_and_erasing_at_the_same_time_leaves_one_or_the_other(name: str, tmp_path: Path) -> None:
    path = tmp_path / PLACES[name]
    command = [sys.executable, "-c", RETAINER, str(path)]
    running = [subprocess.Popen([*command, action]) for action in ("erase", "keep", "erase")]
    assert [each.wait(timeout=600) for each in running] == [0, 0, 0]
    opened = open_store(path)
    for number in range(6):
        content = b"content %d" % number
        if digest_of(content) in set(opened.digests()):
            assert opened.fetch(digest_of(content)) == content
        else:
            with pytest.raises(IntegrityError, match="erased"):
                opened.fetch(digest_of(content))
    opened.close()


@pytest.fixture
def proof(store: Store) -> str:
    """A proof with one part and its subject, all of them kept."""
    digest = store.retain(b"a large observation")
    rows = [*observed((1, 2, 3)), {"log": part(digest)}]
    decision = decision_on(rows[:1])
    content = sample_bytes(decision=decision, claim=decision.agent_message, observations=rows)
    return store.retain_all([SUBJECT.content, content])[1]


class FirstRow(type(RECHECKERS["program"])):
    def decision_of(self, artifact, parts):
        return decision_on(artifact["observations"][:1])


KNOWING = {"program": FirstRow()}
PART = digest_of(b"a large observation")
ERASED_PIECES = {"the proof": (None, 2, 2), "the subject": (SUBJECT.digest, 6, 4), "a part": (PART, 6, 4)}


@pytest.mark.parametrize("name", ERASED_PIECES)
def test_re_check_gate_and_export_fail_closed_and_say_erased(name: str, proof: str, store: Store) -> None:
    verdict = verdict_of(parse_artifact(store.fetch(proof)), proof)
    gate = Gate(store, GatePolicy(), lambda: datetime.now(UTC), KNOWING)
    assert recheck(proof, store, KNOWING).holds
    assert gate.admit(verdict, SUBJECT.content, recheck=True).is_admitted
    digest, recheck_step, gate_step = ERASED_PIECES[name]
    store.erase(digest or proof)
    failure = recheck(proof, store, KNOWING).failure
    assert failure is not None
    assert (failure.number, "was erased" in failure.detail) == (recheck_step, True)
    refusal = gate.admit(verdict, SUBJECT.content).report.failure
    assert refusal is not None
    assert (refusal.number, "was erased" in refusal.detail) == (gate_step, True)
    with pytest.raises(IntegrityError) as caught:
        bundle_of(proof, store)
    assert code_of(caught) == "store.erased"


def test_a_tombstone_in_another_place_is_only_wrong_content(proof: str, store: Store) -> None:
    kept = MemoryStore({proof: tombstone_of(SUBJECT.digest)})
    failure = recheck(proof, kept, KNOWING).failure
    assert failure is not None
    assert failure.number == 3


def test_a_subject_that_was_never_kept_is_no_erased_one(store: Store) -> None:
    reference = store.retain(sample_bytes())
    assert recheck(reference, store, RECHECKERS).holds
    verdict = verdict_of(parse_artifact(store.fetch(reference)), reference)
    assert isinstance(verdict, DiagnosticResult)
    assert Gate(store, GatePolicy(), lambda: datetime.now(UTC), RECHECKERS).admit(verdict, SUBJECT.content).is_admitted


def test_permissions_stay_as_they_were(tmp_path: Path) -> None:
    for name in PLACES.values():
        opened = open_store(tmp_path / name)
        opened.erase(opened.retain(b"personal"))
        opened.close()
    modes = {each.stat().st_mode & 0o777 for each in tmp_path.rglob("*") if each.is_file()}
    assert modes == {0o600}
