"""Digests: ``sha256:`` and 64 lower-case hexadecimal digits, of exact bytes.

Refuses any other spelling: a shorter, upper-case or made-up digest is not one.
"""

from __future__ import annotations

import hashlib
import re

_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")


def digest_of(content: bytes) -> str:
    """Return the digest of these bytes."""
    return "sha256:" + hashlib.sha256(content).hexdigest()


def is_digest(text: object) -> bool:
    """True for an exactly spelled digest given as a plain string."""
    # Not a subclass of str: its comparison could say anything later on.
    return type(text) is str and _DIGEST.match(text) is not None


def require_digest(text: object, what: str) -> str:
    """Return ``text`` if it is a digest; otherwise raises ValueError, whose message names ``what``."""
    if type(text) is str and is_digest(text):
        return text
    raise ValueError(f"{what} must be 'sha256:' and 64 lower-case hexadecimal digits, got {repr(text)[:80]}")
