"""The fewest examples to add so that a check notices the planted faults that none notices yet.

Every generated input is tried on each such mutant; then inputs are chosen. The result is left open: the program's own
answer may be wrong, and whoever is shown it tends to confirm it (docs/adr/0013).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from probatum.programs.examples.clauses import BUILTIN_NAMES
from probatum.programs.judging.claims import read_stated
from probatum.programs.judging.documented_checks import run_checks
from probatum.programs.judging.strength import differences, yardstick
from probatum.programs.parsing.expressions import free_names
from probatum.programs.parsing.signatures import defined_names
from probatum.programs.record import INPUT_IGNORED, FunctionRecord, MutantState
from probatum.programs.running.checks import Action, DirectCall, PlannedCheck, Statements, pasteable, plan_checks
from probatum.programs.running.compare import Agreement, agree
from probatum.programs.running.execute import Benches
from probatum.programs.running.generated import Generated, generate
from probatum.programs.running.given_tests import run_given_tests
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.programs.source import module_or_none
from probatum.programs.specification import ModuleSpec
from probatum.sandbox import Raised, Reply, Returned

OPEN_VALUE = "?"
"""Stands where the author writes the result. No Python value and no doctest wildcard, so that it cannot pass."""
MOST_FAULTS = 40
"""For how many faults inputs are looked for; each costs one run of all generated inputs."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """One example to add, with the faults that it alone of the examples before it would notice."""

    example: str
    notices: tuple[str, ...]
    """Each completes "no check notices if …"."""


@dataclass(frozen=True, slots=True)
class Suggested:
    """Examples to add, most useful first."""

    examples: tuple[Suggestion, ...] = ()
    faults: int = 0
    measured: bool = True
    """False where it was not measured what the checks notice: then nothing can be suggested."""

    @property
    def covered(self) -> int:
        """How many of them the examples would notice together."""
        return sum(len(example.notices) for example in self.examples)


def suggest(question: FunctionQuestion, record: FunctionRecord, benches: Benches) -> Suggested:
    """Return the examples that would notice most of the faults that no check notices, in as few inputs as possible."""
    survivors = {mutant.id: mutant.sentence for mutant in record.mutants if mutant.state is MutantState.SURVIVED}
    if not survivors or not record.generated_inputs:
        return Suggested(faults=len(survivors), measured=record.strength_measured)
    name, policy = question.function.qualname, question.policy
    planned = run_checks(question, plan_checks(question.function, question.module), benches).planned
    generated = _inputs(question, planned, benches)
    rod = yardstick(benches.first, question.source, name, planned, (), generated.actions, generated.keys)
    if rod is None:
        return Suggested(faults=len(survivors))
    from probatum.programs.faults.mutants import plan_mutants  # Deferred: only planting needs concrete syntax.

    faults = plan_mutants(question.source, name, limit=policy.mutants, seed=policy.seed)
    usable = _usable(generated.actions, question.module)
    told_apart = {
        fault.id: frozenset(
            index
            for index, reply in differences(fault, rod).items()
            if index in usable and not _looks_alike(generated.replies[index], reply)
        )
        for fault in [fault for fault in faults if fault.id in survivors][:MOST_FAULTS]
    }
    told_apart |= {mutant.id: usable for mutant in record.mutants if mutant.operator == INPUT_IGNORED}
    chosen = fewest(told_apart, _order_of(generated.actions, generated.replies))
    return Suggested(
        tuple(
            Suggestion(as_doctest(generated.actions[index]), tuple(survivors[fault] for fault in noticed))
            for index, noticed in chosen
        ),
        len(survivors),
    )


def _inputs(question: FunctionQuestion, planned: Sequence[PlannedCheck], benches: Benches) -> Generated:
    # The same question and seed give the inputs of the verification again.
    seen: tuple[DirectCall, ...] = ()
    if question.tests is not None:
        names = question.module.defined
        seen = run_given_tests(question.program, question.tests, names, benches, withheld=question.withheld).calls
    with Predicates(benches.first, question.program) as predicates:
        stated = read_stated(question.function, question.module, planned, predicates)
        return generate(question, planned, seen, benches, stated.legal)


def _usable(actions: Sequence[Action], module: ModuleSpec) -> frozenset[int]:
    """Return the inputs, by index, whose source means something where only the module's own names are known."""
    known = BUILTIN_NAMES.union(module.defined)
    trees = [module_or_none(pasteable(action)) for action in actions]
    return frozenset(
        index
        for index, tree in enumerate(trees)
        if tree is not None and free_names(tree) <= known.union(defined_names(tree.body))
    )


def _looks_alike(first: Reply, other: Reply) -> bool:
    # No documented value tells 0.0 from -0.0, nor results within the tolerance.
    if not isinstance(first, Returned) or not isinstance(other, Returned):
        return False
    return first.output == other.output and agree(first.value, other.value) is Agreement.EQUAL


def _order_of(actions: Sequence[Action], replies: Sequence[Reply]) -> list[int]:
    # A backslash means something else inside a docstring.
    def badness(index: int) -> tuple[bool, bool, int, int]:
        text = pasteable(actions[index])
        return isinstance(replies[index], Raised), "\\" in text, len(text), index

    return sorted(range(len(actions)), key=badness)


def fewest(told_apart: Mapping[str, frozenset[int]], order: Sequence[int]) -> list[tuple[int, list[str]]]:
    """Return inputs that together tell every fault apart, each with the faults that those before it do not.

    The input that tells most apart comes first; those whose faults the others notice as well are dropped.
    """
    waiting = {fault for fault, inputs in told_apart.items() if inputs}
    chosen: list[int] = []
    while waiting:
        best = max(order, key=lambda index: sum(index in told_apart[fault] for fault in waiting))
        chosen.append(best)
        waiting -= {fault for fault in waiting if best in told_apart[fault]}
    for index in reversed(chosen[:]):
        others = [other for other in chosen if other != index]
        if all(any(other in inputs for other in others) for inputs in told_apart.values() if inputs):
            chosen = others
    rows: list[tuple[int, list[str]]] = []
    named: set[str] = set()
    for index in chosen:
        fresh = [fault for fault, inputs in told_apart.items() if index in inputs and fault not in named]
        named.update(fresh)
        rows.append((index, fresh))
    return rows


def as_doctest(action: Action) -> str:
    """Write an input as an example for a docstring, with the result left open."""
    steps = [*action.setup, action.expression] if isinstance(action, Statements) else [pasteable(action)]
    lines = [("... " if number else ">>> ") + line for step in steps for number, line in enumerate(step.splitlines())]
    return "\n".join([*lines, OPEN_VALUE])
