"""`probatum verify --watch` as a process: it verifies again after a change, and ends when it is interrupted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from threading import Thread
from types import SimpleNamespace

import pytest

from probatum.cli.watching import again_and_again
from probatum.core.errors import UsageError
from tests.cli.command import Commands
from tests.cli.folders import quick, right, warm, write, wrong

SECONDS = 120
"""After which a process that says nothing is taken for dead."""
WAITING = "Ctrl-C ends it."
# A process that is started in the background may have it ignored.
INTERRUPTIBLE = (
    "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from probatum.__main__ import main; sys.exit(main())"
)


class Watching:
    """A process that watches, and what it printed."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-c", INTERRUPTIBLE, "verify", *arguments, "--watch", "--level", "quick", "-j", "1"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self._lines = Queue[str]()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def until_it_waits(self) -> str:
        """Return what it prints up to its next wait."""
        told = ""
        while not told.endswith(f"{WAITING}\n"):
            told += self._lines.get(timeout=SECONDS)
        return told

    def interrupted(self) -> int:
        """Interrupt it; return its exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(SECONDS)


@pytest.fixture
def watching(
    commands: Commands, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Watching]]:
    warm(monkeypatch, tmp_path_factory)
    started: list[Watching] = []

    def start(*arguments: str) -> Watching:
        started.append(Watching(*arguments))
        return started[-1]

    yield start
    for each in started:
        each.process.kill()
        each.process.wait()


def test_a_change_is_verified_and_an_interruption_ends_it(watching: Callable[..., Watching], tmp_path: Path) -> None:
    write(tmp_path, {"shop/a.py": wrong("f"), "shop/b.py": right("g")})
    process = watching("shop")
    first = process.until_it_waits()
    assert "==== 1 refuted, 1 undecided" in first
    assert "Watching 2 files; " in first
    write(tmp_path, {"shop/a.py": right("f")})
    assert "==== 2 undecided" in process.until_it_waits()
    write(tmp_path, {"shop/c.py": "no Python ="})
    assert "REFUTED    shop/c.py" in process.until_it_waits()
    (tmp_path / "shop/c.py").unlink()
    assert "==== 2 undecided" in process.until_it_waits()
    assert process.interrupted() == 3


def test_a_refused_run_is_told_and_waited_out(watching: Callable[..., Watching], tmp_path: Path) -> None:
    write(tmp_path, {"shop/a.py": wrong("f", comment="  # probatum: ignore")})
    process = watching("shop")
    assert "error[ignore.no_reason]" in process.until_it_waits()
    write(tmp_path, {"shop/a.py": wrong("f")})
    assert "==== 1 refuted" in process.until_it_waits()
    assert process.interrupted() == 1


def test_standard_input_is_not_watched(commands: Commands) -> None:
    ended = quick(commands, "-", "--watch", stdin=right("f").encode())
    assert (ended.code, "standard input is read once" in ended.stderr) == (2, True)


# what it does between two runs


def interrupt() -> int:
    raise KeyboardInterrupt


def scripted(monkeypatch: pytest.MonkeyPatch, *moments: Callable[[], object]) -> None:
    """Let these happen, one whenever the command waits; the last interrupts it."""
    waiting = iter((*moments, interrupt))
    monkeypatch.setattr("probatum.cli.watching.time", SimpleNamespace(sleep=lambda _: next(waiting)()))


def test_a_run_that_is_interrupted_has_no_exit_code(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        again_and_again(interrupt, [str(tmp_path)])


def test_an_interruption_between_runs_ends_with_the_last_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter((1, 3))
    scripted(monkeypatch, lambda: write(tmp_path, {"a.py": "x"}))
    assert again_and_again(lambda: next(codes), [str(tmp_path / "a.py::f")]) == 3


def test_what_is_written_again_as_it_was_is_no_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, {"a.py": "x", ".venv/b.py": "x", "__pycache__/c.py": "x", "notes.txt": "x"})

    def touched() -> None:
        os.utime(tmp_path / "a.py", ns=(1, 1))
        for name in (".venv/b.py", "__pycache__/c.py", "notes.txt"):
            (tmp_path / name).write_text("y")

    codes = iter((1, 3))
    scripted(monkeypatch, touched)
    assert again_and_again(lambda: next(codes), [str(tmp_path)]) == 1


def test_readings_and_configuration_are_watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    codes = iter((1, 3))
    scripted(monkeypatch, lambda: write(tmp_path, {"a.readings.toml": ""}))
    assert again_and_again(lambda: next(codes), [str(tmp_path / "*.py")]) == 3


def test_a_refusal_ends_with_its_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused() -> int:
        raise UsageError("path.missing", "There is no file.")

    scripted(monkeypatch)
    assert again_and_again(refused, [str(tmp_path)]) == 2
