"""The document's formula, value for value, and what our confidence makes of the same evidence."""

from __future__ import annotations

from fractions import Fraction

import pytest

from probatum.core.decision import Outcome, decide
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


def test_where_nothing_was_executed_a_program_is_as_likely_right_as_wrong() -> None:
    decision = decide(Outcome.UNDECIDED, "programs.nothing_executed", {"name": "f"})
    assert confidence(FunctionRecord("f", 1), decision) == NOTHING_KNOWN
