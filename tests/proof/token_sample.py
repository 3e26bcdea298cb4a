"""What the tests of tokens share: a world with a clock that is set by hand, and tokens forged without our code."""

from __future__ import annotations

import base64
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from probatum.core.canonical import canonical_bytes
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import ProbatumError
from probatum.proof.stores import MemoryStore
from probatum.proof.tokens import Algorithm, SigningKey, TokenIssuer, TokenVerifier
from tests.proof.sample import SUBJECT, sample_artifact, verdict_of

MOMENT = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
ISSUER, AUDIENCE = "https://judge.example", "deploy"
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@dataclass
class Clock:
    """Tells the time that a test has set."""

    at: datetime = MOMENT

    def __call__(self) -> datetime:
        return self.at

    def forward(self, by: timedelta) -> None:
        self.at += by


def part(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).rstrip(b"=").decode()


def opened(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def signature_of(native: Ed25519PrivateKey | EllipticCurvePrivateKey, message: bytes, *, high: bool = False) -> bytes:
    if isinstance(native, Ed25519PrivateKey):
        return native.sign(message)
    r, s = decode_dss_signature(native.sign(message, ECDSA(SHA256())))
    if (s > ORDER // 2) is not high:
        s = ORDER - s
    return r.to_bytes(32, "big") + s.to_bytes(32, "big")


@dataclass
class World:
    """One issuer whose private key the test holds too, so that it can sign whatever an attacker would like signed."""

    algorithm: Algorithm = Algorithm.EDDSA
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        eddsa = self.algorithm is Algorithm.EDDSA
        self.native = Ed25519PrivateKey.generate() if eddsa else generate_private_key(SECP256R1())
        self.store = MemoryStore()
        self.store.retain(canonical_bytes(sample_artifact()))
        self.verdict: DiagnosticResult = verdict_of(sample_artifact())
        ids = itertools.count(1)
        self.issuer = TokenIssuer(
            ISSUER, self.store, self.clock, key=SigningKey(self.native), new_id=lambda: f"token-{next(ids)}"
        )
        self.key = self.issuer.public_keys()[0]
        self.token = self.issuer.issue(self.verdict, AUDIENCE)
        self.header, self.payload = (json.loads(opened(each)) for each in self.token.split(".")[:2])

    def verifier(self, **further: object) -> TokenVerifier:
        keys = further.pop("keys", self.issuer.public_keys)
        return TokenVerifier(ISSUER, AUDIENCE, keys, self.clock, **further)

    def forged(
        self,
        header: dict[str, object] | bytes | None = None,
        payload: dict[str, object] | bytes | None = None,
        sign: Callable[[bytes], bytes] | None = None,
    ) -> str:
        """Return a token with these members changed, `...` for one that is left out, and a signature that holds."""
        message = ".".join(part(_changed(*each)) for each in ((self.header, header), (self.payload, payload)))
        made = sign(message.encode()) if sign else signature_of(self.native, message.encode())
        return f"{message}.{part(made)}"

    def refusal(self, token: object, **further: object) -> str:
        """Return the code with which a token is refused; it must be refused by reading alone and when bound."""
        codes = set()
        verifier = self.verifier(**further)
        for read in (
            lambda: verifier.verify(token),
            lambda: verifier.verify_bound(token, self.verdict, SUBJECT.content, self.store),
        ):
            with pytest.raises(ProbatumError) as caught:
                read()
            codes.add(caught.value.code)
        [code] = codes
        return code


def _changed(known: dict[str, object], changes: dict[str, object] | bytes | None) -> bytes:
    if isinstance(changes, bytes):
        return changes
    merged = {**known, **(changes or {})}
    return canonical_bytes({name: value for name, value in merged.items() if value is not ...})
