"""Reads dates, times, spans, intervals and what is asked of them, and gives their values.

A date is ``2024-02-29``, ``29 February 2024`` or ``February 29, 2024``; the order in ``02/03/2024`` is not guessed.
Before the Gregorian calendar a date says which calendar it is of. Refuses dates that do not exist, and abbreviations of
zones, which stand for several.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import CannotDecideError, unreadable
from probatum.exact.dates.calendars import DAY, MONTHS, WEEKDAYS
from probatum.exact.dates.values import (
    BUSINESS_UNCLEAR,
    MONTHS_OF,
    SECONDS,
    TYPE,
    UNCLEAR,
    DateConventions,
    DateValue,
    span,
)

SYNTAX: Final = "dates.syntax"
INVALID: Final = "dates.invalid"
_UNDECLARED: Final = "dates.calendar_undeclared"
_GREGORIAN: Final = (1582, 10, 15)
_MONTH: Final = "|".join(f"{each[:3]}(?:{each[3:]})?" if each[3:] else each for each in MONTHS)
_WEEKDAY: Final = "|".join(WEEKDAYS)
_UNIT: Final = "second|minute|hour|day|week|month|quarter|year|(?:business|working) day"
_ZONE: Final = "[A-Z][A-Za-z_]+/[A-Za-z0-9_/+-]+|UTC"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)


_DATE: Final = _pattern(
    r"(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})(?![0-9-])"
    rf"|(?P<d2>[0-9]{{1,2}})(?:st|nd|rd|th)? (?P<m2>{_MONTH})\.?,? (?P<y2>[0-9]{{4}})(?![0-9])"
    rf"|(?P<m3>{_MONTH})\.? (?P<d3>[0-9]{{1,2}})(?:st|nd|rd|th)?,? (?P<y3>[0-9]{{4}})(?![0-9])"
)
_TIME: Final = re.compile(
    r"[T ](?P<hour>[0-9]{2}):(?P<minute>[0-9]{2})(?::(?P<second>[0-9]{2}(?:\.[0-9]{1,9})?))?(?![0-9:.])"
    r"(?: ?(?P<utc>Z)(?![A-Za-z])| ?(?P<offset>[+−-][0-9]{2}:?[0-9]{2})(?![0-9:-])"
    rf"| ?\[(?P<zone>{_ZONE})\]| (?P<zone2>{_ZONE})(?![A-Za-z]))?"
)
_CALENDAR: Final = _pattern(" (?P<name>Julian|Gregorian)(?![A-Za-z])")
_IN_ZONE: Final = re.compile(f" in (?P<zone>{_ZONE})")
_WRITTEN: Final = r"(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.[0-9]+)?"
_SPAN: Final = _pattern(rf"(?P<many>{_WRITTEN}) (?P<unit>{_UNIT})s?(?![A-Za-z])")
_NUMBER: Final = re.compile(rf"(?P<number>[-−]?{_WRITTEN})(?![0-9.:/-])")
_BETWEEN: Final = _pattern(
    rf"(?:the )?(?:number of )?(?P<complete>complete |full |whole )?(?P<unit>{_UNIT})s (?P<word>between|from) "
)
_COUNTED_IN: Final = _pattern(r"(?:the )?(?:number of )?(?P<unit>(?:(?:business|working) )?day)s in (?=\[)")
_INCLUSIVE: Final = _pattern(r",? \(?inclusive\)?")
_AGE: Final = _pattern(r"(?:the )?age (?:of (?:someone|a person) born (?:on )?|of |if born (?:on )?)")
_PART: Final = _pattern(
    r"(?:the )?(?P<part>iso week(?: number)?|day of (?:the )?year|weekday|day of (?:the )?week|quarter|month|year) of "
)
_DAYS_IN: Final = _pattern(rf"(?:the )?(?:number of )?days in (?:(?P<month>{_MONTH}) )?(?P<year>[0-9]{{4}})")
_OF_MONTH: Final = _pattern(
    rf"(?:the )?(?P<which>first|second|third|fourth|fifth|last) (?P<weekday>{_WEEKDAY}|day) (?:of|in) "
    rf"(?P<month>{_MONTH}) (?P<year>[0-9]{{4}})"
)
_WEEK: Final = re.compile(r"(?P<year>[0-9]{4})-?W(?P<week>[0-9]{2})(?:-?(?P<day>[1-7]))?(?![0-9-])")
_WEEKDAY_NAME: Final = _pattern(rf"(?:an? )?(?P<name>{_WEEKDAY})(?![A-Za-z])")
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth")


@dataclass(frozen=True, slots=True)
class DateInterval:
    """An interval; its end as a pair that is larger where the end belongs to it."""

    first: DateValue
    last: DateValue
    end: tuple[Fraction, int]


class DateReader:
    """Reads one text, whose spaces are single, from left to right."""

    def __init__(self, text: str, conventions: DateConventions) -> None:
        self.text = text
        self.conventions = conventions
        self.place = 0

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Take what a pattern matches at this place."""
        match = pattern.match(self.text, self.place)
        if match is not None:
            self.place = match.end()
        return match

    def accept(self, *words: str) -> str:
        """Take the first of these texts that stands here, in small or large letters; return it, or nothing."""
        for each in words:
            if self.text[self.place : self.place + len(each)].lower() == each:
                self.place += len(each)
                return each
        return ""

    def problem(self, sentence: str) -> NotAttemptedError:
        """Return the error about this place."""
        return unreadable(SYNTAX, self.text, self.place, sentence)

    def require(self, *words: str) -> str:
        """Take one of these texts; raises where none stands here."""
        found = self.accept(*words)
        if not found:
            raise self.problem(f"{' or '.join(each.strip() for each in words)!r} is expected")
        return found

    def value(self) -> DateValue:
        """Read a value and what is added to it or taken from it."""
        start = self.place
        total = self._one()
        is_shifted = _SPAN.match(self.text, start) and total.kind != "duration"
        while sign := self.accept(" + ", " - ", " − "):
            if is_shifted:
                raise self.problem("It is unclear what is added first")
            direction, match = (1 if sign == " + " else -1), self.take(_SPAN)
            if match is not None and total.kind == "duration":
                total = DateValue("duration", total.amount + direction * self._span(match).amount)
            elif match is not None:
                total = self.conventions.added(total, direction * _many(match), _unit(match))
            elif direction == 1:
                raise self.problem("A span such as '3 days' is added to a date or time")
            else:
                total = DateValue("duration", self.conventions.difference(self._one(), total, by_clock=True))
        zone = self.take(_IN_ZONE)
        if zone is not None:
            if total.kind != "moment":
                raise NotAttemptedError("dates.zone_missing", "A time with a zone or an offset is due before 'in'.")
            total = self.conventions.wall(DateValue("moment", total.amount, _zone(zone["zone"])))
        return total

    def interval(self) -> DateInterval:
        """Read ``[`` first ``,`` last and ``]`` or ``)``."""
        self.require("[")
        first = self.value()
        self.require(", ", ",")
        last = self.value()
        is_closed = self.require("]", ")") == "]"
        if first.kind != last.kind or first.kind not in ("date", "local", "moment"):
            raise NotAttemptedError(TYPE, "An interval is one of dates or of times.")
        # A date that belongs to an interval does so up to the next one.
        end = (last.amount + 1, 0) if is_closed and last.kind == "date" else (last.amount, int(is_closed))
        if end <= (first.amount, 0):
            raise NotAttemptedError(INVALID, "The interval is empty: it ends before it begins.")
        return DateInterval(first, last, end)

    def _one(self) -> DateValue:
        for pattern, read in (
            (_BETWEEN, self._between),
            (_COUNTED_IN, self._counted_in),
            (_AGE, self._age),
            (_DAYS_IN, self._days_in),
            (_OF_MONTH, self._of_month),
            (_PART, self._part),
            (_SPAN, self._span),
            (_DATE, self._date),
            (_WEEK, self._week),
            (_WEEKDAY_NAME, lambda match: DateValue("weekday", Fraction(WEEKDAYS.index(match["name"].lower())))),
            (_NUMBER, lambda match: DateValue("number", _written(match["number"]))),
        ):
            match = self.take(pattern)
            if match is not None:
                return read(match)
        raise self.problem("No date, time, span or number is found")

    def _span(self, match: re.Match[str]) -> DateValue:
        if word := self.accept(" after ", " from ", " before "):
            many = _many(match) * (-1 if word == " before " else 1)
            return self.conventions.added(self._one(), many, _unit(match))
        return span(_many(match), _unit(match))

    def _date(self, match: re.Match[str]) -> DateValue:
        year, month, number = (match[key] or match[f"{key}2"] or match[f"{key}3"] for key in "ymd")
        named = (int(year), int(month) if month.isdigit() else _month(month), int(number))
        calendar = self.take(_CALENDAR)
        if calendar is None and named < _GREGORIAN:
            sentence = "A date before 1582-10-15 says whether it is Julian or Gregorian."
            raise NotAttemptedError(_UNDECLARED, sentence, "Write for example '1492-10-12 Julian'.")
        reckoning = self.conventions.reckoning
        count = reckoning.julian_day if calendar and calendar["name"].lower() == "julian" else reckoning.day
        try:
            day = count(*named)
        except ValueError as error:
            raise NotAttemptedError(INVALID, f"There is no date {match.group()[:40]!r}.") from error
        self.conventions.date(day)
        time = self.take(_TIME)
        return self._time(day, time) if time else DateValue("date", Fraction(day))

    def _time(self, day: int, match: re.Match[str]) -> DateValue:
        hour, minute, second = int(match["hour"]), int(match["minute"]), Fraction(match["second"] or 0)
        if hour > 23 or minute > 59 or second >= 60:
            raise NotAttemptedError(INVALID, f"There is no time {match.group().strip()[:40]!r} that is decided here.")
        local = DateValue("local", day * DAY + hour * 3600 + minute * 60 + second)
        if match["utc"]:
            return DateValue("moment", local.amount)
        if match["offset"]:
            hours, minutes = int(match["offset"][1:3]), int(match["offset"][-2:])
            if hours > 23 or minutes > 59:
                raise NotAttemptedError(INVALID, f"There is no offset {match['offset']!r}.")
            offset = (hours * 60 + minutes) * (60 if match["offset"][0] == "+" else -60)
            return DateValue("moment", local.amount - offset, offset=offset)
        zone = match["zone"] or match["zone2"]
        return self.conventions.moment(local, _zone(zone)) if zone else local

    def _week(self, match: re.Match[str]) -> DateValue:
        year, week, reckoning = int(match["year"]), int(match["week"]), self.conventions.reckoning
        try:
            fourth = reckoning.day(year, 1, 4)
            monday = fourth - reckoning.weekday(fourth) + 7 * (week - 1)
            exists = reckoning.iso_week(monday) == (year, week)
        except (ValueError, OverflowError):
            exists = False
        if not exists:
            raise NotAttemptedError(INVALID, f"There is no week {match.group()!r}.")
        if match["day"]:
            return DateValue("date", Fraction(monday + int(match["day"]) - 1))
        return DateValue("week", Fraction(year * 100 + week))

    def _between(self, match: re.Match[str]) -> DateValue:
        unit, one, is_between = _unit(match), self.value(), match["word"].lower() == "between"
        self.require(" and " if is_between else " to ")
        two = self.value()
        is_inclusive = self.take(_INCLUSIVE) is not None
        seconds = self.conventions.difference(one, two, by_clock=SECONDS.get(unit, 0) >= DAY)
        if is_between and seconds < 0:
            one, two, seconds = two, one, -seconds
        is_plain = unit == "day" and not match["complete"] and not is_inclusive
        if (seconds < 0 and not is_plain) or (one.kind != "date" and (unit not in SECONDS or is_inclusive)):
            raise NotAttemptedError(TYPE, f"The {unit}s are counted from an earlier to a later date.")
        if one.kind == "date" and SECONDS.get(unit, DAY) < DAY:
            raise NotAttemptedError(TYPE, f"Dates have no time, so that the {unit}s between them are not counted.")
        if is_inclusive and unit not in ("day", "business day"):
            raise NotAttemptedError(TYPE, "Days alone are counted inclusive.")
        if unit == "business day":
            return _counted(self._business_days(int(one.amount), int(two.amount), is_inclusive=is_inclusive), unit)
        if unit in MONTHS_OF:
            months, first, last = MONTHS_OF[unit], int(one.amount), int(two.amount)
            count = Fraction(self.conventions.complete_months(first, last, months))
            is_whole = last in self.conventions.months_later_each(first, count * months)
        else:
            exact = seconds / SECONDS[unit] + is_inclusive
            is_whole = exact.denominator == 1
            count = Fraction(exact // 1) if match["complete"] else exact
        if not is_whole and not match["complete"] and SECONDS.get(unit, DAY) >= DAY:
            raise CannotDecideError(UNCLEAR, f"These are no whole {unit}s; say 'complete {unit}s'.")
        return _counted(Fraction(count), unit)

    def _business_days(self, first: int, last: int, *, is_inclusive: bool) -> Fraction:
        count = self.conventions.business_days
        found = {count(first, last + 1)}
        if not is_inclusive:
            found |= {count(first, last), count(first + 1, last + 1)}
        if len(found) > 1:
            detail = "It depends on which end is counted; say 'inclusive' behind it, or 'business days in [A, B)'."
            raise CannotDecideError(BUSINESS_UNCLEAR, detail)
        return Fraction(found.pop())

    def _counted_in(self, match: re.Match[str]) -> DateValue:
        unit, interval = _unit(match), self.interval()
        if interval.first.kind != "date":
            raise NotAttemptedError(TYPE, "Days are counted in an interval of dates.")
        first, end = int(interval.first.amount), int(interval.end[0])
        return _counted(Fraction(end - first if unit == "day" else self.conventions.business_days(first, end)), unit)

    def _age(self, _match: re.Match[str]) -> DateValue:
        born = self._one()
        self.require(" on ")
        on = self._one()
        if born.kind != "date" or on.kind != "date" or on.amount < born.amount:
            raise NotAttemptedError(TYPE, "An age is that on a date that is not before the birth.")
        return _counted(Fraction(self.conventions.complete_months(int(born.amount), int(on.amount), 12)), "year")

    def _days_in(self, match: re.Match[str]) -> DateValue:
        first = self._first(match)
        end = self.conventions.months_later(first, Fraction(1 if match["month"] else 12))
        return _counted(Fraction(end - first), "day")

    def _first(self, match: re.Match[str]) -> int:
        """Return the first day of a month or year that is named."""
        year = int(match["year"])
        if year <= _GREGORIAN[0]:
            raise NotAttemptedError(_UNDECLARED, "Months and years up to 1582 are of several calendars.")
        return self.conventions.reckoning.day(year, _month(match["month"]) if match["month"] else 1, 1)

    def _of_month(self, match: re.Match[str]) -> DateValue:
        first, which, name = self._first(match), match["which"].lower(), match["weekday"].lower()
        weekday = self.conventions.reckoning.weekday
        days = range(first, self.conventions.months_later(first, Fraction(1)))
        found = [day for day in days if name == "day" or weekday(day) == WEEKDAYS.index(name)]
        place = -1 if which == "last" else _ORDINALS.index(which)
        if place >= len(found):
            raise NotAttemptedError(INVALID, f"There is no {which} {name} in that month.")
        return DateValue("date", Fraction(found[place]))

    def _part(self, match: re.Match[str]) -> DateValue:
        part = match["part"].lower().replace("the ", "")
        day, reckoning = self.conventions.day_of(self._one()), self.conventions.reckoning
        year, month, _ = self.conventions.date(day)
        if part in ("weekday", "day of week"):
            return DateValue("weekday", Fraction(reckoning.weekday(day)))
        if part.startswith("iso week"):
            own, week = reckoning.iso_week(day)
            return DateValue("week", Fraction(own * 100 + week))
        found = {"day of year": day - reckoning.day(year, 1, 1) + 1, "quarter": (month + 2) // 3}
        return DateValue("number", Fraction({**found, "month": month, "year": year}[part]))


def _counted(count: Fraction, unit: str) -> DateValue:
    return DateValue("number", count, unit=unit)


def _written(number: str) -> Fraction:
    return Fraction(number.replace("−", "-").replace(",", ""))


def _many(match: re.Match[str]) -> Fraction:
    return _written(match["many"])


def _unit(match: re.Match[str]) -> str:
    return match["unit"].lower().replace("working", "business")


def _month(name: str) -> int:
    return next(at for at, each in enumerate(MONTHS, start=1) if each.startswith(name.lower()[:3]))


def _zone(name: str) -> ZoneInfo:
    """Return a zone by its name in the IANA database; raises NotAttemptedError for another name."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        sentence = f"{name[:40]!r} is no zone of the IANA database that is known here."
        hint = "Write for example 'Europe/Berlin', 'UTC' or an offset such as '+01:00'."
        raise NotAttemptedError("dates.zone_unknown", sentence, hint) from error
