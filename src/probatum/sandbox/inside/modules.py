"""Imports the program and the modules of its project from the bytes that the judge sent; the disk has none of them.

Runs inside the sandbox, standard library only. A program in a package is imported as any other program would import
it: under its dotted name, after the packages around it. It is also known as ``artifact``, before its first line runs.
A module that fails on its own is not a program that fails. A faulty copy finds the text of the program
that it was made of: it cannot see that it was altered.
"""

from __future__ import annotations

import ast
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
import types
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from .denials import BENT, MET, PLACE
from .values import Declarations

# The name by which given tests import whatever program is judged.
ALIAS = "artifact"
_PACKAGE = ".__init__"
TEXT_SHOWN = 2000
_compile, _exec = compile, exec
_OF_RESOURCES = (OSError, EOFError)


class ImportedModuleError(Exception):
    """Another module fails while the program imports it."""


class ImportedModuleLacksError(ImportedModuleError, OSError):
    """Another module fails while the program imports it, because a file or another resource is missing."""


class MissingVariableError(OSError):
    """The program reads an environment variable that is not set here."""


def run(source: bytes | ast.Module, file_name: str, names: dict[str, Any]) -> None:
    """Run a text as statements in a namespace."""
    code = _compile(source, file_name, "exec", dont_inherit=True)
    del source  # The program could find it in this frame.
    _exec(code, names)


class MemoryImporter(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds modules among sources by dotted name; a folder of sources without an ``__init__`` is a package too.

    ``shown`` is what the program finds as its own text; with ``again`` it can be imported more than once. ``home`` is
    the folder in which their package is installed, empty where it is not: there the rest of it is found.
    """

    def __init__(
        self,
        sources: dict[str, bytes],
        declarations: Declarations,
        subject: str = "",
        shown: bytes = b"",
        *,
        again: bool = False,
        home: str = "",
    ) -> None:
        self._sources = sources
        self._home = home
        self._shown = shown
        self._again = again
        self._declarations = declarations
        self._subject = subject
        self._packages = {key.removesuffix(_PACKAGE) for key in sources if key.endswith(_PACKAGE)}
        # Of what is installed, the folders are there.
        self._folders = set() if home else {above for key in sources for above in _above(key)} - self._packages
        # The program's own module, once it was begun.
        self.module: types.ModuleType | None = None

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: types.ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname == ALIAS and self.module is not None:
            return importlib.machinery.ModuleSpec(ALIAS, AliasLoader(self.module))
        if self._key(fullname) not in self._sources:
            return self._folder(fullname, path) if fullname in self._folders else None
        spec = importlib.util.spec_from_loader(
            fullname, self, origin=_place(self._key(fullname)), is_package=self.is_package(fullname)
        )
        if spec is not None:
            spec.has_location = True
            if spec.submodule_search_locations is not None:
                places = (PLACE, self._home) if self._home else (PLACE,)
                spec.submodule_search_locations.extend(place + fullname.replace(".", "/") for place in places)
        return spec

    def is_package(self, fullname: str) -> bool:
        return fullname in self._packages

    def get_source(self, fullname: str) -> str:
        return importlib.util.decode_source(self._text(fullname))

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__
        key = self._key(name)
        self._declarations.modules[name] = module.__dict__
        if (MET.scratch or self._home) and module.__spec__ is not None:
            # Its file and what loads it look like those of any other module.
            MET.files[_place(key)] = self._text(name)
            path = _place(key).removeprefix(PLACE)
            loader = importlib.machinery.SourceFileLoader(name, (self._home or PLACE) + path)
            module.__loader__ = module.__spec__.loader = loader
            module.__file__ = (self._home or MET.place) + path
        if name == self._subject:
            self.module = module
        run(self._whole(key, module.__dict__), _place(key), module.__dict__)

    def _whole(self, key: str, names: dict[str, Any]) -> bytes | ast.Module:
        is_kept = self._again or key.removesuffix(_PACKAGE) != self._subject
        source = self._sources[key] if is_kept else self._sources.pop(key)
        return BENT.asking(source, names) if MET.beside_tests else source

    def _text(self, name: str) -> bytes:
        return self._shown if name == self._subject else self._sources[self._key(name)]

    def _key(self, name: str) -> str:
        return name + _PACKAGE if name in self._packages else name

    def _folder(self, name: str, path: Sequence[str] | None) -> importlib.machinery.ModuleSpec:
        """Return a package without a file, together with the installed parts of the same name."""
        spec = importlib.machinery.ModuleSpec(name, None, is_package=True)
        installed = importlib.machinery.PathFinder.find_spec(name, path)
        if installed is not None and installed.loader is None and installed.submodule_search_locations:
            spec.submodule_search_locations = list(installed.submodule_search_locations)
        return spec


class AliasLoader(importlib.abc.Loader):
    """Gives the program itself under its other name, to whoever imports that."""

    def __init__(self, module: types.ModuleType) -> None:
        self._module = module

    def exec_module(self, module: types.ModuleType) -> None:
        sys.modules[module.__name__] = self._module


class PackageListing:
    """Lists the modules of one package for ``pkgutil``; finding them is for `MemoryImporter`."""

    def __init__(self, keys: Sequence[str], path: str) -> None:
        if not path.startswith(PLACE):
            raise ImportError(f"{path} is not of the program", path=path)
        self._keys = keys
        self._package = path.removeprefix(PLACE).replace("/", ".") + "."

    def iter_modules(self, prefix: str = "") -> Iterator[tuple[str, bool]]:
        """Yield the name of each module and whether it is a package."""
        inner = sorted(key.removeprefix(self._package) for key in self._keys if key.startswith(self._package))
        names = {key.partition(".")[0]: "." in key for key in inner if key != _PACKAGE[1:]}
        yield from ((prefix + name, is_package) for name, is_package in names.items())

    def find_spec(self, fullname: str, target: types.ModuleType | None = None) -> None:
        """Find nothing: what is there was found before."""


def _above(key: str) -> Iterator[str]:
    above = key.removesuffix(_PACKAGE).rpartition(".")[0]
    while above:
        yield above
        above = above.rpartition(".")[0]


def _place(key: str) -> str:
    return f"{PLACE}{key.replace('.', '/')}.py"


def load(
    name: str,
    is_package: bool,
    source: list[bytes],
    shown: bytes,
    siblings: dict[str, bytes],
    is_installed: bool,
    declarations: Declarations,
    *,
    again: bool = False,
) -> types.ModuleType:
    """Import the program and return its module; ``source`` holds its text alone and is emptied, ``shown`` is kept.

    ``siblings`` are modules by dotted name, and data files by their path, which has a slash. Of a program that
    ``is_installed``, the rest of the package is imported from where that is. With ``again`` the program can be
    imported again, as any other.

    The program's own package is found before anything that is installed. So is everything beside a program outside of
    packages, as for a script; beside a program in a package, installed modules come first.

    Raises what the program raises, `ImportedModuleError` when another module failed by itself.
    """
    own = name.partition(".")[0]
    if MET.scratch:
        MET.files |= {PLACE + key: content for key, content in siblings.items() if "/" in key}
    siblings = {key: text for key, text in siblings.items() if "/" not in key}
    inner = {key: text for key, text in siblings.items() if "." not in name or key.partition(".")[0] == own}
    inner[name + _PACKAGE if is_package else name] = source.pop()
    outer = {key: text for key, text in siblings.items() if key not in inner}
    keys = (*inner, *outer)
    home = _home(own, _place(name + _PACKAGE if is_package else name)) if is_installed else ""
    importer = MemoryImporter(inner, declarations, name, shown, again=again, home=home)
    sys.path_hooks.insert(0, lambda path: PackageListing(keys, path))
    sys.meta_path.insert(0, importer)
    sys.meta_path.insert(-1, MemoryImporter(outer, declarations))  # The last one notes what nobody finds.
    del inner, siblings
    sys.modules.pop(name, None)  # The worker may have loaded a module of Python with the same name.
    try:
        importlib.import_module(name)
    except (ImportError, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001  whatever the program raises is its answer
        _explain(error, importer.module)
    if importer.module is None:
        raise ImportError(f"{name} was imported from elsewhere")
    return importer.module


def _home(own: str, place: str) -> str:
    """Return the folder in which the program's package is installed, empty where it is not."""
    spec = importlib.machinery.PathFinder.find_spec(own)
    above = [os.path.dirname(each) for each in (None if spec is None else spec.submodule_search_locations) or ()]
    homes = (os.path.join(each, "") for each in (*above, os.path.dirname(str(spec and spec.origin))))
    return next((home for home in homes if os.path.isfile(home + place.removeprefix(PLACE))), "")


def _explain(error: BaseException, module: types.ModuleType | None) -> NoReturn:
    """Raise the error, or one that says whose fault it is if it is not the program's own."""
    frames = []
    trace = error.__traceback__
    while trace is not None:
        frames.append(trace.tb_frame)
        trace = trace.tb_next
    names = None if module is None else module.__dict__
    own = [index for index, frame in enumerate(frames) if frame.f_globals is names]
    if not any(frames[index].f_code.co_name == "<module>" for index in own):
        own = []  # Another module called it, before or after its own first lines.
    if isinstance(error, KeyError) and own and frames[-1].f_code is type(os.environ).__getitem__.__code__:
        raise MissingVariableError(f"there is no environment variable {error}") from error
    below = frames[own[-1] + 1 :] if own else frames
    begun = [frame for frame in below if not frame.f_code.co_filename.startswith("<frozen importlib")]
    other = next((frame for frame in begun if frame.f_code.co_name == "<module>"), None)
    if own and begun and begun[0] is not other and not _is_importing(begun[0]):
        raise error
    if other is not None:
        kind = ImportedModuleLacksError if isinstance(error, _OF_RESOURCES) else ImportedModuleError
        raise kind(_told(other.f_globals.get("__name__"), error)) from error
    # A file that does not parse has no frame.
    place = error.filename or "" if isinstance(error, SyntaxError) else ""
    if place.startswith("/") and place != getattr(module, "__file__", None):
        raise ImportedModuleError(_told(place, error)) from error
    raise error


def _is_importing(frame: types.FrameType) -> bool:
    """True for frames of this module and of ``importlib``: what they run is another module."""
    return frame.f_globals.get("__name__") in (__name__, "importlib")


def _told(name: object, error: BaseException) -> str:
    return f"{name}, which it imports, raises {type(error).__name__}: {text_of(error)}"


def text_of(error: BaseException) -> str:
    """Return the text of an exception, which is for people only: of one without any, an empty one."""
    try:
        return str(error)[:TEXT_SHOWN]
    except BaseException:  # noqa: BLE001  it may be the program's own
        return ""
