"""Advice of a model about what evidence leaves open: its issues and scores stand in the document's fields, marked.

A model is only asked where a check is open. What it says changes no check, no verdict and no proof; an issue
of it names it, and it never gives a score above `MOST_SCORE`. Refuses a reply that is not what was asked for, and to
let a model that fails change anything.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.finding import Severity
from probatum.core.frozen import thaw
from probatum.core.model_questions import ModelQuestion, NoAdvice, asked
from probatum.core.outside import fenced
from probatum.core.ports import Advisor
from probatum.core.shape import Shape
from probatum.core.validation import LEAST_TEXT, MOST_TEXT, ValidationIssue
from probatum.judge.layers import CheckOutcome, LayerCheck, LayerReport
from probatum.judge.request import ValidationRequest

MOST_SCORE: Final = 0.89
"""The highest confidence or quality that a model's word gives: the highest band needs evidence."""
MOST_SHOWN: Final = 20_000
"""Characters of the output, and of the sources, that a model is shown."""
_MOST_ISSUES: Final = 50
_TEXT: Final = {"type": "string", "minLength": LEAST_TEXT, "maxLength": MOST_TEXT}
_SCORE: Final = {"type": "number", "minimum": 0, "maximum": 1}
_TEXTS: Final = {"type": "array", "maxItems": _MOST_ISSUES, "items": {"type": "string"}}
SCHEMA: Final = {
    "type": "object",
    "required": ["issues"],
    "properties": {
        "issues": {
            "type": "array",
            "maxItems": _MOST_ISSUES,
            "items": {
                "type": "object",
                "required": ["severity", "type", "message"],
                "properties": {
                    "severity": {"enum": [each.value for each in Severity]},
                    "type": {"type": "string"},
                    "message": _TEXT,
                    "location": {"type": "string"},
                    "suggestion": _TEXT,
                },
                "additionalProperties": False,
            },
        },
        "passed_criteria": _TEXTS,
        "failed_criteria": _TEXTS,
        "confidence": _SCORE,
        "quality_score": _SCORE,
    },
    "additionalProperties": False,
}
"""What a model is asked for: the members of a ValidationResult that it may fill in."""
_PROMPT: Final = """Review the output below. Evidence has left these checks open:
{open}

Report issues with severity, type, message, location and suggestion; which of these criteria pass and which fail, word
for word; your confidence in the result, and the quality of the output.

Acceptance criteria:
{criteria}

Context and sources:
{sources}

Output:
{output}
"""


@dataclass(frozen=True, slots=True)
class Advice:
    """What a model says about an output; a score is None where it gives none."""

    model: str
    issues: tuple[ValidationIssue, ...]
    passed: tuple[str, ...] = ()
    failed: tuple[str, ...] = ()
    confidence: float | None = None
    quality: float | None = None


def advice_about(
    llm: Advisor, request: ValidationRequest, checks: Sequence[LayerCheck], seed: int = 0
) -> Advice | NoAdvice:
    """Return what a model says about open checks, or why it gives no usable reply."""
    prompt = _prompt_about(request, checks)
    return asked(llm, ModelQuestion(prompt, SCHEMA, lambda reply: _advice_in(reply, llm.name, checks)), seed=seed)


def open_checks(reports: Sequence[LayerReport]) -> list[LayerCheck]:
    """Return the checks that evidence left open."""
    return [check for each in reports for check in each.checks if check.state is CheckOutcome.UNDECIDED]


def _prompt_about(request: ValidationRequest, checks: Sequence[LayerCheck]) -> str:
    given = request.asked_json()
    return _PROMPT.format(
        open=fenced("\n".join(f"- {each.id}: {each.about}" for each in checks)[:MOST_SHOWN]),
        criteria=fenced("\n".join(f"- {each}" for each in request.acceptance_criteria)[:MOST_SHOWN]),
        sources=fenced(json.dumps([given["context"], given["trusted_sources"]], ensure_ascii=False)[:MOST_SHOWN]),
        output=fenced(json.dumps(thaw(request.output), ensure_ascii=False)[:MOST_SHOWN]),
    )


def _advice_in(reply: JsonValue, model: str, checks: Sequence[LayerCheck]) -> Advice:
    """Return a reply as advice; raises ValueError where it is not what was asked for."""
    criteria = {each.about for each in checks if each.id.startswith("criteria")}
    shape = Shape(reply)
    given = shape.raw_object()
    if not set(given) <= set(SCHEMA["properties"]):  # type: ignore[call-overload]  # a dictionary
        raise ValueError("a reply has the members that were asked for")
    issues = tuple(ValidationIssue.from_dict(each, advised_by=model) for each in shape.items("issues", 0, _MOST_ISSUES))
    passed, failed = (
        tuple(each for each in shape.texts(name) if each in criteria) if name in given else ()
        for name in ("passed_criteria", "failed_criteria")
    )
    confidence, quality = (
        min(shape.number(name, 0, 1), MOST_SCORE) if name in given else None for name in ("confidence", "quality_score")
    )
    both = set(passed) & set(failed)
    passed, failed = (tuple(each for each in names if each not in both) for names in (passed, failed))
    return Advice(model, issues, passed, failed, confidence, quality)
