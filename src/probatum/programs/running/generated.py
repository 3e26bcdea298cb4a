"""Generated inputs of one function with the program's own answers to them.

They are near and beyond the documented ones, within what the specification requires of calls. Inputs that cost more
than the counted work allows are left out, not waited for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from probatum.programs.inputs.generate import Call, CallSource, argument_strategy, input_pool
from probatum.programs.running.binding import misfit
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, pasteable
from probatum.programs.running.execute import Benches, outcome_key, run_twice
from probatum.programs.running.probed import call_sites, probed_source
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.reading_sessions import session_steps
from probatum.programs.running.screening import WORK_PER_INPUT, affordable
from probatum.programs.running.shown_calls import ShownCalls, framed_calls, shown_calls
from probatum.programs.running.tested_sessions import sessions_of_tests
from probatum.programs.running.variants import session_variants
from probatum.sandbox import Lost, Reply, refused

Legality = Callable[[Sequence[DirectCall]], Sequence[DirectCall]]
OVERDRAWN = 4
"""How many times as many inputs are drawn where the specification restricts them."""
UNLIKE_CALLS = 200
_MOST_PARTS = 1000
_NAME = re.compile(r"\w+")
_SETS = frozenset({"AbstractSet", "FrozenSet", "MutableSet", "Set", "frozenset", "set"})
_EDGES: tuple[object, ...] = (-1, 0, 1, 1000, -2.5, 1.5, "", "a", " ", [], [0], (), {}, None, True)


@dataclass(frozen=True, slots=True)
class Generated:
    """Generated inputs with the program's own answers to them."""

    actions: tuple[Action, ...] = ()
    replies: tuple[Reply, ...] = ()
    changing: tuple[Action, ...] = ()
    calls: CallSource | None = None

    @property
    def is_probed(self) -> bool:
        """Whether nothing documents the types of these inputs, see `CallSource.is_probed`."""
        return self.calls is not None and self.calls.is_probed

    @property
    def keys(self) -> tuple[bytes, ...]:
        """What tells each reply from another behaviour."""
        return tuple(map(outcome_key, self.replies))


def anything(calls: Sequence[DirectCall]) -> Sequence[DirectCall]:
    """Return all calls: nothing restricts the inputs."""
    return calls


def generate(
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    seen: Sequence[DirectCall],
    benches: Benches,
    legal: Legality = anything,
    further: Sequence[Action] = (),
) -> Generated:
    """Generate inputs and run the program on them under both hash seeds; ``further`` ones count among them."""
    source = source_of_calls(question, planned, seen, benches)
    drawn = generated_actions(question, planned, seen, legal, source)[
        : max(0, question.policy.generated_inputs - len(further))
    ]
    again = {pasteable(each) for each in further if isinstance(each, DirectCall)}
    drawn = tuple(each for each in drawn if pasteable(each) not in again) if again else drawn
    drawn += tuple(further[: question.policy.generated_inputs])
    drawn += _further_sessions(question, planned)
    return replace(steadily_answered(question, drawn, benches), calls=source)


def steadily_answered(question: FunctionQuestion, drawn: Sequence[Action], benches: Benches) -> Generated:
    """Run the program on inputs under both hash seeds; return those that it answers alike, and those that change."""
    light = affordable(question, drawn, WORK_PER_INPUT, benches)
    actions = [action for index, action in enumerate(drawn) if index in light]
    pairs = run_twice(benches, question.program, actions, backwards=True)
    kept: list[tuple[Action, Reply]] = []
    changing: list[Action] = []
    for action, pair in zip(actions, pairs, strict=True):
        # What asks for the network or for anything else that is not here tells nothing.
        if any(isinstance(each, Lost) or refused(each.denied) for each in (pair.first, pair.second)):
            continue
        if outcome_key(pair.first) != outcome_key(pair.second):
            changing += [] if _has_order_of_its_own(question, action) else [action]
        else:
            kept.append((action, pair.first))
    return Generated(
        tuple(action for action, _ in kept),
        tuple(reply for _, reply in kept),
        tuple(changing),
    )


def _has_order_of_its_own(question: FunctionQuestion, action: Action) -> bool:
    """True for a call with a set that nothing declares: what comes in its order says nothing of the program."""
    declared = {name for each in question.function.parameters for name in _NAME.findall(each.annotation or "")}
    if not isinstance(action, DirectCall) or declared & _SETS:
        return False
    waiting: list[object] = [*action.args, *(value for _, value in action.kwargs)]
    for value in waiting:
        if isinstance(value, set | frozenset):
            return True
        if len(waiting) < _MOST_PARTS:
            waiting += value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return False


def source_of_calls(
    question: FunctionQuestion, planned: Sequence[PlannedCheck], seen: Sequence[DirectCall], benches: Benches
) -> CallSource | None:
    """Return what calls are drawn from: like those that are shown or hinted, else called somewhere, else probed."""
    found = calls_like(question, planned, seen) or calls_like(question, planned, call_sites(question))
    return found or probed_source(question, benches)


def calls_like(
    question: FunctionQuestion, planned: Sequence[PlannedCheck], seen: Sequence[DirectCall]
) -> CallSource | None:
    """Return what tells from examples and hints how arguments look, None where nothing does."""
    further = [call for call in seen if call.target == question.function.qualname]
    examples = [(call.args, dict(call.kwargs)) for call in (*_shown(question, planned).calls, *further)]
    return argument_strategy(question.function, examples, question.source.tree)


def _shown(question: FunctionQuestion, planned: Sequence[PlannedCheck]) -> ShownCalls:
    return shown_calls(question.function.qualname, planned, question.module.defined)


def generated_actions(
    question: FunctionQuestion,
    planned: Sequence[PlannedCheck],
    seen: Sequence[DirectCall],
    legal: Legality,
    source: CallSource | None,
) -> tuple[Action, ...]:
    """Return as many inputs as the policy asks for, fewer where there are no more; none is a documented one."""
    policy = question.policy
    shown = _shown(question, planned)
    documented = {pasteable(action) for action in (*(check.action for check in planned), *seen)}
    actions: list[Action] = []
    tested = _tested(question)
    if source is not None:
        share = _share_of_calls(question, shown, len(planned) + len(tested))
        calls = _legal_calls(question, source, share, legal)
        is_shown_by_use = shown.used_as_objects or question.function.kind == "class"
        framed = framed_calls(planned, (*shown.calls, *calls)) if is_shown_by_use else ()
        actions += [action for action in framed if pasteable(action) not in documented] or calls
    actions += _member_calls(question, planned)
    missing = policy.generated_inputs - len(actions)
    sessions = [*(check.action for check in planned), *tested]
    actions += session_variants(sessions, count=missing, seed=policy.seed)
    return tuple(action for action in actions if pasteable(action) not in documented)


def _further_sessions(question: FunctionQuestion, planned: Sequence[PlannedCheck]) -> tuple[Action, ...]:
    """Return sessions with an object in other states, and ones like those of readers, beside the others."""
    if question.function.kind != "class":
        return ()
    policy, sessions = question.policy, [check.action for check in planned]
    return (
        *session_variants(sessions, count=policy.generated_inputs // 4, seed=policy.seed, is_shorter=True),
        *session_variants(session_steps(question), count=policy.generated_inputs // 2, seed=policy.seed),
    )


def _tested(question: FunctionQuestion) -> tuple[Action, ...]:
    if question.function.kind != "class":
        return ()
    module, name = question.module, question.program.module_name
    return () if question.tests is None else sessions_of_tests(question.tests, module.defined, name)


def _share_of_calls(question: FunctionQuestion, shown: ShownCalls, examples: int) -> int:
    # The other inputs are neighbours of sessions, which show what no call alone does.
    count = question.policy.generated_inputs
    if question.function.kind == "class":
        return count // 4 if examples else count
    if shown.used_as_objects:
        return count // 2
    return count if shown.stand_alone == examples else count // 2


def _member_calls(question: FunctionQuestion, planned: Sequence[PlannedCheck]) -> list[DirectCall]:
    targets = {check.action.target: None for check in planned if isinstance(check.action, DirectCall)}
    members = [
        spec
        for spec in question.module.functions
        if spec.qualname in targets and spec.qualname != question.function.qualname
    ]
    if question.function.kind != "class":
        return []
    found: list[DirectCall] = []
    for member in members:
        shown = shown_calls(member.qualname, planned, question.module.defined)
        examples = [(call.args, dict(call.kwargs)) for call in shown.calls]
        source = argument_strategy(member, examples, question.source.tree)
        count = question.policy.generated_inputs // (2 * len(members))
        if source is not None:
            pool = input_pool(source, count=count, seed=question.policy.seed)
            found += [DirectCall(member.qualname, call.args, call.kwargs) for call in pool]
    return found


def _legal_calls(question: FunctionQuestion, source: CallSource, count: int, legal: Legality) -> list[DirectCall]:
    seed = question.policy.seed
    drawn = [_direct(question, call) for call in input_pool(source, count=count, seed=seed)]
    kept = list(legal(drawn))
    if len(kept) == len(drawn) or not count:
        return kept
    known = {pasteable(call) for call in drawn}
    more = [_direct(question, call) for call in input_pool(source, count=OVERDRAWN * count, seed=seed + 1)]
    further = [call for call in more if pasteable(call) not in known]
    for start in range(0, len(further), count):
        if len(kept) < count:
            kept += legal(further[start : start + count])
    return kept[:count]


def _direct(question: FunctionQuestion, call: Call) -> DirectCall:
    return DirectCall(question.function.qualname, call.args, call.kwargs)


def unlike_calls(question: FunctionQuestion, source: CallSource | None) -> tuple[DirectCall, ...]:
    """Return calls of which many are unusual, to meet the conditions of documented exceptions.

    None of them contradicts an annotation: what such a call does, nothing says.
    """
    if source is None:
        return ()
    drawn = input_pool(source, count=UNLIKE_CALLS, seed=question.policy.seed + 2)
    calls = [_direct(question, call) for call in drawn]
    for call in calls[:: max(1, len(calls) // 5)]:
        for place in range(len(call.args)):
            calls += [
                DirectCall(call.target, (*call.args[:place], edge, *call.args[place + 1 :]), call.kwargs)
                for edge in _EDGES
            ]
    kept = (call for call in calls if not misfit(question.function.taken, call))
    return tuple({pasteable(call): call for call in kept}.values())
