"""The `Executor` port on one warm process: what it loads stays loaded; a question that does not end ends it.

The process has its own budget of processor time and memory; time on the clock is only the backstop. One that was ended
is started again for the next question. Refuses to take anything but one whole answer for an answer.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Final

from probatum.core.errors import BudgetError, NotAttemptedError, reason_of
from probatum.verification.warm_worker import ANSWER, HEADER
from probatum.verification.watchdog import ENDED_BY

WORKER_MODULE: Final = "probatum.verification.warm_worker"
_CHUNK: Final = 1 << 20
_SECONDS_TO_END: Final = 5.0
_BUDGET: Final = "engine.out_of_budget"
_ENDED_FOR_BUDGET: Final = frozenset({-ENDED_BY, -signal.SIGPROF, -signal.SIGKILL})
# The kernel says in these ways that a pipe has no reader left.
_LOST: Final = (BrokenPipeError, ConnectionResetError)


class _NoAnswerError(Exception):
    """The process ended; or it took too long, which is said in words."""


@dataclass(frozen=True, slots=True)
class WarmLimits:
    """What one question may use, in seconds."""

    processor: float = 10.0
    grace: float = 5.0
    """After the processor time: until the system ends a process that does not come back."""
    wall: float = 60.0
    start: float = 60.0
    """On top, for the first question of a process."""


class WarmExecutor:
    """Evaluates with one function, in one process of its own."""

    def __init__(self, target: str, limits: WarmLimits | None = None) -> None:
        """Keep what evaluates, as ``module:function`` of bytes to bytes; the process starts with the first question."""
        self._target = target
        self._limits = limits or WarmLimits()
        self._process: subprocess.Popen[bytes] | None = None
        self._turn = threading.Lock()

    def evaluate(self, question: bytes) -> bytes:
        """Return the answer; raises as `Executor.evaluate` does, and RuntimeError for a fault of the function."""
        with self._turn:
            is_new = self._process is None
            process = self._process or self._started()
            end = time.monotonic() + self._limits.wall + (self._limits.start if is_new else 0)
            try:
                mark, answer = _asked(process, question, end)
            except _NoAnswerError as error:
                raise self._lost(process, is_late=bool(error.args)) from None
            except BaseException:
                # Interrupted in mid-answer: the next answer would be this one.
                self._end()
                raise
        if mark != ANSWER:
            raise RuntimeError(answer.decode("utf-8", "replace"))
        return answer

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def _started(self) -> subprocess.Popen[bytes]:
        limits = self._limits
        told = (self._target, str(limits.processor), str(limits.grace), str(os.getpid()))
        # -P: a module of the current folder must not take the place of one of ours.
        command = [sys.executable, "-P", "-m", WORKER_MODULE, *told]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            sentence = f"No process could be started for the engines: {reason_of(error)}."
            raise NotAttemptedError("verifier.fault", sentence) from error
        return self._process

    def _lost(self, process: subprocess.Popen[bytes], *, is_late: bool) -> Exception:
        """Return the error for a process that gave no answer, and end it."""
        if not is_late:
            # Its pipe is closed: it ends by itself, and how it ends is of interest.
            with suppress(subprocess.TimeoutExpired):
                process.wait(_SECONDS_TO_END)
        self._end()
        if is_late or process.returncode in _ENDED_FOR_BUDGET:
            seconds = self._limits.processor
            return BudgetError(_BUDGET, f"The claim was not decided within {seconds:g} seconds of processor time.")
        return RuntimeError(f"the process of the engines ended with {process.returncode} and without an answer")

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                _close(pipe)


def _close(pipe: IO[bytes]) -> None:
    # What was not sent any more goes nowhere.
    with suppress(*_LOST):
        pipe.close()


def _asked(process: subprocess.Popen[bytes], question: bytes, end: float) -> tuple[bytes, bytes]:
    """Send a question and read its answer; raises _NoAnswerError where none comes in time."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(HEADER.pack(ANSWER, len(question)) + question)
        process.stdin.flush()
    except _LOST:
        raise _NoAnswerError from None
    mark, size = HEADER.unpack(_read(process.stdout.fileno(), HEADER.size, end))
    return mark, _read(process.stdout.fileno(), size, end)


def _read(pipe: int, size: int, end: float) -> bytes:
    found = bytearray()
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while len(found) < size:
        left = end - time.monotonic()
        if left <= 0 or not waiting.poll(left * 1000):
            raise _NoAnswerError("late")
        read = os.read(pipe, min(_CHUNK, size - len(found)))
        if not read:
            raise _NoAnswerError
        found += read
    return bytes(found)
