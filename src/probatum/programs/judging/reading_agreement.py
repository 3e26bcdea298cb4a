"""Which proposed readings several readers agree on, for the policy ``consensus:N``.

Two readers agree on a statement where their clauses about it, each reader's taken together, give the same truth on
everything that they are compared on: what the program, its faulty copies and altered answers reply to documented
calls, generated ones, and those that the two wrote. Nothing asks whether the program breaks them. Refuses to call it
agreement where only one truth value occurs; and what two readers are compared on depends on these two alone, so that a
further reader never parts them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

from probatum.core.errors import BudgetError
from probatum.programs.faults.counted_copies import copy_with_work_limit
from probatum.programs.judging.claims import documented_calls
from probatum.programs.judging.reading_inputs import readers_calls
from probatum.programs.judging.reading_trials import altered, tells_arguments
from probatum.programs.running.checks import DirectCall, pasteable, plan_checks
from probatum.programs.running.compare import describe
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
_NOWHERE = -1
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


@dataclass(frozen=True, slots=True)
class Disagreement:
    """What two readers say otherwise about one statement, and where it shows."""

    readings: tuple[tuple[str, ...], tuple[str, ...]]
    """The ids of both readers' readings of it."""
    input: str
    """A call, with its reply where they differ on that, or the runs of a session."""
    holds: bool
    """What the first reader says of it; the other one says the opposite."""


@dataclass(frozen=True, slots=True)
class _Heard:
    """Everything that some readers say, and what each of them says on what any two are compared on."""

    voices: Sequence[_Voice]
    pools: Sequence[_Pool]
    """What all are compared on, then what each reader adds."""
    rows: Sequence[Sequence[_Rows]]

    def compared(self, topic: _Topic) -> Iterator[tuple[tuple[int, int], int | None]]:
        """Yield each pair of readers of a statement, and the row on which they differ; see `_difference`."""
        for one, other in combinations([at for at, voice in enumerate(self.voices) if topic in voice.said], 2):
            pair = self.voices[one], self.voices[other]
            yield (
                (one, other),
                _difference(topic, pair, *(_compared(self.rows[at], (one, other)) for at in (one, other))),
            )

    def topics(self) -> Sequence[_Topic]:
        """Return what is said, each once and in order."""
        return list(dict.fromkeys(topic for voice in self.voices for topic in voice.said))

    def shown(self, readers: tuple[int, int], row: int) -> str:
        """Return what a row is about, as a person reads it."""
        shared, *own = self.pools
        for call, replies in (*shared, *(each for at in readers for each in own[at])):
            if row <= len(replies):
                return pasteable(call) if row == 0 else f"{pasteable(call)} returning {describe(replies[row - 1])}"
            row -= 1 + len(replies)
        return "its sessions, on the program" if row == 0 else f"its sessions, on mutant {row}"


def _heard_of(question: FunctionQuestion, least: int, benches: Benches) -> _Heard:
    """Return what the readers of a function say; nothing where there are fewer of them. One without a name is none."""
    names = list(dict.fromkeys(name for each in question.readings if (name := reader_key(each.reader))))
    if len(names) < least:
        return _Heard((), (), ())
    copies = _copies(question)
    voices = [_voice(question, name, copies, benches) for name in names[:MOST_READERS]]
    shared = _pool(question, (), copies, benches)
    pools = [shared, *(_pool(question, each.judges, copies, benches, shared) for each in voices)]
    return _Heard(voices, pools, [[_said_on(voice, pool, benches.first) for pool in pools] for voice in voices])


def agreed_by(question: FunctionQuestion, needed: int, benches: Benches) -> frozenset[str]:
    """Return the ids of the readings that at least so many readers agree on; one without a name is no second reader."""
    heard = _heard_of(question, needed, benches)
    agreeing = dict[_Topic, set[str]]()
    for topic in heard.topics():
        pairs = {pair for pair, row in heard.compared(topic) if row == _NOWHERE}
        for group in combinations(sorted({at for pair in pairs for at in pair}), needed):
            if pairs.issuperset(combinations(group, 2)):
                agreeing.setdefault(topic, set()).update(heard.voices[at].reader for at in group)
    topics = dict[str, list[bool]]()
    for voice in heard.voices:
        for topic, said in voice.said.items():
            for name in said:
                topics.setdefault(name, []).append(voice.reader in agreeing.get(topic, ()))
    return frozenset(name for name, found in topics.items() if all(found))


def disagreements(question: FunctionQuestion, benches: Benches) -> Iterator[Disagreement]:
    """Yield where two readers differ about a statement; of those that nothing tells apart, nothing is said."""
    heard = _heard_of(question, 2, benches)
    for topic in heard.topics():
        for (one, other), row in heard.compared(topic):
            if row is not None and row != _NOWHERE:
                first, second = (heard.voices[at] for at in (one, other))
                told = [*_compared(heard.rows[one], (one, other)), *first.sessions][row]
                said = first.said[topic], second.said[topic]
                holds = all(told[name] for name in said[0])
                yield Disagreement((tuple(said[0]), tuple(said[1])), heard.shown((one, other), row), holds)


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


def _said_on(voice: _Voice, pool: _Pool, sandbox: Sandbox) -> _Rows:
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


def _difference(topic: _Topic, voices: tuple[_Voice, _Voice], first: _Rows, second: _Rows) -> int | None:
    """Return the row on which two readers differ, `_NOWHERE` where they agree, None where nothing tells."""
    one, other = (voice.said[topic] for voice in voices)
    if topic[1] == ReadingKind.NARRATIVE:
        said, again = (" ".join(collapsed(each.statement) for each in told.values()) for told in (one, other))
        return _NOWHERE if said in again or again in said else None
    seen = set[bool]()
    both = zip((*first, *voices[0].sessions), (*second, *voices[1].sessions), strict=True)
    for number, (row, same) in enumerate(both):
        if row.keys() >= one.keys() and same.keys() >= other.keys():
            truth = all(row[name] for name in one)
            if truth is not all(same[name] for name in other):
                return number
            seen.add(truth)
    return _NOWHERE if len(seen) > 1 else None
