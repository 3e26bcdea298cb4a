"""A store for reading alone leaves no trace; several stores as one lose nothing and bring nothing back."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError, UsageError
from probatum.core.ports import Store
from probatum.proof import MemoryStore, MultiplexStore, ReadOnlyStore, SqliteStore, open_store

PLACES = {"directory": "proofs", "sqlite": "proofs.sqlite"}
UNKNOWN = "sha256:" + "0" * 64
CHANGES: dict[str, Callable[[Store], object]] = {
    "retain": lambda store: store.retain(b"new"),
    "retain what is there": lambda store: store.retain(b"kept"),
    "retain_all": lambda store: store.retain_all([b"new"]),
    "retain nothing": lambda store: store.retain_all([]),
    "erase": lambda store: store.erase(digest_of(b"kept")),
    "erase nothing": lambda store: store.erase(),
}


def state_of(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """All but the moment of the last change of owner: as root, SQLite gives a log the owner that it has."""
    found = {}
    for each in sorted(folder.rglob("*")):
        told = each.lstat()
        content = each.read_bytes() if stat.S_ISREG(told.st_mode) else b""
        found[str(each)] = (told.st_mode, told.st_mtime_ns, content)
    return found


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", PLACES)
def test_every_change_through_a_reader_is_refused_and_nothing_is_touched(
    name: str, change: str, tmp_path: Path
) -> None:
    writer = open_store(tmp_path / PLACES[name])
    digest = writer.retain(b"kept")
    writer.close()
    before = state_of(tmp_path)
    for reader in (open_store(tmp_path / PLACES[name], read_only=True), ReadOnlyStore(writer)):
        assert reader.fetch(digest) == b"kept"
        assert list(reader.digests()) == [digest]
        with pytest.raises(NotAttemptedError) as caught:
            CHANGES[change](reader)
        assert caught.value.code == "store.read_only"
        reader.close()
    assert state_of(tmp_path) == before


@pytest.mark.parametrize("name", PLACES)
def test_a_reader_of_nothing_makes_nothing(name: str, tmp_path: Path) -> None:
    reader = open_store(tmp_path / "new" / PLACES[name], read_only=True)
    with pytest.raises(IntegrityError) as caught:
        reader.fetch(UNKNOWN)
    assert caught.value.code == "store.not_found"
    assert list(reader.digests()) == []
    assert list(tmp_path.iterdir()) == []


def state_of_file_and_log(path: Path) -> list[bytes]:
    """Without the memory that SQLite shares between a writer and the readers of its process."""
    return [each.read_bytes() for each in sorted(path.parent.iterdir()) if not each.name.endswith("-shm")]


def test_a_reader_beside_a_writer_sees_what_was_acknowledged_and_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    writer, reader = SqliteStore(path), open_store(path, read_only=True)
    digest = writer.retain(b"first")
    for number in range(5):
        later = writer.retain(b"later %d" % number)
        before = state_of_file_and_log(path)
        assert reader.fetch(later) == b"later %d" % number
        assert state_of_file_and_log(path) == before
    writer.erase(digest)
    before = state_of_file_and_log(path)
    with pytest.raises(IntegrityError, match="erased"):
        reader.fetch(digest)
    assert state_of_file_and_log(path) == before
    writer.close()
    with pytest.raises(IntegrityError, match="erased"):
        reader.fetch(digest)
    assert writer.retain(b"again") == digest_of(b"again")
    assert reader.fetch(digest_of(b"again")) == b"again"
    writer.close()


WRITER = """
import sys
from pathlib import Path
from probatum.proof import SqliteStore
store = SqliteStore(Path(sys.argv[1]))
for line in sys.stdin:
    print(store.retain(line.encode()), flush=True)
    store.erase(store.retain(b"erased" + line.encode()))
    print("erased", flush=True)
"""


def test_a_reader_beside_a_writer_of_another_process_sees_what_was_acknowledged(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    reader = open_store(path, read_only=True)
    command = [sys.executable, "-c", WRITER, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as writer:
        for number in range(8):
            line = f"content {number}\n"
            print(line, end="", file=writer.stdin, flush=True)
            digest = writer.stdout.readline().strip()
            assert reader.fetch(digest) == line.encode()
            assert writer.stdout.readline() == "erased\n"
            with pytest.raises(IntegrityError, match="erased"):
                reader.fetch(digest_of(b"erased" + line.encode()))
        before = state_of(tmp_path)
        assert len(list(reader.digests())) == 8
        assert state_of(tmp_path) == before
        writer.stdin.close()


KILLED = """
import os, sys
from pathlib import Path
from probatum.proof import SqliteStore
SqliteStore(Path(sys.argv[1])).retain(b"acknowledged")
os.kill(os.getpid(), 9)
"""


def test_a_reader_after_a_killed_writer_sees_what_was_acknowledged_and_repairs_nothing(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    before = state_of(tmp_path)
    assert f"{path}-wal" in before
    reader = open_store(path, read_only=True)
    assert reader.fetch(digest_of(b"acknowledged")) == b"acknowledged"
    assert state_of(tmp_path) == before
    reader.close()


def test_a_log_without_its_index_is_read_or_refused_and_never_ignored(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    Path(f"{path}-shm").unlink()
    before = state_of(tmp_path)
    with pytest.raises(NotAttemptedError, match="-wal has no"):
        open_store(path, read_only=True).fetch(digest_of(b"acknowledged"))
    assert state_of(tmp_path) == before
    assert SqliteStore(path).fetch(digest_of(b"acknowledged")) == b"acknowledged"


def test_a_damaged_file_is_named_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    path.write_bytes(b"a shopping list\n" * 400)
    before = state_of(tmp_path)
    with pytest.raises(IntegrityError) as caught:
        open_store(path, read_only=True).fetch(UNKNOWN)
    assert caught.value.code == "store.damaged"
    assert state_of(tmp_path) == before


def test_a_folder_that_may_not_be_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    writer = SqliteStore(path)
    digest = writer.retain(b"kept")
    writer.close()
    path.chmod(0o400)
    tmp_path.chmod(0o500)
    try:
        assert open_store(path, read_only=True).fetch(digest) == b"kept"
    finally:
        tmp_path.chmod(0o700)


class Unavailable(MemoryStore):
    """Cannot be reached, whatever it is asked."""

    def fetch(self, digest: str) -> bytes:
        raise NotAttemptedError("store.unavailable", "The disk is gone.")

    def retain_all(self, contents: object) -> list[str]:
        raise NotAttemptedError("store.full", "No room.")

    def close(self) -> None:
        raise OSError("cannot be closed")


class Lying(MemoryStore):
    """Says that it kept something else."""

    def retain_all(self, contents: object) -> list[str]:
        return [UNKNOWN]


def test_no_store_at_all_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        MultiplexStore([])


@pytest.mark.parametrize("failing", [Unavailable, Lying])
@pytest.mark.parametrize("first", [True, False])
def test_nothing_is_acknowledged_that_not_every_store_has(failing: type[MemoryStore], first: bool) -> None:
    stores: list[Store] = [MemoryStore(), failing()]
    with pytest.raises((NotAttemptedError, IntegrityError)):
        MultiplexStore(stores[::-1] if first else stores).retain(b"content")


def test_a_store_that_may_not_be_written_bars_retaining_and_the_others_still_erase() -> None:
    own, archive = MemoryStore(), MemoryStore()
    digest = own.retain(b"personal")
    archive.retain(b"personal")
    both = MultiplexStore([ReadOnlyStore(archive), own])
    with pytest.raises(NotAttemptedError):
        both.retain(b"new")
    with pytest.raises(NotAttemptedError) as caught:
        both.erase(digest)
    assert caught.value.code == "store.read_only"
    for each in (own, both):
        with pytest.raises(IntegrityError, match="erased"):
            each.fetch(digest)
    assert list(both.digests()) == []


def test_a_store_that_cannot_answer_may_be_the_one_that_knows_of_an_erasure() -> None:
    good = MemoryStore()
    digest = good.retain(b"content")
    with pytest.raises(NotAttemptedError):
        MultiplexStore([good, Unavailable()]).fetch(digest)


DAMAGE = {"other bytes": b"damaged", "nothing": b""}


@pytest.mark.parametrize("name", DAMAGE)
@pytest.mark.parametrize("damaged_first", [True, False])
def test_a_damaged_copy_never_hides_a_good_one(name: str, damaged_first: bool) -> None:
    digest = digest_of(b"content")
    damaged, good = MemoryStore({digest: DAMAGE[name]}), MemoryStore({digest: b"content"})
    order = [damaged, good] if damaged_first else [good, damaged]
    assert MultiplexStore(order).fetch(digest) == b"content"
    assert MultiplexStore([damaged, damaged]).fetch(digest) == DAMAGE[name]
    assert MultiplexStore([MemoryStore(), damaged]).fetch(digest) == DAMAGE[name]


def test_a_damaged_file_behind_it_does_not_hide_a_good_copy(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    path.write_bytes(b"a shopping list\n" * 400)
    digest = digest_of(b"content")
    broken = SqliteStore(path)
    assert MultiplexStore([broken, MemoryStore({digest: b"content"})]).fetch(digest) == b"content"
    with pytest.raises(IntegrityError) as caught:
        MultiplexStore([MemoryStore(), broken]).fetch(digest)
    assert caught.value.code == "store.damaged"


def test_a_mirror_of_the_same_file_twice_is_harmless(tmp_path: Path) -> None:
    both = MultiplexStore([SqliteStore(tmp_path / "a.sqlite"), SqliteStore(tmp_path / "a.sqlite")])
    digest = both.retain(b"content")
    both.erase(digest)
    assert list(both.digests()) == []
    both.close()


def test_all_are_closed_also_when_one_raises(tmp_path: Path) -> None:
    last = SqliteStore(tmp_path / "proofs.sqlite")
    last.retain(b"content")
    with pytest.raises(OSError, match="cannot be closed"):
        MultiplexStore([Unavailable(), last]).close()
    assert not Path(f"{last.path}-wal").exists()


def test_a_reader_of_several_stores_touches_none(tmp_path: Path) -> None:
    several = MultiplexStore([open_store(tmp_path / place) for place in PLACES.values()])
    digest = several.retain(b"content")
    several.close()
    before = state_of(tmp_path)
    assert ReadOnlyStore(several).fetch(digest) == b"content"
    assert state_of(tmp_path) == before


@pytest.mark.parametrize("name", PLACES)
def test_several_contents_are_kept_as_one(name: str, tmp_path: Path) -> None:
    opened = open_store(tmp_path / PLACES[name])
    contents = [b"part", b"subject", b"part", b"proof"]
    assert opened.retain_all(contents) == [digest_of(content) for content in contents]
    assert [opened.fetch(digest_of(content)) for content in contents] == contents
    assert opened.retain_all([]) == []
    opened.close()


def test_of_several_contents_all_are_kept_or_none(tmp_path: Path) -> None:
    path = tmp_path / "proofs.sqlite"
    opened = SqliteStore(path)
    opened.retain(b"before")
    opened._file._connection.execute("PRAGMA max_page_count = 6")
    with pytest.raises(NotAttemptedError) as caught:
        opened.retain_all([b"small", b"x" * 100_000])
    assert caught.value.code == "store.full"
    assert list(opened.digests()) == [digest_of(b"before")]
    opened.close()
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("SELECT count(*) FROM contents").fetchone() == (1,)


def test_several_contents_in_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "sha256").write_bytes(b"in the way")
    opened = open_store(tmp_path / "proofs")
    with pytest.raises(NotAttemptedError):
        opened.retain_all([b"a", b"b"])
    assert list(opened.digests()) == []
    assert os.listdir(tmp_path / "proofs") == ["sha256"]
