"""Keeps copies of the arguments that tests call some functions with, and makes variations of them.

Runs inside the sandbox, standard library only. A copy is a pickle that only the sandbox ever reads. What cannot be
copied, or is too large, is counted and left out. A variation has one argument that is another one: a plain value near
by, or what another call gave at that place.
"""

from __future__ import annotations

import base64
import hashlib
import io
import pickle
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from types import CodeType, FrameType, FunctionType
from typing import Any

from .tree_described import shown_call
from .tree_trace import MONITORING, FileWatch

Function = dict[str, Any]
Call = tuple[tuple[Any, ...], dict[str, Any]]
_MOST = 40
_MOST_LOOKED = 400
_MOST_NEAR = 60
_MOST_CROSSED = 20
_BYTES = 32_768
_VARARGS, _KEYWORDS = 4, 8
_ASKED = (
    *("__reduce__", "__reduce_ex__", "__getstate__", "__getnewargs__", "__getnewargs_ex__"),
    *("__getattr__", "__getattribute__"),
)
# Many objects hold one; a free one stands for it.
_LOCKS: dict[type, Any] = {type(make()): make for make in (threading.Lock, threading.RLock)}
_COMPARED = frozenset({int, float, str, bytes})


class _Copier(pickle.Pickler):
    """Copies without running code of the program: what says itself how it is copied is not copied."""

    def reducer_override(self, value: Any) -> Any:
        if type(value) in _LOCKS:
            return _LOCKS[type(value)], ()
        for kind in type(value).__mro__:
            own = kind.__module__.partition(".")[0] not in sys.stdlib_module_names
            if own and any(isinstance(vars(kind).get(name), FunctionType) for name in _ASKED):
                raise pickle.PicklingError("it says itself how it is copied")
        return NotImplemented


class _Bounded(io.BytesIO):
    def write(self, text: Any) -> int:
        if self.tell() + len(text) > _BYTES:
            raise ValueError("too large to be kept")
        return super().write(text)


def _copied(call: Call) -> bytes | None:
    packed = _Bounded()
    try:
        _Copier(packed, 5).dump(call)
    except Exception:  # noqa: BLE001  whatever the program's classes raise
        return None
    return packed.getvalue()


class CallRecorder(FileWatch):
    """Keeps what functions are called with, each by path, qualified name and lines; says nothing by itself."""

    _event = "PY_START"
    _tool = 3

    def __init__(self, functions: list[Function], around: FileWatch) -> None:
        super().__init__({each["path"] for each in functions})
        self._around = around
        if functions:
            around.outermost = self.entered
        self._functions: dict[tuple[str, str], list[Function]] = {}
        for each in functions:
            self._functions.setdefault((each["path"], each["name"]), []).append(each)
        # The calls by their digest, with the tests that make them.
        self._kept: dict[int, dict[bytes, tuple[bytes, dict[str, None]]]] = {each["id"]: {} for each in functions}
        # How many calls were looked at: many are the same.
        self._looked = dict.fromkeys(self._kept, 0)
        # What a function compares with, or answers, stands in its code.
        self._literals: dict[int, list[Any]] = {}
        self._is_busy = False
        self._test = ""

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Note which test makes the calls that follow."""
        self._test = nodeid

    def calls(self) -> Iterator[dict[str, Any]]:
        """Yield every call that was kept, and variations of them."""
        for functions in self._functions.values():
            for function in functions:
                kept = list(self._kept[function["id"]].values())
                yield from (self._told(function, tests, call, -1) for call, tests in kept)
                known = set[tuple[int, bytes]]()
                for at, call in _varied([call for call, _ in kept], self._literals.get(function["id"], [])):
                    # One that a test made as well is told: it is near the other.
                    if (at, call) not in known and call != kept[at][0]:
                        known.add((at, call))
                        yield self._told(function, kept[at][1], call, at)

    def _told(self, function: Function, tests: dict[str, None], call: bytes, near: int) -> dict[str, Any]:
        """Return one call; ``near`` is the number of the kept call that it is a variation of, -1 for none."""
        text, is_natural = function["name"] + "(…)", False
        with suppress(Exception):
            given, named = pickle.loads(call)  # noqa: S301  made in this process
            text = shown_call(function["name"], given, named)
            is_natural = all(map(_is_natural, (*given, *named.values())))
        packed = base64.b64encode(call).decode()
        told = {"function": function["id"], "tests": [*tests], "shown": text, "given": packed}
        return {**told, "near": near, "is_natural": is_natural}

    def _found(self, code: CodeType) -> Function | None:
        for each in self._functions.get((code.co_filename, code.co_qualname), ()):
            if each["first"] <= code.co_firstlineno <= each["last"]:
                return each
        return None

    def _ran(self, code: CodeType, _place: int, *_further: int) -> object:
        function = self._found(code)
        if function is None or self._looked[function["id"]] >= _MOST_LOOKED:
            return MONITORING.DISABLE
        self._keep(function, sys._getframe(1))
        return None

    def entered(self, frame: FrameType, event: str, given: object) -> Any:
        """Keep a call, and let the other watch see the frame."""
        if event == "call" and (function := self._found(frame.f_code)) is not None:
            self._keep(function, frame)
        return self._around.entered(frame, event, given)

    def _keep(self, function: Function, frame: FrameType) -> None:
        # Copying may call what is watched.
        if self._is_busy or self._looked[function["id"]] >= _MOST_LOOKED:
            return
        self._looked[function["id"]] += 1
        self._is_busy = True
        try:
            kept = self._kept[function["id"]]
            if not kept:
                self._literals[function["id"]] = list(_literals(frame.f_code))
            call = _arguments(frame)
            packed = _copied(call) if call is not None else None
            digest = hashlib.blake2b(packed or b"").digest()
            if packed is not None and (digest in kept or len(kept) < _MOST):
                kept.setdefault(digest, (packed, {}))[1][self._test] = None
        finally:
            self._is_busy = False


def _arguments(frame: FrameType) -> Call | None:
    """Return what a function was called with; None where a name is gone already."""
    code, found = frame.f_code, frame.f_locals
    places, named = code.co_argcount, code.co_kwonlyargcount
    names = list(code.co_varnames)
    try:
        given = [found[name] for name in names[:places]]
        keywords = {name: found[name] for name in names[places : places + named]}
        rest = names[places + named :]
        if code.co_flags & _VARARGS:
            given += found[rest.pop(0)]
        if code.co_flags & _KEYWORDS:
            keywords |= found[rest.pop(0)]
    except KeyError:
        return None
    return tuple(given), keywords


def _is_natural(value: Any) -> bool:
    """Tell whether a value is a natural limit: nothing, empty, or a number from -1 to 2."""
    if type(value) in {bool, type(None)}:
        return True
    if type(value) in {int, float}:
        return value in {-1, 0, 1, 2}
    return isinstance(value, (str, bytes, list, tuple, dict, set, frozenset)) and not value


def _literals(code: CodeType) -> Iterator[Any]:
    pending = list(code.co_consts)
    while pending:
        value = pending.pop(0)
        if isinstance(value, tuple | frozenset):
            pending += sorted(value, key=repr) if isinstance(value, frozenset) else value
        elif isinstance(value, CodeType):
            pending += value.co_consts
        elif type(value) in _COMPARED:
            yield value


def _varied(calls: list[bytes], literals: list[Any]) -> Iterator[tuple[int, bytes]]:
    """Yield variations, each with the number of the call that it was made from; evenly from all there could be."""
    loaded: list[Call] = []
    for call in calls:
        try:
            loaded.append(pickle.loads(call))  # noqa: S301  made in this process
        except Exception:  # noqa: BLE001  the program's own
            loaded.append(((), {}))
    near: list[tuple[int, object, object]] = []
    crossed: list[tuple[int, object, object]] = []
    for at, (given, named) in enumerate(loaded):
        for place, value in (*enumerate(given), *named.items()):
            same = [each for each in literals if type(each) is type(value)]
            near += [(at, place, other) for other in (*same, *_near(value))]
            crossed += [(at, place, other) for each in loaded if (other := _at(each, place, value)) is not value]
    for at, place, other in (*_evenly(near, _MOST_NEAR), *_evenly(crossed, _MOST_CROSSED)):
        given, named = loaded[at]
        changed = tuple(other if each == place else value for each, value in enumerate(given))
        packed = _copied((changed, {**named, place: other} if isinstance(place, str) else named))
        if packed is not None:
            yield at, packed


def _evenly(candidates: list[tuple[int, object, object]], most: int) -> list[tuple[int, object, object]]:
    return [candidates[at * len(candidates) // most] for at in range(most)] if len(candidates) > most else candidates


def _at(call: Call, place: object, value: object) -> object:
    """Return what another call gave at a place; the value itself where it gave nothing, or the same."""
    given, named = call
    if isinstance(place, str):
        return named.get(place, value)
    return given[place] if isinstance(place, int) and place < len(given) else value


def _near(value: Any) -> list[Any]:
    """Return plain values near a plain one."""
    kind = type(value)
    if kind is bool:
        return [not value]
    if kind is int:
        return [0, -value, value + 1, value - 1, value * 2, value + 10]
    if kind is float:
        return [0.0, -value, value + 0.5]
    if kind is str or kind is bytes:
        half = len(value) // 2
        others = [value[:half] + value[half + 1 :], value[:1] + value]
        return [value[:0], value[1:], value[:-1], value + value, value.swapcase(), *others]
    if kind is list or kind is tuple:
        inner = [kind([each, *value[1:]]) for each in _near(value[0])[:2]] if value else []
        return [value[:0], value[1:], value[::-1], value + value[:1], *inner]
    if kind is dict and value:
        (first, held), *rest = value.items()
        return [{}, dict(rest), *({**value, first: each} for each in _near(held)[:2])]
    if (kind is set or kind is frozenset) and value:
        return [kind(), kind(sorted(value, key=repr)[1:])]
    return []
