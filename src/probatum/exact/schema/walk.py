"""Walks a JSON Schema over a document with exact numbers, and keeps what each schema has looked at.

Reads drafts 6, 7, 2019-09 and 2020-12. ``pattern`` and ``format`` alone are asked of the compiled engine, text by text.
Refuses, as undecided: draft 4, ``$recursiveRef``, ``$vocabulary``, and more steps than a budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Final
from urllib.parse import unquote, urldefrag, urljoin

from probatum.exact.claim import CannotDecideError
from probatum.readers.json_schema.keywords import ANNOTATIONS, KNOWN, REFERENCE_ALONE
from probatum.readers.json_schema.schema import compiled

BEYOND: Final = "schema.beyond"
MAX_STEPS: Final = 200_000
_MAX_DEPTH: Final = 120
_Seen = set[str | int]
_Schema = Mapping[str, object]


def _form(value: object) -> object:
    """Return what equal values share, and no others."""
    if isinstance(value, list):
        return ("list", *map(_form, value))
    if isinstance(value, dict):
        return ("object", frozenset((key, _form(item)) for key, item in value.items()))
    return (type(value).__name__, value)


def _type_fits(names: object, value: object) -> bool:
    listed = names if isinstance(names, list) else [names]
    own = {str: "string", bool: "boolean", list: "array", dict: "object", type(None): "null", Fraction: "number"}[
        type(value)
    ]
    return own in listed or (isinstance(value, Fraction) and value.denominator == 1 and "integer" in listed)


def _all_differ(wanted: object, items: list[object]) -> bool:
    return wanted is not True or len({_form(each) for each in items}) == len(items)


@cache
def _one_keyword(keyword: str, word: str, draft: str) -> Callable[[object], bool]:
    return compiled({keyword: word}, draft=draft).is_satisfied_by


_ANY: Final[Mapping[str, Callable[..., bool]]] = {
    "type": _type_fits,
    "const": lambda wanted, value: _form(wanted) == _form(value),
    "enum": lambda listed, value: _form(value) in [_form(each) for each in listed],
}
_BY_TYPE: Final[Mapping[type, Mapping[str, Callable[..., bool]]]] = {
    Fraction: {
        "minimum": lambda bound, value: value >= bound,
        "maximum": lambda bound, value: value <= bound,
        "exclusiveMinimum": lambda bound, value: value > bound,
        "exclusiveMaximum": lambda bound, value: value < bound,
        "multipleOf": lambda part, value: (value / part).denominator == 1,
    },
    str: {
        "minLength": lambda bound, text: len(text) >= bound,
        "maxLength": lambda bound, text: len(text) <= bound,
    },
    list: {
        "minItems": lambda bound, items: len(items) >= bound,
        "maxItems": lambda bound, items: len(items) <= bound,
        "uniqueItems": _all_differ,
    },
    dict: {
        "minProperties": lambda bound, item: len(item) >= bound,
        "maxProperties": lambda bound, item: len(item) <= bound,
        "required": lambda names, item: all(name in item for name in names),
        "dependentRequired": lambda needs, item: all(
            set(names) <= set(item) for name, names in needs.items() if name in item
        ),
    },
}
_SUBSCHEMAS: Final = frozenset(
    {
        *("$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentSchemas"),
        *("properties", "patternProperties", "additionalProperties", "propertyNames", "prefixItems", "items"),
        *("additionalItems", "contains", "minContains", "maxContains", "unevaluatedItems", "unevaluatedProperties"),
        *("dependencies", "pattern", "format"),
    }
)
_READ: Final = (ANNOTATIONS | _SUBSCHEMAS | set(_ANY) | {name for each in _BY_TYPE.values() for name in each}) - {
    *("$recursiveAnchor", "$vocabulary", "id")
}


class SchemaWalk:
    """One schema and one document."""

    def __init__(self, schema: object, document: object, draft: str) -> None:
        if draft == "draft-04":
            raise CannotDecideError(BEYOND, "Schemas of draft 4 are not supported here.")
        self._schema, self._document, self._draft = schema, document, draft
        self._steps = self._depth = 0
        self._places: dict[str, tuple[object, str]] = {}
        self._dynamic: set[str] = set()
        self._index(schema, "", "", 0)

    def is_satisfied(self) -> bool:
        """True where the document satisfies the schema; raises CannotDecideError where that is beyond the walk."""
        self._steps = self._depth = 0
        return self._seen(self._schema, self._document, "", ("",)) is not None

    def _index(self, schema: object, base: str, pointer: str, depth: int) -> None:
        """Keep every place that a reference may name: by address and pointer, and by anchor."""
        if isinstance(schema, dict):
            is_alone = self._draft in REFERENCE_ALONE and "$ref" in schema
            named = schema.get("$id")
            if isinstance(named, str) and not is_alone:
                address, fragment = urldefrag(urljoin(base, named))
                if fragment:
                    self._keep(f"{address}#{fragment}", schema, address)
                if address != base:
                    self._keep(f"{base}#{pointer}", schema, base)
                    base, pointer = address, ""
            for keyword in ("$anchor", "$dynamicAnchor"):
                if isinstance(schema.get(keyword), str):
                    self._keep(f"{base}#{schema[keyword]}", schema, base)
                    if keyword == "$dynamicAnchor":
                        self._dynamic.add(f"{base}#{schema[keyword]}")
        self._keep(f"{base}#{pointer}", schema, base)
        parts = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
        for key, part in parts:
            if key not in ("const", "enum"):
                step = str(key).replace("~", "~0").replace("/", "~1")
                self._index(part, base, f"{pointer}/{step}", depth + 1)

    def _keep(self, place: str, schema: object, base: str) -> None:
        known = self._places.get(place)
        if known is not None and known[0] is not schema:
            raise CannotDecideError(BEYOND, "Two parts of the schema have one address.")
        self._places[place] = (schema, base)

    def _target(self, reference: object, base: str) -> tuple[str, object, str]:
        address, fragment = urldefrag(urljoin(base, str(reference)))
        if not str(reference).partition("#")[0]:
            address = base
        place = f"{address}#{unquote(fragment)}"
        if place not in self._places:
            raise CannotDecideError(BEYOND, "A reference leads out of the schema.")
        return place, *self._places[place]

    def _seen(self, schema: object, value: object, base: str, scope: tuple[str, ...]) -> _Seen | None:
        """Return the keys or indexes that a schema has looked at; None where the value breaks it."""
        self._steps += 1
        if schema is True or schema is False:
            return set() if schema else None
        if self._steps > MAX_STEPS or self._depth > _MAX_DEPTH or not isinstance(schema, dict):
            raise CannotDecideError(BEYOND, "Checking this document takes more steps than the budget allows.")
        alone = self._draft in REFERENCE_ALONE and "$ref" in schema
        known = {"$ref": schema["$ref"]} if alone else {k: v for k, v in schema.items() if k in KNOWN[self._draft]}
        if not known.keys() <= _READ:
            raise CannotDecideError(BEYOND, "Only one of the two readings knows a keyword of the schema.")
        if "$id" in known:
            base = urldefrag(urljoin(base, str(known["$id"])))[0]
        scope = scope if scope[-1] == base else (*scope, base)
        self._depth += 1
        try:
            return self._seen_by(known, value, base, scope)
        finally:
            self._depth -= 1

    def _seen_by(self, schema: _Schema, value: object, base: str, scope: tuple[str, ...]) -> _Seen | None:
        for tests in (_ANY, _BY_TYPE.get(type(value), {})):
            if any(keyword in schema and not test(schema[keyword], value) for keyword, test in tests.items()):
                return None
        if isinstance(value, str):
            for keyword in ("pattern", "format"):
                if keyword in schema and not _one_keyword(keyword, str(schema[keyword]), self._draft)(value):
                    return None
        self._steps += len(_listed(schema, "enum"))
        seen: _Seen = set()

        def visit(part: object, item: object) -> _Seen | None:
            return self._seen(part, item, base, scope)

        for found in self._in_place(schema, value, base, scope):
            if found is None:
                return None
            seen |= found
        if isinstance(value, dict):
            return _of_object(
                schema, value, seen, visit, lambda text, key: _one_keyword("pattern", text, self._draft)(key)
            )
        return _of_list(schema, value, seen, visit, self._draft) if isinstance(value, list) else seen

    def _in_place(self, schema: _Schema, value: object, base: str, scope: tuple[str, ...]) -> Iterator[_Seen | None]:
        """Yield what each schema beside this one, for the same value, has looked at."""

        def visit(part: object) -> _Seen | None:
            return self._seen(part, value, base, scope)

        for keyword in ("$ref", "$dynamicRef"):
            if keyword in schema:
                place, target, there = self._target(schema[keyword], base)
                name = place.rpartition("#")[2]
                if keyword == "$dynamicRef" and place in self._dynamic:
                    outer = next((each for each in scope if f"{each}#{name}" in self._dynamic), there)
                    target, there = self._places[f"{outer}#{name}"]
                yield self._seen(target, value, there, scope if scope[-1] == there else (*scope, there))
        yield from map(visit, _listed(schema, "allOf"))
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                fits = [each for each in map(visit, _listed(schema, keyword)) if each is not None]
                is_met = len(fits) == 1 if keyword == "oneOf" else bool(fits)
                yield set().union(*fits) if is_met else None
        if "not" in schema:
            yield None if visit(schema["not"]) is not None else set()
        if "if" in schema:
            met = visit(schema["if"])
            yield met or set()
            yield visit(schema.get("else" if met is None else "then", True))
        for keyword in ("dependentSchemas", "dependencies"):
            for name, need in _object(schema, keyword).items():
                if isinstance(value, dict) and name in value:
                    is_list = isinstance(need, list)
                    yield visit({"required": need} if is_list else need)


_Visit = Callable[[object, object], _Seen | None]


def _of_object(
    schema: _Schema, value: dict[str, object], seen: _Seen, visit: _Visit, matches: Callable[[str, str], bool]
) -> _Seen | None:
    if "propertyNames" in schema and any(visit(schema["propertyNames"], key) is None for key in value):
        return None
    own: _Seen = set()
    pairs: list[tuple[object, str]] = []
    for name, part in _object(schema, "properties").items():
        pairs += [(part, name)] if name in value else []
    for pattern, part in _object(schema, "patternProperties").items():
        pairs += [(part, key) for key in value if matches(pattern, key)]
    own |= {key for _, key in pairs}
    if "additionalProperties" in schema:
        pairs += [(schema["additionalProperties"], key) for key in value if key not in own]
        own |= set(value)
    if "unevaluatedProperties" in schema:
        pairs += [(schema["unevaluatedProperties"], key) for key in value if key not in own | seen]
        own |= set(value)
    return None if any(visit(part, value[key]) is None for part, key in pairs) else own | seen


def _of_list(schema: _Schema, value: list[object], seen: _Seen, visit: _Visit, draft: str) -> _Seen | None:
    items = schema.get("items")
    first, rest = (items, "additionalItems") if isinstance(items, list) else (_listed(schema, "prefixItems"), "items")
    pairs = list(zip(first, range(len(value)), strict=False))
    own: _Seen = {index for _, index in pairs}
    if rest in schema:
        pairs += [(schema[rest], index) for index in range(len(own), len(value))]
        own = set(range(len(value)))
    if "contains" in schema:
        held = {index for index, item in enumerate(value) if visit(schema["contains"], item) is not None}
        if not schema.get("minContains", 1) <= len(held) <= schema.get("maxContains", len(value)):  # type: ignore[operator]  # numbers
            return None
        own |= held if draft == "2020-12" else set()
    if "unevaluatedItems" in schema:
        pairs += [(schema["unevaluatedItems"], index) for index in range(len(value)) if index not in own | seen]
        own = set(range(len(value)))
    return None if any(visit(part, value[index]) is None for part, index in pairs) else own | seen


def _listed(schema: _Schema, keyword: str) -> list[object]:
    found = schema.get(keyword)
    return found if isinstance(found, list) else []


def _object(schema: _Schema, keyword: str) -> Mapping[str, object]:
    found = schema.get(keyword)
    return found if isinstance(found, dict) else {}
