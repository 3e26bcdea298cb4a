"""One value, one sequence of bytes: RFC 8785 canonical JSON and the tagged form of other Python values.

`canonical_bytes` takes JSON values only and refuses everything that could make two different values look alike:
non-finite numbers, integers beyond 2^53, keys that are not strings, tuples, subclasses of the builtin types, lone
surrogates, cycles and deep nesting. Text is not Unicode-normalised: what differs in code points differs in bytes.

`tagged` writes other plain Python values as JSON, injectively, so that they can stand in a proof artifact;
`untagged` reads them back.
"""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, TypeAlias

import rfc8785

if TYPE_CHECKING:
    from collections.abc import Callable

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"

MAX_DEPTH = 100
MAX_SAFE_INTEGER = 2**53 - 1
MAX_INTEGER_DIGITS = 4000


def require_json(value: object, *, path: str = "$", depth: int = 0) -> None:
    """Raise ValueError, naming the place, unless ``value`` is JSON that has exactly one canonical form."""
    if depth > MAX_DEPTH:
        raise ValueError(f"{path}: nested deeper than {MAX_DEPTH} levels (or cyclic)")
    kind = type(value)
    if value is None or kind is bool:
        return
    if kind is str:
        _require_encodable(value, path)  # type: ignore[arg-type]  # kind is str, which mypy does not narrow
    elif kind is int:
        if abs(value) > MAX_SAFE_INTEGER:  # type: ignore[arg-type]  # kind is int
            raise ValueError(f"{path}: an integer beyond 2^53 has no exact JSON number; write it as a string")
    elif kind is float:
        if not isfinite(value):  # type: ignore[arg-type]  # kind is float
            raise ValueError(f"{path}: {value!r} is not a JSON number")
    elif isinstance(value, list) and kind.__name__ in _LIST_NAMES:
        for index, item in enumerate(value):
            require_json(item, path=f"{path}[{index}]", depth=depth + 1)
    elif isinstance(value, dict) and kind.__name__ in _DICT_NAMES:
        for key, item in value.items():
            if type(key) is not str:
                raise ValueError(f"{path}: key {key!r} is a {type(key).__name__}; JSON keys are strings")
            _require_encodable(key, path)
            require_json(item, path=f"{path}.{key}", depth=depth + 1)
    else:
        raise ValueError(f"{path}: {kind.__name__} is not a JSON value; convert it before it becomes evidence")


_LIST_NAMES = frozenset({"list", "FrozenList"})
_DICT_NAMES = frozenset({"dict", "FrozenDict"})


def _require_encodable(text: str, path: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{path}: the text holds a lone surrogate, which has no UTF-8 form") from None


def canonical_bytes(value: object) -> bytes:
    """Return the RFC 8785 bytes of a JSON value.

    Raises:
        ValueError: the value has no single canonical form; the message names the place.
    """
    require_json(value)
    return rfc8785.dumps(value)  # type: ignore[arg-type]  # require_json has just established the type


def tagged(value: object, *, depth: int = 0) -> JsonValue:
    """Write a plain Python value as JSON, differently for every different value or type.

    What JSON has stays as it is; everything else becomes ``{"$tag": …}``. A dictionary whose keys are all plain
    text stays an object, with a leading ``$`` of a key doubled.

    Raises:
        ValueError: the value is not plain data, or nested too deep (cyclic data is).
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels (or cyclic)")
    kind = type(value)
    if kind is str:
        return _tag_text(value)
    if value is None or value is True or value is False:
        return value
    writer = _WRITERS.get(kind)
    if writer is None:
        raise ValueError(f"{kind.__name__} is not plain data")
    return writer(value, depth)


def _tag_text(text: object) -> JsonValue:
    assert isinstance(text, str)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"$text": [ord(character) for character in text]}
    return text


def _items(value: object, depth: int) -> list[JsonValue]:
    assert isinstance(value, (list, tuple))
    return [tagged(item, depth=depth + 1) for item in value]


def _unordered(value: object, depth: int) -> list[JsonValue]:
    assert isinstance(value, (set, frozenset))
    return sorted((tagged(item, depth=depth + 1) for item in value), key=canonical_bytes)


def _write_int(value: object, _depth: int) -> JsonValue:
    assert isinstance(value, int)
    return value if abs(value) <= MAX_SAFE_INTEGER else {"$int": hex(value)}


def _write_float(value: object, _depth: int) -> JsonValue:
    assert isinstance(value, float)
    return {"$float": value.hex() if isfinite(value) else repr(value)}


def _write_dict(value: object, depth: int) -> JsonValue:
    assert isinstance(value, dict)
    if all(type(key) is str and isinstance(_tag_text(key), str) for key in value):
        return {("$" + key if key.startswith("$") else key): tagged(v, depth=depth + 1) for key, v in value.items()}
    pairs: list[JsonValue] = [[tagged(k, depth=depth + 1), tagged(v, depth=depth + 1)] for k, v in value.items()]
    return {"$dict": sorted(pairs, key=canonical_bytes)}


def _write_delta(value: object, _depth: int) -> JsonValue:
    assert isinstance(value, timedelta)
    return {"$timedelta": [value.days, value.seconds, value.microseconds]}


def _write_range(value: object, depth: int) -> JsonValue:
    assert isinstance(value, range)
    return {"$range": _items((value.start, value.stop, value.step), depth)}


def _write_complex(value: object, _depth: int) -> JsonValue:
    assert isinstance(value, complex)
    return {"$complex": [tagged(value.real), tagged(value.imag)]}


_WRITERS: dict[type, Callable[[object, int], JsonValue]] = {
    int: _write_int,
    float: _write_float,
    list: _items,
    tuple: lambda v, d: {"$tuple": _items(v, d)},
    set: lambda v, d: {"$set": _unordered(v, d)},
    frozenset: lambda v, d: {"$frozenset": _unordered(v, d)},
    dict: _write_dict,
    bytes: lambda v, _d: {"$bytes": bytes(v).hex()},  # type: ignore[call-overload]  # the key says bytes
    complex: _write_complex,
    range: _write_range,
    Decimal: lambda v, _d: {"$decimal": str(v)},
    Fraction: lambda v, _d: {"$fraction": str(v)},
    datetime: lambda v, _d: {"$datetime": v.isoformat()},  # type: ignore[attr-defined]  # the key says datetime
    date: lambda v, _d: {"$date": v.isoformat()},  # type: ignore[attr-defined]  # the key says date
    time: lambda v, _d: {"$time": v.isoformat()},  # type: ignore[attr-defined]  # the key says time
    timedelta: _write_delta,
}


def untagged(value: JsonValue) -> object:
    """Read back what `tagged` wrote.

    Raises:
        ValueError: an unknown or malformed tag.
    """
    if isinstance(value, list):
        return [untagged(item) for item in value]
    if not isinstance(value, dict):
        return value
    if len(value) == 1:
        [(key, content)] = value.items()
        if key.startswith("$") and not key.startswith("$$"):
            return _read_tag(key, content)
    if any(key.startswith("$") and not key.startswith("$$") for key in value):
        raise ValueError(f"unknown tag in {sorted(value)[:3]}")
    return {(key[1:] if key.startswith("$$") else key): untagged(item) for key, item in value.items()}


def _read_float(value: JsonValue) -> float:
    number = untagged(value)
    if not isinstance(number, float):
        raise ValueError("a tagged float was expected")
    return number


def _read_tag(key: str, content: JsonValue) -> object:
    try:
        if isinstance(content, str):
            return _TEXT_READERS[key](content)
        if isinstance(content, list):
            return _LIST_READERS[key](content)
    except (KeyError, TypeError, IndexError, OverflowError) as error:
        raise ValueError(f"unknown or malformed tag {key!r}") from error
    raise ValueError(f"unknown or malformed tag {key!r}")


_TEXT_READERS: dict[str, Callable[[str], object]] = {
    "$int": lambda text: int(text, 16),
    "$float": lambda text: float(text) if text in {"nan", "inf", "-inf"} else float.fromhex(text),
    "$bytes": bytes.fromhex,
    "$decimal": Decimal,
    "$fraction": Fraction,
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
}

_LIST_READERS: dict[str, Callable[[list[JsonValue]], object]] = {
    "$text": lambda items: "".join(chr(int(str(item))) for item in items),
    "$tuple": lambda items: tuple(untagged(item) for item in items),
    "$set": lambda items: {untagged(item) for item in items},
    "$frozenset": lambda items: frozenset(untagged(item) for item in items),
    "$dict": lambda items: {untagged(pair[0]): untagged(pair[1]) for pair in items if isinstance(pair, list)},
    "$range": lambda items: range(*(int(str(untagged(item))) for item in items)),
    "$complex": lambda items: complex(_read_float(items[0]), _read_float(items[1])),
    "$timedelta": lambda items: timedelta(*(int(str(item)) for item in items)),
}
