"""The `Executor` port on one warm process: what it loads stays loaded; a question that does not end ends it.

The process has its own budget of processor time and memory; time on the clock is only the backstop. One that was ended
is started again for the next question. Refuses to take anything but one whole answer for an answer.
"""

from __future__ import annotations

import signal
import sys
import threading
import time
from dataclasses import dataclass
from importlib import import_module
from subprocess import DEVNULL
from typing import Final

from probatum.core.errors import BudgetError, NotAttemptedError, reason_of
from probatum.workers.frames import CHUNK, READY, Frame, FrameReader, ParentLink
from probatum.workers.link import Link, own_command
from probatum.workers.watchdog import ENDED_BY, progress, watch

_SECONDS_TO_END: Final = 5.0
_LEAST: Final = 0.001
_SHOWN: Final = 300
_FAULT: Final = "fault"
_ENDED_FOR_BUDGET: Final = frozenset({-ENDED_BY, -signal.SIGPROF, -signal.SIGKILL})


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
        self._link: Link | None = None
        self._turn = threading.Lock()

    def evaluate(self, question: bytes) -> bytes:
        """Return the answer; raises as `Executor.evaluate` does, and RuntimeError for a fault of the function."""
        with self._turn:
            is_new = self._link is None
            link = self._link or self._started()
            end = time.monotonic() + self._limits.wall + (self._limits.start if is_new else 0)
            try:
                answer = _asked(link, question, end)
            except OSError as error:
                raise self._lost(is_late=isinstance(error, TimeoutError)) from None
            except BaseException:
                # Interrupted in mid-answer: the next answer would be this one.
                self._end()
                raise
        if _FAULT in answer.head:
            raise RuntimeError(answer.body.decode("utf-8", "replace"))
        return answer.body

    def close(self) -> None:
        """End the process."""
        with self._turn:
            self._end()

    def _started(self) -> Link:
        command = own_command(__name__, self._target, str(self._limits.processor), str(self._limits.grace))
        try:
            self._link = Link(command, printed=DEVNULL, errors=DEVNULL)
        except OSError as error:
            sentence = f"No process could be started for the engines: {reason_of(error)}."
            raise NotAttemptedError("verifier.fault", sentence) from error
        return self._link

    def _lost(self, *, is_late: bool) -> Exception:
        """Return the error for a process that gave no answer, and end it."""
        # Where it closed its socket it ends by itself, and how it ends is of interest.
        code = self._end(0.0 if is_late else _SECONDS_TO_END)
        if is_late or code in _ENDED_FOR_BUDGET:
            seconds = self._limits.processor
            return BudgetError(
                "engine.out_of_budget", f"The claim was not decided within {seconds:g} seconds of processor time."
            )
        return RuntimeError(f"the process of the engines ended with {code} and without an answer")

    def _end(self, seconds: float = 0.0) -> int | None:
        link, self._link = self._link, None
        return None if link is None else link.end(seconds)


def _asked(link: Link, question: bytes, end: float) -> Frame:
    """Send a question and read its answer; raises TimeoutError, or ConnectionError where the process has ended."""
    link.socket.settimeout(max(end - time.monotonic(), _LEAST))
    link.socket.sendall(Frame({}, question).to_bytes())
    reader = FrameReader()
    while True:
        link.socket.settimeout(max(end - time.monotonic(), _LEAST))
        chunk = link.socket.recv(CHUNK)
        if not chunk:
            raise ConnectionError
        for frame in reader.feed(chunk):
            if READY not in frame.head:
                return frame


def main(arguments: list[str]) -> int:
    """Answer questions, one at a time: the process of a `WarmExecutor`.

    Arguments: what evaluates as ``module:function``, its seconds of processor time and of grace, those of `ParentLink`.
    """
    target, seconds, grace, *own = arguments
    parent = ParentLink(*own)
    module, _, name = target.partition(":")
    evaluate = getattr(import_module(module), name)
    watch(float(seconds), float(grace))
    for group in parent.groups():
        for frame in group:
            progress()
            try:
                answer = Frame({}, evaluate(frame.body))
            except Exception as error:  # noqa: BLE001  a fault of one evaluation is reported, and the next is answered
                told = f"{type(error).__name__}: {error}"[:_SHOWN]
                answer = Frame({_FAULT: True}, told.encode("utf-8", "backslashreplace"))
            parent.tell(answer)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
