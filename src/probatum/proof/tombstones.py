"""What stands in the place of erased content: a few bytes that name its digest; no time, no reason, no name.

A tombstone takes the very place of the content, so that a store has one or the other at any moment, whatever is
interrupted or happens at the same time. No content can be taken for one, because none contains its own digest.
"""

from __future__ import annotations

from typing import Final

from probatum.core.errors import IntegrityError
from probatum.proof.store_errors import ERASED

PREFIX: Final = "probatum/erased/v1 "
SIZE: Final = len(PREFIX) + len("sha256:") + 64 + 1


def tombstone_of(digest: str) -> bytes:
    """Return what stands under this digest after its content was erased."""
    return f"{PREFIX}{digest}\n".encode()


def require_not_erased(content: bytes, digest: str, place: object) -> bytes:
    """Return what a store has under this digest; raises IntegrityError where it is a tombstone."""
    if content == tombstone_of(digest):
        sentence = f"The content of {digest} was erased from the store {place}: its digest is all that is left."
        raise IntegrityError(ERASED, sentence)
    return content
