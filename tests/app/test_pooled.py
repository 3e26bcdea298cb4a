"""Runs over files in several processes: the same answers as in one, also where a process dies on the way."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from probatum.app.asking import Asked
from probatum.app.checking import Checking, How, RunReport
from probatum.app.kinds import built_in_kinds
from probatum.app.sources import NO_SOURCES
from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.core.errors import UsageError
from probatum.core.events import Event, ignore
from probatum.proof.stores import MemoryStore

RIGHT = 'def one(x: int) -> int:\n    """Add one.\n\n    >>> one(1)\n    2\n    """\n    return x + 1\n'
WRONG = RIGHT.replace("x + 1", "x + 2")
QUICK = {"level": "quick"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(4):
        (tmp_path / f"m{number}.py").write_text(WRONG if number == 2 else RIGHT)
    return tmp_path


def run(folder: Path, jobs: int, store: MemoryStore | None = None, listener=ignore, **options: object):
    asked = Asked(built_in_kinds()["program"], Given(str(folder), {**QUICK, **options}), store or MemoryStore())
    return list(Checking(asked, NO_SOURCES, How(jobs), RunReport()).answers(listener))


def shown(answers) -> list[object]:
    return [(each.name, [part.name for part in each.parts], each.verdict.to_dict()) for each in answers]


def test_two_processes_answer_as_one_does(folder: Path) -> None:
    one, two = run(folder, 1), run(folder, 2)
    assert shown(one) == shown(two)
    assert [str(each.verdict.outcome) for each in two] == ["undecided", "undecided", "refuted", "undecided"]
    assert [each.sheet for each in one] == [each.sheet for each in two]
    assert [each.observed.findings() for each in one] == [each.observed.findings() for each in two]


def test_the_proof_of_a_verified_file_is_kept_by_whoever_asked(folder: Path) -> None:
    source = Path("examples/coins.py").read_text()
    for path in folder.glob("*.py"):
        path.write_text(source)
    store = MemoryStore()
    answers = run(folder, 2, store, level="standard")
    assert all(each.verdict.is_verified for each in answers)
    assert {each.verdict.proof_ref for each in answers} <= set(store.digests())


def test_a_process_that_dies_is_told_and_ends_no_other_file(folder: Path) -> None:
    killed = set[int]()

    def kill(event: Event) -> None:
        # Whoever takes the second file over is killed as well.
        if event.data.get("subject", "").endswith("m1.py") and event.stage == "start":
            for each in children() - killed:
                killed.add(each)
                os.kill(each, signal.SIGKILL)

    answers = run(folder, 2, listener=kill)
    outcomes = {Path(each.name).name: str(each.verdict.outcome) for each in answers}
    assert outcomes.pop("m1.py") == Outcome.NOT_ATTEMPTED
    assert set(outcomes) == {"m0.py", "m2.py", "m3.py"}
    assert not children()


def test_what_makes_no_sense_ends_the_run(folder: Path) -> None:
    with pytest.raises(UsageError):
        run(folder, 2, **{"min-strength": 7})
    assert not children()


def test_a_run_that_is_killed_leaves_no_process(folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "probatum", "verify", str(folder), "-j", "2", "--no-cache", "--level", "quick"]
    surroundings = {**os.environ, "PROBATUM_STORE": str(tmp_path / "store.sqlite")}
    with subprocess.Popen(command, env=surroundings, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        started = children(process.pid)
        process.kill()
    assert started
    for each in started:
        # It dies with its parent; whoever has taken it over waits for it.
        with_waiting(each)


def with_waiting(process: int) -> None:
    """Wait until a process that is not ours has gone."""
    try:
        descriptor = os.pidfd_open(process)
    except ProcessLookupError:
        return
    assert select.select([descriptor], [], [], 60)[0]
    os.close(descriptor)


def children(parent: int | None = None) -> set[int]:
    """Return the processes that a process has started and that have not ended."""
    own = str(os.getpid() if parent is None else parent)
    found = set[int]()
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, ppid = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
                command = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if ppid == own and state != "Z" and b"answer_worker" in command:
                found.add(int(entry.name))
    return found
