"""Draws how often programs are right by the confidence that was stated for them, as a plain SVG.

One panel for each series: a bar for each tenth, its height the share that is right, a dot where the mean of the stated
confidences lies, and the number of programs. Refuses nothing: a tenth without programs has no bar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from probatum.bench.calibration import BINS, Bin

_LEFT, _TOP, _SIDE, _GAP = 46, 30, 260, 60


def drawn(series: Mapping[str, Sequence[Bin | None]]) -> str:
    """Return the drawing."""
    width, height = _LEFT + len(series) * (_SIDE + _GAP), _TOP + _SIDE + 46
    head = (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {height}' width='{width}' height='{height}'"
        " font-family='sans-serif' font-size='12' fill='currentColor'>"
    )
    panels = [_panel(_LEFT + number * (_SIDE + _GAP), *each) for number, each in enumerate(series.items())]
    return "\n".join([head, *panels, "</svg>\n"])


def _panel(left: int, name: str, bins: Sequence[Bin | None]) -> str:
    base = _TOP + _SIDE
    parts = [f"<text x='{left}' y='{_TOP - 12}'>{escape(name)}</text>"]
    for step in range(0, BINS + 1, 2):
        place = step * _SIDE / BINS
        parts.append(f"<path d='M{left} {base - place:.0f}h{_SIDE}' stroke='#bbb' stroke-width='0.5'/>")
        parts.append(f"<text x='{left - 6}' y='{base - place + 4:.0f}' text-anchor='end'>{step / BINS:.0%}</text>")
        parts.append(f"<text x='{left + place:.0f}' y='{base + 18}' text-anchor='middle'>{step / BINS:.1f}</text>")
    wide = _SIDE / BINS
    for number, each in enumerate(bins):
        if each is None:
            continue
        begin, tall = left + number * wide, each.right * _SIDE
        parts.append(
            f"<rect x='{begin + 2:.1f}' y='{base - tall:.1f}' width='{wide - 4:.1f}' height='{max(tall, 1):.1f}'"
            " fill='#8ab' fill-opacity='0.7'/>"
        )
        parts.append(
            f"<text x='{begin + wide / 2:.1f}' y='{base - 4}' font-size='9' text-anchor='middle'>{each.programs}</text>"
        )
        parts.append(f"<circle cx='{left + each.stated * _SIDE:.1f}' cy='{base - tall:.1f}' r='3'/>")
    parts.append(f"<path d='M{left} {base}L{left + _SIDE} {_TOP}' stroke='currentColor' stroke-dasharray='4 3'/>")
    parts.append(f"<text x='{left + _SIDE / 2:.0f}' y='{base + 36}' text-anchor='middle'>confidence</text>")
    return "\n".join(parts)
