"""Surroundings of two kinds, here and elsewhere: in each of them a program always finds the same around it.

Runs inside the sandbox, standard library only, before the program does. Elsewhere every environment variable that the
program asks for has a made-up value; folder, host, user, process, arguments, time zone and locale differ, and folders
are listed from the other end. Installed packages see their own variables as they are: they may refuse strange ones.
"""

from __future__ import annotations

import _socket
import collections.abc
import contextlib
import importlib
import io
import locale
import os
import platform
import posix
import resource
import signal
import socket
import sys
import threading
import time
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from .denials import DOCUMENTATION, MET, PLACE

# Modules whose frames lie between whoever asks for a variable and the table of them.
_ON_THE_WAY = frozenset({"os", "_collections_abc", "collections.abc", __name__})
_OF_A_MAPPING = (
    *("__contains__", "__eq__", "clear", "get", "items", "keys"),
    *("pop", "popitem", "setdefault", "update", "values"),
)
# A variable that is listed with the others, whatever the program is.
_ANY = b"ELSEWHERE"
_FAR_ZONE = "FAR-5:45"


class Place(NamedTuple):
    """Where, as whom and how a program seems to run."""

    process: int
    user: int
    name: str
    host: str
    processors: int
    arguments: tuple[str, ...]
    folder: str = ""


_SET_FLAGS = {"hash_randomization": 1}
_CLEARED_FLAGS = ("dont_write_bytecode", "no_site", "no_user_site", "safe_path", "utf8_mode")
_HERE = Place(1201, 1000, "here", "here", 2, ("program.py",))
_THERE = Place(90_210, 0, "there", "there", 7, ("there/program.py", "37"), "elsewhere")


class Variables(dict[bytes, bytes]):
    """Environment variables, the same however they are asked for; to the program every one has the same value.

    To the program those in ``names`` are listed too, one more besides; anybody else finds the real ones.
    """

    def __init__(self, real: dict[bytes, bytes], value: bytes, names: list[bytes]) -> None:
        self._real = dict(real)
        self._value = value
        self._listed = dict.fromkeys([*real, *names, _ANY])
        # What the program itself has put in or taken out.
        self._settled: dict[bytes, bytes | None] = {}

    def __getitem__(self, name: bytes) -> bytes:
        if name in self._settled:
            settled = self._settled[name]
        else:
            settled = self._value if _is_asked_by_the_program(name) else self._real.get(name)
        if settled is None:
            raise KeyError(name)
        return settled

    def __iter__(self) -> Iterator[bytes]:
        listed = self._listed if _is_asked_by_the_program(_ANY) else self._real
        return iter([name for name in {**listed, **self._settled} if self._settled.get(name, b"") is not None])

    def __len__(self) -> int:
        return len(list(iter(self)))

    def __setitem__(self, name: bytes, value: bytes) -> None:
        self._settled[name] = value

    def __delitem__(self, name: bytes) -> None:
        self._settled[name] = None

    def copy(self) -> dict[bytes, bytes]:
        """Return them as they are now."""
        return {name: self[name] for name in self}


# A dictionary's own methods would not ask those above.
for _method in _OF_A_MAPPING:
    setattr(Variables, _method, getattr(collections.abc.MutableMapping, _method))


def _is_asked_by_the_program(name: bytes) -> bool:
    """True where the program's own text asks, itself or through the standard library."""
    # The interpreter's own switches (PYTHON...) are for the standard library: a made-up value could break it.
    frame: types.FrameType | None = sys._getframe(2)
    is_direct = True
    while frame is not None:
        module, file = str(frame.f_globals.get("__name__")), frame.f_code.co_filename
        if file.startswith(PLACE) or file == DOCUMENTATION:
            return is_direct or not name.lstrip(b"_").startswith(b"PYTHON")
        is_library = module.partition(".")[0] in sys.stdlib_module_names
        if file.startswith("/") and not is_library and module != __name__:
            return False
        is_direct = is_direct and (module in _ON_THE_WAY or not is_library)
        frame = frame.f_back
    return False


class Modules(collections.UserDict[str, types.ModuleType]):
    """The modules that are loaded; the program that asks whether one is gets the other answer."""

    def __init__(self, real: dict[str, types.ModuleType]) -> None:
        super().__init__()
        # The same one, no copy: the interpreter goes on with it.
        self.data = real

    def __contains__(self, name: object) -> bool:
        is_asked = sys._getframe(1).f_code.co_filename.startswith((PLACE, DOCUMENTATION))
        return (name in self.data) != is_asked


class Listing:
    """What ``os.scandir`` returns, in a known order."""

    def __init__(self, entries: Any, backwards: bool) -> None:
        with entries:
            self._entries: Iterator[Any] = iter(sorted(entries, key=lambda entry: entry.name, reverse=backwards))

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return next(self._entries)

    def __enter__(self) -> Listing:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Forget the entries that were not read yet."""
        self._entries = iter(())


def surround(value: str | None, names: tuple[str, ...], *, place: bool, zone: bool, listing: bool) -> None:
    """Put the surroundings of here in place, or those of elsewhere where they are asked for.

    ``value`` is that of every variable, None for the real ones; ``names`` are listed among them.
    """
    if value is not None:
        _pin_variables(value, names)
    _pin_place(_THERE if place else _HERE)
    _pin_locale(",", ".") if zone else _pin_locale(".", "")
    if zone:
        os.putenv("TZ", _FAR_ZONE)
        time.tzset()
    _pin_listings(backwards=listing)


def _pin_variables(value: str, names: tuple[str, ...]) -> None:
    os_module: Any = os
    every = Variables(os_module.environ._data, os.fsencode(value), [os.fsencode(name) for name in names])
    os_module.environ._data = os_module.environb._data = every
    posix_module: Any = posix
    posix_module.environ = every


def _pin_place(place: Place) -> None:
    if place.folder:
        with contextlib.suppress(OSError):
            os.mkdir(place.folder)
            os.chdir(place.folder)
    system = list(os.uname())
    system[1] = place.host
    told: dict[str, object] = {
        "getpid": place.process,
        "getppid": place.process - 1,
        **dict.fromkeys(("getuid", "geteuid", "getgid", "getegid"), place.user),
        "getlogin": place.name,
        "cpu_count": place.processors,
        "uname": os.uname_result(system),
    }
    for name, answer in told.items():
        for module in (os, posix):
            setattr(module, name, _answering(answer))
    for sockets in (socket, _socket):
        setattr(sockets, "gethostname", _answering(place.host))  # noqa: B010  a module has no such attribute to set
    kept: Any = platform
    kept._uname_cache = None  # It may hold the real name of the host.
    sys.argv[:] = place.arguments
    if place.folder:
        _pin_signs()
        sys.modules["__main__"].__file__ = f"/{place.arguments[0]}"
        python: Any = sys
        python.modules = Modules(sys.modules)


class Terminal(io.StringIO):
    """Standard input as somebody types it."""

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return 0


# What a program could know this process by, with what another one shows in its place.
def _shown() -> dict[str, dict[str, object]]:
    return {
        "site": {"ENABLE_USER_SITE": True},
        "sys": {
            "dont_write_bytecode": False,
            "executable": "/usr/bin/there",
            "orig_argv": ["there", "there/program.py"],
            "stdin": Terminal("37\n" * 37),
        },
    }


# Of functions, with what they answer there.
def _answered() -> dict[str, dict[str, object]]:
    disk = (4096, 4096, 7_000_000, 6_000_000, 5_000_000, 700_000, 600_000, 600_000, 0, 255)
    return {
        "gc": {
            "get_count": (3, 7, 1),
            "get_freeze_count": 0,
            "get_threshold": (2000, 7, 7),
            "isenabled": False,
            "get_stats": [{"collections": 700, "collected": 7, "uncollectable": 0}] * 3,
        },
        "os": {
            "get_terminal_size": os.terminal_size((137, 41)),
            "getgroups": [4, 24],
            "getloadavg": (7.5, 7.25, 7.125),
            **dict.fromkeys(("getpgid", "getpgrp", "getsid"), 90_200),
            **dict.fromkeys(("getpriority", "nice"), 0),
            "isatty": True,
            **dict.fromkeys(("process_cpu_count", "sysconf"), 7),
            "sched_getaffinity": set(range(7)),
            "statvfs": os.statvfs_result(disk),
            "times": os.times_result((37.0, 7.0, 3.0, 7.0, 90_210.0)),
            "ttyname": "/dev/pts/7",
        },
        "resource": {
            **dict.fromkeys(("getrlimit", "prlimit"), (-1, -1)),
            "getrusage": resource.struct_rusage(range(90_000, 90_016)),
        },
        "sys": {"getallocatedblocks": 37, "getswitchinterval": 0.037},
        "threading": {"active_count": 7, "enumerate": [threading.main_thread()] * 7},
    }


def _pin_signs() -> None:
    """Let the process itself look like another one."""
    for shown, how in ((_shown(), lambda value: value), (_answered(), _answering)):
        for name, answers in shown.items():
            module = importlib.import_module(name)
            for each, answer in answers.items():
                for holder in (module, posix) if module is os else (module,):
                    if hasattr(holder, each):
                        setattr(holder, each, how(answer))
    python: Any = sys
    flags = {name: value for name in dir(sys.flags) if isinstance(value := getattr(sys.flags, name), int)}
    flags |= {**dict.fromkeys(_CLEARED_FLAGS, 0), **_SET_FLAGS}
    python.flags = types.SimpleNamespace(**flags)
    sys.path.insert(0, "/there")
    sys.setrecursionlimit(3000)
    os.umask(0o77)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    MET.pretend()


def _answering(answer: object) -> Any:
    return lambda *_given, **_named: answer


def _pin_locale(point: str, separator: str) -> None:
    """Give the user's locale these signs for numbers; as everywhere, it applies once a program asks for it."""
    module: Any = locale
    choose = locale.setlocale

    def chosen(category: int, name: Any = None) -> str:
        result = choose(category, name)
        if name is not None:
            signs = {"decimal_point": point, "thousands_sep": separator, "grouping": [3, 0] if separator else []}
            module._override_localeconv = signs if name == "" else {}
        return result

    module.setlocale = chosen


def _pin_listings(*, backwards: bool) -> None:
    module: Any = os
    listdir, scandir = os.listdir, os.scandir
    module.listdir = lambda path=".": sorted(listdir(path), reverse=backwards)
    module.scandir = lambda path=".": Listing(scandir(path), backwards)
