"""The decision on a change, from records alone: each reason by itself, and VERIFIED for none of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from probatum.changes.claim_rulings import ChangeClaimRuling, ClaimStanding
from probatum.changes.claims import ChangeClaim, ChangeClaimKind
from probatum.changes.record import ChangePolicy, ChangeRecord, Planted, UnitEvidence
from probatum.changes.ruling import reasons
from probatum.changes.special_cases import SpecialCase
from probatum.changes.table import TableRow
from probatum.changes.tampering import Means
from probatum.changes.unjudged import Unjudged
from probatum.changes.weakened_kinds import Weakening
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
_CLAIM = ChangeClaim(ChangeClaimKind.TESTS_PASS, "All tests pass.", 0)


def _with_row(*row: str, edited: bool = False, lacks: str = "") -> ChangeRecord:
    return replace(_GOOD, rows=(*_GOOD.rows, TableRow("test_a.py::test_x", edited, *row, lacks=lacks)))


def _with_unit(end: str) -> ChangeRecord:
    undone = replace(_NOTICED, end=end, by="")
    return replace(_GOOD, units=(*_GOOD.units, UnitEvidence("a.py::g", "added", "a.py", 9, undone)))


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
    "passed and is skipped": "test_a.py::test_x",
    "passed and is gone": "test_a.py",
    "a check is looser": "test_a.py::test_f",
    "answers the input of a test": "test_a.py::test_f",
    "data differ": "data.json",
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
