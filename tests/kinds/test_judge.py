"""Outputs under judgement through the whole service: verdicts, results, proofs that a stranger checks, forged ones."""

from __future__ import annotations

import json
from collections.abc import Callable

import jsonschema
import pytest

from probatum import Judge, judge_output
from probatum.app.kinds import built_in_kinds
from probatum.app.request_lines import answer_to, identify
from probatum.core.canonical import canonical_bytes
from probatum.core.command import NOTHING, Given
from probatum.core.digest import digest_of
from probatum.core.errors import UsageError
from probatum.judge import ValidationResult, validation_request
from probatum.kinds.judge.endpoint import REQUEST
from probatum.kinds.judge.request import JudgeRequest
from probatum.proof.recheck import recheck
from probatum.proof.stores import MemoryStore
from probatum.verification.kind import RequestLine
from tests.services import Answer, Service

Document = dict[str, object]
SCHEMA = {
    "type": "object",
    "required": ["code", "tests"],
    "properties": {"code": {"type": "string"}, "tests": {"type": "string"}},
}
GOOD = {"code": "def double(x):\n    return 2 * x\n", "tests": "assert double(2) == 4"}
KIND = built_in_kinds()["judge"]


def judged(store: MemoryStore | None = None, **fields: object) -> Answer:
    asked = validation_request({"output": GOOD, "validation_types": ["schema"], "expected_schema": SCHEMA, **fields})
    with Service(MemoryStore() if store is None else store) as service:
        return service.verify(KIND, JudgeRequest.of(asked, "output"))


def told(answer: Answer) -> tuple[str, str]:
    return answer.verdict.status.value, answer.verdict.constraint_id or ""


def result_of(answer: Answer) -> ValidationResult:
    document = answer.observed.document()["result"]
    assert isinstance(document, dict)
    return ValidationResult.from_dict(document)


@pytest.mark.parametrize(
    ("fields", "expected", "is_valid"),
    [
        ({}, ("VERIFIED", "judge.accepted"), True),
        ({"output": {"code": ""}}, ("UNVERIFIABLE", "judge.refuted"), False),
        ({"output": None}, ("UNVERIFIABLE", "judge.refuted"), False),
        ({"expected_schema": {}}, ("UNVERIFIABLE", "judge.schema_open"), True),
        ({"expected_schema": True}, ("UNVERIFIABLE", "judge.schema_open"), True),
        ({"expected_schema": False}, ("UNVERIFIABLE", "judge.refuted"), False),
        ({"validation_types": ["quality"]}, ("UNVERIFIABLE", "judge.nothing_decided"), True),
        ({"validation_types": ["schema", "quality"]}, ("VERIFIED", "judge.accepted"), True),
        (
            {"output": {"code": "a", "tests": "b"}, "validation_types": ["schema", "quality"]},
            ("UNVERIFIABLE", "judge.quality_open"),
            True,
        ),
    ],
)
def test_a_request_gets_a_verdict_and_a_result(
    fields: dict[str, object], expected: tuple[str, str], is_valid: bool
) -> None:
    answer = judged(**fields)
    assert told(answer) == expected
    assert result_of(answer).valid is is_valid
    assert (answer.verdict.proof_ref is not None) is (expected[0] == "VERIFIED")


def test_the_same_request_gives_the_same_result_and_the_same_proof() -> None:
    first, second = judged(output={"a": 1}), judged(output={"a": 1})
    documents = [dict(each.observed.document()["result"]) for each in (first, second)]
    for each in documents:
        each["metadata"] = {**each["metadata"], "duration_ms": 0}
    assert documents[0] == documents[1]
    assert judged().verdict.proof_ref == judged().verdict.proof_ref


def test_a_schema_that_cannot_be_used_is_the_callers_fault() -> None:
    for schema in ({"type": "strng"}, {"$ref": "https://example.org/schema.json"}, {"$ref": "#/$defs/none"}):
        with pytest.raises(UsageError):
            judged(expected_schema=schema)


def test_a_source_whose_address_is_not_allowed_is_named_and_never_read() -> None:
    answer = judged(
        validation_types=["schema", "facts"], trusted_sources=["https://127.0.0.1:9/a", "file:///etc/passwd"]
    )
    assert answer.verdict.status.value == "UNVERIFIABLE"


@pytest.mark.parametrize("layers", [["schema"], ["schema", "quality"]], ids=" ".join)
def test_a_proof_holds_for_a_stranger_and_on_replay(layers: list[str]) -> None:
    store = MemoryStore()
    reference = judged(store, validation_types=layers).verdict.proof_ref
    assert reference is not None
    with Service(store) as service:
        assert recheck(reference, store, service.recheckers(), replay=True).holds


def sealed(entry: Document) -> None:
    entry["digest"] = digest_of(canonical_bytes(entry["content"]))


def another_request(document: Document) -> None:
    document["contract"]["content"]["request"] = {"$part": digest_of(b"{}")}
    sealed(document["contract"])


def fewer_layers(document: Document) -> None:
    document["policy"]["content"]["layers"] = []
    sealed(document["policy"])


def another_layer(document: Document) -> None:
    document["observations"][0]["layer"] = "facts"


def an_open_check(document: Document) -> None:
    document["observations"][0]["checks"][0] |= {"state": "undecided", "basis": "nothing"}


def a_failed_check(document: Document) -> None:
    document["observations"][0]["checks"][0]["state"] = "failed"


def no_check(document: Document) -> None:
    document["observations"][0]["checks"] = []


def more_in_a_check(document: Document) -> None:
    document["observations"][0]["checks"][0]["sure"] = True


def no_observation(document: Document) -> None:
    document["observations"] = []


def another_message(document: Document) -> None:
    document["decision"]["agent_message"] = "All is well."


FORGERIES: tuple[Callable[[Document], None], ...] = (
    another_request,
    fewer_layers,
    another_layer,
    an_open_check,
    a_failed_check,
    no_check,
    more_in_a_check,
    no_observation,
    another_message,
)


@pytest.mark.parametrize("change", FORGERIES, ids=lambda change: change.__name__)
def test_a_forged_proof_fails(change: Callable[[Document], None]) -> None:
    store = MemoryStore()
    reference = judged(store).verdict.proof_ref
    assert reference is not None
    document = json.loads(store.fetch(reference))
    change(document)
    forged = store.retain(canonical_bytes(document))
    with Service(store) as service:
        assert not recheck(forged, store, service.recheckers()).holds


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ({"output": GOOD, "validation_types": ["schema"], "expected_schema": SCHEMA}, ("VERIFIED", "judge.accepted")),
        ({"output": GOOD, "validation_types": ["schema"]}, ("BLOCKED", "request.invalid")),
        ({"output": GOOD, "validation_types": []}, ("BLOCKED", "request.invalid")),
        ({"validation_types": ["quality"]}, ("BLOCKED", "request.invalid")),
        ({"output": GOOD, "validation_types": ["quality"], "source": "a"}, ("BLOCKED", "request.invalid")),
    ],
)
def test_a_request_line(line: dict[str, object], expected: tuple[str, str]) -> None:
    written = json.dumps({"id": "a", "kind": "judge", **line}).encode()
    assert told(answer_to(Service(MemoryStore()), identify(written, 1, "lines"), NOTHING)) == expected


def test_a_request_line_opens_no_file() -> None:
    fields = {"output": "a", "validation_types": ["facts"], "trusted_sources": ["/etc/passwd", "file:///etc/passwd"]}
    request = KIND.request(RequestLine("a", fields, Given()))
    assert [each.text for each in request.asked.trusted_sources] == ["/etc/passwd"]
    assert request.asked.unread_sources == ("file:///etc/passwd",)


def test_the_schema_of_requests_says_what_is_taken() -> None:
    schema = jsonschema.Draft202012Validator(REQUEST)
    for fields in (
        {"output": None, "validation_types": ["schema"], "expected_schema": {}},
        {"output": 1, "validation_types": ["facts"], "trusted_sources": ["a", {"name": "b", "text": "c"}]},
    ):
        schema.validate(fields)
        assert validation_request(fields).output == fields["output"]


def test_the_public_doors() -> None:
    store = MemoryStore()
    verdict = judge_output(GOOD, ["schema"], expected_schema=SCHEMA, store=store)
    assert (verdict.status.value, bool(verdict.proof_ref and store.fetch(verdict.proof_ref))) == ("VERIFIED", True)
    result = Judge().validate(GOOD, ["schema"], expected_schema=SCHEMA)
    assert result.valid
    assert result.verdict["status"] == "VERIFIED"
    with pytest.raises(UsageError, match="validation_types"):
        judge_output(GOOD, "schema", expected_schema=SCHEMA)
