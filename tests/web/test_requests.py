"""Requests that cannot be used: each gets one flat error that names what is wrong, and nothing else happens."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from tests.web.running import Running, server

JSON = "application/json"
MOST = 64 * 1024
NESTED = 150
OUTPUT = b'{"output": 1, "validation_types": ["schema"], "expected_schema": {"type": "integer"}'
BODIES: dict[str, tuple[bytes, str]] = {
    "nothing": (b"", JSON),
    "no JSON": (b"output=1", JSON),
    "half an object": (b'{"output": 1', JSON),
    "two objects": (OUTPUT + b"}{}", JSON),
    "a list": (b"[]", JSON),
    "null": (b"null", JSON),
    "text": (b'"output"', JSON),
    "not UTF-8": (b'{"output": "\xff"}', JSON),
    "UTF-16": ('{"output": 1}'.encode("utf-16"), JSON),
    "a key twice": (OUTPUT + b', "output": 2}', JSON),
    "a key twice within": (b'{"output": {"a": 1, "a": 2}, "validation_types": ["schema"]}', JSON),
    "NaN": (b'{"output": NaN, "validation_types": ["schema"]}', JSON),
    "Infinity": (b'{"output": -Infinity, "validation_types": ["schema"]}', JSON),
    "a number beyond floats": (OUTPUT + b', "context": {"a": 1e999}}', JSON),
    "nested too deep": (b'{"output": ' + b"[" * NESTED + b"]" * NESTED + b', "validation_types": ["schema"]}', JSON),
    "nested without end": (b"[" * 60_000, JSON),
    "an unknown field": (OUTPUT + b', "outputs": 2}', JSON),
    "an id": (OUTPUT + b', "id": "1"}', JSON),
    "a kind": (OUTPUT + b', "kind": "judge"}', JSON),
    "no Content-Type": (OUTPUT + b"}", ""),
    "a form": (OUTPUT + b"}", "application/x-www-form-urlencoded"),
    "plain text": (OUTPUT + b"}", "text/plain"),
    "almost JSON": (OUTPUT + b"}", "application/jsonp"),
    "no output": (b'{"validation_types": ["schema"], "expected_schema": {}}', JSON),
    "no types": (b'{"output": 1}', JSON),
    "empty types": (b'{"output": 1, "validation_types": []}', JSON),
    "an unknown type": (b'{"output": 1, "validation_types": ["style"]}', JSON),
    "types of another form": (b'{"output": 1, "validation_types": "schema"}', JSON),
    "no criteria": (b'{"output": 1, "validation_types": ["criteria"]}', JSON),
    "no sources": (b'{"output": 1, "validation_types": ["facts"]}', JSON),
    "a schema that is none": (
        b'{"output": 1, "validation_types": ["schema"], "expected_schema": {"type": "strng"}}',
        JSON,
    ),
    "a schema elsewhere": (
        b'{"output": 1, "validation_types": ["schema"], "expected_schema": {"$ref": "http://127.0.0.1:1/s"}}',
        JSON,
    ),
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with server(tmp_path_factory.mktemp("requests"), "--max-body", str(MOST), "--timeout", "20") as found:
        yield found


def is_flat(answer: httpx.Response, status: int, error: str) -> None:
    told = answer.json()
    assert answer.status_code == status, told
    assert told["error"] == error
    assert set(told) <= {"error", "message", "details", "request_id"}
    assert told["message"]
    assert told["request_id"] == answer.headers["x-request-id"]
    assert "Traceback" not in answer.text


@pytest.mark.parametrize("case", BODIES)
def test_what_is_wrong_with_a_body_is_told(running: Running, case: str) -> None:
    content, content_type = BODIES[case]
    headers = {"Content-Type": content_type} if content_type else {}
    with running.client(**headers) as client:
        answer = client.post("/validate", content=content)
    is_flat(answer, 400, "ValidationError")
    assert "text/html" not in answer.headers["content-type"]


def test_a_missing_prerequisite_is_named(running: Running) -> None:
    with running.client() as client:
        told = client.post("/validate", json={"output": 1, "validation_types": ["schema"]}).json()
    del told["request_id"]
    assert told == {
        "error": "ValidationError",
        "message": "expected_schema required when validation_types includes 'schema'",
        "details": {"validation_types": ["schema"], "missing_field": "expected_schema"},
    }


@pytest.mark.parametrize("parameters", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_content_types_of_json(running: Running, parameters: str) -> None:
    with running.client(**{"Content-Type": parameters}) as client:
        assert client.post("/validate", content=OUTPUT + b"}").status_code == 200


def test_a_body_at_its_limit_is_read_and_one_byte_more_is_not(running: Running) -> None:
    with running.client(**{"Content-Type": JSON}) as client:
        padded = (OUTPUT + b"}").ljust(MOST)
        assert client.post("/validate", content=padded).status_code == 200
        is_flat(client.post("/validate", content=padded + b" "), 413, "PayloadTooLarge")


def test_without_a_length_no_more_than_the_limit_is_read(running: Running) -> None:
    place = urlsplit(running.url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port)
    connection.putrequest("POST", "/validate")
    for name, value in (("Authorization", f"Bearer {running.token}"), ("Content-Type", JSON)):
        connection.putheader(name, value)
    connection.putheader("Transfer-Encoding", "chunked")
    connection.endheaders()
    for _ in range(MOST // 2048 + 1):
        connection.send(b"1000\r\n" + b" " * 4096 + b"\r\n")
    answer = connection.getresponse()
    assert answer.status == 413
    assert json.loads(answer.read())["error"] == "PayloadTooLarge"
    assert answer.headers["connection"] == "close"


@pytest.mark.parametrize("length", ["999999999999", "9" * 30])
def test_a_length_beyond_the_limit_is_refused_before_the_body(running: Running, length: str) -> None:
    assert raw(running, f"Content-Length: {length}\r\n\r\n".encode()) in {400, 413}


@pytest.mark.parametrize("rest", [b"Content-Length: 5\r\n\r\n{}{}{}{}{}", b"Content-Length: -1\r\n\r\n{}"])
def test_a_length_that_lies_is_no_defect(running: Running, rest: bytes) -> None:
    assert raw(running, rest) == 400


def raw(running: Running, rest: bytes) -> int:
    """Return the status that a server answers with after headers that end with these bytes."""
    place = urlsplit(running.url)
    head = f"POST /validate HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {running.token}\r\nContent-Type: {JSON}\r\n"
    with socket.create_connection((place.hostname or "", place.port or 0), 30) as wire:
        wire.sendall(head.encode() + rest)
        answer = http.client.HTTPResponse(wire)
        answer.begin()
        answer.read()
    return answer.status


ROUTES = [
    ("GET", "/nothing", 404, "NotFound"),
    ("GET", "/v1/nothing", 404, "NotFound"),
    ("POST", "/v1/nothing", 404, "NotFound"),
    ("GET", "/%00", 404, "NotFound"),
    ("GET", "/../../etc/passwd", 404, "NotFound"),
    ("GET", "/validate", 405, "MethodNotAllowed"),
    ("DELETE", "/v1/claim", 405, "MethodNotAllowed"),
    ("POST", "/health", 405, "MethodNotAllowed"),
    ("GET", "/v1/verdicts/sha256:" + "0" * 64, 404, "NotFound"),
    ("GET", "/v1/verdicts/sha256:x", 404, "NotFound"),
    ("GET", "/v1/verdicts/%2e%2e", 404, "NotFound"),
]


@pytest.mark.parametrize(("method", "path", "status", "error"), ROUTES)
def test_what_is_not_there(running: Running, method: str, path: str, status: int, error: str) -> None:
    with running.client() as client:
        answer = client.request(method, path)
    is_flat(answer, status, error)
    assert ("allow" in answer.headers) is (status == 405)


IDS = {
    "a UUID": ("0f0e0d0c-0b0a-4908-8706-050403020100", 200),
    "in capitals": ("0F0E0D0C-0B0A-4908-8706-050403020100", 200),
    "no UUID": ("42", 400),
    "an injection": ("x" * 300, 400),
}


@pytest.mark.parametrize("case", IDS)
def test_the_id_of_a_request_is_a_uuid_and_comes_back(running: Running, case: str) -> None:
    told, status = IDS[case]
    with running.client(**{"X-Request-ID": told}) as client:
        answer = client.post("/v1/judge", content=OUTPUT + b"}", headers={"Content-Type": JSON})
    assert answer.status_code == status
    assert (answer.headers["x-request-id"] == told.lower()) is (status == 200)
    if status == 200:
        assert answer.json()["id"] == told.lower()


def test_the_log_says_what_happened_and_never_what_was_said(running: Running) -> None:
    with running.client() as client:
        client.post("/v1/claim", json={"engine": "math", "statement": "1 + 1 = 2 + 90817263"})
        client.get("/secret-90817263?a=90817263")
    assert "90817263" not in running.log.read_text()
    lines = running.logged()
    assert {"time", "request_id", "route", "status", "duration_ms", "request_bytes", "response_bytes"} <= set(lines[-1])
    assert [each["route"] for each in lines[-2:]] == ["/v1/claim", "other"]
    assert running.token not in running.log.read_text()
