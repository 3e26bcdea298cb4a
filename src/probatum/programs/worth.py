"""What the evidence about a program is worth: numbers of its record, and the scorecard that makes a confidence of them.

The scorecard is data, ``confidence.json``: questions with points, and for each sum of points how often such programs
were right where as many are right as wrong; `benchmarks/confidence_calibration.py` writes it. No question has negative
points and the table never falls, so that more evidence never lowers a confidence. Refuses to look at anything but the
record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from probatum.core.shape import Shape
from probatum.programs.record import CheckKind, CheckState, FunctionRecord

_SHOWN = frozenset({CheckKind.EXAMPLE, CheckKind.TEST, CheckKind.DIFFERENTIAL})
SCORECARD = "confidence.json"


def evidence_of(record: FunctionRecord) -> dict[str, float]:
    """Return what a record holds for and against its program, as numbers."""
    holding = [check for check in record.checks if check.state is CheckState.HOLDS]
    odd = (record.special_cases, record.flaky, record.unexpected, record.disputed, record.doubtful)
    biting = [each for each in record.readings if each.met and each.noticed]
    return {
        "checks": len(holding),
        "examples": sum(check.kind in _SHOWN for check in holding),
        "strength": round(float(record.strength), 4) if record.strength_measured else 0.0,
        "readings": len(biting),
        "readers": len({each.reader for each in biting}),
        "references": len(record.references),
        "open_statements": len(record.open_statements),
        "undecided_checks": len(record.checks) - len(holding),
        "unreached_branches": len(record.unreached),
        "idle_statements": len(record.idle),
        "survivors": len(record.survivors),
        "oddities": sum(map(len, odd)),
    }


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """One question about a number of the evidence, and the points for a yes."""

    name: str
    at_least: float | None = None
    at_most: float | None = None
    points: int = 0

    def __post_init__(self) -> None:
        if (self.at_least is None) is (self.at_most is None) or self.points < 0:
            raise ValueError(f"a question about {self.name!r} has one bound, and points that are not negative")

    def holds(self, evidence: Mapping[str, float]) -> bool:
        """Whether its answer is yes."""
        value = evidence[self.name]
        return value >= self.at_least if self.at_least is not None else value <= (self.at_most or 0)


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Questions with points, and the confidence for each sum of points."""

    questions: tuple[ScoredQuestion, ...]
    confidences: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.confidences) != 1 + sum(each.points for each in self.questions):
            raise ValueError("a scorecard has a confidence for each sum of points")
        if (
            list(self.confidences) != sorted(self.confidences)
            or not 0 <= min(self.confidences) <= max(self.confidences) <= 1
        ):
            raise ValueError("the confidences of a scorecard lie between 0 and 1 and never fall")

    def points(self, evidence: Mapping[str, float]) -> int:
        """Return the sum of points."""
        return sum(each.points for each in self.questions if each.holds(evidence))

    def confidence(self, evidence: Mapping[str, float]) -> float:
        """Return how often programs with as many points were right."""
        return self.confidences[self.points(evidence)]


@cache
def scorecard() -> Scorecard:
    """Return the scorecard of the package."""
    text = files("probatum.programs").joinpath(SCORECARD).read_text(encoding="utf-8")
    return Shape(json.loads(text), SCORECARD).into(Scorecard)
