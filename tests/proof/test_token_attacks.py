"""Every way to pass off a token that is none: each is refused, with its name (attack 35 and its neighbours)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from probatum.core.errors import ProbatumError
from probatum.proof.token_claims import VERDICT_CLAIM
from probatum.proof.token_form import MAX_TOKEN, unverified
from probatum.proof.tokens import Algorithm, TokenKey
from tests.proof.sample import SUBJECT
from tests.proof.token_sample import MOMENT, World, opened, part, signature_of

EDDSA, ES256 = World(Algorithm.EDDSA), World(Algorithm.ES256)
WORLDS = {world.algorithm.value: world for world in (EDDSA, ES256)}
SECONDS = int(MOMENT.timestamp())
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

both = pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)


@both
def test_the_token_that_the_attacks_start_from_is_accepted(world: World) -> None:
    world.verifier().verify_bound(world.token, world.verdict, SUBJECT.content, world.store)
    world.verifier().verify_bound(world.forged(), world.verdict, SUBJECT.content, world.store)


HEADERS = {
    "algorithm none": ({"alg": "none"}, "token.algorithm"),
    "algorithm None": ({"alg": "None"}, "token.algorithm"),
    "no algorithm": ({"alg": ...}, "token.header"),
    "algorithm is no text": ({"alg": 1}, "token.header"),
    "algorithm of another key": ({"alg": "RS256"}, "token.algorithm"),
    "algorithm in small letters": ({"alg": "eddsa"}, "token.algorithm"),
    "no key": ({"kid": ...}, "token.header"),
    "key is no text": ({"kid": None}, "token.header"),
    "empty key": ({"kid": ""}, "token.key"),
    "unknown key": ({"kid": "ab" * 32}, "token.key"),
    "key id as a path": ({"kid": "../../dev/null"}, "token.key"),
    "key id as a query": ({"kid": "' OR 1=1 --"}, "token.key"),
    "no type": ({"typ": ...}, "token.header"),
    "another type": ({"typ": "JWT"}, "token.type"),
    "type of an access token": ({"typ": "at+jwt"}, "token.type"),
    "type in capitals": ({"typ": "PROBATUM-VERDICT+JWT"}, "token.type"),
    "an extension that must be understood": ({"crit": ["exp"], "exp": 1}, "token.header"),
    "an empty list of extensions": ({"crit": []}, "token.header"),
    "payload not encoded": ({"b64": False, "crit": ["b64"]}, "token.header"),
    "payload encoded, said aloud": ({"b64": True}, "token.header"),
    "address of a key set": ({"jku": "https://attacker.example/keys"}, "token.header"),
    "key of its own": ({"jwk": {"kty": "oct", "k": "AA"}}, "token.header"),
    "address of a certificate": ({"x5u": "https://attacker.example/pem"}, "token.header"),
    "certificate of its own": ({"x5c": ["AA"]}, "token.header"),
    "thumbprint of a certificate": ({"x5t": "AA"}, "token.header"),
    "compression": ({"zip": "DEF"}, "token.header"),
    "content type": ({"cty": "JWT"}, "token.header"),
    "unknown member": ({"x": 1}, "token.header"),
}


@both
@pytest.mark.parametrize("name", HEADERS)
def test_attack_35_a_header_that_asks_for_more_is_refused(name: str, world: World) -> None:
    changes, code = HEADERS[name]
    assert world.refusal(world.forged(changes)) == code


@both
@pytest.mark.parametrize("algorithm", ["none", "None", "nOnE", ""])
def test_attack_35_a_token_without_signature_is_refused(algorithm: str, world: World) -> None:
    assert world.refusal(world.forged({"alg": algorithm}, sign=lambda _: b"")) == "token.algorithm"


@both
def test_attack_35_an_empty_signature_is_refused(world: World) -> None:
    assert world.refusal(world.forged(sign=lambda _: b"")) == "token.signature"
    assert world.refusal(world.forged(sign=lambda _: bytes(64))) == "token.signature"


@both
@pytest.mark.parametrize("shape", ["raw", "der", "pem", "web key", "hexadecimal id"])
def test_attack_35_a_public_key_used_as_a_shared_secret_is_refused(shape: str, world: World) -> None:
    public = world.native.public_key()
    secret = {
        "raw": lambda: world.key.encoded[-32:],
        "der": lambda: public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo),
        "pem": lambda: public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo),
        "web key": lambda: json.dumps(world.key.web_key).encode(),
        "hexadecimal id": world.key.id.encode,
    }[shape]()
    for algorithm in ("HS256", world.algorithm.value):
        forged = world.forged({"alg": algorithm}, sign=lambda text: hmac.digest(secret, text, sha256))
        assert world.refusal(forged) == ("token.algorithm" if algorithm == "HS256" else "token.signature")


@both
def test_attack_35_an_algorithm_that_is_not_the_key_s_is_refused(world: World) -> None:
    other = ES256 if world is EDDSA else EDDSA
    low = bytes(63) + b"\1"
    named = world.forged({"alg": other.algorithm.value}, sign=lambda _: low)
    assert world.refusal(named) == "token.algorithm"
    swapped = world.forged({"kid": other.key.id})
    assert world.refusal(swapped) == "token.key"
    assert world.refusal(swapped, keys=lambda: (world.key, other.key)) == "token.algorithm"


@both
def test_attack_35_a_signature_of_another_key_is_refused(world: World) -> None:
    stranger = World(world.algorithm)
    forged = world.forged(sign=lambda text: signature_of(stranger.native, text))
    assert world.refusal(forged) == "token.signature"
    assert world.refusal(stranger.token) == "token.key"
    assert world.refusal(stranger.token, keys=tuple) == "token.key"


def test_attack_35_the_high_signature_of_ecdsa_is_refused() -> None:
    """Both halves hold for the curve; only one counts, so that a token has no second spelling."""
    high = ES256.forged(sign=lambda text: signature_of(ES256.native, text, high=True))
    assert TokenKey.signed(ES256.key, high)
    assert ES256.refusal(high) == "token.signature"


def test_attack_35_the_high_signature_of_ed25519_is_refused() -> None:
    order = 2**252 + 27742317777372353535851937790883648493
    signature = opened(EDDSA.token.rpartition(".")[2])
    high = int.from_bytes(signature[32:], "little") + order
    bent = f"{EDDSA.token.rpartition('.')[0]}.{part(signature[:32] + high.to_bytes(32, 'little'))}"
    assert EDDSA.refusal(bent) == "token.signature"


@both
@pytest.mark.parametrize("numbers", [(0, 1), (1, 0), (0, 0), (2**256 - 1, 1), (1, 2**255 - 1)])
def test_numbers_that_are_no_signature_are_refused(numbers: tuple[int, int], world: World) -> None:
    made = b"".join(number.to_bytes(32, "big") for number in numbers)
    assert world.refusal(world.forged(sign=lambda _: made)) == "token.signature"


def _payload(changes: dict[str, object]) -> dict[str, object]:
    """Changes of the payload; those under ``verdict`` go into the claim that holds it."""
    stated = changes.pop("verdict", None)
    if stated is not None:
        merged = {**EDDSA.payload[VERDICT_CLAIM], **stated}
        changes[VERDICT_CLAIM] = {name: value for name, value in merged.items() if value is not ...}
    return changes


PAYLOADS = {
    "another issuer": ({"iss": "https://judge.example/"}, "token.issuer"),
    "no issuer": ({"iss": ...}, "token.claims"),
    "another audience": ({"aud": "billing"}, "token.audience"),
    "several audiences": ({"aud": ["deploy", "billing"]}, "token.claims"),
    "no audience": ({"aud": ...}, "token.claims"),
    "expired": ({"iat": SECONDS - 600, "nbf": SECONDS - 600, "exp": SECONDS - 30}, "token.expired"),
    "no end": ({"exp": ...}, "token.claims"),
    "an end that is text": ({"exp": str(SECONDS + 60)}, "token.claims"),
    "an end with a fraction": ({"exp": SECONDS + 60.5}, "token.claims"),
    "an end that is true": ({"exp": True}, "token.claims"),
    "an end beyond all dates": ({"exp": 2**53 - 1}, "token.claims"),
    "an end beyond all numbers": ({"exp": 1e300}, "token.claims"),
    "a negative beginning": ({"iat": -1}, "token.claims"),
    "issued in the future": ({"iat": SECONDS + 31, "nbf": SECONDS + 31}, "token.issued_in_future"),
    "not yet valid": ({"nbf": SECONDS + 31}, "token.not_yet_valid"),
    "ends before it begins": ({"nbf": SECONDS + 300}, "token.life"),
    "begins before it was issued": ({"nbf": SECONDS - 1}, "token.life"),
    "lives for more than an hour": ({"exp": SECONDS + 3601}, "token.life"),
    "no id": ({"jti": ...}, "token.claims"),
    "an id that is a path": ({"jti": "../x"}, "token.claims"),
    "an empty id": ({"jti": ""}, "token.claims"),
    "a subject that is no digest": ({"sub": "user"}, "token.claims"),
    "a claim more": ({"admin": True}, "token.claims"),
    "no verdict": ({VERDICT_CLAIM: ...}, "token.claims"),
    "a verdict that is text": ({VERDICT_CLAIM: "VERIFIED"}, "token.claims"),
    "a verdict with a field more": ({"verdict": {"confidence": 99}}, "token.claims"),
    "a verdict with a field less": ({"verdict": {"policy": ...}}, "token.claims"),
    "refuted": ({"verdict": {"status": "UNVERIFIABLE", "outcome": "refuted"}}, "token.not_verified"),
    "a status of its own": ({"verdict": {"status": "FAILED"}}, "token.not_verified"),
    "verified and refuted": ({"verdict": {"outcome": "refuted"}}, "token.claims"),
    "an outcome of its own": ({"verdict": {"outcome": "certain"}}, "token.claims"),
    "a kind that is not a name": ({"verdict": {"kind": "Oracle!"}}, "token.claims"),
    "evidence of nothing": ({"verdict": {"evidence": "sha256:"}}, "token.claims"),
}


@both
@pytest.mark.parametrize("name", PAYLOADS)
def test_attack_35_claims_that_do_not_hold_are_refused_under_a_sound_signature(name: str, world: World) -> None:
    changes, code = PAYLOADS[name]
    assert world.refusal(world.forged(payload=_payload(dict(changes)))) == code


def _header(world: World) -> bytes:
    return opened(world.token.split(".")[0])


SPELLINGS: dict[str, Callable[[World], bytes]] = {
    "an algorithm twice": lambda w: b'{"alg":"none",' + _header(w)[1:],
    "a space": lambda w: _header(w).replace(b":", b": ", 1),
    "members in another order": lambda w: json.dumps(dict(reversed(w.header.items())), separators=(",", ":")).encode(),
    "an escape that is not needed": lambda w: _header(w).replace(b"alg", b"\\u0061lg", 1),
    "a byte order mark": lambda w: b"\xef\xbb\xbf" + _header(w),
    "a list": lambda w: b"[]",
    "a number": lambda w: b"1",
    "nothing": lambda w: b"",
    "no UTF-8": lambda w: b"\xff",
    "too deep": lambda w: b"[" * 4000,
}


@both
@pytest.mark.parametrize("name", SPELLINGS)
def test_another_spelling_of_the_header_is_refused(name: str, world: World) -> None:
    assert world.refusal(world.forged(header=SPELLINGS[name](world))) == "token.malformed"


@both
def test_a_claim_that_is_there_twice_is_refused(world: World) -> None:
    twice = b'{"aud":"billing",' + opened(world.token.split(".")[1])[1:]
    assert world.refusal(world.forged(payload=twice)) == "token.malformed"
    inner = opened(world.token.split(".")[1]).replace(b'"status":', b'"status":"BLOCKED","status":')
    assert world.refusal(world.forged(payload=inner)) == "token.malformed"


@both
@pytest.mark.parametrize(
    "respelt",
    [
        lambda text: text + "=",
        lambda text: text + "==",
        lambda text: text + ".",
        lambda text: "." + text,
        lambda text: text.replace(".", "..", 1),
        lambda text: text + ".AA",
        lambda text: text.rpartition(".")[0],
        lambda text: text.split(".")[0] + ".." + text.split(".")[2],
        lambda text: " " + text,
        lambda text: text + "\n",
        lambda text: text.replace(".", ".\n", 1),
        lambda text: text.replace("-", "+").replace("_", "/") + "+",
        lambda text: text + "\u0660",
        lambda text: "",
        lambda text: "..",
        lambda text: ".",
        lambda text: "Bearer " + text,
        lambda text: json.dumps({"payload": text}),
        lambda text: text.encode(),
        lambda text: None,
        lambda text: {"token": text},
    ],
)
def test_another_spelling_of_the_token_is_refused(respelt: Callable[[str], object], world: World) -> None:
    assert world.refusal(respelt(world.token)) == "token.malformed"


def test_bits_that_nobody_reads_are_refused() -> None:
    """86 signs carry 516 bits for 512: four of them have no meaning, and could make a second spelling."""
    for world in (EDDSA, ES256):
        last = ALPHABET.index(world.token[-1])
        for bits in range(1, 16):
            respelt = world.token[:-1] + ALPHABET[last ^ bits]
            assert world.refusal(respelt) == "token.malformed"


def test_a_token_that_is_too_large_is_refused_before_it_is_read() -> None:
    assert EDDSA.refusal("A" * (MAX_TOKEN + 1)) == "token.too_large"
    assert EDDSA.refusal("." * (MAX_TOKEN + 1)) == "token.too_large"
    assert EDDSA.refusal("A" * MAX_TOKEN) == "token.malformed"


class Text(str):
    """Compares as it likes."""

    __slots__ = ()

    def split(self, *_: object, **__: object) -> list[str]:
        return EDDSA.token.split(".")


def test_a_subclass_of_text_is_refused() -> None:
    assert EDDSA.refusal(Text("x")) == "token.malformed"


@both
def test_attack_35_any_one_changed_sign_fails(world: World) -> None:
    verifier = world.verifier()
    for position, sign in enumerate(world.token):
        for other in {ALPHABET[ALPHABET.find(sign) ^ 1], ALPHABET[ALPHABET.find(sign) ^ 32], "."} - {sign}:
            bent = world.token[:position] + other + world.token[position + 1 :]
            with pytest.raises(ProbatumError):
                verifier.verify(bent)


@settings(deadline=None)
@given(st.integers(0, 3000), st.integers(0, 3000), st.text(max_size=4))
def test_any_other_token_fails(start: int, end: int, inserted: str) -> None:
    token = EDDSA.token
    bent = token[:start] + inserted + token[end:]
    assume(bent != token)
    assert EDDSA.refusal(bent).startswith("token.")


@settings(deadline=None)
@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda content: f"{part(content)}.{part(content)}.AA"))
def test_any_text_is_a_named_error(text: str) -> None:
    with pytest.raises(ProbatumError):
        unverified(text)


def test_leeway_is_for_clocks_and_no_longer() -> None:
    world = World()
    verifier = world.verifier(leeway=timedelta(seconds=5))
    for seconds, code in ((-6, "token.issued_in_future"), (-5, None), (304, None), (305, "token.expired")):
        world.clock.at = MOMENT + timedelta(seconds=seconds)
        if code is None:
            verifier.verify(world.token)
        else:
            assert world.refusal(world.token, leeway=timedelta(seconds=5)) == code


def test_a_reader_may_ask_for_a_shorter_life() -> None:
    world = World()
    assert world.refusal(world.token, max_life=timedelta(minutes=4)) == "token.life"
    world.verifier(max_life=timedelta(minutes=5)).verify(world.token)
