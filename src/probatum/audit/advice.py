"""Advice of a model about evidence that nothing else could read: remarks beside the checks, never claims.

A reply has to fit its schema, and every value has to be quoted from the evidence; what does neither is dropped, and
that is told. Refuses to let a reply change a claim, a check or the trace.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

from pydantic import BaseModel, ConfigDict, Field

from probatum.audit.conclusion import Weighed
from probatum.audit.contents import content_of
from probatum.audit.declarations import declared_for
from probatum.audit.reasoning import CheckResult
from probatum.audit.schemas import EvidenceBundle, EvidenceItem, PromptSpec
from probatum.core.errors import BudgetError
from probatum.core.model_questions import ModelQuestion, NoAdvice, asked
from probatum.core.outside import fenced
from probatum.core.ports import Advisor

MAX_ASKED: Final = 20
"""Items that a model is asked about."""
MAX_SHOWN: Final = 20_000
"""Characters of one item that a model is shown."""
_MAX_CLAIMS: Final = 100
_PROMPT: Final = """Read the evidence below and report what it says about each field.
Quote every value exactly as written. Leave out a field that the evidence does not state.

Fields: {fields}

Evidence:
{text}
"""


class _SuggestedClaim(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    field: str = Field(min_length=1, max_length=200)
    quote: str = Field(min_length=1, max_length=500)


class _SuggestedClaims(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    claims: tuple[_SuggestedClaim, ...] = Field(max_length=_MAX_CLAIMS)


def decoding_policy(llm: Advisor, seed: int) -> str:
    """Return how a model is asked, as a trace records it."""
    told = {"advisor": llm.name, "schema_locked": True, "seed": seed, "temperature": 0}
    return json.dumps(told, sort_keys=True, separators=(",", ":"))


def advised(
    llm: Advisor, spec: PromptSpec, evidence: EvidenceBundle, weighed: Weighed, seed: int
) -> Iterator[CheckResult]:
    """Yield what a model suggests about items of which nothing that is declared could be read."""
    declared = {each.requirement_id: declared_for(spec, each) for each in spec.data_requirements}
    silent = [
        item
        for item in evidence.items
        if item.requirement_id in declared
        and item.is_valid
        and not weighed.record.claims.by_evidence_id(item.evidence_id)
    ]
    for item in silent[:MAX_ASKED]:
        fields = [each.name for each in declared[item.requirement_id].reads]
        yield from _of_item(llm, item, fields, seed)


def _of_item(llm: Advisor, item: EvidenceItem, fields: list[str], seed: int) -> Iterator[CheckResult]:
    told: dict[str, object] = {"evidence_id": item.evidence_id, "advisor": llm.name}
    suggested: _SuggestedClaims | NoAdvice
    try:
        text = content_of(item).text[:MAX_SHOWN]
        prompt = _PROMPT.format(fields=", ".join(fields), text=fenced(text))
        form = _SuggestedClaims.model_json_schema()
        suggested = asked(llm, ModelQuestion(prompt, form, _SuggestedClaims.model_validate), seed=seed)
    except (ValueError, BudgetError) as error:
        suggested = NoAdvice("advisor.no_advice", str(error))
    if isinstance(suggested, NoAdvice):
        told["error"] = suggested.reason[:300]
        yield CheckResult.passed("advice.unusable", "The advice about this item could not be used.", told)
        return
    kept = [each for each in suggested.claims if each.field in fields and each.quote in text]
    told["suggested"] = [{"field": each.field, "quote": each.quote} for each in kept]
    told["dropped"] = len(suggested.claims) - len(kept)
    yield CheckResult.passed("advice.claims", "A model suggests what this item says; nothing rests on it.", told)
