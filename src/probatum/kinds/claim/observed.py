"""What was observed of a claim, and what follows from it: decision, proof, document and sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from probatum.core.decision import Decision, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding, Severity
from probatum.core.frozen import thaw
from probatum.core.outside import shell_command
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.core.subject import Subject
from probatum.exact.claim import Ruling
from probatum.kinds.claim.decision import claim_account, decide_claim
from probatum.kinds.claim.request import ClaimRequest, media_type
from probatum.proof.account import proof_of
from probatum.verification.observed import Proof, Whole

_MARKS: Final = {Outcome.PROVED: Mark.HOLDS, Outcome.REFUTED: Mark.FAILS, Outcome.UNDECIDED: Mark.UNDECIDED}
_TITLES: Final = {
    Outcome.PROVED: "Certificate, checked by other means",
    Outcome.REFUTED: "What contradicts it",
    Outcome.UNDECIDED: "What is known",
}
_NEXT: Final = {
    "logic.not_entailed": "after you have added the premise that it needs",
    "execute.ran": "gives the same: running code once establishes nothing; 'probatum verify' checks it by examples",
    "facts.not_stated": "after you have claimed it in words that the text contains",
    "logic.vacuous_premises": "after you have mended the premises that contradict each other",
}
_OTHERWISE: Final = "after you have changed the claim, or what is given with it: the reason is below"
_MOST_SHOWN: Final = 160


@dataclass(frozen=True, slots=True)
class JudgedClaim(Whole):
    """One claim that an engine ruled on; the certificate of a proof was checked."""

    request: ClaimRequest
    ruling: Ruling

    @property
    def name(self) -> str:
        """What the claim is called."""
        return self.request.name

    def decide(self) -> Decision:
        """Return the decision that the ruling comes to."""
        return decide_claim(self.request.claim, self.ruling)

    def proof(self) -> Proof:
        """Return the artifact, with the subject beside it; raises as `proof_of` does."""
        subject = Subject(self.request.content, media_type(self.request.claim), self.request.name)
        return Proof(
            proof_of("claim", claim_account(self.request.claim, self.ruling), subject),
            {subject.digest: self.request.content},
        )

    def document(self) -> dict[str, object]:
        """Return the ruling with all of its evidence."""
        told = self.ruling.to_json()
        return {
            "result": {"passed": self.ruling.outcome is Outcome.PROVED, "engine": self.request.claim.engine, **told}
        }

    def findings(self) -> tuple[Finding, ...]:
        """Return why the claim is not proved; nothing where it is."""
        if self.ruling.outcome is Outcome.PROVED:
            return ()
        severity = Severity.ERROR if self.ruling.outcome is Outcome.REFUTED else Severity.WARNING
        message = self.ruling.detail or self.decide().agent_message
        evidence = self.ruling.evidence
        return (Finding(severity, self.ruling.constraint, message, evidence=evidence),)

    def asked(self) -> str:
        """Return which engine was asked."""
        return self.request.claim.engine

    def summary(self) -> str:
        """Return which engine was asked."""
        return f"claim of {self.request.claim.engine}"

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return the evidence, entry by entry."""
        mark, detail = _MARKS[self.ruling.outcome], self.ruling.detail
        read = (Section("Read as", (Entry(Mark.NOTE, self.ruling.stated),)),) if self.ruling.stated else ()
        why = (*read, Section("Why", (Entry(mark, detail),))) if detail else read
        told = tuple(self._evidence())
        sections = (*why, Section(_TITLES[self.ruling.outcome], told)) if told else why
        words = ["probatum", "claim", *self.request.repeated_with]
        repeat = shell_command(words) if self.request.repeated_with else ""
        is_open = self.ruling.outcome is Outcome.UNDECIDED
        step = _NEXT.get(self.ruling.constraint, _OTHERWISE) if is_open else ""
        return Sheet(self.name, verdict, verdict.agent_message, sections, repeat, step)

    def _evidence(self) -> Iterator[Entry]:
        for key, value in self.ruling.evidence.items():
            text = value if isinstance(value, str) else json.dumps(thaw(value), ensure_ascii=False)
            shown = text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 1]}…"
            yield Entry(Mark.NOTE, f"{key.replace('_', ' ')}: {shown}")
