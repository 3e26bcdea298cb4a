"""What a drawing shows: the parts of a diagram, and moments in the order of their time, each with its place on a scale.

Bounded: what fails comes first, then what is undecided, and a sentence says what is left out. Refuses to guess: only
ISO 8601 is read as a time, one without a zone is taken for UTC, and what is not a time comes last, as it is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, TypeVar

from probatum.core.messages import counted
from probatum.core.outside import clipped, visible
from probatum.core.sheet import Diagram, Edge, Mark, Moment, Vertex

# Vertices of one diagram and moments of one timeline; a diagram has twice as many edges.
MOST: Final = 200
_RANK: Final = {Mark.FAILS: 0, Mark.UNDECIDED: 1}
# Pythons differ in what else they read.
_ISO: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{3}(?:\d{3})?)?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)
_END: Final = datetime.max.replace(tzinfo=UTC)

_Marked = TypeVar("_Marked", Moment, Vertex, Edge)


@dataclass(frozen=True, slots=True)
class TimedMoment:
    """One moment; ``place`` counts percent from the first known time to the last; None where it is not known."""

    moment: Moment
    time: str
    place: int | None = None


def timed(moments: Sequence[Moment]) -> tuple[list[TimedMoment], str]:
    """Return the moments that a report shows, and a sentence about those left out, empty where there are none."""
    kept = sorted(_foremost(moments, MOST), key=lambda each: _read(each.time) or _END)
    known = [time for each in kept if (time := _read(each.time))]
    rows = []
    for moment in kept:
        if (time := _read(moment.time)) is None:
            rows.append(TimedMoment(moment, visible(clipped(moment.time)) or "not known"))
            continue
        told = time.isoformat(sep=" ").removesuffix("+00:00").removesuffix(":00")
        told = f"{told} UTC" if len(moment.time) > len("2026-01-31") else told[:10]
        span = known[-1] - known[0]
        rows.append(TimedMoment(moment, told, int((time - known[0]) / span * 100) if span else 50))
    return rows, _left_out((len(kept), len(moments), "moment"))


def bounded(diagram: Diagram, most: int = MOST) -> tuple[Diagram, str]:
    """Return what can be drawn of it, and a sentence about what is left out, empty where nothing is.

    An id that comes twice names its first vertex; an edge needs both its ends.
    """
    once: dict[str, Vertex] = {}
    for vertex in diagram.vertices:
        once.setdefault(vertex.id, vertex)
    vertices = _foremost(list(once.values()), most)
    ids = {vertex.id for vertex in vertices}
    edges = _foremost([each for each in diagram.edges if {each.source, each.target} <= ids], 2 * most)
    sentence = _left_out((len(vertices), len(diagram.vertices), "node"), (len(edges), len(diagram.edges), "edge"))
    return replace(diagram, vertices=vertices, edges=edges), sentence


def _foremost(items: Sequence[_Marked], most: int) -> tuple[_Marked, ...]:
    """Return at most so many, in their order."""
    ranked = sorted(range(len(items)), key=lambda number: _RANK.get(items[number].mark, 2))
    return tuple(items[number] for number in sorted(ranked[:most]))


def _left_out(*counts: tuple[int, int, str]) -> str:
    """Return the sentence for how many are shown, of how many, of what."""
    told = [f"{whole - shown:,} of {counted(whole, noun)}" for shown, whole, noun in counts if shown < whole]
    return f"Left out: {' and '.join(told)}." if told else ""


def _read(text: str) -> datetime | None:
    if not _ISO.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
