"""The layer of acceptance criteria: each is decided by what the output shows, or it is not decided at all.

A criterion counts as understood where one form of `forms` accounts for its every word, or where it says itself how it
is decided (`executable`). Refuses to judge by a part of it, and to let a model decide.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Final

from probatum.core.errors import BudgetError
from probatum.core.finding import Finding, Severity
from probatum.core.validation import IssueType
from probatum.judge.criteria.data_criteria import DATA_DECIDERS
from probatum.judge.criteria.executable import executed
from probatum.judge.criteria.forms import CriterionForms
from probatum.judge.criteria.programs import PROGRAM_DECIDERS
from probatum.judge.criteria.reading import OutputView
from probatum.judge.criteria.structure import CODE_DECIDERS
from probatum.judge.criteria.text_criteria import TEXT_DECIDERS
from probatum.judge.criteria.tools import BudgetedRunner, CriteriaTools, CriterionRuling, unknown
from probatum.judge.layers import CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.request import ValidationRequest, ValidationType

NO_TOOLS: Final = CriteriaTools()
# Characters of output that are looked at for all criteria together; a criterion counts a thousand by itself.
_MOST_READ: Final = 20_000_000
_SHOWN: Final = 250


@cache
def _forms() -> CriterionForms:
    return CriterionForms.of({**CODE_DECIDERS, **TEXT_DECIDERS, **DATA_DECIDERS, **PROGRAM_DECIDERS})


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
            told = criterion if len(criterion) <= _SHOWN else f"{criterion[:_SHOWN]}…"
            message = f"Criterion '{told}' could not be decided: {ruling.why}."
            issues.append(issue(Severity.WARNING, IssueType.CRITERIA_AMBIGUOUS, message, suggestion=_HINT))
    return LayerReport(ValidationType.CRITERIA, tuple(checks), tuple(issues))


_HINT: Final = "Say it in a form that can be checked, such as 'python: EXPRESSION', 'regex: PATTERN' or a count."


def _rulings(criteria: Sequence[str], output: object, tools: CriteriaTools) -> Mapping[str, CriterionRuling]:
    """Return the ruling of each criterion; one that comes again is judged once."""
    try:
        view = OutputView(output)
        budgeted = replace(tools, runner=BudgetedRunner(tools.runner)) if tools.runner else tools
    except BudgetError as error:
        return dict.fromkeys(criteria, unknown(error.sentence.removesuffix(".")))
    most = max(1, _MOST_READ // (1000 + sum(map(len, view.texts))))
    told = list(dict.fromkeys(criteria))
    found = {each: _ruling(each, view, budgeted) for each in told[:most]}
    return found | dict.fromkeys(told[most:], unknown("there are too many criteria for an output of this size"))


def _ruling(criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    try:
        return executed(criterion, view, tools) or _forms().ruling(criterion, view, tools)
    except BudgetError as error:
        return unknown(error.sentence.removesuffix("."))
