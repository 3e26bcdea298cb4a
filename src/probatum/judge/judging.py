"""Runs the layers that were asked for, in their fixed order, and says what follows from them.

`decide_checks` is pure: it is what a stranger runs again over recorded checks. VERIFIED means that every layer ran,
that nothing is an error, and that evidence decided every check; what was only compared word by word, or judged by a
rule of thumb, leaves an output undecided however good it looks. Quality is advice, so it makes no verdict VERIFIED.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from probatum.core.decision import Decision, Outcome, decide
from probatum.core.finding import Severity
from probatum.core.shape import Shape
from probatum.judge.criteria.layer import criteria_report
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.facts.layers import facts_reports
from probatum.judge.layers import DECISIVE, Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.quality.layer import quality_report
from probatum.judge.quality.second_source import Linter
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.judge.schema_layer import schema_report

_CLAIMS: Final = (ValidationType.FACTS, ValidationType.HALLUCINATION)
_OPEN: Final = {
    ValidationType.SCHEMA: "judge.schema_open",
    ValidationType.FACTS: "judge.claims_open",
    ValidationType.HALLUCINATION: "judge.claims_open",
    ValidationType.CRITERIA: "judge.criteria_open",
}


@dataclass(frozen=True, slots=True)
class LayerRecord:
    """What a decision needs to know of one layer."""

    layer: ValidationType
    checks: tuple[LayerCheck, ...]
    has_error: bool

    @classmethod
    def of(cls, report: LayerReport) -> LayerRecord:
        """Return the record of a report."""
        return cls(report.layer, report.checks, any(each.severity is Severity.ERROR for each in report.issues))


def judged(
    request: ValidationRequest,
    tools: CriteriaTools,
    begin: Callable[[str], None] = lambda _layer: None,
    linters: Sequence[Linter] = (),
) -> Iterator[LayerReport]:
    """Yield the report of every layer that was asked for, in order; ``begin`` hears of each before it runs.

    Raises UsageError where the request makes no sense, BudgetError where it is too large, NotAttemptedError where a
    linter gives no answer.
    """
    layers: Mapping[ValidationType, Callable[[], LayerReport]] = {
        ValidationType.SCHEMA: lambda: schema_report(request),
        ValidationType.CRITERIA: lambda: criteria_report(request, tools),
        ValidationType.QUALITY: lambda: quality_report(request, linters),
    }
    claims: Mapping[ValidationType, LayerReport] = {}
    for layer in request.validation_types:
        begin(layer.value)
        if layer in layers:
            yield layers[layer]()
            continue
        claims = claims or facts_reports(request)
        yield claims[layer]


def decide_checks(records: Sequence[LayerRecord]) -> Decision:
    """Return the decision that recorded checks come to; the weakest counts."""
    weighed = [each for each in records if each.layer is not ValidationType.QUALITY]
    checks = [check for each in weighed for check in each.checks]
    fields: dict[str, object] = {
        "layers": [each.layer.value for each in records],
        "passed": sum(check.state is CheckOutcome.PASSED for check in checks),
        "failed": [check.id for check in checks if check.state is CheckOutcome.FAILED][:_TOLD],
        "open": [check.id for check in checks if not _is_settled(check)][:_TOLD],
    }
    if any(_is_refuted(each) for each in records):
        return decide(Outcome.REFUTED, "judge.refuted", fields=fields)
    if any(each.has_error for each in records):
        return decide(Outcome.UNDECIDED, "judge.doubtful", fields=fields)
    if not weighed:
        return decide(Outcome.UNDECIDED, "judge.nothing_decided", fields=fields)
    for each in weighed:
        if not each.checks or not all(map(_is_settled, each.checks)):
            return decide(Outcome.UNDECIDED, _OPEN[each.layer], fields=fields)
    return _accepted(checks, fields)


_TOLD: Final = 20


def _accepted(checks: Sequence[LayerCheck], fields: Mapping[str, object]) -> Decision:
    executed = [check for check in checks if check.basis is Basis.EXECUTED]
    if not executed:
        return decide(Outcome.PROVED, "judge.accepted", {"checks": len(checks)}, fields)
    noticed, planted = (sum(_count(check, name) for check in executed) for name in ("noticed", "planted"))
    slots = {"checks": len(checks), "executed": len(executed)}
    if not planted:
        return decide(Outcome.TESTED, "judge.ran", slots, fields)
    return decide(Outcome.TESTED, "judge.tested", {**slots, "noticed": noticed, "planted": planted}, fields)


def _count(check: LayerCheck, name: str) -> int:
    return Shape(check.evidence).whole(name, 0) if name in check.evidence else 0


def _is_settled(check: LayerCheck) -> bool:
    return check.state is CheckOutcome.PASSED and check.basis in DECISIVE


def _is_refuted(record: LayerRecord) -> bool:
    """Return whether evidence, and not a comparison of words, shows an error."""
    decided = (check.state is CheckOutcome.FAILED and check.basis in DECISIVE for check in record.checks)
    return record.has_error and any(decided)
