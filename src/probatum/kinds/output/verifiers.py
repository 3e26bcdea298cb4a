"""The verifiers that may run beside the built-in ones: those that a user named, and no others.

A contract says which verifiers it asks for; whether code of an installed package runs for it, its user says with
``--verifier``. Each of them is asked in a process of its own. What another kind of subject offers, such as the
verifier of programs, keeps its own isolation and is asked here. Refuses an id that nobody offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.errors import UsageError, nearest
from probatum.verification.executors import Question, ThreadExecutor
from probatum.verification.installed import verifier_elsewhere
from probatum.verification.kind import Host
from probatum.verification.plugins import offered_names
from probatum.verification.process_executor import ProcessExecutor
from probatum.verification.registry import DEFAULT_IDS, VerifierRegistry
from probatum.verification.results import VerificationResult

_IN_THREADS: Final = ThreadExecutor()
_IN_PROCESSES: Final = ProcessExecutor()


class _NamedVerifiers(VerifierRegistry):
    """Says of an id that only waits to be named how it is named."""

    def __init__(self, offered_here: Sequence[str]) -> None:
        super().__init__()
        self._offered_here = offered_here

    def hint_for(self, verifier_id: str) -> str:
        if verifier_id in self._offered_here or verifier_id in offered_names():
            return f"It is installed and runs only where you name it: --verifier {verifier_id}"
        return super().hint_for(verifier_id)


@dataclass(frozen=True, slots=True)
class EachInItsPlace:
    """Asks verifiers of packages in processes, and those that isolate by themselves in a thread."""

    here: frozenset[str]

    def ask(self, question: Question, seconds: float) -> VerificationResult:
        """Return the answer; raises as the executors do."""
        place = _IN_THREADS if question.verifier_id in self.here else _IN_PROCESSES
        return place.ask(question, seconds)


def named_verifiers(ids: Sequence[str], host: Host) -> VerifierRegistry:
    """Return the built-in verifiers and these.

    Raises UsageError where not exactly one package offers an id, NotAttemptedError where its verifier does not load.
    """
    here = host.verifier_ids()
    registry = _NamedVerifiers(here)
    registry.add_built_in()
    for verifier_id in dict.fromkeys(ids):
        if verifier_id in here:
            registry.register(verifier_id, host.verifier(verifier_id))
        elif verifier_id not in DEFAULT_IDS:
            known = sorted({*here, *offered_names()})
            if verifier_id not in known:
                sentence = f"No installed package offers a verifier {verifier_id!r}; offered are {', '.join(known)}."
                raise UsageError("plugin.unknown", sentence, nearest(verifier_id, known))
            registry.register(verifier_id, verifier_elsewhere(verifier_id))
    return registry
