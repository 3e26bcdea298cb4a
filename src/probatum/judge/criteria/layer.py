"""The layer of acceptance criteria: each is decided by its notation, or by readings of its every word, or it is open.

A reading gives a formal criterion, which is tried on altered outputs before it counts: it can fail, and holds for more
than this output. Refuses to read a criterion in words itself, and to let a model decide one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from probatum.core.canonical import JsonValue
from probatum.core.errors import BudgetError
from probatum.core.finding import Severity
from probatum.core.validation import IssueType
from probatum.judge.criteria.altered import altered
from probatum.judge.criteria.notation import altered_rulings, is_formal, notation_ruling
from probatum.judge.criteria.tools import BudgetedRunner, CriteriaTools, CriterionRuling, ruled, unknown
from probatum.judge.layers import NOWHERE, OPEN, Basis, CheckOutcome, LayerCheck, LayerReport, issue
from probatum.judge.outputs import OutputView
from probatum.judge.readings import criteria_read, reading_issues
from probatum.judge.request import ValidationRequest, ValidationType
from probatum.readings.formal import PROVED, REFUTED, UNDECIDED, ClaimProof
from probatum.readings.grounding import Grounding

NO_TOOLS: Final = CriteriaTools()
# Characters of output that are looked at for all criteria together; a criterion counts a thousand by itself.
_MOST_READ: Final = 20_000_000
# The same for all trials of readings, each of which looks at some more outputs.
_MOST_TRIED: Final = 4_000_000
_TOO_MANY: Final = "there are too many criteria for an output of this size"
_OUTCOMES: Final = {CheckOutcome.PASSED: PROVED, CheckOutcome.FAILED: REFUTED, CheckOutcome.UNDECIDED: UNDECIDED}
_SHOWN: Final = 250
_HINT: Final = (
    "Write it formally, such as 'count: words <= 300', 'python: len(output) < 100' or 'tests: pass', or give a reading"
    " of it; all forms: docs/reference/judge-criteria.md."
)


def criteria_report(request: ValidationRequest, tools: CriteriaTools = NO_TOOLS) -> LayerReport:
    """Return what came of every acceptance criterion, in order; raises NotAttemptedError where the sandbox fails."""
    criteria = request.acceptance_criteria
    budgeted = replace(tools, runner=BudgetedRunner(tools.runner)) if tools.runner else tools
    try:
        view = OutputView(request.output)
        read, by_reading = _read(request, view, budgeted)
        rulings = {**_rulings(criteria, view, budgeted), **by_reading}
    except BudgetError as error:
        read, rulings = Grounding(""), dict.fromkeys(criteria, unknown(error.sentence))
    checks: list[LayerCheck] = []
    issues = list(reading_issues(read, IssueType.CRITERIA_AMBIGUOUS))
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


def criteria_readings(request: ValidationRequest, tools: CriteriaTools = NO_TOOLS) -> Grounding:
    """Return what the readings of criteria come to, under the policy of the request; raises as `criteria_report`.

    Raises UsageError where the readings cannot be read, BudgetError where the output is too large.
    """
    budgeted = replace(tools, runner=BudgetedRunner(tools.runner)) if tools.runner else tools
    return _read(request, OutputView(request.output), budgeted)[0]


def _read(
    request: ValidationRequest, view: OutputView, tools: CriteriaTools
) -> tuple[Grounding, Mapping[str, CriterionRuling]]:
    """Return what the readings of criteria come to, and the rulings of those that they speak for, every word of them.

    All of these readings have to hold; where one fails, the criterion is not met.
    """

    left = [_MOST_TRIED]

    def decide(_check: str, formal: str, given: Mapping[str, JsonValue]) -> ClaimProof:
        left[0] -= _size(view)
        if left[0] < 0:
            return ClaimProof(UNDECIDED, _TOO_MANY)
        ruling = _ruling(formal, view, tools)
        if ruling.state is CheckOutcome.UNDECIDED:
            return ClaimProof(UNDECIDED, ruling.why)
        others = altered_rulings(formal, altered(view.output, f"{given['passage']} {formal}"), tools)
        tried = None if others is None else tuple(_OUTCOMES[each.state] for each in others)
        return ClaimProof(_OUTCOMES[ruling.state], ruling.why, tried)

    worded = [each for each in dict.fromkeys(request.acceptance_criteria) if not is_formal(each)]
    read = criteria_read(request, "\n".join(worded), decide)
    found, at = dict[str, CriterionRuling](), 0
    for each in worded:
        words, at = read.of(at, at + len(each)), at + len(each) + 1
        if proofs := [word.tried.proof for word in words if word.tried.proof is not None]:
            why = "; ".join(dict.fromkeys(proof.detail for proof in proofs))
            holds = all(proof.outcome == PROVED for proof in proofs)
            found[each] = ruled(holds, Basis.READING, why, readings=[word.document() for word in words])
    return read, found


def _rulings(criteria: Sequence[str], view: OutputView, tools: CriteriaTools) -> Mapping[str, CriterionRuling]:
    """Return the ruling of each criterion; one that comes again is judged once."""
    most = max(1, _MOST_READ // _size(view))
    asked = list(dict.fromkeys(criteria))
    found = {each: _ruling(each, view, tools) for each in asked[:most]}
    return found | dict.fromkeys(asked[most:], unknown(_TOO_MANY))


def _size(view: OutputView) -> int:
    return 1000 + sum(len(each.value) for each in view.leaves if isinstance(each.value, str))


def _ruling(criterion: str, view: OutputView, tools: CriteriaTools) -> CriterionRuling:
    try:
        return notation_ruling(criterion, view, tools)
    except BudgetError as error:
        return unknown(error.sentence)
