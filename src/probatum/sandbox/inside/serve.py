"""The warm worker: started once inside the sandbox, it forks one isolated process for every job.

Standard library only. The first message on the control socket says how to isolate; each further one starts a job
(with the job's channel attached) or ends one. The worker never reads a program, a value or the channel of a job,
so that nothing a program does can reach it. It ends, and every job with it, when the judge closes the control
socket, or when the judge or bubblewrap is gone. Both are watched as processes and not by a death signal, which comes
when the *thread* that started the worker ends.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import gc
import importlib
import json
import os
import select
import signal
import site
import socket
import sys
import time
import types
from typing import Any, NoReturn

from . import clerk, denials, isolate, marks, requests

PRELOADED = """
typing collections re math itertools functools json datetime decimal fractions random string heapq bisect operator
hashlib dataclasses enum copy statistics abc contextlib textwrap
"""
SCRATCH_BYTES = 64 * isolate.MEBIBYTE
# How long a job whose channel is closed may take to end by itself, so that its own exit status is seen.
GRACE_SECONDS = 0.5
# The descriptors of a job: its channel, its Landlock rules until they are in force, folders to import from. They are
# the last of those that it may have: the program opens the same ones as anywhere.
CHANNEL, RULES, FIRST_FOLDER = 63, 62, 32
_NOBODY = bytes(16)


class Job:
    """One forked process, from its start until the judge knows of its end or does not want to know."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.watched = os.pidfd_open(pid)
        self.report: dict[str, Any] | None = None
        # Whether the judge wants the report; None until it has said so.
        self.asked: bool | None = None
        self.deadline: float | None = None

    def reap(self) -> None:
        """Collect the exit status; the process must have ended."""
        _, status, usage = os.wait4(self.pid, 0)
        os.close(self.watched)
        self.report = {
            "exit": os.WEXITSTATUS(status) if os.WIFEXITED(status) else None,
            "signal": os.WTERMSIG(status) if os.WIFSIGNALED(status) else None,
            "cpu": usage.ru_utime + usage.ru_stime,
        }

    def kill(self) -> None:
        """Kill the process unless it has ended already."""
        if self.report is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGKILL)


def _set_aside(descriptor: int) -> int:
    """Return a copy of a descriptor beyond those that a job uses, and close the descriptor itself."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 64)
    os.close(descriptor)
    return moved


class Worker:
    """Starts and ends jobs as the control socket says."""

    def __init__(self, descriptor: int) -> None:
        self._control = socket.socket(fileno=_set_aside(descriptor))
        self._jobs: dict[int, Job] = {}
        self._by_descriptor: dict[int, int] = {}
        self._poller = select.poll()
        self._nothing = -1
        self._rules = -1
        self._folders = 0
        self._filter = b""
        self._settings: dict[str, Any] = {}
        self._identity = (0, 0)
        self._own: list[str] = []
        self._worker = os.getpid()

    def run(self) -> None:
        """Prepare, say so, and serve until the judge is gone."""
        message, descriptors, _, _ = socket.recv_fds(self._control, 1 << 18, 2)
        if not message:
            return
        watched = [_set_aside(descriptor) for descriptor in descriptors]
        try:
            self._prepare(json.loads(message))
        except (OSError, ImportError) as error:
            self._tell({"failed": f"{type(error).__name__}: {error}"})
            return
        self._tell({"ready": True})
        for descriptor in (self._control.fileno(), *watched):
            self._poller.register(descriptor, select.POLLIN)
        try:
            while self._turn(watched):
                pass
        finally:
            for job in self._jobs.values():
                job.kill()

    def _prepare(self, settings: dict[str, Any]) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._settings = settings
        self._nothing = _set_aside(os.open("/dev/null", os.O_RDWR))
        self._filter = base64.b64decode(settings["filter"])
        for name in (*PRELOADED.split(), f"{__package__}.pinned"):
            importlib.import_module(name)
        denials.watch()
        site.setquit()
        site.setcopyright()
        site.sethelper()
        sys.path += settings["packages"]
        folders = [path for path in sys.path if os.path.isdir(path)]
        if settings["landlock_since"]:
            version = isolate.landlock_version()
            if version < settings["landlock_since"]:
                raise OSError(f"the kernel offers Landlock {version}, not {settings['landlock_since']}")
            self._rules = _set_aside(isolate.landlock_rules(version, settings["readable"], settings["writable"]))
        if settings["user"] is not None:
            # Opened as root: afterwards nobody could.
            held = {path: os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC) for path in folders}
            isolate.drop_user(settings["user"])
            self._keep_reachable(held)
        if settings["isolated"]:
            isolate.forbid_new_privileges()
            isolate.set_dumpable(False)
        self._identity = (os.getuid(), os.getgid())
        marks.rename_classes()
        # Looked for now: every name that a job looks at is a page that is copied for it.
        self._own = [name for name in sys.modules if name.startswith(str(__package__))]
        # No collection before a fork, and none of what was there: it would copy every shared page in each job.
        gc.collect()
        gc.freeze()
        gc.disable()

    def _keep_reachable(self, held: dict[str, int]) -> None:
        """Import through descriptors from folders that the ordinary user cannot reach by their path."""
        aside = {path: _set_aside(number) for path, number in held.items()}
        distant = {path: number for path, number in aside.items() if not os.access(path, os.R_OK | os.X_OK)}
        for path in aside.keys() - distant.keys():
            os.close(aside[path])
        for position, number in enumerate(distant.values()):
            os.dup2(number, FIRST_FOLDER + position)
            os.close(number)
        moved = {path: f"/proc/self/fd/{FIRST_FOLDER + position}" for position, path in enumerate(distant)}
        self._folders = len(moved)
        sys.path[:] = [moved.get(path, path) for path in sys.path]
        for module in list(sys.modules.values()):
            places = getattr(module, "__path__", None)
            if isinstance(places, list):
                places[:] = [_moved(place, moved) for place in places]

    def _turn(self, watched: list[int]) -> bool:
        """Wait for one thing to happen and deal with it; False when there is nobody left to work for."""
        deadlines = [job.deadline for job in self._jobs.values() if job.deadline is not None]
        wait = max(0.0, min(deadlines) - time.monotonic()) * 1000 if deadlines else None
        for descriptor, _ in self._poller.poll(wait):
            if descriptor in watched:
                return False
            if descriptor != self._control.fileno():
                self._ended(self._by_descriptor[descriptor])
            elif not self._obey():
                return False
        now = time.monotonic()
        for job in self._jobs.values():
            if job.deadline is not None and job.deadline <= now:
                job.deadline = None
                job.kill()
        return True

    def _obey(self) -> bool:
        message, descriptors, _, _ = socket.recv_fds(self._control, 1 << 16, 1)
        if not message:
            return False
        order = json.loads(message)
        if "start" in order:
            self._start(order, descriptors[0])
        else:
            self._end(order["end"], order["tell"])
        return True

    def _start(self, order: dict[str, Any], channel: int) -> None:
        number = order["start"]
        try:
            for name in order["preload"]:
                importlib.import_module(name)
            flags = isolate.NEW_USER | isolate.NEW_PID | isolate.NEW_MOUNT if self._settings["namespaces"] else 0
            pid = isolate.new_process(flags)
        except (OSError, ImportError) as error:
            requests.Frames(channel).send(_NOBODY, str(error).encode())
            os.close(channel)
            return
        if pid == 0:
            self._become(order, channel)
        os.close(channel)
        job = self._jobs[number] = Job(pid)
        self._by_descriptor[job.watched] = number
        self._poller.register(job.watched, select.POLLIN)

    def _end(self, number: int, tell: bool) -> None:
        job = self._jobs.get(number)
        if job is None:
            # It never started, or has ended already.
            if tell:
                self._tell({"ended": number, "exit": None, "signal": None, "cpu": 0.0})
            return
        job.asked = tell
        if job.report is not None:
            self._close(number, job)
        elif tell:
            job.deadline = time.monotonic() + GRACE_SECONDS
        else:
            job.kill()

    def _ended(self, number: int) -> None:
        job = self._jobs[number]
        self._poller.unregister(job.watched)
        del self._by_descriptor[job.watched]
        job.reap()
        job.deadline = None
        if job.asked is not None:
            self._close(number, job)

    def _close(self, number: int, job: Job) -> None:
        del self._jobs[number]
        if job.asked and job.report is not None:
            self._tell({"ended": number, **job.report})

    def _tell(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._control.send(json.dumps(message).encode())

    def _become(self, order: dict[str, Any], channel: int) -> NoReturn:
        """Isolate this new process, say that it is ready, and serve it to its end."""
        frames = requests.Frames(CHANNEL)
        try:
            try:
                self._isolate(order, channel)
            except BaseException as error:  # noqa: BLE001  whatever went wrong, the job must not begin
                frames.send(_NOBODY, f"{type(error).__name__}: {error}".encode())
            else:
                frames.send(_NOBODY, b"")
                denials.MET.begin(self._settings["scratch"] if self._settings["namespaces"] else "")
                # The program finds what it would find in any other process.
                for name in self._own:
                    del sys.modules[name]
                sys.modules["__main__"] = types.ModuleType("__main__")
                role = clerk.Desk if order["role"] == "clerk" else requests.Server
                role(frames, *order["reply"]).serve()
        finally:
            # Serving ends by itself with 0; whoever comes here has failed. Nothing of the worker is cleaned up.
            os._exit(1)

    def _isolate(self, order: dict[str, Any], channel: int) -> None:
        settings = self._settings
        os.dup2(fcntl.fcntl(channel, fcntl.F_DUPFD_CLOEXEC, 64), CHANNEL)
        for standard in (0, 1, 2):
            os.dup2(self._nothing, standard)
        if self._rules >= 0:
            os.dup2(self._rules, RULES)
        os.closerange(3, FIRST_FOLDER)
        os.closerange(FIRST_FOLDER + self._folders, CHANNEL if self._rules < 0 else RULES)
        os.closerange(CHANNEL + 1, 65536)
        # The order matters: a mount needs the capabilities, and the filter forbids the calls of every earlier step.
        if settings["namespaces"]:
            isolate.keep_identity(*self._identity)
            isolate.mount_scratch(settings["scratch"], SCRATCH_BYTES)
            isolate.drop_capabilities()
        isolate.set_limits(settings["threads"], *order["limits"])
        isolate.die_with_parent()
        # The parent may have been gone before it was watched. In a new process namespace its number is 0 for ever.
        if not settings["namespaces"] and os.getppid() != self._worker:
            raise OSError("the worker is gone")
        if not settings["isolated"]:
            return
        isolate.set_dumpable(False)
        if self._rules >= 0:
            isolate.restrict_files(RULES)
            os.close(RULES)
        isolate.filter_system_calls(self._filter)


def _moved(place: str, moved: dict[str, str]) -> str:
    for path, shorter in moved.items():
        if place.startswith(path + os.sep):
            return shorter + place[len(path) :]
    return place


def main(descriptor: int) -> None:
    """Run the worker on the descriptor of its control socket."""
    Worker(descriptor).run()
