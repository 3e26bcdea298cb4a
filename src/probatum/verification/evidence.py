"""Evidence of any shape: copied so that nobody changes it, and written as JSON without ever failing.

A verifier may hand over bytes, paths, sets, numbers that are none, and structures that contain themselves. Refuses
nothing; what JSON cannot say becomes text, and what has no end is cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from math import isfinite
from pathlib import PurePath
from typing import Final

from probatum.core.frozen import FrozenDict, FrozenList

MAX_DEPTH: Final = 60
CYCLE: Final = "<contains itself>"
TOO_DEEP: Final = "<nested too deep>"
_PLAIN: Final = frozenset({str, int, float, bool, type(None)})
_COMMON: Final = frozenset({dict, list, tuple})


def frozen_evidence(evidence: Mapping[str, object]) -> FrozenDict:
    """Return a deeply frozen copy; a structure that contains itself is cut where it does."""
    copied = _frozen(evidence, ())
    assert isinstance(copied, FrozenDict)
    return copied


def _frozen(value: object, above: tuple[int, ...]) -> object:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind not in _COMMON:
        if isinstance(value, (bytearray, memoryview)):
            return bytes(value)
        if not isinstance(value, (Mapping, list, tuple, set, frozenset)):
            return value
    if id(value) in above:
        return CYCLE
    if len(above) >= MAX_DEPTH:
        return TOO_DEEP
    inner = (*above, id(value))
    if isinstance(value, (dict, Mapping)):
        return FrozenDict({key: _frozen(item, inner) for key, item in value.items()})
    if isinstance(value, list):
        return FrozenList(_frozen(item, inner) for item in value)
    if isinstance(value, tuple):
        return tuple(_frozen(item, inner) for item in value)
    assert isinstance(value, (set, frozenset))
    return frozenset(value)


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
        return int(value)
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
    if isinstance(value, (bytes, bytearray)):
        return bytes(value).decode("utf-8", errors="replace")
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, (Decimal, Fraction, PurePath, timedelta)):
        return str(value).encode("utf-8", errors="replace").decode("utf-8")
    return f"<{type(value).__name__}>"
