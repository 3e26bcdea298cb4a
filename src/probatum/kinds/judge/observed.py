"""What was observed of an output, and what follows from it: decision, proof, document and sheet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from probatum.core.decision import Decision
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import thaw
from probatum.core.messages import counted
from probatum.core.outside import shell_command
from probatum.core.shape import Shape
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.core.subject import Subject
from probatum.core.validation import ValidationResult
from probatum.judge.judging import decide_checks
from probatum.judge.layers import Basis, CheckOutcome, LayerReport
from probatum.kinds.judge.proof import judge_account
from probatum.kinds.judge.request import JudgeRequest, asked_bytes
from probatum.proof.account import Account, proof_of
from probatum.verification.observed import Proof, Whole

if TYPE_CHECKING:
    from probatum.kinds.judge.model_reading import ModelSaid

_MARKS: Final = {CheckOutcome.PASSED: Mark.HOLDS, CheckOutcome.UNDECIDED: Mark.UNDECIDED}
_DECIDED_BY: Final = {
    Basis.EXACT: "compared exactly",
    Basis.EXECUTED: "executed",
    Basis.STRUCTURE: "parsed",
    Basis.READING: "by a reading",
    Basis.NOTHING: "open",
}
_NEXT: Final = {
    "judge.schema_open": "after you have said in the schema what an output must be: a type, required keys",
    "judge.criteria_open": "after you have written the open criterion in code, or added a reading of it to the request",
    "judge.claims_open": "after you have given a source, or a reading, for the open claim",
    "judge.quality_open": "after you have left quality out, or named a language that is looked at",
    "judge.nothing_decided": "after you have asked for a schema, criteria or facts",
}
_OF_SEVERITY: Final = {Severity.ERROR: Mark.FAILS, Severity.WARNING: Mark.UNDECIDED, Severity.INFO: Mark.NOTE}
_ORDER: Final = tuple(Severity)
_MOST_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class JudgedValidation(Whole):
    """One output with the reports of its layers, and the result that they come to."""

    request: JudgeRequest
    reports: tuple[LayerReport, ...]
    result: ValidationResult
    linters: tuple[str, ...] = ()
    """Those that looked at its code."""
    said: tuple[ModelSaid, ...] = ()
    """What models say of what is open."""

    @property
    def name(self) -> str:
        """What the output is called."""
        return self.request.name

    def decide(self) -> Decision:
        """Return the decision that the checks come to."""
        return decide_checks(self.reports)

    def account(self) -> Account:
        """Return what a proof would tell, whatever the decision."""
        asked, media_type = self.request.asked, self.request.media_type
        digest = digest_of(asked_bytes(asked))
        return judge_account(self.reports, self.decide(), digest, media_type, self.linters, asked.readings_policy)

    def proof(self) -> Proof:
        """Return the artifact, with the output and what was asked beside it; raises as `proof_of` does."""
        request, asked = self.request, asked_bytes(self.request.asked)
        subject = Subject(request.content, request.media_type, request.name)
        beside = {subject.digest: request.content, digest_of(asked): asked}
        return Proof(proof_of("judge", self.account(), subject), beside)

    def document(self) -> dict[str, object]:
        """Return the result, and beside it what models say."""
        metadata = self.result.metadata
        if not self.said or metadata is None:
            return {"result": self.result.to_dict()}
        named = replace(metadata, model=", ".join(each.model for each in self.said))
        result = replace(self.result, metadata=named).to_dict()
        return {"result": result, "models": [each.document() for each in self.said]}

    def findings(self) -> tuple[Finding, ...]:
        """Return every issue, errors first."""
        found = (each for report in self.reports for each in report.issues)
        return tuple(sorted(found, key=lambda each: _ORDER.index(each.severity)))

    def asked(self) -> str:
        """Return the layers that were asked for."""
        return ", ".join(each.layer.value for each in self.reports)

    def summary(self) -> str:
        """Return how large the output is."""
        return counted(len(self.request.content), "byte")

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return the scores, then every layer with its checks and issues."""
        result = self.result
        valid = Entry(Mark.HOLDS if result.valid else Mark.FAILS, f"valid: {'yes' if result.valid else 'no'}")
        scores = (f"confidence: {result.confidence:.2f}", f"quality: {result.quality_score:.2f}")
        first = Section("Result", (valid, *(Entry(Mark.NOTE, each) for each in scores)))
        layers = (Section(each.layer.value.capitalize(), tuple(_entries(each))) for each in self.reports)
        words = self.request.repeated_with
        repeat = shell_command(["probatum", "judge", *words]) if words else ""
        models = Section("Models (nothing of this counts)", tuple(map(_said, self.said)))
        sections = (first, *(each for each in (*layers, models) if each.entries))
        step = _NEXT.get(self.decide().constraint_id, "")
        return Sheet(self.name, verdict, verdict.agent_message, sections, repeat, step)


def _said(said: ModelSaid) -> Entry:
    """Return an entry about one model: its readings for a person to accept, or why there are none."""
    read = [each for grounding in said.read for each in grounding.grounded]
    refused = sum(len(grounding.refused) for grounding in said.read)
    lines = [f"'{each.claim.passage}': {each.claim.check}" for each in read[:_MOST_SHOWN]]
    lines += [said.no_advice.reason] if said.no_advice else []
    lines += [f"not shown to it: {name}" for name in said.left_out]
    lines += [f"its opinion: {each.message}" for each in (said.opinion.issues if said.opinion else ())][:_MOST_SHOWN]
    told = f"{said.model}: {counted(len(read), 'reading')} proposed, {refused} refused"
    return Entry(Mark.NOTE, told, None, tuple(lines))


def _entries(report: LayerReport) -> Iterator[Entry]:
    for issue in report.issues:
        place = issue.location.name if issue.location is not None else ""
        detail = (issue.suggestion,) if issue.suggestion else ()
        yield Entry(_OF_SEVERITY[issue.severity], f"{place}: {issue.message}" if place else issue.message, None, detail)
    # What did not pass mostly has its issue.
    shown = {CheckOutcome.PASSED} if report.issues else {CheckOutcome.PASSED, CheckOutcome.UNDECIDED}
    for check in (each for each in report.checks if each.state in shown):
        lines: tuple[str, ...] = tuple(_read(Shape(thaw(check.evidence)))) if check.basis is Basis.READING else ()
        yield Entry(_MARKS[check.state], f"{check.about} ({_DECIDED_BY[check.basis]})", None, lines)


def _read(evidence: Shape) -> Iterator[str]:
    """Yield a line for each reading: who says it, what was compared, and the words around what is quoted."""
    for each in evidence.items("readings"):
        text = {key: value for key, value in each.raw_object().items() if isinstance(value, str)}
        pairs = [" = ".join(pair.texts()) for pair in each.items("compared")] if each.has("compared") else []
        around = (
            f"{text.get('before', '')} [{text['quote']}] {text.get('after', '')}".strip() if "quote" in text else ""
        )
        parts = (f"{text['reader']}, {text['check']}", text.get("source", ""), ", ".join(pairs), around)
        yield "; ".join(filter(None, parts))
