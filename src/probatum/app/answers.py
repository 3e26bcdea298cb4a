"""The answer about one subject: its verdict, and everything that was observed. The same value for every interface.

Refuses to say more than its parts: an answer is made by the service alone, from what a kind observed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from probatum.core.decision import Outcome
from probatum.core.diagnostics import DiagnosticResult
from probatum.core.sheet import Sheet
from probatum.verification.observed import Observed


@dataclass(frozen=True, slots=True)
class Answer:
    """The verdict about one subject, or about one named part of it."""

    verdict: DiagnosticResult
    exit_code: int
    observed: Observed
    # Of a subject whose parts have verdicts of their own; its own is never stronger than the weakest of theirs.
    parts: tuple[Answer, ...] = ()
    # What the parts are called, such as ``functions``; empty for a kind without any.
    called: str = ""

    @property
    def name(self) -> str:
        """What the subject, or the part, is called."""
        return self.observed.name

    @property
    def rank(self) -> int:
        """How strong the verdict is, as `Outcome.rank` counts; 0 where it tells no outcome."""
        return Outcome(self.verdict.outcome).rank if self.verdict.outcome else 0

    @property
    def sheet(self) -> Sheet:
        """What a person reads: of a subject that consists of one part, what there is to read of the part."""
        only = self.only_part
        return replace(self.observed.sheet(self.verdict), verdict=self.verdict) if only is None else only.sheet

    @property
    def details(self) -> Mapping[str, object]:
        """What the developer's layer tells beside the verdict."""
        return self.observed.document()

    @property
    def only_part(self) -> Answer | None:
        """The part that the whole consists of, where there is exactly one and its verdict is that of the whole."""
        return self.parts[0] if len(self.parts) == 1 and self.parts[0].verdict is self.verdict else None
