"""One SQLite file that keeps bytes under their digest; several processes may write it at the same time.

Write-ahead log with a full sync at every commit, so `retain` acknowledges nothing that a power cut could take back.
A writer waits up to 30 seconds for another. Refuses a file that is damaged, or that some other program made.
"""

from __future__ import annotations

import os
import sqlite3
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError
from probatum.proof.disk import make_folders, sync_folder
from probatum.proof.store_errors import (
    failing,
    from_os_error,
    full,
    not_found,
    read_only,
    require_reference,
    require_size,
)

APPLICATION_ID: Final = 0x50524F42
BUSY_SECONDS: Final = 30.0

_TABLE = "CREATE TABLE contents (digest TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL)"
_KEEP = (
    "INSERT INTO contents (digest, content) VALUES (?, ?)"
    " ON CONFLICT (digest) DO UPDATE SET content = excluded.content WHERE content IS NOT excluded.content"
)
_READ_ONLY_CODES = frozenset(
    {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH}
)
_DAMAGED_CODES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT})
_BUSY_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_PROTOCOL})


class SqliteStore:
    """Keeps each content as one row. The file is opened at the first use and made at the first `retain`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._owner = 0

    def retain(self, content: bytes) -> str:
        """Keep these bytes durably and return their digest.

        Raises:
            IntegrityError: they are too many, or the file is damaged or no store of ours.
            NotAttemptedError: the disk is full, read-only, busy or failing.
        """
        require_size(len(content))
        digest = digest_of(content)
        with self._lock:
            try:
                self._opened(create=True).execute(_KEEP, (digest, content))
            except (sqlite3.Error, OSError) as error:
                raise self._named(error) from error
        return digest

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest, as they are.

        Raises:
            IntegrityError: there are none, or the file is damaged or no store of ours.
            NotAttemptedError: the disk is busy, failing or may not be read.
        """
        require_reference(digest)
        with self._lock:
            if self._connection is None and not self._path.exists():
                raise not_found(digest, self._path)
            try:
                row = (
                    self._opened(create=False)
                    .execute("SELECT content FROM contents WHERE digest = ?", (digest,))
                    .fetchone()
                )
            except (sqlite3.Error, OSError) as error:
                raise self._named(error) from error
        if row is None:
            raise not_found(digest, self._path)
        if not isinstance(row[0], bytes):
            raise IntegrityError(
                "store.damaged", f"The store {self._path} holds something else than bytes for {digest}."
            )
        return row[0]

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        with self._lock:
            self._forget()

    def _opened(self, *, create: bool) -> sqlite3.Connection:
        # SQLite connections must not cross a fork: a child opens its own and leaves the parent's alone.
        if self._connection is not None and self._owner == os.getpid():
            return self._connection
        if create:
            if not self._path.exists():
                _make_store(self._path)
            # Also where another process was quicker: its file must not vanish after we acknowledge.
            sync_folder(self._path.parent)
        writable = create or (os.access(self._path, os.W_OK) and os.access(self._path.parent, os.W_OK))
        target = self._path.absolute().as_uri() + ("?mode=rw" if writable else _read_only_query(self._path))
        connection = _connected(target)
        try:
            self._require_ours(connection)
            connection.execute("PRAGMA synchronous = FULL")
        except BaseException:
            connection.close()
            raise
        self._connection, self._owner = connection, os.getpid()
        return connection

    def _require_ours(self, connection: sqlite3.Connection) -> None:
        (mark,) = connection.execute("PRAGMA application_id").fetchone()
        if mark != APPLICATION_ID:
            hint = "Give another file with --store."
            raise IntegrityError("store.foreign", f"{self._path} is no store of probatum.", hint)

    def _forget(self) -> None:
        if self._connection is not None and self._owner == os.getpid():
            self._connection.close()
        self._connection = None

    def _named(self, error: sqlite3.Error | OSError) -> ProbatumError:
        if isinstance(error, OSError):
            return from_os_error(error, self._path)
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
        if code in _DAMAGED_CODES:
            self._forget()
            hint = "Move the file away and restore it from a backup; proofs that were exported are not affected."
            return IntegrityError("store.damaged", f"The store {self._path} is not a sound SQLite file.", hint)
        if code == sqlite3.SQLITE_FULL:
            return full(self._path)
        if code in _READ_ONLY_CODES:
            return read_only(self._path)
        if code in _BUSY_CODES:
            sentence = f"The store {self._path} was busy for more than {BUSY_SECONDS:g} seconds."
            return NotAttemptedError("store.busy", sentence, "Repeat when the other process has ended.")
        return failing(self._path, str(error))


def _connected(target: str) -> sqlite3.Connection:
    return sqlite3.connect(target, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def _make_store(path: Path) -> None:
    """Make an empty store beside its place and link it there; harmless where another process was quicker.

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
            connection.execute(_TABLE)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        finally:
            connection.close()
        fresh.chmod(0o600)
        with suppress(FileExistsError):
            path.hardlink_to(fresh)


def _read_only_query(path: Path) -> str:
    # On a medium that cannot be written SQLite reads a write-ahead-log file only when told that nobody changes it;
    # that would hide what is still in the log, so it is said only where the log is empty.
    log = Path(f"{path}-wal")
    return "?mode=ro" if log.exists() and log.stat().st_size else "?mode=ro&immutable=1"
