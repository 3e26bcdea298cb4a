"""Consensus: what readers agree on counts, whoever else reads; what nobody else says stays a proposal."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.programs.decide import ProgramPolicy
from probatum.programs.judging.reading_agreement import agreed_by, disagreements
from probatum.programs.loading import read_source
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import Source
from probatum.programs.units import find_function
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Program
from tests.programs.readers import BAD, GOOD, GUARD, NET, WRONG_NET, accepted, asked, record
from tests.services import Service

AGAIN = replace(GOOD, clause="abs(gross / (1 + rate) - result) <= 1e-6 * max(1, abs(gross)) / (1 + rate)")
LOOSE = replace(GOOD, clause="result <= gross")
UNLESS = replace(GUARD, clause="not rate >= 0")
STRICTER = replace(GUARD, clause="rate <= 0")
PART = replace(AGAIN, statement="without tax.")
WORDS = replace(GOOD, kind=ReadingKind.NARRATIVE, clause="")
BORDERS = ("(1.0, -0.5)", "(1.0, 0.0)")


def by(reader: str, *readings: Reading, inputs: tuple[str, ...] = BORDERS, helpers: str = "") -> ReadingRecord:
    return replace(record(*readings, helpers=helpers), reader=reader, inputs=(*record().inputs, *inputs))


A, B = by("a", GOOD, GUARD), by("b", AGAIN, UNLESS)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("source", "records", "policy", "due", "constraint"),
    [
        (NET, (A, B), "consensus:2", Outcome.TESTED, "program.tested_unaccepted"),
        (WRONG_NET, (A, B), "consensus:2", Outcome.REFUTED, "program.reading_contradicted"),
        (WRONG_NET, (A, by("b", PART)), "consensus:2", Outcome.REFUTED, "program.reading_contradicted"),
        (WRONG_NET, (A, B), "accepted", Outcome.UNDECIDED, "program.reading_broken"),
        (WRONG_NET, (A, B), "consensus:3", Outcome.UNDECIDED, "program.reading_broken"),
        (WRONG_NET, (A, replace(B, reader="a")), "consensus:2", Outcome.UNDECIDED, "program.reading_broken"),
        (WRONG_NET, (A, replace(B, reader="")), "consensus:2", Outcome.UNDECIDED, "program.reading_broken"),
        (WRONG_NET, (A, by("b", LOOSE)), "consensus:2", Outcome.UNDECIDED, "program.reading_broken"),
        (WRONG_NET, (A, by("b", WORDS)), "consensus:2", Outcome.UNDECIDED, "program.reading_broken"),
        (NET, (A, by("b", AGAIN, STRICTER)), "consensus:2", Outcome.UNDECIDED, "program.reading_broken"),
        (
            NET,
            (by("a", BAD, GUARD), by("b", BAD, GUARD)),
            "consensus:2",
            Outcome.UNDECIDED,
            "program.statement_unchecked",
        ),
        (WRONG_NET, (by("a", *accepted(GOOD)),), "consensus:2", Outcome.REFUTED, "program.reading_contradicted"),
    ],
)
def test_what_readers_agree_on_counts_and_nothing_else(
    service: Service, source: bytes, records: tuple[ReadingRecord, ...], policy: str, due: Outcome, constraint: str
):
    verdict = service.verify_program(asked(source, *records, policy=policy)).verdict
    assert (verdict.outcome, verdict.developer_fields["constraint_id"]) == (due.value, constraint)


def _agreed(benches: Benches, *records: ReadingRecord, source: bytes = NET, function: str = "net_price") -> set[str]:
    read = read_source(Program(source))
    assert isinstance(read, Source)
    policy = ProgramPolicy(readings="consensus:2")
    question = FunctionQuestion(read, find_function(read.module, function), policy, readings=records)
    return set(agreed_by(question, 2, benches))


def _told(benches: Benches, *records: ReadingRecord) -> list[tuple[set[str], str, bool]]:
    read = read_source(Program(NET))
    assert isinstance(read, Source)
    question = FunctionQuestion(read, find_function(read.module, "net_price"), ProgramPolicy(), readings=records)
    return [(set().union(*each.readings), each.input, each.holds) for each in disagreements(question, benches)]


def test_readers_who_differ_are_told_with_the_input_on_which_they_do(benches: Benches):
    [(ids, shown, holds)] = _told(benches, by("a", GOOD, GUARD), by("b", AGAIN, STRICTER))
    assert ids == _ids(by("a", GUARD), by("b", STRICTER))
    assert (shown.startswith("net_price("), "returning" in shown, holds) == (True, False, False)
    [(ids, shown, holds)] = _told(benches, by("a", LOOSE), by("b", GOOD))
    assert ids == _ids(by("a", LOOSE), by("b", GOOD))
    assert (") returning " in shown, holds) == (True, True)


def test_nothing_is_told_of_readers_who_agree_or_of_one_alone(benches: Benches):
    assert _told(benches, A, B) == []
    assert _told(benches, A) == []


def _ids(*records: ReadingRecord) -> set[str]:
    return {each.id_of(reading) for each in records for reading in each.readings}


THIRD = {
    "one who agrees": by("c", GOOD, GUARD),
    "one who says less": by("c", LOOSE, STRICTER),
    "one who says the opposite": by("c", BAD, replace(GUARD, clause="rate >= 0")),
    "one who excludes everything": by("c", replace(GUARD, kind=ReadingKind.REQUIRES, exception="", clause="False")),
    "one with other inputs": by("c", GOOD, inputs=("(1e308, 1e-308)", "(float('nan'), -2.0)", "('a', [])")),
    "one whose helpers are lost": by("c", replace(GOOD, clause="f()"), helpers="def f():\n    return [0] * 10**12\n"),
    "one whose helpers are no Python": by("c", GOOD, helpers="def f(:\n"),
}


@pytest.mark.sampled(3)
@pytest.mark.parametrize("case", THIRD)
def test_law_a_further_reader_parts_no_two_others(benches: Benches, case: str):
    assert _ids(A, B) <= _agreed(benches, THIRD[case], A, B)


def test_what_was_never_told_apart_is_no_agreement(benches: Benches):
    never = replace(GUARD, clause="rate < -1e9")
    assert _agreed(benches, by("a", never), by("b", replace(never, clause="rate < -1e8"))) == set()


STACK = b'''class Stack:
    """Keep items.

    >>> Stack().size()
    0
    """

    def __init__(self):
        self._items = []

    def push(self, item):
        """Put an item on top."""
        self._items.append(item)

    def size(self):
        """Return how many there are."""
        return len(self._items)
'''


@pytest.mark.parametrize(
    ("clause", "is_agreed"),
    [
        ("s = Stack(); s.push('a'); assert 0 < s.size() < 2", True),
        ("s = Stack(); s.push(1); assert s.size() == 0", False),
        ("s = Stack(); s.push('a'); assert s.size() != 0", False),
    ],
)
def test_sessions_agree_where_the_same_faults_break_them(benches: Benches, clause: str, is_agreed: bool):
    first = Reading("Put an item on top.", ReadingKind.SESSION, "s = Stack(); s.push(1); assert s.size() == 1")
    pair = [ReadingRecord("Stack", (first,), "a"), ReadingRecord("Stack", (replace(first, clause=clause),), "b")]
    assert _agreed(benches, *pair, source=STACK, function="Stack") == (_ids(*pair) if is_agreed else set())
