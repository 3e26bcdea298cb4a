"""What follows from an audit: whether the evidence establishes the variables of the event.

VERIFIED says that it does, whether the event was observed or not; nothing else is VERIFIED. Refuses to refute: evidence
that contradicts itself or does not suffice leaves the question open.
"""

from __future__ import annotations

from typing import Final

from probatum.audit.auditor import Conclusion
from probatum.audit.claims import written
from probatum.audit.commitments import Commitment
from probatum.audit.reasoning import CheckResult
from probatum.core.decision import Decision, Outcome, decide

MAX_TOLD: Final = 20
# Sources that gave nothing, and records of a table from another time: others are asked, and these are not used.
_PROVIDED_FOR: Final = frozenset({"bundle.item", "time.window"})
_DOUBTS: Final = {
    "source.otherwise": "audit.conflict",
    "coverage.fields": "audit.insufficient",
    "source.undeclared": "audit.undeclared_source",
}
_OF_QUESTION: Final = ("event.definition", "declaration", "window", "coverage.nothing")
_OF_TRACE: Final = ("trace", "prior", "reference")
_OF_COVERAGE: Final = ("coverage", "event")


def decide_audit(conclusion: Conclusion) -> Decision:
    """Return the decision that an audit leads to; the weakest finding counts."""
    weighed, verification = conclusion.weighed, conclusion.verification
    failed = [check for check in verification.checks if not check.ok]
    variables = weighed.variables
    fields: dict[str, object] = {
        "evaluation_variables": {key: written(value) for key, value in variables.items()},
        "evidence_root": weighed.record.evidence.root,
        "reasoning_root": Commitment.of_trace(conclusion.trace).root,
        "trace_id": conclusion.trace.trace_id,
    }
    if failed:
        fields["broken"] = [f"{check.check_id}: {sentence_of(check)}" for check in failed[:MAX_TOLD]]
    constraint = _open(failed, is_conflict=bool(variables["conflict_detected"])) or _withheld(conclusion)
    if constraint:
        fields["doubts"] = [f"{check.check_id}: {sentence_of(check)}" for check in doubts(conclusion)[:MAX_TOLD]]
        return decide(Outcome.UNDECIDED, constraint, fields=fields)
    sources = {source for agreed in weighed.used for source in agreed.sources}
    if not sources or not verification.ok:
        raise ValueError("nothing was established, and no check says why")
    return decide(Outcome.PROVED, "audit.established", {"sources": len(sources)}, fields)


def sentence_of(check: CheckResult) -> str:
    """Return what a check says, with what it says it of."""
    about = check.details.get("evidence_id") or check.details.get("step_id") or check.details.get("requirement_id")
    return f"{about}: {check.message}" if isinstance(about, str) else check.message


def _open(failed: list[CheckResult], *, is_conflict: bool) -> str:
    """Return which constraint the failed checks come to; nothing where none failed."""
    if not failed:
        return ""
    if any(check.check_id.startswith(_OF_QUESTION) for check in failed):
        return "audit.question_unsound"
    if any(check.check_id.startswith(_OF_TRACE) for check in failed):
        return "audit.trace_broken"
    if all(check.check_id.startswith(_OF_COVERAGE) for check in failed):
        return "audit.conflict" if is_conflict else "audit.insufficient"
    return "audit.evidence_unsound"


def _withheld(conclusion: Conclusion) -> str:
    """Return what withholds a verdict although every check holds."""
    variables = conclusion.weighed.variables
    if variables["conflict_detected"]:
        return "audit.conflict"
    if variables["event_observed"] is None or variables["insufficient_evidence"]:
        return "audit.insufficient"
    told = {check.check_id for check in doubts(conclusion)}
    return next((_DOUBTS[each] for each in _DOUBTS if each in told), "audit.doubtful" if told else "")


def doubts(conclusion: Conclusion) -> list[CheckResult]:
    """Return the warnings that keep evidence from establishing anything: all but what a policy provides for."""
    checks = conclusion.verification.checks
    return [check for check in checks if check.ok and check.severity == "warn" and check.check_id not in _PROVIDED_FOR]
