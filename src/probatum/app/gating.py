"""Asking the gate, exporting, importing and checking bundles, and keys: what the commands about trust call.

Refuses to admit on less than the gate asks, and to sign anything that the store does not give.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from probatum.app.documents import difference
from probatum.app.kinds import kind_named
from probatum.app.ledger import existing_ledger
from probatum.app.proofs import CheckedProof, checked_proof, recheck_proof, user_store
from probatum.app.received import MAX_SUBJECT_BYTES, ReceivedVerdict, parse_age, read_bytes, read_public_keys
from probatum.app.service import Service
from probatum.app.settings import read_settings
from probatum.app.sources import NO_SOURCES
from probatum.core.choice import chosen
from probatum.core.command import NOTHING, STANDARD_INPUT, Given
from probatum.core.decision import Outcome
from probatum.core.errors import IntegrityError, UsageError, reason_of
from probatum.core.events import ignore
from probatum.core.ports import SourceReader, Store
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.bundle import MAX_BUNDLE_BYTES, bundle_of, parse_bundle, require_whole, verdict_of
from probatum.proof.bundle_check import check_bundle, check_form
from probatum.proof.checkpoint import MAX_CHECKPOINT
from probatum.proof.disk import write_atomically
from probatum.proof.gate import Gate, GatePolicy, Telling
from probatum.proof.inclusion import NO_RECORD, CarriedEntry, LedgerEvidence, SearchedLedger, inclusion_about
from probatum.proof.keys import KeyFolder
from probatum.proof.ledger import Ledger
from probatum.proof.signing import Signer
from probatum.proof.steps import StepFailed, asked, followed_by, joined
from probatum.proof.stores import MemoryStore


@dataclass(frozen=True, slots=True)
class GateWishes:
    """What the gate is to require, as it was asked for."""

    require: str = Outcome.TESTED.value
    # What the kinds are asked to demand of proofs, such as the contract that an output was judged by.
    demands: Given = NOTHING
    trust: Sequence[Path] = ()
    max_age: str | None = None
    recorded: bool = False
    # The ledger at hand.
    ledger: Path | None = None
    checkpoints: Sequence[Path] = ()
    # Keys that sign heads of the ledger, where they are others than those of ``trust``.
    trust_log: Sequence[Path] = ()
    origin: str | None = None
    recheck: bool = False
    replay: bool = False

    @property
    def must_be_recorded(self) -> bool:
        """True where a ledger must have the verdict."""
        return self.recorded or self.ledger is not None


def _gate_policy(wishes: GateWishes, sources: SourceReader) -> GatePolicy:
    if wishes.max_age is not None and not wishes.trust:
        raise UsageError("age.without_key", "--max-age needs --trust: only a signature says when.")
    age = None if wishes.max_age is None else parse_age(wishes.max_age)
    least = chosen(wishes.require, (Outcome.TESTED, Outcome.PROVED), "assurance")
    return GatePolicy(least, read_public_keys(wishes.trust, sources), age, wishes.must_be_recorded)


def _ledger_evidence(
    received: ReceivedVerdict, wishes: GateWishes, policy: GatePolicy, sources: SourceReader
) -> LedgerEvidence:
    if wishes.checkpoints and wishes.ledger is None:
        raise UsageError("checkpoint.ledger", "--checkpoint needs --ledger: a head is compared with the log itself.")
    if (wishes.origin is not None or wishes.trust_log) and not (wishes.recorded or wishes.checkpoints):
        sentence = "--origin and --trust-log are about signed heads of a ledger, and none is asked for."
        raise UsageError("ledger.none", sentence, "Add --recorded, or --ledger FILE with --checkpoint FILE.")
    if not wishes.must_be_recorded:
        return NO_RECORD
    trusted = read_public_keys(wishes.trust_log, sources) or policy.trusted
    if wishes.ledger is not None:
        notes = tuple(read_bytes(path, MAX_CHECKPOINT, "checkpoint", sources) for path in wishes.checkpoints)
        return SearchedLedger(existing_ledger(wishes.ledger), notes, trusted, wishes.origin)
    if received.bundle is None:
        sentence = "--recorded asks for the entry that a bundle carries; this verdict came alone."
        raise UsageError("ledger.none", sentence, "Name the ledger with --ledger FILE.")
    if not trusted:
        sentence = "--recorded needs --trust or --trust-log: a head that anybody could have signed says nothing."
        raise UsageError("ledger.without_key", sentence)
    return CarriedEntry(received.inclusion, trusted, wishes.origin)


def user_keys() -> KeyFolder:
    """Return the folder of this user's keys; nothing is created before a key is made."""
    return KeyFolder(read_settings().keys_path())


def ask_gate(
    received: ReceivedVerdict,
    subject: bytes,
    wishes: GateWishes,
    store: Store,
    given: Given = NOTHING,
    sources: SourceReader = NO_SOURCES,
) -> CheckedProof:
    """Return whether a verdict may be acted on, step by step; ``given`` are options of what judges.

    Raises UsageError where a wish cannot be met, and as `SourceReader.read_whole` does.
    """
    policy = _gate_policy(wishes, sources)
    record = _ledger_evidence(received, wishes, policy, sources)
    proofs = received.store or store
    with Service(MemoryStore(), given=given) as service:
        recheckers = service.recheckers(wishes.demands, sources, _kind_of(received.reference, proofs))
        gate = Gate(proofs, policy, _now, recheckers, ignore)
        form = None if received.bundle is None else check_form(received.bundle)
        if form is not None and not form.holds:
            gate.tell_refusal(form, received.verdict)
            missed = gate.titles(record, recheck=wishes.recheck, replay=wishes.replay)
            return checked_proof(received.reference, followed_by(form, missed))
        admission = gate.admit(
            received.verdict,
            subject,
            attestations=received.attestations,
            record=record,
            recheck=wishes.recheck,
            replay=wishes.replay,
            told=_telling(received, service) if received.document else None,
        )
    return checked_proof(received.reference, joined(form, admission.report) if form else admission.report)


def _telling(received: ReceivedVerdict, service: Service) -> Telling:
    def told(artifact: Artifact, parts: Mapping[str, bytes]) -> str | None:
        kind = kind_named(artifact.kind)
        assert kind is not None
        assert received.verdict is not None
        answer = service.answer_again(kind, received.verdict, artifact, parts)
        return difference(dict(received.document), answer, kind.unbound)

    return told


def subject_at(received: ReceivedVerdict, place: Path, store: Store, sources: SourceReader) -> bytes:
    """Return what is about to be acted on: the bytes of a file, or what the proof's kind says of a folder.

    Raises as `SourceReader.read_whole` and `Kind.subject_in` do.
    """
    if os.path.isdir(place):
        with suppress(IntegrityError):
            artifact = parse_artifact((received.store or store).fetch(received.reference))
            kind = kind_named(artifact.kind)
            content = kind.subject_in(str(place), artifact.document) if kind is not None else None
            if content is not None:
                return content
    return sources.read_whole(str(place), MAX_SUBJECT_BYTES, "subject")


def _kind_of(reference: str, store: Store) -> str:
    """Return the kind of a proof; empty where there is none to read, which a step of the gate says."""
    try:
        return asked("the store", lambda: parse_artifact(store.fetch(reference))).kind
    except StepFailed:
        return ""


def export_bundle(reference: str, store: Store, sign: Sequence[str], ledger: Ledger | None, origin: str) -> bytes:
    """Return the bundle of a stored proof, signed with these keys of the user, with its entry in a ledger if named.

    Raises UsageError where there is no such key, or none to sign the head of the ledger; IntegrityError where the
    store or the ledger lacks the proof or a part of it, or has it damaged.
    """
    keys = user_keys()
    signing = [keys.load(name) for name in dict.fromkeys(sign)]
    if ledger is not None and not signing:
        sentence = "--ledger needs --sign: a head that nobody signed shows a stranger nothing."
        raise UsageError("ledger.without_key", sentence, "Make a key with: probatum key generate NAME")
    content = bundle_of(reference, store)
    if not signing:
        return content
    artifact = parse_artifact(store.fetch(reference))
    verdict = verdict_of(artifact, reference)
    attested = [Signer(store, key, _now).attest(verdict) for key in signing]
    envelopes = [envelope for each in attested for envelope in (each.verdict, each.summary)]
    inclusion = None
    if ledger is not None:
        inclusion = inclusion_about(ledger, verdict, artifact.subject_digest, origin, signing)
    return bundle_of(reference, store, envelopes, [key.public for key in signing], inclusion)


def write_bundle(content: bytes, path: Path) -> None:
    """Write a bundle whole or not at all; raises UsageError where the place cannot be written or is not a file's."""
    try:
        if str(path) == STANDARD_INPUT or path.is_symlink() or (path.exists() and not path.is_file()):
            raise UsageError("output.no_file", f"{path} is not a regular file; it was left alone.")
        write_atomically(path, content)
    except OSError as error:
        raise UsageError("output.not_written", f"{path} could not be written: {reason_of(error)}.") from error


def import_bundle(path: Path, store: Store, sources: SourceReader) -> str:
    """Keep a whole bundle and return its proof reference; of any other keep nothing and raise IntegrityError."""
    bundle = parse_bundle(read_bytes(path, MAX_BUNDLE_BYTES, "bundle", sources))
    artifact = require_whole(bundle)
    reference = str(bundle.verdict.proof_ref)
    if verdict_of(artifact, reference) != bundle.verdict:
        raise IntegrityError("bundle.verdict", "The bundle's verdict is not the one that its proof gives.")
    proof_last = sorted(bundle.contents, key=lambda digest: digest == reference)
    store.retain_all([bundle.contents[digest] for digest in proof_last])
    return reference


def recheck_asked(
    named: str, store: Path | None, trust: Sequence[Path], given: Given, sources: SourceReader, *, replay: bool
) -> CheckedProof:
    """Check a proof again in numbered steps: a reference to one of the store, or the path of a bundle.

    Of a bundle nothing but its bytes is used; one of the keys in ``trust`` must have signed it. ``replay`` judges
    the recorded subject again, with the kinds' options in ``given``, such as the interpreter of the programs.

    Raises UsageError where the options do not fit together, NotAttemptedError where a verifier does not load.
    """
    if given.options and not replay:
        sentence = f"--{next(iter(given.options))} needs --replay: nothing is run without it."
        raise UsageError("option.without_replay", sentence)
    trusted = read_public_keys(trust, sources)
    # A digest, or what is meant as one: a file of such a name must not take its place.
    is_reference = named.startswith("sha256:")
    if is_reference and trusted:
        raise UsageError("trust.bundle", "--trust needs a bundle: a store keeps no signatures.")
    proofs = user_store(store, read_only=True) if is_reference else None
    content = b"" if is_reference else read_bytes(named, MAX_BUNDLE_BYTES, "bundle", sources)
    # What is verified again on the way is nobody's verdict: its proofs are kept nowhere.
    with Service(MemoryStore(), given=given) as service:
        if proofs is not None:
            return recheck_proof(named, proofs, service.recheckers(), replay=replay)
        report = check_bundle(content, service.recheckers(), trusted=trusted, replay=replay)
    return checked_proof(report.reference, report)


def _now() -> datetime:
    return datetime.now(UTC)
