"""A finding: one observation about a subject, with its place and its evidence.

The one internal type behind every list of issues, errors or warnings that an interface shows.
Refuses a finding without a message or without a real severity.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.shape import RARE, json_of


class Severity(StrEnum):
    """How much a finding weighs: only an error can refute."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in the subject; lines count from 1, columns from 0."""

    line: int
    column: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One observation: its kind, what was seen, where, and what would fix it."""

    severity: Severity
    kind: str
    message: str
    location: Location | None = field(default=None, metadata=RARE)
    suggestion: str = field(default="", metadata=RARE)
    evidence: FrozenDict = field(default_factory=FrozenDict, metadata=RARE)

    def __post_init__(self) -> None:
        if type(self.severity) is not Severity:
            # A text that only reads like one would be an error that counts for nothing.
            raise ValueError(f"severity must be a Severity, got {repr(self.severity)[:80]}")
        if not (isinstance(self.message, str) and isinstance(self.kind, str) and isinstance(self.suggestion, str)):
            raise ValueError("kind, message and suggestion of a finding must be text")
        if self.location is not None and type(self.location) is not Location:
            raise ValueError("the place of a finding must be a Location")
        if not self.message.strip():
            raise ValueError("a finding needs a message")
        object.__setattr__(self, "evidence", frozen_dict(self.evidence))

    def to_dict(self) -> dict[str, object]:
        """Return the finding as plain data."""
        return {**json_of(self)}
