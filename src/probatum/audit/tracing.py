"""Writes down, step by step, how a record was weighed: the reasoning trace.

One extract step an item, where that fits the policy's bound; else one a requirement, else one for all. Refuses to write
more steps than are allowed, and a step that cites no evidence where there is any.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from probatum.audit.canonical import content_bytes
from probatum.audit.claims import written
from probatum.audit.commitments import REASONING_ROOT, Commitment, step_commitment
from probatum.audit.conclusion import Weighed
from probatum.audit.event_terms import Value
from probatum.audit.reasoning import CheckResult, ReasoningStep, ReasoningTrace, StepType, TracePolicy
from probatum.audit.schemas import EvidenceItem
from probatum.audit.selection import Agreed
from probatum.audit.tracepolicy import EVIDENCE_ROOT, VARIABLES

LEAST_STEPS: Final = 6
"""One of each: extract, check, aggregate, check, deduce, map."""


class _Steps:
    """The steps so far."""

    def __init__(self) -> None:
        self.steps: Final[list[ReasoningStep]] = []

    def add(
        self,
        type_: StepType,
        action: str,
        evidence_ids: Sequence[str],
        prior: Sequence[str],
        output: dict[str, object],
        inputs: dict[str, object] | None = None,
    ) -> str:
        """Add a step with its commitment, and return its id."""
        step = ReasoningStep(
            step_id=f"step_{len(self.steps) + 1:04d}",
            type=type_,
            inputs=inputs or {},
            action=action,
            output=output,
            evidence_ids=list(dict.fromkeys(evidence_ids)),
            prior_step_ids=list(prior),
        )
        self.steps.append(step.model_copy(update={"hash_commitment": step_commitment(step)}))
        return step.step_id


def trace_of(weighed: Weighed, policy: TracePolicy) -> ReasoningTrace:
    """Return the trace of what was weighed, within the policy's bound."""
    record = weighed.record
    grouping, groups, merged = _grouping(weighed, policy.max_steps)
    steps = _Steps()
    every = [item.evidence_id for item in record.bundle.items]
    if every and policy.max_steps >= LEAST_STEPS:
        extracted: dict[str, str] = {}
        for name, items in groups:
            step_id = _extract(steps, weighed, name, items)
            extracted.update({item.evidence_id: step_id for item in items})
        _conclude(steps, weighed, extracted, merged=merged)
    else:
        steps.add("map", "Say that nothing can be established.", every[:1], (), {VARIABLES: _nothing(weighed)})
    told = {
        EVIDENCE_ROOT: record.evidence.root,
        "extract_steps": grouping,
        "requirements": {
            name: {"tolerance": dict(each.tolerance), "slack_seconds": each.slack_seconds}
            for name, each in weighed.declared.items()
        },
    }
    identity = hashlib.sha256(content_bytes([weighed.spec, record.evidence.root])).hexdigest()
    trace = ReasoningTrace(
        trace_id=f"trace_{identity[:16]}",
        policy=_with(policy, {**policy.extra, **told}),
        steps=steps.steps,
        evidence_refs=list(dict.fromkeys(every)),
    )
    rooted = _with(trace.policy, {**trace.policy.extra, REASONING_ROOT: Commitment.of_trace(trace).root})
    return trace.model_copy(update={"policy": rooted})


def _with(policy: TracePolicy, extra: Mapping[str, object]) -> TracePolicy:
    return policy.model_copy(update={"extra": TracePolicy(extra=dict(extra)).extra})


def _nothing(weighed: Weighed) -> dict[str, object]:
    return {**weighed.variables, "event_observed": None, "insufficient_evidence": True, "source_summary": []}


def _grouping(weighed: Weighed, most: int) -> tuple[str, list[tuple[str, list[EvidenceItem]]], bool]:
    """Return how items share extract steps, the groups, and whether requirements share one aggregate step."""
    items, by_requirement = weighed.record.bundle.items, weighed.items
    covered = sum(1 for name in weighed.sources if name in by_requirement)
    fixed = LEAST_STEPS - 2 + max(covered, 1)
    if len(items) + fixed <= most:
        return "per item", [(item.evidence_id, [item]) for item in items], False
    if len(by_requirement) + fixed <= most:
        return "per requirement", list(by_requirement.items()), False
    return "all together", [("all evidence", list(items))], True


def _extract(steps: _Steps, weighed: Weighed, name: str, items: list[EvidenceItem]) -> str:
    claims = [claim.to_json() for item in items for claim in weighed.record.claims.by_evidence_id(item.evidence_id)]
    sources = dict.fromkeys(item.provenance.source_id for item in items)
    output = {"claims": claims, "sources": list(sources)}
    return steps.add("extract", f"Read what {name[:60]} claims.", [item.evidence_id for item in items], (), output)


def _conclude(steps: _Steps, weighed: Weighed, extracted: dict[str, str], *, merged: bool) -> None:
    every, first = list(extracted), list(dict.fromkeys(extracted.values()))
    broken = [_told(check) for check in weighed.sanity if not check.ok or check.severity != "info"]
    met = {name: bool(weighed.items.get(name)) and each.is_met for name, each in weighed.sources.items()}
    checked = steps.add(
        "check",
        "Check the evidence against the question.",
        every,
        first,
        {"requirements_met": met, "findings": broken},
    )
    covered = [name for name in weighed.sources if name in weighed.items]
    groups = [covered] if merged or not covered else [[name] for name in covered]
    aggregated = []
    for names in groups:
        ids = [item.evidence_id for name in names for item in weighed.items[name]] or every
        output: dict[str, object] = {name: _aggregate(weighed, name) for name in names}
        action = f"Reconcile the sources of {names[0][:60] if len(names) == 1 else 'all requirements'}."
        prior = [*dict.fromkeys(extracted[evidence_id] for evidence_id in ids), checked]
        aggregated.append(steps.add("aggregate", action, ids, prior, {"requirements": output}))
    conflicts = [dict(check.details) for check in weighed.contradictions]
    consistent = steps.add("check", "Look for contradictions.", every, first, {"contradictions": conflicts})
    used = list(dict.fromkeys(each for agreed in weighed.used for each in agreed.evidence_ids)) or every
    event = weighed.event
    deduced = steps.add(
        "deduce",
        "Evaluate the event on what the sources agree on.",
        used,
        [*aggregated, consistent],
        {"event_observed": weighed.evaluation.value, "reasons": list(weighed.evaluation.reasons)},
        {
            "predicate": None if event.predicate is None else event.predicate.text,
            "variables": {_named(agreed): _shown(agreed.value) for agreed in weighed.used},
            "bound": {name: _shown(value) for name, value in event.bound.items()},
        },
    )
    steps.add("map", "Map the result to evaluation variables.", used, [deduced], {VARIABLES: weighed.variables})


def _aggregate(weighed: Weighed, requirement_id: str) -> dict[str, object]:
    sources = weighed.sources[requirement_id]
    policy = sources.requirement.selection_policy
    fields = {
        f"{field.name}({field.entity})" if field.entity else field.name: _agreed(each)
        for field, each in weighed.agreed[requirement_id].items()
    }
    return {"strategy": policy.strategy, "quorum": policy.quorum, "is_met": sources.is_met, "fields": fields}


def _agreed(agreed: Agreed) -> dict[str, object]:
    if agreed.claim is None:
        return {"value": None, "reason": agreed.reason}
    told: dict[str, object] = {
        "value": _shown(agreed.value),
        "claim_id": agreed.claim.claim_id,
        "sources": list(agreed.sources),
        "evidence_ids": list(agreed.evidence_ids),
    }
    return {**told, "fallback_used": True} if agreed.fallback_used else told


def _named(agreed: Agreed) -> str:
    return "" if agreed.claim is None else agreed.claim.path


def _shown(value: Value | None) -> object:
    if value is None:
        return None
    amount = written(value.value if value.high is None else [value.value, value.high])
    return {"value": amount, "unit": value.unit} if value.unit else amount


def _told(check: CheckResult) -> dict[str, object]:
    return {"check_id": check.check_id, "ok": check.ok, "message": check.message, **check.details}
