"""The decision: what follows from the results, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.decision import Outcome
from probatum.verification import Fault, VerificationResult, VerificationStatus
from probatum.verification.decide import decide_results
from probatum.verification.policy import AtLeast, Slot, VerificationPolicy

PASS, FAIL, WARN, SKIPPED = VerificationStatus
A, B, C = Slot("a"), Slot("b", is_mandatory=False), Slot("c", is_mandatory=False)
BEST = {"a": Outcome.PROVED, "b": Outcome.TESTED}


def said(verifier_id: str, status: VerificationStatus, fault: Fault | None = None, **more: bool) -> VerificationResult:
    return VerificationResult(status, verifier_id, "said", fault=fault, **more)  # type: ignore[arg-type]  # bent on purpose


CASES = {
    "passes": ((A,), [said("a", PASS)], "proved", "contract.satisfied"),
    "a warning passes": ((A,), [said("a", WARN)], "proved", "contract.satisfied"),
    "one that cannot prove": ((Slot("b"),), [said("b", PASS)], "tested", "contract.checks_passed"),
    "one that says nothing of itself": ((Slot("x"),), [said("x", PASS)], "tested", "contract.checks_passed"),
    "both": ((A, Slot("b")), [said("a", PASS), said("b", PASS)], "tested", "contract.checks_passed"),
    "fails": ((A,), [said("a", FAIL)], "refuted", "contract.violated"),
    "the verifier's fault": ((A,), [said("a", FAIL, Fault.VERIFIER)], "not_attempted", "contract.verifier_failed"),
    "the environment's": ((A,), [said("a", FAIL, Fault.ENVIRONMENT)], "not_attempted", "contract.verifier_failed"),
    "fails and breaks": (
        (A, Slot("b")),
        [said("a", FAIL, Fault.VERIFIER), said("b", FAIL)],
        "refuted",
        "contract.violated",
    ),
    "skipped": ((A,), [said("a", SKIPPED)], "undecided", "contract.check_skipped"),
    "nothing enforced": (
        (A, Slot("b")),
        [said("a", PASS, could_have_failed=False), said("b", PASS)],
        "undecided",
        "contract.nothing_enforced",
    ),
    "optional alone": ((B,), [said("b", PASS)], "undecided", "contract.nothing_enforced"),
    "optional fails": ((A, B), [said("a", PASS), said("b", FAIL)], "proved", "contract.satisfied"),
}


@pytest.mark.parametrize("name", CASES)
def test_what_follows(name: str):
    slots, results, outcome, constraint = CASES[name]
    decision = decide_results(VerificationPolicy(slots), results, BEST)
    assert (decision.outcome.value, decision.constraint_id) == (outcome, constraint)


@pytest.mark.parametrize(
    ("results", "outcome"),
    [
        ([said("b", PASS), said("c", FAIL)], "tested"),
        ([said("b", FAIL), said("c", FAIL)], "undecided"),
        ([said("b", SKIPPED), said("c", PASS, could_have_failed=False)], "undecided"),
        ([said("b", PASS), said("c", PASS)], "tested"),
    ],
)
def test_at_least_one_of_two(results: list[VerificationResult], outcome: str):
    policy = VerificationPolicy((B, C), (AtLeast(1, ("b", "c")),))
    assert decide_results(policy, results, BEST).outcome.value == outcome


@pytest.mark.parametrize(
    ("second", "outcome"), [(PASS, "undecided"), (FAIL, "undecided")], ids=["it passes twice", "it passes once"]
)
def test_a_verifier_that_runs_twice_counts_once(second: VerificationStatus, outcome: str):
    policy = VerificationPolicy((B, B, C), (AtLeast(2, ("b", "c")),))
    results = [said("b", PASS), said("b", second), said("c", FAIL, Fault.VERIFIER)]
    assert decide_results(policy, results, BEST).outcome.value == outcome
    either = VerificationPolicy((B, B, C), (AtLeast(1, ("b", "c")),))
    assert decide_results(either, results, BEST).outcome.value == ("tested" if second is PASS else "undecided")


@pytest.mark.parametrize("results", [[], [said("b", PASS)], [said("a", PASS), said("a", PASS)]], ids=len)
def test_results_of_another_run_are_refused(results: list[VerificationResult]):
    with pytest.raises(ValueError):
        decide_results(VerificationPolicy((A,)), results, BEST)


RESULTS = st.builds(
    lambda status, fault, could: VerificationResult(
        status, "a", "drawn", fault=fault if status is FAIL else None, could_have_failed=could
    ),
    st.sampled_from(list(VerificationStatus)),
    st.sampled_from(list(Fault)),
    st.booleans(),
)


@given(st.lists(st.tuples(RESULTS, st.booleans()), min_size=1, max_size=5))
def test_no_unearned_pass_and_only_the_subject_refutes(drawn: list[tuple[VerificationResult, bool]]):
    policy = VerificationPolicy(tuple(Slot("a", is_mandatory=mandatory) for _, mandatory in drawn))
    decision = decide_results(policy, [result for result, _ in drawn], {"a": Outcome.PROVED})
    mandatory = [result for result, asked in drawn if asked]
    if decision.outcome in {Outcome.PROVED, Outcome.TESTED}:
        assert mandatory
        assert all(result.status in {PASS, WARN} and result.could_have_failed for result in mandatory)
    if decision.outcome is Outcome.REFUTED:
        assert any(result.status is FAIL and result.fault is Fault.SUBJECT for result in mandatory)
