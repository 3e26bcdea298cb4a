"""The layer of acceptance criteria: each is decided by its notation, or it is open.

Refuses to read a criterion in words, and to let a model decide one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.finding import Finding, Severity
from probatum.core.validation import IssueType
from probatum.judge.criteria.notation import notation_ruling
from probatum.judge.criteria.tools import BudgetedRunner, CriteriaTools, CriterionRuling, unknown
from probatum.judge.layers import NOWHERE, OPEN, CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.outputs import OutputView
from probatum.judge.request import ValidationRequest, ValidationType

NO_TOOLS: Final = CriteriaTools()
# Characters of output that are looked at for all criteria together; a criterion counts a thousand by itself.
_MOST_READ: Final = 20_000_000
_SHOWN: Final = 250
_HINT: Final = (
    "Write it formally, such as 'count: words <= 300', 'python: len(output) < 100' or 'tests: pass', or give a reading"
    " of it; all forms: docs/reference/judge-criteria.md."
)


def criteria_report(request: ValidationRequest, tools: CriteriaTools = NO_TOOLS) -> LayerReport:
    """Return what came of every acceptance criterion, in order; raises NotAttemptedError where the sandbox fails."""
    criteria = request.acceptance_criteria
    rulings = _rulings(criteria, request.output, tools)
    checks: list[LayerCheck] = []
    issues: list[Finding] = []
    for index, criterion in enumerate(criteria):
        ruling = rulings[criterion]
        checks.append(LayerCheck(f"criteria[{index}]", criterion, ruling.state, ruling.basis, ruling.evidence))
        if ruling.state is CheckOutcome.FAILED:
            message = f"Acceptance criterion not met: {criterion}"
            suggestion = f"Change the output so that it meets the criterion; observed: {ruling.why}."
            issues.append(issue(Severity.ERROR, IssueType.CRITERIA_NOT_MET, message, suggestion=suggestion))
        elif ruling.state is CheckOutcome.UNDECIDED:
            shown = criterion if len(criterion) <= _SHOWN else f"{criterion[:_SHOWN]}…"
            message = f"Criterion '{shown}' is open: {ruling.why}."
            kind = IssueType.CRITERIA_AMBIGUOUS
            issues.append(issue(Severity.WARNING, kind, message, NOWHERE, _HINT, **{OPEN: criterion}))
    return LayerReport(ValidationType.CRITERIA, tuple(checks), tuple(issues))


def _rulings(criteria: Sequence[str], output: object, tools: CriteriaTools) -> Mapping[str, CriterionRuling]:
    """Return the ruling of each criterion; one that comes again is judged once."""
    try:
        view = OutputView(output)
        budgeted = replace(tools, runner=BudgetedRunner(tools.runner)) if tools.runner else tools
    except BudgetError as error:
        return dict.fromkeys(criteria, unknown(error.sentence.removesuffix(".")))
    size = sum(len(each.value) for each in view.leaves if isinstance(each.value, str))
    most = max(1, _MOST_READ // (1000 + size))
    asked = list(dict.fromkeys(criteria))
    found = {each: _ruling(each, view, budgeted) for each in asked[:most]}
    return found | dict.fromkeys(asked[most:], unknown("there are too many criteria for an output of this size"))


def _ruling(criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    try:
        return notation_ruling(criterion, view, tools)
    except BudgetError as error:
        return unknown(error.sentence.removesuffix("."))
