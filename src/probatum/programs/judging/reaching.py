"""What only documented inputs reach or notice: is that a sign of looking them up, or are such inputs hard to come by?

Many more inputs near the documented ones are tried on every such branch and fault; some of them meet a checksum, a date
or a cube. Refuses to clear one that none of them meets.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from probatum.programs.inputs.generate import near_calls
from probatum.programs.judging.claims import read_stated
from probatum.programs.judging.novelty import telling
from probatum.programs.judging.strength import (
    Measure,
    Reach,
    Yardstick,
    differences,
    is_natural_limit,
    measure,
    reach_of,
    yardstick,
)
from probatum.programs.parsing.value_texts import value_text
from probatum.programs.record import CheckKind, FunctionRecord, MutantState
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, pasteable
from probatum.programs.running.execute import Benches
from probatum.programs.running.generated import Generated, steadily_answered
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.variants import session_variants
from probatum.programs.source import module_or_none

if TYPE_CHECKING:
    from probatum.programs.faults.planting import Mutant

NEAR_INPUTS = 1_000
MOST_PLACES = 8
"""More branches or faults that only documented inputs meet are not searched: nothing but a table has so many."""
_LOOKED_UP = (ast.Compare, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.MatchValue)
MOST_KEPT = 10
"""How many inputs that reach a branch join the others, from which strength is measured."""


def reached(
    question: FunctionQuestion, probes: Sequence[Mutant], rod: Yardstick, generated: Generated, benches: Benches
) -> tuple[Reach, Yardstick]:
    """Return what reaches every branch, and the yardstick with the inputs that the search for it found."""
    reach = reach_of(probes, rod)
    alone = [probe for probe in probes if probe.sentence in reach.documented]
    kept, met = _searched(question, alone, rod, generated, benches)
    return replace(reach, documented=tuple(each for each in reach.documented if each not in met)), kept


def measured(
    question: FunctionQuestion, mutants: Sequence[Mutant], rod: Yardstick, generated: Generated, benches: Benches
) -> Measure:
    """Return what became of every planted fault; more inputs are tried where documented ones alone notice too many."""
    found = measure(mutants, rod)
    records = found.records
    if not FunctionRecord("", 0, mutants=records).leans_on_documented(question.policy.max_documented_only):
        return found
    alone = [mutant for mutant, each in zip(mutants, records, strict=True) if each.state is MutantState.ONLY_DOCUMENTED]
    kept, met = _searched(question, alone, rod, generated, benches)
    if not met:
        return found
    again = [index for index, each in enumerate(records) if not each.told_apart_by]
    kept = replace(kept, told=())
    settled = dict(zip(again, measure([mutants[index] for index in again], kept).records, strict=True))
    return replace(found, records=tuple(settled.get(index, each) for index, each in enumerate(records)))


def _searched(
    question: FunctionQuestion, alone: Sequence[Mutant], rod: Yardstick, generated: Generated, benches: Benches
) -> tuple[Yardstick, frozenset[str]]:
    """Return the yardstick with inputs that tell such copies apart, and the sentences of these copies."""
    if not 0 < len(alone) <= MOST_PLACES:
        return rod, frozenset()
    near = _near(question, rod, generated, benches)
    pool, keys = near.actions, near.keys
    wider = yardstick(benches.first, question.source, rod.function, rod.checks, (), pool, keys) if pool else None
    if wider is None:
        return rod, frozenset()
    found = {copy.sentence: sorted(differences(copy, wider))[:MOST_KEPT] for copy in alone}
    chosen = sorted({index for indices in found.values() for index in indices})
    kept = replace(
        rod,
        pool=(*rod.pool, *(pool[index] for index in chosen)),
        keys=(*rod.keys, *(keys[index] for index in chosen)),
        work_limit=max(rod.work_limit, wider.work_limit),
    )
    return kept, frozenset(sentence for sentence, indices in found.items() if indices)


def _near(question: FunctionQuestion, rod: Yardstick, generated: Generated, benches: Benches) -> Generated:
    calls: list[Action] = []
    if generated.calls is not None:
        drawn = near_calls(generated.calls, count=NEAR_INPUTS, seed=question.policy.seed)
        calls += [DirectCall(question.function.qualname, call.args, call.kwargs) for call in drawn]
    if calls and question.function.preconditions:
        with Predicates(benches.first, question.program) as predicates:
            stated = read_stated(question.function, question.module, rod.checks, predicates)
            calls = [call for call in calls if isinstance(call, DirectCall) and stated.meets(call)]
    return steadily_answered(question, [*calls, *_new_throughout(question, rod)], benches)


def _new_throughout(question: FunctionQuestion, rod: Yardstick) -> Iterator[Action]:
    """Yield sessions like the documented ones that share no literal with any: no table of steps serves them."""
    sessions = [check.action for check in rod.checks if check.kind is CheckKind.EXAMPLE]
    written = {literal for session in sessions for literal in telling(session)}
    for variant in session_variants(sessions, count=NEAR_INPUTS, seed=question.policy.seed + 3):
        if written.isdisjoint(telling(variant)):
            yield variant


def recalls_documented(tree: ast.Module, checks: Sequence[PlannedCheck]) -> bool:
    """Tell whether the program's text holds a value that a documented example passes, natural limits aside."""
    examples = [module_or_none(pasteable(check.action)) for check in checks if check.kind is CheckKind.EXAMPLE]
    nodes = [node for example in examples if example is not None for node in ast.walk(example)]
    passed = {node.value for node in nodes if isinstance(node, ast.Constant) and _tells(node.value)}
    written = list(_recalling(tree))
    texts = "\n".join(str(value) for value in written if isinstance(value, str | bytes))
    return any(value in passed for value in written) or any(value_text(value).strip("'\"") in texts for value in passed)


def _recalling(tree: ast.Module) -> Iterator[object]:
    for node in ast.walk(tree):
        for child in () if isinstance(node, ast.Expr) else ast.iter_child_nodes(node):
            held = child.operand if isinstance(child, ast.UnaryOp) else child
            if isinstance(held, ast.Constant) and (isinstance(node, _LOOKED_UP) or isinstance(held.value, str | bytes)):
                yield held.value


def _tells(value: object) -> bool:
    return not is_natural_limit(value) and value is not ... and not (isinstance(value, str | bytes) and len(value) < 2)
