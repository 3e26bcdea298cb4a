"""Where the parts of a diagram stand: layers from left to right by the longest path, few crossings, no overlap.

Whole numbers, the same for the same diagram. A circle is cut where it closes. Refuses to draw without bound: of a large
diagram the first vertices are drawn, those that fail or are undecided before all others, and it says what is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum
from typing import Final, Protocol, TypeVar

from probatum.core.messages import counted
from probatum.core.sheet import Diagram, Edge, Mark, Vertex

MOST_VERTICES: Final = 200
MOST_EDGES: Final = 400
WIDTH: Final = 192
HEIGHT: Final = 64
BETWEEN: Final = 96
_GAP: Final = 18
# The room of an edge that passes a layer.
_PASSING: Final = 12
_ROUNDS: Final = 6
_WEIGHT: Final = {Mark.FAILS: 0, Mark.UNDECIDED: 1}


class Marked(Protocol):
    """What has a mark."""

    @property
    def mark(self) -> Mark: ...


_Any = TypeVar("_Any", bound=Marked)


def first_of(items: Sequence[_Any], most: int) -> tuple[_Any, ...]:
    """Return at most so many, in their order: what fails comes before what is undecided, and that before the rest."""
    ranked = sorted(range(len(items)), key=lambda number: _WEIGHT.get(items[number].mark, 2))
    return tuple(items[number] for number in sorted(ranked[:most]))


def bounded(diagram: Diagram, most: int = MOST_VERTICES) -> tuple[Diagram, str]:
    """Return what can be drawn of it, and a sentence about what is left out, empty where nothing is.

    An id that comes twice names its first vertex; an edge needs both its ends.
    """
    once: dict[str, Vertex] = {}
    for vertex in diagram.vertices:
        once.setdefault(vertex.id, vertex)
    vertices = first_of(tuple(once.values()), most)
    shown = {vertex.id for vertex in vertices}
    edges = first_of([each for each in diagram.edges if {each.source, each.target} <= shown], min(2 * most, MOST_EDGES))
    counts = (
        (len(diagram.vertices) - len(vertices), counted(len(diagram.vertices), "node")),
        (len(diagram.edges) - len(edges), counted(len(diagram.edges), "edge")),
    )
    left_out = " and ".join(f"{left:,} of {all_of_them}" for left, all_of_them in counts if left)
    return replace(diagram, vertices=vertices, edges=edges), f"Left out: {left_out}." if left_out else ""


@dataclass(frozen=True, slots=True)
class Placed:
    """One vertex with its upper left corner."""

    vertex: Vertex
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Route:
    """One edge through points: where it leaves its source, passes layers, and reaches its target."""

    edge: Edge
    points: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A diagram with all its places, in pixels."""

    width: int
    height: int
    placed: tuple[Placed, ...]
    routes: tuple[Route, ...]


def drawn(diagram: Diagram) -> Drawing:
    """Return where everything stands; ids are unique, and every edge has both its ends, as `bounded` leaves them."""
    number = {vertex.id: index for index, vertex in enumerate(diagram.vertices)}
    ends = [(number[each.source], number[each.target]) for each in diagram.edges]
    layer_of = _layers(diagram, ends)
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    for index, layer in enumerate(layer_of):
        layers[layer].append(index)
    chains = []
    for source, target in ends:
        left, right = sorted((source, target), key=lambda end: layer_of[end])
        passed = []
        for layer in range(layer_of[left] + 1, layer_of[right]):
            passed.append(len(layer_of))
            layers[layer].append(len(layer_of))
            layer_of.append(layer)
        chain = [left, *passed, right]
        chains.append(chain if left == source else chain[::-1])
    middle = _settled(layers, chains, len(diagram.vertices), layer_of)
    highest = min(middle, default=0) - HEIGHT // 2
    x_of = [layer * (WIDTH + BETWEEN) for layer in layer_of]
    y_of = [round(y - highest) for y in middle]
    routes = tuple(
        Route(edge, _points(chain, x_of, y_of, layer_of)) for edge, chain in zip(diagram.edges, chains, strict=True)
    )
    placed = tuple(Placed(each, x_of[i], y_of[i] - HEIGHT // 2) for i, each in enumerate(diagram.vertices))
    # Edges within a layer bulge to the right of it.
    width = max(x_of, default=0) + WIDTH + BETWEEN // 2
    return Drawing(width, max(y_of, default=0) + HEIGHT // 2, placed, routes)


def _layers(diagram: Diagram, ends: Sequence[tuple[int, int]]) -> list[int]:
    """Return the layer of each vertex: the longest way to it, over edges that order their ends and close no circle."""
    count = len(diagram.vertices)
    following: list[list[int]] = [[] for _ in range(count)]
    for edge, (source, target) in zip(diagram.edges, ends, strict=True):
        groups = (diagram.vertices[source].group, diagram.vertices[target].group)
        if not (edge.mark is Mark.FAILS and groups[0] == groups[1] != ""):
            following[source].append(target)
    # Finished vertices, each after all that it leads to; an edge to one that is only begun closes a circle.
    begun, finished, order = set[int](), set[int](), list[int]()
    kept: list[list[int]] = [[] for _ in range(count)]
    for start in range(count):
        pending = [(start, iter(following[start]))] if start not in begun else []
        begun.add(start)
        while pending:
            source, targets = pending[-1]
            for target in targets:
                if target in begun and target not in finished:
                    continue
                kept[source].append(target)
                if target not in begun:
                    begun.add(target)
                    pending.append((target, iter(following[target])))
                    break
            else:
                finished.add(source)
                order.append(source)
                pending.pop()
    layer = [0] * count
    for source in reversed(order):
        for target in kept[source]:
            layer[target] = max(layer[target], layer[source] + 1)
    return layer


def _settled(
    layers: Sequence[list[int]], chains: Iterable[Sequence[int]], vertices: int, layer_of: Sequence[int]
) -> list[float]:
    """Order each layer by its neighbours, and return the middle of everything, close to those of its neighbours."""
    neighbours: list[list[int]] = [[] for _ in layer_of]
    for chain in chains:
        for one, other in pairwise(chain):
            neighbours[one].append(other)
            neighbours[other].append(one)
    room = [HEIGHT + _GAP if index < vertices else _PASSING for index in range(len(layer_of))]
    middle = [0.0] * len(layer_of)
    for layer in layers:
        _place(layer, dict.fromkeys(layer, 0.0), room, middle)
    for turn in range(_ROUNDS):
        towards = -1 if turn % 2 == 0 else 1
        for layer in layers[::-towards]:
            wanted = {}
            for index in layer:
                beside = [middle[each] for each in neighbours[index] if layer_of[each] == layer_of[index] + towards]
                wanted[index] = fsum(beside) / len(beside) if beside else middle[index]
            layer.sort(key=wanted.__getitem__)
            _place(layer, wanted, room, middle)
    return middle


def _place(layer: Sequence[int], wanted: Mapping[int, float], room: Sequence[int], middle: list[float]) -> None:
    """Set the middles of one layer in its order, without overlap, least squares away from where they are wanted."""
    offsets, offset = [], 0.0
    blocks: list[tuple[float, int]] = []
    for position, index in enumerate(layer):
        offset += (room[layer[position - 1]] + room[index]) / 2 if position else 0
        offsets.append(offset)
        total, count = wanted[index] - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] >= total / count:
            before = blocks.pop()
            total, count = total + before[0], count + before[1]
        blocks.append((total, count))
    starts = [total / count for total, count in blocks for _ in range(count)]
    for index, start, own in zip(layer, starts, offsets, strict=True):
        middle[index] = start + own


def _points(
    chain: Sequence[int], x_of: Sequence[int], y_of: Sequence[int], layer_of: Sequence[int]
) -> tuple[tuple[int, int], ...]:
    """Return the points of one edge, from side to side; an edge within a layer leaves and reaches it at the right."""
    first, *passed, last = chain
    step = layer_of[last] - layer_of[first]
    if step == 0:
        apart = HEIGHT // 4 if first == last else 0
        return ((x_of[first] + WIDTH, y_of[first] - apart), (x_of[last] + WIDTH, y_of[last] + apart))
    out, into = (WIDTH, 0) if step > 0 else (0, WIDTH)
    points = [(x_of[first] + out, y_of[first])]
    for index in passed:
        points += [(x_of[index] + into, y_of[index]), (x_of[index] + out, y_of[index])]
    return (*points, (x_of[last] + into, y_of[last]))
