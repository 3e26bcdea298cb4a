"""A diagram as SVG that stands within a page: curves between boxes, whose looks the page gives by class.

Text is made visible, shortened and escaped, and no box lets it out.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from itertools import pairwise

from probatum.core.messages import counted
from probatum.core.outside import clipped, visible
from probatum.core.sheet import Diagram, Mark
from probatum.report.diagram import BETWEEN, HEIGHT, WIDTH, Placed, Route, drawn
from probatum.report.layout import SYMBOL_MARKS

# Characters of one line in a box, where those of East Asian scripts count twice.
_LINE = 25
_MARGIN = 4


def svg(diagram: Diagram, id: str) -> str:
    """Return the drawing of a diagram as `bounded` leaves it; ``id`` is not used elsewhere on the page."""
    drawing = drawn(diagram)
    width, height = drawing.width + 2 * _MARGIN, drawing.height + 2 * _MARGIN
    marks = [*(each.mark for each in diagram.vertices), *(each.mark for each in diagram.edges)]
    counts = [counted(len(diagram.vertices), "node"), counted(len(diagram.edges), "edge")]
    counts += [f"{marks.count(mark)} {mark}" for mark in (Mark.FAILS, Mark.UNDECIDED) if mark in marks]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="{id}-title {id}-desc"'
        f' width="{width}" height="{height}" viewBox="{-_MARGIN} {-_MARGIN} {width} {height}">',
        f'<title id="{id}-title">{_safe(diagram.title)}</title>',
        f'<desc id="{id}-desc">{", ".join(counts)}; from left to right</desc>',
        *(line for route in drawing.routes for line in _curve(route)),
        *map(_box, drawing.placed),
        # Above all boxes, or a box would hide what matters.
        *(line for route in drawing.routes for line in _tag(route)),
        "</svg>",
    ]
    return "\n".join(lines)


def _safe(text: str) -> str:
    return escape(visible(clipped(text)))


def _curve(route: Route) -> Iterable[str]:
    (x, y), *rest = route.points
    path = f"M{x},{y}"
    if len(rest) == 1 and rest[0][0] == x:
        bulge, end = x + BETWEEN // 2, rest[0]
        path += f" C{bulge},{y} {bulge},{end[1]} {end[0]},{end[1]}"
        back = 6
    else:
        for (x0, y0), (x1, y1) in pairwise(route.points):
            half = (x0 + x1) // 2
            path += f" L{x1},{y1}" if y0 == y1 else f" C{half},{y0} {half},{y1} {x1},{y1}"
        back = -6 if rest[-1][0] > x else 6
    x, y = rest[-1]
    said = _safe(route.edge.label)
    yield f'<g class="edge {route.edge.mark}"><title>{said}</title><path d="{path}"/>'
    yield f'<path stroke-dasharray="none" d="M{x + back},{y - 4} L{x},{y} L{x + back},{y + 4}"/></g>'


def _tag(route: Route) -> Iterable[str]:
    """Yield the label of an edge that must not be overlooked; those of the others stand in the list."""
    edge = route.edge
    if edge.mark not in {Mark.FAILS, Mark.UNDECIDED}:
        return
    (x0, y0), (x1, y1) = route.points[:2]
    # On the curve; beside one within a layer, whose boxes leave no room to its left.
    at = f'x="{x0 + 8}"' if x0 == x1 else f'x="{(x0 + x1) // 2}" text-anchor="middle"'
    label = _lines(edge.label, 12)[0] if edge.label else ""
    sign = f"{SYMBOL_MARKS[edge.mark]} {escape(label)}".rstrip()
    yield f'<text class="tag {edge.mark}" {at} y="{(y0 + y1) // 2 + 4}">{sign}</text>'


def _box(placed: Placed) -> str:
    vertex = placed.vertex
    state = "" if vertex.mark is Mark.NOTE else f"{SYMBOL_MARKS[vertex.mark]} {vertex.mark}"
    lines = _lines(vertex.title, _LINE, 2)
    group = _lines(vertex.group, 16)[0] if vertex.group else ""
    middle = 42 if len(lines) == 1 else 36
    texts = "".join(
        f'<text class="what" x="12" y="{middle + 16 * row}">{escape(line)}</text>' for row, line in enumerate(lines)
    )
    return (
        f'<svg class="box {vertex.mark}" x="{placed.x}" y="{placed.y}" width="{WIDTH}" height="{HEIGHT}">'
        f'<title>{_safe(vertex.title)}</title><rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="8"/>'
        f'<text class="small" x="12" y="17">{escape(group)}</text>'
        f'<text class="small {vertex.mark}" x="{WIDTH - 12}" y="17" text-anchor="end">{state}</text>{texts}</svg>'
    )


def _lines(text: str, most: int, count: int = 1) -> list[str]:
    """Return a text as at most ``count`` lines, broken at spaces where it can be, with an ellipsis if it goes on."""
    rest = visible(clipped(text))
    lines: list[str] = []
    while rest and len(lines) < count:
        end = used = 0
        while end < len(rest) and (used := used + (2 if rest[end] >= "\u1100" else 1)) <= most:
            end += 1
        if end < len(rest) and len(lines) + 1 == count:
            lines.append(f"{rest[: end - 1].rstrip()}…")
            break
        space = rest.rfind(" ", 0, end + 1) if end < len(rest) else -1
        end = space if space > most // 2 else end
        lines.append(rest[:end])
        rest = rest[end:].lstrip()
    return lines or [""]
