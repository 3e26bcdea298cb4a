"""Judges claims, one after the other, in one warm process that can be ended; checks their certificates again.

Refuses to believe an engine: a proof counts once its certificate was checked by other means, and a re-check of a
recorded proof checks it once more.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from probatum.core.canonical import canonical_bytes
from probatum.core.command import Given
from probatum.core.decision import Outcome
from probatum.core.digest import digest_of
from probatum.core.errors import NotAttemptedError
from probatum.core.events import Event, Listener
from probatum.core.ports import Executor, Rechecker, SourceReader
from probatum.core.shape import Shape
from probatum.core.version import __version__
from probatum.exact.claim import ExactClaim, Ruling
from probatum.exact.engines import ENGINES
from probatum.exact.evaluation import TASK, established_by, ruling_of
from probatum.kinds.claim.decision import claim_account, decide_claim, ruling_in
from probatum.kinds.claim.observed import JudgedClaim
from probatum.kinds.claim.request import ClaimRequest, subject_bytes
from probatum.kinds.claim.running import CodeRunner, is_to_be_run
from probatum.kinds.claim.wire import demanded_claim
from probatum.proof.account import Account, AccountRechecker, Document
from probatum.verification.observed import Observed
from probatum.workers.warm import WarmExecutor

_DEMAND: Final = "claim"


class ClaimWorkbench:
    """Judges claims."""

    def __init__(self, executor: Executor | None = None) -> None:
        """Keep where engines run; a process of our own, started with the first claim, where none is given."""
        self._executor = executor or WarmExecutor(TASK)
        self._runner = CodeRunner()

    def observe(self, request: ClaimRequest, listener: Listener) -> Observed:
        """Let the engine decide, and check its certificate; raises as `Workbench.observe` does."""
        listener(Event("start", f"Asking the engine {request.claim.engine}"))
        ruling = ruling_of(request.claim, self._executor.evaluate)
        if is_to_be_run(ruling):
            listener(Event("run", "Running the code in the sandbox"))
            ruling = self._runner.ran(request.claim)
        return JudgedClaim(request, ruling)

    def rechecker(self, demands: Given, sources: SourceReader) -> Rechecker:
        """Return what re-checks proofs of claims; for a gate, with the claim that it demands."""
        named = demands.text(_DEMAND)
        demanded = None if named is None else demanded_claim(named, sources)
        versions = {f"exact.{name}": __version__ for name in ENGINES}
        return AccountRechecker(self._restored, lambda each, _: _unmet(each, demanded), self._again, lambda: versions)

    def observed_again(self, artifact: Document, parts: Mapping[str, bytes]) -> Observed:
        """Return the ruling that is recorded."""
        named = Shape(artifact).member("subject")
        request = ClaimRequest(_claim_in(artifact), named.text("name"), parts[named.text("digest")])
        return JudgedClaim(request, _ruling_in(artifact))

    def close(self) -> None:
        """End the process of the engines, and the sandbox."""
        self._executor.close()
        self._runner.close()

    def _restored(self, artifact: Document) -> Account:
        """Return the account that a recorded certificate leads to, once it has been checked."""
        claim, told = _claim_in(artifact), Shape(artifact)
        recorded = told.member("subject").text("digest")
        if recorded != digest_of(subject_bytes(claim)):
            raise ValueError("the claim is about another subject")
        ruling = _ruling_in(artifact)
        certificate = Shape(ruling.evidence).raw_object()
        if established_by(claim, certificate, self._executor.evaluate) != (ruling.constraint, ruling.stated):
            raise ValueError("the certificate establishes something else than is recorded")
        return claim_account(claim, ruling)

    def _again(self, artifact: Document, _content: bytes, _parts: Mapping[str, bytes]) -> Account:
        claim = _claim_in(artifact)
        ruling = ruling_of(claim, self._executor.evaluate)
        if ruling.outcome is not Outcome.PROVED:
            decision = decide_claim(claim, ruling)
            raise NotAttemptedError(decision.constraint_id, decision.agent_message)
        return claim_account(claim, ruling)


def _claim_in(artifact: Document) -> ExactClaim:
    return ExactClaim.from_json(Shape(artifact).member("contract").raw("content"))


def _ruling_in(artifact: Document) -> Ruling:
    (observation,) = Shape(artifact).raw_list("observations", 1, 1)
    return ruling_in(Shape(observation, "observations[0]").raw_object())


def _unmet(artifact: Document, demanded: ExactClaim | None) -> tuple[str, ...]:
    """Return in which ways something else was claimed than is demanded.

    What a statement says alone needs no demand: it is the subject itself.
    """
    claim = _claim_in(artifact)
    if demanded is not None:
        is_same = canonical_bytes(claim.to_json()) == canonical_bytes(demanded.to_json())
        return () if is_same else ("it is about another claim than the one in --claim",)
    if not claim.given:
        return ()
    return ("say with --claim FILE which claim had to hold: anybody can give it other data or an easier statement",)
