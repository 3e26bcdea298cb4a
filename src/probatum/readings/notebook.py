"""The readings file: TOML beside the code, for a person to read and to review, statement above clause.

It holds what recorded readings hold, under the same names. Records are in order of function and reader, readings in
the order in which they were added; what was read is written with the same bytes, comments aside, and one acceptance
adds one line. Refuses what is not such a file, with the place, and a reading whose text no longer has the id that
is there: whoever accepted it accepted another one.
"""

from __future__ import annotations

import datetime
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.core.shape import Shape, shown
from probatum.readings.recorded import json_of, reading_records
from probatum.readings.values import ReadingRecord

ENDING: Final = ".readings.toml"
_READINGS: Final = "readings"
_STATEMENTS: Final = "statements"
MAX_KEY_PARTS: Final = 4
_HEAD: Final = """\
# What the documentation says, read as code: `probatum read` lists, adds and accepts readings.
# Commands that write this file keep no other comment.
"""
# The time that keys of many parts take grows with the square of their number; ours have two. What stands within texts
# and comments is no key; one that does not end goes on to the end of its line, or of the file.
_TEXT: Final = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}|\Z)|"(?:[^"\\\n]|\\.)*+"?|#[^\n]*+'''
    r"""|'{3}(?:[^']|'(?!''))*+(?:'{3,5}|\Z)|'[^'\n]*+'?""",
    re.DOTALL,
)
_LONG_KEY: Final = re.compile(rf"""(?<![\w-])(?:(?:[\w-]++|"")[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}""")
_NEEDS_ESCAPE: Final = re.compile(r'["\\\t]')
_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\t": "\\t", "\r": "\\r"}


def read_notebook(content: bytes) -> tuple[ReadingRecord, ...]:
    """Return the records of a readings file; raises ValueError, with the place, for anything else."""
    if len(content) > MAX_READINGS_BYTES:
        raise ValueError(f"it has more than {MAX_READINGS_BYTES:,} bytes")
    try:
        text = content.decode("utf-8-sig")
        if _LONG_KEY.search(_TEXT.sub('""', text)):
            raise ValueError(f"a key has more than {MAX_KEY_PARTS} parts")
        data = tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise ValueError(f"it is not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    whole = Shape(data).exactly(may=(_READINGS,))
    rows = tuple(whole.items(_READINGS)) if whole.has(_READINGS) else ()
    records = reading_records([_plain(row.raw_object()) for row in rows])
    for row, record in zip(rows, records, strict=True):
        _require_ids(row, record)
    return records


def write_notebook(records: Iterable[ReadingRecord]) -> str:
    """Return the text of a readings file; records without readings are left out."""
    ordered = sorted((each for each in records if each.readings), key=lambda each: (each.function, each.reader))
    return "\n".join([_HEAD, *(line for record in ordered for line in _lines(record))])


def _plain(row: Mapping[str, object]) -> dict[str, object]:
    """Return a record as JSON would have it: without ids, and with dates as text."""
    statements = row.get(_STATEMENTS)
    if not isinstance(statements, list):
        return dict(row)
    return {**row, _STATEMENTS: [_plain_statement(each) for each in statements]}


def _plain_statement(statement: object) -> object:
    if not isinstance(statement, dict):
        return statement
    return {
        key: {**value, "on": _as_text(value.get("on"))} if isinstance(value, dict) else value
        for key, value in statement.items()
        if key != "id"
    }


def _require_ids(row: Shape, record: ReadingRecord) -> None:
    for written, reading in zip(row.items(_STATEMENTS), record.readings, strict=True):
        if written.has("id") and written.raw("id") != record.id_of(reading):
            written.refuse(
                f"its text is not that of {shown(written.raw('id'))} any more; remove its id and its acceptance"
            )


def _as_text(value: object) -> object:
    # A moment is a date to Python.
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value.isoformat()
    return value


def _lines(record: ReadingRecord) -> Iterator[str]:
    row = json_of(record)
    statements = row.pop(_STATEMENTS)
    yield f"[[{_READINGS}]]"
    yield from (f"{key} = {_written(value)}" for key, value in row.items() if value)
    yield ""
    assert isinstance(statements, list)
    for reading, written in zip(record.readings, statements, strict=True):
        assert isinstance(written, dict)
        yield f"[[{_READINGS}.{_STATEMENTS}]]"
        yield f"id = {_written(record.id_of(reading))}"
        yield from (f"{key} = {_written(value)}" for key, value in written.items() if value)
        yield ""


def _written(value: JsonValue) -> str:
    if isinstance(value, list):
        return "".join(["[\n", *(f"  {_written(each)},\n" for each in value), "]"])
    if isinstance(value, dict):
        # A date stands as it is; everything else is text.
        pairs = (f"{key} = {each if key == 'on' else _written(each)}" for key, each in value.items())
        return f"{{ {', '.join(pairs)} }}"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    """Return a text in the form that needs the fewest signs that are not in it."""
    shows_itself = all(sign.isprintable() or sign in "\n\t" for sign in text)
    if "\n" not in text:
        if shows_itself and not _NEEDS_ESCAPE.search(text):
            return f'"{text}"'
        if shows_itself and "'" not in text and "\t" not in text:
            return f"'{text}'"
    if shows_itself and "'''" not in text and not text.endswith("'"):
        return f"'''\n{text}'''" if "\n" in text else f"'''{text}'''"
    written = "".join(map(_escaped, text))
    # Lines stay lines; three quotes in a row are broken up by the escapes of all of them.
    return f'"""\n{written}"""' if "\n" in text else f'"{written}"'


def _escaped(sign: str) -> str:
    if sign == "\n":
        return sign
    if sign in _ESCAPES:
        return _ESCAPES[sign]
    if sign.isprintable():
        return sign
    return f"\\u{ord(sign):04X}" if ord(sign) < 0x10000 else f"\\U{ord(sign):08X}"
