"""Law 2. For fixed evidence, replacing every advisory changes no status and no proof reference; advice only adds."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Decision, DiagnosticStatus, Outcome, decide
from probatum.core.diagnostics import AdvisoryCheck, DiagnosticResult
from probatum.programs.decide import ProgramPolicy, decide_function
from probatum.programs.record import CheckRecord, FunctionRecord
from probatum.programs.specification import Origin
from tests.core.strategies import ADVICE
from tests.laws.records import ANY_POLICY, ANY_RECORD, MODEL_CHECKS
from tests.proof.sample import sample_artifact


def advised(advice: list[AdvisoryCheck]) -> tuple[Decision, dict[str, object]]:
    slots = {"name": "add", "checks": 2, "noticed": 3, "planted": 4}
    fields = {"executed_checks": 2, "advisory_checks": advice}
    decision = decide(Outcome.TESTED, "program.tested", slots, fields)
    return decision, sample_artifact(decision=decision)


@given(ADVICE, ADVICE)
def test_replacing_advice_changes_no_status_and_no_proof(first: list[AdvisoryCheck], second: list[AdvisoryCheck]):
    verdicts = []
    for advice in (first, second):
        decision, artifact = advised(advice)
        verdicts.append(DiagnosticResult.verified(decision.agent_message, decision.developer_fields(), artifact))
    one, other = verdicts
    assert (one.status, one.proof_ref, one.agent_message) == (other.status, other.proof_ref, other.agent_message)
    assert (one.advisory_checks, other.advisory_checks) == (first, second)


@given(ADVICE)
def test_advice_never_enters_an_artifact(advice: list[AdvisoryCheck]):
    _, artifact = advised(advice)
    assert canonical_bytes(artifact) == canonical_bytes(advised([])[1])


def without_models(record: FunctionRecord) -> FunctionRecord:
    return replace(record, checks=tuple(check for check in record.checks if check.origin is not Origin.MODEL))


@settings(max_examples=150)
@given(ANY_RECORD, MODEL_CHECKS, ANY_POLICY)
def test_checks_that_models_wrote_never_refute_and_never_make_a_pass(
    record: FunctionRecord, added: tuple[CheckRecord, ...], policy: ProgramPolicy
):
    alone = decide_function(without_models(record), policy)
    with_them = decide_function(replace(record, checks=record.checks + added), policy)
    if with_them.status is DiagnosticStatus.VERIFIED:
        assert alone.status is DiagnosticStatus.VERIFIED
    if with_them.outcome is Outcome.REFUTED:
        assert alone.outcome is Outcome.REFUTED


@settings(max_examples=150)
@given(ANY_RECORD, MODEL_CHECKS, ANY_POLICY)
def test_checks_that_models_wrote_never_hide_a_refutation(
    record: FunctionRecord, added: tuple[CheckRecord, ...], policy: ProgramPolicy
):
    if decide_function(record, policy).outcome is Outcome.REFUTED:
        assert decide_function(replace(record, checks=added + record.checks), policy).outcome is Outcome.REFUTED


@given(ANY_RECORD, ANY_POLICY)
def test_suspicions_decide_nothing(record: FunctionRecord, policy: ProgramPolicy):
    without = replace(record, suspicions=())
    assert decide_function(record, policy) == decide_function(without, policy)
