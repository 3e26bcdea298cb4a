"""What calls of a function look like where no example and no hint tells: literal calls of it, and types it answers.

Whatever is found by probing shows what the program does with such values, never that it is meant for them: nothing is
held against a program because of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from probatum.programs.faults.work_limit import with_work_limit
from probatum.programs.inputs.generate import Call, CallSource, any_of, argument_strategy
from probatum.programs.inputs.probing import candidate_calls
from probatum.programs.running.checks import DirectCall, call_of, pasteable
from probatum.programs.running.execute import MUTANT_LIMITS, Benches, run_actions
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.screening import WORK_PER_INPUT, used_up
from probatum.programs.source import module_or_none
from probatum.sandbox import Raised, Reply, Returned

MOST_FAMILIES = 6
"""How many combinations of types are kept, the likeliest first."""
_MOST_SITES = 50
_NOT_FOR_IT = frozenset({"TypeError", "AttributeError"})


def call_sites(question: FunctionQuestion) -> tuple[DirectCall, ...]:
    """Return the calls of a function with plain values that its project's modules and the given tests write."""
    qualname, module = question.function.qualname, question.program.module_name
    if question.function.kind != "function":
        return ()
    others = [module_or_none(content) for _, content in question.program.siblings]
    others += [module_or_none(question.tests)] if question.tests is not None else []
    spelled = {qualname, *(f"{each}.{qualname}" for each in (module, module.rpartition(".")[2], "artifact") if each)}
    found: dict[str, DirectCall] = {}
    for tree in (question.source.tree, *(each for each in others if each is not None)):
        for call in _written(tree, spelled):
            made = DirectCall(qualname, call.args, call.kwargs)
            if made.is_plain and len(found) < _MOST_SITES:
                found.setdefault(pasteable(made), made)
    return tuple(found.values())


def _written(tree: ast.Module, spelled: set[str]) -> Iterator[DirectCall]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and (call := call_of(node, spelled)) is not None:
            yield call


def probed_source(question: FunctionQuestion, benches: Benches) -> CallSource | None:
    """Return a source of calls of the types to which the program answers, None where it answers none of them."""
    function, tree = question.function, question.source.tree
    if function.kind != "function":
        return None
    groups = candidate_calls(function, tree)
    counted = replace(
        question.program, source=with_work_limit(question.source, WORK_PER_INPUT, fresh_for=function.qualname)
    )
    asked = [DirectCall(function.qualname, group[0].args, group[0].kwargs) for group in groups]
    replies = run_actions(benches.first, counted, asked, MUTANT_LIMITS)
    kept = _answered(groups, replies, Returned) or _answered(groups, replies, Raised)
    families = (_family(question, group) for group in kept[:MOST_FAMILIES])
    return any_of([family for family in families if family is not None])


def _answered(
    groups: Sequence[tuple[Call, ...]], replies: Sequence[Reply], kind: type[Returned | Raised]
) -> list[tuple[Call, ...]]:
    asked = zip(groups, replies, strict=True)
    return [
        group for group, reply in asked if isinstance(reply, kind) and not is_about_types(reply) and not used_up(reply)
    ]


def is_about_types(reply: Reply) -> bool:
    """True of an error that a value of another type than the program is meant for leads to."""
    return isinstance(reply, Raised) and not _NOT_FOR_IT.isdisjoint(reply.bases)


def _family(question: FunctionQuestion, group: Sequence[Call]) -> CallSource | None:
    examples = [(call.args, dict(call.kwargs)) for call in group]
    return argument_strategy(question.function, examples, question.source.tree)
