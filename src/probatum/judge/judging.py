"""Runs the layers that were asked for, in their fixed order, and says what follows from them.

`decide_checks` is pure: it is what a stranger runs again over recorded checks. VERIFIED means that every layer ran and
decided something, that no check is open, and that none failed. Refuses to count a layer without checks as passed, and
to let quality alone make an output VERIFIED.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final

from probatum.core.decision import Decision, Outcome, decide
from probatum.core.shape import Shape
from probatum.judge.criteria.layer import criteria_report
from probatum.judge.criteria.tools import CriteriaTools
from probatum.judge.facts.layers import facts_reports
from probatum.judge.layers import Basis, CheckOutcome, LayerCheck, LayerReport
from probatum.judge.quality.layer import Linter, quality_report
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.judge.schema_layer import schema_report

_OPEN: Final = {
    ValidationType.SCHEMA: "judge.schema_open",
    ValidationType.FACTS: "judge.claims_open",
    ValidationType.HALLUCINATION: "judge.claims_open",
    ValidationType.CRITERIA: "judge.criteria_open",
    ValidationType.QUALITY: "judge.quality_open",
}


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
        claims = claims or facts_reports(request, tools.exact)
        yield claims[layer]


def decide_checks(reports: Sequence[LayerReport]) -> Decision:
    """Return the decision that recorded checks come to; the weakest counts."""
    checks = [check for each in reports for check in each.checks]
    fields: dict[str, object] = {
        "layers": [each.layer.value for each in reports],
        "passed": sum(check.state is CheckOutcome.PASSED for check in checks),
        "failed": [check.id for check in checks if check.state is CheckOutcome.FAILED][:_MOST_NAMED],
        "open": [check.id for check in checks if check.state is CheckOutcome.UNDECIDED][:_MOST_NAMED],
    }
    if read := {check.id: check.evidence["readings"] for check in checks if "readings" in check.evidence}:
        fields["readings"] = dict(islice(read.items(), _MOST_NAMED))
    if any(check.state is CheckOutcome.FAILED for check in checks):
        return decide(Outcome.REFUTED, "judge.refuted", fields=fields)
    if not any(each.layer is not ValidationType.QUALITY for each in reports):
        return decide(Outcome.UNDECIDED, "judge.nothing_decided", fields=fields)
    for each in reports:
        if not each.checks or any(check.state is CheckOutcome.UNDECIDED for check in each.checks):
            return decide(Outcome.UNDECIDED, _OPEN[each.layer], fields=fields)
    return _accepted(checks, fields)


_MOST_NAMED: Final = 20


def _accepted(checks: Sequence[LayerCheck], fields: Mapping[str, object]) -> Decision:
    executed = [check for check in checks if check.basis is Basis.EXECUTED]
    read = sum(check.basis is Basis.READING for check in checks)
    if not executed:
        if read:
            return decide(Outcome.TESTED, "judge.read", {"checks": len(checks), "read": read}, fields)
        return decide(Outcome.PROVED, "judge.accepted", {"checks": len(checks)}, fields)
    noticed, planted = (sum(_count(check, name) for check in executed) for name in ("noticed", "planted"))
    slots = {"checks": len(checks), "executed": len(executed)}
    if not planted:
        return decide(Outcome.TESTED, "judge.ran", slots, fields)
    return decide(Outcome.TESTED, "judge.tested", {**slots, "noticed": noticed, "planted": planted}, fields)


def _count(check: LayerCheck, name: str) -> int:
    return Shape(check.evidence).whole(name, 0) if name in check.evidence else 0
