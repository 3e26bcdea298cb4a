"""What is known about every legal input of a function, and by what.

Refuses nothing: whether it decides is asked in `programs.proved`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EstablishedBy(StrEnum):
    """By what something is known about every legal input."""

    ENUMERATION = "enumeration"
    """All of them were run."""
    CROSSHAIR = "crosshair"
    """CrossHair confirmed every path of a program of whole numbers and truth values."""


@dataclass(frozen=True, slots=True)
class Established:
    """That clauses hold on every legal input, and that no other exception comes than one that is due."""

    by: EstablishedBy
    clauses: tuple[str, ...]
    """Ids of properties and readings; none where examples show all inputs."""
    inputs: int = 0
    """How many there are, where all of them were run."""
