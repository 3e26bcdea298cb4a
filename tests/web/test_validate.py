"""POST /validate as a client meets it: the cases that every judge has to answer, by a real server and a real client."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import httpx
import jsonschema
import pytest

from probatum.judge.schema_of_results import result_schema
from tests.web.running import Running, server

LAYERS = ["schema", "facts", "criteria", "hallucination", "quality"]
BOTH = {
    "type": "object",
    "required": ["code", "tests"],
    "properties": {"code": {"type": "string"}, "tests": {"type": "string"}},
}
SORTING = '''def sort_list(items: list[int]) -> list[int]:
    """Return the items in ascending order."""
    return sorted(items)
'''
BRANCHES = "".join(f"    if value == {each}:\n        return {each * 3}\n" for each in range(14))
COMPLEX = f'def price_of(value: int) -> int:\n    """Return the price of a value."""\n{BRANCHES}    return 0\n'
SHELL = '''import subprocess


def run(command: str) -> int:
    """Run a command and return its exit code."""
    return subprocess.call(command, shell=True)
'''
AVERAGE = '''def calculate_average(numbers: list[float]) -> float:
    """Return the average of numbers."""
    return sum(numbers) / len(numbers)
'''
FACTS = {"cvss_score": 7.5, "affected_versions": "prior to 1.24.1", "discovery_date": "February 2024"}
REPORT = (
    "The vulnerability has a CVSS score of 9.8. It affects versions prior to 1.24.0."
    " It was discovered by Alice Smith in March 2024."
)
SUMMARY = {
    "summary": {
        "cvss_score": 9.8,
        "affected_versions": "prior to 1.24.0",
        "discoverer": "Alice Smith",
        "discovery_date": "March 2024",
    }
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with server(tmp_path_factory.mktemp("validate")) as found:
        yield found


@pytest.fixture(scope="module")
def client(running: Running) -> Iterator[httpx.Client]:
    with running.client() as found:
        yield found


def validated(client: httpx.Client, output: object, *types: str, **fields: object) -> dict[str, object]:
    """Return the result of a request, held against the schema of results and against what it says of itself."""
    answer = client.post("/validate", json={"output": output, "validation_types": list(types), **fields})
    assert answer.status_code == 200, answer.text
    result = answer.json()
    jsonschema.Draft7Validator(result_schema()).validate(result)
    issues, metadata = result["issues"], result["metadata"]
    severities = [each["severity"] for each in issues]
    assert result["valid"] is ("error" not in severities)
    assert metadata["total_issues"] == len(issues)
    assert [metadata[f"{each}_count"] for each in ("error", "warning", "info")] == [
        severities.count(each) for each in ("error", "warning", "info")
    ]
    assert metadata["validation_types_run"] == [each for each in LAYERS if each in types]
    assert metadata["duration_ms"] >= 0
    assert 0 <= result["confidence"] <= 1
    assert 0 <= result["quality_score"] <= 1
    assert None not in [value for each in issues for value in each.values()]
    for each in issues:
        assert 10 <= len(each["message"]) <= 500
        assert 10 <= len(each.get("suggestion", "ten or more")) <= 500
    if result["verdict"]["status"] == "VERIFIED":
        assert result["valid"]
    return result


def kinds(result: dict[str, object], severity: str = "") -> list[str]:
    return [each["type"] for each in result["issues"] if severity in ("", each["severity"])]


def test_a_sound_output_is_valid_and_verified(client: httpx.Client) -> None:
    result = validated(client, {"code": "a", "tests": "b"}, "schema", expected_schema=BOTH)
    assert (result["valid"], result["issues"]) == (True, [])
    assert result["confidence"] > 0.9
    assert result["verdict"]["status"] == "VERIFIED"
    assert result["verdict"]["proof_ref"].startswith("sha256:")


def test_a_missing_field_fails_its_criterion_too(client: httpx.Client) -> None:
    result = validated(
        client,
        {"code": SORTING},
        *("schema", "criteria"),
        expected_schema=BOTH,
        acceptance_criteria=["call: sort_list([2, 1]) == [1, 2]", "tests: pass"],
    )
    first, second = (each for each in result["issues"] if each["severity"] == "error")
    assert (first["type"], first["message"], first["location"]) == (
        *("missing_field", "Missing required field 'tests'", "root"),
    )
    assert (second["type"], second["message"]) == ("criteria_not_met", "Acceptance criterion not met: tests: pass")
    assert result["failed_criteria"] == ["tests: pass"]
    assert result["passed_criteria"] == ["call: sort_list([2, 1]) == [1, 2]"]
    assert result["confidence"] >= 0.9


@pytest.mark.parametrize("criterion", ["Tests are included", "Performance is O(n log n) or better"])
def test_a_criterion_in_words_says_what_to_write_instead(client: httpx.Client, criterion: str) -> None:
    (found,) = validated(client, {"code": SORTING}, "criteria", acceptance_criteria=[criterion])["issues"]
    assert (found["severity"], found["type"]) == ("warning", "criteria_ambiguous")
    assert "'tests: pass'" in found["suggestion"]
    assert "docs/reference/judge-criteria.md" in found["suggestion"]


@pytest.mark.parametrize(
    ("schema", "output", "kind", "location"),
    [
        ({"properties": {"age": {"type": "integer"}}}, {"age": "thirty"}, "invalid_type", "age"),
        ({"properties": {"age": {"minimum": 18}}}, {"age": 3}, "constraint_violation", "age"),
        ({"properties": {"name": {"maxLength": 3}}}, {"name": "Alice"}, "constraint_violation", "name"),
        ({"properties": {"id": {"pattern": "^[a-z]+$"}}}, {"id": "A1"}, "constraint_violation", "id"),
        (
            {"properties": {"tasks": {"items": {"properties": {"status": {"enum": ["done", "open"]}}}}}},
            {"tasks": [{"status": "done"}, {"status": "open"}, {"status": "lost"}]},
            *("constraint_violation", "tasks[2].status"),
        ),
        (
            {"properties": {"user": {"properties": {"profile": {"required": ["email"]}}}}},
            {"user": {"profile": {}}},
            *("missing_field", "user.profile"),
        ),
        ({"additionalProperties": False}, {"more": 1}, "schema_violation", "root"),
    ],
)
def test_a_broken_schema_names_type_and_place(
    client: httpx.Client, schema: dict[str, object], output: object, kind: str, location: str
) -> None:
    result = validated(client, output, "schema", expected_schema={"type": "object", **schema})
    (found,) = result["issues"]
    assert (found["severity"], found["type"], found["location"]) == ("error", kind, location)
    assert result["confidence"] >= 0.9


def test_every_schema_error_is_told_in_a_fixed_order(client: httpx.Client) -> None:
    schema = {"type": "object", "required": ["a"], "properties": {"b": {"type": "string"}, "c": {"minimum": 3}}}
    first, second = (validated(client, {"b": 1, "c": 2}, "schema", expected_schema=schema) for _ in range(2))
    assert len(first["issues"]) == 3
    assert first["issues"] == second["issues"]


def test_a_criterion_that_is_a_matter_of_taste_is_open(client: httpx.Client) -> None:
    result = validated(client, {"code": SORTING}, "criteria", acceptance_criteria=["code is good"])
    assert kinds(result) == ["criteria_ambiguous"]
    assert (result["valid"], result["passed_criteria"], result["failed_criteria"]) == (True, [], [])
    assert result["confidence"] < 0.5
    assert (result["verdict"]["status"], result["verdict"]["developer_fields"]["outcome"]) == (
        *("UNVERIFIABLE", "undecided"),
    )


def test_an_output_that_is_null_is_judged(client: httpx.Client) -> None:
    assert validated(client, None, "schema", expected_schema={"type": "null"})["valid"]
    assert not validated(client, None, "schema", expected_schema={"type": "object"})["valid"]


def test_a_layer_that_is_named_twice_runs_once(client: httpx.Client) -> None:
    body = {"output": {}, "validation_types": ["schema", "schema"], "expected_schema": {"type": "object"}}
    assert client.post("/validate", json=body).json()["metadata"]["validation_types_run"] == ["schema"]


def test_long_criteria_and_large_values_are_cut_to_what_the_schema_allows(client: httpx.Client) -> None:
    criteria = ["The answer is elegant and " + "très " * 400, "\u202eالنص جيد\u200b", "📦" * 1_000]
    result = validated(client, "é" * 100_000, "criteria", acceptance_criteria=criteria)
    assert result["passed_criteria"] == []
    large = validated(client, {"a": "é" * 100_000}, "schema", expected_schema={"properties": {"a": {"maxLength": 3}}})
    assert not large["valid"]


def hallucinated(client: httpx.Client, output: object) -> dict[str, object]:
    return validated(
        client,
        output,
        *("facts", "hallucination"),
        trusted_sources=["The vulnerability was published by its vendor."],
        context={"facts": FACTS},
    )


def test_what_contradicts_the_context_at_a_path_is_a_hallucination(client: httpx.Client) -> None:
    result = hallucinated(client, SUMMARY)
    told = {f"{each['severity']} {each['type']}: {each['message']}" for each in result["issues"]}
    assert any(each.startswith("error hallucination") and "9.8" in each and "7.5" in each for each in told)
    assert any(each.startswith("error hallucination") and "1.24.0" in each and "1.24.1" in each for each in told)
    assert any(each.startswith("warning unsupported_claim") and "Alice Smith" in each for each in told)
    assert any("March" in each["message"] for each in result["issues"])
    assert not result["valid"]


def test_in_words_the_same_is_open_with_a_warning_for_what_is_in_no_source(client: httpx.Client) -> None:
    result = hallucinated(client, REPORT)
    assert result["valid"]
    assert set(kinds(result)) == {"unsupported_claim"}
    assert any("9.8" in each["message"] and "7.5" in each["suggestion"] for each in result["issues"])
    assert result["confidence"] < 0.3
    assert result["verdict"]["developer_fields"]["outcome"] == "undecided"


def test_a_place_in_an_object_is_named_by_its_key(client: httpx.Client) -> None:
    result = validated(client, SUMMARY, "hallucination", context={"facts": FACTS})
    assert "summary:cvss_score" in {each.get("location") for each in result["issues"]}


def test_what_equals_the_context_is_supported(client: httpx.Client) -> None:
    result = validated(client, {"cvss_score": 7.5}, "hallucination", context={"facts": FACTS})
    assert (result["valid"], kinds(result)) == (True, [])
    assert [each["status"] for each in result["claims"]] == ["supported"]


def test_a_claim_in_words_is_open(client: httpx.Client) -> None:
    source = "The bridge over the river was opened in 1932. It is 503 metres long."
    result = validated(client, "The mayor of Rome likes opera.", "facts", "hallucination", trusted_sources=[source])
    assert kinds(result) == []
    assert [each["status"] for each in result["claims"]] == ["open"]


def test_an_address_that_is_no_source_is_named(client: httpx.Client) -> None:
    source = "The bridge over the river was opened in 1932."
    output = "It opened in 1932, see https://example.org/bridge."
    assert kinds(validated(client, output, "facts", trusted_sources=[source])) == ["source_missing"]


@pytest.mark.parametrize(
    ("code", "kind", "location", "said"),
    [
        (COMPLEX, "complexity_issue", "function:price_of", "15"),
        (SHELL, "security_issue", "line:6", "shell"),
    ],
)
def test_quality_warns_and_leaves_an_output_valid(
    client: httpx.Client, code: str, kind: str, location: str, said: str
) -> None:
    result = validated(client, code, "quality")
    found = [each for each in result["issues"] if each["severity"] == "warning" and said in each["message"].lower()]
    assert found, result["issues"]
    assert result["valid"]
    assert (found[0]["type"], found[0]["location"]) == (kind, location)
    assert found[0]["suggestion"]
    assert result["quality_score"] < 1
    assert result["verdict"]["status"] == "UNVERIFIABLE"


def test_a_quality_score_is_there_where_the_layer_was_not_asked_for(client: httpx.Client) -> None:
    result = validated(client, AVERAGE, "criteria", acceptance_criteria=["valid: python"])
    assert result["quality_score"] == 0.5


def test_the_same_request_gives_the_same_result(client: httpx.Client) -> None:
    fields = {
        "expected_schema": BOTH,
        "acceptance_criteria": ["Tests are included", "code is good"],
        "trusted_sources": ["Sorting takes n log n comparisons."],
        "context": {"facts": FACTS},
    }
    results = [validated(client, {"code": COMPLEX, "note": REPORT}, *LAYERS, **fields) for _ in range(3)]
    for each in results:
        each["metadata"].pop("duration_ms")
    assert all(first == second for first, second in pairwise(results))


def test_metrics_count_validations_by_layer_and_issues_by_severity(running: Running, client: httpx.Client) -> None:
    def counts() -> dict[str, float]:
        lines = httpx.get(f"{running.url}/metrics").text.splitlines()
        pairs = (line.rsplit(" ", 1) for line in lines if line.startswith("judge_"))
        return {name: float(value) for name, value in pairs}

    before = counts()
    for output in ({"code": "", "tests": ""}, {}):
        validated(client, output, "schema", expected_schema=BOTH)
    after = counts()

    def moved(name: str) -> float:
        return after[name] - before.get(name, 0.0)

    for word in ("valid", "invalid"):
        assert moved(f'judge_validations_total{{result="{word}",validation_type="schema"}}') == 1
    assert sum(moved(each) for each in after if each.startswith("judge_validations_total{")) == 2
    assert moved('judge_issues_by_severity{severity="error"}') == 2
    assert 0 <= after["judge_avg_quality_score"] <= 1


def test_open_paths_need_no_token(running: Running) -> None:
    for path in ("/health", "/metrics", "/capabilities", "/ready"):
        assert httpx.get(f"{running.url}{path}").status_code == 200
    capabilities = httpx.get(f"{running.url}/capabilities").json()["capabilities"]
    assert {"schema_validation", "fact_checking", "criteria_evaluation"} <= set(capabilities)
    assert {"hallucination_detection", "quality_assessment"} <= set(capabilities)
