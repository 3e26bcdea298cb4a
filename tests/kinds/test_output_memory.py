"""What outputs of one contract share: a proof that was put together is the proof that would have been built."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.contracts import ContractSpec
from probatum.core.diagnostics import DiagnosticResult
from probatum.kinds.output import memory
from probatum.proof.artifact import parse_artifact
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from tests.kinds.outputs import BAD, BAD_INPUT, GATE, GOOD, GOOD_INPUT, contract
from tests.services import OutputRequest, Service

IMITATING = contract(
    {
        "type": "object",
        "properties": {"subject": {"const": {"digest": "sha256:" + "0" * 64, "media_type": "a", "name": "b"}}},
        "$defs": {"verifiers": {"title": ',"subject":{"digest":"x"},"verifiers":['}},
    }
)
OTHER = b'{"yes": false, "confidence": 0, "reason": "no"}'


def asked(service: Service, content: bytes, name: str, spec: ContractSpec, given: bytes | None) -> DiagnosticResult:
    return service.verify_output(OutputRequest(content, name, spec, given)).verdict


def fresh(content: bytes, name: str, spec: ContractSpec, given: bytes | None) -> DiagnosticResult:
    return asked(Service(MemoryStore()), content, name, spec, given)


@pytest.mark.parametrize("name", ["b.json", 'a"b', ',"subject":{', "ä\u2028", "\x00", " x", "\\", "z" * 5000])
@pytest.mark.parametrize("given", [None, GOOD_INPUT])
def test_a_remembered_proof_is_the_one_that_would_be_built(name: str, given: bytes | None):
    store = MemoryStore()
    service = Service(store)
    assert asked(service, GOOD, "a.json", GATE, given).is_verified
    remembered = asked(service, OTHER, name, GATE, given)
    assert remembered == fresh(OTHER, name, GATE, given)
    parse_artifact(store.fetch(str(remembered.proof_ref)))
    assert recheck(str(remembered.proof_ref), store, service.recheckers(), replay=True).holds


def test_a_contract_that_imitates_a_subject():
    service = Service(MemoryStore())
    first, second = (asked(service, content, "o", IMITATING, None) for content in (b"{}", b'{"a": 1}'))
    assert second == fresh(b'{"a": 1}', "o", IMITATING, None)
    assert first.proof_ref != second.proof_ref


ORDER = [GOOD, BAD, b"no", b"```\n" + GOOD + b"\n```", OTHER, GOOD]


def test_what_was_judged_before_changes_nothing():
    service = Service(MemoryStore())
    for task in (None, GOOD_INPUT, BAD_INPUT, None, GOOD_INPUT):
        for content in ORDER:
            assert asked(service, content, "o", GATE, task) == fresh(content, "o", GATE, task)


@pytest.mark.parametrize("bad", [b"{", b"[" * 10_001 + b"]" * 10_001])
def test_an_input_that_cannot_be_read_is_not_taken_for_the_one_before(bad: bytes):
    service = Service(MemoryStore())
    tasks = (GOOD_INPUT, bad, bad, None, bad, GOOD_INPUT)
    assert [asked(service, GOOD, "o", GATE, task) for task in tasks] == [fresh(GOOD, "o", GATE, task) for task in tasks]


def test_a_blank_name_is_no_name_however_often_it_is_asked():
    service = Service(MemoryStore())
    verdicts = [asked(service, GOOD, name, GATE, None) for name in ("a", " ", "a", " ")]
    assert [verdict.is_verified for verdict in verdicts] == [True, False, True, False]


@given(st.lists(st.tuples(st.sampled_from(ORDER), st.text(max_size=5), st.booleans()), max_size=6))
def test_any_order_gives_the_same_verdicts(asked_for: list[tuple[bytes, str, bool]]):
    service = Service(MemoryStore())
    for content, name, has_input in asked_for:
        given = GOOD_INPUT if has_input else None
        assert json.dumps(asked(service, content, name, GATE, given).to_dict()) == json.dumps(
            fresh(content, name, GATE, given).to_dict()
        )


def test_long_proofs_are_not_remembered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(memory, "MAX_REMEMBERED_BYTES", 0)
    monkeypatch.delattr(memory, "_around")
    service = Service(MemoryStore())
    assert asked(service, GOOD, "a", GATE, GOOD_INPUT).is_verified
    assert asked(service, OTHER, "b", GATE, GOOD_INPUT) == fresh(OTHER, "b", GATE, GOOD_INPUT)
