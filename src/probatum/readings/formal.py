"""Formal claims that stand for a passage: whether they use its values, and whether these values matter to them.

Refuses a claim that leaves a value of the passage out, one about other values, and one that holds whatever the values
are, such as 20 = 20.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.readings.stated import StatedValue
from probatum.readings.verbatim import SearchedText

_NUMBER: Final = re.compile(r"(?<![\w.])(?:\d[\d_]*(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![\w.]*\d)")
_WRITTEN: Final = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_BEFORE_SIGN: Final = re.compile(r"[\w)\]]\s*$")
_LONGEST: Final = 40
_MOST_ALTERED: Final = 12


@dataclass(frozen=True, slots=True)
class ClaimProof:
    """What came of a formal claim."""

    outcome: str
    """``proved``, ``refuted`` or ``undecided``."""
    detail: str = ""
    evidence: JsonValue = None
    """Its certificate, or what refutes it."""


Prove = Callable[[str, str], ClaimProof]
"""Decides a statement of an engine; raises a ProbatumError where there is no such engine or it cannot be read."""


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


def used(value: StatedValue, statement: str, numbers: Sequence[StatementNumber]) -> tuple[StatementNumber, ...] | None:
    """Return the numbers by which a statement uses a value, none where it writes the value as text.

    None where it does not use it. A percentage may be written as a fraction of one, and a value with a scale or a unit
    as it is in the passage.
    """
    known = [each.value for each in numbers]
    written = tuple(Decimal(each.replace(",", "")) for each in _WRITTEN.findall(value.text))
    ways: list[tuple[Decimal, ...]] = [(amount,) for amount in _amounts(value)]
    if not _is_negative(value):
        ways += [written] if written else []
    for way in ways:
        if all(each in known for each in way):
            return tuple(each for each in numbers if each.value in way)
    texts = (value.text, str(value.value))
    return () if any(SearchedText(statement).places(each) for each in texts) else None


def unbroken(
    engine: str, statement: str, groups: Sequence[tuple[StatedValue, Sequence[StatementNumber]]], prove: Prove
) -> Iterator[StatedValue]:
    """Yield the values that do not matter to a proved statement: it holds with others in their place."""
    for value, numbers in groups[:_MOST_ALTERED]:
        if numbers and all(prove(engine, each).outcome == "proved" for each in _altered(statement, numbers)):
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


def _amounts(value: StatedValue) -> Iterator[Decimal]:
    if isinstance(value.value, int | float) and not isinstance(value.value, bool):
        amount = Decimal(str(value.value))
        yield amount
        if value.kind == "percentage":
            yield amount / 100


def _is_negative(value: StatedValue) -> bool:
    return isinstance(value.value, int | float) and value.value < 0
