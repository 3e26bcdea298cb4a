"""A batch that is killed in the middle: nothing keeps running, nothing is lost, nothing is answered twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli import programs

MORE_THAN_CAN_BE_ANSWERED = 20_000
"""So many that the interrupt always comes in the middle, however slow the machine is to send it."""
REQUESTS = 60
PATIENCE_SECONDS = 600.0


def wait_until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited in vain until {what}"
        time.sleep(0.01)


def descendants(process_id: int) -> set[int]:
    """Every process below this one, from the kernel's own table."""
    found: set[int] = set()
    waiting = [process_id]
    while waiting:
        try:
            children = Path(f"/proc/{waiting[-1]}/task/{waiting[-1]}/children").read_text().split()
        except OSError:
            children = []
        waiting.pop()
        fresh = {int(child) for child in children} - found
        found |= fresh
        waiting.extend(fresh)
    return found


def is_running(process_id: int) -> bool:
    try:
        state = Path(f"/proc/{process_id}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in {"Z", "X"}


def wait_for_answers(path: Path, count: int) -> None:
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > count, "it answered some")


def wait_for_the_end_of(family: set[int]) -> None:
    wait_until(lambda: not any(is_running(each) for each in family), "every process ended")


_AT_A_TERMINAL = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.executable, [sys.executable, "-m", "probatum", *sys.argv[1:]])
"""
"""A job that a shell put into the background hands on an ignored interrupt; a person's terminal does not."""


def start(folder: Path) -> subprocess.Popen[bytes]:
    arguments = ["batch", "in.jsonl", "out.jsonl", "--workers", "2", "--level", "quick", "--store", "store"]
    return subprocess.Popen(
        [sys.executable, "-c", _AT_A_TERMINAL, *arguments],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def test_kill_9_in_the_middle_then_the_same_command_again(tmp_path: Path) -> None:
    asked = [f"request {number}" for number in range(REQUESTS)]
    source = programs.WRONG.decode()
    lines = [json.dumps({"id": each, "kind": "program", "source": source}) for each in asked]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    answers = tmp_path / "out.jsonl"
    for share in (0.2, 0.6):
        with start(tmp_path) as process:
            wait_for_answers(answers, int(REQUESTS * share))
            family = descendants(process.pid)
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL
        assert len(family) >= 2
        wait_for_the_end_of(family)
        # What a crash in the middle of a write leaves behind.
        with answers.open("ab") as file:
            file.write(b'{"id": "request 59", "verd')
    with start(tmp_path) as process:
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    found = [json.loads(line)["id"] for line in answers.read_text().splitlines()]
    assert sorted(found) == sorted(asked)


def test_an_interrupted_batch_keeps_its_answers_and_leaves_no_process(tmp_path: Path) -> None:
    source = programs.WRONG.decode()
    lines = [
        json.dumps({"id": str(number), "kind": "program", "source": source})
        for number in range(MORE_THAN_CAN_BE_ANSWERED)
    ]
    (tmp_path / "in.jsonl").write_text("\n".join(lines))
    answers = tmp_path / "out.jsonl"
    with start(tmp_path) as process:
        wait_for_answers(answers, 3)
        family = descendants(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate()
    assert (process.returncode, errors) == (130, b"interrupted\n")
    wait_for_the_end_of(family)
    assert all(json.loads(line)["verdict"]["status"] == "UNVERIFIABLE" for line in answers.read_text().splitlines())
