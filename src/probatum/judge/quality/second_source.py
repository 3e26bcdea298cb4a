"""What linters of others say of the code in an output: told beside the issues of our own rules, and never scored.

A score and a verdict are the same wherever an output is judged, whatever is installed there. Refuses nothing: whoever
asks a linter answers for what it does with the code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from probatum.core.finding import Finding, Severity
from probatum.core.outside import visible
from probatum.core.validation import IssueType
from probatum.judge.layers import ROOT, issue
from probatum.judge.quality.parts import OutputPart
from probatum.judge.quality.scoring import QualityHit

MOST_REMARKS: Final = 50
"""Remarks of each linter that are told."""


@dataclass(frozen=True, slots=True)
class LinterRemark:
    """One remark: the rule as the linter names it, the line from 1, and its words."""

    rule: str
    line: int
    message: str


class Linter(Protocol):
    """A linter for Python, which reads code and does not run it."""

    @property
    def name(self) -> str:
        """What it is called."""

    def remarks(self, source: str) -> Sequence[LinterRemark]:
        """Return what it says of a source; raises NotAttemptedError where it gives no answer."""


def second_opinions(linters: Sequence[Linter], parts: Sequence[OutputPart]) -> Iterator[Finding]:
    """Yield what each linter says of the Python of an output, as issues of the least severity."""
    code = [part for part in parts if part.tree is not None]
    kind = Severity.INFO, IssueType.CORRECTNESS_ISSUE
    for linter in linters:
        told = [(part, each) for part in code for each in linter.remarks(part.text)]
        for part, each in told[:MOST_REMARKS]:
            place = QualityHit("", each.line + part.above, path=part.path).place
            said = f"{linter.name} {each.rule}: {visible(each.message)}"
            advice = f"Look at what {linter.name} says of {each.rule}; it takes nothing from the score."
            yield issue(*kind, said, place, advice, rule=each.rule, source=linter.name)
        if len(told) > MOST_REMARKS:
            said = f"{linter.name} has {len(told) - MOST_REMARKS:,} more remarks"
            yield issue(*kind, said, ROOT, f"Run {linter.name} on the code.", source=linter.name)
