"""What a ledger's entry about a verdict says: which bytes were judged, how, when, and where the proof is.

The verdict itself is in it by digest alone, without its advice, which decides nothing. An entry of which one field
differs is about another verdict; its name and its time are only reported.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes, parse_canonical
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError
from probatum.core.shape import Shape
from probatum.proof.statement import without_advice, written_time

FORMAT: Final = "probatum/ledger-entry/v1"
BATCH_FORMAT: Final = "probatum/ledger-batch/v1"
_SHOWN: Final = 80


def entry_of(name: str, subject: bytes, verdict: DiagnosticResult, moment: datetime) -> bytes:
    """Return the entry about one verdict as canonical bytes."""
    told = {"at": written_time(moment), "name": name}
    return canonical_bytes({**told, **_facts(verdict, digest_of(subject))})


@dataclass(frozen=True, slots=True)
class BatchFacts:
    """What an entry says about many verdicts that were given together."""

    subject: str
    """The digest of all that was judged, as it was read."""
    answers: str
    """The digest of all answers, as they were given."""
    outcomes: Mapping[str, int]
    """How many verdicts had each outcome."""


def batch_entry_of(name: str, batch: BatchFacts, weakest: DiagnosticResult, moment: datetime) -> bytes:
    """Return the one entry about many verdicts as canonical bytes: status and outcome are those of the weakest."""
    return canonical_bytes(
        {
            "format": BATCH_FORMAT,
            "at": written_time(moment),
            "name": name,
            "subject": batch.subject,
            "answers": batch.answers,
            "outcomes": dict(batch.outcomes),
            "status": weakest.status.value,
            "outcome": weakest.outcome,
            "constraint_id": weakest.constraint_id,
        }
    )


def tag_of(verdict: DiagnosticResult) -> bytes:
    """Return the part of an entry that it is looked up by."""
    return verdict_digest(verdict).encode()


def require_about(entry: bytes, verdict: DiagnosticResult, subject_digest: str) -> str:
    """Return when the entry says that it was made, where it is about this verdict on these bytes.

    Raises IntegrityError where it is not an entry about a verdict, or about another one; the sentence names the field.
    """
    facts = _facts(verdict, subject_digest)
    try:
        told = Shape(parse_canonical(entry)).exactly("at", "name", *facts).raw_object()
    except ValueError as error:
        sentence = f"The ledger's entry says nothing about a verdict: {error}."
        raise IntegrityError("ledger.malformed_entry", sentence) from error
    for field, value in facts.items():
        if canonical_bytes(told[field]) != canonical_bytes(value):
            sentence = f"The entry is about another verdict: its {field} is {str(told[field])[:_SHOWN]!r}"
            raise IntegrityError("ledger.other_entry", f"{sentence}, expected {str(value)[:_SHOWN]!r}.")
    return str(told["at"])[:_SHOWN]


def _facts(verdict: DiagnosticResult, subject_digest: str) -> dict[str, JsonValue]:
    return {
        "format": FORMAT,
        "subject": subject_digest,
        "status": verdict.status.value,
        "outcome": verdict.outcome,
        "constraint_id": verdict.constraint_id,
        "proof_ref": verdict.proof_ref,
        "verdict": verdict_digest(verdict),
    }


def verdict_digest(verdict: DiagnosticResult) -> str:
    """Return the digest of a verdict's canonical JSON, without advice."""
    return digest_of(canonical_bytes(without_advice(verdict)))
