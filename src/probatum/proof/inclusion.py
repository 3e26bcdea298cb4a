"""That a ledger has a verdict: the entry, the way from it to the root of a head, and the head.

1. The entry is about this verdict: subject, status, outcome, constraint, proof reference and digest of the verdict.
2. The way of hashes leads from the entry, at its position, to the root of the head.
3. Of a carried entry: a key that the reader trusts signed the head. Of a ledger at hand, for every head that was kept
   elsewhere: the ledger is what it was then, with more entries at most.

A carried entry needs a signed head: nobody could tell another one from a ledger that was made up for the occasion.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final, Protocol

from probatum.core.canonical import MAX_SAFE_INTEGER, JsonValue
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.errors import IntegrityError
from probatum.core.merkle import EMPTY_ROOT, HASH_BYTES, is_consistent, is_included, leaf_hash
from probatum.core.shape import Shape
from probatum.proof.base64_text import decoded, encoded
from probatum.proof.checkpoint import (
    MAX_CHECKPOINT,
    Checkpoint,
    counted_entries,
    read_checkpoint,
    signed_checkpoint,
    verified_checkpoint,
)
from probatum.proof.keys import PrivateKey, PublicKey
from probatum.proof.ledger import MAX_ENTRY_BYTES, Ledger
from probatum.proof.ledger_entry import require_about, tag_of
from probatum.proof.steps import StepFailed, asked

IS_RECORDED: Final = "a ledger has an entry about this verdict"
IS_INCLUDED: Final = "the entry is in the ledger that the head commits to"
IS_TRUSTED_HEAD: Final = "a trusted key signed the head of the ledger"
GOES_ON: Final = "the ledger goes on from the head that was kept"
MAX_PATH: Final = 64


@dataclass(frozen=True, slots=True)
class Inclusion:
    """An entry with the proof that a ledger has it; nothing in it is checked beyond its form."""

    entry: bytes
    position: int
    path: tuple[bytes, ...]
    checkpoint: bytes
    """The head as a signed note."""

    def __post_init__(self) -> None:
        if not 0 < len(self.entry) <= MAX_ENTRY_BYTES or not 0 < len(self.checkpoint) <= MAX_CHECKPOINT:
            raise ValueError("an entry of a ledger and its head have a size")
        if not 0 <= self.position <= MAX_SAFE_INTEGER or len(self.path) > MAX_PATH:
            raise ValueError("an entry has a position, and the way to the root at most one hash for each of its bits")
        if any(len(step) != HASH_BYTES for step in self.path):
            raise ValueError(f"the way to the root is made of hashes of {HASH_BYTES} bytes")

    def to_json(self) -> dict[str, JsonValue]:
        """Return it as it stands in a bundle."""
        return {
            "entry": encoded(self.entry),
            "position": self.position,
            "path": [encoded(step) for step in self.path],
            "checkpoint": self.checkpoint.decode("utf-8"),
        }

    @classmethod
    def from_json(cls, value: JsonValue) -> Inclusion:
        """Read it back; raises ValueError where it is none."""
        given = Shape(value).exactly("checkpoint", "entry", "path", "position")
        path = given.items("path", most=MAX_PATH)
        return cls(
            given.through(decoded, "entry"),
            given.whole("position"),
            tuple(each.through(decoded) for each in path),
            given.text("checkpoint").encode(),
        )


class LedgerEvidence(Protocol):
    """Where a gate finds out whether a ledger has a verdict."""

    @property
    def titles(self) -> tuple[str, ...]:
        """The steps that it takes."""

    def established(self, verdict: DiagnosticResult, subject_digest: str) -> Iterator[str]:
        """Yield a detail for each step that holds, in order; raise StepFailed at the first that does not."""


@dataclass(frozen=True, slots=True)
class CarriedEntry:
    """The entry that came with a verdict, under a head that one of these keys must have signed."""

    inclusion: Inclusion | None
    trusted: tuple[PublicKey, ...]
    origin: str | None = None
    """What the log must be called in its head; None for any name."""
    titles: tuple[str, ...] = field(default=(IS_RECORDED, IS_INCLUDED, IS_TRUSTED_HEAD), init=False)

    def established(self, verdict: DiagnosticResult, subject_digest: str) -> Iterator[str]:
        """Yield a detail for each of the three steps."""
        inclusion = self.inclusion
        if inclusion is None:
            raise StepFailed("no entry came with it: export a bundle with --ledger FILE --sign KEY")
        yield from carried_steps(inclusion, verdict, subject_digest)
        head, key = asked("the signature", lambda: verified_checkpoint(inclusion.checkpoint, self.trusted))
        _require_origin(head, self.origin)
        yield f"{head.origin}, by {key.id[:16]}"


NO_RECORD: Final = CarriedEntry(None, ())
"""No ledger is at hand, and no entry came along."""


@dataclass(frozen=True, slots=True)
class SearchedLedger:
    """A ledger at hand, with heads of it that were kept elsewhere."""

    ledger: Ledger
    kept: Sequence[bytes] = ()
    """Signed notes."""
    trusted: tuple[PublicKey, ...] = ()
    """One of them must have signed each kept head; without any, no signature is asked for."""
    origin: str | None = None

    @property
    def titles(self) -> tuple[str, ...]:
        """Two steps, and one for each kept head."""
        return (IS_RECORDED, IS_INCLUDED, *(GOES_ON for _ in self.kept))

    def established(self, verdict: DiagnosticResult, subject_digest: str) -> Iterator[str]:
        """Yield a detail for each step."""
        position, entry = asked("the ledger", lambda: entry_about(self.ledger, verdict, subject_digest))
        moment = asked("the entry", lambda: require_about(entry, verdict, subject_digest))
        yield f"entry {position}, of {moment}"
        head = asked("the ledger", lambda: self.ledger.head("log"))
        path = asked("the ledger", lambda: self.ledger.inclusion(position, head.size))
        _require_included(entry, position, path, head)
        yield f"{counted_entries(head.size)} under the root {encoded(head.root)}"
        for note in self.kept:
            earlier = asked("the kept head", partial(_kept_head, note, self.trusted))
            _require_origin(earlier, self.origin)
            asked("the ledger", partial(_require_continued, self.ledger, earlier, head))
            covered = "the entry is among them" if position < earlier.size else "the entry came after them"
            yield f"{counted_entries(earlier.size)} of {earlier.origin}; {covered}"


def entry_about(ledger: Ledger, verdict: DiagnosticResult, subject_digest: str) -> tuple[int, bytes]:
    """Return position and bytes of an entry about a verdict on these bytes; raises IntegrityError without one."""
    for position, entry in ledger.tagged(tag_of(verdict)):
        try:
            require_about(entry, verdict, subject_digest)
        except IntegrityError:
            continue
        return position, entry
    sentence = f"The ledger {ledger.path} has no entry about this verdict."
    raise IntegrityError("ledger.no_entry", sentence, "Record verdicts with: probatum verify PATH --ledger FILE")


def inclusion_about(
    ledger: Ledger, verdict: DiagnosticResult, subject_digest: str, origin: str, keys: Sequence[PrivateKey]
) -> Inclusion:
    """Return the proof that a ledger has a verdict, under its head of now, signed with these keys.

    Raises UsageError where there is no key, or the origin is not valid; what the ledger raises; and IntegrityError
    where it has no entry about this verdict.
    """
    position, entry = entry_about(ledger, verdict, subject_digest)
    head = ledger.head(origin)
    path = ledger.inclusion(position, head.size)
    if not is_included(leaf_hash(entry), position, head.size, path, head.root):
        raise _not_included(position, head)
    return Inclusion(entry, position, path, signed_checkpoint(head, *keys).encode())


def carried_steps(inclusion: Inclusion, verdict: DiagnosticResult, subject_digest: str) -> Iterator[str]:
    """Yield a detail for the first two steps of an entry that was carried along."""
    moment = asked("the entry", lambda: require_about(inclusion.entry, verdict, subject_digest))
    yield f"of {moment}"
    head = asked("the head", lambda: read_checkpoint(inclusion.checkpoint))
    _require_included(inclusion.entry, inclusion.position, inclusion.path, head)
    yield f"entry {inclusion.position} of {head.size} under the root {encoded(head.root)}"


def _require_included(entry: bytes, position: int, path: Sequence[bytes], head: Checkpoint) -> None:
    if not is_included(leaf_hash(entry), position, head.size, path, head.root):
        raise StepFailed(_not_included(position, head).sentence)


def _require_continued(ledger: Ledger, earlier: Checkpoint, head: Checkpoint) -> None:
    if earlier.size > head.size:
        sentence = f"The kept head has {counted_entries(earlier.size)}, the ledger {head.size}."
        raise IntegrityError("ledger.truncated", sentence)
    # No path leads from an empty log to a later one: its root is known.
    path = ledger.consistency(earlier.size, head.size) if earlier.size else ()
    goes_on = is_consistent(earlier.size, head.size, path, earlier.root, head.root)
    if not (goes_on if earlier.size else earlier.root == EMPTY_ROOT):
        sentence = f"The first {earlier.size} entries are not those of the kept head."
        raise IntegrityError("ledger.rewritten", sentence)


def _kept_head(note: bytes, trusted: Sequence[PublicKey]) -> Checkpoint:
    return verified_checkpoint(note, trusted)[0] if trusted else read_checkpoint(note)


def _require_origin(head: Checkpoint, origin: str | None) -> None:
    if origin is not None and head.origin != origin:
        raise StepFailed(f"the head is of {head.origin}, not of {origin}")


def _not_included(position: int, head: Checkpoint) -> IntegrityError:
    sentence = f"The entry {position} does not lead to the root of the head of {counted_entries(head.size)}."
    return IntegrityError("ledger.not_included", sentence, "See what is wrong: probatum ledger audit")
