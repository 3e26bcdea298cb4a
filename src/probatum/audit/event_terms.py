"""The terms of an event predicate: the values, names and conditions that it is made of, and how they print.

Everything here is plain data: `probatum.audit.predicates` reads it from text, `probatum.audit.three_valued` says what
it is worth. A condition prints as text that reads back as the same condition.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

SPEC_NAMES: Final = ("threshold", "window.start", "window.end", "deadline")
"""Names that the specification binds; evidence never does."""
PLAIN_ENTITY: Final = re.compile(r"\w[\w./:-]*")
"""An entity that needs no quotation marks."""


@dataclass(frozen=True, slots=True)
class Value:
    """One typed value: a point, or every value from ``value`` to ``high``, both ends included.

    ``kind`` is numeric, boolean, text_assertion, timestamp (ISO 8601 text; a date alone is a whole day in UTC),
    duration (in ``unit``, seconds where that is empty) or version (text). ``unit`` is empty for a bare number.
    """

    kind: str
    value: int | float | bool | str
    high: int | float | str | None = None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class FieldRef:
    """A field of the evidence, such as ``data[0].price``, of one entity where it is written ``price(BTC_USD)``."""

    name: str
    entity: str = ""


@dataclass(frozen=True, slots=True)
class SpecName:
    """One of `SPEC_NAMES`."""

    name: str


Operand: TypeAlias = Value | FieldRef | SpecName
TRUE: Final = Value("boolean", True)
FALSE: Final = Value("boolean", False)


@dataclass(frozen=True, slots=True)
class Compared:
    """Two operands and one of ``< <= > >= == !=`` between them; a field alone is compared with `TRUE`."""

    left: Operand
    operator: str
    right: Operand


@dataclass(frozen=True, slots=True)
class OneOf:
    """The operand equals one of the choices."""

    operand: Operand
    choices: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Within:
    """The operand lies between two others, both ends included."""

    operand: Operand
    low: Operand
    high: Operand


@dataclass(frozen=True, slots=True)
class SourceQuorum:
    """The comparison holds by at least ``count`` distinct sources, each taken alone."""

    count: int
    condition: Compared | OneOf | Within | Negation


@dataclass(frozen=True, slots=True)
class Negation:
    """The condition does not hold."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Junction:
    """Two or more conditions joined by ``and`` or by ``or``; none of them is a junction by the same word."""

    word: str
    conditions: tuple[Condition, ...]


Condition: TypeAlias = Compared | OneOf | Within | SourceQuorum | Negation | Junction


@dataclass(frozen=True, slots=True)
class EventPredicate:
    """A predicate that was read: its condition, its normalised text, and whether it says nothing about the evidence."""

    text: str
    condition: Condition
    is_vacuous: bool

    @property
    def fields(self) -> tuple[FieldRef, ...]:
        """Every field, once, in the order of appearance."""
        return tuple(dict.fromkeys(each for each in operands_of(self.condition) if isinstance(each, FieldRef)))

    @property
    def literals(self) -> tuple[Value, ...]:
        """Every literal, once, in the order of appearance; a field alone as a condition counts as ``== true``."""
        return tuple(dict.fromkeys(each for each in operands_of(self.condition) if isinstance(each, Value)))

    def uses(self, name: str) -> bool:
        """Return whether one of `SPEC_NAMES` occurs."""
        return SpecName(name) in operands_of(self.condition)


Predicate: TypeAlias = EventPredicate


def operands_of(condition: Condition) -> Iterator[Operand]:
    """Yield every operand in the order of appearance, as often as it occurs."""
    match condition:
        case Compared(left, _, right):
            yield from (left, right)
        case OneOf(operand, choices):
            yield from (operand, *choices)
        case Within(operand, low, high):
            yield from (operand, low, high)
        case SourceQuorum(_, inner) | Negation(inner):
            yield from operands_of(inner)
        case Junction(_, conditions):
            for each in conditions:
                yield from operands_of(each)


def operand_text(operand: Operand) -> str:
    """Return an operand as a predicate writes it."""
    match operand:
        case SpecName(name) | FieldRef(name, ""):
            return name
        case FieldRef(name, entity):
            return f"{name}({entity if PLAIN_ENTITY.fullmatch(entity) else _quoted(entity)})"
        case Value("text_assertion", value):
            return _quoted(str(value))
        case Value("boolean", value):
            return "true" if value else "false"
        case Value(_, value, _, unit):
            return f"{value} {unit}".rstrip()


def condition_text(condition: Condition) -> str:
    """Return a condition as a predicate writes it, with no parentheses but the needed ones."""
    match condition:
        case Compared(FieldRef() | Value("boolean") as alone, "==", right) if right == TRUE:
            return operand_text(alone)
        case Compared(left, operator, right):
            return f"{operand_text(left)} {operator} {operand_text(right)}"
        case OneOf():
            return _membership(condition, "in")
        case Within(operand, low, high):
            return f"{operand_text(operand)} between {operand_text(low)} and {operand_text(high)}"
        case SourceQuorum(count, inner):
            return f"at_least({count}, {condition_text(inner)})"
        case Negation(OneOf() as inner):
            return _membership(inner, "not in")
        case Negation(inner):
            return f"not {_enclosed(inner)}"
        case Junction("or", conditions):
            return " or ".join(map(condition_text, conditions))
        case Junction(_, conditions):
            return " and ".join(map(_enclosed, conditions))


def _membership(condition: OneOf, word: str) -> str:
    return f"{operand_text(condition.operand)} {word} ({', '.join(map(operand_text, condition.choices))})"


def _enclosed(condition: Condition) -> str:
    text = condition_text(condition)
    return f"({text})" if isinstance(condition, Junction) else text


def _quoted(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"
