"""Reads what a reader sees of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VisibleText:
    """The visible text of a page, and the place of each character in its source."""

    text: str

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the source that hold the characters from start to end."""
        raise NotImplementedError


def visible_text(html: str) -> VisibleText:
    """Return what a reader sees of a page."""
    raise NotImplementedError
