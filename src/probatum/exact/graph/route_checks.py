"""Checks what shows an answer about a graph, without looking for paths: edge by edge, set by set.

- A node cannot be reached where a set that no edge leaves has the start and not the goal (a cut).
- Numbers that no edge raises by more than its length are at most the distances from where they are 0, so that a path
  of that length is a shortest one (optimality conditions; Ahuja, Magnanti, Orlin, *Network Flows*, 1993, theorem 5.1).
- A directed graph has no cycle exactly where its nodes have a topological order (Kahn 1962); an undirected one where
  they have an order in which every node has at most one later neighbour (a forest is 1-degenerate).
- A graph is connected exactly where a tree spans it, strongly where one does there and one back.

Raises ValueError for whatever shows neither the one nor the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from probatum.core.shape import Shape
from probatum.exact.graph.network import Network
from probatum.exact.graph.routes import GraphQuestion, degree_of, edges_between
from probatum.exact.real_roots import read_number_text


def shows(question: GraphQuestion, network: Network, shown: Mapping[str, object]) -> bool:
    """Return whether a certificate shows that what a question is about is there; False where it shows the opposite.

    Raises ValueError where it shows neither.
    """
    return _CHECKS[question.form](question, network, Shape(shown, "certificate"))


def _path(question: GraphQuestion, network: Network, shape: Shape) -> bool:
    if shape.has("path"):
        _require_path(question, network, shape.exactly("path").texts("path"))
        return True
    closed = _closed(network, shape, "closed")
    _require(question.a in closed and question.b not in closed, "the set does not part the two nodes")
    return False


def _distance(question: GraphQuestion, network: Network, shape: Shape) -> bool:
    if not shape.has("path"):
        _require(question.needs_path, "without a path nothing is said of the distance")
        return _path(question, network, shape)
    path = shape.exactly("path", "distances").texts("path")
    _require_path(question, network, path)
    away: dict[str, Fraction] = {}
    for pair in shape.items("distances"):
        node, length = pair.texts()
        away[node] = read_number_text(length)
    _require(network.has_weights is not None and away.get(question.a) == 0, "the distances start at the first node")
    for node, length_there in away.items():
        for following, more in network.after.get(node, {}).items():
            _require(following in away and away[following] <= length_there + more, "a node is nearer than an edge says")
    length_of_path = sum(network.after[node][following] for node, following in pairwise(path))
    _require(away[question.b] == length_of_path, "the path is longer than the distance")
    return question.holds(Fraction(length_of_path))


def _acyclic(_question: GraphQuestion, network: Network, shape: Shape) -> bool:
    _require(network.is_directed is not None, "some edges have a direction and some have none")
    if shape.has("cycle"):
        cycle = shape.exactly("cycle").texts("cycle")
        is_distinct = len(set(cycle)) == len(cycle) - 1 and cycle[0] == cycle[-1]
        _require(is_distinct and (network.is_directed is True or len(cycle) != 3), "this is no cycle")
        _require_steps(network, cycle)
        return False
    order = shape.exactly("order").texts("order")
    places = {node: place for place, node in enumerate(order)}
    _require(places.keys() == network.nodes and len(order) == len(places), "the order holds every node once")
    later = dict.fromkeys(order, 0)
    for edge in network.edges:
        _require(edge.tail != edge.head, "an edge is a loop")
        later[min(edge.tail, edge.head, key=places.__getitem__)] += 1
    if network.is_directed:
        _require(all(places[edge.tail] < places[edge.head] for edge in network.edges), "an edge leads back")
    else:
        _require(max(later.values()) <= 1, "two edges lead on from a node")
    return True


def _connected(question: GraphQuestion, network: Network, shape: Shape) -> bool:
    if shape.has("tree"):
        _require(question.what == "weakly" or network.is_directed is False, "a direction may stand in the way")
        _require_tree(network.undirected(), shape.exactly("tree"), "tree")
        return True
    if shape.has("there"):
        _require_tree(network, shape.exactly("there", "back"), "there")
        _require_tree(network.reversed(), shape, "back")
        return True
    ways = {"cut": network.undirected(), "closed": network, "closed_back": network.reversed()}
    name = next((name for name in ways if shape.has(name)), "cut")
    closed = _closed(ways[name], shape, name)
    _require(0 < len(closed) < len(network.nodes), "the set parts nothing")
    _require(name == "cut" or question.what == "strongly", "weakly, it may be connected")
    return False


def _degree(question: GraphQuestion, network: Network, shape: Shape) -> bool:
    incident = [edge for edge in network.edges if question.a in (edge.tail, edge.head)]
    listed = shape.exactly("edges").raw_list("edges")
    _require(listed == [edge.written for edge in incident], "these are not the edges of the node")
    return question.holds(Fraction(degree_of(question, incident)))


def _edge(question: GraphQuestion, network: Network, shape: Shape) -> bool:
    listed = shape.exactly("edges").raw_list("edges", 1)
    _require(listed == edges_between(question, network), "these are not the edges that are given")
    return True


_CHECKS: Final[Mapping[str, Callable[[GraphQuestion, Network, Shape], bool]]] = {
    "path": _path,
    "distance": _distance,
    "acyclic": _acyclic,
    "connected": _connected,
    "degree": _degree,
    "edge": _edge,
}


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)


def _require_steps(network: Network, nodes: Sequence[str]) -> None:
    for node, following in pairwise(nodes):
        _require(following in network.after.get(node, ()), "there is no such edge")


def _require_path(question: GraphQuestion, network: Network, path: Sequence[str]) -> None:
    _require(len(path) > 1 and (path[0], path[-1]) == (question.a, question.b), "the path joins other nodes")
    _require_steps(network, path)


def _closed(network: Network, shape: Shape, key: str) -> set[str]:
    """Return a set of nodes that no edge leaves; raises ValueError where one does."""
    listed = shape.exactly(key).texts(key)
    inside = set(listed)
    _require(len(inside) == len(listed) and inside <= network.nodes, "a node stands there twice, or is none")
    _require(all(network.after.get(node, {}).keys() <= inside for node in inside), "an edge leaves the set")
    return inside


def _require_tree(network: Network, shape: Shape, key: str) -> None:
    """Raise unless every node but the first in order hangs on one before it."""
    reached = {min(network.nodes)}
    for pair in shape.items(key):
        node, before = pair.texts()
        _require(node not in reached and before in reached, "a node hangs on nothing")
        _require_steps(network, (before, node))
        reached.add(node)
    _require(reached == network.nodes, "a node is missing")
