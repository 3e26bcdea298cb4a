"""The content of an item of evidence, by its type: a JSON value, the rows of a table, or text as a reader sees it.

The original bytes are those of ``raw_content``; where there is none, compact JSON of ``parsed_value``, else of
``extracted_fields``. Refuses content that is malformed, too large, or not what the collector says that it parsed.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate
from math import isfinite
from typing import Final

from probatum.audit.canonical import content_bytes
from probatum.audit.json_paths import Steps
from probatum.audit.schemas import EvidenceItem
from probatum.core.errors import BudgetError
from probatum.core.json_text import read_json
from probatum.readers.markup import VisibleText, visible_text
from probatum.readers.places import CsvCell, csv_table, json_scalars

MAX_BYTES: Final = 4 * 1024 * 1024
JSON: Final = "json"
CSV: Final = "csv"
HTML: Final = "html"
TEXT: Final = "text"
# Of so few signs a number is always kept as it is written; of more it is asked.
_EXACT: Final = 15
_MOST_DIGITS: Final = 400
_DELIMITERS: Final = ",;\t|"
_FORMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("json", "application/json", "text/json"), JSON),
    **dict.fromkeys(("csv", "text/csv", "application/csv", "text/tab-separated-values"), CSV),
    **dict.fromkeys(("html", "text/html", "application/xhtml+xml"), HTML),
    "text": TEXT,
}


@dataclass(frozen=True, slots=True)
class Content:
    """What an item says, before anything is claimed of it."""

    form: str
    original: str
    """The original text; offsets of claims count the bytes of its UTF-8."""
    value: object = None
    """Of JSON, and of a table as a list of objects."""
    spans: Mapping[Steps, tuple[int, int]] = field(default_factory=dict)
    """Where each scalar of the value stands, in characters."""
    visible: VisibleText | None = None
    """Of HTML: its text."""

    @property
    def text(self) -> str:
        """Text as a reader sees it."""
        return self.visible.text if self.visible is not None else self.original

    @property
    def doubtful(self) -> tuple[tuple[int, int], ...]:
        """Stretches of the text of a page that may not be shown as they are read."""
        return () if self.visible is None else self.visible.doubtful

    @property
    def left_out(self) -> str:
        """What a page has and does not show."""
        return "" if self.visible is None else self.visible.left_out

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return where a part of the visible text stands in the original, in characters."""
        return (start, end) if self.visible is None else self.visible.source_span(start, end)


def form_of(content_type: str) -> str:
    """Return how a content type is read; nothing where it is not read at all, such as an image."""
    name = content_type.partition(";")[0].strip().lower()
    return _FORMS.get(name) or (JSON if name.endswith("+json") else TEXT if name.startswith("text/") else "")


def content_of(item: EvidenceItem, delimiter: str | None = None, quote: str = '"') -> Content:
    """Return the content of an item; raises ValueError or BudgetError, with a sentence for a person.

    ``delimiter`` and ``quote`` are those of a table; where no delimiter is declared, it is found out.
    """
    form = form_of(item.content_type)
    if not form:
        raise ValueError(f"content of type {item.content_type[:60]!r} is not read")
    value = item.parsed_value if item.parsed_value is not None else (item.extracted_fields or None)
    raw = item.raw_content
    if raw is None and form != JSON and isinstance(value, str):
        raw = value
    if raw is None and value is None:
        raise ValueError("it has no content")
    text = (
        json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
        if raw is None
        else raw
    )
    if len(text.encode()) > MAX_BYTES:
        raise BudgetError("audit.content_too_large", f"the content has more than {MAX_BYTES:,} bytes")
    if raw is None or form == JSON:
        return _json(text, value if raw is None else item.parsed_value, is_parsed=raw is None)
    if form == CSV:
        return _table(text, delimiter, quote)
    return Content(form, text, visible=visible_text(text) if form == HTML else None)


def _json(text: str, parsed: object, *, is_parsed: bool) -> Content:
    value = parsed if is_parsed else read_json(text, MAX_BYTES, fraction=_finite)
    if not is_parsed and parsed is not None and content_bytes(parsed) != content_bytes(value):
        raise ValueError("raw_content and parsed_value say different things")
    return Content(JSON, text, value, {each.steps: (each.start, each.end) for each in json_scalars(text)})


def _finite(digits: str) -> float:
    number = float(digits)
    if not isfinite(number) or (number == 0 and re.search("[1-9]", re.split("[eE]", digits)[0])):
        raise ValueError(f"the number {digits[:40]} is out of range")
    if len(digits) > _EXACT and (len(digits) > _MOST_DIGITS or Fraction(digits) != Fraction(repr(number))):
        raise ValueError(f"the number {digits[:40]} has more digits than are compared")
    return number


def _table(text: str, delimiter: str | None, quote: str) -> Content:
    header, *rows = _rows(text, delimiter, quote) or ((),)
    names = [cell.text.strip() for cell in header]
    if len(set(names)) != len(names) or not names:
        raise ValueError("the first row of a table names each column once")
    value: list[dict[str, object]] = []
    spans: dict[Steps, tuple[int, int]] = {}
    for index, row in enumerate(rows):
        value.append({name: cell.text.strip() or None for name, cell in zip(names, row, strict=True)})
        spans.update({(index, name): (cell.start, cell.end) for name, cell in zip(names, row, strict=True)})
    return Content(CSV, text, value, spans)


def _rows(text: str, delimiter: str | None, quote: str) -> tuple[tuple[CsvCell, ...], ...]:
    """Return the rows of a table; raises ValueError where it is none, or where it is one by two delimiters.

    A delimiter that is not declared is the only one by which all rows have as many cells as the first, several of them:
    `csv.Sniffer` counts instead, and takes a wrong one where the first row has signs of two kinds.
    """
    if delimiter is not None:
        return csv_table(text, delimiter, quote)
    head = text.partition("\n")[0]
    found = {}
    for sign in _DELIMITERS:
        with suppress(ValueError):
            rows = csv_table(text, sign, quote) if sign in head else ()
            if rows and len(rows[0]) > 1:
                found[sign] = rows
    if len(found) > 1:
        raise ValueError(f"it is a table by {' and by '.join(map(repr, found))}: declare its delimiter")
    return next(iter(found.values())) if found else csv_table(text, ",", quote)


class ByteOffsets:
    """Turns offsets in characters into offsets in the bytes of UTF-8."""

    def __init__(self, text: str) -> None:
        # Only what is beyond ASCII moves the bytes that follow.
        wide = [] if text.isascii() else [index for index, sign in enumerate(text) if sign > "\x7f"]
        self._places: Final = wide
        self._extra: Final = list(accumulate((len(text[index].encode()) - 1 for index in wide), initial=0))

    def __call__(self, offset: int) -> int:
        """Return the offset in bytes."""
        return offset + self._extra[bisect_right(self._places, offset - 1)]
