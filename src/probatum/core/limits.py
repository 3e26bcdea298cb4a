"""Budgets: how much time, memory, output and input one run may use.

Processor time decides where it can; wall-clock time is only the backstop that keeps a sleeping program from holding a
worker. Refuses non-positive numbers: an unlimited budget cannot be written.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What one sandboxed process may use in its whole life. Sizes are bytes, times are seconds."""

    cpu_seconds: int = 5
    wall_seconds: float = 30.0
    memory_bytes: int = 512 * MEBIBYTE
    reply_bytes: int = MEBIBYTE
    output_bytes: int = 64 * 1024
    depth: int = 100

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if not value > 0:
                raise ValueError(f"{field.name} must be positive, got {value!r}")


# The verdict on a larger Python source is undecided.
MAX_SOURCE_BYTES = MEBIBYTE
