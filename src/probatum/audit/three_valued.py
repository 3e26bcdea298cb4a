"""What an event predicate is worth: true, false, or unknown with the reasons why (Kleene's three values).

Stub.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, TypeAlias

from probatum.audit.event_terms import EventPredicate, FieldRef, Value

Converter: TypeAlias = Callable[[Fraction, str, str], Fraction | None]
"""A number, its unit and another unit to the number in that unit; None where the units cannot be converted."""


class EvidenceValues(Protocol):
    """What is known about the names of a predicate."""

    def value(self, field: FieldRef) -> Value | None:
        """Return the value that all sources agree on, None where there is none."""

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        """Return each source's own value; None for a source that counts and is known to have none."""

    def bound(self, name: str) -> Value | None:
        """Return what the specification binds to one of `SPEC_NAMES`."""


Environment: TypeAlias = EvidenceValues


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The worth of a predicate: True, False or None for unknown, and for None why, in at most `MOST_REASONS` sentences."""

    value: bool | None
    reasons: tuple[str, ...] = ()


def evaluate(predicate: EventPredicate, environment: EvidenceValues, convert: Converter | None = None) -> Evaluation:
    """Return what a predicate is worth where the environment tells what is known; raises nothing for any value."""
    raise NotImplementedError
