"""What a program could know this process by: the names of classes and functions of ours.

Runs inside the sandbox, standard library only. The program finds what it would find in any other process. This is no
boundary: who walks through frames or searches the memory finds us all the same.
"""

from __future__ import annotations

import sys
import types
from typing import Any

# What they pass for, where the name of our class alone would tell.
_PASS_FOR = {
    "CappedOutput": ("_io", "BufferedWriter"),
    "Variables": ("builtins", "dict"),
    "Watched": ("builtins", "builtin_function_or_method"),
}
# Where the functions of a module come from.
_HOME = {"os": "posix"}
_ANY = ("importlib.abc", "MetaPathFinder")


def rename_classes() -> None:
    """Let classes of ours not be found by their names; errors keep theirs, which tell the judge."""
    for kind in _classes(object):
        if _is_ours(kind) and not issubclass(kind, BaseException):
            kind.__module__, kind.__name__ = _PASS_FOR.get(kind.__name__, _ANY)
            kind.__qualname__ = kind.__name__


def name_functions() -> None:
    """Give functions of ours that stand in others' modules the names of what they stand for."""
    for name, module in list(sys.modules.items()):
        for each, value in list(getattr(module, "__dict__", {}).items()):
            function = _as_function(value) if type(value) is types.MethodType else value
            if type(function) is types.FunctionType and _is_ours(value):
                function.__module__, function.__name__, function.__qualname__ = _HOME.get(name, name), each, each
                setattr(module, each, function)


def _as_function(method: types.MethodType) -> Any:
    def function(*given: Any, **named: Any) -> Any:
        return method(*given, **named)

    return function


def _classes(kind: type) -> list[type]:
    found: list[type] = type.__subclasses__(kind)
    return [each for one in found for each in (one, *_classes(one))] if kind is not type else []


def _is_ours(value: Any) -> bool:
    return str(getattr(value, "__module__", "")).startswith(str(__package__))
