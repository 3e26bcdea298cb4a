"""The decision: status, outcome, constraint and message, derived purely from what was observed.

`STATUS_OF` and `EXIT_CODE` say what follows from an outcome. Of several decisions the weakest counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum

from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError
from probatum.core.frozen import FrozenDict, frozen_dict
from probatum.core.messages import agent_message, built_in_sentences, writable


class DiagnosticStatus(str, Enum):
    """The verdict's three states; there is no fourth."""

    VERIFIED = "VERIFIED"
    UNVERIFIABLE = "UNVERIFIABLE"
    BLOCKED = "BLOCKED"


class Outcome(StrEnum):
    """What happened, finer than the status. Declared from weakest to strongest: ``rank`` follows this order."""

    REFUTED = "refuted"
    NOT_ATTEMPTED = "not_attempted"
    UNDECIDED = "undecided"
    TESTED = "tested"
    PROVED = "proved"

    @property
    def rank(self) -> int:
        """How strong the outcome is: 0 is the weakest."""
        return _RANK[self]


_RANK: Mapping[Outcome, int] = {outcome: rank for rank, outcome in enumerate(Outcome)}
STATUS_OF: Mapping[Outcome, DiagnosticStatus] = {
    Outcome.REFUTED: DiagnosticStatus.UNVERIFIABLE,
    Outcome.NOT_ATTEMPTED: DiagnosticStatus.BLOCKED,
    Outcome.UNDECIDED: DiagnosticStatus.UNVERIFIABLE,
    Outcome.TESTED: DiagnosticStatus.VERIFIED,
    Outcome.PROVED: DiagnosticStatus.VERIFIED,
}
# 2 is for wrong usage, as everywhere.
EXIT_CODE: Mapping[Outcome, int] = {
    **dict.fromkeys((Outcome.TESTED, Outcome.PROVED), 0),
    Outcome.REFUTED: 1,
    Outcome.UNDECIDED: 3,
    Outcome.NOT_ATTEMPTED: 4,
}


@dataclass(frozen=True, slots=True)
class Decision:
    """What follows from the observations; a verdict is this with a proof reference."""

    outcome: Outcome
    constraint_id: str
    agent_message: str
    fields: FrozenDict = field(default_factory=FrozenDict)

    def __post_init__(self) -> None:
        if not self.constraint_id or not self.agent_message.strip():
            raise ValueError("a decision needs a constraint id and a message")
        object.__setattr__(self, "fields", frozen_dict(self.fields))

    @property
    def status(self) -> DiagnosticStatus:
        """The status that this outcome always has."""
        return STATUS_OF[self.outcome]

    @property
    def exit_code(self) -> int:
        """The exit code of a command that ends with this decision."""
        return EXIT_CODE[self.outcome]

    def developer_fields(self) -> dict[str, object]:
        """Return layer 2: the fields with outcome and constraint."""
        return {**self.fields, "outcome": self.outcome.value, "constraint_id": self.constraint_id}


def decide(
    outcome: Outcome,
    constraint_id: str,
    slots: Mapping[str, str | int] | None = None,
    fields: Mapping[str, object] | None = None,
    *,
    catalogue: Mapping[str, str] | None = None,
) -> Decision:
    """Build a decision whose agent message comes from a catalogue: probatum's, or the one that a kind brings.

    Raises ValueError if the constraint is not in the catalogue, or a slot does not fit it.
    """
    sentence = agent_message(constraint_id, slots or {}, catalogue)
    return Decision(outcome, constraint_id, sentence, frozen_dict(fields or {}))


def weakest(decisions: Iterable[Decision]) -> Decision:
    """Return the decision that counts among several, the first of the weakest; raises ValueError if there are none."""
    found = min(decisions, key=lambda decision: decision.outcome.rank, default=None)
    if found is None:
        raise ValueError("no decision to choose from: nothing is not success")
    return found


def blocked_by(error: ProbatumError, catalogue: Mapping[str, str] | None = None) -> Decision:
    """Return the decision for a named error that stopped a verification: it says nothing about the subject."""
    keeper = error.code.partition(".")[0]
    if isinstance(error, NotAttemptedError) and _needs_no_count(error.code, catalogue):
        constraint = error.code
    else:
        # A usage or integrity error names a file or a rule: the agent learns only who failed.
        constraint = f"{keeper}.unavailable" if keeper in {"store", "ledger"} else "verifier.fault"
    fields = {"detail": writable(error.sentence), "hint": writable(error.hint)}
    return decide(Outcome.NOT_ATTEMPTED, constraint, {"name": "it"}, fields, catalogue=catalogue)


def blocked_by_defect(error: Exception) -> Decision:
    """Return the decision for anything else that broke in a verification (law 3)."""
    fields = {"detail": writable(f"{type(error).__name__}: {error}")[:300]}
    return decide(Outcome.NOT_ATTEMPTED, "verifier.fault", fields=fields)


def undecided_by(error: BudgetError, constraint: str, catalogue: Mapping[str, str] | None = None) -> Decision:
    """Return the decision for a budget that was exceeded; ``constraint`` where the error's own code is none."""
    hint = {"hint": writable(error.hint)} if error.hint else {}
    named = error.code if _needs_no_count(error.code, catalogue) else constraint
    fields = {"detail": writable(error.sentence), **hint}
    return decide(Outcome.UNDECIDED, named, {"name": "it"}, fields, catalogue=catalogue)


def decision_of(error: Exception, too_large: str, catalogue: Mapping[str, str] | None = None) -> Decision:
    """Return the decision for whatever stopped a verification; ``too_large`` as the constraint of `undecided_by`."""
    if isinstance(error, BudgetError):
        return undecided_by(error, too_large, catalogue)
    return blocked_by(error, catalogue) if isinstance(error, ProbatumError) else blocked_by_defect(error)


def _needs_no_count(constraint: str, catalogue: Mapping[str, str] | None) -> bool:
    """Return whether a sentence can be given for a subject in which nothing was counted."""
    sentences = built_in_sentences() if catalogue is None else catalogue
    return ":count" not in sentences.get(constraint, ":count")
