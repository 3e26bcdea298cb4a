"""Which readings may say less than the words that they quote: whoever accepts one looks at it.

Beside what code alone shows (`reading_texts`), running shows it. A reading of results is flagged where it says nothing
on most legal calls, whatever value of its type they return, and mutants survive there; and where it lacks numbers or
names of its words and lets other results pass. A requirement is flagged where it excludes most calls that the types
allow, or single values, and the program breaks another reading on one of these. So "an empty list gives 0" is not
flagged where others speak of longer ones.
Refuses to flag what somebody accepted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from probatum.core.messages import counted, listed
from probatum.programs.inputs.generate import CallSource
from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.judging.reading_texts import MOST_NAMED, excludes_values, flags_in_code, left_out_of
from probatum.programs.judging.reading_trials import altered
from probatum.programs.record import ReadingOutcome
from probatum.programs.running.checks import DirectCall, ReadCall, pasteable
from probatum.programs.running.compare import describe
from probatum.programs.running.execute import Benches, outcome_key, run_actions
from probatum.programs.running.generated import unlike_calls
from probatum.programs.running.judged_calls import ClauseQuestion, demands, judged_replies, truths
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_judge import SPEAKS_OF_RESULTS, ReadingJudge
from probatum.readings.values import ReadingKind, Standing
from probatum.sandbox import Lost, Reply, Returned, Sandbox

if TYPE_CHECKING:
    from probatum.programs.faults.planting import Mutant

MOST_CALLS = 24
MOST_ALTERED = 10
MOST_SILENT = 6
"""On how many of the calls on which a reading says nothing mutants are tried."""
MOST_EXCLUDED = 40
_Answer = tuple[DirectCall, Returned]


@dataclass(frozen=True, slots=True)
class Voice:
    """What a reading of results says about legal calls: it says something where an altered result breaks it."""

    said: int
    """On how many it does."""
    unsaid: int
    silent: tuple[_Answer, ...]
    """Some of those on which it says nothing."""
    pins: bool
    """Whether no altered result passes it and the others of its record where it says something."""

    @property
    def is_mostly_silent(self) -> bool:
        """Whether it says nothing on most calls."""
        return self.unsaid > self.said


def voices(question: FunctionQuestion, run: ReadingRun, sandbox: Sandbox) -> Mapping[str, Voice]:
    """Return by the id of each reading of results what it says about the calls that were answered.

    Nothing where all readings that count were accepted.
    """
    judges = run.judges if _proposed(question) else ()
    return {name: voice for judge in judges for name, voice in _voices(judge, run, sandbox)}


def _voices(judge: ReadingJudge, run: ReadingRun, sandbox: Sandbox) -> Iterator[tuple[str, Voice]]:
    speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
    answers = [(call, reply) for owner, call, reply in run.answers if owner is judge]
    some = answers[:: len(answers) // MOST_CALLS + 1] if speaking else []
    # That a result has its type is no news where every result has.
    others = [
        [each for each in altered(reply) if reply.value is None or type(each.value) is type(reply.value)][:MOST_ALTERED]
        for _, reply in some
    ]
    asked = [
        ClauseQuestion(call, each, speaking)
        for (call, reply), more in zip(some, others, strict=True)
        for each in (reply, *more)
    ]
    told = iter(truths(judge, asked, sandbox) if asked else ())
    # What cannot cross is asked elsewhere, of other calls.
    known = list[frozenset[int]]()
    broken = list[list[frozenset[int]]]()
    for more in others:
        known.append(frozenset(speaking) - _broken(next(told), speaking))
        broken.append([_broken(next(told), speaking) for _ in more])
    # An argument changed after the call is for readings of effects alone.
    open_ones = [
        any(not found and other.value != reply.value for other, found in zip(more, row, strict=True))
        for (_, reply), more, row in zip(some, others, broken, strict=True)
    ]
    for place in speaking:
        at = [index for index, each in enumerate(known) if place in each]
        said = [index for index in at if any(place in found for found in broken[index])]
        silent = [some[index] for index in at if index not in said]
        is_open = any(open_ones[index] for index in said)
        shown = tuple(silent[:: len(silent) // MOST_SILENT + 1])
        if at:
            yield judge.clauses[place].id, Voice(len(said), len(silent), shown, not is_open)


def _broken(found: Mapping[int, bool | None] | Lost, places: Sequence[int]) -> frozenset[int]:
    """Return the places of the clauses that do not hold, all where the process of clauses was lost."""
    return frozenset(e for e in places if isinstance(found, Lost) or found.get(e) is not True)


def silent_calls(spoken: Mapping[str, Voice]) -> tuple[DirectCall, ...]:
    """Return the calls on which mutants are tried: those on which a mostly silent reading says nothing."""
    calls = (call for each in spoken.values() if each.is_mostly_silent for call, _ in each.silent)
    return tuple({pasteable(call): call for call in calls}.values())


def with_flags(
    outcomes: Sequence[ReadingOutcome],
    question: FunctionQuestion,
    run: ReadingRun,
    source: CallSource | None,
    spoken: Mapping[str, Voice],
    mutants: Sequence[tuple[Mutant, Sequence[Reply]]],
    benches: Benches,
) -> tuple[ReadingOutcome, ...]:
    """Return what became of readings, with why those may say too little that nobody accepted.

    ``mutants`` have what each of them answers to the `silent_calls`, nothing where it could not be loaded.
    """
    proposed = _proposed(question)
    if not proposed:
        return tuple(outcomes)
    answering = [(each.sentence, told) for each, told in mutants if told]
    found = {
        **dict(_narrowing(question, run, source, benches)),
        **dict(_left_out(question, spoken)),
        **dict(_hedges(question, run, spoken, answering, benches.first)),
        **flags_in_code(question),
    }
    return tuple(replace(each, flag=found.get(each.id, "")) if each.id in proposed else each for each in outcomes)


def _proposed(question: FunctionQuestion) -> frozenset[str]:
    """Return the ids of the readings that count and that nobody accepted."""
    records = question.counted
    return frozenset(e.id_of(r) for e in records for r in e.readings if r.standing is Standing.PROPOSED)


def _left_out(question: FunctionQuestion, spoken: Mapping[str, Voice]) -> Iterator[tuple[str, str]]:
    for record in question.readings:
        parameters = {each.name for each in question.about(record).function.parameters}
        for reading in record.readings:
            name = record.id_of(reading)
            missing = left_out_of(record, reading, parameters) if name in spoken and not spoken[name].pins else ()
            if missing:
                yield name, f"its words have {listed(missing, MOST_NAMED)}, and it does not"


def _hedges(
    question: FunctionQuestion,
    run: ReadingRun,
    spoken: Mapping[str, Voice],
    mutants: Sequence[tuple[str, Sequence[Reply]]],
    sandbox: Sandbox,
) -> Iterator[tuple[str, str]]:
    """Yield the readings on whose silent calls the others let most answers of mutants pass that differ there."""
    calls = silent_calls(spoken)
    places = {pasteable(call): index for index, call in enumerate(calls)}
    known = {pasteable(call): outcome_key(reply) for each in spoken.values() for call, reply in each.silent}
    keys = [known[text] for text in places]
    differing = [
        {place for place, reply in enumerate(told) if outcome_key(reply) != keys[place]} for _, told in mutants
    ]
    killed = _killed(question, run, calls, [told for _, told in mutants], differing, sandbox)
    for name, voice in spoken.items():
        if not voice.is_mostly_silent:
            continue
        there = {places[pasteable(call)] for call, _ in voice.silent}
        shown = [(index, place) for index, each in enumerate(differing) for place in each & there]
        alive = [index for index, place in shown if place not in killed[index]]
        # Those that no silent call kills, and the answers that pass: both have to be few.
        apart = {index for index, _ in shown}
        unkilled = sum(not killed[index] & there for index in apart)
        is_open = unkilled > (1 - question.policy.min_strength) * len(apart) or 2 * len(alive) > len(shown)
        if is_open or not shown:
            share = f"it says something on {voice.said} of {counted(voice.said + voice.unsaid, 'legal call')}"
            more = f"; on the others a mutant survives: {mutants[alive[0]][0]}" if alive else ""
            yield name, f"{share}{more}"


def _killed(
    question: FunctionQuestion,
    run: ReadingRun,
    calls: Sequence[DirectCall],
    told: Sequence[Sequence[Reply]],
    differing: Sequence[set[int]],
    sandbox: Sandbox,
) -> list[set[int]]:
    """Return for each mutant on which calls its answer breaks a reading."""
    speaking = [
        (judge, frozenset(judge.clauses[place].id for place in judge.of_kind(*SPEAKS_OF_RESULTS)) - question.silent)
        for judge in run.judges
    ]
    found = [
        {place for place in places if not isinstance(replies[place], Returned)}
        for replies, places in zip(told, differing, strict=True)
    ]
    asked = [
        (number, place, ReadCall(calls[place], judge, wanted))
        for number, places in enumerate(differing)
        for place in sorted(places - found[number])
        for judge, wanted in speaking
        if wanted and judge.record.function == calls[place].target
    ]
    replies = [told[number][place] for number, place, _ in asked]
    judged = judged_replies([action for _, _, action in asked], replies, sandbox)
    for (number, place, _), reply in zip(asked, judged, strict=True):
        if isinstance(reply, Returned) and reply.value:
            found[number].add(place)
    return found


def _narrowing(
    question: FunctionQuestion, run: ReadingRun, source: CallSource | None, benches: Benches
) -> Iterator[tuple[str, str]]:
    """Yield the requirements that exclude most calls or single values, with a call that breaks another reading."""
    drawn = unlike_calls(question, source) if any(e.of_kind(ReadingKind.REQUIRES) for e in run.judges) else ()
    for judge in run.judges:
        required = judge.of_kind(ReadingKind.REQUIRES)
        if not required or not drawn or judge.record.function != question.function.qualname:
            continue
        told = demands(judge, drawn, benches.first, run.beside(judge))
        for place in required:
            kept = sum(each.requires.get(place) is True for each in told)
            alone = [
                call
                for call, each in zip(drawn, told, strict=True)
                if each.requires.get(place) is False
                and all(truth is True for other, truth in each.requires.items() if other != place)
                and all(truth is False for truth in (*each.raises.values(), *each.raises_elsewhere))
            ]
            # Half of all inputs are often meant ("positive"); most of them, or single values, seldom.
            is_odd = 2 * kept < len(drawn) or excludes_values(judge.clauses[place].code)
            if is_odd and (broken := _broken_by(question, run, alone[:MOST_EXCLUDED], benches)):
                share = f"it leaves {kept} of {counted(len(drawn), 'call')} that the types allow"
                yield judge.clauses[place].id, f"{share}, and of those that it excludes {broken}"


def _broken_by(question: FunctionQuestion, run: ReadingRun, calls: Sequence[DirectCall], benches: Benches) -> str:
    """Return what the program gives for a call, and the words that this breaks; empty where it breaks none."""
    replies = run_actions(benches.first, question.program, calls) if calls else ()
    given = [(call, reply) for call, reply in zip(calls, replies, strict=True) if isinstance(reply, Returned)]
    for judge in run.judges:
        speaking = judge.of_kind(*SPEAKS_OF_RESULTS)
        asked = [ClauseQuestion(call, reply, speaking) for call, reply in given]
        for (call, reply), found in zip(given, truths(judge, asked, benches.first), strict=True):
            broken = [place for place in speaking if not isinstance(found, Lost) and found.get(place) is False]
            if broken:
                said = judge.clauses[broken[0]].reading.statement
                return f"{pasteable(call)} gives {describe(reply)}, against {said!r}"
    return ""
