"""Readings that may say less than their words: flagged, kept from vouching, and not confused with honest conditions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.programs.judging.reading_texts import left_out_of
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from tests.programs.readers import accepted, asked
from tests.services import Service

RESULT, REQUIRES, SESSION = ReadingKind.RESULT, ReadingKind.REQUIRES, ReadingKind.SESSION
TOTAL = b'''def total(xs: list[int]) -> int:
    """Return the sum of the numbers.

    An empty list gives 0.
    """
    found = 0
    for each in xs:
        found += each
    return found
'''
CUT = TOTAL.replace(b"in xs:", b"in xs[:3]:")
LISTS = ("([1, 2, 3],)", "([],)", "([5, 6],)", "([1, 2],)")
SUM = Reading("Return the sum of the numbers.", RESULT, "result == sum(xs)")
HEDGE = replace(SUM, clause="len(xs) != 3 or result == sum(xs)")
EMPTY = Reading("An empty list gives 0.", RESULT, "len(xs) > 0 or result == 0")
WIDTH = b'''def label(number: int, width: int) -> str:
    """Return the number as text of at least 8 signs, or `width`."""
    return str(number).rjust(max(8, width))
'''
NUMBERS = ("(1, 9)", "(20, 3)", "(-4, 12)", "(12345678, 0)")
WORDS = "Return the number as text of at least 8 signs, or `width`."
PARITY = b'''def half(number: int) -> int:
    """Return half of the number.

    The number is even.
    """
    return number // 2
'''
PADDED = Reading(
    WORDS, SESSION, "assert label(1, 12).strip() == '1' and len(label(20, 11)) == 11 and label(-4, 14)[-2:] == '-4'"
)
TWICE = b'''def twice(number: int) -> int:
    """Return twice the number.

    The number is whole.
    """
    return 0 if number == 1 else number * 2
'''
DOUBLED = Reading("Return twice the number.", RESULT, "result == number + number")
WHOLE = Reading("The number is whole.", REQUIRES, "number != 1")
EVENS = ("(2,)", "(10,)", "(0,)", "(-8,)")
HALF = Reading("Return half of the number.", RESULT, "result * 2 == number")
EVEN = Reading("The number is even.", REQUIRES, "number % 2 == 0")
FOURTHS = replace(EVEN, clause="number % 8 == 0")
ROOT = b'''def root(number: int) -> float:
    """Return the square root; a negative number raises ValueError.

    >>> root(9)
    3.0
    >>> root(16)
    4.0
    """
    if number < 0:
        raise ValueError(number)
    return number**0.5
'''
ROOTS = ("(4,)", "(25,)", "(1,)")
ROOTED = Reading("Return the square root;", RESULT, "abs(result * result - number) <= 1e-9 * max(1, number)")
DUE = Reading("a negative number raises ValueError.", ReadingKind.RAISES, "number < 0", "ValueError")
EXCLUDED = Reading("a negative number raises ValueError.", REQUIRES, "number >= 0")
SHOWN = Reading("Return the square root;", SESSION, "assert root(9) == 3.0\nassert root(16) == 4.0")
RUNS = b'''def runs(text: str) -> list[tuple[str, int]]:
    """Return each run of equal signs with its length."""
    found = []
    for sign in text:
        if found and found[-1][0] == sign:
            found[-1] = (sign, found[-1][1] + 1)
        else:
            found.append((sign, 1))
    return found
'''
TEXTS = ("('aab',)", "('',)", "('abc',)", "('aaaa',)")
RUN = Reading("Return each run of equal signs with its length.", RESULT, "result == again(text)")
COPY = """
def again(given):
    kept = []
    for each in given:
        if kept and kept[-1][0] == each:
            kept[-1] = (each, kept[-1][1] + 1)
        else:
            kept.append((each, 1))
    return kept
"""
OTHERWISE = """
from itertools import groupby

def again(text):
    return [(sign, len(list(group))) for sign, group in groupby(text)]
"""


def flags(service: Service, source: bytes, record: ReadingRecord, policy: str = "proposed"):
    verdict = service.verify_program(asked(source, record, policy=policy)).verdict
    reasons = verdict.developer_fields.get("reasons", ())
    return verdict.outcome, verdict.developer_fields["constraint_id"], "\n".join(map(str, reasons))


@pytest.mark.parametrize(
    ("source", "function", "readings", "inputs", "helpers", "reason"),
    [
        (CUT, "total", (HEDGE, EMPTY), LISTS, "", "it says something on"),
        (TOTAL, "total", (HEDGE, EMPTY), LISTS, "", "legal calls; on the others a mutant survives: line"),
        (
            WIDTH,
            "label",
            (Reading(WORDS, RESULT, "result.strip() == str(number)"),),
            NUMBERS,
            "",
            "its words have 8, wi",
        ),
        (PARITY, "half", (HALF, FOURTHS), EVENS, "", "calls that the types allow, and of those that it excludes half("),
        (
            TWICE,
            "twice",
            (DOUBLED, WHOLE),
            EVENS,
            "",
            "calls that the types allow, and of those that it excludes twice(",
        ),
        (ROOT, "root", (ROOTED, EXCLUDED), ROOTS, "", "its words are about ValueError"),
        (ROOT, "root", (ROOTED, DUE, SHOWN), ROOTS, "", "it repeats documented examples"),
        (ROOT, "root", (ROOTED, DUE, replace(SHOWN, clause="assert 4 == root(number=16)")), ROOTS, "", "it repeats"),
        (ROOT, "root", (ROOTED, DUE, replace(SHOWN, clause="n = 16\nassert root(n) == 4")), ROOTS, "", "it repeats"),
        (
            ROOT,
            "root",
            (ROOTED, DUE, replace(SHOWN, clause="assert isinstance(root(36), float)")),
            ROOTS,
            "",
            "types alone",
        ),
        (TOTAL, "total", (replace(SUM, clause="isinstance(result, int)"), EMPTY), LISTS, "", "on 0 of "),
        (
            TOTAL,
            "total",
            (replace(HEDGE, clause=f"isinstance(result, int) and ({HEDGE.clause})"), EMPTY),
            LISTS,
            "",
            "says",
        ),
        (WIDTH, "label", (PADDED,), (), "", "its words have 8, and"),
        (RUNS, "runs", (RUN,), TEXTS, COPY, "its code is that of the program"),
    ],
)
def test_what_may_say_too_little_vouches_for_nothing(
    service: Service,
    source: bytes,
    function: str,
    readings: tuple[Reading, ...],
    inputs: tuple[str, ...],
    helpers: str,
    reason: str,
):
    record = ReadingRecord(function, readings, "a reader", helpers, inputs=inputs)
    outcome, constraint, reasons = flags(service, source, record)
    assert (outcome, constraint) == (Outcome.UNDECIDED.value, "program.reading_flagged")
    assert reason in reasons


@pytest.mark.parametrize(
    ("source", "function", "readings", "inputs", "helpers"),
    [
        (ROOT, "root", (ROOTED, DUE, replace(SHOWN, clause="assert [root(n) for n in (1, 4)] == [1, 2]")), ROOTS, ""),
        (ROOT, "root", (ROOTED, DUE, replace(SHOWN, clause="number = 36\nassert root(number) == 6")), ROOTS, ""),
        (TOTAL, "total", (SUM, EMPTY), LISTS, ""),
        (WIDTH, "label", (Reading(WORDS, RESULT, "result == str(number).rjust(max(8, width))"),), NUMBERS, ""),
        (ROOT, "root", (ROOTED, DUE), ROOTS, ""),
        (RUNS, "runs", (RUN,), TEXTS, OTHERWISE),
    ],
)
def test_honest_conditions_and_other_ways_to_say_it_are_not_flagged(
    service: Service, source: bytes, function: str, readings: tuple[Reading, ...], inputs: tuple[str, ...], helpers: str
):
    record = ReadingRecord(function, readings, "a reader", helpers, inputs=inputs)
    assert flags(service, source, record)[:2] == (Outcome.TESTED.value, "program.tested_unaccepted")


def test_what_somebody_accepted_is_not_flagged(service: Service):
    record = ReadingRecord("root", accepted(ROOTED, EXCLUDED), "a reader", inputs=ROOTS)
    assert flags(service, ROOT, record, "accepted")[1] != "program.reading_flagged"


def test_a_weak_reading_that_is_false_refutes(service: Service):
    wrong = TOTAL.replace(b"return found", b"return found + (len(xs) == 3)")
    record = ReadingRecord("total", (HEDGE, EMPTY), "a reader", inputs=LISTS)
    assert flags(service, wrong, record)[0] == Outcome.REFUTED.value


# words, a clause, and the numbers of the words that the clause does not have
NUMBERS_LEFT_OUT = {
    "the same number": ("At least 8 signs.", "len(result) >= 8", ()),
    "a part of another one": ("At least 8 signs.", "len(result) >= 18", ("8",)),
    "the beginning of another one": ("At least 8 signs.", "len(result) >= 80", ("8",)),
    "a part of a fraction": ("At least 8 signs.", "result >= 0.8", ("8",)),
    "the same as a fraction": ("At most 1.50 each.", "result <= 1.5", ()),
    "with signs between its digits": ("Up to 20,000 grams.", "grams <= 20_000", ()),
    "with others between": ("Up to 20,000 grams.", "grams <= 20", ("20,000",)),
    "beside letters": ("Rounded to 2 places.", "result == f'{x:.2f}'", ()),
    "two of them": ("From 8 to 10.", "8 <= result", ("10",)),
}


@pytest.mark.parametrize("name", NUMBERS_LEFT_OUT)
def test_numbers_are_compared_whole(name: str):
    words, clause, missing = NUMBERS_LEFT_OUT[name]
    reading = Reading(words, RESULT, clause)
    assert left_out_of(ReadingRecord("f", (reading,)), reading, ()) == missing
