"""One value, one sequence of bytes: RFC 8785 canonical JSON.

`canonical_bytes` takes JSON values only and refuses everything that could make two different values look alike:
non-finite numbers, integers beyond 2^53, keys that are not strings, tuples, subclasses of the builtin types, lone
surrogates, cycles and deep nesting. Numbers are compared as JSON compares them: 1 and 1.0 are one number, and so are
0.0 and -0.0. Text is not Unicode-normalised: what differs in code points differs in bytes.
"""

from __future__ import annotations

import json
from math import isfinite
from typing import Any, Final, TypeAlias

import rfc8785

from probatum.core.frozen import FrozenDict, FrozenList
from probatum.core.json_text import DEEPEST, MAX_BYTES, MAX_DEPTH, read_json

JsonValue: TypeAlias = "None | bool | int | float | str | list[JsonValue] | dict[str, JsonValue]"
MAX_SAFE_INTEGER = 2**53 - 1
_SHOWN_KEY = 40


def require_json(value: object, *, path: str = "$", uncommon: list[object] | None = None) -> None:
    """Raise ValueError, naming the place, unless ``value`` is JSON that has exactly one canonical form.

    What the standard encoder spells otherwise than RFC 8785 is added to ``uncommon``.
    """
    flaw = _first_flaw(value, 0, [] if uncommon is None else uncommon)
    if flaw is not None:
        place, reason = flaw
        raise ValueError(f"{path}{place}: {reason}")


def _first_flaw(value: Any, depth: int, uncommon: list[object]) -> tuple[str, str] | None:
    """Return the place and the reason of the first thing that is not canonical JSON."""
    # The place is put together on the way back: building it for every sound value would cost more than the check.
    # Exact types, not isinstance: a subclass could encode itself as something else than what was checked here.
    kind = type(value)
    if value is None or kind is bool:
        return None
    if kind is str:
        return _text_flaw(value)
    if kind is int:
        return None if abs(value) <= MAX_SAFE_INTEGER else ("", "an integer beyond 2^53 has no exact JSON number")
    if kind is float:
        if not isfinite(value):
            return "", f"{value!r} is not a JSON number"
        # Where ECMAScript and Python change to an exponent, and whether they write ".0", differs.
        if value.is_integer() or not 1e-4 <= abs(value) < 1e16:
            uncommon.append(value)
        return None
    if depth >= MAX_DEPTH and kind in _CONTAINERS:
        return "", f"nested deeper than {MAX_DEPTH} levels (or cyclic)"
    if kind is list or kind is FrozenList:
        return _list_flaw(value, depth, uncommon)
    if kind is dict or kind is FrozenDict:
        return _object_flaw(value, depth, uncommon)
    return "", f"{kind.__name__} is not a JSON value; convert it before it becomes evidence"


_CONTAINERS = frozenset({list, dict, FrozenList, FrozenDict})


def _list_flaw(items: list[object], depth: int, uncommon: list[object]) -> tuple[str, str] | None:
    for index, item in enumerate(items):
        # The most frequent member: telling it here saves a call for each.
        if type(item) is str and item.isascii():
            continue
        flaw = _first_flaw(item, depth + 1, uncommon)
        if flaw is not None:
            return f"[{index}]{flaw[0]}", flaw[1]
    return None


def _object_flaw(entries: dict[object, object], depth: int, uncommon: list[object]) -> tuple[str, str] | None:
    for key, item in entries.items():
        if type(key) is not str:
            return "", f"a key is a {type(key).__name__}; JSON keys are strings"
        if not key.isascii():
            # RFC 8785 sorts keys by UTF-16 units, Python by code points.
            uncommon.append(key)
        elif type(item) is str and item.isascii():
            continue
        flaw = _text_flaw(key) or _first_flaw(item, depth + 1, uncommon)
        if flaw is not None:
            return f".{ascii(key[:_SHOWN_KEY])[1:-1]}{flaw[0]}", flaw[1]
    return None


def _text_flaw(text: str) -> tuple[str, str] | None:
    if text.isascii():
        return None
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return "", "the text holds a lone surrogate, which has no UTF-8 form"
    return None


def canonical_bytes(value: object) -> bytes:
    """Return the RFC 8785 bytes of a JSON value; raises ValueError, naming the place, if it has no single form."""
    uncommon: list[object] = []
    require_json(value, uncommon=uncommon)
    if not uncommon:
        return _ENCODER.encode(value).encode()
    if all(type(item) is float and item.is_integer() and abs(item) <= MAX_SAFE_INTEGER for item in uncommon):
        return _ENCODER.encode(_whole_numbers_as_integers(value)).encode()
    return rfc8785.dumps(value)  # type: ignore[arg-type]  # the check above has established the type


def _whole_numbers_as_integers(value: object) -> object:
    """Return a copy in which 1.0 is 1: RFC 8785 spells them alike, the encoder does not."""
    if type(value) is float:
        return int(value) if value.is_integer() else value
    if isinstance(value, dict):
        return {key: _whole_numbers_as_integers(item) for key, item in value.items()}
    return [_whole_numbers_as_integers(item) for item in value] if isinstance(value, list) else value


# Many times faster than rfc8785, and byte for byte the same but for the spelling of some floats and the order of keys
# beyond ASCII, which are set aside as uncommon.
_ENCODER: Final = json.JSONEncoder(
    ensure_ascii=False, check_circular=False, allow_nan=False, sort_keys=True, separators=(",", ":")
)


def parse_json(content: bytes, most: int = MAX_BYTES) -> JsonValue:
    """Read JSON of any spelling whose values have a canonical form; raises ValueError for anything else."""
    value = read_json(content, most, depth=DEEPEST, whole=_exact_number, fraction=_finite)
    require_json(value)
    return value  # type: ignore[return-value]  # require_json has established the type


def parse_canonical(content: bytes) -> JsonValue:
    """Read bytes that `canonical_bytes` wrote; raises ValueError for any others."""
    value = parse_json(content)
    if canonical_bytes(value) != content:
        raise ValueError("JSON, but not in its canonical spelling")
    return value


def _exact_number(digits: str) -> int | float:
    """Read an integer literal as RFC 8785 means it: beyond 2^53 only a float can have been written."""
    # The length comes first: int() of very many digits raises, and below that limit takes quadratic time.
    if len(digits) > len(str(MAX_SAFE_INTEGER)) + 1 or abs(int(digits)) > MAX_SAFE_INTEGER:
        return _finite(digits)
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if isfinite(number):
        return number
    told = digits if len(digits) <= _SHOWN_KEY else f"{digits[:_SHOWN_KEY]}… of {len(digits)} signs"
    raise ValueError(f"the number {told} is out of range")
