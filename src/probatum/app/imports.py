"""Finds the modules of the same project that a file imports, transitively, by reading and never by importing.

A module is looked for beside the file and, for a file inside a package, beside the outermost package. Refuses: more
than `MAX_MODULES` modules or `MAX_BYTES` bytes; names of the standard library, which always mean the standard library.
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from probatum.core.errors import BudgetError
from probatum.core.limits import MAX_SOURCE_BYTES, MEBIBYTE

MAX_MODULES = 200
MAX_BYTES = 8 * MEBIBYTE
PACKAGE_FILE = "__init__"


@dataclass(frozen=True, slots=True)
class _Module:
    """One module on disk: ``dotted`` ends in ``.__init__`` for a package."""

    dotted: str
    path: Path

    @property
    def package(self) -> str:
        """What a relative import of this module counts from."""
        return self.dotted.rpartition(".")[0]


def import_closure(path: Path, content: bytes) -> tuple[tuple[str, bytes], ...]:
    """Return the project modules that a file needs, by dotted name, in order of name.

    A module that cannot be read or parsed is left to fail where the program imports it.

    Raises:
        BudgetError: they are more, or larger, than a run may have.
    """
    start = path.absolute()
    root = _outermost_package(start.parent)
    roots = tuple(dict.fromkeys((start.parent, root)))
    itself = _Module(".".join(start.relative_to(root).with_suffix("").parts), start)
    found: dict[str, bytes] = {}
    waiting = list(_imported_names(content, itself.package))
    seen: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in seen:
            continue
        seen.add(name)
        for module in _modules_of(name, roots):
            if module.dotted in found:
                continue
            source = _read(module.path)
            if source is None:
                continue
            found[module.dotted] = source
            _require_within_budget(found)
            waiting.extend(_imported_names(source, module.package))
    return tuple(sorted(found.items()))


def _outermost_package(folder: Path) -> Path:
    while (folder / f"{PACKAGE_FILE}.py").is_file() and folder.name.isidentifier():
        folder = folder.parent
    return folder


def _imported_names(content: bytes, package: str) -> Iterator[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute(node, package)
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")


def _absolute(node: ast.ImportFrom, package: str) -> str:
    if not node.level:
        return node.module or ""
    above = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*above, node.module] if node.module else above)


def _modules_of(name: str, roots: tuple[Path, ...]) -> Iterator[_Module]:
    """Yield the module of this name and the packages around it, from the first root that has its first part."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts) or parts[0] in sys.stdlib_module_names:
        return
    for root in roots:
        if not (root / parts[0]).is_dir() and not (root / f"{parts[0]}.py").is_file():
            continue
        for length in range(1, len(parts) + 1):
            place = root.joinpath(*parts[:length])
            dotted = ".".join(parts[:length])
            if (place / f"{PACKAGE_FILE}.py").is_file():
                yield _Module(f"{dotted}.{PACKAGE_FILE}", place / f"{PACKAGE_FILE}.py")
            elif place.with_name(f"{place.name}.py").is_file():
                yield _Module(dotted, place.with_name(f"{place.name}.py"))
        return


def _read(path: Path) -> bytes | None:
    try:
        with path.open("rb") as file:
            return file.read(MAX_SOURCE_BYTES + 1)
    except OSError:
        return None


def _require_within_budget(found: dict[str, bytes]) -> None:
    size = sum(len(source) for source in found.values())
    if len(found) > MAX_MODULES or size > MAX_BYTES or any(len(s) > MAX_SOURCE_BYTES for s in found.values()):
        sentence = (
            f"The file imports more of its own project than a run may have:"
            f" {MAX_MODULES} modules, {MAX_SOURCE_BYTES:,} bytes each, {MAX_BYTES:,} bytes in all."
        )
        raise BudgetError("program.imports_too_large", sentence, "Verify the modules that it is made of.")
