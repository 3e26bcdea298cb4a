"""Keys of tokens: Ed25519 or P-256, named as all keys here are, and published as a JSON Web Key Set.

A key id is the SHA-256 of the public key's standard encoding, the same that `probatum key` and signed statements use.
It cannot be chosen, and a published key whose id is not its own is refused. The algorithm belongs to the key, never to
the token. Refuses in a key set: a private or symmetric key, any other spelling than the one that `key_set` writes for a
key, more than 16 keys, more than 64 KiB.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn, Self

from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key

from probatum.core.canonical import canonical_bytes, parse_json
from probatum.core.errors import IntegrityError, NotAttemptedError
from probatum.core.shape import Shape, shown
from probatum.proof.keys import PrivateKey, PublicKey
from probatum.proof.token_form import TYPE, Algorithm

if TYPE_CHECKING:
    from probatum.proof.jose import NativePrivate, NativePublic

MAX_KEY_SET: Final = 64 * 1024
MAX_KEYS: Final = 16
_KINDS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "OKP": ("Ed25519", ("alg", "crv", "kid", "kty", "use", "x")),
    "EC": ("P-256", ("alg", "crv", "kid", "kty", "use", "x", "y")),
}
_SECRET: Final = frozenset({"d", "k", "p", "q", "dp", "dq", "qi", "oth"})


@dataclass(frozen=True, slots=True)
class TokenKey:
    """What the signature of a token is checked with."""

    algorithm: Algorithm
    encoded: bytes
    """SubjectPublicKeyInfo, DER."""

    @property
    def id(self) -> str:
        """The SHA-256 of the encoded key, in hexadecimal digits."""
        return hashlib.sha256(self.encoded).hexdigest()

    @property
    def web_key(self) -> dict[str, str]:
        """The key as a JSON Web Key, with its id, algorithm and use."""
        with joserfc_installed():
            from probatum.proof.jose import web_key
        members = web_key(self._native())
        return {**members, "alg": self.algorithm.value, "kid": self.id, "use": "sig"}

    @classmethod
    def of(cls, key: PublicKey) -> Self:
        """Return a key of the user's folder as one that verifies tokens; it keeps its id."""
        return cls.of_native(Ed25519PublicKey.from_public_bytes(key.raw))

    @classmethod
    def of_native(cls, key: NativePublic) -> Self:
        """Return a public key of the cryptography package as one that verifies tokens; raises ValueError for others."""
        is_elliptic = isinstance(key, EllipticCurvePublicKey)
        if isinstance(key, EllipticCurvePublicKey) and not isinstance(key.curve, SECP256R1):
            raise ValueError(f"a token is signed on P-256, not on {key.curve.name}")
        encoded = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return cls(Algorithm.ES256 if is_elliptic else Algorithm.EDDSA, encoded)

    def signed(self, text: str) -> bool:
        """True when the private half of this key signed this token."""
        with joserfc_installed():
            from probatum.proof.jose import signature_holds
        return signature_holds(text, self.algorithm.value, self._native())

    def _native(self) -> NativePublic:
        key = load_der_public_key(self.encoded)
        assert isinstance(key, Ed25519PublicKey | EllipticCurvePublicKey)
        return key


@dataclass(frozen=True, slots=True)
class SigningKey:
    """What signs tokens. Only its public half is shown."""

    _key: NativePrivate = field(repr=False)

    @classmethod
    def ephemeral(cls, algorithm: Algorithm = Algorithm.EDDSA) -> Self:
        """Return a new key that lives in memory alone."""
        return cls(Ed25519PrivateKey.generate() if algorithm is Algorithm.EDDSA else generate_private_key(SECP256R1()))

    @classmethod
    def named(cls, key: PrivateKey) -> Self:
        """Return a key of the user's folder as one that signs tokens."""
        return cls(key.native)

    @property
    def public(self) -> TokenKey:
        """The half that may be given away."""
        return TokenKey.of_native(self._key.public_key())

    def sign(self, payload: bytes) -> str:
        """Return the token with this payload."""
        with joserfc_installed():
            from probatum.proof.jose import compact_token
        public = self.public
        # Its members in canonical order.
        return compact_token({"alg": public.algorithm.value, "kid": public.id, "typ": TYPE}, payload, self._key)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a private key is never pickled")


@contextmanager
def joserfc_installed() -> Iterator[None]:
    """Name what is missing where an import inside fails; raises NotAttemptedError then."""
    try:
        yield
    except ImportError as error:
        sentence = f"Tokens need the package joserfc: {error}."
        raise NotAttemptedError("token.not_installed", sentence, "pip install 'probatum[service]'") from error


def key_set(keys: Iterable[TokenKey]) -> dict[str, list[dict[str, str]]]:
    """Return the JSON Web Key Set (RFC 7517) of these public keys."""
    return {"keys": [key.web_key for key in keys]}


def read_key_set(content: bytes) -> tuple[TokenKey, ...]:
    """Return the keys of a JSON Web Key Set.

    Raises:
        IntegrityError: it is none, or holds anything but public keys that can verify tokens.
        NotAttemptedError: joserfc is not installed.
    """
    try:
        rows = Shape(parse_json(content, MAX_KEY_SET)).exactly("keys").items("keys", most=MAX_KEYS)
        keys = tuple(_read_key(row) for row in rows)
    except ValueError as error:
        raise _malformed(str(error)) from error
    if len(set(keys)) < len(keys):
        raise _malformed("a key is there twice")
    return keys


def _read_key(row: Shape) -> TokenKey:
    if exposed := _SECRET & set(row.raw_object()):
        sentence = f"The key set holds a private or symmetric key: {row.place} has {min(exposed)!r}."
        raise IntegrityError("key_set.exposed", sentence, "Publish another key set, and never use this key again.")
    kind = _KINDS.get(row.text("kty"))
    if kind is None:
        row.refuse(f"expected one of {', '.join(_KINDS)}, got {shown(row.text('kty'))}", "kty")
    curve, members = kind
    if row.text("crv") != curve:
        row.refuse(f"expected {curve}, got {shown(row.text('crv'))}", "crv")
    entry = {name: row.text(name) for name in row.exactly(*members).raw_object()}
    with joserfc_installed():
        from probatum.proof.jose import native_of
    key = row.through(lambda _: TokenKey.of_native(native_of(entry)))
    if canonical_bytes(key.web_key) != canonical_bytes(entry):
        row.refuse("it has an id, an algorithm, a use or a spelling that is not its own")
    return key


def _malformed(problem: str) -> IntegrityError:
    return IntegrityError("key_set.malformed", f"This is not a key set of ours: {problem}.")
