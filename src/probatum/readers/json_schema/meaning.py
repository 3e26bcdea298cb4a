"""What a schema means as a whole: whether it refuses anything, and whether anything satisfies it.

Answers are proved, by a value that the schema refuses or by the engine's canonical form, or they are not given. No
canonical form is computed of a schema whose alternatives multiply; it stays undecided.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from math import prod
from typing import Final

import jsonschema_rs

from probatum.core.canonical import JsonValue
from probatum.readers.json_schema.engine import LINEAR
from probatum.readers.json_schema.graph import Steps, all_schemas, inner_schemas
from probatum.readers.json_schema.keywords import DEFINITIONS, TYPE_OF
from probatum.readers.json_schema.parsing import MAX_BYTES

_MAX_PROBES: Final = 3000
_MAX_BELOW: Final = 80
_MAX_LOOKS: Final = 1_000_000
_MAX_DEPTH: Final = 6
_MAX_PRODUCT: Final = 32
_MAX_SCHEMAS: Final = 200
_SCALARS: Final[tuple[JsonValue, ...]] = (
    *(None, True, False, 0, -1, 1, 0.5, -1.5, 1e18, "", "a", " \n", "1", "\u00e9\U0001f600", "x" * 300),
)
_LISTS: Final[tuple[list[JsonValue], ...]] = ([], [None], [0, 0], ["a", 1, None])
_OBJECTS: Final[tuple[dict[str, JsonValue], ...]] = ({}, {"": None}, {"a": 0, "b": "x"})
_AT_MOST: Final = ("maxLength", "maxItems", "maxProperties")
_AT_LEAST: Final = ("minLength", "minItems", "minProperties")
_TYPES: Final = ("null", "boolean", "number", "string", "array", "object")
_Canonical = jsonschema_rs.CanonicalSchema
_YES: Final = jsonschema_rs.canonical.Containment.YES
_NO: Final = jsonschema_rs.canonical.Containment.NO
_NUMBERS: Final = {
    "2020-12": jsonschema_rs.Draft202012,
    "2019-09": jsonschema_rs.Draft201909,
    "draft-07": jsonschema_rs.Draft7,
    "draft-06": jsonschema_rs.Draft6,
    "draft-04": jsonschema_rs.Draft4,
}
_UNCOUNTED: Final = ("unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef")


def refused_value(schema: JsonValue, accepts: Callable[[object], bool], unfolded: int) -> bool:
    """Return whether a schema refuses one of many values that are made from it.

    The more schemas look at one value (``unfolded``), the fewer values are tried.
    """
    count = max(20, min(_MAX_PROBES, _MAX_LOOKS // max(1, unfolded)))
    seen = islice(_probes(schema, schema), count)
    return any(not _accepted(accepts, value) for value in (*_SCALARS, *_LISTS, *_OBJECTS, *seen))


def _accepted(accepts: Callable[[object], bool], value: object) -> bool:
    try:
        return accepts(value)
    except (ValueError, TypeError):
        return True


def _probes(schema: JsonValue, root: JsonValue, depth: int = 0) -> Iterator[JsonValue]:
    """Yield values near the edges of what a schema asks for, right ones and wrong ones."""
    if not isinstance(schema, dict) or depth > _MAX_DEPTH:
        return
    yield from _own(schema)
    target = _target(schema.get("$ref"), root)
    if target is not None:
        yield from _probes(target, root, depth + 1)
    partner = dict.fromkeys(_texts(schema.get("required")))
    for place, inner in inner_schemas(schema):
        if place[0] not in DEFINITIONS:
            # A few values of every type come first: they break most schemas, and are cheap.
            below = chain(_SCALARS[:12:2], _LISTS, _OBJECTS, _probes(inner, root, depth + 1))
            for value in islice(below, _MAX_BELOW):
                yield from _placed(place, value, partner)


def _target(reference: JsonValue, root: JsonValue) -> JsonValue:
    """Return what a reference to the schema's own definitions leads to."""
    steps = reference.split("/") if isinstance(reference, str) else []
    if len(steps) != 3 or steps[0] != "#" or steps[1] not in DEFINITIONS or not isinstance(root, dict):
        return None
    definitions = root.get(steps[1])
    return definitions.get(steps[2]) if isinstance(definitions, dict) else None


def _own(schema: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    if "const" in schema:
        yield schema["const"]
    options = schema.get("enum")
    yield from options if isinstance(options, list) else []
    if isinstance(pattern := schema.get("pattern"), str):
        yield from _plain_text(pattern)
    yield from _numbers(schema)
    yield from _sized(schema)


def _placed(place: Steps, value: JsonValue, partner: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    """Put a value where a keyword looks for it."""
    match place:
        case ("properties", key):
            yield {**partner, str(key): value}
            yield {str(key): value}
        case ("dependentSchemas" | "dependencies", key):
            yield {str(key): None, **(value if isinstance(value, dict) else {})}
        case ("items" | "prefixItems" | "contains" | "unevaluatedItems" | "additionalItems", *_):
            yield [value]
            yield [None, None, value]
        case ("additionalProperties" | "unevaluatedProperties", *_):
            yield {"": value, "a": value, "zz": value, "1": value}
        case ("patternProperties", pattern):
            yield dict.fromkeys(("", "a", "1", *_plain_text(str(pattern))), value)
        case ("propertyNames",):
            if isinstance(value, str):
                yield {value: None}
        case _:
            yield value


def _numbers(schema: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        limit = schema.get(keyword)
        if isinstance(limit, (int, float)) and abs(limit) < 1e300:
            yield from (limit, limit - 1, limit + 1, limit / 2, limit * 2, limit + 0.5)


def _sized(schema: Mapping[str, JsonValue]) -> Iterator[JsonValue]:
    for keyword, value in schema.items():
        if keyword in {"maxLength", "maxItems", "maxProperties", "minLength", "minItems"} and isinstance(value, int):
            # One more than the limit; above 10,000 the probe itself would cost too much.
            if value <= 10_000:
                size = value + 1
                if "Length" in keyword:
                    yield "x" * size
                else:
                    yield [None] * size if "Items" in keyword else {str(each): None for each in range(size)}
        elif keyword in {"dependentRequired", "dependencies"} and isinstance(value, dict):
            for key in value:
                yield {key: None}


def _plain_text(pattern: str) -> tuple[str, ...]:
    """Return texts that a simple pattern may match: what it holds besides its signs."""
    bare = re.sub(r"\\[a-zA-Z]|[^\w\s./:@-]", "", pattern)
    return (bare, bare[:1], bare + "a1")


def _texts(value: JsonValue) -> list[str]:
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def canonical(schema: JsonValue, draft: str, formats: bool) -> _Canonical | None:
    """Return the canonical form of a schema that is small enough for it; None where there is none."""
    if not isinstance(schema, (dict, bool)) or not _is_small(schema):
        return None
    try:
        return jsonschema_rs.canonicalize(
            schema, draft=_NUMBERS[draft], validate_formats=formats, pattern_options=LINEAR, offline=True
        )
    except ValueError:
        return None


def _is_small(schema: JsonValue) -> bool:
    """Return whether the alternatives of a schema, multiplied, stay few."""
    counts: list[int] = []
    for number, (_, each) in enumerate(all_schemas(schema), start=1):
        for keyword in ("anyOf", "oneOf"):
            branches = each.get(keyword)
            if isinstance(branches, list):
                counts.append(len(branches) ** (2 if keyword == "oneOf" else 1))
        counts += [2 for keyword in ("not", "if", "dependentSchemas", "dependencies") if keyword in each]
        if any(keyword in each for keyword in _UNCOUNTED):
            return False
        if number > _MAX_SCHEMAS or prod(counts) > _MAX_PRODUCT:
            return False
    return True


def for_readable_values(schema: JsonValue) -> JsonValue:
    """Return a schema that says the same of every value that is small enough to be read, without bounds beyond those.

    A text of 10^18 characters breaks ``maxLength``, and nobody will ever write one.
    """
    if isinstance(schema, list):
        return [for_readable_values(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {key: for_readable_values(each) for key, each in schema.items() if not _is_beyond(each, key, _AT_MOST)}
    lost = [TYPE_OF[key] for key, each in schema.items() if _is_beyond(each, key, _AT_LEAST)]
    if lost:
        above = kept.get("allOf")
        kept["allOf"] = [
            *(above if isinstance(above, list) else []),
            {"type": [each for each in _TYPES if each not in lost]},
        ]
    return kept


def _is_beyond(limit: JsonValue, keyword: str, keywords: tuple[str, ...]) -> bool:
    return keyword in keywords and isinstance(limit, (int, float)) and limit > MAX_BYTES


def accepts_everything(form: _Canonical | None, everything: _Canonical | None) -> bool | None:
    """Return whether a canonical form admits every value; None where that is not proved either way."""
    if form is None or everything is None:
        return None
    answer = covered(form, everything)
    return True if answer == _YES else False if answer == _NO else None


def covered(form: _Canonical, other: _Canonical) -> jsonschema_rs.canonical.Containment | None:
    """Return the engine's answer whether a form admits all that another admits; None where it has none."""
    try:
        return form.covers(other)
    except ValueError:
        return None


def covers(form: _Canonical, other: _Canonical) -> bool:
    """True where it is proved that a form admits all that another admits."""
    return covered(form, other) == _YES


def is_empty(form: _Canonical | None, other: _Canonical | None = None) -> bool:
    """True where it is proved that no value satisfies a form, or two of them together."""
    if form is None:
        return False
    try:
        both = form if other is None else form.intersect(other)
    except ValueError:
        return False
    return both.satisfiability() == jsonschema_rs.canonical.Satisfiability.NO
