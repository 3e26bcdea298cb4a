"""What the service answers: verdicts, events, earlier verdicts, tokens, metrics, and a document that describes it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

import httpx
import pytest
from jsonschema import Draft202012Validator

from probatum import __version__
from probatum.proof.tokens import TokenVerifier, read_key_set
from tests.web.running import Running, server

SCHEMA = {"type": "object", "required": ["code", "tests"], "properties": {"code": {"type": "string"}}}
RIGHT = {"output": {"code": "a", "tests": "b"}, "validation_types": ["schema"], "expected_schema": SCHEMA}
WRONG = {**RIGHT, "output": {"code": 1}}
CLAIM = {"engine": "math", "statement": "1 + 1 = 2"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with server(tmp_path_factory.mktemp("answers"), "--rate", "100000", "--issuer", "service") as found:
        yield found


@pytest.fixture
def client(running: Running) -> Iterator[httpx.Client]:
    with running.client() as found:
        yield found


def test_an_output_that_satisfies_its_schema(client: httpx.Client) -> None:
    answer = client.post("/validate", json=RIGHT)
    told = answer.json()
    assert answer.status_code == 200
    assert (told["valid"], told["issues"], told["verdict"]["status"]) == (True, [], "VERIFIED")
    assert told["verdict"]["proof_ref"].startswith("sha256:")


def test_an_output_that_does_not_is_an_answer_too(client: httpx.Client) -> None:
    answer = client.post("/validate", json=WRONG)
    told = answer.json()
    assert answer.status_code == 200
    assert (told["valid"], told["verdict"]["status"]) == (False, "UNVERIFIABLE")
    assert {each["location"] for each in told["issues"]} == {"root", "code"}


def test_every_kind_has_a_path(client: httpx.Client) -> None:
    source = (
        'def double(n: int) -> int:\n    """Return twice n.\n\n    >>> double(2)\n    4\n    """\n    return 2 * n\n'
    )
    asked = {
        "claim": CLAIM,
        "output": {"output": "[1]", "contract": {"type": "array"}},
        "program": {"source": source, "level": "quick"},
        "judge": RIGHT,
    }
    for kind, fields in asked.items():
        told = client.post(f"/v1/{kind}", json=fields).json()
        assert set(told) == {"id", "verdict", "result"}, told
        assert told["result"].get("passed", True) is (told["verdict"]["status"] == "VERIFIED")
    assert client.post("/v1/audit", json={"prompt_spec": {}, "evidence": {}}).json()["verdict"]["status"] == "BLOCKED"


@pytest.mark.parametrize("fields", [CLAIM, {**CLAIM, "statement": "1 + 1 = 3"}], ids=["verified", "refuted"])
def test_a_verdict_is_given_again_by_id_and_proof(client: httpx.Client, fields: dict[str, str]) -> None:
    told = client.post("/v1/claim", json=fields).json()
    verdict = told["verdict"]
    names = [told["id"], *([verdict["proof_ref"]] if verdict["proof_ref"] else [])]
    assert [client.get(f"/v1/verdicts/{name}").json() for name in names] == [{"verdict": verdict}] * len(names)


def test_an_answer_may_carry_a_token_that_anybody_can_check(client: httpx.Client) -> None:
    told = client.post("/validate?token_for=deployer", json=RIGHT).json()
    keys = read_key_set(client.get("/.well-known/jwks.json").content)
    verifier = TokenVerifier("service", "deployer", lambda: keys, lambda: datetime.now(UTC))
    assert verifier.verify(told["token"]).claims.verdict.evidence == told["verdict"]["proof_ref"]
    assert "token" not in client.post("/validate?token_for=deployer", json=WRONG).json()
    assert client.post("/validate?token_for=", json=RIGHT).status_code == 400


def events_of(client: httpx.Client, path: str, fields: object) -> list[tuple[str, dict[str, object]]]:
    found = []
    with client.stream("POST", path, json=fields, headers={"Accept": "text/event-stream"}) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                found.append((name, json.loads(line.removeprefix("data: "))))
    return found


def test_events_come_before_the_answer_and_never_tell_it(client: httpx.Client) -> None:
    told = events_of(client, "/v1/claim", CLAIM)
    assert [name for name, _ in told[:-1]] == ["progress"] * (len(told) - 1)
    assert told[0][1]["stage"] == "start"
    assert told[-1][0] == "answer"
    assert told[-1][1]["verdict"]["status"] == "VERIFIED"  # type: ignore[index]  # a verdict
    assert "VERIFIED" not in json.dumps(told[:-1])


def test_an_agent_hears_the_stage_of_an_event_alone(client: httpx.Client) -> None:
    told = events_of(client, "/v1/claim?layer=agent", CLAIM)
    assert told[0] == ("progress", {"stage": "start"})


def test_what_is_wrong_with_a_request_is_a_plain_error_though_events_were_asked_for(client: httpx.Client) -> None:
    answer = client.post("/v1/claim", json={}, headers={"Accept": "text/event-stream"})
    assert (answer.status_code, answer.json()["error"]) == (400, "ValidationError")


def test_health_readiness_and_capabilities(client: httpx.Client) -> None:
    assert client.get("/health").json() == {"status": "healthy", "version": __version__}
    ready = client.get("/ready").json()
    assert ready == {"ready": True, "checks": dict.fromkeys(("accepting", "queue", "workers", "store"), True)}
    assert client.get("/capabilities").json()["capabilities"] == [
        *("schema_validation", "fact_checking", "criteria_evaluation", "hallucination_detection", "quality_assessment")
    ]


def metrics(client: httpx.Client) -> dict[str, float]:
    lines = client.get("/metrics").text.splitlines()
    rows = (line.rpartition(" ") for line in lines if not line.startswith("#"))
    return {name: float(value) for name, _, value in rows}


def test_metrics_count_what_was_answered(client: httpx.Client) -> None:
    before = metrics(client)
    client.post("/validate", json=RIGHT)
    client.post("/validate", json=WRONG)
    after = metrics(client)
    moved = {name: value - before.get(name, 0) for name, value in after.items() if value != before.get(name, 0)}
    for word in ("valid", "invalid"):
        assert moved[f'judge_validations_total{{result="{word}",validation_type="schema"}}'] == 1
    assert moved['judge_issues_by_severity{severity="error"}'] == 2
    assert moved['probatum_requests_total{method="POST",route="/validate",status="200"}'] == 2
    assert moved['probatum_verdicts_total{kind="judge",status="VERIFIED"}'] == 1
    assert 0 <= after["judge_avg_quality_score"] <= 1


def test_metrics_take_no_name_from_a_request(client: httpx.Client) -> None:
    client.get("/made-up-path")
    client.request("BREW", "/validate")
    assert "made-up" not in client.get("/metrics").text
    assert "BREW" not in client.get("/metrics").text


def test_answers_tell_a_caller_how_much_is_left(client: httpx.Client) -> None:
    first, second = (client.post("/v1/claim", json=CLAIM).headers for _ in range(2))
    assert first["x-ratelimit-limit"] == "100000"
    assert int(second["x-ratelimit-remaining"]) <= int(first["x-ratelimit-remaining"])


def test_the_document_describes_every_route_and_its_answers(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    paths = document["paths"]
    assert {"/validate", "/v1/claim", "/v1/judge", "/v1/output", "/v1/program", "/v1/audit"} <= set(paths)
    assert {"/health", "/ready", "/metrics", "/capabilities", "/.well-known/jwks.json"} <= set(paths)
    told = paths["/validate"]["post"]["responses"]
    assert set(told) == {"200", "400", "401", "403", "408", "413", "429", "503"}
    schema = {**told["200"]["content"]["application/json"]["schema"], "components": document["components"]}
    validator = Draft202012Validator(schema)
    for fields in (RIGHT, WRONG):
        assert not list(validator.iter_errors(client.post("/validate", json=fields).json()))
    assert not validator.is_valid({"valid": True})


class Collector(BaseHTTPRequestHandler):
    """Takes spans."""

    received: ClassVar[list[tuple[str, bytes]]] = []

    def do_POST(self) -> None:
        self.received.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_spans_go_where_the_variables_say_and_hold_no_content(tmp_path: Path) -> None:
    pytest.importorskip("opentelemetry.sdk")
    with ThreadingHTTPServer(("127.0.0.1", 0), Collector) as collector:
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        endpoint = f"http://127.0.0.1:{collector.server_address[1]}"
        with server(tmp_path, OTEL_EXPORTER_OTLP_ENDPOINT=endpoint) as running, running.client() as client:
            client.post("/v1/claim", json={**CLAIM, "statement": "1 + 1 = 2 + 90817263"})
        collector.shutdown()
    paths, bodies = {path for path, _ in Collector.received}, b"".join(body for _, body in Collector.received)
    assert paths == {"/v1/traces"}
    assert b"POST /v1/claim" in bodies
    assert b"90817263" not in bodies
