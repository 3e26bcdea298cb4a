"""Formal claims that stand for a passage: whether they use its values, and whether these values matter to them.

Refuses a claim that leaves a value of the passage out or uses it more often than it is stated, one about other values,
and one that holds whatever the values are, such as 20 = 20.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.readings.stated import StatedValue, measure_of, written_numbers
from probatum.readings.verbatim import SearchedText

_NUMBER: Final = re.compile(r"(?<![\w.])(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\w.]*\d)")
_BEFORE_SIGN: Final = re.compile(r"[\w)\]]\s*$")
_LONGEST: Final = 40
_MOST_ALTERED: Final = 12


@dataclass(frozen=True, slots=True)
class ClaimProof:
    """What came of a formal claim."""

    outcome: str
    """``proved``, ``refuted`` or ``undecided``."""
    detail: str = ""
    altered: tuple[str, ...] | None = None
    """Of a criterion: how other outputs come out; None where what it is made of shows that it can fail."""


PROVED, REFUTED, UNDECIDED = "proved", "refuted", "undecided"
Prove = Callable[[str, str, Mapping[str, JsonValue]], ClaimProof]
"""Decides a statement of an engine, or a formal criterion, with what is given; raises a ProbatumError where there is no
such engine or it cannot be read."""


@dataclass(frozen=True, slots=True)
class StatementNumber:
    """One number of a statement: a minus that can be nothing else belongs to it."""

    start: int
    end: int
    value: Decimal


def numbers_of(statement: str) -> tuple[StatementNumber, ...]:
    """Return the numbers that a statement writes, in order."""
    found = []
    for number in _NUMBER.finditer(statement):
        before = statement[max(0, number.start() - _LONGEST) : number.start()].rstrip()
        is_negative = before[-1:] in {"-", "−"} and not _BEFORE_SIGN.search(before[:-1])
        if len(number[0]) <= _LONGEST:
            value = Decimal(number[0].replace("_", ""))
            found.append(StatementNumber(number.start(), number.end(), -value if is_negative else value))
    return tuple(found)


def used(
    value: StatedValue, statement: str, numbers: Sequence[StatementNumber], beside: Sequence[StatedValue]
) -> tuple[StatementNumber, ...] | None:
    """Return the numbers by which a statement uses a value, none where it uses its text; None where it does not use it.

    The statement may write the value with its unit, or without one where all values ``beside`` it, itself among them,
    have the same; a percentage as a fraction, or as n/100.
    """
    known = {each.value for each in numbers}
    for way in _ways(value, statement, beside):
        if known.issuperset(way):
            return tuple(each for each in numbers if each.value in way)
    return None


def used_otherwise(
    numbers: Sequence[StatementNumber], uses: Mapping[StatedValue, Sequence[StatementNumber] | None]
) -> Iterator[Decimal]:
    """Yield the numbers that a statement uses more or less often than the passage states them."""
    stated = Counter(
        value
        for each, found in uses.items()
        if each.kind != "quotation"
        for value in {one.value for one in found or ()}
    )
    written = Counter(each.value for each in numbers)
    yield from (value for value, count in stated.items() if written[value] != count)


def _ways(value: StatedValue, statement: str, beside: Sequence[StatedValue]) -> Iterator[tuple[Decimal, ...]]:
    text = SearchedText(statement)
    written = written_numbers(value)
    amount = value.value if isinstance(value.value, int | float) else None
    units = {each.unit for each in beside if each.unit not in {"", "%"}}
    if amount is not None and value.unit == "%":
        yield (Decimal(str(amount)) / 100,)
        if f"{amount}/100" in re.findall(r"[\d.]+/100(?!\d)", "".join(statement.split())):
            yield (Decimal(str(amount)),)
    elif amount is not None and (not value.unit or len(units) == 1):
        yield (Decimal(str(amount)),)
    if written and not (amount is not None and amount < 0) and len(set(map(measure_of, beside))) == 1:
        yield written
    if text.says(value.text):
        yield written
        yield ()
    elif amount is None and text.says(str(value.value)):
        yield ()


def unbroken(
    statement: str,
    groups: Sequence[tuple[StatedValue, Sequence[StatementNumber]]],
    prove: Callable[[str], ClaimProof],
) -> Iterator[StatedValue]:
    """Yield the values that do not matter to a proved statement: it holds with others in their place."""
    for value, numbers in groups[:_MOST_ALTERED]:
        if numbers and all(prove(each).outcome == PROVED for each in _altered(statement, numbers)):
            yield value


def _altered(statement: str, numbers: Sequence[StatementNumber]) -> Iterator[str]:
    """Yield a statement with another number in all places of one number."""
    first = abs(numbers[0].value)
    same = [each for each in numbers if abs(each.value) == first]
    for other in (first + 1, -first - 1, first * 1000 + 7):
        text = statement
        for each in reversed(same):
            written = f"({other:f})" if other < 0 else f"{other:f}"
            text = text[: each.start] + written + text[each.end :]
        yield text
