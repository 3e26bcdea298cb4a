"""What a file shows to whoever imports it: names of its own, what it exports, callables without a definition.

Read from syntax alone: an ``__all__`` that is computed exports nothing here, and a callable that a call of unknown
meaning makes is not known to be one.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator

from probatum.programs.parsing.expressions import called_name, names_in
from probatum.programs.parsing.scanning import word_set
from probatum.programs.parsing.signatures import defined_names

IMPORTS = (ast.Import, ast.ImportFrom)
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_MAKES_CALLABLE = word_set("partial itemgetter attrgetter methodcaller cache lru_cache singledispatch")


def in_scope(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope, those inside of other statements included, in order."""
    waiting: list[ast.AST] = list(reversed(statements))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(node, DEFINITIONS):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def own_names(tree: ast.Module, project: Collection[str]) -> frozenset[str]:
    """Return the names that a file defines or imports from its project, and those of the project's modules."""
    ours = (each for each in tree.body if not isinstance(each, IMPORTS) or _is_of(each, project))
    return frozenset((*defined_names(list(ours)), *project))


def _is_of(statement: ast.stmt, modules: Collection[str]) -> bool:
    if isinstance(statement, ast.ImportFrom):
        return bool(statement.level) or statement.module in modules
    return isinstance(statement, ast.Import) and any(each.name in modules for each in statement.names)


def uses_own(steps: Iterable[ast.Module | None], own: Collection[str]) -> bool:
    """Return whether steps use one of these names before they bind it otherwise; of what cannot be read, they may."""
    bound: set[str] = set()
    for step in steps:
        if step is None or any(_is_of(node, own) for node in in_scope(step.body)):
            return True
        arguments = {node.arg for node in ast.walk(step) if isinstance(node, ast.arg)}
        if (names_in(step, ast.Load) - bound - arguments) & set(own):
            return True
        # What a document imports by a name of the program may be the program by another module's name.
        bound.update(defined_names([each for each in step.body if not isinstance(each, IMPORTS)]))
    return False


def exported(tree: ast.Module) -> frozenset[str]:
    """Return the texts that a file writes into its ``__all__``."""
    lists = [node for node in in_scope(tree.body) if _assigned(node) == "__all__"]
    parts = [part for each in lists for part in ast.walk(each)]
    return frozenset(part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str))


def made_callables(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the callables that a file makes without a definition, a ``lambda`` or a ``partial``, with their names."""
    for node in in_scope(tree.body):
        value = getattr(node, "value", None)
        makes = isinstance(value, ast.Call) and called_name(value) in _MAKES_CALLABLE
        if (name := _assigned(node)) and (makes or isinstance(value, ast.Lambda)):
            yield name, node


def _assigned(node: ast.stmt) -> str:
    """Return the one plain name that a statement assigns to; empty where that is not what it does."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return name
        case ast.AugAssign(target=ast.Name(id=name)):
            return name
        case _:
            return ""
