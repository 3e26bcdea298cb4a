"""The one module that speaks to joserfc: signed tokens in compact form, and public keys as JSON Web Keys.

Imported only when a token is made or read, so that nothing else needs the package. It hands over keys and one
algorithm, and leaves no choice to what a token says. Form, header and claims are checked elsewhere.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from joserfc.errors import JoseError
from joserfc.jwa import JWSAlgModel
from joserfc.jwk import ECKey, OKPKey
from joserfc.jws import JWSRegistry, deserialize_compact, serialize_compact

from probatum.proof.base64_text import url_decoded, url_encoded
from probatum.proof.token_form import low_half

NativePrivate = Ed25519PrivateKey | EllipticCurvePrivateKey
NativePublic = Ed25519PublicKey | EllipticCurvePublicKey


class _OneAlgorithm(JWSRegistry):
    """Knows a single algorithm, whatever a header asks for.

    Asked for by name, joserfc warns that "EdDSA" also names another curve; here the key fixes the curve.
    """

    def __init__(self, name: str) -> None:
        super().__init__(algorithms=[name])
        self._only = self.algorithms[name]

    def get_alg(self, name: str) -> JWSAlgModel:
        if name != self._only.name:
            raise JoseError(f"the algorithm {name[:20]!r} is not that of the key")
        return self._only


def compact_token(header: dict[str, str], payload: bytes, key: NativePrivate) -> str:
    """Return the signed token in compact form; of the two signatures of ECDSA that hold, the one with the low half."""
    name = header["alg"]
    text = serialize_compact(dict(header), payload, _key_of(key), registry=_OneAlgorithm(name))
    return text if isinstance(key, Ed25519PrivateKey) else _with_low_half(text)


def signature_holds(text: str, algorithm: str, key: NativePublic) -> bool:
    """True where the signature of a token in compact form was made with the private half of this key."""
    try:
        deserialize_compact(text, _key_of(key), registry=_OneAlgorithm(algorithm))
    except (JoseError, ValueError):
        return False
    return True


def web_key(key: NativePublic) -> dict[str, str]:
    """Return the members of a JSON Web Key that say which key it is."""
    return {name: str(value) for name, value in _key_of(key).as_dict(private=False).items()}


def native_of(entry: dict[str, str]) -> NativePublic:
    """Return the public key of a JSON Web Key; raises ValueError where it is none."""
    try:
        if entry["kty"] == "EC":
            return ECKey.import_key({**entry}).public_key
        native = OKPKey.import_key({**entry}).public_key
    except (JoseError, KeyError) as error:
        raise ValueError(f"no public key: {error}") from error
    if not isinstance(native, Ed25519PublicKey):
        raise ValueError("not an Ed25519 key")
    return native


def _key_of(key: NativePrivate | NativePublic) -> ECKey | OKPKey:
    if isinstance(key, Ed25519PrivateKey | Ed25519PublicKey):
        return OKPKey.import_key(key)
    return ECKey.import_key(key)


def _with_low_half(text: str) -> str:
    signed, _, last = text.rpartition(".")
    return f"{signed}.{url_encoded(low_half(url_decoded(last)))}"
