"""Places where code of a function may come from without a fault having been planted there.

A name that is bound again, and text that is run as code, can hide a table of the documented examples.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_RUNS_TEXT = frozenset({"eval", "exec"})
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def unplanted_places(tree: ast.Module, qualname: str) -> tuple[str, ...]:
    """Return a sentence for each such place of a file."""
    name = qualname.partition(".")[0]
    lines = sorted(_binding_lines(tree.body, name))
    # Faults are planted in the last definition; an unconditional one replaces whatever was bound before it.
    defined = [statement.lineno for statement in tree.body if _defines(statement, name)]
    planted = defined[-1] if defined else min(lines, default=0)
    again = [line for line in lines if line > planted]
    places = [f"{name} is bound again at line {line}, where no fault was planted" for line in again]
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in _RUNS_TEXT and isinstance(node.ctx, ast.Load):
            places.append(f"line {node.lineno} runs text with {node.id}, where no fault was planted")
    return tuple(places)


def _binding_lines(body: list[ast.stmt], name: str) -> Iterator[int]:
    for statement in body:
        if isinstance(statement, (*_FUNCTIONS, ast.ClassDef)):
            if _defines(statement, name):
                yield statement.lineno
            continue
        yield from (getattr(node, "lineno", statement.lineno) for node in ast.walk(statement) if _binds(node, name))


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return node.id == name and isinstance(node.ctx, ast.Store)
    if isinstance(node, ast.alias):
        return (node.asname or node.name.partition(".")[0]) == name
    return isinstance(node, (*_FUNCTIONS, ast.ClassDef)) and node.name == name


def _defines(statement: ast.stmt, name: str) -> bool:
    if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return statement.name == name and not _is_overload(statement)


def _is_overload(definition: ast.stmt) -> bool:
    decorators = getattr(definition, "decorator_list", [])
    return any(ast.unparse(decorator).rpartition(".")[2] == "overload" for decorator in decorators)
