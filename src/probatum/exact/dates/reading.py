"""Evaluates the sides of claims about dates: calls such as ``date(2024, 2, 29)``, spans, sums and differences.

Dates before the Gregorian calendar are written ``julian(...)`` or ``gregorian(...)``. Refuses dates that do not exist,
zones that the IANA database does not have, and sums of what does not go together.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from probatum.core.errors import NotAttemptedError
from probatum.exact.dates.calendars import DAY, WEEKDAYS
from probatum.exact.dates.values import MONTHS_OF, SECONDS, TYPE, DateConventions, DateValue, span
from probatum.exact.formulas import constant

SYNTAX: Final = "dates.syntax"
INVALID: Final = "dates.invalid"
_ZONE: Final = re.compile(r"UTC|(?!Etc/|SystemV/)[A-Z][A-Za-z]+(?:/[A-Z][A-Za-z_+-]+){1,2}")
"""A place, or UTC: abbreviations such as EST and CET have several meanings, localtime depends on the machine."""
_GREGORIAN: Final = (1582, 10, 15)
_OFFSET: Final = re.compile(r"(?P<sign>[+-])(?P<hours>[01][0-9]|2[0-3]):(?P<minutes>[0-5][0-9])")
_SPANS: Final = {f"{unit.replace(' ', '_')}s": unit for unit in (*SECONDS, *MONTHS_OF, "business day")}
_Arguments = list[DateValue | str]


class DateReader:
    """Gives expressions their values by one way of counting, and keeps which values were compared."""

    def __init__(self, conventions: DateConventions) -> None:
        self._conventions = conventions
        self._reckoning = conventions.reckoning
        self._functions: Mapping[str, Callable[[_Arguments], DateValue]] = {
            **dict.fromkeys(("date", "julian", "gregorian"), self._date),
            "datetime": self._time,
            "week_date": self._week_date,
            "in_zone": self._in_zone,
            "elapsed": self._elapsed,
            **dict.fromkeys(("complete_months", "complete_years"), self._complete),
            "business_days_in": self._business_days_in,
            "is_business_day": self._is_business_day,
            **dict.fromkeys(("weekday", "year", "month", "day", "quarter", "day_of_year"), self._part),
            **dict.fromkeys(("iso_week", "iso_year"), self._part),
            **dict.fromkeys(_SPANS, self._span),
        }
        self._called = ""

    def value(self, node: ast.expr) -> DateValue:
        """Return the value of an expression; raises NotAttemptedError and CannotDecideError."""
        match node:
            case ast.Constant(value=str() as name):
                if name.lower() not in WEEKDAYS:
                    raise NotAttemptedError(SYNTAX, f"{name[:40]!r} is not a day of the week.")
                return DateValue("weekday", Fraction(WEEKDAYS.index(name.lower())))
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
                return self._sum(self.value(left), self.value(right), 1 if isinstance(op, ast.Add) else -1)
            case ast.Call(func=ast.Name(id=name), args=args) if name in self._functions:
                arguments = [self._argument(each) for each in args]
                self._called = name
                return self._functions[name](arguments)
        number = constant(node)
        if isinstance(number, bool) or not isinstance(number, Fraction):
            sentence = f"{ast.unparse(node)[:80]!r} is not a date, time, span or number."
            raise NotAttemptedError(SYNTAX, sentence, f"There are {', '.join(self._functions)}.")
        return DateValue("number", number)

    def _argument(self, node: ast.expr) -> DateValue | str:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        return str(node.value) if is_text else self.value(node)  # type: ignore[attr-defined]  # a constant

    def _sum(self, one: DateValue, two: DateValue, sign: int) -> DateValue:
        is_time = one.kind in ("date", "local", "moment")
        if one.kind == two.kind and two.kind in ("duration", "months", "business days"):
            return DateValue(one.kind, one.amount + sign * two.amount, is_by_clock=one.is_by_clock or two.is_by_clock)
        if is_time and two.kind == "duration":
            unit = "day" if two.is_by_clock else "second"
            return self._conventions.added(one, sign * two.amount / SECONDS[unit], unit)
        if is_time and two.kind in ("months", "business days"):
            return self._conventions.added(one, sign * two.amount, two.kind.removesuffix("s"))
        if sign == -1 and is_time:
            return DateValue("duration", self._conventions.difference(two, one, by_clock=True))
        raise NotAttemptedError(TYPE, f"A {one.kind} and a {two.kind} have no such sum or difference.")

    def _elapsed(self, arguments: _Arguments) -> DateValue:
        """Return how much time passes from one time to another, whatever the clocks of their zones do meanwhile."""
        match arguments:
            case [DateValue() as one, DateValue() as two]:
                return DateValue("duration", self._conventions.difference(one, two, by_clock=False))
        raise NotAttemptedError(TYPE, "elapsed takes two dates or times.")

    def _numbers(self, arguments: _Arguments, least: int, most: int) -> list[Fraction]:
        found = [each.amount for each in arguments if isinstance(each, DateValue) and each.kind == "number"]
        if len(found) != len(arguments) or not least <= len(found) <= most:
            raise NotAttemptedError(TYPE, f"{self._called} takes {least} to {most} numbers.".replace("1 to 1", "1"))
        return found

    def _whole(self, arguments: _Arguments, least: int, most: int) -> list[int]:
        found = self._numbers(arguments, least, most)
        if any(each.denominator != 1 for each in found):
            raise NotAttemptedError(TYPE, f"{self._called} takes whole numbers.")
        return [int(each) for each in found]

    def _days(self, arguments: _Arguments, count: int) -> list[int]:
        """Return the days of so many dates or times."""
        values = [each for each in arguments if isinstance(each, DateValue)]
        if len(arguments) != count or len(values) != count:
            raise NotAttemptedError(TYPE, f"{self._called} takes {count} dates.".replace("1 dates", "a date"))
        return [self._conventions.day_of(each) for each in values]

    def _span(self, arguments: _Arguments) -> DateValue:
        (many,) = self._numbers(arguments, 1, 1)
        return span(many, _SPANS[self._called])

    def _date(self, arguments: _Arguments) -> DateValue:
        year, month, number = self._whole(arguments, 3, 3)
        if self._called == "date" and (year, month, number) < _GREGORIAN:
            sentence = "A date before 1582-10-15 says whether it is Julian or Gregorian."
            raise NotAttemptedError("dates.calendar_undeclared", sentence, "Write for example julian(1492, 10, 12).")
        count = self._reckoning.julian_day if self._called == "julian" else self._reckoning.day
        try:
            day = count(year, month, number)
        except (ValueError, OverflowError) as error:
            raise NotAttemptedError(INVALID, f"There is no date {year}-{month}-{number}.") from error
        self._conventions.date(day)
        return DateValue("date", Fraction(day))

    def _time(self, arguments: _Arguments) -> DateValue:
        """Read year, month, day, hour, minute, perhaps seconds, and perhaps a zone or an offset as text."""
        zone = arguments.pop() if arguments and isinstance(arguments[-1], str) else None
        numbers = self._numbers(arguments, 5, 6)
        self._called = "date"
        day = int(self._date(arguments[:3]).amount)
        hour, minute, second = (*numbers[3:], Fraction(0))[:3]
        is_whole = hour.denominator == minute.denominator == 1
        if not is_whole or not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 60):
            raise NotAttemptedError(INVALID, "There is no such time that is decided here.")
        local = DateValue("local", day * DAY + hour * 3600 + minute * 60 + second)
        if zone is None:
            return local
        match = _OFFSET.fullmatch(str(zone))
        if match is None:
            return self._conventions.moment(local, _zone(str(zone)))
        offset = (int(match["hours"]) * 60 + int(match["minutes"])) * (60 if match["sign"] == "+" else -60)
        return DateValue("moment", local.amount - offset, offset=offset)

    def _in_zone(self, arguments: _Arguments) -> DateValue:
        """Return what the clocks of a zone show at a moment."""
        match arguments:
            case [DateValue(kind="moment") as moment, str() as zone]:
                return self._conventions.wall(DateValue("moment", moment.amount, _zone(zone)))
        raise NotAttemptedError("dates.zone_missing", "in_zone takes a time with a zone, and the name of another zone.")

    def _week_date(self, arguments: _Arguments) -> DateValue:
        """Read year and week of ISO 8601, and 1 for Monday to 7 for Sunday."""
        year, week, weekday = self._whole(arguments, 3, 3)
        try:
            fourth = self._reckoning.day(year, 1, 4)
            monday = fourth - self._reckoning.weekday(fourth) + 7 * (week - 1)
            exists = self._reckoning.iso_week(monday) == (year, week) and 1 <= weekday <= 7
        except (ValueError, OverflowError):
            exists = False
        if not exists:
            raise NotAttemptedError(INVALID, f"There is no day {year}-W{week}-{weekday}.")
        return DateValue("date", Fraction(monday + weekday - 1))

    def _complete(self, arguments: _Arguments) -> DateValue:
        """Return how many whole months or years pass from a date to a later one; an age is counted so."""
        first, last = self._days(arguments, 2)
        if last < first:
            raise NotAttemptedError(TYPE, f"{self._called} takes an earlier and a later date.")
        months = self._conventions.complete_months(first, last)
        return DateValue("number", Fraction(months // 12 if self._called == "complete_years" else months))

    def _business_days_in(self, arguments: _Arguments) -> DateValue:
        """Return how many business days there are from a date on, before another one."""
        first, end = self._days(arguments, 2)
        if end < first:
            raise NotAttemptedError(TYPE, "business_days_in takes an earlier and a later date.")
        return DateValue("number", Fraction(self._conventions.business_days(first, end)))

    def _is_business_day(self, arguments: _Arguments) -> DateValue:
        (day,) = self._days(arguments, 1)
        return DateValue("truth", Fraction(self._conventions.working().has(day)))

    def _part(self, arguments: _Arguments) -> DateValue:
        part, (day,) = self._called, self._days(arguments, 1)
        if part == "weekday":
            return DateValue("weekday", Fraction(self._reckoning.weekday(day)))
        year, month, number = self._conventions.date(day)
        iso_year, iso_week = self._reckoning.iso_week(day)
        found = {
            **{"year": year, "month": month, "day": number, "quarter": (month + 2) // 3},
            **{"day_of_year": day - self._reckoning.day(year, 1, 1) + 1, "iso_week": iso_week, "iso_year": iso_year},
        }
        return DateValue("number", Fraction(found[part]))


def _zone(name: str) -> ZoneInfo:
    """Return a zone by its name in the IANA database; raises NotAttemptedError for another name."""
    try:
        if not _ZONE.fullmatch(name):
            raise ValueError(name)
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        sentence = f"{name[:40]!r} is not a zone of the IANA database that is known here."
        hint = "Write for example 'Europe/Berlin', 'UTC' or an offset such as '+01:00'."
        raise NotAttemptedError("dates.zone_unknown", sentence, hint) from error
