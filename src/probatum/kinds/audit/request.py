"""A question about one bundle of evidence, as a plain frozen value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MAX_PROMPT_BYTES: Final = 4 * 1024 * 1024
MAX_BUNDLE_BYTES: Final = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """One bundle to audit."""

    content: bytes
    """The bundle, byte for byte."""
    name: str
    prompt: bytes
    """The question with its rules, as JSON."""
    repeated_with: tuple[str, ...] = ()
    """The words of the command that repeats the run; none where there was no command."""

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: its name."""
        return self.name
