"""One SQLite file of ours: made whole or not at all, durable at every commit, shared by processes, its faults named.

Write-ahead log with a full sync at every commit, so nothing is acknowledged that a power cut could take back. A writer
waits up to 30 seconds for another. The file is opened at the first use, and made at the first one that writes. Opened
for reading alone, neither the file nor its folder is touched. Refuses a damaged file and one of another program.
"""

from __future__ import annotations

import os
import sqlite3
import stat
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError
from probatum.proof.disk import make_folders, sync_folder
from probatum.proof.store_errors import failing, from_os_error, full, read_only, require_path

BUSY_SECONDS: Final = 30.0
_PAUSE_SECONDS: Final = 0.02

_READ_ONLY_CODES = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
_DAMAGED_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_BUSY_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})


@dataclass(frozen=True, slots=True)
class FileKind:
    """What a file of this kind is called, marked with and consists of."""

    noun: str
    """As it stands in a sentence: ``store``, ``ledger``."""
    application_id: int
    tables: Sequence[str]
    later: Sequence[str] = ()
    """Tables that files of earlier versions lack: an index at most, so that nothing is missed without them."""
    unsound: type[IntegrityError] = IntegrityError
    """What is raised where the file is damaged, or not one of this kind."""


class SqliteFile:
    """One file and its connection; state lives here alone."""

    def __init__(self, path: Path, kind: FileKind, *, read_only: bool = False) -> None:
        self.path = require_path(path, kind.noun)
        self._kind = kind
        self._read_only = read_only
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0
        self._is_passing = False

    @property
    def is_there(self) -> bool:
        """True where the file exists or is open."""
        return self._connection is not None or os.path.lexists(self.path)

    @contextmanager
    def connection(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Lend the connection to one thread; with ``create`` the file is made where it is missing.

        Raises IntegrityError for a damaged or foreign file, NotAttemptedError for a full, busy or failing disk.
        """
        with self._lock:
            try:
                yield self._opened(create=create)
            except (sqlite3.Error, UnicodeDecodeError, OSError) as error:
                raise self._named(error) from error
            finally:
                if self._is_passing:
                    self._forget()

    @contextmanager
    def transaction(self, *, create: bool = True) -> Iterator[sqlite3.Connection]:
        """Lend the connection for one change that happens whole, durably, or not at all; raises as `connection`."""
        with self.connection(create=create) as connection:
            # At once for writing: one that begins by reading cannot wait for another writer later on.
            connection.execute("BEGIN IMMEDIATE")
            try:
                # Since it was opened somebody may have put a trigger into it that takes away what is kept.
                self._require_ours(connection)
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                raise

    def scrub(self) -> None:
        """Write the file anew, and empty its log, so that nothing is left of what was taken out of it.

        Raises as `connection` does, also where somebody else reads the log all the time; then it may be repeated.
        """
        with self.connection() as connection:
            connection.execute("VACUUM")
            # SQLite waits for readers here, but not for another process that empties the log at the same time.
            deadline = time.monotonic() + BUSY_SECONDS
            while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
                if time.monotonic() >= deadline:
                    raise self._busy()
                time.sleep(_PAUSE_SECONDS)

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._forget()

    def _opened(self, *, create: bool) -> sqlite3.Connection:
        # SQLite connections must not cross a fork: a child opens its own and leaves the parent's alone.
        if self._connection is not None and self._owner == os.getpid():
            return self._connection
        if create:
            # exists() raises for a path that cannot be in some Pythons alone.
            try:
                self.path.stat()
            except FileNotFoundError:
                _make(self.path, self._kind)
            # Also where another process was quicker: its file must not vanish after we acknowledge.
            sync_folder(self.path.parent)
        if not stat.S_ISREG(self.path.stat().st_mode):
            # SQLite would wait for somebody who writes into a pipe.
            raise self._foreign()
        self._require_sound_neighbours()
        # What is read without taking part in the locking of others is opened anew each time, to see what they wrote.
        may_write = os.access(self.path, os.W_OK) and os.access(self.path.parent, os.W_OK)
        self._is_passing = not create and (self._read_only or not may_write)
        query = self._read_only_query() if self._is_passing else "?mode=rw"
        connection = _connected(self.path.absolute().as_uri() + query)
        try:
            self._require_ours(connection)
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA secure_delete = ON")
        except BaseException:
            connection.close()
            raise
        self._connection, self._owner = connection, os.getpid()
        return connection

    def _require_sound_neighbours(self) -> None:
        """Refuse what is not a file in the place of SQLite's own files: it would hang, or write elsewhere."""
        for suffix in ("-journal", "-wal", "-shm"):
            beside = f"{os.path.realpath(self.path)}{suffix}"
            try:
                mode = os.lstat(beside).st_mode
            except FileNotFoundError:
                continue
            if not stat.S_ISREG(mode):
                sentence = f"Beside the {self._kind.noun} {self.path} is {Path(beside).name}, which is not a file."
                raise self._kind.unsound(self._code("damaged"), sentence, "Move it away.")

    def _read_only_query(self) -> str:
        # Without a log beside the file SQLite would make one to read it, unless we declare that nobody changes the
        # file; that would hide what is in a log, so it is said only where there is none. A log is read without locks.
        log, index = Path(f"{self.path}-wal"), Path(f"{self.path}-shm")
        try:
            size = log.stat().st_size
        except FileNotFoundError:
            return "?mode=ro&immutable=1"
        if not size and not index.exists():
            return "?mode=ro&immutable=1"
        if not index.exists():
            raise failing(self.path, f"its log {log.name} has no {index.name} beside it", self._kind.noun)
        return "?mode=ro&readonly_shm=1"

    def _require_ours(self, connection: sqlite3.Connection) -> None:
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        if mark != self._kind.application_id:
            raise self._foreign()
        # A view, a trigger or another table could run, or answer for, what ours hold.
        found = {row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL")}
        if found - set(self._kind.later) != set(self._kind.tables):
            sentence = f"The {self._kind.noun} {self.path} does not consist of the tables that probatum made."
            raise self._kind.unsound(self._code("damaged"), sentence)

    def _foreign(self) -> IntegrityError:
        hint = f"Give another file with --{self._kind.noun}."
        return self._kind.unsound(self._code("foreign"), f"{self.path} is not a {self._kind.noun} of probatum.", hint)

    def _forget(self) -> None:
        if self._connection is not None and self._owner == os.getpid():
            self._connection.close()
        self._connection = None

    def _named(self, error: sqlite3.Error | UnicodeDecodeError | OSError) -> ProbatumError:
        noun = self._kind.noun
        if isinstance(error, OSError):
            return from_os_error(error, self.path, noun)
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if isinstance(error, UnicodeDecodeError) or code in _DAMAGED_CODES:
            self._forget()
            hint = "Move the file away and restore it from a backup; proofs that were exported are not affected."
            return self._kind.unsound(
                self._code("damaged"), f"The {noun} {self.path} is not a sound SQLite file.", hint
            )
        if code == sqlite3.SQLITE_FULL:
            return full(self.path, noun)
        if code in _READ_ONLY_CODES:
            return read_only(self.path, noun)
        if code in _BUSY_CODES:
            return self._busy()
        return failing(self.path, str(error), noun)

    def _busy(self) -> NotAttemptedError:
        sentence = f"The {self._kind.noun} {self.path} was busy for more than {BUSY_SECONDS:g} seconds."
        return NotAttemptedError(self._code("busy"), sentence, "Repeat when the other process has ended.")

    def _code(self, problem: str) -> str:
        return f"{self._kind.noun}.{problem}"


def _connected(target: str) -> sqlite3.Connection:
    return sqlite3.connect(target, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _make(path: Path, kind: FileKind) -> None:
    """Make an empty file beside its place and link it there; harmless where another process was quicker.

    Two processes must never switch one file to the write-ahead log at the same time: SQLite answers the second one
    "busy" without waiting.
    """
    make_folders(path.parent)
    with tempfile.TemporaryDirectory(dir=path.parent, prefix=".incoming-") as folder:
        fresh = Path(folder).absolute() / path.name
        connection = _connected(f"{fresh.as_uri()}?mode=rwc")
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            for table in (*kind.tables, *kind.later):
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {kind.application_id}")
        finally:
            connection.close()
        fresh.chmod(0o600)
        with suppress(FileExistsError):
            path.hardlink_to(fresh)
