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
_READING_KEYS: Final = frozenset({"form", "findings"})
_FINDING_KEYS: Final = frozenset({"severity", "kind", "message"})
_SLOT_KEYS: Final = frozenset(
    {"form", "verifier_id", "status", "fault", "could_have_failed", "best", "about", "errors", "warnings"}
)


@dataclass(frozen=True, slots=True)
class SlotRecord:
    """What one slot of the policy said, as far as the decision and a reader need it."""

    verifier_id: str
    status: VerificationStatus
    fault: Fault | None
    could_have_failed: bool
    best: Outcome
    """The most that a pass of this verifier establishes."""
    about: tuple[str, ...] = ()
    """Which sides its errors are about: ``input``, ``output``; nothing where it did not say."""
    errors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, JsonValue]:
        """Return the observation of this slot."""
        return {
            "form": SLOT,
            "verifier_id": self.verifier_id,
            "status": self.status.value,
            "fault": None if self.fault is None else self.fault.value,
            "could_have_failed": self.could_have_failed,
            "best": self.best.value,
            "about": list(self.about),
            "errors": list(self.errors),
            "warnings": list(self.warnings),
        }

    @classmethod
    def from_json(cls, row: Mapping[str, object]) -> SlotRecord:
        """Read an observation back; raises ValueError for what `to_json` does not write."""
        _require_keys(row, _SLOT_KEYS)
        fault, could_have_failed = row["fault"], row["could_have_failed"]
        if type(could_have_failed) is not bool:
            raise ValueError("a slot could have failed or not")
        return cls(
            _text(row["verifier_id"]),
            VerificationStatus(_text(row["status"])),
            None if fault is None else Fault(_text(fault)),
            could_have_failed,
            Outcome(_text(row["best"])),
            _texts(row["about"]),
            _texts(row["errors"]),
            _texts(row["warnings"]),
        )

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
    slots: tuple[SlotRecord, ...] = ()
    """One for each slot of the policy; none where the output could not be read."""

    def to_json(self) -> list[JsonValue]:
        """Return the observations of a proof."""
        findings: list[JsonValue] = [
            {"severity": each.severity.value, "kind": each.kind, "message": each.message} for each in self.reading
        ]
        return [{"form": READING, "findings": findings}, *(slot.to_json() for slot in self.slots)]

    @classmethod
    def from_json(cls, observations: object) -> OutputRecord:
        """Read the observations of a proof back; raises ValueError where they are none."""
        rows = [_row(each) for each in _list(observations)]
        if not rows or rows[0].get("form") != READING:
            raise ValueError("the first observation of an output is how it was read")
        _require_keys(rows[0], _READING_KEYS)
        reading = tuple(_finding(_row(each)) for each in _list(rows[0]["findings"]))
        if any(row.get("form") != SLOT for row in rows[1:]):
            raise ValueError("every further observation of an output is one of a slot")
        return cls(reading, tuple(SlotRecord.from_json(row) for row in rows[1:]))


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

    Args:
        policy: which slots were to be run.
        record: what was observed.
        contract: task and version, for the developer's layer.

    Raises:
        ValueError: the record is not one of this policy.
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


def _finding(row: Mapping[str, object]) -> Finding:
    _require_keys(row, _FINDING_KEYS)
    return Finding(Severity(_text(row["severity"])), _text(row["kind"]), _text(row["message"]))


def _require_keys(row: Mapping[str, object], keys: frozenset[str]) -> None:
    if row.keys() != keys:
        raise ValueError(f"an observation has the keys {', '.join(sorted(keys))}")


def _row(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError("an observation is an object")
    return value


def _list(value: object) -> list[object]:
    if not isinstance(value, list):
        raise ValueError("a list was expected in an observation")
    return value


def _text(value: object) -> str:
    if type(value) is not str:
        raise ValueError("text was expected in an observation")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(each) for each in _list(value))
