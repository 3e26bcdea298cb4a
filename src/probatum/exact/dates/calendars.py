"""How days are counted, in two ways that share nothing: one by Python's ``datetime``, one by formulas of its own.

Days are numbered from 1, the first of January of the year 1 in the Gregorian calendar, times by seconds from the day
before. A local time of a zone can be no moment (the clock skips it) or two (it is set back). Refuses days that do not
exist, by ValueError.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

DAY: Final = 86_400
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
MONTHS: Final = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_LENGTHS: Final = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_BEFORE_JULIAN_DAYS: Final = 1_721_425
"""The Julian day number of the day before day 1."""


@dataclass(frozen=True, slots=True)
class WorkingCalendar:
    """Which days are no business days: days of the week, 0 for Monday, and single days."""

    weekend: frozenset[int]
    holidays: frozenset[int]

    def has(self, day: int) -> bool:
        """Return whether a day is a business day."""
        return (day + 6) % 7 not in self.weekend and day not in self.holidays


class Reckoning:
    """Counts by Python's library, and business days one by one."""

    def day(self, year: int, month: int, number: int) -> int:
        """Return the day of a date."""
        return date(year, month, number).toordinal()

    def date(self, day: int) -> tuple[int, int, int]:
        """Return year, month and day of the month; raises ValueError or OverflowError beyond the years 1 to 9999."""
        found = date.fromordinal(day)
        return found.year, found.month, found.day

    def julian_day(self, year: int, month: int, number: int) -> int:
        """Return the day of a date of the Julian calendar."""
        lengths = _lengths(month, number, is_leap=year % 4 == 0)
        return 365 * (year - 1) + (year - 1) // 4 + sum(lengths[: month - 1]) + number - 2

    def weekday(self, day: int) -> int:
        """Return 0 for Monday to 6 for Sunday."""
        return date.fromordinal(day).weekday()

    def iso_week(self, day: int) -> tuple[int, int]:
        """Return the year and the number of the ISO week."""
        found = date.fromordinal(day).isocalendar()
        return found.year, found.week

    def moments(self, local: int, zone: ZoneInfo) -> set[int]:
        """Return the moments, in UTC, at which the clocks of a zone show a local time."""
        found = (_clock(local).replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        return {_seconds(each) for each in found if _seconds(each.astimezone(zone)) == local}

    def business_days(self, first: int, end: int, calendar: WorkingCalendar) -> int:
        """Return how many business days there are from the first day on, before the end."""
        return sum(calendar.has(day) for day in range(first, end))


class FormulaReckoning(Reckoning):
    """Counts by formulas, moments by trying every offset of the days around, business days by whole weeks."""

    def day(self, year: int, month: int, number: int) -> int:
        """See `Reckoning.day`; years begin in March here, so that a leap day is the last one (Hinnant)."""
        if not 1 <= year <= 9999:
            raise ValueError("there is no such year")
        _lengths(month, number, is_leap=year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))
        year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
        return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + number - 306

    def date(self, day: int) -> tuple[int, int, int]:
        """See `Reckoning.date`."""
        era, rest = divmod(day + 305, 146_097)
        of_era = (rest - rest // 1460 + rest // 36_524 - rest // 146_096) // 365
        of_year = rest - (365 * of_era + of_era // 4 - of_era // 100)
        shifted = (5 * of_year + 2) // 153
        month = shifted + 3 if shifted < 10 else shifted - 9
        year = of_era + era * 400 + (month <= 2)
        if not 1 <= year <= 9999:
            raise ValueError("the year is beyond 1 to 9999")
        return year, month, of_year - (153 * shifted + 2) // 5 + 1

    def julian_day(self, year: int, month: int, number: int) -> int:
        """See `Reckoning.julian_day`."""
        _lengths(month, number, is_leap=year % 4 == 0)
        early = (14 - month) // 12
        year, month = year + 4800 - early, month + 12 * early - 3
        return number + (153 * month + 2) // 5 + 365 * year + year // 4 - 32_083 - _BEFORE_JULIAN_DAYS

    def weekday(self, day: int) -> int:
        """See `Reckoning.weekday`; the table is Sakamoto's, and counts from Sunday."""
        year, month, number = self.date(day)
        year -= month < 3
        shift = (0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4)[month - 1]
        return (year + year // 4 - year // 100 + year // 400 + shift + number - 1) % 7

    def iso_week(self, day: int) -> tuple[int, int]:
        """See `Reckoning.iso_week`: a week belongs to the year of its Thursday."""
        thursday = day - self.weekday(day) + 3
        year = self.date(thursday)[0]
        return year, (thursday - self.day(year, 1, 1)) // 7 + 1

    def moments(self, local: int, zone: ZoneInfo) -> set[int]:
        """See `Reckoning.moments`."""
        around = range(local - 97_200, local + 97_201, 900)
        tried = {local - (shown_in(each, zone) - each) for each in around}
        return {each for each in tried if shown_in(each, zone) == local}

    def business_days(self, first: int, end: int, calendar: WorkingCalendar) -> int:
        """See `Reckoning.business_days`."""
        weeks, rest = divmod(end - first, 7)
        left = sum((first + each + 6) % 7 not in calendar.weekend for each in range(rest))
        days = (each for each in calendar.holidays if first <= each < end)
        taken = sum((each + 6) % 7 not in calendar.weekend for each in days)
        return weeks * (7 - len(calendar.weekend)) + left - taken


def shown_in(moment: int, zone: ZoneInfo) -> int:
    """Return what the clocks of a zone show at a moment."""
    return _seconds(_clock(moment).replace(tzinfo=UTC).astimezone(zone))


def _clock(seconds: int) -> datetime:
    return datetime.min + timedelta(days=seconds // DAY - 1, seconds=seconds % DAY)


def _seconds(shown: datetime) -> int:
    return shown.toordinal() * DAY + shown.hour * 3600 + shown.minute * 60 + shown.second


def _lengths(month: int, number: int, *, is_leap: bool) -> tuple[int, ...]:
    """Return how long the months are; raises ValueError where this one has no such day."""
    lengths = (31, 29 if is_leap else 28, *_LENGTHS[2:])
    if not 1 <= month <= 12 or not 1 <= number <= lengths[month - 1]:
        raise ValueError("there is no such day")
    return lengths
