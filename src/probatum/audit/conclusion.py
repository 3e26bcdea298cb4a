"""From a record of what evidence says to what it establishes: purely, so that a stranger can do it again.

Nothing here looks at the contents of items: a record has everything that was read of them, and the digest of each.
Refuses to conclude an event from insufficient evidence, and to say what follows for the question: that is for a judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from probatum.audit.claims import NUMERIC, ClaimSet, written
from probatum.audit.commitments import Commitment
from probatum.audit.contradictions import ContradictionChecker, agreeing
from probatum.audit.declarations import declared_for
from probatum.audit.event_terms import FieldRef, SourceQuorum, Value
from probatum.audit.events import MarketEvent, event_of
from probatum.audit.extraction import ClaimExtractor
from probatum.audit.extras import Tolerance
from probatum.audit.json_paths import without_indices
from probatum.audit.measures import normalised
from probatum.audit.reasoning import CheckResult
from probatum.audit.sanity import LogicSanityChecker, excluded_by
from probatum.audit.schemas import EvidenceBundle, EvidenceItem, PromptSpec
from probatum.audit.selection import Agreed, RequirementSources, value_of
from probatum.audit.three_valued import Evaluation, evaluate
from probatum.core.frozen import FrozenDict
from probatum.core.messages import listed

_CONTENTS: Final = {"raw_content": None, "parsed_value": None, "extracted_fields": FrozenDict()}


@dataclass(frozen=True, slots=True)
class AuditRecord:
    """What was observed of a bundle."""

    bundle: EvidenceBundle
    """The bundle without the contents of its items."""
    evidence: Commitment
    """To the items with their contents."""
    claims: ClaimSet

    @classmethod
    def of(cls, spec: PromptSpec, bundle: EvidenceBundle) -> AuditRecord:
        """Read the evidence."""
        bare = [item.model_copy(update=_CONTENTS) for item in bundle.items]
        claims = ClaimExtractor().extract(spec, bundle)
        return cls(bundle.model_copy(update={"items": bare}), Commitment.of_bundle(bundle), claims)


class Weighed:
    """A record weighed against its question: which sources are used, what they agree on, and what follows."""

    def __init__(self, spec: PromptSpec, record: AuditRecord) -> None:
        self.spec: Final = spec
        self.record: Final = record
        self.declared: Final = {each.requirement_id: declared_for(spec, each) for each in spec.data_requirements}
        self.event: Final[MarketEvent] = event_of(spec)
        sanity = LogicSanityChecker(self.event).check(spec, record.bundle, record.claims)
        self.sanity: Final = [*record.claims.checks, *sanity]
        self.contradictions: Final = ContradictionChecker(self._tolerance).check(record.claims)
        excluded = excluded_by(self.sanity)
        self.items: Final = _by_requirement(record.bundle.items)
        self.sources: Final = {
            each.requirement_id: RequirementSources(
                spec,
                each,
                self.declared[each.requirement_id],
                self.items.get(each.requirement_id, []),
                record.bundle,
                record.claims,
                excluded,
            )
            for each in spec.data_requirements
        }
        self._asked: Final = self.event.predicate.fields if self.event.predicate is not None else ()
        self._places: Final = [
            (self.event.owner_of(each.name), FieldRef(self.event.local_name(each.name), each.entity))
            for each in self._asked
        ]
        self.agreed: Final = {requirement_id: dict(self._fields(requirement_id)) for requirement_id in self.sources}
        self._known: Final = {
            asked: [
                (requirement_id, local)
                for requirement_id in ([owner] if owner else self.agreed)
                if local in self.agreed[requirement_id]
            ]
            for asked, (owner, local) in zip(self._asked, self._places, strict=True)
        }
        self._values: Final = {each: self._value(each) for each in self._asked}
        self._by_source: Final = {each: self._told_by_source(each) for each in self._asked}
        self._quorums: Final[dict[SourceQuorum, Evaluation]] = {}
        self.selection: Final = list(self._selection_checks())
        self.evaluation: Final = self._evaluation()
        self.otherwise: Final = list(self._otherwise())

    def _tolerance(self, path: str) -> Tolerance:
        """Return the least tolerance of all requirements that read this path."""
        found = [each.tolerance_of(path) for each in self.declared.values() if each.field_of(path) is not None]
        return min(found, key=lambda each: (each.relative, each.absolute), default=Tolerance())

    def _fields(self, requirement_id: str) -> Iterator[tuple[FieldRef, Agreed]]:
        """Yield what is agreed of every field that a requirement is asked about."""
        sources = self.sources[requirement_id]
        names = dict.fromkeys(sources.names)
        for owner, local in self._places:
            if owner in {"", requirement_id} and without_indices(local.name) in names:
                yield local, sources.agreed(local)
        told = {without_indices(local.name) for _, local in self._places}
        for name in names:
            if name not in told:
                yield FieldRef(name), sources.agreed(FieldRef(name))

    def _of(self, ref: FieldRef) -> list[Agreed]:
        """Return what each requirement that knows a field says of it."""
        return [self.agreed[requirement_id][local] for requirement_id, local in self._known[ref]]

    def _value(self, field: FieldRef) -> Value | None:
        found = self._of(field)
        claims = [each.claim for each in found if each.claim is not None]
        if not found or len(claims) < len(found) or len({claim.kind for claim in claims}) > 1:
            return None
        return value_of(claims[0]) if len(agreeing(claims, self._tolerance(field.name))) == 1 else None

    def _told_by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        found: dict[str, Value | None] = {}
        for each in self._of(field):
            for source, value in each.by_source.items():
                found[source] = value if found.get(source, value) == value else None
        return found

    def value(self, field: FieldRef) -> Value | None:
        """Return the value on which all requirements agree that know the field."""
        return self._values[field]

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        """Return each source's own value."""
        return self._by_source[field]

    def bound(self, name: str) -> Value | None:
        """Return what the question binds to a name."""
        return self.event.bound.get(name)

    def _selection_checks(self) -> Iterator[CheckResult]:
        for requirement_id, sources in self.sources.items():
            if self.items.get(requirement_id) and not sources.is_met:
                told = f"The requirement {requirement_id!r} has fewer sources than its policy asks for."
                yield CheckResult.failed("coverage.sources", told, {"requirement_id": requirement_id})
            for evidence_id in sources.doubled:
                told = "It comes from the same place as what another source says."
                yield CheckResult.warning("source.same_place", told, {"evidence_id": evidence_id})
            known = {ref.name for ref, agreed in self.agreed[requirement_id].items() if agreed.value is not None}
            missing = [name for name in sources.expected if name not in known]
            if missing or not known:
                told = f"The sources of {requirement_id!r} do not state {listed(missing, 5) or 'anything'}."
                yield CheckResult.warning("coverage.fields", told, {"requirement_id": requirement_id})

    def _otherwise(self) -> Iterator[CheckResult]:
        """Yield a warning for each item of another entity or a withheld status, and each source that dissents.

        A source is heard at whatever time it speaks of: about one field at a time, and about all that it tells at once.
        """
        if self.event.predicate is None or self.evaluation.value is None:
            return
        target = self.spec.prediction_semantics.target_entity
        entities = {"": True, target: True}
        strange: dict[str, str] = {}
        withheld: dict[str, str] = {}
        told: dict[str, str] = {}
        worth: dict[frozenset[tuple[FieldRef, Value | None]], bool | None] = {}
        of_source: dict[str, dict[FieldRef, tuple[Value | None, str]]] = {}
        for asked, known in self._known.items():
            for requirement_id, local in known:
                for source, claim in self.sources[requirement_id].alternatives(local):
                    value = value_of(claim)
                    if self._settles_otherwise({asked: value}, worth):
                        told.setdefault(source, claim.evidence_id)
                    if value == self._by_source[asked].get(source):
                        of_source.setdefault(source, {})[asked] = value, claim.evidence_id
                    if claim.status and self.declared[requirement_id].is_withheld(claim.status):
                        withheld.setdefault(claim.evidence_id, claim.status)
                    is_same = entities.get(claim.entity)
                    if is_same is None:
                        is_same = entities[claim.entity] = normalised(claim.entity) == normalised(target)
                    if not asked.entity and not is_same:
                        strange.setdefault(claim.evidence_id, claim.entity)
        for source, fields in of_source.items():
            if self._settles_otherwise({field: value for field, (value, _) in fields.items()}, worth):
                told.setdefault(source, next(evidence_id for _, evidence_id in fields.values()))
        for source, evidence_id in told.items():
            sentence = f"By what {source!r} says, the event would not be settled so."
            yield CheckResult.warning("source.otherwise", sentence, {"evidence_id": evidence_id})
        for evidence_id, status in withheld.items():
            sentence = f"Its status is {status[:60]!r}, which the question does not accept."
            yield CheckResult.warning("status.withheld", sentence, {"evidence_id": evidence_id})
        for evidence_id, entity in strange.items():
            sentence = f"It is about {entity[:60]!r}, and the question about {target[:60]!r}."
            yield CheckResult.warning("entity.other", sentence, {"evidence_id": evidence_id})

    def _settles_otherwise(
        self, instead: dict[FieldRef, Value | None], worth: dict[frozenset[tuple[FieldRef, Value | None]], bool | None]
    ) -> bool:
        """Return whether other values of some fields give another answer; the same values are looked at once."""
        key = frozenset(instead.items())
        if key not in worth and self.event.predicate is not None:
            worth[key] = evaluate(self.event.predicate, _Instead(self, instead), self._quorums).value
        return worth[key] is not self.evaluation.value

    def _evaluation(self) -> Evaluation:
        broken = {
            check.check_id.partition(".")[0]
            for check in self.sanity
            if not check.ok and "evidence_id" not in check.details
        }
        if self.event.predicate is None or self.event.problems:
            return Evaluation(None, self.event.problems)
        if broken & {"window", "bundle", "declaration", "coverage"} or any(not check.ok for check in self.selection):
            return Evaluation(None, ("the evidence is not what the question asks for",))
        return evaluate(self.event.predicate, self, self._quorums)

    @cached_property
    def used(self) -> list[Agreed]:
        """What the event was decided on."""
        return [each for field in self._asked for each in self._of(field) if each.value is not None]

    @cached_property
    def variables(self) -> dict[str, object]:
        """The evaluation variables (requirement document, section 6)."""
        event = self.evaluation.value
        numbers = [each.value.value for each in self.used if each.value is not None and each.value.kind == NUMERIC]
        times = sorted({each.claim.time for each in self.used if each.claim is not None and each.claim.time})
        ids = dict.fromkeys(evidence_id for each in self.used for evidence_id in each.evidence_ids)
        return {
            "event_observed": event,
            **({"numeric_value": written(numbers[0])} if numbers else {}),
            **({"timestamp": times[-1]} if times else {}),
            "source_summary": list(ids),
            "conflict_detected": bool(self.contradictions),
            "insufficient_evidence": event is None,
        }

    @cached_property
    def checks(self) -> list[CheckResult]:
        """Every check but those of the trace."""
        undecided = []
        if self.evaluation.value is None and self.event.predicate is not None and not self.event.problems:
            told = "; ".join(self.evaluation.reasons) or "the evidence does not say"
            undecided = [CheckResult.failed("event.undecided", f"Whether the event was observed is open: {told}.")]
        return [*self.sanity, *self.selection, *self.contradictions, *self.otherwise, *undecided]


@dataclass(frozen=True, slots=True)
class _Instead:
    """What is known, but for some fields."""

    weighed: Weighed
    others: Mapping[FieldRef, Value | None]

    def value(self, field: FieldRef) -> Value | None:
        return self.others[field] if field in self.others else self.weighed.value(field)

    def by_source(self, field: FieldRef) -> Mapping[str, Value | None]:
        return self.weighed.by_source(field)

    def bound(self, name: str) -> Value | None:
        return self.weighed.bound(name)


def _by_requirement(items: Iterable[EvidenceItem]) -> dict[str, list[EvidenceItem]]:
    found: dict[str, list[EvidenceItem]] = {}
    for item in items:
        found.setdefault(item.requirement_id, []).append(item)
    return found
