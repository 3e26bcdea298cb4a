"""Advice of a model: whatever it says, nothing but words beside an open criterion changes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.core.validation import ValidationResult
from probatum.judge import Judge
from probatum.judge.advice import MAX_ASKED

CRITERIA = ["code is good", "Has a docstring"]
CODE = 'def double(x):\n    """Return twice x."""\n    return 2 * x\n'


class Says:
    """A model that always replies alike, or fails."""

    name = "replay"

    def __init__(self, reply: str | Exception) -> None:
        self.reply = reply
        self.asked: list[str] = []

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        self.asked.append(prompt)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def judged(llm: Says | None, criteria: list[str] = CRITERIA) -> ValidationResult:
    return Judge(llm=llm).validate(CODE, ["criteria", "quality"], acceptance_criteria=criteria)


def without_words(result: ValidationResult) -> dict[str, object]:
    told = result.to_dict()
    for each in told["issues"]:
        each.pop("suggestion", None)
    told["metadata"] = {key: value for key, value in told["metadata"].items() if key not in {"duration_ms", "model"}}
    return told


@given(st.text(max_size=300) | st.builds(lambda text: json.dumps({"advice": text}), st.text(min_size=1, max_size=300)))
def test_no_reply_changes_anything_but_words(reply: str) -> None:
    assert without_words(judged(Says(reply))) == without_words(judged(None))


def test_what_a_model_says_stands_beside_the_open_criterion_alone() -> None:
    result = judged(Says('{"advice": "It reads well and has a clear name."}'))
    (found,) = (each for each in result.issues if each.type == "criteria_ambiguous")
    assert found.suggestion == "replay says, which decides nothing: It reads well and has a clear name."
    assert result.metadata is not None
    assert result.metadata.model == "replay"


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "null",
        '{"advice": ""}',
        '{"advice": 1}',
        '{"advice": "yes", "passed": true}',
        NotAttemptedError("advisor.unreachable", "No model answers."),
        RuntimeError("a defect"),
    ],
)
def test_a_model_that_fails_or_says_something_else_is_not_heard(reply: str | Exception) -> None:
    result = judged(Says(reply))
    assert "decides nothing" not in str(result.to_dict())
    assert result.metadata is not None
    assert result.metadata.model == ""


def test_a_model_is_asked_of_so_many_criteria_and_no_more() -> None:
    model = Says('{"advice": "It may be."}')
    judged(model, [f"It is elegant in way {number}" for number in range(MAX_ASKED + 5)])
    assert len(model.asked) == MAX_ASKED


def test_without_an_open_criterion_no_model_is_asked() -> None:
    model = Says('{"advice": "It may be."}')
    judged(model, ["Has a docstring"])
    assert model.asked == []
