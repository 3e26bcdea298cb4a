"""Which definitions of a file belong to one function under test: itself and what it calls in the same file.

Calls are followed by name, without running anything: a name that is read, ``self.name`` for methods of the same
class and ``anything.name`` for methods of a class that the code mentions. Refuses a qualified name that the file
does not define, because faults planted nowhere would measure nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from probatum.core.errors import UsageError, nearest

__all__ = ["Target", "definitions_of", "targets_of"]

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Definitions = dict[str, Definition]

_RECEIVERS = frozenset({"self", "cls"})


@dataclass(frozen=True, slots=True)
class Target:
    """One function definition in which faults are planted. Lines are 1-based, both ends included."""

    qualname: str
    first_line: int
    last_line: int
    column: int


def targets_of(tree: ast.Module, qualname: str) -> tuple[Target, ...]:
    """Return the functions that ``qualname`` consists of or reaches by name, in order of position.

    Raises `UsageError` (``usage.unknown_name``) when the file has no such definition.
    """
    definitions = definitions_of(tree)
    if qualname not in definitions:
        raise UsageError("usage.unknown_name", f"The file defines no {qualname!r}.", nearest(qualname, definitions))
    reached: set[str] = set()
    mentioned: set[str] = set()
    waiting = [qualname]
    while waiting:
        name = waiting.pop()
        if name in reached:
            continue
        reached.add(name)
        mentioned |= _classes_mentioned(name, definitions)
        for known in sorted(reached):
            waiting.extend(sorted(_called_from(known, definitions, mentioned) - reached))
        if name == qualname:
            waiting.extend(_methods_of(name, definitions))
    return tuple(sorted((_target(name, definitions) for name in _functions(reached, definitions)), key=_position))


def definitions_of(tree: ast.Module) -> Definitions:
    """Return every function, method and class of the module by qualified name; of several the last one counts."""
    found: Definitions = {}
    _collect(tree.body, "", found)
    return found


def _collect(body: list[ast.stmt], prefix: str, found: Definitions) -> None:
    for statement in body:
        if isinstance(statement, Definition):
            name = prefix + statement.name
            found[name] = statement
            if isinstance(statement, ast.ClassDef):
                _collect(statement.body, name + ".", found)
        elif isinstance(statement, ast.If | ast.Try | ast.TryStar | ast.With):
            for inner in _blocks(statement):
                _collect(inner, prefix, found)


def _blocks(statement: ast.If | ast.Try | ast.TryStar | ast.With) -> Iterator[list[ast.stmt]]:
    yield statement.body
    if not isinstance(statement, ast.With):
        yield statement.orelse
    if isinstance(statement, ast.Try | ast.TryStar):
        for handler in statement.handlers:
            yield handler.body
        yield statement.finalbody


def _position(target: Target) -> tuple[int, int]:
    return target.first_line, target.column


def _target(name: str, definitions: Definitions) -> Target:
    node = definitions[name]
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    return Target(name, first, node.end_lineno or node.lineno, node.col_offset)


def _functions(names: set[str], definitions: Definitions) -> list[str]:
    return [name for name in sorted(names) if isinstance(definitions[name], FunctionNode)]


def _methods_of(name: str, definitions: Definitions) -> list[str]:
    if not isinstance(definitions[name], ast.ClassDef):
        return []
    return [other for other in definitions if other.startswith(name + ".")]


def _classes_mentioned(name: str, definitions: Definitions) -> set[str]:
    classes = {other for other in _names_read(definitions[name]) if isinstance(definitions.get(other), ast.ClassDef)}
    owner = name.rpartition(".")[0]
    if owner and isinstance(definitions.get(owner), ast.ClassDef):
        classes.add(owner)
    for found in list(classes):
        classes |= _bases(found, definitions)
    return classes


def _bases(name: str, definitions: Definitions) -> set[str]:
    node = definitions[name]
    if not isinstance(node, ast.ClassDef):
        return set()
    return {base.id for base in node.bases if isinstance(base, ast.Name) and base.id in definitions}


def _names_read(node: ast.AST) -> set[str]:
    if isinstance(node, ast.ClassDef):
        return {base.id for base in node.bases if isinstance(base, ast.Name)}
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}


def _called_from(name: str, definitions: Definitions, mentioned: set[str]) -> set[str]:
    node = definitions[name]
    called = {other for other in _names_read(node) if other in definitions}
    if isinstance(node, ast.ClassDef):
        return called | {
            method for method in _methods_of(name, definitions) if method.rpartition(".")[2].startswith("__")
        }
    owner = name.rpartition(".")[0]
    for inner in ast.walk(node):
        if isinstance(inner, ast.Attribute):
            called |= _methods_named(inner, owner, definitions, mentioned)
    return called


def _methods_named(node: ast.Attribute, owner: str, definitions: Definitions, mentioned: set[str]) -> set[str]:
    own = f"{owner}.{node.attr}"
    if isinstance(node.value, ast.Name) and node.value.id in _RECEIVERS and own in definitions:
        return {own}
    return {f"{name}.{node.attr}" for name in mentioned if f"{name}.{node.attr}" in definitions}
