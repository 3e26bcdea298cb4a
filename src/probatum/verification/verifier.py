"""What a verifier is: anything with ``verify``, and what it says about itself.

A verifier gets the input and the output of a task, never what another verifier found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from probatum.core.decision import Outcome
from probatum.verification.results import VerificationResult


class Verifier(Protocol):
    """Judges one output."""

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Return what this verifier says; ``output_obj`` is None where there is no answer.

        ``context`` is what else is known: ``contract`` is the contract's specification.
        """


@dataclass(frozen=True, slots=True)
class VerifierDescription:
    """What a verifier says about itself."""

    id: str
    version: str
    best: Outcome = Outcome.TESTED
    """The most that a pass of it can establish: ``proved`` or ``tested``."""
    is_deterministic: bool = False

    def __post_init__(self) -> None:
        if type(self.id) is not str or type(self.version) is not str or not self.id or not self.version:
            raise ValueError("a verifier's description needs an id and a version, both of them text")
        if type(self.best) is not Outcome or self.best not in {Outcome.TESTED, Outcome.PROVED}:
            raise ValueError(f"the best of a verifier is 'tested' or 'proved', got {self.best!r}")


UNKNOWN_VERSION = "unknown"


def description_of(verifier: Verifier, verifier_id: str) -> VerifierDescription:
    """Return what a verifier says about itself, and of one that says nothing, the least."""
    least = VerifierDescription(verifier_id, UNKNOWN_VERSION)
    try:
        said = getattr(verifier, "description", None)
        if type(said) is not VerifierDescription:
            return least
        return VerifierDescription(verifier_id, said.version, said.best, said.is_deterministic)
    except Exception:  # noqa: BLE001  one that cannot say what it is must not keep the others from running
        return least
