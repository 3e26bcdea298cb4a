"""Signed envelopes: a payload, what kind it is, and signatures over both (DSSE, version 1).

What is signed is not the payload alone but its pre-authentication encoding, so that a signature for one kind of
payload is not valid for another. Source: the DSSE protocol of the secure-systems-lab, version 1.0.0. Refuses any other
spelling, an envelope without a signature, two signatures by one key. `verified_payload` is the only way to the payload.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import IntegrityError
from probatum.core.shape import Shape, ShapeError
from probatum.proof.base64_text import decoded, encoded
from probatum.proof.keys import PrivateKey, PublicKey

IN_TOTO: Final = "application/vnd.in-toto+json"
MAX_SIGNATURES: Final = 16


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature and the id of the key that is said to have made it; the id alone proves nothing."""

    key_id: str
    value: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """A payload with its signatures, not yet verified."""

    payload_type: str
    unverified_payload: bytes
    signatures: tuple[Signature, ...]

    def to_dict(self) -> dict[str, object]:
        """Return the envelope as JSON, as its protocol spells it."""
        return {
            "payload": encoded(self.unverified_payload),
            "payloadType": self.payload_type,
            "signatures": [{"keyid": each.key_id, "sig": encoded(each.value)} for each in self.signatures],
        }

    @classmethod
    def from_dict(cls, data: object) -> Envelope:
        """Read an envelope; raises IntegrityError for anything malformed, with the place."""
        try:
            return cls._of(Shape(data))
        except ShapeError as error:
            raise IntegrityError("envelope.malformed", f"This is not a signed envelope: {error}.") from error

    @classmethod
    def _of(cls, entry: Shape) -> Envelope:
        entry.exactly("payload", "payloadType", "signatures")
        rows = [row.exactly("keyid", "sig") for row in entry.items("signatures", 1, MAX_SIGNATURES)]
        signatures = tuple(Signature(row.text("keyid", least=1), row.through(decoded, "sig")) for row in rows)
        if len({signature.key_id for signature in signatures}) < len(signatures):
            entry.refuse("one key signed twice", "signatures")
        return cls(entry.text("payloadType", least=1), entry.through(decoded, "payload"), signatures)

    def verified_payload(self, keys: Iterable[PublicKey]) -> tuple[bytes, PublicKey]:
        """Return the payload and the first of these keys that signed it.

        Raises IntegrityError where none of the keys signed it, or a signature said to be by one of them does not
        verify.
        """
        message = pre_authentication_encoding(self.payload_type, self.unverified_payload)
        known = {key.id: key for key in keys}
        signers = []
        for signature in self.signatures:
            key = known.get(signature.key_id)
            if key is None:
                continue
            if not key.verifies(signature.value, message):
                sentence = f"The signature by the key {key.id[:16]} does not verify."
                raise IntegrityError("signature.invalid", sentence, "The envelope was altered, or another key made it.")
            signers.append(key)
        if not signers:
            named = ", ".join(f"{signature.key_id[:16]}" for signature in self.signatures)
            raise IntegrityError("signature.untrusted", f"No trusted key signed this; it names {named}.")
        return self.unverified_payload, signers[0]


def pre_authentication_encoding(payload_type: str, payload: bytes) -> bytes:
    """Return the bytes that are signed: lengths and contents of kind and payload."""
    kind = payload_type.encode()
    # Lengths first, so that no two pairs of kind and payload give the same bytes.
    return b"DSSEv1 %d %s %d %s" % (len(kind), kind, len(payload), payload)


def signed_envelope(payload_type: str, payload: bytes, key: PrivateKey) -> Envelope:
    """Return the payload in an envelope signed with this key."""
    signature = key.sign(pre_authentication_encoding(payload_type, payload))
    return Envelope(payload_type, payload, (Signature(key.public.id, signature),))
