"""Runs predicates and tests from the user's files in a process that has no part in the program under test.

Runs inside the sandbox, standard library only. What the program offers is here a proxy: a call of it leaves this
process as a frame to the judge and comes back as a plain value or an exception. Objects of the program appear as
``Remote`` and its declared classes as ``Record``. Refuses to send out anything but plain values and those two.
"""

from __future__ import annotations

import base64
import builtins
import gc
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from . import requests
from .values import Declarations, Decoder, Encoder, Wire, type_name

_loads = json.JSONDecoder().decode
_dumps = json.JSONEncoder(separators=(",", ":"), check_circular=False).encode


class CandidateLostError(BaseException):
    """The program's process is gone: nothing that is evaluated here can come to a result any more."""


class Remote:
    """An object that lives in the program's process; reading an attribute or calling it asks there."""

    def __init__(self, desk: Desk, number: int, kind: str) -> None:
        object.__setattr__(self, "_desk", desk)
        object.__setattr__(self, "_number", number)
        object.__setattr__(self, "_kind", kind)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.attribute(self, name)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask(".__call__", (self, *arguments), keywords)

    def __iter__(self) -> Any:
        while True:
            values, done = self._desk.ask("*next", (self,), {})
            yield from values
            if done:
                return

    def __len__(self) -> Any:
        return self._desk.ask(".__len__", (self,), {})

    def __bool__(self) -> bool:
        return True

    def __getitem__(self, key: Any) -> Any:
        return self._desk.ask(".__getitem__", (self, key), {})

    def __setitem__(self, key: Any, value: Any) -> None:
        self._desk.ask(".__setitem__", (self, key, value), {})

    def __contains__(self, key: Any) -> Any:
        return self._desk.ask(".__contains__", (self, key), {})

    def __repr__(self) -> str:
        return f"<{self._kind} in the program's process>"


class Method:
    """A method of a remote object, not called yet."""

    def __init__(self, desk: Desk, owner: Remote, name: str) -> None:
        self._desk = desk
        self._owner = owner
        self._name = name

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask(f".{self._name}", (self._owner, *arguments), keywords)


class Function:
    """A function or class of the program, by name."""

    def __init__(self, desk: Desk, name: str) -> None:
        self._desk = desk
        self._name = name
        self.__name__ = name

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        return self._desk.ask(self._name, arguments, keywords)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._desk.member(f"{self._name}.{name}")


class Record:
    """A dataclass, enum or named tuple of the program: its type's name and its fields, equal by both."""

    def __init__(self, kind: str, fields: dict[str, Any]) -> None:
        self._kind = kind
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_fields"][name]
        except KeyError:
            raise AttributeError(name) from None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and (self._kind, self._fields) == (other._kind, other._fields)

    def __hash__(self) -> int:
        return hash((self._kind, tuple(self._fields.items())))

    def __repr__(self) -> str:
        return f"{self._kind}({', '.join(f'{name}={value!r}' for name, value in self._fields.items())})"


class _Writer(Encoder):
    """Writes what may leave: plain values, remote objects and records; with ``strict`` nothing else at all."""

    strict = True

    def _fields(self, value: Any, kind: type) -> list[tuple[str, Any]] | None:
        return None

    def _foreign(self, value: Any, kind: type) -> Wire:
        if kind is Remote:
            return ["h", value._number, value._kind]
        if kind is Record:
            flat = [part for name, item in value._fields.items() for part in (name, self.encode(item))]
            return ["o", value._kind, *flat]
        if self.strict:
            raise TypeError(f"an object of type {type_name(kind)} cannot be given to the program's process")
        return ["n", type_name(kind)]


class _Reader(Decoder):
    def __init__(self, desk: Desk) -> None:
        super().__init__(Declarations(), _no_source)
        self._desk = desk

    def _stranger(self, wire: Wire) -> object:
        return Remote(self._desk, wire[1] if wire[0] == "h" else 0, wire[-1])

    def _build(self, wire: Wire) -> object:
        return Record(wire[1], {wire[i]: self.decode(wire[i + 1]) for i in range(2, len(wire), 2)})


def _no_source(text: str) -> object:
    raise ValueError(f"a source is no answer: {text}")
