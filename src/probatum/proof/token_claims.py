"""What a token says: which verdict about which bytes, from whom, for whom, and for how long.

The verdict is bound by the digests that a signed statement binds (subject, contract, policy, evidence), by claim,
status and outcome, and by a digest over every field that decides something. Names of claims: RFC 7519, and one of our
own that holds the verdict. Refuses: unknown and missing claims, a status other than VERIFIED, an empty life.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.command import KIND
from probatum.core.decision import STATUS_OF, DiagnosticStatus, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of, is_digest
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.shape import Shape, ShapeError
from probatum.proof.artifact import Artifact
from probatum.proof.ledger_entry import verdict_digest
from probatum.proof.statement import require_bound

VERDICT_CLAIM: Final = "urn:probatum:claim:verdict:v1"
_REGISTERED: Final = ("aud", "exp", "iat", "iss", "jti", "nbf", "sub")
_LATEST: Final = 253_402_300_799
"""The last second that a date can have: 9999-12-31T23:59:59Z."""
_TOKEN_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")
_PARTY: Final = 255


@dataclass(frozen=True, slots=True)
class StatedVerdict:
    """The verdict as a token states it: digests of all that it rests on, and of the verdict itself."""

    claim: str
    contract: str
    digest: str
    """Of the verdict as JSON, without advice."""
    evidence: str
    """The proof reference."""
    kind: str
    outcome: str
    policy: str
    status: str
    subject: str


@dataclass(frozen=True, slots=True)
class TokenClaims:
    """All that a token says."""

    issuer: str
    audience: str
    id: str
    issued: datetime
    starts: datetime
    expires: datetime
    verdict: StatedVerdict

    def to_bytes(self) -> bytes:
        """Return the claims as the payload of a token."""
        stated = {each.name: getattr(self.verdict, each.name) for each in fields(StatedVerdict)}
        subject = stated.pop("subject")
        return canonical_bytes(
            {
                "aud": self.audience,
                "exp": int(self.expires.timestamp()),
                "iat": int(self.issued.timestamp()),
                "iss": self.issuer,
                "jti": self.id,
                "nbf": int(self.starts.timestamp()),
                "sub": subject,
                VERDICT_CLAIM: stated,
            }
        )

    @classmethod
    def from_payload(cls, payload: Mapping[str, JsonValue]) -> TokenClaims:
        """Read the claims of a token; raises IntegrityError for anything but the form that `to_bytes` gives."""
        try:
            return cls._of(Shape(payload).exactly(*_REGISTERED, VERDICT_CLAIM))
        except ShapeError as error:
            raise _malformed(str(error)) from error

    @classmethod
    def _of(cls, payload: Shape) -> TokenClaims:
        # The subject has a registered claim of its own; all else that is stated stands in the claim of ours.
        names = tuple(each.name for each in fields(StatedVerdict) if each.name != "subject")
        stated = payload.member(VERDICT_CLAIM).exactly(*names)
        issued, starts, expires = (
            datetime.fromtimestamp(payload.whole(name, 0, _LATEST), UTC) for name in ("iat", "nbf", "exp")
        )
        if not issued <= starts < expires:
            raise IntegrityError("token.life", "The token's life ends before it begins.")
        if not is_token_id(payload.text("jti")):
            payload.refuse("expected the id of a token", "jti")
        verdict = StatedVerdict(
            subject=payload.text("sub", least=1), **{name: stated.text(name, least=1) for name in names}
        )
        return cls(
            payload.text("iss", least=1),
            payload.text("aud", least=1),
            payload.text("jti"),
            issued,
            starts,
            expires,
            _checked(verdict),
        )


def stated_by(result: DiagnosticResult, artifact: Artifact, content: bytes) -> StatedVerdict:
    """Return what a token states about this verdict, every word of it taken from the artifact.

    Raises IntegrityError where the artifact is not the evidence of this verdict, or the verdict is not VERIFIED.
    """
    require_bound(result, artifact, content)
    document = Shape(artifact.document)
    return _checked(
        StatedVerdict(
            claim=artifact.claim,
            contract=document.member("contract").text("digest"),
            digest=verdict_digest(result),
            evidence=digest_of(content),
            kind=artifact.kind,
            outcome=str(artifact.decision["outcome"]),
            policy=document.member("policy").text("digest"),
            status=str(artifact.decision["status"]),
            subject=artifact.subject_digest,
        )
    )


def require_same(stated: StatedVerdict, expected: StatedVerdict) -> None:
    """Raise IntegrityError, naming the first difference, unless a token states exactly what it should."""
    for each in fields(StatedVerdict):
        told, meant = getattr(stated, each.name), getattr(expected, each.name)
        if told != meant:
            sentence = f"The token is for another verdict: its {each.name} is {told[:120]}, this one's {meant[:120]}."
            raise IntegrityError("token.other", sentence)


def is_token_id(text: str) -> bool:
    """True for what can be the id of a token: 1 to 64 letters, digits, dashes and underscores."""
    return _TOKEN_ID.match(text) is not None


def require_party(text: str, what: str) -> str:
    """Return the name of an issuer or an audience; raises UsageError unless it is short, visible text."""
    if type(text) is not str or not 0 < len(text) <= _PARTY or not text.isprintable() or not text.isascii():
        sentence = f"The {what} of a token is 1 to {_PARTY} visible ASCII signs, got {str(text)[:80]!r}."
        raise UsageError("token.party", sentence)
    return text


def _checked(stated: StatedVerdict) -> StatedVerdict:
    for name in ("contract", "digest", "evidence", "policy", "subject"):
        if not is_digest(getattr(stated, name)):
            raise _malformed(f"{name} is not a digest")
    if stated.status != DiagnosticStatus.VERIFIED.value:
        raise IntegrityError("token.not_verified", f"The token is for a verdict that is {stated.status[:40]!r}.")
    if stated.outcome not in set(Outcome) or STATUS_OF[Outcome(stated.outcome)].value != stated.status:
        raise _malformed(f"the outcome {stated.outcome[:40]!r} does not go with {stated.status}")
    if not KIND.fullmatch(stated.kind):
        raise _malformed(f"the kind {stated.kind[:40]!r} is unknown")
    return stated


def _malformed(problem: str) -> IntegrityError:
    return IntegrityError("token.claims", f"The token does not say what a token says: {problem}.")
