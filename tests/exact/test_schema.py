"""Documents and JSON Schemas."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from probatum.exact import check
from tests.exact.claims import (
    BLOCKED,
    PROVED,
    REFUTED,
    UNDECIDED,
    claim_of,
    outcome_of,
    require_every_digit_counts,
    ruled,
)

SUITES = Path(os.environ.get("PROBATUM_SUITES", ""))
SATISFIES = "valid"
SATISFIED = [
    ("1", "true"),
    ("1.0", '{"type": "integer"}'),
    ("0.3", '{"multipleOf": 0.1}'),
    ('{"a": {"a": {}}}', '{"properties": {"a": {"$ref": "#"}}, "additionalProperties": false}'),
    ('{"z": 5}', '{"$ref": "#/$defs/t", "$defs": {"t": {"required": ["z"]}}}'),
    ('"' + "a" * 35 + '"', '{"pattern": "^(a+)+$"}'),
    ('["x", 1]', '{"prefixItems": [{"type": "string"}], "items": {"type": "integer"}}'),
    (
        '{"a": 1, "b": 2}',
        '{"properties": {"a": true}, "allOf": [{"properties": {"b": true}}], "unevaluatedProperties": false}',
    ),
    ("[1, true]", '{"uniqueItems": true}'),
    ('"a@example.org"', '{"format": "email"}'),
    ({"a": 1.5}, {"type": "object", "x-note": "mine"}),
    ([1, 2], True),
]
VIOLATED = [
    ("1", "false"),
    ("true", '{"const": 1}'),
    ("1", '{"const": true}'),
    ("1", '{"enum": [true]}'),
    ('"' + "a" * 35 + '!"', '{"pattern": "^(a+)+$"}'),
    ('{"c": "US"}', '{"if": {"properties": {"c": {"const": "US"}}}, "then": {"required": ["zip"]}}'),
    ('{"a": 1}', '{"dependentRequired": {"a": ["b"]}}'),
    ('{"a": 1}', '{"dependentSchemas": {"a": {"required": ["b"]}}}'),
    ("[1]", '{"contains": {"type": "integer"}, "minContains": 2}'),
    ('{"AB": 1}', '{"propertyNames": {"pattern": "^[a-z]+$"}}'),
    ('{"a1": "x"}', '{"patternProperties": {"^a": {"type": "integer"}}}'),
    ('{"a": 1, "b": 2}', '{"properties": {"a": true}, "unevaluatedProperties": false}'),
    ('{"a": {"a": 1}}', '{"$dynamicAnchor": "n", "type": "object", "additionalProperties": {"$dynamicRef": "#n"}}'),
    *((json.dumps(text), json.dumps({"format": name})) for name, text in {
        "email": "x", "date": "2023-02-30", "date-time": "2023-01-01", "ipv4": "1.2.3.999", "uri": "a b", "uuid": "1-2",
    }.items()),
]  # fmt: skip
OPEN = [
    ('{"b": 1}', '{"type": "object", "require": ["a"]}', "schema.doubtful"),
    ("5", '{"type": "integer", "nullable": true}', "schema.doubtful"),
    ('"x"', '{"format": "phone"}', "schema.doubtful"),
    ("0.3000000000000000000001", '{"const": 0.3}', "schema.beyond"),
    ("1", '{"$schema": "http://json-schema.org/draft-04/schema#", "type": "number"}', "schema.beyond"),
]
NOT_READ = [
    ("1", '{"$ref": "#/$defs/x"}'),
    ("1", '{"$ref": "http://schemas.example/y"}'),
    ("1", '{"$ref": "#"}'),
    ("1", '{"type": "strng"}'),
    ('"a"', '{"pattern": "(?=a)a"}'),
    ("1", "[]"),
    ("", "true"),
    ("NaN", "true"),
    ('{"a": 1, "a": 2}', "true"),
    ("1e999999999", "true"),
    ("[" * 5000 + "]" * 5000, "true"),
]


@pytest.mark.parametrize(("document", "schema"), SATISFIED)
def test_documents_that_satisfy_are_proved(document: object, schema: object) -> None:
    assert ruled("schema", SATISFIES, document=document, schema=schema).outcome is PROVED
    require_every_digit_counts(claim_of("schema", SATISFIES, document=document, schema=schema))


@pytest.mark.parametrize(("document", "schema"), VIOLATED)
def test_documents_that_violate_are_refuted(document: str, schema: str) -> None:
    ruling = ruled("schema", "valid", document=document, schema=schema)
    assert ruling.outcome is REFUTED
    assert ruling.evidence["violations"]


def test_a_violation_is_told_by_its_pointer() -> None:
    schema = {"properties": {"a/b": {"properties": {"c~d": {"type": "integer"}}}}}
    told = ruled("schema", SATISFIES, document={"a/b": {"c~d": "x"}}, schema=schema).evidence["violations"]
    assert told[0]["document"] == "/a~1b/c~0d"  # type: ignore[index]  # a list of objects


@pytest.mark.parametrize(("document", "schema", "constraint"), OPEN)
def test_doubtful_schemas_decide_nothing(document: str, schema: str, constraint: str) -> None:
    assert outcome_of("schema", SATISFIES, document=document, schema=schema) == (UNDECIDED, constraint)


@pytest.mark.parametrize(("document", "schema"), NOT_READ)
def test_what_cannot_be_read_is_blocked(document: str, schema: str) -> None:
    assert outcome_of("schema", SATISFIES, document=document, schema=schema)[0] is BLOCKED


@pytest.mark.parametrize(
    "statement", ["", "the document satisfies the schema", "valid and signed", "not valid", "hello"]
)
def test_another_statement_is_not_read(statement: str) -> None:
    assert outcome_of("schema", statement, document="1", schema="true") == (BLOCKED, "schema.syntax")


def test_a_certificate_is_for_its_own_document() -> None:
    ruling = ruled("schema", SATISFIES, document="5", schema='{"type": "integer"}')
    with pytest.raises(ValueError):
        check(claim_of("schema", SATISFIES, document="6", schema='{"type": "integer"}'), ruling.evidence)


@pytest.mark.skipif(
    not (SUITES / "json-schema-suite.jsonl").is_file(), reason="PROBATUM_SUITES names no folder with the suites"
)
def test_the_official_suite_is_never_contradicted() -> None:
    for line in (SUITES / "json-schema-suite.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        schema = row["schema"]
        if row["draft"] == "draft7" and isinstance(schema, dict):
            schema = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
        outcome = outcome_of("schema", SATISFIES, document=json.dumps(row["data"]), schema=json.dumps(schema))[0]
        # In the suite a format is an annotation; here it is asserted.
        is_format = "format" in row["file"]
        assert is_format or outcome is not (REFUTED if row["valid"] else PROVED), row
