"""Reads dates, times and written-out lengths of time in text: ISO 8601, RFC 2822 and dates with the name of a month.

Refuses, by not reading them: dates of digits whose order is not declared, years of two digits, hour 24, leap seconds,
days that do not exist or have another day of the week, local times that a clock shows twice or never, and times of a
zone with an unknown abbreviation. What is valid is decided here, not by a parser of the standard library, because those
differ between versions of Python.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import chain
from typing import Final

from probatum.readers.conventions import SPACE, Conventions, ReadValue, offset_of
from probatum.readers.vocabulary import MONTHS, SECONDS, ZONES, one_of

_WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_WEEKDAY: Final = rf"(?:(?i:(?P<weekday>{'|'.join(_WEEKDAYS)})(?:day|sday|nesday|rsday|urday|rs|s)?)[.,]?,?{SPACE})?"
_MONTHS: Final = {word.lower(): number for word, number in MONTHS.items()}
_MONTH: Final = rf"(?P<month>(?i:{one_of(MONTHS)}))(?!\w)\.?"
_DAYS: Final = (
    rf"(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th|\.)?(?:{SPACE}?[-–]{SPACE}?(?P<last>[0-9]{{1,2}})(?:st|nd|rd|th)?)?"
)
_YEAR: Final = "(?P<year>[0-9]{4})"
_COMMA: Final = rf"(?:{SPACE}?,)?{SPACE}"
_LEFT: Final = r"(?<![\w/:$€£¥+-])(?<![0-9][.,])"
_DATES: Final = tuple(
    re.compile(_LEFT + form)
    for form in (
        rf"{_YEAR}-(?P<month>[0-9]{{2}})-(?P<day>[0-9]{{2}})",
        rf"{_YEAR}(?P<month>[0-9]{{2}})(?P<day>[0-9]{{2}})(?=T[0-9]{{4}})",
        rf"{_WEEKDAY}{_DAYS}{SPACE}(?:(?:of|de){SPACE})?{_MONTH}{_COMMA}(?:de{SPACE})?{_YEAR}",
        rf"{_WEEKDAY}{_MONTH}{SPACE}{_DAYS}{_COMMA}{_YEAR}",
    )
)
_PARTS: Final = tuple(
    re.compile(_LEFT + form)
    for form in (
        rf"{_WEEKDAY}{_DAYS}{SPACE}(?:(?:of|de){SPACE})?{_MONTH}",
        rf"{_WEEKDAY}{_MONTH}{SPACE}(?:the{SPACE})?{_DAYS}(?![0-9])",
        rf"{_MONTH}(?:{_COMMA}|{SPACE}(?:of|de){SPACE}){_YEAR}",
        rf"(?=\w{{3,6}}day){_WEEKDAY}(?:the{SPACE})?(?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)(?!\w)",
    )
)
_ORDERED: Final = {
    "DMY": re.compile(rf"{_LEFT}(?P<day>[0-9]{{1,2}})(?P<mark>[./-])(?P<month>[0-9]{{1,2}})(?P=mark){_YEAR}"),
    "MDY": re.compile(rf"{_LEFT}(?P<month>[0-9]{{1,2}})(?P<mark>[./-])(?P<day>[0-9]{{1,2}})(?P=mark){_YEAR}"),
    "YMD": re.compile(rf"{_LEFT}{_YEAR}(?P<mark>[./])(?P<month>[0-9]{{1,2}})(?P=mark)(?P<day>[0-9]{{1,2}})"),
}
_TIME: Final = re.compile(
    rf"(?:(?P<t>T)|t|,?{SPACE}(?:at{SPACE})?)(?:(?P<hour>[0-9]{{1,2}}):(?P<minute>[0-9]{{2}})(?::(?P<second>[0-9]{{2}})"
    rf"(?:[.,](?P<fraction>[0-9]{{1,12}}))?)?|(?P<compact>(?<=T)[0-9]{{4}}(?:[0-9]{{2}})?(?![0-9]))"
    rf"|(?P<oclock>[0-9]{{1,2}})(?={SPACE}?[AaPp]\.?[Mm]))(?:{SPACE}?(?P<half>[AaPp])\.?[Mm](?!\w)(?:\.(?!$))?)?+"
)
_ZONE: Final = re.compile(
    rf"(?P<space>{SPACE})?(?:(?P<sign>[-+−])(?P<hours>[0-9]{{2}})(?P<colon>:)?(?P<minutes>[0-9]{{2}})?(?![0-9])"
    rf"(?:{SPACE}\([A-Z]{{3,4}}\))?|(?P<open>\()?(?P<name>[A-Z]{{2,5}}|Z|(?i:utc|gmt|[cemp][ds]t|cest))(?!\w)(?(open)\)))"
)
_RIGHT: Final = re.compile(r"\w|[-/:.,+][0-9]|[-/]\w|[+°%]")
_EPOCH: Final = re.compile(r"(?P<seconds>[0-9]{10})(?:(?P<milli>[0-9]{3})|\.(?P<fraction>[0-9]{1,9}))?")
_PERIOD: Final = re.compile(r"(?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])")
_LENGTHS: Final = tuple(
    re.compile(form)
    for form in (
        r"(?<![\w.+-])P(?=[0-9T])(?:(?P<week>[0-9]{1,6})W)?(?:(?P<day>[0-9]{1,6})D)?(?:T(?=[0-9])(?:(?P<hour>[0-9]{1,9})H)?"
        r"(?:(?P<minute>[0-9]{1,9})M)?(?:(?P<second>[0-9]{1,9}(?:[.,][0-9]{1,9})?)S)?)?(?![\w])",
        r"(?<![\w.,:/+-])(?P<hour>[0-9]{1,4}):(?P<minute>[0-5][0-9]):(?P<second>[0-5][0-9](?:\.[0-9]{1,9})?)(?![\w:/-])"
        rf"(?!{SPACE}?(?:[AaPp]\.?[Mm]\b|[A-Z]{{3,4}}\b|[+−-][0-9]))",
        r"(?<![\w.,:/+-])(?=[0-9]{1,6}(?:[dh]|m(?:in)? ?[0-9]))(?:(?P<day>[0-9]{1,6})d ?)?(?:(?P<hour>[0-9]{1,6})h ?)?"
        r"(?:(?P<minute>[0-9]{1,6})m(?:in)? ?)?(?:(?P<second>[0-9]{1,6})s)?(?<! )(?!\w)",
    )
)


def read_moments(text: str, conventions: Conventions) -> Iterator[ReadValue]:
    """Yield the dates and times of a text in order, in UTC; a date without time is a date alone."""
    ordered = [_ORDERED[conventions.date_order]] if conventions.date_order else []
    matches = sorted(chain.from_iterable(form.finditer(text) for form in (*_DATES, *ordered)), key=re.Match.start)
    end = 0
    for match in matches:
        found = _moment(text, match, conventions) if match.start() >= end else None
        if found is not None:
            end = found.end
            yield found


def read_parts_of_dates(text: str) -> Iterator[ReadValue]:
    """Yield the dates that lack their year or their day, in order: "year/month/day/weekday", what is missing empty.

    Any may be a part of a whole date too. What is written decides: "In May 27 came" has a date.
    """
    matches = sorted(
        chain.from_iterable(form.finditer(text) for form in _PARTS), key=lambda each: (each.start(), -each.end())
    )
    end = 0
    for match in matches:
        if match.start() < end or _RIGHT.match(text, match.end()):
            continue
        # The full stop of a sentence is none of its date.
        end = match.end() - match[0].endswith(".")
        named = match.groupdict(default="")
        month, weekday = named.get("month", ""), named.get("weekday", "").title()
        number = f"{_MONTHS[month.lower()]:02}" if month else ""
        days = [named.get(each, "").zfill(2) if named.get(each) else "" for each in ("day", "last")]
        first, last = (f"{named.get('year', '')}/{number}/{day}/{weekday}" for day in days)
        yield ReadValue("timestamp", first, match.start(), end, high=last if days[1] else None)


def is_part_of_date(one: str, other: str) -> bool:
    """Tell whether another date says everything that one says, of which either may be a part."""
    return all(not mine or mine == theirs for mine, theirs in zip(_fields(one), _fields(other), strict=True))


def _fields(date_or_part: str) -> list[str]:
    if "T" in date_or_part:
        # Of a time, the day depends on the zone.
        return [date_or_part[:4], *[date_or_part] * 3]
    if "/" in date_or_part:
        return date_or_part.split("/")
    return [*date_or_part.split("-"), _WEEKDAYS[date.fromisoformat(date_or_part).weekday()]]


def _moment(text: str, match: re.Match[str], conventions: Conventions) -> ReadValue | None:
    named = match.groupdict()
    month = _MONTHS.get(named["month"].lower()) or int(named["month"])
    day = _day(int(named["year"]), month, int(named["day"]))
    if day is None or (named.get("weekday") or _WEEKDAYS[day.weekday()]).title() != _WEEKDAYS[day.weekday()]:
        return None
    time = _TIME.match(text, match.end())
    if named.get("last"):
        last = _day(day.year, month, int(named["last"]))
        if last is None or last <= day or time or _RIGHT.match(text, match.end()):
            return None
        return ReadValue("timestamp", day.isoformat(), match.start(), match.end(), high=last.isoformat())
    if time is None:
        is_part = _RIGHT.match(text, match.end())
        return None if is_part else ReadValue("timestamp", day.isoformat(), match.start(), match.end())
    zone = _ZONE.match(text, time.end())
    local, end = _local(day, time), zone.end() if zone else time.end()
    offset = None if local is None else _offset(local, time, zone, conventions)
    if local is None or offset is None or _RIGHT.match(text, end):
        return None
    try:
        moment = local - offset
    except OverflowError:
        return None
    return ReadValue("timestamp", f"{moment.isoformat()}Z", match.start(), end)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _local(day: date, time: re.Match[str]) -> datetime | None:
    """Return the time as its clock shows it."""
    compact = time["compact"] or ""
    hour = int(time["hour"] or time["oclock"] or compact[:2])
    minute, second = int(time["minute"] or compact[2:4] or 0), int(time["second"] or compact[4:] or 0)
    if time["half"]:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if time["half"] in "Pp" else 0)
    try:
        return datetime(
            day.year, day.month, day.day, hour, minute, second, int((time["fraction"] or "0").ljust(6, "0")[:6])
        )
    except ValueError:
        return None


def _offset(local: datetime, time: re.Match[str], zone: re.Match[str] | None, given: Conventions) -> timedelta | None:
    if zone is None:
        return offset_of(given.timezone, local)
    if zone["name"]:
        minutes = ZONES.get(zone["name"].upper())
        return None if minutes is None else timedelta(minutes=minutes)
    hours, minutes = int(zone["hours"]), int(zone["minutes"] or 0)
    # 10:00-11:00 is a stretch of time rather than an offset.
    is_stretch = zone["sign"] != "+" and not (time["t"] or time["second"] or (zone["space"] and not zone["colon"]))
    if hours > 14 or minutes > 59 or is_stretch:
        return None
    return timedelta(hours=hours, minutes=minutes) * (1 if zone["sign"] == "+" else -1)


def read_epoch(text: str) -> ReadValue | None:
    """Return the time that a text of digits counts, in seconds or, with 13 digits, in milliseconds since 1970."""
    match = _EPOCH.fullmatch(text)
    if match is None:
        return None
    fraction = (match["milli"] or match["fraction"] or "0").ljust(6, "0")[:6]
    moment = datetime(1970, 1, 1) + timedelta(seconds=int(match["seconds"]), microseconds=int(fraction))
    return ReadValue("timestamp", f"{moment.isoformat()}Z", 0, len(text))


def read_month(text: str) -> ReadValue | None:
    """Return the month that a text is, such as 2026-02; in a sentence it could be something else."""
    return ReadValue("timestamp", text, 0, len(text)) if _PERIOD.fullmatch(text) else None


def read_lengths(text: str) -> Iterator[ReadValue]:
    """Yield the lengths of time that are written without words: P1DT2H, 1:30:00, 2h30m."""
    matches = sorted(chain.from_iterable(form.finditer(text) for form in _LENGTHS), key=re.Match.start)
    end = 0
    for match in matches:
        parts = {name: Decimal(digits.replace(",", ".")) for name, digits in match.groupdict().items() if digits}
        if match.start() >= end and (len(parts) > 1 or (parts and text[match.start()] == "P")):
            end = match.end()
            seconds = sum((part * SECONDS[name] for name, part in parts.items()), Decimal()) / 1_000_000
            value = int(seconds) if seconds == int(seconds) else float(seconds)
            yield ReadValue("duration", value, match.start(), end, "s")
