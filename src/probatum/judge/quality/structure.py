"""How code is built: complexity, nesting, length, repetition, stubs, docstrings, names that say nothing.

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

from probatum.judge.quality.module import (
    LOOPS,
    CodeModule,
    FunctionNode,
    at,
    of_function,
    parameters_of,
)
from probatum.judge.quality.scoring import QualityHit

MOST_COMPLEX: Final = 10
MOST_NESTED: Final = 5
MOST_LINES: Final = 100
MOST_PARAMETERS: Final = 8
MOST_RETURNS: Final = 10
_DECISIONS: Final = (ast.If, *LOOPS, ast.IfExp, ast.ExceptHandler, ast.comprehension, ast.match_case)
_NESTING: Final = (ast.If, *LOOPS, ast.With, ast.AsyncWith, ast.Try, ast.Match)
_SHORT_FUNCTION: Final = 15
_REPEATED_LINES: Final = 8
_NO_STUB: Final = frozenset({"overload", "abstractmethod", "abstractproperty", "singledispatch", "property"})
_LEFT: Final = re.compile(r"#[^#\n]*?\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")


def structure_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what the shape of the code gives."""
    for function in module.functions:
        yield from _sizes(module, function)
        yield from _stub(module, function)
        yield from _documents(module, function)
    for node in module.nodes:
        if isinstance(node, ast.Global):
            yield at("global_statement", node, name=", ".join(node.names))
    yield from _comments(module)
    yield from _duplicated(module)


def complexity_of(function: FunctionNode) -> int:
    """Return the cyclomatic complexity of a function, with the functions within."""
    wildcards = sum(
        isinstance(each, ast.match_case) and isinstance(each.pattern, ast.MatchAs) and each.pattern.pattern is None
        for each in ast.walk(function)
    )
    return 1 + sum(isinstance(each, _DECISIONS) for each in ast.walk(function)) - wildcards


def _sizes(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    if module.function_of(function) is None and (complexity := complexity_of(function)) > MOST_COMPLEX:
        yield of_function("complexity", function, what=complexity)
    depths: dict[ast.AST, int] = {function: 0}
    for node in module.own[function]:
        above = module.parent[node]
        is_elif = isinstance(above, ast.If) and isinstance(node, ast.If) and above.orelse == [node]
        depths[node] = depths.get(above, 0) + (isinstance(node, _NESTING) and not is_elif)
    if (deepest := max(depths.values())) > MOST_NESTED:
        yield of_function("nesting", function, what=deepest)
    begin = function.body[1 if _document(function) and len(function.body) > 1 else 0].lineno
    if (lines := (function.end_lineno or begin) - begin + 1) > MOST_LINES:
        yield of_function("function_length", function, what=lines)
    if (count := len(function.args.posonlyargs + function.args.args)) > MOST_PARAMETERS:
        yield of_function("parameters", function, what=count)
    if (count := sum(isinstance(node, ast.Return) for node in module.own[function])) > MOST_RETURNS:
        yield of_function("returns", function, what=count)


def _document(function: FunctionNode | ast.ClassDef) -> bool:
    match function.body[0]:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _stub(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    body = function.body[1:] if _document(function) else function.body
    around = module.parent[function]
    marks = {module.named(each).rpartition(".")[2] for each in function.decorator_list}
    if marks & _NO_STUB or (isinstance(around, ast.ClassDef) and (around.bases or around.keywords)):
        return
    match body:
        case [ast.Pass() | ast.Expr(value=ast.Constant(value=builtins.Ellipsis))]:
            # One that documents why it does nothing, or sits in a class, is a hook.
            if not isinstance(around, ast.ClassDef) and not _document(function) and not marks:
                yield of_function("code_stub", function)
        case [ast.Raise(exc=ast.Call(func=ast.Name(id="NotImplementedError")) | ast.Name(id="NotImplementedError"))]:
            if not isinstance(around, ast.ClassDef):
                yield of_function("code_stub", function)


def _documents(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    is_public = not function.name.startswith("_") and module.function_of(function) is None
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    if is_public and not _document(function) and not function.name.startswith(("test", "visit_")) and lines > 3:
        yield of_function("docstring", function)
    given = [each for each in parameters_of(function) if each.arg not in ("self", "cls")]
    if is_public and given and function.returns is None and not any(each.annotation for each in given):
        yield of_function("type_hints", function)
    if lines > _SHORT_FUNCTION:
        loops = {name.id for node in module.own[function] for name in _loop_names(node)}
        counted = Counter(
            node.id for node in module.own[function] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        )
        named = [
            node.id for node in module.own[function] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        ]
        for name in dict.fromkeys([*(each.arg for each in given), *named]):
            if len(name) == 1 and name != "_" and name not in loops and counted[name] > 5:
                yield of_function("one_letter", function, name=name)


def _loop_names(node: ast.AST) -> list[ast.Name]:
    bound: list[ast.AST] = []
    match node:
        case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
            bound = [target]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            bound = [each.optional_vars for each in items if each.optional_vars]
    return [name for each in bound for name in ast.walk(each) if isinstance(name, ast.Name)]


def _comments(module: CodeModule) -> Iterator[QualityHit]:
    in_texts = {
        line
        for node in module.nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    for number, line in enumerate(module.source.split("\n"), 1):
        if "#" in line and number not in in_texts and (match := _LEFT.search(line)) is not None:
            yield QualityHit("code_todo", number, slots={"what": line[match.start() :].strip()})


def _duplicated(module: CodeModule) -> Iterator[QualityHit]:
    """Yield where lines of code repeat earlier ones; each line counts once."""
    within = {
        line for function in module.functions for line in range(function.body[0].lineno, (function.end_lineno or 0) + 1)
    }
    rows = [
        (number, line.strip())
        for number, line in enumerate(module.source.split("\n"), 1)
        if number in within and len(line.strip()) > 4 and not line.lstrip().startswith(("#", '"', "'"))
    ]
    seen: dict[tuple[str, ...], int] = {}
    index = 0
    while index + _REPEATED_LINES <= len(rows):
        window = tuple(line for _, line in rows[index : index + _REPEATED_LINES])
        first = seen.setdefault(window, index)
        if first + _REPEATED_LINES <= index and len(set(window)) > _REPEATED_LINES // 2:
            length = 0
            while (
                index + length < len(rows)
                and rows[first + length][1] == rows[index + length][1]
                and first + length < index
            ):
                length += 1
            yield QualityHit("duplicated", rows[index][0], slots={"what": length, "name": rows[first][0]})
            index += length
        else:
            index += 1
