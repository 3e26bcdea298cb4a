"""Claim readings: a passage of an output, and what it rests on: a citation, a value at a path, or a formal claim.

    {"reader": NAME, "claims": [CLAIM, …]}, where CLAIM has a "passage" and
        "source", "quote"                   words of a source that say it
        "source", "path", "value"           a value of JSON ("sales[0].units", or a list of steps) or of a table
                                            ({"row": "North", "column": "units"})
        "engine", "statement"               an exact claim; "source" and "quote" may say where further values are from
        "narrative": true                   nothing: the passage states nothing

and "accepted" or "rejected" with "by" and "on". Refuses, with the place and the nearest match, an unknown key and a
claim that is not exactly one of these.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.limits import MAX_READING_CHARACTERS, MAX_READINGS
from probatum.core.shape import Shape, shown
from probatum.readings.recorded import acceptance_json, acceptance_of, plain_text
from probatum.readings.values import Standing

_KEYS: Final = ("source", "quote", "path", "value", "engine", "statement", "narrative", "accepted", "rejected")
_TEXTS: Final = ("source", "quote", "engine", "statement")
_FORMS: Final = (
    {"source", "quote"},
    {"source", "path", "value"},
    {"engine", "statement"},
    {"engine", "statement", "source", "quote"},
    {"narrative"},
)
_STEP: Final = re.compile(
    r"(?:\.|^)(?P<name>[^\s.\[\]'\"]+)|\[(?P<index>\d{1,9})\]|\[(?P<mark>['\"])(?P<quoted>.*?)(?P=mark)\]"
)

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class TablePath:
    """One cell of a table."""

    row: tuple[tuple[str, str], ...]
    """Columns with the texts that they have in this row and in no other; an empty name is the first column."""
    column: str
    table: int = 0
    """Which table of the source, from 0."""


@dataclass(frozen=True, slots=True)
class ClaimReading:
    """What a reader says that one passage of an output rests on."""

    passage: str
    """Quoted verbatim, up to white space."""
    source: str = ""
    quote: str = ""
    path: Steps | TablePath | None = None
    value: JsonValue = None
    engine: str = ""
    statement: str = ""
    standing: Standing = Standing.PROPOSED
    by: str = ""
    """Who accepted or rejected it."""
    on: str = ""
    """When, as an ISO date."""

    @property
    def check(self) -> str:
        """How it is tried: ``quote``, ``path``, ``claim ENGINE``, or ``narrative`` where it is not."""
        if self.engine:
            return f"claim {self.engine}"
        return "path" if self.path is not None else "quote" if self.quote else "narrative"


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """Everything that one reader says about one output."""

    reader: str
    """The model, agent or person."""
    claims: tuple[ClaimReading, ...]


def claim_records(data: object, place: str = "readings") -> tuple[ClaimRecord, ...]:
    """Return the records of a JSON object, or of a list of them; raises ValueError with the place of what is wrong."""
    shape = Shape(data, place)
    records = shape.items(most=MAX_READINGS) if isinstance(data, list) else (shape,)
    return tuple(map(_record, records))


def json_of_claim(claim: ClaimReading) -> dict[str, JsonValue]:
    """Return one claim reading as JSON."""
    said = {"source": claim.source, "quote": claim.quote, "engine": claim.engine, "statement": claim.statement}
    row: dict[str, JsonValue] = {"passage": claim.passage, **{key: text for key, text in said.items() if text}}
    if claim.path is not None:
        row |= {"path": json_of_path(claim.path), "value": claim.value}
    if claim.check == "narrative":
        row["narrative"] = True
    return row | acceptance_json(claim.standing, claim.by, claim.on)


def json_of_path(path: Steps | TablePath) -> JsonValue:
    """Return a path as JSON."""
    if not isinstance(path, TablePath):
        return list(path)
    [(first, text), *further] = path.row
    row: JsonValue = text if not first and not further else dict(path.row)
    return {"row": row, "column": path.column, **({"table": path.table} if path.table else {})}


def _record(row: Shape) -> ClaimRecord:
    row.exactly("reader", "claims")
    return ClaimRecord(row.words("reader"), tuple(map(_claim, row.items("claims", most=MAX_READINGS))))


def _claim(row: Shape) -> ClaimReading:
    row.exactly("passage", may=_KEYS)
    given = {key for key in row.raw_object() if key in _KEYS[:-2]}
    if given not in _FORMS:
        forms = ", ".join("+".join(key for key in _KEYS if key in form) for form in _FORMS)
        row.refuse(f"expected a passage with one of {forms}, got {'+'.join(sorted(given)) or 'a passage alone'}")
    if "narrative" in given and row.flag("narrative") is not True:
        row.refuse("expected true, or a claim without it", "narrative")
    path = _path(row) if "path" in given else None
    text = {key: plain_text(row, key, least=1) if key in given else "" for key in _TEXTS}
    standing, by, on = acceptance_of(row)
    return ClaimReading(
        plain_text(row, "passage", least=1),
        **text,
        path=path,
        value=_scalar(row) if path is not None else None,
        standing=standing,
        by=by,
        on=on,
    )


def _scalar(row: Shape) -> JsonValue:
    value = row.raw("value")
    if isinstance(value, dict | list):
        row.refuse(f"expected a number, text, true, false or null, got {shown(value)}", "value")
    return plain_text(row, "value") if isinstance(value, str) else value


def _path(row: Shape) -> Steps | TablePath:
    value = row.raw("path")
    if isinstance(value, str):
        return _steps(row, value)
    if not isinstance(value, dict):
        return tuple(_step(each) for each in row.items("path", least=1))
    cell = row.member("path").exactly("row", "column", may=("table",))
    named = cell.raw("row")
    pairs = cell.member("row") if isinstance(named, dict) else None
    keys = tuple((key, pairs.text(key)) for key in pairs.raw_object()) if pairs else (("", cell.text("row")),)
    if not keys:
        cell.refuse("expected the text of one column or more", "row")
    return TablePath(keys, cell.text("column"), cell.whole("table", 0, MAX_READINGS) if cell.has("table") else 0)


def _step(step: Shape) -> str | int:
    return step.text() if isinstance(step.value, str) else step.whole(least=0)


def _steps(row: Shape, written: str) -> Steps:
    text = written.removeprefix("$")
    steps, at = list[str | int](), 0
    while len(written) <= MAX_READING_CHARACTERS and (found := _STEP.match(text, at)):
        name = found["name"] if found["name"] is not None else found["quoted"]
        steps.append(int(found["index"]) if name is None else name)
        at = found.end()
    if not steps or at < len(text):
        row.refuse(f"expected a path such as sales[0].units, got {shown(written)}", "path")
    return tuple(steps)
