"""Questions about a graph and their answers: paths, distances, cycles, connection and degrees.

A question is a call, or the comparison of one with a number: ``path('A', 'D')``, ``distance('A', 'D') <= 3``. A path is
shown by its nodes, and that there is none by a set that no edge leaves; a distance by a path and by numbers that no
edge raises by more than its length; no cycle by an order; connection by a tree. Refuses a node that no edge has, and
what can mean more than one thing for these edges.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.core.errors import NotAttemptedError
from probatum.exact.claim import CannotDecideError
from probatum.exact.expressions import TESTS
from probatum.exact.formulas import RELATIONS, called, constant
from probatum.exact.graph.network import GraphEdge, Network, path_between, peeled, reached_from

SYNTAX: Final = "graph.syntax"
_FORMS: Final = {
    "path": ("path", "", 2),
    "distance": ("distance", "", 2),
    "edge": ("edge", "", 2),
    "acyclic": ("acyclic", "", 0),
    "connected": ("connected", "", 0),
    "strongly_connected": ("connected", "strongly", 0),
    "weakly_connected": ("connected", "weakly", 0),
    "degree": ("degree", "", 1),
    "in_degree": ("degree", "in", 1),
    "out_degree": ("degree", "out", 1),
}
"""By name: the form of a question, what it is about more exactly, and how many nodes it names."""
_NUMBERS: Final = ("distance", "degree")


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A question about a graph: its form, its nodes and its number."""

    form: str
    a: str = ""
    b: str = ""
    number: Fraction = Fraction(0)
    what: str = ""
    relation: str = "="

    def holds(self, found: Fraction) -> bool:
        """Return whether a number that is found stands in the relation to the claimed one."""
        return bool(TESTS[self.relation](found, self.number))

    @property
    def needs_path(self) -> bool:
        """Whether a distance without a path is surely not what is claimed."""
        return self.relation in ("=", "<", "<=")


def read_question(node: ast.expr, network: Network) -> GraphQuestion:
    """Return the question that a formula without ``and``, ``or`` and ``not`` asks; raises NotAttemptedError."""
    relation, number, call = "", Fraction(0), node
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        relation, call = RELATIONS[type(node.ops[0])], node.left
        claimed = constant(node.comparators[0])
        if not isinstance(claimed, Fraction):
            raise NotAttemptedError(SYNTAX, f"{ast.unparse(node.comparators[0])[:80]!r} is not a number.")
        number = claimed
    name, nodes = called(call) or ("", ())
    form, what, count = _FORMS.get(name, ("", "", 0))
    if not form or len(nodes) != count or (form in _NUMBERS) is not bool(relation):
        raise NotAttemptedError(SYNTAX, f"{ast.unparse(node)[:80]!r} is not a question about a graph.")
    for each in nodes:
        if each not in network.nodes:
            raise CannotDecideError("graph.no_node", f"No edge has the node {str(each)[:80]!r}.")
    a, b = (*map(str, nodes), "", "")[:2]
    if a and a == b and form != "edge":
        raise _ambiguous("It depends on whether a node reaches itself without a step.")
    return GraphQuestion(form, a, b, number, what, relation or "=")


def _ambiguous(detail: str) -> CannotDecideError:
    return CannotDecideError("graph.ambiguous", detail)


_Found = tuple[bool, dict[str, object]]


def answer(question: GraphQuestion, network: Network) -> _Found:
    """Return whether what a question is about is found, and what shows it; raises CannotDecideError."""
    return _ANSWERS[question.form](question, network)


def _path(question: GraphQuestion, network: Network) -> _Found:
    path = path_between(network, question.a, question.b)
    if path is not None:
        return True, {"path": path}
    return False, {"closed": sorted(reached_from(network, question.a)[0])}


def _distance(question: GraphQuestion, network: Network) -> _Found:
    is_found, shown = _path(question, network)
    if not is_found and not question.needs_path:
        raise _ambiguous("Where there is no path, some say that the distance is infinite.")
    if not is_found:
        return False, shown
    if network.has_weights is None:
        raise _ambiguous("Some edges have a weight and some have none.")
    away = reached_from(network, question.a)[0]
    shown["distances"] = [[node, str(length)] for node, length in sorted(away.items())]
    return question.holds(away[question.b]), shown


def _acyclic(_question: GraphQuestion, network: Network) -> _Found:
    if network.is_directed is None:
        raise _ambiguous("Some edges have a direction and some have none.")
    order, cycle = peeled(network)
    return (False, {"cycle": cycle}) if cycle else (True, {"order": order})


def _connected(question: GraphQuestion, network: Network) -> _Found:
    cut, tree = _tree(network.undirected())
    if cut:
        return False, {"cut": cut}
    if question.what == "weakly" or network.is_directed is False:
        return True, {"tree": tree}
    closed, there = _tree(network)
    closed_back, back = _tree(network.reversed())
    if not closed and not closed_back:
        return True, {"there": there, "back": back}
    if question.what == "strongly":
        return False, {"closed": closed} if closed else {"closed_back": closed_back}
    raise _ambiguous("The graph is weakly connected and not strongly connected.")


def _tree(network: Network) -> tuple[list[str], list[list[str]]]:
    """Return the nodes that the first one reaches where these are not all, and each other node with the one before."""
    away, before = reached_from(network, min(network.nodes))
    return sorted(away) if len(away) < len(network.nodes) else [], [[node, last] for node, last in before.items()]


def _degree(question: GraphQuestion, network: Network) -> _Found:
    incident = [edge.written for edge in network.edges if question.a in (edge.tail, edge.head)]
    return question.holds(Fraction(degree_of(question, network.edges))), {"edges": incident}


def degree_of(question: GraphQuestion, edges: Iterable[GraphEdge]) -> int:
    """Return how many ends of edges are the node of a question; raises CannotDecideError."""
    count = 0
    for edge in edges:
        leaves, enters = edge.tail == question.a, edge.head == question.a
        if question.what and not edge.is_directed and (leaves or enters):
            raise _ambiguous("An edge at the node has no direction.")
        count += {"in": enters, "out": leaves}.get(question.what, leaves + enters)
    return count


def _edge(question: GraphQuestion, network: Network) -> _Found:
    given = edges_between(question, network)
    if given:
        return True, {"edges": given}
    raise CannotDecideError("graph.not_stated", "This edge is not given.")


def edges_between(question: GraphQuestion, network: Network) -> list[list[str]]:
    """Return the edges from the first node of a question to the second one, in either direction without an arrow."""
    ends = [(question.a, question.b), (question.b, question.a)]
    return [each.written for each in network.edges if (each.tail, each.head) in ends[: 2 - each.is_directed]]


_ANSWERS: Final[Mapping[str, Callable[[GraphQuestion, Network], _Found]]] = {
    "path": _path,
    "distance": _distance,
    "acyclic": _acyclic,
    "connected": _connected,
    "degree": _degree,
    "edge": _edge,
}
