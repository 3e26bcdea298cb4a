"""Answers of earlier engines, as verdicts that establish nothing.

An answer without a status counts by ``is_correct`` False or 0, or by nothing at all; with an error it is BLOCKED.
Refuses everything else, above all VERIFIED and ``is_correct`` True: those engines kept no evidence that a proof could
refer to. What an engine said goes to the developer layer, never into the agent's sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Decision, Outcome, decide
from probatum.core.tagged import tagged

_NOT_ESTABLISHED: Final = ("CORRECTION_NEEDED", "INCONCLUSIVE", "NOT_EQUIVALENT", "DISPROVEN")
_NOT_ATTEMPTED: Final = ("ERROR", "SYNTAX_ERROR", "BLOCKED")
_ADVICE: Final = "Verify again and use DiagnosticResult.verified() with the evidence."


def read_legacy(data: Mapping[str, object], engine: str) -> Decision:
    """Return what an earlier engine's answer amounts to.

    Raises:
        ValueError: it claims success, or it is not a known answer.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"an engine's answer must be an object, got {type(data).__name__}")
    if type(engine) is not str or not engine.strip():
        raise ValueError(f"the engine needs a name, got {engine!r}")
    fields = {"engine": engine, "legacy": {str(key): _plain(value) for key, value in data.items()}}
    if _was_attempted(data):
        return decide(Outcome.UNDECIDED, "legacy.not_established", fields=fields)
    return decide(Outcome.NOT_ATTEMPTED, "legacy.not_attempted", fields=fields)


def _was_attempted(data: Mapping[str, object]) -> bool:
    if "status" in data:
        status = data["status"]
        if status == "VERIFIED":
            raise ValueError(f"a VERIFIED of an earlier engine has no evidence behind it. {_ADVICE}")
        known = (*_NOT_ESTABLISHED, *_NOT_ATTEMPTED)
        if not isinstance(status, str) or status not in known:
            raise ValueError(f"unknown legacy status {repr(status)[:80]}; known are {', '.join(known)}")
        return status in _NOT_ESTABLISHED
    correct = data.get("is_correct", False)
    if type(correct) not in {bool, int} or correct not in {0, 1}:
        raise ValueError(f"is_correct must be True or False, got {repr(correct)[:80]}")
    if correct:
        raise ValueError(f"is_correct of an earlier engine has no evidence behind it. {_ADVICE}")
    return not data.get("error")


def _plain(value: object) -> JsonValue:
    # An engine may hand over any object. Its repr could tell anything, so only its type is kept.
    try:
        plain = tagged(value)
        canonical_bytes(plain)
    except ValueError:
        return {"$object": type(value).__name__}
    return plain
