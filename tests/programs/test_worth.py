"""What evidence is worth: more of it never lowers a confidence, an open verdict caps it, the scorecard is the fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.confidence_calibration import COUNTS, document_of, fitted, read, weighed
from probatum.core.decision import Decision, Outcome, decide
from probatum.programs import worth
from probatum.programs.record import (
    CheckKind,
    CheckRecord,
    CheckState,
    FunctionRecord,
    MutantRecord,
    MutantState,
    ReadingOutcome,
    ReferenceOutcome,
    StatementOutcome,
)
from probatum.programs.specification import DecidedBy, Origin, StatementKind, StatementState
from probatum.programs.triangulate import NOTHING_KNOWN, UNDECIDED_AT_MOST, confidence
from probatum.programs.worth import Scorecard, ScoredQuestion, evidence_of, scorecard

MIN_CONFIDENCE = 0.7
APPROVAL = 0.85
TESTED = decide(Outcome.TESTED, "program.tested", {"name": "f", "checks": 1, "noticed": 1, "planted": 1})
UNDECIDED = decide(Outcome.UNDECIDED, "program.weak_checks", {"name": "f"})
REFUTED = decide(Outcome.REFUTED, "program.counterexample", {"name": "f"})
NOT_ATTEMPTED = decide(Outcome.NOT_ATTEMPTED, "program.lost", {"name": "f"})


def check(number: int, kind: CheckKind = CheckKind.EXAMPLE, state: CheckState = CheckState.HOLDS) -> CheckRecord:
    how = (DecidedBy.EXAMPLE, Origin.GROUND_TRUTH)
    return CheckRecord(f"e{number}", kind, *how, 1, "f(1) == 1", {}, {"value": 1}, {"value": 1}, state)


def record_of(
    *, examples: int = 0, undecided: int = 0, noticed: int = 0, survived: int = 0, bare: int = 0, readings: int = 0,
    references: int = 0, unreached: int = 0, special: int = 0,
) -> FunctionRecord:  # fmt: skip
    checks = [check(each) for each in range(examples)]
    checks += [check(100 + each, state=CheckState.UNDECIDED) for each in range(undecided)]
    mutants = [(MutantState.NOTICED, each) for each in range(noticed)]
    mutants += [(MutantState.SURVIVED, 1000 + each) for each in range(survived)]
    return FunctionRecord(
        "f",
        1,
        checks=tuple(checks),
        mutants=tuple(MutantRecord(f"m{number}", "swap", 1, "line 1", state) for state, number in mutants),
        strength_measured=True,
        statements=tuple(statement(number, StatementState.OPEN) for number in range(bare)),
        readings=tuple(
            ReadingOutcome(f"r{number}", "words", "result > 0", "ada", "", met=3, noticed=1)
            for number in range(readings)
        ),
        references=(ReferenceOutcome("ada", 5),) * references,
        unreached=("line 4 is reached by no input",) * unreached,
        special_cases=("line 5 is reached by documented inputs alone",) * special,
    )


def statement(number: int, state: StatementState) -> StatementOutcome:
    return StatementOutcome(f"s{number}", "Return it.", StatementKind.SENTENCE, "docstring", 2, state)


few = st.integers(0, 12)
records = st.builds(
    record_of, examples=st.integers(1, 8), undecided=st.integers(0, 2), noticed=few, survived=few, bare=few,
    readings=few, references=st.integers(0, 2), unreached=st.integers(0, 2), special=st.integers(0, 1),
)  # fmt: skip
decisions = st.sampled_from([TESTED, UNDECIDED])


def noticing_more(record: FunctionRecord, number: int) -> FunctionRecord:
    if not record.survivors:
        return record
    chosen = record.survivors[number % len(record.survivors)]
    noticed = [replace(m, state=MutantState.NOTICED) if m.id == chosen.id else m for m in record.mutants]
    return replace(record, mutants=tuple(noticed))


def covering_more(record: FunctionRecord, number: int) -> FunctionRecord:
    if not record.statements:
        return record
    chosen = record.statements[number % len(record.statements)].id
    quoted = [replace(s, state=StatementState.QUOTED) if s.id == chosen else s for s in record.statements]
    return replace(record, statements=tuple(quoted))


def holding_more(record: FunctionRecord, number: int) -> FunctionRecord:
    return replace(record, checks=(*record.checks, check(500 + number)))


def agreeing_more(record: FunctionRecord, number: int) -> FunctionRecord:
    further = ReadingOutcome(f"x{number}", "words", "result > 0", "grace", "", met=1, noticed=1)
    reference = ReferenceOutcome("grace", 4)
    return replace(record, readings=(*record.readings, further), references=(*record.references, reference))


@pytest.mark.parametrize("more", [noticing_more, covering_more, holding_more, agreeing_more])
@given(record=records, decision=decisions, number=st.integers(0, 50))
def test_more_evidence_never_lowers_a_confidence(
    more: object, record: FunctionRecord, decision: Decision, number: int
) -> None:
    assert callable(more)
    assert confidence(more(record, number), decision) >= confidence(record, decision)


@given(record=records)
def test_an_outcome_bounds_the_confidence(record: FunctionRecord) -> None:
    assert 0 < confidence(record, TESTED) < 1
    assert confidence(record, UNDECIDED) <= UNDECIDED_AT_MOST < APPROVAL
    assert confidence(record, REFUTED) == confidence(record, NOT_ATTEMPTED) == 0.0


@given(record=records)
def test_where_nothing_was_executed_nothing_is_known(record: FunctionRecord) -> None:
    bare = replace(record, checks=())
    assert confidence(bare, UNDECIDED) == NOTHING_KNOWN < MIN_CONFIDENCE


def test_the_packaged_scorecard_is_the_fit_of_the_counts() -> None:
    packaged = Path(worth.__file__).with_name(worth.SCORECARD).read_text(encoding="utf-8")
    assert packaged == document_of(fitted(weighed(read(COUNTS))))


def test_every_question_is_about_a_number_of_the_evidence() -> None:
    assert {each.name for each in scorecard().questions} <= set(evidence_of(FunctionRecord("f", 1)))


BAD_CARDS: dict[str, tuple[tuple[int, ...], tuple[float, ...]]] = {
    "too short": ((2,), (0.1, 0.2)),
    "falls": ((1,), (0.5, 0.4)),
    "above one": ((1,), (0.5, 1.5)),
    "below zero": ((1,), (-0.1, 0.5)),
    "points below zero": ((-1,), ()),
}


@pytest.mark.parametrize("name", BAD_CARDS)
def test_a_scorecard_by_which_evidence_could_count_against_is_refused(name: str) -> None:
    points, confidences = BAD_CARDS[name]
    with pytest.raises(ValueError):
        Scorecard(tuple(ScoredQuestion("checks", at_least=1, points=each) for each in points), confidences)


def test_a_question_has_one_bound() -> None:
    for bounds in ({}, {"at_least": 1.0, "at_most": 2.0}):
        with pytest.raises(ValueError, match="one bound"):
            ScoredQuestion("checks", **bounds)
