"""The formula of the raw confidence, and what the evidence is really worth.

``raw_confidence`` and ``document_passed`` follow the document's weights in exact fractions, vacuous passes included;
they decide nothing. ``confidence`` is derived from the record alone: how often programs with such evidence are right.
Refuses to be sure of what is undecided: such a program stays below every bar that would approve it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from probatum.core.decision import Decision, Outcome
from probatum.programs.record import FunctionRecord
from probatum.programs.worth import evidence_of, scorecard

TEST_WEIGHT, PERSPECTIVE_WEIGHT, CONFIDENCE_WEIGHT, SPECIFICATION_WEIGHT = (
    Fraction(4, 10),
    Fraction(3, 10),
    Fraction(2, 10),
    Fraction(1, 10),
)
CONTRADICTION_FACTOR = Fraction(8, 10)
PASS_MARK = Fraction(7, 10)
MIN_PASS_RATE = Fraction(8, 10)
NOTHING_KNOWN = 0.5
"""Where nothing was executed: as many are right as wrong."""
UNDECIDED_AT_MOST = 0.84
"""Just below the bar of 0.85 from which a result may be approved unseen."""


@dataclass(frozen=True, slots=True)
class Perspective:
    """One reviewer's view: ``correct``, ``suspicious`` or ``incorrect``, with its confidence and issues."""

    name: str
    verdict: str
    confidence: Fraction
    issues: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentScore:
    """What the document's formula gives."""

    raw_confidence: Fraction
    passed: bool
    contradiction: bool


def document_score(
    tests: tuple[int, int] | None, perspectives: Sequence[Perspective], specification: Fraction
) -> DocumentScore:
    """Apply the document's formula; ``tests`` is (passed, total), or None where nothing was executed."""
    rate = _pass_rate(tests)
    verdicts = [view.verdict for view in perspectives]
    half = Fraction(1, 2)
    agreement = Fraction(verdicts.count("correct"), len(verdicts)) if verdicts else half
    mean = sum((view.confidence for view in perspectives), Fraction()) / len(verdicts) if verdicts else half
    raw = (
        TEST_WEIGHT * (half if rate is None else rate)
        + PERSPECTIVE_WEIGHT * agreement
        + CONFIDENCE_WEIGHT * mean
        + SPECIFICATION_WEIGHT * specification
    )
    contradiction = _contradicts(rate, verdicts)
    if contradiction:
        raw *= CONTRADICTION_FACTOR
    critical = any(view.verdict == "incorrect" and view.issues for view in perspectives)
    passed = raw >= PASS_MARK and not critical and (rate is None or rate >= MIN_PASS_RATE)
    return DocumentScore(raw, passed, contradiction)


def _pass_rate(tests: tuple[int, int] | None) -> Fraction | None:
    if tests is None:
        return None
    passed, total = tests
    return Fraction(passed, total) if total else Fraction(1)


def _contradicts(rate: Fraction | None, verdicts: Sequence[str]) -> bool:
    if rate is not None and rate > Fraction(9, 10) and "incorrect" in verdicts:
        return True
    if rate is not None and rate < Fraction(1, 2) and all(verdict == "correct" for verdict in verdicts):
        return True
    return "correct" in verdicts and "incorrect" in verdicts


def confidence(record: FunctionRecord, decision: Decision) -> float:
    """Return how likely the program does what it is specified to do, 0 to 1, were as many programs right as wrong.

    The scorecard says how often programs with such evidence were right, see `programs.worth`.
    """
    return capped(scorecard().confidence(evidence_of(record)), decision.outcome, executed=bool(record.checks))


def capped(value: float, outcome: Outcome, *, executed: bool) -> float:
    """Return a confidence within what an outcome leaves: none where refuted or not attempted, no approval undecided."""
    if outcome in {Outcome.REFUTED, Outcome.NOT_ATTEMPTED}:
        return 0.0
    if not executed:
        return NOTHING_KNOWN
    return min(value, UNDECIDED_AT_MOST) if outcome is Outcome.UNDECIDED else value
