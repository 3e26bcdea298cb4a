"""What models and heuristics suggest about a claim: told with an undecided ruling, without effect on any other.

Refuses advice that is no list of providers with a label or an error.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from probatum.core.decision import Outcome
from probatum.core.diagnostics import AdvisoryCheck
from probatum.core.errors import NotAttemptedError
from probatum.core.frozen import frozen_dict
from probatum.core.shape import Shape
from probatum.exact.claim import CannotDecideError, ExactClaim, Ruling, undecided

MAX_ADVICE: Final = 50
_LONGEST: Final = 200
_HEURISTIC: Final = "heuristic"


def with_advice(claim: ExactClaim, decide: Callable[[ExactClaim], Ruling]) -> Ruling:
    """Return what an engine decides; where that is nothing, its reason together with the advice of a claim."""
    advice = _read(claim.inputs.raw("advice")) if claim.inputs.has("advice") else []
    try:
        ruling = decide(claim)
    except CannotDecideError as error:
        ruling = error.ruling
    if not advice or ruling.outcome is not Outcome.UNDECIDED:
        return ruling
    labels = {each["label"] for each in advice if "label" in each}
    constraint = f"{claim.engine}.llm_fallback"
    if len(labels) > 1:
        constraint = f"{claim.engine}.provider_drift"
    elif labels == {"SUPPORTED"} and {each.get("provider") for each in advice} == {_HEURISTIC}:
        constraint = f"{claim.engine}.heuristic_supported"
    checks = [
        AdvisoryCheck("heuristic" if each.get("provider") == _HEURISTIC else "llm_fallback", details=frozen_dict(each))
        for each in advice
    ]
    told = {**ruling.evidence, "reason": ruling.constraint, "advisory": [each.to_dict() for each in checks]}
    return undecided(constraint, f"Nothing is established; advice decides nothing. {ruling.detail}", told)


def _read(given: object) -> list[dict[str, str]]:
    """Read advice from JSON, or from its text; raises NotAttemptedError for anything else."""
    try:
        value = json.loads(given) if isinstance(given, str) else given
        return [_read_one(each) for each in Shape(value, "advice").items(most=MAX_ADVICE)]
    except (ValueError, RecursionError) as error:
        raise NotAttemptedError("engine.invalid", f"The advice is not read: {error}.") from error


def _read_one(shape: Shape) -> dict[str, str]:
    shape.exactly(may=("provider", "label", "score", "error"))
    told = {key: shape.words(key)[:_LONGEST] for key in ("provider", "label", "error") if shape.has(key)}
    if ("label" in told) == ("error" in told):
        shape.refuse("expected a label or an error")
    if "label" in told:
        told["label"] = told["label"].upper()
    if shape.has("score"):
        told["score"] = str(shape.number("score", 0, 1))
    return told
