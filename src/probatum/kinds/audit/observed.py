"""What was observed of a bundle, and what follows from it: decision, proof, document and sheet.

Refuses to conclude anything itself: everything here restates a claim, a check or the conclusion.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from probatum.audit.auditor import Conclusion
from probatum.audit.canonical import plain
from probatum.audit.claims import written
from probatum.audit.reasoning import CheckResult
from probatum.core.decision import Decision
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.finding import Finding, Severity
from probatum.core.messages import counted
from probatum.core.outside import shell_command
from probatum.core.sheet import Entry, Mark, Section, Sheet
from probatum.core.subject import JSON, Subject
from probatum.kinds.audit.decision import decide_audit, sentence_of
from probatum.kinds.audit.picture import claim_text, diagram_of, timeline_of
from probatum.kinds.audit.proof import audit_account
from probatum.kinds.audit.request import AuditRequest
from probatum.proof.account import proof_of
from probatum.verification.observed import Proof, Whole

_SEVERITY: Final = {"error": Severity.ERROR, "warn": Severity.WARNING, "info": Severity.INFO}
_NEXT: Final = {
    "audit.question_unsound": "after you have mended the question: the lines below say what it leaves open",
    "audit.conflict": "after you have found out which of the claims is wrong, and collected again what made it",
    "audit.insufficient": "after you have collected evidence for what is missing",
    "audit.evidence_unsound": "after you have left out, or collected again, the items that break a rule",
    "audit.doubtful": "after you have declared how all of the evidence is read, or collected it in a plainer form",
    "audit.undeclared_source": "after you have named the source in its requirement, or left its evidence out",
}


@dataclass(frozen=True, slots=True)
class ObservedEvidence(Whole):
    """One bundle that was audited."""

    request: AuditRequest
    conclusion: Conclusion

    @property
    def name(self) -> str:
        """What the evidence is called."""
        return self.request.name

    def decide(self) -> Decision:
        """Return the decision that the audit leads to."""
        return decide_audit(self.conclusion)

    def proof(self) -> Proof:
        """Return the artifact, with the bundle beside it; raises as `proof_of` does."""
        subject = Subject(self.request.content, JSON, self.request.name)
        return Proof(proof_of("audit", audit_account(self.conclusion), subject), {subject.digest: self.request.content})

    def document(self) -> dict[str, object]:
        """Return the trace, its verification and the evaluation variables."""
        decision = self.decide()
        return {
            "result": {
                "passed": decision.exit_code == 0,
                "evaluation_variables": decision.fields["evaluation_variables"],
                "evidence_root": decision.fields["evidence_root"],
                "reasoning_root": decision.fields["reasoning_root"],
                "verification": writable(plain(self.conclusion.verification)),
                "trace": writable(plain(self.conclusion.trace)),
            }
        }

    def findings(self) -> tuple[Finding, ...]:
        """Return every check that does not hold, and every warning, errors first."""
        told = [check for check in self.conclusion.verification.checks if not check.ok or check.severity == "warn"]
        found = [
            Finding(_SEVERITY[check.severity], check.check_id, sentence_of(check), evidence=check.details)  # type: ignore[arg-type]  # frozen
            for check in told
        ]
        return tuple(sorted(found, key=lambda each: each.severity is not Severity.ERROR))

    def asked(self) -> str:
        """Return the question's id."""
        return f"market {self.conclusion.weighed.spec.market.market_id}"

    def summary(self) -> str:
        """Return how many items and claims there are."""
        record = self.conclusion.weighed.record
        return f"{counted(len(record.bundle.items), 'item')}, {counted(len(record.claims), 'claim')}"

    def sheet(self, verdict: DiagnosticResult) -> Sheet:
        """Return what is established, by which sources, and everything that stands against it."""
        decision = self.decide()
        checks = self.conclusion.verification.checks
        sections = (
            Section("What follows from the evidence", tuple(self._established())),
            Section("Broken rules", tuple(Entry(Mark.FAILS, sentence_of(e)) for e in checks if not e.ok), whole=True),
            Section("Remarks", tuple(Entry(Mark.NOTE, sentence_of(each)) for each in checks if _is_remark(each))),
            Section("Requirements", tuple(self._requirements())),
        )
        return Sheet(
            subject=self.request.name,
            verdict=verdict,
            headline=self.conclusion.weighed.spec.market.question,
            sections=tuple(section for section in sections if section.entries),
            repeat=self._repeat(),
            next_step=_NEXT.get(decision.constraint_id, ""),
            timeline=timeline_of(self.conclusion.weighed),
            diagram=diagram_of(self.conclusion),
        )

    def _repeat(self) -> str:
        request = self.request
        words = ["probatum", "audit", *request.repeated_with, "--evidence", request.name]
        return shell_command(words) if request.repeated_with else ""

    def _established(self) -> Iterator[Entry]:
        weighed = self.conclusion.weighed
        variables, predicate = weighed.variables, weighed.event.predicate
        event = variables["event_observed"]
        said = {True: "observed", False: "not observed", None: "open"}[event]  # type: ignore[index]  # one of the three
        text = f"event {said}: {predicate.text if predicate is not None else 'not a predicate'}"
        yield Entry(Mark.UNDECIDED if event is None else Mark.HOLDS, text)
        for agreed in weighed.used:
            if agreed.claim is not None:
                yield Entry(Mark.NOTE, f"{claim_text(agreed.claim)}, by {', '.join(agreed.sources)}")

    def _requirements(self) -> Iterator[Entry]:
        weighed = self.conclusion.weighed
        for name, sources in weighed.sources.items():
            policy = sources.requirement.selection_policy
            items = weighed.items.get(name, [])
            told = [
                f"{field.name}: {agreed.reason}"
                for field, agreed in weighed.agreed[name].items()
                if agreed.value is None
            ]
            is_met = items and sources.is_met
            mark = Mark.UNDECIDED if not is_met else Mark.NOTE if told else Mark.HOLDS
            yield Entry(mark, f"{name}: {policy.strategy}, {counted(len(items), 'item')}", detail=tuple(told))


def _is_remark(check: CheckResult) -> bool:
    return check.ok and check.severity == "warn"


def writable(value: object) -> object:
    """Return plain data in which numbers that JSON does not have are tagged."""
    if isinstance(value, dict):
        return {key: writable(item) for key, item in value.items()}
    return [writable(item) for item in value] if isinstance(value, list) else written(value)
