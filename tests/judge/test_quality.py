"""The quality layer: linters decide about code, readability is a note about prose, and all else is open."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.judge import Judge, interpret_validation_result, needs_manual_review
from probatum.judge.layers import Basis, LayerReport
from probatum.judge.quality.layer import MOST_REMARKS, LinterRemark, quality_report
from probatum.judge.quality.readability import LEAST_WORDS, lix
from probatum.judge.request import validation_request

CODE = "def double(x):\n    return 2 * x\n"
FENCED = f"Here it is.\n\n```python\n{CODE}```\n"
EASY = "The cat sat on the mat. It was warm. " * 30
HARD = (
    "Notwithstanding considerations regarding administrative responsibilities established throughout multinational "
    "organisations participating internationally, representatives communicated comprehensively understanding "
)


class Saying:
    """A linter that has this to say about every source."""

    name = "saying"

    def __init__(self, *remarks: LinterRemark) -> None:
        self._remarks = remarks

    def remarks(self, _source: str) -> Sequence[LinterRemark]:
        return self._remarks


def report(output: object, *linters: Saying) -> LayerReport:
    return quality_report(validation_request({"output": output, "validation_types": ["quality"]}), linters)


KINDS = [
    ("C901", "`f` is too complex (15 > 10)", "complexity_issue", "function:f"),
    ("S602", "subprocess with shell", "security_issue", "line:4"),
    ("B602", "subprocess with shell", "correctness_issue", "line:4"),
    ("B105", "hard-coded password", "security_issue", "line:4"),
    ("PERF401", "use a list comprehension", "performance_issue", "line:4"),
    ("E501", "line too long", "style_issue", "line:4"),
    ("N802", "function name", "style_issue", "line:4"),
    ("F401", "unused import", "correctness_issue", "line:4"),
]


@pytest.mark.parametrize(("rule", "words", "kind", "place"), KINDS)
def test_a_remark_becomes_an_issue_of_its_type_at_its_place(rule: str, words: str, kind: str, place: str) -> None:
    (found,) = report(FENCED, Saying(LinterRemark(rule, 1, words))).issues
    assert (found.kind, found.location.name if found.location else "") == (kind, place)
    assert rule in found.message
    assert found.severity.value in {"warning", "info"}


def test_code_that_a_linter_looked_at_is_decided() -> None:
    seen = report(CODE, Saying())
    assert (seen.score, [each.basis for each in seen.checks], seen.issues) == (1.0, [Basis.STRUCTURE], ())


@pytest.mark.parametrize("output", [CODE, FENCED, EASY, {"a": 1}, None, ""])
def test_what_nothing_looked_at_is_open_and_says_so(output: object) -> None:
    found = report(output)
    assert (found.score, [each.basis for each in found.checks]) == (None, [Basis.NOTHING])
    assert "the quality is open" in found.issues[-1].message


def test_prose_is_no_matter_for_a_linter() -> None:
    assert report(EASY, Saying(LinterRemark("S1", 1, "Hm."))).score is None


def test_of_very_many_remarks_the_first_are_reported_and_the_rest_counted() -> None:
    found = report({"code": CODE}, Saying(*[LinterRemark("W1", 1, "Again.")] * 1000))
    assert len(found.issues) == MOST_REMARKS + 1
    assert found.issues[-1].message.startswith("900 more remarks")
    assert found.score == 0.0


def test_text_that_is_very_hard_to_read_is_noted() -> None:
    assert "readability_issue" in [each.kind for each in report(HARD * 10).issues]
    assert "readability_issue" not in [each.kind for each in report(EASY).issues]


def test_a_short_text_is_not_measured() -> None:
    assert lix("word. " * (LEAST_WORDS - 1)) is None
    assert lix("word. " * LEAST_WORDS) == 1


@given(st.text(max_size=2_000))
def test_every_text_has_a_measure_or_none(text: str) -> None:
    measured = lix(text)
    assert measured is None or measured >= 0


LAYERS = (["quality"], ["facts"], ["criteria"], ["criteria", "quality"], ["facts", "hallucination", "quality"])


@pytest.mark.parametrize("layers", LAYERS, ids=" ".join)
def test_nothing_that_nobody_looked_at_is_excellent_or_accepted_unseen(layers: list[str]) -> None:
    result = Judge().validate(
        "All is well.", layers, trusted_sources=["Something else."], acceptance_criteria=["It is good"]
    )
    assert result.valid
    assert result.confidence < 0.3
    assert needs_manual_review(result)
    assert result.quality_score < 0.7
    assert interpret_validation_result(result) == "⚠️ Output is valid but quality is below threshold"
