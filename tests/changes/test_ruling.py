"""The decision on a change, from records alone: each reason by itself, and VERIFIED for none of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.changes.calls import BehaviourDifference, ComparedFunction
from probatum.changes.claims.reading import ChangeClaim, ChangeClaimKind
from probatum.changes.claims.rulings import ChangeClaimRuling, ClaimStanding
from probatum.changes.record import ChangePolicy, ChangeRecord, Planted, UnitEvidence
from probatum.changes.ruling import reasons
from probatum.changes.special_cases import SpecialCase
from probatum.changes.table import TableRow
from probatum.changes.tampering import Means
from probatum.changes.unjudged import Unjudged
from probatum.changes.weakened.kinds import Weakening
from probatum.core.decision import Outcome
from probatum.core.shape import Shape, json_of
from probatum.kinds.change.proof import decision_on

_NOTICED = Planted("p1", "a.py", 3, "the change to `f` is undone", "noticed", "test_a.py::test_f")
_SURVIVED = replace(_NOTICED, id="p2", end="survived", by="")
_WITNESS = TableRow(
    "test_a.py::test_f", False, head_on_head="passed", head_on_base="failed", again="passed", runs=("a.py::f",)
)
_GOOD = ChangeRecord(
    base="sha256:" + "0" * 64,
    head="sha256:" + "1" * 64,
    rows=(_WITNESS, TableRow("test_a.py::test_g", False, "passed", "passed", "passed", "passed", "passed")),
    others=3,
    units=(UnitEvidence("a.py::f", "changed", "a.py", 2, _NOTICED),),
    faults=(_NOTICED, _NOTICED, _NOTICED, _SURVIVED),
    compared=(),
    differences=(),
    weakenings=(),
    means=(),
    special_cases=(),
    unjudged=(),
    claims=(),
    troubles=(),
    uncollected=(),
    not_judged=("README.md",),
)
_EDITED = TableRow("test_a.py::test_e", True, "passed", "failed", "passed", "failed", "passed", ("a.py::f",))
_DIFFERENCE = BehaviourDifference(
    "a.py::f", "a.py", 2, "f(0)", "returns 1", "returns 2", 3, is_shown=False, is_recorded=False
)
_CLAIM = ChangeClaim(ChangeClaimKind.TESTS_PASS, "All tests pass.", 0)


def _with_row(*row: str, edited: bool = False, lacks: str = "") -> ChangeRecord:
    return replace(_GOOD, rows=(*_GOOD.rows, TableRow("test_a.py::test_x", edited, *row, lacks=lacks)))


def _with_unit(end: str) -> ChangeRecord:
    undone = replace(_NOTICED, end=end, by="")
    return replace(_GOOD, units=(*_GOOD.units, UnitEvidence("a.py::g", "added", "a.py", 9, undone)))


def _with_calls(*differences: BehaviourDifference) -> ChangeRecord:
    compared = tuple(ComparedFunction(each.unit, 40, each.calls) for each in differences)
    return replace(_GOOD, compared=compared or (ComparedFunction("a.py::f", 40, 0),), differences=differences)


_RECORDS = {
    "unedited and fails now": (_with_row("passed", "failed", "failed", "passed", "failed"), "change.regression"),
    "ends the process": (_with_row("passed", "", "ended_the_process", "", ""), "change.regression"),
    "new and fails": (_with_row("", "", "failed", "failed", "failed"), "change.broken_test"),
    "claim that is not so": (
        replace(_GOOD, claims=(ChangeClaimRuling(_CLAIM, ClaimStanding.CONTRADICTED, "2 tests fail."),)),
        "change.claim_contradicted",
    ),
    "new and needs a package": (
        _with_row("", "", "failed", "failed", "failed", lacks="no module named 'x'"),
        "change.not_run",
    ),
    "edited, the old version fails": (replace(_GOOD, rows=(*_GOOD.rows, _EDITED)), "change.expectation_changed"),
    "another end in another order": (_with_row("passed", "passed", "passed", "passed", "failed"), "change.flaky"),
    "fails first and passes then": (_with_row("passed", "passed", "failed", "passed", "passed"), "change.flaky"),
    "edited, and fails before and now": (
        _with_row("failed", "", "failed", "", "failed", edited=True),
        "change.not_run",
    ),
    "does not end": (_with_row("passed", "passed", "late", "passed", ""), "change.not_run"),
    "planned and never reported": (_with_row("passed", "passed", "unreported", "passed", ""), "change.not_run"),
    "passed and is skipped": (_with_row("passed", "passed", "skipped", "skipped", ""), "change.weakened"),
    "passed and is gone": (_with_row("passed", "passed", "", "", ""), "change.weakened"),
    "new and skipped": (_with_row("", "", "skipped", "skipped", ""), "change.weakened"),
    "a check is looser": (
        replace(_GOOD, weakenings=(Weakening("skipped", "test_a.py", 3, "the test is skipped", "test_a.py::test_f"),)),
        "change.weakened",
    ),
    "reaches the runner": (replace(_GOOD, means=(Means("a.py", 2, "imports gc"),)), "change.reaches_runner"),
    "answers the input of a test": (
        replace(_GOOD, special_cases=(SpecialCase("a.py", 2, "gives 36 for 'Ada'", "test_a.py::test_f"),)),
        "change.special_case",
    ),
    "data differ": (
        replace(_GOOD, unjudged=(Unjudged("change.not_judged", "data.json", 0, "it is data"),)),
        "change.not_judged",
    ),
    "a run did not end": (replace(_GOOD, troubles=("the head: it did not end",)), "change.not_run"),
    "a part without a witness": (_with_unit("survived"), "change.no_witness"),
    "a part that no test runs": (_with_unit("unrun"), "change.no_witness"),
    "a part that could not be tried": (_with_unit("lost"), "change.not_run"),
    "a part whose tests came to no end": (_with_unit("late"), "change.not_run"),
    "too few faults noticed": (replace(_GOOD, faults=(_NOTICED, _SURVIVED)), "change.weak_tests"),
    "nothing but faults that got lost": (
        replace(_GOOD, faults=(replace(_SURVIVED, end="lost"),)),
        "change.weak_tests",
    ),
    "what differs is gone": (
        replace(_GOOD, units=(UnitEvidence("a.py::f", "removed", "a.py", 2, None),), faults=(), rows=()),
        "change.nothing_to_judge",
    ),
    "no code differs": (replace(_GOOD, units=(), faults=(), rows=()), "change.nothing_to_judge"),
    "no code differs and no test passes": (
        replace(_GOOD, units=(), faults=(), rows=(), inert=("a.py",), tests_passed=0),
        "change.nothing_to_judge",
    ),
    "a call differs and no test shows it": (_with_calls(_DIFFERENCE), "change.unshown"),
    "a call of a test to a private function": (
        _with_calls(replace(_DIFFERENCE, unit="a.py::A._f", is_recorded=True)),
        "change.unshown",
    ),
}
_REFUTED = {"change.regression", "change.broken_test"}


def test_a_change_without_any_of_it_is_verified() -> None:
    decision = decision_on(_GOOD, ChangePolicy())
    assert (decision.outcome, decision.constraint_id) == (Outcome.TESTED, "change.verified")
    assert "notice 4 of 5 faults" in decision.agent_message


@pytest.mark.parametrize("name", _RECORDS)
def test_each_reason_by_itself_keeps_it_from_being_verified(name: str) -> None:
    record, constraint = _RECORDS[name]
    decision = decision_on(record, ChangePolicy())
    assert decision.constraint_id == constraint
    assert decision.outcome is (Outcome.REFUTED if constraint in _REFUTED else Outcome.UNDECIDED)


@pytest.mark.parametrize("name", _RECORDS)
@pytest.mark.parametrize("other", ["unedited and fails now", "reaches the runner"])
def test_of_two_reasons_what_refutes_comes_first(name: str, other: str) -> None:
    record, constraint = _RECORDS[name]
    second, of_second = _RECORDS[other]
    rows = tuple(dict.fromkeys((*record.rows, *second.rows)))
    decision = decision_on(replace(record, rows=rows, means=(*record.means, *second.means)), ChangePolicy())
    refutes = {constraint, of_second} & _REFUTED
    assert (decision.outcome is Outcome.REFUTED) == bool(refutes)


@pytest.mark.parametrize("name", _RECORDS)
def test_a_record_is_read_back_as_it_was_written(name: str) -> None:
    record, _ = _RECORDS[name]
    assert Shape(json_of(record)).into(ChangeRecord) == record


_ACCEPTED = {
    "edited, the old version fails": "test_a.py::test_e",
    "edited, and fails before and now": "test_a.py::test_x",
    "passed and is skipped": "test_a.py::test_x",
    "passed and is gone": "test_a.py",
    "a check is looser": "test_a.py::test_f",
    "answers the input of a test": "test_a.py::test_f",
    "data differ": "data.json",
    "a call differs and no test shows it": "a.py::f",
    "a call of a test to a private function": "a.py::A._f",
}


@pytest.mark.parametrize("name", _RECORDS)
def test_what_is_accepted_is_no_reason_and_nothing_else_is_accepted(name: str) -> None:
    policy = ChangePolicy(accepted=(_ACCEPTED.get(name, "test_a.py"),))
    record, constraint = _RECORDS[name]
    left = {each.constraint for each in reasons(record, policy)}
    accepted = name in _ACCEPTED or name == "new and skipped"
    assert (constraint not in left) == accepted


def test_another_test_is_not_accepted_with_it() -> None:
    record, _ = _RECORDS["edited, the old version fails"]
    for name in ("test_a.py::test", "test_a.py::test_e2", "test_b.py", "", "test_a"):
        assert reasons(record, ChangePolicy(accepted=(name,)))


@pytest.mark.parametrize(
    "difference",
    [
        replace(_DIFFERENCE, is_shown=True),
        replace(_DIFFERENCE, base="raises ValueError('no')"),
        replace(_DIFFERENCE, unit="a.py::_f"),
    ],
    ids=["a test shows it", "it raised before", "a variation of a private function"],
)
def test_a_difference_that_is_no_question_is_told_and_refutes_a_refactoring(difference: BehaviourDifference) -> None:
    record = _with_calls(difference)
    assert decision_on(record, ChangePolicy()).constraint_id == "change.verified"
    decision = decision_on(record, ChangePolicy(is_refactoring=True))
    assert (decision.outcome, decision.constraint_id) == (Outcome.REFUTED, "change.differs")


def test_a_refactoring_is_verified_by_calls() -> None:
    policy = ChangePolicy(is_refactoring=True)
    decision = decision_on(_with_calls(), policy)
    assert (decision.outcome, decision.constraint_id) == (Outcome.TESTED, "change.verified_refactoring")
    assert "40 calls of changed functions come to the same" in decision.agent_message
    assert decision_on(_GOOD, policy).constraint_id == "change.not_run"
    [unnoticed] = reasons(replace(_with_calls(), faults=(_SURVIVED, _NOTICED)), policy)
    assert unnoticed.constraint == "change.weak_tests"
    by_call = replace(_SURVIVED, call="f(0)")
    assert not reasons(replace(_with_calls(), faults=(by_call, _NOTICED)), policy)
    assert reasons(replace(_with_calls(), faults=(by_call, _NOTICED)), ChangePolicy())
    # That an undone part makes no difference is what a refactoring is.
    parts = tuple(replace(_SURVIVED, is_part=True, unit="a.py::f") for _ in range(9))
    assert not reasons(replace(_with_calls(), faults=(*parts, _NOTICED)), policy)


def test_a_part_that_is_the_same_on_every_call_may_be_accepted() -> None:
    record = _with_unit("alike")
    decision = decision_on(record, ChangePolicy())
    assert decision.constraint_id == "change.no_witness"
    [reason] = reasons(record, ChangePolicy())
    assert reason.what.endswith("and no call that was tried differs")
    decision = decision_on(record, ChangePolicy(accepted=("a.py::g",)))
    assert decision.constraint_id == "change.verified_as_accepted"
    # It is counted among neither what is noticed nor what is not.
    assert "notice 4 of 5 faults" in decision.agent_message
    assert reasons(_with_unit("survived"), ChangePolicy(accepted=("a.py::g",)))


def test_sources_in_which_nothing_that_runs_differs_are_verified_by_their_tests() -> None:
    record = replace(_GOOD, units=(), faults=(), rows=(), inert=("a.py",), tests_passed=3)
    decision = decision_on(record, ChangePolicy())
    assert (decision.outcome, decision.constraint_id) == (Outcome.TESTED, "change.verified_inert")
    assert "3 tests pass" in decision.agent_message
