"""The records of checks by readings: what is asked of one call, and what came of it, in words.

Refuses to let a call refute that nobody wrote as legal: such a record is open.
"""

from __future__ import annotations

from dataclasses import replace

from probatum.programs.record import CheckKind, CheckRecord, CheckState
from probatum.programs.running.checks import PlannedCheck, ReadCall, pasteable
from probatum.programs.running.compare import compare, describe
from probatum.programs.running.execute import Benches
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import ReadingJudge
from probatum.programs.running.recording import check_record
from probatum.programs.running.stability import confirmed
from probatum.programs.specification import Example, FunctionSpec, Origin, ValueIs
from probatum.readings.values import Reading, ReadingKind
from probatum.sandbox import Lost, LostReason, Raised, Reply, Returned

NOTHING_BROKEN: tuple[str, ...] = ()


def planned_reading(function: FunctionSpec, action: ReadCall, check_id: str) -> PlannedCheck:
    """Return the check of one call by the readings that say something about it."""
    said = [each for each in action.judge.clauses if each.id in action.wanted]
    example = Example(
        id=check_id,
        expression=pasteable(action),
        expectation=ValueIs(NOTHING_BROKEN, "()"),
        span=function.span,
        text="; ".join(each.reading.statement for each in said),
        notation=CheckKind.READING.value,
        origin=Origin.GROUND_TRUTH,
    )
    return PlannedCheck(example, action, kind=CheckKind.READING)


def confirmed_reading(
    question: FunctionQuestion, judge: ReadingJudge, check: PlannedCheck, broken: str, reply: Reply, benches: Benches
) -> CheckRecord:
    """Return the record of a check that a clause fails, after it was asked again alone."""
    clause = next(each for each in judge.clauses if each.id == broken)
    record, _ = confirmed(question, check, benches, _is_broken)
    if record.state is not CheckState.FAILS:
        return record
    return replace(record, text=clause.reading.statement, note=f"{describe(reply)}; read as: {said_of(clause.reading)}")


def says_no_more(check: PlannedCheck, found: Reply, reply: Reply) -> bool:
    """Tell whether a check is open that would fail but for what the call met, or for a process that was lost.

    What holds and met something missing is no evidence, and nothing else.
    """
    if isinstance(reply, Lost) or isinstance(found, Lost):
        return isinstance(reply, Lost)
    return compare(check.example.expectation, replace(found, denied=())).state is CheckState.FAILS


def excused_reading(judge: ReadingJudge, check: PlannedCheck, broken: str, found: Reply, reply: Reply) -> CheckRecord:
    """Return the open record of such a check, with the excuse."""
    comparison = compare(check.example.expectation, found)
    [clause, *_] = (each for each in judge.clauses if each.id == broken)
    said = f"{pasteable(check.action)} gives {describe(reply)}; read as: {said_of(clause.reading)}; {comparison.note}"
    return replace(check_record(check, comparison, found), text=clause.reading.statement, note=said)


def opened(record: CheckRecord) -> CheckRecord:
    """Return a failing record as a question: nobody said that such a call is legal, a requirement may be missing."""
    if record.state is not CheckState.FAILS:
        return record
    note = f"either the program or this reading is wrong: {record.reproduction} gives {record.note}"
    return replace(record, state=CheckState.UNDECIDED, note=note)


def _is_broken(reply: Reply) -> bool:
    if isinstance(reply, Lost):
        return reply.reason is LostReason.EXIT
    return isinstance(reply, Raised) or bool(reply.value)


def said_of(reading: Reading) -> str:
    """Return a reading's clause as a person reads it."""
    if reading.kind is ReadingKind.RAISES and reading.clause:
        return f"raises {reading.exception} where {reading.clause}"
    return f"requires {reading.clause}" if reading.kind is ReadingKind.REQUIRES and reading.clause else reading.clause
