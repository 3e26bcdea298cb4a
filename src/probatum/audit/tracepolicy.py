"""Whether a trace keeps its policy: its form, its order, and that every step stands on evidence.

| check | what it demands |
|---|---|
| ``trace.shape`` | it is a trace at all, and its steps are bounded by ``max_steps`` and at least one |
| ``trace.step_ids`` | ids are ``step_0001`` and so on, each once, increasing |
| ``prior.order`` | a step follows from earlier steps alone |
| ``reference.evidence`` | every evidence id is one of the bundle |
| ``trace.grounding`` | every step cites evidence; what is aggregated or mapped was cited by the steps before |
| ``trace.external`` | no step brings in facts from outside, unless the policy allows it |
| ``trace.verdict`` | no step decides: that is for a judge |
| ``trace.variables`` | the last step is a ``map`` or an ``aggregate`` that outputs ``evaluation_variables`` |
| ``trace.commitment`` | steps and trace are as their hashes say, and the evidence is the one that it was made of |

Refuses to raise: whatever a trace holds, there is a result, with a challenge that names the step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from probatum.audit.commitments import REASONING_ROOT, Commitment, step_commitment
from probatum.audit.reasoning import (
    AuditVerification,
    ChallengeRef,
    CheckResult,
    ReasoningStep,
    ReasoningTrace,
    TracePolicy,
)
from probatum.audit.schemas import EvidenceBundle, PromptSpec

EVIDENCE_ROOT: Final = "evidence_root"
VARIABLES: Final = "evaluation_variables"
_STEP_ID: Final = re.compile(r"step_([0-9]{4,9})", re.ASCII)
_EXTERNAL: Final = frozenset({"external_url", "external_urls", "external_facts", "external_sources", "external_source"})
_VERDICTS: Final = frozenset({"verdict", "outcome", "preliminary_outcome", "final_outcome", "winner", "resolution"})
_EVENT: Final = "event_observed"


class _Broken(NamedTuple):
    check_id: str
    message: str
    step: ReasoningStep | None = None
    challenge: ChallengeRef | None = None


class TracePolicyVerifier:
    """Verifies traces, whoever made them."""

    def __init__(self, evidence: Commitment | None = None, reasoning: Commitment | str | None = None) -> None:
        """Keep the commitment to the evidence, for a bundle that no longer has its contents.

        ``reasoning`` is the root that the trace must have, as it is known from elsewhere; whoever wrote a trace could
        have written its hashes anew. With the whole commitment the challenge names what differs.
        """
        self._evidence: Final = evidence
        self._reasoning: Final = reasoning

    def verify(self, trace: ReasoningTrace, prompt_spec: PromptSpec, evidence: EvidenceBundle) -> AuditVerification:
        """Return every rule that is broken, with a challenge to the first step that breaks one."""
        try:
            if not isinstance(trace.policy, TracePolicy):
                raise TypeError("it has no policy")
            whole = ReasoningTrace.model_validate(trace.model_dump(warnings=False))
            commitment = self._evidence or Commitment.of_bundle(evidence)
        except (AttributeError, ValueError, TypeError, RecursionError) as error:
            # Values that were made around their validation.
            told = f"This is not a trace of this evidence: {str(error)[:300]}"
            return AuditVerification.of([CheckResult.failed("trace.shape", told)])
        broken = [
            *_of_form(whole),
            *_of_grounding(whole, evidence),
            *_of_content(whole),
            *_of_hashes(whole, commitment),
            *self._of_root(Commitment.of_trace(whole)),
        ]
        first = next((each for each in broken if each.step is not None or each.challenge is not None), None)
        checks = [_failed(each) for each in broken] or [
            CheckResult.passed("trace.policy", "The trace keeps its policy.")
        ]
        return AuditVerification.of(checks, None if first is None else _challenge(whole, first))

    def _of_root(self, found: Commitment) -> Iterator[_Broken]:
        due = self._reasoning
        if isinstance(due, Commitment) and (differing := due.challenge(found)) is not None:
            what = f"{differing.step_id or ''} {differing.reason}".strip()
            yield _Broken("trace.commitment", f"The trace is not that of the root at hand: {what}.", None, differing)
        elif isinstance(due, str) and due != found.root:
            yield _Broken("trace.commitment", f"The trace has the root {found.root}, not {due[:80]}.")


def _of_form(trace: ReasoningTrace) -> Iterator[_Broken]:
    if not trace.steps:
        yield _Broken("trace.shape", "The trace has no steps.")
    if len(trace.steps) > trace.policy.max_steps:
        told = f"The trace has {len(trace.steps)} steps; {trace.policy.max_steps} are allowed."
        yield _Broken("trace.shape", told, trace.steps[trace.policy.max_steps])
    last = 0
    earlier: set[str] = set()
    for step in trace.steps:
        match = _STEP_ID.fullmatch(step.step_id)
        number = int(match[1]) if match else 0
        # Beyond four digits there are no leading zeros.
        if match is None or step.step_id != f"step_{number:04d}" or number <= last:
            yield _Broken("trace.step_ids", f"{step.step_id[:40]!r} does not follow step_{last:04d}.", step)
        last = max(last, number)
        for prior in step.prior_step_ids:
            if prior not in earlier:
                yield _Broken("prior.order", f"{step.step_id[:40]} follows from {prior[:40]!r}, no earlier step.", step)
        earlier.add(step.step_id)


def _of_grounding(trace: ReasoningTrace, bundle: EvidenceBundle) -> Iterator[_Broken]:
    known = {item.evidence_id for item in bundle.items}
    cited: dict[str, set[str]] = {}
    for evidence_id in trace.evidence_refs:
        if evidence_id not in known:
            yield _Broken("reference.evidence", f"{evidence_id[:60]!r} is not in the bundle.")
    for step in trace.steps:
        ids = set(step.evidence_ids)
        for evidence_id in step.evidence_ids:
            if evidence_id not in known:
                yield _Broken("reference.evidence", f"{evidence_id[:60]!r} is not in the bundle.", step)
        if not ids and known and not _says_nothing(step):
            yield _Broken("trace.grounding", f"{step.step_id[:40]} cites no evidence.", step)
        before = set[str]().union(*(cited.get(prior, set()) for prior in step.prior_step_ids))
        if step.type in {"aggregate", "map"} and step.prior_step_ids and not ids <= before:
            yield _Broken("trace.grounding", f"{step.step_id[:40]} cites what no step before it looked at.", step)
        cited[step.step_id] = ids


def _says_nothing(step: ReasoningStep) -> bool:
    """Return whether a step only says that the evidence is insufficient."""
    variables = step.output.get(VARIABLES)
    return (
        isinstance(variables, dict) and variables.get(_EVENT) is None and variables.get("insufficient_evidence") is True
    )


def _of_content(trace: ReasoningTrace) -> Iterator[_Broken]:
    for step in trace.steps:
        external = sorted(_EXTERNAL & set(_keys(step.inputs)))
        if external and not trace.policy.allow_external_sources:
            yield _Broken("trace.external", f"{step.step_id[:40]} takes in {external[0]}.", step)
        variables = step.output.get(VARIABLES)
        deciding = sorted(_VERDICTS & {*step.output, *(variables if isinstance(variables, dict) else ())})
        if deciding:
            yield _Broken("trace.verdict", f"{step.step_id[:40]} decides: it outputs {deciding[0]}.", step)
    last = trace.steps[-1] if trace.steps else None
    variables = last.output.get(VARIABLES) if last is not None and last.type in {"map", "aggregate"} else None
    if not isinstance(variables, dict) or not isinstance(variables.get(_EVENT, ""), bool | None):
        yield _Broken("trace.variables", f"The last step is not a map or aggregate that outputs {VARIABLES}.", last)


def _keys(value: object) -> Iterator[str]:
    """Yield every key of an object, however deep."""
    pending = [value]
    while pending:
        each = pending.pop()
        if isinstance(each, dict):
            yield from each
            pending += each.values()
        elif isinstance(each, list):
            pending += each


def _of_hashes(trace: ReasoningTrace, evidence: Commitment) -> Iterator[_Broken]:
    for step in trace.steps:
        if step.hash_commitment is not None and step.hash_commitment != step_commitment(step):
            yield _Broken("trace.commitment", f"{step.step_id[:40]} is not what its hash says.", step)
    extra = trace.policy.extra
    # Whoever keeps one hash keeps all, so that none can be left out.
    if all(each.hash_commitment is None for each in trace.steps) and not {EVIDENCE_ROOT, REASONING_ROOT} & extra.keys():
        return
    if extra.get(EVIDENCE_ROOT) != evidence.root:
        yield _Broken("trace.commitment", "The evidence is not the one that the trace was made of.")
    if extra.get(REASONING_ROOT) != Commitment.of_trace(trace).root:
        yield _Broken("trace.commitment", "The trace is not what its root says.")


def _failed(broken: _Broken) -> CheckResult:
    return CheckResult.failed(broken.check_id, broken.message, {"step_id": broken.step.step_id} if broken.step else {})


def _challenge(trace: ReasoningTrace, broken: _Broken) -> ChallengeRef:
    if broken.challenge is not None:
        return broken.challenge
    assert broken.step is not None
    index = next(index for index, step in enumerate(trace.steps) if step is broken.step)
    return ChallengeRef(kind="reasoning_leaf", leaf_index=index, step_id=broken.step.step_id, reason=broken.message)
