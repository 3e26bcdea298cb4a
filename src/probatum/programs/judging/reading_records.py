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
from probatum.readings.vocabulary import AFTER
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


def broken_reading(
    question: FunctionQuestion,
    judge: ReadingJudge,
    check: PlannedCheck,
    answer: tuple[Reply, Reply],
    benches: Benches,
    *,
    is_certain: bool,
) -> CheckRecord | None:
    """Return the record of a check that does not hold: it fails, or is open; None where it says nothing.

    ``answer`` is what the program replied, and what the clauses made of it. What fails is asked again alone. Open is
    what met something missing and would fail without that, a process that was lost, and a call that nobody calls legal.
    """
    reply, found = answer
    comparison = compare(check.example.expectation, found)
    ids = found.value if isinstance(found, Returned) and isinstance(found.value, tuple) else sorted(wanted_of(check))
    clause = next(each for each in judge.clauses if each.id in ids[:1])
    verb = "" if isinstance(reply, Raised) else "gives "
    said = f"{describe(reply)}{_left_behind(reply, clause.reading, judge)}; read as: {said_of(clause.reading)}"
    if comparison.state is CheckState.FAILS:
        record, _ = confirmed(question, check, benches, _is_broken)
        if record.state is not CheckState.FAILS:
            return record
        line = question.line_read(judge.record, clause.reading)
        record = replace(record, line=line, text=clause.reading.statement, note=f"{verb}{said}")
        if is_certain:
            return record
        # A requirement may be missing, or a condition of an exception.
        note = f"either the program or this reading is wrong: {record.reproduction} {verb}{said}"
        return replace(record, state=CheckState.UNDECIDED, note=note)
    if isinstance(found, Lost) or isinstance(reply, Lost):
        is_open = isinstance(reply, Lost)
    else:
        is_open = compare(check.example.expectation, replace(found, denied=())).state is CheckState.FAILS
    if not is_open:
        return None
    record = check_record(check, comparison, found)
    return replace(record, text=clause.reading.statement, note=f"{record.reproduction} {verb}{said}; {comparison.note}")


def _left_behind(reply: Reply, reading: Reading, judge: ReadingJudge) -> str:
    """Return what a call made of the arguments that an effect speaks of, in words."""
    if reading.kind is not ReadingKind.EFFECT or not isinstance(reply, Returned):
        return ""
    names = (each.name for each in judge.parameters)
    left = dict(zip(names, reply.arguments, strict=False)) | dict(reply.keyword_arguments)
    told = (
        f" and leaves {name} as {describe(replace(reply, value=value))}"
        for name, value in left.items()
        if f"{name}{AFTER}" in reading.clause
    )
    return "".join(told)


def wanted_of(check: PlannedCheck) -> frozenset[str]:
    """Return the ids of the readings that a check asks."""
    return check.action.wanted if isinstance(check.action, ReadCall) else frozenset()


def _is_broken(reply: Reply) -> bool:
    if isinstance(reply, Lost):
        return reply.reason is LostReason.EXIT
    return isinstance(reply, Raised) or bool(reply.value)


def said_of(reading: Reading) -> str:
    """Return a reading's clause as a person reads it."""
    if reading.kind is ReadingKind.RAISES and reading.clause:
        return f"raises {reading.exception} where {reading.clause}"
    return f"requires {reading.clause}" if reading.kind is ReadingKind.REQUIRES and reading.clause else reading.clause


def asked_by(record: CheckRecord) -> frozenset[str]:
    """Return the ids of the readings that are asked by what a record is about."""
    told = record.inputs.get("readings") if isinstance(record.inputs, dict) else None
    return frozenset(map(str, told)) if isinstance(told, list) else frozenset({record.id})
