"""Examines what this machine can do for a verification: interpreter, sandbox tiers, store, optional parts.

Refuses to call the machine ready unless a tier that isolates works; nothing is installed or changed, and the probe of
the store leaves nothing behind.
"""

from __future__ import annotations

import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from probatum.core.version import __version__, version_of
from probatum.sandbox import describe_tiers

_PARTS = {
    "hypothesis": "generated inputs",
    "libcst": "mutants",
    "pytest": "running a given test file (--tests); without it its test functions are called directly",
}


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that works or does not, and what would mend it."""

    name: str
    works: bool
    state: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class DoctorReport:
    """The whole examination."""

    version: str
    python: str
    platform: str
    tiers: tuple[Part, ...]
    store: Part
    parts: tuple[Part, ...]

    @property
    def is_ready(self) -> bool:
        """True when at least one tier that isolates works."""
        return any(tier.works for tier in self.tiers)

    def to_dict(self) -> dict[str, object]:
        """Return the examination as JSON."""
        return {"ready": self.is_ready, **asdict(self)}


def examine(store: Path) -> DoctorReport:
    """Examine this machine, and the place where proofs are kept."""
    implementation = platform.python_implementation()
    return DoctorReport(
        version=__version__,
        python=f"{implementation} {platform.python_version()} ({sys.executable})",
        platform=platform.platform(),
        tiers=tuple(
            Part(each.tier.value, each.available, "works" if each.available else each.reason, each.hint)
            for each in describe_tiers()
        ),
        store=_store(store),
        parts=tuple(_part(name, purpose) for name, purpose in _PARTS.items()),
    )


def _store(path: Path) -> Part:
    """Say whether proofs could be kept at a path, by looking at the nearest folder that exists."""
    existing = path
    while not existing.exists() and existing != existing.parent:
        existing = existing.parent
    writable = os.access(existing, os.W_OK) and (existing.is_dir() or existing == path)
    if writable:
        return Part(str(path), True, "writable" if path.exists() else "will be made when the first proof is kept")
    hint = "Name another place with --store DIR or PROBATUM_STORE."
    return Part(str(path), False, f"{existing} cannot be written", hint)


def _part(name: str, purpose: str) -> Part:
    version = version_of(name)
    if version:
        return Part(name, True, f"{version}, for {purpose}")
    return Part(name, False, f"not installed, for {purpose}", f"pip install {name}")
