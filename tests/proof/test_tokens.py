"""Tokens: what is bound, what the issuer refuses, how long they live, and that they die with their key."""

from __future__ import annotations

import copy
import dataclasses
import itertools
import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDSA,
    SECP256R1,
    EllipticCurvePublicNumbers,
)
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from hypothesis import given, settings
from hypothesis import strategies as st
from joserfc import jwt
from joserfc.jwk import KeySet

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import Outcome, decide
from probatum.core.diagnostics import DiagnosticResult, DiagnosticStatus
from probatum.core.errors import NotAttemptedError, ProbatumError
from probatum.core.subject import Subject
from probatum.proof.artifact import Described, parse_artifact
from probatum.proof.keys import KeyFolder
from probatum.proof.ledger_entry import verdict_digest
from probatum.proof.statement import VERDICT
from probatum.proof.stores import DirectoryStore, MemoryStore
from probatum.proof.token_claims import VERDICT_CLAIM
from probatum.proof.tokens import (
    DEFAULT_LIFE,
    MAX_LEEWAY,
    MAX_LIFE,
    Algorithm,
    SignedToken,
    SigningKey,
    TokenIssuer,
    TokenKey,
    TokenVerifier,
    checked_token,
    read_key_set,
)
from tests.proof.sample import SUBJECT, observed, sample_artifact, sample_bytes, verdict_of
from tests.proof.token_sample import AUDIENCE, ISSUER, MOMENT, Clock, World, opened

MADE_UP = "sha256:" + "ab" * 32


@pytest.fixture(params=list(Algorithm), ids=lambda each: each.value)
def world(request: pytest.FixtureRequest) -> World:
    return World(request.param)


def bound(world: World, verdict: DiagnosticResult | None = None, subject: bytes = SUBJECT.content) -> object:
    return world.verifier().verify_bound(world.token, verdict or world.verdict, subject, world.store)


def code_of(action: Callable[[], object]) -> str:
    with pytest.raises(ProbatumError) as caught:
        action()
    return caught.value.code


def checked(world: World, verdict: DiagnosticResult, artifact: dict[str, object]) -> SignedToken:
    content = canonical_bytes(artifact)
    return checked_token(world.token, world.verifier(), verdict, parse_artifact(content), content)


def test_a_token_says_what_a_signed_statement_says(world: World) -> None:
    signed = bound(world)
    artifact = sample_artifact()
    assert (signed.key, signed.kind, signed.moment) == (world.key, VERDICT, MOMENT)
    claims = signed.claims
    assert (claims.issuer, claims.audience, claims.id) == (ISSUER, AUDIENCE, "token-1")
    assert (claims.issued, claims.starts, claims.expires) == (MOMENT, MOMENT, MOMENT + DEFAULT_LIFE)
    assert dataclasses.asdict(claims.verdict) == {
        "claim": artifact["claim"],
        "contract": artifact["contract"]["digest"],
        "digest": verdict_digest(world.verdict),
        "evidence": world.verdict.proof_ref,
        "kind": "program",
        "outcome": "tested",
        "policy": artifact["policy"]["digest"],
        "status": "VERIFIED",
        "subject": SUBJECT.digest,
    }


def test_the_shape_is_that_of_a_checked_signature(world: World) -> None:
    signed = checked(world, world.verdict, sample_artifact())
    assert (signed.kind, signed.moment, signed.key.id) == (VERDICT, MOMENT, world.key.id)


def test_the_bytes_of_a_token_are_fixed() -> None:
    """The format: whoever reads version 1 can read it tomorrow."""
    native = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    world = World()
    issuer = TokenIssuer(ISSUER, world.store, world.clock, key=SigningKey(native), new_id=lambda: "id-1")
    header, payload, signature = issuer.issue(world.verdict, AUDIENCE).split(".")
    assert opened(header) == (
        b'{"alg":"EdDSA","kid":"' + TokenKey.of_native(native.public_key()).id.encode() + b'",'
        b'"typ":"probatum-verdict+jwt"}'
    )
    artifact = sample_artifact()
    stated = (
        f'{{"claim":"{artifact["claim"]}","contract":"{artifact["contract"]["digest"]}",'
        f'"digest":"{verdict_digest(world.verdict)}","evidence":"{world.verdict.proof_ref}","kind":"program",'
        f'"outcome":"tested","policy":"{artifact["policy"]["digest"]}","status":"VERIFIED"}}'
    )
    assert opened(payload).decode() == (
        f'{{"aud":"deploy","exp":1714979589,"iat":1714979289,"iss":"{ISSUER}","jti":"id-1","nbf":1714979289,'
        f'"sub":"{SUBJECT.digest}","urn:probatum:claim:verdict:v1":{stated}}}'
    )
    assert opened(signature) == native.sign(f"{header}.{payload}".encode())


def test_another_library_reads_it_by_hand(world: World) -> None:
    header, payload, signature = world.token.split(".")
    [entry] = json.loads(json.dumps(world.issuer.key_set()))["keys"]
    assert entry["kid"] == json.loads(opened(header))["kid"]
    message, value = f"{header}.{payload}".encode(), opened(signature)
    if entry["kty"] == "OKP":
        Ed25519PublicKey.from_public_bytes(opened(entry["x"])).verify(value, message)
    else:
        x, y = (int.from_bytes(opened(entry[name]), "big") for name in "xy")
        key = EllipticCurvePublicNumbers(x, y, SECP256R1()).public_key()
        r, s = int.from_bytes(value[:32], "big"), int.from_bytes(value[32:], "big")
        key.verify(encode_dss_signature(r, s), message, ECDSA(SHA256()))
    assert json.loads(opened(payload))["sub"] == "sha256:" + SUBJECT.digest[7:]


@pytest.mark.filterwarnings("ignore:EdDSA is deprecated")
def test_a_reader_that_knows_nothing_of_us_reads_it(world: World) -> None:
    keys = KeySet.import_key_set(json.loads(json.dumps(world.issuer.key_set())))
    token = jwt.decode(world.token, keys, algorithms=[world.algorithm.value])
    assert token.claims == world.payload
    jwt.JWTClaimsRegistry(
        now=int(MOMENT.timestamp()),
        iss={"essential": True, "value": ISSUER},
        aud={"essential": True, "value": AUDIENCE},
    ).validate(token.claims)


@pytest.mark.parametrize("made", [DiagnosticResult.unverifiable, DiagnosticResult.blocked])
def test_only_verified_gets_a_token(made: Callable[..., DiagnosticResult], world: World) -> None:
    assert code_of(lambda: world.issuer.issue(made("no", {}), AUDIENCE)) == "sign.not_verified"


@pytest.mark.parametrize("reference", ["sha256:" + "0" * 64, MADE_UP])
def test_a_made_up_reference_gets_no_token(reference: str, world: World) -> None:
    """Attack 31: the reference of nothing, for whatever claim."""
    nothing = DiagnosticResult(DiagnosticStatus.VERIFIED, "2+2=5", {}, reference)
    assert code_of(lambda: world.issuer.issue(nothing, AUDIENCE)) == "store.not_found"


class Duck:
    """Looks like a verdict."""

    status = DiagnosticStatus.VERIFIED
    is_verified = is_authoritative = True
    agent_message = "ok"
    developer_fields: dict[str, object] = {}  # noqa: RUF012
    proof_ref = MADE_UP
    constraint_id = None

    def to_dict(self) -> dict[str, object]:
        return verdict_of(sample_artifact()).to_dict()


@pytest.mark.parametrize("thing", [Duck(), verdict_of(sample_artifact()).to_dict(), None, True, MADE_UP])
def test_what_only_looks_like_a_verdict_gets_no_token(thing: object, world: World) -> None:
    assert code_of(lambda: world.issuer.issue(thing, AUDIENCE)) == "sign.not_verified"
    verify = world.verifier().verify_bound
    assert code_of(lambda: verify(world.token, thing, SUBJECT.content, world.store)) == "sign.not_verified"


def bent_status(verdict: DiagnosticResult) -> DiagnosticResult:
    bent = copy.copy(verdict)
    object.__setattr__(bent, "status", DiagnosticStatus.UNVERIFIABLE)
    return bent


def bent_text_status(verdict: DiagnosticResult) -> DiagnosticResult:
    bent = copy.copy(verdict)
    object.__setattr__(bent, "status", "VERIFIED")
    return bent


def made_without_fields(verdict: DiagnosticResult) -> DiagnosticResult:
    bent = DiagnosticResult.__new__(DiagnosticResult)
    object.__setattr__(bent, "proof_ref", verdict.proof_ref)
    return bent


@pytest.mark.parametrize("bend", [bent_status, bent_text_status, made_without_fields])
def test_a_verdict_bent_in_memory_gets_no_token(
    bend: Callable[[DiagnosticResult], DiagnosticResult], world: World
) -> None:
    assert code_of(lambda: world.issuer.issue(bend(world.verdict), AUDIENCE)) == "sign.not_verified"


def test_a_stored_proof_of_a_refutation_gets_no_token(world: World) -> None:
    """A store may hold it, and an object may be bent so that it fits; it is not VERIFIED."""
    refuted = decide(Outcome.REFUTED, "program.counterexample", {"name": "add"}, {"a": 1, "b": 2})
    artifact = sample_artifact(decision=refuted, claim="add is wrong.")
    reference = world.store.retain(canonical_bytes(artifact))
    bent = DiagnosticResult.unverifiable(refuted.agent_message, refuted.developer_fields())
    object.__setattr__(bent, "proof_ref", reference)
    assert code_of(lambda: world.issuer.issue(bent, AUDIENCE)) == "sign.not_verified"


def test_a_stored_text_that_is_no_artifact_gets_no_token(world: World) -> None:
    """Attack 21: evidence of the caller's own making."""
    evidence = {"calculated": 1, "claimed": 1}
    world.store.retain(canonical_bytes(evidence))
    made = DiagnosticResult.verified("A claim.", {}, evidence)
    assert code_of(lambda: world.issuer.issue(made, AUDIENCE)) == "artifact.malformed"


@dataclasses.dataclass
class LyingStore:
    """Answers every question with the same bytes."""

    content: bytes

    def fetch(self, _digest: str) -> bytes:
        return self.content


def test_a_store_that_answers_with_other_bytes_gets_no_token(world: World) -> None:
    store = LyingStore(sample_bytes(seed=1))
    issuer = TokenIssuer(ISSUER, store, world.clock)
    assert code_of(lambda: issuer.issue(world.verdict, AUDIENCE)) == "proof.altered"
    verify = world.verifier().verify_bound
    assert code_of(lambda: verify(world.token, world.verdict, SUBJECT.content, store)) == "proof.altered"


SWAPS = {
    "sentence": {"agent_message": "Another sentence."},
    "no fields": {"developer_fields": {}},
    "outcome": {"developer_fields": {"outcome": "proved", "constraint_id": "program.tested", "executed_checks": 2}},
    "count": {"developer_fields": {"outcome": "tested", "constraint_id": "program.tested", "executed_checks": 3}},
    "type of a count": {
        "developer_fields": {"outcome": "tested", "constraint_id": "program.tested", "executed_checks": "2"}
    },
    "proof": {"proof_ref": MADE_UP},
}


@pytest.mark.parametrize("name", SWAPS)
def test_a_swapped_layer_fails_under_a_valid_token(name: str, world: World) -> None:
    """Attack 32, at the issuer and at the reader."""
    other = dataclasses.replace(world.verdict, **SWAPS[name])
    assert code_of(lambda: bound(world, other)) in {"verdict.not_bound", "store.not_found"}
    assert code_of(lambda: world.issuer.issue(other, AUDIENCE)) in {"verdict.not_bound", "store.not_found"}


plain = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=5,
)
SHARED = World()


@settings(deadline=None)
@given(st.sampled_from(["executed_checks", "constraint_id", "outcome", "name", "new"]) | st.text(max_size=8), plain)
def test_any_change_of_a_field_fails_under_a_valid_token(name: str, value: object) -> None:
    fields = {**SHARED.verdict.developer_fields, name: value}
    try:
        other = dataclasses.replace(SHARED.verdict, developer_fields=fields)
    except ValueError:
        return
    if name == "advisory_checks" or other == SHARED.verdict:
        bound(SHARED, other)
    else:
        assert code_of(lambda: bound(SHARED, other)) == "verdict.not_bound"
        assert verdict_digest(other) != verdict_digest(SHARED.verdict)


def test_advice_may_differ_and_decides_nothing(world: World) -> None:
    advice = {"advisory_checks": [{"name": "reviewer", "advisory_only": True, "details": {"says": "bad"}}]}
    advised = dataclasses.replace(world.verdict, developer_fields={**world.verdict.developer_fields, **advice})
    bound(world, advised)
    assert verdict_digest(advised) == verdict_digest(world.verdict)


@pytest.mark.parametrize("name", SWAPS)
def test_a_swapped_layer_fails_where_a_gate_asks(name: str, world: World) -> None:
    """As above, without the store between."""
    other, artifact = dataclasses.replace(world.verdict, **SWAPS[name]), sample_artifact()
    assert code_of(lambda: checked(world, other, artifact)) == "verdict.not_bound"
    assert code_of(lambda: checked(world, world.verdict, sample_artifact(seed=1))) == "verdict.not_bound"
    checked(world, world.verdict, artifact)


OTHERS = {
    "subject": {"subject": Subject(b"def sub(a, b):\n    return a - b\n", "text/x-python", "add.py::add")},
    "contract": {"contract": Described("docstring", ["add(2, 2) == 4"])},
    "policy": {"policy": Described("sums/quick", {"min_strength": 0.1})},
    "claim": {"claim": "Another claim."},
    "observations": {"observations": observed((2, 2, 4), (1, 1, 2))},
    "seed": {"seed": 1},
    "kind": {"kind": "claim"},
}


@pytest.mark.parametrize("name", OTHERS)
def test_a_token_is_worth_nothing_for_another_proof(name: str, world: World) -> None:
    """Attacks 36 and 37: subject, claim and run are bound, even where the store has both proofs."""
    artifact = sample_artifact(**OTHERS[name])
    world.store.retain(canonical_bytes(artifact))
    assert code_of(lambda: bound(world, verdict_of(artifact))) == "token.other"


@pytest.mark.parametrize("name", ["claim", "contract", "digest", "evidence", "policy", "sub", "kind", "outcome"])
def test_every_digest_is_compared(name: str, world: World) -> None:
    """Also what the proof reference implies: a token that contradicts itself is for nothing."""
    texts = {"claim": "Another claim.", "kind": "judge", "outcome": "proved"}
    value = texts.get(name, MADE_UP)
    stated = {**world.payload[VERDICT_CLAIM], name: value}
    forged = world.forged(payload={"sub": MADE_UP} if name == "sub" else {VERDICT_CLAIM: stated})
    world.verifier().verify(forged)
    verify = world.verifier().verify_bound
    assert code_of(lambda: verify(forged, world.verdict, SUBJECT.content, world.store)) == "token.other"


@pytest.mark.parametrize("subject", [b"", SUBJECT.content + b"\n", SUBJECT.content[:-1]])
def test_a_token_is_for_these_bytes_alone(subject: bytes, world: World) -> None:
    assert code_of(lambda: bound(world, subject=subject)) == "token.subject"


def test_a_token_whose_proof_was_lost_is_for_nothing(world: World) -> None:
    verify = world.verifier().verify_bound
    assert code_of(lambda: verify(world.token, world.verdict, SUBJECT.content, MemoryStore())) == "store.not_found"


def test_a_token_dies_with_its_ephemeral_key(world: World) -> None:
    with TokenIssuer(ISSUER, world.store, world.clock) as issuer:
        token = issuer.issue(world.verdict, AUDIENCE)
        verifier = world.verifier(keys=issuer.public_keys)
        verifier.verify(token)
        assert len(issuer.key_set()["keys"]) == 1
    assert issuer.key_set() == {"keys": []}
    assert code_of(lambda: verifier.verify(token)) == "token.key"
    assert code_of(lambda: issuer.issue(world.verdict, AUDIENCE)) == "token.closed"
    assert code_of(issuer.rotate) == "token.closed"
    # An issuer of the same name has another key: it cannot be told to accept what the former one signed.
    with TokenIssuer(ISSUER, world.store, world.clock) as successor:
        assert code_of(lambda: world.verifier(keys=successor.public_keys).verify(token)) == "token.key"


def test_an_ephemeral_key_is_nowhere_but_in_memory(world: World, tmp_path: Path) -> None:
    issuer = TokenIssuer(ISSUER, DirectoryStore(tmp_path / "store"), world.clock)
    assert list(tmp_path.rglob("*")) == []
    for attempt in (
        lambda: pickle.dumps(issuer),
        lambda: copy.deepcopy(issuer),
        lambda: pickle.dumps(SigningKey.ephemeral()),
    ):
        with pytest.raises(TypeError, match="never pickled"):
            attempt()
    assert repr(SigningKey.ephemeral()) == "SigningKey()"


def test_a_named_key_outlives_its_issuer(world: World, tmp_path: Path) -> None:
    folder = KeyFolder(tmp_path / "keys")
    named = folder.generate("service")
    with TokenIssuer(ISSUER, world.store, world.clock, key=SigningKey.named(named)) as issuer:
        token = issuer.issue(world.verdict, AUDIENCE)
    public = TokenKey.of(folder.load("service").public)
    assert public.id == named.public.id
    world.verifier(keys=lambda: [public]).verify_bound(token, world.verdict, SUBJECT.content, world.store)


def test_a_former_key_verifies_until_its_tokens_have_expired(world: World) -> None:
    world.issuer.rotate()
    assert [key.id for key in world.issuer.public_keys()][1:] == [world.key.id]
    assert read_key_set(json.dumps(world.issuer.key_set()).encode()) == world.issuer.public_keys()
    later = world.issuer.issue(world.verdict, AUDIENCE)
    verifier = world.verifier()
    assert verifier.verify(world.token).key == world.key
    assert verifier.verify(later).key != world.key
    world.clock.forward(DEFAULT_LIFE + timedelta(seconds=29))
    verifier.verify(world.token)
    world.clock.forward(MAX_LEEWAY)
    assert world.key not in world.issuer.public_keys()
    assert code_of(lambda: verifier.verify(world.token)) == "token.key"


def test_a_key_set_stays_small(world: World) -> None:
    for _ in range(15):
        world.issuer.rotate()
    assert len(read_key_set(json.dumps(world.issuer.key_set()).encode())) == 16
    assert code_of(world.issuer.rotate) == "token.too_many_keys"
    world.verifier().verify(world.token)
    world.clock.forward(DEFAULT_LIFE + MAX_LEEWAY)
    world.issuer.rotate()
    assert len(world.issuer.public_keys()) == 2


@pytest.mark.parametrize(
    "life", [timedelta(), timedelta(seconds=-1), timedelta(seconds=0.5), MAX_LIFE + timedelta(seconds=1), timedelta.max]
)
def test_a_life_that_is_none_is_refused(life: timedelta, world: World) -> None:
    assert code_of(lambda: TokenIssuer(ISSUER, world.store, world.clock, life=life)) == "token.life"


def test_fractions_of_a_second_make_no_token_longer(world: World) -> None:
    world.clock.at = MOMENT.replace(microsecond=999_999)
    issuer = TokenIssuer(ISSUER, world.store, world.clock, life=MAX_LIFE)
    claims = world.verifier(keys=issuer.public_keys).verify(issuer.issue(world.verdict, AUDIENCE)).claims
    assert (claims.issued, claims.expires) == (MOMENT, MOMENT + MAX_LIFE)


@pytest.mark.parametrize("name", ["", "a\nb", "a\0", "ä", "x" * 256, None, 1])
def test_a_party_that_is_none_is_refused(name: object, world: World) -> None:
    assert code_of(lambda: TokenIssuer(name, world.store, world.clock)) == "token.party"
    assert code_of(lambda: world.issuer.issue(world.verdict, name)) == "token.party"
    assert code_of(lambda: TokenVerifier(name, AUDIENCE, tuple, world.clock)) == "token.party"
    assert code_of(lambda: TokenVerifier(ISSUER, name, tuple, world.clock)) == "token.party"


@pytest.mark.parametrize(
    "times",
    [
        {"leeway": timedelta(seconds=-1)},
        {"leeway": MAX_LEEWAY + timedelta(seconds=1)},
        {"max_life": timedelta()},
        {"max_life": MAX_LIFE + timedelta(seconds=1)},
    ],
)
def test_a_reader_cannot_be_told_to_wait_for_ever(times: dict[str, timedelta], world: World) -> None:
    assert code_of(lambda: world.verifier(**times)) == "token.life"


@pytest.mark.parametrize("token_id", ["", "a b", "../x", "x" * 65, "ä", None, 7])
def test_an_id_that_is_none_is_refused(token_id: object, world: World) -> None:
    issuer = TokenIssuer(ISSUER, world.store, world.clock, new_id=lambda: token_id)
    assert code_of(lambda: issuer.issue(world.verdict, AUDIENCE)) == "token.id"


def test_ids_differ_by_default(world: World) -> None:
    issuer = TokenIssuer(ISSUER, world.store, world.clock)
    verifier = world.verifier(keys=issuer.public_keys)
    ids = {verifier.verify(issuer.issue(world.verdict, AUDIENCE)).claims.id for _ in range(20)}
    assert len(ids) == 20


def test_a_claim_that_is_too_long_gets_no_token(world: World) -> None:
    artifact = sample_artifact(claim="x" * 7000)
    world.store.retain(canonical_bytes(artifact))
    assert code_of(lambda: world.issuer.issue(verdict_of(artifact), AUDIENCE)) == "token.too_large"


def test_a_clock_without_zone_is_refused(world: World) -> None:
    naive = Clock(MOMENT.replace(tzinfo=None))
    assert code_of(lambda: TokenIssuer(ISSUER, world.store, naive)) == "token.time"
    verifier = TokenVerifier(ISSUER, AUDIENCE, world.issuer.public_keys, naive)
    with pytest.raises(NotAttemptedError, match="time zone"):
        verifier.verify(world.token)


def test_keys_that_cannot_be_had_are_no_keys(world: World, tmp_path: Path) -> None:
    missing = tmp_path / "keys.json"
    verifier = world.verifier(keys=lambda: read_key_set(missing.read_bytes()))
    assert code_of(lambda: verifier.verify(world.token)) == "token.keys_unknown"
    missing.write_bytes(b"{}")
    assert code_of(lambda: verifier.verify(world.token)) == "key_set.malformed"
    missing.write_text(json.dumps(world.issuer.key_set()))
    verifier.verify(world.token)


def test_what_is_missing_is_named(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name == "joserfc" or name.startswith("joserfc.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "probatum.proof.jose")
    monkeypatch.delattr("probatum.proof.jose", raising=False)
    monkeypatch.setitem(sys.modules, "joserfc", None)
    key_set = json.dumps({"keys": [world_key_entry()]}).encode()
    for attempt in (
        lambda: TokenIssuer(ISSUER, world.store, world.clock),
        lambda: world.issuer.issue(world.verdict, AUDIENCE),
        lambda: world.verifier().verify(world.token),
        lambda: read_key_set(key_set),
    ):
        with pytest.raises(NotAttemptedError, match="joserfc") as caught:
            attempt()
        assert caught.value.code == "token.not_installed"
        assert caught.value.hint == "pip install 'probatum[service]'"


def world_key_entry() -> dict[str, str]:
    """A web key, written by hand: RFC 8037, appendix A.2."""
    x = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    key = TokenKey.of_native(Ed25519PublicKey.from_public_bytes(opened(x)))
    return {"alg": "EdDSA", "crv": "Ed25519", "kid": key.id, "kty": "OKP", "use": "sig", "x": x}


def test_the_package_is_loaded_only_where_it_is_needed() -> None:
    program = (
        "import sys; sys.modules['joserfc'] = None; import probatum.proof.tokens, probatum.proof.gate; "
        "sys.exit(any(name.startswith('joserfc.') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_ids_and_clock_are_injected(world: World) -> None:
    """Same ids, same time, same key: the same token, byte for byte (Ed25519 has no randomness)."""
    native = Ed25519PrivateKey.from_private_bytes(bytes(32))

    def made() -> str:
        ids = itertools.count(7)
        key = SigningKey(native)
        issuer = TokenIssuer(ISSUER, world.store, lambda: MOMENT, key=key, new_id=lambda: f"{next(ids)}")
        return issuer.issue(world.verdict, AUDIENCE)

    assert made() == made()
