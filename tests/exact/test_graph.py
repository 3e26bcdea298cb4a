"""Paths, distances, cycles, connection and degrees of given edges."""

from __future__ import annotations

import json
from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.exact import check, decide
from probatum.exact.sealing import sealed
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
)

CHAIN = ["A -> B", "B -> C", "C -> D", "X -> A"]
WEIGHTED = ["A -[1.5]-> B", "B -[2]-> C", "A -[4]-> C"]
TRIANGLE = "A -- B\nB -- C\nC -- A"
TREE = ["A -- B", "B -- C", "D -- E"]
RING = ["A -> B", "B -> C", "C -> A"]
TRUE = [
    (CHAIN, "path('A', 'D')"),
    (CHAIN, "not path('D', 'A')"),
    (CHAIN, "path('X', 'D') and not path('D', 'X')"),
    (CHAIN, "distance('A', 'D') == 3"),
    (CHAIN, "acyclic and distance('A', 'D') == 3"),
    (CHAIN, "acyclic"),
    (CHAIN, "weakly_connected"),
    (CHAIN, "not strongly_connected"),
    (CHAIN, "degree('B') == 2"),
    (CHAIN, "in_degree('B') == 1"),
    (CHAIN, "out_degree('D') == 0"),
    (CHAIN, "edge('A', 'B')"),
    (["A→B", "B → C"], "path('A', 'C')"),
    (WEIGHTED, "distance('A', 'C') == 3.5"),
    (WEIGHTED, "distance('A', 'C') == 7/2"),
    (WEIGHTED, "edge('A', 'C')"),
    (WEIGHTED, "distance('A', 'C') <= 3.5"),
    (WEIGHTED, "distance('A', 'C') > 3"),
    (WEIGHTED, "distance('A', 'C') != 4"),
    (WEIGHTED, "degree('A') >= 2"),
    (TRIANGLE, "not acyclic"),
    (TRIANGLE, "connected"),
    (TRIANGLE, "path('C', 'B')"),
    (TRIANGLE, "edge('B', 'A')"),
    (TREE, "acyclic"),
    (TREE, "not connected"),
    (TREE, "not path('A', 'D')"),
    (RING, "strongly_connected"),
    (RING, "connected"),
    (RING, "not acyclic"),
    (["A -> A"], "not acyclic"),
    (["A -- A"], "not acyclic"),
    (["A -- A"], "degree('A') == 2"),
    (["A -> B", "B -> A"], "not acyclic"),
    (["A -[0.1]- B", "B -[0.2]- C"], "distance('C', 'A') == 0.3"),
    (["New York -[flies to]-> Los Angeles"], "path('New York', 'Los Angeles')"),
    (["A to B -> is C"], "path('A to B', 'is C')"),
]
FALSE = [
    (CHAIN, "path('D', 'A')"),
    (CHAIN, "not path('A', 'D')"),
    (CHAIN, "path('A', 'D') and path('D', 'A')"),
    (CHAIN, "distance('A', 'D') == 2"),
    (CHAIN, "distance('D', 'A') == 3"),
    (CHAIN, "not acyclic"),
    (CHAIN, "strongly_connected"),
    (CHAIN, "degree('B') == 1"),
    (WEIGHTED, "distance('A', 'C') == 2"),
    (WEIGHTED, "distance('A', 'C') == 4"),
    (WEIGHTED, "distance('A', 'C') == 3.500001"),
    (WEIGHTED, "distance('C', 'A') <= 100"),
    (WEIGHTED, "degree('A') > 2"),
    (TRIANGLE, "acyclic"),
    (TRIANGLE, "not connected"),
    (TREE, "connected"),
    (TREE, "not acyclic"),
]


@pytest.mark.parametrize(("edges", "statement"), TRUE)
def test_true_claims_about_edges_are_proved(edges: object, statement: str) -> None:
    claim = claim_of("graph", statement, edge=edges)
    assert check(claim, decide(claim).evidence) == "graph.holds"
    assert outcome_of("graph", statement, edge=edges) == (PROVED, "graph.holds")
    require_every_digit_counts(claim_of("graph", statement, edge=edges))


@pytest.mark.parametrize(("edges", "statement"), FALSE)
def test_false_claims_about_edges_are_refuted(edges: object, statement: str) -> None:
    assert outcome_of("graph", statement, edge=edges) == (REFUTED, "graph.fails")


@pytest.mark.parametrize(
    ("edges", "statement", "constraint"),
    [
        (CHAIN, "path('A', 'Z')", "graph.no_node"),
        (CHAIN, "path('a', 'D')", "graph.no_node"),
        (CHAIN, "path('A', 'A')", "graph.ambiguous"),
        (CHAIN, "distance('D', 'A') > 3", "graph.ambiguous"),
        (CHAIN, "connected", "graph.ambiguous"),
        (CHAIN, "edge('A', 'C')", "graph.not_stated"),
        (CHAIN, "edge('B', 'A')", "graph.not_stated"),
        (CHAIN, "not edge('A', 'C')", "graph.not_stated"),
        (["A -> B", "B -- C"], "acyclic", "graph.ambiguous"),
        (["A -> B", "B -- C"], "in_degree('B') == 1", "graph.ambiguous"),
        (["A -[2]-> B", "B -> C"], "distance('A', 'C') == 3", "graph.ambiguous"),
        (["A -[cost 5]-> B"], "distance('A', 'B') == 1", "graph.ambiguous"),
    ],
)
def test_what_can_mean_more_than_one_thing_is_not_decided(edges: object, statement: str, constraint: str) -> None:
    assert outcome_of("graph", statement, edge=edges) == (UNDECIDED, constraint)


@pytest.mark.parametrize(
    "edges",
    [
        ["A -> "],
        ["A B"],
        ["A => B"],
        ["A -> B -> C"],
        ["A -> B", "A -> B"],
        ["A -- B", "B -- A"],
        ["A -[-1]-> B"],
        ["A -[5 km]-> B"],
        ["A -[1e3]-> B"],
        ["A -[nan"],
        ["A -> B", "B\u200b -> C"],
        ["A -> B", "\u0412 -> C"],
        ["A -> \u00e9", "e\u0301 -> C"],
        [3],
        5,
        [],
        "",
    ],
)
def test_what_is_no_graph_is_blocked(edges: object) -> None:
    assert outcome_of("graph", "path('A', 'B')", edge=edges)[0] is BLOCKED


@pytest.mark.parametrize(
    "statement",
    [
        "hello",
        "A",
        "path",
        "path('A')",
        "path('A', 'B', 'C')",
        "path('A', 'B') == 1",
        "distance('A', 'B')",
        "distance('A', 'B') == 'C'",
        "1 == 1",
        "degree('B') == 2.x",
        "1 < degree('B') < 3",
        "path(1, 2)",
        "",
    ],
)
def test_what_is_no_claim_about_a_graph_is_blocked(statement: str) -> None:
    expected = (UNDECIDED, "graph.no_node") if "1, 2" in statement else (BLOCKED, "graph.syntax")
    assert outcome_of("graph", statement, edge=CHAIN) == expected


def test_a_large_graph_is_decided_and_a_larger_one_is_refused() -> None:
    edges = [f"n{each} -> n{each + 1}" for each in range(4_000)]
    assert outcome_of("graph", "distance('n0', 'n4000') == 4000", edge=edges)[0] is PROVED
    assert outcome_of("graph", "acyclic", edge=edges)[0] is PROVED
    assert outcome_of("graph", "strongly_connected", edge=edges)[0] is REFUTED
    assert outcome_of("graph", "acyclic", edge=[f"n{each} -> m" for each in range(6_000)])[1] == "engine.too_large"


@pytest.mark.parametrize("certificate", [{}, {"digest": ""}, {"path": ["A", "D"]}, {"closed": ["A"]}, {"shown": []}])
def test_a_certificate_that_shows_nothing_is_refused(certificate: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("graph", "path('A', 'D')", edge=CHAIN), certificate)


def test_a_distance_that_is_no_number_is_refused() -> None:
    question = "distance('A', 'D') == 3"
    shown = {"question": question, "path": ["A", "B", "C", "D"], "distances": [["A", "1/0"]]}
    with pytest.raises(ValueError):
        check(claim_of("graph", question, edge=CHAIN), sealed({"form": "graph", "shown": [shown]}))


# Random graphs against searches that are written here

ENDS = st.tuples(st.integers(0, 5), st.integers(0, 5))
GRAPHS = st.tuples(
    st.booleans(),
    st.dictionaries(ENDS, st.integers(0, 4), min_size=1, max_size=9),
)
Graph = tuple[bool, dict[tuple[int, int], int]]


def _clean(graph: Graph) -> tuple[bool, dict[tuple[int, int], int]]:
    is_directed, edges = graph
    return is_directed, edges if is_directed else {(min(ends), max(ends)): weight for ends, weight in edges.items()}


def _after(graph: Graph, *, both: bool = False) -> dict[int, dict[int, int]]:
    is_directed, edges = graph
    after: dict[int, dict[int, int]] = {node: {} for ends in edges for node in ends}
    for (tail, head), weight in edges.items():
        after[tail][head] = weight
        if both or not is_directed:
            after[head][tail] = min(weight, after[head].get(tail, weight))
    return after


def _reached(after: dict[int, dict[int, int]], start: int) -> set[int]:
    seen, queue = {start}, deque([start])
    while queue:
        for node in after[queue.popleft()]:
            if node not in seen:
                seen.add(node)
                queue.append(node)
    return seen


def _distances(after: dict[int, dict[int, int]], start: int) -> dict[int, int]:
    away = {start: 0}
    for _ in after:
        for node, there in list(away.items()):
            for following, weight in after[node].items():
                away[following] = min(away.get(following, 10**6), there + weight)
    return away


def _has_cycle(graph: Graph) -> bool:
    is_directed, edges = graph
    after = _after(graph)
    if is_directed:
        return any(tail in _reached(after, head) for tail, head in edges)
    parts = {frozenset(_reached(after, node)) for node in after}
    return len(edges) != len(after) - len(parts)


@settings(max_examples=150, deadline=None)
@given(GRAPHS, st.integers(0, 99), st.integers(0, 99))
def test_answers_are_those_of_plain_searches(drawn: Graph, one: int, other: int) -> None:
    graph = _clean(drawn)
    arrow = "->" if graph[0] else "-"
    edges = [f"n{tail} -[{weight}]{arrow} n{head}" for (tail, head), weight in graph[1].items()]
    after, nodes = _after(graph), sorted(_after(graph))
    a, b = nodes[one % len(nodes)], nodes[other % len(nodes)]
    cases = [("not acyclic", _has_cycle(graph))]
    everyone = set(nodes)
    weakly = _reached(_after(graph, both=True), nodes[0]) == everyone
    cases.append(("weakly_connected", weakly))
    cases.append(("strongly_connected", all(_reached(after, node) == everyone for node in nodes)))
    degree = sum((tail == a) + (head == a) for tail, head in graph[1])
    cases += [(f"degree('n{a}') == {degree}", True), (f"degree('n{a}') == {degree + 1}", False)]
    if a != b:
        away = _distances(after, a)
        cases += [(f"path('n{a}', 'n{b}')", b in away), (f"not path('n{a}', 'n{b}')", b not in away)]
        cases += [(f"distance('n{a}', 'n{b}') == {away.get(b, 0)}", b in away)]
        cases += [(f"distance('n{a}', 'n{b}') == {Fraction(away.get(b, 0)) + 1}", False)]
    for statement, is_true in cases:
        assert outcome_of("graph", statement, edge=edges)[0] is (PROVED if is_true else REFUTED), statement


@settings(max_examples=50, deadline=None)
@given(GRAPHS)
def test_certificates_of_one_claim_say_nothing_about_its_opposite(drawn: Graph) -> None:
    graph = _clean(drawn)
    edges = [f"n{tail} {'->' if graph[0] else '--'} n{head}" for tail, head in graph[1]]
    pairs = [("acyclic", "not acyclic"), ("weakly_connected", "not weakly_connected")]
    for pair in pairs:
        for one, other in (pair, pair[::-1]):
            ruling = decide(claim_of("graph", one, edge=edges))
            if ruling.outcome is PROVED:
                with pytest.raises(ValueError):
                    check(claim_of("graph", other, edge=edges), json.loads(json.dumps(ruling.to_json()))["evidence"])
