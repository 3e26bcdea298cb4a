"""The document's formula, value for value, and what our confidence makes of the same evidence."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.decision import Outcome, decide
from probatum.programs import (
    BehavioralExecutionResult,
    ConfidenceTriangulator,
    DeepVerificationConfig,
    PerspectiveResult,
    SemanticIssue,
    Specification,
)
from probatum.programs.record import FunctionRecord
from probatum.programs.triangulate import NOTHING_KNOWN, Perspective, confidence, document_score

VERDICTS = {"C": "correct", "S": "suspicious", "I": "incorrect"}

# name: tests, verdicts, confidences, specification, raw, passed, contradiction
GOLDEN = {
    "G1 everything agrees": ((10, 10), "CCC", ".9 .8 .7", ".90", Fraction(19, 20), True, False),
    "G2 four of five tests": ((8, 10), "CSC", ".9 .6 .9", ".85", Fraction(153, 200), True, False),
    "G3 one incorrect reviewer": ((10, 10), "CCI", ".9 .9 .9", ".90", Fraction(87, 125), False, True),
    "G4 tests fail, reviewers praise": ((4, 10), "CC", ".9 .9", ".95", Fraction(147, 250), False, True),
    "G5 no tests at all": ((0, 0), "CC", ".8 .8", ".60", Fraction(23, 25), True, False),
    "G6 one reviewer alone": (None, "C", ".9", ".90", Fraction(77, 100), True, False),
    "G7 tests alone": ((10, 10), "", "", ".90", Fraction(37, 50), True, False),
    "G8 nothing": (None, "", "", ".30", Fraction(12, 25), False, False),
    "G9 failing tests alone": ((0, 5), "", "", ".90", Fraction(34, 125), False, True),
    "G10 three of four tests": ((3, 4), "CCC", "1 1 1", "1.0", Fraction(9, 10), False, False),
    "G11 all against": ((0, 10), "II", ".9 .9", ".90", Fraction(27, 100), False, False),
    "G12 unparsed reviewers": ((5, 5), "SSS", ".5 .5 .5", ".90", Fraction(59, 100), False, False),
    "G13 exactly at the mark": ((5, 5), "CS", ".5 .5", ".50", Fraction(7, 10), True, False),
    "G14 exactly at the test rate": ((4, 5), "CC", "1 1", "1.0", Fraction(23, 25), True, False),
    "G15 no tests, one against": ((0, 0), "I", ".9", ".90", Fraction(67, 125), False, True),
    "G16 nine of ten tests alone": ((9, 10), "", "", ".95", Fraction(141, 200), True, False),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_document_formula_gives_the_golden_value(name: str) -> None:
    tests, verdicts, confidences, specification, raw, passed, contradiction = GOLDEN[name]
    views = [
        Perspective(str(number), VERDICTS[letter], Fraction(value), ("an issue",) if letter == "I" else ())
        for number, (letter, value) in enumerate(zip(verdicts, confidences.split(), strict=True))
    ]
    score = document_score(tests, views, Fraction(specification))
    assert (score.raw_confidence, score.passed, score.contradiction) == (raw, passed, contradiction)


def _signals(
    name: str,
) -> tuple[Specification, BehavioralExecutionResult | None, list[PerspectiveResult]]:
    tests, verdicts, confidences, specification, *_ = GOLDEN[name]
    results = None
    if tests is not None:
        results = BehavioralExecutionResult(tests[1], tests[0], tests[1] - tests[0], 0, (), 0)
    views = [
        PerspectiveResult(str(number), VERDICTS[letter], float(value), ("an issue",) if letter == "I" else (), ())
        for number, (letter, value) in enumerate(zip(verdicts, confidences.split(), strict=True))
    ]
    spec = Specification("", (), (), (), (), (), (), "docstring", float(specification))
    return spec, results, views


@pytest.mark.parametrize("name", GOLDEN)
def test_the_triangulator_gives_the_golden_value_and_passes_nothing(name: str) -> None:
    result = ConfidenceTriangulator().triangulate(*_signals(name))
    assert (Fraction(str(result.raw_confidence)), result.document_passed) == GOLDEN[name][4:6]
    assert not result.passed
    assert result.confidence == 0.0


def test_the_document_does_not_pass_beside_what_was_observed_to_be_wrong() -> None:
    issue = SemanticIssue("critical", "wrong_output", "f(1) gives 2", "f(1)", None)
    signals = _signals("G1 everything agrees")
    assert ConfidenceTriangulator().triangulate(*signals).document_passed
    assert not ConfidenceTriangulator().triangulate(*signals, issues=[issue]).document_passed


def test_bounds_of_the_configuration_count_in_the_document_s_rule() -> None:
    def passed(name: str, **given: float | bool) -> bool:
        config = DeepVerificationConfig(**given)  # type: ignore[arg-type]  # by name
        return ConfidenceTriangulator(config).triangulate(*_signals(name)).document_passed

    assert not passed("G1 everything agrees", min_confidence=0.96)
    assert passed("G10 three of four tests", require_test_pass=False)


def test_passed_is_the_decision_s_and_asks_for_the_confidence() -> None:
    signals = _signals("G11 all against")
    tested = decide(Outcome.TESTED, "program.no_specification", {"name": "f"})
    weigh = ConfidenceTriangulator().triangulate
    assert weigh(*signals, decision=tested, confidence=0.7).passed
    assert not weigh(*signals, decision=tested, confidence=0.69).passed


VIEWS = st.lists(
    st.builds(
        PerspectiveResult,
        st.sampled_from(["correctness_reviewer (model)", "integration_analyst (model)"]),
        st.sampled_from(["correct", "suspicious", "incorrect"]),
        st.floats(0, 1),
        st.lists(st.text(max_size=5), max_size=2).map(tuple),
        st.just(()),
    ),
    max_size=5,
)


@given(VIEWS, st.integers(0, 9), st.integers(0, 9), st.sampled_from(Outcome), st.floats(0, 1))
def test_no_advice_changes_what_was_decided(
    views: list[PerspectiveResult], passed: int, failed: int, outcome: Outcome, sure: float
) -> None:
    spec, *_ = _signals("G8 nothing")
    decision = decide(outcome, "program.no_specification", {"name": "f"})
    results = BehavioralExecutionResult(passed + failed, passed, failed, 0, (), 0)
    wrong = SemanticIssue("critical", "wrong_output", "f(1) gives 2", "f(1)", None)
    found = ConfidenceTriangulator().triangulate(
        spec, results, views, decision=decision, confidence=sure, issues=[wrong]
    )
    alone = ConfidenceTriangulator().triangulate(spec, None, [], decision=decision, confidence=sure, issues=[wrong])
    assert (found.passed, found.confidence, found.decision) == (alone.passed, alone.confidence, alone.decision)
    assert not found.document_passed
    assert [each for each in found.issues if each.severity == "critical"] == [wrong]


def test_where_nothing_was_executed_a_program_is_as_likely_right_as_wrong() -> None:
    decision = decide(Outcome.UNDECIDED, "programs.nothing_executed", {"name": "f"})
    assert confidence(FunctionRecord("f", 1), decision) == NOTHING_KNOWN
