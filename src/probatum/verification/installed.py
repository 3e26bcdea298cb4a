"""A verifier of an installed package that is never loaded here: only in the process in which it is asked.

An import runs whatever the package likes, for as long as it likes. So even what the verifier says about itself is
asked in a process of its own, within a time. Refuses a verifier that does not load, with the sentence that says why.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.errors import NotAttemptedError
from probatum.core.json_text import read_json
from probatum.core.shape import Shape
from probatum.verification.evidence import jsonable
from probatum.verification.plugins import load, offer_of
from probatum.verification.results import VerificationResult
from probatum.verification.verifier import VerifierDescription, description_of
from probatum.workers.process import Ended, ProcessLimits, run_call

LOADING_SECONDS: Final = 30.0
_MEMORY_BYTES: Final = 1 << 30
_MAX_ANSWER: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class InstalledVerifier:
    """Stands for the verifier of an entry point; asking it loads it, so ask it where that may happen."""

    offer: EntryPoint
    description: VerifierDescription

    def verify(
        self, input_obj: object, output_obj: object, context: Mapping[str, object] | None = None
    ) -> VerificationResult:
        """Load the verifier and ask it."""
        return load(self.offer).verify(input_obj, output_obj, context=context)


def verifier_elsewhere(verifier_id: str, seconds: float = LOADING_SECONDS) -> InstalledVerifier:
    """Return what stands for the verifier that an installed package offers under this id.

    Raises as `offer_of`, and NotAttemptedError where it does not load or does not say in time what it is.
    """
    offer = offer_of(verifier_id)
    try:
        said, ended = run_call(
            lambda: _introduced(offer), ProcessLimits(seconds, _MEMORY_BYTES), max_answer_bytes=_MAX_ANSWER
        )
    except (OSError, RuntimeError, MemoryError) as error:
        sentence = f"No process could be started for the verifier {verifier_id!r}: {type(error).__name__}: {error}."
        raise NotAttemptedError("plugin.not_started", sentence[:300]) from error
    return InstalledVerifier(offer, _read(offer, said, ended, seconds))


def _introduced(offer: EntryPoint) -> bytes:
    """Return what a verifier says about itself, or why it does not load, as JSON."""
    try:
        said = description_of(load(offer), offer.name)
    except NotAttemptedError as error:
        return json.dumps(jsonable(["fails", error.code, error.sentence[:1000], error.hint[:1000]])).encode()
    return json.dumps(jsonable(["loads", said.version, said.best.value, bool(said.is_deterministic)])).encode()


def _read(offer: EntryPoint, content: bytes | None, ended: Ended, seconds: float) -> VerifierDescription:
    try:
        answer = Shape(read_json(content or b"null"), "answer")
        if answer.text(0) == "loads":
            return VerifierDescription(offer.name, answer.text(1), answer.choice(Outcome, 2), answer.flag(3))
        told = NotAttemptedError(answer.text(1), answer.text(2), answer.text(3))
    except ValueError as error:
        why = f"it took longer than {seconds:.3g} seconds" if ended.is_late else "its process ended without an answer"
        sentence = f"The verifier {offer.name!r} ({offer.value}) does not load: {why}."
        raise NotAttemptedError("plugin.broken", sentence) from error
    raise told
