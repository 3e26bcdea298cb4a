"""What looks wrong in an expression or a statement of Python: comparisons, formats, divisions, changed collections.

Each rule names a pattern that is seldom meant. None runs anything, so that what looks wrong may be right.
"""

from __future__ import annotations

import ast
import math
import re
import string
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

from probatum.judge.quality.module import (
    FUNCTIONS,
    LOOPS,
    CodeModule,
    FunctionNode,
    LoopNode,
    at,
    names_in,
    parameters_of,
)
from probatum.judge.quality.scoring import QualityHit

_PERCENT: Final = re.compile(r"%(?:\((\w*)\))?[#0\- +]*(\*|\d*)(?:\.(\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])")
_LOGGING: Final = frozenset("debug info warning error critical exception".split())
_PURE_METHODS: Final = frozenset("strip lstrip rstrip upper lower title capitalize casefold swapcase startswith endswith "
                                 "isdigit isalpha splitlines zfill removeprefix removesuffix".split())  # fmt: skip
_PURE_CALLS: Final = frozenset("sorted reversed len sum min max abs str int float bool tuple range enumerate zip map filter".split())
_CHANGES_LIST: Final = frozenset("append extend insert sort reverse".split())
_CHANGES_SIZE: Final = frozenset("remove insert pop clear add discard popitem".split())
_MAKERS: Final = frozenset("list dict set bytearray collections.defaultdict collections.OrderedDict collections.deque".split())
_MISPLACED: Final = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.BitXor)


def smell_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what looks wrong at one place of the code."""
    used = {each.id: each.lineno for each in reversed(module.own[module.tree]) if isinstance(each, ast.Name)}
    for node in module.nodes:
        match node:
            case ast.Compare():
                yield from _compare(module, node)
            case ast.BinOp():
                yield from _arithmetic(module, node)
            case ast.BoolOp():
                texts = Counter(text for each in node.values if "(" not in (text := module.text(each)))
                if texts and max(texts.values()) > 1:
                    yield at("identical_operands", node, what=module.text(node))
            case ast.If(body=body, orelse=[_, *_] as orelse) if _source(module, body) == _source(module, orelse):
                yield at("identical_branches", node)
            case ast.Dict():
                yield from _keys(module, node)
            case ast.Call():
                yield from _call_format(module, node)
            case ast.Expr():
                yield from _unused(module, node)
            case ast.Assign() | ast.Return():
                yield from _none_assigned(module, node)
            case ast.Raise(exc=ast.Name(id="NotImplemented") | ast.Call(func=ast.Name(id="NotImplemented"))):
                yield at("raised_not_implemented", node)
            case ast.Assert(test=ast.Tuple(elts=[_, *_])):
                yield at("assert_tuple", node)
            case ast.ExceptHandler():
                yield from _handler(module, node)
            case ast.For() | ast.AsyncFor():
                yield from _changed(module, node)
                yield from _past_end(module, node)
            case ast.While():
                yield from _endless(module, node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _defaults(module, node)
                yield from _empty_division(module, node)
            case ast.Lambda():
                yield from _late(module, node)
        if isinstance(node, ast.Module | ast.ClassDef):
            yield from _redefined(node, used)


def _source(module: CodeModule, body: Sequence[ast.stmt]) -> str:
    return "\n".join(module.text(each) for each in body)


def _compare(module: CodeModule, node: ast.Compare) -> Iterator[QualityHit]:
    in_assert = any(isinstance(each, ast.Assert) for each in module.ancestors(node))
    for operator, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
        values = [each.value if isinstance(each, ast.Constant) else math for each in (left, right)]
        is_equality = isinstance(operator, ast.Eq | ast.NotEq)
        mark = "==" if isinstance(operator, ast.Eq) else "!="
        if is_equality and None in values:
            yield at("none_comparison", node, what=mark)
        elif is_equality and isinstance(right, ast.Constant) and isinstance(right.value, bool):
            yield at("truth_comparison", node, what=right.value)
        elif is_equality and not in_assert and any(isinstance(each, float) and not each.is_integer() for each in values):
            yield at("float_equality", node, what=module.text(right))
        elif isinstance(operator, ast.Is | ast.IsNot) and (
            any(isinstance(each, str | int | float | bytes) and not isinstance(each, bool) for each in values)
            or isinstance(right, ast.List | ast.Dict | ast.Tuple | ast.Set)
        ):
            yield at("is_literal", node)
        elif is_equality and all(module.called(each) == "type" and len(each.args) == 1 for each in (left, right) if isinstance(each, ast.Call)) and module.called(left) == "type":  # fmt: skip
            yield at("type_comparison", node)
        elif not in_assert and not isinstance(operator, ast.NotEq) and _is_same(module, left, right):
            yield at("identical_operands", node, what=module.text(node))


def _is_same(module: CodeModule, left: ast.expr, right: ast.expr) -> bool:
    if type(left) is not type(right) or isinstance(left, ast.Constant | ast.Call | ast.Await):
        return False
    text = module.text(left)
    return "(" not in text and text == module.text(right)


def _arithmetic(module: CodeModule, node: ast.BinOp) -> Iterator[QualityHit]:
    if isinstance(node.op, _MISPLACED) and _is_same(module, node.left, node.right):
        yield at("identical_operands", node, what=module.text(node))
    if isinstance(node.op, ast.Mod) and isinstance(node.left, ast.Constant) and isinstance(node.left.value, str):
        places = _places(node.left.value)
        given = len(node.right.elts) if isinstance(node.right, ast.Tuple) else 1
        is_unknown = isinstance(node.right, ast.Tuple) and any(isinstance(each, ast.Starred) for each in node.right.elts)
        is_open = not isinstance(node.right, ast.Tuple | ast.Constant | ast.JoinedStr)
        if places is not None and not is_unknown and places != given and not (is_open and (places or 0) > 0):
            yield at("format_arguments", node, name=places, what=given)


def _places(text: str) -> int | None:
    """Return how many values a format with % takes; None where it takes them by name."""
    found = [match for match in _PERCENT.finditer(text) if match[4] != "%"]
    if any(match[1] is not None for match in found):
        return None
    return sum(1 + (match[2] == "*") + (match[3] == "*") for match in found)


def _call_format(module: CodeModule, node: ast.Call) -> Iterator[QualityHit]:
    if not isinstance(node.func, ast.Attribute) or any(isinstance(each, ast.Starred) for each in node.args):
        return
    method, given, base = node.func.attr, len(node.args), node.func.value
    if method == "format" and isinstance(base, ast.Constant) and isinstance(base.value, str):
        try:
            fields = [name for _, name, _, _ in string.Formatter().parse(base.value) if name is not None]
            nested = [spec for _, _, spec, _ in string.Formatter().parse(base.value) if spec and "{" in spec]
        except ValueError:
            return
        firsts = [re.split(r"[.\[]", name)[0] for name in fields]
        numbers = [int(name) for name in firsts if name.isdecimal() and len(name) < 4]
        wanted = max(numbers, default=-1) + 1 if numbers else firsts.count("")
        if not nested and (wanted > given or (given > wanted and not numbers)):
            yield at("format_arguments", node, name=wanted, what=given)
    elif method in _LOGGING and given > 1 and isinstance(node.args[0], ast.Constant):
        text = node.args[0].value
        places = _places(text) if isinstance(text, str) else None
        if places is not None and places != given - 1 and not isinstance(node.args[1], ast.Dict):
            yield at("format_arguments", node, name=places, what=given - 1)


def _keys(module: CodeModule, node: ast.Dict) -> Iterator[QualityHit]:
    seen: set[tuple[type, object]] = set()
    for key in node.keys:
        if isinstance(key, ast.Constant):
            if (type(key.value), key.value) in seen:
                yield at("same_key", key, name=module.text(key))
            seen.add((type(key.value), key.value))


def _unused(module: CodeModule, node: ast.Expr) -> Iterator[QualityHit]:
    value, above = node.value, module.parent[node]
    is_shown = module.is_excerpt and above is module.tree
    if is_shown or isinstance(above, ast.Try | ast.With | ast.AsyncWith):
        return
    match value:
        case ast.Compare():
            yield at("unused_result", node, what=module.text(value))
        case ast.Call(func=ast.Attribute(attr=name, value=ast.Name() | ast.Constant())) if name in _PURE_METHODS:
            if not value.keywords:
                yield at("unused_result", node, what=module.text(value))
        case ast.Call(func=ast.Name(id=name), args=[_, *_]) if name in _PURE_CALLS:
            if name not in module.imported:
                yield at("unused_result", node, what=module.text(value))


def _none_assigned(module: CodeModule, node: ast.Assign | ast.Return) -> Iterator[QualityHit]:
    match node.value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _CHANGES_LIST:
            scope = module.function_of(node) or module.tree
            if name in module.lists(scope):
                yield at("none_assigned", node, what=f"{name}.{method}()")


def _handler(module: CodeModule, node: ast.ExceptHandler) -> Iterator[QualityHit]:
    is_broad = node.type is None or module.named(node.type) in ("Exception", "BaseException")
    match node.body:
        case [ast.Pass() | ast.Expr(value=ast.Constant())] if is_broad:
            yield at("swallowed_exception", node)
            return
    if node.type is None and not any(isinstance(each, ast.Raise) for each in ast.walk(node)):
        yield at("bare_except", node)


def _defaults(module: CodeModule, node: FunctionNode) -> Iterator[QualityHit]:
    given = [*node.args.posonlyargs, *node.args.args]
    pairs = [*zip(reversed(given), reversed(node.args.defaults), strict=False)]
    pairs += [(name, value) for name, value in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if value]
    for name, value in pairs:
        if isinstance(value, ast.List | ast.Dict | ast.Set) or module.called(value) in _MAKERS:
            yield at("mutable_default", value, name=name.arg)


def _empty_division(module: CodeModule, function: FunctionNode) -> Iterator[QualityHit]:
    own = module.own[function]
    given = {each.arg for each in parameters_of(function)} - {"self", "cls"}
    counts: dict[str, str] = {}
    """Names that hold the length of a parameter, or what a loop counts from zero."""
    counters = {
        node.target.id
        for node in own
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add)
        and node in module.loop and isinstance(node.value, ast.Constant)
    }  # fmt: skip
    for node in own:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=of)])):
                if of in given:
                    counts[name] = of
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=0)) if name in counters:
                counts[name] = name
    tested = {name for node in own for name in _tested(node)}
    for node in own:
        if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div | ast.FloorDiv):
            continue
        match node.right:
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]) if name in given:
                of = {name} | {each for each, counted in counts.items() if counted == name}
            case ast.Name(id=name) if name in counts:
                of = {name, counts[name]}
            case _:
                continue
        if not of & tested and not any(isinstance(each, ast.Try) for each in module.ancestors(node)):
            yield at("empty_division", node, what=f"'{module.text(node.right)}'")


def _tested(node: ast.AST) -> set[str]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return names_in(test)
        case ast.comprehension(ifs=ifs):
            return {name for each in ifs for name in names_in(each)}
        case ast.BoolOp() | ast.Match():
            return names_in(node if isinstance(node, ast.BoolOp) else node.subject)
    return set()


def _late(module: CodeModule, node: ast.Lambda) -> Iterator[QualityHit]:
    above = module.parent[node]
    match above:
        case ast.Call(func=ast.Attribute(attr="append" | "setdefault" | "add")) | ast.Assign(targets=[ast.Subscript()]):
            loop = module.loop.get(node)
            targets = names_in(loop.target) if isinstance(loop, ast.For | ast.AsyncFor) else set()
        case ast.ListComp() | ast.DictComp():
            targets = {name for each in above.generators for name in names_in(each.target)}
        case _:
            return
    used = sorted(names_in(node.body) & targets - {each.arg for each in parameters_of(node)})
    if used:
        yield at("late_closure", node, name=used[0])


def _redefined(node: ast.Module | ast.ClassDef, used: Mapping[str, int]) -> Iterator[QualityHit]:
    seen: dict[str, int] = {}
    for each in node.body:
        if isinstance(each, (*FUNCTIONS, ast.ClassDef)) and not each.decorator_list:
            first = seen.get(each.name)
            if first is not None and each.name != "_" and not first <= used.get(each.name, 0) <= each.lineno:
                yield at("redefined", each, name=each.name)
            seen[each.name] = each.lineno


def _inside(module: CodeModule, loop: LoopNode) -> Iterator[ast.AST]:
    """Yield the nodes of a loop's body, in its functions too."""
    for each in loop.body:
        yield from ast.walk(each)


def _changed(module: CodeModule, node: ast.For | ast.AsyncFor) -> Iterator[QualityHit]:
    match node.iter:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)]):
            pass
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items" | "keys" | "values")):
            pass
        case _:
            return
    for each in _inside(module, node):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=changed), attr=method)) if method in _CHANGES_SIZE:
                pass
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=changed))]):
                pass
            case _:
                continue
        if changed == name and not _leaves_after(module, each, node):
            yield at("changed_while_iterated", each, name=name)


def _leaves_after(module: CodeModule, node: ast.AST, loop: ast.AST) -> bool:
    """Return whether the loop is left behind a node, or the name is bound anew."""
    for above in module.ancestors(node):
        if above is loop:
            return any(isinstance(each, ast.Break | ast.Return) for each in loop.body)  # type: ignore[attr-defined]  # a loop
        bodies = [getattr(above, name, None) for name in ("body", "orelse")]
        if any(isinstance(body, list) and body and isinstance(body[-1], ast.Break | ast.Return | ast.Raise) for body in bodies):
            return True
    return False


def _past_end(module: CodeModule, node: ast.For | ast.AsyncFor) -> Iterator[QualityHit]:
    match node:
        case ast.For(target=ast.Name(id=index), iter=ast.Call(func=ast.Name(id="range"), args=[*_, last])) if (
            len(node.iter.args) < 3
        ):
            pass
        case _:
            return
    match last:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            is_plus = False
        case ast.BinOp(left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]), op=ast.Add()):
            is_plus = True
        case _:
            return
    body = list(_inside(module, node))
    if any(index in _tested(each) for each in body) or any(isinstance(each, ast.Try) for each in module.ancestors(node)):
        return
    for each in body:
        match each:
            case ast.Subscript(value=ast.Name(id=of), slice=at_index, ctx=ast.Load()) if of == name:
                match at_index:
                    case ast.BinOp(left=ast.Name(id=used), op=ast.Add(), right=ast.Constant(value=int(more))):
                        is_past = used == index and more > 0 and not is_plus
                    case ast.Name(id=used):
                        is_past = used == index and is_plus
                    case _:
                        is_past = False
                if is_past:
                    yield at("index_past_end", each, name=name, what=module.text(at_index))
                    return


def _endless(module: CodeModule, node: ast.While) -> Iterator[QualityHit]:
    allowed = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp)
    parts = [each for each in ast.walk(node.test) if isinstance(each, ast.expr)]
    names = names_in(node.test)
    function = module.function_of(node)
    if function is None or not names or not all(isinstance(each, allowed) for each in parts):
        return
    local = {each.arg for each in parameters_of(function)}
    local |= {each.id for each in module.own[function] if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    leaves = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)
    if not names <= local or any(isinstance(each, ast.Nonlocal | ast.Global) for each in ast.walk(function)):
        return
    for each in _inside(module, node):
        match each:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) if name in names:
                return
            case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)) if name in names:
                return
            case ast.Call() if names & {name for given in (*each.args, *each.keywords) for name in names_in(given)}:
                return
            case _ if isinstance(each, leaves):
                return
    yield at("endless_loop", node)
