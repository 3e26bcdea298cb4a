"""Schemas: what is enforced, what is told, what is refused, and that everything ends."""

from __future__ import annotations

import json
import socket

import pytest

from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError
from probatum.readers.json_schema.engine import DEFAULT_DRAFT, DRAFTS
from probatum.readers.json_schema.schema import compiled

INTEGER = {"type": "integer"}
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def nested(depth: int, *inside: object) -> list[object]:
    value: list[object] = list(inside)
    for _ in range(depth):
        value = [value]
    return value


def messages(schema: object, value: object) -> list[str]:
    return [each.message for each in compiled(schema).findings(value)]


VALUES: list[tuple[str, object, object, bool]] = [
    ("true is no integer", INTEGER, True, False),
    ("true is no number", {"type": "number"}, True, False),
    ("true is not the number 1", {"const": 1}, True, False),
    ("false is not among 0 and 1", {"enum": [0, 1]}, False, False),
    ("1.0 is an integer", INTEGER, 1.0, True),
    ("1.5 is none", INTEGER, 1.5, False),
    ("1.0 is 1", {"const": 1}, 1.0, True),
    ("a whole number beyond 2^53 is exact", {"maximum": 2**60}, 2**60 + 1, False),
    ("and its equal fits", {"maximum": 2**60}, 2**60, True),
    ("a very long number", INTEGER, 10**4000, True),
    ("NaN is no number", {"type": "number"}, float("nan"), False),
    ("infinity is no number", {"type": "number"}, float("inf"), False),
    ("hundredths are multiples", {"multipleOf": 0.01}, 0.07, True),
    ("a length counts characters", {"maxLength": 1}, "\U0001f600", True),
    ("draft-07 has lists of items", {"$schema": DRAFT_7, "items": [INTEGER]}, ["x"], False),
    ("formats are asserted", {"format": "email"}, "nobody", False),
    ("dates are those of the calendar", {"format": "date"}, "2023-02-29", False),
    (
        "a resource inside",
        {"$id": "https://a.example/x", "$ref": "y", "$defs": {"y": {"$id": "y", "type": "null"}}},
        1,
        False,
    ),
]


@pytest.mark.parametrize(("schema", "value", "fits"), [row[1:] for row in VALUES], ids=[row[0] for row in VALUES])
def test_what_fits(schema: object, value: object, fits: bool) -> None:
    assert compiled(schema).is_satisfied_by(value) is fits


MESSAGES: list[tuple[object, object, str, str]] = [
    (
        {"properties": {"a": {"items": INTEGER}}},
        {"a": [1, 2, "3"]},
        "$.a[2]: expected integer, got text",
        "Write it without quotes: 3.",
    ),
    ({"properties": {"first name": INTEGER}}, {"first name": None}, '$["first name"]: expected integer, got null', ""),
    ({"enum": ["red", "green"]}, "grean", '$: expected one of "red", "green", got "grean"', 'Use "green".'),
    ({"maximum": 2**53}, 2**53 + 1, "$: expected at most 9007199254740992, got 9007199254740993", ""),
    (
        {"const": [2**60]},
        [-(2**60)],
        "$: expected [1152921504606846976], got [-1152921504606846976]",
        "Use [1152921504606846976].",
    ),
    (
        {"type": "string"},
        2**60,
        "$: expected text, got integer",
        'Write it as text: "1152921504606846976".',
    ),
    (
        {"maximum": 1},
        10**400,
        "$: expected at most 1, got a whole number of about 400 digits",
        "",
    ),
    ({"required": ["name"]}, {"Name": 1}, '$: the key "name" is missing', 'Rename "Name" to "name".'),
    ({"additionalProperties": False}, {"b": 1, "a": 2}, '$: the keys "b", "a" are not allowed', ""),
    (
        {"items": {"$ref": "#/$defs/p"}, "$defs": {"p": {"properties": {"email": {}}, "additionalProperties": False}}},
        [{"emial": 1}],
        '$[0]: the key "emial" is not allowed',
        'Rename "emial" to "email".',
    ),
    (
        {"properties": {"email": {}, "name": {}}, "unevaluatedProperties": False},
        {"emial": 1, "email": 2, "Name": 3},
        '$: the keys "emial", "Name" are not allowed',
        'Rename "Name" to "name".',
    ),
    ({"type": "string"}, 5, "$: expected text, got integer", 'Write it as text: "5".'),
    ({"type": "array"}, 5, "$: expected array, got integer", "Put it in a list: [5]."),
    ({"minItems": 2}, [1], "$: expected at least 2 items, got 1", ""),
    ({"anyOf": [INTEGER, {"type": "null"}]}, "5", "$: none of 2 alternatives fits", "Write it without quotes: 5."),
    ({"minimum": 2**60}, 1, "$: expected at least", ""),
    (False, 1, "$: nothing is allowed here, got 1", ""),
]


@pytest.mark.parametrize(("schema", "value", "message", "suggestion"), MESSAGES)
def test_an_error_names_place_expected_found_and_fix(
    schema: object, value: object, message: str, suggestion: str
) -> None:
    finding = compiled(schema).findings(value)[0]
    assert finding.message.startswith(message)
    assert finding.suggestion == suggestion
    assert finding.kind == f"schema.{finding.evidence['keyword']}"
    assert set(finding.evidence) == {"path", "steps", "keyword", "schema_path", "expected", "found"}
    json.dumps(finding.to_dict(), allow_nan=False)


def test_every_error_is_told() -> None:
    schema = {"properties": {"a": INTEGER, "b": INTEGER}, "required": ["c"], "additionalProperties": False}
    assert len(messages(schema, {"a": "x", "b": "y", "d": 1})) == 4


def test_of_very_many_errors_the_rest_is_counted() -> None:
    told = messages({"items": INTEGER}, ["x"] * 5000)
    assert len(told) == 101
    assert told[-1] == "… and 4900 more."


LARGE: list[tuple[object, object, list[str]]] = [
    ({"required": [f"k{n}" for n in range(3000)]}, {str(n): 1 for n in range(3000)}, ["required", "unplaced"]),
    ({"items": {"type": "string"}}, [1] * 100_000, ["type", "unplaced"]),
    ({"type": "object"}, range(2_000_000), ["unplaced"]),
]


@pytest.mark.parametrize(("schema", "value", "kinds"), LARGE)
def test_of_a_large_value_less_is_told(schema: object, value: object, kinds: list[str]) -> None:
    found = compiled(schema).findings(list(value) if isinstance(value, range) else value)
    assert [each.kind for each in found] == [f"schema.{kind}" for kind in kinds]


def test_long_values_are_shortened() -> None:
    for value in ("x" * 100_000, ["y" * 1000] * 1000, {str(number): "z" * 500 for number in range(1000)}, 10**4000):
        finding = compiled({"type": "null"}).findings(value)[0]
        assert len(json.dumps(finding.to_dict())) < 2000


REFUSED: list[tuple[str, object]] = [
    ("contract.schema_invalid", {"type": "strng"}),
    ("contract.schema_invalid", {"minLength": -1}),
    ("contract.schema_invalid", []),
    ("contract.schema_invalid", None),
    ("contract.schema_invalid", {"a": {1, 2}}),
    ("contract.schema_invalid", {1: INTEGER}),
    ("contract.schema_invalid", {"minimum": float("nan")}),
    ("contract.schema_invalid", {"pattern": "("}),
    ("contract.schema_invalid", {"$ref": "#/$defs/nowhere"}),
    ("contract.schema_invalid", {"$schema": 5}),
    ("contract.schema_draft", {"$schema": "http://json-schema.org/draft-03/schema#"}),
    ("contract.schema_draft", {"$schema": "https://example.com/own"}),
    ("contract.schema_draft", {"properties": {"a": {"$schema": DRAFT_7, "$ref": "#/$defs/x"}}, "$defs": {"x": {}}}),
    ("contract.schema_draft", {"$defs": {"a": {"$id": "q", "$schema": "https://example.com/own"}}, "$ref": "q"}),
    ("contract.schema_draft", {"$ref": "#/x", "x": {"$schema": DRAFT_7}}),
    ("contract.schema_reference", {"$id": "http://a.b/c", "items": {"$ref": "http://a.b:/c"}}),
    ("contract.schema_remote", {"$ref": "https://example.com/a.json"}),
    ("contract.schema_remote", {"properties": {"a": {"$ref": "other.json"}}}),
    ("contract.schema_remote", {"$ref": "file:///etc/passwd"}),
    ("contract.schema_remote", {"$dynamicRef": "https://example.com/a.json#x"}),
    ("contract.pattern_not_linear", {"pattern": "(?=a)b"}),
    ("contract.pattern_not_linear", {"patternProperties": {r"(a)\1": True}}),
    ("contract.pattern_too_large", {"pattern": r"(\w{1,200}){1,200}"}),
    ("contract.schema_circular", {"$ref": "#"}),
    ("contract.schema_circular", {"anyOf": [INTEGER, {"$ref": "#"}]}),
    (
        "contract.schema_circular",
        {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}, "items": {"$ref": "#/$defs/a"}},
    ),
]


TEXT = {"type": "string"}
OBJECT = {"type": "object"}
DRAFT_4 = "http://json-schema.org/draft-04/schema#"
_DYNAMIC = {"$id": "list", "items": {"$dynamicRef": "#T"}, "$defs": {"d": {"$dynamicAnchor": "T"}}}


def _pair(name: str, first: object, second: object, reference: str, **beside: object) -> dict[str, object]:
    """Two definitions, one of text and one of objects, that have these names; and a reference."""
    of_draft = "$defs" if "$schema" not in beside else "definitions"
    return {
        of_draft: {"a": {name: first, **TEXT}, "b": {name: second, **OBJECT}},
        "allOf": [{"$ref": reference}],
        **beside,
    }


AMBIGUOUS: dict[str, dict[str, object]] = {
    "one address": _pair("$id", "u:x", "u:x", "u:x"),
    "one address in draft-07": _pair("$id", "x", "x", "x", **{"$schema": DRAFT_7}),
    "one address in draft-04": _pair("id", "x", "x", "x", **{"$schema": DRAFT_4}),
    "one anchor": _pair("$anchor", "x", "x", "#x"),
    "one anchor in draft-07": _pair("$id", "#x", "#x", "#x", **{"$schema": DRAFT_7}),
    "one dynamic anchor": _pair("$dynamicAnchor", "x", "x", "#x"),
    "a host in capitals": _pair("$id", "http://e/a", "http://E/a", "http://e/a"),
    "the port of the scheme": _pair("$id", "http://e/a", "http://e:80/a", "http://e/a"),
    "an escape without need": _pair("$id", "http://e/a", "http://e/%61", "http://e/a"),
    "a way there and back": _pair("$id", "http://e/a", "http://e/b/../a", "http://e/a"),
    "a place below the address": {
        "$defs": {"a": {"$id": "u:x", "items": TEXT}, "b": {"$id": "u:x", "items": OBJECT}},
        "$ref": "u:x#/items",
    },
    "the whole and a part": {
        "$id": "u:x",
        "$defs": {"a": {"$id": "u:x", **TEXT}},
        "properties": {"p": {"$ref": "u:x"}},
    },
    "a schema of contents": {"$defs": {"a": {"$id": "x", **TEXT}}, "contentSchema": {"$id": "x"}, "$ref": "x"},
    "true is not 1": {"$defs": {"a": {"$id": "x", "const": 1}, "b": {"$id": "x", "const": True}}, "$ref": "x"},
    "what a dynamic reference finds": {
        "$id": "http://t/r",
        "$ref": "list",
        "$defs": {"a": {"$dynamicAnchor": "T", **TEXT}, "b": {"$dynamicAnchor": "T", **OBJECT}, "list": _DYNAMIC},
    },
}


@pytest.mark.parametrize("schema", AMBIGUOUS.values(), ids=AMBIGUOUS)
def test_a_reference_that_the_order_of_keys_would_decide_is_refused(schema: object) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        compiled(schema)
    assert caught.value.code == "contract.schema_reference"


def test_a_reference_to_one_of_two_different_documents_of_one_address_is_refused() -> None:
    other = {"u:x": {"$id": "u:x", **TEXT}}
    with pytest.raises(NotAttemptedError, match="is not certain"):
        compiled({"$id": "u:x", "properties": {"p": {"$ref": "u:x"}}}, resources=other)
    assert compiled({"$id": "u:x", **OBJECT}, resources=other).is_satisfied_by({})


CLEAR: dict[str, dict[str, object]] = {
    "an anchor under another address": {
        "$defs": {"a": {"$id": "a", "$anchor": "x", **TEXT}, "b": {"$id": "b", "$anchor": "x", **OBJECT}},
        "$ref": "a#x",
    },
    "paths that differ in capitals": _pair("$id", "http://e/a", "http://e/A", "http://e/a"),
    "the same schema twice": {"$defs": {"a": {"$id": "x", **TEXT}, "b": {"$id": "x", **TEXT}}, "$ref": "x"},
    "nobody refers to it": {"$defs": {"a": {"$id": "x", **TEXT}, "b": {"$id": "x", **OBJECT}}, **TEXT},
    "a constant": {"$defs": {"a": {"$id": "x", **TEXT}}, "not": {"const": {"$id": "x"}}, "$ref": "x"},
    "an option": {"$defs": {"a": {"$id": "x", **TEXT}}, "not": {"enum": [{"$id": "x"}]}, "$ref": "x"},
    "a keyword that the draft does not have": {
        "$schema": DRAFT_7,
        "definitions": {"a": {"$id": "x", **TEXT}},
        "$defs": {"a": {"$id": "x", **OBJECT}},
        "allOf": [{"$ref": "x"}],
    },
    "an anchor that the draft does not have": {
        "$schema": DRAFT_7,
        "definitions": {"a": {"$id": "#x", **TEXT}, "b": {"$anchor": "x", **OBJECT}},
        "allOf": [{"$ref": "#x"}],
    },
    "an address beside a reference in draft-07": {
        "$schema": DRAFT_7,
        "definitions": {"s": OBJECT, "a": {"$id": "x", "$ref": "#/definitions/s"}, "b": {"$id": "x", **TEXT}},
        "allOf": [{"$ref": "x"}],
    },
}


@pytest.mark.parametrize("schema", CLEAR.values(), ids=CLEAR)
def test_a_reference_to_what_has_one_meaning_is_followed(schema: object) -> None:
    assert compiled(schema).is_satisfied_by("a")
    assert not compiled(schema).is_satisfied_by({})


OTHER_DRAFTS: list[tuple[str, object, object]] = [
    ("2020-12", {"required": ["b"], "dependencies": {"b": ["c"]}}, {"b": 1}),
    ("2019-09", {"dependencies": {"b": {"required": ["c"]}}}, {"b": 1}),
    ("2020-12", {"properties": {"a": {"dependencies": {"b": {"$ref": "#"}}}}}, {"a": {"b": 1}}),
    ("draft-06", {"contentEncoding": "base64"}, "%"),
    ("draft-06", {"contentMediaType": "application/json"}, "{"),
    ("2020-12", {"additionalItems": False}, [1]),
    ("2020-12", {"$recursiveRef": "#/$defs/none"}, 1),
    ("2019-09", {"prefixItems": [False]}, [1]),
    ("draft-07", {"id": "http://e/x", "divisibleBy": 2, "dependentRequired": {"b": ["c"]}}, {"b": 3}),
    ("draft-06", {"if": True, "then": False}, 1),
    ("draft-04", {"const": 1, "contains": False, "propertyNames": False}, {"a": 2}),
]


@pytest.mark.parametrize(("draft", "schema", "value"), OTHER_DRAFTS)
def test_a_keyword_of_another_draft_does_nothing(draft: str, schema: object, value: object) -> None:
    assert compiled(schema, draft=draft).is_satisfied_by(value)
    assert not compiled({"not": schema}, draft=draft).is_satisfied_by(value)


@pytest.mark.parametrize(("code", "schema"), REFUSED)
def test_a_schema_that_cannot_be_used_is_named(code: str, schema: object) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        compiled(schema)
    assert caught.value.code == code
    assert len(str(caught.value)) < 700


def test_a_schema_that_is_nested_too_deep_is_named() -> None:
    schema: dict[str, object] = {}
    for _ in range(5000):
        schema = {"not": schema}
    with pytest.raises(NotAttemptedError, match="nested deeper"):
        compiled(schema)


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_socket(*_args: object, **_more: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", no_socket)
    monkeypatch.setattr(socket, "create_connection", no_socket)
    with pytest.raises(NotAttemptedError):
        compiled({"$ref": "http://127.0.0.1:1/a.json"})


def test_given_resources_are_used() -> None:
    resources = {"https://example.com/a.json": {"$defs": {"b": INTEGER}}}
    ready = compiled({"$ref": "https://example.com/a.json#/$defs/b"}, resources=resources)
    assert ready.is_satisfied_by(1)
    assert not ready.is_satisfied_by("x")
    other = compiled(
        {"$ref": "https://example.com/a.json#/$defs/b"},
        resources={"https://example.com/a.json": {"$defs": {"b": True}}},
    )
    assert other.is_satisfied_by("x")


def test_formats_can_be_annotations() -> None:
    assert compiled({"format": "email"}, formats=False).is_satisfied_by("nobody")
    assert not compiled({"format": "email"}).is_satisfied_by("nobody")


def test_a_changed_schema_is_compiled_again() -> None:
    schema: dict[str, object] = {"type": "string"}
    assert compiled(schema).is_satisfied_by("x")
    schema["type"] = "integer"
    assert not compiled(schema).is_satisfied_by("x")


@pytest.mark.parametrize(
    ("first", "second", "value"), [({"const": 1}, {"const": True}, True), ({"enum": [0]}, {"enum": [False]}, False)]
)
def test_schemas_that_python_takes_for_equal_are_kept_apart(first: object, second: object, value: object) -> None:
    assert not compiled(first).is_satisfied_by(value)
    assert compiled(second).is_satisfied_by(value)


PATTERNS = [r"^(a+)+$", r"^(a|a)*$", r"^(a|aa)+$", r"(x+x+)+y", r"^(([a-z])+.)+[A-Z]([a-z])+$", r"(.*a){20}"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_catastrophic_patterns_end(pattern: str) -> None:
    for text in ("a" * 100_000 + "!", "x" * 100_000):
        [refused] = compiled({"pattern": pattern}).findings(text) or [None]
        assert refused is None or refused.kind == "schema.pattern"


TREE = {"properties": {"left": {"$ref": "#"}, "right": {"$ref": "#"}}, "additionalProperties": False}
ANY_JSON = {
    "anyOf": [
        {"type": ["null", "boolean", "number", "string"]},
        {"type": "array", "items": {"$ref": "#"}},
        {"type": "object", "additionalProperties": {"$ref": "#"}},
    ]
}


@pytest.mark.parametrize("address", DRAFTS)
def test_the_schema_of_schemas_is_checked(address: str) -> None:
    ready = compiled({"$schema": address, "$ref": address})
    assert ready.is_satisfied_by({"properties": {"a": {"type": "string"}}})
    assert not ready.is_satisfied_by({"properties": {"a": {"type": "strng"}}})


def test_a_reference_to_where_no_schema_is_expected_is_followed() -> None:
    ready = compiled({"$ref": "#/x/y", "x": {"y": {"items": {"$ref": "#/x/y"}, "type": ["array", "null"]}}})
    assert ready.is_satisfied_by([[None]])
    assert not ready.is_satisfied_by([[1]])


def test_recursive_schemas_that_do_not_double_are_checked() -> None:
    assert compiled(ANY_JSON).is_satisfied_by(nested(300))
    value: dict[str, object] = {}
    for _ in range(300):
        value = {"left": value, "right": {}}
    assert compiled(TREE).is_satisfied_by(value)
    wide = {"left": {"right": {}}, "right": {"left": {"x": 1}}}
    assert not compiled(TREE).is_satisfied_by(wide)


def _laughs(keyword: str) -> dict[str, object]:
    below = {"$ref": "#/$defs/d{}"}

    def one(number: int) -> dict[str, object]:
        target = {"$ref": below["$ref"].format(number + 1)}
        return (
            {"allOf": [target, target]} if keyword == "in place" else {"allOf": [{"items": target}, {"items": target}]}
        )

    definitions: dict[str, object] = {f"d{number}": one(number) for number in range(40)}
    return {"$defs": {**definitions, "d40": INTEGER}, "$ref": "#/$defs/d0"}


def _doubling(reference: str) -> dict[str, object]:
    return {"allOf": [{"items": {"$ref": reference}}, {"items": {"$ref": reference}}]}


def _negated(depth: int) -> object:
    value: object = 5
    for _ in range(depth):
        value = {"not": value}
    return value


COSTLY: list[tuple[str, object, object]] = [
    ("schemas that double in place", _laughs("in place"), 1),
    ("schemas that double below", _laughs("below"), nested(40)),
    (
        "a schema that doubles with each level",
        {"allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]},
        nested(60),
    ),
    ("items and contains", {"items": {"$ref": "#"}, "contains": {"$ref": "#"}, "type": "array"}, nested(60)),
    (
        "through a reference",
        {"$defs": {"a": {"items": {"$ref": "#"}}}, "anyOf": [{"$ref": "#/$defs/a"}] * 3},
        nested(60),
    ),
    *(
        (f"{named} names the schema itself", {"type": "array", **_doubling(named)}, nested(30, 1))
        for named in ("/", ".", "json-schema:///", "json-schema:///#")
    ),
    *(
        (f"{named} is {own}", {"$id": own, "type": "array", **_doubling(named)}, nested(30, 1))
        for own, named in (
            ("http://a.b/c", "HTTP://A.B/c"),
            ("http://a.b/%7Ec", "http://a.b/~c"),
            ("http://a.b:80/c", "http://a.b/c"),
            ("urn:uuid:x", "URN:uuid:x"),
        )
    ),
    *(
        (f"{key} is no place for schemas", {"$ref": f"#/{key}", key: {"type": "array", **_doubling(f"#/{key}")}}, deep)
        for key, deep in (("x", nested(30, 1)), ("const", nested(30, 1)), ("default", nested(30, 1)))
    ),
    ("unique items where no schema is expected", {"$ref": "#/x", "x": {"uniqueItems": True}}, [nested(9000)] * 2),
    ("the schema of schemas", {"$ref": DEFAULT_DRAFT}, {"type": [nested(9000), nested(9000)]}),
    (
        "the schema of schemas leads back",
        {"$id": "http://x/y", "$dynamicAnchor": "meta", "allOf": [{"$ref": DEFAULT_DRAFT}] * 3},
        _negated(30),
    ),
    ("a deep value and a recursive schema", ANY_JSON, nested(9000)),
    ("a deep value and unique items", {"uniqueItems": True}, [nested(9000), nested(9000)]),
]


@pytest.mark.parametrize(("schema", "value"), [row[1:] for row in COSTLY], ids=[row[0] for row in COSTLY])
def test_what_costs_too_much_is_named_before_it_is_done(schema: object, value: object) -> None:
    with pytest.raises(BudgetError):
        compiled(schema).findings(value)


@pytest.mark.parametrize(
    "schema", [{"type": "object"}, {"type": "array"}, True, {"maxItems": 0}, {"items": {"items": INTEGER}}]
)
def test_ten_thousand_nested_arrays_end(schema: object) -> None:
    ready = compiled(schema)
    assert ready.is_satisfied_by(nested(9999)) is not bool(ready.findings(nested(9999)))


def test_many_random_schemas_of_odd_shape_never_end_in_a_traceback() -> None:
    odd: list[object] = [{}, [], None, 5, "x", True, {"$ref": 5}, {"type": []}, {"items": [1]}, {"$defs": 3}]
    for keyword in (
        "properties",
        "items",
        "allOf",
        "$ref",
        "enum",
        "required",
        "$defs",
        "dependencies",
        "$id",
        "pattern",
    ):
        for value in odd:
            try:
                ready = compiled({keyword: value})
            except ProbatumError:
                continue
            assert isinstance(ready.concerns, tuple)
            ready.findings({"a": [1]})
