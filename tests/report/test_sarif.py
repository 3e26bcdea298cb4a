"""SARIF logs: what becomes a result, in which place, and how it is known again in a later log."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.disclosure import Layer
from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import FrozenDict
from probatum.core.messages import built_in_sentences
from probatum.report.judged import Judged
from probatum.report.sarif import HOME, sarif_log

CONSTRAINTS = {
    Outcome.PROVED: "contract.satisfied",
    Outcome.TESTED: "contract.checks_passed",
    Outcome.REFUTED: "contract.violated",
    Outcome.UNDECIDED: "program.weak_checks",
    Outcome.NOT_ATTEMPTED: "contract.schema_invalid",
}
LEVELS = {"none", "note", "warning", "error"}
KINDS = {"pass", "open", "fail"}
Json = dict[str, Any]


def judged(outcome: Outcome, name: str = "shop.py", *findings: Finding, line: int = 0, told_line: int = 0) -> Judged:
    decision = decide(outcome, CONSTRAINTS[outcome], {"name": name.partition(".")[0]})
    fields = {**decision.developer_fields(), **({"line": told_line} if told_line else {})}
    proof = "sha256:" + "0" * 64 if outcome in {Outcome.PROVED, Outcome.TESTED} else None
    verdict = DiagnosticResult(decision.status, decision.agent_message, FrozenDict(fields), proof)
    return Judged(name, verdict, findings, line=line)


def file_of(*parts: Judged, **fields: Any) -> Judged:
    weakest = min(parts, key=lambda part: Outcome(part.verdict.outcome or "undecided").rank)
    found = tuple(finding for part in parts for finding in part.findings)
    return Judged("shop.py", weakest.verdict, found, parts=parts, **fields)


def found(severity: Severity, message: str = "seen", line: int = 0, kind: str = "program.survivor") -> Finding:
    return Finding(severity, kind, message, Location(line, name="f") if line else None)


def run_of(*subjects: Judged, layer: Layer = Layer.PROOF) -> Json:
    log = json.loads(sarif_log(subjects, 0, layer))
    assert_valid(log)
    [run] = log["runs"]
    return dict(run)


def assert_valid(log: Json) -> None:
    """Hold a log against what the standard demands of the objects that it has."""
    assert set(log) == {"$schema", "version", "runs"}
    [run] = log["runs"]
    assert set(run) <= {"tool", "automationDetails", "invocations", "columnKind", "results", "properties"}
    assert run["columnKind"] in {"unicodeCodePoints", "utf16CodeUnits"}
    driver = run["tool"]["driver"]
    assert set(driver) == {"name", "version", "informationUri", "rules"}
    rules = [rule["id"] for rule in driver["rules"]]
    assert len(set(rules)) == len(rules)
    for rule in driver["rules"]:
        # What GitHub demands beyond the standard, and shows of a rule.
        assert all(0 < len(rule[key]["text"]) <= 1024 for key in ("shortDescription", "fullDescription", "help"))
    for invocation in run["invocations"]:
        for each in invocation.get("toolExecutionNotifications", ()):
            assert set(each) == {"level", "message", "locations"}
            assert_place(each)
    established = run.get("properties", {}).get("established", [])
    for result in (*run["results"], *established):
        assert set(result) <= {
            "ruleId", "ruleIndex", "kind", "level", "message", "locations", "properties", "partialFingerprints",
        }  # fmt: skip
        assert result.get("kind", "fail") in KINDS
        assert result["level"] in LEVELS
        assert (result["level"] == "none") == (result.get("kind", "fail") != "fail")
        assert_place(result)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
    marks = [result["partialFingerprints"]["probatum/v1"] for result in run["results"]]
    assert len(set(marks)) == len(marks)
    assert {result["kind"] for result in established} <= {"pass"}


def assert_place(result: Json) -> None:
    assert result["message"].keys() == {"text"}
    assert result["message"]["text"]
    [place] = result["locations"]
    physical = place["physicalLocation"]
    assert re.fullmatch(r"(?:file:///)?[\w.%/~-]+", physical["artifactLocation"]["uri"])
    assert all(type(each) is int and each >= 1 for each in physical.get("region", {}).values())


def places_of(results: list[Json]) -> list[tuple[str | int, ...]]:
    """Return rule, function and line of each."""
    told = []
    for result in results:
        [place] = result["locations"]
        names = [each["fullyQualifiedName"] for each in place.get("logicalLocations", ())]
        told.append((result["ruleId"], *names, place["physicalLocation"].get("region", {}).get("startLine", 0)))
    return told


def marks_of(*subjects: Judged) -> list[str]:
    return [result["partialFingerprints"]["probatum/v1"] for result in run_of(*subjects)["results"]]


@pytest.mark.parametrize("outcome", [Outcome.PROVED, Outcome.TESTED])
def test_what_holds_is_told_and_makes_no_alert(outcome: Outcome) -> None:
    run = run_of(judged(outcome, "shop.py", found(Severity.INFO)))
    assert run["results"] == run["tool"]["driver"]["rules"] == []
    [told] = run["properties"]["established"]
    assert (told["kind"], told["level"], told["ruleId"]) == ("pass", "none", CONSTRAINTS[outcome])
    assert told["properties"]["proofRef"].startswith("sha256:")
    assert told["message"]["text"]


def test_a_warning_about_what_holds_is_a_result() -> None:
    [result] = run_of(judged(Outcome.PROVED, "shop.py", found(Severity.WARNING)))["results"]
    assert result["level"] == "warning"


def test_nothing_judged_is_a_log() -> None:
    assert run_of()["results"] == []


def test_each_function_has_its_verdict() -> None:
    refuted = judged(Outcome.REFUTED, "f", found(Severity.ERROR, line=4), line=2)
    undecided = judged(Outcome.UNDECIDED, "g", found(Severity.INFO, line=12), line=10)
    run = run_of(file_of(refuted, undecided, judged(Outcome.TESTED, "h", line=20)))
    assert places_of(run["results"]) == [
        ("contract.violated", "f", 2),
        ("program.survivor", "f", 4),
        ("program.weak_checks", "g", 10),
        ("program.survivor", "g", 12),
    ]
    assert [result["level"] for result in run["results"]] == ["error", "error", "none", "note"]
    assert places_of(run["properties"]["established"]) == [("contract.checks_passed", "h", 20)]


def test_what_the_parts_do_not_tell_is_told_of_the_file() -> None:
    part = judged(Outcome.TESTED, "f", line=2)
    weaker = replace(file_of(part), verdict=judged(Outcome.UNDECIDED).verdict)
    assert places_of(run_of(weaker)["results"]) == [("program.weak_checks", 0)]
    more = replace(file_of(part), findings=(found(Severity.WARNING, line=7),))
    assert places_of(run_of(more)["results"]) == [("program.survivor", "f", 7)]


@pytest.mark.parametrize(("layer", "line"), [(Layer.PROOF, 9), (Layer.DEVELOPER, 9), (Layer.AGENT, 0)])
def test_a_verdict_without_a_place_takes_one(layer: Layer, line: int) -> None:
    named = judged(Outcome.REFUTED, told_line=9)
    first = judged(Outcome.REFUTED, "shop.py", found(Severity.ERROR), found(Severity.ERROR, "b", 9))
    for subject in (named, first):
        result = run_of(subject, layer=layer)["results"][0]
        assert places_of([result])[0][-1] == line


def test_what_could_not_be_attempted_is_a_notification_too() -> None:
    run = run_of(file_of(judged(Outcome.NOT_ATTEMPTED, "f", line=3)))
    [invocation] = run["invocations"]
    assert invocation["executionSuccessful"] is False
    [told] = invocation["toolExecutionNotifications"]
    [result] = run["results"]
    assert (told["level"], told["message"], told["locations"]) == ("error", result["message"], result["locations"])


def test_a_fingerprint_stays_while_lines_move() -> None:
    def at(line: int) -> Judged:
        message = f"no check kills this mutant: line {line} uses 3 (see lines {line}, {line + 1} and {line + 9})"
        return file_of(judged(Outcome.UNDECIDED, "f", found(Severity.INFO, message, line), line=line))

    assert marks_of(at(3)) == marks_of(at(4000))


def test_a_fingerprint_tells_things_apart() -> None:
    def mark(text: str = "uses 3", name: str = "f", path: str = "a.py", kind: str = "program.survivor") -> str:
        part = judged(Outcome.UNDECIDED, name, found(Severity.INFO, text, 3, kind))
        return marks_of(file_of(part, path=path))[1]

    assert len({mark(), mark("uses 4"), mark(name="g"), mark(path="line 3/a.py"), mark(kind="program.open")}) == 5
    assert mark(path="line 3/a.py") != mark(path="line 4/a.py")
    assert mark("uses   3") == mark()


def test_results_that_only_a_line_tells_apart_are_numbered() -> None:
    same = [found(Severity.INFO, f"line {line} is left out", line) for line in (3, 4)]
    _, first, second = marks_of(file_of(judged(Outcome.UNDECIDED, "f", *same)))
    assert (first[-2:], second[-2:]) == (":1", ":2")
    assert first[:-2] == second[:-2]


@pytest.mark.parametrize(
    ("path", "uri"),
    [("a b/shop.py", "a%20b/shop.py"), ("/tmp/shop.py", "file:///tmp/shop.py"), ("", "shop.py")],
)
def test_a_place_is_the_path_of_the_file(path: str, uri: str) -> None:
    [result] = run_of(replace(judged(Outcome.REFUTED), path=path))["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"] == {"uri": uri}


def test_rules_have_the_sentence_of_their_constraint() -> None:
    subject = judged(Outcome.UNDECIDED, "f", found(Severity.INFO), found(Severity.ERROR, kind="schema.type"))
    rules = {rule["id"]: rule["shortDescription"]["text"] for rule in run_of(subject)["tool"]["driver"]["rules"]}
    sentence = built_in_sentences()["program.weak_checks"].replace("{name}", "The subject")
    assert rules == {
        "program.weak_checks": sentence,
        "program.survivor": "Remark: survivor",
        "schema.type": "A check fails: type",
    }


def test_braces_are_shown_as_they_are() -> None:
    [_, result] = run_of(judged(Outcome.REFUTED, "shop.py", found(Severity.ERROR, "f({'a': 1}) gives {0}")))["results"]
    assert result["message"] == {"text": "f({'a': 1}) gives {0}"}


def test_the_run_is_one_of_a_category_and_the_address_is_public() -> None:
    run = run_of()
    assert run["automationDetails"] == {"id": "probatum/"}
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert run["tool"]["driver"]["informationUri"] == HOME == project["urls"]["Documentation"]
