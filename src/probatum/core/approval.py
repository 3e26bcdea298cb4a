"""May what was verified be acted on without a person? A pure rule: the verdict and the confidence, never one alone.

Refuses a bar so low that a guess would pass it, and a confidence that is no number from 0 to 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from probatum.core.decision import DiagnosticStatus
from probatum.core.errors import UsageError

APPROVE_AT: Final = 0.85
LEAST_BAR: Final = 0.5
"""Below it, what is approved would be wrong as often as right."""


@dataclass(frozen=True, slots=True)
class Approval:
    """Whether something may be acted on without a person, and why; ``at`` is the confidence that was asked for."""

    approved: bool
    confidence: float
    at: float
    reason: str

    def to_dict(self) -> dict[str, object]:
        """Return it as JSON."""
        reason = self.reason if self.approved else f"needs review: {self.reason}"
        return {"approved": self.approved, "confidence": self.confidence, "at": self.at, "reason": reason}


def require_bar(at: object) -> float:
    """Return a bar of confidence; raises UsageError for what is none from 0.5 to 1."""
    value = _share(at)
    if value is None or value < LEAST_BAR:
        sentence = f"--approve-at takes {LEAST_BAR} to 1, got {at!r}."
        raise UsageError("approval.bar", sentence, f"The usual bar is {APPROVE_AT}.")
    return value


def approval(status: DiagnosticStatus, confidence: object, at: float = APPROVE_AT, against: str = "") -> Approval:
    """Approve what is VERIFIED with a confidence of at least ``at``, unless something else speaks ``against`` it.

    Raises as `require_bar` does.
    """
    bar, value = require_bar(at), _share(confidence)
    if status is not DiagnosticStatus.VERIFIED:
        against = against or f"the verdict is {status.value}"
    elif value is None:
        against = against or "it has no confidence"
    elif value < bar:
        against = against or f"its confidence {value!r} is below {bar!r}"
    return Approval(not against, value or 0.0, bar, against or f"VERIFIED with confidence {value!r}, at least {bar!r}")


def _share(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # What is not a number at all, as a float, is not between any two.
    return float(value) if 0 <= value <= 1 else None
