"""Which failing examples are not the program's doing: none of what fails in them uses anything that it defines.

The steps before an example may open a file, read a variable or rely on another platform. Refuses to excuse a step or an
example that uses the program, directly or through what an earlier step made with it.
"""

from __future__ import annotations

from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.parsing.expressions import names_in
from probatum.programs.parsing.literals import executed_by
from probatum.programs.parsing.signatures import defined_names
from probatum.programs.parsing.surface import IMPORTS
from probatum.programs.running.checks import STEP_BEFORE_FAILED, DirectCall, PlannedCheck, Statements
from probatum.programs.running.execute import Benches, run_actions
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import module_or_none
from probatum.sandbox import Raised, Reply, Returned, SourceArgument


def excuse(question: FunctionQuestion, check: PlannedCheck, reply: Reply, benches: Benches) -> str:
    """Return why a failing example is not held against the program, an empty text where it is."""
    action = check.action
    own = frozenset(defined_names([each for each in question.source.tree.body if not isinstance(each, IMPORTS)]))
    if isinstance(action, DirectCall):
        return _failing_argument(action, own, question, benches)
    if not isinstance(action, Statements):
        return ""
    if isinstance(reply, Raised) and STEP_BEFORE_FAILED in reply.bases:
        ran = action.setup[: _failing(action.setup, question, benches) + 1]
        if not _reaches(ran, own):
            return f"the step before it fails without the program: {ran[-1]}"
    elif not any(_names(step) & own for step in (*action.setup, action.expression)):
        return "it uses nothing that the program defines"
    return ""


def _reaches(steps: tuple[str, ...], own: frozenset[str]) -> bool:
    """Return whether the last step uses the program, or what an earlier one that does has made or met."""
    met, uses = set(own), False
    common = set(BUILTIN_NAMES)
    for step in steps:
        tree = module_or_none(step)
        common.update(defined_names([] if tree is None else [each for each in tree.body if isinstance(each, IMPORTS)]))
        names = _names(step)
        uses = bool(names & met)
        # What is everybody's is not made by who uses it.
        met |= names - common if uses else set()
    return uses


def _failing_argument(call: DirectCall, own: frozenset[str], question: FunctionQuestion, benches: Benches) -> str:
    sources = [each for each in (*call.args, *dict(call.kwargs).values()) if isinstance(each, SourceArgument)]
    asked = [each.text for each in sources if not _names(each.text) & own]
    replies = run_actions(benches.first, question.program, [Statements((), text) for text in asked])
    failing = (text for text, reply in zip(asked, replies, strict=True) if isinstance(reply, Raised))
    return next((f"its argument fails without the program: {text}" for text in failing), "")


def _failing(setup: tuple[str, ...], question: FunctionQuestion, benches: Benches) -> int:
    for index in range(len(setup)):
        [reply] = run_actions(benches.first, question.program, [Statements(setup[: index + 1], "None")])
        if not isinstance(reply, Returned):
            return index
    return len(setup) - 1


def _names(text: str) -> set[str]:
    tree = module_or_none(executed_by(text) or text)
    return names_in(tree) if tree is not None else set()
