"""What pytest reports of one verdict: its outcome, the page as text, properties for JUnit, and a line for each check.

Only VERIFIED passes. Refuses to soften: what does not fail under ``--probatum-fail-on`` is skipped with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import pytest

from probatum.app.answers import Answer
from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.outside import visible
from probatum.core.shape import Shape
from probatum.report.judged import outcome_of
from probatum.report.page import page_of, summary_entry, verdict_word
from probatum.report.text import plain_text

_FAILS: Final[Mapping[str, frozenset[Outcome]]] = {
    "refuted": frozenset({Outcome.REFUTED}),
    "blocked": frozenset({Outcome.REFUTED, Outcome.NOT_ATTEMPTED}),
    "undecided": frozenset({Outcome.REFUTED, Outcome.NOT_ATTEMPTED, Outcome.UNDECIDED}),
}
# The states of checks, from the one that says most against a function.
_WORST_FIRST: Final = ("fails", "flaky", "doubtful", "undecided", "unchecked", "holds")
_MOST_LABEL: Final = 100
PytestOutcome = Literal["passed", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class SeenCheck:
    """One documented example or reading, and the worst that was seen of it."""

    label: str
    outcome: PytestOutcome
    reason: str = ""


def outcome_in_pytest(verdict: DiagnosticResult, fail_on: str) -> PytestOutcome:
    """Return how an item with this verdict ends."""
    if verdict.is_verified:
        return "passed"
    return "failed" if outcome_of(verdict) in _FAILS[fail_on] else "skipped"


def properties_of(verdict: DiagnosticResult) -> list[tuple[str, object]]:
    """Return what JUnit XML tells of a verdict."""
    told = {"outcome": verdict.outcome, "constraint": verdict.constraint_id, "proof_ref": verdict.proof_ref}
    return [(f"probatum.{name}", value) for name, value in told.items() if value]


def reason_of(answer: Answer) -> str:
    """Return in one line why an answer is not VERIFIED, and the command that comes next."""
    sheet = answer.sheet
    next_one = sheet.next_command or sheet.next_step
    return f"{_headline(answer)}{f' Next: {next_one}' if next_one else ''}"


def failure_of(answer: Answer, *, verbose: bool) -> str:
    """Return the text of a failure: a line for the summary of pytest, then the page."""
    return f"{_headline(answer)}\n\n{plain_text(page_of(answer.sheet, verbose=verbose))}"


def _headline(answer: Answer) -> str:
    """Return the word and the reason; what is undecided has many, and the sentence says more than the first."""
    entry = summary_entry(answer.sheet, with_subject=False, with_reason=True)
    is_undecided = outcome_of(answer.verdict) is Outcome.UNDECIDED
    said = entry.detail[0] if entry.detail and not is_undecided else answer.verdict.agent_message
    return f"{verdict_word(answer.verdict)}: {visible(said)}"


def checks_of(answer: Answer, ended: PytestOutcome) -> tuple[SeenCheck, ...]:
    """Return a line for each documented example and reading, in order; none fails where the item does not."""
    seen: dict[str, tuple[int, str]] = {}
    result = Shape((answer.only_part or answer).details.get("result"))
    # A program that was not judged has no checks.
    if not (isinstance(result.value, Mapping) and result.has("generated_tests")):
        return ()
    rows = result.member("test_results").items("test_results")
    for made, row in zip(result.items("generated_tests"), rows, strict=True):
        text, rank, note = made.text("description"), _WORST_FIRST.index(row.text("state")), row.raw("error_message")
        if text not in seen or rank < seen[text][0]:
            seen[text] = rank, f"{made.text('code')}: {note or _WORST_FIRST[rank]}"
    return tuple(_seen(text, _WORST_FIRST[rank], reason, ended) for text, (rank, reason) in seen.items())


def _seen(text: str, state: str, reason: str, ended: PytestOutcome) -> SeenCheck:
    label = visible(" ".join(text.split()), _MOST_LABEL)
    if state == "holds":
        return SeenCheck(label, "passed")
    is_failing = state == "fails" and ended == "failed"
    return SeenCheck(label, "failed" if is_failing else "skipped", f"{visible(reason)}\ndocumented: {label}")


def checks_text(checks: Iterable[SeenCheck]) -> str:
    """Return checks as text, a line for each."""
    return "".join(f"{each.outcome:8}{each.label}\n" for each in checks)


def subtest_report(report: pytest.TestReport, check: SeenCheck) -> pytest.TestReport:
    """Return the report of a subtest, beside the report of its item; needs pytest 9 or later."""
    # Deferred: earlier versions lack it.
    from _pytest.subtests import SubtestContext

    path, line, _ = report.location
    skipped = (path, (line or 0) + 1, f"Skipped: {check.reason}")
    longrepr = {"passed": None, "failed": check.reason, "skipped": skipped}[check.outcome]
    made = pytest.SubtestReport(report.nodeid, report.location, report.keywords, check.outcome, longrepr, "call")
    made.context = SubtestContext(msg=check.label, kwargs={})
    return made
