"""A proposed reading that does not count: the value of a record. Refuses nothing; the trial decides."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class RefusedReading:
    """A proposed reading that would have counted and failed when it was tried."""

    id: str
    why: str
    """The code of the reason; the sentence is among what is unread."""
