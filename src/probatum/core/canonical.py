"""One value, one sequence of bytes: RFC 8785 canonical JSON and the tagged form of other Python values.

`canonical_bytes` takes JSON values only and refuses everything that could make two different values look alike:
non-finite numbers, integers beyond 2^53, keys that are not strings, tuples, subclasses of the builtin types, lone
surrogates, cycles and deep nesting. Numbers are compared as JSON compares them: 1 and 1.0 are one number, and so are
0.0 and -0.0. Text is not Unicode-normalised: what differs in code points differs in bytes.

`tagged` writes other plain Python values as JSON, injectively, so that they can stand in a proof artifact;
`untagged` reads them back.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from typing import Final, NoReturn, TypeAlias

import rfc8785

from probatum.core.frozen import FrozenDict, FrozenList

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"


class NotPlainDataError(ValueError):
    """The value is not plain data, so it has no tagged form."""


MAX_DEPTH = 100
MAX_SAFE_INTEGER = 2**53 - 1
_SHOWN_KEY = 40


def require_json(value: object, *, path: str = "$") -> None:
    """Raise ValueError, naming the place, unless ``value`` is JSON that has exactly one canonical form."""
    _require_json(value, path, [])


def _require_json(value: object, path: str, uncommon: list[object]) -> None:
    flaw = _first_flaw(value, 0, uncommon)
    if flaw is not None:
        place, reason = flaw
        raise ValueError(f"{path}{place}: {reason}")


def _first_flaw(value: object, depth: int, uncommon: list[object]) -> tuple[str, str] | None:
    """Return the place and the reason of the first thing that is not canonical JSON.

    The place is put together on the way back only: building it for every sound value would cost more than the check.
    What the standard encoder spells otherwise than RFC 8785 is added to ``uncommon``.
    """
    kind = type(value)
    if value is None or kind is bool:
        return None
    if kind is str:
        return _text_flaw(value)
    if kind is int:
        assert isinstance(value, int)
        return None if abs(value) <= MAX_SAFE_INTEGER else ("", "an integer beyond 2^53 has no exact JSON number")
    if kind is float:
        assert isinstance(value, float)
        if not isfinite(value):
            return "", f"{value!r} is not a JSON number"
        if value.is_integer() or not 1e-4 <= abs(value) < 1e16:
            uncommon.append(value)
        return None
    if depth >= MAX_DEPTH and kind in _CONTAINERS:
        return "", f"nested deeper than {MAX_DEPTH} levels (or cyclic)"
    if kind is list or kind is FrozenList:
        assert isinstance(value, list)
        return _list_flaw(value, depth, uncommon)
    if kind is dict or kind is FrozenDict:
        assert isinstance(value, dict)
        return _object_flaw(value, depth, uncommon)
    return "", f"{kind.__name__} is not a JSON value; convert it before it becomes evidence"


_CONTAINERS = frozenset({list, dict, FrozenList, FrozenDict})


def _list_flaw(items: list[object], depth: int, uncommon: list[object]) -> tuple[str, str] | None:
    for index, item in enumerate(items):
        flaw = _first_flaw(item, depth + 1, uncommon)
        if flaw is not None:
            return f"[{index}]{flaw[0]}", flaw[1]
    return None


def _object_flaw(entries: dict[object, object], depth: int, uncommon: list[object]) -> tuple[str, str] | None:
    for key, item in entries.items():
        if type(key) is not str:
            return "", f"a key is a {type(key).__name__}; JSON keys are strings"
        if not key.isascii():
            uncommon.append(key)
        flaw = _text_flaw(key) or _first_flaw(item, depth + 1, uncommon)
        if flaw is not None:
            return f".{ascii(key[:_SHOWN_KEY])[1:-1]}{flaw[0]}", flaw[1]
    return None


def _text_flaw(text: object) -> tuple[str, str] | None:
    assert isinstance(text, str)
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "", "the text holds a lone surrogate, which has no UTF-8 form"
    return None


def canonical_bytes(value: object) -> bytes:
    """Return the RFC 8785 bytes of a JSON value.

    Raises:
        ValueError: the value has no single canonical form; the message names the place.
    """
    uncommon: list[object] = []
    _require_json(value, "$", uncommon)
    if uncommon:
        return rfc8785.dumps(value)  # type: ignore[arg-type]  # the line above has established the type
    return _ENCODER.encode(value).encode()


# Many times faster than rfc8785, and byte for byte the same but for the spelling of some floats and the order of keys
# beyond ASCII, which are set aside as uncommon.
_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def parse_canonical(content: bytes) -> JsonValue:
    """Read bytes that `canonical_bytes` wrote, and no others.

    Raises:
        ValueError: not UTF-8, not JSON, a duplicate key, a number without exact form, nested too deep, or JSON that is
            spelt otherwise than RFC 8785 spells it.
    """
    try:
        value = json.loads(
            content.decode("utf-8"),
            object_pairs_hook=_unique_keys,
            parse_int=_exact_number,
            parse_constant=_refuse_constant,
        )
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start}") from error
    except RecursionError as error:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels") from error
    if canonical_bytes(value) != content:
        raise ValueError("JSON, but not in its canonical spelling")
    parsed: JsonValue = value
    return parsed


def _unique_keys(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise ValueError("an object holds the same key twice")
    return entries


def _exact_number(digits: str) -> int | float:
    """Read an integer literal as RFC 8785 means it: beyond 2^53 only a float can have been written."""
    if len(digits) > len(str(MAX_SAFE_INTEGER)) + 1 or abs(int(digits)) > MAX_SAFE_INTEGER:
        return float(digits)
    return int(digits)


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is not a JSON number")


def tagged(value: object, *, depth: int = 0) -> JsonValue:
    """Write a plain Python value as JSON, differently for every different value or type.

    What JSON has stays as it is; everything else becomes ``{"$tag": …}``. A dictionary whose keys are all plain
    text stays an object, with a leading ``$`` of a key doubled.

    Raises:
        ValueError: the value is not plain data, or nested too deep (cyclic data is).
    """
    if depth > MAX_DEPTH:
        raise NotPlainDataError(f"nested deeper than {MAX_DEPTH} levels (or cyclic)")
    kind = type(value)
    if kind is str:
        return _tag_text(value)
    if value is None or value is True or value is False:
        return value
    writer = _WRITERS.get(kind)
    if writer is None:
        raise NotPlainDataError(f"{kind.__name__} is not plain data")
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


def _clock_text(value: object) -> str:
    assert isinstance(value, datetime | time)
    if value.tzinfo is not None and type(value.tzinfo) is not timezone:
        raise NotPlainDataError(f"a time zone of type {type(value.tzinfo).__name__} is not plain data")
    return value.isoformat()


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
    datetime: lambda v, _d: {"$datetime": _clock_text(v)},
    date: lambda v, _d: {"$date": v.isoformat()},  # type: ignore[attr-defined]  # the key says date
    time: lambda v, _d: {"$time": _clock_text(v)},
    timedelta: _write_delta,
}


def untagged(value: JsonValue, *, depth: int = 0) -> object:
    """Read back what `tagged` wrote.

    Raises:
        ValueError: an unknown or malformed tag, a spelling that `tagged` does not write, or too deep nesting.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, list):
        return _read_items(value, depth)
    if not isinstance(value, dict):
        return value
    tags = [key for key in value if key.startswith("$") and not key.startswith("$$")]
    if tags:
        if len(value) != 1:
            raise ValueError(f"a tag must stand alone: {tags[0][:_SHOWN_KEY]!r}")
        return _read_tag(tags[0], value[tags[0]], depth)
    return {(key[1:] if key.startswith("$$") else key): untagged(item, depth=depth + 1) for key, item in value.items()}


def _read_tag(tag: str, content: JsonValue, depth: int) -> object:
    malformed = f"unknown or malformed tag {tag[:_SHOWN_KEY]!r}"
    try:
        if isinstance(content, str):
            scalar = _TEXT_READERS[tag](content)
            if tagged(scalar) != {tag: content}:
                raise ValueError(malformed)
            return scalar
        if isinstance(content, list):
            return _LIST_READERS[tag](content, depth)
    except (KeyError, TypeError, ArithmeticError) as error:
        raise ValueError(malformed) from error
    raise ValueError(malformed)


def _read_items(items: list[JsonValue], depth: int) -> list[object]:
    return [untagged(item, depth=depth + 1) for item in items]


def _read_unordered(items: list[JsonValue], depth: int) -> frozenset[object]:
    members = frozenset(_read_items(items, depth))
    if len(members) != len(items):
        raise ValueError("a set holds the same member twice")
    return members


def _read_dict(items: list[JsonValue], depth: int) -> dict[object, object]:
    entries: dict[object, object] = {}
    for pair in items:
        if not isinstance(pair, list) or len(pair) != 2:
            raise ValueError("an entry of a tagged dictionary is a pair")
        entries[untagged(pair[0], depth=depth + 1)] = untagged(pair[1], depth=depth + 1)
    if len(entries) != len(items):
        raise ValueError("a dictionary holds the same key twice")
    return entries


def _read_text(items: list[JsonValue], _depth: int) -> str:
    return "".join(chr(_whole(item)) for item in items)


def _read_range(items: list[JsonValue], depth: int) -> range:
    return range(*(_whole(item) for item in _read_items(items, depth)))


def _read_complex(items: list[JsonValue], depth: int) -> complex:
    real, imaginary = _read_items(items, depth)
    if type(real) is not float or type(imaginary) is not float:
        raise ValueError("a complex number has two tagged floats")
    return complex(real, imaginary)


def _read_delta(items: list[JsonValue], _depth: int) -> timedelta:
    days, seconds, microseconds = (_whole(item) for item in items)
    return timedelta(days, seconds, microseconds)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError("a whole number was expected in a tag")
    return value


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

_LIST_READERS: dict[str, Callable[[list[JsonValue], int], object]] = {
    "$text": _read_text,
    "$tuple": lambda items, depth: tuple(_read_items(items, depth)),
    "$set": lambda items, depth: set(_read_unordered(items, depth)),
    "$frozenset": _read_unordered,
    "$dict": _read_dict,
    "$range": _read_range,
    "$complex": _read_complex,
    "$timedelta": _read_delta,
}
