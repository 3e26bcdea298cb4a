"""Two engines, one meaning: what jsonschema says of small schemas and values is what ours says.

Where they differ, it is for a reason that is named here: jsonschema takes patterns as Python does, and whether a
multiple is exact for floats as binary fractions do. Neither is generated.
"""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.readers.json_schema.schema import compiled

KEYS = st.sampled_from(["a", "b", "c"])
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.sampled_from([0.0, 1.0, 1.5, -2.5, 2**60, 1e300])
    | st.sampled_from(["", "a", "ab", "é"])
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=6
)
TYPES = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
COUNTS = st.integers(0, 3)
PATTERNS = st.sampled_from(["^a", "b$", "^[ab]+$", "a"])


def _keywords(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    maps = st.dictionaries(KEYS, inner, max_size=2)
    lists = st.lists(inner, min_size=1, max_size=2)
    return {
        "type": TYPES | st.lists(TYPES, min_size=1, max_size=2, unique=True),
        "enum": st.lists(VALUES, min_size=1, max_size=3),
        "const": VALUES,
        **dict.fromkeys(
            ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"), st.integers(-3, 3) | st.just(0.5)
        ),
        "multipleOf": st.integers(1, 3),
        **dict.fromkeys(("minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"), COUNTS),
        "pattern": PATTERNS,
        "uniqueItems": st.booleans(),
        "required": st.lists(KEYS, max_size=2, unique=True),
        "properties": maps,
        "patternProperties": st.dictionaries(PATTERNS, inner, max_size=2),
        **dict.fromkeys(
            ("additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else"), inner
        ),
        **dict.fromkeys(("allOf", "anyOf", "oneOf"), lists),
    }


def _newer(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    return {
        **_keywords(inner),
        "prefixItems": st.lists(inner, min_size=1, max_size=2),
        "minContains": COUNTS,
        "maxContains": COUNTS,
        "dependentRequired": st.dictionaries(KEYS, st.lists(KEYS, max_size=2, unique=True), max_size=2),
        "dependentSchemas": st.dictionaries(KEYS, inner, max_size=2),
        "unevaluatedProperties": inner,
        "unevaluatedItems": inner,
        "$ref": st.just("#/$defs/shared"),
    }


def _older(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    return {
        **_keywords(inner),
        "items": inner | st.lists(inner, min_size=1, max_size=2),
        "additionalItems": inner,
        "dependencies": st.dictionaries(KEYS, inner | st.lists(KEYS, max_size=2, unique=True), max_size=2),
    }


def _draft_6(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    return {key: values for key, values in _older(inner).items() if key not in {"if", "then", "else"}}


def _draft_4(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    return {
        **{key: values for key, values in _draft_6(inner).items() if key not in {"const", "contains", "propertyNames"}},
        "required": st.lists(KEYS, min_size=1, max_size=2, unique=True),
        "additionalItems": inner | st.booleans(),
        "additionalProperties": inner | st.booleans(),
        "exclusiveMinimum": st.booleans(),
        "exclusiveMaximum": st.booleans(),
        "dependencies": st.dictionaries(KEYS, inner | st.lists(KEYS, min_size=1, max_size=2, unique=True), max_size=2),
    }


def _has_limits(schema: dict[str, Any]) -> bool:
    """Draft 4 has ``exclusiveMinimum`` beside ``minimum`` only; alone, its own schema refuses it."""
    return all(f"exclusive{end}" not in schema or end.lower() in schema for end in ("Minimum", "Maximum"))


def _draft_2019(inner: st.SearchStrategy[Any]) -> dict[str, st.SearchStrategy[Any]]:
    newer = {key: values for key, values in _newer(inner).items() if key not in {"prefixItems", "$ref"}}
    return {
        **newer,
        "items": inner | st.lists(inner, min_size=1, max_size=2),
        "additionalItems": inner,
        "$recursiveRef": st.just("#"),
    }


def _some(options: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[dict[str, Any]]:
    chosen = st.lists(st.sampled_from(sorted(options)), max_size=3, unique=True)
    return chosen.flatmap(lambda names: st.fixed_dictionaries({name: options[name] for name in names})).map(_readable)


def _readable(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without ``additionalItems`` beside ``items`` of true or false, at which jsonschema 4.26 raises."""
    return {
        key: item for key, item in schema.items() if key != "additionalItems" or type(schema.get("items")) is not bool
    }


def schemas(of_keywords: Any) -> st.SearchStrategy[Any]:
    return st.recursive(st.booleans() | st.just({}), lambda inner: _some(of_keywords(inner)), max_leaves=5)


def agree(schema: dict[str, Any], value: object, engine: Any) -> bool:
    """Whether both say the same of the value, and ours does not call a schema vacuous that refuses it."""
    theirs = engine(schema).is_valid(value)
    ready = compiled(schema, formats=False)
    return (not ready.findings(value)) is theirs and (theirs or not ready.is_vacuous)


@given(schemas(_newer), schemas(_keywords), VALUES)
@settings(max_examples=400, deadline=None)
def test_2020_12(schema: Any, shared: Any, value: object) -> None:
    whole = {"$defs": {"shared": shared}, **(schema if isinstance(schema, dict) else {"allOf": [schema]})}
    assert agree(whole, value, jsonschema.Draft202012Validator)


@given(schemas(_older), VALUES)
@settings(max_examples=400, deadline=None)
def test_draft_07(schema: Any, value: object) -> None:
    whole = {"$schema": "http://json-schema.org/draft-07/schema#", "allOf": [schema]}
    assert agree(whole, value, jsonschema.Draft7Validator)


@given(schemas(_draft_6), VALUES)
@settings(max_examples=200, deadline=None)
def test_draft_06(schema: Any, value: object) -> None:
    whole = {"$schema": "http://json-schema.org/draft-06/schema#", "allOf": [schema]}
    assert agree(whole, value, jsonschema.Draft6Validator)


@given(st.recursive(st.just({}), lambda inner: _some(_draft_4(inner)).filter(_has_limits), max_leaves=5), VALUES)
@settings(max_examples=200, deadline=None)
def test_draft_04(schema: Any, value: object) -> None:
    whole = {"$schema": "http://json-schema.org/draft-04/schema#", "allOf": [schema]}
    assert agree(whole, value, jsonschema.Draft4Validator)


@given(schemas(_draft_2019), VALUES)
@settings(max_examples=200, deadline=None)
def test_2019_09(schema: Any, value: object) -> None:
    whole = {
        "$schema": "https://json-schema.org/draft/2019-09/schema",
        "properties": {"a": schema},
        "anyOf": [{"type": "object"}, {"maxItems": 2, "not": {"const": "ab"}}],
    }
    assert agree(whole, value, jsonschema.Draft201909Validator)


DIFFERENCES: list[tuple[str, object, object, bool]] = [
    ("hundredths as decimals, not as binary fractions", {"multipleOf": 0.01}, 4.35, True),
    ("the end of a text is its end, also before a line break", {"pattern": "^a$"}, "a\n", False),
    ("digits are the ten of ASCII", {"pattern": r"^\d$"}, "\u0664", False),
]


@pytest.mark.parametrize(
    ("schema", "value", "ours"), [row[1:] for row in DIFFERENCES], ids=[row[0] for row in DIFFERENCES]
)
def test_where_the_engines_differ_ours_follows_the_standard(schema: Any, value: object, ours: bool) -> None:
    assert compiled(schema).is_satisfied_by(value) is ours
    assert jsonschema.Draft202012Validator(schema).is_valid(value) is not ours
