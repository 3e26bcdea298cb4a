"""Notes of what the program does beside tests that could bend what they report.

Runs inside the sandbox, standard library only. The judge reads the program's text for such means; this sees what a text
does not show: names that are made while it runs, and what was changed by then. With what is noted, a pass does not
count that has no other ground. It is not a boundary.
"""

from __future__ import annotations

import ast
import functools
import importlib
import sys
import types
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

_LEADS_OUT = """
__builtins__ __closure__ __code__ __globals__ __import__ __loader__ __self__ __subclasses__ _current_frames _getframe
ag_frame cell_contents cr_frame f_back f_builtins f_globals f_locals get_objects get_referents get_referrers gi_frame
modules setprofile settrace tb_frame
"""
_NAMES = frozenset(_LEADS_OUT.split())
_DECIDE_EQUALITY = frozenset({"__class__", "__eq__", "__getattribute__", "__ne__"})
_ANNOUNCED = """
code.__new__ function.__new__ gc.get_objects gc.get_referents gc.get_referrers marshal.loads os.exec os.fork os.kill
os.posix_spawn sys._current_exceptions sys._current_frames sys._getframe sys.addaudithook sys.setprofile sys.settrace
"""
_EVENTS = frozenset(_ANNOUNCED.split())
# What runs tests and what they are written with.
_RUNS_TESTS = sys.stdlib_module_names | {"_pytest", "pluggy", "pytest"}
# What is put in place for a while, and decides nothing.
_FOR_A_WHILE = ("hook", "showwarning", "_showwarnmsg_impl")
_ASKED = frozenset({"delattr", "getattr", "setattr"})
# Names, how many they were, and what was bound to those that are functions or classes.
_Bound = tuple[Mapping[str, Any], int, dict[str, Any]]


class Bending:
    """The notes of one process, and the functions and classes of others as they were before the program was there."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._said = ""
        self._own = frozenset[str]()
        self._kept: list[_Bound] | None = None
        self._is_hearing = False

    def begin(self, tests: bytes, own: frozenset[str]) -> None:
        """Forget what was noted, and keep what tests rely on; what they import is loaded before the program."""
        self._said, self._own = "", own
        if self._kept is None:
            tops = set()
            for name in _imported(tests):
                if name.partition(".")[0] not in own:
                    tops.add(name.partition(".")[0])
                    with suppress(Exception):  # The tests meet it again.
                        importlib.import_module(name)
            self._kept = list(_bound(tops))

    def met(self) -> str:
        """Return what was noted so far, empty where nothing was."""
        if not self._said:
            self._note("it changed", next(self._changed(), ""))
        if not self._said and "threading" in sys.modules:
            threads = sys.modules["threading"].enumerate()
            self._note("it left a thread behind:", next((each.name for each in threads if self._runs(each)), ""))
        return self._said

    def hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Take one event that Python announces."""
        name = arguments[1] if event.startswith("object.__") else arguments[0] if event == "open" else ""
        is_meant = event in _EVENTS or event.startswith("ctypes.") or type(name) is int
        if self._is_hearing or not (is_meant or name in _NAMES or (name == "__class__" and "set" in event)):
            return
        self._is_hearing = True
        try:
            frame = sys._getframe(2)
        finally:
            self._is_hearing = False
        if frame.f_code.co_filename.startswith(self._place):
            self._note("it reached", str(name) or event)

    def asking(self, source: bytes, names: dict[str, Any]) -> ast.Module | bytes:
        """Return a program that asks here for ``getattr`` and its like, where its text has any; ``names`` are its own.

        The names that it asks for are made while it runs, so that nobody could read them.
        """
        if b"attr" not in source:
            return source
        tree = ast.parse(source)
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in _ASKED]
        bound = {node.id for node in nodes if not isinstance(node.ctx, ast.Load)}
        for node in nodes:
            if node.id not in bound:
                node.id = f"__asked_{node.id}__"
        names.update(__asked_getattr__=self._get, __asked_setattr__=self._set, __asked_delattr__=self._delete)
        return tree

    def _get(self, owner: Any, name: str, *default: Any) -> Any:
        if name in _NAMES:
            self._note("it reached", name)
        return getattr(owner, name, *default)

    def _set(self, owner: Any, name: str, value: Any) -> None:
        self._changing(owner, name)
        setattr(owner, name, value)

    def _delete(self, owner: Any, name: str) -> None:
        self._changing(owner, name)
        delattr(owner, name)

    def _changing(self, owner: Any, name: str) -> None:
        is_elsewhere = isinstance(owner, types.ModuleType) and not str(owner.__dict__.get("__file__")).startswith(
            self._place
        )
        if name in _DECIDE_EQUALITY or (is_elsewhere and name not in ("stderr", "stdin", "stdout", "argv")):
            self._note("it changed", name)

    def _note(self, verb: str, what: str) -> None:
        if what:
            self._said = self._said or f"{verb} {what}"

    def _changed(self) -> Iterator[str]:
        for names, size, before in self._kept or ():
            found = [name for name, value in before.items() if names.get(name) is not value]
            for name in list(names) if len(names) != size else found:
                if self._is_of_the_program(names.get(name), before.get(name)):
                    yield name

    def _is_of_the_program(self, value: Any, before: Any) -> bool:
        """True for what the program put in place of what others had; tests, and what runs them, do so too."""
        if value is before or not callable(value):
            return False
        while type(value) is functools.partial:
            value = value.func
        module = getattr(value, "__module__", None) or getattr(type(value), "__module__", None)
        # A library may choose between two functions of one name.
        is_other = before is not None and getattr(value, "__name__", "") != getattr(before, "__name__", "")
        return (
            _file_of(value).startswith(self._place)
            or str(module).partition(".")[0] in self._own
            or (type(value) in (type, types.BuiltinFunctionType, types.MethodWrapperType) and is_other)
        )

    def _runs(self, thread: Any) -> bool:
        run = getattr(thread, "_target", None) or type(thread).run
        return _file_of(run).startswith(self._place)


def _file_of(function: Any) -> str:
    code = getattr(getattr(function, "__func__", function), "__code__", None)
    return code.co_filename if isinstance(code, types.CodeType) else ""


def _imported(tests: bytes) -> Iterator[str]:
    try:
        body = ast.parse(tests).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in body:
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def _bound(tops: set[str]) -> Iterator[_Bound]:
    """Yield the names of modules and of their classes."""
    for name, module in list(sys.modules.items()):
        top, _, rest = name.partition(".")
        if top in _RUNS_TESTS or (top in tops and "." not in rest):
            names = getattr(module, "__dict__", {})
            yield _kept(names)
            yield from (_kept(each.__dict__) for each in list(names.values()) if _is_class_of(each, name))


def _is_class_of(value: Any, module: str) -> bool:
    return isinstance(value, type) and value.__module__ == module


def _kept(names: Mapping[str, Any]) -> _Bound:
    kept = {key: value for key, value in names.items() if callable(value) and not key.endswith(_FOR_A_WHILE)}
    return names, len(names), kept
