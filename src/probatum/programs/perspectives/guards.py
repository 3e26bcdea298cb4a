"""Where code expects that something is not there: nothing that stands in such a place is surely wrong.

Such places are the bodies of ``try`` that catch what would be raised, of ``with`` that takes it, branches on versions,
platforms and settings, and what is never run. Refuses to tell a setting from a feature: a branch on either is one.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from probatum.programs.parsing.expressions import called_name, last_name
from probatum.programs.parsing.scanning import word_set
from probatum.programs.perspectives.scopes import UseScope

_CATCH = word_set("ImportError ModuleNotFoundError AttributeError NameError TypeError Exception BaseException")
_TAKE = word_set("suppress raises assertRaises assertRaisesRegex xfail")
_ASKS = word_set("hasattr getattr callable find_spec TYPE_CHECKING")
_TELL = word_set("sys os platform sysconfig importlib six")
_ABOUT_TYPES = word_set("isinstance issubclass")
_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_SURE = (ast.List, ast.Tuple, ast.Set, ast.Dict)


def is_caught(node: ast.Try | ast.TryStar) -> bool:
    """Whether a ``try`` catches what a wrong use raises."""
    types = [each.type for each in node.handlers]
    parts = [part for each in types if each is not None for part in ast.walk(each)]
    # A name that is none of Python's may stand for any of them.
    named = {last_name(part) for part in parts if isinstance(part, ast.Name | ast.Attribute)}
    return None in types or not named.isdisjoint(_CATCH) or any(each and not _is_error(each) for each in named)


def _is_error(name: str) -> bool:
    return name.endswith(("Error", "Exception", "Warning")) or name in {"KeyboardInterrupt", "StopIteration"}


def is_taken(node: ast.With | ast.AsyncWith) -> bool:
    """Whether a ``with`` takes what its body raises."""
    calls = [each.context_expr for each in node.items if isinstance(each.context_expr, ast.Call)]
    return any(called_name(each) in _TAKE for each in calls)


def ends(block: Sequence[ast.stmt]) -> bool:
    """Whether what follows a block is not run after it."""
    return bool(block) and isinstance(block[-1], _ENDS)


def is_feature(test: ast.AST, module: UseScope) -> bool:
    """Whether a condition may ask what is there: a version, a platform, a module, a setting; or is none at all."""
    if isinstance(test, ast.Constant):
        return True
    waiting = [test]
    while waiting:
        node = waiting.pop()
        match node:
            case ast.Call(func=called, args=given, keywords=named):
                root = _root(called)
                if last_name(called) in _ASKS or (root in _TELL and not _is_path(called)):
                    return True
                if not given and not named and isinstance(called, ast.Name) and called.id in module.binders:
                    return True
                waiting += given[:1] if last_name(called) in _ABOUT_TYPES else [*given, *named]
                waiting += [called.value] if isinstance(called, ast.Attribute) and root not in module.binders else []
            case ast.Attribute() if (root := _root(node)) in module.binders or root in _TELL:
                if root in _TELL or not isinstance(module.only(root), ast.ClassDef):
                    return True
            case ast.Name(id=name) if name in _ASKS or (name in module.binders and not _is_sure(module, name)):
                return True
            case _:
                waiting += ast.iter_child_nodes(node)
    return False


def _is_path(called: ast.expr) -> bool:
    return ast.unparse(called).startswith("os.path.")


def _is_sure(module: UseScope, name: str) -> bool:
    """Whether a name of the module is a definition, or stands for a plain value that is no switch."""
    match module.only(name):
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return True
        case ast.Name() as target:
            return id(target) in _plain_targets(module)
        case _:
            return False


def _plain_targets(module: UseScope) -> set[int]:
    body = module.node.body if isinstance(module.node, ast.Module) else []
    found = set[int]()
    for each in body:
        match each:
            case (
                ast.Assign(targets=[ast.Name() as target], value=value)
                | ast.AnnAssign(target=ast.Name() as target, value=ast.expr() as value)
            ):
                is_plain = isinstance(value, ast.Constant) and type(value.value) in {str, int, float, bytes}
                found |= {id(target)} if is_plain or isinstance(value, _SURE) else set()
    return found


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute | ast.Call):
        node = node.value if isinstance(node, ast.Attribute) else node.func
    return getattr(node, "id", "")
