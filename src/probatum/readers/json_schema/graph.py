"""The schemas inside a schema, and which of them look at the same value or at a part of it.

References are followed inside the schema and into the given resources. One that the engine can follow and we cannot is
kept as unclear, because what it leads to was not counted; and so is one to an address that two different schemas claim,
because the order of keys would decide. Refuses a part of a document that names another draft than its document.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urljoin

from probatum.core.canonical import JsonValue
from probatum.readers.json_schema.engine import DRAFTS, refuse_schema
from probatum.readers.json_schema.keywords import (
    DEFINITIONS,
    KNOWN,
    LISTS_IN_PLACE,
    LISTS_OF_CHILDREN,
    MAPS_IN_PLACE,
    MAPS_OF_CHILDREN,
    NOT_APPLIED,
    REFERENCE_ALONE,
    SINGLE_IN_PLACE,
    SINGLE_OF_CHILDREN,
)
from probatum.readers.json_schema.paths import path_text

Steps = tuple[str | int, ...]
_SCHEME: Final = "json-schema://"
_ROOT: Final = f"{_SCHEME}/"
"""What the engine takes for the address of a schema that has none."""
_STAND_IN: Final = "http://json-schema"
_META_SCHEMAS: Final = tuple(address.removesuffix("schema") for address in DRAFTS)
_RECURSIVE: Final = ""
"""The anchor that every ``$recursiveRef`` leads to; each schema with ``$recursiveAnchor`` has it."""
_ANCHORS: Final = ("$anchor", "$dynamicAnchor")
_META_ANCHORS: Final = ("meta", _RECURSIVE)
_HEAD: Final = re.compile(r"(?:[^:/?#]*:)?(?://[^/?#]*)?")
_MAX_INDEX_DIGITS: Final = 4_000


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """One schema object inside the whole."""

    schema: dict[str, JsonValue]
    steps: Steps
    """Where it stands in its document; of one that only a reference finds, where the reference stands."""
    base: str
    draft: str
    in_place: list[Node] = field(default_factory=list)
    """What looks at the same value, references among them."""
    dynamic: list[Node] = field(default_factory=list)
    """What a dynamic reference may lead to."""
    children: list[tuple[str, str | int | None, Node]] = field(default_factory=list)
    """What looks at a part of the value: keyword, key or index, schema."""
    unclear: list[str] = field(default_factory=list)
    """References that the engine follows and we cannot, or not for certain."""
    meta_schemas: list[str] = field(default_factory=list)
    """References to the schema of schemas: it looks at every part of a value, at each a bounded number of times."""


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


def all_schemas(schema: JsonValue) -> Iterator[tuple[Steps, dict[str, JsonValue]]]:
    """Yield every schema object in a schema, itself first, in the order of the text, with its place."""
    pending: list[tuple[Steps, JsonValue]] = [((), schema)]
    while pending:
        steps, each = pending.pop()
        if isinstance(each, dict):
            yield steps, each
            pending.extend(reversed([((*steps, *place), inner) for place, inner in inner_schemas(each)]))


class Graph:
    """Every schema object of a schema and its resources, connected."""

    def __init__(self, schema: JsonValue, resources: Mapping[str, JsonValue], draft: str) -> None:
        self.nodes: list[Node] = []
        self._by_address: dict[str, list[Node]] = {}
        self._by_object: dict[int, Node] = {}
        self._dynamic: dict[str, list[Node]] = {}
        self._roots: dict[str, list[dict[str, JsonValue]]] = {}
        self._claims: dict[str, dict[str, JsonValue]] = {}
        self._disputed: set[str] = set()
        if isinstance(schema, dict):
            self._add_document(schema, _ROOT, draft)
        self.root: Final = self.nodes[0] if isinstance(schema, dict) else None
        for address, resource in resources.items():
            if isinstance(resource, dict):
                stated = resource.get("$schema")
                own = DRAFTS.get(stated.removesuffix("#"), draft) if isinstance(stated, str) else draft
                self._add_document(resource, address, own)
        # Connecting can find schemas where none is expected: they join, and are connected in turn.
        for node in self.nodes:
            self._connect(node)

    def _add_document(self, schema: dict[str, JsonValue], address: str, draft: str) -> None:
        self._add_root(schema, address)
        self._add(schema, (), address, draft)

    def _add_root(self, schema: dict[str, JsonValue], address: str) -> None:
        self._roots.setdefault(_folded(address), []).append(schema)
        self._claim(schema, _folded(address))

    def _claim(self, schema: dict[str, JsonValue], address: str) -> None:
        if not _is_same(self._claims.setdefault(address, schema), schema):
            self._disputed.add(address)

    def _add(self, schema: JsonValue, place: Steps, address: str, draft: str) -> None:
        pending: list[tuple[JsonValue, Steps, str]] = [(schema, place, address)]
        while pending:
            each, steps, base = pending.pop()
            if not isinstance(each, dict) or id(each) in self._by_object:
                continue
            if steps:
                _require_draft(each, draft, steps)
            own = each.get("id" if draft == "draft-04" else "$id")
            fragment = ""
            if isinstance(own, str) and not (draft in REFERENCE_ALONE and "$ref" in each):
                name, _, fragment = own.partition("#")
                if name:
                    base = _joined(base, name)
                    self._add_root(each, base)
            node = Node(each, steps, base, draft)
            self.nodes.append(node)
            self._by_object[id(each)] = node
            # An "$id" with a fragment is what older drafts have for an anchor.
            for anchor in (fragment, *(each.get(key) for key in _ANCHORS if key in KNOWN[draft])):
                if isinstance(anchor, str) and anchor:
                    self._by_address.setdefault(f"{_folded(base)}#{anchor}", []).append(node)
                    self._claim(each, f"{_folded(base)}#{anchor}")
            if isinstance(dynamic := each.get("$dynamicAnchor"), str):
                self._dynamic.setdefault(dynamic, []).append(node)
            if each.get("$recursiveAnchor") is True:
                self._dynamic.setdefault(_RECURSIVE, []).append(node)
            # The engine finds the names of draft-04 behind keywords of other drafts, too.
            pending.extend(
                (inner, (*steps, *place), base)
                for place, inner in inner_schemas(each)
                if place[0] in KNOWN[draft] or draft == "draft-04"
            )

    def _connect(self, node: Node) -> None:
        schema = node.schema
        if isinstance(reference := schema.get("$ref"), str):
            node.in_place.extend(self._followed(node, reference))
            if node.draft in REFERENCE_ALONE:
                return
        for dynamic in ("$dynamicRef", "$recursiveRef"):
            if dynamic in KNOWN[node.draft] and isinstance(reference := schema.get(dynamic), str):
                anchor = reference.rpartition("#")[2]
                targets = self._dynamic.get(anchor, [])
                if any(f"{_folded(each.base)}#{anchor}" in self._disputed for each in targets):
                    node.unclear.append(reference)
                node.dynamic.extend(dict.fromkeys([*targets, *self._followed(node, reference)]))
        for place, inner in inner_schemas(schema):
            keyword, key = place[0], place[1] if len(place) > 1 else None
            if keyword in NOT_APPLIED or keyword not in KNOWN[node.draft] or not isinstance(inner, dict):
                continue
            target = self._by_object[id(inner)]
            if keyword in LISTS_IN_PLACE or keyword in SINGLE_IN_PLACE or keyword in MAPS_IN_PLACE:
                node.in_place.append(target)
            else:
                node.children.append((str(keyword), key, target))

    def _followed(self, node: Node, reference: str) -> list[Node]:
        """Return every schema object that a reference may lead to; keep a reference that leads elsewhere."""
        name, _, fragment = reference.partition("#")
        base = _joined(node.base, name) if name else node.base
        fragment = unquote(fragment)
        if fragment and not fragment.startswith("/"):
            found: list[Node] = self._by_address.get(f"{_folded(base)}#{fragment}", [])
            is_known = bool(found)
        else:
            targets = [_pointed(root, fragment) for root in self._roots.get(_folded(base), [])]
            is_known = any(isinstance(each, (dict, bool)) for each in targets)
            found = [self._node(each, node, base) for each in targets if isinstance(each, dict)]
        if not is_known and base.startswith(_META_SCHEMAS):
            node.meta_schemas.append(reference)
        elif not is_known or not self._disputed.isdisjoint((_folded(base), f"{_folded(base)}#{fragment}")):
            node.unclear.append(reference)
        return found

    def extends_meta_schema(self, reached: Collection[Node]) -> bool:
        """Return whether what is reached puts schemas of its own in the place of the schema of schemas."""
        entered = {_folded(node.base) for node in reached}
        anchored = (node for anchor in _META_ANCHORS for node in self._dynamic.get(anchor, ()))
        return any(_folded(node.base) in entered for node in anchored)

    def _node(self, schema: dict[str, JsonValue], source: Node, base: str) -> Node:
        if id(schema) not in self._by_object:
            self._add(schema, (*source.steps, "$ref"), base, source.draft)
        return self._by_object[id(schema)]


def _require_draft(part: Mapping[str, JsonValue], draft: str, steps: Steps) -> None:
    stated = part.get("$schema")
    if stated is None or (isinstance(stated, str) and DRAFTS.get(stated.removesuffix("#")) == draft):
        return
    sentence = f"The schema at {path_text(steps)} names another draft than the schema around it, which is of {draft}."
    refuse_schema("schema_draft", sentence, "Leave its '$schema' out.")


def _pointed(root: JsonValue, pointer: str) -> JsonValue:
    """Return what stands at a place in a document; None where there is nothing."""
    found = root
    for escaped in pointer.split("/")[1:]:
        step = escaped.replace("~1", "/").replace("~0", "~")
        if isinstance(found, dict):
            found = found.get(step)
        elif isinstance(found, list) and _is_index(step) and int(step) < len(found):
            found = found[int(step)]
        else:
            return None
    return found


def _is_index(step: str) -> bool:
    # Longer digits are beyond every list, and Python does not read them as a number.
    return step.isdecimal() and len(step) <= _MAX_INDEX_DIGITS


def _joined(base: str, name: str) -> str:
    # The standard library joins only what it knows: the engine's own scheme is joined under another one.
    inside = _STAND_IN + base.removeprefix(_SCHEME) if base.startswith(_SCHEME) else base
    try:
        joined = urljoin(inside, name)
    except ValueError:
        return name
    return _SCHEME + joined.removeprefix(_STAND_IN) if joined.startswith(f"{_STAND_IN}/") else joined


def _is_same(one: JsonValue, other: JsonValue) -> bool:
    """Return whether two values are the same JSON, true and 1 apart."""
    if one is other or type(one) is not type(other):
        return one is other
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_is_same(each, other[key]) for key, each in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return one == other


def _folded(address: str) -> str:
    """Return an address so that all that engines take for the same are the same, and perhaps some more."""
    plain = unquote(address).removesuffix("#")
    head = _HEAD.match(plain)
    assert head is not None
    rest = plain[head.end() :]
    if "/." in rest and not rest.startswith("//"):
        rest = urljoin(_STAND_IN, rest).removeprefix(_STAND_IN)
    return f"{head.group().casefold()}{rest}".replace(":80/", "/").replace(":443/", "/")
