"""Which names of a source file become test items: its public functions and classes that have documentation.

Read from syntax alone; nothing is imported or run. A class counts where it or one of its methods has a docstring.
Refuses a file that is too large or that Python cannot parse: such a file is judged as a whole.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from probatum.core.limits import MAX_SOURCE_BYTES, require_shallow

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def documented_names(path: Path) -> Mapping[str, int]:
    """Return the documented public names of a file with their lines, in order of definition.

    Raises OSError where it cannot be read, ValueError where it is too large or does not parse.
    """
    with path.open("rb") as file:
        content = file.read(MAX_SOURCE_BYTES + 1)
    if len(content) > MAX_SOURCE_BYTES:
        raise ValueError("the file is too large")
    try:
        with warnings.catch_warnings():
            # What Python warns about in a source is no part of its verdict.
            warnings.simplefilter("ignore")
            statements = list(_in_scope(require_shallow(ast.parse(content), len(content)).body))
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError("the file cannot be parsed") from error
    exported = frozenset(_exported(statements))
    return {
        node.name: node.lineno
        for node in statements
        if isinstance(node, _Definition) and (not node.name.startswith("_") or node.name in exported)
        if _is_documented(node)
    }


def _in_scope(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """Yield the statements of a scope in order, also those inside of ``if`` and ``try``."""
    waiting = list(body)[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case) and not isinstance(node, _Definition):
            waiting.extend(list(ast.iter_child_nodes(node))[::-1])


def _exported(statements: Iterable[ast.stmt]) -> Iterator[str]:
    """Yield the texts that are written into ``__all__``: a private name there is public."""
    for node in statements:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(each, ast.Name) and each.id == "__all__" for each in targets):
            parts = (part.value for part in ast.walk(node) if isinstance(part, ast.Constant))
            yield from (part for part in parts if isinstance(part, str))


def _is_documented(node: _Definition) -> bool:
    methods = _in_scope(node.body) if isinstance(node, ast.ClassDef) else ()
    own = [node, *(each for each in methods if isinstance(each, _Definition))]
    return any((ast.get_docstring(each) or "").strip() for each in own)
