"""Short-lived tokens: a verdict that a service hands to another one, worth a few minutes and no proof of its own.

A token is a JSON Web Token signed with Ed25519 or ES256. `TokenIssuer` resolves the verdict as `Signer` does and states
what the artifact gives. Its key is made in memory and never written, unless a named one is given; when the issuer is
closed, its tokens no longer verify wherever its key set is asked for. `TokenVerifier` believes the keys that it was
given, and no word of a token before its signature holds. Each refusal has a code of its own.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, NoReturn, Self

from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import IntegrityError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.ports import Store
from probatum.proof.artifact import Artifact
from probatum.proof.revocation import MAX_LEEWAY, MemoryRegister, RevocationRegister, SqliteRegister
from probatum.proof.signing import resolved
from probatum.proof.statement import VERDICT
from probatum.proof.token_claims import (
    StatedVerdict,
    TokenClaims,
    is_token_id,
    require_party,
    require_same,
    stated_by,
)
from probatum.proof.token_form import MAX_TOKEN, TYPE, Algorithm, unverified
from probatum.proof.token_keys import MAX_KEYS, SigningKey, TokenKey, key_set, read_key_set

__all__ = [
    "DEFAULT_LIFE",
    "MAX_LEEWAY",
    "MAX_LIFE",
    "MAX_TOKEN",
    "TYPE",
    "Algorithm",
    "MemoryRegister",
    "RevocationRegister",
    "SignedToken",
    "SigningKey",
    "SqliteRegister",
    "StatedVerdict",
    "TokenClaims",
    "TokenIssuer",
    "TokenKey",
    "TokenVerifier",
    "checked_token",
    "key_set",
    "read_key_set",
]

MAX_LIFE: Final = timedelta(hours=1)
DEFAULT_LIFE: Final = timedelta(minutes=5)
DEFAULT_LEEWAY: Final = timedelta(seconds=30)
_SECOND: Final = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class SignedToken:
    """Who signed a token, and what it says; shaped as `Signed` is, so that a gate can take either."""

    key: TokenKey
    kind: str
    """What is stated: always the verdict with every field of it."""
    moment: datetime
    """When it was issued, as the issuer's clock said."""
    claims: TokenClaims


class TokenIssuer:
    """Issues tokens with one key at a time; closing it ends them."""

    def __init__(
        self,
        name: str,
        store: Store,
        now: Callable[[], datetime],
        *,
        key: SigningKey | None = None,
        life: timedelta = DEFAULT_LIFE,
        new_id: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """Keep what tokens are made of.

        Readers ask for exactly this name. Without a key, a new one is made that lives in this object alone. The time
        has its zone, the life whole seconds, an hour at most.

        Raises:
            UsageError: the name or the life is not valid.
            NotAttemptedError: joserfc is not installed.
        """
        self._name = require_party(name, "issuer")
        if not _SECOND <= life <= MAX_LIFE or life % _SECOND:
            sentence = f"A token lives for whole seconds, {MAX_LIFE} at most, got {life}."
            raise UsageError("token.life", sentence)
        self._store = store
        self._now = now
        self._life = life
        self._new_id = new_id
        self._lock = threading.Lock()
        self._key: SigningKey | None = key or SigningKey.ephemeral()
        self._retired: tuple[tuple[TokenKey, datetime], ...] = ()
        self.key_set()  # Names a missing package now rather than at the first token.

    def issue(self, result: DiagnosticResult, audience: str) -> str:
        """Return a token for this verdict that this audience may accept.

        Raises:
            UsageError: the verdict is not VERIFIED, the audience is not valid, or the issuer was closed.
            IntegrityError: the store has no such proof, the verdict differs from it, or the token would be too large.
            NotAttemptedError: the clock has no zone, or the store cannot be read.
        """
        require_party(audience, "audience")
        artifact, content = resolved(result, self._store)
        stated = stated_by(result, artifact, content)
        token_id = self._new_id()
        if type(token_id) is not str or not is_token_id(token_id):
            raise UsageError("token.id", f"{str(token_id)[:80]!r} is not the id of a token.")
        # One moment for key and time: a rotation in between would let the old key outlive its place in the key set.
        with self._lock:
            key, moment = self._signing_key(), self._moment()
        claims = TokenClaims(self._name, audience, token_id, moment, moment, moment + self._life, stated)
        text = key.sign(claims.to_bytes())
        unverified(text)
        return text

    def rotate(self, key: SigningKey | None = None) -> None:
        """Sign with another key from now on, by default a new one in memory alone.

        The public half of the former key stays in the key set until the last token that it signed has expired.

        Raises UsageError where the issuer was closed, or the key set has no room for another key.
        """
        successor = key or SigningKey.ephemeral()
        with self._lock:
            former, moment = self._signing_key(), self._moment()
            retired = (*self._still_needed(moment), (former.public, moment + self._life + MAX_LEEWAY))
            if len(retired) >= MAX_KEYS:
                sentence = f"A key set holds at most {MAX_KEYS} keys, and tokens of all of them are still good."
                raise UsageError("token.too_many_keys", sentence, "Wait until the oldest tokens have expired.")
            self._key, self._retired = successor, retired

    def public_keys(self) -> tuple[TokenKey, ...]:
        """Return the keys that verify tokens of this issuer, the newest first; none after it was closed."""
        with self._lock:
            if self._key is None:
                return ()
            former = (key for key, _ in reversed(self._still_needed(self._moment())))
            return tuple(dict.fromkeys((self._key.public, *former)))

    def key_set(self) -> dict[str, list[dict[str, str]]]:
        """Return the JSON Web Key Set to publish: public keys only."""
        return key_set(self.public_keys())

    def close(self) -> None:
        """Forget every key: no token is issued any more, and the key set is empty."""
        with self._lock:
            self._key, self._retired = None, ()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an issuer is never pickled: its key lives in one process")

    def _signing_key(self) -> SigningKey:
        if self._key is None:
            raise UsageError("token.closed", "This issuer was closed; its key is gone.", "Make another issuer.")
        return self._key

    def _still_needed(self, moment: datetime) -> tuple[tuple[TokenKey, datetime], ...]:
        return tuple(each for each in self._retired if each[1] > moment)

    def _moment(self) -> datetime:
        return _zoned(self._now()).replace(microsecond=0)


class TokenVerifier:
    """Reads tokens of one issuer for one audience."""

    def __init__(
        self,
        issuer: str,
        audience: str,
        keys: Callable[[], Iterable[TokenKey]],
        now: Callable[[], datetime],
        *,
        revocations: RevocationRegister | None = None,
        leeway: timedelta = DEFAULT_LEEWAY,
        max_life: timedelta = MAX_LIFE,
    ) -> None:
        """Keep what tokens are held against; raises UsageError where a name or a time is not valid.

        Args:
            issuer: who must have issued a token.
            audience: who reads; tokens for others are refused.
            keys: asked again for every token: `TokenIssuer.public_keys`, or what reads a key set from its file.
            now: the time, with its zone.
            revocations: asked about every token; where it cannot answer, the token is refused.
            leeway: how far the clocks of issuer and reader may differ, five minutes at most.
            max_life: tokens that were made for longer are refused.
        """
        self._issuer = require_party(issuer, "issuer")
        self._audience = require_party(audience, "audience")
        if not timedelta() <= leeway <= MAX_LEEWAY or not timedelta() < max_life <= MAX_LIFE:
            sentence = f"A leeway is at most {MAX_LEEWAY}, a life at most {MAX_LIFE}; got {leeway} and {max_life}."
            raise UsageError("token.life", sentence)
        self._keys = keys
        self._now = now
        self._revocations = revocations
        self._leeway = leeway
        self._max_life = max_life

    def verify(self, token: str) -> SignedToken:
        """Return what a token says, once its signature, its parties, its time and its validity hold.

        `verify_bound` also compares it with a verdict, its proof and a subject.

        Raises:
            IntegrityError: the token may not be accepted; the code names the reason.
            NotAttemptedError: keys, clock or revocations cannot be asked; then it may not be accepted either.
        """
        read = unverified(token)
        key = self._known_keys().get(read.key_id)
        # Nothing that the token says is read before the key, and then the signature, are known to be good.
        if key is None:
            sentence = f"The token names the key {read.key_id[:16]!r}, which is not in the key set."
            raise IntegrityError("token.key", sentence, "Its issuer has ended or changed its key, or is another one.")
        if read.algorithm is not key.algorithm:
            sentence = f"The token says {read.algorithm.value}; its key signs {key.algorithm.value}."
            raise IntegrityError("token.algorithm", sentence)
        if not key.signed(read.text):
            raise IntegrityError("token.signature", f"The signature by the key {key.id[:16]} does not verify.")
        claims = TokenClaims.from_payload(read.payload)
        for name, told, expected in (
            ("issuer", claims.issuer, self._issuer),
            ("audience", claims.audience, self._audience),
        ):
            if told != expected:
                raise IntegrityError(f"token.{name}", f"The token's {name} is {told[:80]!r}, not {expected!r}.")
        self._require_time(claims)
        self._require_not_revoked(claims, key)
        return SignedToken(key, VERDICT, claims.issued, claims)

    def verify_bound(self, token: str, result: DiagnosticResult, subject: bytes, store: Store) -> SignedToken:
        """Return what a token says, if it says it of this verdict about these bytes, whose proof the store has.

        Raises as `verify` does; UsageError where the verdict is not VERIFIED, IntegrityError where token, verdict,
        proof and subject do not belong together.
        """
        artifact, content = resolved(result, store)
        signed = checked_token(token, self, result, artifact, content)
        if (found := digest_of(subject)) != artifact.subject_digest:
            sentence = f"The subject at hand is {found}; {artifact.subject_digest} was judged."
            raise IntegrityError("token.subject", sentence)
        return signed

    def _known_keys(self) -> Mapping[str, TokenKey]:
        try:
            return {key.id: key for key in self._keys()}
        except ProbatumError:
            raise
        except Exception as error:
            sentence = f"The keys of the issuer cannot be had: {type(error).__name__}: {str(error)[:120]}."
            raise NotAttemptedError("token.keys_unknown", sentence) from error

    def _require_time(self, claims: TokenClaims) -> None:
        if claims.expires - claims.issued > self._max_life:
            sentence = f"The token was made for {claims.expires - claims.issued}; {self._max_life} are allowed."
            raise IntegrityError("token.life", sentence)
        now = _zoned(self._now())
        if claims.issued > now + self._leeway:
            sentence = f"The token was issued in the future, at {claims.issued.isoformat()}."
            raise IntegrityError("token.issued_in_future", sentence, "Compare the clocks of issuer and reader.")
        if claims.starts > now + self._leeway:
            raise IntegrityError("token.not_yet_valid", f"The token is valid from {claims.starts.isoformat()}.")
        if now >= claims.expires + self._leeway:
            sentence = f"The token expired at {claims.expires.isoformat()}."
            raise IntegrityError("token.expired", sentence, "Ask the issuer for a new one.")

    def _require_not_revoked(self, claims: TokenClaims, key: TokenKey) -> None:
        if self._revocations is None:
            return
        try:
            answer = self._revocations.is_revoked(claims.id, key.id)
        except Exception as error:
            # Whoever can break the register must not make revoked tokens valid again.
            problem, hint = (error.sentence, error.hint) if isinstance(error, ProbatumError) else (str(error)[:120], "")
            sentence = f"Whether the token was revoked cannot be found out: {problem}"
            raise NotAttemptedError("token.revocation_unknown", sentence, hint) from error
        # Compared with False: what answers None or a text has not said that the token is good.
        if answer is not False:
            raise IntegrityError("token.revoked", f"The token {claims.id} or its key {key.id[:16]} was revoked.")


def checked_token(
    token: str, verifier: TokenVerifier, result: DiagnosticResult, artifact: Artifact, content: bytes
) -> SignedToken:
    """Return who signed this verdict in a token, as `checked_signature` does for a signed statement.

    Raises as `TokenVerifier.verify` does; IntegrityError where it is not for this verdict on this artifact.
    """
    signed = verifier.verify(token)
    require_same(signed.claims.verdict, stated_by(result, artifact, content))
    return signed


def _zoned(moment: datetime) -> datetime:
    if moment.tzinfo is None:
        raise NotAttemptedError("token.time", "The clock of a token needs its time zone.")
    return moment.astimezone(UTC)
