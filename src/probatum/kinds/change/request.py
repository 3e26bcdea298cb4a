"""One change to judge, as a plain frozen value: both versions, by what it is judged, and what is claimed of it."""

from __future__ import annotations

from dataclasses import dataclass

from probatum.changes.project import ProjectSetup
from probatum.changes.record import ChangePolicy
from probatum.changes.versions.trees import ChangeTrees
from probatum.core.canonical import canonical_bytes

MEDIA_TYPE = "application/vnd.probatum.change+json"


@dataclass(frozen=True, slots=True)
class ChangeRequest:
    """One change."""

    trees: ChangeTrees
    policy: ChangePolicy
    project: ProjectSetup
    name: str
    content: bytes
    """What the verdict is about: the digests of both trees, in canonical form."""
    claims: str | None = None
    """A text that claims something of the change; None for the commit messages."""
    repeated_with: tuple[str, ...] = ()

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: its name."""
        return self.name


def subject_of(base: str, head: str) -> bytes:
    """Return the bytes that a verdict on a change is about."""
    return canonical_bytes({"format": "probatum/change/v1", "base": base, "head": head})
