"""Whether evidence can be what a question asks for, before anything is concluded from it.

One check for each rule that is broken and each item that breaks it; a rule that holds for all is told once. An item
that a failed check names is not used. Refuses to compare with a clock: what is late or stale follows from the times in
the evidence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Final
from urllib.parse import urlsplit

from probatum.audit.claims import ClaimSet
from probatum.audit.declarations import EvidenceDeclarations, declared_for
from probatum.audit.events import MarketEvent, event_of
from probatum.audit.json_paths import without_indices
from probatum.audit.measures import DAY, moments_of, seconds_of
from probatum.audit.reasoning import CheckResult
from probatum.audit.schemas import EvidenceBundle, EvidenceItem, PromptSpec, SourcePolicy
from probatum.core.messages import counted, listed

MAX_TIMES: Final = 20
"""Times of one item that are listed."""
_HOLDS: Final[Mapping[str, str]] = {
    "bundle.ids": "Every item has its own id.",
    "bundle.requirement": "Every item is for a declared requirement.",
    "bundle.item": "Every item was collected without an error.",
    "source.policy": "Every source may be used.",
    "time.window": "No evidence speaks of another time than the window.",
    "time.future": "No evidence speaks of a time after it was collected.",
    "time.stale": "No evidence is older than is allowed.",
    "confidence.bounds": "Every confidence is between 0 and 1.",
    "coverage.requirement": "Every requirement has evidence.",
}
"""By rule: what is told where no item breaks it."""


class LogicSanityChecker:
    """Checks the question, the bundle and the claims against each other."""

    def __init__(self, event: MarketEvent | None = None) -> None:
        """Keep the event of the question, where it was read already."""
        self._event: Final = event

    def check(self, prompt_spec: PromptSpec, evidence: EvidenceBundle, claims: ClaimSet) -> list[CheckResult]:
        """Return every broken rule, with the items that break it, and every rule that holds."""
        declared = {each.requirement_id: declared_for(prompt_spec, each) for each in prompt_spec.data_requirements}
        found = [*_of_spec(prompt_spec), *_of_bundle(prompt_spec, evidence), *_doubts(evidence)]
        rules = _SourceRules(prompt_spec)
        for item in evidence.items:
            found += [*_of_source(rules, item), *_of_collection(evidence, item)]
            if item.requirement_id in declared:
                found += _of_times(prompt_spec, evidence, item, declared[item.requirement_id], claims)
        found += _of_confidence(evidence, claims)
        found += _of_coverage(prompt_spec, evidence, excluded_by((*claims.checks, *found)))
        found += _of_event(self._event or event_of(prompt_spec), claims)
        told = {check.check_id for check in found}
        holding = _HOLDS if evidence.items else {}
        return [*found, *(CheckResult.passed(key, holds) for key, holds in holding.items() if key not in told)]


def excluded_by(checks: Iterable[CheckResult]) -> set[str]:
    """Return the ids of the items that are not used, because a failed check names them or they were not collected."""
    return {
        str(check.details["evidence_id"])
        for check in checks
        if "evidence_id" in check.details and (not check.ok or check.check_id == "bundle.item")
    }


def _of_spec(spec: PromptSpec) -> Iterator[CheckResult]:
    market = spec.market
    if seconds_of(market.resolution_window.start) > seconds_of(market.resolution_window.end):
        yield CheckResult.failed("window.reversed", "The resolution window ends before it starts.")
    if not spec.data_requirements:
        yield CheckResult.failed("coverage.nothing", "No requirement says what the evidence must contain.")
    for requirement_id, count in Counter(each.requirement_id for each in spec.data_requirements).items():
        if count > 1:
            told = {"requirement_id": requirement_id}
            yield CheckResult.failed("declaration.ids", f"{count} requirements have the id {requirement_id!r}.", told)


def _of_bundle(spec: PromptSpec, bundle: EvidenceBundle) -> Iterator[CheckResult]:
    if not bundle.items:
        yield CheckResult.failed("bundle.empty", "The bundle has no evidence.")
    if bundle.market_id != spec.market.market_id:
        yield CheckResult.failed(
            "bundle.market", f"The bundle is about {bundle.market_id!r}, the question about {spec.market.market_id!r}."
        )
    known = {each.requirement_id for each in spec.data_requirements}
    ids = Counter(item.evidence_id for item in bundle.items)
    for evidence_id, count in ids.items():
        if count > 1:
            yield _failed("bundle.ids", f"{counted(count, 'item')} have the id {evidence_id!r}.", evidence_id)
    for item in bundle.items:
        if item.requirement_id not in known:
            told = f"It is for {item.requirement_id!r}, which no requirement is called."
            yield _failed("bundle.requirement", told, item.evidence_id)
        elif not item.is_valid:
            details = {"evidence_id": item.evidence_id, "error": (item.error or "")[:300]}
            yield CheckResult.warning("bundle.item", "It was not collected, so it says nothing.", details)


def _doubts(bundle: EvidenceBundle) -> Iterator[CheckResult]:
    """Yield what a bundle says against itself."""
    told = {
        f"It is of version {bundle.schema_version[:20]!r}.": bundle.schema_version != "v1",
        "Its weight is 0.": not bundle.weight > 0,
        f"It calls {listed(bundle.requirements_unfulfilled, 3)} unfulfilled.": bool(bundle.requirements_unfulfilled),
    }
    for sentence, is_so in told.items():
        if is_so:
            yield CheckResult.warning("bundle.doubt", sentence)
    for item in bundle.items:
        status = item.status_code
        doubts = {
            f"It was collected with status {status}.": status is not None and status >= 400 and item.is_valid,
            "Its confidence is 0.": item.confidence == 0,
        }
        for sentence, is_so in doubts.items():
            if is_so:
                yield CheckResult.warning("item.doubt", sentence, {"evidence_id": item.evidence_id})


def _of_source(rules: _SourceRules, item: EvidenceItem) -> Iterator[CheckResult]:
    source, requirement = item.provenance.source_id, rules.requirements.get(item.requirement_id)
    policies = rules.policies.get(source, [])
    if any(not each.allow for each in policies):
        yield _failed("source.policy", f"The source {source!r} must not be used.", item.evidence_id)
    elif rules.policies and not policies:
        yield _failed("source.policy", f"The source {source!r} is not among the allowed ones.", item.evidence_id)
    tiers = [rules.least, *(each.min_provenance_tier for each in policies)]
    least = max(tiers if requirement is None else [*tiers, requirement.min_provenance_tier])
    if item.provenance.tier < least:
        told = f"Its provenance has tier {item.provenance.tier}; {least} is asked for."
        yield _failed("source.policy", told, item.evidence_id)
    if requirement is None or requirement.deferred_source_discovery:
        return
    place = rules.targets[item.requirement_id].get(source)
    if place and _host(item.provenance.source_uri) != _host(place):
        told = f"It comes from another place than {source!r} is declared at."
        yield CheckResult.warning("source.place", told, {"evidence_id": item.evidence_id})
    if place is None:
        told = f"The source {source!r} is none that the requirement names."
        yield CheckResult.warning("source.undeclared", told, {"evidence_id": item.evidence_id})


def _host(uri: str) -> str:
    try:
        return urlsplit(uri).netloc
    except ValueError:
        return uri


class _SourceRules:
    """What a question says about sources, by id."""

    def __init__(self, spec: PromptSpec) -> None:
        self.least: Final = spec.market.min_provenance_tier
        self.requirements: Final = {each.requirement_id: each for each in spec.data_requirements}
        self.targets: Final = {
            each.requirement_id: {target.source_id: target.uri for target in each.source_targets}
            for each in spec.data_requirements
        }
        self.policies: Final[dict[str, list[SourcePolicy]]] = {}
        for policy in spec.market.allowed_sources:
            self.policies.setdefault(policy.source_id, []).append(policy)


def _of_times(
    spec: PromptSpec, bundle: EvidenceBundle, item: EvidenceItem, declared: EvidenceDeclarations, claims: ClaimSet
) -> Iterator[CheckResult]:
    window, slack = spec.market.resolution_window, Fraction(declared.slack_seconds)
    fetched = item.provenance.fetched_at or bundle.collected_at
    told = dict.fromkeys(claim.time for claim in claims.by_evidence_id(item.evidence_id) if claim.time)
    texts = [text for text in told if moments_of(text) is not None]
    outside = [text for text in texts if not is_in_window(spec, declared, text)]
    if outside:
        sentence = f"It speaks of {listed(outside, 3)}, outside of the window."
        details = {"evidence_id": item.evidence_id, "times": outside[:MAX_TIMES]}
        # A table of many days has some outside; what is in the window can be used.
        tell = CheckResult.failed if len(outside) == len(texts) else CheckResult.warning
        yield tell("time.window", sentence, details)
    moments = [moments for text in texts if (moments := moments_of(text)) is not None]
    most = declared.max_age_seconds
    if not moments:
        if most is not None and item.is_valid:
            yield _failed("time.stale", "It does not say when it was, so that its age is not known.", item.evidence_id)
        if fetched is not None and seconds_of(fetched) < seconds_of(window.start) - slack:
            yield _failed("time.window", "It was collected before the window began.", item.evidence_id)
        return
    if fetched is not None and max(first for first, _ in moments) > seconds_of(fetched) + slack:
        yield _failed("time.future", "It speaks of a time after it was collected.", item.evidence_id)
    if most is not None and not any(is_fresh(spec, bundle, item, declared, text) for text in texts):
        yield _failed("time.stale", f"It is more than {most:g} s older than what it is used for.", item.evidence_id)


def is_in_window(spec: PromptSpec, declared: EvidenceDeclarations, time: str) -> bool:
    """Return whether evidence may speak of a time; False for what is no time.

    Of a day, a part of it has to be in the window; of a longer period, a part of each of its days.
    """
    window, slack = spec.market.resolution_window, Fraction(declared.slack_seconds)
    moments = moments_of(time)
    if moments is None:
        return False
    first, last = moments
    day = min(last - first, DAY)
    return last - day <= seconds_of(window.end) + slack and first + day >= seconds_of(window.start) - slack


def is_fresh(
    spec: PromptSpec, bundle: EvidenceBundle, item: EvidenceItem, declared: EvidenceDeclarations, time: str
) -> bool:
    """Return whether a time is recent enough: before the declared time, else before collection or the window's end."""
    if declared.max_age_seconds is None:
        return True
    market = spec.market
    named = {
        "window.start": market.resolution_window.start,
        "window.end": market.resolution_window.end,
        "deadline": market.resolution_deadline,
    }
    fetched = item.provenance.fetched_at or bundle.collected_at
    ends = [named["window.end"], *([] if fetched is None else [fetched])]
    if declared.age_at:
        ends = [named.get(declared.age_at) or datetime.fromisoformat(declared.age_at)]
    moments = moments_of(time)
    return moments is not None and min(map(seconds_of, ends)) - moments[1] <= Fraction(declared.max_age_seconds)


def _of_collection(bundle: EvidenceBundle, item: EvidenceItem) -> Iterator[CheckResult]:
    fetched, collected = item.provenance.fetched_at, bundle.collected_at
    if fetched is None or collected is None:
        if item.provenance.cache_hit and item.provenance.ttl_seconds is not None:
            yield _failed("time.stale", "It comes from a cache, and its age is not known.", item.evidence_id)
        return
    age = seconds_of(collected) - seconds_of(fetched)
    if age < 0:
        yield _failed("time.future", "It was fetched after the bundle was collected.", item.evidence_id)
    elif item.provenance.cache_hit and item.provenance.ttl_seconds is not None and age > item.provenance.ttl_seconds:
        yield _failed("time.stale", "It comes from a cache that was out of date.", item.evidence_id)


def _of_confidence(bundle: EvidenceBundle, claims: ClaimSet) -> Iterator[CheckResult]:
    for item in bundle.items:
        if not 0 <= item.confidence <= 1:
            yield _failed("confidence.bounds", f"Its confidence is {item.confidence}.", item.evidence_id)
    known = {item.evidence_id: item.confidence for item in bundle.items}
    for claim in claims:
        # A claim has the confidence of its item, which was told.
        if not 0 <= claim.confidence <= 1 and claim.confidence is not known.get(claim.evidence_id):
            told = f"The confidence of {claim.claim_id} is {claim.confidence}."
            yield _failed("confidence.bounds", told, claim.evidence_id)


def _of_coverage(spec: PromptSpec, bundle: EvidenceBundle, excluded: set[str]) -> Iterator[CheckResult]:
    covered = {item.requirement_id for item in bundle.items if item.evidence_id not in excluded}
    for requirement in spec.data_requirements:
        if requirement.requirement_id not in covered:
            told = f"The requirement {requirement.requirement_id!r} has no evidence that can be used."
            yield CheckResult.failed("coverage.requirement", told, {"requirement_id": requirement.requirement_id})


def _of_event(event: MarketEvent, claims: ClaimSet) -> Iterator[CheckResult]:
    for problem in event.problems:
        yield CheckResult.failed("event.definition", problem)
    if event.predicate is None:
        return
    known = {name for claim in claims for name in (claim.path, without_indices(claim.path))}
    missing = [each.name for each in event.predicate.fields if event.local_name(each.name) not in known]
    if missing:
        told = f"No evidence gives {listed(missing, 3)}, which the event depends on."
        yield CheckResult.failed("event.variables", told, {"missing": missing})
    elif not event.problems:
        yield CheckResult.passed("event.variables", "Every variable of the event is in the evidence.")


def _failed(check_id: str, message: str, evidence_id: str) -> CheckResult:
    return CheckResult.failed(check_id, message, {"evidence_id": evidence_id})
