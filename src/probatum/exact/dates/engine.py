"""Decides claims about dates, such as ``date(2024, 2, 28) + days(2) == date(2024, 3, 1)``, zones and business days.

A claim is a formula of comparisons of values (`reading`). The certificate states every value; it is checked by
computing all of it again with formulas instead of Python's library. Business days need a declared calendar, and a day
that its month does not have a declared convention. Refuses dates that do not exist.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim, Ruling, proved, refuted
from probatum.exact.dates.calendars import WEEKDAYS, FormulaReckoning, Reckoning, WorkingCalendar
from probatum.exact.dates.reading import SYNTAX, DateReader
from probatum.exact.dates.values import TYPE, DateConventions, DateValue
from probatum.exact.expressions import TESTS
from probatum.exact.formulas import RELATIONS, constant, holds, read_formula

HOLDS: Final = "dates.holds"
MAX_HOLIDAYS: Final = 5_000
_ISO: Final = re.compile("([0-9]{4})-([0-9]{2})-([0-9]{2})")


def decide(claim: ExactClaim) -> Ruling:
    """Return whether a claim about dates holds; raises as `EngineModule.decide`."""
    is_true, values = _answer(claim, Reckoning())
    if is_true:
        return proved(HOLDS, {"form": "dates", "values": values})
    return refuted("dates.fails", f"The values are: {'; '.join(values)}.", {"values": values})


def check(claim: ExactClaim, certificate: Mapping[str, object]) -> str:
    """Return what a certificate establishes; raises ValueError where it is nothing.

    Days are counted by Hinnant's days_from_civil and civil_from_days ("chrono-compatible low-level date algorithms"),
    days of the week by Sakamoto's table, weeks by ISO 8601 (a week belongs to the year of its Thursday), Julian days by
    the formula of Richards (Explanatory Supplement to the Astronomical Almanac, 3rd edition, 15.11).
    """
    shape = Shape(certificate, "certificate").exactly("form", "values")
    is_true, values = _answer(claim, FormulaReckoning())
    if shape.text("form") != "dates" or list(shape.texts("values")) != values:
        raise ValueError("the values are other ones")
    if not is_true:
        raise ValueError("the claim does not hold")
    return HOLDS


def stated(claim: ExactClaim) -> str:
    """Return the claim in canonical form."""
    return ast.unparse(read_formula(claim.statement, SYNTAX))


def _answer(claim: ExactClaim, reckoning: Reckoning) -> tuple[bool, list[str]]:
    """Return whether a claim holds, and the values that were compared."""
    reader, values = DateReader(_conventions(claim, reckoning)), list[str]()

    def fact(node: ast.expr) -> bool:
        if not isinstance(node, ast.Compare):
            value = reader.value(node)
            values.append(str(value))
            if value.kind != "truth":
                raise NotAttemptedError(SYNTAX, f"{ast.unparse(node)[:80]!r} claims nothing.")
            return bool(value.amount)
        sides = (node.left, *node.comparators)
        if all(constant(each) is not None for each in sides):
            raise NotAttemptedError(SYNTAX, f"{ast.unparse(node)[:80]!r} is not about dates.")
        found = [reader.value(each) for each in sides]
        values.extend(map(str, found))
        signs = [RELATIONS[type(each)] for each in node.ops]
        return all(_compared(one, sign, two) for sign, (one, two) in zip(signs, pairwise(found), strict=True))

    return bool(holds(read_formula(claim.statement, SYNTAX), fact)), values


def _compared(one: DateValue, relation: str, two: DateValue) -> bool:
    if {one.kind, two.kind} == {"local", "moment"}:
        raise NotAttemptedError("dates.zone_missing", "A time without a zone is compared with one that has one.")
    is_unordered = one.kind in ("weekday", "truth") and relation not in ("=", "!=")
    if one.kind != two.kind or is_unordered:
        raise NotAttemptedError(TYPE, f"A {one.kind} and a {two.kind} are not compared by {relation!r} here.")
    return bool(TESTS[relation](one.amount, two.amount))


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
    days = frozenset(_holiday(each, reckoning) for each in holidays)
    return DateConventions(reckoning, WorkingCalendar(weekend, days) if names else None, month_end)


def _weekday(name: str) -> int:
    """Return the number of a day of the week, also by its first three letters; raises ValueError for another name."""
    found = [at for at, each in enumerate(WEEKDAYS) if name.lower() in (each, each[:3])]
    return found[0] if found else WEEKDAYS.index(name)


def _holiday(text: str, reckoning: Reckoning) -> int:
    try:
        return reckoning.day(*(int(part) for part in _ISO.fullmatch(text).groups()))  # type: ignore[union-attr]  # caught
    except (AttributeError, ValueError) as error:
        raise NotAttemptedError("dates.declaration", f"{text[:40]!r} is not a date.", "Write YYYY-MM-DD.") from error


def _listed(inputs: Shape, name: str) -> tuple[str, ...]:
    """Return texts that are given as a list, or as one text with commas; none where nothing is given."""
    if not inputs.has(name):
        return ()
    given = (inputs.text(name),) if isinstance(inputs.raw(name), str) else inputs.texts(name)
    return tuple(part.strip() for each in given for part in each.split(",") if part.strip())
