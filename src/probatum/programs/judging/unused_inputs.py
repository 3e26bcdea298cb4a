"""What a program does not look at: all of its input, or a parameter that its documentation speaks of.

No fault can be planted in what is not there, so that no check would notice it. Refuses to count a parameter that the
documentation never mentions, one whose entry readings call narrative ("kept for compatibility"), and those of decorated
functions, which others may read.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from probatum.programs.faults.targets import definitions_of
from probatum.programs.parsing.expressions import names_in
from probatum.programs.record import INPUT_IGNORED, CheckKind, CheckState, MutantRecord, MutantState
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, pasteable
from probatum.programs.running.compare import state_of
from probatum.programs.running.generated import Generated
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import changed_argument
from probatum.programs.source import module_or_none
from probatum.readings.coverage import covered, quotes_of
from probatum.readings.values import ReadingKind
from probatum.sandbox import Reply

_WORD = re.compile(r"\w+")
_OWN, _ALL_NAMES = frozenset({"self", "cls"}), frozenset({"locals", "vars", "eval", "exec", "super"})
_OPAQUE = b'"$object"'


def unused_inputs(
    question: FunctionQuestion, generated: Generated, planned: Sequence[PlannedCheck], *, tries_objects: bool = False
) -> tuple[MutantRecord, ...]:
    """Return what the program does not look at, as faults that no check notices: all of its input, or parameters.

    With ``tries_objects``, a reader's sessions try objects in other states than inputs are generated in.
    """
    if question.function.kind != "function" or not generated.actions:
        return ()
    line, told = question.function.span.line, pasteable(generated.actions[-1])
    found = ["what it is given"] if _ignores_input(generated, planned, tries_objects) else []
    found = found or [*_unread_parameters(question)]
    return tuple(
        MutantRecord(f"i{number}", INPUT_IGNORED, line, f"it ignores {what}", MutantState.SURVIVED, "", told)
        for number, what in enumerate(found, 1)
    )


def _unread_parameters(question: FunctionQuestion) -> tuple[str, ...]:
    """Return the parameters that the documentation speaks of and the function's text never reads."""
    function = question.function
    definition = definitions_of(question.source.tree).get(function.qualname)
    if not isinstance(definition, ast.FunctionDef | ast.AsyncFunctionDef) or definition.decorator_list:
        return ()
    read = {name for statement in definition.body for name in names_in(statement)}
    words = {name for each in function.words for name in (each.about, *_WORD.findall(each.text))}
    asked = words - _said_to_do_nothing(question) - read - _OWN
    return () if read & _ALL_NAMES else tuple(each.name for each in function.parameters if each.name in asked)


def _said_to_do_nothing(question: FunctionQuestion) -> set[str]:
    """Return the parameters that have an entry of which readings that count call every word narrative."""
    quotes = (
        quote
        for record in question.counted
        for each, quote in quotes_of(record, question.function.qualname)
        if each.kind is ReadingKind.NARRATIVE
    )
    left_over = covered(question.function.words, quotes).left_over
    is_narrative = {each.about: True for each in question.function.words}
    for each in question.function.words:
        is_narrative[each.about] &= left_over.get(each.id) == ()
    return {name for name, holds in is_narrative.items() if holds}


def _ignores_input(generated: Generated, checks: Sequence[PlannedCheck], tries_objects: bool) -> bool:
    """Tell whether calls that differ in literals alone all give one plain answer, which the documented ones share."""
    alike: dict[str, list[tuple[bytes, Reply]]] = {}
    for action, key, reply in zip(generated.actions, generated.keys, generated.replies, strict=True):
        if isinstance(action, DirectCall) and changed_argument(action, reply):
            return False
        if tries_objects and isinstance(action, DirectCall) and not action.is_plain:
            continue
        if _OPAQUE not in key:
            alike.setdefault(_without_literals(action), []).append((key, reply))
    several = {form: answers for form, answers in alike.items() if len(answers) > 1}
    if not several or any(len({key for key, _ in answers}) > 1 for answers in several.values()):
        return False
    examples = [check for check in checks if check.kind is CheckKind.EXAMPLE]
    shown = [(each, several.get(_without_literals(each.action), ())) for each in examples]
    return all(state_of(each, answers[0][1]) is CheckState.HOLDS for each, answers in shown if answers)


def _without_literals(action: Action) -> str:
    if isinstance(action, DirectCall):
        return action.target
    tree = module_or_none(pasteable(action)) or ast.Module([], [])
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant):
            node.value = "" if isinstance(node.value, str) else None  # A formatted string is made of texts.
    return ast.unparse(tree)
