"""What became of the documentation of what a change touches, as plain values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

HOLDS: Final = "holds"
BROKEN: Final = "broken"
LAPSED: Final = "lapsed"
UNKNOWN: Final = "unknown"
MOST_DOCUMENTED: Final = 20
"""So many functions and classes at most are checked for one change, in the order in which they are told."""
Place = tuple[str, str]
"""A path, and the name of a function or class at the top of that file."""


@dataclass(frozen=True, slots=True)
class DocumentedUnit:
    """What became of the documentation of one function or class, or of one reading of it."""

    path: str
    line: int
    """In the head: of the clause that is broken, else of the definition; 1 where it is gone."""
    name: str
    standing: str
    """holds, broken, lapsed or unknown."""
    sentence: str
    """Holds: what was checked. Broken: the clause and its counterexample. Else the reason."""
    held_before: bool = False
    """Of what is broken: whether the clause was there on the base, and held; else it is new, or nobody could ask."""
