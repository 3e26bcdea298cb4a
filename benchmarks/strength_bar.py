"""Draws what another bar on strength would have meant, from runs of `probatum bench … --json --rows`.

Usage: python benchmarks/strength_bar.py OUT.svg RUN.json

A row says how many mutants were killed, so that the rule can be asked again with another bar, and with parts of
it left out. Writes a plain SVG of two panels, and prints the table that goes with it. Refuses runs without rows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from probatum.bench.sets import set_named
from probatum.core.shape import Shape
from probatum.programs.decide import DEFAULT_MIN_STRENGTH

BARS = tuple(round(0.5 + step * 0.05, 2) for step in range(10))
_FEWEST = 2
_JUDGED = frozenset({"program.tested", "program.weak_checks"})
"""Programs for which strength alone decides."""


@dataclass(frozen=True, slots=True)
class Row:
    """One program of a run: whether it is right, and what a rule about strength may ask."""

    is_right: bool
    constraint: str
    noticed: int
    planted: int
    aside: int
    idle: int


@dataclass(frozen=True, slots=True)
class Point:
    """What one bar gives."""

    bar: float
    right: int
    verified: int
    programs: int

    @property
    def precision(self) -> float | None:
        """The share of VERIFIED programs that are right; None where none is VERIFIED."""
        return self.right / self.verified if self.verified else None

    @property
    def coverage(self) -> float:
        """The share of all programs that are VERIFIED."""
        return self.verified / self.programs


@dataclass(frozen=True, slots=True)
class Line:
    """One rule over all bars."""

    name: str
    points: tuple[Point, ...]


def rows_of(document: Mapping[str, object], right: frozenset[str]) -> list[Row]:
    """Read the rows of a bench document.

    Raises:
        ValueError: it has none, or they are malformed.
    """
    return [
        Row(
            row.text("label") in right,
            row.text("constraint"),
            *(row.whole(key) for key in ("noticed", "planted", "aside", "idle")),
        )
        for row in Shape(document).items("rows", least=1)
    ]


def line_of(name: str, rows: Sequence[Row], *, half: bool = True, idle: bool = True) -> Line:
    """Return the line of the rule; ``half`` and ``idle`` False leave out those parts of it."""
    points = []
    for bar in BARS:
        verified = [row for row in rows if _is_verified(row, bar, half=half, idle=idle)]
        points.append(Point(bar, sum(row.is_right for row in verified), len(verified), len(rows)))
    return Line(name, tuple(points))


def _is_verified(row: Row, bar: float, *, half: bool, idle: bool) -> bool:
    if row.constraint not in _JUDGED or (idle and row.idle):
        return False
    if half and row.planted < row.aside:
        return False
    if row.noticed == row.planted:
        return row.planted >= _FEWEST
    return row.noticed > 0 and (row.noticed + 1) / (row.planted + 2) >= bar


def table_of(lines: Sequence[Line]) -> str:
    """Return the lines as one Markdown table."""
    head = ["bar", *(line.name for line in lines)]
    rows = [" | ".join(head), " | ".join("---" for _ in head)]
    for number, bar in enumerate(BARS):
        rows.append(" | ".join([f"{bar:.2f}", *(_shown(line.points[number]) for line in lines)]))
    return "\n".join(f"| {row} |" for row in rows) + "\n"


def _shown(point: Point) -> str:
    precision = "-" if point.precision is None else f"{point.precision:.1%}"
    return f"{precision} right of {point.verified} ({point.coverage:.1%})"


_WIDTH, _PANEL, _LEFT, _TOP, _GAP = 720, 200, 60, 40, 60
_LOOKS = ("stroke-width='3'", "stroke-width='2' stroke-dasharray='6 4'", "stroke-width='2' stroke-dasharray='2 3'")


def drawn(title: str, lines: Sequence[Line], *, bar_in_use: float) -> str:
    """Return an SVG: precision above, coverage below, the bar in use as an upright line."""
    height = _TOP + 2 * _PANEL + 2 * _GAP + 20 * len(lines)
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {_WIDTH} {height}' font-family='sans-serif'"
        " font-size='13' fill='currentColor' color='#444'>",
        f"<title>{escape(title)}</title>",
        f"<text x='{_LEFT}' y='22' font-size='15'>{escape(title)}</text>",
    ]
    precisions = [[point.precision for point in line.points] for line in lines]
    coverages: list[list[float | None]] = [[point.coverage for point in line.points] for line in lines]
    parts += _panel(_TOP, "share of VERIFIED programs that are right", precisions, bar_in_use)
    parts += _panel(_TOP + _PANEL + _GAP, "share of programs that are VERIFIED", coverages, bar_in_use)
    for number, line in enumerate(lines):
        y = _TOP + 2 * _PANEL + _GAP + 40 + 20 * number
        parts.append(f"<path d='M{_LEFT} {y - 4}h40' stroke='currentColor' {_LOOKS[number % len(_LOOKS)]}/>")
        parts.append(f"<text x='{_LEFT + 50}' y='{y}'>{escape(line.name)}</text>")
    return "\n".join([*parts, "</svg>\n"])


def _panel(top: int, title: str, series: Sequence[Sequence[float | None]], bar_in_use: float) -> list[str]:
    known = [value for values in series for value in values if value is not None]
    low, high = _range(known)
    parts = [f"<text x='{_LEFT}' y='{top + 12}'>{escape(title)}</text>"]
    for step in range(5):
        value = low + (high - low) * step / 4
        y = _y(value, low, high, top)
        parts.append(f"<path d='M{_LEFT} {y:.1f}H{_WIDTH - 20}' stroke='#bbb' stroke-width='0.5'/>")
        parts.append(f"<text x='{_LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{value:.1%}</text>")
    for bar in BARS:
        parts.append(f"<text x='{_x(bar):.1f}' y='{top + _PANEL + 18}' text-anchor='middle'>{bar:.2f}</text>")
    parts.append(f"<path d='M{_x(bar_in_use):.1f} {top + 18}V{top + _PANEL}' stroke='#999' stroke-width='1'/>")
    for number, values in enumerate(series):
        places = [
            f"{_x(bar):.1f} {_y(value, low, high, top):.1f}"
            for bar, value in zip(BARS, values, strict=True)
            if value is not None
        ]
        looks = _LOOKS[number % len(_LOOKS)]
        parts.append(f"<path d='M{' L'.join(places)}' fill='none' stroke='currentColor' {looks}/>")
    return parts


def _range(values: Sequence[float]) -> tuple[float, float]:
    low = int(min(values, default=0.0) * 20) / 20
    high = -int(-max(values, default=1.0) * 20 // 1) / 20
    return (low, high) if high > low else (low, low + 0.05)


def _x(bar: float) -> float:
    return _LEFT + 10 + (bar - BARS[0]) / (BARS[-1] - BARS[0]) * (_WIDTH - _LEFT - 40)


def _y(value: float, low: float, high: float, top: int) -> float:
    return top + _PANEL - (value - low) / (high - low) * (_PANEL - 24)


def main(out: str, run: str) -> None:
    """Draw one run."""
    document = json.loads(Path(run).read_text(encoding="utf-8"))
    rows = rows_of(document, set_named(document["set"]).right)
    lines = [
        line_of("the rule in use", rows),
        line_of("without asking that half of the faults count", rows, half=False),
        line_of("the bar alone", rows, half=False, idle=False),
    ]
    title = f"{document['set']}: what the bar does to {len(rows)} programs"
    Path(out).write_text(drawn(title, lines, bar_in_use=DEFAULT_MIN_STRENGTH), encoding="utf-8")
    print(table_of(lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
