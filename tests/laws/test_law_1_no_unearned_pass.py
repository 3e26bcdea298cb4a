"""Law 1. VERIFIED needs a mandatory check that ran, could have failed on this subject, and did not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from probatum.core.decision import DiagnosticStatus, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import IntegrityError
from probatum.programs.decide import ProgramPolicy, decide_function, decide_program
from probatum.programs.record import CheckKind, CheckState, FunctionRecord, MutantState
from probatum.programs.specification import Origin
from tests.laws.records import ANY_POLICY, ANY_RECORD, EARNED, HOLDING, LENIENT, NOTICED
from tests.proof.sample import sample_artifact


def earned(record: FunctionRecord, policy: ProgramPolicy) -> bool:
    """What a pass takes, said without the code under test."""
    truths = [check for check in record.checks if check.origin is not Origin.MODEL]
    could_have_failed = any(mutant.state is MutantState.NOTICED for mutant in record.mutants)
    nothing_learnt = {MutantState.EQUIVALENT, MutantState.NOT_LOADED, MutantState.AT_LIMIT}
    counted = [mutant for mutant in record.mutants if mutant.state not in nothing_learnt]
    noticed = sum(mutant.state is MutantState.NOTICED for mutant in record.mutants)
    return (
        any(check.forge_resistant for check in truths)
        and all(check.state is CheckState.HOLDS for check in record.checks)
        and could_have_failed
        and record.strength_measured
        and noticed >= policy.min_strength * len(counted)
        and not (record.special_cases or record.flaky or record.doubtful or record.inputs_missing)
        and not (record.unexpected or record.wrong_uses)
    )


@settings(max_examples=200)
@given(ANY_RECORD, ANY_POLICY)
@example(EARNED, LENIENT)
def test_a_pass_is_earned(record: FunctionRecord, policy: ProgramPolicy):
    decision = decide_function(record, policy)
    assert (decision.status is DiagnosticStatus.VERIFIED) <= earned(record, policy)
    assert decision.outcome is not Outcome.PROVED


@settings(max_examples=200)
@given(st.lists(ANY_RECORD | st.just(EARNED), max_size=3), ANY_POLICY)
@example([EARNED, EARNED], LENIENT)
def test_a_file_passes_only_if_each_function_does(records: list[FunctionRecord], policy: ProgramPolicy):
    if decide_program(records, policy).status is DiagnosticStatus.VERIFIED:
        assert records
        assert all(decide_function(record, policy).status is DiagnosticStatus.VERIFIED for record in records)


def test_the_earned_pass_is_one():
    assert decide_function(EARNED, LENIENT).outcome is Outcome.TESTED
    assert decide_program([EARNED, EARNED], LENIENT).outcome is Outcome.TESTED


LOSSES: dict[str, Callable[[FunctionRecord], FunctionRecord]] = {
    "zero checks": lambda record: replace(record, checks=()),
    "no planted fault": lambda record: replace(record, mutants=()),
    "no planted fault noticed": lambda record: replace(record, mutants=(replace(NOTICED, state=MutantState.SURVIVED),)),
    "every planted fault without effect": lambda record: replace(
        record, mutants=(replace(NOTICED, state=MutantState.EQUIVALENT),)
    ),
    "faults noticed by looked-up inputs alone": lambda record: replace(
        record, mutants=(replace(NOTICED, state=MutantState.ONLY_DOCUMENTED),)
    ),
    "strength not measured": lambda record: replace(record, strength_measured=False),
    "inputs that could not be made": lambda record: replace(record, inputs_missing=True),
    "a special case": lambda record: replace(record, special_cases=("only written inputs reach line 3",)),
    "a flaky result": lambda record: replace(record, flaky=("f(3) gives 1 or 2",)),
    "a doubtful document": lambda record: replace(record, doubtful=("line 4 contradicts line 3",)),
    "checks of models alone": lambda record: replace(record, checks=(replace(HOLDING, origin=Origin.MODEL),)),
    "laws of objects alone": lambda record: replace(
        record, checks=(replace(HOLDING, kind=CheckKind.LAW, origin=Origin.DERIVED, forge_resistant=False),)
    ),
    "forgeable checks alone": lambda record: replace(record, checks=(replace(HOLDING, forge_resistant=False),)),
    **{
        f"one check of two {state.value}": lambda record, state=state: replace(
            record, checks=(HOLDING, replace(HOLDING, id="e2", state=state))
        )
        for state in CheckState
        if state is not CheckState.HOLDS
    },
}


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("bar", [0, 0.5])
def test_a_pass_is_lost_by(name: str, bar: float):
    policy = ProgramPolicy(min_strength=bar)
    assert decide_function(LOSSES[name](EARNED), policy).status is not DiagnosticStatus.VERIFIED


def test_a_stricter_bar_never_gives_a_pass():
    bars = (0, 0.3, 0.5, 0.6, 0.7, 0.9, 1)
    passes = [
        decide_function(EARNED, ProgramPolicy(min_strength=bar)).status is DiagnosticStatus.VERIFIED for bar in bars
    ]
    assert passes == sorted(passes, reverse=True)
    assert passes[0]
    assert not passes[-1]


@pytest.mark.parametrize("bar", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_bar_outside_its_range_is_refused(bar: float):
    with pytest.raises(ValueError):
        ProgramPolicy(min_strength=bar)


def test_no_function_is_no_pass():
    assert decide_program([], LENIENT).outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("evidence", [{}, None, [], "", 0], ids=repr)
def test_a_verdict_without_evidence_is_refused(evidence: object):
    with pytest.raises(ValueError):
        DiagnosticResult.verified("Established.", {}, evidence)


@pytest.mark.parametrize("empty", ["observations", "verifiers"])
def test_an_artifact_of_nothing_is_refused(empty: str):
    with pytest.raises(IntegrityError):
        sample_artifact(**{empty: []})
