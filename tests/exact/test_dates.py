"""Claims about dates, times, intervals and business days."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.frozen import thaw
from probatum.exact import check
from probatum.exact.dates.calendars import FormulaReckoning, Reckoning, WorkingCalendar
from tests.exact.claims import (
    ANSWERS,
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

Inputs = dict[str, object]
PLAIN: Inputs = {}
HOLIDAYS: Inputs = {"holiday": ["2024-07-04", "2024-12-25"], "weekend": "Sat, Sun"}
ONLY_HOLIDAYS: Inputs = {"holiday": ["2024-07-04"]}
ONLY_WEEKEND: Inputs = {"weekend": ["Saturday", "Sunday"]}
LAST: Inputs = {"month_end": "last"}
NEXT: Inputs = {"month_end": "next"}
TRUE: list[tuple[str, Inputs]] = [
    ("2024-01-31 is a Wednesday", PLAIN),
    ("2024-01-31 is not a Thursday.", PLAIN),
    ("31 January 2024 falls on Wednesday", PLAIN),
    ("the weekday of Jan 31, 2024 is Wednesday", PLAIN),
    ("days between 2024-02-28 and 2024-03-01 = 2", PLAIN),
    ("days between 2024-03-01 and 2024-02-28 = 2", PLAIN),
    ("days from 2024-02-28 to 2024-03-01 = 2", PLAIN),
    ("the number of days between 2024-01-01 and 2024-01-31 inclusive is 31", PLAIN),
    ("weeks between 2024-01-01 and 2024-01-15 = 2", PLAIN),
    ("months between 2024-01-15 and 2024-03-15 = 2", PLAIN),
    ("complete months between 2024-01-15 and 2024-03-14 = 1", PLAIN),
    ("complete years between 2000-06-02 and 2024-06-01 = 23", PLAIN),
    ("2024-02-28 + 2 days = 2024-03-01", PLAIN),
    ("2024-03-01 - 2024-02-28 = 2 days", PLAIN),
    ("2024-01-15 + 1 month - 1 day < 2024-02-15", PLAIN),
    ("3 days after 2024-02-28 is 2024-03-02", PLAIN),
    ("2 weeks before March 15, 2024 = 2024-03-01", PLAIN),
    ("2 days + 3 hours = 51 hours", PLAIN),
    ("2024-02-29 + 1 year = 2025-02-28", LAST),
    ("2024-02-29 + 1 year = 2025-03-01", NEXT),
    ("2024-01-31 + 1 month = 2024-02-29", LAST),
    ("2024-02-29 + 4 years = 2028-02-29", PLAIN),
    ("2024 is a leap year", PLAIN),
    ("1900 is not a leap year", PLAIN),
    ("days in February 2024 = 29", PLAIN),
    ("days in 2023 = 365", PLAIN),
    ("last day of February 2023 = 2023-02-28", PLAIN),
    ("third Friday of March 2024 = 2024-03-15", PLAIN),
    ("last Monday in May 2024 is 2024-05-27", PLAIN),
    ("day of the year of 2024-12-31 = 366", PLAIN),
    ("quarter of 2024-05-01 = 2", PLAIN),
    ("ISO week of 2024-12-30 = 2025-W01", PLAIN),
    ("ISO week of 2024-12-30 = 1", PLAIN),
    ("2024-W05-3 = 2024-01-31", PLAIN),
    ("age of 2000-06-02 on 2024-06-01 = 23", PLAIN),
    ("someone born on 2000-02-29 is 23 years old on 2023-03-01", PLAIN),
    ("age of 2000-02-29 on 2023-02-28 = 23", LAST),
    ("age of 2000-02-29 on 2023-02-28 = 22", NEXT),
    ("2024-01-01 is before 2024-01-02", PLAIN),
    ("2024-01-01 is on or after 2024-01-01", PLAIN),
    ("2024-01-01 < 2024-01-02 <= 2024-01-02", PLAIN),
    ("2024-01-15 is between 2024-01-01 and 2024-01-31", PLAIN),
    ("[2024-01-01, 2024-01-31] overlaps [2024-01-31, 2024-02-10]", PLAIN),
    ("[2024-01-01, 2024-01-31) does not overlap [2024-01-31, 2024-02-10]", PLAIN),
    ("[2024-01-01, 2024-01-31] contains [2024-01-15, 2024-01-31)", PLAIN),
    ("[2024-01-01, 2024-01-31] contains 2024-01-31", PLAIN),
    ("[2024-01-01, 2024-01-31) is before [2024-01-31, 2024-02-03]", PLAIN),
    ("[2024-01-01T09:00Z, 2024-01-01T10:00Z) does not contain 2024-01-01T10:00Z", PLAIN),
    ("business days between 2024-07-04 and 2024-07-07 = 1", HOLIDAYS),
    ("business days in [2024-07-01, 2024-07-08) = 4", HOLIDAYS),
    ("working days in [2024-07-01, 2024-07-05] is 4 business days", HOLIDAYS),
    ("2024-07-04 is a business day", ONLY_WEEKEND),
    ("business days between 2024-07-01 and 2024-07-06 inclusive = 4", HOLIDAYS),
    ("2024-07-03 + 1 business day = 2024-07-05", HOLIDAYS),
    ("2024-07-05 - 1 working day = 2024-07-03", HOLIDAYS),
    ("2024-07-04 is not a business day", HOLIDAYS),
    ("2024-07-05 is a weekend day", {"weekend": "Friday, Saturday"}),
    ("2024-07-06 is a business day", {"weekend": "none"}),
    ("1582-10-04 Julian + 1 day = 1582-10-15", PLAIN),
    ("1492-10-12 Julian is a Friday", PLAIN),
    ("1700-02-29 Julian = 1700-03-11", PLAIN),
    ("2024-01-01T12:00Z = 2024-01-01T13:00+01:00", PLAIN),
    ("2024-01-01T12:00 America/New_York = 2024-01-01T18:00[Europe/Berlin]", PLAIN),
    ("2024-01-01T12:00 America/New_York in Europe/Berlin = 2024-01-01T18:00", PLAIN),
    ("2024-03-09T12:00 America/New_York + 24 hours = 2024-03-10T13:00 America/New_York", PLAIN),
    ("hours between 2024-03-09T12:00 America/New_York and 2024-03-10T12:00 America/New_York = 23", PLAIN),
    ("2024-05-01T12:00 Europe/Berlin + 1 day = 2024-05-02T12:00 Europe/Berlin", PLAIN),
    ("2024-11-03T05:30Z in America/New_York = 2024-11-03T01:30", PLAIN),
    ("2024-01-31 23:30 is a Wednesday", PLAIN),
    ("2024-01-31 was a Wednesday", PLAIN),
    ("July 4, 1776 fell on a Thursday", PLAIN),
    ("days between 2020-01-01 and 2024-01-01 = 1,461", PLAIN),
    ("days between 2024-02-28 and 2024-03-01 is 2 days", PLAIN),
    ("weeks between 2024-01-01 and 2024-01-15 = 14 days", PLAIN),
    ("age of 2000-06-02 on 2024-06-01 is 23 years", PLAIN),
    ("complete weeks between 2024-01-01 and 2024-01-14 = 1", PLAIN),
    ("1 year = 12 months", PLAIN),
    ("days in [2024-02-01, 2024-03-01) = 29", PLAIN),
    ("[2024-01-01, 2024-01-31] contains [2024-01-15, 2024-02-01)", PLAIN),
    ("[2024-01-01T09:00, 2024-01-01T10:00] overlaps [2024-01-01T10:00, 2024-01-01T11:00)", PLAIN),
    ("2024-03-09T12:00 America/New_York + 1 month = 2024-04-09T12:00 America/New_York", PLAIN),
    ("2024-01-31T23:30-08:00 is a Wednesday", PLAIN),
    ("2024-01-31T12:00 + 1 month = 2024-02-29T12:00", LAST),
    ("minutes between 2024-01-31 23:30:30 and 2024-02-01 00:00 = 29.5", PLAIN),
]
FALSE: list[tuple[str, Inputs]] = [
    ("2024-01-31 is a Tuesday", PLAIN),
    ("days between 2024-02-28 and 2024-03-01 = 1", PLAIN),
    ("2023-02-28 + 2 days = 2023-03-01", PLAIN),
    ("1900 is a leap year", PLAIN),
    ("2000 is not a leap year", PLAIN),
    ("2024-02-29 + 1 year = 2025-03-01", LAST),
    ("ISO week of 2024-12-30 = 2024-W52", PLAIN),
    ("age of 2000-06-02 on 2024-06-01 = 24", PLAIN),
    ("[2024-01-01, 2024-01-31] contains [2024-01-15, 2024-02-01]", PLAIN),
    ("[2024-01-01, 2024-01-31] is before [2024-01-31, 2024-02-01]", PLAIN),
    ("2024-01-01 is after 2024-01-02", PLAIN),
    ("2024-01-01 is between 2024-01-02 and 2024-01-05", PLAIN),
    ("days between 2024-02-28 and 2024-03-01 = 3 days", PLAIN),
    ("2024-W05-4 = 2024-01-31", PLAIN),
    ("1900-02-28 + 1 day = 1900-02-29 Julian", PLAIN),
    ("ISO week of 2021-01-01 = 2021-W01", PLAIN),
    ("someone born on 2000-06-02 is 24 years old on 2024-06-01", PLAIN),
    ("business days in [2024-07-01, 2024-07-08) = 5", HOLIDAYS),
    ("2024-07-04 is a business day", HOLIDAYS),
    ("2024-01-01T12:00Z = 2024-01-01T12:00+01:00", PLAIN),
    ("2024-07-01T12:00 America/New_York = 2024-07-01T17:00Z", PLAIN),
]
OPEN: list[tuple[str, Inputs, object, str]] = [
    ("2024-02-29 + 1 year = 2025-02-28", PLAIN, UNDECIDED, "dates.month_end"),
    ("2024-01-31 + 1 month + 1 day = 2024-03-01", PLAIN, UNDECIDED, "dates.month_end"),
    ("age of 2000-02-29 on 2023-02-28 = 22", PLAIN, UNDECIDED, "dates.month_end"),
    ("months between 2024-01-15 and 2024-03-16 = 2", PLAIN, UNDECIDED, "dates.unit_unclear"),
    ("2024-01-31 is between 2024-01-01 and 2024-01-31", PLAIN, UNDECIDED, "dates.unit_unclear"),
    ("2024-01-15 is between 2024-01-31 and 2024-01-01", PLAIN, UNDECIDED, "dates.unit_unclear"),
    ("weeks between 2024-01-01 and 2024-01-14 = 1", PLAIN, UNDECIDED, "dates.unit_unclear"),
    ("days between 2024-01-01 23:00 and 2024-01-02 01:00 = 1", PLAIN, UNDECIDED, "dates.unit_unclear"),
    ("business days between 2024-07-01 and 2024-07-08 = 4", HOLIDAYS, UNDECIDED, "dates.business_day_unclear"),
    ("0001-01-01 Gregorian - 1 day = 0001-01-01 Gregorian", PLAIN, UNDECIDED, "dates.beyond"),
    ("2024-01-01T00:00 + 99999999999 days is a Monday", PLAIN, UNDECIDED, "dates.beyond"),
    ("9999-12-31T23:00-12:00 + 1 hour is a Monday", PLAIN, UNDECIDED, "dates.beyond"),
    (
        "2024-03-10T12:00 America/New_York - 2024-03-09T12:00 America/New_York = 1 day",
        PLAIN,
        UNDECIDED,
        "dates.day_length",
    ),
    ("business days between 2024-07-01 and 2024-07-06 = 4", HOLIDAYS, UNDECIDED, "dates.business_day_unclear"),
    ("2024-07-06 + 1 business day = 2024-07-08", HOLIDAYS, UNDECIDED, "dates.business_day_unclear"),
    ("2024-03-10T02:30 America/New_York = 2024-03-10T07:30Z", PLAIN, UNDECIDED, "dates.zone_gap"),
    ("2024-11-03T01:30 America/New_York = 2024-11-03T05:30Z", PLAIN, UNDECIDED, "dates.zone_fold"),
    (
        "2024-03-09T12:00 America/New_York + 1 day = 2024-03-10T12:00 America/New_York",
        PLAIN,
        UNDECIDED,
        "dates.day_length",
    ),
    ("2099-06-01T12:00 Europe/Berlin = 2099-06-01T10:00Z", PLAIN, UNDECIDED, "dates.beyond"),
    ("9999-12-31 + 1 day = 9999-12-31", PLAIN, UNDECIDED, "dates.beyond"),
    ("2024-01-01 + 99999999999 years = 2024-01-01", PLAIN, UNDECIDED, "dates.beyond"),
    (
        "2024-01-02 + 4000 business days = 2024-01-01",
        {"weekend": "Monday, Wednesday, Thursday, Friday, Saturday, Sunday"},
        REFUTED,
        "dates.fails",
    ),
    ("business days between 1900-01-01 and 2024-01-01 = 1", HOLIDAYS, UNDECIDED, "engine.out_of_budget"),
    ("2024-01-01 = " + "2024-01-01 + 1 day" * 40, PLAIN, UNDECIDED, "engine.too_large"),
    ("2023-02-29 is a Monday", PLAIN, BLOCKED, "dates.invalid"),
    ("2024-02-30 = 2024-03-01", PLAIN, BLOCKED, "dates.invalid"),
    ("2024-13-01 is a Monday", PLAIN, BLOCKED, "dates.invalid"),
    ("2024-00-01 Julian is a Monday", PLAIN, BLOCKED, "dates.invalid"),
    ("2023-W53 = 2023-W53", PLAIN, BLOCKED, "dates.invalid"),
    ("fifth Monday of February 2024 = 2024-02-29", PLAIN, BLOCKED, "dates.invalid"),
    ("2024-01-01T25:00Z = 2024-01-02T01:00Z", PLAIN, BLOCKED, "dates.invalid"),
    ("2016-12-31T23:59:60Z = 2017-01-01T00:00Z", PLAIN, BLOCKED, "dates.invalid"),
    ("[2024-02-01, 2024-01-01] contains 2024-01-15", PLAIN, BLOCKED, "dates.invalid"),
    ("1492-10-12 is a Friday", PLAIN, BLOCKED, "dates.calendar_undeclared"),
    ("2024-07-05 is a business day", PLAIN, BLOCKED, "dates.calendar_missing"),
    ("2024-07-05 is a business day", ONLY_HOLIDAYS, BLOCKED, "dates.calendar_missing"),
    ("2024-12-25 is a holiday", ONLY_WEEKEND, BLOCKED, "dates.syntax"),
    ("1 month after 2024-01-30 + 1 day = 2024-03-01", LAST, BLOCKED, "dates.syntax"),
    ("days between 2024-01-01 and 2024-01-01 exclusive = 0", PLAIN, BLOCKED, "dates.syntax"),
    ("days from 2024-01-01 to 2024-01-02,5 = 1", PLAIN, BLOCKED, "dates.syntax"),
    ("days from 2024-01-02 to 2024-01-01 inclusive = 0", PLAIN, BLOCKED, "dates.type"),
    ("days between 2024-01-01 and 2024-01-15 = weeks between 2024-01-01 and 2024-01-15", PLAIN, BLOCKED, "dates.type"),
    ("2024-01-01 + 1,5 days = 2024-01-16", PLAIN, BLOCKED, "dates.syntax"),
    ("2024-07-05 is a business day", {"holiday": ["soon"]}, BLOCKED, "dates.syntax"),
    ("2024-07-05 is a business day", {"holiday": [5]}, BLOCKED, "dates.declaration"),
    ("2024-07-05 is a business day", {"weekend": "Caturday"}, BLOCKED, "dates.declaration"),
    ("2024-01-31 + 1 month = 2024-02-29", {"month_end": "clip"}, BLOCKED, "dates.declaration"),
    ("2024-01-01T12:00Z = 2024-01-01T13:00", PLAIN, BLOCKED, "dates.zone_missing"),
    ("2024-01-01T12:00 Mars/Phobos = 2024-01-01T17:00Z", PLAIN, BLOCKED, "dates.zone_unknown"),
    ("2024-01-01T12:00 EST = 2024-01-01T17:00Z", PLAIN, BLOCKED, "dates.syntax"),
    ("2024-01-01 + 5 hours = 2024-01-01", PLAIN, BLOCKED, "dates.type"),
    ("hours between 2024-01-01 and 2024-01-02 = 24", PLAIN, BLOCKED, "dates.type"),
    ("2024-03-01 - 2024-02-28 = 2", PLAIN, BLOCKED, "dates.type"),
    ("2024-01-01 + 1.5 months = 2024-02-15", PLAIN, BLOCKED, "dates.type"),
    ("1 month = 30 days", PLAIN, BLOCKED, "dates.type"),
    ("02/03/2024 is a Monday", PLAIN, BLOCKED, "dates.syntax"),
    ("2024-01-31 is a weekday", PLAIN, BLOCKED, "dates.syntax"),
    ("2024-01-31 is a Wednesday and 2024-02-01 is a Friday", PLAIN, BLOCKED, "dates.syntax"),
    ("it is false that 2024-01-31 is a Wednesday", PLAIN, BLOCKED, "dates.syntax"),
    ("2024-01-31", PLAIN, BLOCKED, "dates.syntax"),
    ("", PLAIN, BLOCKED, "dates.syntax"),
]


@pytest.mark.parametrize(("statement", "more"), TRUE)
def test_true_claims_are_proved_and_every_digit_of_the_certificate_counts(statement: str, more: Inputs) -> None:
    assert ruled("dates", statement, **more).outcome is PROVED
    require_every_digit_counts(claim_of("dates", statement, **more))


@pytest.mark.parametrize(("statement", "more"), FALSE)
def test_false_claims_are_refuted(statement: str, more: Inputs) -> None:
    assert outcome_of("dates", statement, **more) == (REFUTED, "dates.fails")


@pytest.mark.parametrize(("statement", "more", "outcome", "constraint"), OPEN)
def test_other_claims_say_what_stands_in_their_way(
    statement: str, more: Inputs, outcome: object, constraint: str
) -> None:
    assert outcome_of("dates", statement, **more) == (outcome, constraint)


def test_a_certificate_does_not_serve_another_statement_or_calendar() -> None:
    certificate = thaw(ruled("dates", "2024-07-03 + 1 business day = 2024-07-05", **HOLIDAYS).evidence)
    for statement, more in (
        ("2024-07-03 + 1 business day = 2024-07-08", HOLIDAYS),
        ("2024-07-03 + 1 business day = 2024-07-05", {"weekend": "none"}),
        ("2024-07-03 + 1 business day != 2024-07-05", HOLIDAYS),
    ):
        with pytest.raises(ValueError):
            check(claim_of("dates", statement, **more), certificate)  # type: ignore[arg-type]  # JSON


WORDS = ("not", "about", "false", "or later", "and", "exactly not", "never")


@given(st.sampled_from(TRUE), st.sampled_from(WORDS), st.integers(0, 12))
def test_a_word_more_is_never_left_out(case: tuple[str, Inputs], word: str, place: int) -> None:
    statement, more = case
    parts = statement.split(" ")
    parts.insert(min(place, len(parts)), word)
    changed = " ".join(parts)
    denied = changed.replace(" is not ", " is ").replace("not a", "a")
    # 'is not' is read, and then it turns the statement around; 'not not' is read nowhere.
    assert outcome_of("dates", changed, **more)[0] is not PROVED
    assert outcome_of("dates", changed, **more)[0] is not REFUTED or denied == statement


PIECES = (
    *("2024-02-29", "9999-12-31", "0001-01-01", "Gregorian", "Julian", "T12:00Z", "2024-03-10T02:30 Europe/Berlin"),
    *("- 1 day", "+", "+ 99999999999 days", "5 business days", "1 month", "after", "days between", "and", "=", "is"),
    *("a Wednesday", "age of", "on", "[", ",", ")", "]", "overlaps", "2024-W05", "9999-W52-7", "ISO week of", "in"),
    *("UTC", "inclusive", "5"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_no_statement_crashes(pieces: list[str]) -> None:
    assert outcome_of("dates", " ".join(pieces), **HOLIDAYS)[0] in ANSWERS


@given(st.integers(1, date.max.toordinal()))
def test_both_ways_of_counting_agree_on_days(day: int) -> None:
    library, formula = Reckoning(), FormulaReckoning()
    named = library.date(day)
    assert formula.date(day) == named
    assert formula.day(*named) == library.day(*named) == day
    assert formula.weekday(day) == library.weekday(day)
    if 7 < day < date.max.toordinal() - 7:
        assert formula.iso_week(day) == library.iso_week(day)


@given(st.integers(1, 4000), st.integers(0, 13), st.integers(0, 32))
def test_both_ways_of_counting_agree_on_which_dates_there_are(year: int, month: int, number: int) -> None:
    found = list[int | None]()
    for each in (Reckoning(), FormulaReckoning()):
        for count in (each.day, each.julian_day):
            try:
                found.append(count(year, month, number))
            except ValueError:
                found.append(None)
    assert found[:2] == found[2:]


@given(
    st.integers(700_000, 740_000),
    st.integers(0, 500),
    st.frozensets(st.integers(0, 6), max_size=4),
    st.frozensets(st.integers(700_000, 740_500), max_size=20),
)
def test_both_ways_of_counting_agree_on_business_days(
    first: int, length: int, weekend: frozenset[int], holidays: frozenset[int]
) -> None:
    calendar = WorkingCalendar(weekend, holidays | {first + 3, first + length // 2})
    counts = {each.business_days(first, first + length, calendar) for each in (Reckoning(), FormulaReckoning())}
    assert len(counts) == 1


@pytest.mark.parametrize(
    "zone", ["America/New_York", "Europe/Dublin", "Australia/Lord_Howe", "Pacific/Apia", "Asia/Kolkata"]
)
def test_both_ways_of_counting_agree_on_the_clocks_of_a_zone(zone: str) -> None:
    chance = random.Random(zone)
    start = datetime(1970, 1, 2).toordinal() * 86_400
    for _ in range(200):
        local = start + chance.randrange(67 * 365 * 96) * 900
        assert Reckoning().moments(local, ZoneInfo(zone)) == FormulaReckoning().moments(local, ZoneInfo(zone))


def test_random_claims_are_decided_as_python_counts() -> None:
    chance = random.Random(5)
    for _ in range(150):
        one = date(1950, 1, 1) + timedelta(chance.randrange(40_000))
        two = one + timedelta(chance.randrange(2_000))
        slip = chance.choice([0, 0, 1])
        expected = REFUTED if slip else PROVED
        between = f"days between {one} and {two} = {(two - one).days + slip}"
        assert outcome_of("dates", between)[0] is expected
        assert outcome_of("dates", f"{one} + {(two - one).days + slip} days = {two}")[0] is expected
        moment = datetime(two.year % 60 + 1975, 5, 5, chance.randrange(24), tzinfo=UTC)
        shown = moment.astimezone(ZoneInfo("Europe/Berlin")) + timedelta(minutes=slip)
        said = f"{moment:%Y-%m-%dT%H:%MZ} = {shown:%Y-%m-%dT%H:%M} Europe/Berlin"
        assert outcome_of("dates", said)[0] is expected
