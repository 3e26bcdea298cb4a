"""The terms of an event predicate: the values, names and conditions that it is made of.

Plain data: `probatum.audit.predicates` reads it from text, `probatum.audit.three_valued` says what it is worth.
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
    """One value of a claim's kind: a point, or all from ``value`` to ``high``; numbers in ``unit``, if it is told."""

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


@dataclass(frozen=True, slots=True)
class Compared:
    """Two operands and one of ``< <= > >= == !=`` between them; a field alone is compared with `TRUE`."""

    left: Operand
    operator: str
    right: Operand


@dataclass(frozen=True, slots=True)
class Junction:
    """Conditions joined by ``and`` or ``or``, or the one that ``not`` denies."""

    word: str
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class SourceQuorum:
    """The condition, which has no quorum in it, holds by at least ``count`` sources, each taken alone."""

    count: int
    condition: Compared | Junction
    text: str


Atom: TypeAlias = Compared | SourceQuorum
Condition: TypeAlias = Atom | Junction


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


def atoms_of(condition: Condition) -> Iterator[Atom]:
    """Yield the comparisons and quorums of a condition in the order of appearance, as often as they occur."""
    if isinstance(condition, Junction):
        for each in condition.conditions:
            yield from atoms_of(each)
    else:
        yield condition


def operands_of(condition: Condition) -> Iterator[Operand]:
    """Yield every operand in the order of appearance, as often as it occurs."""
    for atom in atoms_of(condition):
        yield from (atom.left, atom.right) if isinstance(atom, Compared) else operands_of(atom.condition)


def operand_text(operand: Operand) -> str:
    """Return an operand as a predicate writes it; of a range, its low end."""
    match operand:
        case SpecName(name) | FieldRef(name, ""):
            return name
        case FieldRef(name, entity):
            return f"{name}({entity if PLAIN_ENTITY.fullmatch(entity) else _quoted(entity)})"
        case Value("text_assertion", value):
            return _quoted(str(value))
        case Value("boolean", value):
            return str(value).lower()
        case Value("version", value):
            return f"v{value}"
        case Value(_, value, _, unit):
            return f"{value} {unit.replace('_', ' ')}".rstrip()


def _quoted(text: str) -> str:
    return f'"{text}"' if "'" in text else f"'{text}'"
