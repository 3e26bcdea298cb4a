"""What stands in the place of erased content: a few bytes that name its digest, and nothing else.

A tombstone takes the very place of the content, so that a store has one or the other at any moment, whatever is
interrupted or happens at the same time. It names the digest under which it stands: no content can be taken for one,
because none has a digest that it contains. Refuses to hold a time, a reason or a name: only what must stay is kept.
"""

from __future__ import annotations

from typing import Final

from probatum.proof.store_errors import erased

PREFIX: Final = "probatum/erased/v1 "
SIZE: Final = len(PREFIX) + len("sha256:") + 64 + 1


def tombstone_of(digest: str) -> bytes:
    """Return what stands under this digest after its content was erased."""
    return f"{PREFIX}{digest}\n".encode()


def require_not_erased(content: bytes, digest: str, place: object) -> bytes:
    """Return what a store has under this digest; raises IntegrityError where it is a tombstone."""
    if content == tombstone_of(digest):
        raise erased(digest, place)
    return content
