"""What a program answers otherwise than its earlier version, and whether that refutes it or is a question.

Where nothing may change, the earlier answers to inputs of a documented shape (examples, hints, calls in the project,
requirements) become checks like documented examples. Every other difference is a question to a person: the change may
be meant. Refuses to count agreement for the program where it was not asked to stay the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from probatum.programs.inputs.generate import CallSource, calls_at_constants
from probatum.programs.judging.claims import read_stated
from probatum.programs.record import ChangeQuestion, CheckState
from probatum.programs.running.behaviours import (
    Difference,
    confirmed,
    is_same,
    retargeted,
    size,
    smallest_difference,
    steady_answers,
    told,
)
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, pasteable, plan_checks
from probatum.programs.running.compare import compare
from probatum.programs.running.differential import differential_checks
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches
from probatum.programs.running.generated import Legality, calls_like, generated_actions
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.probed import call_sites, probed_source
from probatum.programs.running.question import FunctionQuestion
from probatum.sandbox import Reply

MOST_QUESTIONS = 3
"""How many differences are shown."""
MOST_TRIED = 10
"""How many differences are run again in fresh processes at most, to be shown."""


@dataclass(frozen=True, slots=True)
class VersionsCompared:
    """What a comparison with an earlier version came to."""

    inputs: int = 0
    """How many inputs both versions gave a steady answer to."""
    checks: tuple[PlannedCheck, ...] = ()
    questions: tuple[ChangeQuestion, ...] = ()
    narrowed: tuple[str, ...] = ()
    """Calls that the earlier version took and this one does not, by their signatures."""


def source_for(questions: Sequence[FunctionQuestion], benches: Benches) -> tuple[FunctionQuestion, CallSource | None]:
    """Return what calls of several versions are drawn from, and the version that tells it.

    The first of them whose examples, hints or calls in the project tell how arguments look; else the last that answers
    to types that are probed.
    """
    for each in questions:
        shown = plan_checks(each.function, each.module)
        if (source := calls_like(each, shown, ()) or calls_like(each, shown, call_sites(each))) is not None:
            return each, source
    for each in reversed(questions):
        if (source := probed_source(each, benches)) is not None:
            return each, source
    return questions[0], None


def inputs_for(
    questions: Sequence[FunctionQuestion], asked: FunctionQuestion, source: CallSource | None, legal: Legality
) -> tuple[Action, ...]:
    """Return inputs for several versions, as calls of the first: documented ones, calls in the project, drawn ones."""
    # Other inputs than those that strength is measured with.
    policy = replace(asked.policy, seed=asked.policy.seed + 1)
    shown = plan_checks(asked.function, asked.module)
    actions: list[Action] = [check.action for each in questions for check in plan_checks(each.function, each.module)]
    actions += legal([site for each in questions for site in call_sites(each)])
    actions += generated_actions(replace(asked, policy=policy), shown, (), legal, source)
    if source is not None and asked.function.kind == "function":
        bordering = calls_at_constants(source, count=policy.generated_inputs, seed=policy.seed)
        calls = [DirectCall(asked.function.qualname, each.args, each.kwargs) for each in bordering]
        actions += legal(calls)
    return tuple(
        {pasteable(action): action for action in (retargeted(each, questions[0]) for each in actions)}.values()
    )


def compare_with_earlier(question: FunctionQuestion, earlier: FunctionQuestion, benches: Benches) -> VersionsCompared:
    """Run a function and its earlier version on the same inputs."""
    planned = plan_checks(question.function, question.module)
    with Predicates(benches.first, question.program) as predicates:
        stated = read_stated(question.function, question.module, planned, predicates)
        asked, source = source_for((question, earlier), benches)
        actions = inputs_for((question, earlier), asked, source, stated.legal)
        is_probed = source is not None and source.is_probed
        then = steady_answers(earlier, actions, benches, is_probed=is_probed)
        now = steady_answers(question, actions, benches)
        compared = [action for action in actions if pasteable(action) in then and pasteable(action) in now]
        named = named_exceptions(question.function) | named_exceptions(earlier.function)

        def are_same(replies: Sequence[Reply]) -> bool:
            return all(is_same(replies[0], other, named) for other in replies[1:])

        due = _as_documented(planned, now)
        answers = ((action, (then[text], now[text])) for action in compared if (text := pasteable(action)) not in due)
        differing = sorted(
            (Difference(*each) for each in answers if not are_same(each[1])), key=lambda each: size(each.action)
        )
        both = (earlier, question)
        found: list[Difference] = []
        for each in differing[:MOST_TRIED]:
            smaller = None if found else smallest_difference(both, each.action, source, are_same, benches, stated.legal)
            shown = confirmed(both, each, are_same, benches, smaller)
            found += [] if shown is None else [shown]
            if len(found) == MOST_QUESTIONS:
                break
    checks: tuple[PlannedCheck, ...] = ()
    if question.policy.refactor and not is_probed:
        documented = {pasteable(check.action) for check in planned}
        before = {pasteable(each.action): (each.action, each.answers[0]) for each in found}
        before |= {
            pasteable(action): (action, then[pasteable(action)]) for action in actions if pasteable(action) in then
        }
        checks = differential_checks(
            question.function, (each for text, each in before.items() if text not in documented)
        )
    checked = {pasteable(check.action) for check in checks}
    questions = (_question(each) for each in found if pasteable(each.action) not in checked)
    return VersionsCompared(len(compared), checks, tuple(questions))


def _as_documented(planned: Sequence[PlannedCheck], answers: dict[str, Reply]) -> frozenset[str]:
    """Return the documented inputs that are answered as the document has it: that change was meant."""
    asked = ((pasteable(check.action), check.example.expectation) for check in planned)
    return frozenset(
        text for text, due in asked if text in answers and compare(due, answers[text]).state is CheckState.HOLDS
    )


def _question(found: Difference) -> ChangeQuestion:
    then, now = found.answers
    return ChangeQuestion(pasteable(found.action), told(then, [now]), told(now, [then]))
