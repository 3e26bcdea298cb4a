"""An audit as a picture: when evidence speaks, and how the steps of its trace follow from each other.

Refuses to show what no line of the report tells: it restates claims, contradictions and what was agreed.
"""

from __future__ import annotations

from collections.abc import Iterator

from probatum.audit.auditor import Conclusion
from probatum.audit.canonical import instant_text
from probatum.audit.claims import Claim
from probatum.audit.conclusion import Weighed
from probatum.audit.reasoning import ReasoningStep
from probatum.audit.sanity import excluded_by
from probatum.core.messages import counted, listed
from probatum.core.sheet import Diagram, Edge, Mark, Moment, Vertex


def timeline_of(weighed: Weighed) -> tuple[Moment, ...]:
    """Return what the question waits for, and what each item says, each at its time."""
    market, excluded = weighed.spec.market, excluded_by(weighed.sanity)
    asked = (
        ("the window opens", market.resolution_window.start),
        ("the window closes", market.resolution_window.end),
        ("deadline", market.resolution_deadline),
    )
    moments = [Moment(instant_text(when), what, lane="question") for what, when in asked]
    sources = {item.evidence_id: item.provenance.source_id for item in weighed.record.bundle.items}
    records: dict[tuple[str, str], list[Claim]] = {}
    for claim in weighed.record.claims:
        if claim.time:
            records.setdefault((claim.time, claim.evidence_id), []).append(claim)
    for (time, evidence_id), claims in records.items():
        said = ", ".join(claim_text(claim) for claim in claims if claim.value != time)
        mark = Mark.FAILS if evidence_id in excluded else Mark.NOTE
        moments.append(Moment(time, evidence_id, said, mark, sources.get(evidence_id, "")))
    return tuple(moments)


def diagram_of(conclusion: Conclusion) -> Diagram:
    """Return the steps, what each follows from, and which evidence contradicts which."""
    trace, weighed = conclusion.trace, conclusion.weighed
    steps = tuple(
        Vertex(step.step_id, f"{step.step_id}: {_said(step)}", step.type, _mark(weighed, step)) for step in trace.steps
    )
    edges = [Edge(prior, step.step_id) for step in trace.steps for prior in step.prior_step_ids]
    return Diagram(steps, (*edges, *dict.fromkeys(_conflicts(conclusion))), "How each step follows from others")


def _said(step: ReasoningStep) -> str:
    if step.type == "extract":
        return listed(step.evidence_ids, 3)
    if step.type == "aggregate":
        return step.action
    if step.type == "deduce":
        return f"{step.inputs['predicate']}: {_shown(step.output['event_observed'])}"
    if step.type == "map":
        return "evaluation variables"
    found = next(iter(value for value in step.output.values() if isinstance(value, list)), [])
    return f"{step.action} {counted(len(found), 'finding')}"


def _shown(event: object) -> str:
    return "open" if event is None else str(event).lower()


def _mark(weighed: Weighed, step: ReasoningStep) -> Mark:
    if step.type == "extract":
        return Mark.FAILS if excluded_by(weighed.sanity) & set(step.evidence_ids) else Mark.NOTE
    if step.type in {"deduce", "map"}:
        return Mark.UNDECIDED if weighed.variables["event_observed"] is None else Mark.HOLDS
    return Mark.NOTE


def _conflicts(conclusion: Conclusion) -> Iterator[Edge]:
    """Yield an edge from the first item of a contradiction to the first one of every other side."""
    owners = {claim.claim_id: claim.evidence_id for claim in conclusion.weighed.record.claims}
    steps = {
        each: step.step_id for step in conclusion.trace.steps if step.type == "extract" for each in step.evidence_ids
    }
    for check in conclusion.weighed.contradictions:
        groups = check.details["groups"]
        assert isinstance(groups, list)
        first, *others = [steps.get(owners[group[0]], "") for group in groups]
        for other in dict.fromkeys(others):
            if first and other and other != first:
                yield Edge(first, other, str(check.details["path"]), Mark.FAILS)


def claim_text(claim: Claim) -> str:
    """Return a claim in a few words."""
    return f"{claim.path} = {claim.told}"
