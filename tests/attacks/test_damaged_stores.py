"""Stores and ledgers that somebody prepared or a disk damaged: a named error, and what is said to be kept is kept."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from probatum.core.digest import digest_of
from probatum.core.errors import ProbatumError
from probatum.proof.ledger import Ledger
from probatum.proof.stores import DirectoryStore, SqliteStore, open_store

KEPT, NEW = b"kept content", b"new content"
TABLES = {"store": "contents", "ledger": "entries"}
Prepare = Callable[[Path, str], object]


def sound(path: Path, noun: str) -> None:
    """Make one that is sound."""
    kept = open_store(path) if noun == "store" else Ledger(path)
    with closing(kept):
        if isinstance(kept, Ledger):
            kept.append([KEPT])
        else:
            kept.retain(KEPT)


def altered(*statements: str) -> Prepare:
    def prepare(path: Path, noun: str) -> None:
        sound(path, noun)
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            for statement in statements:
                connection.execute(statement.format(table=TABLES[noun]))

    return prepare


def beside(suffix: str, make: Callable[[str], object]) -> Prepare:
    def prepare(path: Path, noun: str) -> None:
        sound(path, noun)
        make(f"{path}{suffix}")

    return prepare


def overwritten(begin: int, content: bytes) -> Prepare:
    def prepare(path: Path, noun: str) -> None:
        sound(path, noun)
        with path.open("r+b") as file:
            file.seek(begin)
            file.write(content)

    return prepare


def a_socket(path: Path, _noun: str) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        folder = os.open(path.parent, os.O_DIRECTORY)
        # The address of a socket has room for a short path alone.
        made.bind(f"/proc/self/fd/{folder}/{path.name}")
        os.close(folder)


def a_link_to_a_pipe_beside(path: Path, noun: str) -> None:
    """SQLite follows the link, and makes its own files beside what it leads to."""
    real = path.with_name("real.sqlite")
    sound(real, noun)
    os.mkfifo(f"{real}-journal")
    path.symlink_to(real)


def tampered_view(path: Path, noun: str) -> None:
    altered("ALTER TABLE {table} RENAME TO z", "CREATE VIEW {table} AS SELECT * FROM z")(path, noun)


PREPARED: dict[str, Prepare] = {
    "a pipe": lambda path, _: os.mkfifo(path),
    "a socket": a_socket,
    "a device": lambda path, _: path.symlink_to("/dev/zero"),
    "nothing": lambda path, _: path.symlink_to("/dev/null"),
    "a link to itself": lambda path, _: path.symlink_to(path.name),
    "a link that leads nowhere": lambda path, _: path.symlink_to("nothing"),
    "a link into no folder": lambda path, _: path.symlink_to("/no/such/folder/x.sqlite"),
    "an empty file": lambda path, _: path.touch(),
    "text": lambda path, _: path.write_bytes(b"SQLite format 3\0hello"),
    "noise": lambda path, _: path.write_bytes(bytes(range(256)) * 40),
    "cut in the header": lambda path, noun: (sound(path, noun), os.truncate(path, 60)),
    "cut after a page": lambda path, noun: (sound(path, noun), os.truncate(path, 4096)),
    "no schema": overwritten(100, bytes(3996)),
    "another size of pages": overwritten(16, b"\0\1"),
    "another program's mark": altered("PRAGMA application_id = 1"),
    "another table": altered("CREATE TABLE x (a)"),
    "an index more": altered("CREATE INDEX x ON {table} (content)"),
    "a view": tampered_view,
    "a trigger that takes away": altered("CREATE TRIGGER x AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END"),
    "a trigger that ignores": altered("CREATE TRIGGER x BEFORE INSERT ON {table} BEGIN SELECT raise(IGNORE); END"),
    "a pipe as journal": beside("-journal", os.mkfifo),
    "a pipe as log": beside("-wal", os.mkfifo),
    "a pipe as index of the log": beside("-shm", os.mkfifo),
    "a folder as journal": beside("-journal", os.mkdir),
    "a folder as log": beside("-wal", os.mkdir),
    "a folder as index of the log": beside("-shm", os.mkdir),
    "a loop as log": beside("-wal", lambda name: os.symlink(os.path.basename(name), name)),
    "a device as log": beside("-wal", lambda name: os.symlink("/dev/zero", name)),
    "a link to a file with a pipe beside": a_link_to_a_pipe_beside,
}
HARMLESS: dict[str, Prepare] = {
    "sound": sound,
    "a link to a sound one": lambda path, noun: (
        sound(path.with_name("b.sqlite"), noun),
        path.symlink_to("b.sqlite"),
    ),
    "without a log of its own": altered("PRAGMA journal_mode = DELETE"),
    "an empty log left behind": beside("-wal", lambda name: Path(name).touch()),
    "noise as index of the log": beside("-shm", lambda name: Path(name).write_bytes(b"x" * 40_000)),
}


def refused(ask: Callable[[], object]) -> str:
    """Return the code of the named error that this ends with; empty where it ends well."""
    try:
        ask()
    except ProbatumError as error:
        return error.code
    return ""


def keep_at(path: Path) -> None:
    with closing(SqliteStore(path)) as store:
        store.retain(NEW)


def asked(path: Path, noun: str) -> dict[str, Callable[[], object]]:
    """Return what can be asked of one, each by an object of its own."""

    def of_ledger(question: Callable[[Ledger], object]) -> Callable[[], object]:
        def ask() -> object:
            with closing(Ledger(path)) as ledger:
                return question(ledger)

        return ask

    def keep() -> None:
        with closing(SqliteStore(path)) as store:
            assert store.fetch(store.retain(NEW)) == NEW
        assert SqliteStore(path).fetch(digest_of(NEW)) == NEW

    def append() -> None:
        with closing(Ledger(path)) as ledger:
            ledger.append([NEW])
        assert NEW in [content for _, content in Ledger(path).entries()]

    if noun == "ledger":
        return {
            "head": of_ledger(lambda ledger: ledger.head("a")),
            "entries": of_ledger(lambda ledger: list(ledger.entries())),
            "audit": of_ledger(lambda ledger: ledger.audit()),
            "append": append,
        }
    return {
        "fetch": lambda: open_store(path, read_only=True).fetch(digest_of(KEPT)),
        "digests": lambda: list(open_store(path, read_only=True).digests()),
        "keep": keep,
        "erase": lambda: open_store(path).erase(digest_of(KEPT)),
    }


@pytest.mark.parametrize("noun", TABLES)
@pytest.mark.parametrize("name", PREPARED)
def test_what_is_no_sound_file_is_named(name: str, noun: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    PREPARED[name](path, noun)
    for question in asked(path, noun).values():
        with pytest.raises(ProbatumError) as caught:
            question()
        assert caught.value.code.startswith(f"{noun}.")
        assert caught.value.exit_code in {1, 4}
        assert caught.value.sentence


@pytest.mark.parametrize("noun", TABLES)
@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_harmless_is_used(name: str, noun: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    HARMLESS[name](path, noun)
    refused = []
    for title, question in asked(path, noun).items():
        try:
            question()
        except ProbatumError as error:
            refused.append((title, error.code))
    assert refused == []


@pytest.mark.parametrize("noun", TABLES)
def test_a_trigger_that_comes_later_is_seen(noun: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    sound(path, noun)
    kept = SqliteStore(path) if noun == "store" else Ledger(path)
    keep = kept.retain if isinstance(kept, SqliteStore) else (lambda content: kept.append([content]))
    with closing(kept), closing(sqlite3.connect(path, isolation_level=None)) as other:
        keep(b"first")
        table = TABLES[noun]
        other.execute(f"CREATE TRIGGER x AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END")
        with pytest.raises(ProbatumError, match="does not consist"):
            keep(b"second")


@pytest.mark.parametrize("value", ["'text'", "12", "x'00'", "NULL"])
def test_content_of_another_kind_is_named_or_mended(value: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    sound(path, "store")
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        if value == "NULL":
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute("UPDATE contents SET content = NULL")
            return
        connection.execute(f"UPDATE contents SET content = {value}")
    store = SqliteStore(path)
    if value != "x'00'":
        with pytest.raises(ProbatumError, match="something else than bytes"):
            store.fetch(digest_of(KEPT))
    assert store.fetch(store.retain(KEPT)) == KEPT


@pytest.mark.sampled(8)
@pytest.mark.parametrize("begin", range(0, 16_384, 512))
def test_no_flipped_bytes_make_a_store_lose_what_it_says_it_kept(begin: int, tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(SqliteStore(path)) as store:
        store.retain_all([b"%d" % number * 40 for number in range(60)])
    content = bytearray(path.read_bytes())
    if begin >= len(content):
        return
    for place in range(begin, min(begin + 512, len(content)), 16):
        flipped = bytearray(content)
        flipped[place] ^= 0xFF
        for each in tmp_path.glob("a.sqlite*"):
            each.unlink()
        path.write_bytes(flipped)
        if refused(lambda: keep_at(path)):
            continue
        with closing(SqliteStore(path)) as store:
            assert store.fetch(digest_of(NEW)) == NEW


IN_A_FOLDER: dict[str, Callable[[Path], object]] = {
    "a link to the very bytes": lambda path: (
        path.with_name("x").write_bytes(NEW),
        path.symlink_to("x"),
    ),
    "a link that leads nowhere": lambda path: path.symlink_to("nothing"),
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a pipe": os.mkfifo,
    "a folder": os.mkdir,
    "other bytes": lambda path: path.write_bytes(b"other"),
    "a device": lambda path: path.symlink_to("/dev/zero"),
}


@pytest.mark.parametrize("content", [NEW, b""], ids=["content", "nothing"])
@pytest.mark.parametrize("name", IN_A_FOLDER)
def test_a_folder_keeps_or_says_that_it_does_not(name: str, content: bytes, tmp_path: Path) -> None:
    digest = digest_of(content)
    path = tmp_path / "sha256" / digest[7:9] / digest[9:]
    path.parent.mkdir(parents=True)
    IN_A_FOLDER[name](path)
    store = DirectoryStore(tmp_path)
    code = refused(lambda: store.fetch(digest))
    assert code.startswith("store.") or store.fetch(digest) == b"other"
    code = refused(lambda: store.retain(content))
    assert code == ("store.unavailable" if name == "a folder" else "")
    assert code or store.fetch(digest) == content


ABOVE: dict[str, Callable[[Path], object]] = {
    "a file": lambda path: path.write_bytes(b""),
    "a pipe": os.mkfifo,
    "a link to itself": lambda path: path.symlink_to(path.name),
    "a link that leads nowhere": lambda path: path.symlink_to("nothing"),
}


@pytest.mark.parametrize("place", ["sha256", "store", "store/sha256"])
@pytest.mark.parametrize("name", ABOVE)
def test_a_folder_that_is_none_is_named(name: str, place: str, tmp_path: Path) -> None:
    (tmp_path / place).parent.mkdir(exist_ok=True)
    ABOVE[name](tmp_path / place)
    store = DirectoryStore(tmp_path / "store" if place.startswith("store") else tmp_path)
    with pytest.raises(ProbatumError, match=r"store\."):
        store.retain(NEW)
    with pytest.raises(ProbatumError, match=r"store\."):
        store.fetch(digest_of(NEW))


PATHS = {
    "of 5,000 characters": "a" * 5000,
    "of 5,000 folders": "a/" * 5000,
    "with a null": "a\0b",
    "surrogates": "\udcff",
}
UNUSABLE = {f"{noun}.{problem}" for noun in TABLES for problem in ("unavailable", "unknown_kind")}


@pytest.mark.parametrize("ending", ["", ".sqlite"])
@pytest.mark.parametrize("name", PATHS)
def test_every_path_keeps_or_is_named(name: str, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(f"{PATHS[name]}{ending}")
    codes = {
        refused(lambda: open_store(path).fetch(open_store(path).retain(NEW))),
        refused(lambda: Ledger(path.with_name(f"l{path.name}")).append([NEW])),
    }
    assert codes <= ({""} if name == "surrogates" else UNUSABLE)
    # What cannot be kept leaves nothing behind.
    assert name == "surrogates" or not list(tmp_path.iterdir())
