"""From records to decisions, as a table of named cases; the order of the questions is part of the contract."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.core.decision import Outcome
from probatum.programs.decide import ProgramPolicy, decide_function, decide_program
from probatum.programs.established import Established, EstablishedBy
from probatum.programs.record import (
    CheckKind,
    CheckRecord,
    CheckState,
    FunctionRecord,
    MutantRecord,
    MutantState,
    ReadingOutcome,
)
from probatum.programs.specification import DecidedBy, Origin


def check(state: CheckState = CheckState.HOLDS, **changes: object) -> CheckRecord:
    base = CheckRecord(
        id="e1",
        kind=CheckKind.EXAMPLE,
        decided_by=DecidedBy.EXAMPLE,
        origin=Origin.GROUND_TRUTH,
        line=2,
        text="f(1) == 2",
        inputs={"form": "call", "target": "f", "args": [1], "kwargs": []},
        expected={"value": 2},
        observed={"value": 2},
        state=state,
        reproduction="f(1)",
    )
    return replace(base, **changes)  # type: ignore[arg-type]  # the names are those of the record


def mutants(*states: MutantState) -> tuple[MutantRecord, ...]:
    return tuple(
        MutantRecord(f"m{n}", "comparison", 3, "line 3 uses < for <=", state) for n, state in enumerate(states)
    )


NOTICED, SURVIVED = MutantState.NOTICED, MutantState.SURVIVED
STRONG = FunctionRecord(
    "f", 1, (check(),), mutants(*[NOTICED] * 5, SURVIVED), strength_measured=True, generated_inputs=50
)

CASES: dict[str, tuple[FunctionRecord, Outcome, str]] = {
    "all holds and enough is noticed": (STRONG, Outcome.TESTED, "program.tested"),
    "one stable failure refutes": (
        replace(STRONG, checks=(check(), check(CheckState.FAILS))),
        Outcome.REFUTED,
        "program.counterexample",
    ),
    "a failure refutes although another check is flaky": (
        replace(STRONG, checks=(check(CheckState.FLAKY), check(CheckState.FAILS))),
        Outcome.REFUTED,
        "program.counterexample",
    ),
    "a failing model-written check does not refute": (
        replace(STRONG, checks=(check(), check(CheckState.FAILS, origin=Origin.MODEL))),
        Outcome.UNDECIDED,
        "program.clause_undecided",
    ),
    "a flaky check": (replace(STRONG, checks=(check(CheckState.FLAKY),)), Outcome.UNDECIDED, "program.flaky"),
    "flaky on generated inputs": (replace(STRONG, flaky=("f(3) gives 1 or 2",)), Outcome.UNDECIDED, "program.flaky"),
    "no check at all": (replace(STRONG, checks=()), Outcome.UNDECIDED, "program.no_specification"),
    "a contradictory document": (
        replace(STRONG, doubtful=("line 4 contradicts line 3",)),
        Outcome.UNDECIDED,
        "program.doubtful_document",
    ),
    "an undecided clause": (
        replace(STRONG, checks=(check(), check(CheckState.UNDECIDED))),
        Outcome.UNDECIDED,
        "program.clause_undecided",
    ),
    "a clause that ran out of budget": (
        replace(STRONG, checks=(check(CheckState.UNDECIDED, observed={"lost": "cpu"}),)),
        Outcome.UNDECIDED,
        "program.out_of_budget",
    ),
    "a clause whose arguments cannot be given": (
        replace(STRONG, checks=(check(CheckState.UNDECIDED, observed={"lost": "arguments"}),)),
        Outcome.UNDECIDED,
        "program.clause_undecided",
    ),
    "an exception that nobody documented": (
        replace(STRONG, unexpected=("f([]) raises IndexError, which the documented exceptions do not name",)),
        Outcome.UNDECIDED,
        "program.unexpected_exception",
    ),
    "an exception where nothing is documented": (
        FunctionRecord("f", 1, unexpected=("f([]) raises NameError, which nothing announces",)),
        Outcome.UNDECIDED,
        "program.unexpected_exception",
    ),
    "a call that cannot be made": (
        replace(STRONG, wrong_uses=("line 4: f(): missing a required argument: 'a'",)),
        Outcome.UNDECIDED,
        "program.wrong_use",
    ),
    "a call that cannot be made where nothing is documented": (
        FunctionRecord("f", 1, wrong_uses=("line 4: f(): missing a required argument: 'a'",)),
        Outcome.UNDECIDED,
        "program.wrong_use",
    ),
    "an argument that changed": (
        replace(STRONG, checks=(check(), check(CheckState.FAILS, kind=CheckKind.ARGUMENT))),
        Outcome.REFUTED,
        "program.argument_changed",
    ),
    "documented inputs treated specially": (
        replace(STRONG, special_cases=("only inputs written in the specification reach line 3",)),
        Outcome.UNDECIDED,
        "program.special_cased",
    ),
    "no other input could be made": (
        replace(STRONG, generated_inputs=0, inputs_missing=True),
        Outcome.UNDECIDED,
        "program.inputs_not_generated",
    ),
    "strength not measured": (
        replace(STRONG, strength_measured=False, mutants=()),
        Outcome.UNDECIDED,
        "program.strength_not_measured",
    ),
    "nothing to notice": (replace(STRONG, mutants=()), Outcome.UNDECIDED, "program.weak_checks"),
    "too little noticed": (
        replace(STRONG, mutants=mutants(NOTICED, NOTICED, SURVIVED, SURVIVED)),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "noticed by documented inputs alone earns nothing": (
        replace(STRONG, mutants=mutants(NOTICED, *[MutantState.ONLY_DOCUMENTED] * 9)),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "a tenth noticed by documented inputs alone": (
        replace(STRONG, mutants=mutants(*[NOTICED] * 18, *[MutantState.ONLY_DOCUMENTED] * 2)),
        Outcome.TESTED,
        "program.tested",
    ),
    "more than a tenth noticed by documented inputs alone": (
        replace(STRONG, mutants=mutants(*[NOTICED] * 17, *[MutantState.ONLY_DOCUMENTED] * 2)),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "few faults say little, even with one in four unnoticed": (
        replace(STRONG, mutants=mutants(NOTICED, NOTICED, NOTICED, SURVIVED)),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "one killed mutant alone could be luck": (
        replace(STRONG, mutants=mutants(NOTICED)),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "a statement that no check would miss": (
        replace(
            STRONG,
            mutants=(
                *mutants(*[NOTICED] * 20),
                MutantRecord("m99", "statement_removed", 4, "line 4 is left out", SURVIVED),
            ),
        ),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "equivalent faults do not count": (
        replace(STRONG, mutants=mutants(NOTICED, NOTICED, NOTICED, *[MutantState.EQUIVALENT] * 3)),
        Outcome.TESTED,
        "program.tested",
    ),
    "most faults change nothing that any input shows": (
        replace(STRONG, mutants=mutants(NOTICED, NOTICED, NOTICED, *[MutantState.EQUIVALENT] * 4)),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "what lies in another documented definition is measured there": (
        replace(
            STRONG,
            mutants=tuple(
                replace(each, settled_by="Base" if each.state is MutantState.EQUIVALENT else "")
                for each in mutants(NOTICED, NOTICED, NOTICED, *[MutantState.EQUIVALENT] * 4)
            ),
        ),
        Outcome.TESTED,
        "program.tested",
    ),
    "another definition notices nothing for this one": (
        replace(STRONG, mutants=tuple(replace(each, settled_by="Base") for each in mutants(*[SURVIVED] * 4))),
        Outcome.UNDECIDED,
        "program.weak_checks",
    ),
    "a branch that nothing reaches": (
        replace(STRONG, unreached=("nothing that was run reaches the branch at line 3",)),
        Outcome.TESTED,
        "program.tested",
    ),
    "a branch that nothing reaches, and an example that could not be read": (
        replace(STRONG, unreached=("nothing that was run reaches the branch at line 3",), documents_more=True),
        Outcome.UNDECIDED,
        "program.clause_undecided",
    ),
    "one cause of flakiness has its own sentence": (
        replace(STRONG, flaky=("f(3) depends on the clock: it gives 1 or 2",), causes=("clock",)),
        Outcome.UNDECIDED,
        "program.flaky_clock",
    ),
    "two causes of flakiness share one": (
        replace(STRONG, flaky=("f(3) gives 1 or 2",), causes=("clock", "hash_seed")),
        Outcome.UNDECIDED,
        "program.flaky",
    ),
    "only checks that could be forged": (
        replace(STRONG, checks=(check(forge_resistant=False),)),
        Outcome.UNDECIDED,
        "program.not_forge_resistant",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_decision(name: str) -> None:
    record, outcome, constraint = CASES[name]
    decision = decide_function(record, ProgramPolicy())
    assert (decision.outcome, decision.constraint_id) == (outcome, constraint)


def test_a_bar_of_zero_still_needs_one_noticed_fault() -> None:
    record = replace(STRONG, mutants=mutants(SURVIVED, SURVIVED))
    assert decide_function(record, ProgramPolicy(min_strength=0.0)).outcome is Outcome.UNDECIDED


REASONS = {
    "no place for a fault": (replace(STRONG, mutants=()), "nothing in it can be mutated"),
    "one fault alone": (replace(STRONG, mutants=mutants(NOTICED)), "one killed mutant alone could be luck"),
    "one fault that no input shows": (
        replace(STRONG, mutants=mutants(MutantState.EQUIVALENT)),
        "1 of 1 mutants differ on no input",
    ),
    "too many branches": (
        replace(STRONG, strength_measured=False, unread=("line 3: x",), unmeasured="f has 500 branches."),
        "strength was not measured: f has 500 branches.",
    ),
}


@pytest.mark.parametrize("name", REASONS)
def test_an_undecided_strength_has_a_reason(name: str) -> None:
    record, reason = REASONS[name]
    decision = decide_function(record, ProgramPolicy())
    assert decision.outcome is Outcome.UNDECIDED
    reasons = decision.fields["reasons"]
    assert isinstance(reasons, tuple | list)
    assert reasons[0] == reason


def test_of_several_functions_the_weakest_counts() -> None:
    refuted = replace(STRONG, qualname="g", checks=(check(CheckState.FAILS),))
    silent = FunctionRecord("h", 9)
    policy = ProgramPolicy()
    assert decide_program([STRONG, replace(STRONG, qualname="k")], policy).constraint_id == "program.all_tested"
    assert decide_program([STRONG, silent], policy).outcome is Outcome.UNDECIDED
    assert decide_program([STRONG, silent, refuted], policy).outcome is Outcome.REFUTED
    assert decide_program([], policy).outcome is Outcome.UNDECIDED


@pytest.mark.parametrize("name", CASES)
def test_a_record_reads_back_as_it_was_written(name: str) -> None:
    record, _, _ = CASES[name]
    assert FunctionRecord.from_json(record.to_json()) == record


def test_the_message_counts_checks_and_faults_and_never_says_correct() -> None:
    message = decide_function(STRONG, ProgramPolicy()).agent_message
    assert "its one check" in message
    assert "5 of 6" in message
    assert "correct" not in message.lower()


STATED = check(id="p1.1", kind=CheckKind.PROPERTY)
KNOWN = replace(STRONG, checks=(check(), STATED), established=(Established(EstablishedBy.ENUMERATION, ("p1",), 4),))
READ = ReadingOutcome("r1", "Doubles.", "result == 2 * x", "Ann", "", 5, 3)
OF_READING = check(id="g1.1", kind=CheckKind.READING, inputs={"form": "call", "readings": ["r1"]})


@pytest.mark.parametrize(
    ("record", "policy", "outcome"),
    [
        pytest.param(KNOWN, ProgramPolicy(), Outcome.PROVED, id="all is known"),
        pytest.param(replace(KNOWN, established=()), ProgramPolicy(), Outcome.TESTED, id="nothing is known"),
        pytest.param(KNOWN, ProgramPolicy(refactor=True), Outcome.TESTED, id="an earlier version says what is due"),
        pytest.param(
            replace(KNOWN, checks=(*KNOWN.checks, check(id="p2.1", kind=CheckKind.PROPERTY))),
            ProgramPolicy(),
            Outcome.TESTED,
            id="one clause is not known",
        ),
        pytest.param(
            replace(KNOWN, checks=(*KNOWN.checks, check(id="t", kind=CheckKind.TEST))),
            ProgramPolicy(),
            Outcome.TESTED,
            id="a given test decides too",
        ),
        pytest.param(
            replace(KNOWN, checks=(*KNOWN.checks, OF_READING)), ProgramPolicy(), Outcome.TESTED, id="a reading is open"
        ),
        pytest.param(replace(KNOWN, readings=(READ,)), ProgramPolicy(), Outcome.TESTED, id="nobody accepted a reading"),
        pytest.param(
            replace(KNOWN, readings=(replace(READ, accepted_by="Ann"),)),
            ProgramPolicy(),
            Outcome.TESTED,
            id="an accepted reading is not known",
        ),
        pytest.param(
            replace(KNOWN, mutants=mutants(NOTICED, SURVIVED, SURVIVED, SURVIVED)),
            ProgramPolicy(),
            Outcome.UNDECIDED,
            id="the bar stays",
        ),
    ],
)
def test_proved_is_said_where_all_that_decides_is_known(
    record: FunctionRecord, policy: ProgramPolicy, outcome: Outcome
):
    assert decide_function(record, policy).outcome is outcome


def test_of_several_functions_all_must_be_proved():
    other = replace(KNOWN, qualname="g")
    assert decide_program([KNOWN, other], ProgramPolicy()).constraint_id == "program.all_proved"
    assert decide_program([KNOWN, replace(STRONG, qualname="g")], ProgramPolicy()).constraint_id == "program.all_tested"
