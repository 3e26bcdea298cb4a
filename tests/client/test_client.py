"""The client: one answer for each question, from whatever a server may say, in both of its forms."""

from __future__ import annotations

import asyncio
import json
import logging
import socket
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.client import AsyncJudgeClient, JudgeClient, KindAnswer, SeenVerdict, ServiceError
from probatum.client.exchange import MOST_BYTES, ServerEvents, wait_before_next
from probatum.core.decision import DiagnosticStatus
from probatum.core.errors import UsageError
from probatum.core.events import Event
from probatum.core.finding import Severity
from tests.local_server import Place, answer, redirect

TOKEN = "a-secret.token_~+/="
DIGEST = f"sha256:{'0' * 64}"
VERIFIED = {
    "status": "VERIFIED",
    "agent_message": "The output may be accepted.",
    "developer_fields": {"outcome": "proved"},
    "proof_ref": DIGEST,
    "is_authoritative": True,
}
ISSUE = {"severity": "warning", "type": "style_issue", "message": "A line is very long.", "location": "line:3"}
RESULT = {
    "valid": True,
    "confidence": 0.9,
    "issues": [ISSUE],
    "quality_score": 0.5,
    "passed_criteria": [],
    "failed_criteria": [],
    "metadata": {
        "validation_types_run": ["quality"],
        "total_issues": 1,
        "error_count": 0,
        "warning_count": 1,
        "info_count": 0,
        "duration_ms": 1.5,
    },
    "verdict": VERIFIED,
}
ANSWER = {"id": "1", "verdict": {"status": "BLOCKED", "agent_message": "It was not attempted."}, "result": {"a": [1]}}


def told(document: object, *headers: str, status: str = "200 OK") -> bytes:
    return answer(json.dumps(document).encode(), *headers, status=status, media_type="application/json")


def failed(status: str, *headers: str, **details: object) -> bytes:
    document = {"error": "SomeError", "message": "It was refused.", "details": details, "request_id": "an-id"}
    return told(document, *headers, status=status)


@pytest.fixture
def place() -> Iterator[Place]:
    made = Place()
    yield made
    made.close()


@pytest.fixture
def client(place: Place) -> Iterator[JudgeClient]:
    with JudgeClient(place.origin, TOKEN, seconds=10) as made:
        yield made


def refused(code: str, ask: Callable[[], object]) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        ask()
    assert caught.value.code == code
    assert TOKEN not in repr(caught.value) + str(caught.value)
    return caught.value


def asked(place: Place, at: int = 0) -> tuple[str, dict[str, str], Any]:
    head, _, body = place.asked[at].decode().partition("\r\n\r\n")
    first, *lines = head.split("\r\n")
    headers = dict(line.lower().split(": ", 1) for line in lines)
    return first, headers, json.loads(body) if body else None


def test_a_validation_is_asked_and_read(place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = told(RESULT)
    result = client.validate(
        {"a": None}, ["schema", "facts"], expected_schema={}, trusted_sources=["A text.", {"name": "b", "text": "c"}]
    )
    assert (result.valid, result.confidence, result.quality_score) == (True, 0.9, 0.5)
    assert [each.severity for each in result.issues] == [Severity.WARNING]
    assert result.verdict["status"] == "VERIFIED"
    assert result.to_dict() == RESULT
    first, headers, body = asked(place)
    assert first == "POST /validate HTTP/1.1"
    assert body == {
        "output": {"a": None},
        "validation_types": ["schema", "facts"],
        "expected_schema": {},
        "trusted_sources": ["A text.", {"name": "b", "text": "c"}],
    }
    assert headers["content-type"] == headers["accept"] == "application/json"
    assert headers["authorization"] == f"bearer {TOKEN}"


def test_fields_that_say_nothing_are_left_out_and_null_is_an_output(place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = told(RESULT)
    client.validate(None, ["quality"])
    client.validate("a", ["schema"], expected_schema=False)
    assert asked(place)[2] == {"output": None, "validation_types": ["quality"]}
    assert asked(place, 1)[2]["expected_schema"] is False


def test_a_subject_of_any_kind_is_asked_about(place: Place, client: JudgeClient) -> None:
    place.answers["/v1/program"] = told(ANSWER)
    found = client.verify("program", source="def a(): ...", kind="a field")
    verdict = SeenVerdict(DiagnosticStatus.BLOCKED, "It was not attempted.")
    assert found == KindAnswer("1", verdict, found.result)
    assert found.result == {"a": [1]}
    assert asked(place)[2] == {"source": "def a(): ...", "kind": "a field"}


def test_a_verdict_is_seen_as_far_as_the_token_shows_it(place: Place, client: JudgeClient) -> None:
    path = f"/v1/verdicts/{DIGEST}"
    place.answers[path] = told({"verdict": VERIFIED})
    seen = client.verdict(DIGEST)
    assert seen.whole().to_dict() == VERIFIED
    place.answers[path] = told({"verdict": {"status": "VERIFIED", "agent_message": "The output may be accepted."}})
    seen = client.verdict(DIGEST)
    assert seen.status is DiagnosticStatus.VERIFIED
    assert (seen.developer_fields, seen.proof_ref) == ({}, "")
    with pytest.raises(ValueError, match="proof_ref"):
        seen.whole()


def test_the_service_tells_of_itself(place: Place, client: JudgeClient) -> None:
    place.answers["/health"] = told({"status": "healthy", "version": "1"})
    place.answers["/ready"] = told({"ready": False, "checks": {"store": False}}, "Retry-After: 1", status="503 No")
    place.answers["/capabilities"] = told({"capabilities": ["schema_validation"]})
    assert client.health() == {"status": "healthy", "version": "1"}
    assert client.ready() == {"ready": False, "checks": {"store": False}}
    assert client.capabilities() == ("schema_validation",)


def test_an_error_has_its_parts(place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = failed("400 Bad Request", missing_field="expected_schema")
    error = refused("SomeError", lambda: client.validate("a", ["schema"]))
    assert (error.status, error.message, error.request_id) == (400, "It was refused.", "an-id")
    assert error.details == {"missing_field": "expected_schema"}
    assert error.retry_after is None
    assert len(place.asked) == 1


@pytest.mark.parametrize("status", ["429 Too Many Requests", "503 Service Unavailable"])
def test_it_asks_again_when_the_service_says_so(status: str, place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = [failed(status, "Retry-After: 0"), failed(status, "Retry-After: 0"), told(RESULT)]
    assert client.validate("a", ["quality"]).valid
    assert len(place.asked) == 3


def test_it_gives_up_after_its_attempts(place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = failed("429 Too Many Requests", "Retry-After: 0")
    assert refused("SomeError", lambda: client.validate("a", ["quality"])).retry_after == 0
    assert len(place.asked) == 4


def test_it_waits_for_nothing_that_comes_too_late(place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = failed("503 Service Unavailable", "Retry-After: 3600")
    assert refused("SomeError", lambda: client.validate("a", ["quality"])).retry_after == 3600
    assert len(place.asked) == 1


WAITS = {
    "what the service says": (503, 7.0, 1, 7.0),
    "nothing is said": (503, None, 1, 1.0),
    "nothing is said again": (429, None, 3, 4.0),
    "a wrong request": (400, 1.0, 1, None),
    "a defect": (500, 1.0, 1, None),
    "no answer, so that it may have begun": (0, None, 1, None),
}


@pytest.mark.parametrize(("status", "after", "attempt", "wait"), WAITS.values(), ids=WAITS)
def test_how_long_it_waits(status: int, after: float | None, attempt: int, wait: float | None) -> None:
    assert wait_before_next(ServiceError(status, "a", "b", retry_after=after), attempt) == wait


BAD_ANSWERS = {
    "nothing": (b"", "service.unreachable", 0),
    "no HTTP": (b"SSH-2.0\r\n\r\n", "service.unreachable", 0),
    "half an answer": (told(RESULT)[:-5], "service.unreachable", 0),
    "no JSON": (answer(b"<html>"), "service.unreadable", 200),
    "NaN": (answer(b'{"valid": true, "confidence": NaN}'), "service.unreadable", 200),
    "a list": (told([RESULT]), "service.unreadable", 200),
    "nested without end": (answer(b"[" * 1_000_000), "service.unreadable", 200),
    "valid beside an error": (told({**RESULT, "issues": [{**ISSUE, "severity": "error"}]}), "service.unreadable", 200),
    "a confidence beyond its bounds": (told({**RESULT, "confidence": 2}), "service.unreadable", 200),
    "no result": (told({"passed": False, "verdict": ANSWER["verdict"]}), "service.not_judged", 200),
    "compressed, unasked": (answer(b"\x1f\x8b", "Content-Encoding: gzip"), "service.unreadable", 200),
    "a redirect": (redirect("http://127.0.0.1:9/validate"), "service.error", 302),
    "an error of something in between": (answer(b"<html>", status="502 Bad Gateway"), "service.error", 502),
    "an error with other types": (told({"error": 1, "details": []}, status="500 No"), "service.error", 500),
    "an error in a list": (told([], status="500 No"), "service.error", 500),
}


@pytest.mark.parametrize(("said", "code", "status"), BAD_ANSWERS.values(), ids=BAD_ANSWERS)
def test_attack_by_an_answer(said: bytes, code: str, status: int, place: Place, client: JudgeClient) -> None:
    place.answers["/validate"] = said
    assert refused(code, lambda: client.validate("a", ["quality"])).status == status
    assert len(place.asked) == 1


FALSE_VERDICTS = {
    "no status": {"agent_message": "a"},
    "another status": {"status": "TRUE", "agent_message": "a"},
    "no sentence": {"status": "BLOCKED", "agent_message": " "},
    "a proof of nothing": {"status": "BLOCKED", "agent_message": "a", "proof_ref": DIGEST},
    "a reference that is none": {"status": "VERIFIED", "agent_message": "a", "proof_ref": "abc"},
}


@pytest.mark.parametrize("verdict", FALSE_VERDICTS.values(), ids=FALSE_VERDICTS)
def test_attack_by_a_verdict(verdict: dict[str, object], place: Place, client: JudgeClient) -> None:
    place.answers |= {
        "/v1/program": told({"id": "1", "verdict": verdict}),
        "/v1/verdicts/a": told({"verdict": verdict}),
    }
    for ask in (lambda: client.verify("program"), lambda: client.verdict("a")):
        assert refused("service.unreadable", ask).status == 200


def test_attack_by_an_answer_without_end(place: Place, client: JudgeClient) -> None:
    def talk(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
        while True:
            connection.sendall(b" " * 1_000_000)

    place.answers["/validate"] = talk
    assert refused("service.unreadable", lambda: client.validate("a", ["quality"])).message


SLOW = {"no head": b"", "a head": b"HTTP/1.1 200 OK\r\n\r\n"}


@pytest.mark.parametrize("begun", SLOW.values(), ids=SLOW)
def test_one_time_limit_for_everything(begun: bytes, place: Place) -> None:
    def talk(connection: socket.socket) -> None:
        connection.sendall(begun)
        while not place.ended.wait(0.02):
            connection.sendall(b" " if begun else b"")

    place.answers["/validate"] = talk
    with JudgeClient(place.origin, TOKEN, seconds=0.3) as client:
        assert "0.3 seconds" in refused("service.timeout", lambda: client.validate("a", ["quality"])).message


def stream(*events: tuple[str, object], end: str = "\r\n") -> bytes:
    lines = [
        ": ping",
        "",
        *(line for name, data in events for line in (f"event: {name}", f"data: {json.dumps(data)}", "")),
    ]
    return answer(end.join([*lines, ""]).encode(), media_type="text/event-stream; charset=utf-8")


PROGRESS = ("progress", {"stage": "layer", "message": "Judging a\u2028b", "data": {"a": 1}})


@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_events_come_before_the_answer(end: str, place: Place, client: JudgeClient) -> None:
    place.answers["/v1/judge"] = stream(PROGRESS, ("answer", ANSWER), end=end)
    first, last = client.events("judge", output=1)
    assert first == Event("layer", "Judging a\u2028b", {"a": 1})
    assert isinstance(last, KindAnswer)
    assert asked(place)[1]["accept"] == "text/event-stream"


BAD_STREAMS = {
    "an error": (stream(PROGRESS, ("error", {"error": "SomeError", "message": "It ended."})), "SomeError"),
    "an error before": (failed("400 Bad Request"), "SomeError"),
    "no answer": (stream(PROGRESS), "service.unreadable"),
    "an answer that is none": (stream(("answer", {})), "service.unreadable"),
    "an event that is no JSON": (
        answer(b"event: progress\ndata: {\n\n", media_type="text/event-stream"),
        "service.unreadable",
    ),
    "no events": (told(ANSWER), "service.unreadable"),
    "half an event": (stream(("answer", ANSWER))[:-8].replace(b"Content-Length", b"A"), "service.unreadable"),
}


@pytest.mark.parametrize(("said", "code"), BAD_STREAMS.values(), ids=BAD_STREAMS)
def test_attack_by_events(said: bytes, code: str, place: Place, client: JudgeClient) -> None:
    place.answers["/v1/judge"] = said
    assert refused(code, lambda: list(client.events("judge"))).message


def test_events_may_be_left(place: Place, client: JudgeClient) -> None:
    place.answers["/v1/judge"] = stream(PROGRESS, PROGRESS, ("answer", ANSWER))
    for _ in client.events("judge"):
        break
    place.answers["/health"] = told({"status": "healthy"})
    assert client.health()


@given(st.lists(st.tuples(st.sampled_from(["progress", "answer"]), st.text(max_size=20))), st.integers(1, 9))
def test_events_may_be_cut_anywhere(events: list[tuple[str, str]], size: int) -> None:
    content = "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in events).encode()
    cut = ServerEvents()
    chunks = [content[at : at + size] for at in range(0, len(content), size)]
    assert [(name, json.loads(data)) for chunk in chunks for name, data in cut.feed(chunk)] == events


def test_attack_by_an_event_without_end() -> None:
    with pytest.raises(ServiceError, match="too large"):
        list(ServerEvents().feed(b"a" * (MOST_BYTES + 1)))
    cut, lines = ServerEvents(), b"data: a\n" * 100_000
    with pytest.raises(ServiceError, match="too large"):
        sum(len(list(cut.feed(lines))) for _ in range(MOST_BYTES // len(lines) + 1))


NO_ADDRESS = [
    "",
    "judge.example",
    "ftp://judge.example",
    "https://",
    "https://me:word@judge.example",
    "https://a/?b=c",
    *("https://[::1", "https://[:::]", "https://a:99999"),
]


@pytest.mark.parametrize("address", NO_ADDRESS)
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(UsageError, match="not the address"):
        AsyncJudgeClient(address)


@pytest.mark.parametrize("token", ["a b", "a\r\nHost: evil", "ä", "a" * 10_000])
def test_a_token_that_is_none_is_refused_and_not_told(token: str) -> None:
    with pytest.raises(UsageError) as caught:
        AsyncJudgeClient("https://judge.example", token)
    assert token not in str(caught.value)


@pytest.mark.parametrize("kind", ["", "../health", "a/b", "A", "a?b", "a" * 100])
def test_a_kind_that_is_no_word_is_refused(kind: str, client: JudgeClient) -> None:
    with pytest.raises(UsageError, match="A kind"):
        client.verify(kind)


@pytest.mark.parametrize("reference", ["", "..", ".", "a/b", "a?b", "a b", "a" * 300])
def test_a_reference_that_is_none_is_refused(reference: str, client: JudgeClient) -> None:
    with pytest.raises(UsageError, match="reference"):
        client.verdict(reference)


@pytest.mark.parametrize("output", [float("nan"), {1, 2}, b"a"], ids=["NaN", "a set", "bytes"])
def test_what_is_no_json_is_refused_before_it_is_sent(output: object, place: Place, client: JudgeClient) -> None:
    with pytest.raises(UsageError, match="not JSON"):
        client.validate(output, ["quality"])
    assert place.asked == []


def test_the_token_is_never_logged(place: Place, client: JudgeClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    place.answers["/validate"] = told(RESULT)
    client.validate("a", ["quality"])
    assert caplog.records
    assert TOKEN not in caplog.text + repr(vars(client))


def test_the_same_questions_without_waiting(place: Place) -> None:
    place.answers |= {"/validate": told(RESULT), "/v1/judge": stream(PROGRESS, ("answer", ANSWER))}

    async def both() -> tuple[bool, list[object]]:
        async with AsyncJudgeClient(f"{place.origin}/", TOKEN) as client:
            results = await asyncio.gather(*(client.validate("a", ["quality"]) for _ in range(5)))
            events: AsyncIterator[object] = client.events("judge")
            return all(each.valid for each in results), [each async for each in events]

    valid, events = asyncio.run(both())
    assert valid
    assert [type(each) for each in events] == [Event, KindAnswer]


def test_a_client_may_be_shared_by_threads_and_closed_twice(place: Place) -> None:
    place.answers["/validate"] = told(RESULT)
    found = []
    with JudgeClient(place.origin, TOKEN) as client:
        threads = [
            threading.Thread(target=lambda: found.append(client.validate("a", ["quality"]).valid)) for _ in range(8)
        ]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    client.close()
    assert found == [True] * 8


def test_a_service_that_is_not_there_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with JudgeClient(f"http://127.0.0.1:{port}", TOKEN) as client:
        assert refused("service.unreachable", client.health).status == 0


def test_both_have_the_same_questions() -> None:
    public = [{name for name in dir(each) if not name.startswith("_")} for each in (JudgeClient, AsyncJudgeClient)]
    assert public[0] == public[1]
