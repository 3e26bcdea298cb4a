"""Signing a verdict: only what a stored artifact gives, and only VERIFIED.

The signer fetches the artifact behind the proof reference, hashes it, compares every field of the verdict with it, and
signs statements that it made from the artifact. Refuses a verdict without a proof or without its artifact in the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.ports import Store
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.envelope import IN_TOTO, Envelope, signed_envelope
from probatum.proof.keys import PrivateKey, PublicKey
from probatum.proof.statement import require_bound, stated, statement_of, summary_of
from probatum.proof.store_errors import fetched_sound


@dataclass(frozen=True, slots=True)
class Attestation:
    """The two signed statements about one verdict."""

    verdict: Envelope
    summary: Envelope


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed a verdict, in which statement, and when they say they did."""

    key: PublicKey
    kind: str
    moment: datetime


def resolved(result: DiagnosticResult, store: Store) -> tuple[Artifact, bytes]:
    """Return the artifact behind a verdict and its bytes, after comparing every field.

    Raises:
        UsageError: the verdict is not VERIFIED: it carries no proof.
        IntegrityError: the store has no such artifact, has other bytes, or the verdict says something else than it.
    """
    not_verified = UsageError("sign.not_verified", "Only a VERIFIED verdict can be signed: any other carries no proof.")
    if type(result) is not DiagnosticResult or result.proof_ref is None:
        raise not_verified
    try:
        # Built again: an object that was bent in memory can carry a proof under another status.
        DiagnosticResult.from_dict(result.to_dict())
    except Exception as error:
        raise not_verified from error
    content = fetched_sound(store, result.proof_ref)
    artifact = parse_artifact(content)
    require_bound(result, artifact, content)
    return artifact, content


class Signer:
    """Signs verdicts with one key; implements nothing but that."""

    def __init__(self, store: Store, key: PrivateKey, now: Callable[[], datetime]) -> None:
        self._store = store
        self._key = key
        self._now = now

    def attest(self, result: DiagnosticResult) -> Attestation:
        """Return the signed statements about a verdict; raises as `resolved` does."""
        artifact, content = resolved(result, self._store)
        moment = self._now()
        payloads = (build(result, artifact, content, moment) for build in (statement_of, summary_of))
        return Attestation(*(signed_envelope(IN_TOTO, payload, self._key) for payload in payloads))


def checked_signature(
    envelope: Envelope, keys: Iterable[PublicKey], result: DiagnosticResult, artifact: Artifact, content: bytes
) -> Signed:
    """Return who signed this verdict.

    Raises IntegrityError where no trusted key did, or what was signed is not this verdict on this artifact.
    """
    if envelope.payload_type != IN_TOTO:
        sentence = f"The payload is {envelope.payload_type[:80]!r}, not a statement ({IN_TOTO})."
        raise IntegrityError("statement.kind", sentence)
    payload, key = envelope.verified_payload(keys)
    return Signed(key, *stated(payload, result, artifact, content))
