"""Holding a program against readings: on the reader's own inputs, the documented calls, and generated ones.

A call counts where every `requires` reading holds. Where a `raises` reading holds, its exception is due. A broken one
fails only after the call broke it again alone, under both hash seeds. Refuses to judge by a call that a requirement
excludes or says nothing certain of, and by a clause without a truth value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from probatum.programs.inputs.generate import CallSource
from probatum.programs.judging.claims import StatedClauses, documented_calls
from probatum.programs.judging.reading_inputs import has_inputs_inside, misfits, readers_calls, refused_inputs
from probatum.programs.judging.reading_records import asked_by, broken_reading, planned_reading, said_of
from probatum.programs.record import OWN_INPUT, CheckRecord, CheckState, plainness
from probatum.programs.running.checks import ARGUMENT_FAILED, DirectCall, PlannedCheck, ReadCall, pasteable
from probatum.programs.running.clause_sessions import clause_sessions
from probatum.programs.running.compare import Comparison, compare, describe
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches, run_actions, run_twice
from probatum.programs.running.generated import Generated, Legality, anything, unlike_calls
from probatum.programs.running.given_tests import SharedRuns
from probatum.programs.running.judged_calls import (
    CallDemand,
    ClauseQuestion,
    border_calls,
    demands,
    doubted_by,
    excused_by,
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
from probatum.readings.values import Reading, ReadingKind
from probatum.sandbox import Lost, LostReason, Raised, Reply, Returned, Sandbox

MOST_AT_BORDERS = 60
MOST_RAISING = 40
# What Python raises by itself where an argument is not of the kind that was meant.
_OF_WRONG_KINDS = ("TypeError", "AttributeError")
NO_INPUT = "there is no input to ask it about"
OF_AN_OBJECT = "no input that begins with an object of its class gives it a truth value; a session can make one"
_RAISES = ReadingKind.RAISES
# How a call ends that nobody can ask about: nothing was given to the program, or nothing that can be read came back.
_NOT_READ = frozenset({LostReason.ARGUMENTS, LostReason.OUTPUT})


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
    not_asked: tuple[tuple[str, str], ...] = ()
    """By the id of a reading, why it says nothing of the calls that somebody wrote."""

    def joined(self, other: ReadingRun) -> ReadingRun:
        """Return both together, with the judges of this one."""
        records, held = (*self.records, *other.records), (*self.held, *other.held)
        calls, sessions = (*self.calls, *other.calls), (*self.sessions, *other.sessions)
        answers, raised = (*self.answers, *other.answers), (*self.raised, *other.raised)
        told = replace(self, calls=calls, records=records, held=held, sessions=sessions, answers=answers, raised=raised)
        return replace(told, not_asked=(*self.not_asked, *other.not_asked))

    def legal(self, calls: Sequence[DirectCall], sandbox: Sandbox) -> list[DirectCall]:
        """Return the calls for which the requirements of every record about their function are known to hold."""
        kept = list(calls)
        for judge in self.judges:
            own = [each for each in kept if each.target == judge.record.function]
            gone = set(map(id, own)).difference(map(id, legal_calls(judge, own, sandbox)))
            kept = [each for each in kept if id(each) not in gone]
        return kept

    def restriction(self, stated: StatedClauses, sandbox: Sandbox) -> Legality:
        """Return what keeps the calls that all requirements admit."""
        if not (stated.preconditions or self.judges):
            return anything
        return lambda calls: self.legal(stated.legal(calls), sandbox)

    def beside(self, judge: ReadingJudge) -> tuple[ReadingJudge, ...]:
        """Return what judges by further records about the same function."""
        return tuple(e for e in self.judges if e is not judge and e.record.function == judge.record.function)


def check_readings(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> ReadingRun:
    """Hold the program against every record that counts, on the readers' own inputs and on the documented calls."""
    whole = [(each, judge_of(each, question.about(each).function)) for each in question.readings]
    run = ReadingRun(tuple(judge for _, judge in whole if isinstance(judge, ReadingJudge)))
    for place, (record, judge) in enumerate(whole, 1):
        if isinstance(judge, str):
            reasons = {record.id_of(each): judge for each in record.readings}
            run = run.joined(ReadingRun(not_asked=tuple(reasons.items())))
            continue
        own = question.about(record)
        first = _first(own, run, judge, planned, benches, f"q{place}")
        beside = run_clauses(own, record, _left_open(own, run, judge, first, benches), benches)
        known = {each.id for each in beside.records}
        # What nothing certain could be said of apart from the program is said in its own process.
        kept = (each for each in first.records if each.state is not CheckState.UNDECIDED or not asked_by(each) <= known)
        unasked = tuple(each for each in first.not_asked if each[0] not in known)
        run = run.joined(replace(first, records=tuple(kept), not_asked=unasked))
        for told in (beside, *run_sessions(question, question.heard(record), benches)):
            shared = (told.shared,) if told.shared else ()
            run = run.joined(ReadingRun(records=told.records, sessions=shared, not_asked=told.not_asked))
    return run


def _left_open(
    question: FunctionQuestion, run: ReadingRun, judge: ReadingJudge, first: ReadingRun, benches: Benches
) -> Mapping[Reading, str]:
    """Return the readings of clauses of which nothing certain was said, as tests in the program's own process."""
    told, doubted = set[str](), set[str]()
    for each in first.records:
        (doubted if each.state is CheckState.UNDECIDED else told).update(asked_by(each))
    if has_inputs_inside(judge, question, benches.first):
        told.clear()
    open_ones = {each.id for each in judge.clauses} - (told - doubted) - question.silent
    others = run.beside(judge)
    if open_ones and judge.record.inputs:
        odd = refused_inputs(question, judge.record, benches)
        fitting = tuple(each for each in judge.record.inputs if each not in odd)
        judge = replace(judge, record=replace(judge.record, inputs=fitting))
    return clause_sessions(judge, question.function, open_ones, others, question.environments)


def check_generated(question: FunctionQuestion, run: ReadingRun, generated: Generated, benches: Benches) -> ReadingRun:
    """Hold the program against the same records on generated calls; return what came of these.

    Some of the calls are drawn to meet the conditions of documented exceptions.
    """
    # Nothing says that the program is meant for what was found by probing.
    pairs = () if generated.is_probed else zip(generated.actions, generated.replies, strict=True)
    usual = [(action, reply) for action, reply in pairs if isinstance(action, DirectCall)]
    found = ReadingRun()
    for place, judge in enumerate(run.judges, 1):
        about, others = question.about(judge.record), run.beside(judge)
        own = [(call, reply) for call, reply in usual if call.target == judge.record.function]
        told = demands(judge, [call for call, _ in own], benches.first, others)
        answered = [
            # What contradicts a declared type is nobody's promise.
            _Answered(call, reply, each)
            for (call, reply), each in zip(own, told, strict=True)
            if not each.misfit
        ]
        drawn = _raising(question, judge, generated.calls, benches, others) if about is question else []
        answered = _with_truths(judge, [*answered, *drawn], benches)
        found = found.joined(_judged(about, judge, answered, benches, prefix=f"g{place}", is_sure=False))
    return found


def _raising(
    question: FunctionQuestion,
    judge: ReadingJudge,
    source: CallSource | None,
    benches: Benches,
    others: Sequence[ReadingJudge],
) -> list[_Answered]:
    if not judge.of_kind(ReadingKind.RAISES):
        return []
    drawn = unlike_calls(question, source)
    told = zip(drawn, demands(judge, drawn, benches.first, others), strict=True)
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


def _first(
    question: FunctionQuestion,
    run: ReadingRun,
    judge: ReadingJudge,
    planned: Sequence[PlannedCheck],
    benches: Benches,
    prefix: str,
) -> ReadingRun:
    if question.function.kind == "method":
        # Nothing plain stands for its object.
        return ReadingRun(not_asked=tuple(dict.fromkeys((each.id, OF_AN_OBJECT) for each in judge.clauses)))
    own = readers_calls(judge, question, benches.first)
    shown = [each.call for each in documented_calls(question.function, planned)]
    near = (*_with_defaults(judge, own), *border_calls(judge, (*own, *shown), benches.first)[:MOST_AT_BORDERS])
    documented = {pasteable(call) for call in shown}
    written = documented | {pasteable(call) for call in own}
    # The plainest that breaks a reading is the one that is shown.
    plain = sorted(own, key=lambda call: plainness(pasteable(call)))
    calls = list({pasteable(call): call for call in (*plain, *shown, *near)}.values())
    pairs = run_twice(benches, question.program, calls)
    told = demands(judge, calls, benches.first, run.beside(judge))
    odd = misfits(question, own, benches.first)
    why = {pasteable(call): reason for call, reason in zip(own, odd, strict=True) if reason}
    told = [each.held_to(why.get(pasteable(call), ""), judge) for call, each in zip(calls, told, strict=True)]
    demanded = zip(calls, pairs, told, strict=True)
    # At a border nobody wrote that the call is legal: an exception there says nothing unless it is due, and what a
    # requirement excludes nothing at all.
    steady = [
        _Answered(call, pair.first, demand, is_own=pasteable(call) not in documented)
        for call, pair, demand in demanded
        if pasteable(call) in written
        or (
            demand.is_legal
            and not (demand.misfit or isinstance(pair.first, Lost))
            and (not isinstance(pair.first, Raised) or True in demand.raises.values())
        )
    ]
    answered = _with_truths(judge, steady, benches)
    found = _judged(question, judge, answered, benches, prefix=prefix, is_sure=True)
    given = [each for each in answered if pasteable(each.call) in written]
    results = [each for each in given if each.is_result]
    found = found.joined(ReadingRun(records=tuple(_unsaid(question, judge, results, f"{prefix}.u"))))
    return replace(
        found,
        calls=tuple(call for call, reason in zip(own, odd, strict=True) if not reason),
        not_asked=tuple(_not_asked(judge, given)),
    )


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
    speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
    for each in answered:
        found = dict.fromkeys(speaking) if isinstance(each.found, Lost) else each.found
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
    failed, questioned = set[str](), set[str]()
    asked = [each.demand for each in answered]
    excused, doubted = excused_by(asked), doubted_by(asked)
    for number, each in enumerate(answered, 1):
        reply, surely = each.reply, each.demand.due(excused)
        due = surely or each.demand.due(excused | doubted)
        wanted = _raised(question, judge, due, reply) if due else _resulting(question, judge, each, is_sure=is_sure)
        wanted -= failed | question.silent
        if not wanted:
            continue
        action = ReadCall(each.call, judge, wanted)
        check = planned_reading(question.function, action, f"{OWN_INPUT * each.is_own}{prefix}.{number}")
        found = judged_by(action, reply, each.found)
        broken = found.value if isinstance(found, Returned) and isinstance(found.value, tuple) else sorted(wanted)
        if compare(check.example.expectation, found).state is CheckState.HOLDS:
            records.append(check_record(check, compare(check.example.expectation, found), found))
            known = reply if isinstance(reply, Returned) else None
            held.append(replace(check, action=replace(action, answer=known)))
            raised += [(judge.clauses[place].id, place) for place in due]
            continue
        # Of a result that only a generated call gives, nobody said that the call is legal; and an exception that is
        # announced may be due by what nobody read.
        is_certain = bool(surely) or (is_sure and not due and not _is_announced(question, reply))
        record = broken_reading(question, judge, check, (reply, found), benches, is_certain=is_certain)
        if record is None or (record.state is not CheckState.FAILS and questioned.issuperset(broken)):
            continue
        (failed if record.state is CheckState.FAILS else questioned).update(broken)
        records.append(record)
    answers = [
        (judge, each.call, each.reply) for each in answered if each.is_result and isinstance(each.reply, Returned)
    ]
    return ReadingRun(records=tuple(records), held=tuple(held), answers=tuple(answers), raised=tuple(raised))


def _raised(question: FunctionQuestion, judge: ReadingJudge, due: Sequence[int], reply: Reply) -> frozenset[str]:
    """Return the ids of the readings whose exception is due, none where another one came that may come first."""
    wanted = frozenset(judge.clauses[place].id for place in due)
    if _is_unread(reply):
        return frozenset()
    if any(raises(reply, judge.clauses[place].reading.exception) for place in due):
        return wanted
    is_other = _is_announced(question, reply) or any(raises(reply, name) for name in _OF_WRONG_KINDS)
    return frozenset() if is_other else wanted


def _resulting(
    question: FunctionQuestion, judge: ReadingJudge, answered: _Answered, *, is_sure: bool
) -> frozenset[str]:
    """Return the ids of the readings that say something about a result, or ask for one that does not come."""
    reply = answered.reply
    if not answered.demand.asks_for_a_result or _is_unread(reply):
        return frozenset()
    if isinstance(reply, Returned):
        found = {} if isinstance(answered.found, Lost) else answered.found
        speaking = [place for place, truth in found.items() if truth is not None]
    else:
        # An announced exception may be due by what nobody read, unless a reading says when it is.
        is_read = any(raises(reply, judge.clauses[place].reading.exception) for place in judge.of_kind(_RAISES))
        speaks = is_sure and (is_read or not _is_announced(question, reply))
        speaking = [*judge.of_kind(*SPEAKS_OF_RESULTS)] if speaks else []
    return frozenset(judge.clauses[place].id for place in speaking)


def _is_announced(question: FunctionQuestion, reply: Reply) -> bool:
    return any(raises(reply, name) for name in named_exceptions(question.function))


def _is_unread(reply: Reply) -> bool:
    if isinstance(reply, Raised):
        return ARGUMENT_FAILED in reply.bases
    return isinstance(reply, Lost) and reply.reason in _NOT_READ


def _not_asked(judge: ReadingJudge, given: Sequence[_Answered]) -> Iterator[tuple[str, str]]:
    """Yield for each reading that has a clause about calls why those that somebody wrote may say nothing of it."""
    for clause in judge.clauses:
        if clause.kind is ReadingKind.RAISES:
            yield clause.id, "no input meets its condition"
        elif clause.kind is not ReadingKind.REQUIRES:
            yield clause.id, _why_no_result(given)


def _why_no_result(given: Sequence[_Answered]) -> str:
    if not given:
        return NO_INPUT
    if misfits := [each.demand.misfit for each in given if each.demand.misfit]:
        return f"its inputs contradict the signature: {misfits[0]}"
    asked = [each for each in given if each.demand.asks_for_a_result]
    if not asked:
        return "each of its inputs is outside of what is required, or meets the condition of an exception"
    lost = [each.reply.detail for each in asked if isinstance(each.reply, Lost)]
    return f"no input gives a result that can be read{f': {lost[0]}' if lost else ''}"
