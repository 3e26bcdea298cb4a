"""Triples of a text, and paths, distances, cycles, connection and degrees of given edges."""

from __future__ import annotations

import json
from collections import deque
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.exact import check, decide
from probatum.exact.english.sealing import sealed
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
)

FOUNDED = "Alice founded Acme."


@pytest.mark.parametrize(
    ("context", "statement", "expected"),
    [
        (FOUNDED, FOUNDED, (PROVED, "graph.stated")),
        (FOUNDED, "Acme was founded by Alice.", (PROVED, "graph.stated")),
        ("Alice founded Acme in 2010.", "Acme was founded by Alice in 2010.", (PROVED, "graph.stated")),
        ("Acme was founded by Alice in 2010.", "Alice founded Acme in 2015.", (UNDECIDED, "graph.not_stated")),
        ("Acme was founded by Alice in Rome.", "Alice founded Acme in Rome.", (UNDECIDED, "graph.no_facts")),
        (FOUNDED, "Alice founded Acme and Alice lives in Paris.", (UNDECIDED, "graph.partial")),
        ("Alice founded Acme and Alice lives in Paris.", FOUNDED, (PROVED, "graph.stated")),
        ("Alice founded Acme and Beta.", "Alice founded Beta.", (PROVED, "graph.stated")),
        (FOUNDED, "Acme founded Alice.", (UNDECIDED, "graph.not_stated")),
        (FOUNDED, "Alice did not found Acme.", (REFUTED, "graph.denied")),
        ("Alice did not found Acme.", FOUNDED, (REFUTED, "graph.denied")),
        ("Alice did not found Acme.", "Alice did not found Acme.", (PROVED, "graph.stated")),
        (FOUNDED, "It is false that Alice founded Acme.", (UNDECIDED, "graph.not_read")),
        (FOUNDED, "Alice founded Acme or Beta.", (UNDECIDED, "graph.not_read")),
        (FOUNDED, "Alice might have founded Acme.", (UNDECIDED, "graph.not_read")),
        (FOUNDED, "Alice founds Acme.", (UNDECIDED, "graph.not_stated")),
        ("Alice founded Acme in 2010.", "Alice founded Acme in 2015.", (UNDECIDED, "graph.not_stated")),
        ("Alice founded Acme in 2010.", "Alice founded Acme in 2010.", (PROVED, "graph.stated")),
        ("Alice founded Acme in 2010.", FOUNDED, (UNDECIDED, "graph.not_stated")),
        (FOUNDED, "Alice founded Acme in 2010.", (UNDECIDED, "graph.not_stated")),
        ("Alice may have founded Acme.", FOUNDED, (UNDECIDED, "graph.no_facts")),
        ("The house was built by the river.", "The river built the house.", (UNDECIDED, "graph.not_stated")),
        ("The work was finished by Monday.", "Monday finished the work.", (UNDECIDED, "graph.not_stated")),
        ("Alice founded Acme. That is false.", FOUNDED, (UNDECIDED, "graph.scope")),
        ("Alice founded Acme. Alice did not found Acme.", FOUNDED, (UNDECIDED, "graph.contradiction")),
        (FOUNDED, "", (BLOCKED, "graph.empty")),
        ("", FOUNDED, (BLOCKED, "graph.empty")),
        (FOUNDED, "Did Alice found Acme?", (BLOCKED, "graph.statement")),
    ],
)
def test_a_sentence_is_compared_with_the_triples_of_a_text(
    context: str, statement: str, expected: tuple[object, str]
) -> None:
    assert outcome_of("graph", statement, context=context) == expected
    if expected[0] is PROVED:
        require_every_digit_counts(claim_of("graph", statement, context=context))


def test_advice_decides_nothing() -> None:
    advice = [{"provider": "nli", "label": "ENTAILMENT", "score": 0.99}]
    expected = (UNDECIDED, "graph.llm_fallback")
    assert outcome_of("graph", "Acme founded Alice.", context=FOUNDED, advice=advice) == expected
    drift = [*advice, {"provider": "other", "label": "CONTRADICTION"}]
    assert outcome_of("graph", "path from A to B", edge=["B -> C"], advice=drift)[1] == "graph.provider_drift"
    plain, advised = (decide(claim_of("graph", FOUNDED, context=FOUNDED, **more)) for more in ({}, {"advice": advice}))
    assert plain == advised


CHAIN = ["A -> B", "B -> C", "C -> D", "X -> A"]
WEIGHTED = ["A -[1.5]-> B", "B -[2]-> C", "A -[4]-> C"]
TRIANGLE = "A -- B\nB -- C\nC -- A"
TREE = ["A -- B", "B -- C", "D -- E"]
RING = ["A -> B", "B -> C", "C -> A"]
TRUE = [
    (CHAIN, "path from A to D"),
    (CHAIN, "There is a path from A to D."),
    (CHAIN, "no path from D to A"),
    (CHAIN, "X reaches D"),
    (CHAIN, "D cannot reach A"),
    (CHAIN, "distance(A, D) = 3"),
    (CHAIN, "The distance from A to D is 3."),
    (CHAIN, "the shortest path from X to D has length 4"),
    (CHAIN, "acyclic"),
    (CHAIN, "the graph has no cycles"),
    (CHAIN, "weakly connected"),
    (CHAIN, "the graph is not strongly connected"),
    (CHAIN, "degree of B = 2"),
    (CHAIN, "in-degree of B is 1"),
    (CHAIN, "out-degree(D) = 0"),
    (CHAIN, "A -> B"),
    (CHAIN, "A->B"),
    (CHAIN, "D is reachable from A"),
    (CHAIN, "A is not reachable from D"),
    (CHAIN, "the graph is a DAG"),
    (CHAIN, "there is a directed path from A to D"),
    (CHAIN, "D has in-degree 1"),
    (["A→B", "B → C"], "path from A to C"),
    (WEIGHTED, "distance(A, C) = 3.5"),
    (WEIGHTED, "the length of the shortest path from A to C is 3.50"),
    (WEIGHTED, "A -[4]-> C"),
    (WEIGHTED, "distance(A, C) <= 3.5"),
    (WEIGHTED, "the distance from A to C is more than 3"),
    (WEIGHTED, "the shortest path from A to C has length at most 4"),
    (WEIGHTED, "distance(A, C) ≠ 4"),
    (WEIGHTED, "distance(A, C) == 3.5"),
    (WEIGHTED, "degree of A is at least 2"),
    (TRIANGLE, "the graph has a cycle"),
    (TRIANGLE, "the graph is connected"),
    (TRIANGLE, "path from C to B"),
    (TREE, "acyclic"),
    (TREE, "the graph is disconnected"),
    (TREE, "no path from A to D"),
    (RING, "strongly connected"),
    (RING, "connected"),
    (RING, "there is a cycle"),
    (["A -> A"], "the graph has a cycle"),
    (["A -- A"], "the graph has a cycle"),
    (["A -- A"], "degree of A = 2"),
    (["A -> B", "B -> A"], "the graph has a cycle"),
    (["A -[0.1]- B", "B -[0.2]- C"], "distance(C, A) = 0.3"),
    (["New York -[flies to]-> Los Angeles"], "path from New York to Los Angeles"),
]
FALSE = [
    (CHAIN, "path from D to A"),
    (CHAIN, "no path from A to D"),
    (CHAIN, "distance(A, D) = 2"),
    (CHAIN, "distance(D, A) = 3"),
    (CHAIN, "the graph has a cycle"),
    (CHAIN, "strongly connected"),
    (CHAIN, "degree of B = 1"),
    (WEIGHTED, "distance(A, C) = 2"),
    (WEIGHTED, "distance(A, C) = 4"),
    (WEIGHTED, "distance(A, C) = 3.500001"),
    (WEIGHTED, "distance from A to C is at least 3.50000000000000001"),
    (WEIGHTED, "distance(C, A) <= 100"),
    (WEIGHTED, "degree(A) > 2"),
    (TRIANGLE, "acyclic"),
    (TRIANGLE, "disconnected"),
    (TREE, "connected"),
    (TREE, "the graph has a cycle"),
]


@pytest.mark.parametrize(("edges", "statement"), TRUE)
def test_true_claims_about_edges_are_proved(edges: object, statement: str) -> None:
    assert outcome_of("graph", statement, edge=edges) == (PROVED, "graph.holds")
    require_every_digit_counts(claim_of("graph", statement, edge=edges))


@pytest.mark.parametrize(("edges", "statement"), FALSE)
def test_false_claims_about_edges_are_refuted(edges: object, statement: str) -> None:
    assert outcome_of("graph", statement, edge=edges) == (REFUTED, "graph.fails")


@pytest.mark.parametrize(
    ("edges", "statement", "constraint"),
    [
        (CHAIN, "path from A to Z", "graph.no_node"),
        (CHAIN, "path from a to D", "graph.no_node"),
        (CHAIN, "path from A to D via B", "graph.no_node"),
        (CHAIN, "path from A to D and path from D to A", "graph.no_node"),
        (CHAIN, "path from A to A", "graph.ambiguous"),
        (CHAIN, "distance(D, A) > 3", "graph.ambiguous"),
        (CHAIN, "the graph is connected", "graph.ambiguous"),
        (CHAIN, "A -> C", "graph.not_stated"),
        (CHAIN, "A -- B", "graph.not_stated"),
        (["A -> B", "B -- C"], "acyclic", "graph.ambiguous"),
        (TREE, "directed path from A to B", "graph.ambiguous"),
        (TREE, "the graph is a DAG", "graph.ambiguous"),
        (["A -> B", "B -- C"], "in-degree of B = 1", "graph.ambiguous"),
        (["A -[2]-> B", "B -> C"], "distance(A, C) = 3", "graph.ambiguous"),
        (["A -[cost 5]-> B"], "distance(A, B) = 1", "graph.ambiguous"),
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
        ["A to B -> C"],
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
    assert outcome_of("graph", "path from A to B", edge=edges)[0] is BLOCKED


@pytest.mark.parametrize(
    "statement", ["hello", "A", "is the graph connected?", "A -> B and B -> C", "degree of B = 2.x", ""]
)
def test_what_is_no_claim_about_a_graph_is_blocked(statement: str) -> None:
    assert outcome_of("graph", statement, edge=CHAIN)[0] is BLOCKED


def test_a_large_graph_is_decided_and_a_larger_one_is_refused() -> None:
    edges = [f"n{each} -> n{each + 1}" for each in range(4_000)]
    assert outcome_of("graph", "distance(n0, n4000) = 4000", edge=edges)[0] is PROVED
    assert outcome_of("graph", "acyclic", edge=edges)[0] is PROVED
    assert outcome_of("graph", "strongly connected", edge=edges)[0] is REFUTED
    assert outcome_of("graph", "acyclic", edge=[f"n{each} -> m" for each in range(6_000)])[1] == "engine.too_large"


@pytest.mark.parametrize("certificate", [{}, {"digest": ""}, {"path": ["A", "D"]}, {"closed": ["A"]}, {"atoms": []}])
def test_a_certificate_that_shows_nothing_is_refused(certificate: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        check(claim_of("graph", "path from A to D", edge=CHAIN), certificate)


def test_a_distance_that_is_no_number_is_refused() -> None:
    shown = {"path": ["A", "B", "C", "D"], "distances": [["A", "1/0"]]}
    with pytest.raises(ValueError):
        check(claim_of("graph", "distance(A, D) = 3", edge=CHAIN), sealed(shown))


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
    cases = [("the graph has a cycle", _has_cycle(graph))]
    everyone = set(nodes)
    weakly = _reached(_after(graph, both=True), nodes[0]) == everyone
    cases.append(("weakly connected", weakly))
    cases.append(("strongly connected", all(_reached(after, node) == everyone for node in nodes)))
    degree = sum((tail == a) + (head == a) for tail, head in graph[1])
    cases += [(f"degree(n{a}) = {degree}", True), (f"degree(n{a}) = {degree + 1}", False)]
    if a != b:
        away = _distances(after, a)
        cases += [(f"path from n{a} to n{b}", b in away), (f"no path from n{a} to n{b}", b not in away)]
        cases += [(f"distance(n{a}, n{b}) = {away.get(b, 0)}", b in away)]
        cases += [(f"distance(n{a}, n{b}) = {Fraction(away.get(b, 0)) + 1}", False)]
    for statement, is_true in cases:
        assert outcome_of("graph", statement, edge=edges)[0] is (PROVED if is_true else REFUTED), statement


@settings(max_examples=50, deadline=None)
@given(GRAPHS)
def test_certificates_of_one_claim_say_nothing_about_its_opposite(drawn: Graph) -> None:
    graph = _clean(drawn)
    edges = [f"n{tail} {'->' if graph[0] else '--'} n{head}" for tail, head in graph[1]]
    pairs = [("acyclic", "the graph has a cycle"), ("weakly connected", "not weakly connected")]
    for pair in pairs:
        for one, other in (pair, pair[::-1]):
            ruling = decide(claim_of("graph", one, edge=edges))
            if ruling.outcome is PROVED:
                with pytest.raises(ValueError):
                    check(claim_of("graph", other, edge=edges), json.loads(json.dumps(ruling.to_json()))["evidence"])
