"""Answers with verdicts of a test's choice: documents and pages are projections of them, whatever gave them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from probatum.app.answers import Answer
from probatum.core.decision import EXIT_CODE, Decision, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding
from probatum.core.sheet import Sheet
from probatum.verification.desk import SavedFile
from probatum.verification.observed import Proof


@dataclass(frozen=True, slots=True)
class Told:
    """An observation that tells what it was made with."""

    name: str
    document_: Mapping[str, object] = field(default_factory=dict)
    sheet_: Sheet | None = None
    text: str = ""
    """What is said of it wherever only text is asked for."""
    parts: Sequence[Told] = ()

    def decide(self) -> Decision:
        raise NotImplementedError

    def proof(self) -> Proof:
        raise NotImplementedError

    def document(self) -> Mapping[str, object]:
        return self.document_

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        return self.sheet_ or Sheet(self.name, verdict, verdict.agent_message)

    def findings(self) -> tuple[Finding, ...]:
        return ()

    def asked(self) -> str:
        return self.text

    def saved(self) -> Sequence[SavedFile]:
        return (SavedFile("Tests", Path("test.py"), self.text),)

    def summary(self) -> str:
        return self.text


def program_answer(verdict: DiagnosticResult, whole: Told, parts: Sequence[Answer]) -> Answer:
    """Return the answer about a program of these functions."""
    return Answer(verdict, EXIT_CODE[Outcome(str(verdict.outcome))], whole, tuple(parts), "functions")


def part_answer(verdict: DiagnosticResult, told: Told) -> Answer:
    """Return the answer about one function."""
    return Answer(verdict, EXIT_CODE[Outcome(str(verdict.outcome))], told)
