"""Stores survive what a disk does, and never lose what they acknowledged."""

from __future__ import annotations

import errno
import os
import secrets
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError, UsageError
from probatum.core.ports import Store
from probatum.proof import disk, store_errors
from probatum.proof.stores import DirectoryStore, MemoryStore, SqliteStore, open_store

ON_DISK = {"directory": lambda folder: folder / "proofs", "sqlite": lambda folder: folder / "proofs.sqlite"}


@pytest.fixture(params=["memory", "directory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path):
    opened = MemoryStore() if request.param == "memory" else open_store(ON_DISK[request.param](tmp_path))
    yield opened
    opened.close()


@pytest.fixture(params=sorted(ON_DISK))
def path(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return ON_DISK[request.param](tmp_path)


def test_too_much_is_refused(store: Store, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(store_errors, "MAX_CONTENT_BYTES", 10)
    with pytest.raises(IntegrityError) as caught:
        store.retain(b"x" * 11)
    assert caught.value.code == "store.too_large"


def test_threads_may_share_a_store(store: Store):
    contents = [f"content {number}".encode() for number in range(40)]
    threads = [
        threading.Thread(target=lambda mine=contents[start::4]: [store.retain(each) for each in mine])
        for start in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.fetch(digest_of(content)) for content in contents] == contents


def test_nothing_is_created_before_the_first_retain(path: Path):
    opened = open_store(path)
    with pytest.raises(IntegrityError):
        opened.fetch("sha256:" + "0" * 64)
    assert not path.exists()


def test_only_the_owner_may_read(path: Path):
    opened = open_store(path / "deeper" / "still" if path.suffix == "" else path.parent / "new" / path.name)
    opened.retain(b"secret")
    made = list(path.parent.rglob("*"))
    assert made
    for each in made:
        assert stat.S_IMODE(each.stat().st_mode) == (0o700 if each.is_dir() else 0o600), each
    opened.close()


def test_retaining_again_mends_a_damaged_copy(tmp_path: Path):
    opened = DirectoryStore(tmp_path)
    digest = opened.retain(b"whole")
    [file] = [each for each in tmp_path.rglob("*") if each.is_file()]
    file.write_bytes(b"whol")
    assert opened.fetch(digest) == b"whol"
    assert opened.retain(b"whole") == digest
    assert opened.fetch(digest) == b"whole"


def test_retaining_again_mends_a_damaged_row(tmp_path: Path):
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    digest = opened.retain(b"whole")
    with sqlite3.connect(path) as other:
        other.execute("UPDATE contents SET content = x'00'")
    other.close()
    assert opened.fetch(digest) == b"\0"
    assert opened.retain(b"whole") == digest
    assert opened.fetch(digest) == b"whole"
    opened.close()


WRITER = """
import sys
from pathlib import Path
from probatum.proof.stores import open_store
store = open_store(Path(sys.argv[1]))
for number in range(int(sys.argv[2]), int(sys.argv[2]) + 60):
    print(store.retain(f"content {number // 2}".encode()), flush=True)
store.close()
"""


def writer(path: Path, first: int) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(first)], stdout=subprocess.PIPE, text=True)


def test_two_processes_write_the_same_new_store_at_the_same_time(path: Path):
    writers = [writer(path, 0), writer(path, 30)]
    acknowledged = {line for each in writers for line in each.communicate(timeout=600)[0].split()}
    assert [each.returncode for each in writers] == [0, 0]
    opened = open_store(path)
    assert acknowledged == {digest_of(f"content {number}".encode()) for number in range(45)}
    assert all(digest_of(opened.fetch(digest)) == digest for digest in acknowledged)
    opened.close()


def test_a_killed_writer_loses_nothing_that_it_acknowledged(path: Path):
    killed = writer(path, 0)
    acknowledged = [killed.stdout.readline().strip() for _ in range(20)]
    killed.kill()
    killed.communicate(timeout=600)
    opened = open_store(path)
    assert all(digest_of(opened.fetch(digest)) == digest for digest in acknowledged)
    assert opened.retain(b"one more") == digest_of(b"one more")
    opened.close()


@pytest.mark.parametrize("path", ["sqlite"], indirect=True)
def test_a_fork_opens_its_own_connection(path: Path):
    opened = open_store(path)
    opened.retain(b"parent")
    child = os.fork()
    if child == 0:
        try:
            opened.retain(b"child")
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert opened.fetch(digest_of(b"child")) == b"child"
    assert opened.fetch(digest_of(b"parent")) == b"parent"
    opened.close()


DISK_FAULTS = {
    "no room": (errno.ENOSPC, "store.full"),
    "quota used up": (errno.EDQUOT, "store.full"),
    "read-only file system": (errno.EROFS, "store.read_only"),
    "not allowed": (errno.EACCES, "store.read_only"),
    "input or output error": (errno.EIO, "store.unavailable"),
}


@pytest.mark.parametrize("when", ["write", "sync", "move"])
@pytest.mark.parametrize("name", DISK_FAULTS)
def test_a_disk_that_fails_while_writing(name: str, when: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    number, code = DISK_FAULTS[name]

    def fail(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    target = {"write": (secrets, "token_hex"), "sync": (os, "fsync"), "move": (Path, "replace")}[when]
    opened = DirectoryStore(tmp_path)
    kept = opened.retain(b"before")
    with monkeypatch.context() as patched:
        patched.setattr(*target, fail)
        with pytest.raises(NotAttemptedError) as caught:
            opened.retain(b"after")
    assert caught.value.code == code
    assert opened.fetch(kept) == b"before"
    assert not list(tmp_path.rglob(".incoming-*"))
    with pytest.raises(IntegrityError):
        opened.fetch(digest_of(b"after"))


def test_a_full_sqlite_file_is_a_named_error(tmp_path: Path):
    opened = SqliteStore(tmp_path / "proofs.sqlite")
    kept = opened.retain(b"before")
    opened._file._connection.execute("PRAGMA max_page_count = 4")
    with pytest.raises(NotAttemptedError) as caught:
        opened.retain(b"x" * 100_000)
    assert caught.value.code == "store.full"
    assert opened.fetch(kept) == b"before"
    opened.close()


def test_a_busy_sqlite_file_is_a_named_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("probatum.proof.sqlite_file.BUSY_SECONDS", 0.01)
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    opened.retain(b"before")
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(NotAttemptedError) as caught:
        opened.retain(b"after")
    other.execute("ROLLBACK")
    other.close()
    assert caught.value.code == "store.busy"
    assert opened.retain(b"after") == digest_of(b"after")
    opened.close()


NO_STORES = {
    "text": (b"this is not a database, it is a shopping list\n" * 40, "store.damaged"),
    "header and rubbish": (b"SQLite format 3\0" + b"\xff" * 4096, "store.damaged"),
}


@pytest.mark.parametrize("name", NO_STORES)
def test_a_file_that_is_no_store_is_refused_and_left_alone(name: str, tmp_path: Path):
    content, code = NO_STORES[name]
    path = tmp_path / "proofs.sqlite"
    path.write_bytes(content)
    opened = SqliteStore(path)
    for call in (lambda: opened.retain(b"x"), lambda: opened.fetch(digest_of(b"x"))):
        with pytest.raises(IntegrityError) as caught:
            call()
        assert caught.value.code == code
        assert caught.value.hint
    assert path.read_bytes() == content
    opened.close()


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path):
    path = tmp_path / "customers.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE customers (name TEXT)")
    other.commit()
    other.close()
    before = path.read_bytes()
    with pytest.raises(IntegrityError) as caught:
        open_store(path).retain(b"x")
    assert caught.value.code == "store.foreign"
    assert path.read_bytes() == before


@pytest.mark.parametrize("place", ["begin", "middle", "end"])
def test_a_damaged_sqlite_file_gives_a_named_error_or_the_very_bytes(place: str, tmp_path: Path):
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    contents = [bytes([number]) * 3000 for number in range(40)]
    for content in contents:
        opened.retain(content)
    opened.close()
    raw = bytearray(path.read_bytes())
    start = {"begin": 0, "middle": len(raw) // 2, "end": len(raw) - 4096}[place]
    raw[start : start + 4096] = b"\xa5" * 4096
    path.write_bytes(raw)
    reopened = SqliteStore(path)
    refusals = []
    for content in contents:
        try:
            found = reopened.fetch(digest_of(content))
        except (IntegrityError, NotAttemptedError) as error:
            refusals.append(error.code)
        else:
            refusals += [] if found == content else ["other bytes"]
    assert refusals
    assert set(refusals) <= {"other bytes", "store.damaged", "store.not_found", "store.unavailable"}
    reopened.close()


def test_a_medium_that_cannot_be_written_can_still_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    digest = opened.retain(b"kept")
    opened.close()
    before = sorted(each.name for each in tmp_path.iterdir())
    monkeypatch.setattr(os, "access", lambda *_: False)
    reader = SqliteStore(path)
    assert reader.fetch(digest) == b"kept"
    assert sorted(each.name for each in tmp_path.iterdir()) == before
    reader.close()


KINDS = {
    "proofs": DirectoryStore,
    "proofs.sqlite": SqliteStore,
    "proofs.sqlite3": SqliteStore,
    "proofs.db": SqliteStore,
}


@pytest.mark.parametrize("name", KINDS)
def test_the_kind_of_a_store_follows_from_its_path(name: str, tmp_path: Path):
    assert type(open_store(tmp_path / name)) is KINDS[name]


def test_an_existing_folder_is_a_directory_store_whatever_its_name(tmp_path: Path):
    (tmp_path / "v1.2").mkdir()
    assert type(open_store(tmp_path / "v1.2")) is DirectoryStore


@pytest.mark.parametrize("name", ["proofs.json", "file"])
def test_a_path_that_cannot_be_a_store_is_a_usage_error(name: str, tmp_path: Path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UsageError) as caught:
        open_store(tmp_path / name)
    assert caught.value.code == "store.unknown_kind"


def test_a_folder_in_the_way_is_a_named_error(tmp_path: Path):
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "sha256").write_bytes(b"in the way")
    with pytest.raises(NotAttemptedError) as caught:
        DirectoryStore(tmp_path / "proofs").retain(b"x")
    assert caught.value.code == "store.unavailable"


def test_an_interrupted_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def interrupt(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        disk.write_atomically(tmp_path / "target", b"x")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["a link", "a pipe", "a device"])
def test_a_folder_store_reads_regular_files_alone(kind: str, tmp_path: Path) -> None:
    """A device would fill the memory, a pipe would wait for ever."""
    store = DirectoryStore(tmp_path)
    reference = store.retain(b"content")
    [path] = (each for each in tmp_path.rglob("*") if each.is_file())
    path.unlink()
    if kind == "a pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero" if kind == "a device" else tmp_path)
    with pytest.raises((IntegrityError, NotAttemptedError)):
        store.fetch(reference)
