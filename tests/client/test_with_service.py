"""The client and the service itself: what one says, the other reads, at every layer."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping

import pytest

from probatum.client import AsyncJudgeClient, JudgeClient, KindAnswer, ServiceError
from probatum.core.decision import DiagnosticStatus
from probatum.core.events import Event

SCHEMA = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
PROGRAM = 'def next_one(x):\n    """\n    >>> next_one(1)\n    2\n    """\n    return x + 1\n'


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """The address of a service and one token for each role."""
    folder = tmp_path_factory.mktemp("service")
    words = [sys.executable, "-m", "probatum", "serve"]
    told: dict[str, str] = {}
    for role in ("agent", "developer", "auditor"):
        adding = [*words, "--tokens", str(folder / "tokens"), "--add-token", f"{role}:Alice-{role}"]
        told[role] = subprocess.run(adding, capture_output=True, text=True, check=True).stdout.split()[-1]
    options = ["--port", "0", "--tokens", str(folder / "tokens"), "--store", str(folder / "proofs.sqlite")]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([*words, *options], stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, (folder / "log").read_text()
    yield {**told, "url": json.loads(line)["url"]}
    process.terminate()
    process.wait()
    process.stdout.close()


@pytest.fixture
def client(service: Mapping[str, str]) -> Iterator[JudgeClient]:
    with JudgeClient(service["url"], service["auditor"]) as made:
        yield made


def test_a_validation(client: JudgeClient) -> None:
    accepted = client.validate({"a": 1}, ["schema"], expected_schema=SCHEMA)
    assert accepted.valid
    assert accepted.verdict["status"] == "VERIFIED"
    refused = client.validate({"b": 1}, ["schema"], expected_schema=SCHEMA)
    assert not refused.valid
    assert [(each.type, each.location) for each in refused.issues] == [("missing_field", "root")]
    assert refused.metadata is not None
    assert refused.metadata.validation_types_run == ("schema",)


@pytest.mark.parametrize(("role", "has_fields", "has_proof"), [("agent", 0, 0), ("developer", 1, 0), ("auditor", 1, 1)])
def test_each_role_sees_its_layer(role: str, has_fields: int, has_proof: int, service: Mapping[str, str]) -> None:
    with JudgeClient(service["url"], service[role]) as client:
        fields = {"output": {"a": 1}, "validation_types": ["schema"], "expected_schema": SCHEMA}
        answer = client.verify("judge", **fields)
        assert answer.verdict.status is DiagnosticStatus.VERIFIED
        assert (bool(answer.verdict.developer_fields), bool(answer.verdict.proof_ref)) == (has_fields, has_proof)
        assert client.verdict(answer.id) == answer.verdict


def test_a_program_with_its_events(client: JudgeClient) -> None:
    *events, last = client.events("program", source=PROGRAM)
    assert len(events) > 2
    assert {type(each) for each in events} == {Event}
    assert isinstance(last, KindAnswer)
    assert last.verdict.whole().is_verified
    assert client.verdict(last.verdict.proof_ref) == last.verdict


def test_what_the_service_refuses_has_its_reason(client: JudgeClient, service: Mapping[str, str]) -> None:
    with pytest.raises(ServiceError) as caught:
        client.validate("a", ["schema"])
    assert (caught.value.status, caught.value.code) == (400, "ValidationError")
    assert caught.value.details["missing_field"] == "expected_schema"
    assert caught.value.request_id
    with JudgeClient(service["url"], "another") as stranger, pytest.raises(ServiceError) as caught:
        stranger.validate("a", ["quality"])
    assert (caught.value.status, caught.value.code) == (401, "Unauthorized")
    with pytest.raises(ServiceError) as caught:
        client.verdict(f"sha256:{'0' * 64}")
    assert caught.value.status == 404


def test_what_it_tells_of_itself(service: Mapping[str, str]) -> None:
    async def told() -> tuple[object, ...]:
        async with AsyncJudgeClient(service["url"]) as client:
            return (await client.health())["status"], (await client.ready())["ready"], await client.capabilities()

    status, is_ready, capabilities = asyncio.run(told())
    assert (status, is_ready) == ("healthy", True)
    assert capabilities == (
        *("schema_validation", "fact_checking", "criteria_evaluation", "hallucination_detection"),
        "quality_assessment",
    )
