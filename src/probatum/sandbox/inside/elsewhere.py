"""Surroundings of two kinds, here and elsewhere: in each of them a program always finds the same around it.

Runs inside the sandbox, standard library only, before the program does. Elsewhere every environment variable that the
program asks for has a made-up value; folder, host, user, process, arguments, time zone and locale differ, and folders
are listed from the other end. Installed packages see their own variables as they are: they may refuse strange ones.
"""

from __future__ import annotations

import _socket
import collections
import contextlib
import locale
import os
import platform
import posix
import socket
import sys
import time
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from .denials import DOCUMENTATION, PLACE

# Modules whose frames lie between whoever asks for a variable and the table of them.
_ON_THE_WAY = frozenset({"os", "_collections_abc", "collections.abc", __name__})
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


_HERE = Place(1201, 1000, "here", "here", 2, ("program.py",))
_THERE = Place(90_210, 0, "there", "there", 7, ("there/program.py", "37"), "elsewhere")


class Variables(dict[bytes, bytes]):
    """Environment variables; every one that the program asks for has the same value."""

    def __init__(self, real: dict[bytes, bytes], value: bytes, names: list[bytes]) -> None:
        super().__init__({**dict.fromkeys(names, value), **real})
        self._real = dict(real)
        self._value = value
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

    # A dictionary's own get and membership would not ask __getitem__.
    def get(self, name: bytes, default: Any = None) -> Any:
        try:
            return self[name]
        except KeyError:
            return default

    def __contains__(self, name: object) -> bool:
        return isinstance(name, bytes) and self.get(name) is not None

    def __setitem__(self, name: bytes, value: bytes) -> None:
        self._settled[name] = value
        super().__setitem__(name, value)

    def __delitem__(self, name: bytes) -> None:
        self._settled[name] = None
        self.pop(name, None)


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
    """The modules that are loaded, and every other one that the program asks whether it is."""

    def __init__(self, real: dict[str, types.ModuleType]) -> None:
        super().__init__()
        # The same one, no copy: the interpreter goes on with it.
        self.data = real

    def __contains__(self, name: object) -> bool:
        is_asked = sys._getframe(1).f_code.co_filename.startswith((PLACE, DOCUMENTATION))
        return name in self.data or (is_asked and isinstance(name, str))


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
        sys.modules["__main__"].__file__ = f"/{place.arguments[0]}"
        python: Any = sys
        python.modules = Modules(sys.modules)


def _answering(answer: object) -> Any:
    return lambda: answer


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
