"""Attacks that every worker is tried with before it is used.

A tier that lets one of them through is refused, whatever it claims: what counts is what was observed here, on this
kernel, now. A probe whose process is lost proves nothing, so that the tier is refused too. The full set of attacks is
in the test suite; this handful tells a working isolation from a missing one.
"""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from probatum.core.limits import MEBIBYTE
from probatum.sandbox.jobs import Candidate, Program
from probatum.sandbox.outcome import Lost, Returned

_SOURCE = b"""
import mmap, os, socket

def add_one(number):
    return number + 1

def got(action, *arguments):
    try:
        action(*arguments)
    except (OSError, MemoryError, ValueError):
        return False
    return True

def read_file(path):
    return got(open, path)

def write_file(path):
    return got(open, path, "a")

def connect(port):
    def action():
        with socket.socket() as link:
            link.settimeout(1)
            link.connect(("127.0.0.1", port))
    return got(action)

def signal_process(number):
    return got(os.kill, number, 0)

def start_process():
    def action():
        if os.fork() == 0:
            os._exit(0)
    return got(action)

def start_program():
    return got(os.execv, "/bin/true", ["true"])

def change_mode(path):
    return got(os.chmod, path, 0o600)

def take_memory(size):
    return got(lambda: mmap.mmap(-1, size)) or got(os.memfd_create, "probe")
"""


@contextmanager
def _surroundings() -> Iterator[dict[str, list[object]]]:
    """Set up what the probes reach for, outside the sandbox; yields the arguments of each probe."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as listener:
        path = os.path.join(folder, "canary")
        Path(path).write_text("canary", encoding="ascii")
        os.chmod(folder, 0o755)  # noqa: S103  the probe must fail because of the sandbox, not of the mode
        os.chmod(path, 0o666)  # noqa: S103
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield {
            "read_file": [path],
            "write_file": [path],
            "connect": [listener.getsockname()[1]],
            "signal_process": [os.getpid()],
            "start_process": [],
            "start_program": [],
            "change_mode": [path],
            "take_memory": [768 * MEBIBYTE],
        }


def probe(candidate: Callable[[Program], Candidate]) -> str | None:
    """Try the attacks in a fresh process; return what got through or went wrong, None when all were stopped."""
    with _surroundings() as attacks, candidate(Program(_SOURCE)) as job:
        # First something harmless: where nothing works, every attack would seem to be stopped.
        for reply in (job.load(), job.call("add_one", [1])):
            if not isinstance(reply, Returned):
                return f"a first call failed: {reply.detail if isinstance(reply, Lost) else reply.text}"
        for name, arguments in attacks.items():
            reply = job.call(name, arguments)
            if not isinstance(reply, Returned):
                return f"the probe {name} failed: {reply.detail if isinstance(reply, Lost) else reply.text}"
            if reply.value is not False:
                return f"the attack {name} got through"
    return None
