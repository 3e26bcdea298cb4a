"""Which sources decide: a requirement's policy applied to what its sources claim.

A source counts once, however many items it has. ``single_best`` takes the first by the tie-breaker, ``fallback_chain``
the first that says something, ``multi_source_quorum`` what enough of the first ``max_sources`` agree on. Refuses to
choose between two answers that are equally supported, or among several values of one source that do not agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.audit.claims import NUMERIC, Claim, ClaimSet
from probatum.audit.contradictions import agreeing, measure
from probatum.audit.declarations import Declared, Tolerance
from probatum.audit.event_terms import FieldRef, Value
from probatum.audit.json_paths import without_indices
from probatum.audit.measures import moments_of, normalised, seconds_of
from probatum.audit.sanity import is_in_window
from probatum.audit.schemas import DataRequirement, EvidenceItem, PromptSpec

MAX_GROUPS: Final = 1_000
"""Different answers among which one is looked for."""
MAX_ANCHORS: Final = 100
"""Answers that may each begin a group."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the sources of one requirement say of one field."""

    requirement_id: str
    value: Value | None = None
    claim: Claim | None = None
    """The claim that stands for the others."""
    evidence_ids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    by_source: Mapping[str, Value | None] = ()  # type: ignore[assignment]  # an empty one
    disagree: bool = False
    """Whether sources that were asked say different things, or one source does."""
    fallback_used: bool = False
    reason: str = ""
    """Why there is no value."""


@dataclass(frozen=True, slots=True)
class _Source:
    source_id: str
    items: tuple[EvidenceItem, ...]
    claims: tuple[Claim, ...]


class RequirementSources:
    """The usable sources of one requirement, in the order in which they are asked."""

    def __init__(
        self,
        spec: PromptSpec,
        requirement: DataRequirement,
        declared: Declared,
        items: Sequence[EvidenceItem],
        claims: ClaimSet,
        excluded: set[str],
    ) -> None:
        self.requirement: Final = requirement
        self._declared: Final = declared
        usable: dict[str, list[EvidenceItem]] = {}
        for item in items:
            if item.evidence_id not in excluded:
                usable.setdefault(item.provenance.source_id, []).append(item)
        every = [_source(spec, declared, source_id, each, claims) for source_id, each in usable.items()]
        self._sources: Final = sorted(every, key=self._rank)
        self._unusable: Final = {item.provenance.source_id for item in items} - usable.keys()

    @property
    def is_met(self) -> bool:
        """Whether there are as many sources as the policy asks for."""
        policy = self.requirement.selection_policy
        least = max(policy.min_sources, policy.quorum if policy.strategy == "multi_source_quorum" else 1)
        return len(self._sources) >= least

    @property
    def names(self) -> list[str]:
        """What the sources claim something about, and what is declared, without time stamps."""
        declared = () if self._declared.are_common else self._declared.fields
        claimed = [claim.path for source in self._sources for claim in source.claims]
        names = dict.fromkeys(without_indices(name) for name in (*(each.name for each in declared), *claimed))
        return [name for name in names if name != self._declared.timestamp_field]

    def agreed(self, field: FieldRef) -> Agreed:
        """Return what the policy makes of the sources' answers."""
        answers = [(source, *self._answer(source, field)) for source in self._sources]
        by_source = {source.source_id: value_of(claim) for source, claim, _ in answers}
        policy = self.requirement.selection_policy
        chosen = self._asked(answers)
        disagree = any(ambiguous for _, _, ambiguous in chosen)
        told = [(source, claim) for source, claim, _ in chosen if claim is not None]
        found = Agreed(self.requirement.requirement_id, by_source=by_source, disagree=disagree)
        if not told:
            return _without(found, "sources contradict themselves" if disagree else "no source says it")
        groups = _agreeing([claim for _, claim in told], self._declared.tolerance_of(field.name))
        disagree = disagree or len(groups) > 1
        best = max(len(group) for group in groups)
        winners = [group for group in groups if len(group) == best]
        if policy.strategy == "multi_source_quorum" and best < policy.quorum:
            return _without(found, f"{best} of {len(chosen)} sources agree; {policy.quorum} are asked for", disagree)
        if len(winners) > 1 or len(groups) > MAX_GROUPS:
            return _without(found, "different answers are equally supported", disagree)
        ids = {id(claim) for claim in winners[0]}
        used = [(source, claim) for source, claim in told if id(claim) in ids]
        first = used[0][0]
        is_fallback = policy.strategy == "fallback_chain" and (bool(self._unusable) or first is not self._sources[0])
        return Agreed(
            self.requirement.requirement_id,
            value_of(used[0][1]),
            used[0][1],
            tuple(dict.fromkeys(claim.evidence_id for _, claim in used)),
            tuple(source.source_id for source, _ in used),
            by_source,
            disagree,
            is_fallback,
        )

    def _asked(self, answers: list[tuple[_Source, Claim | None, bool]]) -> list[tuple[_Source, Claim | None, bool]]:
        policy = self.requirement.selection_policy
        if policy.strategy == "multi_source_quorum":
            return answers[: policy.max_sources]
        if policy.strategy == "single_best":
            return answers[:1]
        return [each for each in answers if each[1] is not None or each[2]][:1]

    def _answer(self, source: _Source, field: FieldRef) -> tuple[Claim | None, bool]:
        """Return the claim with which a source answers, and whether its claims disagree."""
        claims = [claim for claim in source.claims if field.name in {claim.path, without_indices(claim.path)}]
        if field.entity:
            wanted = normalised(field.entity)
            # What says of nothing what it is about, is about what the question is about.
            is_told = any(claim.entity for claim in claims)
            claims = [claim for claim in claims if not is_told or normalised(claim.entity) == wanted]
        elif len({normalised(claim.entity) for claim in claims}) > 1:
            return None, True
        select = next((each.select for each in self._declared.fields if each.name == field.name), "")
        claims = _selected(claims, select)
        if not claims:
            return None, False
        if len({claim.kind for claim in claims}) > 1:
            return None, True
        return (
            (claims[0], False) if len(agreeing(claims, self._declared.tolerance_of(field.name))) == 1 else (None, True)
        )

    def _rank(self, source: _Source) -> tuple[float, float]:
        policy = self.requirement.selection_policy
        named = [each.source_id for each in self.requirement.source_targets]
        order = [*self.requirement.preferred_sources, *named]
        place = order.index(source.source_id) if source.source_id in order else len(order)
        if policy.strategy == "fallback_chain" or policy.tie_breaker == "source_priority":
            return place, 0
        if policy.tie_breaker == "most_recent":
            return -float(max((_recency(source)), default=0)), place
        return -max(item.provenance.tier for item in source.items), place


def _source(
    spec: PromptSpec, declared: Declared, source_id: str, items: list[EvidenceItem], claims: ClaimSet
) -> _Source:
    said = (claim for item in items for claim in claims.by_evidence_id(item.evidence_id))
    inside = tuple(claim for claim in said if not claim.time or is_in_window(spec, declared, claim.time))
    return _Source(source_id, tuple(items), inside)


def _recency(source: _Source) -> Iterator[float]:
    for claim in source.claims:
        moments = moments_of(claim.time) if claim.time else None
        if moments is not None:
            yield float(moments[1])
    for item in source.items:
        if item.provenance.fetched_at is not None and not source.claims:
            yield float(seconds_of(item.provenance.fetched_at))


def _selected(claims: list[Claim], select: str) -> list[Claim]:
    if not claims or not select:
        return claims
    if select in {"latest", "earliest"}:
        timed = [(moments[0], claim) for claim in claims if claim.time and (moments := moments_of(claim.time))]
        if len(timed) != len(claims):
            return claims
        at = (max if select == "latest" else min)(moment for moment, _ in timed)
        return [claim for moment, claim in timed if moment == at]
    measured, apart = measure(claims)
    if apart:
        return claims
    end = (max if select == "highest" else min)(measured, key=lambda each: each.low)
    return [end.claim]


def _agreeing(claims: list[Claim], tolerance: Tolerance) -> list[list[Claim]]:
    """Return every largest group of claims that agree; groups may share members where agreement is no equivalence."""
    kinds: dict[str, list[Claim]] = {}
    for claim in claims:
        kinds.setdefault(claim.kind, []).append(claim)
    found: list[list[Claim]] = []
    for members in kinds.values():
        clusters = agreeing(members, tolerance)
        found += clusters
        flat = [claim for cluster in clusters for claim in cluster]
        if members[0].kind == NUMERIC and len(clusters) > 1 and len(flat) <= MAX_ANCHORS:
            # Begun at each value in turn, so that a majority in between is not cut in two.
            begun = (agreeing(flat[index:], tolerance)[0] for index in range(1, len(flat)))
            found += [group for group in begun if not any(group[-1] is other[-1] for other in found)]
    return found


def _without(found: Agreed, reason: str, disagree: bool | None = None) -> Agreed:
    disagrees = found.disagree if disagree is None else disagree
    return Agreed(found.requirement_id, by_source=found.by_source, disagree=disagrees, reason=reason)


def value_of(claim: Claim | None) -> Value | None:
    """Return what a claim says, as predicates compare it."""
    if claim is None:
        return None
    if isinstance(claim.value, list):
        low, high = claim.value
        return Value(claim.kind, low, high, claim.unit)
    return Value(claim.kind, claim.value, None, claim.unit)  # type: ignore[arg-type]  # a scalar
