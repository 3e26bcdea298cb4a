"""Request lines of kind ``output``: which become requests, and which get an answer that refuses them."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.app.batch import run_batch
from probatum.app.pool import PoolOptions
from probatum.app.request_lines import identify
from probatum.core.events import ignore
from tests.core.strategies import JSON
from tests.kinds.lines import request_of
from tests.kinds.outputs import BAD, GATE, GOOD
from tests.services import Answer, OutputRequest

SCHEMA = {"type": "object", "required": ["a"]}


def parsed(fields: dict[str, object]) -> object:
    line = {"id": "a", "kind": "output", "output": "{}", "contract": "llm_boolean_gate", **fields}
    return of_line(json.dumps(line).encode())


def of_line(line: bytes) -> object:
    return request_of(identify(line, 1, "in.jsonl"))


REQUESTS: dict[str, tuple[dict[str, object], bytes, bytes | None]] = {
    "text is what was written": ({"output": "Sure: {}"}, b"Sure: {}", None),
    "an object is the answer itself": ({"output": {"b": 1, "a": "ä"}}, '{"b":1,"a":"ä"}'.encode(), None),
    "null is an answer": ({"output": None}, b"null", None),
    "a number": ({"output": 1.5}, b"1.5", None),
    "an input": ({"input": {"facts": "a"}}, b"{}", b'{"facts":"a"}'),
    "an input that is text": ({"input": "a"}, b"{}", b'"a"'),
    "an input of null": ({"input": None}, b"{}", b"null"),
}


@pytest.mark.parametrize("name", REQUESTS)
def test_what_becomes_a_request(name: str):
    fields, content, given = REQUESTS[name]
    request = parsed(fields)
    assert isinstance(request, OutputRequest)
    assert (request.content, request.input, request.contract, request.name) == (content, given, GATE, "a")


CONTRACTS: dict[str, tuple[object, str]] = {
    "a version": ("llm_boolean_gate:v1", "llm_boolean_gate v1"),
    "a schema": (SCHEMA, "given unversioned"),
    "a contract": ({"contract_spec_format": 2, "task_id": "t", "output_schema": SCHEMA}, "t unversioned"),
    "a contract without its format": ({"task_id": "t", "version": "v2", "output_schema": SCHEMA}, "t v2"),
    "a schema that is true": (True, "given unversioned"),
}


@pytest.mark.parametrize("name", CONTRACTS)
def test_how_a_contract_is_given(name: str):
    stated, expected = CONTRACTS[name]
    request = parsed({"contract": stated})
    assert isinstance(request, OutputRequest)
    assert f"{request.contract.task_id} {request.contract.version}" == expected


REFUSED: dict[str, tuple[dict[str, object], str]] = {
    "an unknown field": ({"outputs": 1}, "request.invalid"),
    "an unknown contract": ({"contract": "llm_bolean_gate"}, "request.invalid"),
    "a contract that is a path": ({"contract": "./contract.json"}, "request.invalid"),
    "a contract that climbs": ({"contract": "../../etc/passwd"}, "request.invalid"),
    "a contract that is a number": ({"contract": 1}, "request.invalid"),
    "a contract that is null": ({"contract": None}, "request.invalid"),
    "an unknown key of a contract": ({"contract": {"contract_spec_format": 2, "outputs": {}}}, "contract.invalid"),
    "a lone surrogate": ({"output": "\ud800"}, "request.invalid"),
    "a level, which outputs have not": ({"level": "quick"}, "request.invalid"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_refused_by_an_answer(name: str):
    fields, constraint = REFUSED[name]
    answer = parsed(fields)
    assert isinstance(answer, Answer)
    assert (answer.verdict.status.value, answer.verdict.constraint_id) == ("BLOCKED", constraint)


@pytest.mark.parametrize("key", ["output", "contract"])
def test_what_must_be_there(key: str):
    line = {"id": "a", "kind": "output", "output": "{}", "contract": "llm_boolean_gate"}
    del line[key]
    answer = of_line(json.dumps(line).encode())
    assert isinstance(answer, Answer)
    assert key in str(answer.verdict.developer_fields["reason"])


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":"a","kind":"output","output":{"a":1,"a":2},"contract":{"type":"object"}}',
        b'{"id":"a","kind":"output","output":{},"contract":{"type":"object","type":"array"}}',
        b'{"id":"a","kind":"output","output":1,"output":2,"contract":{}}',
        b'{"id":"a","kind":"program","source":"x = 1","source":"x = 2"}',
    ],
)
def test_a_key_that_stands_twice_is_refused(line: bytes):
    answer = of_line(line)
    assert isinstance(answer, Answer)
    assert answer.verdict.constraint_id == "request.invalid"


@pytest.mark.parametrize("number", [b"1e-400", b"1.00000000000000000001"])
def test_a_number_that_reading_would_change_is_no_answer(number: bytes):
    answer = of_line(b'{"id":"a","kind":"output","output":{"n":%b},"contract":{"type":"object"}}' % number)
    assert isinstance(answer, Answer)
    assert answer.verdict.constraint_id == "request.invalid"


def test_many_keys_before_one_that_stands_twice_are_counted_once():
    keys = b",".join(b'"k%d":1' % number for number in range(200_000))
    answer = of_line(b'{"id":"a","kind":"output","output":{%b,"z":1,"z":2},"contract":true}' % keys)
    assert isinstance(answer, Answer)
    assert answer.verdict.constraint_id == "request.invalid"


def test_a_number_beyond_every_float_is_no_answer():
    answer = of_line(b'{"id":"a","kind":"output","output":1e999,"contract":{"type":"number"}}')
    assert isinstance(answer, Answer)
    assert answer.verdict.constraint_id == "request.invalid"


@given(st.dictionaries(st.sampled_from(["output", "input", "contract", "x"]), JSON))
def test_any_line_is_a_request_or_an_answer(fields: dict[str, object]):
    assert isinstance(parsed(fields), (OutputRequest, Answer))


def test_a_batch_answers_outputs_beside_each_other(tmp_path: Path):
    rows = [
        {"id": "good", "kind": "output", "output": GOOD.decode(), "contract": "llm_boolean_gate"},
        {"id": "bad", "kind": "output", "output": json.loads(BAD), "contract": "llm_boolean_gate"},
        {"id": "none", "kind": "output", "contract": "llm_boolean_gate"},
    ]
    requests = tmp_path / "in.jsonl"
    requests.write_text("".join(json.dumps(row) + "\n" for row in rows))
    answers = tmp_path / "out.jsonl"
    report = run_batch(str(requests), str(answers), PoolOptions(tmp_path / "store", 1), BytesIO(), ignore)
    assert report.to_dict()["statuses"] == {"BLOCKED": 1, "UNVERIFIABLE": 1, "VERIFIED": 1}
    told = {row["id"]: row for row in map(json.loads, answers.read_text().splitlines())}
    assert told["good"]["result"]["passed"] is True
    assert [each["kind"] for each in told["bad"]["result"]["findings"]] == ["schema.type", "schema.maximum"]
