"""How an object is read without asking it: through the slots of built-in types, never through a method of its own.

Runs inside the sandbox, standard library only.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import ipaddress
import pathlib
import types
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

# What a class says of itself in other words than its content, and how it lets its content be read.
SPEAKS, READS = 1, 2
_SPEAKS = ("__eq__", "__ne__", "__hash__", "__repr__")
_READS = (
    "__iter__", "__len__", "__getitem__", "__contains__", "__getattribute__", "__class__", "__bool__",
    "__int__", "__index__", "__float__", "items", "keys", "values", "get",
)  # fmt: skip
_NAMED_TUPLES_OWN = collections.namedtuple("_NAMED_TUPLES_OWN", "").__repr__.__code__
# Around a type that the standard library makes, what these say belongs to it.
_STANDARD = frozenset({enum.Enum, enum.IntEnum, enum.StrEnum, enum.Flag, enum.IntFlag, enum.ReprEnum, object})
bases_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_names_of: Callable[[type], Mapping[str, Any]] = type.__dict__["__dict__"].__get__


# No value, so it stays inside: nothing is stored under this name.
NOTHING = object()


def stored(value: object, kind: type, name: str) -> object:
    """Return what an object stores under a name, whatever properties and ``__getattribute__`` say."""
    for base in bases_of(kind):
        found = _names_of(base).get("__dict__")
        if type(found) is types.GetSetDescriptorType:
            held = dict.get(found.__get__(value), name, NOTHING)
            if held is not NOTHING:
                return held
    for base in bases_of(kind):
        found = _names_of(base).get(name, NOTHING)
        if type(found) is types.MemberDescriptorType:
            try:
                return found.__get__(value)
            except AttributeError:
                return NOTHING
        if found is not NOTHING:
            return found
    return NOTHING


def marks(kind: type, base: type) -> int:
    """Return how far an object's content is what its own methods let others see of it."""
    said = {
        name
        for part in _above(kind, base)
        for name, held in _names_of(part).items()
        if type(held) is not types.FunctionType or held.__code__ is not _NAMED_TUPLES_OWN
    }
    return SPEAKS * (not said.isdisjoint(_SPEAKS)) | READS * (not said.isdisjoint(_READS))


def _above(kind: type, base: type) -> Iterator[type]:
    for part in bases_of(kind):
        if part is base:
            return
        if part not in _STANDARD:
            yield part


def _slots(kind: Any, *names: str) -> Callable[[Any], Any]:
    """Return what makes an exact copy of an instance of a subclass, from what its slots hold."""
    slots = [next(vars(base)[name] for base in kind.__mro__ if name in vars(base)) for name in names]
    return lambda value: kind(*(slot.__get__(value) for slot in slots))


def _time_slots(kind: Any, *names: str) -> Callable[[Any], Any]:
    copy, fold = _slots(kind, *names, "tzinfo"), vars(kind)["fold"]
    return lambda value: copy(value).replace(fold=fold.__get__(value))


maximum_length = vars(collections.deque)["maxlen"].__get__
# Values of the standard library that are made again of their own text.
WORDED: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *(pathlib.PurePosixPath, pathlib.PureWindowsPath, pathlib.PosixPath, uuid.UUID),
        *(ipaddress.IPv4Address, ipaddress.IPv6Address, ipaddress.IPv4Network, ipaddress.IPv6Network),
    )
}
_CLOCK = ("hour", "minute", "second", "microsecond")
# How an instance of a subclass of each of them is read.
COPIES: dict[type, Callable[[Any], Any]] = {
    **dict.fromkeys(
        (collections.UserDict, collections.UserList, collections.UserString), lambda v: stored(v, type(v), "data")
    ),
    int: int.__int__,
    float: float.__float__,
    str: str.__str__,
    complex: complex.__complex__,
    bytes: lambda v: bytes.__getitem__(v, slice(None)),
    bytearray: bytearray.copy,
    decimal.Decimal: decimal.Decimal,
    fractions.Fraction: _slots(fractions.Fraction, "_numerator", "_denominator"),
    datetime.datetime: _time_slots(datetime.datetime, "year", "month", "day", *_CLOCK),
    datetime.date: _slots(datetime.date, "year", "month", "day"),
    datetime.time: _time_slots(datetime.time, *_CLOCK),
    datetime.timedelta: _slots(datetime.timedelta, "days", "seconds", "microseconds"),
}
