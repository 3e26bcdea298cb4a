"""Making objects of a class and holding the laws that it is under against them.

Documented objects come first, then their neighbours and objects that the constructor's annotations describe. A law that
fails is asked again of the objects that break it, alone, under both hash seeds.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.inputs.choices import SeededChoices
from probatum.programs.inputs.hinted_shapes import shape_of_annotation
from probatum.programs.inputs.source_literals import literals_of
from probatum.programs.inputs.source_shapes import SampleShape
from probatum.programs.judging.laws import (
    Law,
    aggregate,
    asked_for,
    breaking,
    class_node,
    comparable,
    comparisons,
    documented_objects,
    documented_truths,
    has_unequal,
    laws_of,
    minds_strangers,
    particular,
)
from probatum.programs.parsing.declared_types import declared_types
from probatum.programs.parsing.expressions import free_names
from probatum.programs.record import CheckRecord, CheckState
from probatum.programs.running.checks import Action, PlannedCheck, Statements, pasteable
from probatum.programs.running.compare import compare
from probatum.programs.running.execute import Benches, run_actions, run_alone
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.running.recording import check_record
from probatum.sandbox import Raised, Reply, Returned, SourceArgument

MOST_CANDIDATES = 60
MOST_OBJECTS = 10
MOST_COMPARISONS = 36
_DRAWN = 12
_LONGEST = 300


@dataclass(frozen=True, slots=True)
class LawRun:
    """What came of the laws of one class."""

    records: tuple[CheckRecord, ...] = ()
    held: tuple[PlannedCheck, ...] = ()
    suspicions: tuple[str, ...] = ()
    inputs: tuple[Action, ...] = ()
    """Comparisons of objects that no example compares: generated inputs for what only comparing reaches."""


def check_laws(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> LawRun:
    """Hold the laws of equality, hashing and order against objects of a class; nothing for anything else."""
    known = laws_of(question.source.tree, question.function)
    texts = _objects(question, planned, benches) if known else ()
    if not texts:
        return LawRun()
    laws = _applicable(question, known, texts, benches)
    span = question.function.span
    checks = [aggregate(law, texts, span) for law in laws]
    replies = run_actions(benches.first, question.program, [check.action for check in checks])
    records: list[CheckRecord] = []
    held: list[PlannedCheck] = []
    suspicions: list[str] = []
    for law, check, reply in zip(laws, checks, replies, strict=True):
        if isinstance(reply, Returned) and reply.value is True:
            records.append(check_record(check, compare(check.example.expectation, reply), reply))
            held.append(check)
        elif isinstance(reply, Returned | Raised):
            broken = _broken(question, law, texts, reply, benches)
            if broken is None:
                continue
            if _decides(question, law, broken, planned):
                records.append(broken)
            else:
                suspicions.append(f"{broken.reproduction} {broken.note}: {law.text}".replace("\n", "; "))
    kept = [law for law in laws if any(check.example.text == law.text for check in held)]
    return LawRun(tuple(records), tuple(held), tuple(suspicions), _comparisons(kept, texts, planned))


def _comparisons(laws: Sequence[Law], texts: Sequence[str], planned: Sequence[PlannedCheck]) -> tuple[Action, ...]:
    shown = "\n".join(pasteable(check.action) for check in planned)
    new = [text for text in texts if text not in shown] or list(texts)
    pairs = [(new[place], new[(place + step) % len(new)]) for place in range(len(new)) for step in (0, 1, -1)]
    asked = [action for pair in dict.fromkeys(pairs) for action in comparisons(laws, *pair)]
    return tuple(dict.fromkeys(asked))[:MOST_COMPARISONS]


def _applicable(question: FunctionQuestion, laws: Sequence[Law], texts: Sequence[str], benches: Benches) -> list[Law]:
    actions = [*(comparable(law, texts) for law in laws), has_unequal(texts)]
    *answers, differ = run_actions(benches.first, question.program, actions)
    return [
        law
        for law, answer in zip(laws, answers, strict=True)
        if _is_true(answer) and (law.id != "stranger" or _is_true(differ))
    ]


def _is_true(reply: Reply) -> bool:
    return isinstance(reply, Returned) and reply.value is True


def _broken(
    question: FunctionQuestion, law: Law, texts: Sequence[str], reply: Reply, benches: Benches
) -> CheckRecord | None:
    places: tuple[object, ...] = (0,)
    if isinstance(reply, Returned):
        [found] = run_actions(benches.first, question.program, [breaking(law, texts)])
        if not isinstance(found, Returned) or not isinstance(found.value, tuple):
            return None
        places = found.value
    elif law.id != "stranger":
        return None
    chosen = [texts[place] for place in places if isinstance(place, int) and 0 <= place < len(texts)]
    check = particular(law, chosen, question.function.span)
    answers = run_alone(benches, question.program, check.action)
    comparisons = [compare(check.example.expectation, answer) for answer in answers]
    if any(each.state is not CheckState.FAILS for each in comparisons):
        return None
    return check_record(check, comparisons[0], answers[0])


def _decides(question: FunctionQuestion, law: Law, broken: CheckRecord, planned: Sequence[PlannedCheck]) -> bool:
    # The document may ask for it, and an equality may never have been meant for strangers.
    if law.id == "stranger" and isinstance(broken.observed, dict) and "raises" in broken.observed:
        node = class_node(question.source.tree, question.function.qualname)
        return node is not None and minds_strangers(node)
    steps = broken.reproduction.split("\n")[:-1]
    texts = [step.partition(" = ")[2] for step in steps]
    return not asked_for(law, texts, documented_truths(planned))


def _objects(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> tuple[str, ...]:
    owner = question.function.qualname
    candidates: dict[str, None] = {}
    for text in _candidates(question, planned):
        if len(text) <= _LONGEST and len(candidates) < MOST_CANDIDATES:
            candidates[text] = None
    actions = [Statements((), f"isinstance({text}, {owner})") for text in candidates]
    replies = run_actions(benches.first, question.program, actions)
    made = [text for text, reply in zip(candidates, replies, strict=True) if _is_true(reply)]
    return tuple(sorted(_spread(made), key=lambda text: (len(text), text)))


def _spread(made: list[str]) -> list[str]:
    # The first ones are documented or next to it; later ones are further away.
    first = made[: MOST_OBJECTS * 3 // 5]
    later = made[len(first) :]
    step = max(1, len(later) // (MOST_OBJECTS - len(first)))
    return [*first, *later[::step]][:MOST_OBJECTS]


def _candidates(question: FunctionQuestion, planned: Sequence[PlannedCheck]) -> Iterator[str]:
    owner = question.function.qualname
    known = BUILTIN_NAMES.union(question.module.defined)
    shown = list(dict.fromkeys(
        ast.unparse(node) for node in documented_objects(planned, owner) if free_names(node) <= known
    ))  # fmt: skip
    choices = SeededChoices(f"{question.policy.seed} laws of {owner}")
    literals = literals_of(question.source.tree, owner)
    shape = shape_of_annotation(owner, literals, declared_types(question.source.tree))
    drawn = [str(getattr(shape.draw(choices), "text", "")) for _ in range(_DRAWN)] if shape is not None else []
    drawn = [text for text in dict.fromkeys(drawn) if text]
    bases = [*shown[:3], *drawn[: max(0, 3 - len(shown))]]
    twins = [twin for text in bases[:2] for twin in _twins(text)]
    crossed = [mixed for left, right in pairwise(bases) for mixed in _crossed(left, right)]
    yield from (*bases, *twins, *crossed, *shown[3:], *drawn)
    if shown:
        sample = SampleShape(tuple(SourceArgument(text) for text in shown))
        for _ in range(_DRAWN):
            yield str(getattr(sample.draw(choices), "text", ""))


def _twins(text: str) -> Iterator[str]:
    # A class may well call a text in other case, or a number of other sign, equal.
    count = sum(_opposite(node) is not None for node in ast.walk(ast.parse(text, mode="eval")))
    for number in range(count):
        tree = ast.parse(text, mode="eval")
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and _opposite(node) is not None]
        nodes[number].value = _opposite(nodes[number])
        yield ast.unparse(tree)


def _opposite(node: ast.AST) -> str | int | float | None:
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, str):
        return value.swapcase() if value.swapcase() != value else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return -value if value else None
    return None


def _crossed(left: str, right: str) -> Iterator[str]:
    other = ast.parse(right, mode="eval").body
    base = ast.parse(left, mode="eval").body
    if not isinstance(base, ast.Call) or not isinstance(other, ast.Call):
        return
    for place in range(min(len(base.args), len(other.args))):
        args = [*base.args[:place], other.args[place], *base.args[place + 1 :]]
        yield ast.unparse(ast.Call(base.func, args, base.keywords))
    by_name = {keyword.arg: keyword for keyword in other.keywords}
    for place, keyword in enumerate(base.keywords):
        if keyword.arg in by_name:
            keywords = [*base.keywords[:place], by_name[keyword.arg], *base.keywords[place + 1 :]]
            yield ast.unparse(ast.Call(base.func, base.args, keywords))
