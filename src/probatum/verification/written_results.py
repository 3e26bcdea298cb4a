"""A result as JSON bytes and back: how an answer travels between processes, and never as code.

What is read back says the same as what was written, except that its evidence is JSON: bytes are text, tuples lists.
Refuses everything that was not written here: other keys, other types, what does not fit together.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final

from probatum.core.finding import Finding, Location, Severity
from probatum.core.frozen import frozen_dict
from probatum.verification.evidence import jsonable
from probatum.verification.results import (
    Fault,
    VerificationResult,
    VerificationStatus,
    verification_result_to_dict,
)

_KEYS: Final = {
    "status",
    "verifier_id",
    "summary",
    "evidence",
    "errors",
    "warnings",
    "elapsed_seconds",
    "could_have_failed",
    "findings",
}
_FINDING_KEYS: Final = {"severity", "kind", "message", "location", "suggestion", "evidence"}


def write_result(result: VerificationResult) -> bytes:
    """Return a result as JSON."""
    row = {
        **verification_result_to_dict(result),
        "could_have_failed": result.could_have_failed,
        "findings": [_finding_row(finding) for finding in result.findings],
    }
    return json.dumps(row, allow_nan=False).encode()


def _finding_row(finding: Finding) -> dict[str, object]:
    place = finding.location
    return {
        "severity": finding.severity.value,
        "kind": jsonable(finding.kind),
        "message": jsonable(finding.message),
        "location": None if place is None else [place.line, place.column, jsonable(place.name)],
        "suggestion": jsonable(finding.suggestion),
        "evidence": jsonable(finding.evidence),
    }


def read_result(content: bytes) -> VerificationResult:
    """Return the result that was written.

    Raises:
        ValueError: the bytes are not what `write_result` writes.
    """
    try:
        row = json.loads(content)
    except RecursionError as error:
        raise ValueError("the answer is nested too deep") from error
    if not isinstance(row, dict) or set(row) - {"fault"} != _KEYS:
        raise ValueError("the answer is no written result")
    evidence, findings = row["evidence"], row["findings"]
    if not isinstance(evidence, dict) or not isinstance(findings, list):
        raise ValueError("the answer is no written result")
    return VerificationResult(
        VerificationStatus(row["status"]),
        row["verifier_id"],
        row["summary"],
        evidence,
        row["errors"],
        row["warnings"],
        row["elapsed_seconds"],
        Fault(row["fault"]) if "fault" in row else None,
        row["could_have_failed"],
        tuple(_finding(each) for each in findings),
    )


def _finding(row: object) -> Finding:
    if not isinstance(row, dict) or set(row) != _FINDING_KEYS or not isinstance(row["evidence"], dict):
        raise ValueError("a finding of the answer is not a written one")
    return Finding(
        Severity(row["severity"]),
        _text(row, "kind"),
        _text(row, "message"),
        _location(row["location"]),
        _text(row, "suggestion"),
        frozen_dict(row["evidence"]),
    )


def _location(row: object) -> Location | None:
    if row is None:
        return None
    if not isinstance(row, list) or [type(each) for each in row] != [int, int, str]:
        raise ValueError("a place in the answer is not a written one")
    return Location(*row)


def _text(row: Mapping[str, object], key: str) -> str:
    value = row[key]
    if type(value) is not str:
        raise ValueError(f"a finding's {key} is no text")
    return value
