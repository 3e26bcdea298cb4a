"""Claims about edges: random graphs, with the lengths of all shortest paths by Floyd and Warshall."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from math import inf
from random import Random
from typing import Final

from tests.exact.generated.claim import Made, decimal_places, families, fixed, nearly, related, written

Edge = tuple[str, str, Fraction]
Lengths = dict[tuple[str, str], Fraction | float]
_NAMES: Final = ("A", "B", "C", "D", "E", "F", "node 1", "Berlin", "x_2", "Rome")


def _lengths(nodes: list[str], edges: list[Edge], is_directed: bool) -> Lengths:
    found: Lengths = {(a, b): Fraction(0) if a == b else inf for a, b in product(nodes, repeat=2)}
    for a, b, weight in edges:
        for pair in [(a, b)] if is_directed else [(a, b), (b, a)]:
            found[pair] = min(found[pair], weight)
    for middle, a, b in product(nodes, repeat=3):
        found[a, b] = min(found[a, b], found[a, middle] + found[middle, b])
    return found


def _has_cycle(nodes: list[str], edges: list[Edge], is_directed: bool) -> bool:
    """Say whether ends that nothing leaves, or where one edge only is left, can not all be taken away."""
    left, before = list(edges), len(edges) + 1
    while len(left) < before:
        before = len(left)
        ends = [a for a, _, _ in left] + ([] if is_directed else [b for _, b, _ in left])
        taken = {node for node in nodes if ends.count(node) <= (0 if is_directed else 1)}
        left = [(a, b, w) for a, b, w in left if b not in taken and (is_directed or a not in taken)]
    return bool(left)


def _graph(random: Random) -> tuple[list[str], list[Edge], bool, list[str]]:
    """Return nodes that all have edges, the edges, whether they have directions, and how they are given."""
    names = random.sample(_NAMES, random.randint(3, 6))
    is_directed, is_weighted = random.random() < 0.6, random.random() < 0.4
    pairs = [pair for pair in permutations(names, 2) if is_directed or pair[0] < pair[1]]
    edges = [
        (a, b, Fraction(random.randint(0, 30), random.choice([1, 2, 10])) if is_weighted else Fraction(1))
        for a, b in random.sample(pairs, random.randint(2, min(len(pairs), len(names) + 2)))
    ]
    end = ">" if is_directed else ""
    plain = "->" if is_directed else "--"
    rows = [f"{a} -[{written(w)}]-{end} {b}" if is_weighted else f"{a} {plain} {b}" for a, b, w in edges]
    return sorted({node for edge in edges for node in edge[:2]}), edges, is_directed, rows


def _shown(value: Fraction) -> str:
    return fixed(value, decimal_places(value) or 0)


def _given(random: Random, rows: list[str]) -> dict[str, object]:
    return {"edge": random.choice([rows, rows, "\n".join(rows)])}


def _paths(random: Random, truth: bool) -> Made:
    nodes, edges, is_directed, rows = _graph(random)
    a, b = random.sample(nodes, 2)
    is_there = _lengths(nodes, edges, is_directed)[a, b] < inf
    text = f"path({a!r}, {b!r})"
    return text if is_there is truth else f"not {text}", _given(random, rows)


def _distances(random: Random, truth: bool) -> Made:
    while True:
        nodes, edges, is_directed, rows = _graph(random)
        a, b = random.sample(nodes, 2)
        length = _lengths(nodes, edges, is_directed)[a, b]
        if isinstance(length, Fraction):
            break
    told = abs(nearly(random, length))
    told = length if truth and random.random() < 0.7 else length + 1 if told == length else told
    sign = _python(related(random, length, told, truth))
    return f"distance({a!r}, {b!r}) {sign} {_shown(told)}", _given(random, rows)


def _python(sign: str) -> str:
    return {"=": "==", "≠": "!=", "≤": "<=", "≥": ">="}.get(sign, sign)


def _cycles_and_connection(random: Random, truth: bool) -> Made:
    """A property of all of the graph."""
    while True:
        nodes, edges, is_directed, rows = _graph(random)
        there = _lengths(nodes, edges, is_directed)
        lines = _lengths(nodes, edges, False)
        cycle = _has_cycle(nodes, edges, is_directed)
        strongly, weakly = (all(each < inf for each in lengths.values()) for lengths in (there, lines))
        facts = {"acyclic": not cycle, "not acyclic": cycle}
        if strongly or not weakly:
            facts |= {"connected": strongly, "not connected": not strongly}
        if is_directed:
            facts |= {"strongly_connected": strongly, "weakly_connected": weakly, "not weakly_connected": not weakly}
        facts |= {f"{one} and {two}": facts[one] and facts[two] for one in facts for two in facts if one != two}
        fits = [text for text, holds in facts.items() if holds is truth]
        if fits:
            return random.choice(fits), _given(random, rows)


def _degrees(random: Random, truth: bool) -> Made:
    nodes, edges, is_directed, rows = _graph(random)
    node = random.choice(nodes)
    out, into = (sum(edge[at] == node for edge in edges) for at in (0, 1))
    kinds = {"degree": out + into}
    if is_directed:
        kinds |= {"out_degree": out, "in_degree": into}
    kind, value = random.choice(list(kinds.items()))
    told = value if truth else value + random.choice([-1, 1] if value else [1])
    return f"{kind}({node!r}) == {told}", _given(random, rows)


def _edges(random: Random, truth: bool) -> Made:
    """An edge that is given, or one in the other direction; that one is missing is not said by the others."""
    nodes, edges, is_directed, rows = _graph(random)
    given = {each[:2] for each in edges} | {each[1::-1] for each in edges if not is_directed}
    pairs = [pair for pair in product(nodes, repeat=2) if (pair in given) is truth]
    a, b = random.choice(pairs or [("Nowhere", nodes[0])])
    return f"edge({a!r}, {b!r})", _given(random, rows)


FAMILIES: Final = (
    *families("graph", _paths, _distances, _cycles_and_connection, _degrees),
    *families("graph", _edges, is_false_open=True),
)
