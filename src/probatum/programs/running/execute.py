"""Running planned checks and generated calls against the program, each time in processes of their own.

The program runs under two hash seeds; what disagrees is flaky. A process that is lost is replaced, and what it did not
answer is asked again once. Every action has exactly one reply; a missing one is a loss.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from probatum.core.canonical import canonical_bytes
from probatum.core.errors import NotAttemptedError
from probatum.core.limits import JobLimits
from probatum.core.messages import writable
from probatum.programs.running.checks import Action, is_gone, needs_clerk, run_action
from probatum.programs.running.compare import observation, without_chance
from probatum.sandbox import Candidate, Clerk, Lost, LostReason, Program, Raised, Reply, Returned, Sandbox, Tier

Given = TypeVar("Given")
Made = TypeVar("Made")
PROGRAM_LIMITS = JobLimits(cpu_seconds=3, wall_seconds=10.0)
MUTANT_LIMITS = JobLimits(cpu_seconds=2, wall_seconds=8.0)
"""Less than the program itself has: what only prepares or measures is not worth waiting for."""
MAX_RESTARTS = 5
MAX_BUDGETS = 2
"""How many processes in a row may use up their whole budget before the rest of a run is given up."""

_AT_ONCE = 2
_BUDGETS = frozenset({LostReason.CPU, LostReason.WALL, LostReason.MEMORY, LostReason.OUTPUT})


@dataclass(frozen=True, slots=True)
class Benches:
    """Two warm sandboxes that differ in their hash seed."""

    first: Sandbox
    second: Sandbox


@dataclass(frozen=True, slots=True)
class Pair:
    """The replies to one action under the two hash seeds."""

    first: Reply
    second: Reply


@dataclass(frozen=True, slots=True)
class LoadFailure:
    """The program could not be loaded: what it answered instead."""

    reply: Raised | Lost


def trusted(reply: Reply) -> Reply:
    """Return the reply; raises `NotAttemptedError` where it is missing through a fault of the isolation."""
    if isinstance(reply, Lost) and reply.reason in {LostReason.SETUP, LostReason.ENDED}:
        sentence = f"a process could not be isolated or kept: {writable(reply.detail)[:200]}"
        raise NotAttemptedError("sandbox.broke", sentence, "Run probatum doctor to see what works here.")
    return reply


@contextmanager
def loaded(sandbox: Sandbox, program: Program, limits: JobLimits = PROGRAM_LIMITS) -> Iterator[Candidate | LoadFailure]:
    """Yield a candidate process that has loaded the program, or why it could not."""
    with sandbox.candidate(program, limits) as candidate:
        reply = trusted(candidate.load())
        yield LoadFailure(reply) if isinstance(reply, Raised | Lost) else candidate


def side_by_side(sandbox: Sandbox, work: Callable[[Given], Made], given: Iterable[Given]) -> list[Made]:
    """Return what ``work`` makes of each; two at a time, since it mostly waits for processes, which run beside us."""
    # Without isolation they share files and ports, and would disturb each other.
    with ThreadPoolExecutor(1 if sandbox.tier is Tier.UNSAFE_NONE else _AT_ONCE) as threads:
        return list(threads.map(work, given))


def run_actions(
    sandbox: Sandbox,
    program: Program,
    actions: Sequence[Action],
    limits: JobLimits = PROGRAM_LIMITS,
    stop: Callable[[int, Reply], bool] | None = None,
) -> list[Reply]:
    """Run actions in order in one process, restarting it where it is lost; end early where ``stop`` says so."""
    replies: list[Reply] = []
    with_clerk = any(needs_clerk(action) for action in actions)
    restarts = spent = 0
    while len(replies) < len(actions):
        with loaded(sandbox, program, limits) as candidate:
            if isinstance(candidate, LoadFailure):
                replies.extend([candidate.reply] * (len(actions) - len(replies)))
                return replies
            clerk = sandbox.clerk(limits) if with_clerk else None
            try:
                lost, stopped = _run_until_lost(candidate, clerk, actions, replies, stop)
            finally:
                if clerk is not None:
                    clerk.end()
        if stopped:
            return replies
        if lost:
            restarts += 1
            spent += ran_out(replies[-1])
            if restarts > MAX_RESTARTS or spent >= MAX_BUDGETS or waited_in_vain(replies[-1]):
                replies.extend([replies[-1]] * (len(actions) - len(replies)))
    return replies


def ran_out(reply: Reply) -> bool:
    """True when the process used up its budget of time, memory or output."""
    return isinstance(reply, Lost) and reply.reason in _BUDGETS


def _run_until_lost(
    candidate: Candidate,
    clerk: Clerk | None,
    actions: Sequence[Action],
    replies: list[Reply],
    stop: Callable[[int, Reply], bool] | None,
) -> tuple[bool, bool]:
    for index in range(len(replies), len(actions)):
        reply = trusted(run_action(actions[index], candidate, clerk))
        replies.append(reply)
        if stop is not None and stop(index, reply):
            return False, True
        if is_gone(reply):
            return True, False
    return False, False


def waited_in_vain(reply: Reply) -> bool:
    """True when the program idled until the clock ran out: asking more of it would only cost more waiting."""
    return isinstance(reply, Lost) and reply.reason is LostReason.WALL


def run_alone(benches: Benches, program: Program, action: Action, limits: JobLimits = PROGRAM_LIMITS) -> list[Reply]:
    """Run one action under both hash seeds, each time in a process of its own."""
    return [run_actions(bench, program, [action], limits)[0] for bench in (benches.first, benches.second)]


def run_twice(benches: Benches, program: Program, actions: Sequence[Action], *, backwards: bool = False) -> list[Pair]:
    """Run actions under both hash seeds, ``backwards`` in the opposite order the second time."""
    everything = range(len(actions))
    asked = list(reversed(everything) if backwards else everything)

    def replies(sandbox: Sandbox, indices: Sequence[int]) -> list[Reply]:
        return run_actions(sandbox, program, [actions[index] for index in indices])

    # Few run out of anything, so nobody waits to see it: then the second run is done over.
    runs = [(benches.first, everything), (benches.second, asked)]
    first, again = side_by_side(benches.first, lambda run: replies(*run), runs)
    if any(ran_out(reply) for reply in first):
        asked = [index for index in asked if not ran_out(first[index])]
        again = replies(benches.second, asked)
    second = dict(zip(asked, again, strict=True))
    return [Pair(reply, second.get(index, reply)) for index, reply in enumerate(first)]


def outcome_key(reply: Reply) -> bytes:
    """Return bytes that are equal exactly for replies that count as the same behaviour."""
    if isinstance(reply, Returned) and reply.output:
        reply = replace(reply, output=without_chance(reply.output))
    return canonical_bytes(observation(reply))
