"""The auditor: a question and its evidence in, a reasoning trace and its verification out.

The same evidence gives the same trace, byte for byte. A model may read what nothing else could; what it says is a
remark beside the checks and changes none of them. Refuses to decide the question.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from probatum.audit.advice import advised, decoding_policy
from probatum.audit.commitments import Commitment
from probatum.audit.conclusion import AuditRecord, Weighed
from probatum.audit.reasoning import AuditVerification, ChallengeRef, CheckResult, ReasoningTrace, TracePolicy
from probatum.audit.schemas import EvidenceBundle, PromptSpec
from probatum.audit.tracepolicy import TracePolicyVerifier
from probatum.audit.tracing import LEAST_STEPS, trace_of
from probatum.core.ports import Advisor


@dataclass(frozen=True, slots=True)
class AgentContext:
    """What surrounds one audit."""

    policy: TracePolicy = field(default_factory=TracePolicy)
    """The bound of steps, and whether steps may take in facts from outside."""
    seed: int = 0
    """For a model that takes one."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """Everything that an audit gives."""

    trace: ReasoningTrace
    verification: AuditVerification
    weighed: Weighed


class AuditorAgent:
    """Audits evidence (requirement document, section 7.1)."""

    role: Final = "auditor"

    def __init__(self, llm: Advisor | None = None, *, name: str | None = None, ctx: AgentContext | None = None) -> None:
        """Keep a model that may be asked for advice, a name, and what surrounds the audits."""
        self.llm: Final = llm
        self.name: Final = name or self.role
        self.ctx: Final = ctx or AgentContext()

    def audit(
        self, prompt_spec: PromptSpec, evidence: EvidenceBundle, *, ctx: AgentContext | None = None
    ) -> tuple[ReasoningTrace, AuditVerification]:
        """Return the trace, and whether it and the evidence keep every rule; never raises for what evidence holds."""
        context = ctx or self.ctx
        policy = context.policy
        if self.llm is not None:
            policy = policy.model_copy(update={"decoding_policy": decoding_policy(self.llm, context.seed)})
        found = concluded(prompt_spec, AuditRecord.of(prompt_spec, evidence), policy)
        if self.llm is None:
            return found.trace, found.verification
        remarks = advised(self.llm, prompt_spec, evidence, found.weighed, context.seed)
        checks = [*found.verification.checks, *remarks]
        return found.trace, found.verification.model_copy(update={"checks": checks})


def concluded(spec: PromptSpec, record: AuditRecord, policy: TracePolicy | None = None) -> Conclusion:
    """Return what follows from a record, and from nothing else."""
    policy = policy or TracePolicy()
    weighed = Weighed(spec, record)
    trace = trace_of(weighed, policy)
    checks = list(weighed.checks)
    if policy.max_steps < LEAST_STEPS:
        told = f"An audit needs {LEAST_STEPS} steps at least; {policy.max_steps} are allowed."
        checks.append(CheckResult.failed("trace.max_steps", told))
    of_trace = TracePolicyVerifier(record.evidence).verify(trace, spec, record.bundle)
    challenge = of_trace.challenge or _challenge(checks, record.evidence)
    return Conclusion(trace, AuditVerification.of([*checks, *of_trace.checks], challenge), weighed)


def _challenge(checks: list[CheckResult], evidence: Commitment) -> ChallengeRef | None:
    """Return a reference to the first item that a failed check names."""
    failed = next((each for each in checks if not each.ok and each.details.get("evidence_id") in evidence.ids), None)
    if failed is None:
        return None
    evidence_id = str(failed.details["evidence_id"])
    index = evidence.ids.index(evidence_id)
    return ChallengeRef(kind="evidence_leaf", leaf_index=index, evidence_id=evidence_id, reason=failed.message)
