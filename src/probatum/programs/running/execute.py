"""Running planned checks and generated calls against the program, each time in processes of their own.

The program runs under two hash seeds; what disagrees is flaky. A process that is lost is replaced, and what it did not
answer is asked again once. Every action has exactly one reply; a missing one is a loss.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TypeVar

from probatum.core.canonical import canonical_bytes
from probatum.core.errors import NotAttemptedError
from probatum.core.limits import JobLimits
from probatum.core.messages import writable
from probatum.programs.parsing.literals import executed_by
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.running.checks import (
    ARGUMENT_FAILED,
    STEP_BEFORE_FAILED,
    Action,
    Asks,
    DirectCall,
    JudgedCall,
    PlainAction,
    ReadCall,
    Repeated,
    Statements,
    needs_clerk,
    pasteable,
)
from probatum.programs.running.compare import observation, without_chance
from probatum.programs.running.comparisons import compared
from probatum.programs.running.judged_calls import judged_replies
from probatum.sandbox import (
    Candidate,
    Clerk,
    Environment,
    Handle,
    Lost,
    LostReason,
    Opening,
    Program,
    Raised,
    Reply,
    Returned,
    Sandbox,
    Tier,
    answering,
)
from probatum.sandbox.oracle import Resolve

Given = TypeVar("Given")
Made = TypeVar("Made")
PROGRAM_LIMITS = JobLimits(cpu_seconds=3, wall_seconds=10.0)
MUTANT_LIMITS = JobLimits(cpu_seconds=2, wall_seconds=8.0)
"""Less than the program itself has: what only prepares or measures is not worth waiting for."""
MAX_RESTARTS = 5
MAX_BUDGETS = 2
"""How many processes in a row may use up their whole budget before the rest of a run is given up."""

GIVEN = "__given__"  # The name by which the clerk asks for the values that a condition is about.
DRAIN_LIMIT = 10_000
"""How many items of a generator are asked for."""
_GENERATORS = frozenset({"generator", "async_generator"})
_AT_ONCE = 2
_TRIES = 3
_DISTURBED = "recursion depth mismatch"
_BUDGETS = frozenset({LostReason.CPU, LostReason.WALL, LostReason.MEMORY, LostReason.OUTPUT})
_ADDRESS = re.compile(r"\bat 0x[0-9A-Fa-f]+")
OTHER_MODULE = "ImportedModuleError"
"""The name of what a load raises where a module failed that the program imports."""


@dataclass(frozen=True, slots=True)
class Benches:
    """Two warm sandboxes that differ in their hash seed."""

    first: Sandbox
    second: Sandbox


@contextmanager
def benches_of(python: Environment) -> Iterator[Callable[[], Benches]]:
    """Yield what opens the sandboxes for the first who asks, see `Opening.sandboxes`; afterwards they are closed."""
    with ExitStack() as ended:

        @cache
        def opened() -> Benches:
            opening = Opening((0, 1), python)
            ended.callback(opening.close)
            return Benches(*opening.sandboxes())

        yield opened


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
        return list(threads.map(partial(_undisturbed, work), given))


def _undisturbed(work: Callable[[Given], Made], given: Given) -> Made:
    """Return what ``work`` makes, made again where another thread disturbed it.

    Python 3.11 counts in one place how deep all threads are in syntax that they build; two of them can end in an error
    of the interpreter (SystemError) although nothing is wrong.
    """
    for _ in range(_TRIES):
        try:
            return work(given)
        except SystemError as error:
            if _DISTURBED not in str(error):
                raise
    return work(given)


def run_actions(
    sandbox: Sandbox,
    program: Program,
    actions: Sequence[Action | Repeated],
    limits: JobLimits = PROGRAM_LIMITS,
    stop: Callable[[int, Reply], bool] | None = None,
    known: dict[str, Reply] | None = None,
) -> list[Reply]:
    """Run actions in order in one process, restarting it where it is lost; end early where ``stop`` says so.

    Calls whose replies are ``known`` are not made again, and those that are made become so.
    """
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
                lost, stopped = _run_until_lost(Seats(sandbox, candidate, clerk, known), actions, replies, stop)
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
    seats: Seats,
    actions: Sequence[Action | Repeated],
    replies: list[Reply],
    stop: Callable[[int, Reply], bool] | None,
) -> tuple[bool, bool]:
    for index in range(len(replies), len(actions)):
        reply = trusted(run_action(actions[index], seats))
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


@dataclass(frozen=True, slots=True)
class Seats:
    """Who takes part in an action: the program's process, and beside it, where one is needed, a clerk."""

    sandbox: Sandbox
    candidate: Candidate
    clerk: Clerk | None = None
    known: dict[str, Reply] | None = None
    """What calls gave before, by their text, where the same call need not be made again."""


def run_action(action: Action | Repeated, seats: Seats) -> Reply:
    """Execute one action; generators are drained into a list. What any step was denied is in the reply.

    Raises ValueError where the action needs a clerk and there is none.
    """
    candidate = seats.candidate
    candidate.denied.clear()
    if isinstance(action, ReadCall):
        reply = judged_replies([action], [_call(action.call, seats)], seats.sandbox)[0]
    else:
        reply = _run(action, seats)
    return reply if isinstance(reply, Lost) or not candidate.denied else replace(reply, denied=tuple(candidate.denied))


def _call(call: DirectCall, seats: Seats) -> Reply:
    candidate = seats.candidate
    text = pasteable(call) if seats.known is not None else ""
    if seats.known is not None and text in seats.known:
        reply = seats.known[text]
        candidate.denied.update(dict.fromkeys(() if isinstance(reply, Lost) else reply.denied))
        return reply
    reply = candidate.call(call.target, call.args, dict(call.kwargs))
    if isinstance(reply, Lost) and reply.reason is LostReason.ARGUMENTS and not call.is_plain:
        # What an argument raises while it is made is what the whole expression raises.
        reply = candidate.statements("", pasteable(call), anew=True)
        reply = replace(reply, bases=(*reply.bases, ARGUMENT_FAILED)) if isinstance(reply, Raised) else reply
    reply = drain(candidate, reply)
    if seats.known is not None and not is_gone(reply):
        seats.known[text] = reply if isinstance(reply, Lost) else replace(reply, denied=tuple(candidate.denied))
    return reply


def _run(action: PlainAction | Repeated, seats: Seats) -> Reply:
    candidate, clerk = seats.candidate, seats.clerk
    if isinstance(action, Repeated):
        return candidate.repeat(action.times, [_repeatable(each) for each in action.actions])
    if isinstance(action, DirectCall):
        return _call(action, seats)
    if isinstance(action, Statements):
        if action.setup:
            before = candidate.statements("\n".join(action.setup), "None", anew=True)
            if not isinstance(before, Returned):
                return _failed_before(before)
        return _last_step(action, candidate)
    if clerk is None:
        raise ValueError("an expression around calls needs a clerk")
    if isinstance(action, JudgedCall):
        return _judge(action, seats, clerk)
    return clerk.evaluate(action.expression, action.names, answering(candidate))


def _last_step(action: Statements, candidate: Candidate) -> Reply:
    anew = not action.setup

    def evaluate(expression: str) -> Reply:
        return drain(candidate, candidate.statements("", expression, anew=anew))

    if (steps := executed_by(action.expression)) is not None:
        return candidate.statements(steps, "None", anew=anew)
    if action.asks is Asks.SIDES:
        return compared(action.expression, evaluate)
    if action.asks is Asks.OWN_TEXT:
        return without_addresses(evaluate(f"repr({action.expression})"))
    reply = evaluate(action.expression)
    if action.asks is Asks.TEXT and isinstance(reply, Returned):
        return replace(reply, value=value_text(reply.value))
    return reply


def _repeatable(action: Action) -> tuple[str, tuple[object, ...], dict[str, object]] | str:
    call = action.call if isinstance(action, JudgedCall | ReadCall) else action
    return (call.target, call.args, dict(call.kwargs)) if isinstance(call, DirectCall) else pasteable(action)


def _judge(action: JudgedCall, seats: Seats, clerk: Clerk) -> Reply:
    """Call the program, then have the clerk evaluate the condition; a call that gives no result is the reply itself."""
    reply = _call(action.call, seats)
    if not isinstance(reply, Returned):
        return reply
    named = dict(reply.keyword_arguments)
    values: dict[str, object] = {**dict(action.given), "result": reply.value}
    for name, place in action.after:
        values[name] = named.get(place) if isinstance(place, str) else reply.arguments[place]
    return condition_on(values, action.condition, action.functions, clerk, answering(seats.candidate))


def condition_on(
    values: Mapping[str, object], condition: str, functions: Sequence[str], clerk: Clerk, answer: Resolve
) -> Reply:
    """Have the clerk evaluate a condition on values; ``answer`` answers what it asks these functions of the program."""

    def resolve(target: str, args: tuple[object, ...], kwargs: dict[str, object]) -> Reply:
        return Returned(dict(values)) if target == GIVEN else answer(target, args, kwargs)

    return clerk.evaluate(f"({condition})(**{GIVEN}())", (GIVEN, *functions), resolve)


def _failed_before(reply: Raised | Lost) -> Reply:
    """Tell what the steps before an example raise in a form that no document can name as raised by the example."""
    if isinstance(reply, Lost):
        return reply
    kind, text = reply.type_name, f"a step before the example raises {reply.type_name}: {reply.text}"
    return Raised(f"{STEP_BEFORE_FAILED}({kind})", (STEP_BEFORE_FAILED,), text)


def drain(candidate: Candidate, reply: Reply) -> Reply:
    """Replace a generator that came back by the list of what it yields, up to a limit."""
    if not isinstance(reply, Returned) or not isinstance(reply.value, Handle):
        return reply
    if reply.value.type_name not in _GENERATORS:
        return reply
    drained = candidate.next(reply.value, DRAIN_LIMIT)
    if isinstance(drained, Returned) and isinstance(drained.value, tuple):
        if drained.value[1] is not True:
            return Lost(LostReason.OUTPUT, f"it yields more than {DRAIN_LIMIT} items")
        output = reply.output + drained.output
        return replace(reply, value=drained.value[0], output=output, is_drained=True)
    return drained


def is_gone(reply: Reply) -> bool:
    """True when the process that replied cannot be asked again."""
    return isinstance(reply, Lost) and reply.reason is not LostReason.ARGUMENTS


def without_addresses(reply: Reply) -> Reply:
    """Return the reply to a question for the ``repr`` of an object, without what is never the same twice.

    No text that the program itself returns comes here.
    """
    if isinstance(reply, Returned) and isinstance(reply.value, str):
        return replace(reply, value=_ADDRESS.sub("at 0x...", reply.value))
    return reply
