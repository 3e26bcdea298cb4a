"""What was observed of a subject, and what stands in its place where nothing was: the middle of every kind's way.

Refuses to let a kind say VERIFIED of what was not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from probatum.core.decision import Decision, DiagnosticStatus, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding
from probatum.core.frozen import FrozenDict
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.verification.desk import SavedFile

_OF_REFUSALS: Final = (Outcome.UNDECIDED, Outcome.NOT_ATTEMPTED)


@dataclass(frozen=True, slots=True)
class Proof:
    """What a VERIFIED verdict rests on: the artifact's canonical bytes, and what belongs beside it by digest."""

    artifact: bytes
    beside: Mapping[str, bytes] = field(default_factory=dict)


class Observed(Protocol):
    """What was observed of one subject, or of one named part of it; everything else follows from it, purely."""

    @property
    def name(self) -> str:
        """The subject's name, or the part's own."""

    @property
    def line(self) -> int:
        """The line on which a part begins, from 1; 0 for a whole subject, and for a part without a place."""

    @property
    def parts(self) -> Sequence[Observed]:
        """Parts that have verdicts of their own; the whole is as strong as the weakest."""

    def decide(self) -> Decision:
        """Return what follows from the record and the policy alone; the same observations always decide alike."""

    def proof(self) -> Proof:
        """Return the proof of a decision that would be VERIFIED; raises ValueError for any other."""

    def document(self) -> Mapping[str, object]:
        """Return what the developer's layer tells beside the verdict; ``result`` is what batches answer."""

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return what a person reads."""

    def findings(self) -> tuple[Finding, ...]:
        """Return what was found, errors first, as reports for other programs take it."""

    def asked(self) -> str:
        """Return what it was judged by, such as a contract, in a few words."""

    def saved(self) -> Sequence[SavedFile]:
        """Return the files that were asked for."""

    def summary(self) -> str:
        """Return one line about the subject for tables: its kind and size, never what it says."""


class Whole:
    """An observation of a whole subject, with nothing to say beyond the verdict."""

    __slots__ = ()

    parts: Sequence[Observed] = ()
    """Nothing in it has a verdict of its own."""

    @property
    def line(self) -> int:
        """It begins where its file does."""
        return 0

    def findings(self) -> tuple[Finding, ...]:
        """Nothing was found."""
        return ()

    def asked(self) -> str:
        """It has no contract with a name."""
        return ""

    def saved(self) -> Sequence[SavedFile]:
        """No file was asked for."""
        return ()

    def summary(self) -> str:
        """It adds nothing to tables."""
        return ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An answer that needs no observation: what was asked about cannot be read, or cannot be judged as asked."""

    observed: Observed
    content: bytes | None = None
    """The subject, where it was read."""

    def __post_init__(self) -> None:
        outcome = self.observed.decide().outcome
        if outcome not in _OF_REFUSALS:
            raise ValueError(f"a refusal is undecided or not attempted, never {outcome.value}")


@dataclass(frozen=True, slots=True)
class Blank:
    """One file of a folder that has nothing to verify."""

    name: str


@dataclass(frozen=True, slots=True)
class NotJudged(Whole):
    """A subject of which nothing was observed, and why."""

    name: str
    decision: Decision
    next_step: str = ""
    repeat: str = ""
    told: Mapping[str, object] = field(default_factory=FrozenDict)
    """What the developer's layer tells beside the verdict."""
    by: str = ""
    """What it was to be judged by."""
    about: str = ""
    """One line about it for tables."""
    sections: tuple[Section, ...] = ()
    """What else is to be read, below the reason."""

    def asked(self) -> str:
        """Return what it was to be judged by."""
        return self.by

    def summary(self) -> str:
        """Return the line for tables."""
        return self.about

    def __post_init__(self) -> None:
        if self.decision.status is DiagnosticStatus.VERIFIED:
            raise ValueError("nothing that was not judged is VERIFIED")

    def decide(self) -> Decision:
        """Return the decision that was made without it."""
        return self.decision

    def proof(self) -> Proof:
        """Raise: there is nothing to prove."""
        raise ValueError("what was not judged has no proof")

    def document(self) -> Mapping[str, object]:
        """Return what is said beside the verdict."""
        return self.told

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return the reason, and what to do."""
        sheet = reason_sheet(self.name, self.decision, verdict, repeat=self.repeat, next_step=self.next_step)
        return replace(sheet, sections=(*sheet.sections, *self.sections))


def reason_sheet(
    name: str, decision: Decision, verdict: DiagnosticResult, *, repeat: str = "", next_step: str = ""
) -> Sheet:
    """Return what a person reads of a verdict that rests on one reason, as its decision tells it."""
    fields = decision.fields
    why = fields.get("detail") or fields.get("reason")
    hint = fields.get("hint") or next_step
    line = fields.get("line")
    mark = Mark.FAILS if decision.outcome is Outcome.REFUTED else Mark.UNDECIDED
    place = line if isinstance(line, int) and line else None
    sections = (Section("Why", (Entry(mark, why, place),)),) if isinstance(why, str) and why else ()
    return Sheet(name, verdict, verdict.agent_message, sections, repeat, hint if isinstance(hint, str) else "")
