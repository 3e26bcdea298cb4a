"""Whether two scalars at one path say the same: exactly the same, exactly something else, or neither for certain."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction
from typing import Final

from probatum.judge.facts.values import QUOTATION, key_of, outer_values
from probatum.readings.stated import DIGITS, StatedValue

_NUMBER: Final = re.compile(r"-?(?:[1-9][0-9]{0,2}(?:,[0-9]{3}){1,12}|0|[1-9][0-9]{0,39})(?:\.[0-9]{1,40})?")
_TWO_MEANINGS: Final = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})+|-?[1-9][0-9]{0,2}\.[0-9]{3}")
"""A comma or a full stop before three digits parts thousands or a fraction, by the country."""
_PLAIN: Final = re.compile(rf"{_NUMBER.pattern}(?: [-–:] {_NUMBER.pattern})?")
"""A number, or two as in a score; digits in any other form may be a date or a code."""


def agreement(one: object, other: object) -> bool | None:
    """Return whether two scalars are equal; None where their types differ, or where their words do.

    Texts contradict each other only where they are the same but for a number, date or version. What may be a code or a
    date in either order, and what differs in capitals alone, is neither equal nor different for certain.
    """
    left, right = _comparable(one), _comparable(other)
    if left is None or type(left) is not type(right):
        return None
    if isinstance(left, str):
        return True if left == right else _texts(left, str(right))
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return _numbers(one, other, left, right)
    return left == right


def _comparable(value: object) -> Fraction | bool | str | None:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return Fraction(value) if isinstance(value, int) else Fraction(Decimal(repr(value)))
    if not isinstance(value, str):
        return None
    text = " ".join(value.split())
    return Fraction(text.replace(",", "")) if _NUMBER.fullmatch(text) else text


def _numbers(one: object, other: object, left: Fraction, right: Fraction) -> bool | None:
    """Compare numbers, of which either may be a text: "1.10" and "1.1" may be versions."""
    texts = [" ".join(each.split()) for each in (one, other) if isinstance(each, str)]
    if left == right:
        return True if len(texts) < 2 or texts[0].replace(",", "") == texts[1].replace(",", "") else None
    if _meanings(one, left) & _meanings(other, right):
        return None
    # What is rounded is neither equal nor wrong.
    return None if _is_rounded(str(one), left, right) or _is_rounded(str(other), right, left) else False


def _meanings(written: object, value: Fraction) -> frozenset[Fraction]:
    """Return the numbers that a text may mean, of which one is its value."""
    if not isinstance(written, str) or not _TWO_MEANINGS.fullmatch(written.strip()):
        return frozenset((value,))
    text = written.strip()
    return frozenset((value, Fraction(re.sub("[,.]", "", text)), Fraction(text.replace(",", ".", 1).replace(",", ""))))


def _is_rounded(written: str, value: Fraction, other: Fraction) -> bool:
    places = len(written.strip().partition(".")[2])
    return places > 0 and abs(value - other) <= Fraction(1, 2 * 10**places)


def _texts(one: str, other: str) -> bool | None:
    ours, theirs = ([each for each in outer_values(text) if each.kind != QUOTATION] for text in (one, other))
    if not ours or one.casefold() == other.casefold() or _frame(one, ours) != _frame(other, theirs):
        return None
    answers = [_values(a, b) for a, b in zip(ours, theirs, strict=True)]
    return False if False in answers and None not in answers else True if all(answers) else None


def _values(one: StatedValue, other: StatedValue) -> bool | None:
    """Compare two values at the same place of two texts."""
    if one.text == other.text:
        return True
    mine, yours = key_of(one), key_of(other)
    if (mine[0], mine[2]) != (yours[0], yours[2]):
        return None
    if mine == yours:
        return True if one.unit and other.unit else None
    is_plain = all(each.kind != DIGITS or _PLAIN.fullmatch(each.text) for each in (one, other))
    return False if is_plain and not any(_TWO_MEANINGS.fullmatch(each.text) for each in (one, other)) else None


def _frame(text: str, values: list[StatedValue]) -> list[str]:
    """Return what stands around the values of a text."""
    ends = [0, *(each.end for each in values)]
    starts = [*(each.start for each in values), len(text)]
    return [text[end:start].casefold() for end, start in zip(ends, starts, strict=True)]
