"""Checkpoints: the published example, the signed-note rules, and every other spelling refused."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest

from probatum.core.errors import IntegrityError, UsageError
from probatum.core.merkle import EMPTY_ROOT
from probatum.proof.checkpoint import (
    Checkpoint,
    read_checkpoint,
    signed_checkpoint,
    verified_checkpoint,
)
from probatum.proof.keys import KeyFolder, PrivateKey

PUBLISHED = (
    "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n"
    "\u2014 example.com/behind-the-sofa"
    " Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)
"""The example of the C2SP document; its key is not published."""
HEAD = Checkpoint("example.com/log", 3, EMPTY_ROOT)


@pytest.fixture
def key(tmp_path: Path) -> PrivateKey:
    return KeyFolder(tmp_path).generate("log")


def test_the_published_example_is_read() -> None:
    head = read_checkpoint(PUBLISHED.encode())
    assert (head.origin, head.size) == ("example.com/behind-the-sofa", 20852163)
    assert base64.b64encode(head.root) == b"CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I="
    assert PUBLISHED.startswith(head.text)


def test_a_signed_head_is_that_of_its_key(key: PrivateKey) -> None:
    note = signed_checkpoint(HEAD, key).encode()
    assert verified_checkpoint(note, [key.public]) == (HEAD, key.public)


def test_the_signature_line_follows_the_public_rules(key: PrivateKey) -> None:
    note = signed_checkpoint(HEAD, key)
    dash, name, value = note.splitlines()[-1].split(" ")
    signature = base64.b64decode(value)
    expected = hashlib.sha256(b"example.com/log\n\x01" + key.public.raw).digest()[:4]
    assert (dash, name, signature[:4]) == ("\u2014", HEAD.origin, expected)
    assert key.public.verifies(signature[4:], HEAD.text.encode())


def test_every_changed_byte_is_noticed(key: PrivateKey) -> None:
    note = signed_checkpoint(HEAD, key).encode()
    for position in range(len(note)):
        for bit in (1, 0x20, 0x80):
            bent = bytearray(note)
            bent[position] ^= bit
            with pytest.raises(IntegrityError):
                verified_checkpoint(bytes(bent), [key.public])


def test_a_stranger_s_signature_is_ignored_and_is_none(key: PrivateKey, tmp_path: Path) -> None:
    stranger = KeyFolder(tmp_path).generate("stranger")
    note, foreign = signed_checkpoint(HEAD, key), signed_checkpoint(HEAD, stranger)
    both = note + foreign.splitlines()[-1] + "\n"
    assert verified_checkpoint(both.encode(), [key.public])[1] == key.public
    with pytest.raises(IntegrityError, match="No trusted key"):
        verified_checkpoint(foreign.encode(), [key.public])
    with pytest.raises(IntegrityError, match="No trusted key"):
        verified_checkpoint(note.encode(), [])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n3\n", "\n03\n"),
        ("\n3\n", "\n+3\n"),
        ("\n3\n", "\n-3\n"),
        ("\n3\n", "\n3 \n"),
        ("\n3\n", "\n\u0663\n"),
        ("\n3\n", "\n3\nextension\n"),
        ("\n3\n", "\n" + "9" * 20 + "\n"),
        ("example.com/log\n3", "\n3"),
        ("example.com/log\n3", "example.com/a log\n3"),
        ("example.com/log\n3", "a+b\n3"),
        ("example.com/log\n3", "a\tb\n3"),
        ("=\n\n", "\n\n"),
        ("\n\n", "\n"),
        ("\u2014", "-"),
        ("\u2014 ", "\u2014  "),
    ],
)
def test_another_spelling_is_refused(old: str, new: str, key: PrivateKey) -> None:
    note = signed_checkpoint(HEAD, key)
    assert old in note
    with pytest.raises(IntegrityError, match="not a signed checkpoint"):
        read_checkpoint(note.replace(old, new, 1).encode())


@pytest.mark.parametrize("note", [b"", b"\n", b"text", b"\xff", b"a" * 20_000, b"a\n1\n\n\n"])
def test_what_is_no_note_is_refused(note: bytes) -> None:
    with pytest.raises(IntegrityError, match="not a signed checkpoint"):
        read_checkpoint(note)


def test_too_many_signatures_are_refused(key: PrivateKey) -> None:
    note = signed_checkpoint(HEAD, key)
    line = note.splitlines()[-1] + "\n"
    assert read_checkpoint((note + line * 15).encode()) == HEAD
    with pytest.raises(IntegrityError, match="17 signatures"):
        read_checkpoint((note + line * 16).encode())


@pytest.mark.parametrize("origin", ["", "a b", "a+b", "a\nb", "x" * 256, "a\u202eb", "a\u200bb", "a\x9bb", "a\udcff"])
def test_such_an_origin_is_refused(origin: str) -> None:
    with pytest.raises(UsageError, match="origin"):
        Checkpoint(origin, 0, EMPTY_ROOT)
