"""What runs in the processes that `process` starts, the guard and the worker that it watches, and who belongs to them.

The guard starts the worker, waits for it, ends it at its time, ends whatever the worker started, and reports once. It
is the reaper of all of them, so that each orphan becomes its child. Both die with whoever started them.

The processes that belong together are marked once and found again wherever they went. Every process inherits the mark:
a random number as its limit of file locks, which Linux passes on to each child and enforces nowhere. Neither a second
fork nor a session of its own, an empty environment or closed descriptors take it away.

Refuses to come back: whatever happens in these processes, they end here and never run on in the caller's code. Refuses
to signal a process that is not of the family: each is held by a descriptor while it is looked at, so that a number that
the system gave away anew is never hit.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import re
import resource
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from typing import Final, NoReturn

from probatum.core.json_text import read_json
from probatum.core.shape import Shape

_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36
_LIBC: Final = ctypes.CDLL(None, use_errno=True)
# How long the guard goes on killing what the worker left behind.
ENDING_SECONDS: Final = 2.0
_LOOK_AROUND: Final = 0.1
_FAILED: Final = 70
# RLIMIT_LOCKS, which the module `resource` does not name.
_FILE_LOCKS: Final = 10
_SHOWN: Final = re.compile(rb"^Max file locks\s+(\S+)\s+(\S+)", re.MULTILINE)
_LARGEST: Final = 2**60
_PAUSE: Final = 0.002
# How often nobody must be found, where nothing else says that there is nobody.
_LOOKS: Final = 5
_STRANGER: Final = b""
_ENDED: Final = frozenset({_STRANGER, b"Z", b"X"})


@dataclass(frozen=True, slots=True)
class Family:
    """All processes that carry one mark, and the children of one that waits for them."""

    mark: int
    # A process that inherits every orphan of the family: its children belong to it, whatever mark they carry.
    parent: int | None = None

    def members(self) -> Iterator[tuple[int, int]]:
        """Yield the living ones, our own process excepted, as number and an open descriptor of the process.

        The descriptor is closed when the next one is asked for. Young processes have high numbers and come last, so
        that those which are born meanwhile are met in the same pass.
        """
        with os.scandir("/proc") as entries:
            for entry in entries:
                if not entry.name.isdigit() or int(entry.name) == os.getpid():
                    continue
                with suppress(ProcessLookupError):
                    held = os.pidfd_open(int(entry.name))
                    try:
                        if self._state(entry.path) not in _ENDED:
                            yield int(entry.name), held
                    finally:
                        os.close(held)

    def count(self) -> int:
        """Return how many there are, with those that have ended and that nobody has asked about."""
        with os.scandir("/proc") as entries:
            return sum(entry.name.isdigit() and self._state(entry.path) != _STRANGER for entry in entries)

    def _state(self, path: str) -> bytes:
        """Return the letter for what a process of the family does; nothing for one that is not of it."""
        try:
            state, above = _content(f"{path}/stat").rpartition(b")")[2].split()[:2]
            shown = _SHOWN.search(_content(f"{path}/limits"))
        except (OSError, ValueError):
            return _STRANGER
        is_marked = shown is not None and b"%d" % self.mark in shown.groups()
        return state if is_marked or (self.parent is not None and int(above) == self.parent) else _STRANGER

    def end(self, seconds: float) -> tuple[int, ...]:
        """Kill every member until there is none; returns the numbers of those that still live after the time."""
        until = time.monotonic() + seconds
        empty = 0
        while True:
            if self.parent == os.getpid():
                _kill_children()
            found = []
            for number, held in self.members():
                found.append(number)
                with suppress(ProcessLookupError, PermissionError):
                    signal.pidfd_send_signal(held, signal.SIGKILL)
            empty = 0 if found else empty + 1
            if self.parent == os.getpid():
                reap()
                # Every orphan becomes our child, so that no child means nobody: even one who forks and ends all the
                # time, whom a look at the list of processes can miss.
                is_over = empty > 0 and not has_children()
            else:
                is_over = empty >= _LOOKS
            if is_over:
                return ()
            if time.monotonic() > until:
                return tuple(found)
            time.sleep(0 if empty else _PAUSE)


def _kill_children() -> None:
    """Kill the group of each child of ours as a whole: nobody can be born into a group between two signals to it."""
    for task in os.listdir("/proc/self/task"):
        with suppress(OSError):
            for number in map(int, _content(f"/proc/self/task/{task}/children").split()):
                with suppress(ProcessLookupError, PermissionError):
                    group = os.getpgid(number)
                    os.kill(-group if group != os.getpgid(0) else number, signal.SIGKILL)


def has_children() -> bool:
    """Return whether we have a child, be it one that has ended and that nobody has asked about."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def new_mark() -> int:
    """Return a mark that nobody else has and that this process may take."""
    hard = resource.getrlimit(_FILE_LOCKS)[1]
    largest = _LARGEST if hard == resource.RLIM_INFINITY else max(1, min(hard, _LARGEST))
    return 1 + int.from_bytes(os.urandom(8), "big") % largest


def take_mark(mark: int) -> None:
    """Mark this process and all that it will start; a mark from further outside stays beside it."""
    hard = resource.getrlimit(_FILE_LOCKS)[1]
    resource.setrlimit(_FILE_LOCKS, (mark, mark if hard == resource.RLIM_INFINITY else hard))


def reap() -> dict[int, int]:
    """Take leave of every child of ours that has ended; returns their exit codes, negative for a signal."""
    codes = {}
    with suppress(ChildProcessError):
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            codes[ended[0]] = os.waitstatus_to_exitcode(ended[1])
    return codes


@dataclass(frozen=True, slots=True)
class Duty:
    """What a guard gets: who started it, until when, and which descriptors are whose."""

    caller: int
    mark: int
    # Its time is over then, on the monotonic clock.
    end: float
    # How much more memory than now each process of the worker may address.
    memory_bytes: int | None
    cpu_seconds: int | None
    # How many processes the family may have.
    max_processes: int
    report: int
    # The descriptors that the worker keeps beside its standard streams.
    kept: tuple[int, ...]
    # What become the worker's standard streams; nothing without them.
    streams: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """How the worker ended."""

    # Negative for a signal; None where it was ended or could not be started.
    exit_code: int | None = None
    is_late: bool = False
    # There were more processes than allowed, and all of them were ended.
    is_crowded: bool = False
    # Processes that could not be ended.
    leftover: tuple[int, ...] = ()
    error: str = ""

    def written(self) -> bytes:
        """Return the one line in which a guard reports."""
        return json.dumps(asdict(replace(self, leftover=self.leftover[:50], error=self.error[:300]))).encode()

    @classmethod
    def read(cls, line: bytes) -> Report | None:
        """Return what was reported; None for anything but one whole report."""
        try:
            return Shape(read_json(line), "report").into(cls)
        except ValueError:
            return None


def stand_guard(duty: Duty, work: Callable[[], int]) -> NoReturn:
    """Be the guard of a worker that does this work and exits with the number that it returns."""
    report = Report(error="the guard failed")
    try:
        report = _guarded(duty, work)
    except BaseException as error:  # noqa: BLE001  nothing may run on in the caller's code
        report = Report(error=f"{type(error).__name__}: {error}")
    finally:
        with suppress(BaseException):
            os.write(duty.report, report.written())
        os._exit(0)


def _guarded(duty: Duty, work: Callable[[], int]) -> Report:
    _stand_alone(duty.caller)
    _call("prctl", _PR_SET_CHILD_SUBREAPER, 1)
    take_mark(duty.mark)
    _close_all_but({duty.report, *duty.kept, *(duty.streams or ())})
    own = os.getpid()
    worker = os.fork()
    if worker == 0:
        _be_worker(duty, work, own)
    held = os.pidfd_open(worker)
    _close_all_but({duty.report, held})
    family = Family(duty.mark, own)
    ended = _awaited(worker, held, duty, family)
    is_alone = ended.exit_code is not None and not has_children()
    return ended if is_alone else replace(ended, leftover=family.end(ENDING_SECONDS))


def _awaited(worker: int, held: int, duty: Duty, family: Family) -> Report:
    """Wait for the end of the worker, for the end of its time, or until there are too many."""
    waiting = select.poll()
    waiting.register(held, select.POLLIN)
    fewest = _running_everywhere()
    while True:
        codes = reap()
        if worker in codes:
            return Report(codes[worker])
        remaining = duty.end - time.monotonic()
        if remaining <= 0:
            return Report(is_late=True)
        # Counting the family means looking at every process, so it is done only where there are many more than before.
        now = _running_everywhere()
        if now - fewest > duty.max_processes and family.count() > duty.max_processes:
            return Report(is_crowded=True)
        fewest = min(fewest, now)
        waiting.poll(min(remaining, _LOOK_AROUND) * 1000)


def _running_everywhere() -> int:
    """Return how many processes and threads there are in the system."""
    with open("/proc/loadavg", "rb") as file:
        return int(file.read().split()[3].partition(b"/")[2])


def _stand_alone(parent: int) -> None:
    """Leave the session of the parent, die with it, and keep nothing of how it treats signals or its garbage."""
    # What the caller left to the collector stays there: its finalizers belong to the caller's process.
    gc.freeze()
    os.setsid()
    _call("prctl", _PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(_FAILED)
    signal.set_wakeup_fd(-1)
    for number in signal.valid_signals():
        with suppress(OSError, ValueError):
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _be_worker(duty: Duty, work: Callable[[], int], guard: int) -> NoReturn:
    code = _FAILED
    try:
        try:
            _stand_alone(guard)
            _limit(duty)
            _take_streams(duty.streams)
            _close_all_but({0, 1, 2, *duty.kept})
        except BaseException:  # noqa: BLE001  the work never began: what follows is not its own exit code
            os.kill(os.getpid(), signal.SIGKILL)
        code = work()
    except BaseException:  # noqa: BLE001  nothing may run on in the caller's code
        code = _FAILED
    finally:
        os._exit(code)


def _limit(duty: Duty) -> None:
    _allow(resource.RLIMIT_CORE, 0)
    if duty.cpu_seconds is not None:
        _allow(resource.RLIMIT_CPU, duty.cpu_seconds)
    if duty.memory_bytes is not None:
        with open("/proc/self/statm", "rb") as file:
            now = int(file.read().split()[0]) * resource.getpagesize()
        _allow(resource.RLIMIT_AS, now + duty.memory_bytes)


def _allow(kind: int, amount: int) -> None:
    """Set a limit, which is never above the one that is there already."""
    hard = resource.getrlimit(kind)[1]
    least = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(kind, (least, least))


def _take_streams(streams: tuple[int, int, int] | None) -> None:
    given = streams
    if given is None:
        nothing = os.open(os.devnull, os.O_RDWR)
        given = (nothing, nothing, nothing)
    for number, stream in enumerate(given):
        os.dup2(stream, number)
    if streams is not None:
        return
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    # Whoever replaced the streams of the caller, a test runner for one, does not get what is printed here.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  open as long as the process
    sys.stdout = open(1, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115  likewise
    sys.stderr = open(2, "w", encoding="utf-8", errors="replace", closefd=False)  # noqa: SIM115  likewise


def _close_all_but(kept: set[int]) -> None:
    for name in os.listdir("/proc/self/fd"):
        if int(name) not in kept:
            with suppress(OSError):
                os.close(int(name))


def _call(name: str, *arguments: int) -> None:
    padded = [*arguments, 0, 0, 0, 0][:5]
    if getattr(_LIBC, name)(*padded) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
