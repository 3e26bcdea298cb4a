"""A graph of given edges, directed or not, with labels or weights: what can be reached, how far, and its cycles.

A label that is a number is a weight. Refuses a line that is not an edge, an edge that is given twice, a name that looks
like another one, a weight that is not a decimal number from 0 on, and more edges than the budget allows.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from heapq import heappop, heappush
from typing import Final
from unicodedata import normalize

from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.core.outside import is_seen

MAX_EDGES: Final = 5_000
_NAME: Final = r"[^\[\]<>(),:=]+?"
_LINE: Final = re.compile(
    rf"\s*(?P<tail>{_NAME})\s+(?:-\[(?P<label>[^\[\]<>]+)\])?(?P<arrow>->|--|(?<=\])-)\s+(?P<head>{_NAME})\s*"
)
_CLOSE_ARROW: Final = re.compile(r"(?<=\w)(?:->|→)(?=\w)|→")
_SIGN: Final = re.compile(r"(?<!\S)[^\w\s]+(?!\S)")
"""A sign alone, which may be an arrow that is mistyped."""
_WEIGHT: Final = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,15})?")
_LOOKS: Final = str.maketrans(
    "\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0430\u0435\u043e\u0440\u0441\u0443\u0445"
    "\u0455\u0456\u0458\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03bf\u03bd\u03b9",
    "ABESIJKMHOPCTYXaeopcyxsijABEZHIKMNOPTYXovi",
)
"""Letters of other scripts that look like Latin ones."""


@dataclass(frozen=True, slots=True, order=True)
class GraphEdge:
    """One edge; the ends of an undirected one are in order."""

    tail: str
    head: str
    label: str = ""
    is_directed: bool = True

    @property
    def weight(self) -> Fraction | None:
        """Return its weight; None where the label is not a number."""
        return Fraction(self.label) if _WEIGHT.fullmatch(self.label) else None

    @property
    def written(self) -> list[str]:
        """Return the edge as a certificate states it."""
        return [self.tail, self.head, self.label, "->" if self.is_directed else "--"]


@dataclass(frozen=True, slots=True)
class Network:
    """Edges with their nodes."""

    edges: tuple[GraphEdge, ...]
    nodes: frozenset[str] = field(init=False)
    after: Mapping[str, Mapping[str, Fraction]] = field(init=False)
    """Where one step leads to, and how far that is: its least weight, or 1."""

    def __post_init__(self) -> None:
        after: dict[str, dict[str, Fraction]] = defaultdict(dict)
        for edge in self.edges:
            ends = [(edge.tail, edge.head), (edge.head, edge.tail)][: 2 - edge.is_directed]
            for tail, head in ends:
                length = Fraction(1) if edge.weight is None else edge.weight
                after[tail][head] = min(length, after[tail].get(head, length))
        object.__setattr__(self, "nodes", frozenset(end for edge in self.edges for end in (edge.tail, edge.head)))
        object.__setattr__(self, "after", dict(after))

    @property
    def is_directed(self) -> bool | None:
        """Return whether all edges are directed, or none; None where some are."""
        kinds = {edge.is_directed for edge in self.edges}
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def has_weights(self) -> bool | None:
        """Return whether all edges have a weight, or none; None where some have, or may have: 'cost 5'."""
        kinds = {edge.weight is not None for edge in self.edges}
        may_have = any(edge.weight is None and any(map(str.isdigit, edge.label)) for edge in self.edges)
        return kinds.pop() if len(kinds) == 1 and not may_have else None

    def undirected(self) -> Network:
        """Return the same edges without their directions."""
        return Network(tuple(GraphEdge(each.tail, each.head, each.label, is_directed=False) for each in self.edges))

    def reversed(self) -> Network:
        """Return the same edges the other way round."""
        return Network(tuple(GraphEdge(each.head, each.tail, each.label, each.is_directed) for each in self.edges))


def edge_of(line: str) -> GraphEdge:
    """Read 'A -> B', 'A -[likes]-> B', 'A -- B' or 'A -[2.5]- B'; raises NotAttemptedError."""
    is_plain = len(line) <= 400 and is_seen(line) and normalize("NFC", line) == line
    match = _LINE.fullmatch(_CLOSE_ARROW.sub(" -> ", line)) if is_plain else None
    label = " ".join((match["label"] or "").split()) if match else ""
    if match is None or _SIGN.search(f" {match['tail']} {match['head']} "):
        raise NotAttemptedError(
            "graph.edge",
            f"{line[:80]!r} is not an edge.",
            "Write 'A -> B', 'A -[likes]-> B', 'A -- B', or a weight as in 'A -[2.5]-> B'.",
        )
    if label[:1] in "0123456789+-−." and label and not _WEIGHT.fullmatch(label):
        raise NotAttemptedError("graph.edge", f"The weight {label[:40]!r} is not a decimal number of 0 or more.")
    tail, head = (" ".join(match[end].split()) for end in ("tail", "head"))
    if match["arrow"] == "->":
        return GraphEdge(tail, head, label)
    return GraphEdge(min(tail, head), max(tail, head), label, is_directed=False)


def network_of(lines: Iterable[str]) -> Network:
    """Return the graph of some lines, each an edge; raises BudgetError for too many, and NotAttemptedError."""
    edges: dict[object, GraphEdge] = {}
    for number, line in enumerate(lines, start=1):
        if number > MAX_EDGES:
            raise BudgetError("engine.too_large", f"A graph has at most {MAX_EDGES:,} edges.")
        edge = edge_of(line)
        key = (edge.tail, edge.head, edge.is_directed, edge.is_directed and edge.weight is None and edge.label)
        if key in edges:
            raise NotAttemptedError("graph.edge", f"The edge {line[:80]!r} is given twice.")
        edges[key] = edge
    network = Network(tuple(sorted(edges.values())))
    if len({node.translate(_LOOKS) for node in network.nodes}) < len(network.nodes):
        raise NotAttemptedError("graph.edge", "Two names in the edges look alike: one has letters of another script.")
    return network


def reached_from(network: Network, start: str) -> tuple[dict[str, Fraction], dict[str, str]]:
    """Return how far each reachable node is, the nearest first, and the node before it on a shortest path."""
    away, before = dict[str, Fraction](), dict[str, str]()
    queue = [(Fraction(0), start, "")]
    while queue:
        length, node, last = heappop(queue)
        if node not in away:
            away[node] = length
            if last or node != start:
                before[node] = last
            for following, more in network.after.get(node, {}).items():
                if following not in away:
                    heappush(queue, (length + more, following, node))
    return away, before


def path_between(network: Network, start: str, goal: str) -> list[str] | None:
    """Return the nodes of a shortest path; None where there is none."""
    away, before = reached_from(network, start)
    if goal not in away:
        return None
    path = [goal]
    while path[-1] != start:
        path.append(before[path[-1]])
    return path[::-1]


def peeled(network: Network) -> tuple[list[str], list[str]]:
    """Return an order in which nodes can be taken away, and a cycle if some are left; the edges are of one kind.

    A node is taken away when no edge leads to it, or, without directions, when at most one edge is left at it.
    """
    before = network.reversed().after
    most = 0 if network.is_directed else 1
    # A loop without direction counts twice at its node, so that the node is never taken away.
    left = {node: len(before.get(node, {})) + (node in before.get(node, {})) for node in sorted(network.nodes)}
    queue = deque(node for node, count in left.items() if count <= most)
    order: list[str] = []
    while queue:
        node = queue.popleft()
        del left[node]
        order.append(node)
        for following in sorted(network.after.get(node, {})):
            if following in left:
                left[following] -= 1
                if left[following] == most:
                    queue.append(following)
    if not left:
        return order, []
    walk = [min(left)]
    while walk[-1] not in walk[:-1]:
        came = walk[-2] if len(walk) > 1 and not network.is_directed else None
        walk.append(min(each for each in before[walk[-1]] if each in left and each != came))
    return order, walk[walk.index(walk[-1]) :][::-1]
