"""Names that a change takes away: a file uses one that nothing in it binds any more, or a package no longer offers it.

An import is no statement whose undoing shows anything: a function that no test runs raises only when somebody calls it.
Names are followed within one file, as Python's compiler does; a star import binds nothing here.
"""

from __future__ import annotations

import ast
import builtins
import symtable
from collections.abc import Collection, Iterator

from probatum.changes.syntax.node_syntax import imported_names, tree_of
from probatum.programs.source import UNPARSABLE


def lost_names(path: str, base: bytes, head: bytes, contents: Collection[str]) -> Iterator[tuple[int, str]]:
    """Yield a line of a source and a sentence for each name that it had on the base; ``contents`` are paths there."""
    before, after = tree_of(base) or ast.Module([], []), tree_of(head)
    if after is None:
        return
    try:
        bound, used = _names(after)
    except UNPARSABLE as error:
        yield 0, f"Python cannot compile it: {error}"
        return
    try:
        was_bound, was_used = _names(before)
    except UNPARSABLE:
        was_bound, was_used = set(), set()
    for name in sorted(used - bound - (was_used - was_bound)):
        uses = (each for each in ast.walk(after) if isinstance(each, ast.Name) and each.id == name)
        yield next((each.lineno for each in uses), 0), f"`{name}` is used, and nothing in the file defines it any more"
    for name in sorted(_modules(before) - _modules(after)):
        attributes = (each for each in ast.walk(after) if isinstance(each, ast.Attribute) and ast.unparse(each) == name)
        if (use := next(attributes, None)) is not None:
            yield use.lineno, f"`{name}` is used, and nothing in the file imports it any more"
    for name in sorted(_offered(before, path, contents) & was_bound - (_offered(after, path, contents) & bound)):
        yield 0, f"`{name}` is not offered any more"


def _names(tree: ast.Module) -> tuple[set[str], set[str]]:
    """Return the names that a file binds outside of functions and classes, and those that its code looks up there."""
    bound, used = set(dir(builtins)), set[str]()
    pending = [symtable.symtable(ast.unparse(tree), "", "exec")]
    while pending:
        table = pending.pop()
        for symbol in table.get_symbols():
            if table.get_type() != "module" and not symbol.is_global():
                continue
            if symbol.is_assigned() or symbol.is_imported() or symbol.is_namespace():
                bound.add(symbol.get_name())
            elif symbol.is_referenced() and not symbol.get_name().startswith("__"):
                used.add(symbol.get_name())
        pending += table.get_children()
    return bound, used


def _modules(tree: ast.Module) -> set[str]:
    """Return the modules in packages that are imported by their whole names."""
    imports = (each for node in ast.walk(tree) if isinstance(node, ast.Import) for each in node.names)
    return {each.name for each in imports if "." in each.name and not each.asname}


def _offered(tree: ast.Module, path: str, contents: Collection[str]) -> set[str]:
    """Return what ``__all__`` lists, or what a package imports from the tree for those who import from it."""
    listed = set[str]()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else []
        if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
            constants = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
            listed |= {each for each in constants if isinstance(each, str)}
    imports = [each for node in tree.body for each in imported_names(node)] if path.endswith("__init__.py") else []
    pairs = [(name, origin.replace(":", ".")) for name, _, origin in (each.partition(" = ") for each in imports)]
    return listed or {
        name for name, origin in pairs if name[:1] != "_" and (origin[:1] == "." or is_there(origin, contents))
    }


def is_there(origin: str, contents: Collection[str]) -> bool:
    """Tell whether a tree has the module that something is imported from."""
    module = origin.rpartition(".")[0].strip(".").replace(".", "/")
    return any(path.endswith((f"{module}.py", f"{module}/__init__.py")) for path in contents) if module else False
