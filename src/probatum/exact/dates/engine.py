"""Decides claims about dates: ``2024-01-31 is a Wednesday``, ``2024-02-28 + 2 days = 2024-03-01``, intervals, zones.

The statement is a comparison of values (`reading`), a property of a date, or a relation of intervals. The
certificate states every value; it is checked by reading and computing all of it again with formulas instead of Python's
library. Business days need a declared calendar, and a day that its month does not have a declared convention. Refuses
dates that do not exist and statements that it cannot read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, proved, refuted
from probatum.exact.dates.calendars import WEEKDAYS, FormulaReckoning, Reckoning, WorkingCalendar
from probatum.exact.dates.reading import SYNTAX, DateInterval, DateReader
from probatum.exact.dates.values import TYPE, UNCLEAR, DateConventions, DateValue, span
from probatum.exact.numbers.expressions import TESTS

HOLDS: Final = "dates.holds"
MAX_CHARACTERS: Final = 500
MAX_HOLIDAYS: Final = 5_000
_RELATIONS: Final = {
    **{" = ": "=", " == ": "=", " != ": "!=", " ≠ ": "!=", " <= ": "<=", " ≤ ": "<=", " >= ": ">=", " ≥ ": ">="},
    **{" < ": "<", " > ": ">", " is before ": "<", " is after ": ">", " is on or before ": "<="},
    **{" is on or after ": ">=", " is not before ": ">=", " is not after ": "<=", " equals ": "=", " falls on ": "="},
    **{" is earlier than ": "<", " is later than ": ">", " is not ": "!=", " is ": "=", " are ": "="},
}
_OF_INTERVALS: Final = {
    **{" overlaps with ": ("overlap", False), " overlaps ": ("overlap", False)},
    **{" does not overlap with ": ("overlap", True), " does not overlap ": ("overlap", True)},
    **{" contains ": ("contain", False), " does not contain ": ("contain", True)},
    **{" is before ": ("before", False), " is after ": ("after", False)},
}
"""By the words between two intervals: the relation, and whether it is denied."""
_TENSES: Final = {" was ": " is ", " will be ": " is ", " fell on ": " falls on "}
_LEAP: Final = re.compile(r"(?:the year )?(?P<year>[0-9]{4}) is (?P<no>not )?a leap year", re.IGNORECASE)
_KIND_OF_DAY: Final = re.compile(
    r" is (?P<no>not )?an? (?P<kind>business day|working day|weekend day)(?![A-Za-z])", re.IGNORECASE
)
_BORN: Final = re.compile(
    r"(?:someone|a person) born (?:on )?(?P<born>.+?) is (?P<age>[0-9]{1,3})(?: years old)? on (?P<on>[^=<>≠≤≥]+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _DateAnswer:
    """Whether a statement holds, and the values that it was read as."""

    holds: bool
    values: tuple[DateValue | str, ...]


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a statement about dates holds; raises as `EngineModule.decide`."""
    found = _answer(claim, Reckoning())
    values = [str(each) for each in found.values]
    if found.holds:
        return proved(HOLDS, {"form": "dates", "values": values})
    return refuted("dates.fails", f"The values are: {'; '.join(values)}.", {"values": values})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing."""
    shape = Shape(certificate, "certificate").exactly("form", "values")
    found = _answer(claim, FormulaReckoning())
    if shape.text("form") != "dates" or list(shape.texts("values")) != [str(each) for each in found.values]:
        raise ValueError("the values are other ones")
    if not found.holds:
        raise ValueError("the statement does not hold")
    return HOLDS


def _answer(claim: ExactClaim, reckoning: Reckoning) -> _DateAnswer:
    if len(claim.statement) > MAX_CHARACTERS:
        raise BudgetError("engine.too_large", f"A statement about dates has at most {MAX_CHARACTERS} characters.")
    text = " ".join(claim.statement.split()).removesuffix(".")
    if not text:
        raise NotAttemptedError(SYNTAX, "The statement is empty.", "Write for example '2024-01-31 is a Wednesday'.")
    for word, present in _TENSES.items():
        text = text.replace(word, present)
    born = _BORN.fullmatch(text)
    if born is not None:
        text = f"age of {born['born']} on {born['on']} = {born['age']}"
    conventions = _conventions(claim, reckoning)
    leap = _LEAP.fullmatch(text)
    if leap is not None:
        year, is_denied = leap["year"], bool(leap["no"])
        days = DateReader(f"days in {year}", conventions).value()
        return _DateAnswer((days.amount == 366) != is_denied, (days,))
    reader = DateReader(text, conventions)
    answer = _of_intervals(reader) if text.startswith("[") else _of_values(reader)
    if reader.place < len(text):
        raise reader.problem("Nothing more is expected here")
    return answer


def _of_values(reader: DateReader) -> _DateAnswer:
    one = reader.value()
    kind = reader.take(_KIND_OF_DAY)
    if kind is not None:
        return _of_kind(reader.conventions, one, kind["kind"].lower(), is_denied=bool(kind["no"]))
    values, holds = [one], True
    if reader.accept(" is between "):
        low = reader.value()
        reader.require(" and ")
        high = reader.value()
        holds = _compared(low, "<", one) and _compared(one, "<", high)
        if not _compared(low, "<", high) or one.amount in (low.amount, high.amount):
            raise CannotDecideError(UNCLEAR, "It is left open whether the ends belong to what is between.")
        return _DateAnswer(holds, (low, one, high))
    while relation := reader.accept(*_RELATIONS):
        values.append(reader.value())
        if relation.split()[0] in ("is", "falls") and values[-1].kind == "weekday" and values[-2].kind != "weekday":
            day = reader.conventions.day_of(values[-2])
            values[-2] = DateValue("weekday", Fraction(reader.conventions.reckoning.weekday(day)))
        holds &= _compared(values[-2], _RELATIONS[relation], values[-1])
    if len(values) == 1:
        raise reader.problem("A relation such as '=' or 'is before' is expected")
    return _DateAnswer(holds, tuple(values))


def _compared(one: DateValue, relation: str, two: DateValue) -> bool:
    if {one.kind, two.kind} == {"week", "number"}:
        one, two = (
            DateValue("number", each.amount % 100 if each.kind == "week" else each.amount) for each in (one, two)
        )
    if one.unit and two.kind in ("duration", "months", "business days"):
        one = span(one.amount, one.unit)
    if {one.kind, two.kind} == {"local", "moment"}:
        raise NotAttemptedError("dates.zone_missing", "A time without a zone is compared with one that has one.")
    is_unordered = one.kind == "weekday" and relation not in ("=", "!=")
    if one.kind != two.kind or is_unordered or (one.unit and two.unit and one.unit != two.unit):
        raise NotAttemptedError(TYPE, f"A {one.kind} and a {two.kind} are not compared by {relation!r} here.")
    return bool(TESTS[relation](one.amount, two.amount))


def _of_kind(conventions: DateConventions, value: DateValue, kind: str, *, is_denied: bool) -> _DateAnswer:
    day, calendar = conventions.day_of(value), conventions.working()
    holds = conventions.reckoning.weekday(day) in calendar.weekend if kind == "weekend day" else calendar.has(day)
    return _DateAnswer(holds != is_denied, (value, f"{kind}: {'yes' if holds else 'no'}"))


def _of_intervals(reader: DateReader) -> _DateAnswer:
    one = reader.interval()
    relation = reader.require(*_OF_INTERVALS)
    if reader.text[reader.place : reader.place + 1] == "[":
        two = reader.interval()
    else:
        point = reader.value()
        two = DateInterval(point, point, (point.amount + 1, 0) if point.kind == "date" else (point.amount, 1))
    if one.first.kind != two.first.kind:
        raise NotAttemptedError(TYPE, "The ends of the intervals are of unlike kinds.")
    start, other = (one.first.amount, 0), (two.first.amount, 0)
    is_before, is_after = one.end <= other, two.end <= start
    found = {
        "overlap": not is_before and not is_after,
        "contain": start <= other and two.end <= one.end,
        "before": is_before,
        "after": is_after,
    }
    name, is_denied = _OF_INTERVALS[relation]
    return _DateAnswer(found[name] != is_denied, (one.first, one.last, two.first, two.last))


def _conventions(claim: ExactClaim, reckoning: Reckoning) -> DateConventions:
    inputs = claim.inputs
    try:
        month_end = inputs.text("month-end") if inputs.has("month-end") else ""
        names = _listed(inputs, "weekend")
        holidays = _listed(inputs, "holiday")
        weekend = frozenset(_weekday(each) for each in names if names != ("none",))
    except ValueError as error:
        hint = "A weekend is declared as 'Saturday, Sunday' or 'none', a holiday as a date."
        raise NotAttemptedError("dates.declaration", "A declaration cannot be read.", hint) from error
    if month_end not in ("", "last", "next"):
        raise NotAttemptedError("dates.declaration", "The month's end is declared as 'last' or 'next'.")
    if len(holidays) > MAX_HOLIDAYS:
        raise BudgetError("engine.too_large", f"At most {MAX_HOLIDAYS:,} holidays are given.")
    plain = DateConventions(reckoning, None, month_end)
    days = frozenset(_holiday(each, plain) for each in holidays)
    return DateConventions(reckoning, WorkingCalendar(weekend, days) if names else None, month_end)


def _weekday(name: str) -> int:
    """Return the number of a day of the week, also by its first three letters; raises ValueError for another name."""
    found = [at for at, each in enumerate(WEEKDAYS) if name.lower() in (each, each[:3])]
    return found[0] if found else WEEKDAYS.index(name)


def _holiday(text: str, conventions: DateConventions) -> int:
    reader = DateReader(text, conventions)
    value = reader.value()
    if value.kind != "date" or reader.place < len(text):
        raise NotAttemptedError("dates.declaration", f"{text[:40]!r} is no date of a holiday.")
    return int(value.amount)


def _listed(inputs: Shape, name: str) -> tuple[str, ...]:
    """Return texts that are given as a list, or as one text with commas; none where nothing is given."""
    if not inputs.has(name):
        return ()
    given = (inputs.text(name),) if isinstance(inputs.raw(name), str) else inputs.texts(name)
    return tuple(part.strip() for each in given for part in each.split(",") if part.strip())
