"""What takes longer than it needs to: quadratic loops, growing copies, work done again in each round; and hints."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from probatum.judge.quality.module import CodeModule, FunctionNode, LoopNode, at, names_in, of_function
from probatum.judge.quality.scoring import QualityHit

_REPEATED: Final = frozenset("sorted sum min max re.compile".split())
_ROWS: Final = frozenset("iterrows itertuples".split())
_CACHES: Final = ("cache", "lru_cache", "memoize", "memoized", "cached")
_CONSUMERS: Final = frozenset("sum any all min max".split())


def performance_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what is slow, and hints."""
    for node in module.nodes:
        loop = module.loop.get(node)
        if isinstance(node, ast.For):
            yield from _nested(module, node)
            yield from _hints(module, node)
        elif isinstance(node, ast.Call):
            yield from _call(module, node, loop)
        if loop is None:
            continue
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add()) if _is_text(module, name, node):
                yield at("text_in_loop", node, name=name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.BinOp(left=ast.Name(id=left), op=ast.Add(), right=ast.List())):
                if name == left:
                    yield at("list_copied", node, name=name)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=name)]):
                scope = module.function_of(node) or module.tree
                if name in module.lists(scope) and _grows(module, scope).get(name, False):
                    yield at("list_membership", node, name=name)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Call(func=ast.Name(id="list"), args=[ast.Name(id=name)])]):
                yield at("list_membership", node, name=name)
    for function in module.functions:
        yield from _exponential(module, function)


def _grows(module: CodeModule, scope: ast.AST) -> dict[str, bool]:
    """Return which names a scope appends to in a loop, or fills from a range or a call."""
    if scope not in module.growing:
        found: dict[str, bool] = {}
        for node in module.own[scope]:
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append" | "extend")) if node in module.loop:
                    found[name] = True
                case ast.Assign(targets=[ast.Name(id=name)], value=ast.ListComp() | ast.Call(func=ast.Name(id="list"))):
                    found[name] = True
        module.growing[scope] = found
    return module.growing[scope]


def _is_text(module: CodeModule, name: str, node: ast.AugAssign) -> bool:
    match node.value:
        case ast.Constant(value=str()) | ast.JoinedStr():
            is_likely = True
        case ast.BinOp(op=ast.Add(), left=ast.Constant(value=str())) | ast.BinOp(op=ast.Add(), right=ast.Constant(value=str())):
            is_likely = True
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str())) | ast.Call(func=ast.Name(id="str" | "chr")):
            is_likely = True
        case _:
            is_likely = False
    scope = module.function_of(node) or module.tree
    if scope not in module.texts:
        module.texts[scope] = frozenset(
            each.targets[0].id
            for each in module.own[scope]
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name) and each not in module.loop
            and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str)
        )  # fmt: skip
    return name in module.texts[scope] and (is_likely or not isinstance(node.value, ast.Constant))


def _collection(node: ast.expr) -> str:
    """Return the name of what a loop runs over, by itself, by index or with one."""
    match node:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name), *_]):
            return name
        case ast.Call(func=ast.Name(id="range"), args=[*_, ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])]):
            return name
    return ""


def _nested(module: CodeModule, node: ast.For) -> Iterator[QualityHit]:
    name, outer = _collection(node.iter), module.loop.get(node)
    while name and outer is not None:
        if isinstance(outer, ast.For) and _collection(outer.iter) == name:
            function = module.function_of(node)
            yield of_function("nested_loops", function, name=name) if function else at("nested_loops", outer, name=name)
            return
        outer = module.loop.get(outer)


def _call(module: CodeModule, node: ast.Call, loop: LoopNode | None) -> Iterator[QualityHit]:
    name = module.called(node)
    if name in _CONSUMERS and len(node.args) == 1 and isinstance(node.args[0], ast.ListComp):
        yield at("generator", node, what=name)
    match node:
        case ast.Call(func=ast.Attribute(attr=attribute)) if attribute in _ROWS and not node.args:
            yield at("row_iteration", node, what=f"{attribute}()")
    if loop is None:
        return
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr="pop" | "insert"), args=[ast.Constant(value=0), *_]):
            if base in module.lists(module.function_of(node) or module.tree):
                yield at("list_front", node, what=module.text(node))
        case ast.Call(func=ast.Attribute(value=ast.Name(id=base), attr="count"), args=[_]):
            if isinstance(loop, ast.For) and _collection(loop.iter) == base:
                yield at("repeated_work", node, what=module.text(node))
        case ast.Call(args=[ast.Name() | ast.Constant(), *_]) if name in _REPEATED and not node.keywords:
            if all(isinstance(each, ast.Name | ast.Constant) for each in node.args) and len(node.args) == 1 or name == "re.compile":
                if not names_in(node) & _changing(module, loop):
                    yield at("repeated_work", node, what=module.text(node))


def _changing(module: CodeModule, loop: LoopNode) -> frozenset[str]:
    """Return the names that a loop binds, or may change by a method, an index or a call."""
    if loop not in module.changing:
        found = set[str]()
        for node in ast.walk(loop):
            match node:
                case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.Attribute(value=ast.Name(id=name)):
                    found.add(name)
                case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
                    found.add(name)
                case ast.Call() if module.called(node) not in _REPEATED | {"len", "print", "range", "enumerate"}:
                    found.update(name for each in node.args for name in names_in(each))
        module.changing[loop] = frozenset(found)
    return module.changing[loop]


def _exponential(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    marks = " ".join(module.text(each) for each in function.decorator_list)
    if any(each in marks for each in _CACHES) or len(function.args.args) > 2:
        return
    for node in module.own[function]:
        match node:
            case ast.BinOp(op=ast.Add(), left=left, right=right):
                calls = [each for each in (left, right) if isinstance(each, ast.Call) and module.called(each) == function.name]
                smaller = [
                    each for call in calls for each in call.args
                    if isinstance(each, ast.BinOp) and isinstance(each.op, ast.Sub) and isinstance(each.right, ast.Constant)
                ]  # fmt: skip
                if len(calls) == 2 and len(smaller) >= 2:
                    yield of_function("exponential_recursion", function)
                    return


def _hints(module: CodeModule, node: ast.For) -> Iterator[QualityHit]:
    match node:
        case ast.For(body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[_]))]):
            if name in module.lists(module.function_of(node) or module.tree) and not node.orelse:
                yield at("comprehension", node, name=name)
    match node.iter:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="keys"), args=[], keywords=[]):
            yield at("keys", node, name=name)
        case ast.Call(func=ast.Name(id="range"), args=[ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)])]):
            if isinstance(node.target, ast.Name):
                index = node.target.id
                uses = [each for each in ast.walk(node) if isinstance(each, ast.Name) and each.id == index][1:]
                above = [module.parent[each] for each in uses]
                is_plain = all(isinstance(each, ast.Subscript) and isinstance(each.ctx, ast.Load) and isinstance(each.value, ast.Name) and each.value.id == name for each in above)  # fmt: skip
                if uses and is_plain:
                    yield at("enumerate", node, name=name)
