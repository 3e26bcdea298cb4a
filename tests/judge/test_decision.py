"""What checks come to: no unearned pass, evidence alone refutes, the weakest counts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from probatum.core.decision import DiagnosticStatus, Outcome
from probatum.core.frozen import FrozenDict
from probatum.judge.judging import LayerRecord, decide_checks
from probatum.judge.layers import DECISIVE, Basis, CheckOutcome, LayerCheck
from probatum.judge.request import ValidationType

PASSED, FAILED, UNDECIDED = CheckOutcome
CLAIMS = (ValidationType.FACTS, ValidationType.HALLUCINATION)


def check(state: CheckOutcome, basis: Basis, **evidence: object) -> LayerCheck:
    return LayerCheck("a[0]", "something", state, basis, FrozenDict(evidence))


@st.composite
def checks(draw: st.DrawFn) -> LayerCheck:
    basis = draw(st.sampled_from(Basis))
    state = UNDECIDED if basis is Basis.NOTHING else draw(st.sampled_from((PASSED, FAILED)))
    return check(state, basis)


@st.composite
def records(draw: st.DrawFn) -> list[LayerRecord]:
    layers = draw(st.lists(st.sampled_from(ValidationType), unique=True, max_size=5))
    return [
        LayerRecord(each, tuple(draw(st.lists(checks(), max_size=4))), has_error=draw(st.booleans())) for each in layers
    ]


@given(records())
def test_verified_needs_that_every_layer_ran_and_that_evidence_decided_every_check(found: list[LayerRecord]) -> None:
    decision = decide_checks(found)
    if decision.status is DiagnosticStatus.VERIFIED:
        weighed = [each for each in found if each.layer is not ValidationType.QUALITY]
        assert weighed
        assert not any(each.has_error for each in found)
        assert all(each.checks for each in weighed)
        assert all(one.state is PASSED and one.basis in DECISIVE for each in weighed for one in each.checks)


@given(records())
def test_only_evidence_refutes(found: list[LayerRecord]) -> None:
    if decide_checks(found).outcome is Outcome.REFUTED:
        assert any(
            each.has_error and any(one.state is FAILED and one.basis in DECISIVE for one in each.checks)
            for each in found
        )


@given(records(), st.sampled_from(CLAIMS))
def test_one_more_open_check_never_makes_a_verdict_stronger(found: list[LayerRecord], layer: ValidationType) -> None:
    before = decide_checks(found).outcome
    more = [each for each in found if each.layer is not layer]
    more.append(LayerRecord(layer, (check(UNDECIDED, Basis.NOTHING),), has_error=False))
    after = decide_checks(more).outcome
    assert after.rank <= Outcome.UNDECIDED.rank
    assert before is not Outcome.REFUTED or after is Outcome.REFUTED or any(each.layer is layer for each in found)


def test_nothing_is_not_success() -> None:
    assert decide_checks([]).constraint_id == "judge.nothing_decided"
    quality = LayerRecord(ValidationType.QUALITY, (check(PASSED, Basis.STRUCTURE),), has_error=False)
    assert decide_checks([quality]).constraint_id == "judge.nothing_decided"
    empty = LayerRecord(ValidationType.FACTS, (), has_error=False)
    assert decide_checks([empty]).constraint_id == "judge.claims_open"


def test_what_ran_is_tested_and_says_what_it_notices() -> None:
    ran = check(PASSED, Basis.EXECUTED, noticed=7, planted=9)
    decision = decide_checks([LayerRecord(ValidationType.CRITERIA, (ran, check(PASSED, Basis.EXACT)), has_error=False)])
    assert decision.outcome is Outcome.TESTED
    assert decision.agent_message == (
        "The output passed all 2 checks that it was to be accepted by; 1 of them ran its code, and it notices 7 of"
        " 9 planted faults."
    )


def test_what_ran_without_planted_faults_says_that_nothing_was_measured() -> None:
    decision = decide_checks([LayerRecord(ValidationType.CRITERIA, (check(PASSED, Basis.EXECUTED),), has_error=False)])
    assert (decision.outcome, decision.constraint_id) == (Outcome.TESTED, "judge.ran")
