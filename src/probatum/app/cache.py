"""A cache in one SQLite file: what was answered about the same content, by a key that names all it depends on.

Nothing rests on it: what cannot be read, written or locked is as if it was never kept, whatever the reason, and a
damaged file is begun anew. Several processes may use it at once. Refuses a file that others may write, since whoever
can write answers can make any, and what is no plain file.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
import time
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, Self

from probatum.core.limits import MEBIBYTE
from probatum.core.version import __version__

CACHE_FILE: Final = "answers.sqlite"
MOST_BYTES: Final = 256 * MEBIBYTE
_KEPT_SHARE: Final = 0.8
"""Of a cache that is full, what was used last stays."""
_PACKAGE: Final = Path(__file__).parents[1]
_WAIT_SECONDS: Final = 2.0
_DAY: Final = 86_400
_OTHERS_WRITE: Final = 0o022
_TABLE: Final = (
    "CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, content BLOB NOT NULL, day INTEGER NOT NULL)"
    " WITHOUT ROWID"
)


@cache
def build() -> bytes:
    """Return a digest of this installation of probatum: another version may answer otherwise."""
    digest = hashlib.sha256(__version__.encode())
    for folder, folders, names in os.walk(_PACKAGE):
        folders[:] = sorted(each for each in folders if each != "__pycache__")
        for name in sorted(names):
            with suppress(OSError):
                told = os.stat(os.path.join(folder, name))
                digest.update(f"{name} {told.st_size} {told.st_mtime_ns}".encode())
    return digest.digest()


def own_key(key: bytes) -> bytes:
    """Return a key that another installation of probatum does not have."""
    return hashlib.sha256(build() + key).digest()


class Cache:
    """Bytes by key; close it, so that what is too much is taken out."""

    def __init__(self, folder: Path, most_bytes: int = MOST_BYTES) -> None:
        """Use the file in this folder, which is made where it is missing."""
        self._path = folder / CACHE_FILE
        self._most = most_bytes
        self._used = set[bytes]()
        self._has_grown = False
        self._database: sqlite3.Connection | None = None
        try:
            self._database = self._opened()
        except sqlite3.DatabaseError as error:
            if not isinstance(error, sqlite3.OperationalError):
                self._begin_anew()
        except (OSError, ValueError):
            # A folder that cannot be made, or has no name that could be one's, keeps nothing.
            return

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    @property
    def is_open(self) -> bool:
        """Whether anything can be kept."""
        return self._database is not None

    def find(self, key: bytes) -> bytes | None:
        """Return what is kept under a key; None where nothing is, or it cannot be read."""
        if self._database is None:
            return None
        try:
            row = self._database.execute("SELECT content FROM answers WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        try:
            content = None if row is None else zlib.decompress(row[0])
        except (zlib.error, TypeError):
            # The next answer takes its place.
            return None
        if content is not None:
            self._used.add(key)
        return content

    def keep(self, contents: Mapping[bytes, bytes]) -> None:
        """Keep all of these, in one commit."""
        if self._database is None or not contents:
            return
        today = int(time.time()) // _DAY
        rows = [(key, zlib.compress(content, 1), today) for key, content in contents.items()]
        self._write("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
        self._has_grown = True

    def close(self) -> None:
        """Note what was used, take out what is too much, and release the file."""
        if self._database is None:
            return
        today = int(time.time()) // _DAY
        self._write("UPDATE answers SET day = ? WHERE key = ? AND day <> ?", [(today, e, today) for e in self._used])
        if self._has_grown:
            self._shrink()
        if self._database is not None:
            with suppress(sqlite3.Error):
                self._database.close()
            self._database = None

    def _opened(self) -> sqlite3.Connection:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # What a link leads to belongs to something else, and a pipe would be waited for.
        looked_at = [os.stat(self._path.parent)]
        with suppress(FileNotFoundError):
            looked_at.append(os.lstat(self._path))
            if not stat.S_ISREG(looked_at[-1].st_mode):
                raise PermissionError(f"{self._path} is no file")
        if any(each.st_uid != os.geteuid() or each.st_mode & _OTHERS_WRITE for each in looked_at):
            raise PermissionError(f"others may write {self._path}")
        database = sqlite3.connect(self._path, timeout=_WAIT_SECONDS, isolation_level=None)
        try:
            with suppress(OSError):
                os.chmod(self._path, 0o600)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")
            database.execute(_TABLE)
        except BaseException:
            database.close()
            raise
        return database

    def _write(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        assert self._database is not None, "asked for by whoever has an open one"
        try:
            self._database.execute("BEGIN IMMEDIATE")
            self._database.executemany(statement, rows)
            self._database.execute("COMMIT")
        except sqlite3.Error as error:
            self._give_up(error)

    def _shrink(self) -> None:
        if self._database is None:
            return
        try:
            size = self._database.execute("SELECT total(length(content)) FROM answers").fetchone()[0]
            if size <= self._most:
                return
            room, oldest = int(self._most * _KEPT_SHARE), list[tuple[bytes]]()
            for key, length in self._database.execute("SELECT key, length(content) FROM answers ORDER BY day DESC"):
                room -= length
                if room < 0:
                    oldest.append((key,))
        except sqlite3.Error as error:
            self._give_up(error)
            return
        self._write("DELETE FROM answers WHERE key = ?", oldest)

    def _give_up(self, error: Exception) -> None:
        """Keep nothing more in this run; a file that is no database any more is begun anew by the next one."""
        database, self._database = self._database, None
        if database is not None:
            with suppress(sqlite3.Error):
                database.close()
        if isinstance(error, sqlite3.DatabaseError) and not isinstance(error, sqlite3.OperationalError):
            self._remove()

    def _begin_anew(self) -> None:
        self._remove()
        with suppress(sqlite3.Error, OSError):
            self._database = self._opened()

    def _remove(self) -> None:
        for ending in ("", "-wal", "-shm"):
            with suppress(OSError):
                os.unlink(f"{self._path}{ending}")
