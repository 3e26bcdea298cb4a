"""Runs the tests of a whole tree of files with pytest, where they run today, and reports each of them to the judge.

Runs inside the sandbox, standard library only, with the pytest of the environment. The tree is unpacked into memory at
the place where it lies outside, so that an editable installation finds it there. Processes, threads, files and ports on
loopback are the tests' own; all of it is gone with the namespaces.

What is reported goes over a socket that no test gets: it is closed for every program that a test starts, printing does
not reach it, and each line is sealed with a key. Code in this process could still reach it; the judge looks for means
to do so in what a change adds.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import importlib.util
import io
import json
import os
import resource
import site
import socket
import subprocess
import sys
import tarfile
import types
from contextlib import suppress
from typing import Any

from . import isolate

_HIGH = 200
_SEAL_BYTES = 16
_SAID_BYTES = 4000
_USAGE = 4
_PARTS = ("compiled", "trace", "plugin", "recording", "faults", "calls")
_NOT_RUN = ("sitecustomize", "usercustomize")
_SAID = "/tmp/said"  # noqa: S108  a file system of its own
# As they were before any test: tests replace them for a while.
_DUMPS, _DIGEST, _NUMBER = json.dumps, hashlib.blake2b, os.getpid


class SealedChannel:
    """The way to the judge."""

    def __init__(self, link: socket.socket, key: bytes) -> None:
        self._link = link
        self._key = key
        self._count = 0
        self._process = _NUMBER()

    def tell(self, **record: object) -> None:
        """Send one record, sealed and numbered; a copy of this process has nothing to say."""
        if _NUMBER() != self._process:
            return
        self._count += 1
        text = _DUMPS({**record, "n": self._count}).encode()
        seal = _DIGEST(text, key=self._key, digest_size=_SEAL_BYTES).hexdigest().encode()
        with suppress(OSError):
            self._link.sendall(seal + b" " + text + b"\n")


def main(descriptor: int) -> None:
    """Do what the order says and end this process."""
    with socket.socket(fileno=descriptor) as given:
        link = given.dup()
    moved = os.dup2(link.fileno(), _HIGH, inheritable=False)
    link.close()
    link = socket.socket(fileno=moved)
    order, archive = _received(link)
    channel = SealedChannel(link, base64.b64decode(order.pop("key")))
    try:
        _isolate(order)
        sources = _make_room(order, archive)
    except (OSError, tarfile.TarError) as error:
        channel.tell(kind="not_started", said=f"{type(error).__name__}: {error}")
        return
    channel.tell(kind="started")
    code, is_done = _run(order, channel, sources)
    channel.tell(kind="ended", exit=code, is_done=is_done, said=_last_words() if code not in {0, 1} else "")


def _received(link: socket.socket) -> tuple[dict[str, Any], bytes]:
    with link.makefile("rb") as incoming:
        head = json.loads(incoming.readline())
        return head, incoming.read(head.pop("archive"))


def _isolate(order: dict[str, Any]) -> None:
    for path, text in order["written"].items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    if order["user"] is not None:
        isolate.drop_user(order["user"])
    isolate.forbid_new_privileges()
    for kind, value in order["limits"].items():
        number = getattr(resource, kind)
        _, hard = resource.getrlimit(number)
        most = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(number, (most, most))
    isolate.filter_system_calls(base64.b64decode(order["filter"]))


def _make_room(order: dict[str, Any], archive: bytes) -> list[str]:
    """Lay out the tree; returns the paths of its Python sources."""
    os.environ.update(order["environment"])
    os.makedirs(os.environ["HOME"], exist_ok=True)
    said = os.open(_SAID, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.dup2(said, 2)
    os.close(said)
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        # Ours: every name was looked at when it was packed.
        packed.extractall(order["root"], filter="fully_trusted")  # noqa: S202
        sources = [each.name for each in packed if each.isreg() and each.name.endswith(".py")]
    os.chdir(order["root"])
    return sources


def _find_packages(order: dict[str, Any]) -> None:
    """Let what is installed be imported; a module of the tree that Python would run by itself is not."""
    for name in _NOT_RUN:
        sys.modules[name] = types.ModuleType(name)
    site.main()
    for name in _NOT_RUN:
        del sys.modules[name]


def _run(order: dict[str, Any], channel: SealedChannel, sources: list[str]) -> tuple[int, bool]:
    """Return with what pytest ended, and whether it did all that was asked: a test can tell it to stop with success."""
    # What is imported of pytest is that of the environment, before the tree can offer modules of the same names.
    tree = order["root"] + os.sep
    _find_packages(order)
    paths = sys.path[:]
    sys.path[:] = [path for path in paths if not (path + os.sep).startswith(tree) or path in order["packages"]]
    # Python goes on with other packages where it cannot read those of a virtual environment.
    if closed := [each for each in order["packages"] if not os.access(each, os.R_OK | os.X_OK)]:
        channel.tell(kind="no_pytest", said=f"{closed[0]!r} is closed to other users, and tests run as one")
        return _USAGE, False
    if order["tool"]:
        channel.tell(kind="tool", code=_ended_with(order["tool"]))
        return 0, True
    try:
        pytest: Any = importlib.import_module("pytest")
    except ImportError as error:
        channel.tell(kind="no_pytest", said=str(error))
        return _USAGE, False
    for name in ("unittest", "doctest", "pdb"):
        importlib.import_module(name)
    parts: dict[str, Any] = {name: importlib.import_module(f"{__package__}.tree_{name}") for name in _PARTS}
    for path, target, code in parts["compiled"].compiled(order["root"], sources) if order["compiles"] else ():
        channel.tell(kind="compiled", path=path, target=target, code=base64.b64encode(code).decode())
    sys.path[:] = [*order["first"], *(path for path in paths if path not in order["first"])]
    # Programs that tests start import the sources that are judged, installed or not.
    os.environ["PYTHONPATH"] = os.pathsep.join(order["first"])
    sys.argv[:] = ["pytest"]
    if order["calls"]:
        return int(parts["calls"].run(order, channel.tell)), True
    if order["faults"]:
        return int(parts["faults"].run(order, channel.tell)), True
    trace = parts["trace"].Lines(order["traced"])
    recorder = parts["recording"].CallRecorder(order["recorded"], trace)
    plugin = parts["plugin"].TreeReporter(order["wanted"], channel.tell, trace, is_reversed=order["reversed"])
    with trace, recorder:
        code = int(pytest.main(order["options"], plugins=[plugin, recorder]))
    for call in recorder.calls():
        channel.tell(kind="call", **call)
    return code, plugin.is_done


def _ended_with(words: list[str]) -> int:
    """Return the exit code of a module that is run as a program, -1 where it is not installed."""
    if importlib.util.find_spec(words[0]) is None:
        return -1
    # Nothing is imported from the tree.
    command = [sys.executable, "-P", "-B", "-m", *words]
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=False).returncode


def _last_words() -> str:
    with suppress(OSError), open(_SAID, "rb") as file:
        return file.read(1 << 20)[-_SAID_BYTES:].decode("utf-8", "replace")
    return ""
