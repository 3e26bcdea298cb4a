"""The helper example of the requirement document, verbatim but for the module path, and by the names of the door."""

from __future__ import annotations

import json

import probatum
from probatum.verification import VerificationStatus

EXAMPLE = """\
from probatum.contracts import load_contract_spec
from probatum.verification import verify_task_result, verification_results_to_jsonable

spec = load_contract_spec("llm_boolean_gate", "v1")
results = verify_task_result(spec, input_obj, output_obj)
payload = verification_results_to_jsonable(results)
"""
INPUT = {"facts": "It rains.", "question": "Is it dry outside?"}
OUTPUT = {"yes": True, "confidence": 0.9, "reason": "ok"}


def test_the_example_runs_as_it_stands():
    names: dict[str, object] = {"input_obj": INPUT, "output_obj": OUTPUT}
    exec(EXAMPLE, names)
    payload = names["payload"]
    assert [(row["verifier_id"], row["status"]) for row in payload] == [
        ("json.object", "pass"),
        ("contract.schema", "pass"),
    ]
    json.dumps(payload, allow_nan=False)


def test_the_door_has_the_same_names():
    spec = probatum.load_contract_spec("llm_boolean_gate", "v1")
    results = probatum.verify_task_result(spec, INPUT, {**OUTPUT, "yes": "true"}, registry=probatum.default_registry())
    assert [result.status for result in results] == [VerificationStatus.PASS, VerificationStatus.FAIL]
    assert isinstance(probatum.default_registry(), probatum.VerifierRegistry)
