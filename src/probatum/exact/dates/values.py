"""What claims about dates speak of, and how it is computed: days, local times, moments, spans and numbers.

Everything is counted by one of two ways (`calendars`). What depends on a convention that is not declared is refused as
undecided: a day that its month does not have, a local time that the clocks of a zone skip or show twice, days of more
or less than 24 hours.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final
from zoneinfo import ZoneInfo

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.claim import CannotDecideError
from probatum.exact.dates.calendars import DAY, Reckoning, WorkingCalendar, shown_in

BEYOND: Final = "dates.beyond"
TYPE: Final = "dates.type"
BUSINESS_UNCLEAR: Final = "dates.business_day_unclear"
SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": DAY, "week": 7 * DAY}
MONTHS_OF: Final = {"month": 1, "quarter": 3, "year": 12}
_MAX_DAYS: Final = 40_000
"""Of business days that are counted one by one."""
_ZONE_YEARS: Final = (1970, 2037)


@dataclass(frozen=True, slots=True)
class DateValue:
    """A value of one kind: date, local, moment, duration, months, business days, number, truth or weekday."""

    kind: str
    amount: Fraction
    """Days of a date, seconds of a time or duration, 0 for Monday, 1 for what is true."""
    zone: ZoneInfo | None = None
    """Of a moment: where its clock stands; in UTC where it is None."""
    offset: int = 0
    """Of a moment without a zone: how far its clock is before UTC."""
    is_by_clock: bool = False
    """Of a duration: whether it is counted in days, after which a clock shows the same."""

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


def span(many: Fraction, unit: str) -> DateValue:
    """Return so many of a unit."""
    if unit in SECONDS:
        return DateValue("duration", many * SECONDS[unit], is_by_clock=SECONDS[unit] >= DAY)
    return DateValue("months" if unit in MONTHS_OF else "business days", many * MONTHS_OF.get(unit, 1))


@dataclass(frozen=True, slots=True)
class DateConventions:
    """How is counted, and what is declared."""

    reckoning: Reckoning
    calendar: WorkingCalendar | None = None
    month_end: str = ""
    """Which day stands for one that its month does not have: ``last``, ``next`` or undeclared."""

    def date(self, day: int) -> tuple[int, int, int]:
        """Return year, month and day of the month; raises CannotDecideError beyond the years 1 to 9999."""
        try:
            return self.reckoning.date(day)
        except (ValueError, OverflowError) as error:
            raise CannotDecideError(BEYOND, "A date lies beyond the years 1 to 9999.") from error

    def day_of(self, value: DateValue) -> int:
        """Return the day of a date or time, where it is."""
        day = int(value.amount if value.kind == "date" else self.wall(value).amount // DAY)
        self.date(day)
        return day

    def wall(self, value: DateValue) -> DateValue:
        """Return what the clock shows at a time."""
        if value.kind == "local":
            return value
        if value.kind != "moment":
            raise NotAttemptedError(TYPE, f"A date is due, and a {value.kind} is given.")
        if value.zone is None:
            return DateValue("local", value.amount + value.offset)
        whole = value.amount // 1
        self._require_known(int(whole))
        return DateValue("local", shown_in(int(whole), value.zone) + value.amount - whole)

    def moment(self, local: DateValue, zone: ZoneInfo) -> DateValue:
        """Return when the clock of a zone shows a local time; raises CannotDecideError for none and for two."""
        whole = local.amount // 1
        self._require_known(int(whole))
        found = self.reckoning.moments(int(whole), zone)
        if len(found) != 1:
            code, said = ("fold", "show this time twice") if found else ("gap", "skip this time")
            raise CannotDecideError(f"dates.zone_{code}", f"The clocks of {zone} {said}.")
        return DateValue("moment", found.pop() + local.amount - whole, zone)

    def _require_known(self, seconds: int) -> None:
        first, last = _ZONE_YEARS
        if not first <= self.date(seconds // DAY)[0] <= last:
            raise CannotDecideError(BEYOND, f"The clocks of a zone are known for the years {first} to {last}.")

    def difference(self, one: DateValue, two: DateValue, *, by_clock: bool) -> Fraction:
        """Return the seconds from one date or time to another; where days matter, they have to have 24 hours."""
        if one.kind != two.kind or one.kind not in ("date", "local", "moment"):
            code = "dates.zone_missing" if {one.kind, two.kind} == {"local", "moment"} else TYPE
            raise NotAttemptedError(code, f"A {one.kind} and a {two.kind} have no difference here.")
        seconds = (two.amount - one.amount) * (DAY if one.kind == "date" else 1)
        if by_clock and one.zone is not None and one.zone == two.zone:
            self._require_same(self.wall(two).amount - self.wall(one).amount, seconds)
        return seconds

    def _require_same(self, by_clock: Fraction, by_time: Fraction) -> None:
        if by_clock != by_time:
            raise CannotDecideError("dates.day_length", "The clocks change between, so that a day has not 24 hours.")

    def added(self, value: DateValue, many: Fraction, unit: str) -> DateValue:
        """Return a date or time and a span together."""
        if unit not in SECONDS:
            day, is_business = self.day_of(value), unit not in MONTHS_OF
            return self._shifted(
                value,
                self._business_day(day, many) if is_business else self.months_later(day, many * MONTHS_OF[unit]),
            )
        seconds = many * SECONDS[unit]
        if value.kind == "date" and (SECONDS[unit] < DAY or seconds % DAY):
            raise NotAttemptedError(TYPE, "A part of a day is added to a date, which has no time.")
        later = replace(value, amount=value.amount + (seconds / DAY if value.kind == "date" else seconds))
        self.day_of(later)
        if SECONDS[unit] >= DAY and value.zone is not None:
            wall = self.moment(DateValue("local", self.wall(value).amount + seconds), value.zone)
            self._require_same(wall.amount, later.amount)
        return later

    def _shifted(self, value: DateValue, day: int) -> DateValue:
        if value.kind == "date":
            return replace(value, amount=Fraction(day))
        later = DateValue("local", day * DAY + self.wall(value).amount % DAY)
        if value.kind == "local":
            return later
        return self.moment(later, value.zone) if value.zone else replace(value, amount=later.amount - value.offset)

    def months_later(self, day: int, many: Fraction) -> int:
        """Return the same day some months later; raises CannotDecideError where its month has none."""
        return self._declared(set(self.months_later_each(day, many)))

    def _declared(self, found: set[int]) -> int:
        if len(found) > 1:
            detail = "A month has no such day, and what stands for it is undeclared."
            raise CannotDecideError("dates.month_end", detail)
        return found.pop()

    def months_later_each(self, day: int, many: Fraction) -> tuple[int, ...]:
        """Return the same day some months later, with every convention that is left open."""
        if many.denominator != 1:
            raise NotAttemptedError(TYPE, "Months and years are added as whole ones.")
        year, month, number = self.date(day)
        count = year * 12 + month - 1 + int(many)
        if not 12 <= count < 9999 * 12:
            raise CannotDecideError(BEYOND, "A date lies beyond the years 1 to 9999.")
        first = self.reckoning.day(count // 12, count % 12 + 1, 1)
        following = self.reckoning.day((count + 1) // 12, (count + 1) % 12 + 1, 1)
        if first + number - 1 < following:
            return (first + number - 1,)
        each = {"last": (following - 1,), "next": (following,)}
        return each.get(self.month_end, (following - 1, following))

    def complete_months(self, first: int, last: int) -> int:
        """Return how many whole months pass from one day to a later one."""
        (one, month, _), (two, other, _) = self.date(first), self.date(last)
        most = (two - one) * 12 + other - month
        return self._declared({most - (each > last) for each in self.months_later_each(first, Fraction(most))})

    def working(self) -> WorkingCalendar:
        """Return the declared calendar; raises NotAttemptedError where there is none."""
        if self.calendar is None:
            hint = "Give the weekend, such as 'Saturday, Sunday', and the holidays."
            raise NotAttemptedError("dates.calendar_missing", "Business days need a declared calendar.", hint)
        return self.calendar

    def business_days(self, first: int, end: int) -> int:
        """Return how many business days there are from the first on, before the end."""
        if end - first > _MAX_DAYS:
            raise BudgetError("engine.out_of_budget", f"Business days are counted over at most {_MAX_DAYS:,} days.")
        return self.reckoning.business_days(first, end, self.working())

    def _business_day(self, day: int, many: Fraction) -> int:
        calendar = self.working()
        if many.denominator != 1 or abs(many) > _MAX_DAYS // 10:
            raise NotAttemptedError(TYPE, f"Business days are added as whole ones, up to {_MAX_DAYS // 10:,}.")
        if not calendar.has(day):
            raise CannotDecideError(BUSINESS_UNCLEAR, "The days are counted from one that is none of them.")
        step, left, found = (1 if many > 0 else -1), abs(int(many)), day
        while left:
            found += step
            left -= calendar.has(found)
            if abs(found - day) > _MAX_DAYS:
                raise BudgetError("engine.out_of_budget", f"No such business day lies within {_MAX_DAYS:,} days.")
        self.date(found)
        # Counted the other way, the days between have to be as many.
        low, high = (day, found) if many > 0 else (found + 1, day + 1)
        if self.business_days(low, high) != abs(many):
            raise ValueError("the business days are not as many")
        return found
