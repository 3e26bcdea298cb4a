"""Repeats calls that were recorded, on this version of a tree, and tells what each comes to: alone, and with faults.

Runs inside the sandbox, standard library only. The files of the tests are collected, so that all is imported as for the
tests; then copies of this process make the calls, in order and from the last to the first. A call that comes to
something else the second time is told as unsteady. For each fault a further copy makes the calls until one comes to
something else than without it.
"""

from __future__ import annotations

import asyncio
import base64
import gc
import hashlib
import inspect
import itertools
import json
import os
import pickle
import sys
import types
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import pytest

from .tree_described import described, shown
from .tree_exchange import exchange
from .tree_faults import Tell, copied, written
from .tree_trace import Turns

Call = dict[str, Any]
_UNKNOWN, _LOST = "unknown", "lost"
_MOST_BYTES = 8_192
_MOST_TURNS = 100_000
_MOST_RESTARTS = 8
# On the clock, for all calls of one copy of this process: a backstop, and what is beyond it is not known.
_SECONDS = 20.0
_MOST_YIELDED = 200


def run(order: dict[str, Any], tell: Tell) -> int:
    """Make the calls of the order, then again with each of its faults; returns 0."""
    told = copied(lambda say: _collected(order, say), order["seconds_in_all"])
    for record in told:
        if "kind" in record:
            tell(**record)
    return 0


def _collected(order: dict[str, Any], say: Tell) -> None:
    pytest.main(order["options"], plugins=[_Repeating(order, say)])


class _Repeating:
    """Takes the place of pytest's loop over the tests."""

    def __init__(self, order: dict[str, Any], say: Tell) -> None:
        self._calls: list[Call] = order["calls"]
        self._faults: list[dict[str, Any]] = order["faults"]
        self._root: str = order["root"]
        self._say = say
        self._functions: dict[tuple[object, ...], types.FunctionType | None] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: Any) -> bool:
        self._functions = _functions_of(self._calls)
        first = self._outcomes(self._calls)
        again = self._outcomes(self._calls[::-1])
        steady = {call for call, end in first.items() if again.get(call) == end}
        for call in self._calls:
            if (end := first.get(call["id"])) is not None:
                self._say(kind="outcome", id=call["id"], is_steady=call["id"] in steady, **end)
        known = {call for call in steady if first[call]["what"] not in {_UNKNOWN, _LOST}}
        for fault in self._faults:
            wanted = [each for each in self._calls if each["id"] in fault["calls"] and each["id"] in known]
            with written(self._root, fault) as text:
                told = copied(partial(self._tried, fault, wanted, text, first), _SECONDS)
            end = told[-1] if told else {"end": "lost"}
            self._say(kind="fault", id=fault["id"], end=end["end"], by=end.get("by", ""), said=str(len(wanted)))
        return True

    def _outcomes(self, calls: Sequence[Call]) -> dict[str, dict[str, Any]]:
        """Return what each call comes to; one that ends its process, or does not come to an end, is lost."""
        found: dict[str, dict[str, Any]] = {}
        left = list(calls)
        for _ in range(_MOST_RESTARTS):
            if not left:
                break
            for record in copied(partial(self._each, tuple(left)), _SECONDS):
                if "id" in record:
                    found[record.pop("id")] = record
            left = [each for each in left if each["id"] not in found]
            if left:
                found[left.pop(0)["id"]] = _end(_LOST, "it does not come back")
        return found

    def _each(self, calls: Sequence[Call], say: Tell) -> None:
        with self._counted() as turns:
            for call in calls:
                turns.count = 0
                end = self._made(call)
                say(id=call["id"], **(end if turns.count <= _MOST_TURNS else _end("ends", "does not end")))

    def _tried(
        self, fault: dict[str, Any], calls: Sequence[Call], before: bytes, known: dict[str, dict[str, Any]], say: Tell
    ) -> None:
        place = os.path.join(self._root, fault["path"])
        if not exchange(place, before, fault["source"].encode("latin-1")):
            say(end="anew")
            return
        with self._counted() as turns:
            for call in calls:
                turns.count = 0
                end = self._made(call)
                if turns.count > _MOST_TURNS or end != known[call["id"]]:
                    say(end="noticed", by=call["id"])
                    return
        say(end="survived")

    def _counted(self) -> Turns:
        def end() -> None:
            raise _Endless

        return Turns(sorted({each["path"] for each in self._calls}), _MOST_TURNS, end)

    def _made(self, call: Call) -> dict[str, Any]:
        """Return what a call comes to."""
        function = self._functions.get(_key(call))
        try:
            given, named = pickle.loads(base64.b64decode(call["given"]))  # noqa: S301  made in this sandbox
        except BaseException as error:  # noqa: BLE001  the program's own
            return _end(_UNKNOWN, f"{type(error).__name__} where its arguments are made")
        if function is None:
            return _end(_UNKNOWN, "no such function")
        try:
            what, result = "returns", _whole(function(*given, **named))
        except BaseException as error:  # noqa: BLE001  the program's own
            what, result = "raises", error
        value = _bounded(described(result, given, named))
        return _end(what, shown(result), value, type(result).__qualname__)


class _Endless(BaseException):
    """Raised in a loop that takes too many turns."""


def _end(what: str, text: str, value: object = "", kind: str = "") -> dict[str, Any]:
    return {"what": what, "kind_of_value": kind, "shown": text, "value": value}


def _bounded(value: Any) -> Any:
    text = json.dumps(value)
    return value if len(text) <= _MOST_BYTES else hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _whole(result: object) -> object:
    """Return what a generator yields or a coroutine comes to, anything else as it is."""
    if inspect.iscoroutine(result):
        return asyncio.run(result)
    if isinstance(result, types.GeneratorType):
        return ["yields", *itertools.islice(result, _MOST_YIELDED)]
    return result


def _key(call: Call) -> tuple[object, ...]:
    return call["path"], call["name"], call["first"]


def _functions_of(calls: Sequence[Call]) -> dict[tuple[object, ...], types.FunctionType | None]:
    """Return the function of each call, as it was made where its module was imported."""
    by_code: dict[tuple[str, str], list[types.FunctionType]] = {}
    for each in gc.get_objects():
        if isinstance(each, types.FunctionType) and _is_of_its_module(each):
            by_code.setdefault((each.__code__.co_filename, each.__code__.co_qualname), []).append(each)

    def among(call: Call) -> Iterator[types.FunctionType]:
        for each in by_code.get((call["path"], call["name"]), ()):
            if call["first"] <= each.__code__.co_firstlineno <= call["last"]:
                yield each

    return {_key(call): next(among(call), None) for call in calls}


def _is_of_its_module(function: types.FunctionType) -> bool:
    module = sys.modules.get(function.__globals__.get("__name__", ""))
    return module is not None and vars(module) is function.__globals__
