"""What can go wrong in a store or a ledger, as named errors, and the checks that all stores share.

A reference without content, and content that is damaged, are integrity errors. A disk that is full, read-only, busy
or failing is the environment's fault: the verification could not be attempted.
"""

from __future__ import annotations

import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from probatum.core.digest import digest_of, is_digest
from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.ports import Store

MAX_CONTENT_BYTES: Final = 64 * 1024 * 1024
NOT_FOUND: Final = "store.not_found"
ERASED: Final = "store.erased"

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


class UnsoundStoreError(IntegrityError):
    """A store as a whole is damaged, or another program's file: nothing can be looked up or kept in it."""

    exit_code = NotAttemptedError.exit_code


def require_reference(digest: str) -> str:
    """Return a well-formed digest; raises IntegrityError for anything else, so that it never becomes a path."""
    if not is_digest(digest):
        shown = str(digest)[:80]
        hint = "A reference is 'sha256:' and 64 lower-case hexadecimal digits."
        raise IntegrityError("store.not_a_digest", f"{shown!r} is not a reference.", hint)
    return digest


def require_path(path: Path, noun: str = "store") -> Path:
    """Return a path that can be one; raises UsageError for any other."""
    if "\0" in str(path):
        raise UsageError(f"{noun}.unknown_kind", f"{str(path)!r} cannot be a {noun}: a path holds no null character.")
    return path


def require_size(size: int) -> None:
    """Raise IntegrityError when content is larger than a store keeps."""
    if size > MAX_CONTENT_BYTES:
        raise IntegrityError("store.too_large", f"The content has {size} bytes; a store keeps {MAX_CONTENT_BYTES}.")


def digests_of(contents: Sequence[bytes]) -> list[str]:
    """Return the digest of each content; raises IntegrityError, before any work, where one is too large."""
    for content in contents:
        require_size(len(content))
    return [digest_of(content) for content in contents]


def fetched_if_kept(store: Store, digest: str) -> bytes | None:
    """Return what a store has under a digest, None where it never had anything; raises where it was erased."""
    try:
        return store.fetch(digest)
    except IntegrityError as error:
        if error.code == NOT_FOUND:
            return None
        raise


def is_known(store: Store, digest: str) -> bool:
    """True where a store has this content, damaged or not, or had it and it was erased."""
    try:
        store.fetch(digest)
    except IntegrityError as error:
        return error.code != NOT_FOUND
    return True


def is_erased(store: Store, digest: str) -> bool:
    """True where a store had this content and it was erased."""
    try:
        store.fetch(digest)
    except IntegrityError as error:
        return error.code == ERASED
    return False


def fetched_sound(store: Store, digest: str) -> bytes:
    """Return what a store has under a digest; raises IntegrityError where these bytes have another one."""
    content = store.fetch(digest)
    if digest_of(content) != digest:
        raise IntegrityError("proof.altered", f"The bytes kept under {digest} have another digest.")
    return content


def not_found(digest: str, place: object) -> IntegrityError:
    """Return the error for a reference that a store does not hold."""
    hint = "Check the reference, or name the store that holds it with --store."
    return IntegrityError(NOT_FOUND, f"{digest} is not in the store {place}.", hint)


def writes_refused(place: object) -> NotAttemptedError:
    """Return the error for a change that is asked of a store which is open for reading alone."""
    return NotAttemptedError("store.read_only", f"The store {place} is open for reading alone.")


def full(path: Path, noun: str = "store") -> ProbatumError:
    """Return the error for a full disk."""
    return NotAttemptedError(
        f"{noun}.full", f"There is no room left for the {noun} {path}.", "Free space, then repeat."
    )


def read_only(path: Path, noun: str = "store") -> ProbatumError:
    """Return the error for a place that may not be written or read."""
    hint = f"Give a place that you may write with --{noun}."
    return NotAttemptedError(f"{noun}.read_only", f"The {noun} {path} may not be written or read.", hint)


def failing(path: Path, problem: str, noun: str = "store") -> ProbatumError:
    """Return the error for everything else that a disk does."""
    hint = f"Mend that, or give another place with --{noun}."
    return NotAttemptedError(f"{noun}.unavailable", f"The {noun} {path} cannot be used: {problem}.", hint)


def from_os_error(error: OSError, path: Path, noun: str = "store") -> ProbatumError:
    """Return the named error for what the operating system answered."""
    if error.errno in _FULL:
        return full(path, noun)
    if error.errno in _READ_ONLY:
        return read_only(path, noun)
    return failing(path, error.strerror or type(error).__name__, noun)
