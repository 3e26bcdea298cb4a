"""Holding a program against readings: on the reader's own inputs, the documented calls, and generated ones.

A call counts where every `requires` reading holds. Where a `raises` reading holds, its exception is due. A broken one
fails only after the call broke it again alone, under both hash seeds. Refuses to judge by a call that a requirement
excludes or says nothing certain of, and by a clause without a truth value.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.inputs.generate import CallSource
from probatum.programs.judging.claims import documented_calls
from probatum.programs.parsing.expressions import free_names
from probatum.programs.record import OWN_INPUT, CheckKind, CheckRecord, CheckState
from probatum.programs.running.checks import DirectCall, PlannedCheck, ReadCall, pasteable
from probatum.programs.running.clause_sessions import clause_sessions
from probatum.programs.running.compare import Comparison, compare, describe
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches, run_actions, run_twice
from probatum.programs.running.generated import Generated, unlike_calls
from probatum.programs.running.given_tests import SharedRuns
from probatum.programs.running.judged_calls import (
    CallDemand,
    ClauseQuestion,
    border_calls,
    demands,
    doubted_by,
    excused_by,
    inputs_of,
    judged_by,
    legal_calls,
    raises,
    truths,
)
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, ReadingJudge, Truth, judge_of
from probatum.programs.running.reading_sessions import run_clauses, run_sessions
from probatum.programs.running.recording import check_record
from probatum.programs.running.screening import WORK_PER_INPUT, affordable
from probatum.programs.running.stability import confirmed
from probatum.programs.specification import Example, FunctionSpec, Origin, ValueIs
from probatum.readings.syntax import expression_or_none
from probatum.readings.values import Reading, ReadingKind
from probatum.sandbox import Lost, Raised, Reply, Returned, Sandbox, SourceArgument

MOST_AT_BORDERS = 60
MOST_RAISING = 40
# What Python raises by itself where an argument is not of the kind that was meant.
_OF_WRONG_KINDS = ("TypeError", "AttributeError")
NOTHING_BROKEN: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answered:
    """A call, what it came to, what was demanded of it, and what the clauses give for a result that they ask for."""

    call: DirectCall
    reply: Reply
    demand: CallDemand
    found: Mapping[int, Truth] | Lost = field(default_factory=dict)
    is_own: bool = False
    """Whether it is a reader's, or near one: nothing in the program's file shows it."""

    @property
    def is_result(self) -> bool:
        """Whether it is a result, of a legal call that no exception is due for."""
        return isinstance(self.reply, Returned) and self.demand.asks_for_a_result


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
    answers: tuple[tuple[ReadingJudge, DirectCall, Returned], ...] = ()
    """What the program returned for legal calls that no exception is due for."""
    raised: tuple[tuple[str, int], ...] = ()
    """Whenever an exception was due and came: the id of the reading, and the place of the clause that demanded it."""

    def joined(self, other: ReadingRun) -> ReadingRun:
        """Return both together, with the judges of this one."""
        records, held = (*self.records, *other.records), (*self.held, *other.held)
        calls, sessions = (*self.calls, *other.calls), (*self.sessions, *other.sessions)
        answers, raised = (*self.answers, *other.answers), (*self.raised, *other.raised)
        return replace(self, calls=calls, records=records, held=held, sessions=sessions, answers=answers, raised=raised)

    def legal(self, calls: Sequence[DirectCall], sandbox: Sandbox) -> list[DirectCall]:
        """Return the calls for which every record's requirements are known to hold."""
        kept = list(calls)
        for judge in self.judges:
            kept = legal_calls(judge, kept, sandbox)
        return kept


def check_readings(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> ReadingRun:
    """Hold the program against every record that counts, on the readers' own inputs and on the documented calls."""
    judges = [
        judge for each in question.readings if isinstance(judge := judge_of(each, question.function), ReadingJudge)
    ]
    run = ReadingRun(tuple(judges))
    for place, judge in enumerate(judges, 1):
        first = _first(question, judge, planned, benches, f"q{place}")
        record = question.heard(judge.record)
        beside = run_clauses(question, record, _left_open(question, judge, first), benches)
        told = run_sessions(question, record, benches)
        known = {each.id for each in beside.records}
        # What nothing certain could be said of apart from the program is said in its own process.
        kept = (each for each in first.records if each.state is not CheckState.UNDECIDED or not _asked(each) <= known)
        run = run.joined(replace(first, records=tuple(kept)))
        for each in (beside, told):
            run = run.joined(ReadingRun(records=each.records, sessions=(each.shared,) if each.shared else ()))
    return run


def _left_open(question: FunctionQuestion, judge: ReadingJudge, run: ReadingRun) -> Mapping[Reading, str]:
    """Return the readings of clauses that a run says nothing certain of, as tests in the program's own process."""
    told = {name for each in run.records if each.state is not CheckState.UNDECIDED for name in _asked(each)}
    open_ones = {each.id for each in judge.clauses} - told - question.silent
    return clause_sessions(judge, question.function, open_ones)


def _asked(record: CheckRecord) -> frozenset[str]:
    """Return the ids of the readings that a check asks."""
    told = record.inputs.get("readings") if isinstance(record.inputs, dict) else None
    return frozenset(map(str, told)) if isinstance(told, list) else frozenset({record.id})


def check_generated(question: FunctionQuestion, run: ReadingRun, generated: Generated, benches: Benches) -> ReadingRun:
    """Hold the program against the same records on generated calls; return what came of these.

    Some of the calls are drawn to meet the conditions of documented exceptions.
    """
    # Nothing says that the program is meant for what was found by probing.
    pairs = () if generated.is_probed else zip(generated.actions, generated.replies, strict=True)
    usual = [(action, reply) for action, reply in pairs if isinstance(action, DirectCall)]
    found = ReadingRun()
    for place, judge in enumerate(run.judges, 1):
        told = demands(judge, [call for call, _ in usual], benches.first)
        answered = [_Answered(call, reply, each) for (call, reply), each in zip(usual, told, strict=True)]
        answered = _with_truths(judge, [*answered, *_raising(question, judge, generated.calls, benches)], benches)
        found = found.joined(_judged(question, judge, answered, benches, prefix=f"g{place}", is_sure=False))
    return found


def _raising(
    question: FunctionQuestion, judge: ReadingJudge, source: CallSource | None, benches: Benches
) -> list[_Answered]:
    if not judge.of_kind(ReadingKind.RAISES):
        return []
    drawn = unlike_calls(question, source)
    told = zip(drawn, demands(judge, drawn, benches.first), strict=True)
    by_clause: dict[int, list[tuple[DirectCall, CallDemand]]] = {}
    for call, demand in told:
        for place in [place for place, holds in demand.raises.items() if holds][:1]:
            by_clause.setdefault(place, []).append((call, demand))
    # A few of each, so that every condition is met.
    due = [each for row in zip_longest(*by_clause.values()) for each in row if each is not None][:MOST_RAISING]
    light = affordable(question, [call for call, _ in due], WORK_PER_INPUT, benches)
    kept = [each for index, each in enumerate(due) if index in light]
    replies = run_actions(benches.first, question.program, [call for call, _ in kept])
    return [_Answered(call, reply, demand) for (call, demand), reply in zip(kept, replies, strict=True)]


def readers_calls(judge: ReadingJudge, question: FunctionQuestion, sandbox: Sandbox) -> tuple[DirectCall, ...]:
    """Return the calls that a reader gave, as values where they are plain and as source where they are not."""
    function, known = question.function, BUILTIN_NAMES.union(question.module.defined)
    calls = []
    for text, values in zip(judge.record.inputs, inputs_of(judge, sandbox), strict=True):
        if values is None:
            tree = expression_or_none(text)
            # What the reader's own helpers make is known in the process of the clauses alone.
            if isinstance(tree, ast.Tuple) and free_names(tree) <= known:
                calls.append(DirectCall(function.qualname, tuple(map(_argument, tree.elts))))
        else:
            calls.append(DirectCall(function.qualname, values))
    return tuple(calls)


def _argument(node: ast.expr) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return SourceArgument(ast.unparse(node))


def _first(
    question: FunctionQuestion, judge: ReadingJudge, planned: Sequence[PlannedCheck], benches: Benches, prefix: str
) -> ReadingRun:
    own = readers_calls(judge, question, benches.first)
    shown = [each.call for each in documented_calls(question.function, planned)]
    near = (*_with_defaults(judge, own), *border_calls(judge, (*own, *shown), benches.first)[:MOST_AT_BORDERS])
    documented = {pasteable(call) for call in shown}
    written = documented | {pasteable(call) for call in own}
    calls = list({pasteable(call): call for call in (*own, *shown, *near)}.values())
    pairs = run_twice(benches, question.program, calls)
    demanded = zip(calls, pairs, demands(judge, calls, benches.first), strict=True)
    # At a border nobody wrote that the call is legal: an exception there says nothing unless it is due, and what a
    # requirement excludes nothing at all.
    steady = [
        _Answered(call, pair.first, demand, is_own=pasteable(call) not in documented)
        for call, pair, demand in demanded
        if pasteable(call) in written
        or (demand.is_legal and (not isinstance(pair.first, Raised) or True in demand.raises.values()))
    ]
    answered = _with_truths(judge, steady, benches)
    run = _judged(question, judge, answered, benches, prefix=prefix, is_sure=True)
    given = [each for each in answered if each.is_result and pasteable(each.call) in written]
    return replace(run, calls=own, records=(*run.records, *_unsaid(question, judge, given, f"{prefix}.u")))


def _with_truths(judge: ReadingJudge, answered: Sequence[_Answered], benches: Benches) -> list[_Answered]:
    """Ask the clauses about every result that they ask for."""
    speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
    asked = [ClauseQuestion(each.call, each.reply, speaking) for each in answered if each.is_result]
    told = iter(truths(judge, asked, benches.first))
    return [replace(each, found=next(told)) if each.is_result else each for each in answered]


def _unsaid(
    question: FunctionQuestion, judge: ReadingJudge, answered: Sequence[_Answered], prefix: str
) -> Iterator[CheckRecord]:
    """Yield a question for each reading that says nothing certain of the result of a call that somebody wrote."""
    told = set(question.silent)
    for each in answered:
        found = {} if isinstance(each.found, Lost) else each.found
        for clause in (judge.clauses[place] for place, truth in found.items() if truth is None):
            if clause.id not in told:
                told.add(clause.id)
                action = ReadCall(each.call, judge, frozenset({clause.id}))
                check = planned_reading(question.function, action, f"{prefix}{len(told)}")
                note = f"{describe(each.reply)} gives this reading no truth value: {said_of(clause.reading)}"
                yield check_record(check, Comparison(CheckState.UNDECIDED, describe(each.reply), note), each.reply)


def _with_defaults(judge: ReadingJudge, calls: Sequence[DirectCall]) -> list[DirectCall]:
    """Return the calls without their last arguments, one by one, as far as these have defaults."""
    by_position = [each for each in judge.parameters if each.kind in {"positional_only", "positional_or_keyword"}]
    needed = sum(each.default is None for each in by_position)
    return [
        replace(call, args=call.args[:count])
        for call in calls
        for count in range(needed, min(len(call.args), len(by_position)))
    ]


def _judged(
    question: FunctionQuestion,
    judge: ReadingJudge,
    answered: Sequence[_Answered],
    benches: Benches,
    *,
    prefix: str,
    is_sure: bool,
) -> ReadingRun:
    """Judge answered calls; ``is_sure`` says that somebody wrote them as legal."""
    records: list[CheckRecord] = []
    held: list[PlannedCheck] = []
    raised: list[tuple[str, int]] = []
    failed: set[str] = set()
    asked = [each.demand for each in answered]
    excused, doubted = excused_by(asked), doubted_by(asked)
    for number, each in enumerate(answered, 1):
        reply, surely = each.reply, each.demand.due(excused)
        due = surely or each.demand.due(excused | doubted)
        wanted = _raised(question, judge, due, reply) if due else _resulting(question, judge, each, is_sure=is_sure)
        wanted -= failed | question.silent
        if not wanted or isinstance(reply, Lost):
            continue
        action = ReadCall(each.call, judge, wanted)
        check = planned_reading(question.function, action, f"{OWN_INPUT * each.is_own}{prefix}.{number}")
        found = judged_by(action, reply, each.found)
        comparison = compare(check.example.expectation, found)
        if comparison.state is CheckState.HOLDS:
            records.append(check_record(check, comparison, found))
            known = reply if isinstance(reply, Returned) else None
            held.append(replace(check, action=replace(action, answer=known)))
            raised += [(judge.clauses[place].id, place) for place in due]
        elif comparison.state is CheckState.FAILS:
            broken = found.value if isinstance(found, Returned) and isinstance(found.value, tuple) else sorted(wanted)
            failed |= set(broken)
            record = _confirmed(question, judge, check, broken[0], reply, benches)
            # Of a result that only a generated call gives, nobody said that the call is legal.
            records.append(record if surely or (is_sure and not due) else _open(record))
    answers = [
        (judge, each.call, each.reply) for each in answered if each.is_result and isinstance(each.reply, Returned)
    ]
    return ReadingRun(records=tuple(records), held=tuple(held), answers=tuple(answers), raised=tuple(raised))


def _raised(question: FunctionQuestion, judge: ReadingJudge, due: Sequence[int], reply: Reply) -> frozenset[str]:
    """Return the ids of the readings whose exception is due, none where another one came that may come first."""
    wanted = frozenset(judge.clauses[place].id for place in due)
    if any(raises(reply, judge.clauses[place].reading.exception) for place in due):
        return wanted
    first = {*named_exceptions(question.function), *_OF_WRONG_KINDS}
    return frozenset() if any(raises(reply, name) for name in first) else wanted


def _resulting(
    question: FunctionQuestion, judge: ReadingJudge, answered: _Answered, *, is_sure: bool
) -> frozenset[str]:
    """Return the ids of the readings that say something about a result."""
    if not answered.demand.asks_for_a_result:
        return frozenset()
    if isinstance(answered.reply, Raised):
        is_named = any(raises(answered.reply, name) for name in named_exceptions(question.function))
        speaking = () if is_named or not is_sure else judge.of_kind(*SPEAKS_OF_RESULTS)
    else:
        found = {} if isinstance(answered.found, Lost) else answered.found
        speaking = tuple(place for place, truth in found.items() if truth is not None)
    return frozenset(judge.clauses[place].id for place in speaking)


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


def _confirmed(
    question: FunctionQuestion, judge: ReadingJudge, check: PlannedCheck, broken: str, reply: Reply, benches: Benches
) -> CheckRecord:
    clause = next(each for each in judge.clauses if each.id == broken)
    record, _ = confirmed(question, check, benches, _is_broken)
    if record.state is not CheckState.FAILS:
        return record
    return replace(record, text=clause.reading.statement, note=f"{describe(reply)}; read as: {said_of(clause.reading)}")


def _open(record: CheckRecord) -> CheckRecord:
    # Nobody said that such a call is legal: a requirement may be missing.
    if record.state is not CheckState.FAILS:
        return record
    return replace(
        record, state=CheckState.UNDECIDED, note=f"either the program or this reading is wrong: {record.note}"
    )


def _is_broken(reply: Reply) -> bool:
    return isinstance(reply, Raised) or (isinstance(reply, Returned) and bool(reply.value))


def said_of(reading: Reading) -> str:
    """Return a reading's clause as a person reads it."""
    if reading.kind is ReadingKind.RAISES and reading.clause:
        return f"raises {reading.exception} where {reading.clause}"
    return f"requires {reading.clause}" if reading.kind is ReadingKind.REQUIRES and reading.clause else reading.clause
