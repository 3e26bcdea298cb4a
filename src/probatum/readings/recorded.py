"""Recorded readings as JSON: one object for what one reader wrote about one function, one object a line for many.

Requests, imports and proofs carry this form. Refuses, with the place: a member of another type, an unknown key, a text
or a list beyond its budget, what no UTF-8 file can hold, a verdict of a person without name and date. Whether code in
it is in the subset is not asked here.
"""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.json_text import read_json
from probatum.core.limits import (
    MAX_HELPER_CHARACTERS,
    MAX_READING_CHARACTERS,
    MAX_READING_INPUTS,
    MAX_READINGS,
    MAX_READINGS_BYTES,
)
from probatum.core.shape import Shape
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing

_RECORD: Final = ("function", "statements")
_RECORD_MAY: Final = ("id", "reader", "helpers", "reference", "inputs", "signature")
_READING: Final = ("text", "kind")
_READING_MAY: Final = ("clause", "helper", "confidence", "exception", "digest", "accepted", "rejected")
_JUDGED: Final = (Standing.ACCEPTED, Standing.REJECTED)
_SIGNED: Final = ("key", "signature")


def rows_of(content: bytes) -> list[object]:
    """Return the JSON values of a file: the items of one list, one object, or one value a line.

    Raises ValueError where a line is not JSON, naming it, or the file is beyond its budget.
    """
    if len(content) > MAX_READINGS_BYTES:
        raise ValueError(f"more than {MAX_READINGS_BYTES:,} bytes of readings")
    try:
        # One value, which may be written over many lines.
        whole = read_json(content)
        return whole if isinstance(whole, list) else [whole]
    except ValueError:
        lines = enumerate(content.split(b"\n"), start=1)
        return [_row_of(number, line) for number, line in lines if line.strip()]


def reading_records(data: object, place: str = "readings") -> tuple[ReadingRecord, ...]:
    """Return the records of a JSON object, or of a list of them; raises ValueError, see `record_of`."""
    if not isinstance(data, list):
        return (record_of(data, place),)
    if len(data) > MAX_READINGS:
        raise ValueError(f"{place}: expected at most {MAX_READINGS:,} records, got {len(data):,}")
    return tuple(record_of(each, f"{place}[{index}]") for index, each in enumerate(data))


def record_of(data: object, place: str = "") -> ReadingRecord:
    """Return one record; raises ValueError with the place of what has another shape or is beyond its budget."""
    row = Shape(data, place).exactly(*_RECORD, may=_RECORD_MAY)
    inputs = row.items("inputs", most=MAX_READING_INPUTS) if row.has("inputs") else ()
    return ReadingRecord(
        plain_text(row, "function", least=1),
        tuple(map(_reading_of, row.items("statements", most=MAX_READINGS))),
        plain_text(row, "reader"),
        plain_text(row, "helpers", MAX_HELPER_CHARACTERS),
        plain_text(row, "reference", MAX_HELPER_CHARACTERS),
        tuple(map(plain_text, inputs)),
        plain_text(row, "signature"),
    )


def json_of(record: ReadingRecord) -> dict[str, JsonValue]:
    """Return a record as JSON, from which `record_of` makes the same record again."""
    further = {"reader": record.reader, "signature": record.signature}
    return {
        "function": record.function,
        **{key: value for key, value in further.items() if value},
        "statements": [_json_of_reading(each) for each in record.readings],
        "helpers": record.helpers,
        "reference": record.reference,
        "inputs": list(record.inputs),
    }


def require_date(text: str) -> str:
    """Return an ISO date; raises ValueError for anything else."""
    with suppress(ValueError):
        if len(text) == len("2026-01-31"):
            return datetime.date.fromisoformat(text).isoformat()
    # The sentence of Python is another one in each version.
    raise ValueError(f"expected a date such as 2026-01-31, got {text[:20]!r}")


def _row_of(number: int, line: bytes) -> object:
    try:
        return read_json(line)
    except ValueError as error:
        raise ValueError(f"line {number} is not JSON: {error}") from error


def _reading_of(row: Shape) -> Reading:
    row.exactly(*_READING, may=_READING_MAY)
    return Reading(
        plain_text(row, "text", least=1),
        row.choice(ReadingKind, "kind"),
        plain_text(row, "clause"),
        plain_text(row, "exception"),
        float(row.number("confidence", 0, 1)) if row.has("confidence") else 0.0,
        *acceptance_of(row, may=_SIGNED),
        plain_text(row, "digest"),
        *_signature_of(row),
    )


def _json_of_reading(reading: Reading) -> JsonValue:
    row: dict[str, JsonValue] = {"text": reading.statement, "kind": reading.kind.value}
    if reading.exception:
        row["exception"] = reading.exception
    row |= {"clause": reading.clause, "confidence": reading.confidence}
    if reading.digest:
        row["digest"] = reading.digest
    signed = {"key": reading.key, "signature": reading.signature} if reading.signature else {}
    return row | acceptance_json(reading.standing, reading.by, reading.on, signed)


def _signature_of(row: Shape) -> tuple[str, str]:
    """Return the key and the signature of an acceptance, empty where it is not signed."""
    note = row.member(Standing.ACCEPTED.value) if row.has(Standing.ACCEPTED.value) else None
    if note is None or not any(map(note.has, _SIGNED)):
        return "", ""
    note.exactly("by", "on", *_SIGNED)
    key, signature = (plain_text(note, name, least=1) for name in _SIGNED)
    return key, signature


def acceptance_of(row: Shape, may: tuple[str, ...] = ()) -> tuple[Standing, str, str]:
    """Return the standing of a reading, with the name and the date of whoever accepted or rejected it.

    ``may`` are further members that an acceptance may have.
    """
    judged = [each for each in _JUDGED if row.has(each.value)]
    if len(judged) > 1:
        row.refuse("a reading is accepted or rejected, not both")
    for standing in judged:
        note = row.member(standing.value).exactly("by", "on", may=may if standing is Standing.ACCEPTED else ())
        return standing, plain_text(note, "by", least=1), note.through(_date, "on")
    return Standing.PROPOSED, "", ""


def acceptance_json(
    standing: Standing, by: str, on: str, signed: Mapping[str, str] = MappingProxyType({})
) -> dict[str, JsonValue]:
    """Return a standing as the member of a reading, empty for a proposal."""
    return {standing.value: {"by": by, "on": on, **signed}} if standing in _JUDGED else {}


def plain_text(row: Shape, step: str | None = None, most: int = MAX_READING_CHARACTERS, least: int = 0) -> str:
    """Return a text that a UTF-8 file can hold; of a member that may be missing, empty where it is."""
    if step is not None and not least and not row.has(step):
        return ""
    text = row.text(step, least)
    if len(text) > most:
        row.refuse(f"expected at most {most:,} characters, got {len(text):,}", step)
    if not text.isprintable() and any("\ud800" <= sign <= "\udfff" for sign in text):
        row.refuse("it holds a lone surrogate, which no file can hold", step)
    return text


def _date(value: JsonValue) -> str:
    if not isinstance(value, str):
        raise ValueError("expected a date such as 2026-01-31")
    return require_date(value)
