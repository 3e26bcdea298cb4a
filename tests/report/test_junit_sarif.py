"""JUnit and SARIF reports: their shape, and that no text of a subject becomes markup."""

from __future__ import annotations

import json
import unicodedata
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.outside import is_seen
from probatum.report.judged import Judged
from probatum.report.junit import junit_xml
from probatum.report.sarif import sarif_log

CONSTRAINTS = {
    Outcome.PROVED: "contract.satisfied",
    Outcome.TESTED: "contract.checks_passed",
    Outcome.REFUTED: "contract.violated",
    Outcome.UNDECIDED: "contract.nothing_enforced",
    Outcome.NOT_ATTEMPTED: "contract.schema_invalid",
}
COMPLAINT = Finding(
    Severity.ERROR, "schema.type", "$.a: expected integer, got text", suggestion="Write it without quotes: 1.",
    evidence=FrozenDict(path="$.a"),
)  # fmt: skip
HOSTILE = {
    "markup": "</failure><testcase name='x'/>",
    "an end of characters": "]]>",
    "quotes": "\"'&<>",
    "control characters": "\x00\x01\x1b[31m\x7f\x85",
    "no text": "\ud800",
    "hidden": "a\u202eb\u200bc\ufeff",
    "no characters": "\ufffe\uffff",
    "lines": "a\nb\r\n\tc",
    "a link": "[click](https://example.com)",
    "a path out": "../../etc/passwd",
    "a scheme": "javascript:alert(1)",
    "a host": "//example.com/x",
}


def judged(outcome: Outcome, name: str = "out.json", findings: tuple[Finding, ...] = ()) -> Judged:
    decision = decide(outcome, CONSTRAINTS[outcome])
    proof = "sha256:" + "0" * 64 if outcome in {Outcome.PROVED, Outcome.TESTED} else None
    fields = FrozenDict(decision.developer_fields())
    verdict = DiagnosticResult(decision.status, decision.agent_message, fields, proof)
    return Judged(name, verdict, findings, "contract task v1")


def test_a_suite_counts_what_is_not_green():
    every = [judged(outcome) for outcome in Outcome]
    suite = ElementTree.fromstring(junit_xml("probatum check", every))[0]
    assert {key: suite.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "2",
        "errors": "1",
    }
    assert [[child.tag for child in case] for case in suite] == [["failure"], ["error"], ["failure"], [], []]


def test_a_failure_tells_every_complaint():
    root = ElementTree.fromstring(junit_xml("s", [judged(Outcome.REFUTED, findings=(COMPLAINT, COMPLAINT))]))
    [failure] = root.iter("failure")
    assert failure.get("type") == "contract.violated"
    assert failure.text == "\n".join(["error: $.a: expected integer, got text. Write it without quotes: 1."] * 2)


def test_a_log_has_what_the_format_requires():
    log = json.loads(sarif_log([judged(Outcome.REFUTED, findings=(COMPLAINT,))], 1))
    assert (log["version"], log["$schema"][:8]) == ("2.1.0", "https://")
    [run] = log["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert run["tool"]["driver"]["name"] == "probatum"
    assert rules == ["contract.violated", "schema.type"]
    assert run["invocations"] == [{"executionSuccessful": True, "exitCode": 1}]
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        assert result["message"]["text"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "out.json"
    assert run["results"][1]["locations"][0]["logicalLocations"] == [{"fullyQualifiedName": "$.a", "kind": "member"}]


@pytest.mark.parametrize("outcome", Outcome)
def test_only_a_refutation_fails_and_only_a_proof_passes(outcome: Outcome):
    [run] = json.loads(sarif_log([judged(outcome)], 0))["runs"]
    [result] = run["results"] or run["properties"]["established"]
    kind, level = result["kind"], result["level"]
    assert (kind == "pass") == (outcome in {Outcome.PROVED, Outcome.TESTED})
    assert (kind == "fail") == (outcome is Outcome.REFUTED)
    assert level == ("error" if kind == "fail" else "none")
    assert run["invocations"][0]["executionSuccessful"] == (outcome is not Outcome.NOT_ATTEMPTED)


def test_a_place_in_the_text_is_a_region():
    finding = Finding(Severity.ERROR, "output.not_json", "It is not.", Location(3, 4))
    [run] = json.loads(sarif_log([judged(Outcome.REFUTED, findings=(finding,))], 1))["runs"]
    region = run["results"][1]["locations"][0]["physicalLocation"]["region"]
    assert region == {"startLine": 3, "startColumn": 5}


def test_the_agent_sees_the_sentence_alone():
    secret = judged(Outcome.REFUTED, findings=(COMPLAINT,))
    for text in (junit_xml("s", [secret], Layer.AGENT), sarif_log([secret], 1, Layer.AGENT)):
        assert "The output does not satisfy its contract." in text
        assert "expected" not in text
        assert "contract.violated" not in text


def test_only_the_proof_layer_tells_the_reference():
    proved = [judged(Outcome.PROVED)]
    assert "sha256:" in sarif_log(proved, 0)
    assert "sha256:" not in sarif_log(proved, 0, Layer.DEVELOPER)


def assert_harmless(text: str) -> None:
    finding = Finding(Severity.ERROR, "kind", f"said {text}", suggestion=text, evidence=FrozenDict(path=text))
    subjects = [judged(Outcome.REFUTED, text, (finding,))]
    xml = junit_xml(text, subjects)
    root = ElementTree.fromstring(xml.encode("utf-8"))
    assert [each.tag for each in root.iter()] == ["testsuites", "testsuite", "testcase", "failure"]
    assert all(
        character in "\n" or character.isprintable() or unicodedata.category(character) == "Zs" for character in xml
    )
    log = sarif_log(subjects, 1)
    assert all(map(is_seen, log.split("\n")))
    results = json.loads(log)["runs"][0]["results"]
    message = results[1]["message"]["text"]
    assert "](" not in message
    uri = results[1]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri.removeprefix("file:///")) & set(' "<>\\^`{|}:')
    assert not uri.startswith("//")


@pytest.mark.parametrize("name", HOSTILE)
def test_text_of_a_subject_is_never_markup(name: str):
    assert_harmless(HOSTILE[name])


@given(st.text())
def test_any_text_is_harmless(text: str):
    assert_harmless(text)
