"""A trace that is right, and what it takes to make it wrong in one thing alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from probatum.audit import ReasoningStep, ReasoningTrace, TracePolicy, TracePolicyVerifier, VerificationResult
from tests.audit.cases import bundle, price, requirement, spec

SPEC = spec(requirement(sources=["src_1", "src_2"]))
EVIDENCE = bundle(price(105000), price(105000, "ev_2", source="src_2"))
VARIABLES: Mapping[str, object] = {
    "event_observed": True,
    "numeric_value": 105000,
    "source_summary": ["ev_1", "ev_2"],
    "conflict_detected": False,
    "insufficient_evidence": False,
}


def step(number: int | str, kind: str, priors: Sequence[int | str], **fields: Any) -> dict[str, Any]:
    """Return a step as plain data; a number stands for its id."""
    name = number if isinstance(number, str) else f"step_{number:04d}"
    return {
        "step_id": name,
        "type": kind,
        "action": "looks",
        "evidence_ids": ["ev_1", "ev_2"],
        "prior_step_ids": [each if isinstance(each, str) else f"step_{each:04d}" for each in priors],
        **fields,
    }


def right_steps() -> list[dict[str, Any]]:
    """Return the steps of a trace that keeps every rule."""
    return [
        step(1, "extract", [], evidence_ids=["ev_1"]),
        step(2, "extract", [], evidence_ids=["ev_2"]),
        step(3, "check", [1, 2], inputs={"requirement_id": "req_price"}),
        step(4, "aggregate", [3]),
        step(5, "deduce", [4], output={"value": 105000}),
        step(6, "map", [5], output={"evaluation_variables": dict(VARIABLES)}),
    ]


def trace_of(steps: Sequence[Mapping[str, Any]], **policy: Any) -> ReasoningTrace:
    """Return a trace of these steps, whatever they say."""
    return ReasoningTrace(
        trace_id="trace_1",
        policy=TracePolicy(**policy),
        steps=[ReasoningStep(**each) for each in steps],
        evidence_refs=["ev_1", "ev_2"],
    )


def verify(steps: Sequence[Mapping[str, Any]], **policy: Any) -> VerificationResult:
    """Return what the verifier says about them."""
    return TracePolicyVerifier().verify(trace_of(steps, **policy), SPEC, EVIDENCE)
