"""Says what a value is, as JSON that two versions of a program can be compared by, and as a short text for people.

Runs inside the sandbox, standard library only. Plain values are told by their text, containers by their parts, other
objects by their class and attributes; sets without their order, addresses not at all. What is deeper or larger than the
bounds is told as that. No method of an object's own class runs for what is compared.
"""

from __future__ import annotations

import collections
import enum
import json
import re
import reprlib
import sys
import types
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_DEPTH = 8
_PARTS = 1_000
_SHOWN = 160
_PLAIN: tuple[Any, ...] = (int, float, complex, str, bytes, bytearray)
_NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType)
_ORDERED: tuple[Any, ...] = (list, tuple, collections.deque)
_UNORDERED: tuple[Any, ...] = (set, frozenset)
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+|0x[0-9a-fA-F]{6,}")
# What can change, and is told only once.
_SHARED = (list, dict, set, bytearray, collections.deque)
_WHOLE = (bool, type(None), type(...), range)


def described(*values: object) -> list[Any]:
    """Return what each of some values is, as JSON.

    A container that can change and was met before is told as that: whoever changes the one changes the other. Where it
    was met only in a private attribute, that is the affair of the object.
    """
    describing = _Describing()
    return [describing.of(each, 0) for each in values]


class _Describing:
    def __init__(self) -> None:
        self._parts = _PARTS
        self._open: dict[int, int] = {}
        self._met: set[int] = set()
        self._private = 0

    def of(self, value: Any, depth: int) -> Any:
        kind = type(value)
        self._parts -= 1
        # By its class alone: what an object says of its class is its own word.
        if kind in _WHOLE or issubclass(kind, _NAMED):
            return repr(value) if kind in _WHOLE else [kind.__name__, str(getattr(value, "__qualname__", ""))]
        if depth >= _DEPTH or self._parts < 0:
            return ["..."]
        if id(value) in self._open:
            return ["again", depth - self._open[id(value)]]
        if issubclass(kind, _SHARED):
            if id(value) in self._met:
                return ["the same", kind.__qualname__]
            if not self._private:
                self._met.add(id(value))
        self._open[id(value)] = depth
        try:
            content = self._content(value, depth + 1)
            fields = self._fields(value, depth + 1)
        finally:
            del self._open[id(value)]
        if content is None and fields is None:
            return [kind.__qualname__, *_told_by_library(value, kind)]
        plain = isinstance(content, str) and not fields and kind in _PLAIN
        return content if plain else [kind.__qualname__, content, fields or {}]

    def _content(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if issubclass(kind, enum.Enum):
            return value._name_
        for base in _PLAIN:
            if issubclass(kind, base):
                try:
                    return str(base.__repr__(value))
                except ValueError:
                    # Larger than what is written in decimal digits.
                    return hex(value)
        if issubclass(kind, dict):
            return [[self.of(key, depth), self.of(each, depth)] for key, each in dict.items(value)]
        for base in _ORDERED:
            if issubclass(kind, base):
                return [self.of(each, depth) for each in base.__iter__(value)]
        for base in _UNORDERED:
            if issubclass(kind, base):
                return sorted((self.of(each, depth) for each in base.__iter__(value)), key=json.dumps)
        return [self.of(each, depth) for each in value.args] if issubclass(kind, BaseException) else None

    def _fields(self, value: Any, depth: int) -> dict[str, Any] | None:
        if issubclass(type(value), enum.Enum):
            return None
        found, told = dict(_stored(value)), dict[str, Any]()
        for name in sorted(found, key=lambda name: (name.startswith("_"), name)):
            self._private += name.startswith("_")
            told[name] = self.of(found[name], depth)
            self._private -= name.startswith("_")
        return told or None


def _stored(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the attributes that an object itself holds."""
    with suppress(AttributeError, TypeError):
        yield from object.__getattribute__(value, "__dict__").items()
    for kind in type(value).__mro__:
        for name, slot in list(vars(kind).items()):
            if isinstance(slot, types.MemberDescriptorType) and slot.__objclass__ is kind and not _is_of_library(kind):
                with suppress(AttributeError):
                    yield name, slot.__get__(value)


def _is_of_library(kind: type) -> bool:
    return str(kind.__module__).partition(".")[0] in sys.stdlib_module_names


def _told_by_library(value: object, kind: type) -> list[str]:
    """Return the text of an object of the standard library that holds no attributes, such as a date or a match."""
    return [without_addresses(repr(value))[:_SHOWN]] if _is_of_library(kind) else []


def without_addresses(text: str) -> str:
    """Return a text without the places of objects in memory."""
    return _ADDRESS.sub("", text)


class _Short(reprlib.Repr):
    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = self.maxlong = 80
        self.maxlist = self.maxtuple = self.maxdict = self.maxset = self.maxfrozenset = 8


_short = _Short()


def shown(value: object) -> str:
    """Return a short text of a value, as its own class writes it."""
    try:
        return without_addresses(_short.repr(value))[:_SHOWN]
    except Exception:  # noqa: BLE001  the program's own
        return f"<{type(value).__qualname__}>"


def shown_call(name: str, given: tuple[Any, ...], named: dict[str, Any]) -> str:
    """Return a short text of a call."""
    words = [*map(shown, given), *(f"{key}={shown(each)}" for key, each in named.items())]
    return f"{name.removesuffix('.__init__')}({', '.join(words)})"[: 2 * _SHOWN]
