"""How much the checks would notice: faults are planted in the program, and each must show in a check.

A planted fault is *noticed* when a check that the program passes fails on the faulty copy. It earns nothing when only
inputs written in the specification bring it to light: then the place it changes serves the documented inputs alone
(a table of the examples would pass otherwise). A fault that no check notices *survived*; if none of the generated
inputs tells it apart from the program either, it counts as equivalent and is set aside.

Work is counted: every faulty copy carries a counter on its loops and calls, so that one that never ends is cut off
after the same number of steps everywhere. Refuses to measure a program that the counter itself changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.programs.checks import Action, ClerkExpression, PlannedCheck, is_gone, pasteable, run_action
from probatum.programs.compare import compare
from probatum.programs.execute import LoadFailure, loaded, outcome_key, run_actions, trusted
from probatum.programs.given_tests import all_pass, any_refutes, outcomes_of
from probatum.programs.mutants import Mutant, with_work_limit
from probatum.programs.record import CheckState, MutantRecord, mutant_state
from probatum.programs.screening import MUTANT_LIMITS, used_up
from probatum.sandbox import Candidate, Clerk, Program, Sandbox

WORK_LADDER = (1_000, 5_000, 25_000, 100_000, 500_000, 3_000_000)
HEADROOM = 3
CHECKS_PER_MUTANT = 300


@dataclass(frozen=True, slots=True)
class GivenFile:
    """A file of tests that the program passes, and the names that it may import."""

    tests: bytes
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Yardstick:
    """What a faulty copy is held against: the checks that hold, and what the program answers to generated inputs."""

    sandbox: Sandbox
    program: Program
    function: str
    checks: tuple[PlannedCheck, ...]
    given: GivenFile | None
    pool: tuple[Action, ...]
    keys: tuple[bytes, ...]
    work_limit: int


@dataclass(frozen=True, slots=True)
class Trial:
    """What became of one faulty copy: the id of the check that notices it and the input that tells it apart."""

    noticed_by: str
    told_apart_by: Action | None


def yardstick(
    sandbox: Sandbox,
    program: Program,
    function: str,
    checks: Sequence[PlannedCheck],
    given: GivenFile | None,
    pool: Sequence[Action],
    keys: Sequence[bytes],
) -> Yardstick | None:
    """Find a work limit that leaves the program unchanged; None where its checks need more than can be counted."""
    kept = tuple(checks[:CHECKS_PER_MUTANT])
    actions = [*(check.action for check in kept), *pool]
    for limit in WORK_LADDER:
        counted = replace(program, source=with_work_limit(program.source, limit, fresh_for=function))
        replies = run_actions(sandbox, counted, actions, MUTANT_LIMITS, stop=lambda _, reply: used_up(reply))
        holds = all(
            compare(check.example.expectation, reply).state is CheckState.HOLDS
            for check, reply in zip(kept, replies, strict=False)
        )
        same = [outcome_key(reply) for reply in replies[len(kept) :]] == list(keys)
        if holds and same and (given is None or _passes(sandbox, counted, given)):
            return Yardstick(sandbox, program, function, kept, given, tuple(pool), tuple(keys), limit * HEADROOM)
    return None


def _passes(sandbox: Sandbox, program: Program, given: GivenFile) -> bool:
    return all_pass(outcomes_of(sandbox, program, given.tests, given.names, MUTANT_LIMITS))


def _is_noticed_by(sandbox: Sandbox, program: Program, given: GivenFile) -> bool:
    return any_refutes(outcomes_of(sandbox, program, given.tests, given.names, MUTANT_LIMITS))


def examine(mutant: Mutant, rod: Yardstick) -> Trial:
    """Run one faulty copy until a check notices it and a generated input tells it apart, or nothing is left to run."""
    faulty = replace(rod.program, source=with_work_limit(mutant.source, rod.work_limit, fresh_for=rod.function))
    with loaded(rod.sandbox, faulty, MUTANT_LIMITS) as candidate:
        if isinstance(candidate, LoadFailure):
            return Trial("loading", rod.pool[0] if rod.pool else None)
        noticed, alive = _first_notice(candidate, rod)
        told_apart = _first_difference(candidate, rod) if alive else None
    if not noticed and rod.given is not None and _is_noticed_by(rod.sandbox, faulty, rod.given):
        noticed = "given tests"
    if not alive:
        with loaded(rod.sandbox, faulty, MUTANT_LIMITS) as candidate:
            if isinstance(candidate, LoadFailure):
                return Trial(noticed, rod.pool[0] if rod.pool else None)
            told_apart = _first_difference(candidate, rod)
    return Trial(noticed, told_apart)


def _first_notice(candidate: Candidate, rod: Yardstick) -> tuple[str, bool]:
    clerk: Clerk | None = None
    try:
        for check in rod.checks:
            if isinstance(check.action, ClerkExpression) and clerk is None:
                clerk = rod.sandbox.clerk(MUTANT_LIMITS)
            reply = trusted(run_action(check.action, candidate, clerk))
            if compare(check.example.expectation, reply).state is not CheckState.HOLDS:
                return check.example.id, not is_gone(reply) and not used_up(reply)
    finally:
        if clerk is not None:
            clerk.end()
    return "", True


def _first_difference(candidate: Candidate, rod: Yardstick) -> Action | None:
    clerk: Clerk | None = None
    try:
        for action, key in zip(rod.pool, rod.keys, strict=True):
            if isinstance(action, ClerkExpression) and clerk is None:
                clerk = rod.sandbox.clerk(MUTANT_LIMITS)
            if outcome_key(trusted(run_action(action, candidate, clerk))) != key:
                return action
    finally:
        if clerk is not None:
            clerk.end()
    return None


def measure(mutants: Sequence[Mutant], rod: Yardstick) -> tuple[MutantRecord, ...]:
    """Examine every planted fault."""
    return tuple(_record(mutant, examine(mutant, rod), bool(rod.pool)) for mutant in mutants)


def _record(mutant: Mutant, trial: Trial, has_inputs: bool) -> MutantRecord:
    told = pasteable(trial.told_apart_by) if trial.told_apart_by is not None else ""
    at_limit = mutant.serves_boundary
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
    """Reached by neither."""


def reach_of(probes: Sequence[Mutant], rod: Yardstick) -> Reach:
    """Try every branch: a copy that raises there shows which inputs come through."""
    documented: list[str] = []
    nothing: list[str] = []
    for probe in probes:
        trial = examine(probe, rod)
        if trial.told_apart_by is None and rod.pool:
            (documented if trial.noticed_by else nothing).append(probe.sentence)
    return Reach(tuple(documented), tuple(nothing))
