"""Checkpoints: the head of a log, signed, in the text form that other transparency tools read.

Three lines (origin, size, root), an empty line, and signature lines. Whoever keeps one can later show that the log was
not cut, reordered or rewritten before it. Source: C2SP tlog-checkpoint and signed-note, Ed25519 signatures. Signatures
by unknown keys are ignored; one by a known key must verify. Refuses any other spelling, and extension lines.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import IntegrityError, UsageError
from probatum.core.merkle import HASH_BYTES
from probatum.core.messages import counted
from probatum.proof.base64_text import decoded, encoded
from probatum.proof.keys import PrivateKey, PublicKey

MAX_CHECKPOINT: Final = 16 * 1024
MAX_SIGNATURES: Final = 16
_ED25519: Final = b"\x01"
_SIZE: Final = re.compile(r"(?:0|[1-9][0-9]{0,18})\Z")
_SIGNATURE: Final = re.compile(r"\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)\Z")


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The head of a log: which log, how many entries, and their Merkle root."""

    origin: str
    size: int
    root: bytes

    def __post_init__(self) -> None:
        if not _is_origin(self.origin):
            sentence = f"A log's origin has neither spaces nor plus signs, and at most 255 signs: {self.origin[:80]!r}."
            raise UsageError("checkpoint.origin", sentence)
        if self.size < 0 or len(self.root) != HASH_BYTES:
            raise ValueError("a checkpoint needs a size and a root of 32 bytes")

    @property
    def text(self) -> str:
        """What is signed: three lines, each with its end."""
        return f"{self.origin}\n{self.size}\n{encoded(self.root)}\n"


def signed_checkpoint(checkpoint: Checkpoint, *keys: PrivateKey) -> str:
    """Return the checkpoint as a note that each of these keys signed; every key's name in it is the origin.

    Raises UsageError where there is no key, or more than a note has signatures.
    """
    if not 0 < len(keys) <= MAX_SIGNATURES:
        sentence = f"A checkpoint is signed by 1 to {MAX_SIGNATURES} keys, got {len(keys)}."
        raise UsageError("checkpoint.keys", sentence)
    signatures = (_key_identity(checkpoint.origin, key.public) + key.sign(checkpoint.text.encode()) for key in keys)
    lines = "".join(f"\u2014 {checkpoint.origin} {encoded(signature)}\n" for signature in signatures)
    return f"{checkpoint.text}\n{lines}"


def read_checkpoint(note: bytes) -> Checkpoint:
    """Return what a signed note says, whoever signed it; raises IntegrityError where it is not a checkpoint."""
    return _read(note)[0]


def verified_checkpoint(note: bytes, keys: Iterable[PublicKey]) -> tuple[Checkpoint, PublicKey]:
    """Return what a signed note says, and the first of these keys that signed it.

    Raises IntegrityError where it is not a checkpoint, none of the keys signed it, or a signature does not verify.
    """
    checkpoint, signatures = _read(note)
    signers = [key for key in _signers(checkpoint, signatures, keys) if key is not None]
    if not signers:
        sentence = f"No trusted key signed the checkpoint of {counted_entries(checkpoint.size)} of {checkpoint.origin}."
        raise IntegrityError("checkpoint.untrusted", sentence)
    return checkpoint, signers[0]


def wholly_signed_checkpoint(note: bytes, keys: Iterable[PublicKey]) -> tuple[Checkpoint, tuple[PublicKey, ...]]:
    """Return what a signed note says, and who signed it, where every signature of it is by another of these keys.

    Raises IntegrityError where it is not a checkpoint, or a signature does not verify, is by another key, or appears
    twice.
    """
    checkpoint, signatures = _read(note)
    signers = tuple(key for key in _signers(checkpoint, signatures, keys) if key is not None)
    if len(set(signers)) < len(signatures):
        sentence = f"A signature under the head of {counted_entries(checkpoint.size)} is by no known key, or repeated."
        raise IntegrityError("checkpoint.untrusted", sentence)
    return checkpoint, signers


def _signers(
    checkpoint: Checkpoint, signatures: Iterable[tuple[str, bytes]], keys: Iterable[PublicKey]
) -> Iterator[PublicKey | None]:
    """Yield the key of each signature, None for a stranger's; raise where one by a known key does not verify."""
    known = {_key_identity(checkpoint.origin, key): key for key in keys}
    for name, signature in signatures:
        key = known.get(signature[:4]) if name == checkpoint.origin else None
        if key is not None and not key.verifies(signature[4:], checkpoint.text.encode()):
            sentence = f"The signature of {name} under the head of {counted_entries(checkpoint.size)} does not verify."
            raise IntegrityError("checkpoint.signature", sentence)
        yield key


def _is_origin(text: str) -> bool:
    """True for a short text of visible signs: what is not seen could be read as something else."""
    return 0 < len(text) <= 255 and text.isprintable() and not any(sign.isspace() or sign == "+" for sign in text)


def _read(note: bytes) -> tuple[Checkpoint, list[tuple[str, bytes]]]:
    if len(note) > MAX_CHECKPOINT:
        raise _malformed(f"it has {len(note)} bytes; {MAX_CHECKPOINT} are allowed")
    try:
        text = note.decode("utf-8")
    except UnicodeDecodeError:
        raise _malformed("it is not UTF-8") from None
    # A control character could hide a line from whoever looks at the note.
    if any(sign < " " and sign != "\n" for sign in text):
        raise _malformed("it holds a control character")
    body, separator, signature_lines = text.rpartition("\n\n")
    lines = body.split("\n")
    if not separator or not signature_lines.endswith("\n") or len(lines) != 3:
        raise _malformed("expected origin, size and root on three lines, an empty line, and signatures")
    origin, size, root = lines
    if not _is_origin(origin) or not _SIZE.match(size):
        raise _malformed("expected an origin, and a size in decimal digits")
    signatures = [_signature(line) for line in signature_lines.removesuffix("\n").split("\n")]
    if len(signatures) > MAX_SIGNATURES:
        raise _malformed(f"it has {len(signatures)} signatures; {MAX_SIGNATURES} are allowed")
    hashed = _decoded(root)
    if len(hashed) != HASH_BYTES:
        raise _malformed("expected a root of 32 bytes")
    return Checkpoint(origin, int(size), hashed), signatures


def _signature(line: str) -> tuple[str, bytes]:
    match = _SIGNATURE.match(line)
    if match is None:
        raise _malformed("a signature line is a dash, a name and base64")
    value = _decoded(match[2])
    if len(value) < 5:
        raise _malformed("a signature has a key id of 4 bytes before it")
    return match[1], value


def _decoded(text: str) -> bytes:
    try:
        return decoded(text)
    except ValueError as error:
        raise _malformed(str(error)) from None


def _key_identity(name: str, key: PublicKey) -> bytes:
    return hashlib.sha256(name.encode() + b"\n" + _ED25519 + key.raw).digest()[:4]


def _malformed(problem: str) -> IntegrityError:
    return IntegrityError("checkpoint.malformed", f"This is not a signed checkpoint: {problem}.")


def counted_entries(count: int) -> str:
    """Return a number of entries with its noun."""
    return counted(count, "entry", "entries")
