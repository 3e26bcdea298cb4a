"""JSON text to values, strictly by RFC 8259 and within bounds: the one reader of JSON that comes from outside.

Whole numbers stay exact. Refuses, as `JsonTextError`: more bytes, more values or deeper nesting than is allowed, text
that is not UTF-8, a key that an object has twice, NaN and Infinity. What a model wrote is read by
`probatum.readers.json_schema.parsing`, which uses the same decoder and knows the place of every flaw.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from itertools import accumulate
from math import isinf
from typing import Final, NoReturn

from probatum.core.errors import BudgetError
from probatum.core.limits import MAX_DIGITS, MAX_PARTS, ExtentError

MAX_BYTES: Final = 128 * 1024 * 1024
MAX_DEPTH: Final = 100
DEEPEST: Final = 500
"""Nested so deep a text is read by every supported Python; how much deeper each of them reads is its own affair."""
# A list in a list has two bytes as text and a hundred in memory.
_BYTES_OF_A_LIST: Final = 3
_FEW_LISTS: Final = 10_000
# Two numbers of so few signs are the same float only where they are the same number, or both nearly nothing.
_EXACT_DIGITS: Final = 16
_SIGNIFICANT: Final = re.compile(r"-?[0.]*[1-9]")


class JsonTextError(ValueError):
    """The text is not JSON, or is beyond the bounds."""


class DepthError(JsonTextError):
    """The text is nested deeper than is allowed."""


class DuplicateKeyError(JsonTextError):
    """An object has a key twice."""


def read_json(
    content: bytes | str,
    most: int = MAX_BYTES,
    *,
    depth: int = MAX_DEPTH,
    whole: Callable[[str], object] = int,
    fraction: Callable[[str], object] = float,
) -> object:
    """Return the value of a text that is JSON and nothing else.

    Args:
        content: UTF-8 bytes, which may begin with a byte order mark, or text.
        most: the most bytes, or characters of text, that are read.
        depth: how deep lists and objects may be nested, `DEEPEST` if the caller checks that.
        whole: reads a number without fraction and exponent.
        fraction: reads any other number.

    Raises JsonTextError if it is not JSON, or is beyond these bounds; DepthError if it is nested deeper.
    """
    if len(content) > most:
        raise JsonTextError(f"more than {most} bytes")
    try:
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        require_few_parts(text)
        return decoded_within(depth, text, strict_decoder(whole, fraction))
    except UnicodeDecodeError as error:
        raise JsonTextError(f"not UTF-8 at byte {error.start}") from error
    except JsonTextError:
        raise
    except ValueError as error:
        # Also int() of more digits than Python converts.
        raise JsonTextError(str(error)) from error


def decoded_within(depth: int, text: str, decoder: json.JSONDecoder) -> object:
    """Return the value of a text, by every Python the same: raises DepthError where it is nested deeper than this.

    Otherwise raises what the decoder raises.
    """
    try:
        value: object = decoder.decode(text)
        if is_deeper(value, depth):
            raise RecursionError
    except RecursionError as error:
        raise DepthError(f"nested deeper than {depth} levels") from error
    except (ValueError, BudgetError) as error:
        # Which of two flaws a decoder meets first depends on how deep it goes.
        if is_text_deeper(text, depth):
            raise DepthError(f"nested deeper than {depth} levels") from error
        raise
    return value


def require_few_parts(text: str) -> None:
    """Raise ExtentError where a JSON text has more parts than are read, or is little else than brackets."""
    # Counting is fast and settles nearly all texts; only then is it told which signs stand in strings.
    if not _has_few_parts(text, len(text)) and not _has_few_parts(outside_strings(text), len(text)):
        most = f"{MAX_PARTS:,} values, or than one list or object in {_BYTES_OF_A_LIST} characters"
        raise ExtentError(f"more than {most}")


def _has_few_parts(text: str, size: int) -> bool:
    lists = text.count("[") + text.count("{")
    return lists <= _FEW_LISTS + size // _BYTES_OF_A_LIST and lists + text.count(",") <= MAX_PARTS


def outside_strings(text: str) -> str:
    """Return what stands outside of the strings of a JSON text, of which the last may never end."""
    return "".join(text.replace("\\\\", "").replace('\\"', "").split('"')[::2])


@lru_cache(maxsize=16)
def strict_decoder(whole: Callable[[str], object] = int, fraction: Callable[[str], object] = float) -> json.JSONDecoder:
    """Return the decoder behind `read_json`; making one for every text costs as much as a small text."""
    return json.JSONDecoder(
        object_pairs_hook=_unique_keys, parse_int=whole, parse_float=fraction, parse_constant=refuse_constant
    )


def is_deeper(value: object, depth: int = MAX_DEPTH) -> bool:
    """Return whether lists and objects are nested deeper than this."""
    # Level by level, not by recursion: the depth is the stranger's choice.
    level = [value] if type(value) in _CONTAINERS else []
    while level and depth:
        items = (each.values() if type(each) is dict else each for each in level)
        level = [item for each in items for item in each if type(item) in _CONTAINERS]  # type: ignore[attr-defined]  # lists
        depth -= 1
    return bool(level)


_CONTAINERS: Final = frozenset({list, dict})


def is_text_deeper(text: str, depth: int) -> bool:
    """Return whether the brackets of a JSON text, which may have flaws, are nested deeper than this."""
    if text.count("[") + text.count("{") <= depth:
        return False
    brackets = outside_strings(text).encode(errors="replace").translate(None, _NO_BRACKETS)
    return max(accumulate(1 if sign in b"[{" else -1 for sign in brackets), default=0) > depth


_NO_BRACKETS: Final = bytes(range(256)).translate(None, b"[]{}")


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise DuplicateKeyError("an object holds the same key twice")
    return entries


def refuse_constant(word: str) -> NoReturn:
    """Raise for NaN and Infinity, which JSON does not have."""
    raise JsonTextError(f"{word} is not a JSON number")


def is_written_exactly(digits: str, number: float) -> bool:
    """Return whether a number that was read is, as Python writes it, the decimal number that was written."""
    return len(digits) <= _EXACT_DIGITS or Decimal(digits) == Decimal(repr(number))


def kept_number(digits: str) -> float | int:
    """Return the number that is written with a fraction or an exponent; raises as `computed_number` does."""
    number = float(digits)
    return computed_number(digits) if number.is_integer() or isinf(number) else number


def exact_number(digits: str) -> float | int:
    """Return the same where nothing is lost; raises BudgetError where the number has more digits than are kept."""
    number = kept_number(digits)
    if is_written_exactly(digits, number):
        return number
    sentence = f"The number {digits[:40]} has more digits than a JSON number keeps."
    raise BudgetError("json.number_out_of_range", sentence, "Write the number as text.")


def computed_number(digits: str) -> float | int:
    """Return the number that is written with a fraction or an exponent: a whole one exactly, else the nearest float.

    Raises BudgetError where no float holds it: it is too large, or the nearest one is whole or nothing and it is not.
    """
    number = float(digits)
    is_nothing = number == 0 and _SIGNIFICANT.match(digits) is not None
    if isinf(number) or is_nothing:
        what = "small" if is_nothing else "large"
        raise BudgetError("json.number_out_of_range", f"The number {digits[:40]} is too {what} to be represented.")
    if number == 0 or len(digits) <= _EXACT_DIGITS or not number.is_integer():
        return number
    exact = Decimal(digits)
    if exact == Decimal(repr(number)):
        return number
    if len(digits) <= MAX_DIGITS and exact == exact.to_integral_value():
        return int(exact)
    raise BudgetError("json.number_out_of_range", f"The number {digits[:40]} would be read as another one, {number!r}.")
