"""Verifiers that answer, break and lie, for the tests of the seam."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from probatum.verification.results import VerificationResult, VerificationStatus


@dataclass(frozen=True, slots=True)
class Answering:
    """Calls what it was given and answers with that."""

    answer: Callable[[object, object, Mapping[str, object] | None], object]

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        return self.answer(input_obj, output_obj, context)  # type: ignore[return-value]  # it may lie on purpose


@dataclass(frozen=True, slots=True)
class Task:
    """A contract that has nothing but a policy."""

    verification_policy: object = None


def passing(verifier_id: str) -> Answering:
    return Answering(lambda _i, _o, _c: VerificationResult(VerificationStatus.PASS, verifier_id, "fine"))
