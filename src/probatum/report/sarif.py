"""SARIF 2.1.0 for code scanners: every finding with its place in the subject, and the verdict itself.

The verdict is a result of its own, so that a log without findings still says what was established, and the log of an
undecided subject is never empty. Text of a subject is never markup: messages are plain text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final
from urllib.parse import quote

from probatum.core.decision import Outcome
from probatum.core.disclosure import Layer
from probatum.core.finding import Finding, Severity
from probatum.core.outside import json_text, visible_lines
from probatum.core.version import __version__
from probatum.report.judged import Judged, outcome_of, said, told

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION: Final = "2.1.0"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_KINDS: Final = {
    **dict.fromkeys((Outcome.PROVED, Outcome.TESTED), "pass"),
    Outcome.REFUTED: "fail",
    **dict.fromkeys((Outcome.UNDECIDED, Outcome.NOT_ATTEMPTED), "open"),
}
_WITHHELD_RULE: Final = "verdict"
Json = dict[str, object]


def sarif_log(judged: Sequence[Judged], exit_code: int, layer: Layer = Layer.PROOF) -> str:
    """Return a log of these subjects as JSON text that ends with a line break."""
    results = [result for each in judged for result in (_verdict(each, layer), *_findings(each, layer))]
    rules = list(dict.fromkeys(result["ruleId"] for result in results))
    for result in results:
        result["ruleIndex"] = rules.index(result["ruleId"])
    driver: Json = {"name": "probatum", "version": __version__, "rules": [{"id": rule} for rule in rules]}
    stopped = [each for each in judged if outcome_of(each.verdict) is Outcome.NOT_ATTEMPTED]
    invocation: Json = {"executionSuccessful": not stopped, "exitCode": exit_code}
    if stopped:
        invocation["toolExecutionNotifications"] = [
            {"level": "error", "message": {"text": _plain(f"{each.name}: {each.verdict.agent_message}")}}
            for each in stopped
        ]
    head: Json = {"tool": {"driver": driver}, "invocations": [invocation], "columnKind": "unicodeCodePoints"}
    run = {**head, "results": results}
    return json_text({"$schema": SCHEMA, "version": VERSION, "runs": [run]}, indent=2) + "\n"


def _verdict(judged: Judged, layer: Layer) -> Json:
    verdict, outcome = judged.verdict, outcome_of(judged.verdict)
    kind = _KINDS[outcome]
    properties: Json = {"status": verdict.status.value}
    if layer is not Layer.AGENT:
        properties["outcome"] = outcome.value
    if layer is Layer.PROOF and verdict.proof_ref is not None:
        properties["proofRef"] = verdict.proof_ref
    return {
        "ruleId": _WITHHELD_RULE if layer is Layer.AGENT else verdict.constraint_id or _WITHHELD_RULE,
        "kind": kind,
        "level": "error" if kind == "fail" else "none",
        "message": {"text": _plain(verdict.agent_message)},
        "locations": [_location(judged.name, None)],
        "properties": properties,
    }


def _findings(judged: Judged, layer: Layer) -> Iterator[Json]:
    for finding in told(judged, layer):
        yield {
            "ruleId": finding.kind,
            "level": _LEVELS[finding.severity],
            "message": {"text": _plain(said(finding))},
            "locations": [_location(judged.name, finding)],
        }


def _location(name: str, finding: Finding | None) -> Json:
    physical: Json = {"artifactLocation": {"uri": _uri(name)}}
    location: Json = {"physicalLocation": physical}
    if finding is None:
        return location
    if finding.location is not None:
        # SARIF counts lines and columns from 1.
        start = {"startLine": max(1, finding.location.line), "startColumn": finding.location.column + 1}
        physical["region"] = start
    path = finding.evidence.get("path")
    if isinstance(path, str):
        location["logicalLocations"] = [{"fullyQualifiedName": _plain(path), "kind": "member"}]
    return location


def _uri(name: str) -> str:
    """Return the reference to a file: a relative one stays so, and nothing in a name becomes a scheme or a host."""
    scheme = "file://" if name.startswith("/") else ""
    path = f"/{name.lstrip('/')}" if scheme else name
    return scheme + quote(path.encode("utf-8", "backslashreplace"), safe="/")


def _plain(text: str) -> str:
    """Return text that shows as it is: nothing is hidden, and nothing is a placeholder or a link."""
    return visible_lines(text).replace("{", "{{").replace("}", "}}").replace("](", "] (")
