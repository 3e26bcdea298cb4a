"""A reader whose answers were recorded. Whatever it answers is a proposal like any other."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Replay:
    """A reader whose answers were recorded: it gives those to the functions that it is asked about."""

    rows: tuple[object, ...]
    task: str = ""
    """The id of the rows that count; all where it is empty."""

    def read(self, functions: Collection[str]) -> list[object]:
        """Return the recorded rows about these functions; they may be anything."""
        rows = [row for row in self.rows if isinstance(row, dict) and row.get("function") in functions]
        return [row for row in rows if not self.task or row.get("id") == self.task]
