"""Runs the test suite of a whole tree of files, in its own Python, isolated from the machine.

The tree lies in memory, at the same path as outside, so that an editable installation finds it and nothing is written
beside the user's files. The tests may start programs, open ports on loopback and write where they like: all of it is in
namespaces that end with the run. Network, other files of the user, other processes: none.

Refuses machines without namespaces: what a suite does cannot be allowed on Landlock's word alone. Refuses to believe a
record that is not sealed with the key of the run, or that does not follow the one before.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import platform
import secrets
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import IO, Final

from probatum.core.errors import NotAttemptedError
from probatum.core.json_text import read_json
from probatum.core.limits import MEBIBYTE
from probatum.core.shape import Shape
from probatum.sandbox.environment import Environment
from probatum.sandbox.syscalls import suite_filter
from probatum.sandbox.tiers import INSIDE, INSIDE_SHOWN, NOBODY, Tier, bubblewrap, folders_above, hint_for, unavailable
from probatum.workers.link import Link

_MOST_LINKS: Final = 40
_SEAL: Final = 16
# Seconds on the clock without a word: a backstop for a test that does not end, far beyond what one takes.
_LONGEST_TEST: Final = 180.0
_MAX_RECORDS: Final = 400_000
_MAX_RECORD_BYTES: Final = 8 * MEBIBYTE
_TREE_BYTES: Final = 1024 * MEBIBYTE
_SCRATCH_BYTES: Final = 1024 * MEBIBYTE
_SHARED_BYTES: Final = 256 * MEBIBYTE
_SETTINGS_BYTES: Final = MEBIBYTE
_MAX_PTH: Final = MEBIBYTE
_HOME: Final = "/tmp/home"  # noqa: S108  a file system of its own
_LIMITS: Final = {
    "RLIMIT_AS": 4096 * MEBIBYTE,
    "RLIMIT_FSIZE": 256 * MEBIBYTE,
    "RLIMIT_NOFILE": 1024,
    "RLIMIT_NPROC": 512,
    "RLIMIT_CORE": 0,
}
_WRITTEN: Final = {
    "/etc/passwd": "root:x:0:0:root:/root:/bin/sh\nuser:x:{user}:{group}:user:" + _HOME + ":/bin/sh\n",
    "/etc/group": "root:x:0:\nuser:x:{group}:\n",
    "/etc/hosts": "127.0.0.1 localhost\n::1 localhost\n",
}
_PUBLIC: Final = ("/etc/ld.so.cache", "/etc/localtime", "/etc/mime.types", "/etc/ssl/certs", "/etc/alternatives")
_OF_A_NETWORK: Final = ("/etc/resolv.conf", "/etc/nsswitch.conf")
Record = Shape
"""One thing that was reported, by its ``kind``."""


@dataclass(frozen=True, slots=True)
class PlantedFault:
    """A file of the tree with one fault in it, and which tests could notice."""

    id: str
    path: str
    source: bytes
    tests: tuple[str, ...]
    # Whether importing runs what the fault is in.
    is_run_at_import: bool = True
    # The calls that could notice, where no test is to.
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WatchedFunction:
    """A function of the tree whose calls are kept: its file, its qualified name, and between which lines it begins."""

    path: str
    name: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class CopiedCall:
    """One call of a function, with its arguments as only the sandbox reads them."""

    id: str
    function: WatchedFunction
    given: str


@dataclass(frozen=True, slots=True)
class SuiteOrder:
    """What is to be run."""

    python: Environment
    # Where the tree lies outside, and so inside.
    root: str
    # The tree as an uncompressed tar archive.
    archive: bytes
    options: tuple[str, ...]
    hash_seed: int = 0
    # Files of the tree whose lines are told.
    traced: tuple[str, ...] = ()
    # Names of the only tests to be run; None for all.
    wanted: tuple[str, ...] | None = None
    is_reversed: bool = False
    faults: tuple[PlantedFault, ...] = ()
    # Functions whose calls are kept, and calls that are made in place of tests; only one of both.
    recorded: tuple[WatchedFunction, ...] = ()
    calls: tuple[CopiedCall, ...] = ()
    # A module that is run as a program on the tree in place of its tests, with what it is given.
    tool: tuple[str, ...] = ()
    # Folders of the tree that are imported from first.
    first: tuple[str, ...] = ("",)
    # Whether its sources are compiled, and their code told, before anything of the tree runs.
    compiles: bool = False
    has_network: bool = False
    # Seconds on the clock for everything, and for each fault: a backstop, no measure.
    patience: float = 600.0
    patience_each: float = 30.0


@dataclass(frozen=True, slots=True)
class SuiteRun:
    """What was reported, in order, and how it ended."""

    records: tuple[Record, ...]
    # Whether every test that was to be run came to its end, and what was said last where one did not.
    is_whole: bool
    is_late: bool = False
    said: str = ""


def run_suite(order: SuiteOrder) -> SuiteRun:
    """Run the tests of a tree and return what was reported.

    Raises NotAttemptedError: ``sandbox.unavailable`` where namespaces cannot be had, ``change.no_pytest`` where the
    Python has no pytest.
    """
    if sys.platform != "linux":
        raise unavailable(
            f"There is no sandbox for {platform.system()} yet.", "Run probatum in a Linux virtual machine or container."
        )
    with tempfile.TemporaryFile() as errors:
        link = Link(
            _command(order), printed=DEVNULL, errors=errors, environment=_start_environment(order), is_apart=True
        )
        try:
            return _heard(link, order, errors)
        finally:
            link.process.kill()
            link.end()


def _heard(link: Link, order: SuiteOrder, errors: IO[bytes]) -> SuiteRun:
    key = secrets.token_bytes(32)
    head = json.dumps({**_order(order), "key": base64.b64encode(key).decode(), "archive": len(order.archive)})
    until = time.monotonic() + order.patience
    records: list[Record] = []
    is_late = False
    try:
        link.socket.settimeout(order.patience)
        link.socket.sendall(head.encode() + b"\n" + order.archive)
        for line in _lines(link, until, order.patience if order.faults else _LONGEST_TEST):
            record = _sealed(line, key, len(records) + 1)
            if record is None or len(records) >= _MAX_RECORDS:
                return SuiteRun(tuple(records), False, said="something else was written where results are told")
            records.append(record)
    except TimeoutError:
        is_late = True
    except OSError:
        pass
    kinds = [each.text("kind") for each in records[:1]]
    if kinds != ["started"] and not is_late:
        errors.seek(0)
        said = errors.read(4096).decode("utf-8", "replace").strip()[-500:]
        reason = records[0].text("said") if kinds == ["not_started"] else said or "the process ended at once"
        raise unavailable(f"The tests cannot be isolated here: {reason}.", hint_for(Tier.NAMESPACES))
    for each in records[1:2]:
        if each.text("kind") == "no_pytest":
            sentence = f"{order.python.version} at {order.python.executable!r} has no pytest: {each.text('said')}."
            hint = "Install pytest there, or name the Python that runs your tests with --python."
            raise NotAttemptedError("change.no_pytest", sentence, hint)
    ended = records[-1] if records and records[-1].text("kind") == "ended" else None
    is_whole = ended is not None and ended.flag("is_done")
    return SuiteRun(tuple(records), is_whole, is_late, "" if ended is None else ended.text("said"))


def _lines(link: Link, until: float, longest: float) -> Iterator[bytes]:
    received = bytearray()
    while (left := until - time.monotonic()) > 0:
        link.socket.settimeout(min(left, longest))
        chunk = link.socket.recv(1 << 16)
        if not chunk:
            return
        *lines, rest = (received + chunk).split(b"\n")
        yield from map(bytes, lines)
        received = bytearray(rest)
        if len(received) > _MAX_RECORD_BYTES:
            return
    raise TimeoutError


def _sealed(line: bytes, key: bytes, number: int) -> Record | None:
    seal, _, text = line.partition(b" ")
    due = hashlib.blake2b(text, key=key, digest_size=_SEAL).hexdigest().encode()
    if not secrets.compare_digest(seal, due):
        return None
    try:
        record = Shape(read_json(text), "record")
        return record if record.whole("n") == number and record.text("kind") else None
    except ValueError:
        return None


def _order(order: SuiteOrder) -> dict[str, object]:
    user, group = (NOBODY, NOBODY) if os.geteuid() == 0 else (os.getuid(), os.getgid())
    return {
        "user": NOBODY if os.geteuid() == 0 else None,
        "filter": base64.b64encode(suite_filter(platform.machine())).decode(),
        "limits": _LIMITS,
        "written": {path: text.format(user=user, group=group) for path, text in _WRITTEN.items()},
        "environment": _environment(order),
        "root": order.root,
        "packages": order.python.packages,
        "first": [os.path.join(order.root, each) if each else order.root for each in order.first],
        "options": order.options,
        "traced": [os.path.join(order.root, each) for each in order.traced],
        "wanted": order.wanted,
        "tool": order.tool,
        "compiles": order.compiles,
        "reversed": order.is_reversed,
        "recorded": [{**_function(each, order.root), "id": at} for at, each in enumerate(order.recorded)],
        "calls": [{**_function(each.function, order.root), "id": each.id, "given": each.given} for each in order.calls],
        "seconds_each": order.patience_each,
        "seconds_in_all": order.patience,
        "faults": [
            {
                "id": each.id,
                "path": each.path,
                # Every byte as a character: sources need not be UTF-8.
                "source": each.source.decode("latin-1"),
                "tests": each.tests,
                "at_import": each.is_run_at_import,
                "calls": each.calls,
            }
            for each in order.faults
        ],
    }


def _function(function: WatchedFunction, root: str) -> dict[str, object]:
    place = os.path.join(root, function.path)
    return {"path": place, "name": function.name, "first": function.first, "last": function.last}


def _start_environment(order: SuiteOrder) -> dict[str, str]:
    return {
        "PYTHONHASHSEED": str(order.hash_seed),
        "PYTHONDONTWRITEBYTECODE": "1",
        "MALLOC_ARENA_MAX": "2",
        "LANG": "C.UTF-8",
        "PATH": ":".join([*(f"{each}/bin" for each in _prefixes(order.python)), "/usr/local/bin:/usr/bin:/bin"]),
        "HOME": _HOME,
        "TMPDIR": "/tmp",  # noqa: S108  a file system of its own
    }


def _environment(order: SuiteOrder) -> dict[str, str]:
    """Return what tests see of their surroundings beside what Python was started with."""
    return {"USER": "user", "LOGNAME": "user", "PYTEST_ADDOPTS": "", "PWD": order.root}


def _prefixes(python: Environment) -> tuple[str, ...]:
    """Return the virtual environments that packages are in."""
    folders = (Path(each).parents[2] for each in python.packages if len(Path(each).parts) > 3)
    return tuple(dict.fromkeys(str(each) for each in folders if (each / "pyvenv.cfg").is_file()))


def _linked(python: Environment) -> tuple[str, ...]:
    """Return the folders that are imported from because a ``.pth`` file beside the packages names them."""
    found: dict[str, None] = {}
    for folder in python.packages:
        for file in sorted(Path(folder).glob("*.pth")):
            with suppress(OSError):
                lines = file.read_bytes()[:_MAX_PTH].decode("utf-8", "replace").splitlines()
                found |= dict.fromkeys(each for each in lines if os.path.isabs(each) and os.path.isdir(each))
    return tuple(found)


def _interpreter(python: Environment) -> str:
    """Return the interpreter as the environment calls it, so that it finds what is installed there."""
    for prefix in _prefixes(python):
        if (found := Path(prefix, "bin", "python")).exists():
            return str(found)
    return python.executable


def _command(order: SuiteOrder) -> tuple[str, ...]:
    python = order.python
    command = [bubblewrap(), "--die-with-parent", "--unshare-ipc", "--unshare-pid", "--unshare-uts"]
    command += ["--unshare-cgroup-try", *([] if order.has_network else ["--unshare-net"])]
    if os.geteuid() == 0:
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user"]
    command += ["--new-session", "--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev"]
    # Locks and memory that processes share; nothing else there is written.
    command += ["--size", str(_SHARED_BYTES), "--perms", "1777", "--tmpfs", "/dev/shm"]  # noqa: S108  its own
    command += ["--remount-ro", "/dev"]
    for path in ("/lib", "/lib64", "/bin", "/sbin"):
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    command += ["--size", str(_SCRATCH_BYTES), "--perms", "1777", "--tmpfs", "/tmp"]  # noqa: S108  its own
    command += ["--size", str(_SETTINGS_BYTES), "--perms", "0755", "--tmpfs", "/etc"]
    public = (*_PUBLIC, *(_OF_A_NETWORK if order.has_network else ()))
    # The tree before what is installed: an environment often lies in the folder of its project.
    installed = dict.fromkeys((*python.readable, *_prefixes(python), *python.packages))
    elsewhere = [each for each in _linked(python) if not _within(each, order.root)]
    inner = [each for each in installed if _within(each, order.root)]
    wanted = dict.fromkeys(("/usr", *public, *installed, *elsewhere))
    shown = [each for each in wanted if os.path.exists(each) and each not in inner]
    for folder in folders_above([*shown, *_links(_interpreter(python)), INSIDE_SHOWN, order.root]):
        if folder not in {"/tmp", "/etc", "/dev"}:  # noqa: S108  made above
            command += ["--perms", "0755", "--dir", folder]
    for path in shown:
        command += ["--ro-bind", path, path]
    for link in _links(_interpreter(python)):
        if not any(_within(link, each) for each in (*shown, *inner)):
            command += ["--symlink", os.readlink(link), link]
    command += ["--size", str(_TREE_BYTES), "--perms", "1777", "--tmpfs", order.root]
    for path in inner:
        command += ["--ro-bind", path, path]
    command += ["--ro-bind", str(INSIDE), INSIDE_SHOWN, "--chdir", "/", "--remount-ro", "/"]
    return (*command, "--", _interpreter(python), "-s", "-S", "-P", "-B", f"{INSIDE_SHOWN}/start.py", "tree_suite")


def _links(path: str) -> Iterator[str]:
    """Yield the links that lead from a path to its file, one to the other."""
    for _ in range(_MOST_LINKS):
        if not os.path.islink(path):
            return
        yield path
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))


def _within(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip("/") + "/")
