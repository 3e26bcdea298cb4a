"""Stores around stores: one that can only be read, and several that answer as one.

Several stores acknowledge only what every one of them has, and never bring back from one what was erased in another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack

from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.ports import Store
from probatum.proof.sqlite_store import SqliteStore
from probatum.proof.store_errors import (
    ERASED,
    NOT_FOUND,
    is_erased,
    is_known,
    not_found,
    require_reference,
    writes_refused,
)


class ReadOnlyStore(Store):
    """Fetches from another store and changes nothing, not even for locking: what writes raises NotAttemptedError."""

    def __init__(self, store: Store, place: str = "") -> None:
        """Read from this store; ``place`` is what errors call it."""
        self._store = _untouched(store)
        self._place = place or "at hand"

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Refuse."""
        raise writes_refused(self._place)

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest; raises as the other store does."""
        return self._store.fetch(digest)

    def erase(self, *digests: str) -> None:
        """Refuse."""
        raise writes_refused(self._place)

    def digests(self) -> Iterator[str]:
        """Yield the digest of every content that is kept, in order."""
        return self._store.digests()

    def close(self) -> None:
        """Close the other store."""
        self._store.close()


class MultiplexStore(Store):
    """Several stores as one, which hold the same: copies on other disks, or a shared store beside one's own.

    What was erased in any of them is erased. So all of them must answer: one that cannot be reached may be the one
    that knows of the erasure, and its error is raised.
    """

    def __init__(self, stores: Sequence[Store]) -> None:
        """Keep in all of these and ask them in this order; raises UsageError where there is none."""
        if not stores:
            raise UsageError("store.none", "Several stores as one need at least one.")
        self.stores = tuple(stores)

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        """Keep all of these in every store and return their digests in order.

        Raises what the first failing store raises; then some stores may have some of them, and none was acknowledged.
        """
        digests = [digest_of(content) for content in contents]
        for store in self.stores:
            if store.retain_all(contents) != digests:
                raise IntegrityError("store.wrong_digest", "A store kept content under another digest than its own.")
        return digests

    def fetch(self, digest: str) -> bytes:
        """Return the first copy that has this digest, else the first that is there, as it is.

        Raises IntegrityError where no store has one, or one of them erased it; NotAttemptedError where one is silent.
        """
        require_reference(digest)
        found: bytes | None = None
        problems: list[IntegrityError] = []
        for store in self.stores:
            try:
                content = store.fetch(digest)
            except IntegrityError as error:
                if error.code == ERASED:
                    raise
                problems.append(error)
                continue
            if found is None or digest_of(content) == digest:
                found = content
        if found is not None:
            return found
        raise next((error for error in problems if error.code != NOT_FOUND), problems[0])

    def erase(self, *digests: str) -> None:
        """Erase these contents in every store that has them; where one store fails, the others still erase.

        Raises IntegrityError where no store ever had one of them: nothing is erased then; and what a store raises.
        """
        for digest in digests:
            require_reference(digest)
            if not any(is_known(store, digest) for store in self.stores):
                raise not_found(digest, "of several")
        # A stack runs everything that is on it, also after one of them has raised.
        with ExitStack() as stack:
            for store in reversed(self.stores):
                stack.callback(_erase_held, store, digests)

    def digests(self) -> Iterator[str]:
        """Yield the digest of every content that any of them keeps and none erased, in order."""
        listed = [set(store.digests()) for store in self.stores]
        for digest in sorted(set().union(*listed)):
            if all(digest in each for each in listed) or not is_erased(self, digest):
                yield digest

    def close(self) -> None:
        """Close all of them, also where one raises."""
        with ExitStack() as stack:
            for store in reversed(self.stores):
                stack.callback(store.close)


def _untouched(store: Store) -> Store:
    """Return a way to read what this store keeps that leaves no trace, where plain reading would leave one."""
    if isinstance(store, SqliteStore):
        return SqliteStore(store.path, read_only=True)
    if isinstance(store, MultiplexStore):
        return MultiplexStore([_untouched(each) for each in store.stores])
    return store


def _erase_held(store: Store, digests: Sequence[str]) -> None:
    if held := [digest for digest in digests if is_known(store, digest)]:
        store.erase(*held)
