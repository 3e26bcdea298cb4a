"""Files in which an answer depends on nothing but the arguments: what was run once for each input is then known of it.

A function that draws a number, reads a clock or keeps a state may answer otherwise the next time, however often it was
run. So what is listed here is all that such a file is made of. Refuses, with the first reason, whatever is not listed.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from probatum.programs.parsing.expressions import last_name
from probatum.programs.parsing.scanning import word_set

_MODULES = frozenset({"__future__", "collections.abc", "enum", "math", "typing", "typing_extensions"})
_FUNCTIONS = word_set(
    "abs all any bool bytes chr dict divmod enumerate filter float int isinstance issubclass len list map max min ord"
    " pow range reversed round sorted str sum tuple zip staticmethod property classmethod"
)
_ENUMS = frozenset({"Enum", "IntEnum", "StrEnum"})
_LAZY = word_set("enumerate filter map reversed zip")
_PLAIN = frozenset({"name", "value", "pi", "e", "inf", "nan"})
_NEVER = (
    *(
        ast.Global,
        ast.Nonlocal,
        ast.Import,
        ast.ImportFrom,
        ast.AsyncFunctionDef,
        ast.ClassDef,
        ast.With,
        ast.AsyncWith,
    ),
    *(ast.Yield, ast.YieldFrom, ast.Await, ast.AsyncFor, ast.Set, ast.SetComp, ast.Delete),
)


def why_not_closed(tree: ast.Module) -> str:
    """Return the first thing in a file by which an answer could depend on more than the arguments; empty for none."""
    return next(iter(_reasons(tree)), "")


def _reasons(tree: ast.Module) -> Iterator[str]:
    for each in tree.body:
        match each:
            case ast.ImportFrom(module=str() as module, level=0) if module in _MODULES:
                yield from ("it imports everything" for one in each.names if one.name == "*")
            case ast.Import(names=names) if all(one.name in _MODULES for one in names):
                pass
            case ast.FunctionDef():
                yield from _of_function(each)
            case ast.ClassDef(bases=[base], keywords=[], decorator_list=[]) if last_name(base) in _ENUMS:
                yield from _of_class(each)
            case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                yield from _of_value(value)
            case ast.Expr(value=ast.Constant()):
                pass
            case _:
                yield f"line {each.lineno} runs when the file is imported"
    known = _FUNCTIONS | {each.name for each in tree.body if isinstance(each, ast.FunctionDef)}
    for node in ast.walk(tree):
        yield from _of_node(node, known)
    if _writes_addresses(tree):
        yield "it could write where something lies in memory"


def _of_function(node: ast.FunctionDef) -> Iterator[str]:
    if [each for each in node.decorator_list if last_name(each) not in _FUNCTIONS]:
        yield f"{node.name} is decorated"
    for default in (*node.args.defaults, *node.args.kw_defaults):
        if default is not None:
            yield from _of_value(default)
    for inner in node.body:
        yield from (
            f"line {each.lineno} has {type(each).__name__}"
            for each in ast.walk(inner)
            if isinstance(each, _NEVER) and not _is_asked_for_membership(each, node)
        )


def _of_class(node: ast.ClassDef) -> Iterator[str]:
    for each in node.body:
        if isinstance(each, ast.FunctionDef):
            yield from _of_function(each)
        elif isinstance(each, ast.Assign):
            yield from _of_value(each.value)
        elif not isinstance(each, ast.Expr | ast.Pass):
            yield f"line {each.lineno} is no member"


def _of_value(node: ast.expr) -> Iterator[str]:
    """Yield why a value that outlives a call could change."""
    for each in ast.walk(node):
        if isinstance(
            each, ast.List | ast.Dict | ast.Set | ast.ListComp | ast.DictComp | ast.SetComp | ast.GeneratorExp
        ):
            yield f"line {each.lineno} keeps what could change"
        elif isinstance(each, ast.Call) and last_name(each.func) != "auto":
            yield f"line {each.lineno} calls something when the file is imported"


def _is_asked_for_membership(node: ast.AST, function: ast.FunctionDef) -> bool:
    """Whether a set is only asked what it contains, which no order of it shows."""
    return any(
        isinstance(each, ast.Compare)
        and len(each.ops) == 1
        and isinstance(each.ops[0], ast.In | ast.NotIn)
        and each.comparators[0] is node
        for each in ast.walk(function)
    )


def _of_node(node: ast.AST, known: frozenset[str] | set[str]) -> Iterator[str]:
    match node:
        case ast.Attribute(attr=name) if name.startswith("_"):
            yield f"line {node.lineno} uses {name}"
        case ast.Attribute(ctx=ast.Store() | ast.Del()):
            yield f"line {node.lineno} sets an attribute"
        case ast.Name(id=name, ctx=ast.Load()) if name.startswith("__"):
            yield f"line {node.lineno} uses {name}"
        case ast.Name(id=name, ctx=ast.Load()) if callable(getattr(builtins, name, None)):
            is_error = isinstance(found := getattr(builtins, name), type) and issubclass(found, BaseException)
            if name not in known and not is_error:
                yield f"line {node.lineno} uses {name}"


def _writes_addresses(tree: ast.Module) -> bool:
    """Whether a text could be made of something that is written with its place in memory."""
    own = {each.name for each in ast.walk(tree) if isinstance(each, ast.FunctionDef)}
    called = {id(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}
    writes = has_objects = False
    for node in ast.walk(tree):
        match node:
            case ast.JoinedStr() | ast.Name(id="str", ctx=ast.Load()) | ast.Attribute(attr="format" | "format_map"):
                writes = writes or isinstance(node, ast.JoinedStr) or id(node) in called
            case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
                writes = True
            case ast.GeneratorExp() | ast.Lambda():
                has_objects = True
            case ast.Name(id=name, ctx=ast.Load()) if name in _LAZY or (name in own and id(node) not in called):
                has_objects = True
            case ast.Attribute(attr=name, ctx=ast.Load()) if id(node) not in called and name not in _PLAIN:
                has_objects = True
    return writes and has_objects
