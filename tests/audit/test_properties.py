"""What holds for whatever comes in: the same bytes again, an answer to anything, and an order that orders alone."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from probatum.audit import ClaimExtractor, EvidenceBundle, PromptSpec, ReasoningTrace, TracePolicyVerifier
from probatum.audit.canonical import dumps_canonical
from tests.audit.bundles import made
from tests.audit.cases import audit, bundle, is_written, item, price, requirement, spec, variables

ANY_JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.dictionaries(st.sampled_from(["price", "value", "result", "timestamp"]), ANY_JSON, max_size=4)
ANY_CONTENT = st.text(max_size=200) | FIELDS
CONTENT_TYPES = st.sampled_from(["json", "csv", "html", "text", "application/json", "text/html", "image/png", ""])
UNHURRIED = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
SEEDED = settings(max_examples=25, deadline=None)


def of_seed(seed: int) -> tuple[PromptSpec, EvidenceBundle]:
    case = made(seed)
    return PromptSpec.model_validate(case.prompt), EvidenceBundle.model_validate(case.evidence)


@given(ANY_CONTENT, CONTENT_TYPES)
@UNHURRIED
def test_any_content_has_an_answer(content: Any, content_type: str) -> None:
    held = {"content": content} if isinstance(content, str) else {"parsed_value": content}
    trace, verification = audit(spec(), bundle(item("ev_1", content_type=content_type, **held), price(7, "ev_2")))
    assert variables(trace)["event_observed"] in {False, None}
    assert [claim.value for claim in ClaimExtractor().extract(spec(), bundle(price(7, "ev_2"))).claims] == [7]
    dumps_canonical(trace)
    dumps_canonical(verification)


DECLARATIONS = ["fields", "patterns", "tolerance", "expected_fields", "slack_seconds", "max_age_seconds", "timezone"]
DECLARATIONS += ["entity", "entity_field", "timestamp_field", "number_format", "date_order", "predicate"]


@given(ANY_JSON, st.sampled_from(DECLARATIONS))
@UNHURRIED
def test_any_value_of_a_declaration_has_an_answer(value: Any, name: str) -> None:
    for asked in (spec(requirement(extra={name: value})), spec(extra={name: value})):
        evidence = bundle(price(105000), item("ev_2", "price: 3", content_type="text"))
        assert is_written(*audit(asked, evidence))


@given(st.text(max_size=40) | st.from_regex(r"[()\[\]{}*+?|\\^$.a-z0-9:,=!<>P-]{0,30}", fullmatch=True))
@UNHURRIED
def test_any_pattern_has_an_answer(pattern: str) -> None:
    extra = {"patterns": {"a": pattern, "b": {"pattern": pattern, "kind": "number"}}}
    asked = spec(requirement(expected_fields=None, extra=extra))
    for content_type in ("text", "html"):
        evidence = bundle(item("ev_1", "aa <b>12</b> é 🚀 price: 3 USD", content_type=content_type))
        assert is_written(*audit(asked, evidence))


WORDS = ["price", "threshold", "and", "or", "not", "in", "(", ")", "<", ">", "==", "!=", "'a'", "1", "2026-01-01", ","]
WORDS += ["at_least", "window.start", "deadline", "true", "-", ".", "[", "]", '"', "settled", "1e999", "٣", "\\"]


@given(st.text(min_size=1, max_size=40) | st.lists(st.sampled_from(WORDS), min_size=1, max_size=12).map(" ".join))
@UNHURRIED
def test_any_event_has_an_answer(event: str) -> None:
    for asked in (spec(event=event), spec(event="It is prose.", extra={"predicate": event})):
        trace, verification = audit(asked, bundle(price(105000)))
        if variables(trace)["event_observed"] is None:
            assert not verification.ok


@given(st.text(max_size=20), st.text(max_size=20), st.none() | st.text(max_size=20))
@UNHURRIED
def test_any_name_and_threshold_has_an_answer(first: str, second: str, threshold: str | None) -> None:
    evidence = bundle(price(105000, "e" + first, source="s" + first), price(1, "f" + second, source="s" + second))
    assert is_written(*audit(spec(requirement(sources=["s" + first, "s" + second]), threshold=threshold), evidence))


@given(st.integers(0, 10_000))
@SEEDED
def test_an_audit_has_the_same_bytes_again(seed: int) -> None:
    asked, evidence = of_seed(seed)
    first = audit(asked, evidence)
    again = audit(copy.deepcopy(asked), copy.deepcopy(evidence))
    read = audit(PromptSpec.model_validate(asked.model_dump()), EvidenceBundle.model_validate(evidence.model_dump()))
    assert dumps_canonical(first[0]) == dumps_canonical(again[0]) == dumps_canonical(read[0])
    assert dumps_canonical(first[1]) == dumps_canonical(again[1]) == dumps_canonical(read[1])


@given(st.integers(0, 10_000), st.randoms(use_true_random=False))
@SEEDED
def test_the_order_of_the_items_orders_the_claims_and_nothing_else(seed: int, chance: Any) -> None:
    case = made(seed)
    if any(fault.kind == "duplicate id" for fault in case.faults):
        return
    asked, evidence = PromptSpec.model_validate(case.prompt), EvidenceBundle.model_validate(case.evidence)
    items = list(evidence.items)
    chance.shuffle(items)
    shuffled = EvidenceBundle.model_validate({**case.evidence, "items": [each.model_dump() for each in items]})
    extractor = ClaimExtractor()
    one, other = (list(extractor.extract(asked, each).claims) for each in (evidence, shuffled))
    assert sorted(one, key=lambda claim: claim.claim_id) == sorted(other, key=lambda claim: claim.claim_id)
    assert [claim.evidence_id for claim in other if claim not in other[:0]] == [
        claim.evidence_id for each in items for claim in other if claim.evidence_id == each.evidence_id
    ]
    (trace, verification), (trace_too, verification_too) = audit(asked, evidence), audit(asked, shuffled)
    same = ("event_observed", "conflict_detected", "insufficient_evidence")
    assert {name: variables(trace)[name] for name in same} == {name: variables(trace_too)[name] for name in same}
    assert verification.ok == verification_too.ok
    assert set(variables(trace)["source_summary"]) == set(variables(trace_too)["source_summary"]) or any(
        each.selection_policy.strategy == "single_best" for each in asked.data_requirements
    ), "among equals, the first is the best"


EDITS = ["evidence_ids", "prior_step_ids", "step_id", "type"]


@given(st.integers(0, 500), st.sampled_from(EDITS), st.integers(0, 1000))
@SEEDED
def test_a_trace_that_was_edited_is_caught(seed: int, what: str, place: int) -> None:
    asked, evidence = of_seed(4 * seed)
    trace, verification = audit(asked, evidence)
    assert verification.ok
    data = trace.model_dump()
    step = data["steps"][place % len(data["steps"])]
    wrong = {"evidence_ids": ["ev_none"], "prior_step_ids": [step["step_id"]], "step_id": "step_1", "type": "extract"}
    if what == "type":
        step = data["steps"][-1]
    step[what] = wrong[what]
    result = TracePolicyVerifier().verify(ReasoningTrace.model_validate(data), asked, evidence)
    assert not result.ok
    assert result.challenge is not None


_PROGRAM = """
from hashlib import sha256
from probatum.audit import AuditorAgent, EvidenceBundle, PromptSpec
from probatum.audit.canonical import dumps_canonical
from tests.audit.bundles import made
whole = sha256()
for seed in range(40):
    case = made(seed)
    audited = AuditorAgent().audit(PromptSpec.model_validate(case.prompt), EvidenceBundle.model_validate(case.evidence))
    whole.update("".join(map(dumps_canonical, audited)).encode())
print(whole.hexdigest())
"""


@pytest.mark.parametrize("hash_seed", ["0", "1", "4242"])
def test_no_hash_seed_changes_a_byte(hash_seed: str) -> None:
    """B3 and B33, in processes of their own."""
    whole = sha256()
    for seed in range(40):
        whole.update("".join(map(dumps_canonical, audit(*of_seed(seed)))).encode())
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", _PROGRAM], env=environment, capture_output=True, text=True, check=False)
    assert run.stderr == ""
    assert run.stdout.strip() == whole.hexdigest()
