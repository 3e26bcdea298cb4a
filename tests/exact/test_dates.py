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
NEW_YORK = "'America/New_York'"
TRUE: list[tuple[str, Inputs]] = [
    ("weekday(date(2024, 1, 31)) == 'Wednesday'", PLAIN),
    ("weekday(date(2024, 1, 31)) != 'thursday'", PLAIN),
    ("not weekday(date(2024, 1, 31)) == 'Thursday'", PLAIN),
    ("date(2024, 3, 1) - date(2024, 2, 28) == days(2)", PLAIN),
    ("date(2024, 2, 28) - date(2024, 3, 1) == days(-2)", PLAIN),
    ("date(2024, 1, 15) - date(2024, 1, 1) == weeks(2)", PLAIN),
    ("complete_months(date(2024, 1, 15), date(2024, 3, 15)) == 2", PLAIN),
    ("complete_months(date(2024, 1, 15), date(2024, 3, 14)) == 1", PLAIN),
    ("complete_years(date(2000, 6, 2), date(2024, 6, 1)) == 23", PLAIN),
    ("date(2024, 2, 28) + days(2) == date(2024, 3, 1)", PLAIN),
    ("date(2024, 1, 15) + months(1) - days(1) < date(2024, 2, 15)", PLAIN),
    ("date(2024, 3, 15) - weeks(2) == date(2024, 3, 1)", PLAIN),
    ("days(2) + hours(3) == hours(51)", PLAIN),
    ("date(2024, 2, 29) + years(1) == date(2025, 2, 28)", LAST),
    ("date(2024, 2, 29) + years(1) == date(2025, 3, 1)", NEXT),
    ("date(2024, 1, 31) + months(1) == date(2024, 2, 29)", LAST),
    ("date(2024, 2, 29) + years(4) == date(2028, 2, 29)", PLAIN),
    ("date(2024, 1, 1) + quarters(1) == date(2024, 4, 1)", PLAIN),
    ("date(2024, 3, 1) - date(2024, 2, 1) == days(29)", PLAIN),
    ("day_of_year(date(2024, 12, 31)) == 366", PLAIN),
    ("quarter(date(2024, 5, 1)) == 2", PLAIN),
    ("iso_week(date(2024, 12, 30)) == 1 and iso_year(date(2024, 12, 30)) == 2025", PLAIN),
    ("week_date(2024, 5, 3) == date(2024, 1, 31)", PLAIN),
    ("year(date(2024, 5, 1)) == 2024 and month(date(2024, 5, 1)) == 5 and day(date(2024, 5, 1)) == 1", PLAIN),
    ("complete_years(date(2000, 2, 29), date(2023, 2, 28)) == 23", LAST),
    ("complete_years(date(2000, 2, 29), date(2023, 2, 28)) == 22", NEXT),
    ("date(2024, 1, 1) < date(2024, 1, 2) <= date(2024, 1, 2)", PLAIN),
    ("date(2024, 1, 1) == date(2024, 1, 2) or date(2024, 1, 1) >= date(2024, 1, 1)", PLAIN),
    ("business_days_in(date(2024, 7, 1), date(2024, 7, 8)) == 4", HOLIDAYS),
    ("business_days_in(date(2024, 7, 4), date(2024, 7, 5)) == 0", HOLIDAYS),
    ("is_business_day(date(2024, 7, 4))", ONLY_WEEKEND),
    ("date(2024, 7, 3) + business_days(1) == date(2024, 7, 5)", HOLIDAYS),
    ("date(2024, 7, 5) - business_days(1) == date(2024, 7, 3)", HOLIDAYS),
    ("not is_business_day(date(2024, 7, 4))", HOLIDAYS),
    ("not is_business_day(date(2024, 7, 5))", {"weekend": "Friday, Saturday"}),
    ("is_business_day(date(2024, 7, 6))", {"weekend": "none"}),
    ("julian(1582, 10, 4) + days(1) == date(1582, 10, 15)", PLAIN),
    ("weekday(julian(1492, 10, 12)) == 'Friday'", PLAIN),
    ("julian(1700, 2, 29) == date(1700, 3, 11)", PLAIN),
    ("gregorian(1500, 1, 1) < date(1600, 1, 1)", PLAIN),
    ("datetime(2024, 1, 1, 12, 0, 'UTC') == datetime(2024, 1, 1, 13, 0, '+01:00')", PLAIN),
    (f"datetime(2024, 1, 1, 12, 0, {NEW_YORK}) == datetime(2024, 1, 1, 18, 0, 'Europe/Berlin')", PLAIN),
    (f"in_zone(datetime(2024, 1, 1, 12, 0, {NEW_YORK}), 'Europe/Berlin') == datetime(2024, 1, 1, 18, 0)", PLAIN),
    (f"datetime(2024, 3, 9, 12, 0, {NEW_YORK}) + hours(24) == datetime(2024, 3, 10, 13, 0, {NEW_YORK})", PLAIN),
    (
        f"elapsed(datetime(2024, 3, 9, 12, 0, {NEW_YORK}), datetime(2024, 3, 10, 12, 0, {NEW_YORK})) == hours(23)",
        PLAIN,
    ),
    ("datetime(2024, 5, 1, 12, 0, 'Europe/Berlin') + days(1) == datetime(2024, 5, 2, 12, 0, 'Europe/Berlin')", PLAIN),
    (f"in_zone(datetime(2024, 11, 3, 5, 30, 'UTC'), {NEW_YORK}) == datetime(2024, 11, 3, 1, 30)", PLAIN),
    ("weekday(datetime(2024, 1, 31, 23, 30, '-08:00')) == 'Wednesday'", PLAIN),
    ("years(1) == months(12)", PLAIN),
    ("datetime(2024, 2, 1, 0, 0) - datetime(2024, 1, 31, 23, 30, 30) == minutes(29.5)", PLAIN),
    ("datetime(2024, 1, 31, 12, 0) + months(1) == datetime(2024, 2, 29, 12, 0)", LAST),
]
FALSE: list[tuple[str, Inputs]] = [
    ("weekday(date(2024, 1, 31)) == 'Tuesday'", PLAIN),
    ("date(2024, 3, 1) - date(2024, 2, 28) == days(1)", PLAIN),
    ("date(2023, 2, 28) + days(2) == date(2023, 3, 1)", PLAIN),
    ("date(2024, 2, 29) + years(1) == date(2025, 3, 1)", LAST),
    ("iso_week(date(2024, 12, 30)) == 52", PLAIN),
    ("complete_years(date(2000, 6, 2), date(2024, 6, 1)) == 24", PLAIN),
    ("date(2024, 1, 1) > date(2024, 1, 2)", PLAIN),
    ("week_date(2024, 5, 4) == date(2024, 1, 31)", PLAIN),
    ("business_days_in(date(2024, 7, 1), date(2024, 7, 8)) == 5", HOLIDAYS),
    ("is_business_day(date(2024, 7, 4))", HOLIDAYS),
    ("datetime(2024, 1, 1, 12, 0, 'UTC') == datetime(2024, 1, 1, 12, 0, '+01:00')", PLAIN),
    (f"datetime(2024, 7, 1, 12, 0, {NEW_YORK}) == datetime(2024, 7, 1, 17, 0, 'UTC')", PLAIN),
    ("date(2024, 1, 1) < date(2024, 1, 2) and date(2024, 1, 2) < date(2024, 1, 1)", PLAIN),
]
OPEN: list[tuple[str, Inputs, object, str]] = [
    ("date(2024, 2, 29) + years(1) == date(2025, 2, 28)", PLAIN, UNDECIDED, "dates.month_end"),
    ("date(2024, 1, 31) + months(1) + days(1) == date(2024, 3, 1)", PLAIN, UNDECIDED, "dates.month_end"),
    ("complete_years(date(2000, 2, 29), date(2023, 2, 28)) == 22", PLAIN, UNDECIDED, "dates.month_end"),
    ("gregorian(1, 1, 1) - days(1) == gregorian(1, 1, 1)", PLAIN, UNDECIDED, "dates.beyond"),
    ("datetime(2024, 1, 1, 0, 0) + days(99999999999) > date(2024, 1, 1)", PLAIN, UNDECIDED, "dates.beyond"),
    ("datetime(9999, 12, 31, 23, 0, '-12:00') + hours(1) > date(2024, 1, 1)", PLAIN, UNDECIDED, "dates.beyond"),
    (
        f"datetime(2024, 3, 10, 12, 0, {NEW_YORK}) - datetime(2024, 3, 9, 12, 0, {NEW_YORK}) == days(1)",
        PLAIN,
        UNDECIDED,
        "dates.day_length",
    ),
    ("date(2024, 7, 6) + business_days(1) == date(2024, 7, 8)", HOLIDAYS, UNDECIDED, "dates.business_day_unclear"),
    (
        f"datetime(2024, 3, 10, 2, 30, {NEW_YORK}) == datetime(2024, 3, 10, 7, 30, 'UTC')",
        PLAIN,
        UNDECIDED,
        "dates.zone_gap",
    ),
    (
        f"datetime(2024, 11, 3, 1, 30, {NEW_YORK}) == datetime(2024, 11, 3, 5, 30, 'UTC')",
        PLAIN,
        UNDECIDED,
        "dates.zone_fold",
    ),
    (
        f"datetime(2024, 3, 9, 12, 0, {NEW_YORK}) + days(1) == datetime(2024, 3, 10, 12, 0, {NEW_YORK})",
        PLAIN,
        UNDECIDED,
        "dates.day_length",
    ),
    ("datetime(2099, 6, 1, 12, 0, 'Europe/Berlin') == datetime(2099, 6, 1, 10, 0)", PLAIN, UNDECIDED, "dates.beyond"),
    ("date(9999, 12, 31) + days(1) == date(9999, 12, 31)", PLAIN, UNDECIDED, "dates.beyond"),
    ("date(2024, 1, 1) + years(99999999999) == date(2024, 1, 1)", PLAIN, UNDECIDED, "dates.beyond"),
    ("business_days_in(date(1900, 1, 1), date(2024, 1, 1)) == 1", HOLIDAYS, UNDECIDED, "engine.out_of_budget"),
    ("date(2024, 1, 1) == date(2024, 1, 1)" + " + days(1)" * 400, PLAIN, UNDECIDED, "engine.too_large"),
    ("date(2023, 2, 29) == date(2023, 3, 1)", PLAIN, BLOCKED, "dates.invalid"),
    ("date(2024, 13, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.invalid"),
    ("julian(2024, 0, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.invalid"),
    ("date(99999, 1, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.invalid"),
    ("week_date(2023, 53, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.invalid"),
    ("week_date(2024, 1, 8) == date(2024, 1, 8)", PLAIN, BLOCKED, "dates.invalid"),
    ("datetime(2024, 1, 1, 25, 0) == datetime(2024, 1, 2, 1, 0)", PLAIN, BLOCKED, "dates.invalid"),
    ("datetime(2016, 12, 31, 23, 59, 60) == datetime(2017, 1, 1, 0, 0)", PLAIN, BLOCKED, "dates.invalid"),
    ("weekday(date(1492, 10, 12)) == 'Friday'", PLAIN, BLOCKED, "dates.calendar_undeclared"),
    ("is_business_day(date(2024, 7, 5))", PLAIN, BLOCKED, "dates.calendar_missing"),
    ("is_business_day(date(2024, 7, 5))", ONLY_HOLIDAYS, BLOCKED, "dates.calendar_missing"),
    ("complete_months(date(2024, 1, 2), date(2024, 1, 1)) == 0", PLAIN, BLOCKED, "dates.type"),
    ("business_days_in(date(2024, 1, 2), date(2024, 1, 1)) == 0", HOLIDAYS, BLOCKED, "dates.type"),
    ("is_business_day(date(2024, 7, 5))", {"holiday": ["soon"]}, BLOCKED, "dates.declaration"),
    ("is_business_day(date(2024, 7, 5))", {"holiday": ["2024-02-30"]}, BLOCKED, "dates.declaration"),
    ("is_business_day(date(2024, 7, 5))", {"holiday": [5]}, BLOCKED, "dates.declaration"),
    ("is_business_day(date(2024, 7, 5))", {"weekend": "Caturday"}, BLOCKED, "dates.declaration"),
    ("date(2024, 1, 31) + months(1) == date(2024, 2, 29)", {"month_end": "clip"}, BLOCKED, "dates.declaration"),
    ("datetime(2024, 1, 1, 12, 0, 'UTC') == datetime(2024, 1, 1, 13, 0)", PLAIN, BLOCKED, "dates.zone_missing"),
    (
        "in_zone(datetime(2024, 1, 1, 12, 0), 'UTC') == datetime(2024, 1, 1, 12, 0)",
        PLAIN,
        BLOCKED,
        "dates.zone_missing",
    ),
    ("datetime(2024, 1, 1, 12, 0, 'Mars/Phobos') == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.zone_unknown"),
    ("datetime(2024, 7, 1, 12, 0, 'EST') == datetime(2024, 7, 1, 17, 0, 'UTC')", PLAIN, BLOCKED, "dates.zone_unknown"),
    ("datetime(2024, 7, 1, 12, 0, 'CET') == datetime(2024, 7, 1, 10, 0, 'UTC')", PLAIN, BLOCKED, "dates.zone_unknown"),
    ("datetime(2024, 7, 1, 12, 0, 'localtime') == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.zone_unknown"),
    ("datetime(2024, 1, 1, 12, 0, '+25:00') == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.zone_unknown"),
    ("date(2024, 1, 1) + hours(5) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.type"),
    ("date(2024, 3, 1) - date(2024, 2, 28) == 2", PLAIN, BLOCKED, "dates.type"),
    ("date(2024, 1, 1) + months(1.5) == date(2024, 2, 15)", PLAIN, BLOCKED, "dates.type"),
    ("date(2024, 1, 1) + date(2024, 1, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.type"),
    ("date(2024.5, 1, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.type"),
    ("date(2024, 1) == date(2024, 1, 1)", PLAIN, BLOCKED, "dates.type"),
    ("weekday(2) == 'Monday'", PLAIN, BLOCKED, "dates.type"),
    ("months(1) == days(30)", PLAIN, BLOCKED, "dates.type"),
    ("weekday(date(2024, 1, 31)) < 'Friday'", PLAIN, BLOCKED, "dates.type"),
    ("weekday(date(2024, 1, 31)) == 'Midweek'", PLAIN, BLOCKED, "dates.syntax"),
    ("date('2024-01-31') == date(2024, 1, 31)", PLAIN, BLOCKED, "dates.type"),
    ("date(2024, 1, 31) * 2 == date(2024, 1, 31)", PLAIN, BLOCKED, "dates.syntax"),
    ("tomorrow == date(2024, 1, 31)", PLAIN, BLOCKED, "dates.syntax"),
    ("is_leap(2024)", PLAIN, BLOCKED, "dates.syntax"),
    ("2024-01-31 is a Wednesday", PLAIN, BLOCKED, "dates.syntax"),
    ("date(2024, 1, 31)", PLAIN, BLOCKED, "dates.syntax"),
    ("1 == 1", PLAIN, BLOCKED, "dates.syntax"),
    ("'Monday' == 'Monday'", PLAIN, BLOCKED, "dates.syntax"),
    ("True", PLAIN, BLOCKED, "dates.syntax"),
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
    certificate = thaw(ruled("dates", "date(2024, 7, 3) + business_days(1) == date(2024, 7, 5)", **HOLIDAYS).evidence)
    for statement, more in (
        ("date(2024, 7, 3) + business_days(1) == date(2024, 7, 8)", HOLIDAYS),
        ("date(2024, 7, 3) + business_days(1) == date(2024, 7, 5)", {"weekend": "none"}),
        ("date(2024, 7, 3) + business_days(1) != date(2024, 7, 5)", HOLIDAYS),
    ):
        with pytest.raises(ValueError):
            check(claim_of("dates", statement, **more), certificate)  # type: ignore[arg-type]  # JSON


WORDS = ("about", "false", "or later", "and", "exactly not", "never")


@given(st.sampled_from(TRUE), st.sampled_from(WORDS), st.integers(0, 12))
def test_a_word_more_is_never_left_out(case: tuple[str, Inputs], word: str, place: int) -> None:
    statement, more = case
    parts = statement.split(" ")
    parts.insert(min(place, len(parts)), word)
    changed = " ".join(parts)
    assert outcome_of("dates", changed, **more)[0] in (BLOCKED, UNDECIDED)


PIECES = (
    *("date(2024, 2, 29)", "date(9999, 12, 31)", "gregorian(1, 1, 1)", "julian(1, 1, 1)", "week_date(9999, 52, 7)"),
    *("datetime(2024, 1, 1, 12, 0, 'UTC')", "datetime(2024, 3, 10, 2, 30, 'Europe/Berlin')", "weekday(", "elapsed("),
    *("- days(1)", "+", "+ days(99999999999)", "business_days(5)", "months(1)", "and", "==", "<", "'Monday'", ")", ","),
    *("not", "in_zone(", "'UTC'", "5", "1/2", "complete_years(", "is_business_day(", "business_days_in("),
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
        days = (two - one).days + slip
        first, second = (f"date({each.year}, {each.month}, {each.day})" for each in (one, two))
        assert outcome_of("dates", f"{second} - {first} == days({days})")[0] is expected
        assert outcome_of("dates", f"{first} + days({days}) == {second}")[0] is expected
        moment = datetime(two.year % 60 + 1975, 5, 5, chance.randrange(24), tzinfo=UTC)
        shown = moment.astimezone(ZoneInfo("Europe/Berlin")) + timedelta(minutes=slip)
        here, there = (
            f"datetime({each.year}, {each.month}, {each.day}, {each.hour}, {each.minute}, '{zone}')"
            for each, zone in ((moment, "UTC"), (shown, "Europe/Berlin"))
        )
        said = f"{here} == {there}"
        assert outcome_of("dates", said)[0] is expected
