"""What takes longer than it needs to: quadratic loops, growing copies, work done again in each round; and hints."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.module import CodeModule, LoopNode, at, names_in, of_function
from probatum.judge.quality.scoring import QualityHit

_REPEATED: Final = words("sorted sum min max re.compile")
_HARMLESS: Final = _REPEATED | words("len print range enumerate")
_ROWS: Final = words("iterrows itertuples")


def performance_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what is slow, and a hint where a loop only fills a list."""
    texts, changing = _text_names(module), dict[ast.AST, frozenset[str]]()
    for node in module.nodes:
        loop = module.loop.get(node)
        match node:
            case ast.Call(func=ast.Attribute(attr=name), args=[]) if name in _ROWS:
                yield at("row_iteration", node, what=f"{name}()")
            case ast.For():
                yield from _nested(module, node)
                yield from _fills(module, node)
        if loop is None:
            continue
        scope = module.function_of(node) or module.tree
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if (scope, name) in texts:
                yield at("text_in_loop", node, name=name)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
                if name in module.lists(scope):
                    yield at("list_membership", node, name=name)
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "insert"), args=[ast.Constant(value=0), *_]
            ):
                if name in module.lists(scope):
                    yield at("list_front", node, what=module.text(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="count"), args=[_]):
                if isinstance(loop, ast.For) and _collection(loop.iter) == name:
                    yield at("repeated_work", node, what=module.text(node))
            case ast.Call(args=[ast.Name() | ast.Constant()], keywords=[]) if module.called(node) in _REPEATED:
                if loop not in changing:
                    changing[loop] = _changing(module, loop)
                if not names_in(node.args[0]) & changing[loop]:
                    yield at("repeated_work", node, what=module.text(node))


def _text_names(module: CodeModule) -> set[tuple[ast.AST, str]]:
    """Return which names begin as text before a loop, by function."""
    found = set[tuple[ast.AST, str]]()
    for scope, nodes in module.own.items():
        for node in nodes:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str())) if (
                    node not in module.loop
                ):
                    found.add((scope, name))
    return found


def _collection(node: ast.expr) -> str:
    """Return the name of what a loop runs over, by itself, by index or with one."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name), *_]):
            return name
        case ast.Call(
            func=ast.Name(id="range"), args=[*_, ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])]
        ):
            return name
    return ""


def _nested(module: CodeModule, node: ast.For) -> Iterator[QualityHit]:
    name, outer = _collection(node.iter), module.loop.get(node)
    while name and outer is not None:
        if isinstance(outer, ast.For) and _collection(outer.iter) == name:
            function = module.function_of(node)
            slots = {"collection": name}
            yield of_function("nested_loops", function, **slots) if function else at("nested_loops", outer, **slots)
            return
        outer = module.loop.get(outer)


def _changing(module: CodeModule, loop: LoopNode) -> frozenset[str]:
    """Return the names that a loop binds, or may change by a method, an index or a call."""
    found = set[str]()
    for node in ast.walk(loop):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.Attribute(value=ast.Name(id=name)):
                found.add(name)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                found.add(name)
            case ast.Call() if module.called(node) not in _HARMLESS:
                found.update(name for each in node.args for name in names_in(each))
    return frozenset(found)


def _fills(module: CodeModule, node: ast.For) -> Iterator[QualityHit]:
    match node:
        case ast.For(
            body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_]))],
            orelse=[],
        ):
            if name in module.lists(module.function_of(node) or module.tree):
                yield at("comprehension", node, name=name)
