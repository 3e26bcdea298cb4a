"""Stub: replaced by the real one."""

from __future__ import annotations

from probatum.sandbox import Program


def means_of_forging(program: Program) -> tuple[str, ...]:
    """Return a sentence for each place where a program could forge what runs in its own process."""
    return ()
