"""The batch: each id exactly once, run after run, and no line of anybody else's file touched."""

from __future__ import annotations

import fcntl
import io
import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.app import pool, sources
from probatum.app.batch import BatchReport, run_batch
from probatum.app.pool import PoolOptions
from probatum.core.command import Given
from probatum.core.errors import NotAttemptedError, UsageError
from probatum.core.events import Event, Listener, ignore
from tests.full_disk import full_disk

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "WORKER_MODULE", "tests.app.stand_in_worker")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))


def write_requests(path: Path, ids: list[str]) -> None:
    path.write_text("".join(json.dumps({"id": each, "source": "answer"}) + "\n" for each in ids))


def run(folder: Path, *, listener: Listener = ignore, standard_input: bytes | None = None) -> BatchReport:
    requests = "-" if standard_input is not None else str(folder / "in.jsonl")
    options = PoolOptions(folder / "store", 2)
    return run_batch(requests, str(folder / "out.jsonl"), options, io.BytesIO(standard_input or b""), listener)


def answered_ids(folder: Path) -> list[str]:
    return [json.loads(line)["id"] for line in (folder / "out.jsonl").read_text().splitlines()]


def test_every_request_is_answered(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a", "b", "c"])
    report = run(tmp_path)
    assert sorted(answered_ids(tmp_path)) == ["a", "b", "c"]
    assert report == BatchReport(3, 0, (("UNVERIFIABLE", 3),))
    assert report.to_dict() == {
        "total": 3,
        "answered": 3,
        "kept": 0,
        "blank_lines": 0,
        "statuses": {"UNVERIFIABLE": 3},
    }


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a", "b"])
    run(tmp_path)
    before = (tmp_path / "out.jsonl").read_bytes()
    assert run(tmp_path) == BatchReport(2, 2, ())
    assert (tmp_path / "out.jsonl").read_bytes() == before


def test_requests_from_standard_input(tmp_path: Path) -> None:
    run(tmp_path, standard_input=b'{"id": "a", "source": "answer"}\n\n{"id": "b", "source": "answer"}')
    assert sorted(answered_ids(tmp_path)) == ["a", "b"]


@pytest.mark.parametrize("notes", [b"my notes", b'{"i', b'{"identity": 1}', b'{"id":1}'])
def test_only_the_beginning_of_an_answer_is_taken_away(tmp_path: Path, notes: bytes) -> None:
    write_requests(tmp_path / "in.jsonl", ["a"])
    (tmp_path / "out.jsonl").write_bytes(notes)
    if b'{"id": '.startswith(notes):
        assert run(tmp_path).answered == 1
        return
    with pytest.raises(UsageError, match="no answer of a batch"):
        run(tmp_path)
    assert (tmp_path / "out.jsonl").read_bytes() == notes


def test_requests_that_were_added_are_answered(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a"])
    run(tmp_path)
    write_requests(tmp_path / "in.jsonl", ["b", "a"])
    assert run(tmp_path).kept == 1
    assert answered_ids(tmp_path) == ["a", "b"]


@settings(max_examples=12, deadline=None)
@given(cut=st.integers(min_value=0))
def test_answers_cut_off_anywhere_are_completed(cut: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("batch")
    write_requests(folder / "in.jsonl", ["a", "b", "c"])
    run(folder)
    whole = (folder / "out.jsonl").read_bytes()
    (folder / "out.jsonl").write_bytes(whole[: cut % (len(whole) + 1)])
    run(folder)
    assert sorted(answered_ids(folder)) == ["a", "b", "c"]


def test_progress_counts_what_earlier_runs_answered(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a"])
    run(tmp_path)
    write_requests(tmp_path / "in.jsonl", ["a", "b"])
    heard: list[Event] = []
    run(tmp_path, listener=heard.append)
    assert [(event.data["done"], event.data["total"]) for event in heard] == [(2, 2)]


REFUSED_REQUESTS = {
    "an id twice": (b'{"id": "a"}\n{"id": "b"}\n{"id": "a"}\n', "line 3: the id 'a' was already used in line 1"),
    "no JSON": (b'{"id": "a"}\n{"id": \n', "line 2"),
    "no id": (b"{}\n", "line 1"),
    "nothing": (b"\n \n", "no request"),
}


@pytest.mark.parametrize(("requests", "sentence"), REFUSED_REQUESTS.values(), ids=REFUSED_REQUESTS)
def test_unusable_requests_end_the_batch_before_any_work(requests: bytes, sentence: str, tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_bytes(requests)
    with pytest.raises(UsageError, match=sentence):
        run(tmp_path)
    assert not (tmp_path / "out.jsonl").exists()


FOREIGN_ANSWERS = {
    "no JSON": b"hello\n",
    "another shape": b'{"id": "a"}\n',
    "another id": b'{"id": "z", "verdict": {}}\n',
    "an id twice": b'{"id": "a", "verdict": {}}\n' * 2,
    "the requests themselves": b'{"id": "a", "source": "answer"}\n',
}


@pytest.mark.parametrize("content", FOREIGN_ANSWERS.values(), ids=FOREIGN_ANSWERS)
def test_a_file_with_anything_else_is_left_as_it_is(content: bytes, tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a", "b"])
    (tmp_path / "out.jsonl").write_bytes(content)
    with pytest.raises(UsageError, match="left as it is") as caught:
        run(tmp_path)
    assert caught.value.code == "batch.other_answers"
    assert (tmp_path / "out.jsonl").read_bytes() == content


def test_two_batches_never_write_to_one_file(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a"])
    with (tmp_path / "out.jsonl").open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(UsageError, match="Another batch"):
            run(tmp_path)


UNUSABLE_PATHS = {
    "missing": ("no.jsonl", "path.missing"),
    "a folder": (".", "path.not_a_file"),
    "a null character": ("a\0b", "path.missing"),
    "a device": ("../../../../../../dev/zero", "path.not_a_file"),
    "a pipe": ("pipe", "path.not_a_file"),
}


@pytest.mark.parametrize(("name", "code"), UNUSABLE_PATHS.values(), ids=UNUSABLE_PATHS)
def test_requests_that_cannot_be_read(name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "PATIENCE_SECONDS", 0.01)
    os.mkfifo(tmp_path / "pipe")
    out = str(tmp_path / "out.jsonl")
    with pytest.raises(UsageError) as caught:
        run_batch(f"{tmp_path}/{name}", out, PoolOptions(tmp_path, 1), io.BytesIO(), ignore)
    assert caught.value.code == code


def test_blank_lines_are_counted_and_ask_nothing(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a"])
    with (tmp_path / "in.jsonl").open("ab") as file:
        file.write(b"\n \t\n")
    assert run(tmp_path).blank == 2
    assert answered_ids(tmp_path) == ["a"]


@pytest.mark.parametrize("end", [b"", b"\n"])
@pytest.mark.parametrize("by", ["its name", "a link", "standard input"])
def test_answers_never_go_into_the_file_of_requests(end: bytes, by: str, tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    write_requests(path, ["a"])
    content = path.read_bytes().rstrip() + end
    path.write_bytes(content)
    out = path
    if by == "a link":
        out = tmp_path / "out.jsonl"
        out.symlink_to(path)
    with path.open("rb") as stream, pytest.raises(UsageError):
        run_batch("-" if by == "standard input" else str(path), str(out), PoolOptions(tmp_path, 1), stream, ignore)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("out", "reason"),
    [
        ("no/out.jsonl", "no such file"),
        ("pipe", "it is not a regular file"),
        (".", "is a directory"),
        ("a\0b", "null"),
        ("-", "Answers go to a file"),
        ("", "Answers go to a file"),
    ],
)
def test_answers_that_cannot_be_written(out: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")
    write_requests(tmp_path / "in.jsonl", ["a"])
    with pytest.raises(UsageError, match=reason) as caught:
        run_batch("in.jsonl", out, PoolOptions(tmp_path, 1), io.BytesIO(), ignore)
    assert caught.value.code == "batch.not_writable"
    assert sorted(os.listdir()) == ["in.jsonl", "pipe"]


def test_a_disk_that_is_full_is_named_and_the_next_run_completes(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a", "b"])
    with full_disk(10), pytest.raises(NotAttemptedError) as caught:
        run(tmp_path)
    assert caught.value.code == "batch.not_written"
    assert (tmp_path / "out.jsonl").stat().st_size == 10
    assert run(tmp_path).kept == 0
    assert sorted(answered_ids(tmp_path)) == ["a", "b"]


def test_an_option_that_cannot_be_used_leaves_no_answers_file(tmp_path: Path) -> None:
    write_requests(tmp_path / "in.jsonl", ["a"])
    requests, out = str(tmp_path / "in.jsonl"), tmp_path / "out.jsonl"
    options = PoolOptions(tmp_path, 1, given=Given(options={"level": "bogus"}))
    with pytest.raises(UsageError) as caught:
        run_batch(requests, str(out), options, io.BytesIO(), ignore)
    assert caught.value.code == "level.unknown"
    assert not out.exists()
