"""How certain the ruling of a claim is, where words were compared: measured, in whole percent.

The figures are how often such rulings were right on public sets of claims with evidence, each set weighed alike; out of
five parts, each was held out once. `benchmarks/judge_reliability.py` measures them again.
"""

from __future__ import annotations

from typing import Final

from probatum.core.validation import ClaimStatus

CONTRADICTED: Final = 91
ABSENT: Final = 60
"""A detail stands nowhere: less certain than it looks, since sources speak of somebody without naming him."""
UNSUPPORTED: Final = 70
_SUPPORTED: Final = ((80, 90), (70, 80), (60, 63), (0, 54))
"""From which score on, and how often a claim with such a score was supported."""


def certainty_of_words(status: ClaimStatus, score: int, *, is_absent: bool) -> int:
    """Return how often a ruling by words like this one is right."""
    if status is ClaimStatus.CONTRADICTED:
        return CONTRADICTED
    if status is ClaimStatus.UNSUPPORTED:
        return ABSENT if is_absent else UNSUPPORTED
    return next(share for least, share in _SUPPORTED if score >= least)
