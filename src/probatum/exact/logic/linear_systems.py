"""Systems of linear constraints over exact numbers: a contradiction with its multipliers, or a solution.

A constraint is a linear form that is ``<= 0``, ``< 0`` or ``= 0``. Unknowns are eliminated one after the other
(Gauss, then Fourier and Motzkin); every derived row remembers how it is summed up from the constraints, so that a
contradiction comes with Farkas multipliers and is checked by adding up. Refuses, as too large, a system whose
elimination exceeds a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Final, TypeVar

MAX_ROWS: Final = 200
"""Rows of one elimination; beyond it is given up."""
_STRICT: Final = "<"
_EQUAL: Final = "="
Bound = tuple[Fraction, bool]
"""A number, and whether it is left out."""
Unknown = tuple[str, ...]
"""The names of variables whose product it is, sorted: one name for a variable itself."""


class TooManyRowsError(Exception):
    """The elimination exceeds its budget."""


@dataclass(frozen=True, slots=True)
class LinearRow:
    """A sum of unknowns with coefficients other than 0, and a constant: it stands in a relation to 0."""

    sums: Mapping[Unknown, Fraction]
    constant: Fraction
    relation: str
    parts: Mapping[int, Fraction]
    """By place of a constraint: how often it is added to give this row."""

    def plus(self, other: LinearRow, factor: Fraction, relation: str) -> LinearRow:
        """Return this row with a multiple of another one added."""
        sums = _added(self.sums, other.sums, factor)
        parts = _added(self.parts, other.parts, factor)
        return LinearRow(sums, self.constant + factor * other.constant, relation, parts)

    @property
    def is_contradiction(self) -> bool:
        """Whether it says something false of constants."""
        if self.sums:
            return False
        if self.relation == _EQUAL:
            return self.constant != 0
        return self.constant > 0 or (self.relation == _STRICT and self.constant == 0)


_Key = TypeVar("_Key")


def _added(left: Mapping[_Key, Fraction], right: Mapping[_Key, Fraction], factor: Fraction) -> dict[_Key, Fraction]:
    total = dict(left)
    for key, value in right.items():
        changed = total.get(key, Fraction(0)) + factor * value
        if changed:
            total[key] = changed
        else:
            total.pop(key, None)
    return total


@dataclass(frozen=True, slots=True)
class Elimination:
    """What became of a system: the multipliers of a contradiction, or the unknowns in the order of elimination."""

    multipliers: Mapping[int, Fraction] | None
    steps: Sequence[tuple[Unknown, Sequence[LinearRow]]] = ()
    """Each unknown with the rows that bounded it when it was eliminated."""
    work: int = 0
    """How many rows were derived or kept."""


def eliminate(constraints: Sequence[LinearRow]) -> Elimination:
    """Eliminate all unknowns; raises TooManyRowsError beyond the budget."""
    rows, made = list(constraints), len(constraints)
    steps: list[tuple[Unknown, Sequence[LinearRow]]] = []
    while True:
        wrong = next((row for row in rows if row.is_contradiction), None)
        if wrong is not None:
            return Elimination(dict(sorted(wrong.parts.items())), work=made)
        rows = _without_repeats([row for row in rows if row.sums])
        if not rows:
            return Elimination(None, steps, made)
        unknown, rows, bounding = _eliminated_one(rows)
        steps.append((unknown, bounding))
        made += len(rows)
        if len(rows) > MAX_ROWS or made > 4 * MAX_ROWS:
            raise TooManyRowsError


def _without_repeats(rows: list[LinearRow]) -> list[LinearRow]:
    """Keep of rows with equal sums and relations the one that says most."""
    best: dict[object, LinearRow] = {}
    for row in rows:
        if row.relation == _EQUAL:
            best[len(best), _EQUAL] = row
            continue
        scale = abs(next(iter(sorted(row.sums.items())))[1])
        key = (row.relation, tuple(sorted((name, value / scale) for name, value in row.sums.items())))
        known = best.get(key)
        if known is None or row.constant / scale > known.constant / abs(known.sums[min(known.sums)]):
            best[key] = row
    return list(best.values())


def _eliminated_one(
    rows: list[LinearRow],
) -> tuple[Unknown, list[LinearRow], Sequence[LinearRow]]:
    equation = min((row for row in rows if row.relation == _EQUAL), key=lambda row: len(row.sums), default=None)
    if equation is not None:
        unknown = min(equation.sums, key=lambda name: (abs(equation.sums[name]), name))
        unit = equation.sums[unknown]
        rest = []
        for row in rows:
            if row is not equation:
                has = unknown in row.sums
                rest.append(row.plus(equation, -row.sums[unknown] / unit, row.relation) if has else row)
        return unknown, rest, [equation]
    above: dict[Unknown, int] = {}
    below: dict[Unknown, int] = {}
    for row in rows:
        for name, value in row.sums.items():
            counted = above if value > 0 else below
            counted[name] = counted.get(name, 0) + 1
    unknown = min(
        sorted({*above, *below}), key=lambda name: above.get(name, 0) * below.get(name, 0) - above.get(name, 0)
    )
    bounding = [row for row in rows if unknown in row.sums]
    rest = [row for row in rows if unknown not in row.sums]
    lower = [row for row in bounding if row.sums[unknown] < 0]
    for row in bounding:
        if row.sums[unknown] > 0:
            scaled = LinearRow({}, Fraction(0), _STRICT, {}).plus(row, 1 / row.sums[unknown], _STRICT)
            for other in lower:
                relation = _STRICT if _STRICT in (row.relation, other.relation) else "<="
                rest.append(scaled.plus(other, -1 / other.sums[unknown], relation))
    return unknown, rest, bounding


def solution(
    elimination: Elimination, is_whole: Callable[[Unknown], bool]
) -> tuple[dict[Unknown, Fraction], tuple[Unknown, int] | None]:
    """Return values for the unknowns, near 0 and whole where they have to be.

    The second item is None; or the unknown that has no whole number between its bounds, and the whole number below.
    """
    values: dict[Unknown, Fraction] = {}
    for unknown, bounding in reversed(elimination.steps):
        low: Bound | None = None
        high: Bound | None = None
        for row in bounding:
            others = [values.setdefault(name, Fraction(0)) * each for name, each in row.sums.items() if name != unknown]
            known = sum(others, row.constant)
            bound, is_open = -known / row.sums[unknown], row.relation == _STRICT
            if row.relation == _EQUAL or row.sums[unknown] < 0:
                low = max(low, (bound, is_open)) if low else (bound, is_open)
            if row.relation == _EQUAL or row.sums[unknown] > 0:
                high = min(high, (bound, not is_open)) if high else (bound, not is_open)
        value = _between(low, (high[0], not high[1]) if high else None, must_be_whole=is_whole(unknown))
        if value is None:
            return values, (unknown, floor(low[0] if low else 0))
        values[unknown] = value
    return values, None


def _between(low: Bound | None, high: Bound | None, *, must_be_whole: bool) -> Fraction | None:
    """Return the whole number nearest to 0 between two bounds, each open or not; else another number between."""
    least = None if low is None else floor(low[0]) + 1 if low[1] else ceil(low[0])
    most = None if high is None else ceil(high[0]) - 1 if high[1] else floor(high[0])
    if least is None or most is None or least <= most:
        nearest = max(0, least) if least is not None else 0
        return Fraction(min(nearest, most) if most is not None else nearest)
    if must_be_whole or low is None or high is None:
        return None
    return (low[0] + high[0]) / 2


def combination(constraints: Sequence[LinearRow], multipliers: Mapping[int, Fraction]) -> LinearRow:
    """Return the constraints added up, each taken so many times; raises ValueError where that is no constraint."""
    total = LinearRow({}, Fraction(0), _EQUAL, {})
    for place, times in multipliers.items():
        row = constraints[place]
        if times == 0 or (times < 0 and row.relation != _EQUAL):
            raise ValueError("an inequality is taken a negative number of times, or a constraint not at all")
        relations = (row.relation, total.relation)
        relation = _STRICT if _STRICT in relations else "<=" if "<=" in relations else _EQUAL
        total = total.plus(row, times, relation)
    return total
