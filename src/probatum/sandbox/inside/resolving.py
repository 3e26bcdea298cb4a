"""Whether names, attributes and calls that a program writes fit what is installed: tried without calling anything.

Runs inside the sandbox, standard library only, beside the loaded program: what it finds can withhold VERIFIED and never
earn it. Refuses to say that something is wrong where another module, platform or moment may make it right.
"""

from __future__ import annotations

import abc
import ast
import builtins
import enum
import importlib
import importlib.util
import inspect
import re
import sys
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Question = tuple[str, str, str, Sequence[str], "tuple[int, Sequence[str]] | None"]
_UNKNOWN: Any = object()
_ORDINARY = (type, abc.ABCMeta)
_CHANGING = ("sys", "builtins", "__main__", "platform")
"""Modules whose names differ by platform, or that others add names to."""
_BY_PLATFORM = """
asyncio ctypes curses errno fcntl locale mmap multiprocessing os posix resource select selectors signal socket ssl stat
subprocess termios threading time
"""
"""Modules some of whose names are those of other platforms: all that are written in capitals, and these."""
_ELSEWHERE = """
windll oledll WinDLL OleDLL WinError FormatError GetLastError WINFUNCTYPE HRESULT get_last_error set_last_error
startfile add_dll_directory getuid lchflags chflags lchmod plock kqueue kevent devpoll ioctl tzset ProactorEventLoop
IocpProactor WindowsSelectorEventLoopPolicy WindowsProactorEventLoopPolicy get_handle_inheritable get_osfhandle
set_handle_inheritable open_osfhandle DllCanUnloadNow DllGetClassObject pthread_getname_np WindowsError
"""
_SLOTTED = (str, bytes, bytearray, int, float, complex, bool, tuple, list, dict, set, frozenset, re.Pattern)
_STEPS = 12


def answers(questions: Iterable[Question], space: Mapping[str, Any], project: Iterable[str]) -> list[str]:
    """Return for each question why it is surely wrong; empty where it is not, or nobody can tell."""
    ours = frozenset(project)
    found = []
    for kind, module, root, path, call in questions:
        try:
            found.append(_answer((kind, module, root, path, call), space, ours))
        except Exception:  # noqa: BLE001  the program's own objects may raise anything
            found.append("")
    return found


def _answer(question: Question, space: Mapping[str, Any], ours: frozenset[str]) -> str:
    kind, module, root, path, call = question
    if kind == "method":
        return _method(space, root.split("."), path[0], call)
    if kind == "import":
        start = _imported(module, root, space, ours)
    else:
        start = getattr(builtins, root, _UNKNOWN) if kind == "constant" or root not in space else space[root]
    if kind == "unbound":
        return f"name {root!r} is not defined" if start is _UNKNOWN and root not in _ELSEWHERE.split() else ""
    value = start
    for name in path[:_STEPS]:
        value, missing = _step(value, name, is_instance=kind == "constant" and value is start)
        if missing:
            return missing
    return "" if call is None else _misfit(value, call[0] + (kind == "constant"), call[1])


def _imported(module: str, root: str, space: Mapping[str, Any], ours: frozenset[str]) -> Any:
    """Return a module that a function imports, where importing it is cheap: it is loaded, Python's, or the project's.

    ``root`` is its first part where the statement binds that.
    """
    package = space.get("__package__") or ""
    name = importlib.util.resolve_name(module, package) if module.startswith(".") else module
    top = name.partition(".")[0]
    if name not in sys.modules and top not in sys.stdlib_module_names and name not in ours:
        return _UNKNOWN
    found = importlib.import_module(name)
    return sys.modules[root] if root else found


def _step(value: Any, name: str, *, is_instance: bool) -> tuple[Any, str]:
    """Return the attribute of a value; unknown where it may come and go, with the reason where it is surely missing."""
    kind, is_class = type(value), isinstance(value, type)
    if kind is not types.ModuleType and not is_class and kind not in _SLOTTED:
        return _UNKNOWN, ""
    try:
        found = getattr(value, name)
    except AttributeError:
        said, is_missing = f"{kind.__name__!r} object", True
        if kind is types.ModuleType:
            said, is_missing = f"module {value.__name__!r}", _is_missing_in_module(value, name)
        elif is_class:
            said = f"{value.__name__!r} object" if is_instance else f"type object {value.__name__!r}"
            is_missing = _is_missing_in_class(value, name)
        return _UNKNOWN, f"{said} has no attribute {name!r}" if is_missing else ""
    # What an instance answers is not what its class does.
    is_known = not is_class or not is_instance or isinstance(found, types.MethodDescriptorType)
    return (found if is_known else _UNKNOWN), ""


def _is_missing_in_module(module: types.ModuleType, name: str) -> bool:
    top, spec = module.__name__.partition(".")[0], getattr(module, "__spec__", None)
    is_elsewhere = top in _BY_PLATFORM.split() and (name.isupper() or name in _ELSEWHERE.split())
    is_begun = spec is None or getattr(spec, "_initializing", False)
    if module.__name__ in _CHANGING or "__getattr__" in vars(module) or is_elsewhere or is_begun:
        return False
    if hasattr(module, "__path__") and importlib.util.find_spec(f"{module.__name__}.{name}") is not None:
        return False
    if getattr(module, "__file__", None) is None:
        # Of a namespace any folder may hold a part.
        return module.__name__ in sys.builtin_module_names
    return not _is_written(module, name)


def _is_missing_in_class(value: type, name: str) -> bool:
    if type(value) not in (*_ORDINARY, enum.EnumMeta):
        return False
    modules = {sys.modules.get(each.__module__) for each in value.__mro__ if each is not object}
    return all(each is builtins or (each is not None and not _is_written(each, name)) for each in modules)


def _is_written(module: types.ModuleType, name: str) -> bool:
    """Whether the text of a module binds the name anywhere, or has it as a text: it may be there at another moment.

    Compiled modules of Python bind none later.
    """
    try:
        tree = ast.parse(inspect.getsource(module))
    except (OSError, TypeError, SyntaxError, ValueError):
        return module.__name__.partition(".")[0] not in sys.stdlib_module_names
    return any(_binds(each, name) for each in ast.walk(tree))


def _binds(node: ast.AST, name: str) -> bool:
    if isinstance(getattr(node, "ctx", None), ast.Load):
        return False
    # How the nodes call what they bind, and what a text says.
    return name in [getattr(node, each, None) for each in ("id", "attr", "name", "asname", "arg", "value", "rest")]


def _method(space: Mapping[str, Any], owner: Sequence[str], name: str, call: Any) -> str:
    """Return why a call of a method by ``self`` or ``cls`` does not fit the one method that it can reach."""
    found: Any = space.get(owner[0], _UNKNOWN)
    for part in owner[1:]:
        found = vars(found).get(part, _UNKNOWN)
    if not isinstance(found, type) or type(found) not in _ORDINARY or found.__qualname__ != ".".join(owner):
        return ""
    raw = inspect.getattr_static(found, name, _UNKNOWN)
    if any(inspect.getattr_static(each, name, raw) is not raw for each in _below(found)):
        return ""
    function = raw.__func__ if isinstance(raw, classmethod | staticmethod) else raw
    if type(function) is not types.FunctionType or getattr(function, "__isabstractmethod__", False):
        return ""
    return _misfit(function, call[0] + (not isinstance(raw, staticmethod)), call[1])


def _below(kind: type) -> list[type]:
    direct: list[type] = type.__subclasses__(kind)
    return [*direct, *(each for one in direct for each in _below(one))]


def _misfit(value: Any, positional: int, keywords: Sequence[str]) -> str:
    """Return why arguments do not bind to the one signature that a value surely has."""
    if type(value) is types.MethodType:
        positional, value = positional + 1, value.__func__
    if type(value) in _ORDINARY:
        return _misfit_of_class(value, positional, keywords)
    signature = _of_python(value) if type(value) is types.FunctionType else _of_c(value)
    try:
        if signature is not None:
            signature.bind(*[None] * positional, **dict.fromkeys(keywords))
    except TypeError as error:
        return str(error)
    return ""


def _of_python(value: types.FunctionType) -> inspect.Signature | None:
    # A default that is the sign for none cannot be told from none.
    defaults = (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values())
    if "__signature__" in vars(value) or any(each is inspect.Parameter.empty for each in defaults):
        return None
    return inspect.signature(value, follow_wrapped=False)


def _of_c(value: Any) -> inspect.Signature | None:
    """Return the signature of a function of Python's own compiled ones, None where it tells none."""
    owner = getattr(value, "__objclass__", None)
    is_plain = owner is not None or isinstance(getattr(value, "__self__", None), types.ModuleType)
    if not is_plain or not isinstance(value, types.BuiltinFunctionType | types.MethodDescriptorType):
        return None
    module = getattr(value, "__module__", None) or getattr(owner, "__module__", None) or ""
    is_told = module.partition(".")[0] in sys.stdlib_module_names and getattr(value, "__text_signature__", None)
    return inspect.signature(value) if is_told else None


def _misfit_of_class(value: type, positional: int, keywords: Sequence[str]) -> str:
    made: Any = value.__new__
    begun: Any = getattr(value, "__init__", None)
    if type(made) is types.FunctionType:
        return _misfit(made, positional + 1, keywords)
    if type(begun) is types.FunctionType and made in (object.__new__, BaseException.__new__):
        return _misfit(begun, positional + 1, keywords)
    if made is object.__new__ and begun is object.__init__ and (positional or keywords):
        return f"{value.__name__}() takes no arguments"
    return ""
