"""Running something in a process of its own, which is ended with everything that it started.

Between us and the worker stands a guard: the reaper of all that the worker starts. At the worker's end or at its time
the guard ends every process of the family, and dies with us; where somebody ends the guard, we end the family
ourselves. Linux 5.3 or newer, with /proc.

Why forking is safe here, with threads too. A fork copies only the thread that asks for it, so that a lock which
another thread holds stays closed in the copy. The guard needs none: it makes system calls, and Python itself opens its
own locks after a fork, as the C library does for memory. A worker that is a program becomes that program at once. A
worker that is a function may meet such a lock; then it waits until its time is over, and has given no answer. All
signals are held back until the copy has taken its own handlers, and nothing that happens in a copy comes back into the
code of the caller.

Refuses to take for an answer what the worker did not return: an answer follows a secret that the worker reads only
when its work is done, and nothing may stand before, between or behind.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from errno import ENOMEM
from fcntl import F_DUPFD_CLOEXEC, fcntl
from io import FileIO
from typing import Final

from probatum.workers.guard import ENDING_SECONDS, Duty, Family, Report, new_mark, stand_guard

# How much longer than its time a guard may take before we end the family ourselves.
_GRACE: Final = ENDING_SECONDS + 1.0
_SECRET_BYTES: Final = 32
_CHUNK: Final = 1 << 16
_LONGEST_DRAIN: Final = 1 << 22
_REPORT_BYTES: Final = 4096
# In seconds; the system counts milliseconds, and not far.
_LONGEST_POLL: Final = 3600.0


@dataclass(frozen=True, slots=True)
class ProcessLimits:
    """What a worker may use."""

    seconds: float
    # Address space of each of its processes, beyond what they start with.
    memory_bytes: int | None = None
    cpu_seconds: int | None = None
    # How many processes there may be at once; a few more are seen only after a moment.
    max_processes: int = 512

    def __post_init__(self) -> None:
        if not 0 < self.seconds < float("inf"):
            raise ValueError(f"a limit of time is a positive number of seconds, got {self.seconds!r}")
        if self.max_processes < 1:
            raise ValueError(f"a worker is a process itself, got a limit of {self.max_processes!r} processes")


@dataclass(frozen=True, slots=True)
class Captured:
    """What came through one pipe: its beginning, and how many bytes came in all."""

    head: bytes = b""
    total: int = 0


@dataclass(frozen=True, slots=True)
class Ended:
    """How a worker ended."""

    # Negative for a signal; None where it was ended at its time, or nobody saw the end.
    exit_code: int | None
    is_late: bool
    # Processes of its family that could not be ended.
    leftover: tuple[int, ...]
    captured: tuple[Captured, ...]
    # It was ended because there were more processes than allowed.
    is_crowded: bool = False


def signal_name(number: int) -> str:
    """Return what a signal is called, by its number where Python knows no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


class NotStartedError(OSError):
    """The worker could not be started."""


class _Pipe:
    """Both ends of a pipe, each closed at most once; never in the place of a standard stream."""

    def __init__(self, limit: int = 0) -> None:
        ends = [number if number > 2 else _moved(number) for number in os.pipe()]
        self.read = FileIO(ends[0], "r")
        self.write = FileIO(ends[1], "w")
        self.limit = limit
        self.head = bytearray()
        self.total = 0
        os.set_blocking(self.read.fileno(), False)

    def __enter__(self) -> _Pipe:
        return self

    def __exit__(self, *_error: object) -> None:
        self.read.close()
        self.write.close()

    def take(self) -> bool:
        """Read what is there, once; False at the end of the pipe."""
        try:
            data = os.read(self.read.fileno(), _CHUNK)
        except BlockingIOError:
            return True
        self.total += len(data)
        self.head += data[: max(0, self.limit - len(self.head))]
        return bool(data)

    def drain(self) -> None:
        """Read what was written before everybody ended."""
        before, end = -1, self.total + _LONGEST_DRAIN
        while before < self.total < end:
            before = self.total
            if not self.take():
                return

    def captured(self) -> Captured:
        return Captured(bytes(self.head), self.total)


def _moved(number: int) -> int:
    try:
        return fcntl(number, F_DUPFD_CLOEXEC, 3)
    finally:
        os.close(number)


def run_program(
    argv: Sequence[str], limits: ProcessLimits, *, max_output_bytes: int, folder: str | None = None
) -> Ended:
    """Run a program without a shell and with an empty standard input; captured are its two outputs.

    Of each output at most ``max_output_bytes`` are kept; the rest is counted and dropped. Raises OSError where it
    could not be started (`NotStartedError` where it is missing or may not be executed), ValueError for an argument
    that the system cannot take.
    """
    written = [os.fsencode(argument) for argument in argv]
    if any(b"\0" in argument for argument in written):
        raise ValueError("an argument holds a zero byte")
    with ExitStack() as opened:
        out, err = (opened.enter_context(_Pipe(max_output_bytes)) for _ in range(2))
        failed = opened.enter_context(_Pipe(_REPORT_BYTES))
        nothing = opened.enter_context(FileIO(os.devnull, "r"))

        def become() -> int:
            try:
                if folder is not None:
                    os.chdir(folder)
                os.execvp(written[0], written)  # noqa: S606  no shell is wanted
            except BaseException as error:  # noqa: BLE001  the program never ran: none of this is its exit code
                number = error.errno if isinstance(error, OSError) else None
                os.write(failed.write.fileno(), f"{number or ENOMEM}".encode())
            return 127

        streams = (nothing.fileno(), out.write.fileno(), err.write.fileno())
        ended = _run(become, limits, [out, err, failed], (failed.write.fileno(),), streams)
    *outputs, failure = ended.captured
    if failure.head:
        number = int(failure.head)
        raise NotStartedError(number, os.strerror(number))
    return replace(ended, captured=tuple(outputs))


def run_call(work: Callable[[], bytes], limits: ProcessLimits, *, max_answer_bytes: int) -> tuple[bytes | None, Ended]:
    """Return what a function returns in a process of its own, None where it gave no answer, and how it ended.

    The process is a copy of ours without our descriptors; what it prints is dropped. Raises OSError where it could
    not be started.
    """
    with ExitStack() as opened:
        answer = opened.enter_context(_Pipe(_SECRET_BYTES + max_answer_bytes))
        asked = opened.enter_context(_Pipe())

        def answered() -> int:
            own, place = os.getpid(), _place(answer.write)
            content = work()
            # A copy that the work made of this process has nothing to say, and a pipe that it closed is another file.
            if os.getpid() != own or _place(answer.write) != place:
                return 1
            os.set_blocking(asked.read.fileno(), True)
            left = memoryview(os.read(asked.read.fileno(), _SECRET_BYTES) + content)
            while left:
                left = left[os.write(answer.write.fileno(), left) :]
            return 0

        kept = (answer.write.fileno(), asked.read.fileno())
        # The secret is drawn after the fork, so that the worker's memory does not hold it.
        secret: list[bytes] = []

        def tell() -> None:
            secret.append(os.urandom(_SECRET_BYTES))
            os.write(asked.write.fileno(), secret[0])

        ended = _run(answered, limits, [answer], kept, after_fork=tell)
    said = ended.captured[0]
    is_whole = len(said.head) == said.total and said.head[:_SECRET_BYTES] == secret[0]
    is_answer = is_whole and ended.exit_code == 0 and not ended.leftover
    return said.head[_SECRET_BYTES:] if is_answer else None, ended


def _place(file: FileIO) -> tuple[int, int]:
    found = os.fstat(file.fileno())
    return found.st_dev, found.st_ino


def _run(
    work: Callable[[], int],
    limits: ProcessLimits,
    pipes: Sequence[_Pipe],
    kept: tuple[int, ...],
    streams: tuple[int, int, int] | None = None,
    after_fork: Callable[[], None] = lambda: None,
) -> Ended:
    mark = new_mark()
    end = time.monotonic() + limits.seconds
    with _Pipe(_REPORT_BYTES) as report:
        duty = Duty(
            os.getpid(),
            mark,
            end,
            limits.memory_bytes,
            limits.cpu_seconds,
            limits.max_processes,
            report.write.fileno(),
            kept,
            streams,
        )
        with _guard(duty, work) as held:
            for pipe in (report, *pipes):
                pipe.write.close()
            after_fork()
            is_over = _watched(held, (report, *pipes), end + _GRACE)
            told = Report.read(bytes(report.head)) if is_over else None
            is_done = told is not None and not told.error and not told.leftover
            leftover = () if is_done else Family(mark).end(_GRACE)
        for pipe in pipes:
            pipe.drain()
    if told is not None and told.error:
        raise OSError(f"the process could not be guarded: {told.error}")
    captured = tuple(pipe.captured() for pipe in pipes)
    if told is None:
        return Ended(None, time.monotonic() >= end, leftover, captured)
    return Ended(told.exit_code, told.is_late, leftover, captured, told.is_crowded)


@contextmanager
def _guard(duty: Duty, work: Callable[[], int]) -> Iterator[int]:
    """Start a guard and yield a descriptor of it; afterwards neither it nor its family is there."""
    held_back = signal.pthread_sigmask(signal.SIG_SETMASK, signal.valid_signals())
    is_over = False
    try:
        guard, held = _forked(duty, work)
        try:
            signal.pthread_sigmask(signal.SIG_SETMASK, held_back)
            yield held
            is_over = True
        finally:
            with suppress(ProcessLookupError):
                signal.pidfd_send_signal(held, signal.SIGKILL)
            os.close(held)
            try:
                if not is_over:
                    Family(duty.mark).end(_GRACE)
            finally:
                with suppress(ChildProcessError):
                    os.waitpid(guard, 0)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held_back)


def _forked(duty: Duty, work: Callable[[], int]) -> tuple[int, int]:
    if not hasattr(os, "pidfd_open"):
        raise OSError("guarded processes need Linux 5.3 or newer")
    guard = os.fork()
    if guard == 0:
        try:
            stand_guard(duty, work)
        finally:
            os._exit(1)
    try:
        return guard, os.pidfd_open(guard)
    except OSError:
        os.kill(guard, signal.SIGKILL)
        raise


def _watched(held: int, pipes: Sequence[_Pipe], end: float) -> bool:
    """Read the pipes until the guard has ended; False where it has not by then."""
    waiting = select.poll()
    waiting.register(held, select.POLLIN)
    by_number = {pipe.read.fileno(): pipe for pipe in pipes}
    for number in by_number:
        waiting.register(number, select.POLLIN)
    while (remaining := end - time.monotonic()) > 0:
        ready = {number for number, _ in waiting.poll(min(remaining, _LONGEST_POLL) * 1000)}
        for number in ready & by_number.keys():
            if not by_number[number].take():
                waiting.unregister(number)
        if held in ready:
            pipes[0].drain()
            return True
    return False
