"""Proofs of outputs, checked again by a stranger: what is forged, softened or exchanged fails at a numbered step."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.contracts import ContractSpec
from probatum.core.canonical import canonical_bytes
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError
from probatum.kinds.output.content import contract_content, contract_of_content
from probatum.kinds.output.demand import DemandedContract
from probatum.kinds.output.proof import output_rechecker
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from probatum.verification.registry import VerifierRegistry, default_registry
from probatum.verification.results import VerificationStatus
from tests.core.strategies import JSON
from tests.kinds.outputs import BAD, GOOD, GOOD_INPUT, contract, judged, passing, registry_with
from tests.services import Service

Document = dict[str, object]
OBJECT = {"type": "object", "required": ["a"]}
TESTED = contract(OBJECT, verification_policy={"verifier_ids": ["says", "contract.schema"]})


def proved(content: bytes = GOOD, given: bytes | None = GOOD_INPUT) -> tuple[MemoryStore, str]:
    store = MemoryStore()
    answer = judged(content, given=given, service=Service(store))
    assert answer.verdict.proof_ref is not None
    return store, answer.verdict.proof_ref


def failing_step(store: MemoryStore, reference: str, registry: VerifierRegistry | None = None) -> int | None:
    rechecker = output_rechecker(registry or default_registry())
    report = recheck(reference, store, {"output": rechecker}, replay=True)
    return None if report.holds else report.failure.number


def sealed(entry: Document) -> None:
    entry["digest"] = digest_of(canonical_bytes(entry["content"]))


def forged(change: Callable[[Document], None], content: bytes = GOOD, given: bytes | None = GOOD_INPUT):
    """Return the step at which a proof fails whose maker changed it and made every digest fit again."""
    store, reference = proved(content, given)
    document = json.loads(store.fetch(reference))
    change(document)
    return failing_step(store, store.retain(canonical_bytes(document)))


@pytest.mark.parametrize("given", [None, GOOD_INPUT])
@pytest.mark.parametrize("content", [GOOD, b"```\n" + GOOD + b"\n```"])
def test_a_proof_holds(content: bytes, given: bytes | None):
    assert failing_step(*proved(content, given)) is None


def test_the_service_of_programs_checks_outputs_too():
    store, reference = proved()
    with Service(store) as service:
        assert recheck(reference, store, service.recheckers(), replay=True).holds


def subject_that_fails(document: Document) -> None:
    document["subject"]["digest"] = digest_of(BAD)


def softened_schema(document: Document) -> None:
    document["contract"]["content"]["spec"]["output_schema"]["required"] = []
    sealed(document["contract"])


def vacuous_contract(document: Document) -> None:
    document["contract"]["content"]["spec"]["output_schema"] = {}
    sealed(document["contract"])


def another_contract(document: Document) -> None:
    document["contract"]["content"]["spec"]["task_id"] = "another"
    sealed(document["contract"])


def no_spec(document: Document) -> None:
    document["contract"]["content"] = {"spec": {}, "input": None}
    sealed(document["contract"])


def softened_policy(document: Document) -> None:
    document["policy"]["content"]["slots"] = document["policy"]["content"]["slots"][:1]
    document["observations"] = document["observations"][:2]
    document["decision"]["developer_fields"]["verifiers"] = document["decision"]["developer_fields"]["verifiers"][:1]
    sealed(document["policy"])


def optional_slots(document: Document) -> None:
    for slot in document["policy"]["content"]["slots"]:
        slot["is_mandatory"] = False
    sealed(document["policy"])


def another_policy_id(document: Document) -> None:
    document["policy"]["id"] = "verification/v0"


def another_seed(document: Document) -> None:
    document["seed"] = 1


def results_of_other_slots(document: Document) -> None:
    document["observations"][1], document["observations"][2] = document["observations"][2], document["observations"][1]


def a_result_too_few(document: Document) -> None:
    document["observations"].pop()


def a_result_twice(document: Document) -> None:
    document["observations"].append(document["observations"][-1])


def no_reading(document: Document) -> None:
    document["observations"].pop(0)


def remark_left_out(document: Document) -> None:
    document["observations"][0]["findings"] = []
    document["claim"] = document["claim"].partition(";")[0] + "."
    del document["decision"]["developer_fields"]["reading"]


def remark_left_out_of_the_claim_alone(document: Document) -> None:
    document["claim"] = document["claim"].partition(";")[0] + "."


def invented_warning(document: Document) -> None:
    document["observations"][1]["warnings"] = ["all is well"]
    document["decision"]["developer_fields"]["verifiers"][0]["warnings"] = ["all is well"]


def input_left_out(document: Document) -> None:
    document["contract"]["content"]["input"] = None
    sealed(document["contract"])


def input_is_no_part(document: Document) -> None:
    document["contract"]["content"]["input"] = {"facts": "a"}
    sealed(document["contract"])


def failed_slot_hidden(document: Document) -> None:
    document["observations"][2]["status"] = "fail"


def pass_with_a_fault(document: Document) -> None:
    document["observations"][2]["fault"] = "subject"


def unknown_key(document: Document) -> None:
    document["observations"][2]["note"] = "trust me"


def media_type_of_a_program(document: Document) -> None:
    document["subject"]["media_type"] = "text/x-python"


def nothing_assumed(document: Document) -> None:
    document["assumptions"] = document["assumptions"][:1]


def assumptions_that_say_more(document: Document) -> None:
    document["assumptions"].append("a person has read the output")


def a_verifier_left_out(document: Document) -> None:
    document["verifiers"] = [each for each in document["verifiers"] if each["id"] != "contract.schema"]


def the_engine_left_out(document: Document) -> None:
    document["verifiers"] = [each for each in document["verifiers"] if each["id"] != "jsonschema-rs"]


def a_verifier_that_took_no_part(document: Document) -> None:
    document["verifiers"].append({"id": "trusted.auditor", "version": "9"})


def broader_claim(document: Document) -> None:
    document["claim"] = "The output is true."


FORGED: dict[Callable[[Document], None], int] = {
    another_contract: 8,
    no_spec: 8,
    vacuous_contract: 8,
    softened_policy: 8,
    optional_slots: 8,
    another_policy_id: 8,
    another_seed: 8,
    results_of_other_slots: 8,
    a_result_too_few: 8,
    a_result_twice: 8,
    no_reading: 8,
    input_is_no_part: 8,
    failed_slot_hidden: 8,
    pass_with_a_fault: 8,
    unknown_key: 8,
    media_type_of_a_program: 8,
    nothing_assumed: 8,
    assumptions_that_say_more: 8,
    a_verifier_left_out: 8,
    the_engine_left_out: 8,
    a_verifier_that_took_no_part: 8,
    softened_schema: 9,
    input_left_out: 8,
    broader_claim: 9,
    subject_that_fails: 10,
    invented_warning: 10,
}


@pytest.mark.parametrize("change", FORGED, ids=lambda change: change.__name__)
def test_a_forged_proof_fails(change: Callable[[Document], None]):
    store, reference = proved()
    store.retain(BAD)
    document = json.loads(store.fetch(reference))
    change(document)
    assert failing_step(store, store.retain(canonical_bytes(document))) == FORGED[change]


@pytest.mark.parametrize(("change", "step"), [(remark_left_out, 10), (remark_left_out_of_the_claim_alone, 9)])
def test_remarks_on_the_reading_cannot_be_left_out(change: Callable[[Document], None], step: int):
    assert forged(change, b"Well: " + GOOD) == step


def test_a_softened_contract_with_a_claim_of_its_own_names_another_contract():
    store, reference = proved()
    document = json.loads(store.fetch(reference))
    softened_schema(document)
    spec = contract_of_content(document["contract"]["content"]["spec"])
    honest = judged(GOOD, spec, GOOD_INPUT, service=Service(store)).verdict
    claims = {json.loads(store.fetch(each))["claim"] for each in (reference, honest.proof_ref)}
    assert len(claims) == 2


def test_an_input_that_is_not_kept_ends_the_check():
    store, reference = proved()
    del store._contents[digest_of(GOOD_INPUT)]
    assert failing_step(store, reference) == 6


def test_a_subject_that_is_not_kept_cannot_be_replayed():
    store, reference = proved()
    del store._contents[digest_of(GOOD)]
    assert failing_step(store, reference) == 10


def test_a_verifier_that_is_gone_or_answers_otherwise_fails_the_replay():
    registry = registry_with(passing())
    store = MemoryStore()
    reference = judged(b'{"a": 1}', TESTED, service=Service(store, registry=registry)).verdict.proof_ref
    assert reference is not None
    assert failing_step(store, reference, registry) is None
    assert failing_step(store, reference) == 10
    assert failing_step(store, reference, registry_with(passing(VerificationStatus.SKIPPED))) == 10


def test_a_tested_output_cannot_be_passed_off_as_proved():
    registry = registry_with(passing())
    store = MemoryStore()
    reference = judged(b'{"a": 1}', TESTED, service=Service(store, registry=registry)).verdict.proof_ref
    document = json.loads(store.fetch(str(reference)))
    document["observations"][1]["best"] = "proved"
    assert failing_step(store, store.retain(canonical_bytes(document)), registry) == 8


@pytest.mark.parametrize("key", ["$part", "$$part", "$$$part", "$ref", "part"])
def test_no_schema_imitates_a_part(key: str):
    spec = contract({"type": "object", "properties": {key: {"const": {key: digest_of(GOOD)}}}})
    store = MemoryStore()
    verdict = judged(b"{}", spec, service=Service(store)).verdict
    assert verdict.is_verified
    assert failing_step(store, verdict.proof_ref) is None


@given(JSON)
def test_a_contract_is_read_back_as_it_was(value: object):
    try:
        spec = ContractSpec("task", "v1", output_schema={"const": value}, retry_policy={"x": value})
        content = contract_content(spec)
    except (ValueError, NotAttemptedError):
        return
    assert contract_of_content(content) == spec


@given(st.recursive(st.just({}), lambda inner: st.fixed_dictionaries({"$part": inner}), max_leaves=20))
def test_no_reference_is_left_in_a_contract(value: object):
    content = contract_content(ContractSpec("task", "v1", output_schema={"const": value}))
    assert '"$part"' not in json.dumps(content)


def test_a_contract_that_is_nested_too_deep_for_a_proof_is_not_judged():
    schema: object = {"type": "object"}
    for _ in range(48):
        schema = {"properties": {"a": schema}}
    assert judged(b"{}", contract({"type": "object", **schema})).verdict.constraint_id == "contract.not_kept"  # type: ignore[dict-item]  # an object


def shortfalls(spec: ContractSpec, change: Callable[[Document], None] | None = None) -> tuple[str, ...]:
    store = MemoryStore()
    verdict = judged(b'{"a": 1}', spec, service=Service(store)).verdict
    document = json.loads(store.fetch(str(verdict.proof_ref)))
    if change is not None:
        change(document)
    return output_rechecker(default_registry(), None, DemandedContract(spec)).shortfalls(document, b"")


def test_a_policy_that_demands_less_than_the_schemas_is_named():
    assert shortfalls(contract(OBJECT)) == ()
    assert shortfalls(contract(OBJECT, verification_policy={"level": "schema"})) == ()
    [told] = shortfalls(contract(OBJECT, verification_policy={"verifier_ids": ["json.object"]}))
    assert "contract.schema" in told
    assert len(shortfalls(contract(OBJECT), optional_slots)) == 2


def test_its_kind_is_registered():
    with Service(MemoryStore()) as service:
        assert "output" in service.recheckers()
