"""`Judge`: one call from an output to its validation result, in this process and without a service.

Runs no code: criteria that need a run are undecided unless tools are given. Refuses a layer without what it needs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter

from probatum.core.canonical import JsonValue
from probatum.core.decision import Decision
from probatum.core.frozen import FrozenDict
from probatum.core.ports import Advisor
from probatum.core.validation import ValidationResult
from probatum.judge.advice import advised
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.judging import LayerRecord, decide_checks, judged
from probatum.judge.layers import LayerReport
from probatum.judge.quality.layer import quality_score_of
from probatum.judge.request import TrustedSource, ValidationRequest, validation_request
from probatum.judge.scoring import result_of


class Judge:
    """Judges outputs, layer by layer."""

    def __init__(self, tools: CriteriaTools | None = None, *, llm: Advisor | None = None) -> None:
        """Keep what runs code and verifies programs, and a model that may be asked for advice."""
        self._tools = tools or CriteriaTools()
        self._llm = llm

    def validate(
        self,
        output: JsonValue,
        validation_types: Sequence[str],
        *,
        acceptance_criteria: Sequence[str] = (),
        expected_schema: JsonValue = None,
        trusted_sources: Sequence[str | TrustedSource] = (),
        context: Mapping[str, JsonValue] | None = None,
    ) -> ValidationResult:
        """Return the result with the decision as its ``verdict``, which nothing is retained for.

        The arguments are those of a request; see `probatum.judge_output` for a verdict with a proof. Raises UsageError
        where the request makes no sense, BudgetError where it is too large.
        """
        started = perf_counter()
        asked = asked_of(
            output,
            validation_types,
            acceptance_criteria=acceptance_criteria,
            expected_schema=expected_schema,
            trusted_sources=trusted_sources,
            context=context,
        )
        reports = tuple(judged(asked, self._tools))
        decision = decide_checks([LayerRecord.of(each) for each in reports])
        model = ""
        if self._llm is not None:
            told = tuple(advised(self._llm, asked, each) for each in reports)
            model, reports = (self._llm.name if told != reports else ""), told
        return whole_result(asked, reports, (perf_counter() - started) * 1000, _told(decision), model)


def asked_of(
    output: JsonValue,
    validation_types: Sequence[str],
    *,
    acceptance_criteria: Sequence[str] = (),
    expected_schema: JsonValue = None,
    trusted_sources: Sequence[str | TrustedSource] = (),
    context: Mapping[str, JsonValue] | None = None,
) -> ValidationRequest:
    """Return the request of a Python caller; raises as `validation_request` does."""
    sources = [
        {"name": each.name, "text": each.text} if isinstance(each, TrustedSource) else each for each in trusted_sources
    ]
    fields = {
        "output": output,
        "validation_types": _listed(validation_types),
        "acceptance_criteria": _listed(acceptance_criteria),
        "expected_schema": expected_schema,
        "trusted_sources": sources,
        "context": context,
    }
    return validation_request(fields)


def whole_result(
    asked: ValidationRequest,
    reports: Sequence[LayerReport],
    duration_ms: float,
    verdict: FrozenDict = FrozenDict(),  # noqa: B008  # cannot change
    model: str = "",
) -> ValidationResult:
    """Return the result of all reports; its quality is judged where that layer was not asked for, too."""
    score = next((each.score for each in reports if each.score is not None), None)
    quality = quality_score_of(asked) if score is None else score
    return result_of(reports, quality, duration_ms, verdict, model)


def _listed(texts: Sequence[str]) -> object:
    # A text alone is refused by name, not read as a list of letters.
    return texts if isinstance(texts, str) else list(texts)


def _told(decision: Decision) -> FrozenDict:
    told = {"status": decision.status.value, "agent_message": decision.agent_message}
    return FrozenDict({**told, "developer_fields": decision.developer_fields()})
