"""Claims of logic over real numbers: inequalities that meet in a known point."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, families, written

_NAMES: Final = ("x", "y", "z")


def _sum(coefficients: list[Fraction], names: tuple[str, ...]) -> str:
    parts = []
    for coefficient, name in zip(coefficients, names, strict=True):
        if coefficient:
            sign = "-" if coefficient < 0 else "+"
            parts.append(f"{sign} {written(abs(coefficient))}*{name}")
    text = " ".join(parts)
    return text.removeprefix("+ ") if text else "0"


def _corner(random: Random) -> tuple[tuple[str, ...], list[list[Fraction]], list[Fraction], list[Fraction]]:
    """Return rows that all meet in a point, what their sums are there, and how often each goes into a combination."""
    names = _NAMES[: random.randint(2, 3)]
    point = [Fraction(random.randint(-9, 9), random.choice([1, 1, 2, 3])) for _ in names]
    # Every row falls in one direction, so that points near the corner satisfy all of them, strictly too.
    way = [Fraction(random.randint(1, 7)) for _ in names]
    rows = []
    for _ in range(random.randint(2, 4)):
        row = [Fraction(random.randint(-4, 4)) for _ in names]
        rise = sum((a * b for a, b in zip(row, way, strict=True)), Fraction(0))
        rows.append([-each if rise > 0 else each for each in row] if rise else [Fraction(-1) for _ in names])
    bounds = [sum((a * b for a, b in zip(row, point, strict=True)), Fraction(0)) for row in rows]
    weights = [Fraction(random.randint(0, 3)) for _ in rows]
    if not any(weights):
        weights[0] = Fraction(1)
    return names, rows, bounds, weights


def _combination_of_inequalities(random: Random, truth: bool) -> Made:
    names, rows, bounds, weights = _corner(random)
    total = [sum((w * row[i] for w, row in zip(weights, rows, strict=True)), Fraction(0)) for i in range(len(names))]
    bound = sum((w * b for w, b in zip(weights, bounds, strict=True)), Fraction(0))
    premises = [f"{_sum(row, names)} <= {written(b)}" for row, b in zip(rows, bounds, strict=True)]
    step = Fraction(1, 10 ** random.randint(0, 6))
    sign, told = random.choice([("<=", bound), ("<", bound + step)] if truth else [("<", bound), ("<=", bound - step)])
    return f"{_sum(total, names)} {sign} {written(told)}", {
        "declare": [f"{', '.join(names)}: real"],
        "premise": premises,
    }


def _optimum_at_a_corner(random: Random, truth: bool) -> Made:
    names, rows, bounds, weights = _corner(random)
    total = [sum((w * row[i] for w, row in zip(weights, rows, strict=True)), Fraction(0)) for i in range(len(names))]
    bound = sum((w * b for w, b in zip(weights, bounds, strict=True)), Fraction(0))
    strict = not truth and random.random() < 0.5
    at = next(index for index, weight in enumerate(weights) if weight)
    signs = ["<" if strict and index == at else "<=" for index in range(len(rows))]
    premises = [f"{_sum(row, names)} {sign} {written(b)}" for row, sign, b in zip(rows, signs, bounds, strict=True)]
    told = bound
    if not truth and not strict:
        told += random.choice([-1, 1]) * Fraction(1, random.choice([1, 10, 1000]))
    if random.random() < 0.5:
        total, told, word = [-each for each in total], -told, "minimum"
    else:
        word = "maximum"
    given = {"declare": [f"{', '.join(names)}: real"], "premise": premises}
    return f"{word}({_sum(total, names)}) == {written(told)}", given


FAMILIES: Final = (
    *families("logic", _optimum_at_a_corner),
    # What does not follow is not false for that.
    *families("logic", _combination_of_inequalities, is_false_open=True),
)
