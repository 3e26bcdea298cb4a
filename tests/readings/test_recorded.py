"""Recorded readings as JSON: what goes in comes out, and what is not one is refused with its place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from probatum.core.limits import MAX_READING_CHARACTERS, MAX_READING_INPUTS, MAX_READINGS
from probatum.readings.recorded import json_of, reading_records, record_of, rows_of
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from tests.programs.recorded import records

ROW: dict[str, object] = {
    "id": "task-1",
    "function": "f",
    "statements": [
        {"text": "It is one.", "kind": "result", "clause": "result == 1", "helper": None, "confidence": 0.9}
    ],
    "helpers": "",
    "reference": "",
    "inputs": ["(1,)"],
}


def _with(**changed: object) -> dict[str, object]:
    [statement] = ROW["statements"]  # type: ignore[misc]  # a list of one
    return {**ROW, "statements": [{**statement, **changed}]}


@given(records())
def test_what_goes_in_comes_out(record: ReadingRecord) -> None:
    written = json.dumps(json_of(record))
    assert record_of(json.loads(written)) == record


def test_a_recorded_row() -> None:
    reading = Reading("It is one.", ReadingKind.RESULT, "result == 1", confidence=0.9)
    assert reading_records(ROW) == (ReadingRecord("f", (reading,), inputs=("(1,)",)),)
    [record] = reading_records([_with(accepted={"by": "Ada", "on": "2026-01-31"})])
    assert (record.readings[0].standing, record.readings[0].by) == (Standing.ACCEPTED, "Ada")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (7, "readings: expected an object, got 7"),
        ({**ROW, "functon": "f"}, "readings: unknown key 'functon' (Did you mean 'function'?)"),
        ({"function": "f"}, "readings: the key 'statements' is missing"),
        ({**ROW, "inputs": [1]}, "readings.inputs[0]: expected text, got 1"),
        ({**ROW, "inputs": ["()"] * (MAX_READING_INPUTS + 1)}, "readings.inputs: expected a list of items"),
        ({**ROW, "statements": [{}] * (MAX_READINGS + 1)}, "readings.statements: expected a list of items"),
        (_with(kind="results"), "readings.statements[0].kind: expected one of result, raises"),
        (_with(confidence=2), "readings.statements[0].confidence: expected a number"),
        (_with(clause="x" * (MAX_READING_CHARACTERS + 1)), "readings.statements[0].clause: expected at most"),
        (_with(text="\udc80"), "readings.statements[0].text: it holds a lone surrogate"),
        (_with(accepted={"by": "Ada"}), "readings.statements[0].accepted: the key 'on' is missing"),
        (_with(accepted={"by": "", "on": "2026-01-31"}), "readings.statements[0].accepted.by: expected text"),
        (_with(accepted={"by": "Ada", "on": "31.1.2026"}), "readings.statements[0].accepted.on: expected a date"),
        (_with(accepted={"by": "Ada", "on": "2026-02-31"}), "readings.statements[0].accepted.on: expected a date"),
        (_with(accepted=True), "readings.statements[0].accepted: expected an object, got true"),
        (
            _with(accepted={"by": "A", "on": "2026-01-31"}, rejected={"by": "B", "on": "2026-01-31"}),
            "readings.statements[0]: a reading is accepted or rejected, not both",
        ),
        ([ROW] * (MAX_READINGS + 1), "readings: expected at most 1,000 records, got 1,001"),
    ],
)
def test_what_is_no_record_is_refused_with_its_place(row: object, said: str) -> None:
    with pytest.raises(ValueError) as told:
        reading_records(row)
    assert str(told.value).startswith(said)


@pytest.mark.parametrize(
    ("content", "rows"),
    [
        (b'{"a": 1}\n\n{"a": 2}\n', [{"a": 1}, {"a": 2}]),
        (b'[{"a": 1}, {"a": 2}]', [{"a": 1}, {"a": 2}]),
        (b'{\n "a": 1\n}', [{"a": 1}]),
        (b"", []),
    ],
)
def test_files_of_rows(content: bytes, rows: list[object]) -> None:
    assert rows_of(content) == rows


def test_a_line_that_is_not_json_is_named() -> None:
    with pytest.raises(ValueError, match="line 3 is not JSON"):
        rows_of(b'{"a": 1}\n\n{"a": }\n')
