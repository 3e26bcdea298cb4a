"""Where a drawing puts things: layers by the longest path, nothing above anything else, the same each time."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.sheet import Diagram, Edge, Mark, Vertex
from probatum.report.diagram import BETWEEN, HEIGHT, WIDTH, drawn
from probatum.report.shown import MOST, bounded
from tests.report.sheets import DIAGRAM


def diagram_of(edges: list[tuple[int, int]], count: int, **marks: Mark) -> Diagram:
    vertices = tuple(Vertex(str(index), str(index), "g") for index in range(count))
    return Diagram(vertices, tuple(Edge(str(one), str(other), **marks) for one, other in edges))


def layers(diagram: Diagram) -> dict[str, int]:
    corners = zip(diagram.vertices, drawn(diagram).corners, strict=True)
    return {vertex.id: x // (WIDTH + BETWEEN) for vertex, (x, _) in corners}


LAYERS = {
    "the longest path counts": ([(0, 1), (1, 2), (0, 2)], {"0": 0, "1": 1, "2": 2}),
    "a circle is cut where it closes": ([(0, 1), (1, 2), (2, 0)], {"0": 0, "1": 1, "2": 2}),
    "alone": ([(1, 1)], {"0": 0, "1": 0, "2": 0}),
    "two ways": ([(0, 1), (1, 0), (2, 1)], {"0": 0, "1": 1, "2": 0}),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    edges, expected = LAYERS[name]
    assert layers(diagram_of(edges, 3)) == expected


def test_a_conflict_of_peers_does_not_order_them() -> None:
    assert layers(DIAGRAM) == {"e1": 0, "e2": 0, "c1": 1, "c2": 1, "d": 2, "p": 0}
    assert layers(diagram_of([(0, 1)], 2, mark=Mark.UNDECIDED)) == {"0": 0, "1": 1}


@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), max_size=60))
def test_no_box_covers_another_and_all_is_within(edges: list[tuple[int, int]]) -> None:
    diagram = diagram_of(edges, 15)
    drawing = drawn(diagram)
    assert drawn(diagram) == drawing
    columns: dict[int, list[int]] = {}
    for x, y in drawing.corners:
        columns.setdefault(x, []).append(y)
        assert 0 <= x <= drawing.width - WIDTH
        assert 0 <= y <= drawing.height - HEIGHT
    for column in map(sorted, columns.values()):
        assert all(lower - upper >= HEIGHT for upper, lower in pairwise(column))
    for path, *label in drawing.routes:
        points = [(int(x), int(y)) for x, y in re.findall(r"(?<![l\d-])(-?\d+),(-?\d+)", path)]
        assert all(0 <= x <= drawing.width and 0 <= y <= drawing.height for x, y in [*points, tuple(label)])


def test_the_largest_drawing_is_bounded() -> None:
    count = MOST + 50
    longest = [(index, index + 1) for index in range(count - 1)]
    diagram, left_out = bounded(diagram_of([*longest, *((0, index) for index in range(count))] * 3, count))
    assert left_out
    assert (len(diagram.vertices), len(diagram.edges)) == (MOST, 2 * MOST)
    assert sum(path.count("C") for path, _, _ in drawn(diagram).routes) <= 2 * MOST * MOST
