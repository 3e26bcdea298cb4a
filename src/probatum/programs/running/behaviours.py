"""Whether two versions of a function behave alike on an input, and the smallest input on which they do not.

Compared are steady answers alone: the value, what is printed, what is left of the arguments, and whether it raises at
all. Of two exceptions the kind counts only where the documentation names one of them. Refuses to call a lost process,
a result that changes, or work beyond its count a difference.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace

from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.inputs.generate import CallSource
from probatum.programs.running.checks import Action, DirectCall, pasteable
from probatum.programs.running.compare import Agreement, agree, describe, show
from probatum.programs.running.execute import (
    MUTANT_LIMITS,
    Benches,
    LoadFailure,
    Seats,
    is_gone,
    loaded,
    outcome_key,
    run_action,
    run_alone,
)
from probatum.programs.running.generated import Legality, steadily_answered
from probatum.programs.running.probed import is_about_types
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.screening import WORK_PER_INPUT, used_up
from probatum.programs.running.shrinking import smallest_failing
from probatum.programs.running.worlds import reads_of
from probatum.sandbox import Lost, LostReason, Raised, Reply, Returned, refused

SMALL = 40
"""Of how many characters a call is small enough: looking for a smaller one costs more than all the rest."""
_NO_ANSWER = Lost(LostReason.ENDED, "it was not asked")


@dataclass(frozen=True, slots=True)
class Difference:
    """One input with the answers of several versions, in their order."""

    action: Action
    answers: tuple[Reply, ...]


def steady_answers(
    question: FunctionQuestion, actions: Sequence[Action], benches: Benches, *, is_probed: bool = False
) -> dict[str, Reply]:
    """Return the answers of one version that stay the same under both hash seeds, by the input as it is pasted.

    Where the inputs ``is_probed``, an error about their type is no answer: they are not meant for it.
    """
    found = steadily_answered(question, actions, benches)
    reads = reads_of(question.source)
    if found.changing and (reads.randomness or reads.clock):
        # Two of its answers may agree by chance.
        return {}
    answered = zip(found.actions, found.replies, strict=True)
    return {
        pasteable(action): reply
        for action, reply in answered
        if _can_compare(reply) and not (is_probed and is_about_types(reply))
    }


def _can_compare(reply: Reply) -> bool:
    return not isinstance(reply, Lost) and not refused(reply.denied) and not used_up(reply)


def is_same(first: Reply, other: Reply, named: Collection[str]) -> bool:
    """Whether two answers are the same behaviour; ``named`` are the exceptions that the documentation speaks of."""
    if isinstance(first, Returned) and isinstance(other, Returned):
        return first.output == other.output and _agree(_left(first), _left(other)) and _agree(first.value, other.value)
    if isinstance(first, Raised) and isinstance(other, Raised):
        kinds = {each.type_name.rpartition(".")[2] for each in (first, other)}
        return len(kinds) == 1 or kinds.isdisjoint(named)
    return False


def _left(reply: Returned) -> object:
    return [list(reply.arguments), dict(reply.keyword_arguments)]


def _agree(first: object, other: object) -> bool:
    # Neither of two answers was documented: what is close to one of them is the same.
    found = {agree(first, other), agree(other, first)}
    return Agreement.EQUAL in found or Agreement.UNKNOWN in found


def told(reply: Reply, others: Sequence[Reply]) -> str:
    """Say what an answer is, with what is printed and left of the arguments where that alone tells it from others."""
    if not isinstance(reply, Returned):
        return describe(reply)
    same = [each for each in others if isinstance(each, Returned) and _agree(reply.value, each.value)]
    parts = [describe(reply)]
    if any(each.output != reply.output for each in same):
        parts.append(f"prints {describe(Returned(reply.output))}")
    if any(not _agree(_left(reply), _left(each)) for each in same):
        shown = [show(value) for value in (*reply.arguments, *(value for _, value in reply.keyword_arguments))]
        parts.append(f"leaves its arguments as {', '.join(shown)}")
    return ", ".join(parts)


def size(action: Action) -> tuple[int, str]:
    """Return what orders inputs, the smallest first."""
    text = pasteable(action)
    return len(text), text


def smallest_difference(
    questions: Sequence[FunctionQuestion],
    differing: Action,
    source: CallSource | None,
    are_same: Callable[[Sequence[Reply]], bool],
    benches: Benches,
    legal: Legality,
) -> Action:
    """Return the smallest call that is found on which the answers of several versions differ, in one process each."""
    if not isinstance(differing, DirectCall) or source is None or size(differing)[0] <= SMALL:
        return differing
    with ExitStack() as processes:
        askers = [processes.enter_context(_asking(question, benches)) for question in questions]

        def differ(call: DirectCall) -> bool:
            replies = [ask(retargeted(call, each)) for ask, each in zip(askers, questions, strict=True)]
            if source.is_probed and any(map(is_about_types, replies)):
                return False
            return all(map(_can_compare, replies)) and not are_same(replies) and bool(legal([call]))

        found = smallest_failing(source, differing, differ, seed=questions[0].policy.seed)
    return min(found, differing, key=size)


@contextmanager
def _asking(question: FunctionQuestion, benches: Benches) -> Iterator[Callable[[Action], Reply]]:
    """Lend what asks one process for one call after the other, each with its counted work; none once it is gone."""
    limited = with_work_limit(question.source, WORK_PER_INPUT, fresh_for=question.function.qualname)
    with loaded(benches.first, replace(question.program, source=limited), MUTANT_LIMITS) as candidate:
        seats = None if isinstance(candidate, LoadFailure) else Seats(benches.first, candidate)
        lost = False

        def ask(call: Action) -> Reply:
            nonlocal lost
            if lost or seats is None:
                return _NO_ANSWER
            reply = run_action(call, seats)
            lost = is_gone(reply)
            return reply

        yield ask


def confirmed(
    questions: Sequence[FunctionQuestion],
    differing: Difference,
    are_same: Callable[[Sequence[Reply]], bool],
    benches: Benches,
    smaller: Action | None = None,
) -> Difference | None:
    """Return a difference, on a ``smaller`` input if it shows there, as fresh processes repeat it; None for no such."""
    for action in (smaller or differing.action, differing.action):
        answers = [_alone(question, action, benches) for question in questions]
        steady = [each for each in answers if each is not None]
        if len(steady) == len(answers) and not are_same(steady):
            return Difference(action, tuple(steady))
    return None


def _alone(question: FunctionQuestion, action: Action, benches: Benches) -> Reply | None:
    first, second = run_alone(benches, question.program, retargeted(action, question), MUTANT_LIMITS)
    is_steady = _can_compare(first) and _can_compare(second) and outcome_key(first) == outcome_key(second)
    return first if is_steady else None


def retargeted(action: Action, question: FunctionQuestion) -> Action:
    """Return a call as one of this question's function; what is no plain call stays as it is."""
    return replace(action, target=question.function.qualname) if isinstance(action, DirectCall) else action
