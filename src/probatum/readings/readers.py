"""Who can be asked for readings: a port, and the reader whose answers were recorded.

A reader sees the question that `read --ask` prints and nothing else. Whatever it answers is a proposal like any other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from probatum.core.canonical import JsonValue


class Reader(Protocol):
    """Reads documentation."""

    def read(self, question: Mapping[str, JsonValue]) -> Sequence[object]:
        """Return records as JSON, one for each function, or fewer; they may be anything."""


@dataclass(frozen=True, slots=True)
class Replay:
    """A reader whose answers were recorded: it gives those to the functions that it is asked about."""

    rows: tuple[object, ...]
    task: str = ""
    """The id of the rows that count; all where it is empty."""

    def read(self, question: Mapping[str, JsonValue]) -> Sequence[object]:
        """Return the recorded rows about the functions of the question."""
        functions = question["functions"]
        asked = (
            [each["function"] for each in functions if isinstance(each, dict)] if isinstance(functions, list) else []
        )
        rows = [row for row in self.rows if isinstance(row, dict) and row.get("function") in asked]
        return [row for row in rows if not self.task or row.get("id") == self.task]
