"""What was observed of one change: plain frozen values, which a proof holds and which the verdict follows from.

No time, no host, no text that a run printed: the same change gives the same record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from probatum.changes.calls import BehaviourDifference, ComparedFunction
from probatum.changes.claims.rulings import ChangeClaimRuling
from probatum.changes.documented.values import DocumentedUnit
from probatum.changes.special_cases import SpecialCase
from probatum.changes.table import TableRow
from probatum.changes.tampering import Means
from probatum.changes.unjudged import Unjudged
from probatum.changes.weakened.kinds import Weakening

DEFAULT_BAR: Final = 0.7
NOTICED: Final = frozenset({"noticed", "bound"})
ALIKE: Final = "alike"


@dataclass(frozen=True, slots=True)
class ChangePolicy:
    """By what a change is judged."""

    min_strength: float = DEFAULT_BAR
    is_refactoring: bool = False
    """Nothing may change what anything does."""
    accepted: tuple[str, ...] = ()
    """Tests, by name, whose changed or weakened form somebody accepts."""

    def accepts(self, test: str) -> bool:
        """Tell whether a test is accepted, by its name, that of all its cases, its class or its file."""
        parts = (test, test.partition("[")[0], test.rpartition("::")[0], test.partition("::")[0])
        return any(each in self.accepted for each in parts if each)


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault, or one part of the change that is undone, and what the tests made of it."""

    id: str
    path: str
    line: int
    sentence: str
    """Completes "no test fails if …"."""
    end: str
    """noticed; bound, where the tests ran without end; survived; unrun, where no test runs the line; late or lost.

    alike, for a part of the change that no test notices either, and that makes no difference on calls which notice
    every fault on its lines.
    """
    by: str = ""
    """The test that noticed it."""
    call: str = ""
    """A call that comes to something else with it, where no test noticed it."""
    is_part: bool = False
    """Whether it stands for a part of the change itself, so that it has to be noticed."""
    unit: str = ""
    """The function whose change it is a part of."""

    @property
    def is_noticed(self) -> bool:
        """Whether a test noticed it."""
        return self.end in NOTICED


@dataclass(frozen=True, slots=True)
class UnitEvidence:
    """One function, or other part of a source file, that differs, and what became of undoing that."""

    name: str
    kind: str
    path: str
    line: int
    undone: Planted | None
    """None where there is nothing to undo, as for what is removed."""
    of: str = "function"
    """Or class body, or module."""


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """Everything that was observed."""

    base: str
    head: str
    """The digests of both trees."""
    rows: tuple[TableRow, ...]
    """Tests that run something changed, that are new, edited or gone, or that end in another way."""
    others: int
    """How many further tests end as before."""
    units: tuple[UnitEvidence, ...]
    faults: tuple[Planted, ...]
    compared: tuple[ComparedFunction, ...]
    differences: tuple[BehaviourDifference, ...]
    weakenings: tuple[Weakening, ...]
    means: tuple[Means, ...]
    special_cases: tuple[SpecialCase, ...]
    unjudged: tuple[Unjudged, ...]
    claims: tuple[ChangeClaimRuling, ...]
    troubles: tuple[str, ...]
    """Why something is not known: runs that did not end, faults that could not be planted."""
    uncollected: tuple[str, ...]
    """Files of tests that cannot be collected on either version, and why."""
    not_judged: tuple[str, ...]
    """Changed files that nothing here judges."""
    tests_passed: int = 0
    """How many tests of the head pass on the head."""
    inert: tuple[str, ...] = ()
    """Sources, or definitions in them, of which nothing differs but layout, documentation, annotations or a version."""
    documented: tuple[DocumentedUnit, ...] = ()
    """What became of the documentation of what changed."""

    @property
    def noticed(self) -> int:
        """How many planted faults a test noticed."""
        return sum(each.is_noticed for each in self.faults)

    def counting(self, *, by_calls: bool = False) -> tuple[Planted, ...]:
        """Return the faults that count; where calls do, an undone part is none: it should make no difference."""
        return tuple(each for each in self.faults if not (by_calls and each.is_part))

    def strength(self, *, by_calls: bool = False) -> float:
        """Return the share of faults that a test noticed, or a call where those count; 1 where there is none."""
        counting = self.counting(by_calls=by_calls)
        noticed = sum(each.is_noticed or (by_calls and bool(each.call)) for each in counting)
        return noticed / len(counting) if counting else 1.0
