"""What checking a value against a schema can cost, counted before it is done.

A schema whose parts refer to each other can double the work with every level. Refuses: a schema that refers to itself
without looking into the value, unfolds too far, or has a reference that cannot be followed; and a value whose check
would take too many steps or too deep a recursion. What cannot become expensive is never counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, islice
from math import log
from typing import Final, NamedTuple

from probatum.core.errors import BudgetError
from probatum.readers.json_schema.engine import refuse_schema
from probatum.readers.json_schema.graph import Graph, Node
from probatum.readers.json_schema.paths import path_text

MAX_UNFOLDED: Final = 100_000
"""How many schemas may look at one value."""
MAX_VISITS: Final = 5_000_000
"""How often a schema may look at a value or a part of it."""
MAX_TOLD_IN_FULL: Final = 20_000
"""A value of more parts has its first error told only: the engine copies what it tells of."""
MAX_PLACED: Final = 300_000
"""In a value of more parts not even that is looked for."""
_COPIES: Final = 2_000_000
MAX_DEPTH: Final = 500
_FRAMES: Final = 4000
_CHAIN_OF_META_SCHEMA: Final = 8
"""How many schemas the schema of schemas has look at one value, one through the other."""
_SUSPICIOUS: Final = 1_000_000
_MANY: Final = 200
_SHOWN: Final = 200
_OBJECT: Final = frozenset({"properties", "patternProperties", "additionalProperties", "unevaluatedProperties"})
_REST: Final = frozenset({"additionalProperties", "additionalItems", "items"})


class _Edge(NamedTuple):
    """How one schema looks at a part of the value."""

    keyword: str
    key: str | int | None
    holder: Node
    child: Node


class Cost:
    """What checking against one schema can cost."""

    def __init__(self, graph: Graph) -> None:
        self._root = graph.root
        self._unfolded: dict[Node, int] = {}
        self._chain: dict[Node, int] = {}
        self._edges: dict[Node, list[tuple[_Edge, int]]] = {}
        ordered = self._reached()
        for node in ordered:
            _require_clear(node)
            self._unfold(node)
        self.errors_at_one: Final = 10 + max((_required(node) for node in ordered), default=0)
        self.unfolded: Final = max(self._unfolded.values(), default=1)
        circles = _circular({node: [edge.child for edge, _ in self._edges[node]] for node in ordered})
        looks_at_schemas = any(node.meta_schemas for node in ordered)
        self.is_recursive: Final = bool(circles) or looks_at_schemas
        chain = max(self._chain.values(), default=1) + (_CHAIN_OF_META_SCHEMA if looks_at_schemas else 0)
        levels = self._levels() if looks_at_schemas and graph.extends_meta_schema(ordered) else MAX_DEPTH
        self.max_depth: Final = min(levels, MAX_DEPTH, max(10, _FRAMES // chain))
        self._compares_deeply: Final = any("uniqueItems" in node.schema for node in graph.nodes)
        self._is_risky: Final = self._doubles(circles) or self._paths(ordered, circles) > _SUSPICIOUS
        # Most schemas cannot become expensive; their values are never counted.
        self.may_be_high: Final = self.is_recursive or self._compares_deeply or self._is_risky

    def _levels(self) -> int:
        """Return how many levels stay cheap where the schema of schemas leads back to schemas given here."""
        # The way there is not known: every schema may look at every part below in each of its ways.
        ways = [self._unfolded[node] + sum(count for _, count in edges) for node, edges in self._edges.items()]
        return int(log(MAX_VISITS) / log(max(2, *ways)))

    def errors_told(self, value: object) -> int:
        """Return how many errors of a value the engine may be asked for: 0, 1 or, as -1, all of them."""
        size = size_of(value, MAX_PLACED)
        if size > MAX_PLACED:
            return 0
        # The engine copies the part of the value that each error is about.
        return -1 if size <= MAX_TOLD_IN_FULL and size * self.errors_at_one <= _COPIES else 1

    def check(self, value: object) -> None:
        """Raise BudgetError where checking this value could take more than the budget; needless unless it may be."""
        if depth_exceeds(value, self.max_depth):
            sentence = f"The value is nested deeper than {self.max_depth} levels; this schema is not checked for more."
            raise BudgetError("contract.value_too_deep", sentence)
        if self._is_risky and self._root is not None and self._visits(value) > MAX_VISITS:
            sentence = f"Checking this value against the schema takes more than {MAX_VISITS} steps."
            hint = "Let fewer alternatives look at the same part: 'if' with 'const', or '$ref' from one place."
            raise BudgetError("contract.value_too_costly", sentence, hint)

    def _reached(self) -> list[Node]:
        """Return the schemas that can look at a value, each once."""
        found: dict[Node, None] = {}
        pending = [self._root] if self._root is not None else []
        while pending:
            node = pending.pop()
            if node not in found:
                found[node] = None
                pending += [*node.in_place, *node.dynamic]
                pending += [child for _, _, child in node.children]
        return list(found)

    def _unfold(self, start: Node) -> None:
        """Count the schemas that look at the same value as this one, and collect what they look at below it."""
        pending = [(start, False)]
        open_nodes: set[Node] = set()
        while pending:
            node, is_done = pending.pop()
            if node in self._unfolded:
                continue
            if is_done:
                open_nodes.discard(node)
                self._sum_up(node)
                continue
            if node in open_nodes:
                self._refuse_circle(node)
            open_nodes.add(node)
            pending.append((node, True))
            for inner in node.in_place:
                if inner in open_nodes:
                    self._refuse_circle(inner)
                pending.append((inner, False))
            # Which of them is meant depends on the way here: one that closes a circle is not.
            pending += [(inner, False) for inner in node.dynamic if inner not in open_nodes]

    def _sum_up(self, node: Node) -> None:
        # The engine looks twice: once to see what the other keywords took, once at the rest.
        factor = 2 if "unevaluatedProperties" in node.schema or "unevaluatedItems" in node.schema else 1
        inner = [each for each in (*node.in_place, *node.dynamic) if each in self._unfolded]
        self._unfolded[node] = 1 + factor * sum(self._unfolded[each] for each in inner)
        self._chain[node] = 1 + max((self._chain[each] for each in inner), default=0)
        if self._unfolded[node] > MAX_UNFOLDED:
            sentence = f"The schema unfolds to more than {MAX_UNFOLDED} schemas that look at one value."
            raise BudgetError("contract.schema_too_costly", sentence)
        below: dict[_Edge, int] = {}
        for keyword, key, child in node.children:
            below[_Edge(keyword, key, node, child)] = 1
        for each in inner:
            for edge, count in self._edges[each]:
                below[edge] = below.get(edge, 0) + factor * count
        self._edges[node] = list(below.items())

    def _refuse_circle(self, node: Node) -> None:
        place = path_text(node.steps)
        sentence = f"The schema at {place} refers to itself without looking into the value, so that it says nothing."
        refuse_schema("schema_circular", sentence)

    def _doubles(self, circles: set[Node]) -> bool:
        """Return whether a schema on a circle looks at one part of a value in two ways that both go on for ever."""
        endless = _reaching({node: [edge.child for edge, _ in edges] for node, edges in self._edges.items()}, circles)
        for node in circles:
            edges = [(edge, count) for edge, count in self._edges[node] if edge.child in endless]
            # Of very many edges the pairs are too many to compare: such a schema is counted in any case.
            if len(edges) > _MANY or any(count > 1 for _, count in edges):
                return True
            if any(_overlap(*each) for each in combinations((edge for edge, _ in edges), 2)):
                return True
        return False

    def _paths(self, ordered: list[Node], circles: set[Node]) -> int:
        """Return how many ways there are from the schema down to its parts, circles left out."""
        ways: dict[Node, int] = {}
        pending = [(node, False) for node in ordered]
        while pending:
            node, is_done = pending.pop()
            if node in ways:
                continue
            below = [
                (edge.child, count)
                for edge, count in self._edges[node]
                if not (node in circles and edge.child in circles)
            ]
            if is_done:
                ways[node] = self._unfolded[node] + sum(count * ways.get(child, 0) for child, count in below)
            else:
                pending.append((node, True))
                pending += [(child, False) for child, _ in below]
        return max(ways.values(), default=0)

    def _visits(self, value: object) -> int:
        """Return how often schemas look at a value and its parts; stops counting beyond the budget."""
        assert self._root is not None
        total = 0
        level: list[tuple[object, dict[Node, int]]] = [(value, {self._root: 1})]
        while level and total <= MAX_VISITS:
            below: list[tuple[object, dict[Node, int]]] = []
            for item, looking in level:
                total += sum(count * self._unfolded[node] for node, count in looking.items())
                if total > MAX_VISITS:
                    break
                below += self._parts(item, looking)
            level = below
        return total

    def _parts(self, item: object, looking: dict[Node, int]) -> list[tuple[object, dict[Node, int]]]:
        parts = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
        is_object = isinstance(item, dict)
        weighed: list[tuple[_Edge, int]] = [
            (edge, count * times) for node, times in looking.items() for edge, count in self._edges[node]
        ]
        found = []
        for step, part in parts:
            there: dict[Node, int] = {}
            for edge, count in weighed:
                if _applies(edge, step, is_object):
                    there[edge.child] = there.get(edge.child, 0) + count
            if there:
                found.append((part, there))
        return found


def _require_clear(node: Node) -> None:
    """Refuse a reference that the engine follows to where its cost cannot be counted."""
    if node.unclear:
        place, shown = path_text(node.steps), repr(node.unclear[0])[:_SHOWN]
        sentence = f"Where the '$ref' at {place} leads is not certain: {shown}."
        hint = "Use each '$id' and '$anchor' once, or put the schema under '$defs' and refer to it as '#/$defs/NAME'."
        refuse_schema("schema_reference", sentence, hint)


def _required(node: Node) -> int:
    required = node.schema.get("required")
    return len(required) if isinstance(required, list) else 0


def _applies(edge: _Edge, step: str | int, is_object: bool) -> bool:
    if is_object != (edge.keyword in _OBJECT):
        return False
    return edge.key == step if edge.key is not None and edge.keyword != "patternProperties" else True


def _overlap(first: _Edge, second: _Edge) -> bool:
    """Return whether two edges can look at the same part of a value."""
    if (first.keyword in _OBJECT) != (second.keyword in _OBJECT):
        return False
    is_keyed = first.keyword == second.keyword != "patternProperties"
    if is_keyed and first.key is not None and second.key is not None:
        return first.key == second.key
    is_rest = first.keyword in _REST or second.keyword in _REST
    return not (first.holder is second.holder and is_rest and "contains" not in {first.keyword, second.keyword})


def _circular(edges: Mapping[Node, list[Node]]) -> set[Node]:
    """Return every node on a circle."""
    left = {node: set(targets) for node, targets in edges.items()}
    before: dict[Node, set[Node]] = {node: set() for node in edges}
    for node, targets in left.items():
        for target in targets:
            before[target].add(node)
    # What leads nowhere, or what nothing leads to, is on no circle: take it away until nothing of that kind is left.
    for forward, backward in ((left, before), (before, left)):
        ends = [node for node, targets in forward.items() if not targets]
        while ends:
            node = ends.pop()
            for source in backward.pop(node):
                forward[source].discard(node)
                if not forward[source]:
                    ends.append(source)
            forward.pop(node)
    return set(left)


def _reaching(edges: Mapping[Node, list[Node]], goals: set[Node]) -> set[Node]:
    """Return every node from which a goal can be reached."""
    before: dict[Node, list[Node]] = {}
    for node, targets in edges.items():
        for target in targets:
            before.setdefault(target, []).append(node)
    found = set(goals)
    pending = list(goals)
    while pending:
        for source in before.get(pending.pop(), ()):
            if source not in found:
                found.add(source)
                pending.append(source)
    return found


def size_of(value: object, limit: int) -> int:
    """Return how many values a value holds, itself included; beyond the limit it stops counting."""
    count = 0
    for level in _levels(value):
        count += len(level)
        if count > limit:
            break
    return count


def depth_exceeds(value: object, limit: int) -> bool:
    """True where lists and objects are nested deeper than a limit."""
    deepest: list[object] = next(islice(_levels(value), limit + 1, None), [])
    return any(isinstance(item, (list, dict)) for item in deepest)


def _levels(value: object) -> Iterator[list[object]]:
    """Yield a value, then its parts, then the parts of those."""
    level = [value]
    while level:
        yield level
        below: list[object] = []
        for item in level:
            if isinstance(item, list):
                below += item
            elif isinstance(item, dict):
                below += item.values()
        level = below
