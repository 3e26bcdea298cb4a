"""How values are compared: numbers and times as exact spans on a line, texts in one form.

Refuses to guess: what is no number, no time, or does not convert has no span.
"""

from __future__ import annotations

import unicodedata
from calendar import monthrange
from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from math import isfinite
from typing import Final, Literal

from probatum.audit.claims import TIMESTAMP
from probatum.audit.units import convert, exact
from probatum.core.outside import is_seen

_EPOCH: Final = datetime(1970, 1, 1)
_MICROSECOND: Final = timedelta(microseconds=1)
_MONTH: Final = len("2026-02")
DAY: Final = Fraction(86_400) - Fraction(1, 1_000_000)
"""From the first moment of a day to its last one, in seconds."""
Span = tuple[Fraction, Fraction]
"""The lowest and the highest that something may be."""


def span_of(kind: str, ends: Sequence[object], unit: str, into: str) -> Span | None:
    """Return two numbers in another unit, or two times in seconds, as a span; None where it cannot be told."""
    spans = [_span_of_end(kind, end, unit, into) for end in ends]
    if len(spans) != 2 or spans[0] is None or spans[1] is None or spans[0][0] > spans[1][1]:
        return None
    return spans[0][0], spans[1][1]


def _span_of_end(kind: str, end: object, unit: str, into: str) -> Span | None:
    if kind == TIMESTAMP:
        return moments_of(str(end))
    if isinstance(end, bool) or not isinstance(end, int | float) or (isinstance(end, float) and not isfinite(end)):
        return None
    number = convert(exact(end), unit, into)
    return None if number is None else (number, number)


def moments_of(text: str) -> Span | None:
    """Return the first and the last moment of a time stamp, in seconds; None for what is none.

    A day, and a month such as 2026-02, end just before the next one begins; a time without a zone is UTC.
    """
    is_day = "T" not in text
    day = f"{text}-01" if len(text) == _MONTH else text
    try:
        moment = datetime.fromisoformat(f"{day}T00:00:00+00:00" if is_day else text.replace("Z", "+00:00"))
    except ValueError:
        return None
    start = seconds_of(moment)
    days = monthrange(moment.year, moment.month)[1] if day != text else 1
    return start, start + (86_400 * (days - 1) + DAY if is_day else 0)


def seconds_of(moment: datetime) -> Fraction:
    """Return an instant in seconds; one without a zone is UTC."""
    # Without its zone first: in UTC it may lie beyond the years that Python has.
    offset = moment.utcoffset() or timedelta()
    return Fraction((moment.replace(tzinfo=None) - _EPOCH - offset) // _MICROSECOND, 1_000_000)


def normalised(text: str) -> str:
    """Return text as it is compared: compatible and invisible characters, case and white space make no difference."""
    text = "".join(sign for sign in text if sign.isspace() or is_seen(sign))
    # A raised digit is compatible with a plain one, and 5² is not 52.
    form: Literal["NFC", "NFKC"] = "NFC" if any(unicodedata.category(sign) == "No" for sign in text) else "NFKC"
    return " ".join(unicodedata.normalize(form, text).casefold().split())
