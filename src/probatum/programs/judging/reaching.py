"""Branches that only documented inputs reach: is that a sign of looking them up, or are such inputs hard to come by?

Many more inputs near the documented ones are tried on every such branch; a checksum or a date is met by some of them.
Refuses to clear a branch that none of them reaches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from probatum.programs.faults.planting import Mutant
from probatum.programs.inputs.generate import near_calls
from probatum.programs.judging.claims import read_stated
from probatum.programs.judging.strength import Reach, Yardstick, differences, is_natural_limit, reach_of, yardstick
from probatum.programs.reading.value_texts import value_text
from probatum.programs.record import CheckKind
from probatum.programs.running.checks import DirectCall, PlannedCheck, pasteable
from probatum.programs.running.execute import Benches
from probatum.programs.running.generated import Generated, steadily_answered
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import module_or_none

NEAR_INPUTS = 1_000
MOST_PLACES = 8
"""More branches than these that only documented inputs reach are not searched: nothing but a table has so many."""
_LOOKED_UP = (ast.Compare, ast.Dict, ast.List, ast.Tuple, ast.Set, ast.MatchValue)
MOST_KEPT = 10
"""How many inputs that reach a branch join the others, from which strength is measured."""


def reached(
    question: FunctionQuestion,
    probes: Sequence[Mutant],
    rod: Yardstick,
    generated: Generated,
    benches: Benches,
) -> tuple[Reach, Yardstick]:
    """Return what reaches every branch, and the yardstick with the inputs that the search for it found."""
    reach = reach_of(probes, rod)
    alone = [probe for probe in probes if probe.sentence in reach.documented]
    if not alone or len(alone) > MOST_PLACES or generated.calls is None:
        return reach, rod
    near = _near(question, rod, generated, benches)
    pool, keys = near.actions, near.keys
    wider = yardstick(benches.first, question.source, rod.function, rod.checks, None, pool, keys) if pool else None
    if wider is None:
        return reach, rod
    found = {probe.sentence: sorted(differences(probe, wider))[:MOST_KEPT] for probe in alone}
    chosen = sorted({index for indices in found.values() for index in indices})
    kept = replace(
        rod,
        pool=(*rod.pool, *(pool[index] for index in chosen)),
        keys=(*rod.keys, *(keys[index] for index in chosen)),
        work_limit=max(rod.work_limit, wider.work_limit),
    )
    return replace(reach, documented=tuple(each for each in reach.documented if not found.get(each))), kept


def _near(question: FunctionQuestion, rod: Yardstick, generated: Generated, benches: Benches) -> Generated:
    assert generated.calls is not None
    drawn = near_calls(generated.calls, count=NEAR_INPUTS, seed=question.policy.seed)
    calls = [DirectCall(question.function.qualname, call.args, call.kwargs) for call in drawn]
    if question.function.preconditions:
        with Predicates(benches.first, question.program) as predicates:
            stated = read_stated(question.function, question.module, rod.checks, predicates)
            calls = [call for call in calls if stated.meets(call)]
    return steadily_answered(question, calls, benches)


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
