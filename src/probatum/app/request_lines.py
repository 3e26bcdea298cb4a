"""Request lines: one JSON object that asks for one verdict, as `batch` reads them.

A line that is no object with a text ``id`` cannot be answered at all and is refused by its number. A line with an id
but otherwise unusable gets an answer of its own (``request.invalid``), so that one bad request stops nothing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from probatum.app.answers import Level, ProgramAnswer, ProgramRequest, parse_level
from probatum.app.refusals import refuse
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError, nearest
from probatum.core.limits import MAX_SOURCE_BYTES

PROGRAM = "program"
_FIELDS = ("id", "kind", "source", "function", "contract", "tests", "against", "level")
_KINDS = (PROGRAM,)


@dataclass(frozen=True, slots=True)
class Identified:
    """A line that has an id, whatever else it holds."""

    id: str
    fields: Mapping[str, object]


def identify(line: bytes, number: int, name: str) -> Identified:
    """Return the id and the fields of a line.

    Raises:
        UsageError: the line is no JSON object with an id; the sentence tells ``name`` and the line's number.
    """
    try:
        fields = json.loads(line, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        what = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise UsageError("batch.malformed", f"{name}, line {number} is not JSON: {what}.") from None
    if not isinstance(fields, dict):
        raise UsageError("batch.malformed", f"{name}, line {number} is not a JSON object.")
    request_id = fields.get("id")
    if not isinstance(request_id, str) or not request_id:
        raise UsageError("batch.no_id", f"{name}, line {number} has no 'id', which must be text.")
    return Identified(request_id, fields)


def request_of(line: Identified, level: Level) -> ProgramRequest | ProgramAnswer:
    """Return what the line asks for, at this level unless it names one; or the answer that refuses it."""
    try:
        return _parsed(line.fields, line.id, level)
    except UsageError as error:
        return refuse(line.id, Outcome.NOT_ATTEMPTED, "request.invalid", error.sentence, error.hint)


def _parsed(fields: Mapping[str, object], name: str, level: Level) -> ProgramRequest | ProgramAnswer:
    for key in fields:
        if key not in _FIELDS:
            raise UsageError("request.invalid", f"Unknown field {key!r}.", nearest(key, _FIELDS))
    kind = fields.get("kind")
    if kind not in _KINDS:
        raise UsageError("request.invalid", f"Unknown kind {kind!r}; expected {' or '.join(_KINDS)}.")
    source = _bytes(fields, "source")
    if source is None:
        raise UsageError("request.invalid", "A request of kind 'program' needs 'source'.")
    asked = _text(fields, "level")
    tests, against = _bytes(fields, "tests"), _bytes(fields, "against")
    if max(len(content or b"") for content in (source, tests, against)) > MAX_SOURCE_BYTES:
        reason = f"A source of this request is larger than {MAX_SOURCE_BYTES:,} bytes."
        return refuse(name, Outcome.UNDECIDED, "program.too_large", reason)
    return ProgramRequest(
        source=source,
        name=name,
        function=_text(fields, "function"),
        contract=_text(fields, "contract"),
        tests=tests,
        against=against,
        level=level if asked is None else parse_level(asked),
    )


def _text(fields: Mapping[str, object], key: str) -> str | None:
    value = fields.get(key)
    if value is None or isinstance(value, str):
        return value
    raise UsageError("request.invalid", f"{key!r} must be text, got {type(value).__name__}.")


def _bytes(fields: Mapping[str, object], key: str) -> bytes | None:
    text = _text(fields, key)
    try:
        return None if text is None else text.encode("utf-8")
    except UnicodeEncodeError:
        raise UsageError("request.invalid", f"{key!r} holds a lone surrogate, which no file can hold.") from None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
