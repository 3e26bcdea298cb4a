"""The repository's files as the house tests see them: listed and parsed, never imported.

Refuses a file that does not parse: a rule that silently skipped such a file would not be a rule.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "probatum"
_NOT_OURS = frozenset(
    {".git", ".venv", "build", "dist", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache"}
    | {".hypothesis", ".probatum", "probatum.egg-info"}
)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One Python file of the package."""

    name: str
    """Dotted, as it is imported; a package stands for its ``__init__`` file."""
    path: Path
    is_package: bool
    tree: ast.Module
    text: str

    @property
    def part(self) -> str:
        """The package directly below ``probatum`` that it belongs to, or the file's own name at the top."""
        steps = self.name.split(".")
        if len(steps) == 1:
            return "__init__"
        return steps[1]

    @property
    def shown(self) -> str:
        """Its path for people."""
        return self.path.relative_to(ROOT).as_posix()


@cache
def package_modules() -> tuple[Module, ...]:
    """Return every Python file below ``src/probatum``."""
    return tuple(_module(path) for path in sorted(PACKAGE.rglob("*.py")))


def _module(path: Path) -> Module:
    steps = ["probatum", *path.relative_to(PACKAGE).with_suffix("").parts]
    is_package = steps[-1] == "__init__"
    text = path.read_text(encoding="utf-8")
    return Module(".".join(steps[:-1] if is_package else steps), path, is_package, ast.parse(text, path), text)


def repository_files(*suffixes: str) -> Iterator[Path]:
    """Yield the repository's own files, or only those with one of these suffixes, in a stable order."""
    for path in _own_files():
        if not suffixes or path.suffix in suffixes:
            yield path


@cache
def _own_files() -> tuple[Path, ...]:
    found: list[Path] = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = sorted(set(folders) - _NOT_OURS)
        # In a second working tree of git, .git is a file.
        found += [Path(folder, name) for name in sorted(set(names) - _NOT_OURS)]
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Import:
    """One name of a module that a file imports, wherever the import stands."""

    target: str
    """Dotted and absolute."""
    line: int


@cache
def imports_of(module: Module) -> tuple[Import, ...]:
    """Return every import of a file: at the top, for types only, deferred, and by a name written as a string."""
    found: list[Import] = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, node.lineno) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = _base_of(module, node)
            found += [Import(f"{base}.{alias.name}", node.lineno) for alias in node.names]
        elif isinstance(node, ast.Call) and _imports_by_string(node):
            argument = node.args[0]
            assert isinstance(argument, ast.Constant)
            found.append(Import(str(argument.value), node.lineno))
    return tuple(found)


def _base_of(module: Module, node: ast.ImportFrom) -> str:
    if not node.level:
        return node.module or ""
    steps = module.name.split(".")
    kept = len(steps) - node.level + (1 if module.is_package else 0)
    return ".".join([*steps[:kept], *([node.module] if node.module else [])])


def _imports_by_string(node: ast.Call) -> bool:
    called = ast.unparse(node.func).rsplit(".", 1)[-1]
    return (
        called in {"import_module", "__import__"}
        and bool(node.args)
        and isinstance(node.args[0], ast.Constant)
        and isinstance(node.args[0].value, str)
    )
