"""Which proposed readings several readers agree on, for the policy ``consensus:N``.

Two readers agree on a statement where their clauses about it, each reader's taken together, give the same truth on
everything that they are compared on: what the program, its faulty copies and altered answers reply to documented
calls, generated ones, and those that the two wrote. Nothing asks whether the program breaks them. Refuses to call it
agreement where only one truth value occurs; and what two readers are compared on depends on these two alone, so that a
further reader never parts them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from probatum.core.errors import BudgetError
from probatum.programs.faults.counted_copies import copy_with_work_limit
from probatum.programs.judging.claims import documented_calls
from probatum.programs.judging.reading_inputs import readers_calls
from probatum.programs.judging.reading_trials import altered, tells_arguments
from probatum.programs.running.checks import DirectCall, pasteable, plan_checks
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, outcome_key, run_actions, side_by_side
from probatum.programs.running.generated import Generated, generate, unlike_calls
from probatum.programs.running.judged_calls import ClauseQuestion, border_calls, demands, truths
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, ReadingJudge, judge_of
from probatum.programs.running.reading_sessions import sessions_on
from probatum.programs.statements.documented import documented
from probatum.readings.lapses import collapsed, places
from probatum.readings.policies import reader_key
from probatum.readings.values import Reading, ReadingKind
from probatum.sandbox import Lost, Program, Reply, Sandbox

MOST_READERS = 9
MOST_FAULTS = 20
MOST_GENERATED = 20
MOST_AT_BORDERS = 10
MOST_REPLIES = 5
EVERY_UNLIKE = 5
_WORK = 500_000
_Topic = tuple[str, str]
"""A statement, and what is said of it."""
_Pool = Sequence[tuple[DirectCall, Sequence[Reply]]]
_Rows = Sequence[Mapping[str, bool]]
"""What readings give, by id, on one thing after the other that they can be asked on."""


@dataclass(frozen=True, slots=True)
class _Voice:
    """Everything that one reader says about a function."""

    reader: str
    judges: tuple[ReadingJudge, ...]
    said: Mapping[_Topic, Mapping[str, Reading]]
    """By topic, the readings by id."""
    sessions: _Rows


def agreed_by(question: FunctionQuestion, needed: int, benches: Benches) -> frozenset[str]:
    """Return the ids of the readings that at least so many readers agree on; one without a name is no second reader."""
    names = list(dict.fromkeys(name for each in question.readings if (name := reader_key(each.reader))))
    if len(names) < needed:
        return frozenset()
    copies = _copies(question)
    voices = [_voice(question, name, copies, benches) for name in names[:MOST_READERS]]
    shared = _pool(question, (), copies, benches)
    pools = [shared, *(_pool(question, each.judges, copies, benches, shared) for each in voices)]
    rows = [[_heard(voice, pool, benches.first) for pool in pools] for voice in voices]
    agreeing = dict[_Topic, set[str]]()
    for topic in {topic for voice in voices for topic in voice.said}:
        pairs = {
            (one, other)
            for one, other in combinations([at for at, voice in enumerate(voices) if topic in voice.said], 2)
            if _agree(topic, (voices[one], voices[other]), *(_compared(rows[at], (one, other)) for at in (one, other)))
        }
        for group in combinations(sorted({at for pair in pairs for at in pair}), needed):
            if pairs.issuperset(combinations(group, 2)):
                agreeing.setdefault(topic, set()).update(voices[at].reader for at in group)
    topics = dict[str, list[bool]]()
    for voice in voices:
        for topic, said in voice.said.items():
            for name in said:
                topics.setdefault(name, []).append(voice.reader in agreeing.get(topic, ()))
    return frozenset(name for name, found in topics.items() if all(found))


def _voice(question: FunctionQuestion, reader: str, copies: Sequence[Program], benches: Benches) -> _Voice:
    said = dict[_Topic, dict[str, Reading]]()
    judges, sessions = list[ReadingJudge](), [dict[str, bool]() for _ in (question.program, *copies)]
    for record in (each for each in question.readings if reader_key(each.reader) == reader):
        judge = judge_of(record, question.about(record).function)
        judges += [judge] if isinstance(judge, ReadingJudge) else []
        heard = question.heard(record)
        for row, more in zip(sessions, sessions_on(question, heard, copies, benches), strict=True):
            row.update(more)
        lying = places([each.statement for each in heard.readings], documented((question.function,)))
        for reading, statements in zip(heard.readings, lying, strict=True):
            for place in [each.id for each in statements or ()] or [collapsed(reading.statement)]:
                said.setdefault((place, _kind(reading)), {})[record.id_of(reading)] = reading
    return _Voice(reader, tuple(judges), said, sessions)


def _kind(reading: Reading) -> str:
    if reading.kind in SPEAKS_OF_RESULTS:
        return ReadingKind.RESULT
    return f"{reading.kind} {reading.exception.rpartition('.')[2]}".strip()


def _copies(question: FunctionQuestion) -> list[Program]:
    # Deferred: planting is large, and only what nobody accepted needs it here.
    from probatum.programs.faults.mutants import plan_mutants

    source, name, policy = question.source, question.function.qualname, question.policy
    try:
        mutants = plan_mutants(source, name, limit=min(policy.mutants, MOST_FAULTS), seed=policy.seed)
    except BudgetError:
        return []
    counted = (copy_with_work_limit(each.source, source, _WORK, fresh_for=name) for each in mutants)
    return [replace(question.program, source=each) for each in counted]


def _pool(
    question: FunctionQuestion,
    judges: Sequence[ReadingJudge],
    copies: Sequence[Program],
    benches: Benches,
    shared: _Pool = (),
) -> _Pool:
    """Return calls that a reader wrote, or where nobody is named those of the documentation, with possible replies.

    Calls are generated like those of a reader only where there are no ``shared`` ones.
    """
    planned = plan_checks(question.function, question.module)
    written = [each.call for each in documented_calls(question.function, planned)]
    for judge in judges:
        own = readers_calls(judge, question, benches.first)
        written += [*own, *border_calls(judge, own, benches.first)[:MOST_AT_BORDERS]]
    policy = replace(question.policy, generated_inputs=min(question.policy.generated_inputs, MOST_GENERATED))
    drawn = Generated() if shared else generate(replace(question, policy=policy), planned, written, benches)
    drawn = Generated() if drawn.is_probed else drawn
    mine = [
        each for each in drawn.actions if isinstance(each, DirectCall) and each.target == question.function.qualname
    ]
    known = {pasteable(call) for call, _ in shared}
    calls = list({name: each for each in (*written, *mine) if (name := pasteable(each)) not in known}.values())
    run = partial(run_actions, benches.first, actions=calls, limits=MUTANT_LIMITS)
    told = side_by_side(benches.first, run, [question.program, *copies]) if calls else []
    answered = [(call, _replies(call, [each[index] for each in told])) for index, call in enumerate(calls)]
    return [*answered, *((call, ()) for call in unlike_calls(question, drawn.calls)[::EVERY_UNLIKE])]


def _replies(call: DirectCall, told: Sequence[Reply]) -> Sequence[Reply]:
    found = {outcome_key(each): each for each in told if tells_arguments(each, call)}
    others = [each for reply in told[:1] if tells_arguments(reply, call) for each in altered(reply)]
    return [*list(found.values())[:MOST_REPLIES], *others[:MOST_REPLIES]]


def _heard(voice: _Voice, pool: _Pool, sandbox: Sandbox) -> _Rows:
    """Return what the readings of one reader give on every call, and where it asks for a result on every reply."""
    calls = [call for call, _ in pool]
    demanded = [demands(judge, calls, sandbox) for judge in voice.judges]
    rows = [[dict[str, bool]() for _ in (None, *replies)] for _, replies in pool]
    for judge, told in zip(voice.judges, demanded, strict=True):
        speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
        asked = list[tuple[dict[str, bool], ClauseQuestion]]()
        for at, each in enumerate(told):
            first, *more = rows[at]
            said = judge.by_reading({**each.requires, **each.raises})
            first |= {name: truth is True for name, truth in said.items()}
            if all(every[at].asks_for_a_result for every in demanded):
                call, replies = pool[at]
                asked += [
                    (row, ClauseQuestion(call, reply, speaking)) for row, reply in zip(more, replies, strict=True)
                ]
        given = truths(judge, [question for _, question in asked], sandbox)
        for (row, _), found in zip(asked, given, strict=True):
            if not isinstance(found, Lost):
                row.update({judge.clauses[place].id: found.get(place) is True for place in speaking})
    return [row for each in rows for row in each]


def _compared(rows: Sequence[_Rows], readers: tuple[int, int]) -> _Rows:
    shared, *own = rows
    return [*shared, *(row for at in readers for row in own[at])]


def _agree(topic: _Topic, voices: tuple[_Voice, _Voice], first: _Rows, second: _Rows) -> bool:
    one, other = (voice.said[topic] for voice in voices)
    if topic[1] == ReadingKind.NARRATIVE:
        said, again = (" ".join(collapsed(each.statement) for each in told.values()) for told in (one, other))
        return said in again or again in said
    seen = set[bool]()
    for row, same in zip((*first, *voices[0].sessions), (*second, *voices[1].sessions), strict=True):
        if row.keys() >= one.keys() and same.keys() >= other.keys():
            truth = all(row[name] for name in one)
            if truth is not all(same[name] for name in other):
                return False
            seen.add(truth)
    return len(seen) > 1
