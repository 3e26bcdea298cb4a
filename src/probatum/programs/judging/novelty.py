"""Generated sessions that say no more than a documented one does.

A program that looks its documented steps up gives the right answer whenever a session reaches such a step with the
documented outcome. Such a session is left out, unless the step has another outcome elsewhere: no table of steps could
tell that. So is one that gives a documented answer and shares a literal with the document: a table could serve it; and
one that passes through such a step, where no step binds a name for the next.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from probatum.programs.judging.strength import is_natural_limit
from probatum.programs.parsing.literals import executing
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.record import CheckState
from probatum.programs.running.checks import STEP_BEFORE_FAILED, Action, PlannedCheck, Statements, pasteable
from probatum.programs.running.compare import compare
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions, side_by_side
from probatum.programs.running.generated import Generated
from probatum.programs.running.variants import only_acts
from probatum.programs.source import module_or_none, normal
from probatum.programs.specification import Expectation, RaisesError, ValueIs
from probatum.sandbox import Program, Raised, Reply, Returned

_NUMBER = re.compile(r"[0-9]{1,18}")


def without_repetitions(
    generated: Generated, planned: Sequence[PlannedCheck], program: Program, benches: Benches
) -> Generated:
    """Return the generated inputs without the sessions that a table of documented answers could serve."""
    shown: dict[str, list[Expectation]] = {}
    for check in planned:
        shown.setdefault(normal(_last(check.action)), []).append(check.example.expectation)
    sessions = [index for index, action in enumerate(generated.actions) if isinstance(action, Statements)]
    deciding = side_by_side(benches.first, lambda index: _deciding(generated, index, program, benches), sessions)
    told: dict[int, tuple[str, bool]] = {}
    for index, (step, answer) in zip(sessions, deciding, strict=True):
        told[index] = step, any(compare(each, answer).state is CheckState.HOLDS for each in shown.get(step, ()))
    depending = {step for step, is_shown in told.values() if not is_shown}
    repeated = {index for index, (step, _) in told.items() if step not in depending and _writes_a_value(step)}
    repeated |= {index for index in sessions if _passes(generated.actions[index], shown.keys() - depending)}
    answered = {atom for check in planned for atom in _atoms(_shown_by(check.example.expectation))}
    written = {literal for check in planned for literal in telling(check.action)}
    repeated |= {
        index
        for index, (_, answer) in zip(sessions, deciding, strict=True)
        if any(atoms and atoms <= answered for atoms in map(_atoms, _given_by(answer)))
        and not written.isdisjoint(telling(generated.actions[index]))
    }
    kept = [index for index in range(len(generated.actions)) if index not in repeated]
    return replace(
        generated,
        actions=tuple(generated.actions[index] for index in kept),
        replies=tuple(generated.replies[index] for index in kept),
    )


def _passes(action: Action, steps: Collection[str]) -> bool:
    """Tell whether a session of steps that bind no name passes through one of these."""
    setup = action.setup if isinstance(action, Statements) else ()
    return all(map(only_acts, setup)) and any(_writes_a_value(step) and normal(step) in steps for step in setup)


def telling(action: Action) -> frozenset[object]:
    """Return the literals of an action and the numbers in its texts, natural limits aside."""
    nodes = ast.walk(module_or_none(pasteable(action)) or ast.Module([], []))
    literals = [node.value for node in nodes if isinstance(node, ast.Constant)]
    numbers = [int(part) for each in literals if isinstance(each, str) for part in _NUMBER.findall(each)]
    return frozenset(each for each in (*literals, *numbers) if not is_natural_limit(each))


def _shown_by(expectation: Expectation) -> object:
    if isinstance(expectation, ValueIs):
        return expectation.value
    return [] if isinstance(expectation, RaisesError) else expectation.text.splitlines()


def _given_by(answer: Reply) -> tuple[object, ...]:
    # What is written as a tuple is mostly several answers.
    if not isinstance(answer, Returned):
        return ()
    return (*(answer.value if isinstance(answer.value, tuple) else (answer.value,)), *answer.output.splitlines())


def _atoms(value: object) -> frozenset[str]:
    """Return what an answer is made of, as far as it tells anything."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple | set | frozenset):
        return frozenset().union(*map(_atoms, value))
    return frozenset() if is_natural_limit(value) else frozenset({value_text(value)})


def _writes_a_value(step: str) -> bool:
    tree = module_or_none(step)
    return tree is not None and any(isinstance(node, ast.Constant) for node in ast.walk(tree))


def _deciding(generated: Generated, index: int, program: Program, benches: Benches) -> tuple[str, Reply]:
    # A session ends at its last step, or at one that fails.
    action, reply = generated.actions[index], generated.replies[index]
    assert isinstance(action, Statements)
    if not isinstance(reply, Raised) or STEP_BEFORE_FAILED not in reply.bases:
        return normal(action.expression), reply
    steps = [Statements(action.setup[:index], _value_of(step)) for index, step in enumerate(action.setup)]
    replies = run_actions(
        benches.first, program, steps, MUTANT_LIMITS, stop=lambda _, answer: isinstance(answer, Raised)
    )
    return normal(steps[len(replies) - 1].expression), replies[-1]


def _last(action: Action) -> str:
    return action.expression if isinstance(action, Statements) else pasteable(action)


def _value_of(step: str) -> str:
    tree = module_or_none(step)
    body = tree.body if tree is not None else []
    if len(body) == 1 and isinstance(body[0], ast.Assign | ast.AnnAssign | ast.Expr) and body[0].value is not None:
        return ast.unparse(body[0].value)
    return executing(step)
