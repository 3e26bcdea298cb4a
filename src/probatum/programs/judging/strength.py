"""How much the checks would notice (mutation testing): mutants are made, and each must show in a check.

A mutant is *noticed* ("killed") when a check that the program passes fails on it. It earns nothing when only inputs
written in the specification show it: a table of the examples would pass otherwise. A mutant that no check notices
*survived*; if no generated input tells it apart either, it counts as equivalent and is set aside. Every mutant counts
its work, so that one that never ends is cut off after the same number of steps everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from probatum.programs.faults.counted_copies import copy_with_work_limit
from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.record import LOADING, PROBE, CheckKind, CheckState, MutantRecord, is_of_reader, mutant_state
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, needs_clerk, pasteable
from probatum.programs.running.compare import state_of
from probatum.programs.running.execute import (
    MUTANT_LIMITS,
    LoadFailure,
    Seats,
    is_gone,
    loaded,
    outcome_key,
    run_action,
    run_actions,
    side_by_side,
    trusted,
)
from probatum.programs.running.given_tests import SharedRuns
from probatum.programs.running.screening import used_up
from probatum.programs.source import Source
from probatum.sandbox import Candidate, Clerk, Lost, Program, Reply, Sandbox

if TYPE_CHECKING:
    from probatum.programs.faults.planting import Mutant

WORK_LADDER = (1_000, 5_000, 25_000, 100_000, 500_000, 3_000_000)
HEADROOM = 3
CHECKS_PER_MUTANT = 300
_LARGEST_LIMIT = 2


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a faulty copy is held against: the checks that hold, and what the program answers to generated inputs."""

    sandbox: Sandbox
    source: Source
    function: str
    checks: tuple[PlannedCheck, ...]
    given: tuple[SharedRuns, ...]
    pool: tuple[Action, ...]
    keys: tuple[bytes, ...]
    work_limit: int
    denied: frozenset[str] = frozenset()
    """What the sandbox does not have for the program itself; what it lacks for a faulty copy alone shows nothing."""
    told: tuple[DirectCall, ...] = ()
    """Calls that every faulty copy is made to answer, whatever notices it."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one faulty copy: the id of the check that notices it and the input that tells it apart."""

    noticed_by: str
    told_apart_by: Action | None
    at_limit: bool = False
    """True where only natural limits bring it to light: calls whose arguments are all empty, missing or smallest."""
    told: tuple[Reply, ...] = ()
    """What it answers to the calls of `Yardstick.told`; nothing where it could not be loaded."""


def yardstick(
    sandbox: Sandbox,
    source: Source,
    function: str,
    checks: Sequence[PlannedCheck],
    given: tuple[SharedRuns, ...],
    pool: Sequence[Action],
    keys: Sequence[bytes],
) -> Yardstick | None:
    """Find a work limit that leaves the program unchanged; None where its checks need more than can be counted."""
    kept = tuple(checks[:CHECKS_PER_MUTANT])
    actions = [*(check.action for check in kept), *pool]
    for limit in WORK_LADDER:
        counted = replace(source.program, source=with_work_limit(source, limit, fresh_for=function))
        replies = run_actions(sandbox, counted, actions, MUTANT_LIMITS, stop=lambda _, reply: used_up(reply), known={})
        # The run may have been stopped early; then the keys differ in number.
        holds = all(state_of(check, reply) is CheckState.HOLDS for check, reply in zip(kept, replies, strict=False))
        same = [outcome_key(reply) for reply in replies[len(kept) :]] == list(keys)
        if holds and same and all(each.passes(counted) for each in given):
            denied = frozenset(what for reply in replies if not isinstance(reply, Lost) for what in reply.denied)
            return Yardstick(sandbox, source, function, kept, given, tuple(pool), tuple(keys), limit * HEADROOM, denied)
    return None


def examine(mutants: Sequence[Mutant], rod: Yardstick) -> list[Trial]:
    """Run every mutant until a check notices it and an input tells it apart; given tests are asked last."""
    copies = [copy_of(mutant, rod) for mutant in mutants]
    trials = side_by_side(rod.sandbox, partial(_trial, rod=rod), copies)
    for given in rod.given:
        waiting = [index for index, trial in enumerate(trials) if _may_tell_more(given, trial)]
        if not waiting:
            continue
        answers = given.noticed(_counted(rod.source.program.source, rod), [copies[index] for index in waiting])
        for index, way in zip(waiting, answers, strict=True):
            trials[index] = replace(trials[index], noticed_by=way or trials[index].noticed_by)
    return trials


def _may_tell_more(given: SharedRuns, trial: Trial) -> bool:
    # What a documented input notices may be hard-coded; what a reader wrote was never seen by the program.
    is_suspected = trial.told_apart_by is None and trial.noticed_by != LOADING and not is_of_reader(trial.noticed_by)
    return not trial.noticed_by or (given.is_of_reader and is_suspected)


def copy_of(mutant: Mutant, rod: Yardstick) -> Program:
    """Return a faulty copy as a process loads it, with its work counted."""
    if not mutant.module:
        return _counted(mutant.source, rod)
    program = _counted(rod.source.program.source, rod)
    siblings = dict(program.siblings) | {mutant.module: mutant.source}
    return replace(program, siblings=tuple(siblings.items()))


def _counted(source: bytes, rod: Yardstick) -> Program:
    counted = copy_with_work_limit(source, rod.source, rod.work_limit, fresh_for=rod.function)
    return replace(rod.source.program, source=counted)


def _trial(faulty: Program, rod: Yardstick) -> Trial:
    known: dict[str, Reply] = {}
    with loaded(rod.sandbox, faulty, MUTANT_LIMITS) as candidate:
        if isinstance(candidate, LoadFailure):
            return Trial(LOADING, rod.pool[0] if rod.pool else None)
        noticed, alive = _first_notice(candidate, rod, known)
        told_apart = _first_difference(candidate, rod, known) if alive else None
        for call in rod.told if alive else ():
            if is_gone(run_action(call, Seats(rod.sandbox, candidate, known=known))):
                break
    if not alive:
        with loaded(rod.sandbox, faulty, MUTANT_LIMITS) as candidate:
            if isinstance(candidate, LoadFailure):
                return Trial(noticed, rod.pool[0] if rod.pool else None)
            told_apart = _first_difference(candidate, rod, known)
    at_limit = bool(noticed) and told_apart is None and _shows_at_limits_alone(faulty, rod)
    texts = [pasteable(call) for call in rod.told]
    is_told = all(text in known for text in texts)
    told = [known[text] for text in texts] if is_told else run_actions(rod.sandbox, faulty, rod.told, MUTANT_LIMITS)
    return Trial(noticed, told_apart, at_limit, tuple(told))


def _shows_at_limits_alone(faulty: Program, rod: Yardstick) -> bool:
    others = [check for check in rod.checks if not is_at_limit(check)]
    if len(others) == len(rod.checks):
        return False
    replies = run_actions(rod.sandbox, faulty, [check.action for check in others], MUTANT_LIMITS)
    held = all(state_of(check, reply) is CheckState.HOLDS for check, reply in zip(others, replies, strict=True))
    return held and not any(each.notices(faulty) for each in rod.given)


def _first(
    candidate: Candidate,
    rod: Yardstick,
    actions: Sequence[Action],
    known: dict[str, Reply],
    is_wanted: Callable[[int, Reply], bool],
) -> tuple[int, Reply] | None:
    """Run actions in one process until a reply is wanted; return which, and the reply. No call is made twice."""
    with ExitStack() as running:
        clerk: Clerk | None = None
        for index, action in enumerate(actions):
            if needs_clerk(action) and clerk is None:
                clerk = running.enter_context(rod.sandbox.clerk(MUTANT_LIMITS))
            reply = trusted(run_action(action, Seats(rod.sandbox, candidate, clerk, known)))
            is_comparable = isinstance(reply, Lost) or rod.denied.issuperset(reply.denied)
            if is_comparable and is_wanted(index, reply):
                return index, reply
    return None


def _first_notice(candidate: Candidate, rod: Yardstick, known: dict[str, Reply]) -> tuple[str, bool]:
    actions = [check.action for check in rod.checks]
    found = _first(
        candidate, rod, actions, known, lambda index, reply: state_of(rod.checks[index], reply) is not CheckState.HOLDS
    )
    if found is None:
        return "", True
    index, reply = found
    return rod.checks[index].example.id, not is_gone(reply) and not used_up(reply)


def _first_difference(candidate: Candidate, rod: Yardstick, known: dict[str, Reply]) -> Action | None:
    found = _first(candidate, rod, rod.pool, known, lambda index, reply: outcome_key(reply) != rod.keys[index])
    return rod.pool[found[0]] if found is not None else None


def is_at_limit(check: PlannedCheck) -> bool:
    """Tell whether a check is a documented call all of whose arguments are natural limits: empty, None, -1 to 2."""
    action = check.action
    if check.kind is not CheckKind.EXAMPLE or not isinstance(action, DirectCall):
        return False
    values = [*action.args, *(value for _, value in action.kwargs)]
    return bool(values) and all(is_natural_limit(value) for value in values)


def is_natural_limit(value: object) -> bool:
    """Tell whether a value is empty, missing, a truth value or a number from -1 to 2."""
    if isinstance(value, bool | None):
        return True
    if isinstance(value, int):
        return -1 <= value <= _LARGEST_LIMIT
    return isinstance(value, str | bytes | list | tuple | dict | set | frozenset) and not value


def differences(mutant: Mutant, rod: Yardstick) -> Mapping[int, Reply]:
    """Return what one faulty copy answers to the generated inputs that tell it from the program, by their index."""
    replies = run_actions(rod.sandbox, copy_of(mutant, rod), rod.pool, MUTANT_LIMITS)
    return {
        index: reply
        for index, (reply, key) in enumerate(zip(replies, rod.keys, strict=True))
        if outcome_key(reply) != key
    }


@dataclass(frozen=True, slots=True)
class Measure:
    """What became of planted faults, and what each faulty copy answers to the calls of `Yardstick.told`."""

    records: tuple[MutantRecord, ...]
    told: tuple[tuple[Reply, ...], ...]

    def parted(self, count: int) -> tuple[Measure, tuple[tuple[Reply, ...], ...]]:
        """Return the same with the answers to the first calls alone, and the answers to the others."""
        return replace(self, told=tuple(each[:count] for each in self.told)), tuple(e[count:] for e in self.told)


def measure(mutants: Sequence[Mutant], rod: Yardstick) -> Measure:
    """Examine every planted fault."""
    trials = examine(mutants, rod)
    records = map(partial(_record, has_inputs=bool(rod.pool)), mutants, trials)
    return Measure(tuple(records), tuple(each.told for each in trials))


def _record(mutant: Mutant, trial: Trial, *, has_inputs: bool) -> MutantRecord:
    told = pasteable(trial.told_apart_by) if trial.told_apart_by is not None else ""
    at_limit = mutant.serves_boundary or trial.at_limit
    state = mutant_state(trial.noticed_by, told, at_limit=at_limit, has_inputs=has_inputs)
    return MutantRecord(
        mutant.id, mutant.operator, mutant.line, mutant.sentence, state, trial.noticed_by, told, at_limit
    )


@dataclass(frozen=True, slots=True)
class Reach:
    """Branches by what reaches them, each as a noun phrase."""

    documented: tuple[str, ...]
    """Reached by inputs written in the specification and by no generated one."""
    nothing: tuple[str, ...]


def reach_of(probes: Sequence[Mutant], rod: Yardstick) -> Reach:
    """Try every branch: a copy that raises there shows which inputs come through."""
    documented: list[str] = []
    nothing: list[str] = []
    for probe, trial in zip(probes, examine(probes, rod), strict=True):
        if trial.told_apart_by is None and rod.pool and not trial.at_limit:
            if trial.noticed_by and not is_of_reader(trial.noticed_by):
                documented.append(probe.sentence)
            elif not trial.noticed_by and probe.operator == PROBE and not probe.module:
                nothing.append(probe.sentence)
    return Reach(tuple(documented), tuple(nothing))
