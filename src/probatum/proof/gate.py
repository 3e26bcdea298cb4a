"""The gate: the mechanical check before anything acts on a verdict.

1. The verdict is a verdict of ours, and VERIFIED.
2. The store has the artifact that it refers to, and the bytes have that digest.
3. The artifact gives this very verdict: status, sentence and every field.
4. The subject at hand is the one that was judged; nothing of what the proof refers to was erased.
5. The assurance is the one that is required.
6. What was judged, and by what, is what is required: the whole subject with all that took part beside it, under a
   policy that demands at least the product's default, or another floor; the kind says what that means.
7. Where the verdict came in a document: all of it that a proof covers is what this proof gives.
8. With trusted keys: one of them signed this verdict, and where an age is required, not longer ago.
9. Where it must be recorded: a ledger has an entry about this verdict, under a head that holds.
10. With ``recheck``: the steps of the re-check hold; with ``replay``: its last one too.

The first step that fails refuses, and the listener hears of it with the verdict's constraint and sentence. An object
that only looks like a verdict is refused, and so is a policy that nobody here can judge. `release_gate`, which asks no
more than whether there is a proof reference, is for callers that only sort verdicts; the product uses `Gate` alone.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.decision import DiagnosticStatus, Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.events import Event, Listener, ignore
from probatum.core.outside import logged
from probatum.core.ports import Rechecker, Store
from probatum.proof import recheck as rechecking
from probatum.proof.artifact import Artifact, parse_artifact
from probatum.proof.envelope import Envelope
from probatum.proof.inclusion import NO_RECORD, LedgerEvidence
from probatum.proof.keys import PublicKey
from probatum.proof.signing import checked_signature
from probatum.proof.statement import VERDICT, require_bound
from probatum.proof.steps import SHOWN, StepFailed, StepReport, asked, run_steps
from probatum.proof.store_errors import fetched_if_kept

_LOG: Final = logging.getLogger("probatum.gate")
_LOG.addHandler(logging.NullHandler())
_IS_VERDICT: Final = "it is a VERIFIED verdict"
_IS_KEPT: Final = "the proof is kept and has its digest"
_IS_BOUND: Final = "the proof gives this very verdict"
_IS_SUBJECT: Final = "the subject is the one that was judged"
_IS_ASSURED: Final = "the assurance is the required one"
DEMANDS_ENOUGH: Final = "what was judged, and by what, is what is required"
_IS_TOLD: Final = "the document is the one that the proof gives"
_IS_SIGNED: Final = "a trusted key signed it"
_IS_FRESH: Final = "it was signed recently enough"
_SHOWN: Final = 2000
CLOCK_SKEW: Final = timedelta(minutes=5)
"""How far another machine's clock may be ahead."""


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """What a gate requires of every verdict."""

    least: Outcome = Outcome.TESTED
    """``tested`` admits verdicts that rest on executed checks, ``proved`` only those that were established."""
    trusted: tuple[PublicKey, ...] = ()
    """One of these must have signed; without any, no signature is asked for."""
    max_age: timedelta | None = None
    """How long ago at most; it is the signature that says when."""
    recorded: bool = False
    """A ledger must have an entry about the verdict."""

    def __post_init__(self) -> None:
        if self.least not in {Outcome.TESTED, Outcome.PROVED}:
            raise ValueError(f"a gate requires 'tested' or 'proved', got {self.least.value!r}")
        if self.max_age is not None and (not self.trusted or self.max_age <= timedelta()):
            raise ValueError("an age is a positive time, and needs a trusted key: only a signature says when")


Telling = Callable[[Artifact, Mapping[str, bytes]], str | None]
"""Returns the first place in which a document is not what an artifact, with its parts by digest, gives."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What the gate says: admitted only where every step holds."""

    report: StepReport
    verdict: DiagnosticResult | None = field(repr=False, default=None)

    @property
    def is_admitted(self) -> bool:
        """True where every step was reached and holds."""
        return self.report.holds


@dataclass(frozen=True, slots=True)
class _Asked:
    """What comes with a verdict."""

    subject: bytes
    attestations: Sequence[Envelope]
    record: LedgerEvidence
    recheck: bool
    replay: bool
    told: Telling | None


class Gate:
    """Admits verdicts that hold under one policy, against one store."""

    def __init__(
        self,
        store: Store,
        policy: GatePolicy,
        now: Callable[[], datetime],
        recheckers: Mapping[str, Rechecker] | None = None,
        listener: Listener = ignore,
    ) -> None:
        """Keep what the gate asks.

        Only an age asks for the time (``now``, with its zone). The re-checkers, by kind of artifact, say what a policy
        demands, so nothing is admitted without them. The listener hears of every refusal.
        """
        self._store = store
        self._policy = policy
        self._now = now
        self._recheckers = recheckers or {}
        self._listener = listener

    def admit(
        self,
        result: object,
        subject: bytes,
        *,
        attestations: Sequence[Envelope] = (),
        record: LedgerEvidence = NO_RECORD,
        recheck: bool = False,
        replay: bool = False,
        told: Telling | None = None,
    ) -> Admission:
        """Return whether this verdict about these bytes may be acted on; never raises for one that may not.

        Args:
            result: the verdict; anything but a DiagnosticResult is refused.
            subject: the exact bytes that are about to be acted on.
            attestations: signed statements that came with the verdict.
            record: where a ledger's entry about it is found, if the policy requires one.
            recheck: derive the decision again from the recorded observations.
            replay: also judge the recorded subject again and compare the artifacts.
            told: compares the document that the verdict came in, where it came in one.
        """
        question = _Asked(subject, attestations, record, recheck or replay, replay, told)
        titles = self.titles(record, recheck=recheck, replay=replay, told=told is not None)
        # Read once: an object that answers otherwise when it is read again cannot put another verdict in its place.
        read = _read(result)
        report = run_steps("gate", titles, self._established(read, question))
        verdict = None if isinstance(read, StepFailed) else read
        if not report.holds:
            self.tell_refusal(report, verdict)
        return Admission(report, verdict)

    def tell_refusal(self, report: StepReport, verdict: DiagnosticResult | None) -> None:
        """Log a refusal and tell the listener, with the verdict's constraint and sentence."""
        failure = report.failure
        data = {
            "step": failure.number if failure else 0,
            "constraint_id": verdict.constraint_id if verdict else None,
            "agent_message": verdict.agent_message if verdict else None,
        }
        title = failure.title if failure else "no step was reached"
        _LOG.warning(
            "refused: %s (constraint %s: %s)", *map(logged, (title, data["constraint_id"], data["agent_message"]))
        )
        self._listener(Event("gate", f"refused: {title}", data))

    def titles(
        self, record: LedgerEvidence = NO_RECORD, *, recheck: bool = False, replay: bool = False, told: bool = False
    ) -> list[str]:
        """Return the steps that `admit` takes, in order."""
        titles = [_IS_VERDICT, _IS_KEPT, _IS_BOUND, _IS_SUBJECT, _IS_ASSURED, DEMANDS_ENOUGH]
        if told:
            titles.append(_IS_TOLD)
        if self._policy.trusted:
            titles.append(_IS_SIGNED)
        if self._policy.max_age is not None:
            titles.append(_IS_FRESH)
        if self._policy.recorded:
            titles += record.titles
        if recheck or replay:
            titles += rechecking.TITLES if replay else rechecking.TITLES[:-1]
        return titles

    def _established(self, verdict: DiagnosticResult | StepFailed, question: _Asked) -> Iterator[str]:
        if isinstance(verdict, StepFailed):
            raise verdict
        if verdict.status is not DiagnosticStatus.VERIFIED:
            constraint = f" ({verdict.constraint_id})" if verdict.constraint_id else ""
            raise StepFailed(f"the verdict is {verdict.status.value}{constraint}: {verdict.agent_message}")
        yield verdict.status.value

        reference = str(verdict.proof_ref)
        content = asked("the store", lambda: self._store.fetch(reference))
        if type(content) is not bytes or digest_of(content) != reference:
            raise StepFailed(f"what the store keeps under {reference} has another digest")
        yield reference

        artifact = asked("the parser", lambda: parse_artifact(content))
        # The digest alone would admit a verdict with another sentence or other fields under a true proof.
        asked("the comparison", lambda: require_bound(verdict, artifact, content))
        yield artifact.claim[:SHOWN]

        for digest in (artifact.subject_digest, *artifact.parts):
            asked("the store", partial(fetched_if_kept, self._store, digest))
        if (found := digest_of(question.subject)) != artifact.subject_digest:
            raise StepFailed(f"the subject at hand is {found}; {artifact.subject_digest} was judged")
        yield found

        outcome = Outcome(str(artifact.decision["outcome"]))
        if outcome.rank < self._policy.least.rank:
            raise StepFailed(f"the verdict is {outcome.value!r}; {self._policy.least.value!r} is required")
        yield outcome.value

        yield self._demanding(artifact, question.subject)

        if (told := question.told) is not None:
            parts = {**rechecking.checked_parts(artifact, self._store), artifact.subject_digest: question.subject}
            if differing := asked("the comparison", lambda: told(artifact, parts)):
                raise StepFailed(differing)
            yield ""

        if self._policy.trusted:
            yield from self._signed(verdict, artifact, content, question.attestations)
        if self._policy.recorded:
            yield from question.record.established(verdict, artifact.subject_digest)
        if question.recheck:
            yield from rechecking.established(reference, self._store, self._recheckers, replay=question.replay)

    def _demanding(self, artifact: Artifact, subject: bytes) -> str:
        policy = artifact.document["policy"]
        assert isinstance(policy, dict)
        if digest_of(canonical_bytes(policy["content"])) != policy["digest"]:
            raise StepFailed("the content of the policy has another digest")
        rechecker = asked("the kind", lambda: self._recheckers.get(artifact.kind))
        if rechecker is None:
            raise StepFailed(f"nobody here can judge the policy of an artifact of kind {artifact.kind!r}")
        found = asked("the judge of the policy", lambda: tuple(rechecker.shortfalls(artifact.document, subject)))
        if found:
            raise StepFailed("; ".join(str(each) for each in found)[:_SHOWN])
        return str(policy["id"])[:SHOWN]

    def _signed(
        self, verdict: DiagnosticResult, artifact: Artifact, content: bytes, attestations: Sequence[Envelope]
    ) -> Iterator[str]:
        problems, signed = [], []
        for envelope in attestations:
            check = partial(checked_signature, envelope, self._policy.trusted, verdict, artifact, content)
            try:
                signed.append(asked("the signature", check))
            except StepFailed as error:
                problems.append(str(error))
        # A summary is signed as well, but states fewer fields: it admits nothing.
        signed = [each for each in signed if each.kind == VERDICT]
        if not signed:
            raise StepFailed(problems[0] if problems else "no signed statement came with it")
        latest = max(signed, key=lambda each: each.moment)
        yield f"by {latest.key.id[:16]} at {latest.moment.isoformat()}"
        if self._policy.max_age is not None:
            age = self._now() - latest.moment
            if not -CLOCK_SKEW <= age <= self._policy.max_age:
                when = "in the future" if age < timedelta() else f"{age} ago"
                raise StepFailed(f"it was signed {when}; at most {self._policy.max_age} are allowed")
            yield f"{max(age, timedelta())} ago"


def release_gate(result: object) -> bool:
    """Return whether a verdict carries a proof reference; a refusal is logged.

    It looks nothing up: a made-up reference passes. Use `Gate` before acting on anything.
    """
    if type(result) is DiagnosticResult and result.is_authoritative and result.is_verified:
        return True
    known = result if type(result) is DiagnosticResult else None
    constraint, sentence = (known.constraint_id, known.agent_message) if known else (None, "not a verdict")
    _LOG.warning("refused without proof (constraint %s: %s)", logged(constraint), logged(sentence))
    return False


def _read(result: object) -> DiagnosticResult | StepFailed:
    """Return the verdict as its checks leave it, or why it is none; never raises.

    Built again, because in-process Python can bend an object that was sound when it was made.
    """
    try:
        if type(result) is not DiagnosticResult:
            raise StepFailed(f"a verdict is a DiagnosticResult, got {type(result).__name__}")
        return asked("the verdict", lambda: DiagnosticResult.from_dict(result.to_dict()))
    except StepFailed as error:
        return error
