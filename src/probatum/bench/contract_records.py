"""Benchmark records: what is written down about one run of a task.

``ok`` and ``error`` say whether the task gave an answer; ``verification_status`` says apart from that what checking the
answer came to. Only a VERIFIED verdict is a ``pass`` (a ``warn`` where a verifier warned): an output that nothing was
asked of, one that was too large to judge and one that is not there are ``skipped``, everything else is a ``fail``.

Source: verification registry requirement, "Benchmarks".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from probatum.bench.contract_cases import ContractCase
from probatum.core.canonical import JsonValue
from probatum.core.decision import STATUS_OF, DiagnosticStatus, Outcome

STATUSES: Final = ("pass", "warn", "fail", "skipped")
NO_OUTPUT: Final = "no output"


def verification_status(outcome: Outcome | None, slots: Sequence[str]) -> str:
    """Return a record's status: ``outcome`` is None without an output, ``slots`` are the verifiers' statuses."""
    if outcome is None:
        return "skipped"
    if STATUS_OF[outcome] is not DiagnosticStatus.VERIFIED:
        return "skipped" if outcome is Outcome.UNDECIDED and "fail" not in slots else "fail"
    return "warn" if "warn" in slots else "pass"


@dataclass(frozen=True, slots=True)
class BenchmarkRecord:
    """One run of a task with what became of it."""

    case: ContractCase
    # Of the verdict; None where there was no output to judge.
    outcome: Outcome | None
    status: str
    # What kind of value the output is, never what it says.
    summary: str

    def to_json(self, *, raw_output: bool) -> dict[str, JsonValue]:
        """Return the record's fields; the output itself only where that is asked for."""
        case = self.case
        ok = case.output is not None
        fields: dict[str, JsonValue] = {
            "case_id": case.case_id,
            "task_id": case.task_id,
            "contract_version": case.contract_version,
            "ok": ok,
            "error": None if ok else case.error or NO_OUTPUT,
            "attempts": case.attempts,
            "elapsed_seconds": case.elapsed_seconds,
            "model_id": case.model_id,
            "verification_status": self.status,
            "output_summary": self.summary,
        }
        if raw_output:
            fields["raw_output"] = None if case.output is None else case.output.decode("utf-8")
        return fields
