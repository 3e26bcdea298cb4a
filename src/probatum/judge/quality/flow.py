"""Where code leaves: statements that nothing reaches, and functions that return a value on some paths alone.

Paths are followed by their shape: every condition may hold or not. Which variables may be unbound is not judged: in
installed packages every such warning was wrong, as conditions belong together in ways that shape does not show.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.module import CodeModule, FunctionNode, at, names_in, of_function
from probatum.judge.quality.scoring import QualityHit

_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_ENDING: Final = words("exit _exit abort fail error assert_never skip xfail")
_BODIES: Final = ("body", "orelse", "finalbody")


def flow_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what paths through the code give."""
    for node in module.nodes:
        for name in _BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield from _unreachable(body)
    for function in module.functions:
        yield from _missing_return(module, function)


def _unreachable(body: Sequence[ast.AST]) -> Iterator[QualityHit]:
    for index, each in enumerate(body[:-1]):
        after = body[index + 1]
        is_mark = isinstance(after, ast.Expr) and isinstance(after.value, ast.Yield | ast.YieldFrom | ast.Constant)
        if isinstance(each, _LEAVES) and not is_mark:
            yield at("unreachable", after)
            return


def _missing_return(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    own = module.own[function]
    values = [each.value for each in own if isinstance(each, ast.Return)]
    is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own)
    given = [
        each for each in values if each is not None and not (isinstance(each, ast.Constant) and each.value is None)
    ]
    if is_generator or not given or len(given) < len(values) or _ends(function.body):
        return
    if function.returns is not None and ("None" in (text := module.text(function.returns)) or "Optional" in text):
        return
    yield of_function("missing_return", function)


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
            return _ends(body) and bool(orelse) and _ends(orelse)
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
            return _ends(body) and not any({"suppress", "raises"} & _words(each.context_expr) for each in items)
        case ast.Try():
            is_tried = _ends(node.body) or _ends(node.orelse)
            return _ends(node.finalbody) or (is_tried and all(_ends(each.body) for each in node.handlers))
        case ast.While(test=ast.Constant(value=value)) if value:
            return not any(isinstance(each, ast.Break) for each in ast.walk(node))
        case ast.For(orelse=[*_, ast.Return() | ast.Raise()]) | ast.While(orelse=[*_, ast.Return() | ast.Raise()]):
            return not any(isinstance(each, ast.Break) for each in ast.walk(node))
        case ast.Match(cases=[*cases, last]):
            is_complete = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            return is_complete and all(_ends(each.body) for each in (*cases, last))
    return False


def _words(node: ast.expr) -> set[str]:
    return {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)} | names_in(node)
