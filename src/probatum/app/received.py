"""What a user hands over about a verdict: a verdict as JSON, a bundle, public keys, the subject itself.

Everything is read with a budget and from the exact bytes. Refuses a file that is too large, is not a document of ours,
or holds several verdicts of which none is named.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Final

from probatum.core.canonical import parse_json
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import BudgetError, IntegrityError, ProbatumError, UsageError
from probatum.core.json_text import read_json
from probatum.core.ports import SourceReader, Store
from probatum.core.shape import Shape
from probatum.core.subject import shown_path
from probatum.proof.bundle import MAX_BUNDLE_BYTES, is_bundle, parse_bundle
from probatum.proof.envelope import Envelope
from probatum.proof.inclusion import Inclusion
from probatum.proof.keys import MAX_KEY_FILE, PublicKey

MAX_VERDICT_BYTES: Final = 16 * 1024 * 1024
MAX_SUBJECT_BYTES: Final = 64 * 1024 * 1024
_SECONDS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_AGE: Final = re.compile(r"([1-9][0-9]{0,8})([smhd])\Z")


@dataclass(frozen=True, slots=True)
class ReceivedVerdict:
    """A verdict as it came, with what came along."""

    # None where a bundle cannot be read.
    verdict: DiagnosticResult | None
    # All that came with it, where it came in a document.
    document: Mapping[str, object] = field(default_factory=dict)
    attestations: tuple[Envelope, ...] = ()
    # The contents of a bundle; None where the verdict came alone.
    store: Store | None = None
    # The bundle itself.
    bundle: bytes | None = None
    # That a ledger has the verdict.
    inclusion: Inclusion | None = None

    @property
    def reference(self) -> str:
        """The proof reference, as far as there is one."""
        return (self.verdict.proof_ref if self.verdict else None) or "no proof"


def read_bytes(path: Path | str, most: int, what: str, sources: SourceReader) -> bytes:
    """Return what a text file holds, without a byte order mark; raises as `SourceReader.read_whole` does."""
    return sources.read_whole(str(path), most, what).removeprefix(BOM_UTF8)


def read_verdict(path: Path, sources: SourceReader, subject: str = "") -> ReceivedVerdict:
    """Return the verdict of a file: a bundle, a verdict as JSON, or a document with a member ``verdict``.

    Of the documents of a folder's files, that of the subject is meant. Raises as `SourceReader.read_whole` does, and
    IntegrityError where the file holds no verdict.
    """
    content = read_bytes(path, MAX_BUNDLE_BYTES, "verdict", sources)
    if is_bundle(content):
        try:
            bundle = parse_bundle(content)
        except IntegrityError:
            # Its first step says so, as it does for every bundle.
            return ReceivedVerdict(None, bundle=content)
        return ReceivedVerdict(bundle.verdict, {}, bundle.attestations, bundle.store, content, bundle.inclusion)
    if len(content) > MAX_VERDICT_BYTES:
        raise BudgetError("file.too_large", f"The verdict {str(path)!r} has more than {MAX_VERDICT_BYTES:,} bytes.")
    try:
        # The verdict as it is bound; what came with it keeps every digit.
        document, exact = parse_json(content), read_json(content)
    except ValueError as error:
        raise IntegrityError("verdict.not_json", f"The verdict {path} is not JSON: {error}.") from error
    if isinstance(document, dict) and isinstance(files := document.get("files"), dict):
        if (named := shown_path(subject)) not in files:
            raise IntegrityError("verdict.other_files", f"{path} holds no verdict about {subject}.")
        document, exact = files[named], Shape(exact).member("files").raw(named)
    whole = exact if isinstance(exact, dict) and "verdict" in exact else {}
    if isinstance(document, dict) and whole:
        document = document["verdict"]
    elif isinstance(document, dict) and "error" in document:
        hint = "The command that wrote it failed; its hint says what to do."
        raise IntegrityError("verdict.error", f"{path} holds an error, not a verdict.", hint)
    try:
        return ReceivedVerdict(DiagnosticResult.from_dict(document), whole)
    except ValueError as error:
        hint = "Give what --json printed at --layer proof, or a bundle of 'probatum proof export'."
        raise IntegrityError(
            "verdict.malformed", f"{path} holds no verdict: {str(error).rstrip('.')}.", hint
        ) from error


def read_public_keys(paths: Sequence[Path], sources: SourceReader) -> tuple[PublicKey, ...]:
    """Return the keys of PEM files; raises as `SourceReader.read_whole` does, UsageError for a file that holds none."""
    keys = []
    for path in paths:
        try:
            keys.append(PublicKey.from_pem(read_bytes(path, MAX_KEY_FILE, "key", sources)))
        except ProbatumError as error:
            if error.code != "key.not_public":
                raise
            raise UsageError(error.code, f"{path} holds no Ed25519 public key in PEM form.", error.hint) from error
    return tuple(keys)


def parse_age(text: str) -> timedelta:
    """Return a time as ``90s``, ``15m``, ``24h`` or ``7d`` writes it; raises UsageError for anything else."""
    match = _AGE.match(text)
    if match is None:
        raise UsageError("age.malformed", f"An age is a whole number and s, m, h or d, as in 24h; got {text[:40]!r}.")
    return timedelta(seconds=int(match[1]) * _SECONDS[match[2]])
