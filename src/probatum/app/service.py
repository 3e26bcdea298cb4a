"""The one entry through which every interface asks for a verdict, whatever the kind of subject.

It alone makes a verdict VERIFIED, and only after the proof that the verdict rests on was retained. An exception
anywhere in a verification becomes BLOCKED: it says nothing about the subject.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, Final, Self

from probatum.app.answers import Answer
from probatum.app.cache import Cache, own_key
from probatum.app.kinds import built_in_kinds, catalogue_of, every_kind, is_built_in, kind_named, kind_names
from probatum.app.settings import read_settings
from probatum.app.sources import NO_SOURCES
from probatum.core.arguments import require_types
from probatum.core.canonical import require_json
from probatum.core.command import NOTHING, Given
from probatum.core.decision import Decision, DiagnosticStatus, Outcome, blocked_by, blocked_by_defect, decision_of
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.digest import digest_of
from probatum.core.errors import (
    BudgetError,
    IntegrityError,
    ProbatumError,
    UsageError,
    reason_of,
)
from probatum.core.events import Event, Listener, ignore
from probatum.core.frozen import FrozenDict, thaw
from probatum.core.limits import ExtentError
from probatum.core.ports import Fetched, MeteredAdvisor, Rechecker, Recorder, SourceReader, Store
from probatum.proof.artifact import Artifact
from probatum.proof.stores import open_store
from probatum.verification.kind import AnyKind, Request, Workbench
from probatum.verification.observed import NotJudged, Observed, Refusal
from probatum.verification.verifier import Verifier
from probatum.workers.watchdog import progress

if TYPE_CHECKING:
    from probatum.advisors.configured import ConfiguredModel

# What the judge meets where a subject is beyond its means, wherever that shows.
_BEYOND_LIMITS: Final = (RecursionError, MemoryError, ExtentError)
Parts = Mapping[str, bytes]
# Decisions whose verdict is kept, to be given again about the next subject that they fit.
MAX_REMEMBERED: Final = 256


class Service:
    """Holds the workbenches and the store; use it as a context manager."""

    def __init__(
        self, store: Store, *, recorder: Recorder | None = None, given: Given = NOTHING, cache: Path | None = None
    ) -> None:
        """Keep what the service works with; a workbench is opened when the first subject of its kind comes.

        ``given`` are options of the workbenches, such as the interpreter that programs run with. Without a ``recorder``
        no ledger gets the verdicts; with one, each is recorded before it is given. ``cache`` is the folder in which
        kinds keep what they observed; without one they observe everything anew.
        """
        self._store = store
        self._recorder = recorder
        self.given = given
        self._cache = cache
        self._benches: dict[str, Workbench[Any]] = {}
        self._verdicts: dict[int, tuple[Decision, DiagnosticResult]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the workbenches; nothing is left running."""
        benches, self._benches = self._benches, {}
        with ExitStack() as closing:
            for bench in benches.values():
                closing.callback(bench.close)

    def verify(self, kind: AnyKind, request: Request, listener: Listener = ignore) -> Answer:
        """Verify one subject and keep the proof of a VERIFIED verdict; raises UsageError as `Workbench.observe`."""
        progress()
        answer = self._verified(kind, request, listener)
        if self._recorder is not None:
            try:
                self._recorder.record(request.recorded_name, request.content, answer.verdict)
            except Exception as error:  # noqa: BLE001  # what cannot be recorded is not given
                answer = self.answer_without(kind, request, error)
        if listener is not ignore:
            listener(completed(answer.verdict))
        return answer

    def answer(self, kind: AnyKind, found: Request | Refusal) -> Answer:
        """Return the answer to a request, or to the reason why there is none; raises as `verify`."""
        return self.answer_refusal(found, kind) if isinstance(found, Refusal) else self.verify(kind, found)

    def answer_refusal(self, refusal: Refusal, kind: AnyKind | None = None) -> Answer:
        """Return the answer about something that cannot be judged; it is recorded where its bytes were read."""
        answer = self._answer(kind, refusal.observed)
        if self._recorder is not None and refusal.content is not None:
            self._recorder.record(refusal.observed.name, refusal.content, answer.verdict)
        return answer

    def answer_again(self, kind: AnyKind, verdict: DiagnosticResult, artifact: Artifact, parts: Parts) -> Answer:
        """Return the answer that a verdict was given with, from its proof; raises as `Workbench.observed_again`."""
        observed = self.bench(kind).observed_again(artifact.document, parts)
        told = tuple(self._answer(None, part) for part in observed.parts)
        return Answer(told[0].verdict if len(told) == 1 else verdict, 0, observed, told, kind.parts)

    def recheckers(
        self, demands: Given = NOTHING, sources: SourceReader = NO_SOURCES, kind: str = ""
    ) -> Mapping[str, Rechecker]:
        """Return what re-checks artifacts against these demands, by kind.

        The subject of the demands is the path of the one at hand, empty for bytes without a place. ``kind`` is that of
        the artifact, where it is known: a demand that makes no sense to it raises, as `Workbench.rechecker`.
        """
        return _Recheckers(self, demands, sources, kind)

    def bench(self, kind: AnyKind) -> Workbench[Any]:
        """Return the workbench of a kind, opened on first use; raises as `Kind.open` does."""
        if kind.name not in self._benches:
            self._benches[kind.name] = kind.open(self.given, self)
        return self._benches[kind.name]

    def verifier_ids(self) -> list[str]:
        """Return the ids of the verifiers that kinds offer to other kinds."""
        return list(self._kinds_by_verifier())

    def verifier(self, verifier_id: str) -> Verifier:
        """Return the verifier that stands for a kind inside others; its verdicts are not recorded by themselves."""
        kind = self._kinds_by_verifier()[verifier_id]
        return kind.as_verifier(lambda request: self._verified(kind, request, ignore).verdict)

    def fetched(self, address: str, allowed: Sequence[str]) -> Fetched:
        """Return what stands at an address; raises as `SourceFetcher` does, also where it is not allowed."""
        from probatum.app.fetching import SourceFetcher

        return SourceFetcher(allowed).fetch(address)

    def advisor(self, name: str, path: str) -> MeteredAdvisor:
        """Return the model that is configured under a name for a path; raises UsageError where none can be asked."""
        from probatum.app.models import advisor_for

        return advisor_for(self.model(name, path))

    def model(self, name: str, path: str) -> ConfiguredModel:
        """Return what is configured under a name for a path; raises UsageError where nothing is."""
        from probatum.app.models import model_named

        options = tuple(option for kind in every_kind() for option in kind.command.options)
        return model_named(name, path, options)

    def kept(self, key: bytes) -> bytes | None:
        """Return what an earlier run of this installation kept under a key."""
        with self._kept_answers() as kept:
            return None if kept is None else kept.find(own_key(key))

    def keep(self, key: bytes, content: bytes) -> None:
        """Keep something for later runs."""
        with self._kept_answers() as kept:
            if kept is not None:
                kept.keep({own_key(key): content})

    def _kept_answers(self) -> AbstractContextManager[Cache | None]:
        return nullcontext() if self._cache is None else Cache(self._cache)

    def _kinds_by_verifier(self) -> Mapping[str, AnyKind]:
        """Return the kinds that offer a verifier, by its id; a built-in one keeps its id."""
        return {kind.verifier_id: kind for kind in reversed(list(every_kind())) if kind.verifier_id}

    def _verified(self, kind: AnyKind, request: Request, listener: Listener) -> Answer:
        try:
            observed = self.bench(kind).observe(request, listener)
            if not is_built_in(kind):
                for each in (observed, *observed.parts):
                    _require_sound(each, kind, request)
            return self._answer(kind, observed)
        except Exception as error:  # noqa: BLE001  # law 3: whatever breaks in here is not the subject's fault
            return self.answer_without(kind, request, error)

    def answer_without(self, kind: AnyKind, request: Request, reason: Exception) -> Answer:
        """Return an answer that says nothing about the subject, for this reason; raises it where it is a UsageError."""
        if isinstance(reason, UsageError):
            raise reason
        try:
            decision = decision_without(reason, kind)
            told = kind.not_judged(request, decision)
            if told.decide() != decision:
                raise ValueError(f"the kind {kind.name!r} makes another decision of an error")
            return self._answer(kind, told)
        except Exception as defect:  # noqa: BLE001  # a kind that cannot even tell its error has a defect
            return self._answer(kind, NotJudged(request.name, blocked_by_defect(defect)))

    def _answer(self, kind: AnyKind | None, observed: Observed) -> Answer:
        called = "" if kind is None else kind.parts
        # A part has no parts of its own: its document is not split any further.
        parts = tuple(self._answer(None, part) for part in observed.parts) if observed.parts else ()
        decision = observed.decide()
        if parts:
            weakest = min(part.rank for part in parts)
            if len(parts) == 1 and weakest <= decision.outcome.rank:
                return Answer(parts[0].verdict, parts[0].exit_code, observed, parts, called)
            if weakest < decision.outcome.rank:
                raise ValueError("a whole cannot be stronger than the weakest of its parts")
        return Answer(self._verdict(decision, observed), decision.exit_code, observed, parts, called)

    def _verdict(self, decision: Decision, observed: Observed) -> DiagnosticResult:
        if decision.status is not DiagnosticStatus.VERIFIED:
            return verdict_without_proof(decision)
        proof = observed.proof()
        known = self._verdicts.get(id(decision))
        alike = known[1] if known is not None and known[0] is decision else None
        verdict = proved_verdict(decision, proof.artifact, self._store, proof.beside, alike)
        if alike is None:
            if len(self._verdicts) >= MAX_REMEMBERED:
                self._verdicts.clear()
            # The decision stays alive in the entry, so that its identity stays its own.
            self._verdicts[id(decision)] = decision, verdict
        return verdict


class _Recheckers(Mapping[str, Rechecker]):
    """Recheckers by kind of artifact, made when an artifact of the kind comes."""

    def __init__(self, service: Service, demands: Given, sources: SourceReader, about: str) -> None:
        self._service = service
        self._demands = demands
        self._sources = sources
        self._made: dict[str, Rechecker] = {}
        # A demand or an option that makes no sense is reported before anything is asked: later it would fail a step.
        for kind in every_kind() if service.given.options else ():
            if any(option.name in service.given.options for option in kind.command.replay):
                service.bench(kind)
        if about and demands.options:
            self.get(about)

    def __getitem__(self, name: str) -> Rechecker:
        if name not in self._made:
            kind = kind_named(name)
            if kind is None:
                raise KeyError(name)
            rechecker = self._service.bench(kind).rechecker(self._demands, self._sources)
            known = {option.name for option in kind.command.demands}
            foreign = tuple(option for option in self._demands.options if option not in known)
            self._made[name] = _OfAnotherKind(rechecker, kind.name, foreign) if foreign else rechecker
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(kind_names())

    def __len__(self) -> int:
        return len(kind_names())


@dataclass(frozen=True, slots=True)
class _OfAnotherKind:
    """A rechecker of proofs that cannot meet what is demanded, because that is demanded of another kind."""

    rechecker: Rechecker
    kind: str
    foreign: tuple[str, ...]

    def decision_of(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> Decision:
        return self.rechecker.decision_of(artifact, parts)

    def claim_of(self, artifact: Mapping[str, object], decision: Decision) -> str:
        return self.rechecker.claim_of(artifact, decision)

    def shortfalls(self, artifact: Mapping[str, object], subject: bytes) -> tuple[str, ...]:
        told = (f"it is a proof of kind {self.kind!r}, of which --{each} cannot be demanded" for each in self.foreign)
        return (*told, *self.rechecker.shortfalls(artifact, subject))

    def versions(self) -> Mapping[str, str]:
        return self.rechecker.versions()

    def replay(self, artifact: Mapping[str, object], parts: Mapping[str, bytes]) -> tuple[str, ...]:
        return self.rechecker.replay(artifact, parts)


def _require_sound(observed: Observed, kind: AnyKind, request: Request) -> None:
    """Raise ValueError where what a package observed cannot be shown, or its proof is not about this subject."""
    # Deferred: what is built in never comes here.
    from probatum.proof.artifact import decision_entry, parse_artifact

    decision = observed.decide()
    require_json(dict(observed.document()), path="document")
    if decision.status is DiagnosticStatus.VERIFIED:
        artifact = parse_artifact(observed.proof().artifact)
        proved = artifact.kind, artifact.subject_digest, thaw(artifact.decision)
        if proved != (kind.name, digest_of(request.content), decision_entry(decision)):
            raise ValueError(f"the proof is not one of this decision about this subject by the kind {kind.name!r}")


def decision_without(reason: Exception, kind: AnyKind | None) -> Decision:
    """Return what is decided where an error took the place of an observation; None for no known kind."""
    if kind is not None and isinstance(reason, _BEYOND_LIMITS):
        reason = BudgetError(kind.too_large, f"It is larger, or nested deeper, than can be read: {reason_of(reason)}.")
    if kind is None:
        return blocked_by(reason) if isinstance(reason, ProbatumError) else blocked_by_defect(reason)
    return decision_of(reason, kind.too_large, catalogue_of(kind))


def verdict_without_proof(decision: Decision) -> DiagnosticResult:
    """Return the verdict of a decision that is not VERIFIED."""
    build = DiagnosticResult.blocked if decision.outcome is Outcome.NOT_ATTEMPTED else DiagnosticResult.unverifiable
    return build(decision.agent_message, decision.developer_fields())


def proved_verdict(
    decision: Decision,
    artifact: bytes,
    store: Store,
    beside: Mapping[str, bytes],
    alike: DiagnosticResult | None = None,
) -> DiagnosticResult:
    """Retain an artifact after what belongs beside it, by digest, and return the verdict that rests on them.

    ``alike`` is an earlier verdict of the same decision. Raises IntegrityError where the store kept something under
    another digest, and as the store does.
    """
    reference = digest_of(artifact)
    if alike is None:
        fields = FrozenDict(decision.developer_fields())
        verdict = DiagnosticResult(decision.status, decision.agent_message, fields, reference)
    else:
        verdict = alike.resting_on(reference)
    if store.retain_all([*beside.values(), artifact]) != [*beside, verdict.proof_ref]:
        raise IntegrityError("store.wrong_digest", "The store kept the proof under another digest than its own.")
    return verdict


def completed(verdict: DiagnosticResult) -> Event:
    """Return the last event of every run, which tells its verdict once that is kept."""
    return Event("complete", verdict.agent_message, {"status": verdict.status.value})


class _ListenerError(BaseException):
    """Carries what a listener raised past everything that makes a verdict of an exception."""

    def __init__(self, reason: Exception) -> None:
        self.reason = reason


def ask(
    kind: str,
    request: Request,
    store: Store | None = None,
    given: Given = NOTHING,
    listener: Listener | None = None,
) -> DiagnosticResult:
    """Return the verdict about one request; its proof is kept in this store, else this user's. Raises as `verify`.

    What the listener raises ends the run, and is raised when nothing of it is left running.
    """

    def listen(event: Event) -> None:
        assert listener is not None
        try:
            listener(event)
        except Exception as error:  # noqa: BLE001  # it says nothing about the subject, so it must not become a verdict
            raise _ListenerError(error) from None

    try:
        with Service(store_for(store), given=given) as service:
            heard = ignore if listener is None else listen
            return service.verify(built_in_kinds()[kind], request, heard).verdict
    except _ListenerError as error:
        raise error.reason from None


def store_for(store: Store | None) -> Store:
    """Return this store, this user's for None; raises UsageError for anything else, and as the settings do."""
    require_types({"store": store}, {"store": (Store, NoneType)})
    return open_store(read_settings().store_path()) if store is None else store
