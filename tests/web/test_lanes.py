"""Work that is slow, hangs, breaks or is given up, and the end of a service: no accepted request is lost."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from probatum.proof.ledger import Ledger
from probatum.web.callers import new_token
from tests.web.running import Running, eventually, server

RIGHT = {"output": [1], "validation_types": ["schema"], "expected_schema": {"type": "array"}}


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(32) as found:
        yield found


class Gate:
    """Two files: what was begun, and whether it may end."""

    def __init__(self, folder: Path, name: str = "gate") -> None:
        self.begun, self.until = folder / f"{name}.begun", folder / f"{name}.until"

    def fields(self, **more: object) -> dict[str, object]:
        return {"begun": str(self.begun), "until": str(self.until), **more}

    def count(self) -> int:
        return len(self.begun.read_text().splitlines()) if self.begun.exists() else 0

    def open(self) -> None:
        self.until.touch()


@contextmanager
def held(folder: Path, *options: str) -> Iterator[tuple[Running, Gate]]:
    gate = Gate(folder)
    with server(folder / "server", *options, with_held=True) as running:
        try:
            yield running, gate
        finally:
            gate.open()


def post(running: Running, path: str, fields: object, **headers: str) -> httpx.Response:
    with running.client(**headers) as client:
        return client.post(path, json=fields)


def constraint(answer: httpx.Response) -> str:
    assert answer.status_code == 200, answer.text
    return str(answer.json()["verdict"]["developer_fields"]["constraint_id"])


def waiting(running: Running) -> int:
    text = httpx.get(f"{running.url}/metrics").text
    return int(float(text.partition("\nprobatum_waiting ")[2].partition("\n")[0]))


def test_slow_work_holds_up_nothing_quick(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    with held(tmp_path, "--workers", "1") as (running, gate):
        slow = [pool.submit(post, running, "/v1/held", gate.fields()) for _ in range(3)]
        eventually(lambda: gate.count() == 1 and waiting(running) == 2)
        assert post(running, "/validate", RIGHT).json()["verdict"]["status"] == "VERIFIED"
        assert httpx.get(f"{running.url}/ready").json()["ready"]
        assert not any(each.done() for each in slow)
        gate.open()
        assert {constraint(each.result()) for each in slow} == {"held.done"}


def test_one_caller_with_much_slow_work_does_not_keep_another_waiting(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    tokens, lines = zip(*(new_token("developer", name) for name in ("greedy", "modest")), strict=True)
    (tmp_path / "tokens").write_text("".join(lines))
    limits = ("--workers", "1", "--queue", "3", "--timeout", "60", "--tokens", str(tmp_path / "tokens"))
    with held(tmp_path, *limits) as (running, gate):
        greedy, modest = (replace(running, token=each) for each in tokens)
        slow = [pool.submit(post, greedy, "/v1/held", gate.fields())]
        eventually(lambda: gate.count() == 1)
        slow += [pool.submit(post, greedy, "/v1/held", gate.fields()) for _ in range(3)]
        eventually(lambda: waiting(running) == 3)
        # Neither the queue nor the worker is kept from others; one of those that wait gives up its place.
        assert constraint(post(modest, "/v1/held", {})) == "held.done"
        assert gate.count() == 1
        gate.open()
        assert sorted(each.result().status_code for each in slow) == [200, 200, 200, 503]


def test_what_only_seems_quick_moves_to_the_slow_lane(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    with held(tmp_path) as (running, gate):
        first = pool.submit(post, running, "/v1/held", gate.fields(quick=True))
        eventually(lambda: gate.count() == 1)
        others = [pool.submit(post, running, "/validate", RIGHT) for _ in range(8)]
        assert {each.result().json()["verdict"]["status"] for each in others} == {"VERIFIED"}
        # It began again where it holds up nobody.
        eventually(lambda: gate.count() == 2)
        gate.open()
        assert constraint(first.result()) == "held.done"


def test_where_too_many_wait_the_next_is_handed_back(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    with held(tmp_path, "--workers", "1", "--queue", "2") as (running, gate):
        accepted = [pool.submit(post, running, "/v1/held", gate.fields())]
        eventually(lambda: gate.count() == 1)
        accepted += [pool.submit(post, running, "/v1/held", gate.fields()) for _ in range(2)]
        eventually(lambda: waiting(running) == 2)
        refused = post(running, "/v1/held", gate.fields())
        assert (refused.status_code, refused.json()["error"]) == (503, "ServiceUnavailable")
        assert int(refused.headers["retry-after"]) > 0
        ready = httpx.get(f"{running.url}/ready")
        assert (ready.status_code, ready.json()["checks"]["queue"]) == (503, False)
        assert "retry-after" in ready.headers
        gate.open()
        assert {constraint(each.result()) for each in accepted} == {"held.done"}


def test_what_takes_too_long_is_a_verdict_and_what_cannot_begin_is_handed_back(
    tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    with held(tmp_path, "--workers", "1", "--timeout", "3") as (running, gate):
        # On a busy machine a worker may take longer to start.
        eventually(lambda: post(running, "/v1/held", {}).status_code == 200)
        first = pool.submit(post, running, "/v1/held", gate.fields())
        eventually(lambda: gate.count() == 1)
        second = pool.submit(post, running, "/v1/held", gate.fields())
        assert constraint(first.result()) == "verifier.fault"
        assert first.result().json()["verdict"]["status"] == "BLOCKED"
        # Its own time runs out soon after: with or without having begun.
        ended = second.result()
        assert ended.status_code == 503 or constraint(ended) == "verifier.fault"
        gate.open()
        eventually(lambda: post(running, "/v1/held", {}).status_code == 200)


@pytest.mark.parametrize("is_quick", [False, True], ids=["slow", "quick"])
@pytest.mark.parametrize(("ends", "told"), [("dies", "verifier.fault"), ("fails", "verifier.internal_defect")])
def test_what_breaks_its_worker_is_blocked_and_the_next_is_judged(
    tmp_path: Path, is_quick: bool, ends: str, told: str
) -> None:
    with held(tmp_path) as (running, _):
        broken = post(running, "/v1/held", {"ends": ends, "quick": is_quick})
        assert broken.json()["verdict"]["status"] == "BLOCKED"
        assert constraint(broken) in {told, "verifier.fault"}
        assert constraint(post(running, "/v1/held", {"quick": is_quick})) == "held.done"
        own = post(running, "/hold", {"ends": ends, "quick": is_quick}).json()
        assert (own["passed"], own["verdict"]["status"]) == (False, "BLOCKED")


def test_a_refusal_of_a_kind_is_an_error_of_the_request(tmp_path: Path) -> None:
    with held(tmp_path) as (running, _):
        refused = post(running, "/v1/held", {"ends": "refuses"})
        assert refused.status_code == 400
        assert (refused.json()["message"], refused.json()["details"]) == ("It is refused.", {"field": "ends"})
        early = post(running, "/v1/held", {"ends": "refuses"}, Accept="text/event-stream")
        assert early.text.count("event: progress") == 1
        assert '"It is refused."' in early.text.partition("event: error")[2]


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_a_client_that_goes_frees_its_place(tmp_path: Path, pool: ThreadPoolExecutor, accept: str) -> None:
    with held(tmp_path, "--workers", "1", "--queue", "1") as (running, gate):
        never = Gate(tmp_path, "never")
        gone = running.client(Accept=accept)
        # One that works and one that waits, both given up.
        asked = [pool.submit(abandoned, gone, never.fields())]
        eventually(lambda: never.count() == 1)
        asked.append(pool.submit(abandoned, gone, never.fields()))
        eventually(lambda: waiting(running) == 1)
        stop(gone)
        eventually(lambda: waiting(running) == 0)
        gate.open()
        assert constraint(post(running, "/v1/held", gate.fields())) == "held.done"
        assert never.count() == 1
        assert all(each.result() for each in asked)


def test_a_quick_request_that_hangs_and_was_given_up_is_not_begun_again(
    tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    with held(tmp_path) as (running, _):
        never, gone = Gate(tmp_path, "never"), running.client()
        asked = pool.submit(abandoned, gone, never.fields(quick=True))
        eventually(lambda: never.count() == 1)
        stop(gone)
        assert asked.result()
        assert post(running, "/validate", RIGHT).json()["verdict"]["status"] == "VERIFIED"
        assert never.count() == 1
        never.open()


def abandoned(client: httpx.Client, fields: object) -> bool:
    try:
        client.post("/v1/held", json=fields)
    except httpx.HTTPError:
        return True
    return False


def stop(client: httpx.Client) -> None:
    """Close the connections of a client while it waits for answers."""
    pool = client._transport._pool  # type: ignore[attr-defined]  # no public way to cut them
    for connection in pool.connections:
        wire = connection._connection._network_stream.get_extra_info("socket")
        wire.shutdown(2)


def test_who_asks_too_often_waits(tmp_path: Path) -> None:
    with server(tmp_path, "--rate", "3") as running, running.client() as client:
        answers = [client.get("/v1/verdicts/x") for _ in range(4)]
        assert [each.status_code for each in answers] == [404, 404, 404, 429]
        last = answers[-1]
        assert last.json()["error"] == "TooManyRequests"
        assert 0 < int(last.headers["retry-after"]) <= 20
        assert (last.headers["x-ratelimit-limit"], last.headers["x-ratelimit-remaining"]) == ("3", "0")
        assert client.get("/health").status_code == 200


def test_at_the_end_what_was_begun_is_finished_and_the_rest_is_handed_back(
    tmp_path: Path, pool: ThreadPoolExecutor
) -> None:
    with held(tmp_path, "--workers", "1") as (running, gate):
        begun = pool.submit(post, running, "/v1/held", gate.fields())
        eventually(lambda: gate.count() == 1)
        behind = [pool.submit(post, running, "/v1/held", gate.fields()) for _ in range(3)]
        eventually(lambda: waiting(running) == 3)
        running.terminate()
        for each in behind:
            answer = each.result()
            assert (answer.status_code, answer.headers["connection"]) == (503, "close")
            assert "retry-after" in answer.headers
        gate.open()
        assert constraint(begun.result()) == "held.done"
        assert running.process.wait(60) == 0


def test_at_the_end_a_stream_of_events_is_finished(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    with held(tmp_path) as (running, gate):
        begun = pool.submit(post, running, "/v1/held", gate.fields(), Accept="text/event-stream")
        eventually(lambda: gate.count() == 1)
        running.terminate()
        eventually(lambda: is_closed(running))
        gate.open()
        assert '"status": "UNVERIFIABLE"' in begun.result().text.partition("event: answer")[2]
        assert running.process.wait(60) == 0


def is_closed(running: Running) -> bool:
    try:
        httpx.get(f"{running.url}/health")
    except httpx.TransportError as error:
        return isinstance(error, httpx.ConnectError)
    return False


def test_an_end_under_load_loses_no_request(tmp_path: Path, pool: ThreadPoolExecutor) -> None:
    with server(tmp_path) as running:
        going = threading.Event()
        loads: list[Future[list[int]]] = [pool.submit(load, running, going) for _ in range(16)]
        assert going.wait(60)
        running.terminate()
        statuses = [status for each in loads for status in each.result()]
        assert running.process.wait(60) == 0
    assert set(statuses) == {200, 503}
    assert statuses.count(503) == 16


def load(running: Running, going: threading.Event) -> list[int]:
    """Ask until the server hands back; a connection that breaks in between would be a request that was lost."""
    statuses: list[int] = []
    with running.client() as client:
        while 503 not in statuses:
            answer = client.post("/validate", json=RIGHT)
            statuses.append(answer.status_code)
            assert answer.status_code == 200 or "retry-after" in answer.headers
            if len(statuses) > 20:
                going.set()
    return statuses


def test_no_verdict_is_given_whose_proof_cannot_be_kept(tmp_path: Path) -> None:
    with server(tmp_path) as running:
        assert post(running, "/validate", RIGHT).json()["verdict"]["status"] == "VERIFIED"
        for each in tmp_path.glob("proofs.sqlite*"):
            each.write_bytes(b"not a store" * 1000)
        told = [post(running, path, {**RIGHT, "output": [2]}).json()["verdict"] for path in ("/validate", "/v1/judge")]
        assert [each["status"] for each in told] == ["BLOCKED"] * 2
        answer = httpx.get(f"{running.url}/ready")
        assert (answer.status_code, answer.json()["checks"]["store"]) == (503, False)


def test_with_a_ledger_every_verdict_stands_in_it_before_it_is_given(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    with server(tmp_path, "--ledger", str(ledger)) as running:
        answers = [post(running, "/validate", {**RIGHT, "output": each}).json() for each in ([1], 2)]
        answers.append(post(running, "/v1/claim", {"engine": "math", "statement": "1 = 1"}).json())
        entries = [json.loads(content) for _, content in Ledger(ledger).entries()]
    assert [each["status"] for each in entries] == [each["verdict"]["status"] for each in answers]
    assert [each["status"] for each in entries] == ["VERIFIED", "UNVERIFIABLE", "VERIFIED"]
