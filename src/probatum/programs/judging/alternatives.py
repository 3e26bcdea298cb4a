"""Alternatives for one function, grouped by behaviour: which answer alike, and the smallest inputs that tell.

Groups rest on inputs alone whose answers fresh processes repeated. Refuses to prefer one of them, and to take agreement
for a proof: several may be wrong in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from probatum.programs.judging.claims import read_stated
from probatum.programs.judging.differences import MOST_TRIED, inputs_for, source_for
from probatum.programs.running.behaviours import (
    Difference,
    confirmed,
    is_same,
    size,
    smallest_difference,
    steady_answers,
)
from probatum.programs.running.checks import DirectCall, pasteable, plan_checks
from probatum.programs.running.exception_names import named_exceptions
from probatum.programs.running.execute import Benches
from probatum.programs.running.predicates import Predicates
from probatum.programs.running.question import FunctionQuestion
from probatum.sandbox import Reply


@dataclass(frozen=True, slots=True)
class Alternatives:
    """What comparing several functions came to; they are known by their places."""

    groups: tuple[tuple[int, ...], ...]
    telling: tuple[Difference, ...]
    """Inputs that tell groups apart, each with the answer of every alternative; the smallest first."""
    compared: int
    """How many inputs all of them gave a steady answer to."""
    answered: tuple[int, ...]
    """How many of the inputs each gave a steady answer to."""


def grouped(questions: Sequence[FunctionQuestion], benches: Benches) -> Alternatives:
    """Compare alternatives on the same inputs, which meet what each of them requires."""
    with ExitStack() as opened:
        stated = []
        for each in questions:
            predicates = opened.enter_context(Predicates(benches.first, each.program))
            planned = plan_checks(each.function, each.module)
            stated.append(read_stated(each.function, each.module, planned, predicates))

        def legal(calls: Sequence[DirectCall]) -> Sequence[DirectCall]:
            return [call for call in calls if all(each.meets(call) for each in stated)]

        asked, source = source_for(questions, benches)
        actions = inputs_for(questions, asked, source, legal)
        if len({each.function.qualname for each in questions}) > 1:
            # A session names one of them alone.
            actions = tuple(each for each in actions if isinstance(each, DirectCall))
        is_probed = source is not None and source.is_probed
        answers = [steady_answers(each, actions, benches, is_probed=is_probed) for each in questions]
        shared = [each for each in actions if all(pasteable(each) in given for given in answers)]
        named = frozenset[str]().union(*(named_exceptions(each.function) for each in questions))
        found = [Difference(each, tuple(given[pasteable(each)] for given in answers)) for each in shared]
        groups: list[tuple[int, ...]] = [tuple(range(len(questions)))]
        telling: list[Difference] = []
        tried = 0
        for differing in sorted(found, key=lambda one: size(one.action)):
            group = next((one for one in groups if len(_split(one, differing.answers, named)) > 1), None)
            if group is None or tried == MOST_TRIED:
                continue

            def are_same(replies: Sequence[Reply], among: tuple[int, ...] = group) -> bool:
                return len(_split(among, replies, named)) == 1

            tried += 1
            smaller = smallest_difference(questions, differing.action, source, are_same, benches, legal)
            shown = confirmed(questions, differing, are_same, benches, smaller)
            if shown is not None:
                telling.append(shown)
                groups = [part for one in groups for part in _split(one, shown.answers, named)]
    return Alternatives(tuple(groups), tuple(telling), len(shared), tuple(map(len, answers)))


def _split(group: Sequence[int], answers: Sequence[Reply], named: frozenset[str]) -> list[tuple[int, ...]]:
    """Return the alternatives of a group by their answers to one input, each compared with the first of a part."""
    parts: list[list[int]] = []
    for place in group:
        for part in parts:
            if is_same(answers[part[0]], answers[place], named):
                part.append(place)
                break
        else:
            parts.append([place])
    return [tuple(part) for part in parts]
