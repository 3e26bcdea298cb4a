"""Moments in the order of their time, each with its place on a common scale.

Refuses to guess: only ISO 8601 is read, a time without a zone is taken for UTC, and what is no time comes last, as it
is written.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from probatum.core.messages import counted
from probatum.core.outside import clipped, visible
from probatum.core.sheet import Moment
from probatum.report.diagram import first_of

# Moments of one timeline that a report shows.
MOST_MOMENTS: Final = 200
SCALE: Final = 1000
# Pythons differ in what else they read.
_ISO: Final = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{3}(?:\d{3})?)?)?(?:Z|[+-]\d\d:\d\d)?)?", re.ASCII
)


@dataclass(frozen=True, slots=True)
class TimedMoment:
    """One moment; ``place`` counts from 0, the first known time, to `SCALE`, the last; None where it is not known."""

    moment: Moment
    date: str
    clock: str = ""
    place: int | None = None


def timed(moments: Sequence[Moment]) -> tuple[tuple[TimedMoment, ...], str]:
    """Return at most `MOST_MOMENTS` in their order, and a sentence about those left out, empty where there are none."""
    kept = first_of(moments, MOST_MOMENTS)
    known = sorted(((time, each) for each in kept if (time := _read(each.time))), key=lambda pair: pair[0])
    first, last = (known[0][0], known[-1][0]) if known else (None, None)
    rows = []
    for time, moment in known:
        place = int((time - first) / (last - first) * SCALE) if first and last and first < last else SCALE // 2
        date, _, clock = time.isoformat(sep=" ").removesuffix("+00:00").removesuffix(":00").partition(" ")
        rows.append(TimedMoment(moment, date, f"{clock} UTC" if len(moment.time) > len(date) else "", place))
    rows += [TimedMoment(each, visible(clipped(each.time))) for each in kept if _read(each.time) is None]
    left_out = len(moments) - len(kept)
    return tuple(rows), f"Left out: {left_out:,} of {counted(len(moments), 'moment')}." if left_out else ""


def _read(text: str) -> datetime | None:
    if not _ISO.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
