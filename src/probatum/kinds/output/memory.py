"""What many outputs of one contract have in common, worked out once: the decision, and the proof but for the subject.

Two outputs that were read without remark and of which every slot said the same have the same decision, and their
proofs differ in the subject alone. Refuses to remember anything else, and to remember without end.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Final, TypeVar

from probatum.core.canonical import canonical_bytes
from probatum.core.subject import Subject
from probatum.kinds.output.judging import ReadyContract
from probatum.kinds.output.observations import OutputRecord, SlotRecord, decide_output
from probatum.kinds.output.proof import output_account
from probatum.proof.account import proof_of
from probatum.proof.artifact import MAX_ARTIFACT_BYTES

MAX_REMEMBERED: Final = 256
# Longer proofs are built anew: what they share is mostly one input, which few outputs have in common.
MAX_REMEMBERED_BYTES: Final = 1 << 20
Key = TypeVar("Key")
Value = TypeVar("Value")
_SUBJECT: Final = b',"subject":'
_AFTER: Final = b',"verifiers":'


class AlikeOutputs:
    """What outputs have in common of which the same was observed."""

    def __init__(self, ready: ReadyContract, record: OutputRecord) -> None:
        self._ready: Final = ready
        self._record: Final = record
        self.decision: Final = decide_output(ready.policy, record, ready.name)
        self._around: dict[bytes | None, tuple[bytes, bytes]] = {}

    def proof_of(self, subject: Subject, given: bytes | None) -> bytes:
        """Return the canonical bytes of the artifact of a VERIFIED decision; raises as `proof_of` does."""
        known = self._around.get(given) if subject.name.strip() else None
        if known is not None:
            content = _subject_bytes(subject).join(known)
            if len(content) <= MAX_ARTIFACT_BYTES:
                return content
        content = proof_of("output", output_account(self._ready, given, self._record, self.decision), subject)
        if len(content) <= MAX_REMEMBERED_BYTES:
            _forget_some(self._around)
            self._around[given] = _around(content, _subject_bytes(subject))
        return content


class ContractMemory:
    """One ready contract with what was worked out for its outputs."""

    def __init__(self, ready: ReadyContract) -> None:
        self.ready: Final = ready
        self._known: dict[tuple[SlotRecord, ...], AlikeOutputs] = {}

    def alike(self, record: OutputRecord) -> AlikeOutputs:
        """Return what an output of which this was observed has in common with others."""
        if record.reading:
            return AlikeOutputs(self.ready, record)
        known = self._known.get(record.slots)
        if known is None:
            known = AlikeOutputs(self.ready, record)
            _forget_some(self._known)
            self._known[record.slots] = known
        return known


def _subject_bytes(subject: Subject) -> bytes:
    """Return the canonical bytes of a subject as a proof tells it; a digest needs no escape."""
    named = b'","media_type":%b,"name":%b}' % (canonical_bytes(subject.media_type), canonical_bytes(subject.name))
    return b'{"digest":"' + subject.digest.encode("ascii") + named


def _around(content: bytes, subject: bytes) -> tuple[bytes, bytes]:
    """Return what stands before and after the subject, the one member between the seed and the verifiers."""
    begin = content.rindex(_SUBJECT + subject + _AFTER) + len(_SUBJECT)
    return content[:begin], content[begin + len(subject) :]


def _forget_some(remembered: MutableMapping[Key, Value]) -> None:
    if len(remembered) >= MAX_REMEMBERED:
        remembered.clear()
