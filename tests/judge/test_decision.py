"""What checks come to: no unearned pass, evidence alone refutes, the weakest counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probatum.core.decision import DiagnosticStatus, Outcome
from probatum.core.frozen import FrozenDict
from probatum.judge.judging import decide_checks
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.request import ValidationType

PASSED, FAILED, UNDECIDED = CheckOutcome


def check(state: CheckOutcome, basis: Basis, **evidence: object) -> LayerCheck:
    return LayerCheck("a[0]", "something", state, basis, FrozenDict(evidence))


@st.composite
def checks(draw: st.DrawFn) -> LayerCheck:
    basis = draw(st.sampled_from(Basis))
    state = UNDECIDED if basis is Basis.NOTHING else draw(st.sampled_from((PASSED, FAILED)))
    return check(state, basis)


@st.composite
def reports(draw: st.DrawFn) -> list[LayerReport]:
    layers = draw(st.lists(st.sampled_from(ValidationType), unique=True, max_size=5))
    return [LayerReport(each, tuple(draw(st.lists(checks(), max_size=4)))) for each in layers]


@given(reports())
def test_verified_needs_that_every_layer_decided_something_and_nothing_is_open(found: list[LayerReport]) -> None:
    if decide_checks(found).status is DiagnosticStatus.VERIFIED:
        assert any(each.layer is not ValidationType.QUALITY for each in found)
        assert all(each.checks for each in found)
        assert all(one.state is PASSED for each in found for one in each.checks)


@given(reports())
def test_only_a_failed_check_refutes(found: list[LayerReport]) -> None:
    is_refuted = decide_checks(found).outcome is Outcome.REFUTED
    assert is_refuted is any(one.state is FAILED for each in found for one in each.checks)


@given(reports(), st.sampled_from(ValidationType))
def test_one_more_open_check_never_makes_a_verdict_stronger(found: list[LayerReport], layer: ValidationType) -> None:
    before = decide_checks(found).outcome
    more = [each for each in found if each.layer is not layer]
    more.append(LayerReport(layer, (check(UNDECIDED, Basis.NOTHING),)))
    after = decide_checks(more).outcome
    assert after.rank <= Outcome.UNDECIDED.rank
    assert before is not Outcome.REFUTED or after is Outcome.REFUTED or any(each.layer is layer for each in found)


def test_nothing_is_not_success() -> None:
    assert decide_checks([]).constraint_id == "judge.nothing_decided"
    quality = LayerReport(ValidationType.QUALITY, (check(PASSED, Basis.STRUCTURE),))
    assert decide_checks([quality]).constraint_id == "judge.nothing_decided"
    assert decide_checks([LayerReport(ValidationType.FACTS, ())]).constraint_id == "judge.claims_open"
    schema = LayerReport(ValidationType.SCHEMA, (check(PASSED, Basis.EXACT),))
    unseen = LayerReport(ValidationType.QUALITY, (check(UNDECIDED, Basis.NOTHING),))
    assert decide_checks([schema, unseen]).constraint_id == "judge.quality_open"


def test_what_ran_is_tested_and_names_its_mutants() -> None:
    ran = check(PASSED, Basis.EXECUTED, noticed=7, planted=9)
    decision = decide_checks([LayerReport(ValidationType.CRITERIA, (ran, check(PASSED, Basis.EXACT)))])
    assert decision.outcome is Outcome.TESTED
    assert decision.agent_message == (
        "The output passed all 2 checks that it was to be accepted by; 1 of them ran its code; 7 of 9 mutants killed."
    )


def test_what_ran_without_mutants_says_that_nothing_was_measured() -> None:
    decision = decide_checks([LayerReport(ValidationType.CRITERIA, (check(PASSED, Basis.EXECUTED),))])
    assert (decision.outcome, decision.constraint_id) == (Outcome.TESTED, "judge.ran")


def test_what_rests_on_readings_is_tested_and_says_so() -> None:
    read = LayerReport(ValidationType.FACTS, (check(PASSED, Basis.READING), check(PASSED, Basis.EXACT)))
    decision = decide_checks([read])
    assert (decision.outcome, decision.constraint_id) == (Outcome.TESTED, "judge.read")
    assert decision.agent_message.endswith("1 of them rests on readings that count.")
