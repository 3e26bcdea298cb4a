"""Plain Python values that JSON does not have, written as JSON, so that a proof artifact can hold them.

`tagged` gives different JSON for every different value or type; `untagged` reads it back. Refuses what is not plain
data (objects, functions), what is nested too deep, and spellings that `tagged` does not write.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date, datetime, time, timedelta, timezone
from decimal import Decimal
from fractions import Fraction
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from math import isfinite
from operator import is_
from pathlib import PosixPath, PurePosixPath, PureWindowsPath
from typing import Any
from uuid import UUID

from probatum.core.canonical import MAX_SAFE_INTEGER, JsonValue, canonical_bytes
from probatum.core.json_text import MAX_DEPTH
from probatum.core.limits import MAX_TERM_DIGITS, require_digits, require_few_collisions

_SHOWN_KEY = 40
_LONG_BITS = 14_000  # Python writes no decimal integers of more than 4300 digits.


class NotPlainDataError(ValueError):
    """The value is not plain data, so it has no tagged form."""


def tagged(value: object, *, depth: int = 0) -> JsonValue:
    """Write a plain Python value as JSON, differently for every different value or type.

    What JSON has stays as it is; the rest becomes ``{"$tag": …}``. A dictionary whose keys are all plain text stays an
    object, in which a leading ``$`` of a key is doubled.

    Raises ValueError if the value is not plain data, or is nested too deep, as cyclic data is.
    """
    if depth > MAX_DEPTH:
        raise NotPlainDataError(f"nested deeper than {MAX_DEPTH} levels (or cyclic)")
    kind = type(value)
    if kind is str:
        return _tag_text(value)  # type: ignore[arg-type]  # its type was just asked
    if value is None or value is True or value is False:
        return value
    writer = _WRITERS.get(kind)
    if writer is None:
        raise NotPlainDataError(f"{kind.__name__} is not plain data")
    return writer(value, depth)


def _tag_text(text: str) -> JsonValue:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return {"$text": [ord(character) for character in text]}
    return text


def _items(value: Iterable[object], depth: int) -> list[JsonValue]:
    return [tagged(item, depth=depth + 1) for item in value]


def _unordered(value: Iterable[object], depth: int) -> list[JsonValue]:
    # By canonical bytes: the order of a set differs from process to process, and its members may not be comparable.
    return sorted(_items(value, depth), key=canonical_bytes)


def _write_fraction(value: Fraction, _depth: int) -> JsonValue:
    is_long = max(value.numerator.bit_length(), value.denominator.bit_length()) > _LONG_BITS
    return {"$fraction": f"{value.numerator:#x}/{value.denominator:#x}" if is_long else str(value)}


def _write_dict(value: dict[Any, object], depth: int) -> JsonValue:
    if all(type(key) is str and isinstance(_tag_text(key), str) for key in value):
        return {("$" + key if key.startswith("$") else key): tagged(v, depth=depth + 1) for key, v in value.items()}
    pairs: list[JsonValue] = [_items(pair, depth) for pair in value.items()]
    return {"$dict": sorted(pairs, key=canonical_bytes)}


def _clock_text(value: datetime | time) -> str:
    if value.tzinfo is not None and type(value.tzinfo) is not timezone:
        raise NotPlainDataError(f"a time zone of type {type(value.tzinfo).__name__} is not plain data")
    return value.isoformat()


_WORDED: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (PurePosixPath, PureWindowsPath, PosixPath, UUID, IPv4Address, IPv6Address, IPv4Network, IPv6Network)
}
_WRITERS: dict[type, Callable[[Any, int], JsonValue]] = {
    int: lambda v, _d: v if abs(v) <= MAX_SAFE_INTEGER else {"$int": hex(v)},
    # As hexadecimal: every float but the non-finite ones, exactly, and 1.0 apart from 1.
    float: lambda v, _d: {"$float": v.hex() if isfinite(v) else repr(v)},
    list: _items,
    tuple: lambda v, d: {"$tuple": _items(v, d)},
    set: lambda v, d: {"$set": _unordered(v, d)},
    frozenset: lambda v, d: {"$frozenset": _unordered(v, d)},
    dict: _write_dict,
    bytes: lambda v, _d: {"$bytes": v.hex()},
    complex: lambda v, _d: {"$complex": [tagged(v.real), tagged(v.imag)]},
    range: lambda v, d: {"$range": _items((v.start, v.stop, v.step), d)},
    Decimal: lambda v, _d: {"$decimal": str(v)},
    Fraction: _write_fraction,
    datetime: lambda v, _d: {"$datetime": _clock_text(v)},
    date: lambda v, _d: {"$date": v.isoformat()},
    time: lambda v, _d: {"$time": _clock_text(v)},
    timedelta: lambda v, _d: {"$timedelta": [v.days, v.seconds, v.microseconds]},
    **dict.fromkeys(_WORDED.values(), lambda v, d: {"$worded": [type(v).__name__, tagged(str(v), depth=d)]}),
}


def untagged(value: JsonValue, *, depth: int = 0) -> object:
    """Read back what `tagged` wrote; raises ValueError for any other spelling, or nested too deep.

    Lists and objects that stand for themselves are shared with what is read.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"nested deeper than {MAX_DEPTH} levels")
    if isinstance(value, list):
        items = _read_items(value, depth)
        # What stands for itself is not held twice; a frozen list is no list.
        return value if type(value) is list and all(map(is_, items, value)) else items
    if not isinstance(value, dict):
        return value
    tags = [key for key in value if key.startswith("$") and not key.startswith("$$")]
    if tags:
        if len(value) != 1:
            raise ValueError(f"a tag must stand alone: {tags[0][:_SHOWN_KEY]!r}")
        return _read_tag(tags[0], value[tags[0]], depth)
    entries = {(key[1:] if key.startswith("$$") else key): untagged(v, depth=depth + 1) for key, v in value.items()}
    is_itself = type(value) is dict and entries.keys() == value.keys()
    return value if is_itself and all(map(is_, entries.values(), value.values())) else entries


def _read_tag(tag: str, content: JsonValue, depth: int) -> object:
    malformed = f"unknown or malformed tag {tag[:_SHOWN_KEY]!r}"
    try:
        if isinstance(content, str):
            scalar = _TEXT_READERS[tag](content)
            # Python reads more spellings than it writes; in a proof a value has exactly one.
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
    members = frozenset(require_few_collisions(_read_items(items, depth)))
    if len(members) != len(items):
        raise ValueError("a set holds the same member twice")
    return members


def _read_dict(items: list[JsonValue], depth: int) -> dict[object, object]:
    if any(not isinstance(pair, list) or len(pair) != 2 for pair in items):
        raise ValueError("an entry of a tagged dictionary is a pair")
    keys, values = (_read_items([pair[place] for pair in items], depth) for place in (0, 1))  # type: ignore[index]  # pairs
    entries = dict(zip(require_few_collisions(keys), values, strict=True))
    if len(entries) != len(items):
        raise ValueError("a dictionary holds the same key twice")
    return entries


def _read_complex(items: list[JsonValue], depth: int) -> complex:
    real, imaginary = _read_items(items, depth)
    if type(real) is not float or type(imaginary) is not float:
        raise ValueError("a complex number has two tagged floats")
    return complex(real, imaginary)


def _read_delta(items: list[JsonValue], _depth: int) -> timedelta:
    days, seconds, microseconds = map(_whole, items)
    return timedelta(days, seconds, microseconds)


def _read_worded(items: list[JsonValue], depth: int) -> object:
    name, text = _read_items(items, depth)
    value: object = _WORDED[str(name)](text)
    if str(value) != text:
        raise ValueError("a value that is not made of its own text")
    return value


def _whole(value: object) -> int:
    if type(value) is not int:
        raise ValueError("a whole number was expected in a tag")
    return value


_TEXT_READERS: dict[str, Callable[[str], object]] = {
    "$int": lambda text: int(require_digits(text), 16),
    "$float": lambda text: float(text) if text in {"nan", "inf", "-inf"} else float.fromhex(text),
    "$bytes": bytes.fromhex,
    "$decimal": lambda text: Decimal(require_digits(text)),
    "$fraction": lambda text: Fraction(*(int(term, 0) for term in require_digits(text, MAX_TERM_DIGITS).split("/"))),
    "$datetime": datetime.fromisoformat,
    "$date": date.fromisoformat,
    "$time": time.fromisoformat,
}

_LIST_READERS: dict[str, Callable[[list[JsonValue], int], object]] = {
    "$text": lambda items, _depth: "".join(chr(_whole(item)) for item in items),
    "$tuple": lambda items, depth: tuple(_read_items(items, depth)),
    "$set": lambda items, depth: set(_read_unordered(items, depth)),
    "$frozenset": _read_unordered,
    "$dict": _read_dict,
    "$range": lambda items, depth: range(*map(_whole, _read_items(items, depth))),
    "$complex": _read_complex,
    "$timedelta": _read_delta,
    "$worded": _read_worded,
}
