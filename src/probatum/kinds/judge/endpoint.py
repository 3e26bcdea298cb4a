"""The place of judgements in a service: ``POST /validate``, its schemas and its metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from probatum.core.endpoint import Endpoint, Metric, MetricForm
from probatum.core.finding import Severity
from probatum.core.frozen import frozen_dict
from probatum.core.shape import Shape
from probatum.core.validation import LEAST_TEXT, MOST_TEXT

_LAYERS: Final = ["schema", "facts", "criteria", "quality", "hallucination"]
_TEXTS: Final = {"type": "array", "items": {"type": "string"}}
_SOURCE: Final = {
    "oneOf": [
        {"type": "string", "description": "An address that the operator allows, or the text itself."},
        {
            "type": "object",
            "required": ["name", "text"],
            "properties": {"name": {"type": "string", "pattern": "\\S"}, "text": {"type": "string"}},
            "additionalProperties": False,
        },
    ]
}
REQUEST: Final = {
    "type": "object",
    "required": ["output", "validation_types"],
    "properties": {
        "output": {"description": "What is to be judged: any JSON value, null too."},
        "validation_types": {"type": "array", "items": {"enum": _LAYERS}, "minItems": 1},
        "acceptance_criteria": {**_TEXTS, "maxItems": 1000, "description": "Needed for the layer 'criteria'."},
        "expected_schema": {
            "type": ["object", "boolean", "null"],
            "description": "A JSON Schema; needed for the layer 'schema'.",
        },
        "trusted_sources": {"type": "array", "items": _SOURCE, "description": "Needed for the layer 'facts'."},
        "context": {"type": ["object", "null"], "description": "What the output was made from, such as its facts."},
    },
    "additionalProperties": False,
}
_CAPABILITIES: Final = (
    *("schema_validation", "fact_checking", "criteria_evaluation", "hallucination_detection", "quality_assessment"),
)


def _validations(result: Mapping[str, object]) -> Iterable[tuple[tuple[str, ...], float]]:
    told = Shape(result)
    word = "valid" if told.flag("valid") else "invalid"
    return [((each, word), 1.0) for each in told.member("metadata").texts("validation_types_run")]


def _quality(result: Mapping[str, object]) -> Iterable[tuple[tuple[str, ...], float]]:
    return [((), float(Shape(result).number("quality_score")))]


def _severities(result: Mapping[str, object]) -> Iterable[tuple[tuple[str, ...], float]]:
    return [((each.text("severity"),), 1.0) for each in Shape(result).items("issues")]


_METRICS: Final = (
    Metric(
        "judge_validations_total",
        "Validations by layer and result.",
        MetricForm.COUNTER,
        ("validation_type", "result"),
        _validations,
    ),
    Metric("judge_avg_quality_score", "Mean quality score of all validations.", MetricForm.GAUGE, (), _quality),
    Metric("judge_issues_by_severity", "Issues by severity.", MetricForm.COUNTER, ("severity",), _severities),
)

_SCORE: Final = {"type": "number", "minimum": 0, "maximum": 1}
_COUNT: Final = {"type": "integer", "minimum": 0}
_SHORT: Final = {"type": "string", "minLength": LEAST_TEXT, "maxLength": MOST_TEXT}
_ISSUE: Final = {
    "type": "object",
    "required": ["severity", "type", "message"],
    "properties": {
        "severity": {"enum": [each.value for each in Severity]},
        "type": {"type": "string"},
        "message": _SHORT,
        "location": {"type": "string"},
        "suggestion": _SHORT,
    },
}
RESULT: Final = {
    "type": "object",
    "required": ["valid", "confidence", "issues", "quality_score"],
    "properties": {
        "valid": {"type": "boolean", "description": "No issue is an error. The verdict says whether to act on it."},
        "confidence": _SCORE,
        "issues": {"type": "array", "items": {"$ref": "#/$defs/ValidationIssue"}},
        "passed_criteria": _TEXTS,
        "failed_criteria": _TEXTS,
        "quality_score": _SCORE,
        "metadata": {
            "type": "object",
            "properties": {
                "validation_types_run": {"type": "array", "items": {"enum": _LAYERS}},
                **{f"{name}_count": _COUNT for name in ("error", "warning", "info")},
                "total_issues": _COUNT,
                "duration_ms": {"type": "number", "minimum": 0},
                "model": {"type": "string"},
            },
        },
        "claims": {"type": "array", "items": {"type": "object"}},
    },
    "$defs": {"ValidationIssue": _ISSUE},
}


def _is_quick(fields: Mapping[str, object]) -> bool:
    return fields.get("validation_types") == ["schema"]


ENDPOINT: Final = Endpoint(
    frozen_dict(REQUEST), frozen_dict(RESULT), "/validate", _CAPABILITIES, _METRICS, is_quick=_is_quick
)
