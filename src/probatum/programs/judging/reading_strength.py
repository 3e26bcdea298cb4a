"""What each reading notices by itself: a clause that no planted fault breaks checks nothing.

An exception that a faulty copy raises of itself counts for none: any check would notice that. Every reading is asked
on a few calls for every faulty copy, and on all others where none of these shows a fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import compress, islice
from typing import TYPE_CHECKING

from probatum.programs.faults.argument_faults import argument_faults
from probatum.programs.judging.reading_checks import ReadingRun
from probatum.programs.judging.reading_records import said_of, wanted_of
from probatum.programs.judging.strength import Measure, Yardstick, copy_of
from probatum.programs.record import CheckState, MutantState, ReadingOutcome
from probatum.programs.running.checks import DirectCall, PlannedCheck, ReadCall
from probatum.programs.running.execute import MUTANT_LIMITS, run_actions, side_by_side
from probatum.programs.running.judged_calls import judged_replies
from probatum.programs.running.reading_sessions import session_id
from probatum.readings.values import Reading, ReadingKind, ReadingRecord
from probatum.sandbox import Program, Reply, Returned

if TYPE_CHECKING:
    from probatum.programs.faults.planting import Mutant

CALLS_PER_READING = 6


def reading_outcomes(
    records: Sequence[ReadingRecord],
    run: ReadingRun,
    mutants: Sequence[Mutant],
    found: Measure,
    rod: Yardstick,
) -> tuple[ReadingOutcome, ...]:
    """Return for every reading on how many calls it held, and how many of the planted faults break it.

    ``found`` has what the faulty copies answer to the `few_calls`.
    """
    loaded = [each.state is not MutantState.NOT_LOADED for each in found.records]
    copies = [copy_of(mutant, rod) for mutant in compress(mutants, loaded)]
    few = _few(run.held)
    # One that breaks in more ways than one is one mutant.
    by_copy = _broken_by(few, list(compress(found.told, loaded)), rod)
    idle = {reading for check in run.held for reading in wanted_of(check)}.difference(*by_copy)
    others = [check for check in run.held if check not in few and wanted_of(check) & idle]
    late = [names & idle for names in _broken(others, copies, rod)] if others else []
    for each in run.sessions:
        late += [frozenset(map(session_id, names)) for names in each.broken(rod.source.program, copies)]
    for number, names in enumerate(late):
        by_copy[number % len(copies)] |= names
    broken = Counter(name for names in by_copy for name in names)
    held = {check.id for check in run.records if check.state is CheckState.HOLDS and "." not in check.id}
    if effects := _of_effects(records) & (idle | held) - broken.keys():
        asking = [check for check in run.held if wanted_of(check) & effects]
        altered = [copy_of(each, rod) for each in argument_faults(rod.source, rod.function)]
        told = _broken(asking, altered, rod) if asking else []
        for each in run.sessions:
            told += [frozenset(map(session_id, names)) for names in each.broken(rod.source.program, altered)]
        broken.update(name for names in told for name in names & effects)
    if idle := held - broken.keys():
        # It loads what plants faults, which is large.
        from probatum.programs.judging.faults_elsewhere import broken_elsewhere

        broken.update(broken_elsewhere(records, idle, run.sessions, rod))
    met = Counter(reading for check in run.held for reading in wanted_of(check))
    met.update(held)
    due = Counter(run.raised)
    for judge in run.judges:
        for place in judge.of_kind(ReadingKind.RAISES):
            # An alternative that no call met was not checked.
            name = judge.clauses[place].id
            met[name] = met[name] if name in held else min(met[name], due[name, place])
    return outcomes_of(records, met, broken)


def _of_effects(records: Iterable[ReadingRecord]) -> frozenset[str]:
    return frozenset(
        record.id_of(reading) for record in records for reading in record.readings if reading.kind is ReadingKind.EFFECT
    )


def outcomes_of(
    records: Iterable[ReadingRecord], met: Mapping[str, int], broken: Mapping[str, int]
) -> tuple[ReadingOutcome, ...]:
    """Return what became of every reading, from how often it held and how many faults broke it."""
    return tuple(
        _outcome(record, reading, met.get(record.id_of(reading), 0), broken.get(record.id_of(reading), 0))
        for record in records
        for reading in record.readings
    )


def _outcome(record: ReadingRecord, reading: Reading, met: int, noticed: int) -> ReadingOutcome:
    name, statement = record.id_of(reading), " ".join(reading.statement.split())
    return ReadingOutcome(name, statement, said_of(reading), record.reader, reading.by, met, noticed)


def _few(checks: Sequence[PlannedCheck]) -> list[PlannedCheck]:
    """Return checks that ask every reading a few times."""
    asked: Counter[str] = Counter()
    kept = []
    for check in checks:
        if any(asked[reading] < CALLS_PER_READING for reading in wanted_of(check)):
            kept.append(check)
            asked.update(wanted_of(check))
    return kept


def few_calls(run: ReadingRun) -> tuple[DirectCall, ...]:
    """Return the calls on which every reading is asked a few times."""
    return tuple(check.action.call for check in _few(run.held) if isinstance(check.action, ReadCall))


def _broken(checks: Sequence[PlannedCheck], copies: Sequence[Program], rod: Yardstick) -> list[frozenset[str]]:
    calls = [check.action.call for check in checks if isinstance(check.action, ReadCall)]
    run = partial(run_actions, rod.sandbox, actions=calls, limits=MUTANT_LIMITS)
    return _broken_by(checks, side_by_side(rod.sandbox, run, copies), rod)


def _broken_by(checks: Sequence[PlannedCheck], told: Sequence[Sequence[Reply]], rod: Yardstick) -> list[frozenset[str]]:
    """Return the readings that each copy breaks, from what it answers to the calls of the checks, if anything."""
    actions = [check.action for check in checks if isinstance(check.action, ReadCall)]
    replies = [reply for answers in told for reply in answers]
    judged = iter(judged_replies([*actions] * sum(map(bool, told)), replies, rod.sandbox))
    found = []
    for answers in told:
        broken = [reply.value for reply in islice(judged, len(answers)) if isinstance(reply, Returned)]
        found.append(frozenset(str(name) for value in broken if isinstance(value, tuple) for name in value))
    return found
