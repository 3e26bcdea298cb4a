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
from probatum.judge.advice import Advice, advice_about, open_checks
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.judging import decide_checks, judged
from probatum.judge.quality.layer import Linter
from probatum.judge.request import ACCEPTED, TrustedSource, ValidationRequest, validation_request
from probatum.judge.scoring import result_of


class Judge:
    """Judges outputs, layer by layer."""

    def __init__(
        self, tools: CriteriaTools | None = None, *, llm: Advisor | None = None, linters: Sequence[Linter] = ()
    ) -> None:
        """Keep what runs code and verifies programs, a model that may be asked for advice, and linters for code."""
        self._tools = tools or CriteriaTools()
        self._llm = llm
        self._linters = tuple(linters)

    def validate(
        self,
        output: JsonValue,
        validation_types: Sequence[str],
        *,
        acceptance_criteria: Sequence[str] = (),
        expected_schema: JsonValue = None,
        trusted_sources: Sequence[str | TrustedSource] = (),
        context: Mapping[str, JsonValue] | None = None,
        readings: JsonValue = None,
        readings_policy: str = ACCEPTED,
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
            readings=readings,
            readings_policy=readings_policy,
        )
        reports = tuple(judged(asked, self._tools, linters=self._linters))
        decision = decide_checks(reports)
        checks = open_checks(reports)
        said = advice_about(self._llm, asked, checks) if self._llm is not None and checks else None
        advice = said if isinstance(said, Advice) else None
        return result_of(reports, (perf_counter() - started) * 1000, _shown(decision), advice)


def asked_of(
    output: JsonValue,
    validation_types: Sequence[str],
    *,
    acceptance_criteria: Sequence[str] = (),
    expected_schema: JsonValue = None,
    trusted_sources: Sequence[str | TrustedSource] = (),
    context: Mapping[str, JsonValue] | None = None,
    readings: JsonValue = None,
    readings_policy: str = ACCEPTED,
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
        "readings": readings,
        "readings_policy": readings_policy,
    }
    return validation_request(fields)


def _listed(texts: Sequence[str]) -> object:
    # A text alone is refused by name, not read as a list of letters.
    return texts if isinstance(texts, str) else list(texts)


def _shown(decision: Decision) -> FrozenDict:
    shown = {"status": decision.status.value, "agent_message": decision.agent_message}
    return FrozenDict({**shown, "developer_fields": decision.developer_fields()})
