"""Questions, requirements and evidence that the tests of the audit ask about: each made of what a test says of it.

The defaults hold together: `spec()` with `bundle(price(105000))` is a question that its evidence answers.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from probatum.audit import (
    AuditorAgent,
    CheckResult,
    DataRequirement,
    EvidenceBundle,
    EvidenceItem,
    PromptSpec,
    ReasoningTrace,
    VerificationResult,
    dumps_canonical,
)

WINDOW = ("2026-01-01T00:00:00Z", "2026-01-31T23:59:59Z")
INSIDE = "2026-01-15T12:00:00Z"
COLLECTED = "2026-02-01T00:00:00Z"
PRICE = "req_price"


def requirement(
    requirement_id: str = PRICE,
    sources: Iterable[str] = ("src_1",),
    expected_fields: list[str] | None = ["price"],  # noqa: B006  # never changed
    strategy: str = "single_best",
    extra: Mapping[str, object] | None = None,
    **policy: object,
) -> DataRequirement:
    """Return a requirement whose sources are declared in this order."""
    return DataRequirement.model_validate(
        {
            "requirement_id": requirement_id,
            "description": "What is needed.",
            "source_targets": [{"source_id": name, "uri": f"https://{name}.example/api"} for name in sources],
            "selection_policy": {"strategy": strategy, **policy},
            "expected_fields": expected_fields,
            "extra": dict(extra or {}),
        }
    )


def spec(
    *requirements: DataRequirement,
    event: str = "price > 100000",
    threshold: str | None = None,
    window: tuple[str, str] = WINDOW,
    extra: Mapping[str, object] | None = None,
    market: Mapping[str, object] | None = None,
) -> PromptSpec:
    """Return a question; without requirements it has one, about the price."""
    return PromptSpec.model_validate(
        {
            "market": {
                "market_id": "market_1",
                "question": "Did it happen?",
                "event_definition": event,
                "resolution_deadline": "2026-02-02T00:00:00Z",
                "resolution_window": {"start": window[0], "end": window[1]},
                "resolution_rules": {"rules": [{"rule_id": "R_1", "description": "As it is written."}]},
                "dispute_policy": {"dispute_window_seconds": 86400},
                **(market or {}),
            },
            "prediction_semantics": {"target_entity": "BTC_USD", "predicate": "rises", "threshold": threshold},
            "data_requirements": [each.model_dump() for each in requirements or (requirement(),)],
            "extra": dict(extra or {}),
        }
    )


def item(
    evidence_id: str = "ev_1",
    content: object = None,
    *,
    source: str = "src_1",
    of: str = PRICE,
    tier: int = 1,
    content_type: str = "json",
    fetched_at: str | None = COLLECTED,
    provenance: Mapping[str, object] | None = None,
    **fields: object,
) -> EvidenceItem:
    """Return an item; content that is no text is written as JSON, and None leaves it out."""
    raw = content if content is None or isinstance(content, str) else json.dumps(content)
    told: dict[str, object] = {
        "evidence_id": evidence_id,
        "requirement_id": of,
        "provenance": {
            "source_id": source,
            "source_uri": f"https://{source}.example/api",
            "tier": tier,
            "fetched_at": fetched_at,
            **(provenance or {}),
        },
        "raw_content": raw,
        "content_type": content_type,
        **fields,
    }
    return EvidenceItem.model_validate(told)


def price(value: object, evidence_id: str = "ev_1", *, at: object = INSIDE, **more: Any) -> EvidenceItem:
    """Return an item that states a price at a time."""
    content = {"price": value} if at is None else {"price": value, "timestamp": at}
    return item(evidence_id, content, **more)


def bundle(*items: EvidenceItem, **fields: object) -> EvidenceBundle:
    """Return these items in this order."""
    told = {"bundle_id": "bundle_1", "market_id": "market_1", "plan_id": "plan_1", "collected_at": COLLECTED, **fields}
    made = EvidenceBundle.model_validate(told)
    # The items are valid already; reading them again would cost a test of 10,000 items its time.
    return made.model_copy(update={"items": type(made.items)(items)})


def audit(asked: PromptSpec, evidence: EvidenceBundle) -> tuple[ReasoningTrace, VerificationResult]:
    """Return what the auditor says, after the checks that hold for whatever it says."""
    trace, verification = AuditorAgent().audit(asked, evidence)
    assert isinstance(trace, ReasoningTrace)
    assert isinstance(verification, VerificationResult)
    assert verification.ok == (bool(verification.checks) and all(check.ok for check in verification.checks))
    assert trace.steps, "a trace without steps tells nothing"
    assert len(trace.steps) <= trace.policy.max_steps
    variables(trace)
    return trace, verification


def is_written(trace: ReasoningTrace, verification: VerificationResult) -> bool:
    """Return whether both have a canonical form, and it says what they say."""
    steps, checks = json.loads(dumps_canonical(trace))["steps"], json.loads(dumps_canonical(verification))["checks"]
    same_steps = [each["step_id"] for each in steps] == [each.step_id for each in trace.steps]
    return same_steps and [each["ok"] for each in checks] == [each.ok for each in verification.checks]


def variables(trace: ReasoningTrace) -> Mapping[str, Any]:
    """Return the evaluation variables of the last step."""
    last = trace.steps[-1]
    assert last.type == "map"
    found = last.output["evaluation_variables"]
    assert isinstance(found, Mapping)
    assert found["event_observed"] in {True, False, None}
    assert type(found["event_observed"]) in {bool, type(None)}
    assert type(found["conflict_detected"]) is bool
    assert type(found["insufficient_evidence"]) is bool
    assert isinstance(found["source_summary"], Sequence)
    return found


def failed(checks: Iterable[CheckResult]) -> list[CheckResult]:
    """Return the checks that do not hold."""
    return [check for check in checks if not check.ok]


def reported(checks: Iterable[CheckResult]) -> list[CheckResult]:
    """Return what a reader must look at: what does not hold, and what is a warning or an error."""
    return [check for check in checks if not check.ok or check.severity != "info"]


def conflicts(checks: Iterable[CheckResult]) -> list[CheckResult]:
    """Return the checks that show claims which contradict each other."""
    return [check for check in reported(checks) if "claim_ids" in check.details and "values" in check.details]


def scalars(value: object) -> Iterator[object]:
    """Yield every scalar and every key of plain data."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield key
            yield from scalars(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from scalars(inner)
    else:
        yield value


def names(check: CheckResult, word: str) -> bool:
    """Whether a check names this id, in its details or its message."""
    if any(each == word for each in scalars(check.details)):
        return True
    texts = [check.message, *(each for each in scalars(check.details) if isinstance(each, str))]
    return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", text) for text in texts)


def naming(checks: Iterable[CheckResult], word: str) -> list[CheckResult]:
    """Return those that do not hold or warn, and name this id."""
    return [check for check in reported(checks) if names(check, word)]
