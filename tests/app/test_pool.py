"""The pool: every line is answered once, whatever happens to the workers."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from probatum.app import pool
from probatum.app.pool import PoolOptions, answer_lines
from probatum.core.command import Given
from probatum.core.errors import NotAttemptedError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WORKER_MODULE", "tests.app.stand_in_worker")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def line(request_id: str, source: str = "answer") -> bytes:
    return json.dumps({"id": request_id, "source": source}).encode()


def answers(lines: list[bytes], options: PoolOptions) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = {}
    for answer in answer_lines(lines, options):
        assert answer.endswith(b"\n")
        document = json.loads(answer)
        assert document["id"] not in found
        found[document["id"]] = document["verdict"]
    return found


def options(tmp_path: Path, workers: int = 2) -> PoolOptions:
    return PoolOptions(tmp_path / "store", workers)


def children() -> set[str]:
    return set(Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_every_line_is_answered_once(workers: int, tmp_path: Path) -> None:
    lines = [line(str(number)) for number in range(40)]
    assert set(answers(lines, options(tmp_path, workers))) == {str(number) for number in range(40)}


def test_no_lines_start_no_worker(tmp_path: Path) -> None:
    before = children()
    assert answers([], options(tmp_path)) == {}
    assert children() == before


def test_a_long_line_and_unusual_text_arrive(tmp_path: Path) -> None:
    source = "answer " + "\u2028é\x00" * 100_000
    assert set(answers([line("é\n", source)], options(tmp_path))) == {"é\n"}


def test_workers_hear_how_to_answer(tmp_path: Path) -> None:
    asked = PoolOptions(tmp_path, 1, given=Given(options={"level": "quick"}))
    assert answers([line("a")], asked)["a"]["agent_message"] == "quick proof"


def test_a_line_whose_worker_died_is_tried_again(tmp_path: Path) -> None:
    marker = tmp_path / "died"
    found = answers([line("a"), line("b", f"die once {marker}"), line("c")], options(tmp_path))
    assert marker.exists()
    assert {verdict["status"] for verdict in found.values()} == {"UNVERIFIABLE"}
    assert len(found) == 3


def test_a_line_that_always_kills_its_worker_is_blocked_and_stops_nothing(tmp_path: Path) -> None:
    lines = [line(str(number), "die" if number % 3 == 0 else "answer") for number in range(9)]
    found = answers(lines, options(tmp_path))
    blocked = {key for key, verdict in found.items() if verdict["status"] == "BLOCKED"}
    assert blocked == {"0", "3", "6"}
    assert len(found) == 9
    fields = found["0"]["developer_fields"]
    assert isinstance(fields, dict)
    assert fields["constraint_id"] == "verifier.fault"


def test_a_worker_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "PATIENCE_SECONDS", 0.2)
    found = answers([line("a", "hang")], options(tmp_path))
    assert found["a"]["status"] == "BLOCKED"


def test_slow_requests_do_not_hold_up_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "SLOW", 1e-9)
    others = tmp_path / "answered"
    lines = [line("slow", f"wait {others}"), line("slow too", f"wait {others}"), line("a"), line("b"), line("c")]
    order = []
    before = children()
    for answer in answer_lines(lines, options(tmp_path)):
        order.append(json.loads(answer)["id"])
        assert len(children() - before) <= 4
        if len(order) == 3:
            others.touch()
    assert set(order[:3]) == {"a", "b", "c"}
    assert set(order[3:]) == {"slow", "slow too"}


def test_a_worker_that_cannot_start_ends_the_run(tmp_path: Path) -> None:
    with pytest.raises(NotAttemptedError) as caught:
        answers([line("a")], PoolOptions(tmp_path / "broken", 2))
    assert caught.value.code == "batch.worker_failed"


def test_a_reader_that_stops_leaves_no_process(tmp_path: Path) -> None:
    before = children()
    stream = answer_lines((line(str(number)) for number in range(1000)), options(tmp_path))
    next(stream)
    stream.close()
    assert children() == before


def test_lines_are_taken_as_they_are_needed(tmp_path: Path) -> None:
    taken = 0

    def lines() -> Iterator[bytes]:
        nonlocal taken
        for number in range(1000):
            taken += 1
            yield line(str(number))

    stream = answer_lines(lines(), options(tmp_path))
    next(stream)
    stream.close()
    assert taken <= 10
