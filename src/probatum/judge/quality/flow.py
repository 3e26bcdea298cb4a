"""Where code leaves, and what has a value there: unreachable code, missing returns, variables that may be unbound.

Paths are followed by their shape alone: a condition may hold or not, a loop over items runs at least once, a handler
may be reached from before its body. A variable counts as unbound only where a branch without a value goes on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Final

from probatum.judge.quality.module import FUNCTIONS, LOOPS, CodeModule, FunctionNode, at, names_in, of_function
from probatum.judge.quality.scoring import QualityHit

_LEAVES: Final = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_ENDING: Final = frozenset("exit _exit abort fail error assert_never skip xfail".split())
_BODIES: Final = ("body", "orelse", "finalbody")
_BRANCHES: Final = (ast.If, ast.Try, ast.Match)
_COMPOUND: Final = (*_BRANCHES, *LOOPS, ast.With, ast.AsyncWith)


def flow_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what paths through the code give."""
    for node in module.nodes:
        for name in _BODIES:
            body = getattr(node, name, None)
            if isinstance(body, list):
                yield from _unreachable(body)
        if isinstance(node, ast.Try):
            for inner in (each for statement in node.finalbody for each in ast.walk(statement)):
                if isinstance(inner, ast.Return) and module.function_of(inner) is module.function_of(node):
                    yield at("return_in_finally", inner)
    for function in module.functions:
        yield from _missing_return(module, function)
        yield from _unbound(module, function)


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
    given = [each for each in values if each is not None and not (isinstance(each, ast.Constant) and each.value is None)]
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


def _unbound(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    """Yield a variable that some branch binds, read where another branch that binds nothing goes on."""
    own = module.own[function]
    if any(isinstance(each, ast.Global | ast.Nonlocal | ast.Delete) for each in own):
        return
    stored: dict[str, list[ast.AST]] = {}
    for node in own:
        for name in _binds(node):
            stored.setdefault(name, []).append(node)
    loaded: dict[str, list[ast.Name]] = {}
    for node in own:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in stored:
            loaded.setdefault(node.id, []).append(node)
    for name, reads in loaded.items():
        if len(stored[name]) != 1 or not isinstance(stored[name][0], ast.Name):
            continue
        store = stored[name][0]
        branch = _open_branch(module, store, function)
        if branch is None or any(isinstance(each, LOOPS) for each in module.ancestors(branch) if each in module.loop):
            continue
        end = getattr(branch, "end_lineno", 0)
        read = next((each for each in reads if each.lineno > end), None)
        if read is not None and not _is_guarded(module, read, branch, function):
            yield at("unbound_variable", read, name=name)


def _binds(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
            return [name]
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            return [(each.asname or each.name).partition(".")[0] for each in names]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            return [name]
        case ast.MatchMapping(rest=str(name)):
            return [name]
    return []


def _open_branch(module: CodeModule, store: ast.AST, function: FunctionNode) -> ast.stmt | None:
    """Return the outermost branch that a path passes without binding what is bound here; None where there is none."""
    found: ast.stmt | None = None
    inner: ast.AST = store
    for above in module.ancestors(store):
        if above is function or isinstance(above, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            return found
        if isinstance(above, ast.comprehension | ast.ListComp | ast.NamedExpr) or (isinstance(above, LOOPS) and found is None):
            return None
        if isinstance(above, ast.If):
            other = above.orelse if inner in above.body else above.body
            found = above if inner is not above.test and not _ends(other) else found
        elif isinstance(above, ast.Try) and inner in above.body and any(not _ends(each.body) for each in above.handlers):
            found = above
        elif isinstance(above, ast.ExceptHandler | ast.match_case):
            return None
        inner = above
    return found


def _is_guarded(module: CodeModule, read: ast.Name, branch: ast.stmt, function: FunctionNode) -> bool:
    """Return whether a condition around a read, or one that left before it, may be that of the branch."""
    around = [each for each in module.ancestors(read) if isinstance(each, ast.If | ast.IfExp | ast.While | ast.BoolOp)]
    if any(not (each in set(module.ancestors(branch))) for each in around):
        return True
    between = (each for each in module.own[function] if branch.end_lineno < getattr(each, "lineno", 0) < read.lineno)  # type: ignore[operator]  # parsed
    return any(isinstance(each, ast.If) and (_ends(each.body) or _ends(each.orelse)) for each in between)
