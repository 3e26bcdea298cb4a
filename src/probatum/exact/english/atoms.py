"""What controlled English states, as plain values.

Atoms are about one or two named things; rules have at most one variable; a reading is rules, or that something exists.
Refuses, when it reads an atom back, every spelling but the one that it writes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

VARIABLE: Final = "?"
"""Stands for anything; no name is written so."""


@dataclass(frozen=True, slots=True, order=True)
class Atom:
    """A predicate of one or two things, affirmed or denied."""

    subject: str
    predicate: str
    object: str = ""
    is_true: bool = True

    @property
    def denied(self) -> Atom:
        """Return the opposite."""
        return Atom(self.subject, self.predicate, self.object, not self.is_true)

    @property
    def has_variable(self) -> bool:
        """True where it speaks of the variable."""
        return VARIABLE in (self.subject, self.object)

    def bound(self, name: str, slot: str = VARIABLE) -> Atom:
        """Return the atom with a name in the place of the variable, or of another slot."""
        if slot not in (self.subject, self.object):
            return self
        subject = name if self.subject == slot else self.subject
        return replace(self, subject=subject, object=name if self.object == slot else self.object)

    @property
    def text(self) -> str:
        """Return the one spelling of the atom: its sign, its subject, predicate and object."""
        sign = "+" if self.is_true else "-"
        return " | ".join((sign, self.subject, self.predicate, *([self.object] if self.object else ())))

    @classmethod
    def from_text(cls, text: str) -> Atom:
        """Read what `text` wrote; raises ValueError for anything else."""
        sign, *parts = text.split(" | ")
        if sign not in {"+", "-"} or len(parts) not in {2, 3} or not all(parts):
            raise ValueError(f"{text[:60]!r} is not an atom")
        return cls(parts[0], parts[1], parts[2] if len(parts) == 3 else "", sign == "+")


Conjunction = tuple[Atom, ...]
Alternatives = tuple[Conjunction, ...]
"""At least one of the conjunctions holds."""


@dataclass(frozen=True, slots=True)
class Rule:
    """Where all conditions hold, so does the conclusion, whatever the variable stands for; a fact has none."""

    conditions: Conjunction
    conclusion: Atom

    @property
    def has_variable(self) -> bool:
        """True where the variable occurs."""
        return self.conclusion.has_variable or any(each.has_variable for each in self.conditions)

    def bound(self, name: str) -> Rule:
        """Return the instance for a name."""
        return Rule(tuple(each.bound(name) for each in self.conditions), self.conclusion.bound(name))

    @property
    def atoms(self) -> Conjunction:
        """Return conditions and conclusion."""
        return (*self.conditions, self.conclusion)


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """What one sentence states: rules that hold all together, or that something meets every atom of ``some``."""

    rules: frozenset[Rule] = frozenset()
    some: frozenset[Atom] = frozenset()

    @property
    def facts(self) -> frozenset[Atom] | None:
        """Return the atoms where it states nothing but atoms about named things."""
        if self.some or any(rule.conditions or rule.has_variable for rule in self.rules):
            return None
        return frozenset(rule.conclusion for rule in self.rules)
