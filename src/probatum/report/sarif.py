"""SARIF 2.1.0 for code scanners: what is not VERIFIED, function by function, and every finding, each in its place.

Scanners make an alert of every result, whatever its ``kind``. So what is VERIFIED is no result: the run's property
``established`` lists it, and a log without results still says what was established. A message is plain text without
arguments: viewers show such a text as it is, so that braces stand alone. Refuses to make markup of a subject's text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import quote

from probatum.core.decision import Outcome
from probatum.core.digest import digest_of
from probatum.core.disclosure import Layer
from probatum.core.finding import Finding, Location, Severity
from probatum.core.messages import built_in_sentences
from probatum.core.outside import json_text, visible_lines
from probatum.core.version import __version__
from probatum.report.judged import Judged, outcome_of, said, told

SCHEMA: Final = "https://json.schemastore.org/sarif-2.1.0.json"
VERSION: Final = "2.1.0"
HOME: Final = "https://probatum.github.io/probatum/"
RUN_ID: Final = "probatum/"
"""A category without a run: the next log of a commit takes the place of this one."""
FINGERPRINT: Final = "probatum/v1"
ESTABLISHED: Final = "established"
_LEVELS: Final = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.INFO: "note"}
_TITLES: Final = {Severity.ERROR: "A check fails", Severity.WARNING: "Worth a look", Severity.INFO: "Remark"}
_KINDS: Final = {
    **dict.fromkeys((Outcome.PROVED, Outcome.TESTED), "pass"),
    Outcome.REFUTED: "fail",
    **dict.fromkeys((Outcome.UNDECIDED, Outcome.NOT_ATTEMPTED), "open"),
}
_WITHHELD_RULE: Final = "verdict"
_WITHHELD_SENTENCE: Final = "What was asked for is not established."
_LINE: Final = re.compile(r"(?<=\bline )\d+|(?<=\bcolumn )\d+|(?<=\blines )\d+(?:(?:, | and | to )\d+)*")
Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class _Unit:
    """What has one verdict: a named part of a subject, or a subject."""

    judged: Judged
    uri: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class _Result:
    """One result, what identifies it beside its rule, and a sentence about the rule."""

    rule: str
    content: Json
    identity: tuple[str, ...]
    sentence: str


def sarif_log(judged: Sequence[Judged], exit_code: int, layer: Layer = Layer.PROOF) -> str:
    """Return a log of these subjects as JSON text that ends with a line break."""
    results, established, stopped = list[_Result](), list[Json](), list[Json]()
    for unit in (unit for subject in judged for unit in _units(subject)):
        verdict, outcome = _verdict(unit, layer), outcome_of(unit.judged.verdict)
        # Nobody has to act on a remark about what is VERIFIED.
        passes = _KINDS[outcome] == "pass"
        findings = [found for found in told(unit.judged, layer) if not passes or found.severity is not Severity.INFO]
        if passes:
            established.append({"ruleId": verdict.rule, **verdict.content})
        results += [*([] if passes else [verdict]), *(_finding(unit, found) for found in findings)]
        if outcome is Outcome.NOT_ATTEMPTED:
            stopped.append({"level": "error", **{key: verdict.content[key] for key in ("message", "locations")}})
    rules = dict[str, Json]()
    for each in results:
        rules.setdefault(each.rule, _rule(each))
    driver: Json = {"name": "probatum", "version": __version__, "informationUri": HOME, "rules": [*rules.values()]}
    invocation: Json = {"executionSuccessful": not stopped, "exitCode": exit_code}
    if stopped:
        invocation["toolExecutionNotifications"] = stopped
    run: Json = {
        "tool": {"driver": driver},
        "automationDetails": {"id": RUN_ID},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [*_identified(results, [*rules])],
    }
    if established:
        run["properties"] = {ESTABLISHED: established}
    return json_text({"$schema": SCHEMA, "version": VERSION, "runs": [run]}, indent=2) + "\n"


def _units(judged: Judged) -> Iterator[_Unit]:
    """Yield the parts of a subject, and before them what neither their verdicts nor their findings tell."""
    uri, parts = _uri(judged.path or judged.name), judged.parts
    inner = {_key(finding) for part in parts for finding in part.findings}
    own = tuple(each for each in judged.findings if _key(each) not in inner)
    weaker = all(outcome_of(judged.verdict).rank < outcome_of(part.verdict).rank for part in parts)
    if weaker or own:
        yield _Unit(replace(judged, findings=own), uri)
    yield from (_Unit(part, uri, part.name) for part in parts)


def _key(finding: Finding) -> tuple[str, str, Location | None]:
    return finding.kind, finding.message, finding.location


def _verdict(unit: _Unit, layer: Layer) -> _Result:
    verdict, outcome = unit.judged.verdict, outcome_of(unit.judged.verdict)
    properties: Json = {"status": verdict.status.value}
    rule, sentence, line = _WITHHELD_RULE, _WITHHELD_SENTENCE, unit.judged.line
    if layer is not Layer.AGENT:
        properties["outcome"] = outcome.value
        rule, sentence = verdict.constraint_id or rule, verdict.agent_message
        own = (each for each in unit.judged.findings if "file" not in each.evidence)
        places = (each.location.line for each in own if each.location is not None)
        named = verdict.developer_fields.get("line")
        line = line or (named if type(named) is int else 0) or next(places, 0)
    if layer is Layer.PROOF and verdict.proof_ref is not None:
        properties["proofRef"] = verdict.proof_ref
    kind = _KINDS[outcome]
    return _Result(
        rule,
        {
            **_suppressed(unit),
            "kind": kind,
            "level": "error" if kind == "fail" else "none",
            "message": {"text": _plain(verdict.agent_message)},
            "locations": [_location(unit.uri, Location(line) if line > 0 else None, unit.name)],
            "properties": properties,
        },
        (unit.uri, unit.name, verdict.agent_message),
        sentence,
    )


def _suppressed(unit: _Unit) -> Json:
    """Return what keeps a result that a baseline knows from being an alert."""
    told = {"kind": "external", "status": "accepted", "justification": "The baseline knows it."}
    return {"suppressions": [told]} if unit.judged.is_known else {}


def _finding(unit: _Unit, finding: Finding) -> _Result:
    place, path = finding.location, finding.evidence.get("path")
    # A path leads to a place inside a value; a name is that of a function.
    inside = path if isinstance(path, str) else ""
    name = inside or unit.name or (place.name if place is not None else "")
    # What is found in one of several files says in which.
    file = finding.evidence.get("file")
    uri = _uri(file) if isinstance(file, str) else unit.uri
    return _Result(
        finding.kind,
        {
            **_suppressed(unit),
            "level": _LEVELS[finding.severity],
            "message": {"text": _plain(said(finding))},
            "locations": [_location(uri, place, name, kind="member" if inside else "")],
        },
        (uri, name, finding.message),
        f"{_TITLES[finding.severity]}: {finding.kind.rpartition('.')[2].replace('_', ' ')}",
    )


def _rule(result: _Result) -> Json:
    """Return a rule with the sentence of its constraint, without what the sentence counts or names."""
    known = built_in_sentences().get(result.rule, "").replace("{name}", "the subject")
    sentence = _plain(result.sentence if not known or "{" in known else f"{known[0].upper()}{known[1:]}")
    return {"id": result.rule, **{key: {"text": sentence} for key in ("shortDescription", "fullDescription", "help")}}


def _identified(results: Sequence[_Result], rules: Sequence[str]) -> Iterator[Json]:
    """Yield each result with its rule and its fingerprint; of those that nothing but a line tells apart, numbered."""
    seen = Counter[str]()
    for each in results:
        *names, text = each.identity
        digest = digest_of(json_text([each.rule, *names, _LINE.sub("", " ".join(text.split()))]).encode())
        seen[digest] += 1
        fingerprints = {FINGERPRINT: f"{digest}:{seen[digest]}"}
        head: Json = {"ruleId": each.rule, "ruleIndex": rules.index(each.rule)}
        yield {**head, **each.content, "partialFingerprints": fingerprints}


def _location(uri: str, place: Location | None, name: str, kind: str = "") -> Json:
    physical: Json = {"artifactLocation": {"uri": uri}}
    if place is not None:
        # SARIF counts lines and columns from 1.
        physical["region"] = {"startLine": max(1, place.line), "startColumn": place.column + 1}
    location: Json = {"physicalLocation": physical}
    if name:
        location["logicalLocations"] = [{"fullyQualifiedName": _plain(name), **({"kind": kind} if kind else {})}]
    return location


def _uri(name: str) -> str:
    """Return the reference to a file: a relative one stays so, and nothing in a name becomes a scheme or a host."""
    scheme = "file://" if name.startswith("/") else ""
    path = f"/{name.lstrip('/')}" if scheme else name
    return scheme + quote(path.encode("utf-8", "backslashreplace"), safe="/")


def _plain(text: str) -> str:
    """Return text that shows as it is: nothing is hidden, and nothing is a link."""
    return visible_lines(text).replace("](", "] (")
