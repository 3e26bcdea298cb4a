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


class Clock(Protocol):
    """Tells the time; only the outermost layers hold one."""

    def monotonic(self) -> float:
        """Return seconds since an arbitrary start."""


class Rechecker(Protocol):
    """Derives a decision again from the observations that an artifact of one kind records."""

    def decision_of(self, artifact: Mapping[str, object]) -> Decision:
        """Return the decision that these observations and this policy give; raises ValueError where they give none."""

    def replay(self, artifact: Mapping[str, object]) -> tuple[str, ...]:
        """Run the recorded inputs again and return one sentence for each observation that differs."""
