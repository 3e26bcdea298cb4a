"""Whether a condition says nothing about the evidence, so that no verdict may rest on it.

Found are conditions without a field, with one and the same operand on both sides of a comparison, with an answer while
nothing is known, and those that have one answer whatever is known: over all truth values of a few distinct comparisons,
and over the values beside and between the literals that a field is compared with. What is larger than that is left
open; a condition is never called vacuous for being large.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product
from typing import Final

from probatum.audit.event_terms import (
    FALSE,
    TRUE,
    Compared,
    Condition,
    FieldRef,
    SourceQuorum,
    Value,
    operand_text,
    operands_of,
)
from probatum.audit.three_valued import DAY, Evaluation, combined, moment_of, moment_text, worth

_MOST_ATOMS: Final = 8
_MOST_WORK: Final = 20_000
"""Comparisons of sampled values that one condition is worth."""


@dataclass(frozen=True, slots=True)
class _Sampled:
    """An environment in which the given fields have values, and nothing else has."""

    values: Mapping[FieldRef, Value]

    def value(self, field: FieldRef) -> Value | None:
        return self.values.get(field)

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        return {}

    def bound(self, name: str) -> Value | None:
        return None


def is_vacuous(condition: Condition) -> bool:
    """Return whether a condition is known to say nothing about the evidence."""
    atoms = _atoms(condition)
    inner = [each for atom in atoms if isinstance(atom, SourceQuorum) for each in _atoms(atom.condition)]
    return (
        not any(isinstance(each, FieldRef) for each in operands_of(condition))
        or any(isinstance(atom, Compared) and atom.left == atom.right for atom in (*atoms, *inner))
        or worth(condition, _Sampled({})).value is not None
        or _has_one_answer(condition, atoms)
        or _has_one_sampled_answer(condition, atoms)
    )


def _atoms(condition: Condition) -> list[Compared | SourceQuorum]:
    found: list[Compared | SourceQuorum] = []

    def noted(atom: Compared | SourceQuorum) -> Evaluation:
        found.append(atom)
        return Evaluation(None)

    combined(condition, noted)
    return found


def _has_one_answer(condition: Condition, atoms: list[Compared | SourceQuorum]) -> bool:
    keys = list(dict.fromkeys(_basic(atom)[0] for atom in atoms))
    if len(keys) > _MOST_ATOMS:
        return False
    rows = product((False, True), repeat=len(keys))
    return len({_answer(condition, dict(zip(keys, row, strict=True))) for row in rows}) == 1


def _answer(condition: Condition, chosen: Mapping[Compared | SourceQuorum, bool]) -> bool | None:
    def judged(atom: Compared | SourceQuorum) -> Evaluation:
        key, holds = _basic(atom)
        return Evaluation(chosen[key] is holds)

    return combined(condition, judged).value


def _basic(atom: Compared | SourceQuorum) -> tuple[Compared | SourceQuorum, bool]:
    """Return the atom by ``<`` or ``==`` that says the same, or the opposite (False)."""
    if isinstance(atom, SourceQuorum):
        return atom, True
    left, right = atom.left, atom.right
    if atom.operator in {"==", "!="}:
        left, right = sorted((left, right), key=operand_text)
        return Compared(left, "==", right), atom.operator == "=="
    if atom.operator in {">", "<="}:
        left, right = right, left
    return Compared(left, "<", right), atom.operator in {"<", ">"}


def _has_one_sampled_answer(condition: Condition, atoms: list[Compared | SourceQuorum]) -> bool:
    literals: dict[FieldRef, list[Value]] = {}
    for atom in atoms:
        match atom:
            case Compared(FieldRef() as field, _, Value() as literal) | Compared(
                Value() as literal, _, FieldRef() as field
            ):
                literals.setdefault(field, []).append(literal)
            case Compared(Value(), _, Value()):
                continue
            case _:
                return False
    work = len(atoms)
    samples = []
    for values in literals.values():
        samples.append(_beside(values))
        work *= len(samples[-1])
        if not 0 < work <= _MOST_WORK:
            return False
    answers = {worth(condition, _Sampled(dict(zip(literals, row, strict=True)))).value for row in product(*samples)}
    return len(answers - {None}) == 1


def _beside(literals: list[Value]) -> list[Value]:
    """Return values of a field that show every answer which comparing it with the literals may have; none if unsure."""
    kinds = {each.kind for each in literals}
    if len(kinds) > 1 or len({each.unit for each in literals}) > 1:
        return []
    match kinds.pop():
        case "numeric":
            exact = _beside_points({Fraction(repr(each.value)) for each in literals})
            return [Value("numeric", int(each) if each.denominator == 1 else float(each)) for each in exact]
        case "boolean":
            return [FALSE, TRUE]
        case "text_assertion":
            return [*literals, Value("text_assertion", "-" * (1 + max(len(str(each.value)) for each in literals)))]
        case "timestamp":
            return _times_beside(literals)
    return []


def _beside_points(numbers: set[Fraction]) -> list[Fraction]:
    points = sorted(numbers)
    return [points[0] - 1, *points, *((low + high) / 2 for low, high in pairwise(points)), points[-1] + 1]


def _times_beside(literals: list[Value]) -> list[Value]:
    moments = [moment for each in literals if (moment := moment_of(str(each.value)))]
    ends = {start + (DAY if is_day else 0) for start, is_day in moments}
    instants = [text for each in _beside_points({start for start, _ in moments} | ends) if (text := moment_text(each))]
    days = dict.fromkeys(text[:10] for text in instants)
    return [*literals, *(Value("timestamp", each) for each in (*instants, *days))]
