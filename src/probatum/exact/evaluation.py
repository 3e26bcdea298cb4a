"""Deciding and checking claims from bytes to bytes: what a worker process is asked to do.

Every answer is one JSON object; an error of the family is reported as one, anything else becomes a fault of the engine.
Refuses nothing: whatever comes, there is an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from probatum.core.canonical import JsonValue, canonical_bytes
from probatum.core.decision import Outcome
from probatum.core.errors import BudgetError, NotAttemptedError, ProbatumError, UsageError
from probatum.core.json_text import read_json
from probatum.core.limits import ExtentError
from probatum.core.shape import Shape
from probatum.exact.claim import ExactClaim, Ruling
from probatum.exact.engines import check, decide, stated

TASK: Final = f"{__name__}:evaluate"
_ERRORS: Final = {each.__name__: each for each in (BudgetError, NotAttemptedError, UsageError)}
_Evaluate = Callable[[bytes], bytes]


def evaluate(payload: bytes) -> bytes:
    """Return what an engine answers to a question that `ruling_of` or `established_by` wrote."""
    try:
        asked = Shape(read_json(payload)).exactly("claim", may=("certificate",))
        claim = ExactClaim.from_json(asked.raw("claim"))
        if asked.has("certificate"):
            established = check(claim, asked.raw_object("certificate"))
            answer: JsonValue = {"constraint": established, "stated": stated(claim)}
        else:
            answer = {"ruling": _certified(claim, decide(claim)).to_json()}
    except ProbatumError as error:
        name = next((name for name, kind in _ERRORS.items() if isinstance(error, kind)), "NotAttemptedError")
        answer = {"error": name, "code": error.code, "sentence": error.sentence, "hint": error.hint}
    except (MemoryError, RecursionError, ExtentError) as error:
        sentence = f"The claim is beyond the engine's budget ({type(error).__name__})."
        answer = {"error": "BudgetError", "code": "engine.out_of_budget", "sentence": sentence, "hint": ""}
    except ValueError as error:
        answer = {"rejected": str(error)[:300] or "it does not hold"}
    return canonical_bytes(answer)


def _certified(claim: ExactClaim, ruling: Ruling) -> Ruling:
    """Return the ruling; raises ValueError where it is a proof whose certificate does not check by other means."""
    if ruling.outcome is Outcome.PROVED and check(claim, ruling.evidence) != ruling.constraint:
        raise ValueError("the certificate establishes something else")
    return ruling


def ruling_of(claim: ExactClaim, run: _Evaluate) -> Ruling:
    """Return what an engine says, asked through an executor; raises the error that it reported."""
    shape = _asked({"claim": claim.to_json()}, run)
    if shape.has("rejected"):
        raise ValueError(f"the engine {claim.engine!r} contradicts itself: {shape.text('rejected')}")
    return Ruling.from_json(shape.raw("ruling"))


def established_by(claim: ExactClaim, certificate: Mapping[str, JsonValue], run: _Evaluate) -> tuple[str, str]:
    """Return what a certificate establishes, as a constraint and as the claim in canonical form.

    Asked through an executor; raises ValueError where it is nothing.
    """
    shape = _asked({"claim": claim.to_json(), "certificate": dict(certificate)}, run)
    if shape.has("rejected"):
        raise ValueError(f"the certificate does not hold: {shape.text('rejected')}")
    return shape.text("constraint"), shape.text("stated")


def _asked(question: dict[str, JsonValue], run: _Evaluate) -> Shape:
    shape = Shape(read_json(run(canonical_bytes(question))))
    if shape.has("error"):
        raise _ERRORS[shape.text("error")](shape.text("code"), shape.text("sentence"), shape.text("hint"))
    return shape
