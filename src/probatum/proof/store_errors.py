"""What can go wrong in a store, as named errors: one vocabulary for all of them.

A reference without content, and content that is damaged, are integrity errors. A disk that is full, read-only, busy
or failing is the environment's fault: the verification could not be attempted. Refuses to call either a success.
"""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final

from probatum.core.digest import is_digest
from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError

MAX_CONTENT_BYTES: Final = 64 * 1024 * 1024
NOT_FOUND: Final = "store.not_found"

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})
_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})


def require_reference(digest: str) -> str:
    """Return a well-formed digest; raises IntegrityError for anything else, so that it never becomes a path."""
    if not is_digest(digest):
        shown = str(digest)[:80]
        hint = "A reference is 'sha256:' and 64 lower-case hexadecimal digits."
        raise IntegrityError("store.not_a_digest", f"{shown!r} is not a reference.", hint)
    return digest


def require_size(size: int) -> None:
    """Raise IntegrityError when content is larger than a store keeps."""
    if size > MAX_CONTENT_BYTES:
        raise IntegrityError("store.too_large", f"The content has {size} bytes; a store keeps {MAX_CONTENT_BYTES}.")


def not_found(digest: str, place: object) -> IntegrityError:
    """Return the error for a reference that a store does not hold."""
    hint = "Check the reference, or name the store that holds it with --store."
    return IntegrityError(NOT_FOUND, f"{digest} is not in the store {place}.", hint)


def full(path: Path) -> ProbatumError:
    """Return the error for a disk without room."""
    return NotAttemptedError("store.full", f"There is no room left for the store {path}.", "Free space, then repeat.")


def read_only(path: Path) -> ProbatumError:
    """Return the error for a place that may not be written or read."""
    hint = "Give a place that you may write with --store."
    return NotAttemptedError("store.read_only", f"The store {path} may not be written or read.", hint)


def failing(path: Path, problem: str) -> ProbatumError:
    """Return the error for everything else that a disk does."""
    return NotAttemptedError("store.unavailable", f"The store {path} cannot be used: {problem}.")


def from_os_error(error: OSError, path: Path) -> ProbatumError:
    """Return the named error for what the operating system answered."""
    if error.errno in _FULL:
        return full(path)
    if error.errno in _READ_ONLY:
        return read_only(path)
    return failing(path, error.strerror or type(error).__name__)
