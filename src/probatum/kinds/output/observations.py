"""What was observed of one output, as a proof records it, and the decision that follows from it, purely.

The reading is one observation, each slot of the policy another. Refuses to refute an output for what its input
breaks: then nothing is decided; and refuses observations that it would not have written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from probatum.contracts.verifiers import SCHEMA_ID
from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.finding import Finding, Severity
from probatum.core.shape import Shape, json_of
from probatum.verification.decide import MAX_TOLD, decide_results
from probatum.verification.policy import VerificationPolicy
from probatum.verification.results import Fault, VerificationResult, VerificationStatus

READING: Final = "reading"
SLOT: Final = "slot"
INPUT: Final = "input"
_UNREADABLE: Final[Mapping[str, str]] = {
    "output.not_json": "contract.not_json",
    "output.ambiguous": "contract.ambiguous",
}


@dataclass(frozen=True, slots=True)
class SlotRecord:
    """What one slot of the policy said, as far as the decision and a person need it."""

    verifier_id: str
    status: VerificationStatus
    fault: Fault | None
    could_have_failed: bool
    # The most that a pass of this verifier establishes.
    best: Outcome
    # Which sides its errors are about: ``input``, ``output``; nothing where it did not say.
    about: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Return the observation of this slot."""
        return {"form": SLOT, **json_of(self)}

    @classmethod
    def from_json(cls, row: Shape) -> SlotRecord:
        """Read an observation back; raises ValueError for what `to_json` does not write."""
        return Shape({key: value for key, value in row.raw_object().items() if key != "form"}, row.place).into(cls)

    @property
    def is_about_input_alone(self) -> bool:
        """True where the subject's fault is that of what it was given, and not of what it answered."""
        return self.fault is Fault.SUBJECT and self.about == (INPUT,)

    def result(self) -> VerificationResult:
        """Return the result that the decision is derived from."""
        return VerificationResult(
            self.status,
            self.verifier_id,
            "",
            errors=self.errors,
            warnings=self.warnings,
            fault=self.fault,
            could_have_failed=self.could_have_failed,
        )


@dataclass(frozen=True, slots=True)
class OutputRecord:
    """Everything that was observed of one output."""

    reading: tuple[Finding, ...]
    # One for each slot of the policy; none where the output could not be read.
    slots: tuple[SlotRecord, ...] = ()

    def to_json(self) -> list[JsonValue]:
        """Return the observations of a proof."""
        findings: list[JsonValue] = [
            {"severity": each.severity.value, "kind": each.kind, "message": each.message} for each in self.reading
        ]
        return [{"form": READING, "findings": findings}, *(slot.to_json() for slot in self.slots)]

    @classmethod
    def from_json(cls, observations: object) -> OutputRecord:
        """Read the observations of a proof back; raises ValueError where they are none."""
        first, *rest = Shape(observations, "observations").items(least=1)
        reading = tuple(_finding(each) for each in first.exactly("form", "findings").items("findings"))
        if first.text("form") != READING or any(row.text("form") != SLOT for row in rest):
            raise ValueError("the first observation of an output is how it was read, every further one is of a slot")
        return cls(reading, tuple(SlotRecord.from_json(row) for row in rest))


@lru_cache(maxsize=256)
def _record_without_remark(
    verifier_id: str, status: VerificationStatus, could_have_failed: bool, best: Outcome
) -> SlotRecord:
    """Return what is recorded of a slot that has nothing to tell; it cannot change, so that one serves all."""
    return SlotRecord(verifier_id, status, None, could_have_failed, best)


def slot_record(result: VerificationResult, best: Outcome) -> SlotRecord:
    """Return what is recorded of a result."""
    if not (result.findings or result.errors or result.warnings or result.fault):
        return _record_without_remark(result.verifier_id, result.status, result.could_have_failed, best)
    about = {str(each.evidence.get("side")) for each in result.findings if each.severity is Severity.ERROR}
    return SlotRecord(
        result.verifier_id,
        result.status,
        result.fault,
        result.could_have_failed,
        best,
        tuple(sorted(about - {"None"})) if result.fault is Fault.SUBJECT else (),
        result.errors[:MAX_TOLD],
        result.warnings[:MAX_TOLD],
    )


def decide_output(policy: VerificationPolicy, record: OutputRecord, contract: str) -> Decision:
    """Return the decision about an output.

    ``contract`` is task and version, for the developer's layer. Raises ValueError where the record is not one of
    this policy.
    """
    fields: dict[str, object] = {"contract": contract}
    if record.reading:
        fields["reading"] = [each.message for each in record.reading[:MAX_TOLD]]
    unreadable = [each for each in record.reading if each.severity is Severity.ERROR]
    if unreadable:
        if record.slots:
            raise ValueError("an output that could not be read has no results")
        return decide(Outcome.REFUTED, _UNREADABLE.get(unreadable[0].kind, "contract.not_json"), fields=fields)
    results = [slot.result() for slot in record.slots]
    best: dict[str, Outcome] = {}
    for slot in record.slots:
        if best.setdefault(slot.verifier_id, slot.best) is not slot.best:
            raise ValueError(f"{slot.verifier_id!r} has two different bests")
    decision = decide_results(policy, results, best)
    outcome, constraint = decision.outcome, decision.constraint_id
    if outcome is Outcome.REFUTED:
        outcome, constraint = _without_blame_for_input(policy, record.slots, results, best)
    if outcome is Outcome.PROVED and SCHEMA_ID not in {slot.verifier_id for slot in policy.slots if slot.is_mandatory}:
        # What the contract's schema says was not demanded, so that nobody has shown that it holds.
        outcome, constraint = Outcome.TESTED, "contract.checks_passed"
    return decide(outcome, constraint, fields={**decision.fields, **fields})


def _without_blame_for_input(
    policy: VerificationPolicy,
    slots: Sequence[SlotRecord],
    results: Sequence[VerificationResult],
    best: Mapping[str, Outcome],
) -> tuple[Outcome, str]:
    """Decide as if the slots that only complain about the input had been skipped."""
    spared = [
        _skipped(result) if slot.is_about_input_alone else result for slot, result in zip(slots, results, strict=True)
    ]
    decision = decide_results(policy, spared, best)
    if decision.constraint_id == "contract.check_skipped":
        return decision.outcome, "contract.input_violated"
    return decision.outcome, decision.constraint_id


def _skipped(result: VerificationResult) -> VerificationResult:
    return replace(result, status=VerificationStatus.SKIPPED, fault=None, could_have_failed=False)


def _finding(row: Shape) -> Finding:
    row.exactly("severity", "kind", "message")
    return Finding(row.choice(Severity, "severity"), row.text("kind"), row.text("message"))
