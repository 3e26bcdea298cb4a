"""Trying proposed readings on a program before anybody looks at them.

A proposal is held against what the documentation shows, never against what the program answers: the program may be
wrong. It is refused where it contradicts a documented example, where no altered result would break it, where it never
has a truth value, or has another one each time, and where it contradicts an accepted reading of the same words on an
answer that fits the documentation. Sessions are tried by running them as any other check.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard

from probatum.programs.judging.claims import documented_calls
from probatum.programs.judging.reading_checks import readers_calls
from probatum.programs.readings.quotes import collapsed
from probatum.programs.readings.values import Reading, ReadingKind, ReadingRecord, Standing
from probatum.programs.running.checks import DirectCall, pasteable, plan_checks
from probatum.programs.running.compare import describe
from probatum.programs.running.execute import Benches, run_actions
from probatum.programs.running.judged_calls import Truth, demand_of, truths
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import ReadingJudge, judge_of
from probatum.programs.specification import ValueIs
from probatum.sandbox import Lost, Reply, Returned

_SPEAKING = (ReadingKind.RESULT, ReadingKind.EFFECT)


@dataclass(frozen=True, slots=True)
class _TriedCall:
    """A call, and what came of it or should have."""

    call: DirectCall
    reply: Returned
    is_documented: bool


def tried(
    question: FunctionQuestion, record: ReadingRecord, benches: Benches, others: Sequence[ReadingRecord] = ()
) -> tuple[str, ...]:
    """Return for each reading of a record why it cannot be right, empty where nothing speaks against it.

    ``others`` are the records that there are, of which accepted readings count.
    """
    judge = judge_of(record, question.function)
    if isinstance(judge, str):
        return tuple(judge if each.clause.strip() else "" for each in record.readings)
    answers = _answers(question, judge, benches)
    by_id = {each.id: place for place, each in enumerate(judge.clauses)}
    reasons = []
    for reading in record.readings:
        place = by_id.get(record.id_of(reading))
        found = "" if place is None else next(_reasons(judge, place, answers, benches), "")
        reasons.append(found or _against_accepted(question, judge, place, others, answers, benches))
    return tuple(reasons)


def _answers(question: FunctionQuestion, judge: ReadingJudge, benches: Benches) -> list[_TriedCall]:
    """Return the documented calls with the values that are shown, and the reader's own with those of the program."""
    shown = documented_calls(question.function, plan_checks(question.function, question.module))
    own = readers_calls(judge, question.function, benches.first)
    calls = [*(each.call for each in shown), *own]
    replies: Sequence[Reply] = run_actions(benches.first, question.program, calls) if calls else ()
    documented = {pasteable(each.call): each.expectation for each in shown}
    found = {}
    for call, reply in zip(calls, replies, strict=True):
        expected = documented.get(pasteable(call))
        if isinstance(expected, ValueIs):
            unchanged = Returned(expected.value, call.args, call.kwargs)
            answer = replace(reply, value=expected.value) if tells_arguments(reply, call) else unchanged
            found[pasteable(call)] = _TriedCall(call, answer, is_documented=True)
        elif expected is None and tells_arguments(reply, call):
            found.setdefault(pasteable(call), _TriedCall(call, reply, is_documented=False))
    return list(found.values())


def tells_arguments(reply: Reply, call: DirectCall) -> TypeGuard[Returned]:
    """Tell whether a call returned, and what became of each argument is known."""
    return isinstance(reply, Returned) and len(reply.arguments) == len(call.args)


def _reasons(judge: ReadingJudge, place: int, answers: Sequence[_TriedCall], benches: Benches) -> Iterator[str]:
    kind = judge.clauses[place].kind
    seen: list[Truth] = []
    is_broken_by_others = False
    for answer in answers:
        demand = demand_of(judge, answer.call, benches.first)
        # An example shows what is returned; what becomes of the arguments only the program tells.
        is_shown = answer.is_documented and kind is not ReadingKind.EFFECT
        said = f"{pasteable(answer.call)}, which is {describe(answer.reply)}" if is_shown else ""
        if kind in _SPEAKING:
            if not demand.asks_for_a_result:
                continue
            truth = _truth(judge, place, answer.call, answer.reply, benches)
            others = () if is_broken_by_others else altered(answer.reply)
            is_broken_by_others |= any(_truth(judge, place, answer.call, each, benches) is not True for each in others)
        else:
            truth = (demand.requires if kind is ReadingKind.REQUIRES else demand.raises).get(place)
        seen.append(truth)
        if said and truth is None:
            yield f"it has no truth value for the documented {said}"
        elif said and truth is (kind is ReadingKind.RAISES):
            yield f"the documented {said}, contradicts it"
    if seen and all(each is None for each in seen):
        yield "it has no truth value for any of the inputs"
    if kind in _SPEAKING and seen and not is_broken_by_others:
        yield f"no altered result breaks it on {len(seen)} inputs: it says nothing, or none of them meets its condition"


def _against_accepted(
    question: FunctionQuestion,
    judge: ReadingJudge,
    place: int | None,
    others: Sequence[ReadingRecord],
    answers: Sequence[_TriedCall],
    benches: Benches,
) -> str:
    if place is None or judge.clauses[place].kind not in _SPEAKING:
        return ""
    legal = [each for each in answers if demand_of(judge, each.call, benches.first).asks_for_a_result]
    disputed = [each for each in legal if _truth(judge, place, each.call, each.reply, benches) is False]
    for other, index in _of_the_same_words(question, judge.clauses[place].reading, others) if disputed else ():
        for answer in disputed:
            if _truth(other, index, answer.call, answer.reply, benches):
                allowed = f"{pasteable(answer.call)} to be {describe(answer.reply)}"
                return f"the accepted reading {other.clauses[index].id} of the same words allows {allowed}"
    return ""


def _of_the_same_words(
    question: FunctionQuestion, reading: Reading, records: Sequence[ReadingRecord]
) -> Iterator[tuple[ReadingJudge, int]]:
    """Yield the accepted readings that quote the same words and speak of results, each as its judge and its place."""
    for record in records:
        judge = judge_of(record, question.function) if record.function == question.function.qualname else ""
        for place, clause in enumerate(judge.clauses) if isinstance(judge, ReadingJudge) else ():
            told = clause.reading
            is_accepted = told.standing is Standing.ACCEPTED and told.kind in _SPEAKING
            is_same = collapsed(told.statement) == collapsed(reading.statement)
            if is_accepted and is_same and isinstance(judge, ReadingJudge):
                yield judge, place


def _truth(judge: ReadingJudge, place: int, call: DirectCall, reply: Reply, benches: Benches) -> Truth:
    """Return what a clause gives under both hash seeds; None where these differ."""
    found = [truths(judge, call, reply, (place,), each) for each in (benches.first, benches.second)]
    first, second = (None if isinstance(each, Lost) else each[place] for each in found)
    return first if first is second else None


def altered(reply: Returned) -> Iterator[Returned]:
    """Yield the same reply with another result, then with another argument after the call."""
    yield from (replace(reply, value=each) for each in _changed(reply.value))
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
            yield from (f"{value}x", value[1:])
        case list():
            yield from ([*value, *(value[-1:] or [None])], value[1:])
        case tuple():
            yield from ((*value, *(value[-1:] or (None,))), value[1:])
        case dict():
            yield dict(list(value.items())[1:])
    yield None if value is not None else 0
