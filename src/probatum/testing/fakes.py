"""Stand-ins for tests of code that runs verifiers: verifiers that pass, refute, raise or hang, and a bare contract."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from threading import Event

from probatum.core.frozen import FrozenDict
from probatum.verification.results import VerificationResult, VerificationStatus


@dataclass(frozen=True, slots=True)
class FakeVerifier:
    """A verifier that answers with what a function of input and output says."""

    answer: Callable[[object, object], VerificationResult]

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Return the answer."""
        return self.answer(input_obj, output_obj)


@dataclass(frozen=True, slots=True)
class FakeContract:
    """A contract that says only which verifiers run."""

    verification_policy: Mapping[str, object] | None = field(default_factory=FrozenDict)


def passing(verifier_id: str) -> FakeVerifier:
    """Return a verifier that passes everything."""
    answer = VerificationResult(VerificationStatus.PASS, verifier_id, "Passed.")
    return FakeVerifier(lambda _input, _output: answer)


def refuting(verifier_id: str, *errors: str) -> FakeVerifier:
    """Return a verifier that fails everything by the subject's fault."""
    answer = VerificationResult(VerificationStatus.FAIL, verifier_id, "Refuted.", {}, errors or ("Refuted.",))
    return FakeVerifier(lambda _input, _output: answer)


def raising(error: BaseException) -> FakeVerifier:
    """Return a verifier that raises."""

    def answer(_input: object, _output: object) -> VerificationResult:
        raise error

    return FakeVerifier(answer)


def hanging(until: Event | None = None) -> FakeVerifier:
    """Return a verifier that never answers, or not before an event."""
    event = until or Event()

    def answer(_input: object, _output: object) -> VerificationResult:
        event.wait()
        return VerificationResult(VerificationStatus.PASS, "late", "Too late.")

    return FakeVerifier(answer)
