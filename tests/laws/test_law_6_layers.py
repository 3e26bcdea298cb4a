"""Law 6. Each layer says no more than the deeper one; the agent's layer comes from a closed catalogue."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from probatum.core.decision import Decision, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer, disclose
from probatum.core.messages import CATALOGUE, is_catalogued
from probatum.programs.decide import ProgramPolicy, decide_function, decide_program
from probatum.programs.record import CheckState, FunctionRecord
from tests.laws.records import ANY_POLICY, ANY_RECORD, EARNED, HOLDING, LENIENT

SECRET = "hidden expectation 7f3a"


def verdict_of(decision: Decision) -> DiagnosticResult:
    fields = decision.developer_fields()
    if decision.outcome in {Outcome.TESTED, Outcome.PROVED}:
        return DiagnosticResult.verified(decision.agent_message, fields, {"observed": 1})
    return DiagnosticResult.unverifiable(decision.agent_message, fields)


@settings(max_examples=150)
@given(st.lists(ANY_RECORD, max_size=2), ANY_POLICY)
def test_every_decision_speaks_from_the_catalogue(records: list[FunctionRecord], policy: ProgramPolicy):
    decision = decide_program(records, policy)
    assert decision.constraint_id in CATALOGUE
    assert is_catalogued(decision.constraint_id, decision.agent_message)


@settings(max_examples=150)
@given(ANY_RECORD, ANY_POLICY)
def test_each_layer_of_a_verdict_is_part_of_the_deeper_one(record: FunctionRecord, policy: ProgramPolicy):
    result = verdict_of(decide_function(record, policy))
    agent, developer, proof = (disclose(result, layer) for layer in Layer)
    assert set(agent) < set(developer) < set(proof)
    assert agent == {key: developer[key] for key in agent}
    assert developer == {key: proof[key] for key in developer}


def hidden_everywhere(record: FunctionRecord, state: CheckState) -> FunctionRecord:
    check = replace(
        HOLDING,
        state=state,
        text=SECRET,
        note=SECRET,
        reproduction=f"f({SECRET!r})",
        expected={"value": SECRET},
        observed={"value": SECRET},
    )
    return replace(record, checks=(check,), unread=(SECRET,), suspicions=(SECRET,))


@given(st.sampled_from(CheckState), st.sampled_from(["flaky", "doubtful", "special_cases", "suspicions"]))
def test_the_agent_never_sees_a_check_its_values_or_its_reasons(state: CheckState, where: str):
    record = replace(hidden_everywhere(EARNED, state), **{where: (SECRET,)})
    shown = disclose(verdict_of(decide_function(record, LENIENT)), Layer.AGENT)
    assert SECRET not in str(shown)
    assert set(shown) == {"status", "agent_message"}


@given(st.text(max_size=80))
def test_a_hostile_name_carries_no_text_to_the_agent(name: str):
    decision = decide_function(replace(EARNED, qualname=name), LENIENT)
    shown = decision.agent_message.split(" did what ")[0]
    assert shown == "It" or re.fullmatch(r"[A-Za-z_][\w.\[\]]{0,63}", shown, re.ASCII)
