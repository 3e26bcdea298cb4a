"""Advice of a model: it fills in the document's fields, names itself, and changes no verdict."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.errors import NotAttemptedError
from probatum.core.validation import ValidationResult
from probatum.judge import Judge
from probatum.judge.advice import MOST_SCORE, SCHEMA

CODE = 'def double(x):\n    """Return twice x."""\n    return 2 * x\n'
REPLIES: list[dict[str, Any]] = [
    json.loads(line) for line in Path("tests/judge/replies.jsonl").read_text(encoding="utf-8").splitlines()
]


class Replay:
    """A model that always replies alike, or fails."""

    name = "gpt-replayed"

    def __init__(self, reply: str | Exception) -> None:
        self.reply = reply
        self.asked: list[Mapping[str, object]] = []

    def advise(self, prompt: str, schema: Mapping[str, object], *, temperature: float, seed: int) -> str:
        self.asked.append(schema)
        if isinstance(self.reply, Exception):
            raise self.reply
        return self.reply


def judged(llm: Replay | None, *criteria: str) -> ValidationResult:
    asked = criteria or ("code is good", "valid: python")
    return Judge(llm=llm).validate(CODE, ["criteria", "quality"], acceptance_criteria=asked)


@pytest.mark.parametrize("example", REPLIES, ids=lambda each: each["name"])
def test_the_examples_of_the_document_come_out_with_a_replayed_model(example: dict[str, Any]) -> None:
    result = Judge(llm=Replay(json.dumps(example["reply"]))).validate(**example["request"])
    expected, told = example["result"], result.to_dict()
    assert {name: told[name] for name in expected if name not in {"issues", "metadata"}} == {
        name: value for name, value in expected.items() if name not in {"issues", "metadata"}
    }
    issues = [{key: value for key, value in each.items() if key != "advised_by"} for each in told["issues"]]  # type: ignore[union-attr]  # a list
    assert issues == expected["issues"]
    assert {key: told["metadata"][key] for key in expected["metadata"]} == expected["metadata"]  # type: ignore[index,call-overload]  # a dictionary
    assert result.verdict["status"] == "UNVERIFIABLE"
    plain = Judge().validate(**example["request"])
    assert plain.verdict == result.verdict


REPLY = st.fixed_dictionaries(
    {
        "issues": st.lists(
            st.fixed_dictionaries(
                {
                    "severity": st.sampled_from(["error", "warning", "info"]),
                    "type": st.text(max_size=9),
                    "message": st.text("abc d", min_size=10, max_size=90),
                }
            ),
            max_size=3,
        )
    },
    optional={
        "passed_criteria": st.lists(st.sampled_from(["code is good", "valid: python", "other"]), max_size=3),
        "failed_criteria": st.lists(st.sampled_from(["code is good", "valid: python", "other"]), max_size=3),
        "confidence": st.floats(0, 1),
        "quality_score": st.floats(0, 1),
    },
)


WITHOUT_MODEL = cache(partial(judged, None))


@given(REPLY.map(json.dumps) | st.text(max_size=300))
def test_no_reply_changes_the_verdict_or_what_evidence_decided(reply: str) -> None:
    with_model, without = judged(Replay(reply)), WITHOUT_MODEL()
    assert with_model.verdict == without.verdict
    assert "valid: python" in with_model.passed_criteria
    assert "valid: python" not in with_model.failed_criteria
    assert "other" not in (*with_model.passed_criteria, *with_model.failed_criteria)
    assert with_model.confidence <= MOST_SCORE
    assert with_model.quality_score <= MOST_SCORE
    assert all(each.advised_by == "gpt-replayed" for each in with_model.issues[len(without.issues) :])


def test_an_issue_of_a_model_names_it() -> None:
    reply = {"issues": [{"severity": "error", "type": "hallucination", "message": "The function is invented."}]}
    result = judged(Replay(json.dumps(reply)))
    assert not result.valid
    assert [each.advised_by for each in result.issues if each.type == "hallucination"] == ["gpt-replayed"]
    assert result.metadata is not None
    assert result.metadata.model == "gpt-replayed"
    assert ValidationResult.from_dict(result.to_dict()) == result


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "null",
        "{}",
        '{"issues": [{"severity": "fatal", "type": "a", "message": "long enough"}]}',
        '{"issues": [], "confidence": 2}',
        '{"issues": [], "verdict": "VERIFIED"}',
        NotAttemptedError("advisor.unreachable", "No model answers."),
        RuntimeError("a defect"),
    ],
)
def test_a_model_that_fails_or_says_something_else_is_not_heard(reply: str | Exception) -> None:
    with_model, without = judged(Replay(reply)), judged(None)
    assert with_model.issues == without.issues
    assert with_model.metadata is not None
    assert with_model.metadata.model == ""


def test_without_an_open_check_no_model_is_asked() -> None:
    model = Replay("{}")
    Judge(llm=model).validate(CODE, ["criteria"], acceptance_criteria=["valid: python"])
    assert model.asked == []
    judged(model)
    assert model.asked == [SCHEMA, SCHEMA], "a reply of another form is given back once"
