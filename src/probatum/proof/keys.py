"""Ed25519 keys: made, kept in files that only their owner may read, and named by what they are.

A key id is the SHA-256 of the public key's standard encoding (SubjectPublicKeyInfo, DER), so it cannot be chosen. There
is no default key, so nothing is signed by accident. Rotation is a second key: sign with the new one, trust both until
nothing signed by the old one is needed.

Refuses: a private key file that others may read, a name that is taken or could leave its folder, any other kind of key.
A private key never appears in a message, a ``repr`` or a pickle.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NoReturn, Self

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from probatum.core.errors import NotAttemptedError, UsageError, nearest, reason_of
from probatum.proof.disk import make_folders, sync_folder

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\Z")
_PRIVATE: Final = ".private.pem"
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO
MAX_KEY_FILE: Final = 4096


@dataclass(frozen=True, slots=True)
class PublicKey:
    """What a signature is checked with."""

    raw: bytes
    """The 32 bytes of RFC 8032."""

    def __post_init__(self) -> None:
        if len(self.raw) != 32:
            raise ValueError(f"an Ed25519 public key has 32 bytes, got {len(self.raw)}")

    @property
    def id(self) -> str:
        """The SHA-256 of the key's SubjectPublicKeyInfo, in hexadecimal digits."""
        return hashlib.sha256(self._loaded().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).hexdigest()

    @property
    def pem(self) -> str:
        """The key as PEM text."""
        return self._loaded().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()

    @classmethod
    def from_pem(cls, text: bytes) -> Self:
        """Read a key from PEM text; raises UsageError for anything else."""
        try:
            key = load_pem_public_key(text)
        except (ValueError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, Ed25519PublicKey):
            hint = "Print one with: probatum key public NAME"
            raise UsageError("key.not_public", "This is not an Ed25519 public key in PEM form.", hint)
        return cls(key.public_bytes_raw())

    def verifies(self, signature: bytes, message: bytes) -> bool:
        """True when this signature of this message was made with the private half of this key."""
        try:
            self._loaded().verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True

    def _loaded(self) -> Ed25519PublicKey:
        return Ed25519PublicKey.from_public_bytes(self.raw)


@dataclass(frozen=True, slots=True)
class PrivateKey:
    """What signs. Only its public half is shown."""

    name: str
    _key: Ed25519PrivateKey = field(repr=False)

    @property
    def public(self) -> PublicKey:
        """The half that may be given away."""
        return PublicKey(self._key.public_key().public_bytes_raw())

    @property
    def id(self) -> str:
        """The id of its public half."""
        return self.public.id

    def sign(self, message: bytes) -> bytes:
        """Return the 64 bytes of the signature of this message (RFC 8032)."""
        return self._key.sign(message)

    @property
    def native(self) -> Ed25519PrivateKey:
        """The key as its package has it, for formats whose own library signs."""
        return self._key

    def __reduce__(self) -> NoReturn:
        raise TypeError("a private key is never pickled")


@dataclass(frozen=True, slots=True)
class NamedKey:
    """One key of a folder: its name and its public half."""

    name: str
    public: PublicKey


class KeyFolder:
    """The user's keys, a file each: folders 0700, files 0600."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def generate(self, name: str) -> PrivateKey:
        """Make a new key under a name that is free.

        Raises:
            UsageError: the name is taken, or no file name.
            NotAttemptedError: the folder may not be written.
        """
        target = self._file_of(name)
        key = Ed25519PrivateKey.generate()
        content = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        try:
            make_folders(self._path)
        except OSError as error:
            raise self._failing(error) from error
        try:
            # Never through a link, and never over a file: a key that is replaced cannot verify what it signed.
            handle = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(handle, "wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            sync_folder(self._path)
        except FileExistsError:
            hint = "A key is never replaced; choose another name and trust both while you change over."
            raise UsageError("key.exists", f"There is already a key named {name!r}.", hint) from None
        except OSError as error:
            raise self._failing(error) from error
        return PrivateKey(name, key)

    def load(self, name: str) -> PrivateKey:
        """Return the key of this name.

        Raises:
            UsageError: there is none, it is not an Ed25519 key, or others may read its file.
            NotAttemptedError: the folder may not be read.
        """
        path = self._file_of(name)
        try:
            with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
                mode = os.fstat(file.fileno()).st_mode
                content = file.read(MAX_KEY_FILE) if stat.S_ISREG(mode) else b""
        except FileNotFoundError:
            hint = nearest(name, self._names()) or f"Make one with: probatum key generate {name}"
            raise UsageError("key.unknown", f"There is no key named {name!r}.", hint) from None
        except OSError as error:
            raise self._failing(error) from error
        # Asked of the open file: its name could lead to another one by now.
        if mode & _OTHERS:
            sentence = f"The private key {name!r} may be read by others (mode {stat.S_IMODE(mode):04o})."
            raise UsageError("key.exposed", sentence, f"If nobody has: chmod 600 {path}")
        try:
            key = load_pem_private_key(content, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            key = None
        if not isinstance(key, Ed25519PrivateKey):
            raise UsageError("key.damaged", f"The file of the key {name!r} holds no Ed25519 private key.")
        return PrivateKey(name, key)

    def named(self) -> Iterator[NamedKey]:
        """Yield the keys of the folder by name; one that cannot be loaded raises as `load` does."""
        for name in self._names():
            yield NamedKey(name, self.load(name).public)

    def _names(self) -> list[str]:
        try:
            files = [file.name for file in self._path.iterdir()]
        except FileNotFoundError:
            return []
        except OSError as error:
            raise self._failing(error) from error
        return sorted(name.removesuffix(_PRIVATE) for name in files if name.endswith(_PRIVATE))

    def _file_of(self, name: str) -> Path:
        if not _NAME.match(name):
            sentence = f"A key's name is 1 to 64 letters, digits, dots, dashes and underscores, got {name[:80]!r}."
            raise UsageError("key.name", sentence)
        return self._path / f"{name}{_PRIVATE}"

    def _failing(self, error: OSError) -> NotAttemptedError:
        sentence = f"The folder of keys {self._path} cannot be used: {reason_of(error)}."
        return NotAttemptedError("key.folder", sentence, "Name another one with PROBATUM_KEYS.")
