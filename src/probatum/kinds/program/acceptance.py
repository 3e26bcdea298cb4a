"""Whose acceptance of readings counts for a program, as it was asked for: ``self``, ``git:REV`` or ``key:FILE``.

The one place where that is decided, for a verification and for the gate, before anything judges with the readings.
Refuses a revision without a file that lies in a repository, and a file of anything but public keys.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from probatum.changes.versions.repository import GIT, blob_at, commit_of, require_outermost
from probatum.core.canonical import canonical_bytes
from probatum.core.command import STANDARD_INPUT
from probatum.core.errors import UsageError
from probatum.core.limits import MAX_READINGS_BYTES
from probatum.core.ports import Signing, SourceReader
from probatum.proof.base64_text import url_decoded, url_encoded
from probatum.readings.acceptances import FORMS, SELF, GivenReadings, content_of, counting, unless_on
from probatum.readings.values import Reading, ReadingRecord

if TYPE_CHECKING:
    from probatum.proof.keys import PublicKey

OPTION: Final = "acceptance"
KEY: Final = "key:"
_FORMS_OF_TEXT: Final = "self, or key: and the PEM text of public keys"
_END: Final = b"-----END PUBLIC KEY-----"
_BEGIN: Final = "-----BEGIN PUBLIC KEY-----"
_MAX_KEYS_BYTES: Final = 4096


@dataclass(frozen=True, slots=True)
class Acceptance:
    """Whose acceptance counts: by default that of whoever made the readings file."""

    revision: str = ""
    """``git:REV``; empty where none is asked for."""
    keys: tuple[PublicKey, ...] = ()

    def of(
        self,
        records: Sequence[ReadingRecord],
        file: Path | None,
        parsed: Callable[[bytes], Sequence[ReadingRecord]] = lambda _: (),
    ) -> GivenReadings:
        """Return the readings of a file with those as proposals whose acceptance does not count.

        ``file`` is looked up at the revision and then parsed; None is for readings that lie nowhere. Raises UsageError
        where there is no repository or no such revision, and as ``parsed``.
        """
        if self.keys:
            known = {each.id: each for each in self.keys}
            return counting(records, f"{KEY}{','.join(sorted(known))}", partial(_unsigned, known))
        if not self.revision:
            return counting(records, SELF, lambda *_: "")
        if file is None or str(file) == STANDARD_INPUT:
            sentence = "What comes without a file lies in no repository, so nothing tells who accepted its readings."
            raise UsageError("acceptance.no_path", sentence, "Name the file, or a key with --acceptance key:FILE.")
        # A link is not followed: what it leads to may lie in the repository of somebody else.
        place = Path(os.path.realpath(file.parent)) / file.name
        commit = commit_of(self.revision, place, OPTION)
        require_outermost(self.revision, commit, place, OPTION)
        then = blob_at(commit, place, MAX_READINGS_BYTES)
        try:
            base = () if then is None else parsed(then)
        except UsageError as error:
            raise UsageError(error.code, f"At {self.revision}, {error.sentence}", error.hint) from error
        return counting(records, f"{GIT}{commit}", unless_on(base, self.revision))


BY_AUTHOR: Final = Acceptance()


def acceptance_named(text: str | None, sources: SourceReader) -> Acceptance:
    """Return what an option asks for; raises as `acceptance_told` and `SourceReader.read_whole`."""
    return acceptance_told(text, lambda path: sources.read_whole(path, _MAX_KEYS_BYTES, f"file of --{OPTION}"))


def with_keys(text: str, sources: SourceReader) -> str:
    """Return what an option asks for, with the keys in place of the file that holds them; raises as that does."""
    keys = acceptance_named(text, sources).keys
    return KEY + "".join(each.pem for each in keys) if keys else text


def acceptance_told(text: str | None, read: Callable[[str], bytes] | None = None) -> Acceptance:
    """Return what is asked for, by default that the author's acceptance counts.

    A key is its PEM text; where there is a ``read``, it may be a file, and a revision may be asked for. Raises
    UsageError for another form, and where there is no public key.
    """
    if text is None or text == SELF:
        return BY_AUTHOR
    if text.startswith(GIT) and read is not None:
        return Acceptance(text)
    if text.startswith(KEY + _BEGIN):
        return Acceptance(keys=_keys(text.removeprefix(KEY).encode("utf-8", "replace"), "The acceptance"))
    if text.startswith(KEY) and read is not None:
        path = text.removeprefix(KEY)
        return Acceptance(keys=_keys(read(path), repr(path)))
    forms = _FORMS_OF_TEXT if read is None else FORMS
    raise UsageError("acceptance.unknown", f"Whose acceptance counts is {forms}, got {text[:60]!r}.")


def signed(records: Sequence[ReadingRecord], chosen: Collection[str], key: Signing) -> tuple[ReadingRecord, ...]:
    """Return records with the acceptances of the chosen readings, by id, signed."""

    def one(record: ReadingRecord, reading: Reading) -> Reading:
        if record.id_of(reading) not in chosen:
            return reading
        signature = key.sign(canonical_bytes(content_of(record, reading)))
        return replace(reading, key=key.id, signature=url_encoded(signature))

    return tuple(replace(each, readings=tuple(one(each, reading) for reading in each.readings)) for each in records)


def _keys(content: bytes, name: str) -> tuple[PublicKey, ...]:
    """Return the keys of a file, one PEM text after the other."""
    # Deferred: what checks signatures is large, and few verifications need it.
    from probatum.proof.keys import PublicKey

    *texts, rest = (text.strip() for text in content.split(_END))
    try:
        # What is no key would be skipped before one, and forgotten behind the last.
        is_whole = bool(texts) and not rest and all(text.startswith(_BEGIN.encode()) for text in texts)
        return tuple(PublicKey.from_pem(text + _END) for text in (texts if is_whole else [b""]))
    except UsageError as error:
        sentence = f"{name} does not hold Ed25519 public keys in PEM form and nothing else."
        raise UsageError(error.code, sentence, error.hint) from error


def _unsigned(known: Mapping[str, PublicKey], record: ReadingRecord, reading: Reading) -> str:
    if not reading.signature:
        return "it is not signed"
    if (key := known.get(reading.key)) is None:
        return f"it is signed by another key, {reading.key[:16]}"
    try:
        signature = url_decoded(reading.signature)
    except ValueError:
        signature = b""
    if key.verifies(signature, canonical_bytes(content_of(record, reading))):
        return ""
    return "its signature does not verify, so something of it was changed since"
