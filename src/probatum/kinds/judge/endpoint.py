"""The place of judgements in a service: ``POST /validate``, its schemas and its metrics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from probatum.core.endpoint import Endpoint, Metric, MetricForm
from probatum.core.frozen import frozen_dict
from probatum.core.shape import Shape
from probatum.judge.schema_of_results import result_schema

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
        "readings": {"description": "Records of what passages of the output rest on, and of what criteria say."},
        "readings_policy": {"type": "string", "description": "accepted, consensus:N, proposed or none."},
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


def _is_quick(fields: Mapping[str, object]) -> bool:
    return fields.get("validation_types") == ["schema"]


ENDPOINT: Final = Endpoint(
    frozen_dict(REQUEST), frozen_dict(result_schema()), "/validate", _CAPABILITIES, _METRICS, is_quick=_is_quick
)
