"""Reads which modules a source imports: by statements, by ``import_module``, in the sessions of its documentation.

The source is parsed, never run. What cannot be parsed imports nothing.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.core.errors import UsageError
from probatum.programs.parsing.expressions import called_name
from probatum.programs.parsing.signatures import bound_by
from probatum.programs.source import module_or_none

_SESSION_IMPORT = re.compile(r"^[ \t]*>>> ((?:from|import)[ \t].+)$", re.MULTILINE)
_BY_NAME = frozenset({"import_module", "__import__", "find_spec", "run_module"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_NOT_IMPORTED_FOR_ITSELF = frozenset({"__init__.py", "__main__.py"})
_BY_LISTING = frozenset({"iter_modules", "walk_packages"})


@dataclass(frozen=True, slots=True)
class Imports:
    """What one source imports."""

    # Absolute dotted names; of ``from a import b`` both ``a`` and ``a.b``, since ``b`` may be a module.
    names: frozenset[str] = frozenset()
    # Packages of which any module may be imported, by a name that is computed; empty for the top of the project.
    whole_packages: frozenset[str] = frozenset()
    # The highest number of leading dots.
    levels: int = 0


def importable(dotted: object, key: str) -> str:
    """Return the dotted name of a module; raises UsageError for what cannot be one."""
    if not isinstance(dotted, str) or not all(part.isidentifier() for part in dotted.split(".")):
        raise UsageError("request.invalid", f"{key!r} names a module {dotted!r}, which cannot be imported.")
    return dotted


def imports_of(tree: ast.Module | None, package: str, *, sessions: bytes = b"") -> Imports:
    """Return what a source in a package imports, and the prompts in the documentation ``sessions`` of it as well."""
    if tree is None:
        return Imports()
    trees = [tree, *_session_imports(sessions)]
    nodes = [node for each in trees for node in ast.walk(each)]
    # What imports by name can have another name here.
    aliases = {node.asname for node in nodes if isinstance(node, ast.alias) and node.name in _BY_NAME and node.asname}
    called = [(name, node) for node in nodes if isinstance(node, ast.Call) and (name := called_name(node))]
    by_name = [_literal(node) for name, node in called if name in _BY_NAME | aliases]
    names = {name for node in nodes for name in _names(node, package)}
    names |= {_absolute(len(each) - len(each.lstrip(".")), each.lstrip("."), package) for each in by_name if each}
    wholes = {package} if None in by_name or any(name in _BY_LISTING for name, _ in called) else set()
    own = (node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return Imports(frozenset(names - {""}), frozenset(wholes), max(own, default=0))


def imports_of_bases(tree: ast.Module) -> ast.Module:
    """Return the import statements of a source that its classes take their bases from."""
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    inner = (each for node in classes for base in node.bases for each in ast.walk(base))
    bases = {each.id for each in inner if isinstance(each, ast.Name)}
    imports = (node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom))
    return ast.Module([node for node in imports if bases.intersection(bound_by(node))], [])


def defines_nothing(name: str, tree: ast.Module | None) -> bool:
    """True for a source without functions and classes that only imports and names things.

    ``__init__`` and ``__main__`` files may do more than that: they are there to set up and to start what others define.
    """
    if tree is None or any(isinstance(node, _DEFINITIONS) for node in ast.walk(tree)):
        return False
    return name in _NOT_IMPORTED_FOR_ITSELF or all(_only_names(statement) for statement in tree.body)


def _only_names(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom() | ast.Pass():
            return True
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            return True
        case ast.If(body=body, orelse=others):
            return all(_only_names(each) for each in (*body, *others))
        case ast.Try(body=body, handlers=handlers, orelse=others, finalbody=last):
            caught = [each for handler in handlers for each in handler.body]
            return all(_only_names(each) for each in (*body, *caught, *others, *last))
        case _:
            return False


def _session_imports(content: bytes) -> Iterator[ast.Module]:
    for match in _SESSION_IMPORT.finditer(content.decode("utf-8", "replace")):
        statement = module_or_none(match[1].strip())
        if statement is not None:
            yield statement


def _names(node: ast.AST, package: str) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        base = _absolute(node.level, node.module or "", package)
        yield base
        yield from (f"{base}.{alias.name}" for alias in node.names if alias.name != "*")


def _absolute(level: int, module: str, package: str) -> str:
    if not level:
        return module
    parts = package.split(".")
    above = parts[: len(parts) - level + 1]
    return ".".join([*above, module] if module else above)


def _literal(node: ast.Call) -> str | None:
    named = (each.value for each in node.keywords if each.arg in {"name", "mod_name"})
    first = node.args[0] if node.args else next(named, None)
    return first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else None
