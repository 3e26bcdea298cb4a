"""What somebody demands of a proof of a program, and in which ways a proof falls short of it."""

from __future__ import annotations

from dataclasses import dataclass

from probatum.core.command import Given
from probatum.core.ports import SourceReader
from probatum.core.shape import Shape
from probatum.kinds.program.levels import policy_shortfalls
from probatum.kinds.program.request import DEFAULT_MIN_STRENGTH, require_strength
from probatum.proof.account import Document
from probatum.sandbox import Environment


@dataclass(frozen=True, slots=True)
class DemandedProgram:
    """What a program must have been verified by."""

    min_strength: float = DEFAULT_MIN_STRENGTH

    def unmet(self, artifact: Document) -> tuple[str, ...]:
        """Return a sentence for each way in which a proof falls short."""
        return policy_shortfalls(Shape(artifact).member("policy").raw_object("content"), self.min_strength)


def demanded(demands: Given, _sources: SourceReader, _python: Environment) -> DemandedProgram:
    """Return what is demanded; raises UsageError where that makes no sense."""
    min_strength = demands.number("min-strength", DEFAULT_MIN_STRENGTH)
    require_strength(min_strength)
    return DemandedProgram(min_strength)
