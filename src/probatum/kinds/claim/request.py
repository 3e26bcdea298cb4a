"""One claim to judge, as a plain frozen value: the claim, and the exact bytes that a verdict about it is bound to."""

from __future__ import annotations

from base64 import b64decode
from dataclasses import dataclass
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.errors import BudgetError, NotAttemptedError
from probatum.exact.claim import ExactClaim
from probatum.exact.engines import STATEMENT, engine_named

MAX_CLAIM_BYTES: Final = 12 * 1024 * 1024
"""Of a claim with all that is given, as JSON: it stands whole in its proof."""


@dataclass(frozen=True, slots=True)
class ClaimRequest:
    """One claim."""

    claim: ExactClaim
    name: str
    content: bytes
    """What the verdict is about: the statement, or what the engine judges, byte for byte."""
    repeated_with: tuple[str, ...] = ()
    """The words of the command that repeats the run; none where there was no command."""

    @property
    def recorded_name(self) -> str:
        """What a ledger calls it: its name."""
        return self.name


def claim_request(claim: ExactClaim, name: str, repeated_with: tuple[str, ...] = ()) -> ClaimRequest:
    """Return the request for a claim; raises BudgetError where it is too large, NotAttemptedError for broken bytes."""
    if len(canonical_bytes(claim.to_json())) > MAX_CLAIM_BYTES:
        sentence = f"A claim with all that is given has at most {MAX_CLAIM_BYTES:,} bytes."
        raise BudgetError("engine.too_large", sentence)
    return ClaimRequest(claim, name, subject_bytes(claim), repeated_with)


def subject_bytes(claim: ExactClaim) -> bytes:
    """Return the bytes that a verdict on a claim is about."""
    entry = engine_named(claim.engine)
    if entry.subject == STATEMENT:
        return claim.statement.encode("utf-8", "surrogatepass")
    given: JsonValue = claim.given.get(entry.subject, "")  # type: ignore[assignment]  # JSON
    if not isinstance(given, str):
        return canonical_bytes(given)
    if not any(each.is_binary for each in entry.inputs if each.name == entry.subject):
        return given.encode("utf-8", "surrogatepass")
    try:
        return b64decode(given, validate=True)
    except ValueError as error:
        raise NotAttemptedError("engine.invalid", f"{entry.subject!r} is not base64: {error}.") from error


def media_type(claim: ExactClaim) -> str:
    """Return the media type of the bytes that a verdict on a claim is about."""
    return engine_named(claim.engine).media_type
