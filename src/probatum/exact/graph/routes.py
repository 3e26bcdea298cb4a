"""Claims about a graph and their answers: paths, distances, cycles, connection and degrees.

A path is shown by its nodes, and that there is none by a set that no edge leaves; a distance by a path and by numbers
that no edge raises by more than its length; no cycle by an order; connection by a tree. Refuses a node that no edge
has, and what can mean more than one thing for these edges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from probatum.exact.claim import CannotDecideError
from probatum.exact.graph.network import NAME, GraphEdge, Network, edge_of, path_between, peeled, reached_from
from probatum.exact.numbers.expressions import TESTS

_A_TO_B: Final = rf"from (?P<a>{NAME}) to (?P<b>{NAME})"
_PAIR: Final = rf"\(\s*(?P<c>{NAME})\s*,\s*(?P<d>{NAME})\s*\)"
_GRAPH: Final = r"(?:the graph |it )?"
_RELATIONS: Final = {
    **{sign: sign for sign in TESTS}, ":": "=", "==": "=", "≠": "!=", "≤": "<=", "≥": ">=",
    "exactly": "=", "not": "!=", "less than": "<", "at most": "<=",
    "more than": ">", "greater than": ">", "at least": ">=",
}  # fmt: skip
_NUMBER: Final = r"(?P<n>[0-9]{1,30}(?:\.[0-9]{1,30})?)"
_WORDS: Final = rf"(?:(?P<words>{'|'.join(word for word in _RELATIONS if word[0].isalpha())}) )?"
_SAYS: Final = rf"(?: is {_WORDS}| ?(?P<sign>[!<>=]?=|[<>≠≤≥:]) ?){_NUMBER}"
_FORMS: Final = (
    ("path", True, rf"(?:there is )?no (?P<way>directed )?path {_A_TO_B}(?: exists)?"),
    ("path", False, rf"(?:there is )?(?:a )?(?P<way>directed )?path {_A_TO_B}(?: exists)?"),
    ("path", True, rf"(?P<b>{NAME}) is not reachable from (?P<a>{NAME})"),
    ("path", False, rf"(?P<b>{NAME}) is reachable from (?P<a>{NAME})"),
    ("path", True, rf"(?P<a>{NAME}) (?:does not|can ?not) reach (?P<b>{NAME})"),
    ("path", False, rf"(?P<a>{NAME}) (?:reaches|can reach) (?P<b>{NAME})"),
    ("distance", False, rf"(?:the )?(?:(?:length of the )?shortest path|distance) {_A_TO_B}{_SAYS}"),
    ("distance", False, rf"(?:the )?shortest path {_A_TO_B} has length {_WORDS}{_NUMBER}"),
    ("distance", False, rf"distance{_PAIR}{_SAYS}"),
    ("acyclic", False, rf"{_GRAPH}is acyclic|acyclic|{_GRAPH}has no cycles?|there (?:is|are) no cycles?"),
    ("acyclic", False, rf"{_GRAPH}is a (?P<way>dag|directed acyclic graph)"),
    ("acyclic", True, rf"{_GRAPH}is (?:cyclic|not acyclic)|{_GRAPH}has (?:a cycle|cycles)|there is a cycle"),
    ("connected", False, rf"{_GRAPH}(?:is )?(?P<what>weakly |strongly )?connected"),
    ("connected", True, rf"{_GRAPH}(?:is )?not (?P<what>weakly |strongly )?connected|{_GRAPH}(?:is )?disconnected"),
    ("degree", False, rf"(?:the )?(?P<what>in-|out-)?degree(?: of (?P<a>{NAME})|\((?P<c>{NAME})\)){_SAYS}"),
    ("degree", False, rf"(?P<a>{NAME}) has (?:an? )?(?P<what>in-|out-)?degree(?: of)? {_NUMBER}"),
    ("edge", False, r".+(?:->|→|-\[.+\]-| -- ).+"),
)
_PATTERNS: Final = [(form, is_denied, re.compile(pattern, re.IGNORECASE)) for form, is_denied, pattern in _FORMS]


@dataclass(frozen=True, slots=True)
class GraphQuestion:
    """A claim about a graph: its form, its nodes and its number."""

    form: str
    is_denied: bool = False
    a: str = ""
    b: str = ""
    number: Fraction = Fraction(0)
    what: str = ""
    edge: GraphEdge | None = None
    relation: str = "="

    def holds(self, found: Fraction) -> bool:
        """Return whether a number that is found stands in the relation to the claimed one."""
        return bool(TESTS[self.relation](found, self.number))

    @property
    def needs_path(self) -> bool:
        """Whether a distance without a path is surely not what is claimed."""
        return self.relation in ("=", "<", "<=")


def read_question(statement: str, network: Network) -> GraphQuestion | None:
    """Return the claim about the graph that a statement makes; None where it makes none."""
    text = " ".join(statement.split()).removesuffix(".")
    for form, is_denied, pattern in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is None:
            continue
        if form == "edge":
            return GraphQuestion("edge", edge=edge_of(text))
        said = {key: value for key, value in match.groupdict().items() if value}
        a, b = said.get("a") or said.get("c", ""), said.get("b") or said.get("d", "")
        for node in (a, b):
            if node and node not in network.nodes:
                raise CannotDecideError("graph.no_node", f"No edge has the node {node[:80]!r}.")
        if said.get("way") and network.is_directed is not True:
            raise _ambiguous("An edge has no direction.")
        if a and a == b:
            raise _ambiguous("It depends on whether a node reaches itself without a step.")
        number, what = Fraction(said.get("n", "0")), said.get("what", "").strip(" -").lower()
        relation = _RELATIONS[said.get("sign") or said.get("words", "=").lower()]
        return GraphQuestion(form, is_denied, a, b, number, what, relation=relation)
    return None


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
    incident = [edge.told for edge in network.edges if question.a in (edge.tail, edge.head)]
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
    if question.edge is not None and question.edge in network.edges:
        return True, {"edge": question.edge.told}
    raise CannotDecideError("graph.not_stated", "This edge is not given.")


_ANSWERS: Final[Mapping[str, Callable[[GraphQuestion, Network], _Found]]] = {
    "path": _path,
    "distance": _distance,
    "acyclic": _acyclic,
    "connected": _connected,
    "degree": _degree,
    "edge": _edge,
}
