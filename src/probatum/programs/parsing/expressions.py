"""Expressions of documents as syntax: which names they need, and what they wait for.

A call of the program is awaited where it runs, so an expression needs no event loop elsewhere; any other wait stays.
"""

from __future__ import annotations

import ast


def names_in(tree: ast.AST, *contexts: type[ast.expr_context]) -> set[str]:
    """Return the plain names in a piece of code, those alone that are read or bound where contexts say so."""
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    return {node.id for node in names if not contexts or isinstance(node.ctx, contexts)}


def last_name(node: ast.AST) -> str:
    """Return the last part of a name: ``Enum`` for ``enum.Enum``; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def called_name(call: ast.Call) -> str:
    """Return the last part of the name that a call calls; empty where that has none."""
    return last_name(call.func)


def free_names(tree: ast.AST) -> set[str]:
    """Return the names that an expression uses and does not bind itself."""
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return names_in(tree) - names_in(tree, ast.Store) - arguments


def without_waiting(tree: ast.expr, targets: set[str]) -> ast.expr:
    """Return the expression with plain calls for awaited ones: a call of the program is awaited where it runs."""
    if not waits(tree) and "asyncio" not in free_names(tree):
        return tree
    plain: ast.expr = _Awaited(targets).visit(ast.parse(ast.unparse(tree), mode="eval").body)
    return plain


class _Awaited(ast.NodeTransformer):
    """Takes ``await``, ``asyncio.run`` and ``[… async for …]`` away from around calls of the program."""

    def __init__(self, targets: set[str]) -> None:
        self._targets = targets

    def visit_Await(self, node: ast.Await) -> ast.expr:
        self.generic_visit(node)
        return node.value if self._is_call(node.value) else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node.func) == "asyncio.run" and len(node.args) == 1 and not node.keywords:
            return node.args[0] if self._is_call(node.args[0]) else node
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.ListComp(
                elt=ast.Name(id=name), generators=[ast.comprehension(target=ast.Name(id=other), ifs=[], iter=source)]
            ) if name == other and node.generators[0].is_async and self._is_call(source):
                return source
            case _:
                return node

    def _is_call(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and ast.unparse(node.func) in self._targets


def waits(tree: ast.AST) -> bool:
    """True for an expression that awaits something outside of a function."""
    return any(
        isinstance(node, ast.Await) or (isinstance(node, ast.comprehension) and node.is_async)
        for node in ast.walk(tree)
    )
