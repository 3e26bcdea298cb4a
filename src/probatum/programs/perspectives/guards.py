"""Where code expects that something is not there: nothing that stands in such a place is surely wrong.

Such places are the bodies of ``try`` that catch what would be raised, of ``with`` that takes it, branches on versions,
platforms and settings, and what is never run. Refuses to tell a setting from a feature: a branch on either is one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from probatum.programs.parsing.expressions import called_name, last_name
from probatum.programs.parsing.scanning import word_set

Binders = Mapping[str, Sequence[ast.AST]]
"""The names of a scope, each with all nodes that bind it there."""
_CATCH = word_set("ImportError ModuleNotFoundError AttributeError NameError TypeError Exception BaseException")
_TAKE = word_set("suppress raises assertRaises assertRaisesRegex xfail")
_ASKS = word_set("hasattr getattr callable find_spec TYPE_CHECKING")
_TELL = word_set("sys os platform sysconfig importlib six")
_ABOUT_TYPES = word_set("isinstance issubclass")
_MISSES = word_set("__getattr__ __getattribute__")
"""Functions that answer by an error what is not there."""
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_DEFINITIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_SURE = (ast.List, ast.Tuple, ast.Set, ast.Dict)


def guarded(node: ast.AST, module: Binders) -> Iterator[ast.AST]:
    """Yield the parts of a node in which nothing is sure."""
    match node:
        case ast.If() | ast.While() if _is_feature(node.test, module):
            yield from (*node.body, *node.orelse)
        case ast.IfExp() if _is_feature(node.test, module):
            yield from (node.body, node.orelse)
        case ast.BoolOp(values=values):
            yield from _after((_is_feature(each, module) for each in values), values)
        case ast.Try(body=body, handlers=handlers) | ast.TryStar(body=body, handlers=handlers) if _is_caught(handlers):
            yield from [*body, *handlers]
        case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body) if any(
            isinstance(each.context_expr, ast.Call) and called_name(each.context_expr) in _TAKE for each in items
        ):
            yield from body
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            tests = [test for each in node.generators for test in each.ifs]
            yield from ast.iter_child_nodes(node) if any(_is_feature(each, module) for each in tests) else ()
        case ast.FunctionDef(name=name, body=body) | ast.AsyncFunctionDef(name=name, body=body):
            # What a test skips, or a function is registered for, is asked in the decorator.
            calls = [each for each in node.decorator_list if isinstance(each, ast.Call)]
            yield from body if name in _MISSES or any(_is_feature(each, module) for each in calls) else ()
    for block in (getattr(node, field, None) for field in ("body", "orelse", "finalbody")):
        if isinstance(block, list):
            yield from _after((_may_leave(each, module) for each in block), block)


def _after(marks: Iterator[bool], nodes: Sequence[ast.AST]) -> Sequence[ast.AST]:
    """Return the nodes behind the first that is marked."""
    return next((nodes[place + 1 :] for place, mark in enumerate(marks) if mark), ())


def _may_leave(node: ast.stmt, module: Binders) -> bool:
    match node:
        case ast.If(test=test, body=body, orelse=other):
            return any(isinstance(each, _ENDS) for each in (*body[-1:], *other[-1:])) and _is_feature(test, module)
        case ast.Assert(test=test):
            return _is_feature(test, module)
        case _:
            return isinstance(node, _ENDS)


def _is_caught(handlers: Sequence[ast.ExceptHandler]) -> bool:
    """Whether a ``try`` catches what a wrong use raises."""
    types = [each.type for each in handlers]
    parts = [part for each in types if each is not None for part in ast.walk(each)]
    # A name that is none of Python's may stand for any of them.
    named = {last_name(part) for part in parts if isinstance(part, ast.Name | ast.Attribute)}
    return None in types or not named.isdisjoint(_CATCH) or any(each and not _is_error(each) for each in named)


def _is_error(name: str) -> bool:
    return name.endswith(("Error", "Exception", "Warning")) or name in {"KeyboardInterrupt", "StopIteration"}


def _is_feature(test: ast.expr, module: Binders) -> bool:
    """Whether a condition may ask what is there: a version, a platform, a module, a setting; or never holds."""
    waiting: list[ast.AST] = [test]
    while waiting:
        node = waiting.pop()
        root = _root(node)
        match node:
            case ast.Constant(value=value) if node is test and not value:
                return True
            case ast.Call(func=called, args=given, keywords=named):
                is_path = root == "os" and ast.unparse(called).startswith("os.path.")
                if last_name(called) in _ASKS or (root in _TELL and not is_path):
                    return True
                if not given and not named and isinstance(called, ast.Name) and root in module:
                    return True
                waiting += given[:1] if last_name(called) in _ABOUT_TYPES else [*given, *named]
                waiting += [called.value] if isinstance(called, ast.Attribute) and root not in module else []
            case ast.Attribute() | ast.Name() if root in _ASKS or root in _TELL or not _is_sure(module.get(root, ())):
                return True
            case _:
                waiting += ast.iter_child_nodes(node)
    return False


def _is_sure(binders: Sequence[ast.AST]) -> bool:
    """Whether a name is not the module's, is a definition, or stands for a plain value that is no switch."""
    match binders:
        case []:
            return True
        case [ast.Assign(value=value) | ast.AnnAssign(value=value)]:
            is_plain = isinstance(value, ast.Constant) and type(value.value) in {str, int, float, bytes}
            return is_plain or isinstance(value, _SURE)
        case _:
            return len(binders) == 1 and isinstance(binders[0], _DEFINITIONS)


def _root(node: ast.AST) -> str:
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return node.id if isinstance(node, ast.Name) else ""
