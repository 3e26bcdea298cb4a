"""Holding a program against readings: on the reader's own inputs, the documented calls, and generated ones.

A call counts where every `requires` reading holds. Where a `raises` reading holds, its exception is due. A broken one
fails only after the call broke it again alone, under both hash seeds. Refuses to judge by a call that a requirement
excludes or says nothing certain of, and by a clause without a truth value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from probatum.programs.judging.claims import documented_calls
from probatum.programs.judging.exception_checks import named_exceptions
from probatum.programs.parsing.literals import expression_or_none
from probatum.programs.readings.values import ReadingKind
from probatum.programs.record import CheckKind, CheckRecord, CheckState
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, ReadCall, pasteable
from probatum.programs.running.compare import compare, describe
from probatum.programs.running.execute import Benches, run_twice
from probatum.programs.running.given_tests import SharedRuns
from probatum.programs.running.judged_calls import border_calls, due, input_at, judged_reply, raises, truths
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, JudgedClause, ReadingJudge, judge_of
from probatum.programs.running.reading_sessions import run_sessions
from probatum.programs.running.recording import check_record
from probatum.programs.running.stability import confirmed
from probatum.programs.specification import Example, FunctionSpec, Origin, ValueIs
from probatum.sandbox import Lost, Raised, Reply, Returned, Sandbox, SourceArgument

MOST_AT_BORDERS = 60
NOTHING_BROKEN: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReadingRun:
    """What came of holding a program against the readings that count."""

    judges: tuple[ReadingJudge, ...] = ()
    calls: tuple[DirectCall, ...] = ()
    """The calls that the readers gave."""
    records: tuple[CheckRecord, ...] = ()
    held: tuple[PlannedCheck, ...] = ()
    sessions: tuple[SharedRuns, ...] = ()
    """What runs on faulty copies what the readers wrote as sessions."""

    def joined(self, other: ReadingRun) -> ReadingRun:
        """Return both together, with the judges of this one."""
        records, held = (*self.records, *other.records), (*self.held, *other.held)
        calls, sessions = (*self.calls, *other.calls), (*self.sessions, *other.sessions)
        return replace(self, calls=calls, records=records, held=held, sessions=sessions)

    def is_legal(self, call: DirectCall, sandbox: Sandbox) -> bool:
        """Tell whether every record's requirements are known to hold for a call."""
        demanded = (due(judge, call, sandbox) for judge in self.judges)
        return all(not isinstance(each, Lost) and each.is_legal is True for each in demanded)


def check_readings(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> ReadingRun:
    """Hold the program against every record that counts, on the readers' own inputs and on the documented calls."""
    judges = [
        judge for each in question.readings if isinstance(judge := judge_of(each, question.function), ReadingJudge)
    ]
    run = ReadingRun(tuple(judges))
    for judge in judges:
        run = run.joined(_first(question, judge, planned, benches))
        told = run_sessions(question, judge.record, benches)
        run = run.joined(ReadingRun(records=told.records, sessions=(told.shared,) if told.shared else ()))
    return run


def check_generated(
    question: FunctionQuestion, run: ReadingRun, answered: Iterable[tuple[Action, Reply]], benches: Benches
) -> ReadingRun:
    """Hold the program against the same records on generated calls, which it has answered; return both together."""
    calls = [(action, reply) for action, reply in answered if isinstance(action, DirectCall)]
    few = calls[: question.policy.stated_inputs]
    for judge in run.judges:
        run = run.joined(_judged(question, judge, few, benches, first=len(run.records) + 1, is_legal_for_sure=False))
    return run


def readers_calls(judge: ReadingJudge, function: FunctionSpec, sandbox: Sandbox) -> tuple[DirectCall, ...]:
    """Return the calls that a reader gave, as values where they are plain and as source where they are not."""
    calls = []
    for index, text in enumerate(judge.record.inputs):
        values = input_at(judge, index, sandbox)
        if values is None:
            tree = expression_or_none(text)
            values = tuple(map(_argument, tree.elts)) if isinstance(tree, ast.Tuple) else None
        if values is not None:
            calls.append(DirectCall(function.qualname, values))
    return tuple(calls)


def _argument(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return SourceArgument(ast.unparse(node))


def _first(
    question: FunctionQuestion, judge: ReadingJudge, planned: Sequence[PlannedCheck], benches: Benches
) -> ReadingRun:
    own = readers_calls(judge, question.function, benches.first)
    shown = [each.call for each in documented_calls(question.function, planned)]
    near = border_calls(judge, (*own, *shown), benches.first)[:MOST_AT_BORDERS]
    calls = list({pasteable(call): call for call in (*own, *shown, *near)}.values())
    pairs = run_twice(benches, question.program, calls)
    steady = [(call, pair.first) for call, pair in zip(calls, pairs, strict=True)]
    return replace(_judged(question, judge, steady, benches, first=1, is_legal_for_sure=True), calls=own)


def _judged(
    question: FunctionQuestion,
    judge: ReadingJudge,
    answered: Iterable[tuple[DirectCall, Reply]],
    benches: Benches,
    *,
    first: int,
    is_legal_for_sure: bool,
) -> ReadingRun:
    records: list[CheckRecord] = []
    held: list[PlannedCheck] = []
    failed: set[str] = set()
    for number, (call, reply) in enumerate(answered, first):
        wanted = _wanted(question, judge, call, reply, benches.first, is_legal_for_sure=is_legal_for_sure) - failed
        if not wanted or isinstance(reply, Lost):
            continue
        action = ReadCall(call, judge, wanted)
        check = planned_reading(judge, question.function, action, number)
        found = judged_reply(action, reply, benches.first)
        comparison = compare(check.example.expectation, found)
        if comparison.state is CheckState.HOLDS:
            records.append(check_record(check, comparison, found))
            held.append(check)
        elif isinstance(found, Returned) and isinstance(found.value, tuple):
            failed |= set(found.value)
            record = _confirmed(question, judge, check, found.value[0], reply, benches)
            records.append(record if is_legal_for_sure else _open(record))
    return ReadingRun(records=tuple(records), held=tuple(held))


def _wanted(
    question: FunctionQuestion,
    judge: ReadingJudge,
    call: DirectCall,
    reply: Reply,
    sandbox: Sandbox,
    *,
    is_legal_for_sure: bool,
) -> frozenset[str]:
    """Return the ids of the readings that say something about a call and what came of it."""
    demanded = due(judge, call, sandbox)
    if isinstance(demanded, Lost) or demanded.is_legal is not True or not demanded.is_settled:
        return frozenset()
    if demanded.raises:
        return frozenset(judge.clauses[place].id for place in demanded.raises)
    speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
    if isinstance(reply, Raised):
        is_named = any(raises(reply, name) for name in named_exceptions(question.function))
        return frozenset() if is_named or not is_legal_for_sure else frozenset(judge.clauses[p].id for p in speaking)
    found = truths(judge, call, reply, speaking, sandbox)
    if isinstance(found, Lost):
        return frozenset()
    return frozenset(judge.clauses[place].id for place in speaking if found[place] is not None)


def planned_reading(judge: ReadingJudge, function: FunctionSpec, action: ReadCall, number: int) -> PlannedCheck:
    """Return the check of one call by the readings that say something about it."""
    said = [each for each in judge.clauses if each.id in action.wanted]
    example = Example(
        id=f"{judge.record.reader or 'reader'}.{number}",
        expression=pasteable(action),
        expectation=ValueIs(NOTHING_BROKEN, "()"),
        span=function.span,
        text="; ".join(each.reading.statement for each in said),
        notation=CheckKind.READING.value,
        origin=Origin.GROUND_TRUTH,
    )
    return PlannedCheck(example, action, kind=CheckKind.READING)


def _confirmed(
    question: FunctionQuestion, judge: ReadingJudge, check: PlannedCheck, broken: str, reply: Reply, benches: Benches
) -> CheckRecord:
    clause = next(each for each in judge.clauses if each.id == broken)
    record, _ = confirmed(question, check, benches, _is_broken)
    if record.state is not CheckState.FAILS:
        return record
    return replace(record, text=clause.reading.statement, note=f"{describe(reply)}; read as: {said(clause)}")


def _open(record: CheckRecord) -> CheckRecord:
    # Nobody said that such a call is legal: a requirement may be missing.
    if record.state is not CheckState.FAILS:
        return record
    return replace(
        record, state=CheckState.UNDECIDED, note=f"either the program or this reading is wrong: {record.note}"
    )


def _is_broken(reply: Reply) -> bool:
    return isinstance(reply, Returned) and bool(reply.value)


def said(clause: JudgedClause) -> str:
    """Return a reading's clause as a person reads it."""
    reading = clause.reading
    return (
        f"raises {reading.exception} where {reading.clause}" if reading.kind is ReadingKind.RAISES else reading.clause
    )
