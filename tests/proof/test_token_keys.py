"""Key sets: what is published, and what is refused when one is read."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP384R1, generate_private_key
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from hypothesis import given, settings
from hypothesis import strategies as st
from joserfc.jwk import generate_key

from probatum.core.errors import IntegrityError, ProbatumError
from probatum.proof.base64_text import decoded, encoded, url_decoded, url_encoded
from probatum.proof.keys import PublicKey
from probatum.proof.token_keys import MAX_KEY_SET, SigningKey, TokenKey, key_set, read_key_set
from probatum.proof.tokens import Algorithm
from tests.proof.token_sample import opened, part

EDDSA, ES256 = (SigningKey.ephemeral(algorithm).public for algorithm in Algorithm)
KEYS = {"EdDSA": EDDSA, "ES256": ES256}
RFC_8037 = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
"""Appendix A.2: the public key of appendix A."""
RFC_8037_SIGNED = (
    "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
    ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
)
"""Appendix A.4: a token signed with it."""


def published(*entries: object) -> bytes:
    return json.dumps({"keys": list(entries)}).encode()


def code_of(content: bytes) -> str:
    with pytest.raises(ProbatumError) as caught:
        read_key_set(content)
    return caught.value.code


def test_a_key_set_reads_back() -> None:
    assert read_key_set(json.dumps(key_set([EDDSA, ES256]), indent=2).encode()) == (EDDSA, ES256)
    assert read_key_set(published()) == ()


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_only_public_members_are_published(key: TokenKey) -> None:
    assert set(key.web_key) <= {"alg", "crv", "kid", "kty", "use", "x", "y"}


def test_a_key_has_one_id_everywhere() -> None:
    native = Ed25519PrivateKey.generate().public_key()
    known = PublicKey(native.public_bytes_raw())
    assert TokenKey.of(known).id == TokenKey.of_native(native).id == known.id


def test_a_known_signature_verifies_and_its_neighbours_do_not() -> None:
    key = TokenKey.of_native(Ed25519PublicKey.from_public_bytes(opened(RFC_8037)))
    assert key.signed(RFC_8037_SIGNED)
    assert key.web_key["x"] == RFC_8037
    head, _, signature = RFC_8037_SIGNED.rpartition(".")
    value = opened(signature)
    for position in range(0, len(value) * 8, 7):
        bent = bytearray(value)
        bent[position // 8] ^= 1 << position % 8
        assert not key.signed(f"{head}.{part(bytes(bent))}")
    assert not EDDSA.signed(RFC_8037_SIGNED)


CHANGES: dict[str, Callable[[dict[str, object]], object]] = {
    "an id of its choice": lambda entry: {**entry, "kid": "ab" * 32},
    "the id of the other key": lambda entry: {**entry, "kid": ES256.id if entry["kty"] == "OKP" else EDDSA.id},
    "no id": lambda entry: {name: value for name, value in entry.items() if name != "kid"},
    "another algorithm": lambda entry: {**entry, "alg": "HS256"},
    "no algorithm": lambda entry: {name: value for name, value in entry.items() if name != "alg"},
    "for encryption": lambda entry: {**entry, "use": "enc"},
    "another kind": lambda entry: {**entry, "kty": "RSA"},
    "no kind": lambda entry: {name: value for name, value in entry.items() if name != "kty"},
    "a kind that is no text": lambda entry: {**entry, "kty": ["OKP"]},
    "another curve": lambda entry: {**entry, "crv": "X25519" if entry["kty"] == "OKP" else "P-384"},
    "padding": lambda entry: {**entry, "x": f"{entry['x']}="},
    "a shorter number": lambda entry: {**entry, "x": str(entry["x"])[:-4]},
    "an empty number": lambda entry: {**entry, "x": ""},
    "no number": lambda entry: {name: value for name, value in entry.items() if name != "x"},
    "a number that is a number": lambda entry: {**entry, "x": 1},
    "text outside of the alphabet": lambda entry: {**entry, "x": "\u00e4" + str(entry["x"])[1:]},
    "a member more": lambda entry: {**entry, "x5u": "https://attacker.example/"},
    "a list": lambda entry: list(entry.items()),
    "nothing": lambda entry: None,
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_key_is_refused(name: str, key: TokenKey) -> None:
    assert code_of(published(CHANGES[name](dict(key.web_key)))) == "key_set.malformed"
    assert code_of(published(EDDSA.web_key, CHANGES[name](dict(key.web_key)))) == "key_set.malformed"


def test_a_point_that_is_not_on_the_curve_is_refused() -> None:
    assert code_of(published({**ES256.web_key, "x": ES256.web_key["y"]})) == "key_set.malformed"


@pytest.mark.parametrize(
    ("kind", "curve", "algorithm"),
    [
        ("EC", "P-384", "ES256"),
        ("EC", "P-384", "ES384"),
        ("EC", "P-521", "ES512"),
        ("EC", "secp256k1", "ES256K"),
        ("EC", "secp256k1", "ES256"),
        ("OKP", "Ed448", "EdDSA"),
        ("OKP", "X25519", "EdDSA"),
    ],
)
def test_a_sound_key_on_another_curve_is_refused(kind: str, curve: str, algorithm: str) -> None:
    made = generate_key(kind, curve)
    id_of_its_own = hashlib.sha256(made.as_der(private=False)).hexdigest()
    entry = made.as_dict(private=False, alg=algorithm, kid=id_of_its_own, use="sig")
    assert code_of(published(entry)) == "key_set.malformed"


def test_a_key_on_another_curve_signs_no_token() -> None:
    with pytest.raises(ValueError, match="P-256"):
        SigningKey(generate_private_key(SECP384R1())).sign(b"{}")


@pytest.mark.parametrize(
    "entry",
    [
        {**EDDSA.web_key, "d": "AA"},
        {**ES256.web_key, "d": ""},
        {"kty": "oct", "k": "AA", "alg": "HS256", "kid": "x", "use": "sig"},
        {"kty": "RSA", "n": "AA", "e": "AQAB", "p": "AA"},
    ],
)
def test_a_secret_in_a_key_set_is_named_as_such(entry: dict[str, str]) -> None:
    assert code_of(published(entry)) == "key_set.exposed"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"{}",
        b"null",
        b'{"keys":{}}',
        b'{"keys":[],"more":1}',
        b'{"keys":[],"keys":[]}',
        b"\xff",
        b"[" * 60_000,
        published(EDDSA.web_key, EDDSA.web_key),
        published(*[SigningKey.ephemeral().public.web_key for _ in range(17)]),
        b" " * (MAX_KEY_SET + 1),
    ],
)
def test_what_is_no_key_set_is_refused(content: bytes) -> None:
    assert code_of(content) == "key_set.malformed"


@settings(deadline=None)
@given(st.data())
def test_any_changed_byte_is_refused_or_changes_nothing(data: st.DataObject) -> None:
    """White space and the order of members are free; whatever is read is still the keys that were published."""
    content = published(EDDSA.web_key, ES256.web_key)
    position = data.draw(st.integers(0, len(content) - 1))
    bent = content[:position] + bytes([data.draw(st.integers(0, 255))]) + content[position + 1 :]
    try:
        read = read_key_set(bent)
    except IntegrityError:
        return
    assert read == (EDDSA, ES256)


@settings(deadline=None)
@given(st.binary(max_size=80))
def test_bytes_have_one_spelling(content: bytes) -> None:
    assert url_decoded(url_encoded(content)) == content == decoded(encoded(content))


@settings(deadline=None)
@given(st.text(alphabet="AQgw-_+/=\n \u00e9", max_size=6))
def test_another_spelling_is_refused(text: str) -> None:
    try:
        content = url_decoded(text)
    except ValueError:
        return
    assert url_encoded(content) == text
