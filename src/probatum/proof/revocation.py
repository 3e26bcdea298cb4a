"""Taking tokens back before they expire: a short list of token ids and key ids, in memory or in an SQLite file.

A token id is forgotten some time after the token has expired. A key id stays: who has a stolen key can sign new tokens
with it on any later day. Where the list cannot be read or is missing, there is no answer: whoever deletes the file must
not make revoked tokens valid again. So a new list is made on purpose, with `SqliteRegister.make`.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, Protocol

from probatum.core.errors import NotAttemptedError, ProbatumError, UsageError
from probatum.proof.sqlite_file import FileKind, SqliteFile
from probatum.proof.token_claims import is_token_id

MAX_LEEWAY: Final = timedelta(minutes=5)
"""How far a reader's clock may be off: so much longer a revoked token is remembered."""
REGISTER: Final = FileKind(
    "register",
    0x50524F52,
    (
        "CREATE TABLE tokens (id TEXT PRIMARY KEY NOT NULL, until INTEGER NOT NULL)",
        "CREATE TABLE keys (id TEXT PRIMARY KEY NOT NULL)",
    ),
)
_KEY_ID: Final = re.compile(r"[0-9a-f]{64}\Z")
_HINT: Final = "Mend or restore the register of revocations: while it cannot be read, no token is accepted."
_KEEP: Final = (
    "INSERT INTO tokens (id, until) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET until = max(until, excluded.until)"
)
_ASK: Final = "SELECT EXISTS (SELECT 1 FROM tokens WHERE id = ?) OR EXISTS (SELECT 1 FROM keys WHERE id = ?)"


class RevocationRegister(Protocol):
    """Knows which tokens and keys were taken back."""

    def revoke_token(self, token_id: str, expires: datetime) -> None:
        """Take one token back, until it would have expired anyway."""

    def revoke_key(self, key_id: str) -> None:
        """Take back every token of this key, for good."""

    def is_revoked(self, token_id: str, key_id: str) -> bool:
        """Return whether the token or its key was taken back; raises where that cannot be told."""


class MemoryRegister:
    """Keeps revocations for the life of the process."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        self._now = now
        self._tokens: dict[str, int] = {}
        self._keys: set[str] = set()
        self._lock = threading.Lock()

    def revoke_token(self, token_id: str, expires: datetime) -> None:
        """Take one token back; raises UsageError for what is not a token id, or a time without its zone."""
        until, present = _until(token_id, expires), _seconds(self._now())
        with self._lock:
            self._tokens = {each: last for each, last in self._tokens.items() if last >= present}
            self._tokens[token_id] = max(until, self._tokens.get(token_id, until))

    def revoke_key(self, key_id: str) -> None:
        """Take back every token of this key; raises UsageError for what is not a key id."""
        with self._lock:
            self._keys.add(_required_key_id(key_id))

    def is_revoked(self, token_id: str, key_id: str) -> bool:
        """Return whether the token or its key was taken back."""
        with self._lock:
            return token_id in self._tokens or key_id in self._keys


class SqliteRegister:
    """Keeps revocations in one SQLite file that several processes share; durable before it is acknowledged."""

    def __init__(self, path: Path, now: Callable[[], datetime]) -> None:
        self._file = SqliteFile(path, REGISTER)
        self._now = now

    def make(self) -> None:
        """Make the file where it is missing; raises NotAttemptedError where that is impossible."""
        with self._changed():
            pass

    def revoke_token(self, token_id: str, expires: datetime) -> None:
        """Take one token back; raises UsageError as `MemoryRegister` does, and what the file raises."""
        until, present = _until(token_id, expires), _seconds(self._now())
        with self._changed() as execute:
            execute("DELETE FROM tokens WHERE until < ?", (present,))
            execute(_KEEP, (token_id, until))

    def revoke_key(self, key_id: str) -> None:
        """Take back every token of this key; raises as `revoke_token` does."""
        required = _required_key_id(key_id)
        with self._changed() as execute:
            execute("INSERT OR IGNORE INTO keys (id) VALUES (?)", (required,))

    def is_revoked(self, token_id: str, key_id: str) -> bool:
        """Return whether the token or its key was taken back; raises where the file is missing or cannot be read."""
        if not self._file.is_there:
            sentence = f"There is no register of revocations {self._file.path}."
            raise NotAttemptedError("register.missing", sentence, "Make it once, with SqliteRegister.make().")
        with self._closed_after(), self._file.connection() as connection:
            (answer,) = connection.execute(_ASK, (token_id, key_id)).fetchone()
        return bool(answer)

    @contextmanager
    def _changed(self) -> Iterator[Callable[[str, tuple[str | int, ...]], object]]:
        with self._closed_after(), self._file.transaction() as connection:
            yield connection.execute

    @contextmanager
    def _closed_after(self) -> Iterator[None]:
        """Close the file after one use, and say what a failure means.

        Whoever keeps it open may be asking a file that was replaced, or one that it was told never changes.
        """
        try:
            yield
        except ProbatumError as error:
            raise type(error)(error.code, error.sentence, _HINT) from error
        finally:
            self._file.close()


def _until(token_id: str, expires: datetime) -> int:
    if type(token_id) is not str or not is_token_id(token_id):
        raise UsageError("register.token_id", f"{str(token_id)[:80]!r} is not the id of a token.")
    return _seconds(expires) + MAX_LEEWAY // timedelta(seconds=1)


def _required_key_id(key_id: str) -> str:
    if type(key_id) is not str or not _KEY_ID.match(key_id):
        hint = "Print one with: probatum key list"
        raise UsageError("register.key_id", f"{str(key_id)[:80]!r} is not the id of a key.", hint)
    return key_id


def _seconds(moment: datetime) -> int:
    if moment.tzinfo is None:
        raise UsageError("register.time", "A time needs its time zone.")
    return int(moment.timestamp())
