"""Records of observations for the laws: arbitrary ones, and one that earns VERIFIED."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st

from probatum.programs.decide import ProgramPolicy
from probatum.programs.record import CheckKind, CheckRecord, CheckState, FunctionRecord, MutantRecord, MutantState
from probatum.programs.specification import DecidedBy, Origin

KINDS = ("example", "return_type", "argument", "property", "test", "differential")
SENTENCES = st.lists(st.text(min_size=1, max_size=12), max_size=2).map(tuple)
RARELY = st.sampled_from([False, False, False, True])


def tuples_of(element: st.SearchStrategy, most: int) -> st.SearchStrategy:
    return st.lists(element, max_size=most).map(tuple)


def checks(states: st.SearchStrategy, origins: st.SearchStrategy) -> st.SearchStrategy[CheckRecord]:
    return st.builds(
        CheckRecord,
        id=st.sampled_from(["e1", "e2", "e3"]),
        kind=st.sampled_from(KINDS),
        origin=origins,
        line=st.integers(0, 99),
        text=st.text(max_size=12),
        inputs=st.just({"form": "call", "target": "f", "args": [1], "kwargs": []}),
        expected=st.just({"value": 2}),
        observed=st.sampled_from([{"value": 2}, {"value": 3}, {"lost": "cpu"}, {"raises": "ValueError"}]),
        state=states,
        note=st.text(max_size=8),
        reproduction=st.just("f(1)"),
        forge_resistant=st.booleans(),
    )


ANY_CHECK = checks(st.sampled_from(CheckState), st.sampled_from(Origin))
MODEL_CHECKS = tuples_of(checks(st.sampled_from(CheckState), st.just(Origin.MODEL)), 3)
ANY_MUTANT = st.builds(
    MutantRecord,
    id=st.sampled_from(["m1", "m2"]),
    operator=st.just("comparison"),
    line=st.integers(1, 99),
    sentence=st.text(min_size=1, max_size=12),
    state=st.sampled_from(MutantState),
)
ANY_RECORD = st.builds(
    FunctionRecord,
    qualname=st.sampled_from(["f", "Stack.push", "größe"]) | st.text(max_size=70),
    line=st.integers(1, 99),
    checks=tuples_of(ANY_CHECK, 4) | tuples_of(checks(st.just(CheckState.HOLDS), st.sampled_from(Origin)), 4),
    mutants=tuples_of(ANY_MUTANT, 6),
    strength_measured=st.booleans(),
    generated_inputs=st.integers(0, 100),
    inputs_missing=RARELY,
    special_cases=st.just(()) | SENTENCES,
    flaky=st.just(()) | SENTENCES,
    suspicions=SENTENCES,
    unread=SENTENCES,
    doubtful=st.just(()) | SENTENCES,
    unexpected=st.just(()) | SENTENCES,
)
ANY_POLICY = st.builds(ProgramPolicy, min_strength=st.sampled_from([0, 0.1, 0.5, 0.7, 1]))

HOLDING = CheckRecord(
    id="e1",
    kind=CheckKind.EXAMPLE,
    decided_by=DecidedBy.EXAMPLE,
    origin=Origin.GROUND_TRUTH,
    line=2,
    text="f(1) == 2",
    inputs={"form": "call", "target": "f", "args": [1], "kwargs": []},
    expected={"value": 2},
    observed={"value": 2},
    state=CheckState.HOLDS,
    reproduction="f(1)",
)
NOTICED = MutantRecord("m1", "comparison", 3, "line 3 uses < for <=", MutantState.NOTICED, noticed_by="e1")
EARNED = FunctionRecord(
    "f",
    1,
    checks=(HOLDING, replace(HOLDING, id="e2", line=3, text="f(2) == 3")),
    mutants=(NOTICED, replace(NOTICED, id="m2", line=4), replace(NOTICED, id="m3", state=MutantState.SURVIVED)),
    strength_measured=True,
    generated_inputs=50,
)
LENIENT = ProgramPolicy(min_strength=0.5)
