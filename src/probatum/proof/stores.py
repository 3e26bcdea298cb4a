"""Stores: bytes kept under their digest, in a directory, in an SQLite file, or in memory.

`retain` returns only after the bytes are on the disk; what was acknowledged survives a crash. Keeping the same bytes
again is harmless and mends a damaged copy. `fetch` verifies nothing and returns what is there: comparing with the
digest is a numbered step of the re-check, not a promise of a store. Several processes may write at the same time.

Refuses: a reference that is not a digest, content above 64 MiB, and an SQLite file that is damaged or somebody
else's. A full, read-only or busy disk is a named error, never a silent loss.
"""

from __future__ import annotations

import os
import threading
from pathlib import Path

from probatum.core.digest import digest_of
from probatum.core.errors import UsageError
from probatum.core.ports import Store
from probatum.proof.disk import holds, make_folders, sync_folder, write_atomically
from probatum.proof.sqlite_store import SqliteStore
from probatum.proof.store_errors import from_os_error, not_found, require_reference, require_size

__all__ = ["DirectoryStore", "MemoryStore", "SqliteStore", "open_store"]

_SQLITE_SUFFIXES = (".sqlite", ".sqlite3", ".db")


class MemoryStore:
    """Keeps bytes for the life of the process: for tests, and where nothing shall be written."""

    def __init__(self) -> None:
        self._contents: dict[str, bytes] = {}
        self._lock = threading.Lock()

    def retain(self, content: bytes) -> str:
        """Keep these bytes and return their digest; raises IntegrityError when they are too many."""
        require_size(len(content))
        digest = digest_of(content)
        with self._lock:
            self._contents[digest] = bytes(content)
        return digest

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest; raises IntegrityError where there are none."""
        try:
            return self._contents[require_reference(digest)]
        except KeyError:
            raise not_found(digest, "in memory") from None

    def close(self) -> None:
        """Nothing is open; the contents stay."""


class DirectoryStore:
    """Keeps each content as a file named by its digest, ``sha256/ab/cd…``; folders 0700, files 0600."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def retain(self, content: bytes) -> str:
        """Keep these bytes durably and return their digest.

        Raises:
            IntegrityError: they are too many.
            NotAttemptedError: the disk is full, read-only or failing.
        """
        require_size(len(content))
        digest = digest_of(content)
        target = self._file_of(digest)
        try:
            make_folders(target.parent)
            if not holds(target, content):
                write_atomically(target, content)
            # Also where another writer was quicker: its rename is ours to make durable before we acknowledge.
            sync_folder(target.parent)
        except OSError as error:
            raise from_os_error(error, self._path) from error
        return digest

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest, as they are.

        Raises:
            IntegrityError: there are none, or more than a store keeps.
            NotAttemptedError: the disk is failing or may not be read.
        """
        path = self._file_of(require_reference(digest))
        try:
            with path.open("rb") as file:
                require_size(os.fstat(file.fileno()).st_size)
                return file.read()
        except (FileNotFoundError, NotADirectoryError):
            raise not_found(digest, self._path) from None
        except OSError as error:
            raise from_os_error(error, self._path) from error

    def close(self) -> None:
        """Nothing stays open between calls."""

    def _file_of(self, digest: str) -> Path:
        algorithm, name = digest.split(":")
        return self._path / algorithm / name[:2] / name[2:]


def open_store(path: Path) -> Store:
    """Return the store that lives, or will live, at ``path``; nothing is created before the first `retain`.

    An existing folder, or a path without suffix, is a directory store; ``.sqlite``, ``.sqlite3`` and ``.db`` are an
    SQLite store.

    Raises:
        UsageError: neither fits.
    """
    if path.is_dir():
        return DirectoryStore(path)
    if path.suffix in _SQLITE_SUFFIXES:
        return SqliteStore(path)
    if path.suffix or path.exists():
        hint = f"Give a folder, or a file that ends in {', '.join(_SQLITE_SUFFIXES)}."
        raise UsageError("store.unknown_kind", f"{path} cannot be a store.", hint)
    return DirectoryStore(path)
