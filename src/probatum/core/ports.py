"""What a lower package needs from elsewhere: small protocols, wired by `probatum.app`.

Refuses nothing itself. An implementation that fails raises; it never answers with an empty success.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from probatum.core.decision import Decision


class Store(Protocol):
    """Keeps bytes under their digest."""

    def retain(self, content: bytes) -> str:
        """Keep these bytes durably and return their digest."""

    def fetch(self, digest: str) -> bytes:
        """Return the bytes kept under this digest, as they are; raises IntegrityError where there are none."""

    def close(self) -> None:
        """Release what is open; the next use opens it again."""


class Clock(Protocol):
    """Tells the time; only the outermost layers hold one."""

    def monotonic(self) -> float:
        """Return seconds since an arbitrary start."""


class Rechecker(Protocol):
    """Derives a decision again from the observations that an artifact of one kind records.

    ``artifact`` is the whole document as JSON. ``parts`` holds the bytes that it refers to, by digest, each of them
    compared with its digest before; the subject is among them where the store keeps it.
    """

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        """Return the decision that these observations and this policy give; raises ValueError where they give none."""

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        """Return the one sentence that this decision establishes about this subject."""

    def versions(self) -> Mapping[str, str]:
        """Return the version, by id, of every verifier that would run here today."""

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        """Run the recorded inputs again and return one sentence for each observation that differs."""
