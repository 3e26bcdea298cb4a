"""A store that holds contents back and keeps them in groups: for many small proofs, each of which would cost a commit.

Whoever uses it gives no verdict before `flush` has returned. What lists or erases contents flushes first, so that
nothing counts as kept which is only held. Threads may share it: a verifier that was given up may still be writing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

from probatum.core.errors import IntegrityError
from probatum.core.ports import Store
from probatum.proof.store_errors import digests_of, require_reference


class GroupStore(Store):
    """Holds what is retained back until `flush`, which keeps all of it at once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, bytes] = {}
        self._size = 0
        self._lock = Lock()

    @property
    def size(self) -> int:
        """How many bytes are held back."""
        return self._size

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Hold all of these back and return their digests; raises IntegrityError when one has too many bytes."""
        digests = digests_of(contents)
        with self._lock:
            for digest, content in zip(digests, contents, strict=True):
                if digest not in self._held:
                    self._held[digest] = content
                    self._size += len(content)
        return digests

    def fetch(self, digest: str) -> bytes:
        """Return the bytes under this digest, held back or kept; raises as the store does."""
        held = self._held.get(require_reference(digest))
        return self._store.fetch(digest) if held is None else held

    def flush(self) -> None:
        """Keep durably what was held back; raises as the store does, or where it gives a wrong digest."""
        with self._lock:
            if self._held and self._store.retain_all(list(self._held.values())) != list(self._held):
                raise IntegrityError(
                    "store.wrong_digest", "The store kept something under another digest than its own."
                )
            self._held, self._size = {}, 0

    def erase(self, *digests: str) -> None:
        """Keep what was held back, then take these contents away; raises as the store does."""
        self.flush()
        self._store.erase(*digests)

    def digests(self) -> Iterator[str]:
        """Keep what was held back, then yield the digest of every content."""
        self.flush()
        yield from self._store.digests()

    def close(self) -> None:
        """Forget what was not flushed, and close the store."""
        self._held, self._size = {}, 0
        self._store.close()
