"""Verdicts about structured outputs: which decision which bytes give, and what a verdict rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.contracts import ContractSpec
from probatum.core.decision import DiagnosticStatus, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import NotAttemptedError
from probatum.core.messages import is_catalogued
from probatum.proof.artifact import parse_artifact
from probatum.proof.stores import MemoryStore
from probatum.verification.results import Fault, VerificationResult, VerificationStatus
from tests.core.strategies import JSON
from tests.kinds.outputs import BAD, BAD_INPUT, GATE, GOOD, GOOD_INPUT, contract, judged, passing, registry_with
from tests.services import OutputRequest, Service

OBJECT = {"type": "object", "required": ["a"]}
LIST = {"type": "array", "items": {"type": "integer"}}


@dataclass(frozen=True)
class Case:
    content: bytes
    outcome: str
    constraint: str
    spec: ContractSpec = GATE
    given: bytes | None = None


def case(content: bytes, outcome: str, constraint: str, spec: ContractSpec = GATE, given: bytes | None = None) -> Case:
    return Case(content, outcome, f"contract.{constraint}", spec, given)


CASES = {
    "satisfied": case(GOOD, "proved", "satisfied"),
    "satisfied with its input": case(GOOD, "proved", "satisfied", given=GOOD_INPUT),
    "violated": case(BAD, "refuted", "violated"),
    "violated, and so is the input": case(BAD, "refuted", "violated", given=BAD_INPUT),
    "only the input is wrong": case(GOOD, "undecided", "input_violated", given=BAD_INPUT),
    "the input is no object": case(GOOD, "undecided", "input_violated", given=b"[]"),
    "the input is null": case(GOOD, "undecided", "input_violated", given=b"null"),
    "the input is not JSON": case(GOOD, "not_attempted", "input_invalid", given=b"{"),
    "the input has a key twice": case(GOOD, "not_attempted", "input_invalid", given=b'{"facts":"a","facts":"b"}'),
    "the input is too deep": case(GOOD, "undecided", "too_large", given=b"[" * 10_001 + b"]" * 10_001),
    "in a fence": case(b"```json\n" + GOOD + b"\n```", "proved", "satisfied"),
    "prose": case(b"I cannot answer that.", "refuted", "not_json"),
    "empty": case(b"", "refuted", "not_json"),
    "not UTF-8": case(b"\xff\xfe", "refuted", "not_json"),
    "two values": case(GOOD + b"\n" + GOOD, "refuted", "ambiguous"),
    "null is an answer": case(b"null", "refuted", "violated"),
    "null where null is due": case(b"null", "proved", "satisfied", contract({"type": "null"})),
    "false where an object is due": case(b"false", "refuted", "violated"),
    "10,000 nested arrays": case(b"[" * 10_000 + b"]" * 10_000, "refuted", "violated"),
    "10,001 nested arrays": case(b"[" * 10_001 + b"]" * 10_001, "undecided", "too_large"),
    "a number of 5,000 digits": case(b"9" * 5_000, "undecided", "too_large", contract({"type": "integer"})),
    "a vacuous contract": case(GOOD, "undecided", "nothing_enforced", contract({})),
    "a contract of true": case(GOOD, "undecided", "nothing_enforced", contract(True)),
    "a contract of false": case(GOOD, "refuted", "violated", contract(False)),
    "a list, judged alone": case(b"[1]", "proved", "satisfied", contract(LIST)),
    "a list with an input": case(b"[1]", "refuted", "violated", contract(LIST), b"{}"),
    "a list where the author names json.object": case(
        b"[1]", "refuted", "violated", contract(LIST, verification_policy={"verifier_ids": ["json.object"]})
    ),
    "nothing but json.object": case(
        b"{}", "tested", "checks_passed", contract(OBJECT, verification_policy={"verifier_ids": ["json.object"]})
    ),
    "a level that asks for nothing": case(
        GOOD, "undecided", "nothing_enforced", contract(OBJECT, verification_policy={"level": "none"})
    ),
    "an unknown verifier": case(
        b'{"a": 1}',
        "not_attempted",
        "verifier_failed",
        contract(OBJECT, verification_policy={"verifier_ids": ["contract.schema", "nope"]}),
    ),
    "an unknown verifier, and wrong": case(
        b"{}",
        "refuted",
        "violated",
        contract(OBJECT, verification_policy={"verifier_ids": ["contract.schema", "nope"]}),
    ),
    "an invalid schema": case(GOOD, "not_attempted", "schema_invalid", contract({"type": "objekt"})),
    "a remote schema": case(
        GOOD, "not_attempted", "schema_remote", contract({"$ref": "https://example.com/schema.json"})
    ),
    "a draft that is not known": case(
        GOOD, "not_attempted", "schema_draft", contract({"$schema": "http://json-schema.org/draft-03/schema#"})
    ),
    "a pattern that looks ahead": case(
        b'"a"', "not_attempted", "pattern_not_linear", contract({"type": "string", "pattern": "a(?=b)"})
    ),
    "a schema that contains itself": case(
        b'{"next": {"next": {}}}',
        "proved",
        "satisfied",
        contract({"type": "object", "properties": {"next": {"$ref": "#"}}}),
    ),
    "a count that cannot be asked for": case(
        GOOD, "not_attempted", "invalid", contract(OBJECT, verification_policy={"at_least": {"count": 3}})
    ),
    "an invalid input schema, judged with an input": case(
        b'{"a": 1}', "not_attempted", "schema_invalid", contract(OBJECT, input_schema={"type": 1}), b"{}"
    ),
    "an invalid input schema, judged alone": case(
        b'{"a": 1}', "proved", "satisfied", contract(OBJECT, input_schema={"type": 1})
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_decided(name: str):
    expected = CASES[name]
    answer = judged(expected.content, expected.spec, expected.given)
    assert (answer.verdict.outcome, answer.verdict.constraint_id) == (expected.outcome, expected.constraint), answer
    assert answer.verdict.is_verified == (answer.verdict.proof_ref is not None)
    assert (
        answer.exit_code
        == {"proved": 0, "tested": 0, "refuted": 1, "undecided": 3, "not_attempted": 4}[expected.outcome]
    )
    assert is_catalogued(expected.constraint, answer.verdict.agent_message)
    assert DiagnosticResult.from_dict(answer.verdict.to_dict()) == answer.verdict


def test_findings_tell_place_expected_and_found():
    answer = judged(BAD)
    first = answer.observed.findings()[0]
    assert (first.kind, first.evidence["path"], first.evidence["expected"]) == ("schema.type", "$.yes", ["boolean"])
    assert first.suggestion
    assert answer.verdict.developer_fields["verifiers"][1]["errors"] == [
        each.message for each in answer.observed.findings()
    ]


def test_remarks_on_the_reading_travel_with_the_verdict():
    answer = judged(b'Sure! {"yes": true, "yes": false, "confidence": 0, "reason": ""}')
    assert answer.verdict.is_verified
    assert [each.kind for each in answer.observed.findings()] == ["output.text_around", "output.duplicate_key"]
    assert len(answer.verdict.developer_fields["reading"]) == 2


def test_what_a_policy_states_in_vain_is_a_warning():
    answer = judged(b'{"a": 1}', contract(OBJECT, verification_policy={"levle": "full"}))
    assert answer.verdict.is_verified
    assert [each.kind for each in answer.observed.findings()] == ["contract.policy"]
    assert "Did you mean 'level'?" in answer.observed.findings()[0].message


def test_a_proof_holds_subject_contract_and_input():
    store = MemoryStore()
    answer = judged(GOOD, given=GOOD_INPUT, service=Service(store))
    artifact = parse_artifact(store.fetch(answer.verdict.proof_ref))
    assert store.fetch(artifact.subject_digest) == GOOD
    assert [store.fetch(each) for each in artifact.parts] == [GOOD_INPUT]
    assert artifact.document["subject"]["media_type"] == "application/json"
    assert artifact.document["contract"]["content"]["spec"] == GATE.to_json()
    assert {each.id for each in artifact.verifiers} >= {"contract.schema", "json.object", "jsonschema-rs"}


def test_the_same_output_has_the_same_proof():
    first, second = (judged(GOOD).verdict for _ in range(2))
    assert first == second
    assert judged(GOOD, given=GOOD_INPUT).verdict.proof_ref != first.proof_ref
    assert judged(GOOD + b"\n").verdict.proof_ref != first.proof_ref


class Recorder:
    def __init__(self, error: Exception | None = None) -> None:
        self.seen: list[tuple[str, bytes, str]] = []
        self.error = error

    def record(self, name: str, subject: bytes, verdict: DiagnosticResult) -> None:
        if self.error is not None:
            raise self.error
        self.seen.append((name, subject, str(verdict.constraint_id)))


@pytest.mark.parametrize("content", [GOOD, BAD, b"", b"9" * 5_000])
def test_every_verdict_is_recorded(content: bytes):
    recorder = Recorder()
    answer = judged(content, service=Service(MemoryStore(), recorder=recorder))
    assert recorder.seen == [("out.json", content, answer.verdict.constraint_id)]


@pytest.mark.parametrize("content", [GOOD, BAD])
def test_a_verdict_that_cannot_be_recorded_is_not_given(content: bytes):
    recorder = Recorder(NotAttemptedError("ledger.full", "The disk is full."))
    answer = judged(content, service=Service(MemoryStore(), recorder=recorder))
    assert (answer.verdict.outcome, answer.verdict.constraint_id) == ("not_attempted", "ledger.unavailable")


class FaultyStore(MemoryStore):
    def __init__(self, at: int) -> None:
        super().__init__()
        self.at = at

    def retain_all(self, contents: Sequence[bytes]) -> list[str]:
        for _ in contents:
            self.at -= 1
            if self.at == 0:
                raise NotAttemptedError("store.full", "The disk is full.")
        return super().retain_all(contents)


@pytest.mark.parametrize("at", [1, 2, 3])
def test_a_verdict_whose_proof_cannot_be_kept_is_not_given(at: int):
    answer = judged(GOOD, given=GOOD_INPUT, service=Service(FaultyStore(at)))
    assert (answer.verdict.outcome, answer.verdict.constraint_id) == ("not_attempted", "store.unavailable")


def test_a_store_that_lies_gives_no_verdict():
    class Lying(MemoryStore):
        def retain_all(self, contents: Sequence[bytes]) -> list[str]:
            return ["sha256:" + "0" * 64] * len(contents)

    assert judged(GOOD, service=Service(Lying())).verdict.outcome == "not_attempted"


FAULTS: dict[str, object] = {
    "raises": RuntimeError("planted"),
    "exits": SystemExit(0),
    "no memory": MemoryError(),
    "nonsense": {"status": "pass"},
    "another's answer": VerificationResult(VerificationStatus.PASS, "other", ""),
    "its own fault": VerificationResult(VerificationStatus.FAIL, "says", "", fault=Fault.VERIFIER),
    "the environment's fault": VerificationResult(VerificationStatus.FAIL, "says", "", fault=Fault.ENVIRONMENT),
    "text without a UTF-8 form": VerificationResult(VerificationStatus.FAIL, "says", "", errors=("\ud800",)),
    "skips": passing(VerificationStatus.SKIPPED),
    "could not have failed": VerificationResult(VerificationStatus.PASS, "says", "", could_have_failed=False),
    "a warning that no proof can keep": VerificationResult(VerificationStatus.PASS, "says", "", warnings=("\ud800",)),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_broken_verifier_is_neither_a_pass_nor_a_refutation(name: str):
    spec = contract(OBJECT, verification_policy={"verifier_ids": ["says", "contract.schema"]})
    answer = judged(b'{"a": 1}', spec, registry=registry_with(FAULTS[name]))
    assert answer.verdict.outcome in {"undecided", "not_attempted"}, answer
    assert DiagnosticResult.from_dict(answer.verdict.to_dict()) == answer.verdict


def test_a_verifier_that_only_tests_gives_tested():
    spec = contract(OBJECT, verification_policy={"verifier_ids": ["says", "contract.schema"]})
    assert judged(b'{"a": 1}', spec, registry=registry_with(passing())).verdict.outcome == "tested"
    answer = judged(b'{"a": 1}', spec, registry=registry_with(passing(VerificationStatus.WARN), Outcome.PROVED))
    assert answer.verdict.outcome == "proved"


@given(st.binary(max_size=200))
def test_any_bytes_give_a_verdict(content: bytes):
    answer = judged(content)
    assert answer.verdict.constraint_id != "verifier.fault", answer.verdict
    assert answer.verdict.status in set(DiagnosticStatus)


@given(JSON, JSON)
def test_any_contract_gives_a_verdict(schema: object, policy: object):
    try:
        spec = ContractSpec("task", "v1", output_schema=schema, verification_policy=policy)
    except ValueError:
        return
    answer = Service(MemoryStore()).verify_output(OutputRequest(GOOD, "o", spec))
    assert answer.verdict.constraint_id != "verifier.fault", answer.verdict


@pytest.mark.parametrize(
    ("content", "value"),
    [
        (b'{"a": 1}', None),
        (b'So:\n```json\n{"a": 1}\n```', {"a": 1}),
        (b'The answer is {"a": [1, 2]}', {"a": [1, 2]}),
        (b'{"a": 1, "a": 2}', {"a": 2}),
        (b'\xef\xbb\xbf{"a": 1}', {"a": 1}),
        (b"no JSON at all", None),
    ],
    ids=["as it is", "fence", "text before", "key twice", "byte order mark", "not JSON"],
)
def test_what_was_judged_is_told_where_the_text_had_to_be_repaired(content: bytes, value: object):
    """Or whoever reads the text in another way than we do acts on a value that nobody judged."""
    with_value = judged(content, contract(OBJECT)).details["result"]
    assert with_value.get("value") == value
    assert ("value" in with_value) == (value is not None)
