"""What Python would import instead of the sources that were read, so that nobody runs it unnoticed.

A verdict is about source text. An import may find a cache with other code, a package folder, a compiled file, or a
module that hides one of the standard library. Caches are parsed here and compared with what the source compiles to:
nothing of them is loaded. Refuses to take a cache that it cannot read for the same program.
"""

from __future__ import annotations

import ast
import hashlib
import marshal
import os
import sys
import sysconfig
import warnings
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES, FrozenImporter
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from typing import Final

from probatum.core.limits import MAX_SOURCE_BYTES
from probatum.programs.projects.import_names import imports_of
from probatum.programs.source import UNPARSABLE, module_or_none

OWN_TAG: Final = str(sys.implementation.cache_tag)
# How the files end that an import loads, in the order in which Python looks for them.
_LOADED: Final = (*EXTENSION_SUFFIXES, ".py", ".pyc")
_HEADER: Final = 16
# How a cache is named and what the source is compiled with: plainly, with -O and with -OO.
_LEVELS: Final = {"": 0, ".opt-1": 1, ".opt-2": 2}
_PACKAGE_FOLDERS: Final = ("site-packages", "dist-packages")
# The tests of the standard library are imported by nobody else.
_TESTS: Final = "test"
_LATER: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def loaded_for(place: Path) -> Path | None:
    """Return the file that Python loads for the module of this place, None where there is none."""
    inside = (place / f"__init__{suffix}" for suffix in _LOADED)
    beside = (place.with_name(f"{place.name}{suffix}") for suffix in _LOADED)
    return next((each for each in (*inside, *beside) if each.is_file()), None)


def instead_of(sources: Mapping[Path, bytes], tag: str = OWN_TAG) -> Iterator[str]:
    """Yield a sentence for each file that Python, of this cache tag, imports instead of one of these sources."""
    for path, content in sources.items():
        if path.suffix == ".py" and path.stem.isidentifier():
            loaded = loaded_for(path.parent if path.stem == "__init__" else path.with_suffix(""))
            found = [loaded] if loaded is not None and loaded != path else list(_caches(path, content, tag))
            yield from (f"{_shown(each, path)} is imported instead of {path.name}" for each in found)


def hiding(folder: Path, own: Path) -> dict[str, str]:
    """Return the files of a folder, but for the program's own, that hide a module of the standard library, by name."""
    # The standard library itself hides nothing, and installed packages come after it.
    if folder.name in _PACKAGE_FOLDERS or folder.resolve() == Path(sysconfig.get_path("stdlib")).resolve():
        return {}
    names = sys.stdlib_module_names - {_TESTS}
    with suppress(OSError):
        names &= {name.partition(".")[0] for name in os.listdir(folder)}
    # What is built in or frozen is found before anything in a folder.
    later = (n for n in names - {*sys.builtin_module_names} if FrozenImporter.find_spec(n) is None)
    found = {name: loaded_for(folder / name) for name in later}
    return {name: str(path.relative_to(folder)) for name, path in found.items() if path and path != own}


def needed_with(names: Iterable[str]) -> set[str]:
    """Return the modules of the standard library, by first name, that importing these imports."""
    waiting, seen = list(names), set[str]()
    while waiting:
        name = waiting.pop()
        if name and name not in seen:
            seen.add(name)
            waiting += [name.rpartition(".")[0], *_imported_by(name)]
    return {name.partition(".")[0] for name in seen}


@cache
def _imported_by(name: str) -> frozenset[str]:
    place = Path(sysconfig.get_path("stdlib")).joinpath(*name.split("."))
    for path, package in ((place / "__init__.py", name), (place.with_suffix(".py"), name.rpartition(".")[0])):
        if path.is_file() and (tree := module_or_none(path.read_bytes())) is not None:
            at_once = [each for each in tree.body if not isinstance(each, _LATER) and not _is_of_a_script(each)]
            return imports_of(ast.Module(at_once, []), package).names
    return frozenset()


def _is_of_a_script(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.If) and "__name__" in ast.unparse(statement.test)


def _shown(found: Path, meant: Path) -> str:
    return str(found.relative_to(meant.parent)) if found.is_relative_to(meant.parent) else found.name


def _caches(path: Path, content: bytes, tag: str) -> Iterator[Path]:
    """Yield the caches that Python takes for a source, and that hold other code."""
    for ending, level in _LEVELS.items():
        kept = path.parent / "__pycache__" / f"{path.stem}.{tag}{ending}.pyc"
        try:
            with kept.open("rb") as file:
                data = file.read(4 * MAX_SOURCE_BYTES)
            is_taken = _is_taken(data, path, content)
        except OSError:
            continue
        if is_taken and not (tag == OWN_TAG and _is_of(data[_HEADER:], path, content, level)):
            yield kept


def _is_taken(data: bytes, path: Path, content: bytes) -> bool:
    flags, told = int.from_bytes(data[4:8], "little"), data[8:_HEADER]
    if flags == 0:
        state = path.stat()
        numbers = (int(state.st_mtime) & 0xFFFFFFFF, state.st_size & 0xFFFFFFFF)
        return told == b"".join(number.to_bytes(4, "little") for number in numbers)
    # Of another Python's hash nobody here knows.
    return flags != 3 or data[:4] != MAGIC_NUMBER or told == source_hash(content)


def _is_of(data: bytes, path: Path, content: bytes, level: int) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            code = compile(content, str(path), "exec", dont_inherit=True, optimize=level)
        return _Reader(marshal.dumps(code)).node() == _Reader(data).node()
    except (*UNPARSABLE, LookupError, MemoryError):
        return False


class _Reader:
    """Reads what `marshal` wrote of a compiled module; raises ValueError or LookupError for anything else."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        self._known: list[bytes] = []

    def node(self) -> bytes:
        """Return a digest of what comes next; the name of the file that it was compiled from is left out."""
        [sign] = self._take(1)
        kind, index = chr(sign & 0x7F), len(self._known)
        if sign & 0x80:
            self._known.append(b"")
        kind, content = self._content(kind)
        found = content if kind == "r" else hashlib.sha256(kind.encode() + content).digest()
        if sign & 0x80:
            self._known[index] = found
        return found

    def _content(self, kind: str) -> tuple[str, bytes]:
        if kind == "r":
            if not (found := self._known[self._number()]):
                raise ValueError("it holds itself")
            return kind, found
        if kind in "NTF.":
            return kind, b""
        if kind in "iI":
            return kind, self._take(4 if kind == "i" else 8)
        if kind in "gy":
            return kind, self._take(8 if kind == "g" else 16)
        if kind == "l":
            count = self._number(signed=True)
            return kind, count.to_bytes(5, "little", signed=True) + self._take(2 * abs(count))
        if kind in "saAutzZ":
            return "s" if kind == "s" else "u", self._take(self._number(1 if kind in "zZ" else 4))
        if kind in "()>":
            parts = self._nodes(self._number(1 if kind == ")" else 4))
            # The order of a set is that of its hashes.
            return (">", b"".join(sorted(parts))) if kind == ">" else ("(", b"".join(parts))
        if kind == "c":
            return kind, self._code()
        if kind == ":":
            return kind, b"".join(self._nodes(3))
        raise ValueError(f"{kind!r} is of no compiled module")

    def _nodes(self, count: int) -> list[bytes]:
        return [self.node() for _ in range(count)]

    def _code(self) -> bytes:
        counts = self._take(20)
        *parts, _file, name, qualname = self._nodes(8)
        return b"".join([counts, *parts, name, qualname, self._take(4), *self._nodes(2)])

    def _number(self, size: int = 4, *, signed: bool = False) -> int:
        return int.from_bytes(self._take(size), "little", signed=signed)

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) != size:
            raise ValueError("it ends too early")
        self._at += size
        return taken
