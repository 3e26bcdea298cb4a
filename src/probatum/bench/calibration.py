"""How far confidences can be relied on: whether they tell right from wrong, and are as often right as they say.

Right and wrong weigh alike in every figure, whatever a set holds of either: a confidence is stated for programs of
which as many are right as wrong. Refuses to measure where one of the two is missing: the figures are None then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

BINS = 10


@dataclass(frozen=True, slots=True)
class Rated:
    """One program: the confidence that was stated, and whether it is right."""

    confidence: float
    is_right: bool
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Bin:
    """Programs of like confidence."""

    programs: int
    weight: float
    stated: float
    """Their mean confidence."""
    right: float
    """Which part of them is right."""


@dataclass(frozen=True, slots=True)
class Reliability:
    """The figures of one set."""

    auc: float
    """How often a right program has more confidence than a wrong one; ties count half."""
    brier: float
    """The mean square of the difference between confidence and what was right."""
    by_width: float
    """The expected calibration error over ten bins of equal width."""
    by_count: float
    """The same over ten bins of about equally many programs."""


def reliability(rows: Sequence[Rated]) -> Reliability | None:
    """Return the figures of a set; None where all or none of its programs are right."""
    if len({row.is_right for row in rows}) < 2:
        return None
    even = evened(rows)
    width, count = (_calibration_error(bins) for bins in (bins_by_width(even), bins_by_count(even)))
    return Reliability(_auc(even), _brier(even), width, count)


def evened(rows: Sequence[Rated]) -> list[Rated]:
    """Return the programs with weights by which the right ones weigh as much as the wrong ones."""
    sums = {kind: sum(row.weight for row in rows if row.is_right is kind) for kind in (True, False)}
    half = (sums[True] + sums[False]) / 2
    return [Rated(row.confidence, row.is_right, row.weight * half / sums[row.is_right]) for row in rows]


def bins_by_width(rows: Iterable[Rated]) -> list[Bin | None]:
    """Return a bin for each tenth from 0 to 1, its lower end included; None for one without programs."""
    members: list[list[Rated]] = [[] for _ in range(BINS)]
    for row in rows:
        # 0.3 * 10 is a little above 3, 0.29 * 100 a little below 29: what is meant has few places.
        members[min(BINS - 1, int(round(row.confidence * BINS, 6)))].append(row)
    return [_bin(some) if some else None for some in members]


def bins_by_count(rows: Iterable[Rated]) -> list[Bin | None]:
    """Return up to ten bins of about equal weight; programs of one confidence stay together."""
    in_order = sorted(rows, key=lambda row: row.confidence)
    total, before = sum(row.weight for row in in_order), 0.0
    members: list[list[Rated]] = [[] for _ in range(BINS)]
    for _, alike in groupby(in_order, key=lambda row: row.confidence):
        some = list(alike)
        weight = sum(row.weight for row in some)
        members[min(BINS - 1, int((before + weight / 2) / total * BINS))] += some
        before += weight
    return [_bin(some) if some else None for some in members]


def _bin(rows: Sequence[Rated]) -> Bin:
    weight = sum(row.weight for row in rows)
    stated = sum(row.weight * row.confidence for row in rows) / weight
    return Bin(len(rows), weight, stated, sum(row.weight for row in rows if row.is_right) / weight)


def _calibration_error(bins: Iterable[Bin | None]) -> float:
    some = [each for each in bins if each]
    return sum(each.weight * abs(each.stated - each.right) for each in some) / sum(each.weight for each in some)


def _brier(rows: Sequence[Rated]) -> float:
    return sum(row.weight * (row.confidence - row.is_right) ** 2 for row in rows) / sum(row.weight for row in rows)


def _auc(rows: Sequence[Rated]) -> float:
    below, won = 0.0, 0.0
    for _, alike in groupby(sorted(rows, key=lambda row: row.confidence), key=lambda row: row.confidence):
        some = list(alike)
        right = sum(row.weight for row in some if row.is_right)
        wrong = sum(row.weight for row in some if not row.is_right)
        won += right * (below + wrong / 2)
        below += wrong
    return won / (below * sum(row.weight for row in rows if row.is_right))
