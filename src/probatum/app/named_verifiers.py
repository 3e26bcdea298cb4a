"""The verifiers that a command may use beside the built-in ones: those that its user named, and no others.

A contract says which verifiers it asks for; whether code of an installed package runs for it, its user says with
``--verifier``. Each of them is asked in a process of its own. ``program.deep`` opens a sandbox of its own, so it is
asked here. Refuses an id that nobody offers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from probatum.app.deep_verifier import PROGRAM_ID, DeepProgramVerifier
from probatum.core.errors import UsageError, nearest
from probatum.core.ports import Store
from probatum.verification.executors import Question, ThreadExecutor, VerifierExecutor
from probatum.verification.installed import verifier_elsewhere
from probatum.verification.plugins import offered_ids
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.registry import DEFAULT_IDS, VerifierRegistry, add_built_in
from probatum.verification.results import VerificationResult

_IN_THREADS: Final = ThreadExecutor()


@dataclass(frozen=True, slots=True)
class NamedVerifiers:
    """Which verifiers there are for a command, and what asks them."""

    registry: VerifierRegistry
    executor: VerifierExecutor


class _CommandRegistry(VerifierRegistry):
    """Says of an id that only waits to be named how it is named."""

    def hint_for(self, verifier_id: str) -> str:
        if verifier_id == PROGRAM_ID or verifier_id in offered_ids():
            return f"It is installed and runs only where you name it: --verifier {verifier_id}"
        return super().hint_for(verifier_id)


@dataclass(frozen=True, slots=True)
class _EachInItsPlace:
    """Asks verifiers of packages in processes, and the one that opens a sandbox of its own in a thread."""

    elsewhere: ProcessExecutor

    def ask(self, question: Question, seconds: float) -> VerificationResult:
        place = _IN_THREADS if question.verifier_id == PROGRAM_ID else self.elsewhere
        return place.ask(question, seconds)


@contextmanager
def named_verifiers(ids: Sequence[str], store: Store, python: str | None = None) -> Iterator[NamedVerifiers]:
    """Yield the built-in verifiers and these; afterwards nothing of them runs.

    Args:
        ids: what the user named; a built-in one needs no naming, and is what it is.
        store: where ``program.deep`` keeps its proofs.
        python: the interpreter whose packages its programs import.

    Raises:
        UsageError: nobody offers a verifier under one of the ids, or several packages do.
        NotAttemptedError: one of them does not load.
    """
    registry = _CommandRegistry()
    add_built_in(registry)
    with ExitStack() as opened:
        for verifier_id in dict.fromkeys(ids):
            if verifier_id == PROGRAM_ID:
                # Deferred, because most contracts are about no program and need none of what verifies them.
                from probatum.app.service import Service

                service = opened.enter_context(Service(store, python=python))
                registry.register(PROGRAM_ID, DeepProgramVerifier(service.verify_program))
            elif verifier_id not in DEFAULT_IDS:
                _require_known(verifier_id)
                registry.register(verifier_id, verifier_elsewhere(verifier_id))
        yield NamedVerifiers(registry, _EachInItsPlace(ProcessExecutor()))


def _require_known(verifier_id: str) -> None:
    known = sorted({PROGRAM_ID, *offered_ids()})
    if verifier_id not in known:
        sentence = f"No installed package offers a verifier {verifier_id!r}; offered are {', '.join(known)}."
        raise UsageError("plugin.unknown", sentence, nearest(verifier_id, known))
