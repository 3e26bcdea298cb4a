"""An audit as a picture: when evidence speaks, and how items, requirements and the event follow from each other.

Refuses to show what no line of the report tells: it restates claims, contradictions and what was agreed.
"""

from __future__ import annotations

from collections.abc import Iterator

from probatum.audit.canonical import instant_text
from probatum.audit.claims import Claim, written
from probatum.audit.conclusion import Weighed
from probatum.audit.sanity import excluded_by
from probatum.core.sheet import Diagram, Edge, Mark, Moment, Vertex

_EVENT = "event"


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


def diagram_of(weighed: Weighed) -> Diagram:
    """Return items, what is agreed for each requirement, and the event, with what contradicts what."""
    excluded = excluded_by(weighed.sanity)
    items = [
        Vertex(item.evidence_id, f"{item.evidence_id} · {item.provenance.source_id}", "evidence", mark)
        for item in weighed.record.bundle.items
        for mark in (Mark.FAILS if item.evidence_id in excluded else Mark.NOTE,)
    ]
    event = weighed.variables["event_observed"]
    predicate = weighed.event.predicate
    title = (
        "no predicate" if predicate is None else f"{predicate.text}: {'open' if event is None else str(event).lower()}"
    )
    last = Vertex(_EVENT, title, "event", Mark.UNDECIDED if event is None else Mark.HOLDS)
    agreed = [*_agreed(weighed)]
    vertices = (*items, *(vertex for vertex, _ in agreed), last)
    edges = (*(edge for _, each in agreed for edge in each), *_conflicts(weighed))
    return Diagram(tuple(vertices), edges, "How the event follows from the evidence")


def _agreed(weighed: Weighed) -> Iterator[tuple[Vertex, list[Edge]]]:
    for requirement_id, fields in weighed.agreed.items():
        for field, agreed in fields.items():
            id_ = f"{requirement_id}/{field.name}({field.entity})"
            told = agreed.reason if agreed.claim is None else claim_text(agreed.claim)
            mark = Mark.UNDECIDED if agreed.claim is None else Mark.HOLDS
            edges = [Edge(evidence_id, id_) for evidence_id in agreed.evidence_ids]
            is_asked = any(agreed is each for each in weighed.used)
            yield (
                Vertex(id_, f"{requirement_id}: {told}", "requirement", mark),
                [*edges, Edge(id_, _EVENT)] if is_asked or agreed.claim is None else edges,
            )


def _conflicts(weighed: Weighed) -> Iterator[Edge]:
    """Yield an edge from the first item of a contradiction to one item of every other side."""
    owners = {claim.claim_id: claim.evidence_id for claim in weighed.record.claims}
    for check in weighed.contradictions:
        groups = check.details["groups"]
        assert isinstance(groups, list)
        first, *others = [owners[group[0]] for group in groups]
        for other in others:
            if other != first:
                yield Edge(first, other, str(check.details["path"]), Mark.FAILS)


def claim_text(claim: Claim) -> str:
    """Return a claim in a few words."""
    return f"{claim.path} = {written(claim.value)}{f' {claim.unit}' if claim.unit else ''}"
