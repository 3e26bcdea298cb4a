"""Whether two scalars at one path say the same: exactly the same, exactly something else, or neither for certain."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from probatum.judge.facts.values import QUOTATION, key_of, outer_values
from probatum.readings.stated import StatedValue

_NUMBER: Final = re.compile(r"[+-]?(?:[0-9]{1,3}(?:,[0-9]{3}){1,12}|[0-9]{1,40})(?:\.[0-9]{1,40})?")

_LARGEST: Final = 1e300


def agreement(one: object, other: object) -> bool | None:
    """Return whether two scalars are equal; None where their types differ, or where their words do.

    Texts contradict each other only where they are the same but for a number, date or version.
    """
    left, right = _comparable(one), _comparable(other)
    if left is None or type(left) is not type(right):
        return None
    if left == right:
        return True
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        # What is rounded is neither equal nor wrong.
        return None if _is_rounded(str(one), left, right) or _is_rounded(str(other), right, left) else False
    if isinstance(left, bool):
        return False
    return _texts(str(left), str(right))


def _comparable(value: object) -> Fraction | bool | str | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        if abs(value) > _LARGEST:
            return None
        return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))
    if not isinstance(value, str):
        return None
    text = " ".join(value.split())
    return Fraction(text.replace(",", "")) if _NUMBER.fullmatch(text) else text.casefold()


def _is_rounded(written: str, value: Fraction, other: Fraction) -> bool:
    places = len(written.strip().partition(".")[2])
    return places > 0 and abs(value - other) <= Fraction(1, 2 * 10**places)


def _texts(one: str, other: str) -> bool | None:
    ours, theirs = ([each for each in outer_values(text) if each.kind != QUOTATION] for text in (one, other))
    if not ours or _frame(one, ours) != _frame(other, theirs):
        return None
    pairs = [(key_of(a), key_of(b)) for a, b in zip(ours, theirs, strict=True)]
    if any((a[0], a[2]) != (b[0], b[2]) for a, b in pairs):
        return None
    return all(a == b for a, b in pairs)


def _frame(text: str, values: list[StatedValue]) -> list[str]:
    """Return what stands around the values of a text."""
    ends = [0, *(each.end for each in values)]
    starts = [*(each.start for each in values), len(text)]
    return [text[end:start] for end, start in zip(ends, starts, strict=True)]
