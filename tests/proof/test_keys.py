"""Keys and signed envelopes: known vectors, another library's reading of them, and what must be refused."""

from __future__ import annotations

import copy
import json
import os
import pickle
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from securesystemslib.dsse import Envelope as OtherEnvelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey

from probatum.core.errors import IntegrityError, NotAttemptedError, UsageError
from probatum.proof.envelope import Envelope, pre_authentication_encoding, signed_envelope
from probatum.proof.keys import KeyFolder, PrivateKey, PublicKey

RFC_8032 = {
    "public": "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
    "message": "72",
    "signature": (
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
    ),
}
"""Section 7.1, test 2."""


@pytest.fixture
def folder(tmp_path: Path) -> KeyFolder:
    return KeyFolder(tmp_path / "keys")


@pytest.fixture
def key(folder: KeyFolder) -> PrivateKey:
    return folder.generate("release")


def test_a_known_signature_verifies_and_its_neighbours_do_not() -> None:
    public = PublicKey(bytes.fromhex(RFC_8032["public"]))
    message, signature = bytes.fromhex(RFC_8032["message"]), bytes.fromhex(RFC_8032["signature"])
    assert public.verifies(signature, message)
    for position in range(len(signature) * 8):
        bent = bytearray(signature)
        bent[position // 8] ^= 1 << position % 8
        assert not public.verifies(bytes(bent), message)
    assert not public.verifies(signature, message + b"\0")
    assert not public.verifies(signature[:-1], message)
    assert not public.verifies(b"", message)


def test_the_high_half_of_a_signature_is_refused() -> None:
    """S + L verifies by the bare equation; RFC 8032 refuses it, so that a signature has one spelling."""
    order = 2**252 + 27742317777372353535851937790883648493
    public, signature = PublicKey(bytes.fromhex(RFC_8032["public"])), bytes.fromhex(RFC_8032["signature"])
    high = int.from_bytes(signature[32:], "little") + order
    assert not public.verifies(signature[:32] + high.to_bytes(32, "little"), bytes.fromhex(RFC_8032["message"]))


def test_a_key_is_kept_for_its_owner_alone(folder: KeyFolder, key: PrivateKey, tmp_path: Path) -> None:
    [file] = (tmp_path / "keys").iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.parent.stat().st_mode & 0o777 == 0o700
    again = folder.load("release")
    assert again.public == key.public
    assert key.public.verifies(again.sign(b"text"), b"text")
    assert [(each.name, each.public.id) for each in folder.named()] == [("release", key.public.id)]


def test_a_key_that_others_may_read_is_refused(folder: KeyFolder, key: PrivateKey, tmp_path: Path) -> None:
    [file] = (tmp_path / "keys").iterdir()
    for mode in (0o640, 0o604, 0o660, 0o601):
        file.chmod(mode)
        with pytest.raises(UsageError, match="may be read by others") as caught:
            folder.load("release")
        assert "chmod 600" in caught.value.hint


def test_a_key_is_never_replaced(folder: KeyFolder, key: PrivateKey) -> None:
    with pytest.raises(UsageError, match="already a key"):
        folder.generate("release")
    assert folder.load("release").public == key.public


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "a/b", "a b", "ä", "x" * 65, "-x", "a\n", ".hidden", "a\0"])
def test_a_name_that_could_leave_the_folder_is_refused(name: str, folder: KeyFolder) -> None:
    for use in (folder.generate, folder.load):
        with pytest.raises(UsageError, match="name is 1 to 64"):
            use(name)


def test_an_unknown_key_names_the_nearest(folder: KeyFolder, key: PrivateKey) -> None:
    with pytest.raises(UsageError, match="no key named") as caught:
        folder.load("relase")
    assert "'release'" in caught.value.hint


@pytest.mark.parametrize("content", [b"", b"text", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
def test_a_damaged_key_is_named(content: bytes, folder: KeyFolder, key: PrivateKey, tmp_path: Path) -> None:
    [file] = (tmp_path / "keys").iterdir()
    file.write_bytes(content)
    with pytest.raises(UsageError, match="holds no Ed25519 private key"):
        folder.load("release")


def test_a_link_to_nowhere_is_an_unknown_key(folder: KeyFolder, key: PrivateKey, tmp_path: Path) -> None:
    (tmp_path / "keys" / "bad.private.pem").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="no key named 'bad'"):
        folder.load("bad")
    with pytest.raises(UsageError, match="no key named 'bed'"):
        folder.load("bed")


def test_a_pipe_in_the_place_of_a_key_holds_none(folder: KeyFolder, key: PrivateKey, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "keys" / "pipe.private.pem", 0o600)
    with pytest.raises(UsageError, match="holds no Ed25519 private key"):
        folder.load("pipe")


def test_a_file_in_the_place_of_the_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "keys").write_text("")
    for use in (lambda: list(KeyFolder(tmp_path / "keys").named()), lambda: KeyFolder(tmp_path / "keys").generate("a")):
        with pytest.raises(NotAttemptedError, match="cannot be used"):
            use()


def test_a_link_in_the_way_is_not_followed(folder: KeyFolder, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "release.private.pem").symlink_to(elsewhere)
    with pytest.raises((UsageError, NotAttemptedError)):
        folder.generate("release")
    assert not elsewhere.exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(NotAttemptedError, match="cannot be used"):
        KeyFolder(tmp_path / "keys").generate("release")


def test_a_private_key_shows_nothing_of_itself(key: PrivateKey) -> None:
    assert repr(key) == "PrivateKey(name='release')"
    for copied in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="never pickled"):
            copied(key)


def test_a_public_key_survives_its_text(key: PrivateKey) -> None:
    assert PublicKey.from_pem(key.public.pem.encode()) == key.public
    for text in (b"", b"text", key.public.pem.encode()[:-40]):
        with pytest.raises(UsageError, match="not an Ed25519 public key"):
            PublicKey.from_pem(text)


def test_what_is_signed_has_lengths() -> None:
    assert pre_authentication_encoding("http://example.com/HelloWorld", b"hello world") == (
        b"DSSEv1 29 http://example.com/HelloWorld 11 hello world"
    )


def test_another_library_verifies_our_envelopes(key: PrivateKey) -> None:
    envelope = signed_envelope("application/vnd.in-toto+json", b'{"a":1}', key)
    other = OtherEnvelope.from_dict(copy.deepcopy(envelope.to_dict()))
    public = SSlibKey(key.public.id, "ed25519", "ed25519", {"public": key.public.raw.hex()})
    assert list(other.verify([public], 1)) == [key.public.id]
    other.payload += b" "
    with pytest.raises(VerificationError):
        other.verify([public], 1)


def test_the_payload_needs_a_trusted_signature(folder: KeyFolder, key: PrivateKey) -> None:
    envelope = signed_envelope("kind", b"text", key)
    stranger = folder.generate("stranger").public
    assert envelope.verified_payload([stranger, key.public]) == (b"text", key.public)
    for keys in ([], [stranger]):
        with pytest.raises(IntegrityError, match="No trusted key"):
            envelope.verified_payload(keys)


def test_every_altered_part_of_an_envelope_is_noticed(folder: KeyFolder, key: PrivateKey) -> None:
    stranger = folder.generate("stranger")
    data = signed_envelope("kind", b"text", key).to_dict()
    foreign = signed_envelope("kind", b"text", stranger).to_dict()
    [signature], [other] = data["signatures"], foreign["signatures"]
    bent = [
        {**data, "payload": "dGV4dA=="[:-4] + "eHh4"},
        {**data, "payloadType": "kinds"},
        {**data, "signatures": [{**signature, "sig": other["sig"]}]},
        {**data, "signatures": [{**signature, "keyid": other["keyid"]}]},
    ]
    for each in bent:
        with pytest.raises(IntegrityError):
            Envelope.from_dict(each).verified_payload([key.public])
    both = {**data, "signatures": [other, signature]}
    assert Envelope.from_dict(both).verified_payload([key.public])[1] == key.public


@pytest.mark.parametrize(
    "change",
    [
        {"payload": "dGV4dA"},
        {"payload": "dGV4dB=="},
        {"payload": "dGV4\ndA=="},
        {"payload": 5},
        {"payloadType": ""},
        {"signatures": []},
        {"signatures": None},
        {"signatures": [{"keyid": "a", "sig": "AA=="}] * 2},
        {"signatures": [{"keyid": "a", "sig": "AA==", "more": 1}]},
        {"signatures": [{"keyid": "a"}]},
        {"more": 1},
    ],
)
def test_what_is_no_envelope_is_refused(change: dict[str, object], key: PrivateKey) -> None:
    with pytest.raises(IntegrityError, match="not a signed envelope"):
        Envelope.from_dict({**signed_envelope("kind", b"text", key).to_dict(), **change})


@given(st.binary(max_size=200), st.text(min_size=1, max_size=20))
def test_an_envelope_survives_its_json(payload: bytes, kind: str) -> None:
    key = PublicKey(bytes.fromhex(RFC_8032["public"]))
    envelope = Envelope(kind, payload, ())
    data = {**envelope.to_dict(), "signatures": [{"keyid": key.id, "sig": "AA=="}]}
    if payload:
        assert Envelope.from_dict(json.loads(json.dumps(data))).to_dict() == data
