"""The two verifiers of contracts, case by case, as the verification registry has them."""

from __future__ import annotations

import copy
import json
from collections import OrderedDict
from pathlib import Path
from types import MappingProxyType

import pytest

from probatum.contracts import (
    ContractSchemaVerifier,
    ContractSpec,
    JsonObjectVerifier,
    UnknownContractError,
    load_contract_spec,
)
from probatum.core.decision import Outcome
from probatum.verification import VerificationStatus, verify_task_result
from probatum.verification.decide import decide_results
from probatum.verification.policy import policy_of
from probatum.verification.registry import VerifierRegistry
from probatum.verification.results import Fault, VerificationResult, verification_results_to_jsonable
from probatum.verification.verifier import description_of

PASS, FAIL, SKIPPED = VerificationStatus.PASS, VerificationStatus.FAIL, VerificationStatus.SKIPPED
GATE = load_contract_spec("llm_boolean_gate", "v1")
GOOD_INPUT = {"facts": ["The kettle is on."], "question": "Is the kettle on?"}
GOOD_OUTPUT = {"yes": True, "confidence": 0.9, "reason": "ok"}
WHOLE = {"type": "integer"}


def registry() -> VerifierRegistry:
    made = VerifierRegistry()
    made.register("json.object", JsonObjectVerifier())
    made.register("contract.schema", ContractSchemaVerifier())
    return made


def by_object(input_obj: object, output_obj: object) -> VerificationResult:
    return JsonObjectVerifier().verify(input_obj, output_obj)


def by_schema(spec: object, input_obj: object, output_obj: object, **context: object) -> VerificationResult:
    return ContractSchemaVerifier().verify(input_obj, output_obj, {"contract": spec, **context})


def outcome(spec: ContractSpec, input_obj: object, output_obj: object) -> Outcome:
    policy = policy_of(spec.verification_policy)
    results = verify_task_result(spec, input_obj, output_obj, registry=registry())
    best = {each.id: each.best for each in (JsonObjectVerifier.description, ContractSchemaVerifier.description)}
    return decide_results(policy, results, best).outcome


def test_f1_an_object_and_no_output_passes_and_establishes_nothing() -> None:
    result = by_object({}, None)
    assert (result.status, result.could_have_failed) == (PASS, False)


@pytest.mark.parametrize(
    ("output", "status"), [({}, PASS), ([], FAIL), ("x", FAIL), (0, FAIL), (False, FAIL), ("", FAIL), (0.0, FAIL)]
)
def test_f2_every_output_but_none_must_be_an_object(output: object, status: VerificationStatus) -> None:
    assert by_object({}, output).status is status


@pytest.mark.parametrize("given", [[], None, "s", 5, MappingProxyType({}), object()])
def test_f3_an_input_that_is_no_dictionary_fails(given: object) -> None:
    result = by_object(given, None)
    assert result.status is FAIL
    assert result.errors
    assert result.fault is Fault.SUBJECT


def test_f3_a_subclass_of_dict_is_an_object() -> None:
    assert by_object(OrderedDict(a=1), OrderedDict()).status is PASS


def test_f5_without_an_output_its_schema_is_not_looked_at() -> None:
    result = by_schema(GATE, GOOD_INPUT, None)
    assert (result.status, result.could_have_failed) == (PASS, False)
    assert result.evidence["checked"] == ["input"]
    assert outcome(GATE, GOOD_INPUT, None) is Outcome.UNDECIDED


def test_f6_a_bad_output_fails_and_its_place_is_named() -> None:
    result = by_schema(GATE, GOOD_INPUT, {**GOOD_OUTPUT, "confidence": 1.5})
    assert result.status is FAIL
    assert result.errors == ("output $.confidence: expected at most 1, got 1.5",)
    assert result.findings[0].evidence["path"] == "$.confidence"
    assert outcome(GATE, GOOD_INPUT, {**GOOD_OUTPUT, "yes": "yes"}) is Outcome.REFUTED


def test_f7_a_bad_input_fails() -> None:
    result = by_schema(GATE, {"facts": "x"}, GOOD_OUTPUT)
    assert result.status is FAIL
    assert result.errors == ('input $: the key "question" is missing',)


def test_f8_both_sides_are_told() -> None:
    result = by_schema(GATE, {}, {})
    assert {each.split()[0] for each in result.errors} == {"input", "output"}


@pytest.mark.parametrize(
    "context", [None, {}, {"contract": None}, {"contract": "x"}, {"contract": {}}, {"contract": 5}]
)
def test_f9_without_a_contract_the_slot_fails_by_the_verifiers_fault(context: dict[str, object] | None) -> None:
    result = ContractSchemaVerifier().verify(GOOD_INPUT, GOOD_OUTPUT, context)
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)


def test_f10_an_empty_contract_passes_says_so_and_establishes_nothing() -> None:
    empty = ContractSpec("empty")
    result = by_schema(empty, {}, {"a": 1})
    assert (result.status, result.could_have_failed) == (PASS, False)
    assert result.evidence["enforced"] == []
    assert "nothing is enforced" in " ".join(result.warnings)
    assert outcome(empty, {}, {}) is Outcome.UNDECIDED


@pytest.mark.parametrize(
    "schema", [True, {"title": "x"}, {"$defs": {"a": WHOLE}}, {"minLenght": 3}, {"format": "nope"}]
)
def test_f10_what_accepts_every_value_establishes_nothing(schema: bool | dict[str, object]) -> None:
    assert outcome(ContractSpec("vacuous", output_schema=schema), {}, {"a": 1}) is Outcome.UNDECIDED  # type: ignore[arg-type]  # JSON


def test_f10_an_input_schema_alone_establishes_nothing_about_the_output() -> None:
    assert outcome(ContractSpec("half", input_schema={"type": "object"}), {}, {}) is Outcome.UNDECIDED


@pytest.mark.parametrize("kind", ["integer", "number"])
def test_f11_true_is_no_number(kind: str) -> None:
    spec = ContractSpec("numbers", output_schema={"properties": {"a": {"type": kind}}, "type": "object"})
    assert by_schema(spec, {}, {"a": True}).status is FAIL
    assert by_schema(spec, {}, {"a": 1}).status is PASS


def test_f12_a_keyword_that_does_nothing_is_a_warning() -> None:
    spec = ContractSpec("typo", output_schema={"type": "string", "maxLenght": 3})
    result = by_schema(spec, {}, "abcdef")
    assert result.status is PASS
    assert result.warnings == ("output schema $: 'maxLenght' is not a keyword and does nothing.",)
    assert result.findings[0].suggestion == "Did you mean 'maxLength'?"


def test_f36_the_values_are_left_as_they_are() -> None:
    given, answered = copy.deepcopy(GOOD_INPUT), {**GOOD_OUTPUT, "more": [1, {"a": None}]}
    before = copy.deepcopy((given, answered))
    verify_task_result(GATE, given, answered, registry=registry())
    assert (given, answered) == before


def test_f39_the_documents_example() -> None:
    spec = load_contract_spec("llm_boolean_gate", "v1")
    results = verify_task_result(spec, GOOD_INPUT, GOOD_OUTPUT)
    payload = verification_results_to_jsonable(results)
    assert [each["status"] for each in payload] == ["pass", "pass"]
    assert json.loads(json.dumps(payload, allow_nan=False)) == payload
    assert outcome(spec, GOOD_INPUT, GOOD_OUTPUT) is Outcome.PROVED


@pytest.mark.parametrize(
    ("task", "version"),
    [
        *(("nope", "v1"), ("llm_boolean_gate", "v99"), ("../../etc", "v1"), ("llm_boolean_gate", "../v1")),
        *(("", "v1"), ("llm_boolean_gate", ""), (".", "v1"), ("..", "v1"), ("llm_boolean_gate/v1", ".")),
        *(("llm_boolean_gate\0", "v1"), ("llm_boolean_gate\n", "v1"), ("/etc", "passwd"), ("a" * 5000, "v1")),
    ],
)
def test_f40_an_unknown_contract_is_named_and_no_path(task: str, version: str) -> None:
    with pytest.raises(UnknownContractError) as caught:
        load_contract_spec(task, version)
    assert caught.value.code == "contract.unknown"
    assert len(str(caught.value)) < 400


def test_f40_the_nearest_name_is_told() -> None:
    with pytest.raises(UnknownContractError, match="Did you mean 'llm_boolean_gate'"):
        load_contract_spec("llm_bolean_gate")


def test_f41_the_same_values_give_the_same_results() -> None:
    def once() -> list[dict[str, object]]:
        written = verification_results_to_jsonable(verify_task_result(GATE, {}, {"yes": 1}, registry=registry()))
        return [{**each, "elapsed_seconds": None} for each in written]

    assert once() == once()


def test_f42_a_task_without_an_answer_is_judged_by_its_input_alone() -> None:
    results = verify_task_result(GATE, GOOD_INPUT, None, registry=registry())
    assert [each.status for each in results] == [PASS, PASS]
    assert all(each.evidence["checked"] == ["input"] for each in results)
    assert verify_task_result(GATE, {}, None, registry=registry())[1].status is FAIL


def test_an_output_without_an_input_is_judged_alone() -> None:
    assert by_schema(GATE, None, GOOD_OUTPUT, input_given=False).status is PASS
    assert JsonObjectVerifier().verify(None, {}, {"input_given": False}).status is PASS
    assert by_schema(GATE, None, GOOD_OUTPUT).status is FAIL


BAD_SCHEMAS: list[tuple[str, object]] = [
    ("contract.schema_invalid", {"type": "strng"}),
    ("contract.schema_remote", {"$ref": "https://example.com/a.json"}),
    ("contract.pattern_not_linear", {"pattern": "(?=a)"}),
    ("contract.schema_circular", {"$ref": "#"}),
]


@pytest.mark.parametrize(("code", "schema"), BAD_SCHEMAS)
def test_a_schema_that_cannot_be_used_is_no_fault_of_the_output(code: str, schema: dict[str, object]) -> None:
    spec = ContractSpec("broken", output_schema=schema)  # type: ignore[arg-type]  # JSON
    result = by_schema(spec, {}, {})
    assert (result.status, result.fault) == (FAIL, Fault.VERIFIER)
    assert code in result.errors[0]
    assert outcome(spec, {}, {}) is Outcome.NOT_ATTEMPTED


def test_a_value_too_costly_to_check_is_undecided() -> None:
    doubling = {"type": "array", "allOf": [{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}}]}
    deep: list[object] = []
    for _ in range(60):
        deep = [deep]
    spec = ContractSpec("costly", output_schema=doubling, verification_policy={"level": "schema"})  # type: ignore[arg-type]  # JSON
    result = by_schema(spec, {}, deep)
    assert (result.status, result.could_have_failed) == (SKIPPED, False)
    assert outcome(spec, {}, deep) is Outcome.UNDECIDED


@pytest.mark.parametrize(
    "value", [{"a": b"x"}, {"a": {1, 2}}, {1: 2}, {"a": float("nan")}, {"a": (1,)}, {"a": "\ud800"}]
)
def test_what_is_no_json_never_passes(value: object) -> None:
    spec = ContractSpec("open", output_schema={"type": "object"})
    result = by_schema(spec, {}, value)
    assert result.status is FAIL
    json.dumps(verification_results_to_jsonable([result]), allow_nan=False)


def test_a_structure_that_contains_itself_ends() -> None:
    circle: dict[str, object] = {}
    circle["self"] = [circle]
    spec = ContractSpec("tree", output_schema={"type": "object", "additionalProperties": {"items": {"$ref": "#"}}})
    assert by_schema(spec, {}, circle).status is FAIL


def test_a_small_structure_that_unfolds_without_end_is_undecided() -> None:
    shared: list[object] = []
    for _ in range(50):
        shared = [shared, shared]
    result = by_schema(ContractSpec("array", output_schema={"type": "array"}), {}, shared)
    assert result.status is SKIPPED


def test_what_stands_in_two_places_is_judged_in_both() -> None:
    row = {"a": 1}
    spec = ContractSpec("rows", output_schema={"items": {"required": ["a"]}, "type": "array"})
    assert by_schema(spec, {}, [row, row]).status is PASS


def test_the_verifiers_describe_themselves() -> None:
    for verifier_id, verifier in (("json.object", JsonObjectVerifier()), ("contract.schema", ContractSchemaVerifier())):
        described = description_of(verifier, verifier_id)
        assert (described.best, described.is_deterministic) == (Outcome.PROVED, True)
        assert described.version != "unknown"


def test_the_built_in_contract_has_its_words_beside_it() -> None:
    assert GATE.contract_markdown_path is not None
    assert GATE.title in Path(GATE.contract_markdown_path).read_text(encoding="utf-8")
