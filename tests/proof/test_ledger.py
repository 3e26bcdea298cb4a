"""The ledger: what it proves, what an audit finds, and what a killed writer leaves behind."""

from __future__ import annotations

import itertools
import os
import random
import signal
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probatum.core.errors import IntegrityError, NotAttemptedError, UsageError
from probatum.core.merkle import EMPTY_ROOT, Frontier, is_consistent, is_included, leaf_hash
from probatum.proof.ledger import MAX_ENTRY_BYTES, Ledger
from tests.proof.sample import altered

ORIGIN = "example.com/log"
KILLS = int(os.environ.get("PROBATUM_TEST_KILLS", "30"))


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    opened = Ledger(tmp_path / "ledger.sqlite")
    yield opened
    opened.close()


def filled(ledger: Ledger, count: int = 11) -> Ledger:
    for number in range(count):
        ledger.append([f"entry {number}".encode()])
    return ledger


def test_a_log_that_is_not_there_is_empty_and_stays_away(ledger: Ledger) -> None:
    assert ledger.size() == 0
    assert ledger.head(ORIGIN).root == EMPTY_ROOT
    assert list(ledger.entries()) == []
    assert ledger.audit().holds
    assert not ledger.path.exists()


def test_entries_stand_in_order_of_their_coming(ledger: Ledger) -> None:
    assert ledger.append([b"a", b"b"]) == range(2)
    assert ledger.append([b"c"]) == range(2, 3)
    assert ledger.append([]) == range(3, 3)
    assert list(ledger.entries()) == [(0, b"a"), (1, b"b"), (2, b"c")]
    assert list(ledger.entries(1, 2)) == [(1, b"b")]
    assert ledger.entry(2) == b"c"
    assert ledger.path.stat().st_mode & 0o777 == 0o600


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(groups=st.lists(st.lists(st.binary(min_size=1, max_size=9), max_size=5), max_size=8), data=st.data())
def test_every_entry_is_shown_in_every_later_head(
    groups: list[list[bytes]], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ledger = Ledger(tmp_path_factory.mktemp("log") / "ledger.sqlite")
    heads = [ledger.head(ORIGIN)]
    for group in groups:
        ledger.append(group)
        heads.append(ledger.head(ORIGIN))
    entries = [entry for group in groups for entry in group]
    assert ledger.audit(heads).problems == ()
    if entries:
        head = data.draw(st.sampled_from([head for head in heads if head.size]))
        position = data.draw(st.integers(0, head.size - 1))
        path = ledger.inclusion(position, head.size)
        assert is_included(leaf_hash(entries[position]), position, head.size, path, head.root)
        last = heads[-1]
        assert is_consistent(head.size, last.size, ledger.consistency(head.size), head.root, last.root)
        assert ledger.head(ORIGIN, head.size) == head
    ledger.close()


FIRST_TABLES = (
    "CREATE TABLE entries (position INTEGER PRIMARY KEY NOT NULL, content BLOB NOT NULL)",
    "CREATE TABLE nodes (level INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL,"
    " PRIMARY KEY (level, position)) WITHOUT ROWID",
)
"""What ledgers consisted of before there was an index."""


@pytest.fixture
def early(tmp_path: Path) -> Iterator[Ledger]:
    """A file as the first version made it, with two entries."""
    path = tmp_path / "early.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    for table in FIRST_TABLES:
        connection.execute(table)
    connection.execute(f"PRAGMA application_id = {0x50524F4C}")
    tree = Frontier()
    for position, entry in enumerate((b"a red", b"a blue")):
        tree, completed = tree.with_leaf(leaf_hash(entry))
        connection.execute("INSERT INTO entries VALUES (?, ?)", (position, entry))
        connection.executemany("INSERT INTO nodes VALUES (?, ?, ?)", completed)
    connection.commit()
    connection.close()
    opened = Ledger(path)
    yield opened
    opened.close()


def test_a_file_without_an_index_is_read_and_gets_one_when_something_is_tagged(early: Ledger) -> None:
    assert list(early.tagged(b"red")) == [(0, b"a red")]
    assert early.audit().holds
    assert early.append([b"a green"]) == range(2, 3)
    assert tables_of(early) == {"entries", "nodes"}
    early.append([b"dark red", b"dark blue"], [b"red", b"blue"])
    assert tables_of(early) == {"entries", "nodes", "lookup"}
    assert list(early.tagged(b"red")) == [(3, b"dark red"), (0, b"a red")]
    assert early.audit().holds
    assert Ledger(early.path).size() == 5


def tables_of(ledger: Ledger) -> set[str]:
    with sqlite3.connect(ledger.path) as connection:
        return {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


@given(words=st.lists(st.sampled_from([b"red", b"blue", b"green"]), max_size=12), is_tagged=st.booleans())
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_tagged_entry_is_found_with_and_without_the_index(
    words: list[bytes], is_tagged: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ledger = Ledger(tmp_path_factory.mktemp("log") / "ledger.sqlite")
    ledger.append([b"it is " + word for word in words], words if is_tagged else ())
    for word in (b"red", b"blue", b"black"):
        assert [position for position, _ in ledger.tagged(word)] == [at for at, one in enumerate(words) if one == word]
    ledger.close()


def test_an_entry_is_found_in_the_index_without_reading_the_others(ledger: Ledger) -> None:
    entries = [f"entry {number:05}".encode() for number in range(2500)]
    ledger.append(entries, entries)
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    with ledger._file.connection() as connection:
        connection.set_progress_handler(count, 100)
    assert next(ledger.tagged(b"entry 02000")) == (2000, b"entry 02000")
    assert steps <= 5
    assert next(ledger.tagged(b"02000")) == (2000, b"entry 02000")
    assert steps > 50


@pytest.mark.parametrize("tags", [[b"x"], [b""], [b"red", b"red"]])
def test_a_tag_is_a_part_of_its_entry(tags: list[bytes], ledger: Ledger) -> None:
    with pytest.raises(ValueError, match=r"part of its entry|argument"):
        ledger.append([b"red"], tags)
    assert ledger.size() == 0


ALTERATIONS: dict[str, tuple[str, ...]] = {
    "an entry edited": ("UPDATE entries SET content = x'00' WHERE position = 4",),
    "an entry edited with its hash": (
        "UPDATE entries SET content = x'00' WHERE position = 4",
        f"UPDATE nodes SET hash = x'{leaf_hash(bytes(1)).hex()}' WHERE level = 0 AND position = 4",
    ),
    "an entry removed": ("DELETE FROM entries WHERE position = 4",),
    "an entry removed and the rest moved": (
        "DELETE FROM entries WHERE position = 4",
        "UPDATE entries SET position = position - 1 WHERE position > 4",
    ),
    "two entries in each other's place": (
        "UPDATE entries SET position = 100 WHERE position = 4",
        "UPDATE entries SET position = 4 WHERE position = 5",
        "UPDATE entries SET position = 5 WHERE position = 100",
    ),
    "the last entry removed": ("DELETE FROM entries WHERE position = 10",),
    "the last entries removed with their hashes": (
        "DELETE FROM entries WHERE position > 7",
        "DELETE FROM nodes WHERE level = 0 AND position > 7",
        "DELETE FROM nodes WHERE level > 0 AND (position + 1) << level > 8",
    ),
    "everything removed": ("DELETE FROM entries", "DELETE FROM nodes"),
    "an entry put in without hashes": ("INSERT INTO entries VALUES (11, x'00')",),
    "an entry far away": ("INSERT INTO entries VALUES (4611686018427387904, x'00')",),
    "an entry at the last position of all": ("INSERT INTO entries VALUES (9223372036854775807, x'00')",),
    "an entry before the first": ("INSERT INTO entries VALUES (-5, x'00')",),
    "a hash that belongs to no entry": ("INSERT INTO nodes VALUES (3, 9, x'00')",),
    "an inner hash edited": ("UPDATE nodes SET hash = x'00' WHERE level = 2 AND position = 0",),
    "an inner hash removed": ("DELETE FROM nodes WHERE level = 1 AND position = 2",),
}


@pytest.mark.parametrize("name", ALTERATIONS)
def test_an_audit_against_an_earlier_head_finds(name: str, ledger: Ledger) -> None:
    heads = [filled(ledger).head(ORIGIN)]
    assert ledger.audit(heads).holds
    altered(ledger, *ALTERATIONS[name])
    assert ledger.audit(heads).problems, name


def test_a_log_written_anew_is_found_by_an_earlier_head_alone(ledger: Ledger, tmp_path: Path) -> None:
    """Attack 38: only who kept a head outside can see it."""
    head = filled(ledger).head(ORIGIN)
    forged = Ledger(tmp_path / "forged.sqlite")
    forged.append([b"forged"] * 11)
    assert forged.audit().holds
    assert forged.audit([head]).problems == ("the first 11 entries are not those of the checkpoint",)
    ledger.path.unlink()
    ledger.close()
    assert ledger.audit([head]).problems == ("there is no ledger, but a checkpoint of 11 entries",)


@pytest.mark.parametrize("entry", [b"", b"x" * (MAX_ENTRY_BYTES + 1)])
def test_a_group_with_such_an_entry_is_refused_whole(entry: bytes, ledger: Ledger) -> None:
    with pytest.raises(UsageError, match="1 to"):
        ledger.append([b"good", entry])
    assert ledger.size() == 0


@pytest.mark.parametrize(
    "asked",
    [
        lambda log: log.entry(3),
        lambda log: log.entry(-1),
        lambda log: log.inclusion(3),
        lambda log: log.inclusion(2, 2),
        lambda log: log.inclusion(0, 4),
        lambda log: log.consistency(0),
        lambda log: log.consistency(4),
        lambda log: log.head(ORIGIN, 4),
        lambda log: log.head(ORIGIN, -1),
    ],
)
def test_what_the_log_does_not_have_is_a_named_error(asked: Callable[[Ledger], object], ledger: Ledger) -> None:
    with pytest.raises(UsageError):
        asked(ledger)
    filled(ledger, 3)
    with pytest.raises(UsageError):
        asked(ledger)


def test_another_program_s_file_is_refused_and_left_alone(ledger: Ledger) -> None:
    connection = sqlite3.connect(ledger.path)
    connection.execute("CREATE TABLE others (a)")
    connection.commit()
    connection.close()
    before = ledger.path.read_bytes()
    for use in (ledger.size, lambda: ledger.append([b"a"]), ledger.audit):
        with pytest.raises(IntegrityError, match="not a ledger of probatum"):
            use()
    assert ledger.path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW more AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE TRIGGER quiet AFTER INSERT ON entries BEGIN DELETE FROM entries; END",
        "CREATE TABLE others (a)",
    ],
)
def test_a_file_with_more_than_our_tables_is_refused(statement: str, ledger: Ledger) -> None:
    filled(ledger, 2)
    altered(ledger, statement)
    for use in (ledger.size, lambda: ledger.append([b"a"]), ledger.audit):
        with pytest.raises(IntegrityError, match="does not consist of the tables"):
            use()


@pytest.mark.parametrize("position", [2**63 - 1, 2**63, 2**80, -(2**63)])
def test_a_position_beyond_all_numbers_is_a_named_error(position: int, ledger: Ledger) -> None:
    filled(ledger, 2)
    for use in (ledger.entry, ledger.inclusion):
        with pytest.raises(UsageError, match="no entry"):
            use(position)


@pytest.mark.parametrize("content", [b"", b"text", b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_damaged_file_is_named(content: bytes, ledger: Ledger) -> None:
    ledger.path.write_bytes(content)
    with pytest.raises(IntegrityError):
        ledger.append([b"a"])


def test_a_full_disk_loses_nothing_that_was_acknowledged(ledger: Ledger) -> None:
    ledger.append([b"before"])
    with ledger._file.connection() as connection:
        connection.execute("PRAGMA max_page_count = 8")
    with pytest.raises(NotAttemptedError, match="no room left"):
        ledger.append([b"x" * 100_000])
    assert list(ledger.entries()) == [(0, b"before")]
    assert ledger.append([b"after"]) == range(1, 2)
    assert ledger.audit().holds


def _as_writer(path: Path, writer: int, told: int) -> NoReturn:
    """Until it is killed: append, and only then tell so."""
    try:
        ledger = Ledger(path)
        for number in itertools.count():
            entries = [f"{writer} {number} {part}" for part in range(number % 3 + 1)]
            positions = ledger.append([text.encode() for text in entries])
            os.write(told, "".join(f"{at} {text}\n" for at, text in zip(positions, entries, strict=True)).encode())
    finally:
        os._exit(1)


def _acknowledged(told: int, wanted: int) -> list[str]:
    """Read until a writer has acknowledged this many entries."""
    text = b""
    while text.count(b"\n") < wanted:
        text += os.read(told, 65536)
    return text.decode().rpartition("\n")[0].split("\n")


@pytest.mark.long
def test_killed_writers_leave_every_acknowledged_entry(tmp_path: Path) -> None:
    """Four writers at once are killed again and again, each at a moment that it did not choose."""
    path = tmp_path / "ledger.sqlite"
    Ledger(path).append([b"the first"])
    draw = random.Random(11)
    acknowledged: dict[int, str] = {}
    writers: list[tuple[int, int]] = []
    killed = 0
    while killed < KILLS:
        while len(writers) < 4:
            reading, told = os.pipe()
            child = os.fork()
            if not child:
                _as_writer(path, killed * 10 + len(writers), told)
            os.close(told)
            writers.append((child, reading))
        child, reading = writers.pop(draw.randrange(4))
        lines = _acknowledged(reading, draw.randint(1, 6))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while rest := os.read(reading, 65536):
            lines += rest.decode().splitlines()
        os.close(reading)
        killed += 1
        for line in lines:
            position, _, text = line.partition(" ")
            if text:
                acknowledged.setdefault(int(position), text)
    for child, reading in writers:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(reading)
    ledger = Ledger(path)
    assert ledger.audit().problems == ()
    entries = dict(ledger.entries())
    assert list(entries) == list(range(len(entries)))
    whole = {position: text for position, text in acknowledged.items() if text.count(" ") == 2}
    assert len(whole) >= KILLS
    assert all(entries[position].decode().startswith(text) for position, text in whole.items())


def test_a_log_with_an_entry_at_the_last_position_of_all_answers_by_name(ledger: Ledger) -> None:
    filled(ledger)
    altered(ledger, *ALTERATIONS["an entry at the last position of all"])
    for use in (lambda: ledger.head(ORIGIN), lambda: ledger.append([b"a"])):
        with pytest.raises(IntegrityError, match="lacks the hash"):
            use()
