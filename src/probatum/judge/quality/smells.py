"""What looks wrong in an expression or a statement of Python: comparisons, formats, divisions, changed collections.

Each rule names a pattern that is seldom meant. None runs anything, so that what looks wrong may be right.
"""

from __future__ import annotations

import ast
import re
import string
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from probatum.exact.code.tables import words
from probatum.judge.quality.module import CodeModule, FunctionNode, at, names_in, parameters_of, within
from probatum.judge.quality.scoring import QualityHit

_PERCENT: Final = re.compile(r"%(?:\((\w*)\))?[#0\- +]*(\*|\d*)(?:\.(\*|\d+))?[hlL]?([diouxXeEfFgGcrsa%])")
_LOGGING: Final = words("debug info warning error critical exception")
_PURE_METHODS: Final = words("upper lower title capitalize casefold swapcase startswith endswith isdigit")
_PURE_CALLS: Final = words("sorted reversed len sum min max abs tuple range enumerate zip map filter")
_CHANGES_LIST: Final = words("append extend insert sort reverse")
_CHANGES_SIZE: Final = words("remove insert pop clear add discard popitem")
_MAKERS: Final = words("list dict set collections.defaultdict collections.OrderedDict collections.deque")
_LEAVES: Final = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await)


def smell_hits(module: CodeModule) -> Iterator[QualityHit]:
    """Yield what looks wrong at one place of the code."""
    for node in module.nodes:
        match node:
            case ast.Compare():
                yield from _compare(module, node)
            case ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mod(), right=right):
                yield from _percent(node, text, right)
            case ast.Call(func=ast.Attribute()):
                yield from _call_format(node)
            case ast.Expr():
                yield from _unused(module, node)
            case ast.Assign(value=value) | ast.Return(value=value):
                match value:
                    case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _CHANGES_LIST:
                        if name in module.lists(module.function_of(node) or module.tree):
                            yield at("none_assigned", node, what=f"{name}.{method}()")
            case ast.Assert(test=ast.Tuple(elts=[_, *_])):
                yield at("assert_tuple", node)
            case ast.ExceptHandler():
                yield from _handler(module, node)
            case ast.For() | ast.AsyncFor():
                yield from _changed(module, node)
            case ast.While():
                yield from _endless(module, node)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _defaults(module, node)
                yield from _empty_division(module, node)


def _compare(module: CodeModule, node: ast.Compare) -> Iterator[QualityHit]:
    for operator, (left, right) in zip(node.ops, pairwise([node.left, *node.comparators]), strict=True):
        values = [each.value for each in (left, right) if isinstance(each, ast.Constant)]
        if isinstance(operator, ast.Eq | ast.NotEq):
            if None in values:
                yield at("none_comparison", node, what="==" if isinstance(operator, ast.Eq) else "!=")
            # A fraction with a small power of two below it, such as 0.5, is exact.
            inexact = [each for each in values if isinstance(each, float) and not (each * 1024).is_integer()]
            if inexact and not any(isinstance(each, ast.Assert) for each in module.ancestors(node)):
                yield at("float_equality", node, what=inexact[0])
        elif isinstance(operator, ast.Is | ast.IsNot):
            is_value = any(
                isinstance(each, str | int | float | bytes) and not isinstance(each, bool) for each in values
            )
            if is_value or isinstance(right, ast.List | ast.Dict | ast.Tuple | ast.Set):
                yield at("is_literal", node)


def _percent(node: ast.BinOp, text: str, right: ast.expr) -> Iterator[QualityHit]:
    places, parts = _places(text), right.elts if isinstance(right, ast.Tuple) else [right]
    is_open = not isinstance(right, ast.Tuple | ast.Constant | ast.JoinedStr)
    is_unknown = any(isinstance(each, ast.Starred) for each in parts) or (is_open and bool(places))
    if places is not None and not is_unknown and places != len(parts):
        yield at("format_arguments", node, name=places, what=len(parts))


def _places(text: str) -> int | None:
    """Return how many values a format with % takes; None where it takes them by name."""
    found = [match for match in _PERCENT.finditer(text) if match[4] != "%"]
    if any(match[1] is not None for match in found):
        return None
    return sum(1 + (match[2] == "*") + (match[3] == "*") for match in found)


def _call_format(node: ast.Call) -> Iterator[QualityHit]:
    match node:
        case ast.Call(args=args) if any(isinstance(each, ast.Starred) for each in args):
            return
        case ast.Call(func=ast.Attribute(attr="format", value=ast.Constant(value=str(text))), args=args):
            try:
                fields = [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]
                is_nested = any("{" in (spec or "") for _, _, spec, _ in string.Formatter().parse(text))
            except ValueError:
                return
            firsts = [re.split(r"[.\[]", name)[0] for name in fields]
            numbers = [int(name) for name in firsts if name.isdecimal() and len(name) < 4]
            wanted = max(numbers, default=-1) + 1 if numbers else firsts.count("")
            if not is_nested and (wanted > len(args) or (len(args) > wanted and not numbers)):
                yield at("format_arguments", node, name=wanted, what=len(args))
        case ast.Call(func=ast.Attribute(attr=method), args=[ast.Constant(value=str(text)), first, *rest]):
            places = _places(text)
            if method in _LOGGING and places not in (None, len(rest) + 1) and not isinstance(first, ast.Dict):
                yield at("format_arguments", node, name=places, what=len(rest) + 1)


def _unused(module: CodeModule, node: ast.Expr) -> Iterator[QualityHit]:
    above = module.parent[node]
    # What stands last in an excerpt may be shown; what is tried may be meant to raise.
    if (module.is_excerpt and above is module.tree) or isinstance(above, ast.Try | ast.With | ast.AsyncWith):
        return
    match node.value:
        case ast.Call(func=ast.Attribute(attr=name, value=ast.Name() | ast.Constant())):
            is_pure = name in _PURE_METHODS
        case ast.Call(func=ast.Name(id=name), args=[_, *_]):
            is_pure = name in _PURE_CALLS and name not in module.imported
        case value:
            is_pure = isinstance(value, ast.Compare)
    if is_pure:
        yield at("unused_result", node, what=module.text(node.value))


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
    own, given = module.own[function], {each.arg for each in parameters_of(function)} - {"self", "cls"}
    counts: dict[str, str] = {}
    """Names that hold the length of a parameter, or what a loop counts up from zero."""
    counters = set[str]()
    for node in own:
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant()) if node in module.loop:
                counters.add(name)
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=of)])
            ):
                if of in given:
                    counts[name] = of
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value=0)):
                counts[name] = name
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                given.add(name)
    counts = {name: of for name, of in counts.items() if name != of or name in counters}
    tested = {name for node in own for name in _tested(node)}
    for node in own:
        match node:
            case ast.BinOp(
                op=ast.Div() | ast.FloorDiv(), right=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=of)])
            ):
                names = {of, *(name for name, counted in counts.items() if counted == of)} if of in given else set()
            case ast.BinOp(op=ast.Div() | ast.FloorDiv(), right=ast.Name(id=name)) if name in counts:
                names = {name, counts[name]}
            case _:
                continue
        if names and not names & tested and not any(isinstance(each, ast.Try) for each in module.ancestors(node)):
            yield at("empty_division", node, what=f"'{module.text(node.right)}'")


def _tested(node: ast.AST) -> set[str]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test) | ast.Assert(test=test):
            return names_in(test)
        case ast.Match(subject=test):
            return names_in(test)
        case ast.BoolOp():
            return names_in(node)
    return set()


def _changed(module: CodeModule, node: ast.For | ast.AsyncFor) -> Iterator[QualityHit]:
    match node.iter:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=name)]):
            iterated = name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items" | "keys" | "values")):
            iterated = name
        case _:
            return
    for each in within(node.body):
        match each:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=changed), attr=method)):
                is_change = changed == iterated and method in _CHANGES_SIZE
            case ast.Delete(targets=[ast.Subscript(value=ast.Name(id=changed))]):
                is_change = changed == iterated
            case _:
                continue
        if is_change and not _leaves_after(module, each, node):
            yield at("changed_while_iterated", each, name=iterated)


def _leaves_after(module: CodeModule, node: ast.AST, loop: ast.For | ast.AsyncFor) -> bool:
    """Return whether the loop is left once a node has run."""
    for above in module.ancestors(node):
        bodies = [getattr(above, name, None) for name in ("body", "orelse")]
        if any(isinstance(body, list) and body and isinstance(body[-1], _LEAVES) for body in bodies) or above is loop:
            return any(isinstance(each, _LEAVES) for body in bodies if isinstance(body, list) for each in body)
    return False


def _endless(module: CodeModule, node: ast.While) -> Iterator[QualityHit]:
    allowed = (ast.Name, ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.BinOp)
    names, function = names_in(node.test), module.function_of(node)
    is_plain = all(isinstance(each, allowed) for each in ast.walk(node.test) if isinstance(each, ast.expr))
    if function is None or not names or not is_plain:
        return
    own = {each.arg for each in parameters_of(function)}
    for each in within(function.body):
        match each:
            # What has a method, an index or another function that sees it may change out of sight.
            case ast.Attribute(value=ast.Name(id=name)) | ast.Subscript(value=ast.Name(id=name)) if name in names:
                return
            case ast.Nonlocal() | ast.Global():
                return
            case ast.Name(id=name, ctx=ast.Store()):
                own.add(name)
    for each in within(node.body):
        is_changed = isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load) and each.id in names
        is_seen = isinstance(each, ast.Call) and module.called(each) not in {*_PURE_CALLS, "print", "int", "str"}
        is_given = is_seen and any(names & names_in(part) for part in (*each.args, *each.keywords))  # type: ignore[attr-defined]  # a call
        if is_changed or is_given or isinstance(each, _LEAVES):
            return
    if names <= own:
        yield at("endless_loop", node)
