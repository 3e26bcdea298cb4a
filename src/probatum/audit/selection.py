"""Which sources decide: a requirement's policy applied to what its sources claim.

A source counts once, however many items it has. ``single_best`` takes the first by the tie-breaker, ``fallback_chain``
the first that says something, ``multi_source_quorum`` what enough of the first ``max_sources`` agree on. Refuses to
choose between two answers that are equally supported, or among several values of one source that do not agree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from probatum.audit.claims import NUMERIC, Claim, ClaimSet
from probatum.audit.contradictions import agreeing, measure
from probatum.audit.declarations import EvidenceDeclarations
from probatum.audit.event_terms import FieldRef, Value
from probatum.audit.extras import Tolerance
from probatum.audit.json_paths import without_indices
from probatum.audit.measures import moments_of, normalised, seconds_of
from probatum.audit.sanity import is_fresh, is_in_window
from probatum.audit.schemas import DataRequirement, EvidenceBundle, EvidenceItem, PromptSpec

MAX_GROUPS: Final = 1_000
"""Different answers among which one is looked for."""
MAX_ANCHORS: Final = 100
"""Answers that may each begin a group."""


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the sources of one requirement say of one field."""

    value: Value | None = None
    claim: Claim | None = None
    """The claim that stands for the others."""
    evidence_ids: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    by_source: Mapping[str, Value | None] = field(default_factory=dict)
    fallback_used: bool = False
    reason: str = ""
    """Why there is no value."""


@dataclass(frozen=True, slots=True)
class _Source:
    source_id: str
    items: tuple[EvidenceItem, ...]
    claims: tuple[Claim, ...]
    by_name: Mapping[str, list[Claim]]
    """What it claims of a path, with or without the places in lists."""


class _Answer(NamedTuple):
    """What one source says: every claim that counts, and the one that stands for them where they agree."""

    source: _Source
    claims: list[Claim]
    claim: Claim | None


class RequirementSources:
    """The usable sources of one requirement, in the order in which they are asked."""

    def __init__(
        self,
        spec: PromptSpec,
        requirement: DataRequirement,
        declared: EvidenceDeclarations,
        items: Sequence[EvidenceItem],
        bundle: EvidenceBundle,
        claims: ClaimSet,
        excluded: set[str],
    ) -> None:
        self.requirement: Final = requirement
        self._declared: Final = declared
        named = [*requirement.preferred_sources, *(each.source_id for each in requirement.source_targets)]
        self._places: Final = {source_id: place for place, source_id in reversed(list(enumerate(named)))}
        usable: dict[str, list[EvidenceItem]] = {}
        for item in items:
            if item.evidence_id not in excluded:
                usable.setdefault(item.provenance.source_id, []).append(item)
        every = [_source(spec, declared, source_id, each, bundle, claims) for source_id, each in usable.items()]
        self._sources: Final = sorted(every, key=self._rank)
        ids = dict.fromkeys(item.provenance.source_id for item in items)
        self._first: Final = min(ids, key=self._place, default="")

    @property
    def is_met(self) -> bool:
        """Whether there are as many sources as the policy asks for."""
        policy = self.requirement.selection_policy
        least = max(policy.min_sources, policy.quorum if policy.strategy == "multi_source_quorum" else 1)
        telling = [each for each in self._sources if each.by_name.keys() - {self._declared.timestamp_field}]
        return len(telling) >= least

    @property
    def doubled(self) -> list[str]:
        """The first item of each source of a quorum that is at the same place as one before it."""
        places: dict[str, str] = {}
        found: dict[str, str] = {}
        for source in self._sources:
            for item in source.items:
                place = item.provenance.source_uri.partition("#")[0].rstrip("/").casefold()
                if places.setdefault(place, source.source_id) != source.source_id:
                    found.setdefault(source.source_id, item.evidence_id)
        return list(found.values()) if self.requirement.selection_policy.strategy == "multi_source_quorum" else []

    @property
    def names(self) -> list[str]:
        """What the sources claim something about, and what is declared, without time stamps."""
        declared = () if self._declared.are_common else self._declared.reads
        claimed = [claim.path for source in self._sources for claim in source.claims]
        names = dict.fromkeys(without_indices(name) for name in (*(each.name for each in declared), *claimed))
        return [name for name in names if name != self._declared.timestamp_field]

    @property
    def expected(self) -> list[str]:
        """What the requirement itself expects to be told, without time stamps."""
        names = (without_indices(name) for name in self.requirement.expected_fields or ())
        return [name for name in names if name != self._declared.timestamp_field]

    def agreed(self, field: FieldRef) -> Agreed:
        """Return what the policy makes of the sources' answers."""
        policy, answers = self.requirement.selection_policy, [self._answer(source, field) for source in self._sources]
        by_source = {each.source.source_id: value_of(each.claim) for each in answers}
        asked = self._asked(answers)
        told = [(each.source, each.claim) for each in asked if each.claim is not None]
        if not told:
            is_torn = any(each.claims for each in asked)
            return Agreed(by_source=by_source, reason="a source contradicts itself" if is_torn else "no source says it")
        groups = _agreeing([claim for _, claim in told], self._declared.tolerance_of(field.name))
        best = max(len(group) for group in groups)
        winners = [group for group in groups if len(group) == best]
        if policy.strategy == "multi_source_quorum" and best < policy.quorum:
            reason = f"{best} of {len(asked)} sources agree; {policy.quorum} are asked for"
            return Agreed(by_source=by_source, reason=reason)
        if len(winners) > 1 or len(groups) > MAX_GROUPS:
            return Agreed(by_source=by_source, reason="different answers are equally supported")
        ids = {id(claim) for claim in winners[0]}
        used = [(source, claim) for source, claim in told if id(claim) in ids]
        source, claim = used[0]
        return Agreed(
            value_of(claim),
            claim,
            tuple(dict.fromkeys(each.evidence_id for _, each in used)),
            tuple(each.source_id for each, _ in used),
            by_source,
            policy.strategy == "fallback_chain" and source.source_id != self._first,
        )

    def alternatives(self, field: FieldRef) -> Iterator[tuple[str, Claim]]:
        """Yield everything that a usable source says of a field, or may say, at whatever time, with the source."""
        for source in self._sources:
            vague = [claim for claim in source.by_name.get(field.name, ()) if not claim.entity] if field.entity else ()
            for claim in (*self._answer(source, field).claims, *vague):
                yield source.source_id, claim

    def _asked(self, answers: list[_Answer]) -> list[_Answer]:
        policy = self.requirement.selection_policy
        if policy.strategy == "multi_source_quorum":
            return answers[: policy.max_sources]
        if policy.strategy == "single_best":
            return answers[:1]
        return [each for each in answers if each.claims][:1]

    def _answer(self, source: _Source, field: FieldRef) -> _Answer:
        claims = source.by_name.get(field.name, [])
        if field.entity and (self._declared.entity_field or any(claim.entity for claim in claims)):
            # What never says what it is about, is about what the question is about.
            claims = [claim for claim in claims if normalised(claim.entity) == normalised(field.entity)]
        declared = self._declared.field_of(field.name)
        if len({claim.entity for claim in claims}) <= 1:
            claims = _selected(claims, "" if declared is None else declared.select)
        is_one = bool(claims) and len({(claim.kind, normalised(claim.entity)) for claim in claims}) == 1
        agree = is_one and len(agreeing(claims, self._declared.tolerance_of(field.name))) == 1
        return _Answer(source, claims, claims[0] if agree else None)

    def _place(self, source_id: str) -> int:
        return self._places.get(source_id, len(self._places))

    def _rank(self, source: _Source) -> tuple[float, int]:
        policy, place = self.requirement.selection_policy, self._place(source.source_id)
        if policy.strategy == "fallback_chain" or policy.tie_breaker == "source_priority":
            return 0, place
        if policy.tie_breaker == "most_recent":
            return -max(_recency(source), default=0), place
        return -max(item.provenance.tier for item in source.items), place


def _source(
    spec: PromptSpec,
    declared: EvidenceDeclarations,
    source_id: str,
    items: list[EvidenceItem],
    bundle: EvidenceBundle,
    claims: ClaimSet,
) -> _Source:
    def counts(item: EvidenceItem, time: str) -> bool:
        return not time or (is_in_window(spec, declared, time) and is_fresh(spec, bundle, item, declared, time))

    inside = tuple(
        claim for item in items for claim in claims.by_evidence_id(item.evidence_id) if counts(item, claim.time)
    )
    by_name: dict[str, list[Claim]] = {}
    for claim in inside:
        for name in {claim.path: 0, without_indices(claim.path): 0}:
            by_name.setdefault(name, []).append(claim)
    return _Source(source_id, tuple(items), inside, by_name)


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
        timed = [(moments, claim) for claim in claims if claim.time and (moments := moments_of(claim.time))]
        if len(timed) != len(claims):
            return claims
        at = (max if select == "latest" else min)(first for (first, _), _ in timed)
        end = max(last for (first, last), _ in timed if first == at)
        # Of a day and a moment of it, who knows which one is later: both count.
        return [claim for (first, last), claim in timed if first <= end and last >= at]
    measured, apart = measure(claims)
    if apart:
        return claims
    return [(max if select == "highest" else min)(measured, key=lambda each: each.low).claim]


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


def value_of(claim: Claim | None) -> Value | None:
    """Return what a claim says, as predicates compare it."""
    if claim is None:
        return None
    if isinstance(claim.value, list):
        low, high = claim.value
        return Value(claim.kind, low, high, claim.unit)
    return Value(claim.kind, claim.value, None, claim.unit)  # type: ignore[arg-type]  # a scalar
