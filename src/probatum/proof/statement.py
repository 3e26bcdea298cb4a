"""What is signed about a verdict: an in-toto statement that binds subject, contract, evidence and every field of it.

Two statements are made of one verdict. The *verdict statement* carries a predicate of our own. The *summary* carries
the predicate Simple Verification Result, which tools that know nothing of probatum read. Source: in-toto Attestation
Framework, Statement version 1; predicate https://in-toto.io/attestation/svr/v0.1. Nothing is stated that is not in the
artifact.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes, parse_canonical
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError
from probatum.core.shape import Shape, shown
from probatum.proof.artifact import Artifact

STATEMENT: Final = "https://in-toto.io/Statement/v1"
VERDICT: Final = "urn:probatum:predicate:verdict:v1"
SUMMARY: Final = "https://in-toto.io/attestation/svr/v0.1"
TIME_FORMAT: Final = "%Y-%m-%dT%H:%M:%SZ"


def require_bound(result: DiagnosticResult, artifact: Artifact, content: bytes) -> None:
    """Raise IntegrityError unless this very artifact is the evidence of this very verdict, field for field.

    ``content`` are the bytes that the artifact was read from. Advice is left out: it decides nothing.
    """
    if result.proof_ref != digest_of(content):
        raise _unbound("the proof reference", str(result.proof_ref), digest_of(content))
    recorded, told = artifact.decision, without_advice(result)
    for name in ("status", "agent_message", "developer_fields"):
        if canonical_bytes(recorded[name]) != canonical_bytes(told[name]):
            raise _unbound(f"the field {name}", str(told[name])[:120], str(recorded[name])[:120])


def without_advice(result: DiagnosticResult) -> dict[str, object]:
    """Return a verdict as JSON without its advice, which decides nothing."""
    told = result.to_dict()
    fields = told["developer_fields"]
    assert isinstance(fields, dict)
    fields.pop("advisory_checks", None)
    return told


def written_time(moment: datetime) -> str:
    """Return a time as it is written into statements and entries: in UTC, to the second."""
    return moment.astimezone(UTC).strftime(TIME_FORMAT)


def statement_of(result: DiagnosticResult, artifact: Artifact, content: bytes, moment: datetime) -> bytes:
    """Return the verdict statement as canonical bytes; raises IntegrityError as `require_bound` does."""
    require_bound(result, artifact, content)
    document = Shape(artifact.document)
    policy = document.member("policy")
    predicate: dict[str, JsonValue] = {
        "claim": artifact.claim,
        "verdict": document.raw("decision"),
        "evidence": {"digest": _digest_set(digest_of(content)), "kind": artifact.kind},
        "contract": {"digest": _digest_set(document.member("contract").text("digest"))},
        "policy": {"digest": _digest_set(policy.text("digest")), "id": policy.text("id")},
        "verifiers": document.raw("verifiers"),
        "signedAt": _written(moment),
    }
    return _statement(document, VERDICT, predicate)


def summary_of(result: DiagnosticResult, artifact: Artifact, content: bytes, moment: datetime) -> bytes:
    """Return the summary as canonical bytes, for tools that know nothing of probatum; raises as `statement_of` does."""
    require_bound(result, artifact, content)
    document = Shape(artifact.document)
    outcome = str(artifact.decision["outcome"])
    policy = document.member("policy")
    predicate: dict[str, JsonValue] = {
        "verifier": {
            "id": "urn:probatum:verifier:v1",
            "policy": {"uri": f"urn:probatum:policy:{policy.text('id')}", "digest": _digest_set(policy.text("digest"))},
        },
        "evidence": {"digest": _digest_set(digest_of(content)), "kind": artifact.kind},
        "timeCreated": _written(moment),
        "properties": [f"PROBATUM_{artifact.kind.upper()}_{outcome.upper()}"],
    }
    return _statement(document, SUMMARY, predicate)


def stated(payload: bytes, result: DiagnosticResult, artifact: Artifact, content: bytes) -> tuple[str, datetime]:
    """Return what kind of statement a verified payload is and when it was made, if it states exactly this verdict.

    Raises IntegrityError where it is not a statement of either kind, or states anything else.
    """
    try:
        statement = Shape(parse_canonical(payload))
        kind = statement.text("predicateType")
        if kind not in _MAKERS:
            statement.refuse(f"expected one of {', '.join(_MAKERS)}, got {shown(kind)}", "predicateType")
        build, time_key = _MAKERS[kind]
        written = statement.member("predicate").text(time_key)
        moment = datetime.strptime(written, TIME_FORMAT).replace(tzinfo=UTC)
    except ValueError as error:
        sentence = f"What was signed is not a statement about a verdict: {error}."
        raise IntegrityError("statement.malformed", sentence) from error
    if build(result, artifact, content, moment) != payload:
        sentence = "What was signed states another verdict, subject, contract or evidence."
        raise IntegrityError("statement.other", sentence)
    return kind, moment


_MAKERS: Final[Mapping[str, tuple[Callable[[DiagnosticResult, Artifact, bytes, datetime], bytes], str]]] = {
    VERDICT: (statement_of, "signedAt"),
    SUMMARY: (summary_of, "timeCreated"),
}


def _statement(document: Shape, kind: str, predicate: dict[str, JsonValue]) -> bytes:
    subject = document.member("subject")
    return canonical_bytes(
        {
            "_type": STATEMENT,
            "subject": [{"name": subject.text("name"), "digest": _digest_set(subject.text("digest"))}],
            "predicateType": kind,
            "predicate": predicate,
        }
    )


def _digest_set(digest: str) -> dict[str, JsonValue]:
    """Return a digest as in-toto spells it: the algorithm as key, bare hexadecimal digits."""
    algorithm, _, digits = digest.partition(":")
    return {algorithm: digits}


def _written(moment: datetime) -> str:
    if moment.tzinfo is None:
        raise NotAttemptedError("statement.time", "The time of a signature needs its time zone.")
    return written_time(moment)


def _unbound(what: str, told: str, recorded: str) -> IntegrityError:
    sentence = f"The verdict is not the one that its evidence gives: {what} is {told}, the artifact has {recorded}."
    return IntegrityError("verdict.not_bound", sentence)
