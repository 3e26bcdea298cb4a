"""One SQLite file that keeps bytes under their digest; several processes may write it at the same time.

`retain` acknowledges nothing that a power cut could take back. When `erase` returns, the content is neither in the file
nor in its log. Refuses a file that is damaged, or that some other program made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from probatum.core.digest import is_digest
from probatum.core.errors import IntegrityError
from probatum.core.ports import Store
from probatum.proof import tombstones
from probatum.proof.sqlite_file import FileKind, SqliteFile
from probatum.proof.store_errors import (
    UnsoundStoreError,
    digests_of,
    not_found,
    require_reference,
    require_size,
    writes_refused,
)
from probatum.proof.tombstones import require_not_erased, tombstone_of

STORE: Final = FileKind(
    "store",
    0x50524F42,
    ("CREATE TABLE contents (digest TEXT PRIMARY KEY NOT NULL, content BLOB NOT NULL)",),
    unsound=UnsoundStoreError,
)
_KEEP: Final = (
    "INSERT INTO contents (digest, content) VALUES (?, ?)"
    " ON CONFLICT (digest) DO UPDATE SET content = excluded.content WHERE content IS NOT excluded.content"
)
_HELD: Final = "SELECT content IS ? FROM contents WHERE digest = ?"
_KEPT: Final = (
    "SELECT digest FROM contents WHERE digest > ?"
    " AND (length(content) != ? OR content IS NOT CAST(? || digest || char(10) AS BLOB)) ORDER BY digest LIMIT 1000"
)


class SqliteStore(Store):
    """Keeps each content as one row. The file is opened at the first use and made at the first `retain`."""

    def __init__(self, path: Path, *, read_only: bool = False) -> None:
        """Keep what to open; with ``read_only`` the file and its folder are never touched."""
        self._file = SqliteFile(path, STORE, read_only=read_only)
        self._read_only = read_only

    @property
    def path(self) -> Path:
        """Where the file is, or will be."""
        return self._file.path

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Keep all of these durably, or none of them, as one commit; return their digests in order.

        Raises IntegrityError where one has too many bytes, and what `SqliteFile.connection` raises.
        """
        self._require_writable()
        digests = digests_of(contents)
        if digests:
            with self._file.transaction() as connection:
                connection.executemany(_KEEP, zip(digests, contents, strict=True))
                # A damaged index would hide what was just written.
                for digest, content in zip(digests, contents, strict=True):
                    if connection.execute(_HELD, (content, digest)).fetchone() != (1,):
                        sentence = f"The store {self.path} does not give back what it was given to keep."
                        raise IntegrityError("store.damaged", sentence, "Move the file away.")
        return digests

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest, as they are.

        Raises IntegrityError where there are none or they were erased, and what `SqliteFile.connection` raises.
        """
        require_reference(digest)
        if not self._file.is_there:
            raise not_found(digest, self.path)
        with self._file.connection() as connection:
            row = connection.execute("SELECT content FROM contents WHERE digest = ?", (digest,)).fetchone()
        if row is None:
            raise not_found(digest, self.path)
        if not isinstance(row[0], bytes):
            sentence = f"The store {self.path} holds something else than bytes for {digest}."
            raise IntegrityError("store.damaged", sentence)
        require_size(len(row[0]))
        return require_not_erased(row[0], digest, self.path)

    def erase(self, *digests: str) -> None:
        """Take these contents out of the file and its log, all of them or none, and leave their digests.

        The whole file is written again, which takes as much room. Where that fails, remains of the contents may be in
        the file: repeat it. Raises IntegrityError where one was never kept here, and as `SqliteFile.connection`.
        """
        self._require_writable()
        for digest in digests:
            require_reference(digest)
            if not self._file.is_there:
                raise not_found(digest, self.path)
        if not digests:
            return
        with self._file.transaction(create=False) as connection:
            for digest in digests:
                change = ("UPDATE contents SET content = ? WHERE digest = ?", (tombstone_of(digest), digest))
                if connection.execute(*change).rowcount == 0:
                    raise not_found(digest, self.path)
        self._file.scrub()

    def digests(self) -> Iterator[str]:
        """Yield the digest of every content that is kept, in order; raises as `fetch` does."""
        latest: object = ""
        while self._file.is_there:
            with self._file.connection() as connection:
                rows = connection.execute(_KEPT, (latest, tombstones.SIZE, tombstones.PREFIX)).fetchall()
            if not rows:
                return
            latest = rows[-1][0]
            yield from (digest for (digest,) in rows if is_digest(digest))

    def close(self) -> None:
        """Close the file; the next use opens it again."""
        self._file.close()

    def _require_writable(self) -> None:
        if self._read_only:
            raise writes_refused(self.path)
