"""Verdicts about evidence: VERIFIED for what is established, and never for a bundle with a fault that matters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from probatum.app.kinds import built_in_kinds
from probatum.audit import EvidenceBundle, PromptSpec
from probatum.core.decision import DiagnosticStatus
from probatum.kinds.audit.request import AuditRequest
from probatum.proof.stores import MemoryStore
from tests.audit.bundles import Made, made
from tests.audit.cases import INSIDE, bundle, item, price, requirement, spec
from tests.services import Answer, Service

THREE = ("src_1", "src_2", "src_3")
SERVICE = Service(MemoryStore())


def judged(
    asked: PromptSpec | Mapping[str, Any] | bytes, evidence: EvidenceBundle | Mapping[str, Any] | bytes
) -> Answer:
    kind = built_in_kinds()["audit"]
    return SERVICE.verify(kind, AuditRequest(_bytes(evidence), "evidence.json", _bytes(asked)))


def _bytes(value: Any) -> bytes:
    if isinstance(value, bytes):
        return value
    if isinstance(value, Mapping):
        value = (PromptSpec if "market" in value else EvidenceBundle).model_validate(value)
    return value.model_dump_json().encode()


def is_verified(answer: Answer) -> bool:
    assert (answer.exit_code == 0) == (answer.verdict.status is DiagnosticStatus.VERIFIED)
    return answer.verdict.status is DiagnosticStatus.VERIFIED


@pytest.mark.parametrize("seed", range(200))
def test_a_bundle_with_a_fault_that_matters_is_never_verified(seed: int) -> None:
    case: Made = made(seed)
    answer = judged(case.prompt, case.evidence)
    if is_verified(answer):
        assert {fault.kind for fault in case.faults} <= {"failed"}
        told = answer.verdict.developer_fields["evaluation_variables"]
        assert {told["event_observed"]} == case.observed - {None}
    else:
        assert case.faults or "another time" in case.distractors


def quorum(sources: tuple[str, ...] = THREE, **policy: Any) -> Any:
    return requirement(sources=sources, strategy="multi_source_quorum", **{"quorum": 2, "min_sources": 2, **policy})


def without_requirements() -> PromptSpec:
    return spec().model_copy(update={"data_requirements": type(spec().data_requirements)([])})


TWO_GOOD = bundle(price(105000), price(105000, "ev_2", source="src_2"))
VERIFIED: dict[str, tuple[PromptSpec, EvidenceBundle]] = {
    "one source": (spec(), bundle(price(105000))),
    "one source, and it did not happen": (spec(), bundle(price(95000))),
    "a quorum": (spec(quorum()), TWO_GOOD),
    "a fallback": (spec(requirement(sources=THREE, strategy="fallback_chain")), TWO_GOOD),
}
REFUSED: dict[str, tuple[PromptSpec, EvidenceBundle]] = {
    "no evidence": (spec(), bundle()),
    "no requirements": (without_requirements(), bundle(price(105000))),
    "no requirements and no evidence": (without_requirements(), bundle()),
    "a requirement without evidence": (
        spec(requirement(), requirement("req_2", expected_fields=["volume"])),
        bundle(price(105000)),
    ),
    "a requirement without evidence that the event does not need": (
        spec(requirement(), requirement("req_2", expected_fields=["volume"]), event="price > 1 or volume > 1"),
        bundle(price(105000)),
    ),
    "an item that covers a requirement and says nothing of it": (
        spec(requirement(), requirement("req_2", expected_fields=["volume"])),
        bundle(price(105000), item("ev_2", {"other": 1}, of="req_2")),
    ),
    "sources that conflict": (
        spec(requirement(sources=THREE)),
        bundle(price(105000), price(95000, "ev_2", source="src_2")),
    ),
    "sources that conflict, a majority agrees": (
        spec(quorum()),
        bundle(*TWO_GOOD.items, price(95000, "ev_3", source="src_3")),
    ),
    "sources that conflict a second apart": (
        spec(requirement(sources=THREE)),
        bundle(price(105000), price(95000, "ev_2", source="src_2", at="2026-01-15T12:00:01Z")),
    ),
    "sources that conflict, one of them without a time": (
        spec(requirement(sources=THREE)),
        bundle(price(105000), price(95000, "ev_2", source="src_2", at=None)),
    ),
    "sources that conflict, one as text": (
        spec(requirement(sources=THREE)),
        bundle(price(105000), price("ninety-five thousand", "ev_2", source="src_2")),
    ),
    "sources that conflict, one as a page": (
        spec(requirement(sources=THREE)),
        bundle(price(105000, at=None), item("ev_2", "<p>Price: 95,000</p>", content_type="html", source="src_2")),
    ),
    "sources that conflict, one as a table": (
        spec(requirement(sources=THREE)),
        bundle(price(105000), item("ev_2", f"price,timestamp\n95000,{INSIDE}", content_type="csv", source="src_2")),
    ),
    "one source that contradicts itself": (spec(), bundle(price(105000), price(95000, "ev_2"))),
    "one item that contradicts itself": (
        spec(),
        bundle(item("ev_1", [{"price": 105000, "timestamp": INSIDE}, {"price": 95000, "timestamp": INSIDE}])),
    ),
    "one source that votes twice": (spec(quorum()), bundle(price(105000), price(105000, "ev_2"))),
    "one source under two spellings": (spec(quorum()), bundle(price(105000), price(105000, "ev_2", source="SRC_1"))),
    "one source with a space": (spec(quorum()), bundle(price(105000), price(105000, "ev_2", source="src_1 "))),
    "sources that nobody declared": (
        spec(quorum()),
        bundle(price(105000, source="src_8"), price(105000, "ev_2", source="src_9")),
    ),
    "no source is declared": (spec(requirement(sources=[])), bundle(price(105000))),
    "an event that depends on nothing": (spec(event="1 < 2"), bundle(price(105000))),
    "an event that always holds": (spec(event="price > 1 or price <= 1"), bundle(price(105000))),
    "an event in prose": (spec(event="It rises."), bundle(price(105000))),
    "an event about another field": (spec(event="volume > 1"), bundle(price(105000))),
    "a reversed window": (spec(window=("2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z")), bundle(price(105000))),
    "evidence of another question": (spec(), bundle(price(105000), market_id="market_2")),
    "a price without a declared tolerance that differs a little": (
        spec(requirement(sources=THREE)),
        bundle(price(105000), price(105000.01, "ev_2", source="src_2")),
    ),
    "a tolerance across the threshold": (
        spec(requirement(sources=THREE, extra={"tolerance": 0.2})),
        bundle(price(105000), price(95000, "ev_2", source="src_2")),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", VERIFIED)
def test_what_the_evidence_establishes_is_verified(name: str) -> None:
    answer = judged(*VERIFIED[name])
    assert is_verified(answer)
    assert answer.verdict.outcome == "proved"


@pytest.mark.parametrize("name", REFUSED)
def test_what_the_evidence_does_not_establish_is_not_verified(name: str) -> None:
    answer = judged(*REFUSED[name])
    assert not is_verified(answer)
    assert answer.exit_code == 3


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff", b'{"a":1}', b"[" * 100_000, b'{"items": NaN}'])
def test_what_is_no_question_or_no_bundle_is_not_attempted(content: bytes) -> None:
    for asked, evidence in ((content, bundle(price(1))), (spec(), content)):
        assert judged(asked, evidence).exit_code == 4


def test_the_verdict_does_not_depend_on_the_order_of_the_evidence() -> None:
    for seed in range(0, 60):
        case = made(seed)
        reversed_too = {**case.evidence, "items": case.evidence["items"][::-1]}
        if any(fault.kind == "duplicate id" for fault in case.faults):
            continue
        assert judged(case.prompt, case.evidence).verdict.status is judged(case.prompt, reversed_too).verdict.status


def test_the_proof_has_the_same_bytes_again() -> None:
    asked, evidence = VERIFIED["a quorum"]
    first = judged(asked, evidence)
    other = Service(MemoryStore())
    again = other.verify(built_in_kinds()["audit"], AuditRequest(_bytes(evidence), "evidence.json", _bytes(asked)))
    assert first.verdict.proof_ref == again.verdict.proof_ref
