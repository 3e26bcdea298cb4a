"""What every reader of text shares: the value that it returns, what it must be told, and how long a text may be."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from probatum.core.errors import BudgetError

KINDS: Final = ("number", "percentage", "money", "duration", "timestamp", "version", "boolean")
MAX_CHARACTERS: Final = 4 * 1024 * 1024
SPACE: Final = "[ \u00a0\u2009\u202f]"
"""A pattern for one space inside a line, as typesetters have them."""

_FORMATS: Final = ("1,234.5", "1.234,5", "1 234,5")
_ORDERS: Final = ("", "DMY", "MDY", "YMD")
_OFFSET: Final = re.compile(r"([-+])(0[0-9]|1[0-4]):([0-5][0-9])")


@dataclass(frozen=True, slots=True)
class Conventions:
    """What a text cannot say itself. Raises ValueError for a format, an order of dates or a zone that is not known.

    Attributes:
        number_format: how 1234.5 is written: "1,234.5", "1.234,5" or "1 234,5" (with any kind of space).
        date_order: how a date of digits is ordered: "DMY", "MDY" or "YMD"; where it is empty, 03/04/2026 is not read.
        timezone: the zone of times that name none: "UTC", an offset such as "+02:00", or an IANA name that this system
            has the data of.
    """

    number_format: str = "1,234.5"
    date_order: str = ""
    timezone: str = "UTC"

    def __post_init__(self) -> None:
        if self.number_format not in _FORMATS:
            raise ValueError(f"a number format is one of {', '.join(map(repr, _FORMATS))}, not {self.number_format!r}")
        if self.date_order not in _ORDERS:
            raise ValueError(f"an order of dates is one of {', '.join(_ORDERS[1:])}, not {self.date_order!r}")
        offset_of(self.timezone, datetime(2000, 1, 1))


def offset_of(zone: str, local: datetime) -> timedelta | None:
    """Return how far a zone's clocks are ahead of UTC, or None where they show this time twice or never.

    Raises ValueError for a zone that is not known here.
    """
    offset = _OFFSET.fullmatch(zone)
    if zone == "UTC":
        return timedelta()
    if offset is not None:
        ahead = timedelta(hours=int(offset[2]), minutes=int(offset[3]))
        return ahead if offset[1] == "+" else -ahead
    try:
        place = ZoneInfo(zone)
    except (ValueError, KeyError, OSError) as error:
        raise ValueError(f"a time zone is UTC, an offset such as +02:00 or an IANA name, not {zone!r}") from error
    before, after = (place.utcoffset(local.replace(fold=fold)) for fold in (0, 1))
    return before if before == after else None


PLAIN: Final = Conventions()
"""Numbers as in English, no dates of digits alone, times in UTC."""


@dataclass(frozen=True, slots=True)
class ReadValue:
    """A value that stands in a text.

    Attributes:
        kind: one of `KINDS`, or ``quotation``.
        value: a number; whether something is so; or text: for a timestamp UTC in ISO 8601, or the date alone; for a
            version its digits without a leading v.
        start: offset of the first character, sign, unit and currency included.
        end: offset after the last character.
        unit: "%", "pp" or "bp" of a percentage, an ISO 4217 code of money, "s" of a duration, the name of a unit that
            pint understands, or nothing.
        high: the upper end where a range was read.
    """

    kind: str
    value: int | float | str | bool
    start: int
    end: int
    unit: str = ""
    high: int | float | str | None = None


def require_length(text: str, what: str, most: int = MAX_CHARACTERS) -> None:
    """Raise BudgetError where a text has more characters than are read."""
    if len(text) > most:
        raise BudgetError("reader.too_large", f"The {what} has more than {most:,} characters.")
