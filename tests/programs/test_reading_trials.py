"""Proposals are tried before anybody looks at them: what cannot be right is refused, with the reason."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.programs.decide import ProgramPolicy
from probatum.programs.judging.reading_trials import tried
from probatum.programs.loading import read_source
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source
from probatum.programs.units import find_function
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from probatum.sandbox import Program

FEE = b'''def fee(amount: int, notes: list) -> int:
    """Return the fee. Up to 100 it is a flat fee of 2.

    >>> fee(50, [])
    2
    >>> fee(-1, [])
    Traceback (most recent call last):
    ValueError
    """
    if amount < 0:
        raise ValueError
    notes.append(amount)
    return 2 if amount <= 100 else 7
'''
INPUTS = ("(100, [])", "(200, [1])")
FLAT = Reading("Up to 100 it is a flat fee of 2.", ReadingKind.RESULT, "amount > 100 or result == 2")


def _tried(benches: Benches, reading: Reading, *others: ReadingRecord, helpers: str = "", program: bytes = FEE) -> str:
    source = read_source(Program(program))
    assert isinstance(source, Source)
    question = FunctionQuestion(source, find_function(source.module, "fee"), ProgramPolicy())
    [reason] = tried(question, ReadingRecord("fee", (reading,), "m", helpers, inputs=INPUTS), benches, others)
    return reason


TRIED = {
    "one that may be right": (FLAT, ""),
    "one that the program breaks where nothing is documented": (
        replace(FLAT, clause="amount <= 100 or result == 9"),
        "",
    ),
    "one that an example contradicts": (replace(FLAT, clause="result == 3"), "the documented fee(50, []), which is"),
    "one without a truth value": (replace(FLAT, clause="result / 0 == 1"), "it has no truth value for the documented"),
    "one that nothing breaks": (replace(FLAT, clause="result == result"), "no altered result breaks it on 3 inputs"),
    "one whose condition is never met": (
        replace(FLAT, clause="amount < 1000 or result == 2"),
        "no altered result breaks it on 3 inputs: it says nothing, or none of them meets its condition",
    ),
    "one that differs each time": (
        # The hash seeds of the two sandboxes make one of them true.
        replace(FLAT, clause="result == 2 and hash('b') % 2 == 0"),
        "it has no truth value for the documented",
    ),
    "a requirement": (Reading("x", ReadingKind.REQUIRES, "amount >= 0"), ""),
    "a requirement that excludes an example": (
        Reading("x", ReadingKind.REQUIRES, "amount > 60"),
        "the documented fee(50, []), which is 2, contradicts it",
    ),
    "an exception": (Reading("x", ReadingKind.RAISES, "amount < 0", "ValueError"), ""),
    "an exception where an example shows a value": (
        Reading("x", ReadingKind.RAISES, "amount < 60", "ValueError"),
        "the documented fee(50, []), which is 2, contradicts it",
    ),
    "an argument afterwards": (Reading("x", ReadingKind.EFFECT, "notes__after == notes + [amount]"), ""),
    "an argument afterwards that the program breaks": (Reading("x", ReadingKind.EFFECT, "notes__after == notes"), ""),
    "an argument afterwards that nothing breaks": (
        Reading("x", ReadingKind.EFFECT, "notes__after == notes__after"),
        "no altered result breaks it",
    ),
    "words alone": (Reading("x", ReadingKind.NARRATIVE), ""),
    "a session": (Reading("x", ReadingKind.SESSION, "assert fee(1, []) == 2"), ""),
}


@pytest.mark.parametrize("row", TRIED.values(), ids=TRIED)
def test_a_proposal_is_tried(row: tuple[Reading, str], benches: Benches) -> None:
    reading, reason = row
    found = _tried(benches, reading)
    assert found.startswith(reason)
    assert bool(found) == bool(reason)


def test_a_clause_that_never_ends_is_no_truth(benches: Benches) -> None:
    helpers = "def endless():\n    while True:\n        pass\n"
    found = _tried(benches, replace(FLAT, clause="endless() or result == 2"), helpers=helpers)
    assert found.startswith("it has no truth value for the documented fee(50, [])")


def test_an_accepted_reading_of_the_same_words_is_not_contradicted(benches: Benches) -> None:
    accepted = replace(
        FLAT, clause="amount <= 100 or result == 7", standing=Standing.ACCEPTED, by="Ada", on="2026-01-31"
    )
    others = ReadingRecord("fee", (accepted,), "n")
    found = _tried(benches, replace(FLAT, clause="amount <= 100 or result == 8"), others)
    assert found == f"the accepted reading {others.id_of(accepted)} of the same words allows fee(200, [1]) to be 7"


def test_a_program_that_does_not_answer_is_no_matter(benches: Benches) -> None:
    broken = FEE.replace(b"    notes.append(amount)", b"    raise KeyError")
    assert _tried(benches, FLAT, program=broken) == ""
    assert _tried(benches, replace(FLAT, clause="result == 3"), program=broken).startswith("the documented fee(50, [])")
