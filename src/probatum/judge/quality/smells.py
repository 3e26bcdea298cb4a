"""What looks wrong, slow or unusual at one place of the code, by the shape of a node and what stands around it.

Each rule names a pattern that is seldom meant. None runs anything, so that what looks wrong may be right.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.module import CodeModule, at, of_function
from probatum.judge.quality.scoring import QualityHit

_MAKERS: Final = words("list dict set collections.defaultdict collections.OrderedDict collections.deque")


def smell_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what a node shows by its shape, then what it shows in a loop."""
    texts = _text_names(module)
    for node in module.nodes:
        yield from _shape(module, node)
        if node in module.loop:
            yield from _in_loop(module, node, texts)


def _shape(module: CodeModule, node: ast.AST) -> Iterator[QualityHit]:
    match node:
        case (
            ast.Compare(ops=[ast.Eq() | ast.NotEq()], comparators=[ast.Constant(value=None)])
            | ast.Compare(ops=[ast.Eq() | ast.NotEq()], left=ast.Constant(value=None))
        ):
            yield at("none_comparison", node)
        case ast.Expr(value=ast.Compare()):
            above = module.parent[node]
            # What stands last in an excerpt may be shown; what is tried may be meant to raise.
            is_shown = module.is_excerpt and above is module.tree
            if not is_shown and not isinstance(above, ast.Try | ast.With | ast.AsyncWith):
                yield at("unused_result", node)
        case ast.ExceptHandler(
            type=None | ast.Name(id="Exception" | "BaseException"), body=[ast.Pass() | ast.Expr(value=ast.Constant())]
        ):
            yield at("swallowed_exception", node)
        case ast.ExceptHandler(type=None) if not any(isinstance(each, ast.Raise) for each in ast.walk(node)):
            yield at("bare_except", node)
        case ast.arguments():
            for each in (*node.defaults, *node.kw_defaults):
                if isinstance(each, ast.List | ast.Dict | ast.Set) or (each and module.called(each) in _MAKERS):
                    yield at("mutable_default", each)
        case ast.Assign(value=ast.Attribute(attr="CERT_NONE")):
            yield at("unverified_tls", node, name="CERT_NONE")
        case ast.Global(names=names):
            yield at("global_statement", node, name=", ".join(names))
        case ast.ImportFrom(names=[ast.alias(name="*")]):
            yield at("wildcard_import", node, name=f"{'.' * node.level}{node.module or ''}")
        case ast.For(
            body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_]))],
            orelse=[],
        ) if name in module.lists[module.scope[node]]:
            yield at("comprehension", node, name=name)


def _in_loop(module: CodeModule, node: ast.AST, texts: set[tuple[ast.AST, str]]) -> Iterator[QualityHit]:
    scope = module.scope[node]
    match node:
        case ast.For():
            yield from _nested(module, node)
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if (scope, name) in texts:
            yield at("text_in_loop", node, name=name)
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]) if name in module.lists[scope]:
            yield at("list_membership", node, name=name)
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "insert" as method),
            args=[ast.Constant(value=0), *_],
        ) if name in module.lists[scope]:
            yield at("list_front", node, what=f"{name}.{method}(0)")


def _text_names(module: CodeModule) -> set[tuple[ast.AST, str]]:
    """Return which names begin as text before a loop, by function."""
    found = set[tuple[ast.AST, str]]()
    for node in module.nodes:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=str())) if node not in module.loop:
                found.add((module.scope[node], name))
    return found


def _nested(module: CodeModule, node: ast.For) -> Iterator[QualityHit]:
    name, outer = _collection(node.iter), module.loop.get(node)
    while name and outer is not None:
        if isinstance(outer, ast.For) and _collection(outer.iter) == name:
            match module.scope[node]:
                case ast.FunctionDef() | ast.AsyncFunctionDef() as function:
                    yield of_function("nested_loops", function, what=name)
                case _:
                    yield at("nested_loops", outer, what=name)
            return
        outer = module.loop.get(outer)


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
