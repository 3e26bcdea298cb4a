"""Where the parts of a diagram stand: layers from left to right by the longest path, few crossings, no overlap.

Whole pixels, the same for the same diagram. Of a circle, the edge that closes it leads back.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from statistics import fmean
from typing import Final

from probatum.core.sheet import Diagram, Mark

WIDTH: Final = 200
HEIGHT: Final = 76
BETWEEN: Final = 100
_GAP: Final = 20
# The room of an edge that passes a layer.
_PASSING: Final = 12
_ROUNDS: Final = 6


@dataclass(frozen=True, slots=True)
class Drawing:
    """In the order of the diagram the upper left corner of each vertex, and of each edge its path and label's place."""

    corners: list[tuple[int, int]]
    routes: list[tuple[str, int, int]]
    width: int
    height: int


def drawn(diagram: Diagram) -> Drawing:
    """Return where everything stands; ids are unique, and every edge has both its ends, as `bounded` leaves them."""
    number = {vertex.id: index for index, vertex in enumerate(diagram.vertices)}
    ends = [(number[edge.source], number[edge.target]) for edge in diagram.edges]
    layer_of = _layers(diagram, ends)
    chains = []
    for source, target in ends:
        step = 1 if layer_of[source] < layer_of[target] else -1
        passed = range(layer_of[source] + step, layer_of[target], step)
        chains.append([source, *range(len(layer_of), len(layer_of) + len(passed)), target])
        layer_of.extend(passed)
    middles = _middles(layer_of, chains, len(number))
    places = [(layer * (WIDTH + BETWEEN), y) for layer, y in zip(layer_of, middles, strict=True)]
    corners = [(x, y - HEIGHT // 2) for x, y in places[: len(number)]]
    # Edges among peers bulge to the right.
    width, height = max(x for x, _ in places) + WIDTH + BETWEEN, max(middles) + (HEIGHT + _GAP) // 2
    return Drawing(corners, [_route([places[index] for index in chain]) for chain in chains], width, height)


def _layers(diagram: Diagram, ends: list[tuple[int, int]]) -> list[int]:
    """Return the layer of each vertex: the longest way to it, over edges that order their ends and close no circle."""
    group = [vertex.group for vertex in diagram.vertices]
    leading: list[list[int]] = [[] for _ in group]
    # Each with all that comes before it.
    before = [{vertex} for vertex in range(len(group))]
    for edge, (source, target) in zip(diagram.edges, ends, strict=True):
        peers = edge.mark is Mark.FAILS and group[source] == group[target] != ""
        if not peers and target not in before[source]:
            leading[target].append(source)
            for each in before:
                if target in each:
                    each.update(before[source])
    layer_of = [0] * len(group)
    for vertex in sorted(range(len(group)), key=lambda vertex: len(before[vertex])):
        layer_of[vertex] = max((layer_of[source] + 1 for source in leading[vertex]), default=0)
    return layer_of


def _middles(layer_of: list[int], chains: list[list[int]], boxes: int) -> list[int]:
    """Return the height at which the middle of everything stands, each layer in the order of its neighbours."""
    columns: dict[int, list[int]] = defaultdict(list)
    for index, layer in enumerate(layer_of):
        columns[layer].append(index)
    # By the step from layer to layer.
    neighbours: dict[tuple[int, int], list[int]] = defaultdict(list)
    for one, other in (pair for chain in chains for way in (chain, chain[::-1]) for pair in pairwise(way)):
        neighbours[one, layer_of[other] - layer_of[one]].append(other)
    rooms = [HEIGHT + _GAP if index < boxes else _PASSING for index in range(len(layer_of))]
    heights = {layer: sum(rooms[index] for index in column) for layer, column in columns.items()}
    middle = [0] * len(layer_of)
    for turn in range(_ROUNDS):
        towards = -1 if turn % 2 == 0 else 1
        for layer in sorted(columns, reverse=towards > 0):
            wanted = {}
            for index in columns[layer]:
                wanted[index] = fmean([middle[each] for each in neighbours[index, towards]] or [middle[index]])
            y = (max(heights.values()) - heights[layer]) // 2
            for index in sorted(wanted, key=wanted.__getitem__):
                middle[index] = y + rooms[index] // 2
                y += rooms[index]
    return middle


def _route(places: list[tuple[int, int]]) -> tuple[str, int, int]:
    """Return the path of an edge through these places, from side to side, peers at the right, and its label's place."""
    pieces, labels = [], []
    for (x0, y0), (x1, y1) in pairwise(places):
        out, into = x0 + WIDTH * (x0 <= x1), x1 + WIDTH * (x0 >= x1)
        bend = (out + into) // 2 + (BETWEEN // 2 if out == into else 0)
        apart = HEIGHT // 6 if (x0, y0) == (x1, y1) else 0
        pieces.append(f"{out},{y0 - apart} C{bend},{y0 - apart} {bend},{y1 + apart} {into},{y1 + apart}")
        labels.append(((out + into + 6 * bend) // 8, (y0 + y1) // 2))
    end, back = f" M{into},{y1 + apart}", -6 if bend < into else 6
    return f"M{' L'.join(pieces)}{end} l{back},-4{end} l{back},4", *labels[0]
