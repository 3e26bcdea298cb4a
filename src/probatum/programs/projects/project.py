"""Finds the module that a file is and the modules of its project that it imports, by reading and never by importing.

A file is named from the folder above its outermost package. Folders without an ``__init__`` count as packages where an
import shows that they are meant so: a relative one that reaches further up, or one that names the file's own folder.
Modules are looked for there, beside the file, and in the project folder (with ``pyproject.toml``, ``setup.py`` or
``setup.cfg``) and its ``src``; data files of its packages are read with them, see `data_files`. What is installed is
named from the folder of installed packages. Of its package only the files with base classes are read, for what these
document; all else is loaded from where it is. Refuses: more than `MAX_MODULES` modules or `MAX_BYTES` bytes; names of
the standard library, which always mean the standard library.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from probatum.core.errors import BudgetError
from probatum.core.limits import MAX_SOURCE_BYTES, MEBIBYTE
from probatum.programs.projects.data_files import begin_of, data_files
from probatum.programs.projects.import_names import Imports, imports_of, imports_of_bases
from probatum.programs.projects.instead import OWN_TAG, hiding, instead_of, loaded_for, needed_with
from probatum.programs.source import module_or_none
from probatum.sandbox import PACKAGE_FOLDERS, Program

MAX_MODULES = 200
MAX_BYTES = 8 * MEBIBYTE
PACKAGE_FILE = "__init__"
# What a file is called whose own name cannot be a module's.
UNNAMED = "artifact"
# Folders without programs to verify.
NOT_SOURCES = frozenset({"__pycache__", "node_modules", "site-packages", "tests", "test"})
_PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")


@dataclass(frozen=True, slots=True)
class Project:
    """What a file is in its project."""

    # Dotted; it ends in ``.__init__`` for the file of a package.
    module: str
    # The other modules that it needs, by dotted name, in order of name.
    modules: tuple[tuple[str, bytes], ...]
    # Files that Python may load for what is imported and that are none of these: compiled ones, and those that hide a
    # module of the standard library.
    unjudged: frozenset[str] = frozenset()
    # Data files of the packages, by path from the root, and what was left out of them.
    files: tuple[tuple[str, bytes], ...] = ()
    left_out: tuple[str, ...] = ()
    # The folder of installed packages in which the file lies, empty where it lies in none.
    installed_in: str = ""
    # Sentences: what Python imports instead of one of these, or of a module of the standard library.
    instead: tuple[str, ...] = ()
    # The paths of all files that were read, each with the digest of what it held.
    read_from: tuple[tuple[str, str], ...] = ()

    def program(self, content: bytes) -> Program:
        """Return the file, with this content, as a candidate process loads it."""
        program = loadable(content, self.module, self.modules)
        return replace(program, files=self.files, is_installed=bool(self.installed_in))


@dataclass(frozen=True, slots=True)
class _Module:
    """One module on disk: ``dotted`` ends in ``.__init__`` for a package."""

    dotted: str
    path: Path

    @property
    def package(self) -> str:
        """What a relative import of this module counts from."""
        return self.dotted.rpartition(".")[0]


def loadable(source: bytes, key: str, siblings: tuple[tuple[str, bytes], ...]) -> Program:
    """Return the program as a candidate process loads it; ``key`` is its dotted name, ``p.__init__`` for a package."""
    package, _, last = key.rpartition(".")
    is_package = bool(package) and last == PACKAGE_FILE
    return Program(source, package if is_package else key, siblings, is_package)


def project_of(path: Path, content: bytes, tree: ast.Module | None, tag: str = OWN_TAG) -> Project:
    """Return what a file is called and the modules of its project that it needs; ``tag`` names the caches of a Python.

    A module that cannot be read or parsed is left to fail where the program imports it. Raises BudgetError where
    they are more, or larger, than a run may have.
    """
    start = path.absolute()
    installed = next((each for each in start.parents if each.name in PACKAGE_FOLDERS), None)
    if installed is not None:
        search = _Search(start, installed, is_installed=True)
        with suppress(BudgetError):
            search.follow(content, tree)
        modules = tuple(sorted(search.found.items())) if within_budget(search.found) else ()
        found = tuple(instead_of({start: content}, tag))
        read_from = search.read_from(content)
        return Project(search.itself.dotted, modules, installed_in=str(installed), instead=found, read_from=read_from)
    root = _outermost_package(start.parent)
    while True:
        search = _Search(start, root)
        search.follow(content, tree)
        higher = _higher_root(start.parent, root, search)
        if higher is None:
            instead = (*instead_of({start: content, **search.sources}, tag), *search.hidden())
            modules = tuple(sorted(search.found.items()))
            data = data_files(search.packages(), [content, *(each for _, each in modules)])
            unjudged = frozenset(search.unjudged)
            read_from = (*search.read_from(content), *data.read_from)
            told = (search.itself.dotted, modules, unjudged, data.files, data.left_out)
            return Project(*told, instead=instead, read_from=read_from)
        root = higher


class _Search:
    """One walk along the imports, from a file, with names counted from one root."""

    def __init__(self, start: Path, root: Path, *, is_installed: bool = False) -> None:
        self.itself = _Module(_dotted(start, root), start)
        self._is_installed = is_installed
        folder = None if is_installed else _project_folder(root)
        around = () if folder is None else (folder / "src", folder)
        beside = () if is_installed else (start.parent, *around)
        self._roots = tuple(dict.fromkeys((root, *beside)))
        # The folder of each package, by dotted name.
        self._packages: dict[str, Path] = {}
        self.found: dict[str, bytes] = {}
        self.sources: dict[Path, bytes] = {}
        self.unjudged: set[str] = set()
        # Modules of the standard library, as they were imported.
        self._standard: set[str] = set()
        # Names without a module here, as they were imported.
        self.missing: list[str] = []
        # How many folders up relative imports of the file itself reach.
        self.levels = 0
        self._seen: set[str] = set()

    def follow(self, content: bytes, tree: ast.Module | None) -> None:
        """Find everything that the file and what it imports import."""
        sessions = b"" if self._is_installed else content
        wanted = imports_of_bases(tree) if self._is_installed and tree is not None else tree
        own = imports_of(wanted, self.itself.package, sessions=sessions)
        self.levels = own.levels
        around = [self.itself.package] if self.itself.package and not self._is_installed else []
        wholes = self._take(own, around)
        for package in sorted(wholes - {""}):
            self._take_whole(package)

    def read_from(self, content: bytes) -> tuple[tuple[str, str], ...]:
        """Return the path of the file and of every module that was found, each with the digest of what it held."""
        read = {self.itself.path: content, **self.sources}
        told = {str(path): hashlib.sha256(each).hexdigest() for path, each in read.items()}
        # What is imported and was not found may be there the next time.
        for folder in self._looked_into():
            told.setdefault(str(folder / f"{PACKAGE_FILE}.py"), "")
        return tuple(told.items())

    def _looked_into(self) -> Iterator[Path]:
        yield from self._roots
        for name in self.missing:
            parts = name.split(".")
            for root in self._roots:
                folders = (root.joinpath(*parts[:length]) for length in range(1, len(parts)))
                yield from (each for each in folders if each.is_dir())

    def packages(self) -> dict[str, Path]:
        """Return the folder of each package that takes part, by dotted name."""
        package = self.itself.package
        own = {package: self.itself.path.parent} if package else {}
        return self._packages | own

    def hidden(self) -> list[str]:
        """Return a sentence for each module of the standard library that this needs and does not get.

        What is beside it and hides one that may be needed later is ``unjudged``.
        """
        hides = hiding(self._roots[0], self.itself.path) if self._standard or self.missing else {}
        needed = needed_with(self._standard) if hides else set()
        self.unjudged |= {path for name, path in hides.items() if name not in needed}
        told = "is imported instead of the standard library's"
        return [f"{path} {told} {name}" for name, path in sorted(hides.items()) if name in needed]

    def _take(self, imports: Imports, waiting: list[str]) -> set[str]:
        """Add what these imports need; return the packages of which any part may be imported by a computed name."""
        wholes = set(imports.whole_packages)
        waiting.extend(imports.names)
        while waiting:
            name = waiting.pop()
            if name in self._seen:
                continue
            self._seen.add(name)
            modules = self._modules_of(name)
            if not modules:
                self.missing.append(name)
            for module in modules:
                further = self._add(module)
                if further is not None:
                    waiting.extend(further.names)
                    wholes |= further.whole_packages
        return wholes

    def _add(self, module: _Module) -> Imports | None:
        if module.dotted in self.found or module.dotted == self.itself.dotted:
            return None
        source = begin_of(module.path, MAX_SOURCE_BYTES + 1)
        if source is None:
            return None
        self.found[module.dotted] = self.sources[module.path] = source
        require_within_budget(self.found)
        if module.dotted.endswith(f".{PACKAGE_FILE}"):
            self._packages[module.package] = module.path.parent
        return _imports_in(source, module.package, of_bases=self._is_installed)

    def _take_whole(self, package: str) -> None:
        """Add every module below a package with what it imports, unless that is more than a run may have."""
        before = dict(self.found)
        try:
            for folder in (root.joinpath(*package.split(".")) for root in self._roots):
                for path in sorted(folder.rglob("*.py")):
                    inner = path.relative_to(folder).with_suffix("").parts
                    if all(part.isidentifier() for part in inner) and is_source(path.name, inner[:-1]):
                        named = inner[:-1] if inner[-1] == PACKAGE_FILE else inner
                        self._take(Imports(frozenset({".".join((package, *named))})), [])
        except (BudgetError, OSError):
            self.found = before

    def _modules_of(self, name: str) -> list[_Module]:
        """Return the module of this name and the packages around it, from the first root that has any of them."""
        parts = name.split(".")
        is_foreign = self._is_installed and parts[0] != self.itself.dotted.partition(".")[0]
        if is_foreign or not all(part.isidentifier() for part in parts):
            return []
        if parts[0] in sys.stdlib_module_names:
            self._standard.add(name)
            return []
        for root in self._roots:
            found = []
            for length in range(1, len(parts) + 1):
                place = root.joinpath(*parts[:length])
                dotted = ".".join(parts[:length])
                loaded = loaded_for(place)
                self.unjudged |= {loaded.name} if loaded is not None and loaded.suffix != ".py" else set()
                if (place / f"{PACKAGE_FILE}.py").is_file():
                    found.append(_Module(f"{dotted}.{PACKAGE_FILE}", place / f"{PACKAGE_FILE}.py"))
                elif place.with_name(f"{place.name}.py").is_file():
                    found.append(_Module(dotted, place.with_name(f"{place.name}.py")))
            if found:
                return found
        return []


@lru_cache(maxsize=4096)
def _imports_in(source: bytes, package: str, *, of_bases: bool) -> Imports:
    """Return what a module of a package imports; the files of one project import each other's modules again."""
    tree = module_or_none(source)
    return imports_of(imports_of_bases(tree) if of_bases and tree is not None else tree, package)


def imported_of(module: str, content: bytes, modules: Sequence[tuple[str, bytes]]) -> tuple[tuple[str, bytes], ...]:
    """Return those of these modules that a program of this dotted name may import, itself or through them.

    What was found for a file on disk is found here too.
    """
    known, package = dict(modules), module.rpartition(".")[0]
    own = imports_of(module_or_none(content), package, sessions=content)
    waiting, wholes, seen = [package, *own.names], set(own.whole_packages), set[str]()
    while waiting or wholes:
        whole = wholes.pop() if wholes else None
        below = (name for name in known if whole == "" or (whole and name.startswith(f"{whole}.")))
        waiting.extend(below)
        for name in _around(waiting):
            if name in known and name not in seen:
                seen.add(name)
                further = imports_of(module_or_none(known[name]), name.rpartition(".")[0])
                waiting.extend(further.names)
                wholes |= further.whole_packages
    return tuple(each for each in modules if each[0] in seen)


def _around(names: list[str]) -> Iterator[str]:
    """Take every name out of a list; yield it and the packages around it, each also as the file of a package."""
    while names:
        parts = names.pop().split(".")
        for length in range(1, len(parts) + 1):
            dotted = ".".join(parts[:length])
            yield from (dotted, f"{dotted}.{PACKAGE_FILE}")


def is_source(name: str, folders: Iterable[str] = ()) -> bool:
    """True for the name of a Python file that is neither a test nor a set-up of tests or of the package."""
    is_other = name.startswith(("test_", ".")) or name.endswith("_test.py") or name in {"conftest.py", "setup.py"}
    return name.endswith(".py") and not is_other and NOT_SOURCES.isdisjoint(folders)


def _dotted(start: Path, root: Path) -> str:
    folders = start.parent.relative_to(root).parts
    if start.stem == PACKAGE_FILE and not folders:
        return UNNAMED
    return ".".join((*folders, start.stem if start.stem.isidentifier() else UNNAMED))


def _outermost_package(folder: Path) -> Path:
    while (folder / f"{PACKAGE_FILE}.py").is_file() and folder.name.isidentifier():
        folder = folder.parent
    return folder


def _higher_root(folder: Path, root: Path, search: _Search) -> Path | None:
    """Return the folder further up from which the imports must be meant to be named, None where there is none."""
    depth = len(folder.relative_to(root).parts)
    candidates = [folder, *folder.parents][depth:]
    wanted = max(0, search.levels - depth)
    for name in search.missing:
        first, _, rest = name.partition(".")
        for height, above in enumerate(candidates, start=1):
            if rest and above.name == first and _holds(above, rest.partition(".")[0]):
                wanted = max(wanted, height)
                break
    if not wanted or wanted >= len(candidates):
        return None
    passed = candidates[:wanted]
    return candidates[wanted] if all(each.name.isidentifier() for each in passed) else None


def _holds(folder: Path, name: str) -> bool:
    return name.isidentifier() and ((folder / name).is_dir() or (folder / f"{name}.py").is_file())


def _project_folder(folder: Path) -> Path | None:
    for each in (folder, *folder.parents):
        if any((each / name).is_file() for name in _PROJECT_FILES):
            return each
    return None


def within_budget(found: Mapping[str, bytes]) -> bool:
    """Tell whether these modules are no more, and no larger, than a run may have."""
    size = sum(len(source) for source in found.values())
    return len(found) <= MAX_MODULES and size <= MAX_BYTES and all(len(s) <= MAX_SOURCE_BYTES for s in found.values())


def require_within_budget(found: Mapping[str, bytes]) -> None:
    """Raise BudgetError where these modules are more, or larger, than a run may have."""
    if not within_budget(found):
        sentence = (
            f"The file imports more of its project than a run may have:"
            f" {MAX_MODULES} modules, {MAX_SOURCE_BYTES:,} bytes each, {MAX_BYTES:,} bytes in all."
        )
        raise BudgetError("program.imports_too_large", sentence, "Verify the modules that it is made of.")
