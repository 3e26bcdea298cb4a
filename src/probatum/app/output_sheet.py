"""What a person reads about a judged output: every complaint with place and nearest fix, then who was asked.

Refuses to decide or to soften: every line restates a finding, a result or a decision.
"""

from __future__ import annotations

import shlex
from typing import Final

from probatum.app.output_answers import OutputAnswer
from probatum.core.decision import Outcome
from probatum.core.finding import Finding, Severity
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.verification.results import VerificationResult, VerificationStatus

_MARKS: Final = {
    VerificationStatus.PASS: Mark.HOLDS,
    VerificationStatus.WARN: Mark.HOLDS,
    VerificationStatus.FAIL: Mark.FAILS,
    VerificationStatus.SKIPPED: Mark.UNDECIDED,
}
_NEXT: Final = {
    "contract.nothing_enforced": "Say in the contract what an output must be: a type, required keys, allowed values.",
    "contract.input_violated": "Mend the input, or judge the output alone, without --input.",
}


def output_sheet(answer: OutputAnswer) -> Sheet:
    """Return the sheet of one output."""
    errors = [each for each in answer.findings if each.severity is Severity.ERROR]
    others = [each for each in answer.findings if each.severity is not Severity.ERROR]
    sections = (
        Section("Why", _why(answer)),
        Section(f"What breaks the contract {answer.contract}", tuple(_error(each) for each in errors)),
        Section("Remarks", tuple(_remark(each) for each in others)),
        Section("Verifiers", tuple(_slot(each) for each in answer.results)),
    )
    verdict = answer.verdict
    hint = verdict.developer_fields.get("hint")
    return Sheet(
        subject=answer.name,
        verdict=verdict,
        headline=verdict.agent_message,
        sections=tuple(section for section in sections if section.entries),
        repeat=shlex.join(["probatum", "check", answer.name, *answer.repeated_with]) if answer.repeated_with else "",
        next_step=hint if isinstance(hint, str) and hint else _next_step(answer, errors),
    )


def _why(answer: OutputAnswer) -> tuple[Entry, ...]:
    detail = answer.verdict.developer_fields.get("detail")
    return (Entry(Mark.UNDECIDED, detail),) if isinstance(detail, str) else ()


def _error(finding: Finding) -> Entry:
    line = finding.location.line if finding.location is not None else None
    return Entry(Mark.FAILS, finding.message, line, (finding.suggestion,) if finding.suggestion else ())


def _remark(finding: Finding) -> Entry:
    return Entry(Mark.NOTE, finding.message, detail=(finding.suggestion,) if finding.suggestion else ())


def _slot(result: VerificationResult) -> Entry:
    mark = _MARKS[result.status]
    if mark is Mark.HOLDS and not result.could_have_failed:
        mark = Mark.UNDECIDED
    placed = {finding.message for finding in result.findings}
    unplaced = tuple(text for text in (*result.errors, *result.warnings) if text not in placed)
    fault = f" (fault: {result.fault.value})" if result.fault is not None else ""
    return Entry(mark, f"{result.verifier_id}: {result.summary}{fault}", detail=unplaced)


def _next_step(answer: OutputAnswer, errors: list[Finding]) -> str:
    if answer.verdict.outcome == Outcome.REFUTED and len(errors) == 1:
        return errors[0].suggestion
    return _NEXT.get(str(answer.verdict.constraint_id), "")
