"""Stores: bytes kept under their digest, in a directory, in an SQLite file, or in memory.

`retain` returns only after the bytes are on the disk. Keeping the same bytes again is harmless and mends a damaged one;
erased ones are kept again. `fetch` verifies nothing and returns what is there: comparing with the digest is a numbered
step of the re-check, not a promise of a store. Several processes may write at the same time.

Refuses: a reference that is not a digest, content above 64 MiB, and a damaged or foreign SQLite file. A full,
read-only or busy disk is a named error, never a silent loss.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from probatum.core.digest import is_digest
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.ports import Store
from probatum.proof import tombstones
from probatum.proof.disk import holds, make_folders, sync_folders_of, write_atomically
from probatum.proof.sqlite_store import SqliteStore
from probatum.proof.store_errors import (
    MAX_CONTENT_BYTES,
    digests_of,
    from_os_error,
    is_erased,
    not_found,
    require_path,
    require_reference,
    require_size,
)
from probatum.proof.store_wrappers import ReadOnlyStore
from probatum.proof.tombstones import require_not_erased, tombstone_of

__all__ = ["DirectoryStore", "MemoryStore", "SqliteStore", "open_store"]

_SQLITE_SUFFIXES = (".sqlite", ".sqlite3", ".db")


class MemoryStore(Store):
    """Keeps bytes for the life of the process: for tests, and where nothing may be written."""

    def __init__(self, contents: Mapping[str, bytes] | None = None, place: str = "in memory") -> None:
        """Begin with these contents, by the digest that is claimed for them; errors call the store by ``place``."""
        self._contents = dict(contents or {})
        self._place = place
        self._lock = threading.Lock()

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Keep all of these and return their digests in order; raises IntegrityError when one has too many bytes."""
        digests = digests_of(contents)
        with self._lock:
            self._contents.update(zip(digests, map(bytes, contents), strict=True))
        return digests

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest; raises IntegrityError where there are none or they were erased."""
        try:
            content = self._contents[require_reference(digest)]
        except KeyError:
            raise not_found(digest, self._place) from None
        return require_not_erased(content, digest, self._place)

    def erase(self, *digests: str) -> None:
        """Take these contents away, all of them or none; raises IntegrityError where one was never kept here."""
        with self._lock:
            for digest in digests:
                if require_reference(digest) not in self._contents:
                    raise not_found(digest, self._place)
            self._contents.update({digest: tombstone_of(digest) for digest in digests})

    def digests(self) -> Iterator[str]:
        """Yield the digest of every content that is kept, in order."""
        with self._lock:
            kept = [digest for digest, content in self._contents.items() if content != tombstone_of(digest)]
        yield from sorted(kept)

    def close(self) -> None:
        """Nothing is open; the contents stay."""


class DirectoryStore(Store):
    """Keeps each content as a file named by its digest, ``sha256/ab/cd…``; folders 0700, files 0600."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Keep all of these durably, one after the other, and return their digests in order.

        Raises IntegrityError where one has too many bytes: none is kept then; NotAttemptedError for a disk that is
        full, read-only or failing: those before may be kept.
        """
        digests = digests_of(contents)
        files = [self._file_of(digest) for digest in digests]
        try:
            for target, content in zip(files, contents, strict=True):
                make_folders(target.parent)
                if not holds(target, content):
                    write_atomically(target, content)
            # Also where another writer was quicker: its rename is ours to make durable before we acknowledge.
            sync_folders_of(files)
        except OSError as error:
            raise from_os_error(error, self._path) from error
        return digests

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest, as they are.

        Raises IntegrityError where there are none, they were erased or are too many; NotAttemptedError for the disk.
        """
        path = self._file_of(require_reference(digest))
        try:
            # Whoever can write here could put a device or a pipe in the place of a file.
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                    raise IntegrityError("store.damaged", f"{path} is not a regular file.")
                content = file.read(MAX_CONTENT_BYTES + 1)
                require_size(len(content))
                return require_not_erased(content, digest, self._path)
        except (FileNotFoundError, NotADirectoryError):
            raise not_found(digest, self._path) from None
        except OSError as error:
            raise from_os_error(error, self._path) from error

    def erase(self, *digests: str) -> None:
        """Put tombstones in the place of these files, one after the other.

        That is made durable; what the disk keeps of the files is not overwritten. Raises IntegrityError where one was
        never kept here: nothing is erased then; NotAttemptedError for the disk: those before may be erased.
        """
        files = [self._file_of(require_reference(digest)) for digest in digests]
        try:
            for digest, file in zip(digests, files, strict=True):
                if not _is_there(file):
                    raise not_found(digest, self._path)
            for digest, file in zip(digests, files, strict=True):
                write_atomically(file, tombstone_of(digest))
            sync_folders_of(files)
        except OSError as error:
            raise from_os_error(error, self._path) from error

    def digests(self) -> Iterator[str]:
        """Yield the digest of every content that is kept, in order; raises NotAttemptedError where the disk fails."""
        for folder in self._listed(self._path / "sha256"):
            for name in self._listed(folder):
                digest = f"sha256:{folder.name}{name.name}"
                if is_digest(digest) and not self._is_erased(digest, name):
                    yield digest

    def close(self) -> None:
        """Nothing stays open between calls."""

    def _listed(self, folder: Path) -> list[Path]:
        try:
            return sorted(folder.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as error:
            raise from_os_error(error, self._path) from error

    def _is_erased(self, digest: str, file: Path) -> bool:
        try:
            # Most contents have another size than a tombstone, so that they need not be read.
            return file.lstat().st_size == tombstones.SIZE and is_erased(self, digest)
        except FileNotFoundError:
            return True
        except OSError as error:
            raise from_os_error(error, self._path) from error

    def _file_of(self, digest: str) -> Path:
        algorithm, name = digest.split(":")
        return self._path / algorithm / name[:2] / name[2:]


def open_store(path: Path, *, read_only: bool = False) -> Store:
    """Return the store that lives, or will live, at ``path``; nothing is created before the first `retain`.

    With ``read_only`` nothing is ever created or changed. An existing folder, or a path without suffix, is a directory
    store; ``.sqlite``, ``.sqlite3`` and ``.db`` are an SQLite store.

    Raises UsageError where neither fits.
    """
    store = _store_at(path)
    return ReadOnlyStore(store, str(path)) if read_only else store


def _store_at(path: Path) -> Store:
    require_path(path)
    if os.path.isdir(path):
        return DirectoryStore(path)
    if path.suffix in _SQLITE_SUFFIXES:
        return SqliteStore(path)
    if path.suffix or os.path.lexists(path):
        hint = f"Give a folder, or a file that ends in {', '.join(_SQLITE_SUFFIXES)}."
        raise UsageError("store.unknown_kind", f"{path} cannot be a store.", hint)
    return DirectoryStore(path)


def _is_there(file: Path) -> bool:
    """Return whether anything is at a path; a disk that cannot say so raises, because "never kept" would be a lie."""
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True
