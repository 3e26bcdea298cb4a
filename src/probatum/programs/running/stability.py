"""What a result depends on besides its input: one thing at a time is changed, and the answers are compared.

Six causes have a name: the clock, random numbers, the environment (changed in `worlds`), addresses in memory, the hash
seed and earlier calls. A cause is named only where it was seen to change a result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from probatum.programs.record import CheckRecord, CheckState, FunctionRecord, is_lost
from probatum.programs.running.checks import Action, PlannedCheck, Repeated, pasteable
from probatum.programs.running.compare import compare, describe, state_of
from probatum.programs.running.execute import (
    MUTANT_LIMITS,
    OTHER_MODULE,
    Benches,
    outcome_key,
    run_actions,
    run_alone,
    side_by_side,
    waited_in_vain,
)
from probatum.programs.running.generated import Generated
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import check_record
from probatum.programs.running.worlds import (
    Reads,
    Surroundings,
    World,
    called_elsewhere,
    elsewhere_in_memory,
    in_world,
    reads_of,
    short_of_memory,
    surrounded,
)
from probatum.programs.source import Source
from probatum.sandbox import Lost, LostReason, Program, Raised, Reply, refused

MOST_SHOWN = 3
MOST_ACTIONS = 300
"""More would make a document with thousands of examples too dear to watch."""

_SECOND = 1_000_000_000
_STEP = _SECOND // 1000
_NOW = World(None, _STEP, 1)
# A Saturday morning in February 2001.
_PAST = World(981_173_106_789_000_000, _STEP, 1)
# Also in 2093, with slower steps, in 1801 and in 9876: documents compare with years far away.
_OTHER_MOMENTS = (
    _PAST,
    World(3_909_923_319_250_000_000, _SECOND // 4, 1),
    World(-5_314_092_834_567_900_000, _STEP, 1),
    World(249_500_036_096_789_000_000, _STEP, 1),
)
# A value of variables that is a name, a text and a number.
_MADE_UP = "37"
_VARIABLES = Surroundings(value=_MADE_UP)
_ELSEWHERE = Surroundings(value=_MADE_UP, place=True, zone=True, listing=True)
_ASPECTS: Mapping[str, Surroundings] = {
    "environment variables": _VARIABLES,
    "the folder, host, user, process or command line": Surroundings(place=True),
    "the time zone or locale": Surroundings(zone=True),
    "the order in which the files of a folder are listed": Surroundings(listing=True),
}
_CIRCUMSTANCES: Mapping[str, str] = {
    "thread": "the thread that calls it",
    "error": "whether an error is being handled",
    "logging": "how logging is configured",
    "main": "whether it is run as a script",
    "loop": "whether an event loop is running",
    "decimal": "the context of decimal numbers",
}
# They refuse many calls, and would hide what the others show.
_APART = frozenset({"loop", "decimal"})
# By how many places objects lie elsewhere: whoever divides an address by a small number sees every remainder.
_SHIFTS = range(1, 13)
# How many calls are made in a row before the answers are asked for again, where calls may leave something behind.
_REPETITIONS, _MOST_REPEATED = 12_000, 12
_OTHER_SEEDS = tuple(World(_PAST.moment, _STEP, seed) for seed in (2, 3, 4, 5))


class Cause(StrEnum):
    """What changes a result although the input stays the same."""

    CLOCK = "clock"
    RANDOMNESS = "randomness"
    ENVIRONMENT = "environment"
    ADDRESSES = "addresses"
    HASH_SEED = "hash_seed"
    EARLIER_CALLS = "earlier_calls"
    UNKNOWN = "unknown"

    @property
    def words(self) -> str:
        """The cause as the end of a sentence about a result."""
        return _WORDS[self]


_WORDS: Mapping[Cause, str] = {
    Cause.CLOCK: "depends on the clock",
    Cause.RANDOMNESS: "depends on random numbers",
    Cause.ENVIRONMENT: "depends on the environment",
    Cause.ADDRESSES: "depends on where its objects lie in memory",
    Cause.HASH_SEED: "depends on the hash seed, that is, on the order of a set",
    Cause.EARLIER_CALLS: "depends on what was called before",
    Cause.UNKNOWN: "changes from run to run",
}


# Causes inside the program's own process: what changes them also changes addresses, and which draw a call gets.
_INSIDE = frozenset({Cause.HASH_SEED, Cause.EARLIER_CALLS})


@dataclass(frozen=True, slots=True)
class Unsteady:
    """One action whose result changes, why, and two of its results."""

    index: int
    cause: Cause
    sentence: str


def _unsteady(
    watch: _Watch,
    at_home: Sequence[Reply],
    seen_to_change: frozenset[int],
    counts: Callable[[int, Cause, tuple[Reply, Reply]], bool],
) -> tuple[Unsteady, ...]:
    # In order; those that are seen to change already in any case. `counts` may leave out a difference of two answers.
    actions = watch.actions
    found: dict[int, Unsteady] = {}
    for cause, words, firsts, others in watch.comparisons(at_home):
        # Another order of calls or of a set also changes which reading of the clock or which draw a call gets.
        if cause in _INSIDE and found and not {each.cause for each in found.values()} <= _INSIDE:
            break
        # The last word on surroundings leaves clock and chance as they are: it counts where these show nothing.
        if words == Cause.ENVIRONMENT.words and found:
            continue
        for index, (first, other) in enumerate(zip(firsts, others, strict=True)):
            if index not in found and _differ(first, other) and counts(index, cause, (first, other)):
                text = f"{pasteable(actions[index])} {words}: it gives {describe(first)} or {describe(other)}"
                found[index] = Unsteady(index, cause, text)
    likely = watch.what_else(found)
    for index in seen_to_change.intersection(range(len(actions))) - found.keys():
        found[index] = Unsteady(index, likely, f"{pasteable(actions[index])} {likely.words}")
    return tuple(found[index] for index in sorted(found))


def steadied(
    source: Source, checks: Sequence[PlannedCheck], records: Sequence[CheckRecord], benches: Benches
) -> tuple[CheckRecord, ...]:
    """Return the records with every check whose result changes marked as flaky, and why.

    A failure that depends on the world outside is not the program's; one that depends on its process is, unless it
    holds in another one. A failure that no world could be asked about does not stand.
    """

    def counts(index: int, cause: Cause, answers: tuple[Reply, Reply]) -> bool:
        is_outside = cause not in _INSIDE and cause is not Cause.ADDRESSES
        may_fail = records[index].state is not CheckState.FAILS
        return is_outside or may_fail or any(state_of(checks[index], answer) is CheckState.HOLDS for answer in answers)

    states = {record.state for record in records}
    reads = reads_of(source)
    is_doubtful = CheckState.FAILS in states and (
        reads.anything or reads.identities or reads.endures or reads.circumstances
    )
    if CheckState.FLAKY not in states and not is_doubtful:
        return tuple(records)
    changing = frozenset(index for index, record in enumerate(records) if record.state is CheckState.FLAKY)
    steady = list(records)
    watch, at_home = _at_home(_Watch(source, [check.action for check in checks[:MOST_ACTIONS]], benches, reads))
    for found in _unsteady(watch, at_home, changing, counts):
        # An undecided one may be no matter of the program at all.
        if records[found.index].state is CheckState.UNDECIDED:
            continue
        steady[found.index] = replace(
            records[found.index], state=CheckState.FLAKY, note=found.sentence, cause=found.cause.value
        )
    silent = {index for index, reply in enumerate(at_home) if isinstance(reply, Lost)}
    return tuple(_in_doubt(record) if index in silent else record for index, record in enumerate(steady))


def confirmed(
    question: FunctionQuestion, check: PlannedCheck, benches: Benches, fails: Callable[[Reply], bool]
) -> tuple[CheckRecord, Reply]:
    """Run a failing check alone under both hash seeds; return its record and the first reply."""
    replies = run_alone(benches, question.program, check.action)
    comparison = compare(check.example.expectation, replies[0])
    record = check_record(check, comparison, replies[0], stable=all(map(fails, replies)))
    [steady] = steadied(question.source, [check], [record], benches)
    return steady, replies[0]


def watched(
    record: FunctionRecord, source: Source, documented: Sequence[Action], generated: Generated, benches: Benches
) -> FunctionRecord:
    """Return the record with what its results depend on; generated inputs only where something points there."""
    reads = reads_of(source)
    everything = generated.changing or reads.anything or reads.circumstances
    actions = [*generated.changing, *documented, *(generated.actions if everything else ())]
    watch, at_home = _at_home(_Watch(source, actions[:MOST_ACTIONS], benches, reads))
    changing = frozenset(range(len(generated.changing)))
    own = len(generated.changing) + len(documented)

    def counts(index: int, _cause: Cause, answers: tuple[Reply, Reply]) -> bool:
        # A generated path leads somewhere else in each world.
        return index < own or not any(isinstance(each, Raised) and "OSError" in each.bases for each in answers)

    found = _unsteady(watch, at_home, changing, counts)
    causes = dict.fromkeys(each.cause.value for each in found)
    return replace(record, flaky=tuple(each.sentence for each in found[:MOST_SHOWN]), causes=tuple(causes))


def _in_doubt(record: CheckRecord) -> CheckRecord:
    # A check without an answer at home was no matter of chance; it stays as it is.
    if record.state is not CheckState.FAILS or is_lost(record):
        return record
    return replace(record, state=CheckState.UNDECIDED, note="no answer came when the outside world was held still")


def _differ(first: Reply, other: Reply) -> bool:
    # A lost process says nothing about a result, nor does a world in which a package refuses to be imported.
    is_known = not any(isinstance(each, Lost) or _is_of_an_import(each) for each in (first, other))
    return is_known and outcome_key(first) != outcome_key(other)


def _is_of_an_import(reply: Reply) -> bool:
    return isinstance(reply, Raised) and OTHER_MODULE in reply.type_name


def _at_home(watch: _Watch) -> tuple[_Watch, list[Reply]]:
    """Return what watches a program, and its answers at home; packages that do not load there are loaded before."""
    replies = watch.at_home()
    if watch.reads.packages and any(map(_is_of_an_import, replies)):
        watch = replace(watch, reads=replace(watch.reads, loads_first=True))
        replies = watch.at_home()
    return watch, replies


def _ends_it(reply: Reply) -> bool:
    return isinstance(reply, Raised) or (isinstance(reply, Lost) and reply.reason is LostReason.EXIT)


def _is_refused(at_home: Reply, there: Reply, names: Sequence[str]) -> bool:
    # Python runs no event loop within another.
    is_nested = "loop" in names and isinstance(there, Raised) and there.type_name == "RuntimeError"
    return is_nested or isinstance(there, Raised) != isinstance(at_home, Raised)


def _as_raised(reply: Reply) -> Reply:
    return Raised("SystemExit", ("SystemExit",), "") if isinstance(reply, Lost) and _ends_it(reply) else reply


def _without_memory(reply: Reply, noted: Reply) -> Reply:
    is_short = not isinstance(noted, Lost) and bool(refused(noted.denied))
    return Raised("MemoryError", ("MemoryError",), "") if is_short else reply


# The cause, the words for it, and the answers without and with the change.
_Comparison = tuple[Cause, str, Sequence[Reply], Sequence[Reply]]


@dataclass(frozen=True, slots=True)
class _Watch:
    source: Source
    actions: Sequence[Action]
    benches: Benches
    reads: Reads

    @property
    def home(self) -> Program:
        """The program where all that is outside is known, if it could read any of it; else as it is."""
        return self._in(_PAST) if self.reads.anything else self.source.program

    def at_home(self) -> list[Reply]:
        """Return the answers that the others are compared with; once more where the clock ran out, as hosts stall."""
        replies = self._run(self.home)
        return self._run(self.home) if any(waited_in_vain(reply) for reply in replies) else replies

    def comparisons(self, base: Sequence[Reply]) -> Iterator[_Comparison]:
        """Yield for each cause the answers without and with the change, the world outside first."""
        if self.reads.anything and len({outcome_key(reply) for reply in base if _ends_it(reply)}) == 1:
            # Whoever fails wherever the clock is known would be the same in all that follows.
            yield Cause.UNKNOWN, Cause.UNKNOWN.words, self._run(self.source.program), [_as_raised(r) for r in base]
        if self.reads.clock:
            now, *others = self._all(map(self._in, (_NOW, *_OTHER_MOMENTS)))
            for answers in others:
                yield Cause.CLOCK, Cause.CLOCK.words, now, answers
        if self.reads.randomness:
            for answers in self._all(map(self._in, _OTHER_SEEDS)):
                yield Cause.RANDOMNESS, Cause.RANDOMNESS.words, base, answers
        if self.reads.surroundings:
            yield from self._elsewhere(base)
        yield from self._called_elsewhere(base)
        if self.reads.endures:
            words = f"{Cause.ENVIRONMENT.words} (how much memory there is)"
            noted = self._run(short_of_memory(self.source))
            short = [_without_memory(*replies) for replies in zip(base, noted, strict=True)]
            yield Cause.ENVIRONMENT, words, base, short
        shifts = _SHIFTS if self.reads.identities else _SHIFTS[:1] if self.reads.sets else ()
        for answers in self._all(elsewhere_in_memory(self.source, places, _PAST, self.reads) for places in shifts):
            yield Cause.ADDRESSES, Cause.ADDRESSES.words, base, answers
        again = run_actions(self.benches.second, self.home, self.actions, MUTANT_LIMITS)
        yield Cause.HASH_SEED, Cause.HASH_SEED.words, base, again
        there = list(reversed(self.actions))
        replies = run_actions(self.benches.first, self.home, [*there, *self.actions], MUTANT_LIMITS)
        yield Cause.EARLIER_CALLS, Cause.EARLIER_CALLS.words, base, list(reversed(replies[: len(there)]))
        yield Cause.EARLIER_CALLS, Cause.EARLIER_CALLS.words, base, replies[len(there) :]
        if self.actions and self.reads.state:
            shown = tuple(self.actions[:_MOST_REPEATED])
            again = run_actions(
                self.benches.first,
                self.home,
                [Repeated(shown, -(-_REPETITIONS // len(shown))), *self.actions],
                MUTANT_LIMITS,
            )
            yield Cause.EARLIER_CALLS, Cause.EARLIER_CALLS.words, base, again[1:]

    def _elsewhere(self, base: Sequence[Reply]) -> Iterator[_Comparison]:
        # Without another clock: whoever tells this world by its clock is right in neither of two that have one.
        plain, everything = self._all((self.source.program, surrounded(self.source, _ELSEWHERE, self.reads)))
        # Each aspect alone is only worth a run where all of them together show something, or the known world does.
        pairs = [*zip(plain, everything, strict=True), *zip(plain, base, strict=True)]
        if any(_differ(first, other) for first, other in pairs):
            for aspect, surroundings in _ASPECTS.items():
                words = f"{Cause.ENVIRONMENT.words} ({aspect})"
                yield Cause.ENVIRONMENT, words, base, self._run(self._around(surroundings))
            yield Cause.ENVIRONMENT, Cause.ENVIRONMENT.words, plain, everything
        words = f"{Cause.ENVIRONMENT.words} (environment variables)"
        for answers in self._all(self._around(Surroundings(value=value)) for value in self.reads.values):
            yield Cause.ENVIRONMENT, words, base, answers

    def _called_elsewhere(self, base: Sequence[Reply]) -> Iterator[_Comparison]:
        def answers(names: Sequence[str]) -> list[Reply]:
            replies = self._run(called_elsewhere(self.source, names, _PAST, self.reads))
            # An error says nothing: some calls are refused there.
            pairs = zip(base, replies, strict=True)
            return [first if _is_refused(first, other, names) else other for first, other in pairs]

        together = [name for name in self.reads.circumstances if name not in _APART]
        alone = [name for name in self.reads.circumstances if name in _APART]
        if together and any(_differ(first, other) for first, other in zip(base, answers(together), strict=True)):
            alone = [*together, *alone]
        for name in alone:
            yield Cause.ENVIRONMENT, f"{Cause.ENVIRONMENT.words} ({_CIRCUMSTANCES[name]})", base, answers([name])

    def _around(self, surroundings: Surroundings) -> Program:
        return self._in(replace(_PAST, around=surroundings))

    def what_else(self, found: Mapping[int, Unsteady]) -> Cause:
        """Return what most likely changes the answers that differed without any single change showing why."""
        causes = {each.cause for each in found.values()}
        if len(causes) == 1:
            return causes.pop()
        if causes or self.reads.clock == self.reads.randomness:
            return Cause.UNKNOWN
        if any(_differ(first, other) for first, other in zip(self._run(self.home), self._run(self.home), strict=True)):
            return Cause.UNKNOWN
        return Cause.CLOCK if self.reads.clock else Cause.RANDOMNESS

    def _in(self, world: World) -> Program:
        return in_world(self.source, world, self.reads)

    def _all(self, programs: Iterable[Program]) -> list[list[Reply]]:
        return side_by_side(self.benches.first, self._run, programs)

    def _run(self, program: Program) -> list[Reply]:
        return run_actions(self.benches.first, program, self.actions, MUTANT_LIMITS)
