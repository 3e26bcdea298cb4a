"""The review of schemas: what says less than its author thinks is told, and nothing else."""

from __future__ import annotations

import pytest

from probatum.core.finding import Severity
from probatum.readers.json_schema.schema import compiled

DRAFT_4 = "http://json-schema.org/draft-04/schema#"
DRAFT_6 = "http://json-schema.org/draft-06/schema#"
DRAFT_7 = "http://json-schema.org/draft-07/schema#"
DRAFT_2019 = "https://json-schema.org/draft/2019-09/schema"

CONCERNS: list[tuple[str, object, list[str]]] = [
    ("nothing to say", {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, []),
    ("annotations are fine", {"type": "string", "title": "x", "default": "", "x-own": 1, "$comment": "y"}, []),
    ("a misspelt keyword", {"type": "string", "minLenght": 3}, ["unknown_keyword"]),
    (
        "deep inside",
        {"type": "object", "properties": {"a": {"items": {"type": "string", "patern": "x"}}}},
        ["unknown_keyword"],
    ),
    ("of a dialect", {"type": ["string"], "nullable": True}, ["other_draft"]),
    ("of 2020-12 in draft-07", {"$schema": DRAFT_7, "type": "array", "prefixItems": [True]}, ["other_draft"]),
    ("of draft-07 in 2020-12", {"type": "array", "items": {"type": "null"}, "additionalItems": False}, ["other_draft"]),
    ("of draft-06 in draft-04", {"$schema": DRAFT_4, "type": "string", "const": "a", "minLength": 1}, ["other_draft"]),
    ("an address of draft-06 in draft-04", {"$schema": DRAFT_4, "$id": "http://a/b", "type": "null"}, ["other_draft"]),
    ("an address of draft-04 in draft-06", {"$schema": DRAFT_6, "id": "http://a/b", "type": "null"}, ["other_draft"]),
    (
        "of draft-07 in draft-06",
        {"$schema": DRAFT_6, "type": "string", "if": {"minLength": 3}, "then": {"pattern": "a"}},
        ["other_draft", "other_draft"],
    ),
    ("of 2020-12 in 2019-09", {"$schema": DRAFT_2019, "type": "array", "prefixItems": [True]}, ["other_draft"]),
    ("a limit of draft-04", {"$schema": DRAFT_4, "type": "number", "minimum": 3, "exclusiveMinimum": True}, []),
    (
        "a list of items in 2019-09",
        {"$schema": DRAFT_2019, "type": "array", "items": [{"type": "null"}], "additionalItems": False},
        [],
    ),
    (
        "a recursive reference",
        {"$schema": DRAFT_2019, "type": "object", "properties": {"a": {"$recursiveRef": "#"}}, "required": ["a"]},
        [],
    ),
    ("a recursive reference to nothing else", {"$schema": DRAFT_2019, "$recursiveRef": "#"}, ["vacuous"]),
    ("nothing in draft-04", {"$schema": DRAFT_4}, ["vacuous"]),
    (
        "a format that draft-04 does not have",
        {"$schema": DRAFT_4, "type": "string", "format": "uuid"},
        ["unknown_format"],
    ),
    (
        "beside a reference in draft-04",
        {"$schema": DRAFT_4, "definitions": {"a": {"type": "string"}}, "$ref": "#/definitions/a", "minLength": 3},
        ["idle_keyword"],
    ),
    ("a key named like a keyword", {"type": "object", "properties": {"minLenght": {"type": "string"}}}, []),
    (
        "dependencies in 2020-12",
        {"type": "object", "minProperties": 1, "dependencies": {"b": ["c"]}},
        ["other_draft"],
    ),
    ("a keyword of another type", {"type": "integer", "minLength": 3}, ["idle_keyword"]),
    ("format beside a number", {"type": "integer", "format": "date"}, ["idle_keyword"]),
    ("then without if", {"type": "string", "then": {"minLength": 3}}, ["idle_keyword"]),
    ("if alone", {"type": "string", "if": {"minLength": 3}}, ["idle_keyword"]),
    ("minContains alone", {"type": "array", "maxItems": 9, "minContains": 3}, ["idle_keyword"]),
    (
        "beside a reference in draft-07",
        {"$schema": DRAFT_7, "definitions": {"a": {"type": "string"}}, "$ref": "#/definitions/a", "minLength": 3},
        ["idle_keyword"],
    ),
    ("beside a reference in 2020-12", {"$defs": {"a": {"type": "string"}}, "$ref": "#/$defs/a", "minLength": 3}, []),
    ("an unknown format", {"type": "string", "format": "emial", "minLength": 1}, ["unknown_format"]),
    ("everything", True, ["vacuous"]),
    ("nothing", False, ["unsatisfiable"]),
    ("only definitions", {"$defs": {"a": {"type": "string"}}}, ["vacuous"]),
    ("two ranges that meet", {"anyOf": [{"minimum": 3}, {"maximum": 5}]}, ["vacuous"]),
    ("a range upside down", {"type": "integer", "minimum": 5, "maximum": 3}, ["unsatisfiable", "contradiction"]),
    ("no value of enum fits", {"type": "string", "enum": [1, 2]}, ["unsatisfiable", "contradiction"]),
    ("one value of enum does not fit", {"type": "string", "enum": [1, "a"]}, ["unreachable_branch"]),
    ("const beside enum", {"const": 1, "enum": [2]}, ["unsatisfiable", "contradiction"]),
    (
        "required and forbidden",
        {"type": "object", "required": ["a"], "additionalProperties": False},
        ["unsatisfiable", "contradiction"],
    ),
    ("required and misspelt", {"type": "object", "required": ["nmae"], "properties": {"name": {}}}, ["unnamed_key"]),
    ("anyOf with true", {"type": "object", "anyOf": [True, {"required": ["a"]}]}, ["vacuous_branch"]),
    ("anyOf that another holds", {"anyOf": [{"type": "number"}, {"type": "integer"}]}, ["unreachable_branch"]),
    ("oneOf that another holds", {"oneOf": [{"type": "number"}, {"type": "integer"}]}, ["unreachable_branch"]),
    (
        "anyOf of another type",
        {"type": "string", "anyOf": [{"type": "integer"}, {"minLength": 2}]},
        ["unreachable_branch"],
    ),
    ("alternatives that differ", {"oneOf": [{"type": "string"}, {"type": "integer"}]}, []),
    ("no type", {"properties": {"a": {"type": "string"}}}, ["untyped"]),
]


@pytest.mark.parametrize(("schema", "kinds"), [row[1:] for row in CONCERNS], ids=[row[0] for row in CONCERNS])
def test_what_is_told(schema: object, kinds: list[str]) -> None:
    concerns = compiled(schema).concerns
    assert [each.kind for each in concerns] == [f"schema.{kind}" for kind in kinds]
    assert all(each.severity is Severity.WARNING for each in concerns)


VACUOUS: list[object] = [
    *(True, {}, {"title": "x"}, {"type": ["null", "boolean", "number", "string", "array", "object"]}),
    *({"anyOf": [True, False]}, {"not": False}, {"items": True}, {"properties": {"a": True}}, {"minLength": 0}),
    *({"format": "nope"}, {"if": {"type": "string"}}, {"properties": {"c": {"$ref": "#"}}}, {"allOf": [{}]}),
    *({"minLenght": 3}, {"uniqueItems": False}, {"anyOf": [{"type": "string"}, {"not": {"type": "string"}}]}),
    *({"oneOf": [True, False]}, {"required": []}, {"then": False}, {"minContains": 3}, {"pattern": ""}),
]
TELLING: list[object] = [
    *(
        False,
        {"type": "string"},
        {"const": {"a": [1, 2]}},
        {"not": {"const": {"deep": [1, {"x": 5}]}}},
        {"maxItems": 5000},
    ),
    *({"dependentRequired": {"a": ["b"]}}, {"propertyNames": {"maxLength": 3}}, {"maxLength": 1_000_000}),
    *({"if": {"properties": {"k": {"const": "a"}}, "required": ["k"]}, "then": {"required": ["x"]}},),
    *({"items": {"items": {"items": {"type": "string"}}}}, {"additionalProperties": {"minimum": 1e9}}),
    *({"format": "email"}, {"unevaluatedProperties": False}, {"contains": {"const": 1}}, {"multipleOf": 1e-3}),
    *({"not": {"required": ["error"]}}, {"patternProperties": {"^x": False}}, {"exclusiveMinimum": 10**30}),
]


OUT_OF_REACH: list[object] = [
    *({keyword: 10**18} for keyword in ("maxLength", "maxItems", "maxProperties")),
    {"maxLength": 1e18},
    {"properties": {"a": {"maxLength": 10**18}}},
    *({"not": {"type": "string", "minLength": 10**18}}, {"not": {"allOf": [{"type": "array"}, {"minItems": 1e9}]}}),
    {"$ref": "#/x", "x": {"maxLength": 10**30}},
]


@pytest.mark.parametrize("schema", OUT_OF_REACH, ids=str)
def test_what_only_a_value_refuses_that_nobody_can_read_is_vacuous(schema: object) -> None:
    assert compiled(schema).is_vacuous


@pytest.mark.parametrize("schema", [{"minLength": 10**18}, {"not": {"maxLength": 10**18}}], ids=str)
def test_what_no_text_can_satisfy_is_not_vacuous(schema: object) -> None:
    assert not compiled(schema).is_vacuous


@pytest.mark.parametrize("schema", VACUOUS, ids=str)
def test_what_accepts_everything_is_vacuous(schema: object) -> None:
    assert compiled(schema).is_vacuous


@pytest.mark.parametrize("schema", TELLING, ids=str)
def test_what_refuses_something_is_not_vacuous(schema: object) -> None:
    assert not compiled(schema).is_vacuous


def test_formats_as_annotations_enforce_nothing() -> None:
    assert compiled({"format": "email"}, formats=False).is_vacuous
    assert not compiled({"format": "email"}).is_vacuous


def test_very_many_concerns_are_counted() -> None:
    schema = {"type": "object", "properties": {f"k{number}": {"typ": 1} for number in range(500)}}
    assert 100 <= len(compiled(schema).concerns) <= 103


def test_alternatives_that_multiply_are_not_computed() -> None:
    many = [{"anyOf": [{"required": [f"a{n}"]}, {"properties": {f"b{n}": {"type": "null"}}}]} for n in range(40)]
    ready = compiled({"type": "object", "allOf": many})
    assert not ready.is_vacuous
    assert ready.concerns == ()


def test_a_position_of_more_digits_than_numbers_have_is_nowhere() -> None:
    lost = {"allOf": [{"$ref": "#/$defs/x/allOf/" + "1" * 5000}]}
    assert compiled({"type": "object", "$defs": {"x": lost}}).concerns == ()
