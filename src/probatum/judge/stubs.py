"""Stand-ins for layers that are not here yet: every check of theirs is undecided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.request import ValidationRequest, ValidationType


@dataclass(frozen=True, slots=True)
class CriteriaTools:
    """Nothing."""


NO_TOOLS: Final = CriteriaTools()


def _undecided(layer: ValidationType) -> LayerReport:
    return LayerReport(layer, (LayerCheck(layer.value, layer.value, CheckOutcome.UNDECIDED, Basis.NOTHING),))


def criteria_report(_request: ValidationRequest, _tools: CriteriaTools) -> LayerReport:
    """Return that nothing was decided."""
    return _undecided(ValidationType.CRITERIA)


def quality_report(_request: ValidationRequest) -> LayerReport:
    """Return that nothing was decided."""
    return _undecided(ValidationType.QUALITY)


def quality_score_of(_request: ValidationRequest) -> float:
    """Return a half."""
    return 0.5


def facts_reports(_request: ValidationRequest) -> dict[ValidationType, LayerReport]:
    """Return that nothing was decided."""
    layers = (ValidationType.FACTS, ValidationType.HALLUCINATION)
    return {each: _undecided(each) for each in layers}
