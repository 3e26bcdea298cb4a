"""The ledger: an append-only log of verdicts in one SQLite file, with a Merkle root over all of it.

`append` acknowledges entries only when they are durable, all of a group or none. Proofs that an entry is in the log,
and that an earlier head is its beginning, cost the logarithm of its size. An entry is found by its tag, a part of it;
the index of tags is never trusted, and what it lacks is searched for. `audit` reads everything again: it finds an entry
that was edited, removed, moved or cut off, where a checkpoint that somebody kept covers it. Without such a checkpoint
nobody can see that the newest entries are gone, nor that the whole log was written anew; so keep the heads elsewhere.

Refuses: an empty entry, one of more than 1 MiB, a file that is damaged or foreign. It never repairs anything.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.core.errors import IntegrityError, UsageError
from probatum.core.merkle import Frontier, Node, consistency_proof, frontier_of, inclusion_proof, leaf_hash
from probatum.proof.checkpoint import Checkpoint, counted_entries
from probatum.proof.sqlite_file import FileKind, SqliteFile

_LOOKUP: Final = (
    "CREATE TABLE lookup (tag BLOB NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (tag, position)) WITHOUT ROWID"
)
LEDGER: Final = FileKind(
    "ledger",
    0x50524F4C,
    (
        "CREATE TABLE entries (position INTEGER PRIMARY KEY NOT NULL, content BLOB NOT NULL)",
        "CREATE TABLE nodes (level INTEGER NOT NULL, position INTEGER NOT NULL, hash BLOB NOT NULL,"
        " PRIMARY KEY (level, position)) WITHOUT ROWID",
    ),
    later=(_LOOKUP,),
)
MAX_ENTRY_BYTES: Final = 1024 * 1024
_BEYOND: Final = "SELECT count(*) FROM nodes WHERE level < 0 OR level > 62 OR position < 0 OR position >= (? >> level)"
_NODE: Final = "SELECT hash FROM nodes WHERE level = ? AND position = ?"
_ENTRIES: Final = (
    "SELECT position, content FROM entries WHERE position >= ? AND position < ? ORDER BY position LIMIT 1000"
)
_HAS_LOOKUP: Final = "SELECT count(*) FROM sqlite_master WHERE name = 'lookup'"
_LOOKED_UP: Final = (
    "SELECT entries.position, content FROM lookup JOIN entries ON entries.position = lookup.position"
    " WHERE tag = ? AND lookup.position >= ? AND lookup.position < ? ORDER BY lookup.position LIMIT 1000"
)
_SEARCHED: Final = (
    "SELECT position, content FROM entries WHERE instr(content, ?) AND position >= ? AND position < ?"
    " ORDER BY position LIMIT 1000"
)
_LAST: Final = 2**63 - 1
_SIZE: Final = "SELECT ifnull(max(position) + 1, 0) FROM entries"


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What reading the whole log found: its size and root as computed anew, and every contradiction in words."""

    size: int
    root: bytes
    checkpoints: int
    problems: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True when nothing contradicts anything."""
        return not self.problems


class Ledger:
    """One log. The file is opened at the first use and made at the first `append`."""

    def __init__(self, path: Path) -> None:
        self._file = SqliteFile(path, LEDGER)

    @property
    def path(self) -> Path:
        """Where the log lives."""
        return self._file.path

    def append(self, entries: Sequence[bytes], tags: Sequence[bytes] = ()) -> range:
        """Add entries in this order and return their positions, once all of them are durable.

        A tag is a part of its entry by which it is found; there is one for each entry, or none at all.

        Raises ValueError where a tag is not a part of its entry, UsageError where an entry is empty or too large, and
        what `SqliteFile.transaction` raises; then no entry was added.
        """
        for entry in entries:
            if not 0 < len(entry) <= MAX_ENTRY_BYTES:
                sentence = f"A ledger's entry has 1 to {MAX_ENTRY_BYTES} bytes, got {len(entry)}."
                raise UsageError("ledger.entry", sentence)
        if tags and not all(tag and tag in entry for tag, entry in zip(tags, entries, strict=True)):
            raise ValueError("a tag is a part of its entry")
        with self._file.transaction() as connection:
            first = _size(connection)
            # Computed inside the transaction: another process may have added entries a moment ago.
            tree = frontier_of(first, _node_reader(connection))
            nodes: list[tuple[int, int, bytes]] = []
            for entry in entries:
                tree, completed = tree.with_leaf(leaf_hash(entry))
                nodes += completed
            connection.executemany("INSERT INTO entries VALUES (?, ?)", enumerate(entries, start=first))
            connection.executemany("INSERT INTO nodes VALUES (?, ?, ?)", nodes)
            if tags:
                if not _has_lookup(connection):
                    connection.execute(_LOOKUP)
                rows = ((_key(tag), position) for position, tag in enumerate(tags, start=first))
                connection.executemany("INSERT OR IGNORE INTO lookup VALUES (?, ?)", rows)
        return range(first, first + len(entries))

    @contextmanager
    def _tree(self) -> Iterator[tuple[int, Node]]:
        """Lend the size of the log and what reads its hashes; where there is no file, those of an empty log."""
        if not self._file.is_there:
            yield 0, _no_node
            return
        with self._file.connection() as connection:
            yield _size(connection), _node_reader(connection)

    def size(self) -> int:
        """Return how many entries there are; 0 where there is no log yet."""
        with self._tree() as (size, _):
            return size

    def head(self, origin: str, size: int | None = None) -> Checkpoint:
        """Return the head of the log, or the one that it had at an earlier size.

        Raises UsageError where the log is not that long.
        """
        with self._tree() as (whole, nodes):
            asked = self._at_size(whole, size)
            return Checkpoint(origin, asked, frontier_of(asked, nodes).root())

    def entry(self, position: int) -> bytes:
        """Return one entry as it stands; raises UsageError where there is none."""
        size = self.size()
        if 0 <= position < size:
            for _, content in self.entries(position, position + 1):
                return content
        raise self._no_entry(position, size)

    def entries(self, start: int = 0, end: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield positions and entries in order, a thousand at a time, so that any size fits into memory."""
        if self._file.is_there:
            yield from self._selected(_ENTRIES, None, start, self.size() if end is None else end)

    def tagged(self, tag: bytes) -> Iterator[tuple[int, bytes]]:
        """Yield positions and entries that hold this tag: those of the index, then all others in order.

        The index saves time and decides nothing: where it lacks an entry, the entry comes later.
        """
        if not self._file.is_there:
            return
        size = self.size()
        known: set[int] = set()
        with self._file.connection() as connection:
            has_lookup = _has_lookup(connection)
        queries = ((_LOOKED_UP, _key(tag)), (_SEARCHED, tag))
        for query, asked in queries if has_lookup else queries[1:]:
            for position, content in self._selected(query, asked, 0, size):
                if tag in content and position not in known:
                    known.add(position)
                    yield position, content

    def _selected(self, query: str, asked: bytes | None, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
        begin = start
        given = () if asked is None else (asked,)
        while begin < stop:
            with self._file.connection() as connection:
                rows = connection.execute(query, (*given, begin, stop)).fetchall()
            if not rows:
                return
            begin = rows[-1][0] + 1
            for position, content in rows:
                if not isinstance(content, bytes):
                    sentence = f"The ledger {self.path} holds something else than bytes as entry {position}."
                    raise IntegrityError("ledger.damaged", sentence)
                yield position, content

    def inclusion(self, position: int, size: int | None = None) -> tuple[bytes, ...]:
        """Return the proof that an entry is in the log of this size, by default of today's.

        Raises UsageError where there is no such entry, or the log is not that long.
        """
        with self._tree() as (whole, nodes):
            asked = self._at_size(whole, size)
            if not 0 <= position < asked:
                raise self._no_entry(position, asked)
            return inclusion_proof(position, asked, nodes)

    def consistency(self, earlier: int, size: int | None = None) -> tuple[bytes, ...]:
        """Return the proof that the log of an earlier size is the beginning of that of this size.

        Raises UsageError where the log is not that long, or never was as short.
        """
        with self._tree() as (whole, nodes):
            asked = self._at_size(whole, size)
            if not whole:
                raise UsageError("ledger.size", f"There is nothing in the ledger {self.path} yet.")
            if not 0 < earlier <= asked:
                raise UsageError("ledger.size", f"An earlier size is between 1 and {asked}, got {earlier}.")
            return consistency_proof(earlier, asked, nodes)

    def audit(self, checkpoints: Iterable[Checkpoint] = ()) -> AuditReport:
        """Read every entry again and compare what follows from them with the log's nodes and with these heads.

        Raises what `SqliteFile.connection` raises.
        """
        heads = sorted(checkpoints, key=lambda head: head.size)
        if not self._file.is_there:
            lost = tuple(
                f"there is no ledger, but a checkpoint of {counted_entries(head.size)}" for head in heads if head.size
            )
            return AuditReport(0, Frontier().root(), len(heads), lost)
        problems: list[str] = []
        pending = list(heads)
        tree = Frontier()
        for position, content in self.entries():
            _settle(pending, tree, problems)
            if position != tree.size:
                problems.append(f"entry {tree.size} is missing")
                break
            tree, completed = tree.with_leaf(leaf_hash(content))
            problems += self._contradicted(completed)
        _settle(pending, tree, problems)
        problems += [f"a checkpoint has {counted_entries(head.size)}, the ledger {tree.size}" for head in pending]
        problems += self._left_over(tree.size)
        return AuditReport(tree.size, tree.root(), len(heads), tuple(problems))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._file.close()

    def _contradicted(self, completed: Sequence[tuple[int, int, bytes]]) -> Iterator[str]:
        with self._file.connection() as connection:
            stored = _node_reader(connection)
            for level, position, computed in completed:
                try:
                    agrees = stored(level, position) == computed
                except IntegrityError:
                    agrees = False
                if not agrees:
                    first, last = position << level, ((position + 1) << level) - 1
                    place = f"entry {first}" if level == 0 else f"entries {first} to {last}"
                    yield f"{place} cannot be what was appended: the stored hash is another"

    def _left_over(self, size: int) -> Iterator[str]:
        with self._file.connection() as connection:
            (entries,) = connection.execute("SELECT count(*) FROM entries").fetchone()
            (leaves,) = connection.execute("SELECT count(*) FROM nodes WHERE level = 0").fetchone()
            (beyond,) = connection.execute(_BEYOND, (size,)).fetchone()
        if entries > size:
            yield f"of {counted_entries(entries)}, {size} are in their order"
        if leaves > size:
            yield f"there are hashes of {counted_entries(leaves)}, but {counted_entries(size)}"
        elif beyond:
            yield f"hashes that belong to no entry: {beyond}"

    def _at_size(self, size: int, asked: int | None) -> int:
        if asked is None:
            return size
        if not 0 <= asked <= size:
            raise UsageError("ledger.size", f"The ledger has {counted_entries(size)}; a size of {asked} was asked for.")
        return asked

    def _no_entry(self, position: int, size: int) -> UsageError:
        sentence = f"The ledger {self.path} has {counted_entries(size)}; there is no entry {position}."
        return UsageError("ledger.position", sentence)


def _size(connection: sqlite3.Connection) -> int:
    (size,) = connection.execute(_SIZE).fetchone()
    # An entry that was put at the last position of all has no size after it that could be asked for.
    return min(int(size), _LAST)


def _key(tag: bytes) -> bytes:
    """Return what the index has of a tag: enough to find it, as every entry that is found is compared."""
    return hashlib.sha256(tag).digest()[:8]


def _has_lookup(connection: sqlite3.Connection) -> bool:
    (there,) = connection.execute(_HAS_LOOKUP).fetchone()
    return bool(there)


def _no_node(level: int, position: int) -> bytes:
    raise IntegrityError("ledger.damaged", f"An empty ledger has no hash {position} of level {level}.")


def _node_reader(connection: sqlite3.Connection) -> Node:
    def node(level: int, position: int) -> bytes:
        row = connection.execute(_NODE, (level, position)).fetchone()
        if row is None or not isinstance(row[0], bytes):
            sentence = f"The ledger lacks the hash of its entries from {position << level} on."
            raise IntegrityError("ledger.damaged", sentence, "See what is wrong: probatum ledger audit")
        return row[0]

    return node


def _settle(pending: list[Checkpoint], tree: Frontier, problems: list[str]) -> None:
    """Compare the heads that had this size, and take them off the list."""
    while pending and pending[0].size == tree.size:
        head = pending.pop(0)
        if head.root != tree.root():
            problems.append(f"the first {head.size} entries are not those of the checkpoint")
