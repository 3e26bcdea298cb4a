"""Recorded readings as JSON."""

from __future__ import annotations

from probatum.core.shape import Shape
from probatum.programs.readings.values import Reading, ReadingKind, ReadingRecord, Standing


def records_of(data: object, place: str = "readings") -> tuple[ReadingRecord, ...]:
    rows = data if isinstance(data, list) else [data]
    return tuple(_record(Shape(each, place)) for each in rows)


def _record(row: Shape) -> ReadingRecord:
    raw = row.raw_object()
    return ReadingRecord(
        row.text("function"),
        tuple(
            Reading(
                str(e["text"]),
                ReadingKind(e["kind"]),
                str(e["clause"]),
                str(e.get("exception") or ""),
                float(e["confidence"]),
                Standing.PROPOSED,
            )
            for e in raw["statements"]
        ),
        str(raw.get("reader") or "r"),
        str(raw.get("helpers") or ""),
        str(raw.get("reference") or ""),
        tuple(raw.get("inputs") or ()),
    )
