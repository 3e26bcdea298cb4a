"""Evidence of any shape: copied so that nobody changes it, and written as JSON without ever failing.

A verifier may hand over bytes, paths, sets, numbers that are none, and structures that contain themselves. The copy
holds values of known types alone, so that nothing of the verifier's runs when it is looked at or written. Refuses
nothing; what JSON cannot say becomes text, and what has no end is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import isfinite
from pathlib import PosixPath, PurePath, PurePosixPath, PureWindowsPath
from typing import Final

from probatum.core.frozen import FrozenDict, FrozenList

MAX_DEPTH: Final = 60
CYCLE: Final = "<contains itself>"
TOO_DEEP: Final = "<nested too deep>"
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_COMMON: Final = frozenset({dict, list, tuple})
_KEPT: Final = frozenset({bytes, date, timedelta, Decimal, Fraction, PosixPath, PurePosixPath, PureWindowsPath})
"""What is kept as it is, where it is exactly of this type: it cannot change, and its text is its own."""
_SHOWN: Final = 100
_CONTAINERS: Final = (Mapping, list, tuple, set, frozenset)
_LARGEST_BITS: Final = 14_000
"""Of whole numbers: Python itself writes larger ones only where it was told to."""


def frozen_evidence(evidence: Mapping[str, object]) -> FrozenDict:
    """Return a deeply frozen copy; a structure that contains itself is cut where it does."""
    copied = _frozen(evidence, ())
    assert isinstance(copied, FrozenDict)
    return copied


def _frozen(value: object, above: tuple[int, ...]) -> object:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind not in _COMMON and not issubclass(kind, _CONTAINERS):
        return _kept(value, above)
    if id(value) in above:
        return CYCLE
    if len(above) >= MAX_DEPTH:
        return TOO_DEEP
    inner = (*above, id(value))
    if isinstance(value, (dict, Mapping)):
        items = value.items()
        copied = {key if type(key) is str else _hashable(key, inner): _frozen(item, inner) for key, item in items}
        return FrozenDict(copied)  # type: ignore[arg-type]  # of any keys; they are texts when it is written
    if isinstance(value, list):
        return FrozenList(_frozen(item, inner) for item in value)
    if isinstance(value, tuple):
        return tuple(_frozen(item, inner) for item in value)
    assert isinstance(value, (set, frozenset))
    return frozenset(_hashable(item, inner) for item in value)


def _hashable(value: object, above: tuple[int, ...]) -> object:
    frozen = _frozen(value, above)
    try:
        hash(frozen)
    except TypeError:
        return f"<{type_name(value)}>"
    return frozen


def _kept(value: object, above: tuple[int, ...]) -> object:
    """Return a value that is not a container as one of a known type, which nobody can change or has a say in."""
    kind = type(value)
    is_of_known_zone = kind in {datetime, time} and type(getattr(value, "tzinfo", None)) in {type(None), timezone}
    if kind in _KEPT or is_of_known_zone:
        return value
    if issubclass(kind, Enum):
        return _frozen(getattr(value, "value", None), (*above, id(value))) if len(above) < MAX_DEPTH else TOO_DEEP
    if issubclass(kind, str):
        return str.__str__(value)
    if issubclass(kind, int):
        return int.__int__(value)  # type: ignore[arg-type]  # likewise a whole number
    if issubclass(kind, float):
        return float.__float__(value)  # type: ignore[arg-type]  # likewise a number
    if issubclass(kind, (bytes, bytearray, memoryview)):
        return bytes(memoryview(value))  # type: ignore[arg-type]  # likewise bytes
    return str.__str__(_text_of(value))


def type_name(value: object) -> str:
    """Return the name of a value's type, whatever a metaclass says about it."""
    return str(type.__dict__["__name__"].__get__(type(value)))[:_SHOWN]


def jsonable(value: object, depth: int = 0) -> object:
    """Return a value as JSON that `json.dumps` writes with ``allow_nan=False``.

    Bytes are read as UTF-8 with replacements, times are ISO 8601, sets are lists in the order of their text, and
    anything unknown is the name of its type.
    """
    if isinstance(value, Enum):
        value = value.value
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return value.encode("utf-8", errors="replace").decode("utf-8")
    if isinstance(value, int):
        bits = int(value).bit_length()
        return int(value) if bits <= _LARGEST_BITS else f"<whole number of {bits} bits>"
    if isinstance(value, float):
        return float(value) if isfinite(value) else repr(float(value))
    if depth >= MAX_DEPTH + 5:
        return TOO_DEEP
    if isinstance(value, Mapping):
        return {str(jsonable(_key(key), depth + 1)): jsonable(item, depth + 1) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item, depth + 1) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted((jsonable(item, depth + 1) for item in value), key=repr)
    return _text_of(value)


def _key(key: object) -> object:
    return key if isinstance(key, (str, int, float, bool, type(None), Enum)) else _text_of(key)


def _text_of(value: object) -> str:
    """Return how a value is written that JSON does not know: its text where it has a usual one, else its type."""
    kind = type(value)
    try:
        if issubclass(kind, (bytes, bytearray)):
            return bytes(memoryview(value)).decode("utf-8", errors="replace")  # type: ignore[arg-type]  # they are bytes
        if issubclass(kind, (date, datetime, time)):
            return str(value.isoformat())  # type: ignore[attr-defined]  # all of these have it
        if issubclass(kind, (Decimal, Fraction, PurePath, timedelta)):
            return str(value).encode("utf-8", errors="replace").decode("utf-8")
    except Exception:  # noqa: BLE001  a class of the verifier's own may do anything here
        return f"<{type_name(value)}>"
    return f"<{type_name(value)}>"
