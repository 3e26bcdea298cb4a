"""The form of a token: three parts, one spelling, and a header that names a type, an algorithm and a key, no more.

A token is a JSON Web Signature in compact form (RFC 7515) whose header and payload are canonical JSON and whose parts
are base64url in its one spelling. An ECDSA signature counts in its low half only. So no token has a second spelling
that verifies too.

Refuses, each with its code: more than 8 KiB, any other spelling, and a header that brings its own key or address
(`jwk`, `jku`, `x5u`, …), demands an extension (`crit`, `b64`), or names no key. Nothing here is verified yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from probatum.core.canonical import JsonValue, parse_canonical
from probatum.core.errors import IntegrityError
from probatum.core.shape import Shape, ShapeError
from probatum.proof.base64_text import url_decoded

TYPE: Final = "probatum-verdict+jwt"
MAX_TOKEN: Final = 8 * 1024
P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_SIGNATURE: Final = 64
_HALF: Final = 32
_HEADER: Final = ("alg", "kid", "typ")
_SHOWN: Final = 80


class Algorithm(StrEnum):
    """How a token is signed. The key decides; what a token says must agree."""

    EDDSA = "EdDSA"
    """Ed25519 (RFC 8037)."""
    ES256 = "ES256"
    """ECDSA on P-256 with SHA-256 (RFC 7518)."""


@dataclass(frozen=True, slots=True)
class UnverifiedToken:
    """What stands in a token whose form is sound; who made it is not yet known."""

    text: str
    algorithm: Algorithm
    key_id: str
    payload: Mapping[str, JsonValue]


def unverified(text: object) -> UnverifiedToken:
    """Return the content of a token in sound form; raises IntegrityError for any other."""
    if type(text) is not str:
        raise _malformed(f"a token is text, got {type(text).__name__}")
    if len(text) > MAX_TOKEN:
        raise IntegrityError("token.too_large", f"The token has {len(text)} signs; {MAX_TOKEN} are allowed.")
    parts = text.split(".")
    if len(parts) != 3:
        raise _malformed(f"it has {len(parts)} parts; header, payload and signature were expected")
    algorithm, key_id = _read_header(_json(parts[0], "header"))
    payload = _json(parts[1], "payload")
    signature = _decoded(parts[2], "signature")
    if len(signature) != _SIGNATURE:
        sentence = f"The token's signature has {len(signature)} bytes; {_SIGNATURE} were expected."
        raise IntegrityError("token.signature", sentence)
    # Both halves verify: whoever holds a token could make another one that says the same under another digest.
    if algorithm is Algorithm.ES256 and not is_low(signature):
        sentence = "The token's signature is the high form of two valid ones; only the low one counts."
        raise IntegrityError("token.signature", sentence)
    return UnverifiedToken(text, algorithm, key_id, payload)


def is_low(signature: bytes) -> bool:
    """True for the one of the two equivalent signatures of ECDSA on P-256 that counts."""
    return int.from_bytes(signature[_HALF:], "big") <= P256_ORDER // 2


def low_half(signature: bytes) -> bytes:
    """Return the one of the two equivalent signatures of ECDSA on P-256 that counts."""
    if is_low(signature):
        return signature
    low = P256_ORDER - int.from_bytes(signature[_HALF:], "big")
    return signature[:_HALF] + low.to_bytes(_HALF, "big")


def _read_header(header: Mapping[str, JsonValue]) -> tuple[Algorithm, str]:
    try:
        given = Shape(header).exactly(*_HEADER)
        algorithm, key_id, kind = (given.text(name) for name in _HEADER)
    except ShapeError as error:
        hint = "A token carries no key, address or extension."
        raise IntegrityError("token.header", f"The token's header is none of ours: {error}.", hint) from error
    if kind != TYPE:
        raise IntegrityError("token.type", f"The token is of type {kind[:_SHOWN]!r}, not {TYPE!r}.")
    if algorithm not in set(Algorithm):
        sentence = f"The token names the algorithm {algorithm[:_SHOWN]!r}; allowed are {', '.join(Algorithm)}."
        raise IntegrityError("token.algorithm", sentence)
    return Algorithm(algorithm), key_id


def _json(part: str, what: str) -> Mapping[str, JsonValue]:
    try:
        return Shape(parse_canonical(_decoded(part, what))).raw_object()
    except ValueError as error:
        raise _malformed(f"its {what} is not an object in canonical JSON: {error}") from error


def _decoded(part: str, what: str) -> bytes:
    try:
        return url_decoded(part)
    except ValueError as error:
        raise _malformed(f"its {what}: {error}") from None


def _malformed(problem: str) -> IntegrityError:
    return IntegrityError("token.malformed", f"This is not a token: {problem}.")
