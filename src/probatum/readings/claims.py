"""Readings of an output and of its acceptance criteria: words quoted, and what they rest on or say formally.

    {"reader": NAME, "claims": [CLAIM, …], "criteria": [CRITERION, …]}, or one of both

A CLAIM has a "passage" of the output and
    "source", "quote"                   words of a source that say it
    "source", "path", "value"           a value of JSON ("sales[0].units", or a list of steps) or of a table
                                        ({"row": "North", "column": "units"})
    "engine", "statement"               an exact claim; "source" and "quote" may say where further values are from, and
                                        "given" what the engine is given: {"data": {"source": NAME, "path": PATH}}, with
                                        a path, with a quote, or the whole source
    "narrative": true                   nothing: the passage states nothing

a CRITERION a "passage" of the acceptance criteria and "criterion", a formal one, or "narrative"; both may have
"accepted" or "rejected" with "by" and "on". Refuses, with the place and the nearest match, an unknown key and a
reading that is not exactly one of these.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.frozen import FrozenDict, frozen_dict, thaw
from probatum.core.limits import MAX_READING_CHARACTERS, MAX_READINGS
from probatum.core.shape import Shape, shown
from probatum.readings.recorded import acceptance_json, acceptance_of, plain_text
from probatum.readings.values import Standing

_TEXTS: Final = ("source", "quote", "engine", "statement", "criterion")
_KEYS: Final = (*_TEXTS, "path", "value", "given", "narrative", "accepted", "rejected")
_NARRATIVE: Final = {"narrative"}
_EXACT: Final = {"engine", "statement"}
_CITED: Final = {"source", "quote"}
_CLAIMS: Final = (
    *(_CITED, {"source", "path", "value"}, _EXACT, {*_EXACT, *_CITED}, {*_EXACT, "given"}, {*_EXACT, *_CITED, "given"}),
    _NARRATIVE,
)
_CRITERIA: Final = ({"criterion"}, _NARRATIVE)
_SETTINGS: Final = frozenset({"column", "other-column", "dialect", "month-end", "weekend"})
"""Inputs of engines that say how the others are read and state nothing: a reader writes them."""
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
    """What a reader says that one passage of an output rests on, or that words of a criterion say."""

    passage: str
    """Quoted verbatim, up to white space."""
    source: str = ""
    quote: str = ""
    path: Steps | TablePath | None = None
    value: JsonValue = None
    engine: str = ""
    statement: str = ""
    criterion: str = ""
    given: FrozenDict = field(default_factory=FrozenDict)
    """Inputs of the engine by name, each where it is cited from."""
    standing: Standing = Standing.PROPOSED
    by: str = ""
    """Who accepted or rejected it."""
    on: str = ""
    """When, as an ISO date."""

    @property
    def check(self) -> str:
        """How it is tried: ``quote``, ``path``, ``claim ENGINE``, the name of a notation; ``narrative``: not at all."""
        if self.engine or self.criterion:
            return f"claim {self.engine}" if self.engine else self.criterion.partition(":")[0].strip().lower()
        return "path" if self.path is not None else "quote" if self.quote else "narrative"


@dataclass(frozen=True, slots=True)
class ClaimRecord:
    """Everything that one reader says about one output and its criteria."""

    reader: str
    """The model, agent or person."""
    claims: tuple[ClaimReading, ...] = ()
    criteria: tuple[ClaimReading, ...] = ()


def claim_records(data: object, place: str = "readings") -> tuple[ClaimRecord, ...]:
    """Return the records of a JSON object, or of a list of them; raises ValueError with the place of what is wrong."""
    shape = Shape(data, place)
    records = shape.items(most=MAX_READINGS) if isinstance(data, list) else (shape,)
    return tuple(map(_record, records))


def json_of_claim(claim: ClaimReading) -> dict[str, JsonValue]:
    """Return one reading as JSON."""
    said: dict[str, str] = {key: getattr(claim, key) for key in _TEXTS}
    row: dict[str, JsonValue] = {"passage": claim.passage, **{key: text for key, text in said.items() if text}}
    if claim.given:
        row["given"] = thaw(claim.given)  # type: ignore[assignment]  # it was read from JSON
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
    row.exactly("reader", may=("claims", "criteria"))
    some = {"claims": _CLAIMS, "criteria": _CRITERIA}
    if not any(map(row.has, some)):
        row.refuse("expected claims, criteria, or both")
    read = {
        key: tuple(_claim(each, forms) for each in row.items(key, most=MAX_READINGS)) if row.has(key) else ()
        for key, forms in some.items()
    }
    return ClaimRecord(row.words("reader"), **read)


def _claim(row: Shape, forms: Sequence[set[str]]) -> ClaimReading:
    row.exactly("passage", may=_KEYS)
    given = {key for key in row.raw_object() if key in _KEYS[:-2]}
    if given not in forms:
        known = ", ".join("+".join(key for key in _KEYS if key in form) for form in forms)
        row.refuse(f"expected a passage with one of {known}, got {'+'.join(sorted(given)) or 'a passage alone'}")
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
        given=_inputs(row.member("given")) if "given" in given else FrozenDict(),
        standing=standing,
        by=by,
        on=on,
    )


def _scalar(row: Shape) -> JsonValue:
    value = row.raw("value")
    if isinstance(value, dict | list):
        row.refuse(f"expected a number, text, true, false or null, got {shown(value)}", "value")
    return plain_text(row, "value") if isinstance(value, str) else value


def _inputs(given: Shape) -> FrozenDict:
    """Return the inputs of an engine; raises ShapeError where a reader writes one of them instead of citing it."""
    for name, value in given.raw_object().items():
        if name in _SETTINGS and isinstance(value, str):
            continue
        for each in given.items(name, least=1) if isinstance(value, list) else (given.member(name),):
            each.exactly("source", may=("quote", "path"))
            _ = cited_from(each)
    return frozen_dict(given.raw_object())


def cited_from(row: Shape) -> tuple[str, str, Steps | None]:
    """Return where an input of an engine is cited from: a source, with a quote, a path, or neither."""
    quote = plain_text(row, "quote", least=1) if row.has("quote") else ""
    path = _path(row) if row.has("path") else None
    if isinstance(path, TablePath) or (quote and path):
        row.refuse("expected a source with a quote, a path of JSON, or neither")
    return plain_text(row, "source", least=1), quote, path


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
