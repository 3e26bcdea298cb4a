"""Asking the gate, exporting, importing and checking bundles, and keys: what the commands about trust call.

Refuses to admit on less than the gate asks, and to sign anything that the store does not give.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from probatum.app.ledger import ledger_at
from probatum.app.proofs import CheckedProof, checked_proof, recheck_proof
from probatum.app.received import ReceivedVerdict, parse_age, read_bytes, read_public_keys
from probatum.app.service import Service
from probatum.core.choice import chosen
from probatum.core.command import NOTHING, Given
from probatum.core.decision import Outcome
from probatum.core.errors import IntegrityError, UsageError
from probatum.core.events import Listener, ignore
from probatum.core.ports import Rechecker, Store
from probatum.proof.artifact import parse_artifact
from probatum.proof.bundle import bundle_of, parse_bundle, require_whole, verdict_of
from probatum.proof.bundle_check import check_bundle, check_form
from probatum.proof.checkpoint import MAX_CHECKPOINT
from probatum.proof.disk import write_atomically
from probatum.proof.gate import Gate, GatePolicy
from probatum.proof.inclusion import NO_RECORD, CarriedEntry, LedgerEvidence, SearchedLedger, inclusion_about
from probatum.proof.keys import KeyFolder, NamedKey, PublicKey
from probatum.proof.ledger import Ledger
from probatum.proof.signing import Signer
from probatum.proof.steps import followed_by, joined
from probatum.proof.stores import MemoryStore


@dataclass(frozen=True, slots=True)
class GateWishes:
    """What the gate is to require, as it was asked for."""

    require: str = Outcome.TESTED.value
    demands: Given = NOTHING
    """What the kinds are asked to demand of proofs, such as the contract that an output was judged by."""
    trust: Sequence[Path] = ()
    max_age: str | None = None
    recorded: bool = False
    ledger: Path | None = None
    """The ledger at hand."""
    checkpoints: Sequence[Path] = ()
    trust_log: Sequence[Path] = ()
    """Keys that sign heads of the ledger, where they are others than those of ``trust``."""
    origin: str | None = None
    recheck: bool = False
    replay: bool = False

    @property
    def must_be_recorded(self) -> bool:
        """True where a ledger must have the verdict."""
        return self.recorded or self.ledger is not None


@dataclass(frozen=True, slots=True)
class GateRequest:
    """What one question to the gate asks for, checked."""

    received: ReceivedVerdict
    subject: bytes
    policy: GatePolicy
    record: LedgerEvidence = NO_RECORD
    demands: Given = NOTHING
    recheck: bool = False
    replay: bool = False


def gate_request(received: ReceivedVerdict, subject: bytes, wishes: GateWishes) -> GateRequest:
    """Return the question that these wishes ask about a verdict.

    Raises:
        UsageError: what is asked for cannot be kept, or a file cannot be read.
        IntegrityError: a file is larger than its budget.
    """
    if wishes.max_age is not None and not wishes.trust:
        raise UsageError("age.without_key", "--max-age needs --trust: only a signature says when.")
    age = None if wishes.max_age is None else parse_age(wishes.max_age)
    least = chosen(wishes.require, (Outcome.TESTED, Outcome.PROVED), "assurance")
    policy = GatePolicy(least, read_public_keys(wishes.trust), age, wishes.must_be_recorded)
    return GateRequest(
        received,
        subject,
        policy,
        _ledger_evidence(received, wishes),
        wishes.demands,
        wishes.recheck,
        wishes.replay,
    )


def _ledger_evidence(received: ReceivedVerdict, wishes: GateWishes) -> LedgerEvidence:
    if wishes.checkpoints and wishes.ledger is None:
        raise UsageError("checkpoint.ledger", "--checkpoint needs --ledger: a head is compared with the log itself.")
    if not wishes.must_be_recorded and (wishes.origin is not None or wishes.trust_log):
        sentence = "--origin and --trust-log are about a ledger, and none is asked for."
        raise UsageError("ledger.none", sentence, "Add --recorded, or --ledger FILE.")
    if not wishes.must_be_recorded:
        return NO_RECORD
    trusted = read_public_keys(wishes.trust_log or wishes.trust)
    if wishes.ledger is not None:
        notes = tuple(read_bytes(path, MAX_CHECKPOINT, "checkpoint") for path in wishes.checkpoints)
        return SearchedLedger(ledger_at(wishes.ledger), notes, trusted, wishes.origin)
    if received.bundle is None:
        sentence = "--recorded asks for the entry that a bundle carries; this verdict came alone."
        raise UsageError("ledger.none", sentence, "Name the ledger with --ledger FILE.")
    if not trusted:
        sentence = "--recorded needs --trust or --trust-log: a head that anybody could have signed says nothing."
        raise UsageError("ledger.without_key", sentence)
    return CarriedEntry(received.inclusion, trusted, wishes.origin)


def key_folder(path: Path) -> KeyFolder:
    """Return the folder of keys at a path; nothing is created before a key is made."""
    return KeyFolder(path)


def ask_gate(request: GateRequest, store: Store, given: Given = NOTHING, listener: Listener = ignore) -> CheckedProof:
    """Return whether a verdict may be acted on, step by step; ``given`` are options of a replay.

    Raises:
        UsageError: a demand makes no sense, or names something that does not exist.
    """
    received = request.received
    with Service(MemoryStore(), given=given) as service:
        recheckers = service.recheckers(request.demands)
        gate = Gate(received.store or store, request.policy, _now, recheckers, listener)
        form = None if received.bundle is None else check_form(received.bundle)
        if form is not None and not form.holds:
            gate.tell_refusal(form, received.verdict)
            missed = gate.titles(request.record, recheck=request.recheck, replay=request.replay)
            return checked_proof(received.reference, followed_by(form, missed))
        admission = gate.admit(
            received.verdict,
            request.subject,
            attestations=received.attestations,
            record=request.record,
            recheck=request.recheck,
            replay=request.replay,
        )
    return checked_proof(received.reference, joined(form, admission.report) if form else admission.report)


@dataclass(frozen=True, slots=True)
class Recorded:
    """The ledger whose entry a bundle is to carry, and what it is called in its head."""

    ledger: Ledger
    origin: str


def export_bundle(
    reference: str, store: Store, keys: KeyFolder, sign: Sequence[str], recorded: Recorded | None = None
) -> bytes:
    """Return the bundle of a stored proof, signed with these keys of the folder, with its entry in a ledger.

    Raises:
        UsageError: there is no such key; or an entry is asked for, and no key to sign the head of its ledger.
        IntegrityError: the store has no such proof, or not all of it, or what it has was altered; or the ledger has no
            entry about it, or is damaged.
    """
    signing = [keys.load(name) for name in dict.fromkeys(sign)]
    if recorded is not None and not signing:
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
    if recorded is not None:
        inclusion = inclusion_about(recorded.ledger, verdict, artifact.subject_digest, recorded.origin, signing)
    return bundle_of(reference, store, envelopes, [key.public for key in signing], inclusion)


def write_bundle(content: bytes, path: Path) -> None:
    """Write a bundle whole or not at all.

    Raises:
        UsageError: the place cannot be written, or holds something else than a file.
    """
    try:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise UsageError("output.no_file", f"{path} is no regular file; it was left alone.")
        write_atomically(path, content)
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise UsageError("output.not_written", f"{path} could not be written: {reason}.") from error


def import_bundle(content: bytes, store: Store) -> str:
    """Keep the contents of a bundle in a store and return its proof reference.

    Raises:
        IntegrityError: it is no bundle, or not whole; then nothing is kept.
    """
    bundle = parse_bundle(content)
    artifact = require_whole(bundle)
    reference = str(bundle.verdict.proof_ref)
    if verdict_of(artifact, reference) != bundle.verdict:
        raise IntegrityError("bundle.verdict", "The bundle's verdict is not the one that its proof gives.")
    proof_last = sorted(bundle.contents, key=lambda digest: digest == reference)
    store.retain_all([bundle.contents[digest] for digest in proof_last])
    return reference


@dataclass(frozen=True, slots=True)
class ReplayWishes:
    """Whether recorded inputs are to be run again, and with what."""

    replay: bool = False
    given: Given = NOTHING
    """Options of the kinds, such as the interpreter whose packages programs import."""

    def __post_init__(self) -> None:
        if self.given.texts("verifier") and not self.replay:
            raise UsageError("verifier.without_replay", "--verifier needs --replay: nothing is run without it.")


def check_received_bundle(content: bytes, trusted: tuple[PublicKey, ...], wishes: ReplayWishes) -> CheckedProof:
    """Check a bundle in numbered steps, with nothing but its bytes.

    Raises:
        UsageError: nobody offers one of the verifiers.
        NotAttemptedError: one of the verifiers does not load.
    """
    with _recheckers(wishes) as recheckers:
        report = check_bundle(content, recheckers, trusted=trusted, replay=wishes.replay)
    return checked_proof(report.reference, report)


def recheck_reference(reference: str, store: Store, wishes: ReplayWishes) -> CheckedProof:
    """Check a stored proof again in numbered steps; raises as `check_received_bundle` does."""
    with _recheckers(wishes) as recheckers:
        return recheck_proof(reference, store, recheckers, replay=wishes.replay)


@contextmanager
def _recheckers(wishes: ReplayWishes) -> Iterator[Mapping[str, Rechecker]]:
    # What is verified again on the way is no verdict of anybody: its proofs are kept nowhere.
    with Service(MemoryStore(), given=wishes.given) as service:
        yield service.recheckers()


def all_keys(folder: KeyFolder) -> list[NamedKey]:
    """Return the keys of a folder by name."""
    return list(folder.named())


def _now() -> datetime:
    return datetime.now(UTC)
