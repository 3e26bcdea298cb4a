"""One judged subject, as the report formats of other programs need it: its name, verdict and findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.finding import Finding


@dataclass(frozen=True, slots=True)
class Judged:
    """One subject of a report, or one named part of it."""

    name: str
    verdict: DiagnosticResult
    findings: tuple[Finding, ...] = ()
    # What it was judged against, such as a contract.
    asked: str = ""
    # Of a subject: the path of its file from the current folder, absolute outside of it; its name where this is empty.
    path: str = ""
    # Of a part: the line on which it begins, from 1; 0 where it has no place of its own.
    line: int = 0
    # With verdicts of their own.
    parts: tuple[Judged, ...] = ()
    # A baseline knows it: it is told, and fails nothing.
    is_known: bool = False


def outcome_of(verdict: DiagnosticResult) -> Outcome:
    """Return the outcome of a verdict; one without an outcome is undecided at best."""
    return Outcome(verdict.outcome) if verdict.outcome else Outcome.UNDECIDED


def told(judged: Judged, layer: Layer) -> Sequence[Finding]:
    """Return the findings that a layer may see: the agent sees none."""
    return () if layer is Layer.AGENT else judged.findings


def said(finding: Finding) -> str:
    """Return the message of a finding, followed by its suggestion."""
    if not finding.suggestion:
        return finding.message
    return f"{finding.message}{'' if finding.message.endswith('.') else '.'} {finding.suggestion}"
