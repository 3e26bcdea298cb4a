"""Who asks: bearer tokens of a file that holds only their hashes, and signed tokens of a known issuer.

Each caller sees one layer of a verdict: an agent its sentence, a developer also the reasons, an auditor also the proof.
Refuses a token in a time that does not tell how nearly it was right; in signed tokens an algorithm that a reader of the
key could sign with, another issuer or audience, and one without an end.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from probatum.core.disclosure import Layer
from probatum.core.errors import UsageError, nearest

ROLES: Final[Mapping[str, Layer]] = {"agent": Layer.AGENT, "developer": Layer.DEVELOPER, "auditor": Layer.PROOF}
"""What a token allows, from the least to the most."""
MAX_TOKENS_FILE: Final = 1024 * 1024
_BEARER: Final = re.compile(r"[Bb]earer +([A-Za-z0-9._~+/=-]{1,8192}) *")
_LINE: Final = re.compile(r"(\S{1,64}) +(\S+) +sha256:([0-9a-f]{64})")
_NAME: Final = re.compile(r"[A-Za-z0-9._@-]{1,64}")
_SIGNED_WITH: Final = ("EdDSA", "ES256", "ES384", "RS256", "PS256")
_LEEWAY_SECONDS: Final = 30


class ForbiddenError(Exception):
    """The caller is known, and may not do this."""


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who may ask."""

    name: str
    layer: Layer


def token_hash(token: str) -> str:
    """Return what stands in a file for a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token(role: str, name: str) -> tuple[str, str]:
    """Return a new token and its line for the file; raises UsageError for an unknown role, or a name with spaces."""
    if role not in ROLES:
        hint = nearest(role, ROLES) or f"One of {', '.join(ROLES)}."
        raise UsageError("token.role", f"There is no role {role[:40]!r}.", hint)
    if not _NAME.fullmatch(name):
        raise UsageError("token.name", f"A token is named with letters, digits and ._@-, got {name[:64]!r}.")
    token = secrets.token_urlsafe(32)
    return token, f"{name} {role} sha256:{token_hash(token)}\n"


def read_tokens(content: bytes, path: object) -> Mapping[bytes, Caller]:
    """Return the callers of a file by the hash of their token; raises UsageError for any other line."""
    callers: dict[bytes, Caller] = {}
    for number, line in enumerate(content.decode("utf-8", "replace").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or match[2] not in ROLES:
            hint = "A line is: NAME agent|developer|auditor sha256:HASH, as 'probatum serve --add-token' writes it."
            raise UsageError("token.file", f"{path}, line {number} is not a token.", hint)
        callers[bytes.fromhex(match[3])] = Caller(match[1], ROLES[match[2]])
    return callers


class Callers:
    """Everybody who may ask."""

    def __init__(
        self,
        tokens: Mapping[bytes, Caller],
        signed: Callable[[str], Caller | None] | None = None,
        anybody: Caller | None = None,
    ) -> None:
        """Keep the hashed tokens, what reads signed ones, and as whom one may ask without any."""
        self._tokens = tokens
        self._signed = signed
        self._anybody = anybody

    def of(self, authorization: str | None) -> Caller | None:
        """Return who sends this header, None for nobody that is known; raises ForbiddenError without a role."""
        if self._anybody is not None:
            return self._anybody
        match = _BEARER.fullmatch(authorization or "")
        if match is None:
            return None
        digest, found = hashlib.sha256(match[1].encode()).digest(), None
        for known, caller in self._tokens.items():
            if hmac.compare_digest(known, digest):
                found = caller
        if found is None and self._signed is not None and match[1].count(".") == 2:
            return self._signed(match[1])
        return found


def signed_tokens(keys: bytes, issuer: str, audience: str) -> Callable[[str], Caller | None]:
    """Return what reads tokens that this issuer signed for this audience; raises UsageError for a wrong key set."""
    from joserfc import jwt
    from joserfc.errors import JoseError
    from joserfc.jwk import KeySet, OctKey

    from probatum.core.json_text import read_json

    try:
        known = KeySet.import_key_set(read_json(keys))  # type: ignore[arg-type]  # it refuses anything else
    except (JoseError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise UsageError("token.keys", f"The key set cannot be read: {type(error).__name__}.") from error
    if not known.keys or any(isinstance(key, OctKey) or key.is_private for key in known.keys):
        raise UsageError("token.keys", "A key set for callers holds public keys alone.")
    claims = jwt.JWTClaimsRegistry(
        leeway=_LEEWAY_SECONDS,
        iss={"essential": True, "value": issuer},
        aud={"essential": True, "value": audience},
        exp={"essential": True},
        sub={"essential": True},
    )

    def caller(token: str) -> Caller | None:
        try:
            told = jwt.decode(token, known, algorithms=list(_SIGNED_WITH)).claims
            claims.validate(told)
        except (JoseError, ValueError, TypeError, KeyError):
            return None
        granted = str(told.get("scope", "")).split()
        layers = [layer for role, layer in ROLES.items() if role in granted]
        if not layers:
            raise ForbiddenError(f"The token grants no scope of {', '.join(ROLES)}.")
        return Caller(str(told["sub"])[:64], layers[-1])

    return caller
