"""The Python that runs candidates, and the installed packages that they can import from it.

By default that is the Python that runs probatum. Another one can be named: it is asked once what it is, outside the
sandbox, without its ``site`` and so without running anything that is installed in it. Refuses, each with its own code,
what does not exist, cannot be executed, is not CPython, is older than 3.11, or does not start.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from probatum.core.errors import UsageError, nearest, reason_of
from probatum.core.json_text import read_json
from probatum.core.shape import Shape

OLDEST = (3, 11)
_ANSWER_SECONDS = 20.0
# How the folders are called that hold installed packages.
PACKAGE_FOLDERS = ("site-packages", "dist-packages")
_QUESTION = """
import json, os, platform, site, sys, sysconfig
prefixes, settings = [], {}
for folder in (os.path.dirname(sys.executable), os.path.dirname(os.path.dirname(sys.executable))):
    place = os.path.join(folder, "pyvenv.cfg")
    if not prefixes and os.path.isfile(place):
        with open(place, encoding="utf-8", errors="replace") as file:
            pairs = [line.partition("=") for line in file]
        prefixes, settings = [folder], {key.strip().lower(): value.strip().lower() for key, _, value in pairs}
library = [sysconfig.get_config_var(name) or "" for name in ("LIBDIR", "INSTSONAME")]
print(json.dumps({
    "implementation": platform.python_implementation(),
    "version": platform.python_version(),
    "numbers": list(sys.version_info[:2]),
    "executable": os.path.realpath(sys.executable),
    "standard": [sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")],
    "library": os.path.join(*library) if sysconfig.get_config_var("Py_ENABLE_SHARED") else "",
    "base": sys.base_prefix,
    "packages": site.getsitepackages(prefixes or [sys.base_prefix]),
    "more": site.getsitepackages([sys.base_prefix]) + [site.getusersitepackages()],
    "shows_more": not prefixes or settings.get("include-system-site-packages") == "true",
}))
"""


@dataclass(frozen=True, slots=True)
class Environment:
    """One Python with its installed packages."""

    # The interpreter itself, links resolved.
    executable: str
    # What the interpreter needs to read: its binary, its library, its standard library.
    readable: tuple[str, ...]
    # The folders from which installed packages are imported, in order.
    packages: tuple[str, ...]
    # Implementation and version, such as ``CPython 3.11.7``.
    version: str
    minor: tuple[int, int]

    @property
    def is_own_version(self) -> bool:
        """True when it reads the same language as the Python that runs probatum."""
        return self.minor == sys.version_info[:2]

    def imports_from(self, folder: str) -> bool:
        """Tell whether packages are imported from this folder."""
        return os.path.realpath(folder) in map(os.path.realpath, self.packages)

    def installed(self) -> dict[str, str]:
        """Return the version of every installed distribution, by name; nothing of them is imported."""
        # Reversed: of two with one name, the folder that comes first is imported from.
        read = (each.metadata for each in reversed(self._distributions()))
        return {each["Name"].lower(): each["Version"] for each in read if each["Name"]}

    def providers(self) -> dict[str, tuple[str, ...]]:
        """Return which distributions provide a top-level module or package, by its name."""
        found: dict[str, set[str]] = {}
        for each in self._distributions():
            for name in _top_level(each) if each.name else ():
                found.setdefault(name, set()).add(each.name.lower())
        return {name: tuple(sorted(owners)) for name, owners in found.items()}

    def _distributions(self) -> list[Distribution]:
        return list(distributions(path=list(self.packages)))


def fingerprint_of(python: Environment) -> tuple[str, ...]:
    """Return what tells that nothing was installed or taken away: the entries of its folders, with their times."""
    found: list[str] = []
    for folder in python.packages:
        with suppress(OSError), os.scandir(folder) as entries:
            found += sorted(f"{folder}/{each.name} {each.stat(follow_symlinks=False).st_mtime_ns}" for each in entries)
    return tuple(found)


def _top_level(distribution: Distribution) -> set[str]:
    listed = (distribution.read_text("top_level.txt") or "").split()
    parts = [file.parts for file in distribution.files or () if file.suffix in {".py", ".so"}]
    return {*listed, *(path[0].partition(".")[0] for path in parts)}


def _package_folders_among(paths: Iterable[str]) -> tuple[str, ...]:
    found = (path for path in paths if Path(path).name in PACKAGE_FOLDERS and Path(path).is_dir())
    return tuple(dict.fromkeys(found))


def own_environment() -> Environment:
    """Return the Python that runs probatum."""
    paths = [os.path.realpath(sys.executable), sysconfig.get_path("stdlib")]
    paths += [str(Path(sys.base_exec_prefix) / "lib" / f"python{sys.version_info[0]}.{sys.version_info[1]}")]
    if sysconfig.get_config_var("Py_ENABLE_SHARED"):
        paths.append(os.path.join(sysconfig.get_config_var("LIBDIR") or "", sysconfig.get_config_var("INSTSONAME")))
    version = f"{platform.python_implementation()} {platform.python_version()}"
    return Environment(paths[0], _existing(paths), _package_folders_among(sys.path), version, sys.version_info[:2])


def environment_named(name: str) -> Environment:
    """Return the Python of an interpreter: a path, a command on PATH, or the folder of a virtual environment.

    Raises UsageError: ``python.missing``, ``python.not_executable``, ``python.not_an_interpreter``,
    ``python.cannot_start``, ``python.not_cpython`` or ``python.too_old``.
    """
    answer = _asked(_located(name), name)
    try:
        return _described(answer, name)
    except ValueError:
        raise _no_interpreter(name, "what it printed is not what Python answers") from None


def _located(name: str) -> Path:
    if not name or "\0" in name:
        raise UsageError("python.missing", f"{name!r} is not the path of an interpreter.")
    found, missing = Path(name).absolute(), f"There is no interpreter {name!r}."
    if os.sep not in name and not found.exists():
        on_path = shutil.which(name)
        if on_path is None:
            raise UsageError("python.missing", missing, "Give the path of the interpreter.")
        return Path(on_path).absolute()
    if found.is_dir():
        inner = found / "bin" / "python"
        if not inner.exists():
            raise _no_interpreter(name, "it is a folder without bin/python")
        found = inner
    if not found.exists():
        raise UsageError("python.missing", missing, _similar(found))
    if not os.access(found, os.X_OK):
        sentence = f"{name!r} may not be executed."
        raise UsageError("python.not_executable", sentence, "Name the interpreter itself: .venv/bin/python")
    return found


def _similar(path: Path) -> str:
    if path.is_symlink():
        return f"It is a link to {os.readlink(path)!r}, which is gone: make the environment again."
    try:
        return nearest(path.name, os.listdir(path.parent))
    except OSError:
        return ""


def _asked(path: Path, name: str) -> Shape:
    command = [str(path), "-I", "-S", "-B", "-c", _QUESTION]
    kept = {key: os.environ[key] for key in ("HOME", "PATH", "LD_LIBRARY_PATH") if key in os.environ}
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, env=kept, timeout=_ANSWER_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        sentence = f"{name!r} gave no answer within {_ANSWER_SECONDS:.0f} seconds."
        raise UsageError("python.cannot_start", sentence) from None
    except OSError as error:
        raise _no_interpreter(name, reason_of(error)) from None
    said = done.stderr.decode("utf-8", "replace").strip().splitlines()
    if done.returncode and any("python" in line.lower() for line in said):
        sentence = f"{name!r} does not start as Python {OLDEST[0]}.{OLDEST[1]} or later does: {said[0][:200]}"
        raise UsageError("python.cannot_start", sentence, "Make the environment again, or name another interpreter.")
    try:
        return Shape(read_json(done.stdout))
    except ValueError:
        raise _no_interpreter(name, "it does not run Python") from None


def _described(answer: Shape, name: str) -> Environment:
    major, minor = (number.whole() for number in answer.items("numbers"))
    version = f"{answer.text('implementation')} {answer.text('version')}"
    if answer.text("implementation") != "CPython":
        sentence = f"{name!r} is {version}; the sandbox runs CPython only."
        raise UsageError("python.not_cpython", sentence, "Name a CPython interpreter that has the packages.")
    if (major, minor) < OLDEST:
        sentence = f"{name!r} is {version}; the sandbox needs Python {OLDEST[0]}.{OLDEST[1]} or later."
        raise UsageError("python.too_old", sentence, "Make the environment with a newer Python.")
    readable = [answer.text("executable"), *answer.texts("standard"), answer.text("library")]
    base = Path(answer.text("base"))
    if (base / "conda-meta").is_dir():
        readable.append(str(base / "lib"))
    packages = [*answer.texts("packages"), *(answer.texts("more") if answer.flag("shows_more") else ())]
    return Environment(readable[0], _existing(readable), _package_folders_among(packages), version, (major, minor))


def _existing(paths: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for path in paths if path and os.path.exists(path)))


def _no_interpreter(name: str, reason: str) -> UsageError:
    hint = "Name the interpreter of the environment that has the packages: .venv/bin/python"
    return UsageError("python.not_an_interpreter", f"{name!r} is not a Python interpreter: {reason}.", hint)
