"""One judged subject as other programs' reports take it: its name, its verdict and what was found.

Refuses nothing; values only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.finding import Finding

WITHHELD: Final[Sequence[Finding]] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """One subject of a report."""

    name: str
    verdict: DiagnosticResult
    findings: tuple[Finding, ...] = ()
    asked: str = ""
    """What it was judged by, such as a contract."""


def outcome_of(verdict: DiagnosticResult) -> Outcome:
    """Return the outcome of a verdict; one that states none is undecided at best."""
    return Outcome(verdict.outcome) if verdict.outcome else Outcome.UNDECIDED


def told(judged: Judged, layer: Layer) -> Sequence[Finding]:
    """Return the findings that a layer may see: the agent's sees none."""
    return WITHHELD if layer is Layer.AGENT else judged.findings


def said(finding: Finding) -> str:
    """Return what a finding says, with the nearest fix behind it."""
    if not finding.suggestion:
        return finding.message
    return f"{finding.message}{'' if finding.message.endswith('.') else '.'} {finding.suggestion}"
