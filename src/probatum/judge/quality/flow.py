"""Where functions leave: those that return a value on some paths alone.

Paths are followed by their shape: every condition may hold or not. Which variables may be unbound is not judged: in
installed packages every such warning was wrong, as conditions belong together in ways that shape does not show.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.module import FunctionNode

_ENDING: Final = words("exit _exit abort fail error assert_never skip xfail")


def misses_return(function: FunctionNode, own: Iterable[ast.AST]) -> bool:
    """Return whether a function returns values and also falls off its end; ``own`` are its nodes."""
    values = [each.value for each in own if isinstance(each, ast.Return)]
    if not values or any(each is None or _is_none(each) for each in values) or _ends(function.body):
        return False
    said = ast.walk(function.returns) if function.returns is not None else ()
    is_optional = any(_is_none(each) or (isinstance(each, ast.Name) and each.id == "Optional") for each in said)
    return not is_optional and not any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own)


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _ends(body: Sequence[ast.stmt]) -> bool:
    """Return whether no path goes on behind these statements."""
    return any(map(_leaves, body))


def _leaves(node: ast.stmt) -> bool:
    match node:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
        case ast.Expr(value=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))):
            return name in _ENDING
        case ast.If(body=body, orelse=orelse):
            return _ends(body) and _ends(orelse)
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            return _ends(body) and not any(_catches(each.context_expr) for each in items)
        case ast.Try():
            is_tried = _ends(node.body) or _ends(node.orelse)
            return _ends(node.finalbody) or (is_tried and all(_ends(each.body) for each in node.handlers))
        case ast.While(test=ast.Constant(value=value)) if value:
            return not any(isinstance(each, ast.Break) for each in ast.walk(node))
        case ast.For(orelse=orelse) | ast.While(orelse=orelse):
            return _ends(orelse) and not any(isinstance(each, ast.Break) for each in ast.walk(node))
        case ast.Match(cases=[*cases, last]):
            is_complete = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            return is_complete and all(_ends(each.body) for each in (*cases, last))
    return False


def _catches(node: ast.expr) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="suppress" | "raises") | ast.Attribute(attr="suppress" | "raises")):
            return True
    return False
