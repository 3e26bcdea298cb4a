"""Trying proposed readings on a program before anybody looks at them.

A proposal is held against what the documentation shows, never against what the program answers: the program may be
wrong. It is refused where it contradicts a documented example, where no altered result would break it, where it never
has a truth value, or has another one each time, where no call can try it, and where it contradicts an accepted reading
of the same words on an answer that fits the documentation. Sessions are tried by running them as any other check.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, TypeGuard

from probatum.programs.judging.claims import documented_calls
from probatum.programs.judging.reading_checks import OF_AN_OBJECT
from probatum.programs.judging.reading_inputs import has_inputs_inside, readers_calls
from probatum.programs.running.checks import DirectCall, pasteable, plan_checks
from probatum.programs.running.clause_sessions import clause_sessions
from probatum.programs.running.compare import describe
from probatum.programs.running.execute import Benches, run_actions
from probatum.programs.running.generated import source_of_calls
from probatum.programs.running.in_environments import in_environments
from probatum.programs.running.judged_calls import CallDemand, ClauseQuestion, demands, truths
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, ReadingJudge, Truth, judge_of
from probatum.programs.running.reading_sessions import run_clauses
from probatum.programs.specification import ValueIs
from probatum.readings.lapses import collapsed
from probatum.readings.refusals import Why
from probatum.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from probatum.sandbox import Lost, Reply, Returned
from probatum.sandbox.inside.asserted import NOT_MET

NO_INPUT: Final = Why("no_input", "no call tries it: the documentation shows none, and none of the inputs is one")


@dataclass(frozen=True, slots=True)
class _TriedCall:
    """A call, and what came of it or should have."""

    call: DirectCall
    reply: Returned | None
    """None where no result is known, whatever the program did."""
    is_documented: bool
    demand: CallDemand

    @property
    def result(self) -> Returned | None:
        """The result of a call that asks for one."""
        return self.reply if self.demand.asks_for_a_result else None


def tried(
    question: FunctionQuestion, record: ReadingRecord, benches: Benches, others: Sequence[ReadingRecord] = ()
) -> tuple[str, ...]:
    """Return for each reading of a record why it cannot be right, empty where nothing speaks against it.

    ``others`` are the records that there are, of which accepted readings count.
    """
    question, (record,) = in_environments(question.about(record), (record,), benches)
    judge = judge_of(record, question.function)
    if isinstance(judge, str):
        return tuple(judge if each.clause.strip() else "" for each in record.readings)
    asked = {each.id for each in judge.clauses}
    if question.function.kind == "method":
        # Requirements limit the others, and are asked with them.
        known, why = _beside(question, judge, asked, benches)
        unknown = {each.id for each in judge.clauses if each.kind is not ReadingKind.REQUIRES or not known} - known
        said = {name: _with_cause(Why("not_tried", OF_AN_OBJECT), why.get(name)) for name in unknown}
        return tuple(said.get(record.id_of(each), "") for each in record.readings)
    answers = _answers(question, judge, benches)
    given = _given(judge, answers, benches)
    breakable = _breakable(judge, answers, benches)
    rows = [(answer, judge.by_reading(found)) for answer, found in zip(answers, given, strict=True)]
    silent = {name: [row.get(name) is None for _, row in rows] for name in asked}
    is_partly = has_inputs_inside(judge, question, benches.first)
    unsure = {name for name, told in silent.items() if is_partly or any(told)} - breakable
    open_ones = {name for name, told in silent.items() if all(told)} | unsure
    beside, why = _beside(question, judge, open_ones, benches)
    cannot_be_asked = asked - beside if not answers and not _has_calls(question, benches) else set()
    reasons = []
    for reading in record.readings:
        name = record.id_of(reading)
        told = [(answer, row[name]) for answer, row in rows if name in row and name not in beside]
        found = next(_reasons(reading.kind, told, is_breakable=name in breakable), "") if name in asked else ""
        found = NO_INPUT if name in cannot_be_asked else found
        found = _with_cause(found, why.get(name))
        reasons.append(found or _against_accepted(question, reading, told, others, benches))
    return tuple(reasons)


def _beside(
    question: FunctionQuestion, judge: ReadingJudge, ids: Collection[str], benches: Benches
) -> tuple[frozenset[str], Mapping[str, str]]:
    """Return which of some readings pass or fail in the program's own process, and why the others do not.

    What cannot cross is asked there. All of them where what passes there does not count: nothing is known against them.
    """
    if question.withheld:
        return frozenset(ids), {}
    clauses = clause_sessions(judge, question.function, ids, made=question.environments)
    run = run_clauses(question, judge.record, clauses, benches)
    return frozenset(each.id for each in run.records), dict(run.not_asked)


def _has_calls(question: FunctionQuestion, benches: Benches) -> bool:
    """Tell whether calls can be made although no example and no reader shows one."""
    return not question.function.taken or source_of_calls(question, (), (), benches) is not None


def _with_cause(reason: str, cause: str | None) -> str:
    """Return a reason with what happened in the program's own process, where that is known."""
    if not isinstance(reason, Why) or not cause or cause == NOT_MET:
        return reason
    return Why(reason.code, f"{reason}: {cause}", **{**reason.values, "said": cause})


def _shown(answer: _TriedCall) -> dict[str, str]:
    assert answer.reply is not None
    return {"call": pasteable(answer.call), "documented": describe(answer.reply)}


def _answers(question: FunctionQuestion, judge: ReadingJudge, benches: Benches) -> list[_TriedCall]:
    """Return the documented calls with the values that are shown, and the reader's own with those of the program.

    What clauses ask of arguments alone is tried on each of them, whatever the program does: it may be wrong.
    """
    shown = documented_calls(question.function, plan_checks(question.function, question.module))
    own = readers_calls(judge, question, benches.first)
    calls = [*(each.call for each in shown), *own]
    replies: Sequence[Reply] = run_actions(benches.first, question.program, calls) if calls else ()
    documented = {pasteable(each.call): each.expectation for each in shown}
    found: dict[str, tuple[DirectCall, Returned | None, bool]] = {}
    for call, reply in zip(calls, replies, strict=True):
        expected = documented.get(pasteable(call))
        if isinstance(expected, ValueIs):
            unchanged = Returned(expected.value, call.args, call.kwargs)
            answer = replace(reply, value=expected.value) if tells_arguments(reply, call) else unchanged
            found[pasteable(call)] = (call, answer, True)
        elif expected is None:
            found.setdefault(pasteable(call), (call, reply if tells_arguments(reply, call) else None, False))
    told = demands(judge, [call for call, _, _ in found.values()], benches.first)
    return [_TriedCall(*each, demand) for each, demand in zip(found.values(), told, strict=True)]


def tells_arguments(reply: Reply, call: DirectCall) -> TypeGuard[Returned]:
    """Tell whether a call returned, and what became of each argument is known."""
    return isinstance(reply, Returned) and len(reply.arguments) == len(call.args)


def _given(judge: ReadingJudge, answers: Sequence[_TriedCall], benches: Benches) -> list[Mapping[int, Truth]]:
    """Return for each call what the clauses give that have something to say about it."""
    speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
    asked = [(each.call, each.result) for each in answers if each.result is not None]
    told = iter(_truths(judge, asked, speaking, benches))
    return [
        {**each.demand.requires, **each.demand.raises, **(next(told) if each.result is not None else {})}
        for each in answers
    ]


def _breakable(judge: ReadingJudge, answers: Sequence[_TriedCall], benches: Benches) -> frozenset[str]:
    """Return the ids of the readings of results that an altered result breaks."""
    idle = set(judge.of_kind(*SPEAKS_OF_RESULTS))
    broken = set[int]()
    # Nearly all of them break at once: then nothing more is asked.
    for call, result in ((each.call, each.result) for each in answers if each.result is not None):
        others = [(call, each) for each in altered(result)] if idle else []
        for told in _truths(judge, others, sorted(idle), benches):
            broken |= {place for place, truth in told.items() if truth is not True}
        idle -= broken
    return frozenset(judge.clauses[place].id for place in broken)


def _reasons(kind: ReadingKind, told: Sequence[tuple[_TriedCall, Truth]], *, is_breakable: bool) -> Iterator[str]:
    for answer, truth in told:
        # An example shows what is returned; what becomes of the arguments only the program tells.
        if not answer.is_documented or answer.reply is None or kind is ReadingKind.EFFECT:
            continue
        said = f"{pasteable(answer.call)}, which is {describe(answer.reply)}"
        if truth is None:
            yield Why("no_truth_value", f"it has no truth value for the documented {said}", **_shown(answer))
        elif truth is (kind is ReadingKind.RAISES):
            yield Why("contradicts_example", f"the documented {said}, contradicts it", **_shown(answer))
    if told and all(truth is None for _, truth in told):
        yield Why("no_truth_value", "it has no truth value for any of the inputs")
    if kind in SPEAKS_OF_RESULTS and told and not is_breakable:
        sentence = (
            f"no altered result breaks it on {len(told)} inputs: it says nothing, or none of them meets its condition"
        )
        yield Why("says_nothing", sentence, inputs=str(len(told)))


def _against_accepted(
    question: FunctionQuestion,
    reading: Reading,
    told: Sequence[tuple[_TriedCall, Truth]],
    others: Sequence[ReadingRecord],
    benches: Benches,
) -> str:
    speaks = reading.kind in SPEAKS_OF_RESULTS
    disputed = [(each.call, each.reply) for each, truth in told if speaks and truth is False and each.reply is not None]
    for other, index in _of_the_same_words(question, reading, others) if disputed else ():
        for (call, reply), row in zip(disputed, _truths(other, disputed, (index,), benches), strict=True):
            if row[index]:
                allowed = f"{pasteable(call)} to be {describe(reply)}"
                name = other.clauses[index].id
                sentence = f"the accepted reading {name} of the same words allows {allowed}"
                return Why(
                    "contradicts_accepted", sentence, reading=name, call=pasteable(call), allowed=describe(reply)
                )
    return ""


def _of_the_same_words(
    question: FunctionQuestion, reading: Reading, records: Sequence[ReadingRecord]
) -> Iterator[tuple[ReadingJudge, int]]:
    """Yield the accepted readings that quote the same words and speak of results, each as its judge and its place."""
    for record in records:
        judge = judge_of(record, question.function) if record.function == question.function.qualname else ""
        for place, clause in enumerate(judge.clauses) if isinstance(judge, ReadingJudge) else ():
            told = clause.reading
            is_accepted = told.standing is Standing.ACCEPTED and told.kind in SPEAKS_OF_RESULTS
            is_same = collapsed(told.statement) == collapsed(reading.statement)
            if is_accepted and is_same and isinstance(judge, ReadingJudge):
                yield judge, place


def _truths(
    judge: ReadingJudge, asked: Sequence[tuple[DirectCall, Reply]], places: Sequence[int], benches: Benches
) -> list[Mapping[int, Truth]]:
    """Return what clauses give under both hash seeds; None where these differ."""
    questions = [ClauseQuestion(call, reply, places) for call, reply in asked]
    first, second = (truths(judge, questions, each) for each in (benches.first, benches.second))
    return [{place: _alike(one, other, place) for place in places} for one, other in zip(first, second, strict=True)]


def _alike(one: Mapping[int, Truth] | Lost, other: Mapping[int, Truth] | Lost, place: int) -> Truth:
    first, second = (None if isinstance(each, Lost) else each.get(place) for each in (one, other))
    return first if first is second else None


def altered(reply: Returned) -> Iterator[Returned]:
    """Yield the same reply with another result, an argument among them, then with another argument after the call."""
    yield from (replace(reply, value=each) for each in _changed(reply.value))
    given = (*reply.arguments, *(each for _, each in reply.keyword_arguments))
    yield from (replace(reply, value=each) for each in given if isinstance(each, list | dict | set))
    for place, argument in enumerate(reply.arguments):
        for each in _changed(argument):
            yield replace(reply, arguments=(*reply.arguments[:place], each, *reply.arguments[place + 1 :]))
    for place, (name, argument) in enumerate(reply.keyword_arguments):
        for each in _changed(argument):
            kept = (*reply.keyword_arguments[:place], (name, each), *reply.keyword_arguments[place + 1 :])
            yield replace(reply, keyword_arguments=kept)


def _changed(value: object) -> Iterator[object]:
    """Yield other values of the same type, and one of another."""
    match value:
        case bool():
            yield not value
        case int() | float():
            yield from (value + 1, -value - 1)
        case str():
            yield from (f"{value}x", value[1:], *_alike_texts(value))
        case list():
            yield from ([*value, *(value[-1:] or [None])], value[1:], *([each, *value[1:]] for each in _first(value)))
        case tuple():
            yield from ((*value, *(value[-1:] or (None,))), value[1:], *((each, *value[1:]) for each in _first(value)))
        case dict():
            yield dict(list(value.items())[1:])
            yield from ({**value, next(iter(value)): each} for each in _first([*value.values()]))
    yield None if value is not None else 0


def _first(values: Sequence[object]) -> list[object]:
    """Return one other value in place of the first of some."""
    return [each for value in values[:1] for each in islice(_changed(value), 1)]


def _alike_texts(text: str) -> Iterator[str]:
    """Yield texts of the same form: with another first letter, and with another first digit."""
    for is_meant, others in ((str.isalpha, "ab"), (str.isdigit, "12")):
        place = next((index for index, sign in enumerate(text) if is_meant(sign)), None)
        if place is not None:
            other = next(each for each in others if each != text[place].lower())
            kept = other.upper() if text[place].isupper() else other
            yield f"{text[:place]}{kept}{text[place + 1 :]}"
