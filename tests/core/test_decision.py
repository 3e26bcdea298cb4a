"""The table of outcomes, and that the weakest of several decisions counts."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import EXIT_CODE, STATUS_OF, Decision, DiagnosticStatus, Outcome, decide, weakest

TABLE = {
    Outcome.PROVED: (DiagnosticStatus.VERIFIED, 0),
    Outcome.TESTED: (DiagnosticStatus.VERIFIED, 0),
    Outcome.REFUTED: (DiagnosticStatus.UNVERIFIABLE, 1),
    Outcome.UNDECIDED: (DiagnosticStatus.UNVERIFIABLE, 3),
    Outcome.NOT_ATTEMPTED: (DiagnosticStatus.BLOCKED, 4),
}
WEAKEST_FIRST = [Outcome.REFUTED, Outcome.NOT_ATTEMPTED, Outcome.UNDECIDED, Outcome.TESTED, Outcome.PROVED]


def decision(outcome: Outcome, name: str = "f") -> Decision:
    return decide(outcome, "program.counterexample", {"name": name})


@pytest.mark.parametrize("outcome", Outcome)
def test_status_and_exit_code(outcome: Outcome):
    assert (decision(outcome).status, decision(outcome).exit_code) == TABLE[outcome]


def test_the_tables_are_total():
    assert set(STATUS_OF) == set(EXIT_CODE) == set(Outcome) == set(TABLE)


def test_only_verified_ends_with_zero():
    assert {outcome for outcome in Outcome if EXIT_CODE[outcome] == 0} == {
        outcome for outcome in Outcome if STATUS_OF[outcome] is DiagnosticStatus.VERIFIED
    }


@pytest.mark.parametrize("stronger", range(1, 5))
def test_the_weaker_of_two_counts_in_any_order(stronger: int):
    for weaker in range(stronger):
        for pair in permutations([decision(WEAKEST_FIRST[weaker]), decision(WEAKEST_FIRST[stronger])]):
            assert weakest(pair).outcome is WEAKEST_FIRST[weaker]


@given(st.lists(st.sampled_from(Outcome), min_size=1, max_size=6))
def test_adding_a_decision_never_strengthens(outcomes: list[Outcome]):
    decisions = [decision(outcome) for outcome in outcomes]
    rank = WEAKEST_FIRST.index
    for more in Outcome:
        assert rank(weakest([*decisions, decision(more)]).outcome) <= rank(weakest(decisions).outcome)


@given(st.lists(st.sampled_from(Outcome), min_size=1, max_size=6))
def test_several_are_verified_only_if_each_is(outcomes: list[Outcome]):
    verified = weakest([decision(outcome) for outcome in outcomes]).status is DiagnosticStatus.VERIFIED
    assert verified == all(STATUS_OF[outcome] is DiagnosticStatus.VERIFIED for outcome in outcomes)


def test_the_first_of_equally_weak_ones_counts():
    first, second = decision(Outcome.REFUTED, "first"), decision(Outcome.REFUTED, "second")
    assert weakest([first, second]) is first


def test_nothing_is_not_success():
    with pytest.raises(ValueError, match="nothing is not success"):
        weakest([])


@pytest.mark.parametrize(("constraint", "message"), [("", "Said."), ("a.b", ""), ("a.b", " ")])
def test_a_decision_needs_a_constraint_and_a_message(constraint: str, message: str):
    with pytest.raises(ValueError):
        Decision(Outcome.UNDECIDED, constraint, message)


def test_fields_cannot_contradict_the_decision():
    decided = decide(
        Outcome.REFUTED, "program.counterexample", {"name": "f"}, {"outcome": "proved", "constraint_id": "x"}
    )
    assert decided.developer_fields() == {"outcome": "refuted", "constraint_id": "program.counterexample"}


def test_fields_are_frozen_copies():
    rows = [1]
    decided = decide(Outcome.REFUTED, "program.counterexample", {"name": "f"}, {"rows": rows})
    rows.append(2)
    assert decided.fields == {"rows": [1]}
    with pytest.raises(TypeError):
        decided.fields["rows"].append(2)


@given(st.sampled_from(Outcome), st.dictionaries(st.sampled_from("abc"), st.integers(0, 9)))
def test_the_same_input_gives_the_same_decision(outcome: Outcome, fields: dict[str, int]):
    first, second = (decide(outcome, "program.flaky", {"name": "f"}, dict(order)) for order in (fields, fields))
    assert first == second
    assert canonical_bytes(first.developer_fields()) == canonical_bytes(second.developer_fields())
