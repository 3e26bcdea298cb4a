"""Answers of earlier engines, as verdicts that establish nothing.

| the engine answered                                        | status       |
|------------------------------------------------------------|--------------|
| CORRECTION_NEEDED, INCONCLUSIVE, NOT_EQUIVALENT, DISPROVEN | UNVERIFIABLE |
| ERROR, SYNTAX_ERROR, BLOCKED                               | BLOCKED      |
| no status, ``is_correct`` False or 0, or nothing at all    | UNVERIFIABLE |
| the same with an error                                     | BLOCKED      |

Refuses everything else, above all VERIFIED and ``is_correct`` True: those engines kept no evidence, so there is nothing
that a proof could refer to. What an engine said goes to the developer layer, never into the agent's sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import DiagnosticStatus, Outcome, decide
from probatum.core.tagged import tagged

_STATUS_OF: Final[Mapping[str, DiagnosticStatus]] = {
    "CORRECTION_NEEDED": DiagnosticStatus.UNVERIFIABLE,
    "INCONCLUSIVE": DiagnosticStatus.UNVERIFIABLE,
    "NOT_EQUIVALENT": DiagnosticStatus.UNVERIFIABLE,
    "DISPROVEN": DiagnosticStatus.UNVERIFIABLE,
    "ERROR": DiagnosticStatus.BLOCKED,
    "SYNTAX_ERROR": DiagnosticStatus.BLOCKED,
    "BLOCKED": DiagnosticStatus.BLOCKED,
}
_ADVICE: Final = "Verify again and use DiagnosticResult.verified() with the evidence."


@dataclass(frozen=True, slots=True)
class LegacyVerdict:
    """What an earlier engine's answer amounts to."""

    status: DiagnosticStatus
    agent_message: str
    developer_fields: dict[str, object]


def read_legacy(data: Mapping[str, object], engine: str) -> LegacyVerdict:
    """Return what an earlier engine's answer amounts to.

    Raises:
        ValueError: it claims success, or it is no known answer.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"an engine's answer must be an object, got {type(data).__name__}")
    if type(engine) is not str or not engine.strip():
        raise ValueError(f"the engine needs a name, got {engine!r}")
    if _status_of(data) is DiagnosticStatus.BLOCKED:
        decision = decide(Outcome.NOT_ATTEMPTED, "legacy.not_attempted")
    else:
        decision = decide(Outcome.UNDECIDED, "legacy.not_established")
    answer = {str(key): _plain(value) for key, value in data.items()}
    fields = {**decision.developer_fields(), "engine": engine, "legacy": answer}
    return LegacyVerdict(decision.status, decision.agent_message, fields)


def _status_of(data: Mapping[str, object]) -> DiagnosticStatus:
    if "status" in data:
        status = data["status"]
        if status == "VERIFIED":
            raise ValueError(f"a VERIFIED of an earlier engine has no evidence behind it. {_ADVICE}")
        if not isinstance(status, str) or status not in _STATUS_OF:
            shown = repr(status)[:80]
            raise ValueError(f"unknown legacy status {shown}; known are {', '.join(_STATUS_OF)}")
        return _STATUS_OF[status]
    correct = data.get("is_correct", False)
    if type(correct) not in {bool, int} or correct not in {0, 1}:
        raise ValueError(f"is_correct must be True or False, got {repr(correct)[:80]}")
    if correct:
        raise ValueError(f"is_correct of an earlier engine has no evidence behind it. {_ADVICE}")
    return DiagnosticStatus.BLOCKED if data.get("error") else DiagnosticStatus.UNVERIFIABLE


def _plain(value: object) -> JsonValue:
    try:
        plain = tagged(value)
        canonical_bytes(plain)
    except ValueError:
        return {"$object": type(value).__name__}
    return plain
