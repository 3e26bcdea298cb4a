"""Two hundred bundles whose truth is known by construction: every planted fault is reported, and none is invented."""

from __future__ import annotations

from collections import Counter

import pytest

from probatum.audit import CheckResult, EvidenceBundle, PromptSpec
from tests.audit.bundles import Made, made
from tests.audit.cases import audit, conflicts, names, naming, reported, variables

SEEDS = range(200)


def audited(case: Made) -> tuple[list[CheckResult], dict[str, object], bool]:
    """Return the checks, the evaluation variables and whether all is well."""
    trace, verification = audit(PromptSpec.model_validate(case.prompt), EvidenceBundle.model_validate(case.evidence))
    return list(verification.checks), dict(variables(trace)), verification.ok


def is_reported(fault_kind: str, ids: tuple[str, ...], requirement_id: str, checks: list[CheckResult]) -> bool:
    if fault_kind == "contradiction":
        return any(names(check, ids[0]) for check in conflicts(checks))
    words = ids or (requirement_id,)
    # What failed to be fetched is told; whether that alone is a failure depends on the policy.
    return all(naming(checks, word) for word in words)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_planted_fault_is_reported_and_none_is_invented(seed: int) -> None:
    case = made(seed)
    checks, found, ok = audited(case)
    for fault in case.faults:
        assert is_reported(fault.kind, fault.evidence_ids, fault.requirement_id, checks), fault
    guilty = {name for fault in case.faults for name in (*fault.evidence_ids, fault.requirement_id)}
    known = {each["evidence_id"] for each in case.evidence["items"]}
    for check in reported(checks):
        blamed = {name for name in known if names(check, name)}
        assert case.faults, check
        assert not blamed or blamed & guilty or any(names(check, name) for name in guilty), check
    planted = {fault.kind for fault in case.faults}
    contradictory = {name for fault in case.faults if fault.is_contradiction for name in fault.evidence_ids}
    if "duplicate id" not in planted:
        assert all(any(names(check, name) for name in contradictory) for check in conflicts(checks))
        assert found["conflict_detected"] is bool(contradictory)
    assert found["event_observed"] in case.observed
    assert ok or planted
    # An undeclared source is told, and keeps the verdict from being VERIFIED.
    if planted - {"contradiction", "failed", "undeclared source"}:
        assert not ok, "a fault that is no mere conflict leaves a check that does not hold"


def test_the_bundles_hold_every_fault_and_distractor_and_all_truths() -> None:
    """What is never planted is never found missing."""
    cases = [made(seed) for seed in SEEDS]
    faults = Counter(fault.kind for case in cases for fault in case.faults)
    distractors = Counter(name for case in cases for name in case.distractors)
    assert len(faults) == 14
    assert min(faults.values()) >= 4
    assert len(distractors) == 5
    assert min(distractors.values()) >= 4
    assert {True, False, None} <= {case_truth for case in cases for case_truth in case.observed}
    assert sum(not case.faults for case in cases) >= 40


def test_a_seed_gives_the_same_bundle_again() -> None:
    assert [made(seed).evidence for seed in range(20)] == [made(seed).evidence for seed in range(20)]
