"""The schemas inside a schema, and which of them look at the same value or at a part of it.

References are followed inside the schema and into the given resources. Refuses nothing: a reference that cannot be
followed here (the engine has already followed it) leads nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urldefrag, urljoin

from probatum.contracts.keywords import (
    DEFINITIONS,
    LISTS_IN_PLACE,
    LISTS_OF_CHILDREN,
    MAPS_IN_PLACE,
    MAPS_OF_CHILDREN,
    SINGLE_IN_PLACE,
    SINGLE_OF_CHILDREN,
)
from probatum.core.canonical import JsonValue

Steps = tuple[str | int, ...]
_ROOT = "probatum:root"


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One schema object inside the whole."""

    schema: dict[str, JsonValue]
    steps: Steps
    """Where it stands in the main schema; empty for a resource's."""
    base: str
    is_resource: bool
    in_place: list[Node] = field(default_factory=list)
    """What looks at the same value, references among them."""
    dynamic: list[Node] = field(default_factory=list)
    """What a dynamic reference may lead to."""
    children: list[tuple[str, str | int | None, Node]] = field(default_factory=list)
    """What looks at a part of the value: keyword, key or index, schema."""


def inner_schemas(schema: Mapping[str, JsonValue]) -> Iterator[tuple[Steps, JsonValue]]:
    """Yield what stands where a schema is expected, one level down, with its place."""
    for keyword, value in schema.items():
        is_map = keyword in MAPS_OF_CHILDREN or keyword in MAPS_IN_PLACE or keyword in DEFINITIONS
        if is_map and isinstance(value, dict):
            yield from (((keyword, key), each) for key, each in value.items() if isinstance(each, (dict, bool)))
        elif (keyword in LISTS_IN_PLACE or keyword in LISTS_OF_CHILDREN) and isinstance(value, list):
            yield from (((keyword, index), each) for index, each in enumerate(value))
        elif keyword in SINGLE_IN_PLACE or keyword in SINGLE_OF_CHILDREN:
            yield (keyword,), value


class Graph:
    """Every schema object of a schema and its resources, connected."""

    def __init__(self, schema: JsonValue, resources: Mapping[str, JsonValue], draft: str) -> None:
        self.nodes: list[Node] = []
        self._draft = draft
        self._by_address: dict[str, Node] = {}
        self._by_object: dict[int, Node] = {}
        self._dynamic: dict[str, list[Node]] = {}
        self._roots: dict[str, dict[str, JsonValue]] = {}
        if isinstance(schema, dict):
            self._add_document(schema, _ROOT, is_resource=False)
        self.main_count = len(self.nodes)
        for address, resource in resources.items():
            if isinstance(resource, dict):
                self._add_document(resource, address, is_resource=True)
        for node in self.nodes:
            self._connect(node)

    def _add_document(self, schema: dict[str, JsonValue], address: str, *, is_resource: bool) -> None:
        self._roots.setdefault(address, schema)
        pending: list[tuple[JsonValue, Steps, str]] = [(schema, (), address)]
        while pending:
            each, steps, base = pending.pop()
            if not isinstance(each, dict) or id(each) in self._by_object:
                continue
            own = each.get("$id")
            if isinstance(own, str) and not (self._draft == "draft-07" and "$ref" in each):
                name, fragment = urldefrag(own)
                if name:
                    base = _joined(base, name)
                    self._roots.setdefault(base, each)
            else:
                fragment = ""
            node = Node(each, steps, base, is_resource)
            self.nodes.append(node)
            self._by_object[id(each)] = node
            for anchor in (fragment, each.get("$anchor"), each.get("$dynamicAnchor")):
                if isinstance(anchor, str) and anchor:
                    self._by_address.setdefault(f"{base}#{anchor}", node)
            if isinstance(dynamic := each.get("$dynamicAnchor"), str):
                self._dynamic.setdefault(dynamic, []).append(node)
            pending.extend((inner, (*steps, *place), base) for place, inner in inner_schemas(each))

    def _connect(self, node: Node) -> None:
        schema = node.schema
        if isinstance(schema.get("$ref"), str):
            target = self.resolved(node, str(schema["$ref"]))
            if target is not None:
                node.in_place.append(target)
            if self._draft == "draft-07":
                return
        if isinstance(reference := schema.get("$dynamicRef"), str):
            targets = self._dynamic.get(reference.rpartition("#")[2], [])
            static = self.resolved(node, reference)
            node.dynamic.extend(targets or ([static] if static else []))
        for place, inner in inner_schemas(schema):
            keyword, key = place[0], place[1] if len(place) > 1 else None
            if keyword in DEFINITIONS or not isinstance(inner, dict):
                continue
            target = self._by_object[id(inner)]
            if keyword in LISTS_IN_PLACE or keyword in SINGLE_IN_PLACE or keyword in MAPS_IN_PLACE:
                node.in_place.append(target)
            else:
                node.children.append((str(keyword), key, target))

    def resolved(self, node: Node, reference: str) -> Node | None:
        """Return the schema object that a reference leads to, where it can be followed here."""
        name, fragment = urldefrag(reference)
        base = _joined(node.base, name) if name else node.base
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            return self._by_address.get(f"{base}#{fragment}")
        found: JsonValue = self._roots.get(base)
        for escaped in fragment.split("/")[1:]:
            step = escaped.replace("~1", "/").replace("~0", "~")
            if isinstance(found, dict):
                found = found.get(step)
            elif isinstance(found, list) and step.isdecimal() and int(step) < len(found):
                found = found[int(step)]
            else:
                return None
        return self._by_object.get(id(found)) if isinstance(found, dict) else None


def _joined(base: str, name: str) -> str:
    try:
        return name if base == _ROOT else urljoin(base, name)
    except ValueError:
        return name
