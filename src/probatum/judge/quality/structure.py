"""How functions are built: complexity, nesting, length, stubs, docstrings, names, and where they leave.

Cyclomatic complexity counts one and one for each decision: if, elif, loop, handler, case, comprehension, conditional
expression; functions within count for the function around them. Boolean operators are not counted.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.flow import misses_return
from probatum.judge.quality.module import (
    FUNCTIONS,
    LOOPS,
    CodeModule,
    FunctionNode,
    at,
    names_in,
    of_function,
    parameters_of,
)
from probatum.judge.quality.scoring import QualityHit

_MOST: Final = {"complexity": 10, "nesting": 5, "function_length": 100, "parameters": 8}
_DECISIONS: Final = (ast.If, *LOOPS, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.match_case)
_NESTING: Final = (ast.If, *LOOPS, ast.With, ast.AsyncWith, ast.Try, ast.Match)
_SHORT_FUNCTION: Final = 15
_NO_STUB: Final = words("overload abstractmethod abstractproperty singledispatch property")
_CAMEL: Final = re.compile(r"_{0,2}[a-z][a-z0-9]*(?:[A-Z][A-Za-z0-9]*)+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_NAMED_ELSEWHERE: Final = ("visit_", "do_", "test", "setUp", "tearDown", "assert", "runTest", "addCleanup")


def structure_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what each function gives."""
    for function in module.functions:
        sizes = _sizes(module, function)
        yield from (of_function(name, function, what=sizes[name]) for name in sizes if sizes[name] > _MOST[name])
        if _is_stub(module, function):
            yield of_function("code_stub", function)
        if misses_return(function, module.own[function]):
            yield of_function("missing_return", function)
        yield from _empty_division(module, function)
        yield from _documents(module, function)
        yield from _names(module, function)


def complexity_of(function: FunctionNode) -> int:
    """Return the cyclomatic complexity of a function, with the functions within."""
    nodes = [each for each in ast.walk(function) if isinstance(each, _DECISIONS)]
    patterns = (each.pattern for each in nodes if isinstance(each, ast.match_case))
    return 1 + len(nodes) - sum(isinstance(each, ast.MatchAs) and each.pattern is None for each in patterns)


def _sizes(module: CodeModule, function: FunctionNode) -> dict[str, int]:
    depths: dict[ast.AST, int] = {function: 0}
    for node in module.own[function]:
        above = module.parent[node]
        is_elif = isinstance(above, ast.If) and isinstance(node, ast.If) and above.orelse == [node]
        depths[node] = depths.get(above, 0) + (isinstance(node, _NESTING) and not is_elif)
    begin = function.body[1 if _document(function) and len(function.body) > 1 else 0].lineno
    return {
        "complexity": 0 if isinstance(module.scope[function], FUNCTIONS) else complexity_of(function),
        "nesting": max(depths.values()),
        "function_length": (function.end_lineno or begin) - begin + 1,
        "parameters": len(function.args.posonlyargs + function.args.args),
    }


def _document(function: FunctionNode) -> bool:
    return ast.get_docstring(function, clean=False) is not None


def _is_stub(module: CodeModule, function: FunctionNode) -> bool:
    marks = {module.named(each).rpartition(".")[2] for each in function.decorator_list}
    if marks & _NO_STUB or isinstance(module.parent[function], ast.ClassDef):
        # A method may be a hook, or its subclasses implement it.
        return False
    match function.body[1:] if _document(function) else function.body:
        case [ast.Pass() | ast.Expr(value=ast.Constant(value=builtins.Ellipsis))]:
            # One that documents why it does nothing is a hook.
            return not _document(function) and not marks
        case [ast.Raise(exc=ast.Call(func=ast.Name(id="NotImplementedError")) | ast.Name(id="NotImplementedError"))]:
            return True
    return False


def _empty_division(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    """Yield divisions by the length of a parameter that no condition asks about."""
    own = module.own[function]
    tests = [getattr(each, "test", None) or getattr(each, "subject", None) for each in own]
    tested = {name for each in tests if each for name in names_in(each)}
    tested |= {name for each in own if isinstance(each, ast.BoolOp) for name in names_in(each)}
    lengths = {f"len({each.arg})": each.arg for each in parameters_of(function)}
    for node in own:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if (what := _length(value)) in lengths:
                lengths[name] = lengths[what]
            case ast.BinOp(op=ast.Div() | ast.FloorDiv(), right=right) if (what := _length(right)) in lengths:
                if not {what, lengths[what]} & tested and not module.is_tried(node):
                    yield at("empty_division", node, what=f"'{what}'")


def _length(node: ast.expr) -> str:
    """Return a name, or the length of one, as it is written; nothing of other expressions."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            return f"len({name})"
    return ""


def _documents(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    if function.name.startswith("_") or isinstance(module.scope[function], FUNCTIONS):
        return
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if not _document(function) and not function.name.startswith(("test", "visit_")) and lines > 3:
        yield of_function("docstring", function)
    given = parameters_of(function)
    if given and function.returns is None and not any(each.annotation for each in given):
        yield of_function("type_hints", function)


def _names(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    above = module.parent[function]
    # A method of a subclass may be named by its base.
    is_own = not (isinstance(above, ast.ClassDef) and above.bases) and not function.decorator_list
    if is_own and _CAMEL.fullmatch(function.name) and not function.name.startswith(_NAMED_ELSEWHERE):
        yield of_function("camel_case", function, what=_HUMP.sub("_", function.name).lower())
    if (function.end_lineno or 0) - function.lineno < _SHORT_FUNCTION:
        return
    own = [each for each in module.own[function] if isinstance(each, ast.Name)]
    used = Counter(each.id for each in own if isinstance(each.ctx, ast.Load))
    bound = [each.id for each in own if isinstance(module.parent[each], ast.Assign)]
    for name in dict.fromkeys([*(each.arg for each in parameters_of(function)), *bound]):
        if len(name) == 1 and name != "_" and used[name] > 5:
            yield of_function("one_letter", function, name=name)
